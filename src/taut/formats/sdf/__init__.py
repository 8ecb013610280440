"""SDF (SDFormat), as far as dynamics goes."""

from taut.formats.sdf.model import read_sdf as read_sdf
