"""An arm's kinematics on one page: pose, Jacobian, determinant, singularities, inverse, counts.

The same page as text, LaTeX and Markdown; formulas come from :mod:`taut.closed_form`, here they are arranged.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from taut.closed_form import Kinematics
from taut.closed_form.inverse import Inverse
from taut.closed_form.jacobian import ROWS
from taut.closed_form.writing import LATEX, TEXT, Notation, determinant_written, pivots, quotient_written, written
from taut.derive.function import Function
from taut.derive.tightening.tighten import Progress
from taut.errors import UnsupportedError
from taut.graph.text import to_text
from taut.polynomials.algebra import Polynomial
from taut.report.page import Page
from taut.report.page.parts import Equation, Matrix, Prose, Section


@dataclass(frozen=True)
class Counts:
    """The functions whose counts stand at the end of a page."""

    forward: Function
    jacobian: Function
    inverse: Function | None


def kinematics_counts(arm: Kinematics, effort: str = "normal", progress: Progress | None = None) -> Counts:
    """Return the functions of an arm, tightened and proved."""
    options: dict[str, Any] = {"effort": effort, "progress": progress}
    inverse: Function | None = None
    with suppress(UnsupportedError):
        inverse = arm.inverse_function(**options)
    return Counts(arm.forward_function(**options), arm.jacobian_function(**options), inverse)


def kinematics_page(arm: Kinematics, counts: Counts | None = None) -> Page:
    """Return all results about an arm, to be written in any notation."""
    sections = [_notation(arm), _forward(arm), _jacobian(arm), *_inverse(arm)]
    if counts is not None:
        sections.append(_counts(counts))
    return Page(f"Kinematics of {arm.robot}", tuple(sections))


def _notation(arm: Kinematics) -> Section:
    angles = [a for a in arm.chain.ring.angles if len(a.terms) > 1]
    named = "; ".join(f"C{a.label} = cos({to_text(a.node)})" for a in angles)
    prose = "C and S are cosine and sine of a joint's angle: C2 = cos(q2)" + (f"; {named}" if named else "") + "."
    values = [(g.name, arm.chain.model.naming.values.get(g.name)) for g in arm.chain.ring.generators]
    known = ", ".join(f"{name} = {value:.6g}" for name, value in values if value is not None)
    return Section("Notation", (Prose(prose), *((Prose(f"Lengths [m]: {known}."),) if known else ())))


def _forward(arm: Kinematics) -> Section:
    names = ["nx sx ax px", "ny sy ay py", "nz sz az pz"]
    equations = [
        _equation(arm, name, x)
        for row, entries in zip(names, arm.forward, strict=False)
        for name, x in zip(row.split(), entries, strict=True)
    ]
    where = f"Axes n, s, a and origin p of {arm.chain.frame.name} in the world."
    pose = _matrix("T", [equations[k : k + 4] for k in (0, 4, 8)], ("0", "0", "0", "1"))
    return Section("Forward kinematics", (Prose(where), pose, *equations), "T(q)")


def _matrix(letter: str, rows: Sequence[Sequence[Equation | None]], *below: tuple[str, ...]) -> Matrix:
    """Return a matrix of the right sides of equations where they fit, else of the left ones; None is 0."""

    def sides(side: int) -> Matrix:
        entries = [tuple("0" if e is None or e.latex[1] == "0" else e.latex[side] for e in row) for row in rows]
        return Matrix(letter, (*entries, *below))

    full = sides(1)
    return full if full.fits else sides(0)


def _jacobian(arm: Kinematics) -> Section:
    J = arm.task.jacobian
    entries = [
        [
            _equation(arm, f"J_{ROWS[k]}_{number}", x, (rf"J_{{{ROWS[k]},{number}}}",)) if x != 0 else None
            for number, x in zip(arm.chain.numbers, J.matrix[k], strict=True)
        ]
        for k in arm.task.rows
    ]
    rows = ", ".join(ROWS[k] for k in arm.task.rows)
    about = Prose(f"{_capital(J.where())}; rows {rows}; entries not listed are 0.")
    listed = [entry for row in entries for entry in row if entry is not None]
    return Section("Jacobian", (about, _matrix("J", entries), *listed), "J(q)")


def _inverse(arm: Kinematics) -> list[Section]:
    if arm.redundant:
        prose = (
            f"{arm.chain.n} joints for {len(arm.task.rows)} velocities: no inverse, but a right one. Of all joint "
            "rates that give the velocity it takes the smallest. It fails where det(J J^T) = 0."
        )
        formula = Equation(("J+", "J^T*(J*J^T)^-1"), (r"J^{+}", r"J^{T}\left(J J^{T}\right)^{-1}"))
        return [Section("Inverse Jacobian", (Prose(prose), formula))]
    try:
        inverse = arm.inverse
    except UnsupportedError as error:
        return [Section("Inverse Jacobian", (Prose(f"{_capital(error.message)}; {error.advice}."),))]
    return [_singular(arm, inverse), _entries(arm, inverse)]


def _singular(arm: Kinematics, inverse: Inverse) -> Section:
    text, latex = determinant_written(inverse, TEXT), determinant_written(inverse, LATEX)
    parts: list[Prose | Equation] = [Equation(("det J", text), (r"\det J", latex))]
    for singularity in arm.singularities:
        factor = [(written(inverse.ring, singularity.factor, notation), "0") for notation in (TEXT, LATEX)]
        parts += [Prose(f"{_capital(singularity.words)}:"), Equation(*factor)]
    return Section("Determinant and singular configurations", tuple(parts))


def _entries(arm: Kinematics, inverse: Inverse) -> Section:
    numbers = arm.chain.numbers
    order = "; ".join(
        f"{', '.join(inverse.columns[r] for r in block.rows)} by {_joints([numbers[c] for c in block.columns])}"
        for block in arm.task.blocks
    )
    named = zip(pivots(inverse, TEXT), pivots(inverse, LATEX), strict=True)
    parts: list[Prose | Equation] = [Prose(f"qd = G V, solved in this order: {order}. Entries not listed are 0.")]
    parts += [Equation(text, latex) for text, latex in named]
    if not inverse.is_readable:
        parts.append(
            Prose("The entries are too long to read; the program of inverse_function() solves block by block.")
        )
        return Section("Inverse Jacobian", tuple(parts))
    for number, row in zip(numbers, inverse.entries, strict=True):
        for column, entry in zip(inverse.columns, row, strict=True):
            if entry.numerator != 0:
                text = (f"G_{number}_{column}", quotient_written(inverse, entry, TEXT))
                latex = (f"G_{{{number},{column}}}", quotient_written(inverse, entry, LATEX))
                parts.append(Equation(text, latex))
    return Section("Inverse Jacobian", tuple(parts))


def _joints(numbers: Sequence[int]) -> str:
    return f"joint{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _counts(counts: Counts) -> Section:
    rows = [counts.forward, counts.jacobian, *([counts.inverse] if counts.inverse else [])]
    listed = []
    for f in rows:
        ops = f.operations
        proof = f"; proved: {f.proof.reference}, {f.proof.points} points of GF(2^61 - 1)" if f.proof else ""
        cost = f"{ops} operations, of these {ops.div} divisions, and {ops.trig} sines and cosines"
        listed.append(Prose(f"{f.name}: {cost}{proof}."))
    return Section("Operations", tuple(listed))


def _equation(arm: Kinematics, name: str, x: Polynomial, latex: tuple[str] | None = None) -> Equation:
    def side(notation: Notation) -> str:
        return written(arm.chain.ring, x, notation)

    left = latex[0] if latex else f"{name[0]}_{{{name[1:]}}}"
    return Equation((name, side(TEXT)), (left, side(LATEX)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
