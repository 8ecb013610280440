"""Programs stored by structure: found for one robot, they serve every robot that has it, and are believed by none."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

import pytest

import taut
from taut import formats, library
from taut.analysis.opcount import count
from taut.cli import main
from taut.derive import Function, derive
from taut.derive.naming.model import derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.setting import structure_for
from taut.derive.stored.programs import file_name, read_stored, stored, write_stored
from taut.derive.stored.specialise import specialised
from taut.derive.stored.structure import Structure, structure
from taut.errors import TautError
from taut.graph import Graph, Stage
from taut.graph.lower import lower
from taut.graph.program import Program, Signed
from taut.graph.prove import equal
from taut.robot import Tree
from taut.robot.edit import symbols

FUNCTION = "inverse_dynamics"


def structure_of(tree: Tree, mode: str = "pattern", function: str = FUNCTION) -> Structure:
    found = structure_for(derived_robot(tree, mode, SNAP), function)
    assert found is not None
    return found


def reread(name: str, change: dict[str, str]) -> Tree:
    """Return a robot of the library with its text changed."""
    text = library.text(name)
    for pattern, new in change.items():
        text, times = re.subn(pattern, new, text)
        assert times, pattern
    return formats.read(text, "changed.toml", "toml")


def other_names(name: str) -> Tree:
    """Return a robot of the library with all symbols, joints and links renamed."""
    return reread(name, {r'"(-?)([a-zA-Z]+)(\d)"': r'"\1zz\3_\2"'})


class TestStructure:
    def test_names_and_numbers_do_not_matter(self) -> None:
        plain, renamed = taut.load("stanford_rrp"), other_names("stanford_rrp")
        assert structure_of(plain.tree).key == structure_of(renamed).key
        assert set(structure_of(plain.tree).meaning) == set(structure_of(renamed).meaning)
        panda = taut.load("panda")
        assert structure_of(panda.tree, "numeric").key == structure_of(panda.tree, "symbolic").key

    def test_zeros_and_angles_do(self) -> None:
        plain = structure_of(taut.load("stanford_rrp").tree)
        fewer = structure_of(reread("stanford_rrp", {'d = "d2"': "d = 0"}))
        turned = structure_of(reread("stanford_rrp", {'alpha = "90 deg"': 'alpha = "-90 deg"'}))
        assert fewer.key != plain.key and fewer.skeleton == plain.skeleton
        assert turned.skeleton != plain.skeleton

    @pytest.mark.parametrize("name", ["double_pendulum", "puma560", "puma260", "scara", "stanford"])
    def test_it_is_its_own_structure(self, name: str) -> None:
        """What depends on other constants is a formula in them: finding the structure again finds nothing new."""
        once = structure_of(taut.load(name).tree)
        again = structure(once.model)
        assert again is not None
        assert again.key == once.key

    def test_dependent_constants_are_noticed(self) -> None:
        """Two of the double pendulum's constants are m2 l1 and m2 l1^2: they are not free of each other."""
        found = structure_of(taut.load("double_pendulum").tree)
        assert any(name.startswith("x") for name in found.meaning)

    def test_equal_constants_are_one(self) -> None:
        places = structure_of(taut.load("panda").tree, "symbolic").places
        assert places["a5"] is -places["a4"]


class TestSpecialised:
    def test_what_vanishes_is_left_out(self) -> None:
        graph = Graph()
        a, b = graph.symbol("a"), graph.symbol("b")
        q = graph.symbol("q", Stage.CONFIGURATION)
        program = lower([a * q.sin() + b * q.cos(), (a + b) * q])
        found = specialised(program, {"a": graph.constant(0), "b": a * a})
        assert str(count(found)) == "2+0 = 2"
        assert equal(found.trace(graph), [a * a * q.cos(), a * a * q])
        assert found.faults() == []

    def test_a_divisor_that_vanishes_is_refused(self) -> None:
        graph = Graph()
        a, q = graph.symbol("a"), graph.symbol("q", Stage.CONFIGURATION)
        with pytest.raises(ZeroDivisionError):
            specialised(lower([q / a]), {"a": graph.constant(0)})


@lru_cache
def searched() -> Function:
    return derive(taut.load("stanford_rrp").tree, FUNCTION, effort="normal", fresh=True)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of stored programs that holds one: the torque of the Stanford arm's first joints, searched."""
    monkeypatch.setattr("taut.derive.stored.programs.folder", lambda: tmp_path)
    tree = taut.load("stanford_rrp")
    found = searched()
    assert found.structural is not None
    path = tmp_path / file_name(FUNCTION, structure_of(tree.tree).name)
    write_stored(path, found.structural, {"method": found.method, "total": found.operations.total})
    return path


class TestStored:
    def test_no_search_gets_it_for_other_names_and_for_numbers(self, place: Path) -> None:
        best = read_stored(place)[1]["total"]
        renamed = other_names("stanford_rrp")
        inputs = {line.data for line in derive(renamed, FUNCTION, effort="none").program.lines if line.op == "input"}
        assert any(name.startswith("zz") for name in inputs)
        for tree, mode in ((taut.load("stanford_rrp").tree, None), (renamed, None), (renamed, "symbolic")):
            found = derive(tree, FUNCTION, parameters=mode, effort="none")
            traced = derive(tree, FUNCTION, parameters=mode, effort="none", fresh=True)
            assert found.proof is not None and not traced.stored
            if mode is None:
                assert found.stored and found.operations.total == best < traced.operations.total
            else:  # more constants than the stored program knows
                assert not found.stored and found.operations == traced.operations

    def test_numbers_are_folded(self, place: Path) -> None:
        tree = taut.load("stanford_rrp")
        values = {name: 0.3 + 0.07 * k for k, name in enumerate(sorted(structure_names(tree.tree)))}
        numeric = tree.with_values(values)
        found = derive(numeric.tree, FUNCTION, effort="none")
        assert found.parameters == "numeric"
        assert found.stored
        states = [[0.3, -0.4, 0.5], [1.0, 0.2, -0.3], [0.1, 0.7, 0.4]]
        assert found(*states) == pytest.approx(numeric.inverse_dynamics(*states), rel=1e-12)

    def test_a_similar_robot_with_more_zeros(self, place: Path) -> None:
        found = derive(reread("stanford_rrp", {'d = "d2"': "d = 0"}), FUNCTION, effort="none")
        known = stored(FUNCTION, structure_of(reread("stanford_rrp", {'d = "d2"': "d = 0"})))
        assert [one.same for one in known] == [False]
        assert count(known[0].program).total < read_stored(place)[1]["total"]
        assert found.operations.total <= count(known[0].program).total

    def test_a_wrong_program_is_not_used(self, place: Path) -> None:
        program, about = read_stored(place)
        sign, line = program.outputs[0]
        write_stored(place, Program(program.lines, (Signed(-sign, line), *program.outputs[1:])), about)
        found = derive(taut.load("stanford_rrp").tree, FUNCTION, effort="none", verify=False)
        assert not found.stored

    def test_a_program_that_divides_by_what_is_zero_here_is_not_used(self, place: Path) -> None:
        """Multiplied and divided by d2 - 1/2: exact, and useless where d2 is 1/2."""
        program, about = read_stored(place)
        tree = taut.load("stanford_rrp")
        inner = structure_of(tree.tree)
        [name] = [name for name, node in inner.meaning.items() if node.data == "d2"]
        zero_here = inner.model.graph.symbol(name, Stage.PARAMETER) - 0.5
        first, *rest = program.trace(inner.model.graph)
        write_stored(place, lower([first * (1 / zero_here) * zero_here, *rest]), about)
        assert derive(tree.tree, FUNCTION, effort="none", generic=True).stored
        assert not derive(tree.tree, FUNCTION, effort="none").stored, "d2 may be 1/2"
        names = sorted(structure_names(tree.tree))
        for d2, fits in ((0.6, True), (0.5, False)):
            numeric = tree.with_values({name: 0.3 + 0.07 * k for k, name in enumerate(names)} | {"d2": d2})
            assert derive(numeric.tree, FUNCTION, effort="none").stored is fits

    @pytest.mark.parametrize("damage", [b"", b"no program", b"\x1f\x8b\x08"])
    def test_a_damaged_file_is_no_program(self, place: Path, damage: bytes) -> None:
        place.write_bytes(damage)
        with pytest.raises(TautError):
            read_stored(place)
        assert not derive(taut.load("stanford_rrp").tree, FUNCTION, effort="none").stored

    @pytest.mark.slow
    def test_a_search_goes_on_from_it(self, place: Path) -> None:
        found = derive(taut.load("stanford_rrp").tree, FUNCTION, effort="normal")
        assert found.stored
        assert found.operations.total <= read_stored(place)[1]["total"]

    def test_it_is_told(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["count", "stanford_rrp", "--effort", "none", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["functions"][FUNCTION]["stored"] is True
        assert main(["count", "stanford_rrp", "--effort", "none"]) == 0
        assert "--fresh derives anew" in capsys.readouterr().out
        assert main(["derive", "stanford_rrp", "--effort", "none", "--explain"]) == 0
        assert "stored program" in capsys.readouterr().out
        assert main(["count", "stanford_rrp", "--effort", "none", "--json", "--fresh"]) == 0
        assert json.loads(capsys.readouterr().out)["functions"][FUNCTION]["stored"] is False

    def test_no_folder_no_program(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("taut.derive.stored.programs.folder", lambda: tmp_path / "missing")
        assert not derive(taut.load("stanford_rrp").tree, FUNCTION, effort="none").stored


def structure_names(tree: Tree) -> set[str]:
    """Return the symbols of a robot that have no value."""
    return symbols(tree) - set(tree.values)

    def test_a_wrong_program_does_not_take_the_search(self, place: Path) -> None:
        """Cheaper than anything traced, so that it would be searched first, and wrong."""
        program, about = read_stored(place)
        cheapest = program.outputs[0]
        write_stored(place, Program(program.lines, (cheapest,) * len(program.outputs)), about)
        found = derive(taut.load("stanford_rrp"), FUNCTION, effort="normal")
        assert not found.stored
        assert found.operations == searched().operations


@pytest.mark.slow
def test_a_similar_robot_without_rotors_does_not_take_the_search() -> None:
    """The stored matrix of puma560 without rotor inertias is wrong for the arm with them."""
    found = derive(taut.load("puma560").tree, "mass_matrix")
    assert found.parameters == "numeric"
    assert found.operations.total <= 110
