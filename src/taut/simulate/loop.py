"""The compiled loop: a plan of fixed steps run in C around the robot's generated functions.

The text is :file:`loop.c` behind the functions it calls, as one library, cached like any other. Blocks of states go
through it together, in the vector registers of the processor; several threads share a large batch.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

import numpy as np

from taut.derive.function import Function
from taut.derive.traced import exact_function
from taut.emit.c.module import Module
from taut.robot import Tree
from taut.runtime.library import load_fast
from taut.simulate.integrators import METHODS
from taut.simulate.parts import held_accelerations, losses, pushes, slopes
from taut.simulate.plan import OUTPUT, SAMPLE, Plan

CHUNK = 20_000
"""Steps of one call, after which progress is reported."""

STATES_A_THREAD = 16
"""Fewest states for which another thread is started."""


@dataclass(frozen=True)
class Torques:
    """What acts on the joints in a compiled loop.

    Attributes:
        law: the control law, None for a table or a constant torque.
        rows: times -> references or torques (N, width); None for a constant torque.
        held: the constant torque (states, nv); zero before the first sample arrives.
        effort: largest torques (nv), None for no limit.
        quantum: steps of the torques (nv), None for none.
    """

    law: Function | None
    rows: Callable[[np.ndarray], np.ndarray] | None
    held: np.ndarray
    effort: np.ndarray | None = None
    quantum: np.ndarray | None = None


@dataclass(frozen=True)
class Sampling:
    """How a compiled loop samples its law.

    Attributes:
        period: [s].
        queue: samples that wait at most.
        encoder: steps of measured positions (nq).
        noise: number of samples -> errors of the measured positions, or None.
        differences: whether rates are differences of measured positions.
    """

    period: float
    queue: int
    encoder: np.ndarray
    noise: Callable[[int], np.ndarray | None]
    differences: bool


@dataclass
class Points:
    """The motion at the stored times of a part of the plan (states, points, ...)."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    work: np.ndarray
    bad: tuple[int, int, float] | None = None
    """State, rate and time at which an acceleration is not finite."""


@dataclass(frozen=True)
class LoopParts:
    """What a loop is compiled for.

    Attributes:
        tree: the robot, without symbols.
        method: a fixed-step integrator.
        law: a control law that acts in it.
        drives: whether friction, offsets and springs act.
        frames: on which wrenches act.
        coefficients: the question ``explicit``, whose answer is held for some steps; None for forward dynamics.
    """

    tree: Tree
    method: str
    law: Function | None
    drives: bool
    frames: tuple[str, ...]
    coefficients: Function | None = None


def loop(parts: LoopParts) -> Loop:
    """Return a robot's loop, made once per process."""
    key = (parts.tree, parts.method, id(parts.law), parts.drives, parts.frames, id(parts.coefficients))
    if key not in _LOOPS:
        _LOOPS[key] = Loop(parts)
    return _LOOPS[key]


class Loop:
    """A robot's compiled loop; raises CompilerError where there is no compiler."""

    def __init__(self, parts: LoopParts) -> None:
        tree, law = parts.tree, parts.law
        self.tree, self.law, self.coefficients = tree, law, parts.coefficients
        self.row = tree.nv if law is None else sum(map(len, list(law.arguments.values())[2:]))
        run: Any = load_fast(loop_text(parts)).taut_simulate
        run.argtypes = (ctypes.POINTER(_Run), ctypes.c_ssize_t, ctypes.c_ssize_t)
        self._run = run

    def __call__(
        self,
        plan: Plan,
        q: np.ndarray,
        qd: np.ndarray,
        torques: Torques,
        sampling: Sampling | None = None,
        wrenches: Callable[[np.ndarray], np.ndarray] | None = None,
        threads: int = 1,
        hold: int = 1,
    ) -> Iterator[Points]:
        """Yield the motion part by part.

        Args:
            plan: the steps.
            q: initial positions (states, nq); changed.
            qd: initial rates (states, nv); changed.
            torques: at the joints.
            sampling: how the law is sampled; None for a law that acts continuously.
            wrenches: times -> wrenches on the frames side by side (N, 6 frames).
            threads: that share the states.
            hold: steps for which the coefficients are held.
        """
        states = len(q)
        queue = 1 if sampling is None else sampling.queue
        kept: dict[str, np.ndarray] = {
            "q": q,
            "qd": qd,
            "work": np.zeros(states),
            "held": np.array(torques.held, dtype=float, order="C"),
            "before": np.full((states, self.tree.nq), np.nan),
            "waiting": np.zeros((states, queue, self.tree.nv)),
            "count": np.zeros(states, np.intc),
        }
        for name, array in (("effort", torques.effort), ("quantum", torques.quantum)):
            if array is not None:
                kept[name] = np.ascontiguousarray(array, dtype=float)
        if sampling is not None and sampling.encoder.any():
            kept["encoder"] = np.ascontiguousarray(sampling.encoder)
        for part in self.chunks(plan, states):
            yield self._part(part, kept, torques, sampling, wrenches, threads, hold)

    def chunks(self, plan: Plan, states: int) -> Iterator[Plan]:
        """Yield the parts of a plan that are run by one call each."""
        return plan.chunks(max(100, CHUNK // states))

    def _part(
        self,
        plan: Plan,
        kept: dict[str, np.ndarray],
        torques: Torques,
        sampling: Sampling | None,
        wrenches: Callable[[np.ndarray], np.ndarray] | None,
        threads: int,
        hold: int,
    ) -> Points:
        given = {"h": plan.h, "steps": plan.steps, "flags": plan.flags}
        if torques.rows is not None:
            times = plan.stage_times if sampling is None else plan.sample_times
            given["rows"] = torques.rows(times) if len(times) else np.zeros((1, self.row))
        if wrenches is not None:
            given["pushes"] = wrenches(plan.stage_times)
        if sampling is not None:
            noise = sampling.noise(int((plan.flags & SAMPLE > 0).sum()))
            given |= {} if noise is None else {"noise": noise}
        given = {name: np.ascontiguousarray(x) for name, x in given.items()}
        states, points = len(kept["q"]), int((plan.flags & OUTPUT > 0).sum())
        nq, nv = self.tree.nq, self.tree.nv
        sizes = {"q": (nq,), "qd": (nv,), "qdd": (nv,), "tau": (nv,), "work": ()}
        out = {name: np.empty((states, points, *size)) for name, size in sizes.items()}
        arrays = {**kept, **given, **{f"out_{name}": x for name, x in out.items()}}
        numbers = {"segments": len(plan.h), "states": states, "points": points, "hold": hold}
        if sampling is not None:
            numbers |= {"differences": int(sampling.differences), "queue": sampling.queue}
        period = 0.0 if sampling is None else sampling.period

        def run(first: int, last: int) -> tuple[int, int, float] | None:
            block = _Run(period=period, bad_segment=-1, **numbers)
            for name, array in arrays.items():
                setattr(block, name, array.ctypes.data)
            if not self._run(ctypes.byref(block), first, last):
                return None
            return block.bad_state, block.bad_joint, float(plan.start[block.bad_segment])

        threads = max(1, min(threads, states // STATES_A_THREAD))
        cuts = [states * k // threads for k in range(threads + 1)]
        if threads == 1:
            bad = [run(0, states)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                bad = list(pool.map(run, cuts, cuts[1:]))
        found = min((b for b in bad if b is not None), key=lambda b: b[2], default=None)
        return Points(**out, bad=found)


_LOOPS: dict[Any, Loop] = {}
"""Loops of this process; each keeps its law, so that no other gets its identity."""


class _Run(ctypes.Structure):
    """``taut_run`` of loop.c."""

    _fields_ = (
        *((name, ctypes.c_ssize_t) for name in ("segments", "states", "points")),
        *((name, ctypes.c_void_p) for name in ("h", "steps", "flags", "rows", "pushes")),
        *((name, ctypes.c_void_p) for name in ("effort", "quantum", "encoder", "noise")),
        ("period", ctypes.c_double),
        *((name, ctypes.c_int) for name in ("hold", "differences", "queue")),
        *((name, ctypes.c_void_p) for name in ("q", "qd", "work", "held", "before", "waiting", "count")),
        *((f"out_{name}", ctypes.c_void_p) for name in ("q", "qd", "qdd", "tau", "work")),
        *((f"bad_{name}", ctypes.c_ssize_t) for name in ("segment", "state", "joint")),
    )


def loop_text(parts: LoopParts) -> str:
    """Return the whole C text of a robot's loop."""
    tree, coefficients = parts.tree, parts.coefficients
    if coefficients is None:
        functions = {"FORWARD": exact_function(tree, "forward_dynamics")}
    else:
        functions = {"COEFFICIENTS": coefficients, "HELD": held_accelerations(tree, coefficients)}
    if parts.law is not None:
        functions["LAW"] = parts.law
    if parts.drives:
        functions["LOSS"] = losses(tree)
    if parts.frames:
        functions["PUSH"] = pushes(tree, parts.frames)
    if parts.method == "variational":
        functions["SLOPES"] = slopes(tree)
    return _text(tree, list(METHODS).index(parts.method), functions)


def _text(tree: Tree, method: int, functions: dict[str, Function]) -> str:
    routines = {name: replace(function.routine(baked=True), remarks=()) for name, function in functions.items()}
    module = Module(tree.name, list(routines.values()))
    law = functions.get("LAW")
    widths = [] if law is None else [len(names) for names in list(law.arguments.values())[2:]]
    push = functions.get("PUSH")
    numbers = {
        "NQ": tree.nq,
        "NV": tree.nv,
        "METHOD": method,
        "ROW": sum(widths) or tree.nv,
        "PUSHED": 0 if push is None else len(push.arguments["wrenches"]),
        "HELD_COEFFICIENTS": functions["COEFFICIENTS"].shape[0] if "COEFFICIENTS" in functions else 0,
        "HAS_LAW": int(law is not None),
        "HAS_LOSS": int("LOSS" in routines),
    }
    lines = [f"#define {name} {value}" for name, value in numbers.items()]
    calls = {name: f"{module.prefix}_{routine.name}" for name, routine in routines.items()}
    lines += [_state_call(name, calls[name], given) for name, given in STATE_CALLS.items() if name in calls]
    if law is not None:
        lines += _spread_call("law", calls["LAW"], ("q", "qd"), widths)
        lines.append("#define LAW law")
    if push is not None:
        lines += _spread_call("push", calls["PUSH"], ("q",), [numbers["PUSHED"]])
        lines.append("#define PUSH push")
    lines += _move(tree)
    return "\n".join([module.single_file, *lines, files("taut.simulate").joinpath("loop.c").read_text("utf-8")])


STATE_CALLS = {
    "FORWARD": "q, qd, tau, y",
    "LOSS": "q, qd, tau, y",
    "SLOPES": "q, qd, y",
    "COEFFICIENTS": "q, y",
    "HELD": "k, qd, tau, y",
}
"""What each function of a block of states takes."""


def _state_call(name: str, function: str, given: str) -> str:
    return f"#define {name}(n, {given}) ((n) == 1 ? {function}({given}) : {function}_batch(n, {given}))"


def _spread_call(name: str, function: str, state: tuple[str, ...], widths: list[int]) -> list[str]:
    """Return the lines of a function whose last arguments are a row that all states share."""
    given = ", ".join(f"const double *{x}" for x in state)
    starts = [sum(widths[:k]) for k in range(len(widths))]
    one = ", ".join([*state, *(f"row + {start}" for start in starts)])
    many = ", ".join([*state, *(f"given + {32 * start}" for start in starts)])
    copies = [
        f"        for (size_t s = 0; s < n; ++s) memcpy(given + {32 * start} + s * {width}, row + {start}, "
        f"{width} * sizeof(double));"
        for start, width in zip(starts, widths, strict=True)
    ]
    return [
        f"static inline void {name}(size_t n, {given}, const double *row, double *tau)",
        "{",
        "    if (n == 1) {",
        f"        {function}({one}, tau);",
        "    } else {",
        f"        double given[{32 * sum(widths)}];",
        *copies,
        f"        {function}_batch(n, {many}, tau);",
        "    }",
        "}",
    ]


def _move(tree: Tree) -> list[str]:
    """Return MOVE: positions that add up, screw motions of free joints, turns of ball joints."""
    head = ["static inline void MOVE(size_t n, const double *q, const double *v, double *out)", "{"]
    if not tree.quaternions:
        return [*head, "    for (size_t i = 0; i < n * NV; ++i) out[i] = q[i] + v[i];", "}"]
    rows, at_q, at_v = [], 0, 0
    for i in tree.independent:
        motion = tree.joints[i].motion
        if motion.quaternions:
            move = "taut_screw" if motion.nv == 6 else "taut_turn"
            rows.append(f"{move}(q + {at_q}, v + {at_v}, out + {at_q});")
        else:
            rows.append(f"out[{at_q}] = q[{at_q}] + v[{at_v}];")
        at_q, at_v = at_q + motion.nq, at_v + motion.nv
    screw = files("taut.simulate").joinpath("screw.c").read_text("utf-8")
    body = ["    for (size_t s = 0; s < n; ++s, q += NQ, v += NV, out += NQ) {", *(f"        {row}" for row in rows)]
    return [screw, *head, *body, "    }", "}"]
