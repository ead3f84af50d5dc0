# SPDX-License-Identifier: BSD-3-Clause
"""truemark_ets in `truemark`: queues share their line as Linux's `ets` does and the registers say, beat by beat."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.truemark import Device
from cocotbext.truemark.sinks import Received
from cocotbext.truemark.source import Frame, bursts, chance, never, random_gaps
from truemark.device.registers import QUEUE_SETTINGS, QueueMode
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.line import BEHIND
from cocotb_tests.env.tm_pkg import LEN_W

pytestmark = pytest.mark.builds("golden")

MAX_FRAME = 1518


def of_queue(rng: random.Random, queue: int, length: int) -> Frame:
    """Return a frame for a queue, whose number is its priority and its last byte."""
    frame = packets.of_length(length, tags=1)
    return Frame(frame[:14] + bytes([queue << 5]) + frame[15:-5] + rng.randbytes(4) + bytes([queue]), ports=1)


class Order:
    """Follows the streams into the scheduler, and asks the golden model at each selection."""

    def __init__(self, dut: Any, strict: int, quanta: list[int]) -> None:
        self.dut, self.count = dut, len(quanta)
        self.ets = dut.lines.gen_queues["gen_line[0]"].ets
        self.model = golden().Ets(self.count)
        self.turns = [0 if strict >> queue & 1 else quantum for queue, quantum in enumerate(quanta)]
        for queue, quantum in enumerate(quanta):
            self.model.configure(queue, bool(strict >> queue & 1), quantum)
        self.expected: list[int] = []
        self.read = 0  # cycles in which the line waited for the pool
        self.lost: list[
            int
        ] = []  # cycles with a beat of the frame that is being sent, in which the line could take it and did not

    async def follow(self, device: Device) -> None:
        """Configure the instance, which is out of its reset, and begin."""
        for queue, quantum in enumerate(self.turns):
            await device.configure(queue, QUEUE_SCHEDULE={"shares": int(quantum > 0), "quantum": quantum})
        await device.configure(0, QUEUE_SETTINGS=QUEUE_SETTINGS.pack(mode=QueueMode.PCP), QUEUE_PCP=0o3210)
        self.task = cocotb.start_soon(self._run())

    def check(self, frames: list[Frame], came: list[Received]) -> list[int]:
        """Each frame came once, whole, in its queue's order, the queues in the model's; return the queues."""
        for queue in range(self.count):
            assert [each.data for each in came if each.data[-1] == queue] == [
                frame.data for frame in frames if frame.data[-1] == queue
            ]
        queues = [each.data[-1] for each in came]
        assert queues == self.expected
        assert not self.lost
        assert (self.read > 0) == bool(self.dut.POOL.value)
        return queues

    async def _run(self) -> None:
        sending: int | None = None
        before: list[int | None] = [None] * self.count  # what stood there in the cycle before
        reads: list[int | None] = before  # and what was to come there
        ets, cycle = self.ets, 0
        ended, follows = False, 0
        while True:
            await RisingEdge(self.dut.clk)
            cycle += 1
            valid, last = int(ets.s_axis_tvalid.value), int(ets.s_axis_tlast.value)
            taken = valid & int(ets.s_axis_tready.value)
            user = str(ets.s_axis_tuser.value)[::-1]
            width = len(user) // self.count
            stands = [
                int(user[width * q : width * q + LEN_W][::-1], 2) if valid >> q & 1 else None for q in range(self.count)
            ]
            # The selection of the cycle before, which saw what stood there then, and what waited behind the sender, or
            # was about to come.
            heads = list(before)
            if sending is not None:
                heads[sending] = (stands[sending] if follows else None) if ended else 64  # its place is kept
                assert not ended or not follows or stands[sending] == follows
            late = [head is None and soon is not None for head, soon in zip(heads, reads, strict=True)]
            heads = [soon if head is None else head for head, soon in zip(heads, reads, strict=True)]
            self.model.see(heads)
            if sending is None or ended:
                sending = self.model.select(heads, late)
                self.read += sending is None and any(late)
                if sending is not None:
                    self.expected.append(sending)
            ended = sending is not None and bool(taken & last & 1 << sending)
            assert taken & ~(0 if sending is None else 1 << sending) == 0
            stalled = int(self.dut.m_axis_tvalid.value) and not int(self.dut.m_axis_tready.value)
            assert not (stalled and taken)
            if sending is not None and valid >> sending & 1 and not taken and not stalled:
                self.lost.append(cycle)
            before = stands
            said = [BEHIND.unpack(int(ets.behind_i.value) >> BEHIND.width * queue) for queue in range(self.count)]
            reads = [each["last"] + 1 if each["soon"] else None for each in said]
            of_sender = said[sending or 0]
            follows = of_sender["valid"] and of_sender["last"] + 1  # the length, or none


@cocotb.test()
async def backlog(dut: Any) -> None:
    """A backlog of all queues, and a line that takes every beat.

    Stimulus: one strict queue and three that share 1 : 2 : 4, filled while the line stands still.
    Checks: frames whole and in order within their queue; the golden model's order; no cycle without
    a beat from the first to the last; shares by the quanta until the first queue is empty.
    """
    rng = randomness("truemark_ets.backlog")
    strict, quanta = 0b1000, [1518, 3036, 6072, 1518]
    order = Order(dut, strict, quanta)
    device = await Device(dut).start()
    await order.follow(device)
    device.sinks.ready[0] = never
    frames = [of_queue(rng, n % 4, rng.choice((64, 300, 1518))) for n in range(240)]
    await device.source.send(*frames)
    await device.cycles(20)
    device.sinks.ready[0] = lambda: True
    await device.sinks.wait(len(frames))
    came = device.sinks.received[0]
    queues = order.check(frames, came)
    first = queues.index(3, 1)
    assert queues[first : first + 59] == [3] * 59, "the strict queue has to wait for nobody but the frame on the line"
    sent = dict.fromkeys(range(4), 0)
    for each in came[first + 59 :]:
        sent[each.data[-1]] += len(each.data)
        if sent[2] >= 6072 * 3:
            break
    rounds = [sent[queue] / quanta[queue] for queue in range(3)]
    assert max(rounds) - min(rounds) <= 1 + 2 * MAX_FRAME / min(quanta), rounds


@cocotb.test()
async def any_traffic(dut: Any) -> None:
    """Queues that run dry and come back, behind a line that stops.

    Stimulus: 400 frames of all lengths, more for some queues than for others, with gaps, a line ready in bursts.
    Checks: every frame comes out once, whole, in order within its queue; the golden model's order; no cycle is lost.
    """
    rng = randomness("truemark_ets.any_traffic")
    coverage = Coverage("truemark_ets")
    strict, quanta = 0b0100, [1518, 2000, 1518, 9000]
    order = Order(dut, strict, quanta)
    device = await Device(dut).start()
    await order.follow(device)
    frames = []
    for part in range(8):
        device.sinks.ready[0] = bursts(rng) if part % 3 == 0 else chance(rng, 0.9 if part % 3 == 1 else 0.4)
        device.source.gaps = random_gaps(rng, 0.3, 40 if part % 2 else 3)
        weights = [rng.choice((0, 1, 5)) for _ in range(3)] + [1]
        some = [of_queue(rng, q, rng.randint(64, MAX_FRAME)) for q in rng.choices(range(4), weights, k=50)]
        await device.source.send(*some)
        frames += some
    device.sinks.ready[0] = lambda: True
    await device.sinks.wait(len(frames))
    queues = order.check(frames, device.sinks.received[0])
    for one, other in pairwise(queues):
        coverage.hit("another queue's turn", one != other)
        coverage.hit("the same again", one == other)
        coverage.hit("strict", other == 2)
    coverage.check({"another queue's turn": 100, "the same again": 50, "strict": 30})


@cocotb.test()
async def from_frame_to_frame(dut: Any) -> None:
    """What the line loses between frames, which docs/pool.md says.

    Stimulus: backlogs of one queue and of four that share, frames of one length, a line that takes every beat.
    Checks: no cycle with memories of their own. With a pool, none before another queue's frame; before the next of the
    same queue at most 3, 4 behind a frame of one row, which is what a queue alone loses.
    """
    rng = randomness("truemark_ets.from_frame_to_frame")
    order = Order(dut, 0, [MAX_FRAME] * 4)
    device = await Device(dut).start()
    await order.follow(device)
    beat_bytes = len(dut.m_axis_tdata) // 8
    for number, (length, queues) in enumerate((length, queues) for length in (64, 300, MAX_FRAME) for queues in (1, 4)):
        device.sinks.ready[0] = never
        await device.source.send(*[of_queue(rng, n % queues, length) for n in range(32)])
        await device.cycles(60)
        device.sinks.ready[0] = lambda: True
        await device.sinks.wait(32 * (number + 1))
        lost = {True: 0, False: 0}  # at most, by whether the same queue sends again
        for before, after in pairwise(device.sinks.received[0][-31:]):
            again = before.data[-1] == after.data[-1]
            lost[again] = max(lost[again], after.first - before.last - 1)
        most = (4 if length <= beat_bytes else 3) * int(dut.POOL.value)
        assert lost[False] == 0
        assert lost[True] <= most
        assert queues > 1 or lost[True] == most, f"{length} B: {lost}"


@pytest.mark.parametrize(("width", "pool"), [(512, 0), (512, 1), *slow((256, 0), (256, 1))])
def test_truemark_ets(width: int, pool: int) -> None:
    build_and_test(
        "truemark",
        __name__,
        parameters={
            "PORTS": 4,
            "QUEUES": 4,
            "DATA_W": width,
            "ROWS": 2048 << 2 * pool,
            "MAX_FRAME": MAX_FRAME,
            "POOL": pool,
        },
        seen=["truemark_ets", "tm_lines"],
    )
