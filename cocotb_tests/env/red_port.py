# SPDX-License-Identifier: BSD-3-Clause
"""A port under RED as docs/red.md defines it, cycle by cycle: both slots and their visits. Not written for speed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from cocotb_tests.env.red import (
    COUNT,
    COUNT_WAITS,
    LAG,
    ROUND,
    SETTLE,
    TIME,
    VISIBLE,
    Count,
    Law,
    LinuxCount,
    Region,
    adapted,
    average_after,
    average_after_linux,
    decayed,
    decayed_linux,
    evaluate,
    next_word,
    seed_of,
)
from cocotb_tests.env.tm_pkg import Spacing


@dataclass
class Slot:
    """One slot's state."""

    law: Law
    average: int = 0
    base: int | None = None  # the average of the last step, once a decayed one has taken its place
    count: Count = field(default_factory=Count)
    linux: LinuxCount = field(default_factory=LinuxCount)
    numbers: deque[tuple[int, int]] = field(default_factory=deque)  # Linux's, by cycle
    drawn: int = -COUNT_WAITS - 1  # when Linux's threshold was
    maxp: int = 0
    slope: int | None = None  # ARED's, if it has moved
    seen_slope: int | None = None  # the same, as evaluations see it
    fresh: bool = True
    pending: bool = False
    due: bool = False
    last: int = 0
    # what visits will bring, by cycle
    decay: tuple[int, int] | None = None
    learn: tuple[int, bool] | None = None
    move: tuple[int, int, int] | None = None
    evaluations: deque[tuple[int, Region, int]] = field(default_factory=deque)

    def reset(self) -> None:
        """Do a law reset."""
        self.average, self.base, self.decay = 0, None, None
        self.count.reset(self.law.spacing)
        self.fresh, self.pending, self.due = True, False, False
        self.load()

    def after(self, held: int) -> int:
        """Return the average after a step that sees `held` bytes; a queue that holds none is idle."""
        if self.law.spacing is Spacing.LINUX:
            return average_after_linux(self.average, held, self.law.weight, not held)
        return average_after(self.average, held, self.law.weight)

    def load(self) -> None:
        """Take maxp and slope from the configuration."""
        self.maxp, self.slope, self.seen_slope = self.law.maxp, None, None


@dataclass
class Seen:
    """What a test does to a port in one cycle."""

    held: int
    time: int
    step: int | None = None  # the slot that speaks
    commit: tuple[Law, Law] | None = None
    law_reset: tuple[bool, bool] = (False, False)
    red_load: tuple[bool, bool] = (False, False)
    seed: int | None = None


class Port:
    """A port, cycle by cycle. `cycle` returns for both slots whether a frame would meet a signal, and a forced one."""

    def __init__(self, index: int, laws: tuple[Law, Law], *, reciprocal: int, shift: int, interval: int) -> None:
        self.index, self.reciprocal, self.shift, self.interval = index, reciprocal, shift, interval
        self.slots = [Slot(law) for law in laws]
        for slot in self.slots:
            slot.reset()
        self.word = seed_of(1, index)
        self.since = 0
        self.now = 0
        self.settles_until = SETTLE - 1  # the reset counts as a commit in cycle -1
        self.started = [0, 0]  # the averages at the start of the cycle before
        self.moved = -1  # the last cycle at whose end ARED moved a slope
        self.hits: dict[str, int] = {}

    def hit(self, what: str) -> None:
        """Count an event."""
        self.hits[what] = self.hits.get(what, 0) + 1

    def told(self, s: int) -> tuple[Region, int]:
        """Return the evaluation that a verdict of this cycle uses."""
        if self.now <= self.settles_until:
            return Region.BELOW, 0
        usable = [entry for entry in self.slots[s].evaluations if entry[0] <= self.now - LAG]
        return usable[-1][1:]

    def counted(self, s: int) -> int | None:
        """Return the number Linux gives a frame of this cycle, as far as its evaluation knows it."""
        slot = self.slots[s]
        if self.now <= slot.drawn + COUNT_WAITS:
            return None
        cycle = self.now - LAG - (self.now - LAG - s) % 2 + COUNT
        return next((number for at, number in slot.numbers if at == cycle), None)

    def answers(self) -> list[tuple[bool, bool]]:
        """Return for each slot: signal, forced."""
        both = []
        for s, slot in enumerate(self.slots):
            region, chance = self.told(s)
            chance_hits = slot.count.left < chance
            if slot.law.spacing is Spacing.LINUX:
                chance_hits = slot.linux.signals(chance, self.counted(s))
            chance_hits = region is Region.BETWEEN and chance_hits
            both.append((region is Region.FORCED or chance_hits, region is Region.FORCED))
        return both

    def cycle(self, seen: Seen) -> None:
        """Let one cycle pass."""
        now = self.now
        self._results()
        self.started = [slot.average for slot in self.slots]
        for slot in self.slots:
            slot.numbers.append((now, slot.linux.number))
            while len(slot.numbers) > LAG + 1:
                slot.numbers.popleft()
        self._evaluate(seen)
        self._visit(seen)
        self._step(seen)
        if seen.commit:
            self.settles_until = now + SETTLE
            for s, slot in enumerate(self.slots):
                slot.law = seen.commit[s]
                slot.linux.number = 0
                slot.decay = slot.move = None
                if slot.learn:
                    slot.learn = (slot.learn[0], False)
                slot.seen_slope = slot.slope
                if seen.law_reset[s]:
                    slot.reset()
                elif seen.red_load[s]:
                    slot.load()
        for slot in self.slots:
            if slot.move and now == slot.move[0]:
                self.moved, slot.maxp, slot.slope = slot.move
                slot.move = None
                self.hit("adapted")
        if seen.seed is not None:
            self.word = seed_of(seen.seed, self.index)
        if seen.held or seen.step is not None:
            self.since = seen.time
        self.now += 1

    def _results(self) -> None:
        for slot in self.slots:
            if slot.decay and self.now == slot.decay[0]:
                if slot.base is None:
                    slot.base = slot.average
                slot.average, slot.decay = slot.decay[1], None
                self.hit("decayed")
            if slot.learn and self.now == slot.learn[0]:
                slot.due = slot.learn[1] and not slot.fresh
                slot.learn = None
            # an evaluation of cycle v + 14 is the first to see a new slope
            if slot.move and self.now == slot.move[0] - 2:
                slot.seen_slope = slot.move[2]

    def _evaluate(self, seen: Seen) -> None:
        slot = self.slots[self.now % 2]
        slot.evaluations.append((self.now, *evaluate(slot.law, slot.after(seen.held), slot.seen_slope)))
        while len(slot.evaluations) > LAG:
            slot.evaluations.popleft()

    def _visit(self, seen: Seen) -> None:
        place, late = divmod((self.now - 6 * (self.index % 8)) % ROUND, 3)
        if late or place > 1:
            return
        slot = self.slots[place]
        if not seen.held and seen.step is None and not seen.commit:
            base = slot.average if slot.base is None else slot.base
            elapsed = (seen.time - self.since) % TIME
            rule = decayed_linux if slot.law.spacing is Spacing.LINUX else decayed
            left = rule(base, elapsed, self.reciprocal, self.shift, slot.law.weight)
            if rule is decayed_linux and base:
                self.hit("Linux: gone" if not left else "Linux: decayed" if left < base else "Linux: stays")
            slot.decay = (self.now + VISIBLE, left)
        if slot.fresh:
            slot.fresh, slot.last, slot.learn = False, seen.time, (self.now + VISIBLE, False)
        elif slot.pending:
            slot.pending = slot.due = False
            slot.last, slot.learn = seen.time, (self.now + VISIBLE, False)
            if slot.law.adaptive and not seen.commit:
                maxp, slope = adapted(slot.law, slot.maxp, slot.average)
                self.hit("rises" if maxp > slot.maxp else "falls" if maxp < slot.maxp else "stays")
                slot.move = (self.now + VISIBLE, maxp, slope)
        else:
            due = slot.law.adaptive and (seen.time - slot.last) % TIME >= self.interval
            slot.learn = (self.now + VISIBLE, due)

    def _step(self, seen: Seen) -> None:
        if seen.step is None:
            return
        for s, slot in enumerate(self.slots):
            slot.average = slot.after(seen.held)
            slot.base = slot.decay = None
            if slot.due:
                slot.due, slot.pending = False, True
            if s == seen.step:
                region, chance = self.told(s)
                self.hit(region.name)
                if slot.law.spacing is Spacing.LINUX:
                    seen_number, number = self.counted(s), slot.linux.number
                    if slot.linux.step(region, chance, seen_number, self.word, max(slot.law.slope, 1)):
                        self.hit("Linux: signal")
                    if slot.linux.number == 1:
                        slot.drawn = self.now
                    self.hit("Linux: older count" if seen_number not in (None, number) else "Linux: count")
                elif slot.count.step(slot.law.spacing, region, chance, self.word):
                    self.hit("signal")
        self.word = next_word(self.word)
