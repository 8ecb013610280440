"""SYMORO files: read as Khalil's convention, gravity and base in the right axes, loops refused."""

import math

import numpy as np
import pytest

from taut.algorithms.newton_euler import newton_euler
from taut.errors import InputError, UnsupportedError
from taut.formats import read_path
from taut.formats.dh import from_dh
from taut.formats.symoro import read_symoro
from taut.robot import edit

# A made-up arm in the words of the format: a branch, a prismatic joint, an offset, lists over several lines.
BRANCHED = """
(* made-up arm *)
(* Robotname = 'two hands' *)
NF = 4
NL = 4
NJ = 4
Type = 1 (* Tree *)

(* Geometric parameters *)
Ant = {
   0,1,
   1,2}
Sigma = {0,0,1,0}
B = {0,0.1,b3,0}
d = {0,0.3,0.2,0.15}
R = {0.4,0,r3,-0.1}
gamma = {0,Pi/3,-Pi/2,0}
Alpha = {0,Pi/2,0.7,-Pi/2}
Mu = {1,1,1,1}
Theta = {th1,t2 + Pi/2,0.4,th4}

XX = {1,2,3,4}
XY = {.1,.2,.3,.4}
XZ = {.01,.02,.03,.04}
YY = {2,3,4,5}
YZ = {.05,.06,.07,.08}
ZZ = {3,4,5,6}
MX = {.1,.2,.3,.4}
MY = {.2,.1,.3,.5}
MZ = {.3,.2,.1,.6}
M = {1,2,3,M4}
IA = {IA1,0,0,0.5}
FV = {FV1,0,0,0}
FS = {FS1,0,0,0}
FX = {0,0,0,FX4}
QP = {QP1,QP2,QP3,QP4}
W0 = {0,0,0}
G = {0,0,G3}
Z = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}
"""


def torques(tree, q, qd, qdd):
    return np.array([t for [t] in newton_euler(tree, *([[x] for x in v] for v in (q, qd, qdd)))])


def test_same_robot_as_its_khalil_table(tmp_path):
    (tmp_path / "arm.par").write_text(BRANCHED)
    tree = read_path(tmp_path / "arm.par")
    assert tree.name == "two hands"
    assert tree.convention[0] == "khalil"
    # Depth first: link 4 hangs on link 2, link 3 on link 1.
    assert [joint.name for joint in tree.joints] == ["joint1", "joint2", "joint4", "joint3"]
    assert tree.joints[0].drive.rotor_inertia.data == "IA1"
    assert tree.joints[0].drive.viscous.data == "FV1"
    assert tree.joints[0].drive.coulomb.data == "FS1"
    assert edit.symbols(tree) == {"b3", "M4", "IA1", "FV1", "FS1", "G3"}

    def link(i):
        k = i - 1
        return {
            "mass": [1, 2, 3, "M4"][k],
            "moment": [[0.1, 0.2, 0.3, 0.4][k], [0.2, 0.1, 0.3, 0.5][k], [0.3, 0.2, 0.1, 0.6][k]],
            "inertia": [i, i / 10, i + 1, i / 100, 0.04 + i / 100, i + 2],
            "about": "origin",
        }

    rows = [
        {"r": 0.4, "link": link(1)},
        {"gamma": "60 deg", "b": 0.1, "alpha": "90 deg", "d": 0.3, "theta": "90 deg", "link": link(2)},
        {"kind": "prismatic", "parent": "link1", "gamma": "-90 deg", "b": "b3", "alpha": 0.7, "d": 0.2, "theta": 0.4}
        | {"link": link(3)},
        {"parent": "link2", "alpha": "-90 deg", "d": 0.15, "r": -0.1, "link": link(4)},
    ]
    other = from_dh("khalil", rows, gravity=[0, 0, "G3"])
    values = {"b3": 0.37, "M4": 2.5, "G3": -9.81}
    rest = {"IA1": 0.0, "FV1": 0.0, "FS1": 0.0}
    one = edit.numeric(edit.with_values(tree, {**values, **rest}))
    two = edit.numeric(edit.with_values(other, values))
    rng = np.random.default_rng(0)
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, 4))
        expected = torques(two, q, qd, qdd)
        assert np.abs(torques(one, q, qd, qdd) - expected).max() <= 1e-12 * np.abs(expected).max()


def test_base_pose_turns_gravity():
    """Gravity is given in the base's axes: the torques do not know how the base stands in the world."""
    text = "NL = 1 NJ = 1 ant = {0} sigma = {0} theta = {th1} M = {2} MX = {0.5} ZZ = {1} YY = {1} G = {3,-4,-9} "
    plain = read_symoro(text)
    tilted = read_symoro(text + "Z = {0,0,1,0.1, 1,0,0,0.2, 0,1,0,0.3, 0,0,0,1}")
    g = tilted.gravity_acceleration
    assert (g.x, g.y, g.z) == (-9.0, 3.0, -4.0)
    assert list(tilted.base.p) == [0.1, 0.2, 0.3]
    state = [0.3], [1.0], [2.0]
    assert torques(tilted, *state)[0] == pytest.approx(torques(plain, *state)[0], rel=1e-14)
    assert read_symoro(text.replace("G = {3,-4,-9}", "")).gravity_acceleration.z == -9.81


def test_floating_base_leads_the_lists():
    text = "NL = 1 NJ = 1 is_floating = 1 ant = {0} sigma = {0} theta = {th1} M = {5,2} MX = {0,.1} IA = {0,0.3}"
    tree = read_symoro(text)
    assert [joint.motion.kind for joint in tree.joints] == ["free", "revolute"]
    assert [joint.link.inertia.m for joint in tree.joints] == [5.0, 2.0]
    assert tree.joints[1].drive.rotor_inertia == 0.3


def test_a_fixed_frame_is_merged():
    text = "NL = 2 NJ = 2 ant = {0,1} sigma = {0,2} theta = {th1, 0.5} r = {0, 0.2} M = {1,2}"
    tree = read_symoro(text)
    assert tree.frame("link2").placement.turns == ((2, 0.5),)
    assert tree.joints[0].link.inertia.m == 3.0


@pytest.mark.parametrize("theta", ["th2", "q2 - 90 deg", "beta", "offset + th2", "2*pi + th2", "3*pi + th2"])
def test_coordinates_are_recognised(theta):
    tree = read_symoro(f"NL = 2 NJ = 2 ant = {{0,1}} sigma = {{0,0}} theta = {{th1,{theta}}}")
    turns = dict(tree.joints[1].placement.turns)
    expected = {"q2 - 90 deg": -math.pi / 2, "2*pi + th2": 2 * math.pi, "3*pi + th2": 3 * math.pi}
    if theta == "offset + th2":
        assert turns[2].data == "offset"
    else:
        assert turns.get(2, 0.0) == expected.get(theta, 0.0)


@pytest.mark.parametrize(
    ("old", "new", "kind", "complaint"),
    [
        ("Type = 1", "Type = 2", UnsupportedError, "closed loops"),
        ("NJ = 4", "NJ = 5", UnsupportedError, "closed loops .5 joints for 4 links"),
        ("NF = 4", "NF = 6", UnsupportedError, "closed loops"),
        ("Type = 1", "is_mobile = 1", UnsupportedError, "wheeled"),
        ("Type = 1", "is_mobile = maybe", InputError, "expected 0 or 1"),
        ("W0 = {0,0,0}", "W0 = {0,0,1}", UnsupportedError, "base that is moved"),
        ("W0 = {0,0,0}", "eta = {0,1,0,0}", UnsupportedError, "elastic"),
        ("NL = 4", "", InputError, "NL: found '', expected a whole number"),
        ("NL = 4", "NL = -4", InputError, "expected a whole number"),
        ("NL = 4", "NL = 4000000000000", InputError, "expected a whole number"),
        ("Sigma = {0,0,1,0}", "", InputError, "no sigma"),
        ("Sigma = {0,0,1,0}", "Sigma = {0,0,1}", InputError, "found 3 entries, expected 4"),
        ("Sigma = {0,0,1,0}", "Sigma = {0,0,1,3}", InputError, "sigma: entry 4: expected a whole number from 0 to 2"),
        ("   1,2}", "   1,9}", InputError, "ant: entry 4: expected a whole number from 0 to 4"),
        ("   0,1,", "   1,1,", InputError, "cycle|root"),
        ("th4}", "0}", InputError, "coordinate of revolute joint 4 is not given"),
        ("th4}", "2*th4}", UnsupportedError, "does not stand alone"),
        ("0,0.1,b3,0", "0,0.1,b3 b4,0", InputError, "b: entry 3: unexpected 'b4'"),
        ("0.7,-Pi/2", "0.7,-90", InputError, 'write "-90 deg"'),
        ("M = {1,2,3,M4}", "M = {1,2,3,M4", InputError, "cannot read"),
        ("M = {1,2,3,M4}", "MM = {1,2,3,M4}", InputError, "unknown keyword 'MM'"),
        ("M = {1,2,3,M4}", "M = {1,2,3,4} m = {1,2,3,4}", InputError, "m twice"),
        ("W0 = {0,0,0}", "(* W0 = {0,0,0}", InputError, "a comment without end"),
        ("Z = {1,0", "Z = {2,0", InputError, "no pose"),
        ("Z = {1,0", "Z = {z,0", InputError, "no pose"),
        ("Z = {1,0", "Z = {1e300,0", InputError, "larger than any real length"),
    ],
)
def test_bad_files(old, new, kind, complaint):
    assert old in BRANCHED
    with pytest.raises(kind, match=complaint) as caught:
        read_symoro(BRANCHED.replace(old, new, 1), "arm.par")
    assert str(caught.value).startswith("arm.par: ")
