"""Measurement sheets: raw readings of a disassembled robot in, a robot file with tolerances out."""
