# SPDX-License-Identifier: BSD-3-Clause
"""What a property is, how it is proved, and on which design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from truemark_dev.mutants import Mutant

from sim.formal.flow import Design

PDR, INDUCTION, BOUNDED = "pdr", "induction", "bounded"
EITHER = "either"  # an invariant if one is found within the limit, else all traces of `depth` cycles


@dataclass(frozen=True)
class Property:
    """An assertion of a harness or of the RTL below it, what it says, and a mutant that breaks it."""

    name: str
    says: str
    mutant: Mutant | tuple[Mutant, ...]


def properties(table: Mapping[str, Mutant | tuple[Mutant, ...]]) -> tuple[Property, ...]:
    """Return the properties of a table: `Name_A: what it says`, with the mutant that breaks it.

    One without words is an assertion of the RTL, and says what it says there.
    """
    rows = [(*key.partition(": ")[::2], mutant) for key, mutant in table.items()]
    return tuple(Property(name, says or "as the RTL claims it", mutant) for name, says, mutant in rows)


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


@dataclass(frozen=True)
class Fault:
    """A mutant of either side of an equivalence, in words.

    `in_step`: too late in a run to be searched for; the step of the induction must fail instead.
    """

    name: str
    mutant: Mutant
    in_step: bool = False


@dataclass(frozen=True)
class Equivalence:
    """A reference block next to its RTL twin in one harness: all claims of the harness are proved together.

    Each fault must break one of them within `shows` cycles from the start of a run, or in the step of the induction.
    What takes more than ten seconds is not `quick`: `make spinal` compares it and finds its faults; no test does.
    """

    title: str
    twin: str
    design: Design
    steps: int = 2  # of the induction
    reach: int = 8  # cycles of the base case
    shows: int = 16
    faults: tuple[Fault, ...] = ()
    quick: bool = True
    limit: int = 300  # seconds for one answer
