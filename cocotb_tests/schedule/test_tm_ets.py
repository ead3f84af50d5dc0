# SPDX-License-Identifier: BSD-3-Clause
"""tm_ets: selects queue by queue as the golden model does, and shares a line by the quanta."""

from __future__ import annotations

import os
import random
from collections import deque
from itertools import combinations
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.line import BEHIND, behind
from cocotb_tests.env.packed import packed
from cocotb_tests.env.tm_pkg import LEN_W

pytestmark = pytest.mark.builds("golden")

SELECTIONS = int(os.environ.get("TRUEMARK_SELECTIONS", "20000"))  # frames; the bar of a release is 10^6
IDLE = dict.fromkeys(["waiting_i", "len_i", "behind_i", "strict_i", "quantum_i", "ready_i", "select_i"], 0)


class Bench:
    """The module with a queue of lengths for each of its inputs, and the golden model on the same."""

    whole = True  # every quantum holds a frame: no cycle without a grant
    reads = 0.0  # how often the first row of a frame is yet to be read when its turn comes

    def __init__(self, dut: Any, rng: random.Random) -> None:
        self.dut, self.rng = dut, rng
        self.count = dut.QUEUES.value.to_unsigned()
        self.most = dut.MAX_FRAME.value.to_unsigned()
        self.queues: list[deque[int]] = [deque() for _ in range(self.count)]
        self.model = golden().Ets(self.count)
        self.sending: int | None = None
        self._left = 0  # cycles of the frame that is being sent
        self._lasts: tuple[int, ...] = (1,)  # of any
        self._unread = [0] * self.count  # cycles until the oldest frame's first row is there
        self.paused = [False] * self.count

    async def configure(self, strict: list[bool], quanta: list[int]) -> None:
        """Empty the queues, and set which of them are strict, and the quanta, a cycle before the first frame."""
        for queue in self.queues:
            queue.clear()
        self.paused = [False] * self.count
        while self.sending is not None:
            await self.step(select=False)
        self.dut.strict_i.value = packed([int(one) for one in strict], 1)
        self.dut.quantum_i.value = packed(quanta, len(self.dut.quantum_i) // self.count)
        for number, (is_strict, quantum) in enumerate(zip(strict, quanta, strict=True)):
            self.model.configure(number, is_strict, quantum)
        self._lasts = self.rng.choice(((1,), (1, 1, 2, 5)))
        await self.step(select=False)

    async def step(self, select: bool) -> tuple[int | None, int | None]:
        """Let a cycle pass; return the queue that was selected and the one that the model selects, if it is asked."""
        rng, sender = self.rng, self.sending
        ends = sender is not None and self._left == 1
        heads = [
            queue[0] if queue and not paused else None for queue, paused in zip(self.queues, self.paused, strict=True)
        ]
        unread = [head is not None and left > 0 for head, left in zip(heads, self._unread, strict=True)]
        waiting = [head is not None and not each for head, each in zip(heads, unread, strict=True)]
        self.dut.waiting_i.value = packed(waiting, 1)
        self.dut.len_i.value = packed([(head or 0) * here for head, here in zip(heads, waiting, strict=True)], LEN_W)
        # What comes behind while a frame lasts, or behind the one that waits, does not count: only one that is read.
        said = [
            behind(
                head if each else rng.choice((None, 64, self.most)),
                at_end=rng.random() < 0.5,
                ended=rng.random() < 0.5,
                soon=here and rng.random() < 0.5,
                unread=each,
            )
            for head, each, here in zip(heads, unread, waiting, strict=True)
        ]
        ready = rng.random() < 0.5
        if sender is not None and ends:
            late = rng.random() < 0.1
            said[sender] = behind(
                heads[sender], at_end=not late, ended=late, soon=rng.random() < 0.5, unread=unread[sender]
            )
            ready |= not late
        elif sender is not None:
            said[sender] = behind(rng.choice((None, 64)), at_end=not ready, soon=rng.random() < 0.5)
            heads[sender] = 64  # its place is kept
            unread[sender] = False
        self.dut.behind_i.value = packed(said, BEHIND.width)
        self.dut.ready_i.value = int(ready)
        self.dut.select_i.value = int(select)
        self.model.see(heads)
        await ReadOnly()
        grant, sending = int(self.dut.grant_o.value), int(self.dut.sending_o.value)
        await RisingEdge(self.dut.clk_i)
        assert sending == (0 if sender is None else 1 << sender)
        assert grant & (grant - 1) == 0, f"two queues: {grant:b}"
        chosen = grant.bit_length() - 1 if grant else None
        asked = select and (sender is None or ends)
        expected = self.model.select(heads, unread) if asked and (chosen is not None or self.whole) else None
        self.unread = unread
        self._unread = [
            max(left - 1, 0) if queue else left for queue, left in zip(self.queues, self._unread, strict=True)
        ]
        if sender is not None:
            self._left -= 1
            self.sending = None if ends else sender
        if chosen is not None:
            self.queues[chosen].popleft()
            self._unread[chosen] = rng.randint(1, 6) if rng.random() < self.reads else 0
            self.sending, self._left = chosen, self.rng.choice(self._lasts)
        return chosen, expected


@cocotb.test()
async def selects_as_the_model_does(dut: Any) -> None:
    """The order of frames, strict and shared.

    Stimulus: frames of all lengths, which take one cycle or more, for queues that run dry, stand, are paused, or get
    one frame now and then, at any rate of selection, back to back among them; some queues strict, quanta from one
    longest frame up; frames at hand at once, or read for up to six cycles when their turn comes; again every 500
    cycles.
    Checks: in each cycle of a selection the queue that the golden model selects, none while its frame is read; no grant
    in any other; the queue that sends is the one selected, until its frame ends.
    """
    rng = randomness("tm_ets")
    coverage = Coverage("tm_ets")
    await start(dut, IDLE)
    bench = Bench(dut, rng)
    selected = last = 0
    streak = 0
    while selected < SELECTIONS:
        often_strict = rng.choice((0, 0.3))
        strict = [rng.random() < often_strict for _ in range(bench.count)]
        quanta = [bench.most * rng.choice((1, 1, 2, 5)) + rng.randrange(bench.most) for _ in range(bench.count)]
        await bench.configure(strict, quanta)
        rates = [rng.choice((0.0, 0.02, 0.2, 0.5)) for _ in range(bench.count)]
        if rng.random() < 0.15:
            rates = [0.5] + [0.0] * (bench.count - 1)
            rng.shuffle(rates)
        busy = rng.choice((0.1, 0.5, 1.0))
        bench.reads = rng.choice((0, 0, 0.3, 1.0))
        pauses = rng.choice((0, 0, 0, 0, 0.02, 0.2))
        longest = rng.choice((64, bench.most))
        for _ in range(500):
            for queue, rate in zip(bench.queues, rates, strict=True):
                if len(queue) < 40 and rng.random() < rate:
                    queue.append(rng.choice((64, longest, rng.randint(1, longest))))
            bench.paused = [each != (rng.random() < pauses) for each in bench.paused]
            waiting = [queue for queue in range(bench.count) if bench.queues[queue] and not bench.paused[queue]]
            select, sender = rng.random() < busy, bench.sending
            chosen, expected = await bench.step(select)
            assert chosen == expected, f"frame {selected}: {chosen}, the model says {expected}"
            shares = sum(not strict[queue] for queue in waiting)
            coverage.hit("none waits", select and sender is None and not waiting)
            coverage.hit("waits for a read", select and sender is None and chosen is None and len(waiting) > 0)
            coverage.hit("before one that is read", chosen is not None and any(bench.unread))
            if chosen is None:
                streak *= bench.sending is not None
                continue
            selected += 1
            streak = streak + 1 if chosen == last else 0
            coverage.hit("strict before shared", strict[chosen] and shares > 0)
            coverage.hit("strict before strict", strict[chosen] and len(waiting) - shares > 1)
            coverage.hit("all share", shares == bench.count)
            coverage.hit("behind a frame of one cycle", chosen == sender)
            coverage.hit("alone, for longer than a quantum", shares == 1 and not strict[chosen] and streak > 5)
            coverage.hit("another's turn", shares > 1 and not strict[chosen] and chosen != last)
            last = chosen
    coverage.check(
        {"none waits": 250, "waits for a read": 250, "before one that is read": 50, "strict before shared": 250,
         "strict before strict": 20, "another's turn": 250,
         "all share": 20, "behind a frame of one cycle": 250, "alone, for longer than a quantum": 15}
    )  # fmt: skip


@cocotb.test()
async def small_quanta(dut: Any) -> None:
    """Quanta below a frame: the order stays, and a frame waits a cycle for each quantum that it needs.

    Stimulus: backlogs of all queues, quanta from 30 to 1900 bytes, a selection in every cycle.
    Checks: the golden model's order; at most as many cycles without a grant as there are quanta in the longest frame,
    and one more.
    """
    rng = randomness("tm_ets.small")
    await start(dut, IDLE)
    bench = Bench(dut, rng)
    bench.whole = False
    quanta = [rng.randint(30, 1900) for _ in range(bench.count)]
    await bench.configure([False] * bench.count, quanta)
    for queue in bench.queues:
        queue.extend(rng.randint(1, bench.most) for _ in range(200))
    idle = idle_cycles = 0
    while any(bench.queues):
        sender = bench.sending
        chosen, expected = await bench.step(select=True)
        assert chosen == expected
        idle = 0 if chosen is not None else idle + (bench.sending is None or sender is None)
        idle_cycles += idle > 0
        assert idle <= bench.most // min(quanta) + 2
    assert idle_cycles > 100


@cocotb.test()
async def shares_by_quanta(dut: Any) -> None:
    """What deficit round robin is for.

    Stimulus: queues that always have a frame, of lengths of their own, and quanta of their own; some are
    read when their turn comes.
    Checks: after any frame, what two queues have sent, each divided by its quantum, differs by at most one quantum and
    a longest frame of each (Shreedhar and Varghese, SIGCOMM 1995).
    """
    rng = randomness("tm_ets.shares")
    await start(dut, IDLE)
    bench = Bench(dut, rng)
    bench.reads = 0.2
    quanta = [bench.most * rng.randint(1, 4) + rng.randrange(500) for _ in range(bench.count)]
    await bench.configure([False] * bench.count, quanta)
    spans = [rng.choice(((64, 64), (64, bench.most), (bench.most, bench.most))) for _ in range(bench.count)]
    sent = [0] * bench.count
    for _ in range(26000):
        for queue, span in zip(bench.queues, spans, strict=True):
            while len(queue) < 3:
                queue.append(rng.randint(*span))
        lengths = [queue[0] for queue in bench.queues]
        chosen, expected = await bench.step(select=True)
        assert chosen == expected
        if chosen is None:
            assert bench.sending is not None or any(bench.unread)
            continue
        sent[chosen] += lengths[chosen]
        rounds = [bytes_sent / quantum for bytes_sent, quantum in zip(sent, quanta, strict=True)]
        frames = [span[1] / quantum for span, quantum in zip(spans, quanta, strict=True)]
        for one, other in combinations(range(bench.count), 2):
            assert abs(rounds[one] - rounds[other]) <= 1 + frames[one] + frames[other]
    assert min(sent) > 4 * bench.most


@pytest.mark.parametrize(("queues", "max_frame"), [(2, 1518), *slow((8, 9216), (4, 1518))])
def test_tm_ets(queues: int, max_frame: int) -> None:
    build_and_test("tm_ets", __name__, parameters={"QUEUES": queues, "MAX_FRAME": max_frame})


test_assertion_fires = breaches(
    "tm_ets",
    Breach("LenFits_A", "let a frame of 1519 bytes wait", [{"waiting_i": 1, "len_i": 1519, "quantum_i": 1518}],
           parameters={"QUEUES": 2, "MAX_FRAME": 1518}),
    Breach("NextFits_A", "let a frame of 1519 bytes wait behind another", [
        {"waiting_i": 1, "len_i": 64, "quantum_i": 1518, "select_i": 1}, {"behind_i": behind(1519, ended=True)}],
           parameters={"QUEUES": 2, "MAX_FRAME": 1518}),
    Breach("Sends_A", "let a queue with a quantum of 0 wait", [{"waiting_i": 1, "len_i": 64}],
           parameters={"QUEUES": 2, "MAX_FRAME": 1518}),
    Breach("OneGrant_A", "select two strict queues", [
        {"waiting_i": 3, "len_i": 64 | 64 << LEN_W, "strict_i": 3, "quantum_i": 1518, "select_i": 1}, 2],
        mutant=("&& (strict >> q) == QUEUES'(1)", ""), parameters={"QUEUES": 2, "MAX_FRAME": 1518}),
)  # fmt: skip
