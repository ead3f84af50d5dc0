# SPDX-License-Identifier: BSD-3-Clause
"""The quick proofs, each with its mutant: one of each stage and method in `make test`. `make formal` runs them all."""

from __future__ import annotations

from typing import Any

import pytest

from sim.formal import flow, plan
from sim.formal.property import Equivalence, Fault, Proof, Property
from sim.formal.prove import chosen, compare, equivalences, prove

QUICK = list(chosen("", quick=True))
SPINAL = list(equivalences(""))
EVERY_DAY = (
    *("which queue", "ring of 9 rows", "waiting-time marking", "marking and its checksum", "AXI4-Lite"),
    *("transmission selection, order", "PFC, timers", "pool, free cells", "control", "spacing", "step", "verdict"),
)


def case(proof: Proof, one: Property) -> Any:
    """Return a case of `test_property`, which is slow unless it is the first of a proof of every day."""
    marks = [] if proof.title in EVERY_DAY and one is proof.properties[0] else [pytest.mark.slow]
    return pytest.param(proof, one, id=f"{proof.title}: {one.name}", marks=marks)


@pytest.mark.parametrize(("proof", "one"), [case(proof, one) for proof, one in QUICK])
def test_property(proof: Proof, one: Property) -> None:
    """Each property holds, and not on its mutant."""
    finding = prove(proof, one)
    assert finding.result is not None
    assert finding.result.verdict in ("proved", "bounded"), finding.result
    assert finding.mutant is not None
    assert finding.mutant.verdict == "failed", f"the mutant {one.mutant} was not found: {finding.mutant}"


def test_a_claim_is_found_among_others() -> None:
    """The solver's model is made once for all claims of a design: of a mutant's, the broken one fails and no other."""
    (proof,) = (each for each in plan.PROOFS if each.title == "AXI4-Lite")
    mutants = {each.name: each.mutant for each in proof.properties}
    broken, others = "Response_A", [name for name in mutants if name != "Response_A"]
    mutant = mutants[broken]
    folder, _ = flow.elaborate(proof.design, mutant if isinstance(mutant, tuple) else (mutant,))

    def verdict(*names: str) -> str:
        return flow.pdr(folder, names, limit=proof.limit, among=[*others, broken]).verdict

    assert verdict(broken) == "failed"
    assert verdict(*others, broken) == "failed"
    for name in others:
        assert verdict(name) == "proved", name


def reference(one: Equivalence, fault: Fault | None) -> Any:
    """Return a case of `test_reference`, which is slow unless it is one of every day, or the first fault of such."""
    marks = [] if one.title in EVERY_DAY and fault in (None, one.faults[0]) else [pytest.mark.slow]
    return pytest.param(one, fault, id=f"{one.title}: {fault.name if fault else 'equal'}", marks=marks)


@pytest.mark.parametrize(("one", "fault"), [reference(one, fault) for one, fault in SPINAL if one.quick])
def test_reference(one: Equivalence, fault: Fault | None) -> None:
    """Each SpinalHDL reference is equal to its RTL twin, and not with a fault in either."""
    finding = compare(one, fault)
    assert finding.good, finding


def test_all_is_planned() -> None:
    """Nothing was taken out of the plans unseen."""
    assert sum(len(proof.properties) for proof in plan.PROOFS) >= 183
    assert sum(fault is None for _, fault in SPINAL) >= 12
    assert sum(fault is not None for _, fault in SPINAL) >= 33


def test_every_assertion_of_a_harness_is_planned() -> None:
    """A claim that nobody proves says nothing."""
    for path in flow.HARNESS.glob("formal_*.sv"):
        planned = {one.name for proof in plan.PROOFS if proof.design.harness == path.stem for one in proof.properties}
        claimed = set(flow.CLAIM.findall(path.read_text()))
        assert claimed <= planned, f"{path.name}: nobody proves {', '.join(sorted(claimed - planned))}"


def test_every_mutant_says_what_the_rtl_says() -> None:
    """A mutant of text that is gone, or stands in two places, would be an error only when it is run."""
    wanted = [fault.mutant for _, fault in SPINAL if fault]
    for proof in plan.PROOFS:
        wanted += proof.design.abstractions
        for one in proof.properties:
            wanted += one.mutant if isinstance(one.mutant, tuple) else [one.mutant]
    for each in wanted:
        each.broken((flow.RTL / each.file).read_text())


def test_every_width_is_one_of_the_rtl() -> None:
    """As with a mutant: a width that tm_pkg does not give would be an error only in a whole run."""
    package = (flow.RTL / "tm_pkg.sv").read_text()
    for proof in plan.PROOFS:
        flow.fitted(package, proof.design.widths)
    with pytest.raises(ValueError, match="no width NoW"):
        flow.fitted(package, {"NoW": 1})
