"""Which column is which quantity of which joint: by a mapping, by joint names, by numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from taut.errors import InputError
from taut.recordings.mapping import Mapping
from taut.recordings.recording import Recording

TIME = ("t", "time", "stamp", "timestamp", "times", "sec", "seconds", "header_stamp", "elapsed", "rosbag_timestamp")
STAMPS = {"time", "stamp", "timestamp"}
"""Words at the end of a column's name that say it holds stamps: ``/joint_states/header/stamp``."""

WORDS = {
    "position": (
        *("q", "pos", "position", "positions", "qm", "q_meas", "angle", "joint_position", "actual_q"),
        *("joint_positions", "measured_position", "axis_act", "jnt_pos", "theta"),
    ),
    "velocity": ("qd", "dq", "vel", "velocity", "velocities", "qdot", "joint_velocity", "actual_qd"),
    "torque": (
        *("tau", "effort", "efforts", "eff", "torque", "torques", "taum", "trq", "tau_meas", "tau_j", "joint_torque"),
        *("current", "currents", "actual_current", "i_motor", "iq", "joint_torques", "measured_torque"),
        *("force", "forces"),
    ),
    "reference": ("q_ref", "ref", "reference", "references", "target_q", "q_cmd", "command", "commanded", "desired"),
}
"""Words for a quantity, in front of or behind a joint's name or number."""

ASKED_FOR = {"target", "desired", "des", "cmd", "command", "commanded", "ref", "reference", "setpoint", "goal"}
"""Words of columns that hold what a controller asked for, not what was measured."""

MEASURED = {"measured", "meas", "actual", "act"}
"""Words at either end of a column's name that say no more than that it was measured."""


class UnrecordedError(InputError):
    """Some joints are in no column of a recording.

    Attributes:
        joints: their names.
    """

    joints: tuple[str, ...] = ()


def assigned(columns: dict[str, np.ndarray], joints: Sequence[str], mapping: Mapping, place: str) -> Recording:
    """Return positions, rates and torques of the joints, in the units of the file."""
    notes: list[str] = []
    if mapping.position is None and mapping.torque is None:
        columns = _without_measured(columns)
    if (labels := _labels(columns, joints, mapping)) is not None:
        pairs = ", ".join(f"{label} is {joint}" for label, joint in zip(labels, joints, strict=True))
        notes.append(f"its columns do not have the robot's names; guessed by their order: {pairs}")
        joints = labels
    _refuse_unrecorded(columns, joints, mapping, place)
    found = {
        quantity: _columns(quantity, columns, joints, getattr(mapping, quantity), place, notes) for quantity in WORDS
    }
    for quantity in ("position", "torque"):
        if found[quantity] is None:
            stem = WORDS[quantity][0]
            raise InputError(
                f"no {quantity} columns; it has {_some(columns)}",
                place,
                f"name them {stem}1, {stem}2, ... or by joint ({stem}_{joints[0]}), or give a mapping file",
            )
    q, qd, tau, reference = (
        None if names is None else np.stack([columns[n] for n in names], 1) for names in found.values()
    )
    assert q is not None and tau is not None
    t = _time(columns, mapping, place, len(q), notes)
    return Recording(place, t, q, tau, qd, tuple(notes), reference)


def _columns(
    quantity: str,
    columns: dict[str, np.ndarray],
    joints: Sequence[str],
    given: tuple[str, ...] | str | None,
    place: str,
    notes: list[str],
) -> list[str] | None:
    """Return the columns of a quantity, one a joint; None where there are none."""
    if given is not None:
        names = [f"{given}{k + 1}" for k in range(len(joints))] if isinstance(given, str) else list(given)
        missing = [name for name in names if name not in columns]
        if missing or len(names) != len(joints):
            problem = f"no column '{missing[0]}'" if missing else f"{len(names)} columns for {len(joints)} joints"
            raise InputError(problem, place, f"the file has {_some(columns)}")
        return names
    ways = _ways(quantity, columns, joints)
    for way in ways:
        present = [name for name in way if name is not None]
        if len(present) == len(joints):
            notes.append(
                f"{quantity}: columns {present[0]} to {present[-1]}" if len(joints) > 1 else f"{quantity}: {present[0]}"
            )
            return present
    partial = max(ways, key=lambda way: sum(name is not None for name in way))
    if any(partial) and quantity in ("position", "torque"):
        k = partial.index(None)
        raise InputError(
            f"{quantity} of joint '{joints[k]}' is missing; it has {_some(columns)}",
            place,
            f"add that column, or hold the joint where it stood: --lock {joints[k]}=0",
        )
    return None


def _ways(quantity: str, columns: dict[str, np.ndarray], joints: Sequence[str]) -> list[list[str | None]]:
    """Return the ways in which columns can be those of a quantity: for each joint a column, or None."""
    ways = [[_by_name(columns, word, joint) for joint in joints] for word in WORDS[quantity]]
    ways += [[_by_number(columns, word, k) for k in range(len(joints))] for word in WORDS[quantity]]
    return ways + [_among_words(columns, quantity, word, joints) for word in WORDS[quantity]]


def _refuse_unrecorded(columns: dict[str, np.ndarray], joints: Sequence[str], mapping: Mapping, place: str) -> None:
    """Refuse a recording in which the same joints have neither a position nor a torque."""
    if mapping.position is not None or mapping.torque is not None:
        return
    best = (
        max(_ways(quantity, columns, joints), key=lambda way: sum(name is not None for name in way))
        for quantity in ("position", "torque")
    )
    missing = [{joint for joint, name in zip(joints, way, strict=True) if name is None} for way in best]
    if missing[0] == missing[1] and 0 < len(missing[0]) < len(joints):
        names = tuple(joint for joint in joints if joint in missing[0])
        error = UnrecordedError(
            f"no columns of joint '{names[0]}'; it has {_some(columns)}",
            place,
            f"add its position and torque, or hold the joint where it stood: --lock {names[0]}=0",
        )
        error.joints = names
        raise error


def _by_name(columns: dict[str, np.ndarray], word: str, joint: str) -> str | None:
    wanted = {_plain(f"{word}{joint}"), _plain(f"{joint}{word}")}
    return next((name for name in columns if _plain(name) in wanted), None)


def _by_number(columns: dict[str, np.ndarray], word: str, k: int) -> str | None:
    """Return the column of joint k + 1; a file that begins with 0 counts from there."""
    first = 0 if any(_numbered(name) == (_plain(word), 0) for name in columns) else 1
    return next((name for name in columns if _numbered(name) == (_plain(word), k + first)), None)


def _among_words(columns: dict[str, np.ndarray], quantity: str, word: str, joints: Sequence[str]) -> list[str | None]:
    """Return for each joint the one column whose words hold the joint's and the quantity's: ``/arm/elbow/position``."""
    names = [_words(joint) for joint in joints]
    found: list[list[str]] = [[] for _ in joints]
    for column in columns:
        words = _words(column)
        held = [k for k, name in enumerate(names) if _place(words, name) is not None]
        if not held:
            continue
        k = max(held, key=lambda k: len(names[k]))
        place = _place(words, names[k]) or 0
        rest = words[:place], words[place + len(names[k]) :]
        if quantity != "reference" and ASKED_FOR & {*rest[0], *rest[1]}:
            continue
        if any(_place(part, _words(word)) is not None for part in rest):
            found[k].append(column)
    return [some[0] if len(some) == 1 else None for some in found]


def _labels(columns: dict[str, np.ndarray], joints: Sequence[str], mapping: Mapping) -> list[str] | None:
    """Return what the file calls the joints, where its names are not the robot's, by the order of its columns."""
    if mapping.position is not None or mapping.torque is not None:
        return None
    if any(_place(_words(column), _words(joint)) is not None for column in columns for joint in joints):
        return None
    if any(None not in way for way in _ways("position", columns, joints)):
        return None
    columns = {
        name: x for name, x in columns.items() if not ASKED_FOR & {word.rstrip("0123456789") for word in _words(name)}
    }
    for word in map(_words, WORDS["position"]):
        labels = []
        for words in map(_words, columns):
            if words[: len(word)] == word and len(words) > len(word):
                labels.append("_".join(words[len(word) :]))
            elif words[-len(word) :] == word and len(words) > len(word):
                labels.append("_".join(words[: -len(word)]))
        if len(labels) == len(joints) and not any(label.isdigit() for label in labels):
            return labels
    return None


def _without_measured(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return columns whose names do not begin or end with a word for measured: ``actual_q1``, ``q1_meas``."""
    marks = "|".join(MEASURED)
    named = {re.sub(rf"(?i)^(?:{marks})[\s_.]+|[\s_.]+(?:{marks})$", "", name): x for name, x in columns.items()}
    return named if len(named) == len(columns) else columns


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[^a-z0-9]+", name.lower()) if word]


def _place(words: list[str], part: list[str]) -> int | None:
    """Return where some words stand among others, side by side."""
    span = len(part)
    return next((k for k in range(len(words) - span + 1) if words[k : k + span] == part), None)


def _numbered(name: str) -> tuple[str, int] | None:
    match = re.fullmatch(r"(.*?)[\s_.\[(]*(\d+)[\])]?", name.strip())
    return (_plain(match[1]), int(match[2])) if match else None


def _plain(name: str) -> str:
    return re.sub(r"[\s_./\-\[\]()]", "", name).lower()


def _time(columns: dict[str, np.ndarray], mapping: Mapping, place: str, count: int, notes: list[str]) -> np.ndarray:
    if mapping.time is not None:
        if mapping.time not in columns:
            raise InputError(f"no column '{mapping.time}'", place, f"the file has {_some(columns)}")
        return columns[mapping.time]
    if mapping.rate is None:
        stamped = [name for name in columns if STAMPS & {*_words(name)[-1:]}]
        others = stamped[0] if len(stamped) == 1 else None
        name = next((name for name in columns if _plain(name) in map(_plain, TIME)), others)
        if name is None:
            raise InputError(
                "no time column", place, "add a column t in seconds, or give --rate (or rate in a mapping)"
            )
        return columns[name]
    notes.append(f"stamps from the rate, {mapping.rate:g} Hz")
    return np.arange(count) / mapping.rate


def _some(columns: dict[str, np.ndarray]) -> str:
    names = list(columns)
    return ", ".join(names[:14]) + (", ..." if len(names) > 14 else "")
