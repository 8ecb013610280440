"""A plant with Izaguirre's 52 averages: dependencies, significance, unbiased estimates with intervals that cover."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from taut.identify.published import published_parameters

EXAMPLE = Path(__file__).parents[2] / "examples" / "identification" / "known_truth.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("known_truth", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["known_truth"] = module
    spec.loader.exec_module(module)
    return module


def test_78_to_52_as_published_and_exactly(example: ModuleType) -> None:
    found = published_parameters(example.plant().tree)
    assert (len(found.names), len(found.kept)) == (78, 52)
    assert example.plant().base_parameters(drives=True, friction=True).count == 52


def test_his_parameters_reproduce_the_plant(example: ModuleType) -> None:
    """The 52 of Table 1, in his frames, give the torques of the robot file."""
    his = example.table()
    assert his.names[:8] == ("ia1", "ia2", "ia3", "ia4", "ia5", "ia6", "m6", "x6")
    assert np.isclose(his.values[his.names.index("y4")], -0.344338)
    run = example.runs()[7]
    torque = example.full_regressor(example.plant().tree, *run.motion) @ his.matrix @ his.values
    assert np.abs(torque - run.tau).max() < 1e-9 * np.abs(run.tau).max()


def test_significant_parameters_hold_all_of_his(example: ModuleType) -> None:
    shares, chosen = example.significant()
    assert set(example.HIS_23) <= set(chosen)
    assert all(shares[name] >= 0.01 for name in set(chosen) - set(example.HIS_23))


@pytest.mark.slow
def test_intervals_of_instrumental_variables_cover_and_those_of_least_squares_do_not(example: ModuleType) -> None:
    plain, better, bias, unbiased = example.coverage(25)
    assert 0.90 < better.mean() < 0.99
    assert plain.mean() < 0.8
    assert np.abs(unbiased).max() < 1.0 < np.abs(bias).max()


def test_fitting_the_coupling_of_the_wrist_lowers_its_errors(example: ModuleType) -> None:
    without, with_coupling = example.coupled_errors()
    assert (with_coupling[3:] < 0.1 * without[3:]).all()
