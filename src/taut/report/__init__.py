"""What a person reads about a robot: tables, drawings, checks, and the same as plain data."""
