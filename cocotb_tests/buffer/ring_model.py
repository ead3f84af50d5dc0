# SPDX-License-Identifier: BSD-3-Clause
"""What every ring has to do, as a deque of rows, and the random traffic that both rings are driven with.

`tm_ring` and `tm_spill_ring` share a contract and so a test: rows come out once, in order, unchanged; rewound rows
never do; a frame that meets a nearly full ring loses a row and overflows.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

from cocotb.triggers import RisingEdge, Timer

from cocotb_tests.env.bench import Coverage, start

Row = tuple[int, int]  # as it came, and as it leaves marked
NEARLY_FULL = 4  # free rows, two cycles before, with which a row is lost
SPARE = 8  # free rows behind a frame that fits, as counted two cycles before its verdict
SKIP_PATIENCE = 36  # cycles after a skip in which a spill ring may still be freeing rows

# The pins that a ring's owner drives.
IDLE = dict.fromkeys(
    [
        "beat_valid_i",
        "beat_first_i",
        "next_new_i",
        "beat_take_i",
        "beat_row_i",
        "beat_marked_i",
        "rewind_i",
        "look_i",
        "marked_i",
        "fetch_i",
        "skip_i",
        "skip_rows_i",
    ],
    0,
)


# The first row of a frame comes; a row is fetched.
BEAT = {"beat_valid_i": 1, "beat_first_i": 1, "beat_take_i": 1}
FETCH = {"fetch_i": 1, "look_i": 1}


def idle(dut: Any) -> dict[str, int]:
    """Return the pins that this ring has, idle."""
    return {name: value for name, value in IDLE.items() if hasattr(dut, name)}


@dataclass(eq=False)
class Arriving:
    """The newest frame, and what will become of it."""

    total: int  # rows
    taken: bool
    judged_after: int  # rows; the verdict is with the last of them
    keep: bool
    abort: bool  # wrong at its end
    sent: int = 0
    held: int = 0  # rows of it in the ring
    overflow: bool = False
    judged: bool = False
    kept: bool = False
    leaving: bool = False
    ended: bool = False


@dataclass
class Phase:
    """A while of traffic: chance of a beat and of a fetch in a cycle, rows of the longest frame."""

    cycles: int
    load: float
    drain: float
    longest: int


class Drive:
    """Plays admit and depart around a ring, and compares it with the deque in every cycle."""

    def __init__(self, dut: Any, rng: random.Random, coverage: Coverage, *, rows: int) -> None:
        self.dut, self.rng, self.coverage, self.rows = dut, rng, coverage, rows
        self.silent = False  # only drive: an assertion in the RTL must speak first
        self.width = len(dut.beat_row_i)
        # Bits that are kept twice; the others are read as they came.
        self.twice = int(dut.TWICE.value) if hasattr(dut, "TWICE") else 0
        self.held: deque[Row] = deque()
        self.frame = Arriving(0, False, 0, False, False, ended=True)
        self.levels: deque[int] = deque([0] * 3, 3)  # rows held at the beginning of the last cycles
        self.used = 0  # rows before the frame judged in the next cycle, a cycle ago
        self.rewind = False  # the frame was refused or taken back a cycle ago
        self.rewound = False  # or two
        self.beat = self.first = False  # in the next cycle
        self.fetched: int | None = None
        self.taken_out = self.put_in = 0

    async def start(self) -> None:
        """Reset the ring."""
        await start(self.dut, idle(self.dut))

    async def run(self, *phases: Phase) -> None:
        """Drive these phases."""
        for phase in phases:
            for _ in range(phase.cycles):
                await self._cycle(phase)

    async def _cycle(self, phase: Phase) -> None:
        dut, rng, frame, hit = self.dut, self.rng, self.frame, self.coverage.hit
        older, rewind = len(self.held) - frame.held, self.rewind
        in_ring = older if rewind else len(self.held)
        self.levels.append(in_ring)

        # a beat, and whether the next is a first one: a ring is told of it one cycle early
        beat, first = self.beat, self.first
        if first:
            total = rng.randint(1, phase.longest)
            arriving = Arriving(
                total,
                rng.random() < 0.9,
                rng.choice((rng.randint(1, min(total, 6)), total)),
                rng.random() < 0.8,
                rng.random() < 0.2,
            )
        else:
            arriving = frame
        left = arriving.total - arriving.sent - beat
        self.beat = rng.random() < phase.load
        self.first = self.beat and left == 0
        next_new = self.first or left - self.beat == 0
        take = arriving.taken and (arriving.kept or not arriving.judged)

        # the verdict and the end of the frame, with the row that tells them
        judged = beat and take and not arriving.judged and arriving.sent + 1 == arriving.judged_after
        end = beat and left == 0
        fits = self.used + arriving.total <= self.rows - SPARE and not arriving.overflow
        keep = judged and arriving.keep and fits and not (end and arriving.abort)
        abort = end and arriving.kept and arriving.abort and not arriving.leaving
        full = self.levels[0] >= self.rows - NEARLY_FULL

        row = rng.getrandbits(self.width)
        marked = rng.getrandbits(self.width) if self.twice else 0
        dut.beat_valid_i.value, dut.beat_first_i.value, dut.beat_take_i.value = beat, first, take
        dut.beat_row_i.value, dut.rewind_i.value, dut.fetch_i.value = row, rewind, 0
        dut.next_new_i.value = next_new
        look_marked = bool(self.twice) and rng.random() < 0.5
        if hasattr(dut, "beat_marked_i"):
            dut.beat_marked_i.value, dut.marked_i.value = marked, look_marked

        # the state, then a fetch if a row of a frame that may leave is there
        await Timer(1, unit="ns")
        available = bool(int(dut.available_o.value))
        if not self.silent:
            self._compare(available, first)
        may = older > 0 or (frame.kept and not (abort and arriving is frame) and len(self.held) > 0)
        fetch = may and available and rng.random() < phase.drain
        look = fetch or (not self.silent and rng.random() < 0.5)
        dut.fetch_i.value, dut.look_i.value = fetch, look
        await RisingEdge(dut.clk_i)

        # what the cycle did
        hit("fetch beside a beat", fetch and beat)
        hit("look without a fetch", look and not fetch and available)
        hit("fetch beside a rewind", fetch and rewind)
        hit("rewind", rewind and frame.held > 0)
        hit("rewind beside a first beat", rewind and frame.held > 0 and first)
        hit("rewind of an overflow", rewind and frame.overflow)
        hit("fetch of a frame still arriving", fetch and older == 0 and not frame.ended)
        hit("emptied", fetch and in_ring == 1 and not beat)
        self.used = in_ring if next_new or first else older
        self.rewound, self.rewind = rewind, (judged and not keep) or abort
        if rewind:
            for _ in range(frame.held):
                self.held.pop()
            self.put_in -= frame.held
            frame.held = 0
        if look:
            self.fetched = None
        if fetch:
            self.fetched = self.held.popleft()[look_marked]
            hit("fetch of a marked row", look_marked)
            self.taken_out += 1
            if older == 0:
                frame.held -= 1
                frame.leaving = True
        self.frame = frame = arriving
        if judged:
            frame.judged, frame.kept = True, keep
        if abort:
            frame.kept = False
        if beat:
            frame.sent += 1
            frame.ended = end
            if take:
                frame.overflow = frame.overflow or full
                hit("full ring", full)
                if not full:
                    self.held.append((row, row & ~self.twice | marked & self.twice))
                    self.put_in += 1
                    frame.held += 1
                    hit("row into an empty ring", in_ring == 0)
        assert self.put_in == self.taken_out + len(self.held)

    def _compare(self, available: bool, first: bool) -> None:
        """Check what is registered: it holds in the whole cycle."""
        dut, frame = self.dut, self.frame
        if self.fetched is not None:
            assert int(dut.row_o.value) == self.fetched, "row_o is not the row that was fetched last"
        if not frame.leaving:
            used = int(dut.rows_used_o.value)
            assert used == self.used, f"rows_used is {used}, {self.used} were held"
        if frame.taken and not frame.judged and not first:
            assert bool(dut.overflow_o.value) == frame.overflow, f"overflow is {dut.overflow_o.value}"
        if not self.rewound:
            assert available == bool(self.held), f"available is {available}, {len(self.held)} rows are held"


async def skip_frames(dut: Any, rng: random.Random, coverage: Coverage, *, rows: int, spill: bool) -> None:
    """Read some frames and skip others, and compare every row; frames of 1 to 9 rows, the ring now full, now empty."""
    await start(dut, idle(dut))
    whole: deque[list[int]] = deque()  # frames that have ended
    writing: list[int] = []
    total = owed = 0  # rows of the frame being written; rows skipped that are not free yet
    reading: deque[int] = deque()
    fetched: int | None = None
    ended, skip, last_skip = False, False, 0
    for number in range(6000):
        lazy = number // 300 % 3
        held = sum(map(len, whole)) + len(writing) + len(reading)
        beat = rng.random() < (0.9, 0.5, 0.2)[lazy] and (bool(writing) or held + owed + 9 < rows - NEARLY_FULL - 2)
        first = beat and not writing
        row = rng.getrandbits(len(dut.beat_row_i))
        dut.beat_valid_i.value = dut.beat_take_i.value = beat
        dut.beat_first_i.value, dut.beat_row_i.value = first, row
        dut.fetch_i.value = dut.skip_i.value = 0
        await Timer(1, unit="ns")
        if fetched is not None:
            assert int(dut.row_o.value) == fetched, f"cycle {number}: not the row that was fetched"
        available = bool(int(dut.available_o.value))
        if not spill and first and not skip:
            assert int(dut.available_o.value) == (held > 0), f"cycle {number}: rows that were skipped are not free"
        skip = not reading and len(whole) > 0 and not ended and rng.random() < 0.3
        if skip:
            dut.skip_i.value, dut.skip_rows_i.value = 1, len(whole[0])
            coverage.hit("skipped while rows are still to be freed", owed > 0)
            coverage.hit("skipped")
            owed, last_skip = owed + len(whole.popleft()), number
        fetch = not skip and available and (bool(reading) or (len(whole) > 0 and not ended)) and rng.random() < 0.7
        if fetch:
            reading = reading or deque(whole.popleft())
            fetched = reading.popleft()
            owed = 0  # what was skipped before it is free
            coverage.hit("read")
        if not spill or number - last_skip > SKIP_PATIENCE:
            owed = 0
        dut.fetch_i.value = dut.look_i.value = fetch
        await RisingEdge(dut.clk_i)
        ended = False
        if beat:
            total = rng.randint(1, 9) if first else total
            writing.append(row)
            if len(writing) == total:
                whole.append(writing)
                writing, ended = [], True
    coverage.check({"skipped": 100, "read": 300} | ({"skipped while rows are still to be freed": 10} if spill else {}))


def phases(rows: int) -> list[Phase]:
    """Fill, stall, drain, run level, with frames from one row to more than the ring has."""
    return [
        Phase(800, 0.9, 0.8, 4),
        Phase(3 * rows, 1.0, 0.0, 5),
        Phase(2 * rows, 0.2, 1.0, 5),
        Phase(1500, 1.0, 1.0, rows // 2),
        Phase(600, 1.0, 0.5, 1),
        Phase(1500, 0.7, 0.6, rows + 5),
        Phase(1200, 0.95, 0.9, rows // 3),
        Phase(200, 0.0, 1.0, 1),
    ]


FLOORS = {
    "fetch beside a beat": 200,
    "look without a fetch": 200,
    "fetch beside a rewind": 10,
    "rewind": 100,
    "rewind beside a first beat": 20,
    "rewind of an overflow": 3,
    "fetch of a frame still arriving": 20,
    "emptied": 8,
    "full ring": 10,
    "row into an empty ring": 20,
}
