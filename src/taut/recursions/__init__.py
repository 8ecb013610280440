"""taut's own recursions over bodies in screw form: the ones its tightest programs start from.

The textbook algorithms are in :mod:`taut.algorithms`; both are held against each other in the tests.
"""
