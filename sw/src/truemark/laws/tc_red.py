# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of Linux's `tc ... red`, and the constants that tc and the kernel make of them.

The words, defaults and units are tc's (K and M are powers of 1024; a bare rate is bit/s). What comes out is what a
kernel would work with, including where that is not what was asked for; `surprises` says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.laws import red, slopes
from truemark.units import fraction, whole

TICKS_PER_US = Fraction(125, 8)  # a tick of tc is 64 ns on every kernel of today
TABLE = 256
MOST_HALVINGS = 31
SIZE_UNITS = {"": 1, "b": 1, "k": 1024, "kb": 1024, "m": 1 << 20, "mb": 1 << 20, "g": 1 << 30, "gb": 1 << 30}
SIZE_UNITS |= {"kbit": 1024 // 8, "mbit": (1 << 20) // 8, "gbit": (1 << 30) // 8}
RATE_UNITS = {"": 1, "bit": 1, "bps": 8}
for _prefix, _power in (("k", 1), ("m", 2), ("g", 3), ("t", 4)):
    RATE_UNITS |= {f"{_prefix}bit": 1000**_power, f"{_prefix}bps": 8 * 1000**_power}
    RATE_UNITS |= {f"{_prefix}ibit": 1024**_power, f"{_prefix}ibps": 8 * 1024**_power}
NUMBER = re.compile(r"([0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})([a-zA-Z]*)")
MOST = 2**32 - 1  # bytes and packets: tc sends both in 32 bits
ILLEGAL = "Illegal \"{what}\": '{text}' is {why}"  # as red and the fifos refuse
WORDS = ("limit", "min", "max", "avpkt", "burst", "probability", "bandwidth")
FLAGS = ("ecn", "harddrop", "nodrop", "adaptive", "adaptative")


@dataclass(frozen=True)
class Options:
    """What was asked for, defaults filled in as tc does."""

    limit: int
    min: int
    max: int
    avpkt: int
    burst: int
    probability: Fraction
    bandwidth: int  # bit/s
    flags: frozenset[str]
    notes: tuple[str, ...] = ()

    @property
    def span(self) -> int:
        """The kernel's divisor: never 0."""
        return max(self.max - self.min, 1)


@dataclass(frozen=True)
class Constants:
    """What tc sends and the kernel works with."""

    wlog: int
    plog: int
    cell_log: int  # a cell of the idle table is 2^this microseconds
    max_p: int  # as tc sends it: 2^32 does not fit
    effective_p: int  # the kernel's, 2^32 = 1
    divisor: int  # R, the random number's divisor
    first_shift: int | None  # the first cell of the idle table that halves the average
    packet_ticks: int

    @property
    def effective(self) -> float:
        """The probability at max that takes effect."""
        return self.effective_p / 2**32


def parse_size(text: str, what: str, refusal: str = ILLEGAL) -> int:
    """Return bytes as tc reads them; a qdisc refuses in words of its own."""
    found = number(text, SIZE_UNITS)
    if found is None or found > MOST:
        why = f"no size up to {MOST} B; write bytes, or 293K, 1M (powers of 1024)"
        raise TruemarkError(refusal.format(what=what, text=text, why=why))
    return found


def parse_rate(text: str, what: str, refusal: str = ILLEGAL) -> int:
    """Return bit/s as tc reads them; a qdisc refuses in words of its own."""
    found = number(text, RATE_UNITS)
    if not found:
        why = "no rate; write for example 10gbit, 100mbit" if found is None else "no rate above 0"
        raise TruemarkError(refusal.format(what=what, text=text, why=why))
    return found


def number(text: str, units: Mapping[str, int]) -> int | None:
    """Return a number in the least of some units, or none."""
    match = NUMBER.fullmatch(text)
    return int(Fraction(match[1]) * units[match[2].lower()]) if match and match[2].lower() in units else None


def parse_bandwidth(text: str) -> int:
    """Return bit/s as tc's red reads them, which keeps bytes/s in 32 bits."""
    rate = parse_rate(text, "bandwidth")
    if rate // 8 >= 2**32:
        raise TruemarkError(
            f"Illegal \"bandwidth\": '{text}': tc keeps bytes/s in 32 bits, which end at 34.36 Gbit/s; use 34gbit, or "
            "`truemark plan red`"
        )
    return rate


def parse(words: list[str]) -> Options:
    """Return options as tc reads them; `words` are what follows `red`."""
    given: dict[str, str] = {}
    flags, rest = set(), list(words)
    while rest:
        word = rest.pop(0)
        if word in FLAGS:
            flags.add("adaptive" if word == "adaptative" else word)
        elif word in WORDS and not rest:
            raise TruemarkError(f'Command line is not complete: "{word}" needs a value')
        elif word in WORDS:
            given[word] = rest.pop(0)
        else:
            raise TruemarkError(f'What is "{word}"? tc\'s red takes {", ".join([*WORDS, *FLAGS])}')
    for needed in ("limit", "avpkt"):
        if needed not in given:
            raise TruemarkError(f"Required parameter (limit, avpkt) is missing: give {needed}")
    notes = []
    limit, avpkt = parse_size(given["limit"], "limit"), parse_size(given["avpkt"], "avpkt")
    for name, value in (("limit", limit), ("avpkt", avpkt)):
        if value == 0:
            raise TruemarkError(f'Illegal "{name}": it must be above 0')
    minimum = parse_size(given["min"], "min") if "min" in given else 0
    maximum = parse_size(given["max"], "max") if "max" in given else 3 * minimum if minimum else limit // 4
    if "max" not in given:
        notes.append(f"max was not given: tc takes {'3 min' if minimum else 'limit/4'} = {maximum} B")
    if not minimum:
        minimum = maximum // 3
        notes.append(f"min was not given: tc takes max/3 = {minimum} B")
    if "burst" in given:
        burst = whole(given["burst"], MOST)
        if burst is None:
            raise TruemarkError(f"Illegal \"burst\": '{given['burst']}' is no number of packets up to {MOST}")
    else:
        burst = (2 * minimum + maximum) // (3 * avpkt)
        notes.append(f"burst was not given: tc takes (2 min + max)/(3 avpkt) = {burst} packets")
    bandwidth = parse_bandwidth(given.get("bandwidth", "10mbit"))
    if "bandwidth" not in given:
        notes.append("bandwidth was not given: tc takes 10 Mbit/s, and ages an idle queue by that")
    try:
        probability = fraction(given.get("probability", "0.02"))
    except (ValueError, ZeroDivisionError):
        raise TruemarkError(f"Illegal \"probability\": '{given['probability']}' is no number") from None
    if not 0 < probability <= 1:
        raise TruemarkError(f'Illegal "probability": {given["probability"]}: allowed is more than 0 and at most 1')
    if "nodrop" in flags and "ecn" not in flags:
        raise TruemarkError("nodrop flag is only meaningful with ECN: add ecn, or leave nodrop out")
    return Options(limit, minimum, maximum, avpkt, burst, probability, bandwidth, frozenset(flags), tuple(notes))


def weight(options: Options) -> int:
    """Return W: the least for which a burst from an empty queue brings the average no higher than min."""
    excess = options.burst + 1 - options.min / options.avpkt
    if excess < 1:
        enough = 1 + options.min // options.avpkt
        raise TruemarkError(
            f"failed to calculate EWMA constant: burst {options.burst} is too small ? Try burst {enough} "
            "(more packets than min holds)"
        )
    for wlog in range(1, 32):
        share = 2.0**-wlog
        if excess <= (1 - (1 - share) ** options.burst) / share:
            return wlog
    raise TruemarkError(f"failed to calculate EWMA constant: no W up to 31 lets a burst of {options.burst} through")


def probability_log(options: Options) -> int:
    """Return Plog: how often probability/(max - min) is doubled until it is above 1."""
    span = options.max - options.min
    if span < 0:
        raise TruemarkError(f"failed to calculate probability: min {options.min} B is above max {options.max} B")
    if span == 0:
        return 0
    share, log = options.probability / span, 0
    while share <= 1:
        share, log = 2 * share, log + 1
    if log > 31:
        raise TruemarkError(f"failed to calculate probability: {options.probability} over {span} B is too small for tc")
    return log


def packet_ticks(options: Options, old: bool = False) -> int:
    """Return the time of a packet in ticks of 64 ns; until iproute2 6.14 (`old`) rounded down to microseconds first."""
    us = Fraction(options.avpkt * 8 * 10**6, options.bandwidth // 8 * 8)
    return int(TICKS_PER_US * int(us)) if old else whole_ticks(us)


def whole_ticks(us: Fraction) -> int:
    """Return microseconds in ticks of 64 ns, rounded up."""
    return math.ceil(TICKS_PER_US * us)


def idle_table(wlog: int, ticks: int) -> tuple[int, list[int]]:
    """Return the log of a cell, and the shift of the average for each cell of idle time."""
    if ticks == 0:  # an infinite rate of decay, which the conversion to a byte makes 0
        return 0, [0] * (TABLE - 1) + [MOST_HALVINGS]
    decay = -math.log(1 - 2.0**-wlog) / ticks
    longest = MOST_HALVINGS / decay
    for cell in range(32):
        if longest / 2**cell < 512:
            return cell, [
                0,
                *[min(MOST_HALVINGS, int((index << cell) * decay)) for index in range(1, TABLE - 1)],
                MOST_HALVINGS,
            ]
    raise TruemarkError(f"failed to calculate idle damping table: W {wlog} at {ticks} ticks a packet decays too slowly")


def idle_of(laws: Sequence[red.Red | None], packet_ns: Fraction) -> slopes.Idle:
    """Return how idle averages age under these laws: by the time of a packet, or by tc's table for it."""
    spacings = {law.spacing for law in laws if law is not None}
    if Spacing.LINUX not in spacings:
        return slopes.idle(packet_ns)
    weights = {law.weight for law in laws if law is not None}
    if len(spacings) > 1 or len(weights) > 1:
        raise TruemarkError(
            'spacing = "linux": both laws of a port share one idle table, which tc makes for one weight; '
            "give both this spacing and the same weight, or neither"
        )
    return clock_of(*idle_table(max(weights.pop(), 1), whole_ticks(packet_ns / 1000)))


def clock_of(cell_log: int, table: list[int]) -> slopes.Idle:
    """Return the two words that make the model's idle time go by a table, entry for entry (sim/model/average.cpp)."""
    for scale, marked in ((20, 0), (16, 32)):
        inner = list(enumerate(table))[1:-1]
        least = max(-((-shift << scale) // index) for index, shift in inner)
        most = min([((shift + 1 << scale) - 1) // index for index, shift in inner if shift < MOST_HALVINGS])
        reciprocal = max(least, 1)
        if reciprocal <= most and reciprocal < 1 << slopes.IDLE_BITS:
            return slopes.Idle(reciprocal, cell_log | marked)
    raise TruemarkError(
        f"no slope makes tc's idle table of cells of 2^{cell_log} µs (its first entry above 0 is that of cell "
        f"{next((index for index, shift in enumerate(table) if shift), 0)}); take another avpkt, burst or bandwidth"
    )


def constants(options: Options, old: bool = False) -> Constants:
    """Return what tc sends and the kernel makes of it."""
    wlog, plog = weight(options), probability_log(options)
    for name, value in (("min", options.min), ("max", options.max)):
        if value.bit_length() + wlog >= 32:
            raise TruemarkError(f"{name} {value} B at W {wlog} does not fit the kernel's 32 bits (it answers EINVAL)")
    ticks = packet_ticks(options, old)
    cell, table = idle_table(wlog, ticks)
    sent = int(options.probability * 2**32) & 0xFFFFFFFF
    effective = sent or (0xFFFFFFFF >> plog) * options.span
    first = next((index for index, shift in enumerate(table[:-1]) if shift), None)
    return Constants(wlog, plog, cell, sent, effective, max(effective // options.span, 1), first, ticks)


def surprises(options: Options, found: Constants, spacing: Spacing) -> list[str]:
    """Return where Linux does not do what the options say, and what Truemark does with that spacing."""
    lines = list(options.notes)
    here = 'spacing "linux" goes by the same table' if spacing is Spacing.LINUX else "Truemark decays it exactly"
    if found.wlog >= 10:
        lines.append(f"burst {options.burst} makes W {found.wlog}: tc warns that the burst seems too large")
    share = 2.0**-found.wlog
    packet_us = options.avpkt * 8e6 / options.bandwidth
    if found.first_shift:
        halved = (found.first_shift << found.cell_log) / 1000
        meant = (1 - share) ** (halved * 1000 / packet_us)
        lines.append(
            f"idle time: tc counts ticks of 64 ns, the kernel microseconds: the average is halved only after "
            f"{halved:.3g} ms of idle time, when {meant:.2g} of it should be left; {here}"
        )
    elif found.packet_ticks == 0:
        lines.append(
            "idle: iproute2 up to 6.14 makes a packet time of 0 ticks and a table of zeros: hardly any decay of the "
            f"average; {here}"
        )
    if found.max_p == 0:
        lines.append(
            f"probability 1.0: 2^32 does not fit tc's 32 bits, it sends 0, and the kernel takes "
            f"{found.effective:.4g} instead; write 0.999999 to get it. Truemark's profile has what was asked for, 1"
        )
    lines.append(
        f"weight: the smallest W that tc can send is 1, so there is no instantaneous mode: this average moves by "
        f"1/{1 << found.wlog} of the difference. Truemark takes W = 0, or policy true-mark for a plain threshold"
    )
    if "adaptive" in options.flags:
        lines.append("adaptive: a tc with nodrop support never starts the kernel's timer; Truemark does adapt")
    return lines
