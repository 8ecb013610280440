"""The result of a calibration as a page, plain data and proposed poses."""

from __future__ import annotations

from typing import Any

from taut.calibration.calibrate import Calibration
from taut.calibration.next_poses import next_poses
from taut.formats.toml_writer import write_toml
from taut.formats.urdf_writer import write_urdf
from taut.report.page import Page
from taut.report.page.parts import Listing, Prose, Section, Table

WRITERS = {"toml": write_toml, "urdf": write_urdf}
"""How a corrected robot is written, by the ending of the file."""

LISTED = 12
"""Unidentifiable errors that the text names; the data has all."""


def calibration_page(found: Calibration, count: int = 0) -> Page:
    """Return changes with their standard errors, errors before and after, and what could not be told apart."""
    errors = found.standard_errors
    rows = tuple((p.name, f"{found.fit.errors[p.name]:+.6g}", f"{errors[p.name]:.2g}", p.unit) for p in found.fitted)
    intro = (
        f"{found.frame} of {found.tree.name}: {len(found.fitted)} parameters fitted, "
        f"{found.found.rank} can be told apart"
    )
    sections = [
        Section("", (Prose(intro), Table(("parameter", "change", "standard error", "unit"), rows))),
        Section("Errors", (Listing(_errors(found)),)),
    ]
    dropped = [(name, like) for name, like in found.found.dropped.items() if like]
    if dropped:
        lines = [f"{name} = {_combination(like)}" for name, like in dropped[:LISTED]]
        if len(dropped) > LISTED:
            lines.append(f"and {len(dropped) - LISTED} more (--json has all)")
        sections.append(Section("Cannot be told apart from what is fitted", (Listing(tuple(lines)),)))
    if count:
        q, left = next_poses(found, count)
        worst = sorted(left, key=lambda name: left[name] / errors[name])[:3]
        said = Listing(tuple(f"{name}: {errors[name]:.2g} -> {left[name]:.2g}" for name in worst))
        poses = tuple(tuple(f"{x:.4f}" for x in row) for row in q)
        head = tuple(f"q{k + 1}" for k in range(q.shape[1]))
        about = Prose(f"{count} poses to measure next would lower the largest standard errors:")
        sections.append(Section("Poses to measure next", (about, said, Table(head, poses, left=0))))
    return Page(f"{found.tree.name}: calibrated", tuple(sections))


def _errors(found: Calibration) -> tuple[str, ...]:
    named = (("nominal robot", found.before), ("corrected robot", found.after), ("held-out poses", found.held_out))
    lines = [f"{name}: {_sizes(sizes)}" for name, sizes in named if sizes]
    if found.removed:
        lines.append(f"removed as outliers: line {', '.join(map(str, found.removed))}")
    if found.unexcited:
        lines.append(f"not determined by these poses: {', '.join(found.unexcited)}")
    return tuple(lines)


def calibration_data(found: Calibration, count: int = 0) -> dict[str, Any]:
    """Return the result of a calibration for a program."""
    errors = found.standard_errors
    data: dict[str, Any] = {
        "robot": found.tree.name,
        "frame": found.frame,
        "offsets": found.offsets,
        "parameters": {
            p.name: {"value": found.fit.errors[p.name], "standard_error": errors[p.name], "unit": p.unit}
            for p in found.fitted
        },
        "identifiable": found.found.rank,
        "unidentifiable": found.found.dropped,
        "not_determined": list(found.unexcited),
        "noise": {"position": found.fit.noise[0], "orientation": found.fit.noise[1]},
        "before": found.before,
        "after": found.after,
        "held_out": found.held_out,
        "removed": list(found.removed),
    }
    if count:
        q, left = next_poses(found, count)
        data["next"] = {"q": q.tolist(), "standard_errors": left}
    return data


def next_poses_csv(found: Calibration, count: int) -> str:
    """Return proposed joint positions as a table that a measurement can be added to."""
    q, _ = next_poses(found, count)
    head = ",".join(f"q{k + 1}" for k in range(q.shape[1]))
    return "\n".join([head, *(",".join(f"{x:.6f}" for x in row) for row in q)]) + "\n"


def _sizes(sizes: dict[str, float]) -> str:
    units = {"position": "mm", "orientation": "mrad"}
    return ", ".join(f"{name} {1e3 * size:.4g} {units[name]}" for name, size in sizes.items())


def _combination(like: dict[str, float]) -> str:
    largest = sorted(like.items(), key=lambda item: -abs(item[1]))[:4]
    text = " ".join(f"{'-' if x < 0 else '+'} {abs(x):.4g} {name}" for name, x in largest)
    return text.removeprefix("+ ") + (" + ..." if len(like) > 4 else "")
