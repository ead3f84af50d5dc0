# SPDX-License-Identifier: BSD-3-Clause
"""CoDel as Linux 6.12 decides, in Python's integers, with ns-3's differences as an option.

Written from a description of the rules (clock of 2^10 ns in 32 bits, Newton's step in 16 bits of fraction, the loop
that drops and pulls), not from the sources, and sharing nothing with Truemark. It keeps a queue of its own; what it
says can be compared with any other queue that gets the same frames at the same times.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

WORD = 0xFFFFFFFF
NEVER = 0x7FFFFFFF


def signed(value: int) -> int:
    """Return a difference of two 32-bit clocks."""
    value &= WORD
    return value - (1 << 32) if value >> 31 else value


def newton_step(root: int, count: int) -> int:
    """One step towards 1/sqrt(count), 16 bits of fraction, in 64-bit words that wrap."""
    wide = root << 16
    square = wide * wide >> 32
    value = ((3 << 32) - count * square) & 0xFFFFFFFFFFFFFFFF
    return ((value >> 2) * wide & 0xFFFFFFFFFFFFFFFF) >> 31 >> 16 & 0xFFFF


def control_law(time: int, interval: int, root: int) -> int:
    """When the next signal is due."""
    return time + (interval * (root << 16) >> 32) & WORD


@dataclass
class Item:
    """A frame in the queue."""

    number: int
    length: int
    ect: bool
    ce: bool
    stamp: int
    marked: bool = False  # by CoDel's signal
    threshold: bool = False  # by ce_threshold


@dataclass
class Decision:
    """What a departure brought: the frame that left, and those dropped before it."""

    left: Item | None
    dropped: list[Item] = field(default_factory=list)


@dataclass
class LinuxCodel:
    """The queue. Times in units of 1024 ns."""

    target: int
    interval: int
    mtu: int = 1514
    ecn: bool = False
    ce_threshold: int = NEVER
    ns3: bool = False
    first_above: int = 0
    dropping: bool = False
    drop_next: int = 0
    count: int = 0
    last_count: int = 0
    root: int = 0xFFFF
    held: int = 0
    queue: deque[Item] = field(default_factory=deque)
    entered_again: int = 0

    def put(self, item: Item) -> None:
        """Take a frame that comes."""
        self.queue.append(item)
        self.held += item.length

    def pull(self) -> Item | None:
        """Return the head, off the queue."""
        if not self.queue:
            return None
        item = self.queue.popleft()
        self.held -= item.length
        return item

    def should_drop(self, item: Item | None, now: int) -> bool:
        """Whether the sojourn time has stood above the target for an interval."""
        if item is None:
            self.first_above = 0
            return False
        short = self.held < self.mtu if self.ns3 else self.held <= self.mtu
        if signed(now - item.stamp - self.target) < 0 or short:
            self.first_above = 0
            return False
        if self.first_above == 0:
            self.first_above = now + self.interval & WORD
            return False
        return signed(now - self.first_above) > 0

    def mark(self, item: Item) -> bool:
        """Set CE if that is allowed and possible; a frame that is CE counts as marked."""
        if self.ecn and (item.ect or item.ce):
            item.marked = True
            return True
        return False

    def take(self, now: int) -> Decision:
        """Return a departure."""
        now &= WORD
        item = self.pull()
        if item is None:
            self.dropping = False
            if not self.ns3:
                self.first_above = 0
            return Decision(None)
        dropped: list[Item] = []
        drop = self.should_drop(item, now)
        if self.dropping:
            if not drop:
                self.dropping = False
            else:
                item = self._signal_while_due(item, now, dropped)
        elif drop:
            if not self.mark(item):
                dropped.append(item)
                item = self.pull()
                self.should_drop(item, now)
            self._enter(now)
        if item is not None:
            self._apply_threshold(item, now)
        return Decision(item, dropped)

    def _signal_while_due(self, first: Item, now: int, dropped: list[Item]) -> Item | None:
        item: Item | None = first
        while self.dropping and signed(now - self.drop_next) >= 0:
            self.count = self.count + 1 & WORD
            self.root = newton_step(self.root, self.count)
            assert item is not None
            if self.mark(item):
                self.drop_next = control_law(now if self.ns3 else self.drop_next, self.interval, self.root)
                break
            dropped.append(item)
            item = self.pull()
            if self.should_drop(item, now):
                self.drop_next = control_law(self.drop_next, self.interval, self.root)
            else:
                self.dropping = False
        return item

    def _enter(self, now: int) -> None:
        self.dropping = True
        gained = self.count - self.last_count & WORD
        since = now - self.drop_next & WORD
        soon = 16 * self.interval & WORD
        recently = since < soon if self.ns3 else signed(since - soon) < 0
        if gained > 1 and recently:
            self.count = gained
            self.root = newton_step(self.root, self.count)
            self.entered_again += 1
        else:
            self.count, self.root = 1, 0xFFFF
        self.last_count = self.count
        self.drop_next = control_law(now, self.interval, self.root)

    def _apply_threshold(self, item: Item, now: int) -> None:
        over = signed(now - item.stamp - self.ce_threshold) > 0
        if over and item.ect and not (self.ns3 and item.marked):
            item.threshold = True
