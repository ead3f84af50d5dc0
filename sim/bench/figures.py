# SPDX-License-Identifier: BSD-3-Clause
"""Runs the benches: each is a program around a build of builds.toml, and prints figures by key."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from truemark_dev import build


@dataclass
class Result:
    """Figures by key, and in words whatever went wrong."""

    figures: dict[str, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Take over another's."""
        self.figures |= other.figures
        self.failures += other.failures


def tag(target: str) -> str:
    """Return a build as it stands in keys, its name; figures of a full build and of queues name what they are of."""
    return re.sub(r"\.(full|\d-queues)$", "", target.partition(":")[2])


def measure(target: str, groups: Sequence[str], *, quick: bool = False, rtl: Path = Path("rtl")) -> Result:
    """Run the named groups of bench.cpp on a build, such as `bench:256.flags`; another rtl/ is built apart."""
    out = build.SIM if rtl == Path("rtl") else build.SIM / "other"
    (program,) = build.make(target, rtl=rtl, out=out, quiet=True)
    words = [str(program), *(["--quick"] if quick else []), *groups]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        end = "\n".join((run.stdout + run.stderr).splitlines()[-5:])
        return Result(failures=[f"{target} {' '.join(groups)}: ended with {run.returncode}: {end}"])
    result = Result()
    for line in run.stdout.splitlines():
        first, _, rest = line.partition(" ")
        if first == "!":
            result.failures.append(f"{tag(target)}: {rest}")
            continue
        figure, dot, more = first.partition(".")
        # Only builds with FLAGS_VERDICT have this one, so its keys need not say so.
        of = tag(target).partition(".")[0] if figure == "latency_after_flags" else tag(target)
        result.figures[f"{figure}.{of}{dot}{more}"] = float(rest)
    return result
