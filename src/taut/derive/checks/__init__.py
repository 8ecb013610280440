"""Checks of derived programs: digits kept, divisors that can vanish, agreement with the file's own digits."""
