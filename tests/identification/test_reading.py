"""Every kind of file gives the same recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from taut.errors import InputError
from taut.recordings.mapping import mapping_of
from taut.recordings.read import read_recording
from taut.recordings.recording import Recording
from taut.recordings.stamps import regular

JOINTS = ("shoulder", "elbow")
T = np.arange(40) * 0.01
Q = np.column_stack([np.sin(T), np.cos(T)])
TAU = np.column_stack([T, -2 * T])


def check(path: Path | str) -> None:
    found = read_recording(str(path), JOINTS)
    assert np.allclose(found.t, T) and np.allclose(found.q, Q) and np.allclose(found.tau, TAU)


def test_csv(tmp_path: Path) -> None:
    head = "t,q_shoulder,q_elbow,tau_shoulder,tau_elbow"
    np.savetxt(tmp_path / "a.csv", np.column_stack([T, Q, TAU]), delimiter=",", header=head, comments="")
    check(tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_text()
    (tmp_path / "b.csv").write_text(text.replace(",", ";") + "0.4;1.0")  # a ragged last line
    check(tmp_path / "b.csv")


def test_npz_and_its_parts(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", t=T, q=Q, tau=TAU)
    check(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", t_1=T, q_1=Q, tau_1=TAU, t_2=T, q_2=2 * Q, tau_2=TAU)
    check(f"{tmp_path / 'b.npz'}#1")


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"time": T, "position1": Q[:, 0], "position2": Q[:, 1], "effort1": TAU[:, 0], "effort2": TAU[:, 1]}
    parquet.write_table(arrow.table(columns), tmp_path / "a.parquet")
    check(tmp_path / "a.parquet")


def test_hdf5(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["t"], file["q"], file["tau"] = T, Q, TAU
    check(tmp_path / "a.h5")


def test_hdf5_with_groups(tmp_path: Path) -> None:
    """A group a joint is read; of several recordings none is taken without being named."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "joints.h5", "w") as file:
        file["t"] = T
        for k, joint in enumerate(JOINTS):
            file[f"{joint}/position"], file[f"{joint}/effort"] = Q[:, k], TAU[:, k]
    check(tmp_path / "joints.h5")
    with h5py.File(tmp_path / "runs.h5", "w") as file:
        for name in ("first", "second"):
            file[f"{name}/t"], file[f"{name}/q"], file[f"{name}/tau"] = T, Q, TAU
    with pytest.raises(InputError, match="several recordings: first, second"):
        read_recording(str(tmp_path / "runs.h5"), JOINTS)
    read_recording(f"{tmp_path / 'runs.h5'}#second", JOINTS)


def write_bag(path: Path, kind: str, with_effort: Callable[[int], bool]) -> None:
    """Write joint states whose names change order and whose receipt times are not those of the headers."""
    rosbag2 = pytest.importorskip("rosbags.rosbag2")
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    state, header, stamp = (
        store.types[name]
        for name in ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time")
    )
    with rosbag2.Writer(path, version=9, storage_plugin=rosbag2.StoragePlugin[kind]) as writer:
        line = writer.add_connection("/joint_states", state.__msgtype__, typestore=store)
        for k in range(len(T)):
            order = [0, 1] if k % 2 else [1, 0]
            message = state(
                header=header(stamp=stamp(sec=7, nanosec=round(T[k] * 1e9)), frame_id=""),
                name=[JOINTS[j] for j in order],
                position=Q[k, order],
                velocity=np.zeros(0),
                effort=TAU[k, order] if with_effort(k) else np.zeros(0),
            )
            writer.write(line, k, store.serialize_cdr(message, state.__msgtype__))


@pytest.mark.parametrize("kind", ["MCAP", "SQLITE3"])
def test_rosbag_names_in_any_order(tmp_path: Path, kind: str) -> None:
    write_bag(tmp_path / "bag", kind, lambda k: True)
    check(tmp_path / "bag")
    check(next(file for ending in ("mcap", "db3") for file in (tmp_path / "bag").glob(f"*.{ending}")))


def test_rosbag_with_empty_efforts(tmp_path: Path) -> None:
    """Messages without effort are left out; a bag without any is named."""
    write_bag(tmp_path / "some", "MCAP", lambda k: k % 4 != 0)
    found = read_recording(str(tmp_path / "some"), JOINTS)
    empty = np.arange(len(T)) % 4 == 0
    assert np.isnan(found.tau[empty]).all() and np.allclose(found.tau[~empty], TAU[~empty])
    write_bag(tmp_path / "none", "MCAP", lambda k: False)
    with pytest.raises(InputError, match="no torque columns"):
        read_recording(str(tmp_path / "none"), JOINTS)


@pytest.mark.parametrize(("old", "new"), [(",", " "), (",", "\t"), (",", ";")])
def test_text_of_other_programs(tmp_path: Path, old: str, new: str) -> None:
    """Other delimiters, decimal commas, and units in the names of columns."""
    head = "t[ms],shoulder.position[deg],elbow.position[deg],shoulder.torque[Nm],elbow.torque[Nm]"
    values = np.column_stack([1e3 * T, np.degrees(Q), TAU])
    np.savetxt(tmp_path / "a.csv", values, delimiter=",", header=head, comments="", fmt="%.12f")
    text = (tmp_path / "a.csv").read_text().replace(old, new)
    (tmp_path / "b.csv").write_text(text)
    check(tmp_path / "b.csv")
    if new == ";":
        head, rest = text.split("\n", 1)
        (tmp_path / "c.csv").write_text(head + "\n" + rest.replace(".", ","))
        check(tmp_path / "c.csv")


def test_mapping_with_gears_and_coupling(tmp_path: Path) -> None:
    T_motor = np.array([[30.0, 0.0], [10.0, -20.0]])
    offset = np.array([0.0, -np.pi / 2])
    motor = (Q - offset) @ T_motor.T
    current = np.linalg.solve(T_motor.T, TAU.T).T / 0.5
    np.savez(tmp_path / "a.npz", m=motor, i=current)
    mapping = mapping_of(
        {
            "rate": 100.0,
            "position": "m",
            "torque": "i",
            "gain": [0.5, 0.5],
            "transmission": T_motor.tolist(),
            "offset": [0, "-90 deg"],
        }
    )
    found = read_recording(str(tmp_path / "a.npz"), JOINTS, mapping)
    assert np.allclose(found.q, Q) and np.allclose(found.tau, TAU) and np.allclose(found.t, T)


@pytest.mark.parametrize("text", ["", "1,2,3\n4,5,6\n", "t,q1,q1,tau1,tau2\n0,0,0,0,0\n"])
def test_unusable_text_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError):
        read_recording(str(tmp_path / "a.csv"), JOINTS)


def test_repeated_samples_of_a_slower_source_are_left_out() -> None:
    """A logger at 50 Hz over a source at 49 Hz writes a sample twice now and then."""
    source = np.arange(0, 10, 1 / 49)
    stamps = np.arange(0, 10, 1 / 50)
    latest = np.clip(np.floor(stamps * 49 + 1e-9).astype(int), 0, len(source) - 1)
    q, tau = np.sin(source)[:, None], np.cos(source)[:, None]
    (piece,), notes = regular(Recording("made", stamps, q[latest], tau[latest]))
    assert any("repeat the one before" in note for note in notes)
    assert len(piece.q) == len(np.unique(latest))
    rates = np.gradient(piece.q[:, 0], 1 / piece.rate)
    true = np.gradient(q[np.unique(latest), 0], 1 / 49)
    assert np.abs(rates / true - 1)[np.abs(true) > 0.3].max() < 0.01


def test_columns_of_topics_and_other_names(tmp_path: Path) -> None:
    """Joints in the middle of a name; what a controller asked for is left; other names are taken by order, and said."""
    values = np.column_stack([T, Q[:, ::-1], 0 * Q, TAU])
    head = "t,/arm/elbow/position,/arm/shoulder/position,/arm/elbow/desired_position,/arm/shoulder/desired_position"
    head += ",/arm/shoulder/effort_1,/arm/elbow/effort_1"
    np.savetxt(tmp_path / "a.csv", values, delimiter=",", header=head, fmt="%.12f")
    check(tmp_path / "a.csv")
    log = tmp_path / "b.csv"
    np.savetxt(
        log, np.column_stack([T, Q, TAU[:, ::-1]]), delimiter=",", header="cell 7\nt,pos_A,pos_B,effort_B,effort_A"
    )
    check(log)
    assert any(
        "guessed by their order: a is shoulder, b is elbow" in note for note in read_recording(str(log), JOINTS).notes
    )
    log.write_text(log.read_text().replace("effort_A", "effort_C"))
    with pytest.raises(InputError, match="torque of joint"):
        read_recording(str(log), JOINTS)


@pytest.mark.parametrize(
    ("head", "factors"),
    [
        ("time_ms,q1_deg,q2_deg,tau1_Nm,tau2_Nm", (1e3, 180 / np.pi)),
        ("timestamp_ns,actual_q1,actual_q2,actual_torque1,actual_torque2", (1e9, 1)),
        ("/joints/header/stamp,/joints/shoulder/position,/joints/elbow/position,shoulder_force,elbow_force", (1, 1)),
        ("elapsed,q1_meas,q2_meas,tau1_meas,tau2_meas", (1, 1)),
        ("t_s,q1_rad,q2_rad,tau1_nm,tau2_nm", (1, 1)),
    ],
)
def test_usual_names_of_columns(tmp_path: Path, head: str, factors: tuple[float, float]) -> None:
    """Units behind an underscore, words for measured, stamps at the end of a path."""
    values = np.column_stack([T * factors[0], Q * factors[1], TAU])
    np.savetxt(tmp_path / "log.csv", values, delimiter=",", header=head, fmt="%.12g", comments="")
    check(tmp_path / "log.csv")


def test_what_was_asked_for_is_not_taken_as_measured(tmp_path: Path) -> None:
    head = "t,q1,q2,q_des1,q_des2,tau1,tau2,tau_des1,tau_des2"
    values = np.column_stack([T, Q, 0 * Q, TAU, 0 * TAU])
    np.savetxt(tmp_path / "log.csv", values, delimiter=",", header=head, fmt="%.12f", comments="")
    check(tmp_path / "log.csv")


def test_a_joint_may_end_like_a_unit(tmp_path: Path) -> None:
    values = np.column_stack([T, Q, TAU])
    head = "t,q_joint_s,q_joint_deg_1,tau_joint_s,tau_joint_deg_1"
    np.savetxt(tmp_path / "log.csv", values, delimiter=",", header=head, fmt="%.12f", comments="")
    assert np.allclose(read_recording(str(tmp_path / "log.csv"), ["joint_s", "joint_deg_1"]).q, Q)


def test_a_clock_that_is_set_back_is_cut() -> None:
    """All samples stay; the motion is cut where the clock was set, so that it has no step."""
    t = np.arange(0, 10, 0.01)
    q = np.column_stack([np.sin(t), np.cos(t)])
    set_back = np.where(t < 6, t, t - 4)
    pieces, notes = regular(Recording("made", set_back, q, q))
    assert [len(piece.q) for piece in pieces] == [600, 400]
    assert any("the clock is set back 1 time, by up to 3.99 s" in note for note in notes)
    assert max(np.abs(np.diff(piece.q, axis=0)).max() for piece in pieces) < 0.0101


def test_spikes_are_garbage_and_steps_are_not() -> None:
    t = np.arange(0, 10, 0.01)
    rng = np.random.default_rng(0)
    q = np.sin(t)[:, None] + 1e-4 * rng.normal(size=(1000, 1))
    tau = np.sign(np.cos(t))[:, None] + 0.02 * rng.normal(size=(1000, 1))
    dirty = q.copy()
    dirty[[200, 500, 501]] = 0.3
    (piece,), notes = regular(Recording("made", t, dirty, tau))
    assert any("3 samples with garbage cells" in note for note in notes)
    assert np.abs(piece.q - q).max() < 1e-3
    (piece,), notes = regular(Recording("made", t, q, tau))
    assert not notes
