"""Search: exact at fresh points, never dearer, the same in C and in Python, and it finds what it should."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import taut
from sampled import sampled
from taut.analysis.opcount import count
from taut.errors import InputError
from taut.graph import Graph, Node, Stage
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.questions.acceleration import forward_dynamics
from taut.questions.rigid_body import inverse_dynamics
from taut.search import Interrupted, differences, resubstitute, resubstitution
from taut.search.flat import HOME, flatten
from taut.search.lift import lifted
from taut.search.native import NativeSearch, TooLarge, source
from taut.search.origins import NoFormula
from taut.search.plain_moves import PlainSearch
from taut.toolchain.compiler import CompilerError, find_compiler
from unit.random_expressions import defined, expressions

FRESH = 20261
"""Seed of points that no search uses."""


def states(graph: Graph, n: int, *names: str) -> list[list[Node]]:
    stages = {"q": Stage.CONFIGURATION, "qd": Stage.VELOCITY, "qdd": Stage.ACCELERATION, "tau": Stage.APPLIED}
    return [[graph.symbol(f"{name}{i}", stages[name]) for i in range(n)] for name in names]


def torque(name: str) -> Program:
    robot, graph = taut.load(name), Graph()
    return lower([graph.lift(x) for x in inverse_dynamics(robot.tree, *states(graph, robot.nv, "q", "qd", "qdd"))])


@pytest.fixture(scope="module")
def puma() -> Program:
    return torque("puma560_full")


def test_a_program_that_divides_by_a_number_that_is_zero_is_searched_for_others() -> None:
    graph = Graph()
    mass = graph.symbol("m", Stage.PARAMETER)
    x, y, z = (graph.symbol(name, Stage.APPLIED) for name in "xyz")
    program = lower([(x * y + x * z) / mass])
    found = resubstitute(program, 100, values={"m": 0.0})
    assert count(found).total < count(program).total
    assert not differences(program, found, 3, seed=FRESH)


def sum_of_products(n: int) -> Program:
    """Return x1*y1 + x1*z1 + x2*y2 + ..., which wants a factor taken out of each pair of terms."""
    graph = Graph()
    x, y, z = ([graph.symbol(f"{name}{i}", Stage.VELOCITY) for i in range(n)] for name in "xyz")
    total = graph.constant(0)
    for i in range(n):
        total = total + x[i] * y[i]
        total = total + x[i] * z[i]
    return lower([total])


# -- exactness --------------------------------------------------------------------------


@given(expressions(steps=25), st.integers(0, 5))
def test_exact_and_never_dearer(outputs: list[Node], seed: int) -> None:
    assume(defined(outputs))
    program = lower(outputs)
    result = resubstitute(program, 60, seed, trial=10 * (seed % 3))
    assert differences(program, result, points=3, seed=FRESH) == []
    assert count(result).total <= count(program).total


def test_what_an_angle_is_formed_by_stays() -> None:
    """k (a + q) and k q + k a are equal, but not as angles to a proof that knows sines of sums by their terms."""
    graph = Graph()
    a, q, x = graph.symbol("a"), graph.symbol("q2", Stage.CONFIGURATION), graph.symbol("q3", Stage.CONFIGURATION)
    program = lower([((16 / a) * (a + q)).sin(), (3 * (a + q) - (4 / a) * (a + q)).sin(), (a + q) * x + (a + q)])
    result = resubstitute(program, 200, seed=0)
    assert differences(program, result, points=3, seed=FRESH) == []
    assert count(result).total <= count(program).total


@given(expressions(steps=12), st.integers(0, 5), st.booleans())
def test_the_kernel_and_its_twin_make_the_same_moves(outputs: list[Node], seed: int, polynomial: bool) -> None:
    assume(defined(outputs))
    flat = flatten(lower(outputs), polynomial=polynomial)
    options = {"deep": 300 * (seed % 2), "trial": 5 * (seed % 3)}
    assert_same_moves(NativeSearch(flat, seed, **options), PlainSearch(flat, seed, **options), (0, 15, 30))


@pytest.mark.parametrize("options", sampled([(10, False), (0, False), (10, True)], 3))
def test_the_twins_agree_on_a_robot(options: tuple[int, bool]) -> None:
    trial, polynomial = options
    flat = flatten(torque("scara"), polynomial=polynomial)
    native, plain = (Search(flat, 3, deep=5, trial=trial) for Search in (NativeSearch, PlainSearch))
    assert_same_moves(native, plain, (100, 100))
    assert native.run(0) < flat.cost


def assert_same_moves(native: NativeSearch, plain: PlainSearch, pieces: Sequence[int]) -> None:
    for steps in pieces:
        assert native.run(steps) == plain.run(steps)
        left, right = native.best(), plain.best()
        for field in fields(left):
            assert np.array_equal(getattr(left, field.name), getattr(right, field.name)), field.name


@given(expressions(steps=25))
def test_the_count_is_what_the_search_says(outputs: list[Node]) -> None:
    assume(defined(outputs))
    program = lower(outputs)
    flat = flatten(program)
    assert flat.cost == count(program).total
    search = NativeSearch(flat, 1, deep=20)
    for steps in (0, 40):
        cost = search.run(steps)
        try:
            back = lifted(flat, search.best())
        except NoFormula:  # a constant of a line that computes an angle
            continue
        assert count(back).total <= cost <= flat.cost
        assert differences(program, back, seed=FRESH) == []


@pytest.mark.parametrize("name", ["puma560_full", "puma560_burdick", "stanford_full", "panda"])
def test_torques_of_robots(name: str) -> None:
    program = torque(name)
    result = resubstitute(program, 3000)
    assert differences(program, result, points=3, seed=FRESH) == []
    assert count(result).total < count(program).total


def test_divisions_stay_safe() -> None:
    robot, graph = taut.load("scara"), Graph()
    program = lower([graph.lift(x) for x in forward_dynamics(robot.tree, *states(graph, robot.nv, "q", "qd", "tau"))])
    result = resubstitute(program, 3000)
    assert count(program).div > 0
    assert count(result).total < count(program).total
    assert differences(program, result, points=3, seed=FRESH) == []
    assert divisor_values(result) <= divisor_values(program)


def divisor_values(program: Program) -> set[int]:
    """Return the values, up to sign, of everything that is divided by."""
    flat = flatten(program)
    nodes = [b >> 1 for op, _, b, _ in flat.rows.tolist() if op == 3]
    return {min(int(flat.values[n, 0]), 2**61 - 1 - int(flat.values[n, 0])) for n in nodes}


# -- what it finds ------------------------------------------------------------------------


def velocity(graph: Graph, names: str) -> list[Node]:
    return [graph.symbol(name, Stage.VELOCITY) for name in names]


@pytest.mark.parametrize(
    ("build", "least"),
    [
        (lambda x, y, z, q: [x * y + x * z], 2),  # distributive law
        (lambda x, y, z, q: [x * x - y * y], 3),  # two squares and a difference, or a product of two sums
        (lambda x, y, z, q: [(x + y) + z, (x + z) * y], 3),  # a sum that another output needs
        (lambda x, y, z, q: [(x + y) + z, x + (y + z)], 2),  # association
        (lambda x, y, z, q: [x * q.sin() * q.sin() + x * q.cos() * q.cos()], 0),  # s^2 + c^2 = 1
        (lambda x, y, z, q: [(x + y) * (x - y) + y * y - x * x], 0),  # a hidden zero
        (lambda x, y, z, q: [x / z + y / z], 2),  # one division
        (lambda x, y, z, q: [(x * x).sqrt() + x, (x * x).sqrt() - x], 3),  # sqrt(x^2) is not x
        (lambda x, y, z, q: [(x * y + x * z).sqrt(), (x * (y + z)).sqrt()], 2),
        (lambda x, y, z, q: [(x * y + x * z).sign() * x], 3),
        (lambda x, y, z, q: [(2 * q).sin() * x + (2 * q).sin() * y], 3),
    ],
)
def test_it_finds(build, least: int) -> None:
    graph = Graph()
    program = lower(build(*velocity(graph, "xyz"), graph.symbol("q", Stage.CONFIGURATION)))
    result = resubstitute(program, 400)
    assert differences(program, result, seed=FRESH) == []
    assert count(result).total == least


def test_an_angle_formed_for_free_is_used_for_nothing_else() -> None:
    graph = Graph()
    q, p, x = (graph.symbol(name, Stage.CONFIGURATION) for name in "qpx")
    program = lower([(2 * q + p).sin(), (q + p).cos(), x * q + x * p, 2 * q * x + p * x])
    result = resubstitute(program, 500)
    assert differences(program, result, seed=FRESH) == []
    assert count(result).total == 5  # 2 q for the angle, and then (q + p) x, 2 q x + p x by (2 q + p) x


def test_extra_expressions_may_be_used() -> None:
    graph = Graph()
    q, p = (graph.symbol(name, Stage.CONFIGURATION) for name in "qp")
    program = lower([q.sin() * p.cos() + q.cos() * p.sin()])
    assert count(resubstitute(program, 50)).total == 3
    result = resubstitute(program, 50, extra=[(q + p).sin()])
    assert count(result).total == 0
    assert differences(program, result, seed=FRESH) == []
    with pytest.raises(InputError, match="costs operations"):
        resubstitute(program, 50, extra=[q * p])


def test_unit_vectors_are_known() -> None:
    graph = Graph()
    x, y, z = (graph.symbol(name, Stage.CONFIGURATION) for name in "xyz")
    v = graph.symbol("v", Stage.VELOCITY)
    program = lower([v * (x * x) + v * (y * y) + v * (z * z)])
    result = resubstitute(program, 100, spheres=[(x, y, z)])
    assert count(result).total == 0
    assert differences(program, result, spheres=[(x, y, z)]) == []
    assert differences(program, result) != []


# -- the same again, and stopping -----------------------------------------------------------


def test_the_same_seed_gives_the_same_program(puma: Program) -> None:
    one, again, other = (resubstitute(puma, 800, seed) for seed in (1, 1, 2))
    assert one == again != other


def test_progress_falls_and_can_stop(puma: Program) -> None:
    costs: list[int] = []

    def two_reports(cost: int) -> bool:
        costs.append(cost)
        return len(costs) < 2

    result = resubstitute(puma, 100_000, progress=two_reports)
    assert len(costs) == 2
    assert costs == sorted(costs, reverse=True)
    assert count(result).total == costs[-1]


def test_interruption_keeps_the_best(puma: Program) -> None:
    costs: list[int] = []

    def interrupt(cost: int) -> bool:
        costs.append(cost)
        if len(costs) == 3:
            raise KeyboardInterrupt
        return True

    with pytest.raises(Interrupted) as caught:
        resubstitute(puma, 100_000, progress=interrupt)
    assert count(caught.value.program).total == costs[-1] < count(puma).total
    assert differences(puma, caught.value.program, seed=FRESH) == []


# -- large programs, no compiler, sanitizers ----------------------------------------------------


def test_a_large_program_is_searched_in_windows() -> None:
    program = sum_of_products(500)  # 1999 operations on 1500 leaves
    costs: list[int] = []
    result = resubstitute(program, 6000, seed=2, progress=lambda cost: costs.append(cost) or True)
    assert differences(program, result, seed=FRESH) == []
    assert count(result).total < count(program).total - 20
    assert costs[-1] == count(result).total


def test_the_kernel_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(TooLarge):
        NativeSearch(flatten(sum_of_products(1500)), 1)


def test_a_program_that_is_too_large_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resubstitution, "WHOLE", 10_000)
    program = sum_of_products(800)
    assert resubstitute(program, 10) is program


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise CompilerError("no C compiler found")

    program = torque("scara")
    native = resubstitute(program, 150)
    monkeypatch.setattr(resubstitution, "kernel", missing)
    with pytest.warns(RuntimeWarning, match="no C compiler found; the search runs in Python"):
        assert resubstitute(program, 150) == native


@pytest.mark.parametrize("steps", [0, 1])
def test_programs_with_nothing_to_do(steps: int) -> None:
    graph = Graph()
    x, m = graph.symbol("x", Stage.VELOCITY), graph.symbol("m")
    for outputs in ([], [x], [graph.constant(0), m], [-x, x, m * m], [x.sin()], [m * x]):
        program = lower(outputs)
        result = resubstitute(program, steps)
        assert differences(program, result) == []
        assert count(result).total == count(program).total


DRIVER = r"""
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "rb");
    int32_t head[4];
    if (!file || fread(head, sizeof *head, 4, file) != 4) return 9;
    size_t count = (size_t)head[1], outputs = (size_t)head[2], points = (size_t)head[3];
    u64 weights[MOST_POINTS];
    int32_t *rows = malloc(16 * count), *out = malloc(4 * outputs);
    u64 *values = malloc(8 * points * count);
    if (fread(rows, 16, count, file) != count || fread(out, 4, outputs, file) != outputs) return 9;
    if (fread(values, 8 * points, count, file) != count) return 9;
    if (fread(weights, 8, (points - POINTS) / 2, file) != (points - POINTS) / 2) return 9;
    fclose(file);
    const int32_t prices[] = {0, 1, 1, 1, 0, 1, 1, 1, 0};
    search *s = taut_search_open(head[0], head[1], rows, values, head[2], out, 1, prices, 20, 15,
                                 head[3], weights);
    printf("%d ", taut_search_run(s, 2000));
    printf("%d\n", taut_search_best(s, NULL, NULL, NULL));
    taut_search_close(s);
    free(rows), free(out), free(values);
    return 0;
}
"""


@pytest.mark.parametrize("polynomial", sampled([True, False], 2))
def test_the_kernel_is_clean(tmp_path, polynomial: bool) -> None:
    """No warnings, no access outside its memory, no undefined behaviour, no leaks; rebuilding included."""
    flat = flatten(torque("scara"), polynomial=polynomial)
    (tmp_path / "kernel.c").write_text(source() + DRIVER)
    head = np.array([len(flat.leaves), len(flat.rows), len(flat.outputs), flat.values.shape[1]], np.int32)
    parts = (head, flat.rows, flat.outputs, flat.values, np.array(flat.line_weights, np.uint64))
    (tmp_path / "flat").write_bytes(b"".join(part.tobytes() for part in parts))
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wcast-qual", "-Werror"]
    sanitizers = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    program = str(tmp_path / "kernel")
    command = [*find_compiler(), *warnings, *sanitizers, "-o", program, str(tmp_path / "kernel.c")]
    subprocess.run(command, check=True)
    done = subprocess.run([program, str(tmp_path / "flat")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    cost, length = map(int, done.stdout.split())
    search = NativeSearch(flat, 1, deep=20, trial=15)
    assert cost == search.run(2000) < flat.cost
    assert length == len(search.best().rows)


# -- constants that divide by nothing -------------------------------------------------------


def divisors(program: Program) -> list[int]:
    return [line.args[1] for line in program.lines if line.op == "div" and program.lines[line.args[1]].op != "constant"]


def test_constants_may_be_held_to_polynomials() -> None:
    """A search for b (a x) + c (a y) takes 1 / a for a constant unless it must not."""
    graph = Graph()
    a, b, c = (graph.symbol(name) for name in "abc")
    x, y, z = (graph.symbol(name, Stage.VELOCITY) for name in "xyz")
    shared = a * (x * y)
    program = lower([b * shared * z, c * shared * x, shared + b * (x * y) * z + c * z])
    free = [resubstitute(program, 200, seed) for seed in range(8)]
    held = [resubstitute(program, 200, seed, polynomial=True) for seed in range(8)]
    assert any(map(divisors, free))
    assert not any(map(divisors, held))
    for result in held:
        assert differences(program, result, points=3, seed=FRESH) == []
        assert count(result).total <= count(program).total


def test_polynomials_with_angles_among_the_parameters_divide_by_nothing() -> None:
    """k = (cos t + cos^3 t sin t) a of two products is one constant, a polynomial of cosine and sine."""
    graph = Graph()
    a, t = graph.symbol("a"), graph.symbol("t")
    x, y, z = (graph.symbol(name, Stage.VELOCITY) for name in "xyz")
    c, s = t.cos(), t.sin()
    first = (a * c) * (x * y) + (a * c * s) * (c * (c * (x * y)))
    program = lower([first, (s * a) * z + first * s, (c * (x * z) + s * (x * y)) * (s * x) - (s * s) * (x * x * y)])
    result = resubstitute(program, 300, polynomial=True)
    assert count(result).total < count(program).total
    assert not divisors(result)
    assert differences(program, result, points=3, seed=FRESH) == []


@pytest.mark.parametrize("sign", [1, -1])
def test_what_divides_by_the_cosine_of_two_angles_is_no_polynomial(sign: int) -> None:
    """a and a cos(t + u) are constants; one over the other must not be, whether u is added or taken away."""
    graph = Graph()
    a, t, u = (graph.symbol(name) for name in "atu")
    x, y, z = (graph.symbol(name, Stage.VELOCITY) for name in "xyz")
    turned = t.cos() * u.cos() - sign * t.sin() * u.sin()
    shared = turned * (x * y)
    program = lower([a * (x * y) * z, turned * z, shared * x, (shared + z) * y])
    results = [resubstitute(program, 200, seed, polynomial=True) for seed in range(4)]
    assert any(divisors(resubstitute(program, 200, seed)) for seed in range(4))
    assert not any(map(divisors, results))


def test_rounding_that_a_file_has_left_is_taken_for_zero() -> None:
    """No constant may be solved for that divides by it; a program that does so already is searched all the same."""
    graph = Graph()
    a, b = graph.symbol("a"), graph.symbol("b")
    x = graph.symbol("x", Stage.VELOCITY)
    values = {"a": 3e-17, "b": 2.0}
    flat = flatten(lower([a * x + b]), values=values)
    known = {flat.program.lines[line].data: flat.values[k] for k, line in enumerate(flat.lines) if line in flat.leaves}
    assert known["a"][HOME] == 0 and known["a"][0] != 0 and known["b"][HOME] == 2
    divided = flatten(lower([x / a]), values=values)
    assert all(row.all() for row in divided.values)
