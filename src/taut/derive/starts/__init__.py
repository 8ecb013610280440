"""The programs that a search starts from."""
