"""Writing code: the arguments that every generated directory takes, whatever its functions are computed from."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taut.errors import InputError

if TYPE_CHECKING:  # imported where they are used, so that importing taut is fast
    from taut.generate import Generated, Wanted


class WritesCode:
    """Something whose functions can be written as code: a robot, its equations, its abbreviated equations."""

    def generate(
        self,
        directory: str | Path,
        functions: Sequence[str] | str | None = None,
        *,
        language: str = "c",
        precision: str = "double",
        trig: str = "poly",
        batch: bool = False,
        name: str | None = None,
        tasks: str | None = None,
        recompute: int = 0,
        **options: Any,
    ) -> Generated:
        """Write functions as code that was run and compared first.

        Args:
            directory: new, empty, or with code that taut wrote for the same robot.
            functions: names, each with its frame after a colon if it has one, as in ``jacobian:tool``; or ``"all"``.
                By default, of a robot: torque, mass matrix, gravity, bias, accelerations, pose and Jacobian; of
                equations: all elements, and these with the torque; of abbreviated ones: torque, mass matrix and
                accelerations.
            language: ``c``, ``cpp``, ``ros2``, ``python``, ``javascript``, ``matlab`` or ``latex``.
            precision: ``double`` or ``float``, of C.
            trig: sines of C by polynomials (``poly``) or by the mathematics library (``libm``).
            batch: whether C functions also come for arrays of states.
            name: that files and functions begin with; made from the robot's by default.
            tasks: ``two-rate``, or a list of stages, for C tasks that run at rates of their own
                (:func:`taut.tasks.grouping.grouping`), of the torque by default; of a robot or abbreviated equations.
            recompute: how many operations a value handed between background tasks must save.
            options: how the functions are derived: of a robot those of :meth:`Robot.derive` and ``positions``, which
                with loops are the ``independent`` ones where a closed form gives the others, or ``all``; of
                abbreviated equations those of :meth:`ShorterEquations.function`.

        A function that cannot be derived is named in ``missing`` of the result; the others are written.
        """
        from taut.generate import Wanted

        listed = functions if isinstance(functions, str) or functions is None else ",".join(functions)
        wanted = Wanted(language, precision, trig, batch, name)
        if tasks is None:
            return self._write(str(directory), listed, wanted, **options)
        return self._write_tasks(str(directory), listed, wanted, tasks, recompute, **options)

    @abstractmethod
    def _write(self, directory: str, functions: str | None, wanted: Wanted, **options: Any) -> Generated:
        """Derive the functions of a list, by default those that serve best, and write them."""

    def _write_tasks(
        self, directory: str, functions: str | None, wanted: Wanted, tasks: str, recompute: int, **options: Any
    ) -> Generated:
        """Derive the functions of a list and write them as tasks."""
        advice = "generate tasks of the robot or of .abbreviate()"
        raise InputError("explicit equations cannot be split into tasks", "generate", advice)
