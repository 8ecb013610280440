"""Searches for cheaper programs: one tightening, and the order of many within steps or seconds."""
