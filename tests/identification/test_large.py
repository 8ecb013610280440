"""Recordings read in windows, factored here or on a Dask cluster, give the answer of the whole."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from identification.synthetic import recording
from identification.test_identify import arm
from taut.api import Robot
from taut.errors import InputError
from taut.identify.estimate.identification import Identification, Settings
from taut.identify.estimate.identify import identify
from taut.recordings.windows import Window, windows_of
from taut.robot import Tree


@pytest.fixture(scope="module")
def truth() -> Robot:
    return arm()


@pytest.fixture(scope="module")
def file(truth: Robot, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = recording(truth, seconds=60.0)
    path = tmp_path_factory.mktemp("large") / "log.npz"
    np.savez(path, t=made.t, q=made.q, tau=made.tau)
    return str(path)


@pytest.fixture(scope="module")
def windows(file: str, truth: Robot) -> list[Window]:
    return windows_of(file, truth.joint_names, rows=2500)


@pytest.fixture(scope="module")
def streamed(truth: Robot, windows: list[Window]) -> Identification[Tree]:
    return identify(truth.tree, windows)


def test_windows_cover_the_recording_once(windows: list[Window]) -> None:
    assert len(windows) == 3
    assert all(a.own[1] == b.own[0] for a, b in pairwise(windows))
    assert windows[0].span == windows[-1].span == pytest.approx((0.0, 59.99))


@pytest.mark.slow
def test_streamed_as_the_whole(truth: Robot, streamed: Identification[Tree]) -> None:
    whole = identify(truth.tree, [recording(truth, seconds=60.0)])
    assert sum(streamed.samples) == pytest.approx(sum(whole.samples), rel=0.01)
    for name in whole.held_out:
        assert streamed.held_out[name] == pytest.approx(whole.held_out[name], rel=0.1)


def test_dask_gives_the_same_numbers(truth: Robot, windows: list[Window], streamed: Identification[Tree]) -> None:
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        found = identify(truth.tree, windows, settings=Settings(engine="dask"))
    for name, (value, _) in streamed.parameters.items():
        assert found.parameters[name][0] == pytest.approx(value, rel=1e-10, abs=1e-12)
    assert found.held_out == pytest.approx(streamed.held_out, rel=1e-10)


def test_compressed_archives_are_named(truth: Robot, tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", t=np.arange(9.0))
    with pytest.raises(InputError, match="savez_compressed"):
        windows_of(str(tmp_path / "a.npz"), truth.joint_names)
