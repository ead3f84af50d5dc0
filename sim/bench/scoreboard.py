# SPDX-License-Identifier: BSD-3-Clause
"""The scoreboard of cocotbext.truemark next to 10^5 random frames of each build: `make scoreboard`, over an hour.

    PYTHONPATH=sw/cocotbext python -m sim.bench.scoreboard [FRAMES]

Runs of `PART` frames, each with a seed of its own. What a run compared is kept next to its build, so a second call goes
on where the first was stopped, and begins again where the RTL or the model has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter
from pathlib import Path

from truemark_dev.results import Figure, record, slug, taken

from cocotb_tests.top import test_scoreboard

PART = 5_000
CASES = ((1, 64, 1), (4, 64, 1), (1, 512, 1), (4, 512, 1), (8, 256, 4))  # ports, width, queues of a line


def figures(build_of: tuple[int, int, int], frames: int, seed: int) -> dict[str, int]:
    """Return what one run compared, from its file if it has been made."""
    library = Path(test_scoreboard.scoreboard_library()["TRUEMARK_SCOREBOARD"])
    digest = hashlib.sha256(library.read_bytes() + Path(test_scoreboard.__file__).read_bytes()).hexdigest()[:12]
    os.environ["TRUEMARK_SEED"] = str(seed)
    kept = test_scoreboard.folder(*build_of) / f"scoreboard-{digest}-{frames}-{seed}.json"
    if not kept.exists():
        (test_scoreboard.run(*build_of, frames=frames) / test_scoreboard.FIGURES).rename(kept)
    found: dict[str, int] = json.loads(kept.read_text())
    return found


def main() -> None:
    """Run what is not there yet; print the sums of each build. The first difference ends it."""
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seeds = -(-frames // PART)
    origin = taken("make scoreboard", f"1 to {seeds}")  # before anything is recorded: that changes the clone
    for ports, width, queues in CASES:
        name = f"{ports} × {width}" + f", {queues} queues" * (queues > 1)
        sums: Counter[str] = Counter()
        for seed in range(1, seeds + 1):
            sums.update(figures((ports, width, queues), min(PART, frames), seed))
            said = ", ".join(f"{value:,} {name}" for name, value in sums.items())
            print(f"{name}, seeds 1 to {seed}: {said}, no difference", flush=True)
        title = f"the [scoreboard of cocotb](cocotb.md), {name}"
        value, bar = {"frames": frames, "differences": 0}, {"differences": 0}
        record("lockstep", [Figure(f"lockstep.{slug(title)}", title, value, bar=bar, better="less", **origin)])


if __name__ == "__main__":
    main()
