"""C99 for a robot: source, header, build file, self-test and a page about them."""

from taut.emit.c.module import Module as Module
from taut.emit.c.project import project as project
