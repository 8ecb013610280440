"""The faces of explicit models and of kinematics: LaTeX, Markdown, SymPy, notebooks, files from the command line."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import taut
from explicit.latex_check import compiled, faults, formulas, shapes, unparsed
from taut.cli import main
from taut.errors import InputError
from taut.explicit.sympy_file import sympy_source
from taut.graph.prove import disproof
from taut.report.explicit_page import explicit_page
from taut.report.forms import size_note
from taut.report.kinematics import kinematics_page

ROBOTS = ["double_pendulum", "scara", "stanford_rrp", "puma560"]


@pytest.fixture(scope="module")
def models():
    return {name: taut.load(name).explicit() for name in ROBOTS}


@pytest.mark.parametrize("name", ROBOTS)
def test_latex_is_sound(models, name, tmp_path):
    document = explicit_page(models[name]).to_latex()
    assert faults(document) == []
    assert unparsed(document) == []
    assert compiled(document, tmp_path) in (True, None)
    # Every element that is not zero, and every constant, has its line.
    lines = [formula.partition(" = ")[0] for formula in formulas(document)]
    wanted = [e.name for e in models[name].elements.values() if not e.is_zero] + list(models[name].constants)
    assert {f"{x[0]}_{{{x[1:]}}}" for x in wanted} <= set(lines)


@pytest.mark.parametrize("name", ["puma560", "scara", "panda", "general_6r"])
def test_latex_of_kinematics_is_sound(name, tmp_path):
    page = kinematics_page(taut.load(name).kinematics())
    document = page.to_latex()
    assert faults(document) == []
    assert compiled(document, tmp_path) in (True, None)
    assert shapes(document) == shapes(page.to_markdown())
    if name in ("puma560", "scara"):
        assert unparsed(document) == []


@pytest.mark.slow
@pytest.mark.parametrize("form", ["explicit", "kinematics"])
def test_tex_makes_a_document_of_puma560(form, tmp_path):
    assert main(["derive", "puma560", "--form", form, "--latex", "-o", str(tmp_path / "p.tex"), "--quiet"]) == 0
    made = compiled((tmp_path / "p.tex").read_text(), tmp_path)
    if made is None:
        pytest.skip("there is no TeX here; apt-get install texlive-latex-base texlive-latex-recommended")
    assert made and (tmp_path / "page.pdf").stat().st_size > 20_000


def test_the_checker_sees_what_is_wrong():
    assert faults(r"\begin{align*} a \end{aligned}")
    assert faults(r"\left( a")
    assert faults(r"{a}}")
    assert faults(r"\frak{a}")
    assert unparsed("\\begin{aligned}\na &= b_{c}^{2}^{3}\n\\end{aligned}")
    assert faults(r"\frac{a}{b}") == []


def test_lines_are_broken_and_tables_are_there(models):
    document = explicit_page(models["puma560"]).to_latex()
    assert r"$j\,k$ & $b_{1jk}$" in document and r"b\_" not in document
    longest = max(len(re.sub(r"\\[a-z]+|[{}_^\\,]", "", line)) for line in document.splitlines() if "&" in line)
    assert longest < 100
    assert document.count(r"\begin{longtable}") == 2  # constants, b
    assert document.count(r"\begin{array}{cccccc}") == 2 and r"\begin{array}{c}" in document  # M, C and g in brackets
    assert r"I_{zz,5}" in document and r"\section*{Mass matrix, $M(q)$}" in document


def test_matrices_have_their_formulas_where_they_fit(models):
    document = explicit_page(models["double_pendulum"]).to_latex()
    row = r"K_{1} + 2\,K_{2}\,C_{2} & K_{3} + K_{2}\,C_{2}"
    assert row in document and r"\left[\begin{array}{cc}" in document
    pose = kinematics_page(taut.load("stanford_rrp").kinematics())
    assert r"T &= \left[\begin{array}{cccc}" in pose.to_latex() and r"\begin{array}" not in pose.to_text()


@pytest.mark.parametrize("name", ROBOTS)
def test_sympy_round_trip_is_exact(models, name):
    pytest.importorskip("sympy")
    model = models[name]
    form = model.to_sympy()
    back = model.from_sympy(form.elements)
    assert back.elements == model.elements
    names: dict[str, object] = {}
    exec(compile(sympy_source(model), "file", "exec"), names)
    assert names["elements"] == form.elements
    assert names["constants"] == form.constants


def test_formulas_come_back_from_sympy(models):
    pytest.importorskip("sympy")
    from taut.emit.sympy import node_from_sympy, node_to_sympy

    model = models["puma560"]
    formulas_there = [constant.formula for constant in model.constants.values()]
    back = [node_from_sympy(node_to_sympy(x), model.graph) for x in formulas_there]
    assert disproof(formulas_there, back) is None


def test_what_a_user_made_with_sympy_is_read(models):
    sympy = pytest.importorskip("sympy")
    model = models["double_pendulum"]
    K2, q2 = sympy.Symbol("K2", real=True), sympy.Symbol("q2", real=True)
    changed = model.from_sympy({"M11": model.to_sympy().elements["M11"] - 2 * K2 * sympy.cos(q2)})
    assert [str(changed.elements[name]) for name in ("M11", "M12")] == ["M11 = K1", str(model.elements["M12"])]
    with pytest.raises(taut.errors.InputError, match="unknown to the model"):
        model.from_sympy({"M11": sympy.Symbol("K77") * sympy.cos(q2)})
    with pytest.raises(taut.errors.InputError, match="no element 'M99'"):
        model.from_sympy({"M99": K2})


class Anchors(HTMLParser):
    """Collects the places and the links of a page, and what is left open."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places |= {given["id"]} if "id" in given else set()
        self.links |= {given["href"].removeprefix("#")} if "href" in given else set()
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_constants_in_a_notebook_lead_to_their_formulas(models):
    page = Anchors()
    page.feed(models["puma560"]._repr_html_())
    assert page.open == []
    assert page.links <= page.places
    assert {f"puma560-{name}" for name in models["puma560"].constants} <= page.places
    assert "puma560-K1" in page.links


def test_elements_show_themselves(models):
    model = models["double_pendulum"]
    assert model.M[0, 0]._repr_latex_() == ("$$\\begin{aligned}\nM_{11} &= K_{1} + 2\\,K_{2}\\,C_{2}\n\\end{aligned}$$")
    assert "K_{2} &=" in model.constants["K2"]._repr_latex_()
    assert unparsed(model._repr_latex_()) == []
    arm = taut.load("scara").kinematics()
    assert str(arm).splitlines()[1:] == [
        "det J = a2*a3*S2",
        "S2 = 0: elbow: arm straight or folded, joints 1 and 2 move the origin of link4 along one line",
    ]
    assert r"\det J &= a_{2}\,a_{3}\,S_{2}" in arm._repr_latex_()


def test_a_name_from_a_file_breaks_no_face():
    name = 'a<b>"""\\ $%{}_^&#~\n'
    robot = taut.from_dh("modified", [{"a": 0.4, "link": {"mass": 1, "com": [0.2, 0, 0]}}], name=name)
    model, arm = robot.explicit(), robot.kinematics()
    compile(sympy_source(model), "file", "exec")
    assert "<b>" not in model._repr_html_()
    for page in (explicit_page(model), kinematics_page(arm)):
        assert faults(page.to_latex()) == []
        assert page.to_markdown().partition("\n")[0].endswith('"""\\ $%{}_^&#~ ')


def test_a_long_model_tells_its_size_beforehand():
    assert size_note(taut.load("panda"), "explicit").startswith("panda: 29,420 terms")
    assert size_note(taut.load("scara"), "explicit") == ""


@pytest.mark.parametrize("notation", ["text", "latex", "markdown", "sympy"])
def test_files_from_the_command_line(notation, tmp_path, capsys):
    target = tmp_path / "out"
    assert main(["derive", "double_pendulum", "--form", "explicit", f"--{notation}", "-o", str(target)]) == 0
    assert "M11" in target.read_text().replace("M_{11}", "M11")
    assert "exact: equals" in capsys.readouterr().out
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_forms_for_a_program(capsys):
    assert main(["derive", "scara", "--form", "kinematics", "--effort", "none", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["determinant"] == "a2*a3*S2"
    assert data["functions"]["inverse_jacobian"]["verified"]
    assert main(["derive", "double_pendulum", "--form", "explicit", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["verified"] and data["elements"]["M22"] == "K3"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--form", "implicit"], "no form 'implicit'"),
        (["--latex"], "a notation without a form"),
        (["--form", "kinematics", "--sympy"], "kinematics has no SymPy form"),
        (["--form", "explicit", "--latex", "-o", "/nowhere/at/all"], "cannot write"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(options, said, capsys):
    assert main(["derive", "double_pendulum", *options]) == 2
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error


def test_matrices_of_rates_and_a_motion_in_time() -> None:
    """tau = M qdd + B qq + C q2 + G, B twice ROBMAT's; along a cycloid of time it is the numeric torque."""
    sympy = pytest.importorskip("sympy")
    robot = taut.load("double_pendulum")
    form = robot.explicit(verify=False).to_sympy()
    m = form.rate_matrices
    assert m.B.shape == (2, 1) and m.B[0, 0] == form.elements["b112"] and m.C[1, 0] == form.elements["c21"]
    names = sorted({str(symbol) for formula in form.constants.values() for symbol in formula.free_symbols})
    values = {name: 0.5 + 0.1 * k for k, name in enumerate(names)}
    t = sympy.Symbol("t")
    cycloid = t - sympy.sin(2 * sympy.pi * t) / (2 * sympy.pi)
    motion = [cycloid, -2 * cycloid]
    state = [[float(sympy.diff(x, t, order).subs(t, 0.3)) for x in motion] for order in range(3)]
    numbers = {sympy.Symbol(name, real=True): value for name, value in values.items()}
    lumped = {sympy.Symbol(name, real=True): formula.subs(numbers) for name, formula in form.constants.items()}
    tau = (m.M * form.qdd + m.B * m.qq + m.C * m.q2 + m.G).subs(lumped)
    found = [float(x) for x in form.along(tau, motion, t).subs(t, 0.3)]
    np.testing.assert_allclose(found, robot.with_values(values).inverse_dynamics(*state), rtol=1e-12)
    with pytest.raises(InputError, match="give 2, one a joint"):
        form.along(tau, motion[:1], t)
