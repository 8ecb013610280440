"""The commands of the command line, one file each, every one a thin skin on the API."""
