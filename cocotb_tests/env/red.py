# SPDX-License-Identifier: BSD-3-Clause
"""RED as docs/red.md defines it, in whole numbers and fractions, cycle by cycle: what the tests of `rtl/admit` compare.

`Law` is one slot's configuration, `Port` a port with both slots and its visits. Nothing here is written for speed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from decimal import Decimal, getcontext
from enum import Enum
from fractions import Fraction
from functools import cache

from cocotb_tests.env.words import RED, STAMP_W, Spacing, red_words

getcontext().prec = 60

ONE = 1 << 24  # a byte of an average; probability 1 of maxp
WORD = 1 << 32
LAG, SETTLE, ROUND, VISIBLE = 7, 10, 48, 16
GOLDEN = 0x9E3779B9
TIME = 1 << STAMP_W


class Region(Enum):
    """What an average says."""

    BELOW = 0
    BETWEEN = 1
    FORCED = 2


@dataclass(frozen=True)
class Law:
    """The configuration of one slot."""

    weight: int = 0
    min: int = 0
    max: int = 0
    maxp: int = ONE
    slope: int = 0
    slope_scale: int = 0
    gentle: bool = False
    gentle_slope: int = 0
    gentle_scale: int = 0
    spacing: Spacing = Spacing.UNIFORM
    adaptive: bool = False
    reciprocal: int = 0
    bottom: int = 0
    band_low: int = 0
    band_high: int = 0

    def pack(self) -> int:
        """Return it as red_t."""
        return RED.pack(weight=self.weight, spacing=self.spacing)

    def words(self, slot: int) -> dict[int, int]:
        """Return its words for a slot, by place."""
        return red_words(slot, vars(self))

    @classmethod
    def of(cls, low: int, high: int, maxp: int, *, gentle: bool = False, **others: object) -> Law:
        """Return a law with the slopes that belong to its thresholds, each with the finest scale that fits."""
        law = cls(min=low, max=high, maxp=maxp, gentle=gentle)
        if high > low:
            slope, scale = _scaled(Fraction(maxp, ONE * (high - low)))
            reciprocal = min(WORD * 256**scale // (high - low), WORD - 1)
            law = replace(law, slope=slope, slope_scale=scale, reciprocal=reciprocal)
        if gentle:
            slope, scale = _scaled(Fraction(ONE - maxp, ONE * high))
            law = replace(law, gentle_slope=slope, gentle_scale=scale)
        return replace(law, **others)  # type: ignore[arg-type]


def _scaled(slope: Fraction) -> tuple[int, int]:
    scale = 3
    while scale and slope * WORD * 256**scale > WORD - 1:
        scale -= 1
    return min(int(slope * WORD * 256**scale), WORD - 1), scale


def average_after(average: int, held: int, weight: int) -> int:
    """Return the average after a step that sees `held` bytes; `//` rounds down as the rule does."""
    return average + (held * ONE - average) // (1 << weight)


@cache
def power(exponent: Fraction, scale: int) -> int:
    """Return round(2^exponent * scale)."""
    value = Decimal(2) ** (Decimal(exponent.numerator) / Decimal(exponent.denominator)) * scale
    return int(value + Decimal("0.5"))


@cache
def halving(weight: int) -> int:
    """Return round(-log2(1 - 2^-W) * 2^W * 2^17)."""
    kept = 1 - Decimal(2) ** Decimal(-weight)
    exact = -kept.ln() / Decimal(2).ln() * Decimal(2) ** Decimal(weight + 17)
    return int(exact + Decimal("0.5"))


def ticks(elapsed: int, reciprocal: int, shift: int) -> int:
    """Return how many packet times an idle time is."""
    return min(elapsed * reciprocal >> shift, 2**30 - 1)


def decayed(average: int, elapsed: int, reciprocal: int, shift: int, weight: int) -> int:
    """Return what an idle time leaves of an average, bit for bit."""
    if weight == 0:
        return 0
    fall = ticks(elapsed, reciprocal, shift) * halving(weight) >> weight
    whole, fraction = divmod(fall, 2**17)
    if whole >= 64:
        return 0
    coarse, fine = divmod(fraction, 256)
    factor = power(Fraction(-coarse, 512), 2**16) * power(Fraction(-fine, 2**17), 2**16) >> 16
    return (average * factor >> 16) >> whole


def evaluate(law: Law, average: int, slope: int | None = None) -> tuple[Region, int]:
    """Return the region of an average, and the probability in 2^-24; `slope` is ARED's."""
    held = average // ONE
    if held < law.min:
        return Region.BELOW, 0
    if held >= (2 * law.max if law.gentle else law.max):
        return Region.FORCED, 0
    if held < law.max:
        chance = (held - law.min) * ((law.slope if slope is None else slope) >> 8) >> 8 * law.slope_scale
    else:
        chance = law.maxp + ((held - law.max) * (law.gentle_slope >> 8) >> 8 * law.gentle_scale)
    return Region.BETWEEN, min(chance, ONE - 1)


def next_word(word: int) -> int:
    """Return the word after this one: xorshift32."""
    word ^= word << 13 & (WORD - 1)
    word ^= word >> 17
    return word ^ (word << 5 & (WORD - 1))


def seed_of(seed: int, port: int) -> int:
    """Return the first word of a port."""
    return seed ^ GOLDEN * (port + 1) % WORD or 0x6D2B79F5


@dataclass
class Count:
    """What is left until the next signal, of one slot."""

    left: int = 0

    def reset(self, spacing: Spacing) -> None:
        """Start as after a law reset."""
        self.left = ONE // 2 + (ONE if spacing is Spacing.WAIT else 0)

    def step(self, spacing: Spacing, region: Region, chance: int, word: int) -> bool:
        """Take a frame; return whether a signal by chance meets it."""
        between, rest = region is Region.BETWEEN, self.left - chance
        signal = between and rest < 0
        if between and not signal and spacing is not Spacing.MEMORYLESS:
            self.left = rest
        else:
            self.left = (word >> 8) + (ONE if spacing is Spacing.WAIT else 0)
        return signal


def adapted(law: Law, maxp: int, average: int) -> tuple[int, int]:
    """Return maxp and slope after a step of ARED."""
    held, half = average // ONE, ONE // 2
    if held > law.band_high and maxp < half:
        maxp = min(maxp + min(167772, maxp // 4), half)
    elif held < law.band_low and maxp > law.bottom:
        maxp = max(maxp * 58982 >> 16, law.bottom)
    return maxp, min(maxp * law.reciprocal >> 24, WORD - 1)


@dataclass
class Slot:
    """One slot's state."""

    law: Law
    average: int = 0
    base: int | None = None  # the average of the last step, once a decayed one has taken its place
    count: Count = field(default_factory=Count)
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

    def answers(self) -> list[tuple[bool, bool]]:
        """Return for each slot: signal, forced."""
        both = []
        for s, slot in enumerate(self.slots):
            region, chance = self.told(s)
            if slot.law.spacing is Spacing.LINUX:
                raise NotImplementedError
            chance_hits = region is Region.BETWEEN and slot.count.left < chance
            both.append((region is Region.FORCED or chance_hits, region is Region.FORCED))
        return both

    def cycle(self, seen: Seen) -> None:
        """Let one cycle pass."""
        now = self.now
        self._results()
        self.started = [slot.average for slot in self.slots]
        self._evaluate(seen)
        self._visit(seen)
        self._step(seen)
        if seen.commit:
            self.settles_until = now + SETTLE
            for s, slot in enumerate(self.slots):
                slot.law = seen.commit[s]
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
        average = average_after(slot.average, seen.held, slot.law.weight)
        slot.evaluations.append((self.now, *evaluate(slot.law, average, slot.seen_slope)))
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
            left = decayed(base, elapsed, self.reciprocal, self.shift, slot.law.weight)
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
            slot.average = average_after(slot.average, seen.held, slot.law.weight)
            slot.base = slot.decay = None
            if slot.due:
                slot.due, slot.pending = False, True
            if s == seen.step:
                region, chance = self.told(s)
                self.hit(region.name)
                if slot.count.step(slot.law.spacing, region, chance, self.word):
                    self.hit("signal")
        self.word = next_word(self.word)
