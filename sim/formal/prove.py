# SPDX-License-Identifier: BSD-3-Clause
"""Proves the properties of plan.py on the RTL, and shows that each fails on a mutant of it: `make formal`.

    python -m sim.formal.prove                 everything
    python -m sim.formal.prove --only ring     proofs whose title holds a word
    python -m sim.formal.prove --quick         what the tests run

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

from sim.formal import flow
from sim.formal.plan import PROOFS
from sim.formal.property import BOUNDED, EITHER, INDUCTION, Proof, Property

PLAIN_WIDTH = 180  # columns when the output is not a terminal


@dataclass(frozen=True)
class Finding:
    """What came of one property: proved or not, and where its mutant broke it."""

    proof: str
    name: str
    says: str
    result: flow.Result
    mutant: flow.Result | None

    @property
    def good(self) -> bool:
        """Tell whether the property holds and its mutant was found."""
        return self.result.verdict in ("proved", "bounded") and (self.mutant is None or self.mutant.verdict == "failed")


def prove(proof: Proof, one: Property, *, mutants: bool = True) -> Finding:
    """Prove one property, and find its mutant."""
    folder, names = flow.elaborate(proof.design)
    if one.name not in names:
        raise ValueError(f"{proof.design.harness} has no assertion {one.name}: {', '.join(sorted(names))}")
    claim = [one.name, *proof.lemmas]
    if proof.method == BOUNDED:
        result = flow.bounded(folder, claim, proof.depth, limit=proof.limit)
    elif proof.method == INDUCTION:
        result = flow.induction(folder, claim, proof.steps, limit=proof.limit)
    else:
        result = flow.pdr(folder, claim, limit=proof.limit)
        if proof.method == EITHER and result.verdict == "open":
            result = flow.bounded(folder, claim, proof.depth, limit=2 * proof.limit)
    found = None
    if mutants:
        mutant, _ = flow.elaborate(proof.design, one.mutant if isinstance(one.mutant, tuple) else [one.mutant])
        found = flow.bounded(mutant, [one.name], max(proof.depth, 20), limit=proof.limit)
    return Finding(proof.title, one.name, one.says, result, found)


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
        said = (
            f"[green]{result.how}"
            if result.verdict in ("proved", "bounded")
            else f"[red]{result.verdict} {result.depth}"
        )
        mutant = "" if each.mutant is None else f"{each.mutant.depth}"
        if each.mutant is not None and each.mutant.verdict != "failed":
            mutant = f"[red]{each.mutant.verdict}: not found"
        lines.add_row(each.proof, each.name, each.says, said, f"{result.seconds:.1f}", mutant)
    return lines


def main() -> int:
    """Prove, print, and keep the findings in build/formal.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="proofs whose title holds a word")
    parser.add_argument("--quick", action="store_true", help="what the tests run")
    parser.add_argument("--jobs", type=int, default=2, help="solvers at a time")
    options = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    findings: list[Finding] = []

    def run(task: tuple[Proof, Property]) -> Finding:
        finding = prove(*task)
        mark = "[green]proved[/]" if finding.good else "[red]FAILED[/]"
        console.print(f"{mark} {finding.proof}: {finding.name}  {finding.result.seconds:.1f} s", highlight=False)
        return finding

    with ThreadPoolExecutor(options.jobs) as pool:
        findings = list(pool.map(run, chosen(options.only, quick=options.quick)))
    console.print(table(findings))
    target = ROOT / "build" / "formal.json"
    target.write_text(json.dumps([asdict(each) for each in findings], indent=1) + "\n")
    wrong = [each for each in findings if not each.good]
    console.print(f"{len(findings)} properties, {len(findings) - len(wrong)} proved with a mutant found, in {target}")
    for each in wrong:
        console.print(f"[red]{each.proof}: {each.name}[/]  {each.result.how}", highlight=False)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
