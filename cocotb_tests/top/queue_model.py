# SPDX-License-Identifier: BSD-3-Clause
"""One port's queue in Python, cycle by cycle: what it holds, what it decides, what stands on its output.

Written from docs/verdict.md, docs/buffer.md and docs/depart.md with lists of rows and frames; there is no pointer,
counter of free rows or pipeline register in here. `Port.cycle` is called once for each clock cycle with what parse and
the pins say in that cycle; between two calls, `Port.shown`, `held_bytes` and `held_packets` are what must be visible.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from cocotb_tests.env.config_words import STORED
from cocotb_tests.env.policy import Policy
from cocotb_tests.env.tm_pkg import Ecn, Law, Outcome
from cocotb_tests.parse.headers import Headers


@dataclass(eq=False)
class Copy:
    """One frame on its way through one port."""

    number: int
    length: int = 0
    outcome: Outcome | None = None
    verdict_cycle: int = 0
    verdict_bytes: int = 0
    depart_cycle: int = 0
    ended: bool = False
    cut: bool = False
    condemned: bool = False
    overflowed: bool = False
    selected: bool = False
    rows: int = 0


@dataclass(eq=False)
class Row:
    """A stored beat, and the first cycle it can be fetched in."""

    copy: Copy
    value: int
    last: bool
    fetchable: int


@dataclass
class Seen:
    """What parse says in one cycle."""

    beat: tuple[bool, bool, int, int, int, int] | None = None  # first, last, ports, row, length, rows
    ecn: Headers | None = None
    ecn_strobe: bool = False
    flags_strobe: bool = False
    end: bool | None = None  # the frame has ended; True if it is wrong
    number: int = 0  # of the frame that the strobes speak of
    ambiguous: bool = False  # its headers are not to be trusted


@dataclass
class Happened:
    """What the port did in one cycle, for the tallies."""

    judged: Copy | None = None
    ended: Copy | None = None
    cut: bool = False
    gone: Copy | None = None
    departed: Copy | None = None
    fetched_of: int = 0  # rows held when one was fetched


@dataclass
class Port:
    """The queue of one port."""

    rows: int
    descriptors: int
    flags_verdict: bool = False

    held_bytes: int = 0
    held_packets: int = 0
    ring: deque[Row] = field(default_factory=deque)
    waiting: deque[Copy] = field(default_factory=deque)
    current: Copy | None = None  # the frame arriving, if it has a copy here that is not refused
    offered: Copy | None = None  # the same, refused or not
    shown: Row | None = None  # on the output
    shown_since: int = -1
    first_row: bool = False
    open: Copy | None = None  # selected, with rows to come

    def verdict(self, now: int, seen: Seen, policy: Policy) -> Outcome:
        """Judge the current frame by the rules."""
        copy = self.current
        assert copy is not None
        older = sum(row.copy is not copy for row in self.ring)
        if not policy.enable:
            return Outcome.DISABLED
        if policy.limit_bytes is not None and self.held_bytes + copy.length > policy.limit_bytes:
            return Outcome.TAIL_BYTES
        if policy.limit_packets is not None and self.held_packets + 1 > policy.limit_packets:
            return Outcome.TAIL_PACKETS
        if copy.overflowed or older + copy.rows > self.rows - 1 or self.held_packets >= self.descriptors:
            return Outcome.NO_ROOM
        headers = seen.ecn
        assert headers is not None
        slot = policy.slot_of[headers.ecn]
        signal = policy.law[slot] is Law.STEP and self.held_bytes > policy.k[slot]
        if not signal:
            return Outcome.PASS_CE if headers.ecn is Ecn.CE else Outcome.PASS
        if policy.noecn:
            return Outcome.EARLY_FORCED
        if headers.ecn is Ecn.NOT_ECT:
            saved = self.flags_verdict and (headers.class_id, headers.ece) in policy.protect
            return Outcome.PROTECTED if saved else Outcome.EARLY_FORCED
        if policy.harddrop:
            return Outcome.EARLY_FORCED
        return Outcome.CE_SIGNALLED if headers.ecn is Ecn.CE else Outcome.MARK

    def cycle(
        self, now: int, seen: Seen, policy: Policy, *, tx_en: bool, ready: bool, flush: bool, mine: bool
    ) -> Happened:
        """Let one cycle pass."""
        happened = Happened()
        ring_rows = len(self.ring)
        flushing = bool(self.waiting) and self.waiting[0].condemned
        departs = self.shown if self.shown is not None and self.shown_since == now and self.first_row else None
        happened.departed = departs.copy if departs is not None else None
        copy = self.current

        # the verdict
        stored = refused = None
        strobe = seen.flags_strobe or (seen.ecn_strobe and not policy.waits(self.flags_verdict))
        if copy is not None and copy.outcome is None and strobe:
            copy.outcome, copy.verdict_cycle, copy.verdict_bytes = self.verdict(now, seen, policy), now, self.held_bytes
            happened.judged = copy
            if copy.outcome in STORED and not seen.end:
                stored = copy
            else:
                refused = copy
                if copy.outcome in STORED:
                    copy.outcome = Outcome.ABORTED

        # the end
        arriving = copy if copy is not None and copy.outcome in STORED and stored is None else None
        abort = None
        if seen.end is not None:
            if seen.end and arriving is not None:
                if arriving.selected:
                    arriving.cut = happened.cut = True
                else:
                    abort = refused = arriving
                    abort.outcome = Outcome.ABORTED
            happened.ended = self.offered
            self.offered = None

        # what leaves
        fetch = self._choose(now, stored, abort, arriving, tx_en, ready, happened)

        # give the rows back
        fetched = None
        if fetch:
            happened.fetched_of = len(self.ring)
            fetched = self.ring.popleft()
        if refused is not None:
            while self.ring and self.ring[-1].copy is refused:
                self.ring.pop()
                ring_rows -= 1
            self.current = None
        if abort is not None:
            self.waiting.pop()
        if stored is not None and not stored.selected:
            self.waiting.append(stored)
        if seen.end is not None:
            if copy is not None:
                copy.ended = True
            self.current = None
        if flush and not flushing:
            for frame in self.waiting:
                frame.condemned = True

        # the beat
        if seen.beat is not None:
            self._write(now, seen, mine, ring_rows)

        # bytes and packets
        if stored is not None:
            self.held_bytes += stored.length
            self.held_packets += 1
        if abort is not None:
            self.held_bytes -= abort.length
            self.held_packets -= 1
        if departs is not None:
            self.held_bytes -= departs.copy.length
            self.held_packets -= 1

        # the output
        if fetched is not None:
            self.first_row = not fetched.copy.depart_cycle
            if self.first_row:
                fetched.copy.depart_cycle = now + 1
            self.shown, self.shown_since = fetched, now + 1
            self.open = None if fetched.last else fetched.copy
        elif self.shown is not None and (ready or self.shown.copy.condemned):
            self.shown = None
        return happened

    def _choose(
        self,
        now: int,
        stored: Copy | None,
        abort: Copy | None,
        arriving: Copy | None,
        tx_en: bool,
        ready: bool,
        happened: Happened,
    ) -> bool:
        """Select a frame, or go on with the open one; say whether the oldest row is fetched."""
        if self.shown is not None:
            if not (ready or self.shown.copy.condemned):
                return False
            if self.shown.last:
                happened.gone = self.shown.copy
        there = bool(self.ring) and self.ring[0].fetchable <= now
        if not there:
            return False
        if self.open is not None:
            return True
        if self.waiting:
            head = self.waiting[0]
            if head is arriving and (abort is head or head.condemned):
                return False
            if not tx_en and not head.condemned:
                return False
            self.waiting.popleft().selected = True
            return True
        if stored is not None and tx_en:
            stored.selected = True
            return True
        return False

    def _write(self, now: int, seen: Seen, mine: bool, ring_rows: int) -> None:
        assert seen.beat is not None
        first, last, _ports, value, length, rows = seen.beat
        if first:
            self.current = self.offered = Copy(seen.number + 1) if mine else None
        copy = self.current
        if copy is None:
            return
        copy.length, copy.rows = length, rows
        if ring_rows >= self.rows - 1 or copy.overflowed:
            copy.overflowed = True
            return
        self.ring.append(Row(copy, value, last, now + 1))
