"""A robot: numbers, motions, changed copies, derived functions and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taut.api.closed_chains import ClosedChains
from taut.api.writing import WritesCode
from taut.errors import UnsupportedError
from taut.graph import Graph
from taut.robot import Placement, edit, elastic
from taut.robot.parameters import with_parameters
from taut.robot.placement import rpy as rpy_turns
from taut.spatial import Vec3

if TYPE_CHECKING:  # imported where they are used, so that importing taut is fast
    from taut.api.equations import Equations
    from taut.closed_form import Kinematics
    from taut.derive import Function
    from taut.explicit.design import Design
    from taut.generate import Generated, Wanted
    from taut.identify.base_parameters import BaseParameters
    from taut.tasks.plan import Plan


class Robot(ClosedChains, WritesCode):
    """A robot and the questions one can ask it.

    Every vector follows ``joint_names``; every method takes arrays with any leading axes and
    answers with the same leading axes. SI units, radians. ``tree`` is its data: see :class:`taut.robot.Tree`.
    """

    # -- files ------------------------------------------------------------------

    def to_toml(self) -> str:
        """Return the robot in taut's own format, symbols, values and tolerances included."""
        from taut.formats.toml_writer import write_toml

        return write_toml(self.tree)

    def to_urdf(self) -> str:
        """Return the robot as URDF; symbols are replaced by their values."""
        from taut.formats.urdf_writer import write_urdf

        return write_urdf(self.tree)

    def to_mjcf(self) -> str:
        """Return the robot as MJCF; symbols are replaced by their values, what MJCF has no word for is named there."""
        from taut.formats.mjcf_writer import write_mjcf

        return write_mjcf(self.tree)

    # -- changes ----------------------------------------------------------------

    def with_load(
        self,
        mass: Any,
        com: Sequence[Any] | np.ndarray = (0.0, 0.0, 0.0),
        inertia: Any = None,
        frame: str | None = None,
    ) -> Self:
        """Return the robot carrying a rigid load; see :func:`taut.robot.edit.with_load`.

        A number may be a text: the name of a parameter of its own, or a formula.

        >>> import taut
        >>> loaded = taut.load("puma560").with_load("mL", [0, 0, "cL"])
        >>> loaded.with_values({"mL": 2.0, "cL": 0.1}).gravity([0.0] * 6).shape
        (6,)
        """
        mass, com, inertia = _formulas("with_load", mass, com, inertia)
        return type(self)(edit.with_load(self.tree, mass, com, inertia, frame))

    def with_tool(
        self,
        xyz: Sequence[Any] = (0.0, 0.0, 0.0),
        rpy: Sequence[Any] = (0.0, 0.0, 0.0),
        name: str = "tool",
        frame: str | None = None,
    ) -> Self:
        """Return the robot with one more named frame, placed in ``frame``; it becomes the default frame."""
        xyz, rpy = _formulas("with_tool", xyz, rpy)
        return type(self)(edit.with_tool(self.tree, Placement(Vec3(*xyz), rpy_turns(*rpy)), name, frame))

    def with_values(self, values: Mapping[str, float]) -> Self:
        """Return the robot with named symbols given values."""
        return type(self)(edit.with_values(self.tree, values))

    def with_spinning_rotors(self, axes: Mapping[str, Sequence[float]] | None = None) -> Self:
        """Return the robot with its rotors as spinning bodies; see :func:`taut.robot.edit.with_spinning_rotors`.

        >>> import taut
        >>> taut.load("puma560").with_spinning_rotors().rotor_torque([0.1] * 6, [1] * 6, [0] * 6).shape
        (6,)
        """
        return type(self)(edit.with_spinning_rotors(self.tree, axes))

    def with_motor_coordinates(self) -> Self:
        """Return the robot with two joints in place of each elastic one; see :mod:`taut.robot.elastic`."""
        return type(self)(elastic.with_motor_coordinates(self.tree))

    def with_gravity(self, acceleration: Sequence[Any]) -> Self:
        """Return the robot under another gravity, in the world frame [m/s^2]."""
        return type(self)(edit.with_gravity(self.tree, acceleration))

    def with_parameters(
        self,
        links: Any = None,
        drives: Any = None,
        order: str = "taut",
        joints: Sequence[str] | None = None,
    ) -> Self:
        """Return the robot with other inertial or drive parameters; see :func:`taut.robot.parameters.with_parameters`.

        >>> import taut
        >>> robot = taut.load("puma560")
        >>> heavier = robot.with_parameters(2 * robot.parameters)
        >>> bool((heavier.parameters == 2 * robot.parameters).all())
        True
        """
        return type(self)(with_parameters(self.tree, links, drives, order, joints))

    def lock(self, positions: Mapping[str, float]) -> Self:
        """Return the robot with joints held at positions."""
        return type(self)(edit.lock(self.tree, positions))

    # -- derivation ---------------------------------------------------------------

    def derive(self, function: str, method: str = "best", parameters: str | None = None, **options: Any) -> Function:
        """Return a function of this robot as an exact, tightened program; see :func:`taut.derive.derive`.

        >>> import taut
        >>> taut.load("double_pendulum").derive("gravity", effort="quick").operations.total
        3
        """
        from taut.closed_form.derive import derive

        return derive(self.tree, function, method, parameters, **options)

    def casadi_c(self, function: str = "rk4_step", name: str | None = None, **derivation: Any) -> str:
        """Return C that ``casadi.external`` loads once it is compiled: a function, its Jacobian and its sparsity.

        Args:
            function: one whose ``_derivatives`` are a function, too: ``rk4_step``, ``semi_implicit_step``,
                ``euler_step``, ``forward_dynamics`` or ``inverse_dynamics``.
            name: that ``casadi.external`` asks for; the function's by default.
            derivation: further arguments of :meth:`derive`.
        """
        if self.tree.quaternions:
            what = f"'{self.name}' has quaternions, and its derivatives are along the rates, not by q"
            raise UnsupportedError(what, "casadi_c", "fix its base, or generate the function and its derivatives")
        own, slopes = (self.derive(one, **derivation) for one in (function, f"{function}_derivatives"))
        return own.to_casadi_c(slopes, name)

    def _write(
        self, directory: str, functions: str | None, wanted: Wanted, positions: str = "independent", **derivation: Any
    ) -> Generated:
        from taut.generate import default_functions, functions_named, generate

        robot = self.with_positions(positions)
        chosen = functions_named(functions or default_functions(robot.tree))
        derivation.setdefault("objective", "time")
        return generate(
            robot.tree, directory, chosen, wanted, lambda one, frame: robot.derive(one, frame=frame, **derivation)
        )

    def _write_tasks(
        self,
        directory: str,
        functions: str | None,
        wanted: Wanted,
        tasks: str,
        recompute: int,
        positions: str = "independent",
        **derivation: Any,
    ) -> Generated:
        from taut.tasks.generate import generate_tasks
        from taut.tasks.proof import prove

        robot = self.with_positions(positions)
        made = robot.tasks(functions, tasks, recompute, **derivation)
        return generate_tasks(robot.tree, directory, made, wanted, prove(made, robot.tree, derivation.get("load")))

    def tasks(
        self,
        functions: Sequence[str] | str | None = None,
        tasks: str = "two-rate",
        recompute: int = 0,
        **derivation: Any,
    ) -> Plan:
        """Return functions cut into tasks that run at rates of their own; see :func:`taut.tasks.plan.plan`.

        Args:
            functions: names as for :meth:`generate`; the torque by default.
            tasks: ``two-rate``, or a list of stages; see :func:`taut.tasks.grouping.grouping`.
            recompute: operations that a value handed between background tasks must save.
            derivation: further arguments of :meth:`derive`; a ``load`` becomes an argument of the background.

        >>> import taut
        >>> [task.name for task in taut.load("double_pendulum").tasks(effort="quick").tasks]
        ['configuration', 'velocity', 'synchronous']
        """
        from taut.closed_form.derive import derive
        from taut.derive.naming.model import ONE_NAMING
        from taut.generate import functions_named
        from taut.tasks.generate import DEFAULT, planned

        chosen = functions_named(functions if isinstance(functions, str) else ",".join(functions or [DEFAULT]))
        derivation = {"forms": ONE_NAMING, **derivation}
        return planned(
            self.tree, chosen, tasks, lambda tree, one, frame: derive(tree, one, frame=frame, **derivation), recompute
        )

    def explicit(self, **options: Any) -> Equations:
        """Return M, b, c and g element by element, as sums a person can read; see :func:`taut.explicit.build.explicit`.

        >>> import taut
        >>> str(taut.load("double_pendulum").explicit().M[0, 0])
        'M11 = K1 + 2*K2*C2'
        """
        from taut.api.equations import Equations
        from taut.explicit import explicit

        self._refuse_loops("explicit")

        found = explicit(self.tree, made=Equations, **options)
        assert isinstance(found, Equations)
        return found

    def design(self) -> Design:
        """Return elements by parameters, and the conditions that make them simple; see :mod:`taut.explicit.design`.

        >>> import taut
        >>> [str(condition) for condition in taut.load("double_pendulum").design().conditions("constant")]
        ['L1 = 0 or L2 = 0 or m2 = 0']
        """
        from taut.explicit.design import Design

        self._refuse_loops("design")
        return Design(self.tree)

    def kinematics(self, frame: str | None = None, rows: Sequence[str] | None = None) -> Kinematics:
        """Return pose, Jacobian and its analytic inverse in closed form; see :func:`taut.closed_form.kinematics`.

        >>> import taut
        >>> taut.load("puma560").kinematics().determinant
        '-a2*S5*(a3*S3 - d4*C3)*(a2*C2 + a3*C23 + d4*S23)'
        """
        from taut.closed_form import kinematics

        self._refuse_loops("kinematics")
        return kinematics(self.tree, frame, rows)

    def base_parameters(self, **options: Any) -> BaseParameters:
        """Return the parameters that motion can tell apart; see :func:`taut.identify.base_parameters`.

        >>> import taut
        >>> taut.load("puma560").base_parameters().count
        36
        """
        from taut.identify.base_parameters import base_parameters

        return base_parameters(self.tree, **options)


def _formulas(place: str, *values: Any) -> list[Any]:
    """Return numbers and lists of them with every text read as a formula; its names are parameters."""
    from taut.formats.formula import parse

    graph = Graph()

    def read(value: Any) -> Any:
        if isinstance(value, str):
            return parse(value, graph, place)
        return [read(x) for x in value] if isinstance(value, list | tuple) else value

    return [read(value) for value in values]
