"""The explicit equations as the matrices of ROBMAT [Horn, Linge 1994].

.. math:: \\tau = M \\ddot q + B\\,(\\dot q \\dot q) + C\\,(\\dot q^2) + G

with the n(n-1)/2 products of rates (qd1 qd2, qd1 qd3, ...) and the n squares. B has the factor 2 of its two equal
Christoffel symbols, as Armstrong's; ROBMAT's B is half of it and is multiplied by 2 in the torque.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from taut.algorithms.coefficients import explicit_terms
from taut.explicit.model import ExplicitModel
from taut.explicit.text import terms_text


class RateMatrices(NamedTuple):
    """The matrices of tau = M qdd + B qq + C q2 + G, as arrays, texts or SymPy matrices.

    Attributes:
        M: mass matrix, n x n.
        B: coefficients of the products of rates, n x n(n-1)/2; twice ROBMAT's, whose sum has every product two times.
        C: coefficients of the squares of rates, n x n.
        G: torques that hold the robot still; a column in SymPy.
        qq: products qd_j qd_k, j < k, row by row.
        q2: squares.
    """

    M: Any
    B: Any
    C: Any
    G: Any
    qq: Any
    q2: Any

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {np.shape(value)}" for name, value in self._asdict().items())
        return f"<RateMatrices: {shapes}>"


def pairs(n: int) -> list[tuple[int, int]]:
    """Return the joints j < k of every column of B, from 0.

    >>> pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(j, k) for j in range(n) for k in range(j + 1, n)]


def matrices_at(coefficients: np.ndarray, qd: np.ndarray) -> RateMatrices:
    """Return the matrices from the answer to the question ``explicit``.

    Args:
        coefficients: (..., m) in the order of :func:`taut.algorithms.coefficients.explicit_terms`.
        qd: rates (..., n).
    """
    n = qd.shape[-1]
    kinds = {kind: [k for k, term in enumerate(explicit_terms(n)) if term.kind == kind] for kind in "Mbcg"}
    lead = coefficients.shape[:-1]
    M = np.empty((*lead, n, n))
    upper = np.triu_indices(n)
    M[..., upper[0], upper[1]] = M[..., upper[1], upper[0]] = coefficients[..., kinds["M"]]
    columns = pairs(n)
    products = [qd[..., j] * qd[..., k] for j, k in columns]
    return RateMatrices(
        M=M,
        B=coefficients[..., kinds["b"]].reshape(*lead, n, len(columns)),
        C=coefficients[..., kinds["c"]].reshape(*lead, n, n),
        G=coefficients[..., kinds["g"]],
        qq=np.stack(products, axis=-1) if products else np.empty((*qd.shape[:-1], 0)),
        q2=qd**2,
    )


def matrices_of(model: ExplicitModel) -> RateMatrices:
    """Return the matrices of an explicit model as texts over its constants, sines and cosines."""
    n = range(model.n)

    def text(element: Any) -> str:
        return terms_text(element.terms)

    return RateMatrices(
        M=[[text(model.M[i, j]) for j in n] for i in n],
        B=[[text(model.b[i, j, k]) for j, k in pairs(model.n)] for i in n],
        C=[[text(model.c[i, j]) for j in n] for i in n],
        G=[text(model.g[i]) for i in n],
        qq=[f"qd{j + 1}*qd{k + 1}" for j, k in pairs(model.n)],
        q2=[f"qd{j + 1}^2" for j in n],
    )


def matrices_text(model: ExplicitModel) -> str:
    """Return M, B, C, G, qq and q2 for a person, entries that are zero left out."""
    found = matrices_of(model)
    head = f"{model.robot.name}: tau = M qdd + B qq + C q2 + G; ROBMAT's B is half of this one"
    lines = [head, "", f"qq = ({', '.join(found.qq)})", f"q2 = ({', '.join(found.q2)})"]
    for name in ("M", "B", "C"):
        rows: Sequence[Sequence[str]] = getattr(found, name)
        lines += ["", f"{name}, {len(rows)} x {len(rows[0])}"]
        lines += [
            f"  {name}[{i + 1},{j + 1}] = {entry}"
            for i, row in enumerate(rows)
            for j, entry in enumerate(row)
            if entry != "0" and not (name == "M" and j < i)
        ]
    lines += ["", f"G, {len(found.G)}", *(f"  G[{i + 1}] = {entry}" for i, entry in enumerate(found.G) if entry != "0")]
    lines += ["", "Constants", *(f"  {constant}" for constant in model.constants.values())]
    return "\n".join(lines) + "\n"
