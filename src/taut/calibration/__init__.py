"""Geometric calibration: measured poses in, a robot whose geometry fits them out."""
