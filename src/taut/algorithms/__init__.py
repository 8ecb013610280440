"""The textbook algorithms, one file each, written once over any scalar."""
