# SPDX-License-Identifier: BSD-3-Clause
"""Measures whole pipelines with NetFPGA's streams at both ends: our reference switch, or one out of another tree.

    python -m sim.bench.reference_pipeline                 our own at 256, 512 and 1024 bits; prints its keys as JSON

The keys are `frames_per_cycle.256.64B.reference_pipeline` (from all inputs at once), `.reference_pipeline.one_input`,
and `latency.256.reference_pipeline`: first beat in to first beat out, the worst of five lengths.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from truemark_dev.build import make
from truemark_dev.builds import builds


def run(program: Path, frames: int) -> dict[str, float]:
    """Run a pipeline; return its figures, or fail with what it said."""
    done = subprocess.run([str(program), str(frames)], capture_output=True, text=True, check=False)
    try:
        figures = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(f"{program} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}") from None
    assert isinstance(figures, dict)
    return {name: float(value) for name, value in figures.items()}


def measure(width: str, frames: int = 20_000) -> dict[str, float]:
    """Measure the reference switch at one width, its name in builds.toml."""
    (program,) = make(f"pipeline:{width}", quiet=True)
    return run(program, frames)


def keys(width: str, figures: Mapping[str, float]) -> dict[str, float]:
    """Return a width's figures by the names they have in build/bench.json."""
    rate = f"frames_per_cycle.{width}.64B.reference_pipeline"
    return {
        rate: figures["all_inputs"],
        f"{rate}.one_input": figures["one_input"],
        f"latency.{width}.reference_pipeline": figures["latency"],
        f"wrong_frames.{width}.reference_pipeline": figures["wrong"],
        f"missing_frames.{width}.reference_pipeline": figures["offered"] - figures["intact"],
    }


def main() -> int:
    """Measure every width, print the keys, end with 1 if a frame went wrong."""
    found: dict[str, float] = {}
    for width in builds("pipeline"):
        found |= keys(width, measure(width))
    print(json.dumps(found, indent=1))
    return int(any(value for key, value in found.items() if key.startswith("wrong_frames")))


if __name__ == "__main__":
    sys.exit(main())
