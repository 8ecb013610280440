"""What may be left out of the explicit equations, and what does that cost?  Lossy, so never part of a default line."""
