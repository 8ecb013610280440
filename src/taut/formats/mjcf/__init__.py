"""MJCF, MuJoCo's robot files."""

from taut.formats.mjcf.bodies import read_mjcf as read_mjcf
