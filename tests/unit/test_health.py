"""Which programs keep their digits: outputs are judged by what they are, those that are zero by their neighbours."""

from __future__ import annotations

from taut.derive.checks.health import Health
from taut.graph import Graph, Node, Stage
from taut.graph.lower import lower


def variables() -> tuple[Graph, list[Node]]:
    graph = Graph()
    return graph, [graph.symbol(name, Stage.CONFIGURATION) for name in ("x", "y")]


def test_an_output_that_is_zero_but_for_rounding_refuses_nothing() -> None:
    """x + y - (x + y) is 0, formed in another order some 1e-16."""
    graph, (x, y) = variables()
    large = 30 * (x * y)
    noisy = (x * y) * (x + y) - (x * x * y + x * y * y)
    program, other = lower([large, noisy]), lower([large, graph.constant(0)])
    assert Health(program, {}).keeps_digits(other)


def test_a_wrong_small_output_is_refused() -> None:
    _, (x, y) = variables()
    program, other = lower([30 * (x * y), x / 10000]), lower([30 * (x * y), x / 10000 + y / 10**12])
    assert Health(program, {}).keeps_digits(program)
    assert not Health(program, {}).keeps_digits(other)
