"""Passes from program to program, each exact."""
