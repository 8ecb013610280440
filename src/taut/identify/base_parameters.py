"""Base parameters: the combinations of inertial parameters that joint torques depend on.

.. math:: \\tau = Y \\pi = Y_{kept}\\, \\pi_{base}, \\qquad \\pi_{base} = \\pi_{kept} + B\\, \\pi_{eliminated}

Y_kept holds independent columns of Y; B comes from the null space of Y [Gautier, Khalil 1990]. The null space is
found joint by joint as formulas of the geometry, and the rank of the whole regressor over a finite field
shows that none is missing. Where joints mimic others, gears couple drives or gravity acts as an offset does, the
rest of the null space is found from the regressor itself: exactly over the field, its coefficients as numbers. Loops
with a closed form are solved in the field, too; where other closures or cams tie joints, the rank is one of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from html import escape

import numpy as np

from taut.errors import InputError, shortened
from taut.graph import Node, topological
from taut.graph.evaluate import evaluate
from taut.graph.field import PRIME
from taut.identify.echelon import Row, Values, echelon
from taut.identify.exact_robot import ExactRobot, exact_robot
from taut.identify.field_regressor import FieldRegressor, geometry_point
from taut.identify.formula import group_text
from taut.identify.gauge import elimination_order, keeping, local_order
from taut.identify.null_space import Unseen, unseen_changes
from taut.identify.numeric_regrouping import numeric_coefficients, regrouped_on_loops
from taut.identify.parameters import Parameters, parameters
from taut.robot import Tree
from taut.robot.closed_form import with_closed_form
from taut.robot.edit import with_gravity
from taut.spatial import Scalar

WHOLE = 1000
"""Fractions up to this size are recognised in a finite field."""


@dataclass(frozen=True)
class BaseParameters:
    """Base parameters of a robot: names, formulas and values.

    Attributes:
        parameters: names of all parameters, in the order of pi.
        columns: of the regressor followed by the drive regressor that belong to pi.
        kept: indices of the parameters whose columns stay, in the order of pi.
        coefficients: {index of an eliminated parameter: {index of a kept one: coefficient}}, B by columns; numbers,
            or formulas of the geometry.
        unidentifiable: names of the parameters without any effect.
        symbolic: whether every coefficient is a formula; otherwise some are numbers found by least squares.
        proved: whether the rank of the whole regressor was taken too, over a finite field.
        robot: the exact robot whose geometry the coefficients are formulas of.
        gap: where the rank is one of numbers, the least part of a kept column that the others do not give, and the
            largest of an eliminated one, which is rounding; None where the rank is exact.
    """

    parameters: tuple[str, ...]
    columns: tuple[int, ...]
    kept: tuple[int, ...]
    coefficients: dict[int, Row]
    unidentifiable: tuple[str, ...]
    symbolic: bool
    proved: bool
    robot: ExactRobot
    gap: tuple[float, float] | None = None

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.kept)

    @property
    def rank(self) -> int:
        """The rank of the regressor, which is their number."""
        return self.count

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that stand for their groups."""
        return tuple(self.parameters[k] for k in self.kept)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The formula of each base parameter."""
        return tuple(group_text(k, self.parameters, self.coefficients, self.robot) for k in self.kept)

    @cached_property
    def matrix(self) -> np.ndarray:
        """The map from pi to the base parameters, shape (count, len(parameters)); needs the values of symbols."""
        entries = [(k, e, x) for e, row in self.coefficients.items() for k, x in row.items()]
        nodes = [x for _, _, x in entries if isinstance(x, Node)]
        known = dict(zip(nodes, evaluate(nodes, self.robot.values), strict=True))
        place = {k: j for j, k in enumerate(self.kept)}
        matrix = np.zeros((self.count, len(self.parameters)))
        matrix[range(self.count), self.kept] = 1.0
        for k, e, x in entries:
            matrix[place[k], e] = float(known[x]) if isinstance(x, Node) else float(x)
        return matrix

    def null_vectors(self, values: Values) -> list[dict[int, int]]:
        """Return what the formulas say the regressor takes to zero, at a point of the geometry in the finite field."""
        return [
            {eliminated: 1, **{k: -values.of(x) % PRIME for k, x in row.items()}}
            for eliminated, row in self.coefficients.items()
        ]

    def __repr__(self) -> str:
        return f"<BaseParameters: {self.count} of {len(self.parameters)} parameters, {', '.join(self.names[:6])}, ...>"

    def __str__(self) -> str:
        return shortened(self.text())

    def _repr_html_(self) -> str:
        rows = zip(self.names, self.groups, strict=True)
        cells = "".join(f"<tr><td>{escape(name)}</td><td>{escape(str(group))}</td></tr>" for name, group in rows)
        return f"<table><tr><th>base parameter</th><th>regrouping</th></tr>{cells}</table>"

    def text(self) -> str:
        """Return every base parameter with its regrouping, one a line."""
        width = max((len(name) for name in self.names), default=0)
        return "\n".join(f"{name:{width}} = {group}" for name, group in zip(self.names, self.groups, strict=True))


def base_parameters(
    robot: Tree,
    drives: bool = False,
    friction: bool = False,
    gravity: Sequence[Scalar] | None = None,
    keep: Sequence[str] | None = None,
    offsets: bool = False,
    prove: bool = True,
) -> BaseParameters:
    """Return the base parameters of a robot.

    Args:
        robot: any tree; symbols in its geometry stand for any value, numbers for themselves.
        drives: whether rotor inertias (Ia) are parameters too.
        friction: whether Coulomb (fc) and viscous friction (fv) are.
        gravity: another gravity than the robot's, in the world frame [m/s^2].
        keep: names of parameters to keep as far as possible, the most wanted first.
        offsets: whether drive offsets (fo) are parameters.
        prove: take the rank of the whole regressor over a finite field as well. Where the null space is not
            settled joint by joint (mimicking joints, coupled drives, offsets) this is done in any case.

    >>> from taut.formats import read
    >>> from taut.library import text
    >>> found = base_parameters(read(text("puma560_full"), "puma560_full.toml", "toml"))
    >>> found.count, found.groups[found.names.index("mx2")]
    (36, 'mx2 + a2*(m3 + m4 + m5 + m6)')
    """
    if gravity is not None:
        robot = with_gravity(robot, gravity)
    exact = exact_robot(robot)
    values = Values(geometry_point(exact.tree))
    asked = parameters(robot, drives, friction, offsets)
    order = elimination_order(robot, asked.places, len(asked.names))
    if keep is not None:
        order = keeping(order, asked.names, keep)
    if robot.at().bends:
        if drives or friction or offsets:
            said = f"drives of '{robot.name}', whose joint ratios change with its position"
            advice = "identification and excitation serve trees, gears and parallelograms; base_parameters() and "
            raise InputError(said, "base_parameters", advice + "regressor() serve the links of any closed chain")
        return _on_loops(robot, asked, order, exact)
    unseen = unseen_changes(exact.tree, values, drives, lambda i: local_order(robot.joints[i]))
    rows = [_whole_row(change, robot, asked) for change in unseen]
    if not prove and not _more_is_possible(robot, drives, offsets):
        return _structural(rows, order, asked, exact, values, proved=False)
    regressor = FieldRegressor(exact.tree, exact.graph, values, asked.columns)
    if regressor.rank(len(asked.names) - len(rows)) < len(asked.names) - len(rows):
        return _from_regressor(regressor, rows, order, asked, exact, values, robot)
    found = _structural(rows, order, asked, exact, values, proved=True)
    if not regressor.kills(found.null_vectors(values)):
        raise ArithmeticError(f"robot '{robot.name}': a regrouping formula is wrong; please report this robot")
    return found


def _on_loops(robot: Tree, asked: Parameters, order: Sequence[int], exact: ExactRobot) -> BaseParameters:
    """Return the base parameters of a robot with loops or cams: exact where all loops are solved in closed form.

    A loop may have two motions that no formula but the sign of the root tells apart, as a kite has. The field has
    both of them; where it finds another rank than the numbers of the robot's own branch, the numbers count.
    """
    numbers = regrouped_on_loops(robot, asked.columns, order)
    found = _assembled(dict(numbers.coefficients), asked, exact, symbolic=False, proved=False)
    by_numbers = replace(found, gap=(numbers.smallest, numbers.largest))
    solved = with_closed_form(robot)
    if solved.must_close or any(mimic.law is not None for mimic in robot.mimics):
        return by_numbers
    exact = exact_robot(solved)
    values = Values(geometry_point(exact.tree))
    unseen = unseen_changes(exact.tree, values, False, lambda i: local_order(robot.joints[i]))
    rows = [_whole_row(change, robot, asked) for change in unseen]
    regressor = FieldRegressor(exact.tree, exact.graph, values, asked.columns)
    if regressor.rank(len(asked.names) - len(rows)) != by_numbers.count:
        return by_numbers
    return _from_regressor(regressor, rows, order, asked, exact, values, solved)


def base_parameter_count(robot: Tree, drives: bool = False) -> int:
    """Return the number of base parameters of the links, with rotor inertias where ``drives``."""
    if robot.at().bends or _more_is_possible(robot, drives, offsets=False):
        return base_parameters(robot, drives).count
    exact = exact_robot(robot)
    values = Values(geometry_point(exact.tree))
    unseen = unseen_changes(exact.tree, values, drives, lambda i: local_order(robot.joints[i]))
    return len(parameters(robot, drives).names) - len(unseen)


def _more_is_possible(robot: Tree, drives: bool, offsets: bool) -> bool:
    """Whether parameters may depend on each other in ways that one joint alone does not show."""
    return bool(robot.mimics or offsets or (drives and robot.coupling))


def _whole_row(unseen: Unseen, robot: Tree, asked: Parameters) -> Row:
    """Return an unseen change as a row over all parameters."""
    row: Row = {asked.places[unseen.link, k]: x for k, x in unseen.change.items()}
    if unseen.given is not None:
        parent = robot.joints[unseen.link].parent
        row |= {asked.places[parent, k]: -x for k, x in enumerate(unseen.given)}
    return row


def _structural(
    rows: list[Row], order: Sequence[int], asked: Parameters, exact: ExactRobot, values: Values, proved: bool
) -> BaseParameters:
    """Return the base parameters from null vectors that are formulas."""
    solved = echelon(rows, order, values)
    formulas = values.formulas()
    coefficients = {
        pivot: {k: _simplest(-x, formulas, values) for k, x in row.items() if k != pivot}
        for pivot, row in solved.items()
    }
    return _assembled(coefficients, asked, exact, symbolic=True, proved=proved)


def _from_regressor(
    regressor: FieldRegressor,
    rows: list[Row],
    order: Sequence[int],
    asked: Parameters,
    exact: ExactRobot,
    values: Values,
    robot: Tree,
) -> BaseParameters:
    """Return the base parameters from the null space of the stacked regressor."""
    echelon(rows, order, values)  # makes the formulas among which coefficients are looked up
    formulas = values.formulas()
    coefficients: dict[int, Row] = {
        pivot: {k: _recognised(-value % PRIME, formulas) for k, value in vector.items() if k != pivot}
        for pivot, vector in regressor.null_space(order).items()
    }
    unknown = {pivot: row for pivot, row in coefficients.items() if None in row.values()}
    if unknown:
        numbers = numeric_coefficients(robot, asked.columns, unknown)
        coefficients |= {
            pivot: {k: numbers[pivot][k] if x is None else x for k, x in row.items()} for pivot, row in unknown.items()
        }
    return _assembled(coefficients, asked, exact, symbolic=not unknown, proved=True)


def _assembled(
    coefficients: dict[int, Row], asked: Parameters, exact: ExactRobot, symbolic: bool, proved: bool
) -> BaseParameters:
    kept = tuple(k for k in range(len(asked.names)) if k not in coefficients)
    without = tuple(asked.names[k] for k in sorted(coefficients) if not coefficients[k])
    return BaseParameters(asked.names, asked.columns, kept, coefficients, without, symbolic, proved, exact)


def _simplest(x: Scalar, formulas: dict[int, Node], values: Values) -> Scalar:
    """Return the simplest known expression that equals x or -x, with its sign."""
    return _known(values.of(x), formulas) if isinstance(x, Node) else x


def _recognised(value: int, formulas: dict[int, Node]) -> Scalar | None:
    """Return a number of few digits or a known formula with this value in the field."""
    for bottom in range(1, WHOLE):
        top = value * bottom % PRIME
        if min(top, PRIME - top) <= WHOLE:
            return Fraction(top if top <= WHOLE else top - PRIME, bottom)
    return _known(value, formulas)


def _known(value: int, formulas: dict[int, Node]) -> Node | None:
    same, opposite = formulas.get(value), formulas.get(PRIME - value)
    if same is None or opposite is None:
        return same if opposite is None else -opposite
    return same if len(topological([same])) <= len(topological([opposite])) else -opposite
