# SPDX-License-Identifier: BSD-3-Clause
"""Linux's CoDel in Python, with the switches of RFC 8289 and ns-3; written from the algorithm, not from the RTL.

Source: Linux 6.12 include/net/codel_impl.h as described in docs/codel.md; integers of 16, 32 and 64 bits that wrap.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from cocotb_tests.env.tm_pkg import Departure, Ecn

U32 = (1 << 32) - 1
U64 = (1 << 64) - 1


def s32(value: int) -> int:
    """Return the signed number of the low 32 bits."""
    value &= U32
    return value - (1 << 32) if value >> 31 else value


def newton_step(root: int, count: int) -> int:
    """Return 1/sqrt(count) in 2^-16, one step better than `root`."""
    inverse = root << 16
    square = (inverse * inverse & U64) >> 32
    value = ((3 << 32) - count * square) & U64
    return ((((value >> 2) * inverse) & U64) >> 31 >> 16) & 0xFFFF


def increment(interval: int, root: int) -> int:
    """Return how long after a time the control law puts the next signal."""
    return (interval * (root << 16)) >> 32


@dataclass
class Settings:
    """The fields of codel_t."""

    on: int = 1
    ecn: int = 0
    at_once: int = 0
    exempt_below: int = 0
    exempt_largest: int = 0
    converge: int = 0
    mark_from_now: int = 0
    reentry_past: int = 0
    threshold_once: int = 0
    keep_first_above: int = 0
    target: int = 4882
    interval: int = 97656
    ce_threshold: int = 0x7FFFFFFF
    exempt_bytes: int = 1514


@dataclass
class Waiting:
    """A frame in the queue."""

    length: int
    stamp: int
    ecn: Ecn
    protected: bool = False
    key: int = 0


@dataclass
class Codel:
    """One queue."""

    settings: Settings = field(default_factory=Settings)
    queue: deque[Waiting] = field(default_factory=deque)
    first_above: int = 0
    dropping: bool = False
    count: int = 0
    last_count: int = 0
    root: int = 0xFFFF
    drop_next: int = 0
    largest: int = 0

    def reset(self) -> None:
        """Forget all but the queue."""
        self.first_above, self.dropping, self.count, self.last_count = 0, False, 0, 0
        self.root, self.drop_next, self.largest = 0xFFFF, 0, 0

    def arrive(self, frame: Waiting) -> None:
        """Hold a frame."""
        self.queue.append(frame)
        self.largest = max(self.largest, frame.length)

    def dequeue(self, now: int) -> list[tuple[Waiting, Departure]]:
        """Return what one departure takes: the frames that were dropped, then the one that is sent, if any is left."""
        cfg = self.settings
        gone: list[tuple[Waiting, Departure]] = []
        if not self.queue:
            self.dropping = False
            if not cfg.keep_first_above:
                self.first_above = 0
            return []
        frame: Waiting | None = self.queue.popleft()
        drop = self._should_drop(frame, now)
        kind = Departure.PLAIN
        if self.dropping:
            if not drop:
                self.dropping = False
            while frame is not None and self.dropping and s32(now - self.drop_next) >= 0:
                kind = self._meets(frame)
                if kind == Departure.PROTECTED:
                    break
                self.count = (self.count + 1) & U32
                self._newton()
                if kind != Departure.HEAD_DROPPED:
                    base = now if cfg.mark_from_now else self.drop_next
                    self.drop_next = (base + increment(cfg.interval, self.root)) & U32
                    break
                gone.append((frame, kind))
                kind = Departure.PLAIN
                frame = self.queue.popleft() if self.queue else None
                if self._should_drop(frame, now):
                    self.drop_next = (self.drop_next + increment(cfg.interval, self.root)) & U32
                else:
                    self.dropping = False
        elif drop and frame is not None:
            kind = self._meets(frame)
            if kind == Departure.HEAD_DROPPED:
                gone.append((frame, kind))
                kind = Departure.PLAIN
                frame = self.queue.popleft() if self.queue else None
                self._should_drop(frame, now)
                self._enter(now)
            elif kind != Departure.PROTECTED:
                self._enter(now)
        if frame is not None:
            waited = s32(now - frame.stamp)
            if s32(cfg.ce_threshold - waited) < 0 and frame.ecn in (Ecn.ECT0, Ecn.ECT1):
                if kind == Departure.PLAIN:
                    kind = Departure.THRESHOLD
                elif not cfg.threshold_once:
                    kind = Departure.MARKED_THRESHOLD
            gone.append((frame, kind))
        return gone

    def _should_drop(self, frame: Waiting | None, now: int) -> bool:
        cfg = self.settings
        if frame is None:
            self.first_above = 0
            return False
        behind = sum(other.length for other in self.queue)
        limit = self.largest if cfg.exempt_largest else cfg.exempt_bytes
        small = behind < limit if cfg.exempt_below else behind <= limit
        if s32(now - frame.stamp - cfg.target) < 0 or small:
            self.first_above = 0
            return False
        if self.first_above == 0:
            self.first_above = (now + cfg.interval) & U32
            return False
        if cfg.at_once:
            return s32(now - self.first_above) >= 0
        return s32(self.first_above - now) < 0

    def _meets(self, frame: Waiting) -> Departure:
        if frame.ecn == Ecn.NOT_ECT and frame.protected:
            return Departure.PROTECTED
        if frame.ecn == Ecn.NOT_ECT or not self.settings.ecn:
            return Departure.HEAD_DROPPED
        return Departure.CE_SIGNALLED if frame.ecn == Ecn.CE else Departure.MARKED

    def _newton(self) -> None:
        for _ in range(4 if self.settings.converge else 1):
            self.root = newton_step(self.root, self.count)

    def _enter(self, now: int) -> None:
        cfg = self.settings
        self.dropping = True
        delta = (self.count - self.last_count) & U32
        soon = s32(now - self.drop_next - 16 * cfg.interval) < 0
        if cfg.reentry_past and s32(now - self.drop_next) < 0:
            soon = False
        if delta > 1 and soon:
            self.count = delta
            self._newton()
        else:
            self.count, self.root = 1, 0xFFFF
        self.last_count = self.count
        self.drop_next = (now + increment(cfg.interval, self.root)) & U32
