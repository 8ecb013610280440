"""Runs generated code; independent of robots and expressions."""
