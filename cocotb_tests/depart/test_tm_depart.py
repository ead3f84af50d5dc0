# SPDX-License-Identifier: BSD-3-Clause
"""tm_depart: which frame is selected, in which cycle, and that its rows go out once and in order."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotbext.truemark.source import settle
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import PERIOD_NS, Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.tm_pkg import ADMITTED, AT_HAND, FATE

IDLE = dict.fromkeys(
    [
        "tx_en_i", "admitted_i", "stored_descriptor_i", "waiting_i", "head_arriving_i", "head_i", "flushing_i", "row_i",
        "ready_i", "fate_i",
    ],
    0,
)  # fmt: skip
MARK = 15
FILL_W = 5
PARAMETERS = {"DESCRIPTOR_W": 16, "MARK": MARK, "FILL_W": FILL_W}


@dataclass(eq=False)
class Frame:
    """A frame with its descriptor; rows are counted as they come in and as they are fetched."""

    descriptor: int
    rows: int
    judged_after: int
    bad: bool
    arrived: int = 0
    fetched: int = 0
    stored: bool = False
    selected: bool = False
    condemned: bool = False
    cut: bool = False
    ended: bool = False


@dataclass
class Habits:
    """Chances for a while."""

    ready: float
    tx_en: float
    beat: float


class Queue:
    """Plays admit, buffer and the descriptors around tm_depart, and says what it has to do."""

    def __init__(self, rng: random.Random, coverage: Coverage) -> None:
        self.rng, self.coverage = rng, coverage
        self.waiting: deque[Frame] = deque()
        self.newest: Frame | None = None  # the one arriving, or that arrived last
        self.last_beat: Frame | None = None
        self.shown: Frame | None = None  # its row stands on the output
        self.open: Frame | None = None
        self.departs = False
        self.cut_next: Frame | None = None

    def cycle(self, habits: Habits) -> tuple[dict[str, int], dict[str, int]]:
        """Choose this cycle's inputs; return them and what the outputs have to be."""
        rng, newest, hit = self.rng, self.newest, self.coverage.hit
        old = self.last_beat
        # the verdict of the cycle before; a row, and what it tells
        verdict = old is not None and old.arrived == old.judged_after
        stored = old if verdict and old is not None and not (old.ended and old.bad) else None
        beat = rng.random() < habits.beat and len(self.waiting) < 20
        first = beat and (newest is None or newest.arrived == newest.rows)
        if first:
            rows = rng.choice((1, 1, 2, 3, 5, 12))
            descriptor = rng.getrandbits(1) << MARK | (rows - 1) << FILL_W | rng.getrandbits(FILL_W)
            coming: Frame | None = Frame(descriptor, rows, rng.randint(1, rows), rng.random() < 0.25)
        else:
            coming = newest
        arriving = newest is not None and (newest.stored or newest is stored) and not newest.ended
        leaving = newest is not None and newest.selected and newest.stored
        ends = beat and coming is not None and coming.arrived + 1 == coming.rows
        wrong = ends and coming is not None and coming.bad
        judged = beat and coming is not None and coming.arrived + 1 == coming.judged_after
        abort = wrong and arriving and not leaving
        cut = wrong and arriving and leaving
        ready, tx_en = rng.random() < habits.ready, rng.random() < habits.tx_en

        head = self.waiting[0] if self.waiting else None
        shown = self.shown
        row_last = shown is not None and shown.fetched == shown.rows
        taken = shown is not None and (ready or shown.condemned)
        busy = shown is not None and not taken
        # rows of the frame that is open: in order, each a cycle after its beat
        available = self.open is not None and self.open.fetched < self.open.arrived
        chosen = None
        if not busy and self.open is None:
            head_arrives = head is not None and head is newest and arriving
            if head is not None and (head.condemned or tx_en):
                chosen = None if head_arrives and (abort or head.condemned) else head
            elif head is None and stored is not None and tx_en and not (stored is newest and abort):
                chosen = stored
        # Of a frame that was cut each row leaves before the next is read.
        slow = self.open is not None and self.open.cut and shown is not None
        more = not busy and self.open is not None and available and not slow
        inputs = {
            "tx_en_i": tx_en,
            "ready_i": ready,
            "admitted_i": ADMITTED.pack(
                judged=judged,
                stored=stored is not None,
                arriving=arriving,
                ends=ends,
                wrong=wrong,
                aborting=abort,
                cut=cut,
            ),
            "stored_descriptor_i": stored.descriptor if stored else rng.getrandbits(16),
            "waiting_i": head is not None,
            "head_arriving_i": head is newest and arriving and head is not None,
            "head_i": head.descriptor if head else rng.getrandbits(16),
            "flushing_i": head is not None and head.condemned,
            "row_i": AT_HAND.pack(
                available=available if self.open else rng.getrandbits(1),
                last=row_last if shown is not None else rng.getrandbits(1),
            ),
        }
        outputs: dict[str, int] = {
            "look_o": not busy,
            "fetch_o": more or chosen is not None,
            "pop_o": chosen is not None and chosen is head,
            "push_o": stored is not None and chosen is not stored and not abort,
            "valid_o": shown is not None and not shown.condemned,
            "depart_o": self.departs,
            "gone_o": taken and row_last,
        }
        if shown is not None:
            outputs |= {"row_o": min(shown.fetched - 1, 7), "descriptor_o": shown.descriptor}
            outputs["dropped_o"] = shown.condemned
            if row_last:
                outputs["error_o"] = shown.cut
        if arriving:
            outputs["leaving_o"] = leaving
        if more and self.open is not None:
            outputs["look_mark_o"] = self.open.descriptor >> MARK & 1
        elif chosen is not None:
            outputs["look_mark_o"] = chosen.descriptor >> MARK & 1
        hit("selected in the cycle after its verdict", chosen is not None and chosen is stored)
        hit("selected as it turns out wrong", abort and chosen is not None)
        hit("wrong head held back", abort and head is newest and tx_en and not busy)
        hit("cut short", cut)
        hit("dropped by a flush", taken and row_last and shown is not None and shown.condemned)
        hit(
            "flush waits for the end of an arrival", head is not None and head is newest and head.condemned and arriving
        )
        hit("no row in mid-frame", self.open is not None and not available and not busy)
        hit("without a pause between frames", chosen is not None and taken)
        hit("ninth row", more and self.open is not None and self.open.fetched >= 8)

        # what the cycle does
        if taken:
            self.shown = None
        self.departs = chosen is not None
        if chosen is not None:
            chosen.selected = True
            if chosen is head:
                self.waiting.popleft()
        reads = chosen or (self.open if more else None)
        if reads is not None:
            reads.fetched += 1
            self.shown, self.open = reads, None if reads.fetched == reads.rows else reads
        if stored is not None:
            stored.stored = True
            if chosen is not stored and not abort:
                self.waiting.append(stored)
        if abort and stored is not newest:
            self.waiting.pop()
        if cut and newest is not None:
            newest.cut = True
        if rng.random() < 0.01 and not (head is not None and head.condemned):
            for frame in self.waiting:
                frame.condemned = True
        self.newest = coming
        if beat and coming is not None:
            coming.arrived += 1
            coming.ended = ends
        self.last_beat = coming if beat else None
        return inputs, outputs


@cocotb.test()
async def offers_nothing_in_the_first_reset(dut: Any) -> None:
    """What stands on the output until the first reset has ended.

    Stimulus: registers as they power up, here at random; a frame that waits to be sent, the sink ready or not, and a
    reset from the first edge on.
    Checks: no row is offered behind any edge, and that is known.
    """
    settle(dut, {"clk_i": 0, **IDLE, "rst_i": 1, "tx_en_i": 1, "waiting_i": 1})
    Clock(dut.clk_i, PERIOD_NS, unit="ns").start()
    await cycle(dut)
    for ready in (0, 0, 1, 1, 0):
        dut.ready_i.value = ready
        await cycle(dut)
        assert dut.valid_o.value.is_resolvable
        assert dut.valid_o.value == 0


@cocotb.test()
async def selects_and_reads(dut: Any) -> None:
    """Selection, reading, flush and cutting short.

    Stimulus: 15,000 cycles of frames that arrive row by row, are judged, turn out wrong before or after they began to
    leave; sinks and tx_en from always to seldom; flushes.
    Checks: in every cycle every output is that of the contract: the frame is selected in the first possible cycle and
    in no other, rows are fetched as soon as they can be shown, flushed frames are read unseen.
    """
    rng = randomness("tm_depart")
    coverage = Coverage("tm_depart")
    await start(dut, IDLE)
    queue, habits = Queue(rng, coverage), Habits(1, 1, 1)
    for step in range(15_000):
        if step % 150 == 0:
            habits = Habits(rng.choice((1, 1, 0.8, 0.3)), rng.choice((1, 1, 0.5, 0.05)), rng.choice((1, 0.8, 0.3)))
        inputs, outputs = queue.cycle(habits)
        for name, value in inputs.items():
            getattr(dut, name).value = int(value)
        await cycle(dut)
        got = {name: int(getattr(dut, name).value) for name in outputs}
        wrong = [f"{name} is {got[name]}, not {int(value)}" for name, value in outputs.items() if got[name] != value]
        assert not wrong, f"step {step}: {'; '.join(wrong)}"
    floors = dict.fromkeys(coverage.hits, 10)
    coverage.check(floors | {"selected as it turns out wrong": 0})


def test_tm_depart() -> None:
    build_and_test("tm_depart", __name__, parameters=PARAMETERS)


READY = {"tx_en_i": 1}

test_assertion_fires = breaches(
    "tm_depart",
    Breach(
        "NoAbortWhileLeaving_A",
        "take a frame back that has begun to leave",
        [
            {**READY, "admitted_i": ADMITTED.pack(stored=1, arriving=1)},
            {"admitted_i": ADMITTED.pack(arriving=1, aborting=1)},
        ],
    ),
    Breach(
        "HoldUntilTaken_A",
        "offer a row to a sink that is not ready; the mutant takes it away",
        [{**READY, "row_i": AT_HAND.pack(last=1), "admitted_i": ADMITTED.pack(stored=1)}, {"admitted_i": 0}],
        ("fetch_o || (valid_q && !taken)", "fetch_o"),
    ),
    Breach(
        "OfferedIsValid_A",
        "flush a frame; the mutant offers its row",
        [{**READY, "row_i": AT_HAND.pack(last=1), "waiting_i": 1, "flushing_i": 1}, {"waiting_i": 0}],
        ("valid_d && !discard_d && !rst_i", "valid_d && !rst_i"),
    ),
    Breach(
        "LastIsLast_A",
        "let the memory say that there are rows after the only one",
        [{**READY, "admitted_i": ADMITTED.pack(stored=1)}, {"admitted_i": 0}],
    ),
    Breach(
        "PendingAlone_A",
        "let a frame pause and the next be selected; the mutant does it",
        [
            {**READY, "row_i": AT_HAND.pack(last=1), "waiting_i": 1, "fate_i": FATE.pack(pause=1)},
            {"fate_i": 0},
        ],
        ("!(CODEL && (fate_i.hold || pending_q))", "!(CODEL && fate_i.hold)"),
        parameters={"CODEL": 1},
    ),
    **PARAMETERS,
)
