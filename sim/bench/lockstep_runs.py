# SPDX-License-Identifier: BSD-3-Clause
"""Run programs of lockstep one after the other: `make lockstep` records in results/ what they compared.

python -m sim.bench.lockstep_runs PROGRAMS FRAMES SEED [--record]
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from truemark_dev.results import Figure, record, taken


def command(program: str, frames: int, seed: int) -> list[str]:
    """Return how a program is called: so many frames are offered, by this seed."""
    return [program, "--frames", str(frames), "--seed", str(seed)]


def compared(said: str, code: int) -> int | None:
    """Return how many frames a program compared, by what it said and ended with; None if something was wrong."""
    found = re.search(r"no difference in (\d+) frames", said)
    return int(found[1]) if found and code == 0 else None


def run(program: str, frames: int, seed: int) -> int:
    """Run a program, print what it says, return how many frames it compared; SystemExit if they differ."""
    words = command(program, frames, seed)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        said = ""
        for line in running.stdout or ():
            print(line, end="", flush=True)
            said += line
    frames_compared = compared(said, running.returncode)
    if frames_compared is None:
        sys.exit(running.returncode or 1)
    return frames_compared


def figure(frames: list[int], seed: int) -> Figure:
    """Return what a whole run of `make lockstep` compared."""
    title = f"all {len(frames)} builds of `make lockstep`, every floor of coverage met"
    value, bar = {"frames": sum(frames), "differences": 0}, {"differences": 0}
    return Figure("lockstep.make-lockstep", title, value, bar=bar, better="less", **taken("make lockstep", str(seed)))


def main(words: list[str]) -> None:
    """Run them all; the first difference ends it."""
    listing, frames, seed, *rest = words
    each = [run(program, int(frames), int(seed)) for program in Path(listing).read_text().split()]
    if rest == ["--record"]:
        record("lockstep", [figure(each, int(seed))])


if __name__ == "__main__":
    main(sys.argv[1:])
