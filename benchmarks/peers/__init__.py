"""The contestants of the side-by-side benchmark, one file each, and what they share."""
