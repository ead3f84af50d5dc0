# SPDX-License-Identifier: BSD-3-Clause
"""What the lab costs: CPU time against ns-3's own RedQueueDisc, a second Dask worker's gain, full size, everyday form.

Adds its keys to build/bench.json and its figures to results/, and ends with 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from truemark.errors import TruemarkError
from truemark.lab.runner import call_runner, find_runner, runner_input
from truemark.lab.scenario import Scenario, merged, validated
from truemark.lab.sweep import Task, sweep
from truemark.toml_errors import read_toml
from truemark_dev.results import Figure, record, slug, taken

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = ROOT / "sim/lab/scenarios/hadoop-reduced.toml"
FULL = SCENARIO.with_name("hadoop-full.toml")
CPU_BAR = 1.15
DASK_BAR = 1.8
MINUTES_BAR, GIGABYTES_BAR = 12, 1.2
EVERYDAY_BAR = 45  # minutes, on two idle cores
EVERYDAY = ROOT / "build/lab/everyday"  # emptied before it is measured
# RED without a band draws no random number: both queues take the same decisions, and both runs the same events.
BAND = {"min": 30_000, "max": 30_000}
QUEUES: dict[str, dict[str, Any]] = {
    "truemark": {"queue": {"policy": "red", "red": {**BAND, "probability": 0.1, "weight": 0}}},
    "ns3": {"queue": {"policy": "droptail", "implementation": "ns3-red", "ns3_red": {**BAND, "measured": False}}},
}


def prepare(folder: Path, flow_bytes: int) -> dict[str, Path]:
    """Return the folder of each queue's run. ns-3's runs without the lab's measuring at its ports, ours with it."""
    content, text = read_toml(SCENARIO)
    shared = {"workload": {"flow_bytes": flow_bytes}, "measure": {"sample": "0s"}}
    return {
        name: with_input(folder / name, validated(merged(merged(content, shared), change), text, str(SCENARIO)))
        for name, change in QUEUES.items()
    }


def with_input(folder: Path, scenario: Scenario) -> Path:
    """Return the folder, made, with what the runner is told of a scenario."""
    folder.mkdir(parents=True)
    (folder / "input.json").write_text(json.dumps(runner_input(scenario)))
    return folder


def cpu_ratio(rounds: int, flow_bytes: int) -> float:
    """CPU seconds of the simulation, alternating, minimum of all rounds of each."""
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        folders = prepare(Path(place), flow_bytes)
        for number in range(1, rounds + 1):
            done = {}
            for name, folder in folders.items():
                call_runner(find_runner(), folder)
                done[name] = json.loads((folder / "runner.json").read_text())
                best[name] = min(best.get(name, float("inf")), done[name]["cpu_s"])
            if len({(run["events"], run["job"]["time_s"]) for run in done.values()}) != 1:
                raise TruemarkError("the two queues did not do the same work: events and job times differ")
            took = ", ".join(f"{name} {run['cpu_s']:.2f} s" for name, run in done.items())
            print(f"round {number}: {took}", flush=True)
    print(f"minimum: truemark {best['truemark']:.2f} s, ns-3 {best['ns3']:.2f} s")
    return best["truemark"] / best["ns3"]


def dask_speedup(flow_bytes: int) -> float:
    """Wall time of four equal runs with one worker, divided by that with two."""
    content, text = read_toml(SCENARIO)
    scenario = validated(merged(content, {"workload": {"flow_bytes": flow_bytes}}), text, str(SCENARIO))
    took = {}
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as place:
            tasks = [Task("bench", scenario, Path(place) / f"run-{number}") for number in range(4)]
            begin = time.monotonic()
            if sweep(tasks, workers=workers, scheduler=None, tell=lambda _: None):
                raise TruemarkError("a run of the sweep failed")
            took[workers] = time.monotonic() - begin
            print(f"{workers} worker{'s' if workers > 1 else ''}: {took[workers]:.1f} s", flush=True)
    return took[1] / took[2]


def machine_speedup(flow_bytes: int) -> float:
    """Wall time of two equal runs one after the other, divided by that of two side by side: what the machine allows."""
    took = {}
    with tempfile.TemporaryDirectory() as place:
        folders = [prepare(Path(place) / number, flow_bytes)["truemark"] for number in ("1", "2")]
        for way, workers in (("apart", 1), ("together", 2)):
            begin = time.monotonic()
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(partial(call_runner, find_runner()), folders))
            took[way] = time.monotonic() - begin
    print(
        f"two bare runs: {took['apart']:.1f} s one after the other, {took['together']:.1f} s side by side", flush=True
    )
    return took["apart"] / took["together"]


def full_size() -> tuple[float, float]:
    """Minutes of CPU and gigabytes of the full-size shuffle, whose runner is this process's only large child."""
    with tempfile.TemporaryDirectory() as place:
        call_runner(find_runner(), with_input(Path(place) / "full", validated(*read_toml(FULL), str(FULL))))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) / 60, used.ru_maxrss * 1024 / 1e9


def everyday() -> float:
    """Minutes that `make lab` takes from an empty store, with two workers; the runner is built before."""

    def make(*words: str) -> None:
        own = {name: value for name, value in os.environ.items() if name != "LAB_SWEEPS"}
        if subprocess.run(["make", *words], cwd=ROOT, env=own, check=False).returncode:
            raise TruemarkError(f"make {words[0]} failed; what it printed says why")

    make("lab-runner")
    if EVERYDAY.exists():
        shutil.rmtree(EVERYDAY)
    begin = time.monotonic()
    make("lab", f"LAB_STORE={EVERYDAY}", "WORKERS=2")
    return (time.monotonic() - begin) / 60


def main() -> int:
    """Measure, print, add to the figures, and judge."""
    parser = argparse.ArgumentParser(description="What the network lab costs.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--flow-bytes", type=int, default=402_516)
    parser.add_argument("--only", choices=("cpu", "dask", "full", "everyday"))
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench.json")
    options = parser.parse_args()
    figures: dict[str, float] = {}
    missed = 0
    origin = taken(" ".join(["python -m sim.lab.bench", *sys.argv[1:]]))

    def keep(title: str, value: float, unit: str, bar: float | None = None, better: str = "") -> None:
        key = f"lab-cost.{slug(title)}"
        record("lab", [Figure(key, title, round(value, 3), unit, bar, better, **origin)])

    if options.only == "full":  # ten minutes and more, so only when asked for
        minutes, gigabytes = full_size()
        figures["lab.full_size.cpu_minutes"], figures["lab.full_size.gigabytes"] = minutes, gigabytes
        keep("CPU of the full-size Terasort", minutes, "min", MINUTES_BAR, "less")
        keep("memory of the full-size Terasort", gigabytes, "GB", GIGABYTES_BAR, "less")
        missed += minutes > MINUTES_BAR or gigabytes > GIGABYTES_BAR
        print(
            f"lab.full_size: {minutes:.1f} min of CPU (bar: {MINUTES_BAR}), {gigabytes:.2f} GB (bar: {GIGABYTES_BAR})"
        )
    if options.only == "everyday":  # half an hour, on a machine that does nothing else
        figures["lab.everyday.minutes"] = minutes = everyday()
        keep("make lab from an empty store", minutes, "min", EVERYDAY_BAR, "less")
        missed += minutes > EVERYDAY_BAR
        print(f"lab.everyday.minutes = {minutes:.1f} (bar: at most {EVERYDAY_BAR})")
    if options.only in (None, "cpu"):
        figures["lab.cpu_ratio_vs_ns3_red"] = ratio = cpu_ratio(options.rounds, options.flow_bytes)
        keep("CPU time of the shuffle with the golden model over ns-3's own RED", ratio, "×", CPU_BAR, "less")
        missed += ratio > CPU_BAR
        print(f"lab.cpu_ratio_vs_ns3_red = {ratio:.3f} (bar: at most {CPU_BAR})")
    if options.only in (None, "dask"):
        figures["lab.dask_speedup.2"] = gain = dask_speedup(options.flow_bytes // 4)
        missed += gain < DASK_BAR
        figures["lab.machine_speedup.2"] = allowed = machine_speedup(options.flow_bytes // 4)
        keep("two Dask workers over one, four runs", gain, "×", DASK_BAR, "more")
        keep("two bare runs side by side over one after the other", allowed, "×")
        print(
            f"lab.dask_speedup.2 = {gain:.2f} (bar: at least {DASK_BAR}); "
            f"without Dask this machine gains {allowed:.2f} (lab.machine_speedup.2)"
        )
    known = json.loads(options.output.read_text()) if options.output.is_file() else {}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(dict(sorted((known | figures).items())), indent=1) + "\n")
    return int(missed > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TruemarkError as error:
        sys.exit(f"error: {error}")
