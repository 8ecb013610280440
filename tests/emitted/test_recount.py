"""The operations of emitted C, counted again from its text by a counter that shares nothing with taut's."""

from __future__ import annotations

import pytest

import taut
from emitted.recount import Wrong, operations
from sampled import sampled
from taut import library
from taut.derive import derive
from taut.emit.c import Module
from taut.errors import InputError

FUNCTIONS = (
    *("inverse_dynamics", "mass_matrix", "gravity", "bias", "explicit", "explicit_torque", "forward_dynamics"),
    *("forward_kinematics", "jacobian", "energy", "friction"),
)

TEXT = """\
static void arm_f(const double *q, double *y)
{
    (void)q;
    /* begin: 4 operations */
    const double t0 = q[0] + q[1]; /* angle */
    const double s[2] = {q[0], t0};
    arm_sincos(s + 0, -1.5e-3 * 2.0);
    const double t1 = -q[0] * 2.0e+3;
    const double t2 = t1 - -k->f[3 + 4];
    const double t3 = sin(t2 + 1.0) / t2;
    y[2 * 1] = -t3;
    /* end */
}
"""


def test_the_counter_itself() -> None:
    assert operations(TEXT) == {"arm_f": 4}
    assert operations(TEXT.replace("-t3", "t3 * t3 - t1")) == {"arm_f": 6}
    assert operations(TEXT.replace("-t3", "fma(t1, t2, t3)")) == {"arm_f": 6}
    assert operations(TEXT.replace(" /* angle */", "")) == {"arm_f": 5}
    with pytest.raises(Wrong, match="outside"):
        operations(TEXT.replace("(void)q;", "const double a = q[0] * q[1];"))


@pytest.mark.parametrize("name", sampled(library.open_chains(), 4))
def test_the_text_has_the_operations_that_are_told(name: str) -> None:
    robot = taut.load(name)
    for function in FUNCTIONS if robot.dof < 5 or name == "puma560" else FUNCTIONS[:2]:
        try:
            found = derive(robot.tree, function, effort="none", fresh=True, verify=False)
        except InputError:  # a pose at which no mass moves has no inverse
            continue
        source = Module(name, [found.routine()], precision="float" if function == "mass_matrix" else "double").source()
        counted = operations(source)
        assert counted == {
            f"{name}_{function}": found.operations.total,
            f"{name}_{function}_block": found.operations.total,
        }
