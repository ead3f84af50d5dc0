# SPDX-License-Identifier: BSD-3-Clause
"""Priority-based flow control as a scenario file says it: switches pause the links that fill their memory."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from truemark.errors import TruemarkError
from truemark.lab.fields import Bytes, OptionalDuration, Table, optional
from truemark.lab.pool import Pool, read_alpha, refuse_both, threshold
from truemark.lab.queues import Priority
from truemark.plan.pfc import OVERHEAD, QUANTUM_BITS, RESPONSE_QUANTA, SHORTEST
from truemark.plan.pfc import Link as PlannedLink
from truemark.plan.plan import rate_text


class Link(Table):
    """What counts of a kind of link: bit/s, ns for a pause frame, ns for a frame through the switch that it ends at."""

    rate: int
    delay_ns: int
    frame_delay_ns: int


class Pfc(Table):
    """A switch pauses a priority of a link above a threshold, and the far end, host or switch, obeys."""

    alpha: Annotated[str | None, BeforeValidator(read_alpha)] = Field(
        None, description="a link is paused above so many times what is free; 1 if there is no static either: ours"
    )
    static: Bytes | None = Field(None, description="in place of alpha: above this")
    classes: Annotated[list[Priority], Field(min_length=1)] | None = optional(
        "lossless priorities, by default all; others are never paused, and have the pool's threshold"
    )
    xon: Bytes = Field(0, description="it may send at or below this")
    xon_offset: Bytes | None = Field(
        None, description="or so much below the threshold; two frames if there is no xon: as switches are set"
    )
    headroom: Bytes | None = Field(
        None,
        description="of each link and class, besides; by default plan pfc's, and a frame that a device may hold",
    )
    reaction: OptionalDuration = Field(None, description="of a sender; by default what IEEE 802.3 (31B.3.7) allows")

    def lossless(self, queues: int) -> list[int]:
        """Return the priorities that lose nothing, of so many."""
        return list(range(queues)) if self.classes is None else sorted(set(self.classes))

    def plan(self, pool: Pool, links: dict[str, Link], frame: int, ports: int, queues: int) -> dict[str, Any]:
        """Return what the model is told, in cells, for links of these kinds and longest frames of so many bytes."""
        refuse_both("pfc", self.alpha, self.static)
        classes = self.lossless(queues)
        if len(classes) == queues and (pool.static is None or pool.static < pool.size):
            raise TruemarkError(
                f"pfc: a queue that may not have the whole pool drops; set pool.static = {pool.size}, its size"
            )
        headroom = max(self.headroom_of(pool, name, link, frame) for name, link in links.items())
        needed = headroom * ports * len(classes)
        if needed >= pool.cells:
            each = f", {len(classes)} classes on each," if len(classes) > 1 else ""
            raise TruemarkError(
                f"pfc.headroom = {headroom * pool.cell}: {ports} links of a switch{each} have {needed} cells then; "
                f"the pool has {pool.cells}"
            )
        least_free = pool.cells - needed
        if self.static is not None and pool.of(self.static) >= least_free:
            raise TruemarkError(
                f"pfc.static = {self.static}: no link would be paused, for the {needed} cells of headroom leave "
                f"{least_free * pool.cell} B of the pool; less than that"
            )
        offset = 2 * frame if self.xon_offset is None and not self.xon else self.xon_offset
        return {
            **threshold(self.alpha, None if self.static is None else pool.of(self.static)),
            "xon": self.xon // pool.cell,
            **({} if offset is None else {"xon_offset": pool.of(offset)}),
            "headroom": headroom,
            "classes": classes,
            "reach_ns": {name: self.reach_ns(name, link) for name, link in links.items()},
        }

    def reaction_ns(self, name: str, link: Link) -> int:
        """Return how long a sender takes to obey."""
        if self.reaction is not None:
            return self.reaction
        if link.rate not in RESPONSE_QUANTA:
            raise TruemarkError(f"pfc.reaction: 802.3 says nothing of {name} links of {rate_text(link.rate)}; give it")
        return -(-RESPONSE_QUANTA[link.rate] * QUANTUM_BITS * 10**9 // link.rate)

    def reach_ns(self, name: str, link: Link) -> int:
        """Return the time from the end of the frame on the wire until the far end begins no other."""
        pause_frame = -(-8 * (SHORTEST + OVERHEAD) * 10**9 // link.rate)
        return pause_frame + link.delay_ns + self.reaction_ns(name, link)

    def headroom_of(self, pool: Pool, name: str, link: Link, frame: int) -> int:
        """Return the cells of a link's headroom."""
        if self.headroom is not None:
            return pool.of(self.headroom)
        # The plan's terms with the delays of these links in place of a cable.
        planned = PlannedLink(link.rate, Fraction(0), 1500, self.reaction_ns(name, link))
        line = 3 * (frame + OVERHEAD) + planned.bytes_in(Fraction(self.reach_ns(name, link) + link.frame_delay_ns))
        return planned.cells(line, pool.cell)[0]

    def __str__(self) -> str:
        """For a report."""
        limit = f"alpha {self.alpha or 1}" if self.static is None else f"{self.static} B"
        of = "" if self.classes is None else f" in classes {', '.join(map(str, self.classes))}"
        return f"links paused{of} above {limit}"
