"""Izaguirre's robot file: the PUMA 260 as the paper prints it gives the paper's inertia matrix and gravity."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from taut.algorithms.newton_euler import newton_euler
from taut.errors import InputError
from taut.formats import read_path
from taut.formats.izaguirre import read_izaguirre
from taut.robot import edit

# Numbers of Izaguirre, Hashimoto, Paul, Hayward, appendix A; the rows of five zeros are the paper's.
PUMA260 = """
% the arm without load
number_links 6
mass   0 0 0 0 0 m6
sigma  0 0 0 0 0          % all revolute
alpha  90 0 -90 90 -90 0
dpar   0 0 d3 d4 0 0
apar   0 a2 0 0 0 0
adyna  0 0 0 ad4 0 0
bdyna  0 0 0 0 0
cdyna  0 0 0 cd4 0 0
ddyna  0 0 0 0 0
edyna  0 0 0 0 0
fdyna  0 0 0 0 0
xgrav  0 0 0 0 0
ygrav  0 0 0 y4 0 0
zgrav  0 0 0 0 0 z6
ia1 ia2 ia3 ia4 ia5 ia6   % motors
option moment
option.update moment
variable m6 2.768114
variable z6 0.01401
variable y4 -0.382190
variable ad4 0.079781
variable cd4 0.077761
variable ia1 0.091631
variable ia2 0.136312
variable ia3 0.030843
variable ia4 0.001781
variable ia5 0.006759
variable ia6 0.001262
constant a2 0.20320
constant d3 0.12624
constant d4 0.20320
stop
"""
SAMPLES = Path(__file__).parents[1] / "data" / "papers" / "puma260_izaguirre.csv"


def test_the_printed_file():
    tree = read_izaguirre(PUMA260, "puma260.robot")
    assert (tree.name, tree.dof) == ("puma260", 6)
    assert tree.values["y4"].value == -0.38219
    assert tree.joints[1].drive.rotor_inertia.data == "ia2"
    assert tree.convention[0] == "standard"
    assert tree.source.endswith("one zero added to the short rows sigma, bdyna, ddyna, edyna, fdyna, xgrav")
    # Link 4: distal frame at d4 along z and turned by +90 deg about x, so its y is the joint's z.
    d4, y4 = tree.values["d4"].value, tree.values["y4"].value
    h = edit.numeric(tree).joints[3].link.inertia.h
    assert (h.x, h.y, h.z) == (0.0, 0.0, y4)
    assert d4 > 0


def test_inertia_and_gravity_are_those_of_the_paper():
    """D and G of the paper's generated code, its slips corrected, to the 12 digits they are kept with."""
    tree = edit.numeric(read_izaguirre(PUMA260))
    motors = np.diag([joint.drive.rotor_inertia for joint in tree.joints])
    weightless = replace(tree, gravity_acceleration=tree.gravity_acceleration * 0)
    zero = [[0.0]] * 6
    with SAMPLES.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 10
    for row in rows:
        q = [[float(row[f"q{i}"])] for i in range(1, 7)]
        columns = [newton_euler(weightless, q, zero, [[float(i == k)] for i in range(6)]) for k in range(6)]
        inertia = np.array(columns)[:, :, 0].T + motors
        gravity = np.array(newton_euler(tree, q, zero, zero))[:, 0]
        for i in range(6):
            assert gravity[i] == pytest.approx(float(row[f"G{i + 1}"]), abs=1e-10)
            for j in range(i, 6):
                assert inertia[i, j] == pytest.approx(float(row[f"D{i + 1}{j + 1}"]), abs=1e-11)


def test_tensor_rows_and_prismatic_joints(tmp_path):
    text = """
    number_links 2
    sigma 0 1
    alpha 0 b2
    dpar 0 0.5
    apar 0 0
    mass 1 2
    adyna 11 0
    bdyna 22 0
    cdyna 33 0
    ddyna 12 0
    edyna 23 0
    fdyna 13 0
    constant b2 30
    stop
    anything after stop is not read"""
    (tmp_path / "arm.spec").write_text(text)
    tree = read_path(tmp_path / "arm.spec")
    assert tree.joints[0].link.inertia.parameters == (1.0, 0, 0, 0, 11.0, 12.0, 22.0, 13.0, 23.0, 33.0)
    assert tree.joints[1].motion.kind == "prismatic"
    [(axis, angle)] = edit.numeric(tree).frame("flange").placement.turns
    assert axis == 0
    assert angle == pytest.approx(np.radians(30), rel=1e-15)
    assert tree.joints[0].drive.rotor_inertia == 0.0


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("stop", "", "no 'stop' line"),
        ("number_links 6", "", "before number_links"),
        ("number_links 6", "number_links six", "write number_links N"),
        ("number_links 6", "number_links 6\nnumber_links 6", "number_links twice"),
        ("sigma  0 0 0 0 0 ", "sigma  0 0 0 0 ", "sigma has 4 entries, expected 6"),
        ("sigma  0 0 0 0 0 ", "sigma  0 0 0 0 1 ", "sigma has 5 entries, expected 6"),
        ("sigma  0 0 0 0 0 ", "sigma  0 0 0 0 0 2", "neither 0 nor 1"),
        ("alpha  90 0 -90 90 -90 0", "alpha  90 0 -90 90 -90", "alpha has 5 entries"),
        ("alpha  90 0 -90 90 -90 0", "", "no alpha"),
        ("apar   0 a2 0 0 0 0", "apar   0 a2 0 0 0 0\napar   0 a2 0 0 0 0", "apar twice"),
        ("adyna  0 0 0 ad4 0 0", "adyna  0 0 0 ad4+ 0 0", "line 9: adyna: entry 4: an end where"),
        ("bdyna  0 0 0 0 0", "bdynq  0 0 0 0 0", "did you mean 'bdyna'"),
        ("ia1 ia2 ia3", "ia1 ia3", "unknown keyword 'ia1'"),
        ("option moment", "option centre", "only 'moment' is known"),
        ("variable m6 2.768114", "variable m6", "write variable NAME NUMBER"),
        ("variable m6 2.768114", "variable m6 x", "free names"),
        ("variable m6 2.768114", "variable m6 1\nconstant m6 2", "has two values"),
        ("mass   0 0 0 0 0 m6", "mass   0 0 0 0 0 nan", "no finite number"),
    ],
)
def test_bad_files(old, new, complaint):
    assert old in PUMA260
    with pytest.raises(InputError, match=complaint) as caught:
        read_izaguirre(PUMA260.replace(old, new, 1), "arm.robot")
    assert str(caught.value).startswith("arm.robot: ")
