"""Writes programs as text: one folder per language; all agree with ``Program.evaluate``."""
