"""Outputs are written once each, zeros among the lines, and with few negations, numbers unchanged."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise

import numpy as np
import pytest

from emitted.functions_of import derived, relative_error, routines, states_of
from emitted.recount import operations
from taut.emit.c import Module
from taut.emit.c.pipeline import cycles
from taut.emit.c.run import run_c
from taut.emit.c.schedule import over_all, row_by_row, scheduled
from taut.emit.c.signs import signs
from taut.graph import Graph, Stage
from taut.graph.lower import lower
from taut.graph.program import Program

BUILDS = [
    ("gcc", ("-O2",)),
    ("gcc", ("-O3", "-march=native")),
    ("clang", ("-O2",)),
    ("clang", ("-O3", "-march=native")),
    ("clang", ("-O1", "-U__GNUC__")),  # without vectors
]


def negations(program: Program, sign: list[int]) -> int:
    """Count minus signs that cost an instruction: of outputs, of sums of two negated values, of products."""
    found = sum(s * sign[i] < 0 for s, i in program.outputs if i >= program.start)
    for i, line in enumerate(program.lines[program.start :], start=program.start):
        if len(line.args) == 2:
            a, b = (sign[arg] for arg in line.args)
            if line.op in ("add", "sub"):
                found += sign[i] * a < 0 and sign[i] * b * (1 if line.op == "add" else -1) < 0
            elif min(line.args) >= program.start:
                found += sign[i] * a * b < 0
    return found


def test_signs_disappear_in_differences_and_constants() -> None:
    graph = Graph()
    a, b, c = (graph.symbol(name, Stage.VELOCITY) for name in "abc")
    outputs = [-(a * (b - c)), -(graph.constant(3) * a * a), -(b * c + a * (c - b * b))]
    program = lower([graph.lift(x) for x in outputs])
    assert negations(program, [1] * len(program.lines)) > 0
    assert negations(program, signs(program, baked=True)) == 0


@pytest.mark.parametrize("name", ["regressor", "mass_matrix"])
def test_fewer_negations_in_every_function(name: str) -> None:
    for robot in ("ur5e", "panda"):
        program = derived(robot, name).program
        before = negations(program, [1] * len(program.lines))
        assert negations(program, signs(program, baked=True)) <= before // 2 + 1
        assert negations(program, signs(program, baked=False)) <= before


@pytest.mark.parametrize(("compiler", "flags"), BUILDS)
def test_numbers_with_and_without_vectors(
    compiler: str, flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not here")
    monkeypatch.setenv("CC", compiler)
    function = derived("ur5e", "regressor")
    module = Module("ur5e", routines("ur5e", ("regressor",)))
    states = states_of(function, 5)
    found = run_c(module, module.routines[0], states, [], flags, batch=False)
    assert relative_error(found, function(*states.values())) < 1e-13
    assert operations(module.source())["ur5e_regressor"] == function.operations.total


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("times", [0.5, 1, 2])
def test_batches_of_every_width(precision: str, times: float) -> None:
    """Vectors wider than the processor's are made of several: every width gives the same numbers everywhere."""
    function = derived("ur5e", "regressor")
    module = Module("ur5e", routines("ur5e", ("regressor",)), precision=precision)
    states = states_of(function, 37)
    flags = ("-O2", "-march=native", f"-Dur5e_LANES={int(times * module.number.group)}")
    found = run_c(module, module.routines[0], states, [], flags, batch=True)
    assert relative_error(found, function(*states.values())) < 10 * module.number.tolerance


def test_every_output_is_written_once() -> None:
    source = Module("panda", routines("panda", ("regressor",)), batch=False).source()
    body = source[source.index("/* begin:") : source.index("/* end */")]
    written = [int(k) for k in re.findall(r"^    Y\[(\d+)\] =", body, re.M)]
    for k in re.findall(r"store_two\(&Y\[(\d+)\]", body):
        written += [int(k), int(k) + 1]
    cleared = [range(int(a), int(b)) for a, b in re.findall(r"int i = (\d+); i < (\d+)", body)]
    assert sorted([*written, *(k for piece in cleared for k in piece)]) == list(range(490))
    assert max(map(len, cleared)) == 4


def test_zeros_are_spread() -> None:
    source = Module("panda", routines("panda", ("regressor",)), batch=False).source()
    body = source[source.index("/* begin:") : source.index("/* end */")].splitlines()
    places = [k for k, row in enumerate(body) if "for (int i" in row]
    gaps = np.array([b - a for a, b in pairwise(places)])
    assert len(places) > 40 and gaps.min() > 5


def test_rows_of_a_regressor_one_after_the_other() -> None:
    program = derived("panda", "regressor").program
    assert cycles(row_by_row(program)) < min(cycles(program), cycles(over_all(program)))
    assert cycles(scheduled(program)) <= cycles(row_by_row(program))


def test_constants_of_a_batch_are_vectors_in_memory() -> None:
    """A product uses one from there; of more than a cache should hold, each is loaded where it is needed."""
    source = Module("panda", routines("panda", ("inverse_dynamics",))).source()
    table = source[source.index("_block_constants[] = {") :].partition("};")[0]
    numbers = re.findall(r"SPREAD\((.*?)\),", table)
    assert len(numbers) == len(set(numbers)) > 20
    block = source[source.index("static void panda_inverse_dynamics_block(") :].partition("/* end */")[0]
    assert {int(k) for k in re.findall(r"constant\[(\d+)\]", block)} == set(range(len(numbers)))
    assert not re.search(r"= -?\d+\.\d+ \*|\* -?\d+\.\d+;", block[block.index("/* begin") :])


def test_more_constants_than_a_cache_should_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taut.emit.c.vector.TABLED", 5)
    assert "_constants[]" not in Module("panda", routines("panda", ("inverse_dynamics",))).source()
