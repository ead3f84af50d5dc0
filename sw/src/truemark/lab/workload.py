# SPDX-License-Identifier: BSD-3-Clause
"""What all kinds of workload have in common."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

from truemark.errors import TruemarkError
from truemark.lab.fields import Table, given, optional
from truemark.lab.queues import Priority
from truemark.lab.transport import Second


def hosts_of(processes: int, each: int) -> int:
    """Return the hosts that so many processes need; the last may have fewer."""
    return -(-processes // each)


class Workload(Table):
    """What all kinds have in common."""

    COUNTS: ClassVar[tuple[str, ...]] = ()  # what a scale multiplies
    LINKS_SCALE: ClassVar[bool] = True  # whether it multiplies links between switches, too
    OPEN_AT_STOP: ClassVar[bool] = False  # whether a run whose stop time strikes counts: it takes longer than that

    kind: str = given(description="a kind of workload")
    priority: Priority | None = optional("of flows and of their ACKs; by default 0, the lowest")

    def scaled(self, part: Fraction) -> Self:
        """Return it with fewer transfers, at least one where there was one; flows keep their bytes."""
        return self.model_copy(
            update={name: max(int(part * getattr(self, name)), min(getattr(self, name), 1)) for name in self.COUNTS}
        )

    @property
    def hosts_needed(self) -> tuple[str, int]:
        """The field that asks for the most hosts, and how many."""
        raise NotImplementedError

    @property
    def second_transport(self) -> Second | None:
        """A transport besides the scenario's own."""
        return None

    def priorities(self) -> dict[str, int]:
        """Return the priorities that flows have, by the names of their keys."""
        named = {name: getattr(self, name) for name in type(self).model_fields if name.endswith("priority")}
        return {f"workload.{name}": value for name, value in named.items() if value is not None}

    def refuse(self, topology: str, hosts: int) -> None:
        """Refuse what cannot be run on this topology."""
        name, wanted = self.hosts_needed
        if wanted > hosts:
            raise TruemarkError(f"workload.{name}: {wanted} hosts are needed; the topology has {hosts} hosts")

    def lasts(self) -> int:
        """Return the nanoseconds that pass whatever the network is."""
        return 0

    def least_bytes_of_a_host(self, hosts: int) -> float:
        """Return the bytes that the busiest link of a host carries at least."""
        return 0

    def most_held(self, hosts: int, segment: int, frame: int) -> int | None:
        """Return the bytes that a port can hold at most if it has so many hosts on one side; none: no bound is known.

        Segments have so many bytes, and their frames, as ACKs at most, so many.
        """
        return None
