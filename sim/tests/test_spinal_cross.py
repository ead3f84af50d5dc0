# SPDX-License-Identifier: BSD-3-Clause
"""SpinalHDL's reference blocks against the RTL: proofs, lockstep with the golden model, faults that are found."""

import pytest
from truemark_dev.runner import seed

from sim.spinal import lockstep, proofs
from sim.spinal.plan import BLOCKS, MUTANTS, Block, Mutant, Proof


def name_of(one: object) -> str:
    assert isinstance(one, Block | Mutant)
    return one.name.replace(" ", "-")


PROOFS = [
    pytest.param(block, proof, id=f"{block.name}, {proof.widths}".replace(" ", "-"))
    for block in BLOCKS
    for proof in block.proofs
]


@pytest.mark.parametrize(("block", "proof"), PROOFS)
def test_reference_and_twin_are_equal(block: Block, proof: Proof) -> None:
    result = proofs.prove(block, proof)
    assert result.verdict == "proved", f"{block.name}: {result.verdict}, {result.how}"


@pytest.mark.parametrize("block", BLOCKS, ids=name_of)
def test_three_witnesses_agree(block: Block) -> None:
    outcome = lockstep.compare(block, seed=seed())
    print(outcome.text)
    assert outcome.agreed, outcome.text


@pytest.mark.parametrize("mutant", MUTANTS, ids=name_of)
def test_mutant_is_found(mutant: Mutant) -> None:
    block = next(block for block in BLOCKS if block.name == mutant.block)
    if mutant.in_lockstep:
        outcome = lockstep.found(mutant, {block.name: block})
        assert outcome.agreed, f"{mutant.name}: {outcome.text}"
    else:
        result = proofs.refute(mutant, block)
        assert result.verdict == "failed", f"{mutant.name}: the proof says {result.verdict}"
