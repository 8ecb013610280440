"""Abbreviates the explicit equations and measures the error; lossy, so never part of a default pipeline."""
