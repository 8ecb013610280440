"""Expressions as one shared graph; independent of robots."""

from taut.graph.node import Graph as Graph
from taut.graph.node import Node as Node
from taut.graph.node import topological as topological
from taut.graph.stage import Stage as Stage
