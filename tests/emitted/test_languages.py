"""Every other language says what ``Program.evaluate`` says: its text is run, and the answers compared."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from emitted.functions_of import derived, relative_error, routines, states_of
from sampled import sampled
from taut.emit.casadi import casadi_function
from taut.emit.javascript import javascript_source, run_javascript
from taut.emit.jax import jax_function
from taut.emit.latex import latex_equations, latex_source
from taut.emit.matlab import matlab_sources
from taut.emit.python import python_source, run_python
from taut.emit.statements import parameter_names

NAMES = ("inverse_dynamics", "mass_matrix", "joint_torque", "forward_kinematics", "christoffel")
ROBOTS = [("ur5e", None), ("puma560", "symbolic"), ("stanford", "pattern"), ("panda", "numeric")]
TOLERANCE = 1e-13
CASES = [(r, p) for r, p in ROBOTS]


def values_of(robot: str, parameters: str | None) -> dict[str, float]:
    names = parameter_names(routines(robot, NAMES, parameters))
    known = derived(robot, NAMES[0], parameters).values
    return {name: known.get(name, 0.3 + 0.01 * k) for k, name in enumerate(names)}


@pytest.mark.parametrize("case", sampled(CASES, 3))
def test_python(case: tuple[str, str | None]) -> None:
    robot, parameters = case
    values = values_of(robot, parameters)
    text = python_source(robot, routines(robot, NAMES, parameters))
    for routine in routines(robot, NAMES, parameters):
        function = derived(robot, routine.name, parameters)
        states = states_of(function, 5)
        found = run_python(text, routine, states, list(values.values()))
        assert relative_error(found, function(*states.values(), parameters=values)) < TOLERANCE


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
@pytest.mark.parametrize(("robot", "parameters"), CASES)
def test_javascript(robot: str, parameters: str | None) -> None:
    values = values_of(robot, parameters)
    text = javascript_source(robot, routines(robot, NAMES, parameters))
    for routine in routines(robot, NAMES, parameters):
        function = derived(robot, routine.name, parameters)
        states = states_of(function, 5)
        found = run_javascript(text, routine, states, list(values.values()))
        assert relative_error(found, function(*states.values(), parameters=values)) < TOLERANCE


@pytest.mark.slow  # Octave is installed with the other Debian packages of `make test-slow`
@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="no octave here")
def test_matlab_in_octave(tmp_path: Path) -> None:
    values = values_of("puma560", "symbolic")
    wanted = routines("puma560", NAMES, "symbolic")
    for name, text in matlab_sources("puma", "puma560", wanted).items():
        (tmp_path / name).write_text(text, "utf-8")
    np.savetxt(tmp_path / "p.txt", list(values.values()), fmt="%.17g")
    rows = ["p = load('p.txt');", "format long"]
    given = {}
    for routine in wanted:
        states = states_of(derived("puma560", routine.name, "symbolic"), 1)
        given[routine.name] = states
        arguments = ", ".join(f"[{' '.join(f'{x:.17g}' for x in state[0])}]" for state in states.values())
        rows.append(f"y = puma_{routine.name}(p, {arguments}); y = permute(y, ndims(y):-1:1);")
        rows.append(f"f = fopen('{routine.name}.txt', 'w'); fprintf(f, '%.17g\\n', y); fclose(f);")
    (tmp_path / "run.m").write_text("\n".join(rows), "utf-8")
    subprocess.run(["octave-cli", "--no-init-file", "run.m"], cwd=tmp_path, check=True, capture_output=True)
    for name, states in given.items():
        found = np.loadtxt(tmp_path / f"{name}.txt")
        expected = derived("puma560", name, "symbolic")(*states.values(), parameters=values)
        assert relative_error(found[None], expected) < TOLERANCE


@pytest.mark.skipif(importlib.util.find_spec("casadi") is None, reason="no casadi here")
def test_casadi() -> None:
    for name in ("inverse_dynamics", "mass_matrix", "christoffel"):
        function = derived("panda", name)
        states = states_of(function, 1)
        found = np.array(casadi_function(function.routine())(*(x[0] for x in states.values())))
        assert relative_error(found.reshape(1, -1), function(*states.values())) < TOLERANCE


@pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="no jax here")
def test_jax() -> None:
    import jax

    jax.config.update("jax_enable_x64", True)
    function = derived("panda", "inverse_dynamics")
    states = states_of(function, 4)
    found = np.asarray(jax.jit(jax.vmap(jax_function(function.routine())))(*states.values()))
    assert relative_error(found, function(*states.values())) < TOLERANCE


def test_latex_has_every_operation_and_no_stray_character() -> None:
    routine = routines("puma560", ("inverse_dynamics",), "symbolic")[0]
    program = routine.program
    equations = latex_equations(routine)
    named = [line for line in program.lines if line.op not in ("input", "constant")]
    sines = [x for x in named if x.op in ("sin", "cos") and program.lines[x.args[0]].op == "input"]
    in_angle = [x for x in sines if program.lines[x.args[0]].data in routine.places]
    assert len(equations) == len(named) - len(in_angle) + len(program.outputs)
    text = latex_source('a_b "x" \\end{document} %', [routine])
    assert text.count("\\begin{align*}") == text.count("\\end{align*}")
    assert text.count("\\end{document}") == 1 and text.isascii()


def test_hostile_names_do_nothing_in_any_language() -> None:
    name = '"""\nimport os\n//*/ \N{ROBOT FACE}'
    wanted = routines("double_pendulum", ("gravity",), "symbolic")
    for text in (python_source(name, wanted, [name]), javascript_source(name, wanted, [name])):
        assert text.isascii() and "\nimport os" not in text
    states = states_of(derived("double_pendulum", "gravity", "symbolic"), 2)
    values = [1.0] * len(parameter_names(wanted))
    assert run_python(python_source(name, wanted, [name]), wanted[0], states, values).shape == (2, 2)
