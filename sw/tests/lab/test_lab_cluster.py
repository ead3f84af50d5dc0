# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps on workers of a Dask cluster that are processes with disks of their own, and that may die."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from distributed import LocalCluster
from sw.tests.lab.lab_runs import SMALL, fake_binaries, sweep_of

from truemark.lab import runner
from truemark.lab.folder import failed_runs, whole_runs
from truemark.lab.sweep import Task, is_done, sweep

POINTS = "".join(f"[[point]]\nname = '{stop}'\nset = {{ stop = '{stop}s' }}\n" for stop in (20, 50, 30))
Worker = Callable[[str], Path]


@pytest.fixture
def scheduler() -> Iterator[str]:
    """A scheduler that speaks TCP, without workers."""
    with LocalCluster(n_workers=0, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def worker(scheduler: str, tmp_path: Path) -> Iterator[Worker]:
    """Begin a worker in a folder of its own, where it has copies of runner and engine."""
    begun = []

    def begin(name: str) -> Path:
        place = tmp_path / name
        shutil.copytree(tmp_path / "bin", place / "bin")
        (place / "tmp").mkdir()
        own = {
            "TMPDIR": place / "tmp",
            "TRUEMARK_LAB_RUNNER": place / "bin/lab-runner",
            "TRUEMARK_LIB": place / "bin",
        }
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(place / "dask")]
        command = [sys.executable, "-m", "distributed.cli.dask_worker", scheduler, *options]
        with (place / "worker.log").open("w") as log:
            environment = os.environ | {key: str(value) for key, value in own.items()}
            begun.append(subprocess.Popen(command, cwd=place, env=environment, stdout=log, stderr=log))
        return place

    yield begin
    for process in begun:
        process.kill()
        process.wait()


def run_all(tasks: list[Task], scheduler: str) -> tuple[list[str], list[str]]:
    """Run a sweep; return the names of what failed with its words, and what was said."""
    said: list[str] = []
    found = sweep(tasks, workers=1, scheduler=scheduler, tell=said.append)
    return [f"{task.name}: {words}" for task, words in found], said


def test_workers_need_no_disk_of_who_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str, worker: Worker
) -> None:
    """*Stimulus*: a worker elsewhere; a run that fails; then a worker's engine changes.

    *Checks*: runs are made below the worker's folder, and come back whole; both hashes are named.
    """
    client = tmp_path / "client"
    client.mkdir()
    # Each run says where it is made, and whether it sees a folder of a run where who asks keeps them.
    seen = f"pwd >> $TMPDIR/places; ls -d {client}/out/*/*/* >> $TMPDIR/seen 2>&1"
    fails = '[ "$stop" != 50000000000 ] || { echo no luck; exit 1; }'
    fake_binaries(tmp_path / "bin", monkeypatch, f"{seen}\n{fails}")
    place = worker("worker")
    tasks = sweep_of(client, f"seeds = [1]\n{POINTS}")
    failed, said = run_all(tasks, scheduler)
    places = (place / "tmp/places").read_text().split()
    assert len(places) == 3
    assert all(each.startswith(f"{place}/dask/") for each in places)
    assert not any(Path(each).exists() for each in places), "nothing is left of them"
    assert ".part" not in (place / "tmp/seen").read_text().splitlines()[0], "nobody makes a run there"

    assert len(failed) == 1
    assert failed[0].startswith("50, seed 1: small, seed 1: on ")
    assert "the run failed: no luck (log: " in failed[0]
    assert "no luck" in (tasks[1].folder.with_name("seed-1.failed") / "log.txt").read_text()
    assert sum(" of 3: " in line for line in said) == 3
    assert [is_done(task) for task in tasks] == [True, False, True]
    done = runner.load(tasks[0].folder)
    assert done.result["point"] == "20"
    assert {path.name for path in done.folder.iterdir()} == {"input.json", "flows.csv", "log.txt", "result.json"}
    assert f"{place}/bin/libtruemark_model.so" in (done.folder / "input.json").read_text()

    engine = place / "bin/libtruemark_model.so"
    wanted = runner.hash_of(engine)
    engine.write_text("another engine\n")
    failed, _ = run_all(tasks[1:2], scheduler)
    assert f"{engine} has hash {runner.hash_of(engine)}, but {tmp_path}/bin/{engine.name} of who" in failed[0]
    assert f"has {wanted}: copy that one there, or set TRUEMARK_LIB" in failed[0]


def test_a_sweep_survives_a_worker_that_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str, worker: Worker
) -> None:
    """*Stimulus*: a run kills its worker, once. *Checks*: it is named and made on another; nothing is half made."""
    client, died = tmp_path / "client", tmp_path / "died"
    client.mkdir()
    kills = f"[ $stop,$seed != 50000000000,1 ] || [ -e {died} ] || {{ touch {died}; kill -9 $PPID; exit 1; }}"
    fake_binaries(tmp_path / "bin", monkeypatch, kills)
    worker("first")
    worker("second")
    tasks = sweep_of(client, f"seeds = [1, 2]\n{POINTS}")
    failed, said = run_all(tasks, scheduler)
    assert died.exists()
    assert not failed
    assert any(line.startswith("50, seed 1: its worker at tcp://127.0.0.1:") for line in said)
    assert sum(" of 6: " in line for line in said) == 6
    assert whole_runs(client) == sorted(task.folder for task in tasks)
    assert not failed_runs(client)
    assert not list(client.rglob("*.part"))


def test_a_run_that_kills_every_worker_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str, worker: Worker
) -> None:
    """*Stimulus*: a run kills each of the four workers that try it. *Checks*: it fails, the other is there."""
    client = tmp_path / "client"
    client.mkdir()
    fake_binaries(tmp_path / "bin", monkeypatch, '[ "$stop" != 50000000000 ] || { kill -9 $PPID; exit 1; }')
    for number in range(4):
        worker(str(number))
    tasks = sweep_of(client, f"seeds = [1]\n{POINTS}")
    failed, _ = run_all(tasks[1:2], scheduler)
    assert len(failed) == 1
    assert failed[0].startswith("50, seed 1: 4 workers died in mid-run, the last at tcp://127.0.0.1:")
    assert not whole_runs(client)
    worker("last")
    assert run_all(tasks[:1], scheduler)[0] == []


def test_a_sweep_says_that_there_is_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str, worker: Worker
) -> None:
    """*Stimulus*: a scheduler alone, and a worker once that is said. *Checks*: how to begin one; the run is made."""
    monkeypatch.setattr("truemark.lab.sweep.WORKER_S", 0.5)
    fake_binaries(tmp_path / "bin", monkeypatch)
    tasks = sweep_of(tmp_path, f"seeds = [1]\n{POINTS}")[:1]
    said: list[str] = []

    def tell(line: str) -> None:
        said.append(line)
        if "has no worker" in line:
            worker("late")

    waiting = Thread(target=lambda: sweep(tasks, workers=1, scheduler=scheduler, tell=tell), daemon=True)
    waiting.start()
    waiting.join(timeout=60)
    assert not waiting.is_alive(), f"it waits for ever, and has said {said}"
    alone = f"{scheduler} has no worker: runs begin when one comes, as by `dask worker {scheduler}`"
    assert said == [alone, "1 of 1: 20, seed 1"]
    assert is_done(tasks[0])


# As a worker does it: a thread waits for the runner.
LONG = """
from pathlib import Path
from threading import Thread
from truemark.lab import runner
from truemark.lab.scenario import read_scenario
scenario = read_scenario(Path({small!r}), [{{"stop": "20000s", "workload": {{"flow_bytes": 10**11}}}}])
Thread(target=runner.run, args=(scenario, Path({folder!r}))).start()
"""


def children(parent: int) -> dict[int, str]:
    """Return the processes of a parent that run, with their names: what Linux has in /proc."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            name, _, rest = path.read_text().partition(" (")[2].rpartition(") ")
            state, parent_of, *_ = rest.split()
            if int(parent_of) == parent and state != "Z":
                found[int(path.parent.name)] = name
    return found


def runs(process: int) -> bool:
    """Return whether a process runs, and not only waits for its parent to hear of its end."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    return False


def in_time(holds: Callable[[], bool]) -> bool:
    """Return whether something comes to hold."""
    until = time.monotonic() + 30
    while not holds() and time.monotonic() < until:
        time.sleep(0.05)
    return holds()


@pytest.mark.builds("engine:model", "lab-runner")
def test_a_runner_ends_with_its_worker(tmp_path: Path) -> None:
    """*Stimulus*: a worker is killed in mid-run; a runner begins when its worker has ended. *Checks*: both end."""
    code = LONG.format(small=str(SMALL), folder=str(tmp_path / "run"))
    worker = subprocess.Popen([sys.executable, "-c", code])
    child = 0
    try:
        assert in_time(lambda: "lab-runner" in children(worker.pid).values())
        (child,) = children(worker.pid)
        time.sleep(0.5)
        assert runs(child), "it has begun, and its worker lives"
        worker.kill()
        worker.wait()
        assert in_time(lambda: not runs(child))
    finally:
        worker.kill()
        if child and runs(child):
            os.kill(child, signal.SIGKILL)
    orphan = {**runner.runner_environment(), runner.PARENT: "-1"}
    done = subprocess.run([runner.find_runner(), "a", "b", "c"], env=orphan, capture_output=True, check=False)
    said = b"lab-runner: its parent -1 has ended\n"
    assert (done.returncode, done.stderr) == (1, said), "it does not even look for its input"
