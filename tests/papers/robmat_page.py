"""Horn and Linge's ROBMAT beside taut: both printed sessions, every result with a verdict, as a page.

``make tables`` writes ``docs/robmat.md``; the sessions on it are run by the tests of the documentation.
"""

from __future__ import annotations

import numpy as np

from papers import test_robmat_pendulum as examples
from papers.audit import ASSUMPTION, DOCS, EQUAL, MISPRINT, Verdict, differs, equal, numbers_table, quoted
from papers.formulas import Values, load
from taut.derive import derive
from taut.report.general_chain import general_chain
from taut.report.markdown import markdown_table

PAGE = DOCS / "robmat.md"
PRINTED = load("robmat.json")["double_pendulum"]

EQUATIONS = (
    ("2.4, A_i, entry (1,4)", "l sin(theta)", "l cos(theta)"),
    ("2.4, middle factor, entry (4,4)", "0", "1"),
    ("2.4", "direction of the z_i axis as x_i = ...", "of the x_i axis"),
    (
        "2.5, pseudo-inertia, second and third of the diagonal",
        "(-Ixx + Iyy + Izz)/2, three times",
        "(Ixx - Iyy + Izz)/2, (Ixx + Iyy - Izz)/2",
    ),
    ("4.2, vector qq", "(q1 q1), (q1 q2), ...", "(qq)_1, ..., (qq)_(n-1), products of different rates"),
    ("Out[6], Out[7], Out[8]", "braces lost", "{{-(...)}, {0}} and so on"),
)
"""Where, what the copy reads, what is meant."""

RESULTS = (
    ("Out[5]", "M", "M"),
    ("Out[6]", "B", "B, half of taut's"),
    ("Out[7]", "CC", "C"),
    ("Out[8]", "G", "G"),
)


def agrees(part: str) -> bool:
    """Whether a printed matrix of the double pendulum is that of the Lagrange-Euler algorithm, at random numbers."""
    rng = np.random.default_rng(5)
    names = ["m1", "m2", "L1", "L2", "g", "q1", "q2"]
    v = {name: float(x) for name, x in zip(names, rng.uniform(0.2, 2.0, len(names)), strict=True)}
    printed = np.asarray(Values(v, {}).value(PRINTED[part]), float)
    found = examples.configuration_space(examples.double_pendulum(v), examples.columns([v["q1"], v["q2"]]))
    ours = {"M": found.M, "B": [[x] for x in found.B[0, 1]], "C": found.C, "G": [[x] for x in found.G]}[part]
    return bool(np.abs(np.asarray(ours, float).reshape(printed.shape) - printed).max() < 1e-12)


def costs(n: int) -> tuple[int, int]:
    """Return the traced operations of Lagrange-Euler and of Newton-Euler on the general arm of n joints."""
    return tuple(
        derive(general_chain(n), "inverse_dynamics", method, "symbolic", "none", verify=False).steps[0].operations.total
        for method in ("lagrange_euler", "newton_euler")
    )


def numbers() -> dict[int, Verdict]:
    """Return the verdicts on the printed numbers."""
    (two_le, two_ne), (six_le, six_ne) = costs(2), costs(6)
    return {
        27: equal(
            27,
            "tables",
            "taut derive double_pendulum --form matrices",
            "every result of the printed session, below",
            holds=all(agrees(part) for part in "MBCG"),
        ),
        28: differs(
            28,
            ASSUMPTION,
            f"{six_le / six_ne:.1f} times at six joints, {two_le / two_ne:.1f} times at two",
            "python -m taut.report.complexity",
            "operations of Li's method over Newton-Euler's on the general arm, as traced; the paper counts none, and "
            "its arms are not general",
        ),
        29: quoted(
            "no seconds are printed; `taut compare` lists those of every method, Lagrange-Euler and Newton-Euler among "
            "them",
            "",
            "taut compare stanford_rrp",
        ),
    }


def page() -> str:
    """Return the page as Markdown."""
    rows = [[out, name, EQUAL if agrees(part[0]) else MISPRINT, part] for out, name, part in RESULTS]
    rows += [["Out[9]", "F", EQUAL, "tau, by Newton-Euler"], ["Out[11]", "F - f", EQUAL, "zero"]]
    return TEXT.format(
        numbers=numbers_table(numbers()),
        results=markdown_table(["result", "", "verdict", "taut"], rows, 4),
        equations=markdown_table(["where", "reads", "has to be"], [list(row) for row in EQUATIONS], 3),
    )


TEXT = """\
# ROBMAT's two sessions, audited

Made by `make tables`; do not edit. G. Horn, S. Linge, *Analytical generation of the dynamical equations for mechanical
manipulators*, The Mathematica Journal 1994 (Modeling, Identification and Control 1995), beside taut. A verdict is
*equal*, *misprint* (with the right one), *unknown assumption* (which), or *quoted* from elsewhere.

## Numbers

{numbers}

## The double pendulum

In[1] to Out[11] of the paper, in taut with SymPy. The matrices are those of tau = M qdd + B qq + C q2 + G; ROBMAT's B
is half of taut's and is multiplied by 2 in the torque.

```python
>>> import sympy                                                                # In[1]
>>> import taut
>>> pendulum = taut.load("double_pendulum")                                     # In[2], In[3]
>>> form = pendulum.explicit().to_sympy()                                       # In[4]
>>> M, B, CC, G, qq, q2 = (form.written_out(x) for x in form.rate_matrices)
>>> M.applyfunc(sympy.factor)                                                   # In[5]
Matrix([
[L1**2*m1 + L1**2*m2 + 2*L1*L2*m2*cos(q2) + L2**2*m2, L2*m2*(L1*cos(q2) + L2)],
[                            L2*m2*(L1*cos(q2) + L2),                L2**2*m2]])
>>> B / 2                                                                       # In[6]
Matrix([
[-L1*L2*m2*sin(q2)],
[                0]])
>>> CC                                                                          # In[7]
Matrix([
[               0, -L1*L2*m2*sin(q2)],
[L1*L2*m2*sin(q2),                 0]])
>>> G.applyfunc(sympy.factor)                                                   # In[8]
Matrix([
[g*(L1*m1*sin(q1) + L1*m2*sin(q1) + L2*m2*sin(q1 + q2))],
[                                  L2*g*m2*sin(q1 + q2)]])
>>> newton_euler = pendulum.derive("inverse_dynamics", method="newton_euler", effort="none")      # In[9]
>>> F = newton_euler.to_sympy()
>>> f = M * form.qdd + B * qq + CC * q2 + G                                     # In[10]
>>> sympy.simplify(F - f).T                                                     # In[11]
Matrix([[0, 0]])

```

With q1 and q2 functions of time, as in the paper:

```python
>>> t = sympy.Symbol("t")
>>> q = [sympy.Function("q1")(t), sympy.Function("q2")(t)]
>>> form.along(form.written_out(form.tau), q, t)[1].expand()     # doctest: +NORMALIZE_WHITESPACE
L1*L2*m2*sin(q2(t))*Derivative(q1(t), t)**2 + L1*L2*m2*cos(q2(t))*Derivative(q1(t), (t, 2))
 + L2**2*m2*Derivative(q1(t), (t, 2)) + L2**2*m2*Derivative(q2(t), (t, 2)) + L2*g*m2*sin(q1(t) + q2(t))

```

{results}

## The modified Stanford arm

In[12] to In[16]; the paper does not print what they give.

```python
>>> stanford = taut.load("stanford_rrp")                                        # In[12] to In[14]
>>> form = stanford.explicit().to_sympy()                                       # In[15]
>>> M, B, CC, G, qq, q2 = (form.written_out(x) for x in form.rate_matrices)
>>> M.shape, B.shape, CC.shape, G.shape
((3, 3), (3, 3), (3, 3), (3, 1))
>>> M[0, 2], sympy.factor(B[1, 2] / 2), sympy.factor(G[1])
(-d2*m3*sin(q2), m3*(q3 + z3), -g*m3*(q3 + z3)*sin(q2))
>>> F = stanford.derive("inverse_dynamics", method="newton_euler", effort="none").to_sympy()   # In[16]
>>> f = M * form.qdd + B * qq + CC * q2 + G
>>> sympy.simplify(F - f).T
Matrix([[0, 0, 0]])

```

The same in a terminal, over named constants: `taut derive stanford_rrp --form matrices`. As numbers, for any robot:

```python
>>> puma = taut.load("puma560")
>>> m = puma.rate_matrices([0.1] * 6, [1.0] * 6)
>>> m.B.shape, m.qq.shape
((6, 15), (15,))
>>> tau = m.M @ ([0.5] * 6) + m.B @ m.qq + m.C @ m.q2 + m.G
>>> bool(abs(tau - puma.inverse_dynamics([0.1] * 6, [1.0] * 6, [0.5] * 6)).max() < 1e-12)
True

```

## Seconds

`taut compare stanford_rrp` lists the seconds that each method takes, Lagrange-Euler (Li) and Newton-Euler among them,
with and without search (`--effort none`).

## Text and equations

{equations}
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
