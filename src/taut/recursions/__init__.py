"""taut's own recursions over bodies in screw form: the ones its tightest programs start from.

The textbook algorithms are in :mod:`taut.algorithms`; the tests compare both.
"""
