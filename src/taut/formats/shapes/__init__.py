"""What a description draws on its links: meshes and plain bodies, read for pictures alone, never for dynamics."""

from taut.formats.shapes.read import shapes_of as shapes_of
from taut.formats.shapes.shape import Piece as Piece
from taut.formats.shapes.shape import Shape as Shape
