"""Recordings of robots: files in, joint positions and torques on a regular clock out. Knows no robots."""

from taut.recordings.recording import Piece as Piece
from taut.recordings.recording import Recording as Recording
