"""Runs generated code; knows neither robots nor expressions."""
