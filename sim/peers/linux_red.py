# SPDX-License-Identifier: BSD-3-Clause
"""RED as Linux 6.12 computes it, in Python's integers: average, qcount and qR, decisions.

Written from a description of the rules, not from the sources, and sharing nothing with Truemark. The random words come
from outside: Linux draws one when it needs one; here the word that was drawn at that arrival is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

NOT_ECT, ECT1, ECT0, CE = range(4)


class Fate(Enum):
    """What becomes of a packet."""

    PASS = "pass"
    MARK = "mark"
    CE_COUNTED = "was CE, counted as marked"
    NODROP = "would be dropped, but nodrop"
    PROB_DROP = "prob_drop"
    FORCED_DROP = "forced_drop"
    TAIL_DROP = "pdrop"


def words(seed: int, port: int) -> int:
    """Return the state of a port's generator after its seed has been loaded."""
    mixed = (seed ^ 0x9E3779B9 * (port + 1)) & 0xFFFFFFFF
    return mixed or 0x6D2B79F5


def next_word(word: int) -> int:
    """Marsaglia's generator with shifts 13, 17, 5."""
    word ^= word << 13 & 0xFFFFFFFF
    word ^= word >> 17
    return word ^ word << 5 & 0xFFFFFFFF


@dataclass
class LinuxRed:
    """The law and its state; bytes, and averages scaled by 2^wlog."""

    wlog: int
    low: int
    high: int
    divisor: int  # R
    limit: int
    cell_log: int  # of the idle table, whose cells are 2^cell_log microseconds
    table: list[int]  # shifts
    ecn: bool = True
    harddrop: bool = False
    nodrop: bool = False
    average: int = 0
    count: int = -1
    threshold: int = 0  # qR

    def decide(self, held: int, length: int, ecn: int, word: int, ends_idle: bool = False) -> Fate:
        """Take a packet that comes. The idle time that it ends has been told before."""
        if not ends_idle:
            self.average += held - (self.average >> self.wlog)
        region = self._region()
        if region == "below":
            self.count = -1
        elif region == "above":
            self.count = -1
            return self._signal(True, ecn, held, length)
        else:
            self.count += 1
            above = self.average - (self.low << self.wlog) >> self.wlog
            if self.count == 0:
                self.threshold = word // self.divisor
            elif above * self.count >= self.threshold:
                self.count = 0
                self.threshold = word // self.divisor
                return self._signal(False, ecn, held, length)
        return self._queue(Fate.PASS, held, length)

    def idle(self, nanoseconds: int) -> None:
        """Age the average by an idle time, before its last packet is decided (`red_calc_qavg_from_idle_time`)."""
        microseconds = min(nanoseconds // 1000, 255 << self.cell_log)
        shift = self.table[microseconds >> self.cell_log]
        if shift:
            self.average >>= shift
        else:
            less = self.average * microseconds >> self.cell_log
            self.average = self.average - less if less < self.average >> 1 else self.average >> 1

    def _region(self) -> str:
        if self.average < self.low << self.wlog:
            return "below"
        return "above" if self.average >= self.high << self.wlog else "between"

    def _signal(self, hard: bool, ecn: int, held: int, length: int) -> Fate:
        drop = Fate.FORCED_DROP if hard else Fate.PROB_DROP
        if hard and self.harddrop:
            return drop
        if self.ecn and ecn != NOT_ECT:
            return self._queue(Fate.CE_COUNTED if ecn == CE else Fate.MARK, held, length)
        return self._queue(Fate.NODROP, held, length) if self.nodrop else drop

    def _queue(self, fate: Fate, held: int, length: int) -> Fate:
        return fate if held + length <= self.limit else Fate.TAIL_DROP
