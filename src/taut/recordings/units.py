"""From the units of a file to SI at the joints: stamps, degrees, motors; suspicious units are named."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np

from taut.errors import InputError
from taut.recordings.mapping import Mapping
from taut.recordings.recording import Recording

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
DEGREE = {"deg", "degree", "degrees", "°"}
FACTORS = {
    **dict.fromkeys((*DEGREE, *(f"{unit}/s" for unit in DEGREE)), math.pi / 180),
    **dict.fromkeys(("mm", "mm/s", "nmm", "n mm", "mnm"), 1e-3),
}
"""What a unit behind the name of a column is in SI; stamps have units of their own."""

BEHIND = re.compile(
    r"(.*[^\W_])_((?:rad|deg|degrees|mm)(?:_s)?|nm)|(t|elapsed|(?:.*\W)?(?:time|stamp|timestamp))_([mun]?s)", re.I
)
"""A name with a unit behind an underscore: ``q1_deg``, ``qd1_rad_s``, ``time_ms``."""

SLOWEST = 2.0
"""Samples a second below which stamps are taken to be in a smaller unit than seconds."""

FARTHEST = 4 * np.pi
"""Radians beyond which a position that has no unit is not believed."""

DEGREES = 400.0
"""Positions up to here may be degrees, beyond they are those of a motor."""

LONGEST = 10.0
"""Metres beyond which a position of a joint that slides is not believed."""

AGREE = 0.2
"""How close the ratio of rates to differences of positions must be to a known factor."""


def stated(columns: dict[str, np.ndarray], mapping: Mapping) -> tuple[dict[str, np.ndarray], Mapping]:
    """Return columns in SI without units in their names, ``q1 [deg]``, ``q3_mm``, and a mapping that knows of it."""
    named: dict[str, np.ndarray] = {}
    units = set()
    guessed = mapping.position is None and mapping.torque is None and mapping.time is None
    for name, values in columns.items():
        match = re.fullmatch(r"(.*\S)\s*[\[(]\s*([^\d\W][^\])]*|°|°/s)\s*[\])]", name)
        match = match or (BEHIND.fullmatch(name) if guessed else None)
        stem, unit = (part for part in match.groups() if part is not None) if match else (name, "")
        unit = unit.strip().lower().replace("_s", "/s")
        factor = FACTORS.get(unit, 1.0) if mapping.position_unit is None else 1.0
        named[stem] = values if factor == 1 else values * factor
        units.add(unit)
    if len(named) < len(columns):
        return columns, mapping
    if mapping.position_unit is None and units & DEGREE:
        mapping = replace(mapping, position_unit="rad")
    if mapping.time_unit is None and len(found := units & set(SECONDS)) == 1:
        mapping = replace(mapping, time_unit=found.pop())
    return named, mapping


def in_si(recording: Recording, mapping: Mapping) -> Recording:
    """Return the recording in seconds and radians, at the joints."""
    notes = list(recording.notes)
    t = _seconds(recording, mapping, notes)
    q, tau, qd, reference = recording.q, recording.tau, recording.qd, recording.reference
    joints = q.shape[1]
    for name in ("gain", "offset", "transmission", "kp", "kd"):
        array = getattr(mapping, name)
        if array is not None and len(array) != joints:
            raise InputError(
                f"{name} has {len(array)} entries, the robot {joints} joints", recording.source, "one a joint"
            )
    if mapping.position_unit == "deg":
        factor = np.where(mapping.slides or [False] * joints, 1.0, math.pi / 180)
        q, qd, reference = q * factor, *(None if x is None else x * factor for x in (qd, reference))
    if mapping.gain is not None:
        tau = tau * mapping.gain
    if mapping.transmission is not None:
        T = mapping.transmission
        q, tau = np.linalg.solve(T, q.T).T, tau @ T
        qd, reference = (None if x is None else np.linalg.solve(T, x.T).T for x in (qd, reference))
    if mapping.offset is not None:
        q, reference = q + mapping.offset, None if reference is None else reference + mapping.offset
    si = replace(recording, t=t, q=q, tau=tau, qd=qd, notes=tuple(notes), reference=reference)
    if mapping.position_unit is None:
        _check_positions(si, mapping)
    return si


def _seconds(recording: Recording, mapping: Mapping, notes: list[str]) -> np.ndarray:
    steps = np.diff(recording.t[np.isfinite(recording.t)])
    steps = steps[steps > 0]
    if not len(steps):
        raise InputError("the stamps do not increase", recording.source, "check the time column")
    unit = mapping.time_unit
    if unit is None:
        step = float(np.median(steps))
        unit = next((u for u, x in SECONDS.items() if step * x < 1 / SLOWEST), "ns") if mapping.rate is None else "s"
        if unit != "s":
            notes.append(f"stamps {step:g} apart are taken as {unit}; time_unit in a mapping file says otherwise")
    return recording.t * SECONDS[unit]


def _check_positions(recording: Recording, mapping: Mapping) -> None:
    """Refuse positions that are not radians, or metres of joints that slide."""
    largest = _largest(recording.q)
    slides = np.array(mapping.slides or [False] * len(largest))
    for k in np.flatnonzero(slides & (largest > LONGEST)):
        raise InputError(
            f"position {k + 1} of a joint that slides reaches {largest[k]:.4g}: not metres, maybe millimetres",
            recording.source,
            f"give metres, name the column 'q{k + 1} [mm]', or give gear in a mapping where it is a motor's angle",
        )
    largest[slides] = 0.0
    worst = int(np.argmax(largest))
    if recording.qd is not None and (factor := _rate_factor(recording)) is not None:
        what = {
            57.2958: "rad/s beside positions in degrees",
            0.0174533: "degrees per second beside positions in radians",
        }
        if factor in what:
            raise InputError(
                f"the rates are {what[factor]}", recording.source, "give both in one unit, or leave out the rates"
            )
    if largest[worst] > FARTHEST and mapping.transmission is None:
        if largest[worst] <= DEGREES:
            raise InputError(
                f"position {worst + 1} reaches {largest[worst]:.4g}: degrees or a motor's angle, not radians",
                recording.source,
                'give --unit deg (position_unit = "deg" in a mapping), gear in a mapping where it is a motor\'s angle, '
                "or --unit rad if the joint really turns that far",
            )
        raise InputError(
            f"position {worst + 1} reaches {largest[worst]:.4g}: a motor's angle or counts, not the joint's",
            recording.source,
            "give gear (or transmission) in a mapping file, or --unit rad if it really turns that far",
        )


def _largest(q: np.ndarray) -> np.ndarray:
    """Return the largest position of each joint, garbage cells left out."""
    finite = np.where(np.isfinite(q), np.abs(q), 0.0)
    largest: np.ndarray = np.quantile(finite, 0.999, axis=0)
    return largest


def _rate_factor(recording: Recording) -> float | None:
    """Return by which of the known factors the positions' differences exceed the rates, if by one."""
    assert recording.qd is not None
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        slopes = np.diff(recording.q, axis=0) / np.diff(recording.t)[:, None]
        middle = 0.5 * (recording.qd[1:] + recording.qd[:-1])
        moving = np.abs(middle) > 0.2 * np.nanmedian(np.abs(middle), axis=0)
        ratio = float(np.nanmedian((slopes / middle)[moving])) if moving.any() else 1.0
    return next((f for f in (57.2958, 0.0174533) if abs(ratio / f - 1) < AGREE), None)
