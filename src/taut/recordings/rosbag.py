"""Recordings in rosbag2 folders, MCAP and ROS 1 bags: messages sensor_msgs/JointState."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from taut.errors import InputError

JOINT_STATE = ("sensor_msgs/msg/JointState", "sensor_msgs/JointState")


def read_rosbag(path: Path, part: str = "") -> dict[str, np.ndarray]:
    """Return position, velocity and effort of every joint named in a bag, stamped by the headers.

    Names may change order from message to message; a message without effort leaves NaN there. ``part`` names the
    topic where there are several.
    """
    try:
        from rosbags.highlevel import AnyReader
    except ImportError:
        raise InputError("bags need rosbags", str(path), "install taut[logs]") from None
    stamps: list[float] = []
    rows: list[dict[str, float]] = []
    try:
        with AnyReader([path.parent if path.suffix == ".db3" else path], **_types()) as reader:
            found = [c for c in reader.connections if c.msgtype in JOINT_STATE]
            topics = sorted({c.topic for c in found})
            if part:
                found = [c for c in found if c.topic == part]
            if not found:
                raise InputError(
                    "no JointState messages", str(path), f"topics with them: {', '.join(topics) or 'none'}"
                )
            if len({c.topic for c in found}) > 1:
                raise InputError(
                    f"JointState on several topics: {', '.join(topics)}", str(path), f"name one: {path}#{topics[0]}"
                )
            for connection, _, raw in reader.messages(connections=found):
                message: Any = reader.deserialize(raw, connection.msgtype)
                stamps.append(message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec)
                rows.append(_cells(message))
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"the bag cannot be read: {error}", str(path), "check the file") from None
    names = sorted({name for row in rows for name in row})
    columns = {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}
    columns = {name: x for name, x in columns.items() if np.isfinite(x).any()}
    return {"t": np.array(stamps) - (stamps[0] if stamps else 0.0), **columns}


def _types() -> dict[str, Any]:
    from rosbags.typesys import Stores, get_typestore

    return {"default_typestore": get_typestore(Stores.ROS2_HUMBLE)}


def _cells(message: Any) -> dict[str, float]:
    """Return {quantity_joint: number} of one message."""
    cells: dict[str, float] = {}
    for quantity in ("position", "velocity", "effort"):
        values = getattr(message, quantity)
        if len(values) == len(message.name):
            cells |= {f"{quantity}_{name}": float(x) for name, x in zip(message.name, values, strict=True)}
    return cells
