# SPDX-License-Identifier: BSD-3-Clause
"""Proves the properties of plan.py on the RTL, and shows that each fails on a mutant of it: `make formal`.

    python -m sim.formal.prove                 everything
    python -m sim.formal.prove --only ring     proofs whose title holds a word
    python -m sim.formal.prove --quick         what the tests run
    python -m sim.formal.prove --spinal        the SpinalHDL references against the RTL (equivalences.py): `make spinal`

Ends with 1 if a property is not proved, or a mutant is not found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table
from truemark_dev.paths import ROOT
from truemark_dev.results import Figure, record, slug, taken

from sim.formal import flow
from sim.formal.equivalences import EQUIVALENCES
from sim.formal.plan import PROOFS
from sim.formal.property import BOUNDED, EITHER, INDUCTION, Equivalence, Fault, Proof, Property

PLAIN_WIDTH = 180  # columns when the output is not a terminal


@dataclass(frozen=True)
class Finding:
    """What came of one property or equivalence: proved or not, and where its mutant broke it."""

    proof: str
    name: str
    says: str
    result: flow.Result | None
    mutant: flow.Result | None

    @property
    def good(self) -> bool:
        """Tell whether what was asked for came out: the property holds, its mutant was found."""
        return (self.result is None or self.result.verdict in ("proved", "bounded")) and (
            self.mutant is None or self.mutant.verdict == "failed"
        )


def prove(proof: Proof, one: Property, *, mutants: bool = True) -> Finding:
    """Prove one property, and find its mutant."""
    folder, names = flow.elaborate(proof.design)
    if one.name not in names:
        raise ValueError(f"{proof.design.harness} has no assertion {one.name}: {', '.join(sorted(names))}")
    claim = [one.name, *proof.lemmas]
    among = [each.name for each in proof.properties]
    if proof.method == BOUNDED:
        result = flow.bounded(folder, claim, proof.depth, limit=proof.limit, among=among)
    elif proof.method == INDUCTION:
        result = flow.induction(folder, claim, proof.steps, limit=proof.limit)
    else:
        result = flow.pdr(folder, claim, limit=proof.limit, among=among)
        if proof.method == EITHER and result.verdict == "open":
            result = flow.bounded(folder, claim, proof.depth, limit=2 * proof.limit, among=among)
    found = None
    if mutants:
        mutant, _ = flow.elaborate(proof.design, one.mutant if isinstance(one.mutant, tuple) else [one.mutant])
        found = flow.bounded(mutant, [one.name], max(proof.depth, 20), limit=proof.limit)
    return Finding(proof.title, one.name, one.says, result, found)


def compare(one: Equivalence, fault: Fault | None) -> Finding:
    """Prove a reference equal to its twin, or find a fault of either."""
    design = one.design
    if fault is None:
        folder, _ = flow.elaborate(design)
        result = flow.induction(folder, (), one.steps, limit=one.limit, reach=one.reach, opaque=design.opaque)
        return Finding(f"spinal: {one.title}", "all", f"the reference is {one.twin}", result, None)
    folder, _ = flow.elaborate(design, [fault.mutant])
    depth = one.steps if fault.in_step else one.shows
    found = flow.refuted(folder, depth, step=fault.in_step, limit=one.limit, opaque=design.opaque)
    return Finding(f"spinal: {one.title}", fault.name, "", None, found)


def equivalences(word: str) -> Iterator[tuple[Equivalence, Fault | None]]:
    """Return each equivalence by itself, and with each of its faults."""
    for one in EQUIVALENCES:
        if word in one.title:
            yield from ((one, fault) for fault in (None, *one.faults))


def chosen(word: str, *, quick: bool) -> Iterator[tuple[Proof, Property]]:
    """Return what is to be proved."""
    for proof in PROOFS:
        if word in proof.title and (proof.quick or not quick):
            yield from ((proof, each) for each in proof.properties)


def table(findings: list[Finding]) -> Table:
    """Return the findings side by side."""
    lines = Table(title="Proofs", title_justify="left")
    for column in ("design", "property", "what it says", "proof", "seconds", "mutant breaks it in cycle"):
        lines.add_column(column, justify="right" if column in ("seconds",) else "left")
    for each in findings:
        result = each.result
        said, seconds = "", sum(one.seconds for one in (result, each.mutant) if one)
        if result is not None:
            good = result.verdict in ("proved", "bounded")
            said, seconds = f"[green]{result.how}" if good else f"[red]{result.verdict} {result.depth}", result.seconds
        mutant = "" if each.mutant is None else f"{each.mutant.depth}"
        if each.mutant is not None and each.mutant.verdict != "failed":
            mutant = f"[red]{each.mutant.verdict}: not found"
        lines.add_row(each.proof, each.name, each.says, said, f"{seconds:.1f}", mutant)
    return lines


def main() -> int:
    """Prove, print, and keep the findings in build/formal.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="proofs whose title holds a word")
    parser.add_argument("--quick", action="store_true", help="what the tests run")
    parser.add_argument("--spinal", action="store_true", help="the SpinalHDL references instead")
    parser.add_argument("--jobs", type=int, default=2, help="solvers at a time")
    options = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)

    def run(task: tuple[Proof, Property] | tuple[Equivalence, Fault | None]) -> Finding:
        one, part = task
        finding = compare(one, part) if isinstance(one, Equivalence) else prove(one, part)  # type: ignore[arg-type]
        mark = "[green]good[/]" if finding.good else "[red]FAILED[/]"
        console.print(f"{mark} {finding.proof}: {finding.name}", highlight=False)
        return finding

    tasks = equivalences(options.only) if options.spinal else chosen(options.only, quick=options.quick)
    with ThreadPoolExecutor(options.jobs) as pool:
        findings = list(pool.map(run, tasks))
    console.print(table(findings))
    target = ROOT / "build" / ("spinal.json" if options.spinal else "formal.json")
    target.write_text(json.dumps([asdict(each) for each in findings], indent=1) + "\n")
    wrong = [each for each in findings if not each.good]
    if not (options.only or options.quick):
        origin = taken("make spinal" if options.spinal else "make formal")
        title = "equivalences and faults of SpinalHDL" if options.spinal else "properties, each with a mutant found"
        value, bar = {"proved": len(findings) - len(wrong), "tried": len(findings)}, {"proved": len(findings)}
        record("formal", [Figure(f"proofs.{slug(title)}", title, value, bar=bar, better="more", **origin)])
    kind = "equivalences and faults" if options.spinal else "properties"
    console.print(f"{len(findings)} {kind}, {len(findings) - len(wrong)} proved with a mutant found, in {target}")
    for each in wrong:
        result = each.result or each.mutant
        console.print(f"[red]{each.proof}: {each.name}[/]  {result.how if result else ''}", highlight=False)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
