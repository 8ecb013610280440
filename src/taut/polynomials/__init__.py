"""Polynomials over the rationals, by FLINT: in sines, cosines, slides and parameters, with cos^2 + sin^2 = 1."""
