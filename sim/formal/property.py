# SPDX-License-Identifier: BSD-3-Clause
"""What a property is, how it is proved, and on which design."""

from __future__ import annotations

from dataclasses import dataclass

from sim.formal.flow import Design, Patch

PDR, INDUCTION, BOUNDED = "pdr", "induction", "bounded"
EITHER = "either"  # an invariant if one is found within the limit, else all traces of `depth` cycles


@dataclass(frozen=True)
class Property:
    """An assertion of a harness or of the RTL below it, what it says, and a mutant that breaks it."""

    name: str
    says: str
    mutant: Patch | tuple[Patch, ...]


@dataclass(frozen=True)
class Proof:
    """One design with the properties proved on it. `quick` ones are part of the tests."""

    title: str
    design: Design
    properties: tuple[Property, ...]
    method: str = PDR
    depth: int = 20  # cycles within which a mutant must be found, and of a bounded proof
    steps: int = 2  # of an induction
    limit: int = 600  # seconds for one property
    quick: bool = True
    lemmas: tuple[str, ...] = ()  # assertions proved together with each property
