"""What is made small: multiplications, fused operations, time; and searches on several processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace

import pytest

import taut
from taut.analysis.fused import fused
from taut.analysis.opcount import count
from taut.cli import main
from taut.commands.derivation import seconds
from taut.derive import derive
from taut.derive.fastest import by_time
from taut.derive.tightening.clock import Ended
from taut.derive.tightening.crew import crew
from taut.derive.tightening.objective import OBJECTIVES, likely_time
from taut.derive.tightening.tighten import Budget
from taut.derive.tightening.workers import Job, Workers
from taut.errors import InputError
from taut.graph import Graph, Stage
from taut.graph.assembly import Assembly
from taut.graph.lower import lower
from taut.graph.program import Program, Signed
from taut.runtime.timing import timed

ROBOT = "stanford_rrp"


def some_program() -> Program:
    return derive(taut.load(ROBOT).tree, "inverse_dynamics", effort="none", fresh=True).program


class TestCosts:
    def test_fused(self) -> None:
        graph = Graph()
        x, y, z = (graph.symbol(name, Stage.CONFIGURATION) for name in "xyz")
        assert fused(lower([x * y + z])) == 1
        assert fused(lower([x * y + x * z])) == 2
        assert fused(lower([x * y + z, x * y])) == 2  # the product is needed for itself
        assert fused(lower([x / y + z])) == 2
        assert fused(lower([x + y - z])) == 2

    def test_equal_counts_are_told_apart_by_divisions_and_angles(self) -> None:
        graph = Graph()
        x, y = (graph.symbol(name, Stage.CONFIGURATION) for name in "xy")
        times, divided = lower([x * y]), lower([x / y])
        assert OBJECTIVES["m+a"](times) < OBJECTIVES["m+a"](divided) < OBJECTIVES["m+a"](times) + 1
        assert likely_time(lower([x.sin() * y])) > likely_time(times)

    @pytest.mark.slow
    def test_objectives_are_met(self) -> None:
        robot = taut.load("scara")
        found = {
            name: robot.derive("inverse_dynamics", objective=name, effort="normal") for name in ("m+a", "m", "fma")
        }
        assert found["m"].operations.mul <= found["m+a"].operations.mul
        assert fused(found["fma"].program) <= fused(found["m+a"].program)
        assert all(f.objective == name for name, f in found.items())
        with pytest.raises(InputError, match="objective 'speed'"):
            robot.derive("gravity", objective="speed")

    def test_cycles_are_measured(self) -> None:
        found = taut.load("double_pendulum").derive("inverse_dynamics", objective="cycles", effort="normal")
        assert found.proof is not None
        [time_of_it] = timed([found], rounds=1, repeats=2)
        assert 0 < time_of_it.batch and 0 < time_of_it.one < 1e6


class TestFastest:
    @staticmethod
    def total(in_pairs: bool, more: int = 0) -> Program:
        """Return the sum of 65 numbers one after the other or in pairs, with so many useless products."""
        lines = Assembly()
        values = [Signed(1, lines.line("input", (), Stage.CONFIGURATION, f"q{k}")) for k in range(65)]
        for _ in range(more):
            values[0] = lines.multiply(values[0], values[1])
        while in_pairs and len(values) > 1:
            pairs = zip(values[::2], values[1::2], strict=False)
            values = [*(lines.add(a, b) for a, b in pairs), *values[len(values) & ~1 :]]
        return lines.program([lines.sum(values)])

    def test_the_fastest_of_nearly_the_fewest(self) -> None:
        chain, pairs = self.total(False), self.total(True, more=1)
        assert (count(chain).total, count(pairs).total) == (64, 65)
        [(first, said), (second, _)] = by_time([chain, pairs])
        assert (first, second) == (1, 0) and said.cycles < said.fewest_cycles and said.fewest == 64
        assert [k for k, _ in by_time([chain, self.total(True, more=2)])] == [0]  # 3 % more

    def test_time_never_costs_more_than_two_percent(self) -> None:
        robot = taut.load("stanford_rrp")
        fewest, fastest = (robot.derive("bias", fresh=True, objective=objective) for objective in ("m+a", "time"))
        said = fastest.simulated
        assert fewest.simulated is None and said is not None
        assert said.fewest == fewest.operations.total <= fastest.operations.total <= 1.02 * said.fewest
        assert said.cycles <= said.fewest_cycles and fastest.structural == fewest.structural
        assert f"fewest found {said.fewest}" in " ".join(fastest.routine().remarks)
        assert robot.derive("bias", objective="time", effort="none").simulated is None  # nothing was searched


class TestTimes:
    @pytest.mark.parametrize(
        ("text", "value"), [("300", 300), ("300s", 300), ("5min", 300), ("0.5 h", 1800), ("1e2s", 100)]
    )
    def test_units(self, text: str, value: float) -> None:
        assert seconds(text) == value

    @pytest.mark.parametrize("text", ["", "s", "5x", "1.2.3", "-", "five"])
    def test_refused(self, text: str, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as end:
            main(["count", ROBOT, f"--budget={text}"])
        assert end.value.code == 2
        assert "is no time" in capsys.readouterr().err


class TestWorkers:
    def jobs(self) -> list[Job]:
        program = some_program()
        return [Job(program, Budget(rounds=2, steps=2_000), seed, {}, [], None) for seed in (1, 2, 3)]

    def test_two_processes_find_what_one_finds(self) -> None:
        jobs = self.jobs()
        with Workers(processes=1) as alone, Workers(processes=2) as two:
            assert alone.run(jobs) == two.run(jobs)
            assert alone.ended is two.ended is Ended.STEPS

    def test_a_deadline_ends_all(self) -> None:
        with Workers(processes=2, deadline=time.monotonic() - 1) as workers:
            assert workers.run(self.jobs()) == [None, None, None]
            assert workers.ended is Ended.TIME

    def test_counts_only_fall(self) -> None:
        told: list[int] = []
        with Workers(processes=2, progress=lambda _, cost: told.append(cost)) as workers:
            workers.run(self.jobs())
        assert told == sorted(told, reverse=True)

    def test_ctrl_c_keeps_the_best(self, heeds_ctrl_c: None) -> None:
        long = [Job(some_program(), Budget(rounds=1000, steps=10**7), seed, {}, [], None) for seed in (1, 2, 3)]
        started = threading.Event()
        threading.Thread(target=lambda: started.wait(30) and os.kill(os.getpid(), signal.SIGINT), daemon=True).start()
        with Workers(processes=2, progress=lambda *_: started.set()) as workers:
            found = workers.run(long)
        assert workers.ended is Ended.CTRL_C
        assert any(result is not None for result in found)

    def test_a_job_that_fails_is_told(self) -> None:
        wrong = Job(Program((), ()), Budget(rounds=1, steps=10), "no seed", {}, [], None)  # type: ignore[arg-type]
        with Workers(processes=2) as workers, pytest.raises(taut.TautError, match="a process of the search failed"):
            workers.run([wrong, wrong])

    def test_a_cluster_finds_what_one_process_finds(self) -> None:
        pytest.importorskip("dask.distributed")
        from dask.distributed import Client, LocalCluster

        jobs = self.jobs()
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
            Client(cluster),
        ):
            with Workers(processes=1) as alone, crew("dask", 1)(None, None, time.monotonic) as spread:
                assert alone.run(jobs) == spread.run(jobs)
            local, remote = (
                taut.load("stanford_rrp").derive("bias", fresh=True, seed=3, engine=engine)
                for engine in ("local", "dask")
            )
            wrong = replace(jobs[0], seed="no seed")  # type: ignore[arg-type]
            failing = crew("dask", 1)(None, None, time.monotonic)
            with failing, pytest.raises(taut.TautError, match="a worker of the cluster failed"):
                failing.run([wrong, wrong])
        assert remote.program == local.program and remote.reproducible

    def test_engines(self) -> None:
        with pytest.raises(taut.InputError, match="engine 'spark'"):
            taut.load(ROBOT).derive("gravity", engine="spark")
