# SPDX-License-Identifier: BSD-3-Clause
"""The quick proofs, each with its mutant; `make formal` runs them all."""

from __future__ import annotations

import pytest

from sim.formal import flow, plan
from sim.formal.property import Proof, Property
from sim.formal.prove import chosen, prove

QUICK = list(chosen("", quick=True))


@pytest.mark.parametrize(("proof", "one"), QUICK, ids=[f"{proof.title}: {one.name}" for proof, one in QUICK])
def test_property(proof: Proof, one: Property) -> None:
    """Each property holds, and not on its mutant."""
    finding = prove(proof, one)
    assert finding.result.verdict in ("proved", "bounded"), finding.result
    assert finding.mutant is not None
    assert finding.mutant.verdict == "failed", f"the mutant {one.mutant} was not found: {finding.mutant}"


def test_every_assertion_of_a_harness_is_planned() -> None:
    """A claim that nobody proves says nothing."""
    for path in flow.HARNESS.glob("*.sv"):
        planned = {one.name for proof in plan.PROOFS if proof.design.harness == path.stem for one in proof.properties}
        claimed = set(flow.CLAIM.findall(path.read_text()))
        assert claimed <= planned, f"{path.name}: nobody proves {', '.join(sorted(claimed - planned))}"


def test_every_mutant_says_what_the_rtl_says() -> None:
    """A mutant of text that is gone would be found by nobody."""
    for proof in plan.PROOFS:
        patches = [*proof.design.abstractions]
        for one in proof.properties:
            patches += one.mutant if isinstance(one.mutant, tuple) else [one.mutant]
        for patch in patches:
            assert patch.right in (flow.RTL / patch.file).read_text(), f"{proof.title}: {patch.file}: {patch.right}"
