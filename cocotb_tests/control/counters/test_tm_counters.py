# SPDX-License-Identifier: BSD-3-Clause
"""tm_counters and tm_snapshot, in tm_control: no event is lost, and a snapshot is one instant of all ports.

The sums of tm_tally, and the lengths of tm_tally_lengths, are what they count with.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import cocotb
import pytest
from cocotb.task import Task
from cocotb.triggers import ReadOnly, RisingEdge
from truemark.device.outcomes import DEPARTURE_CODE, DepartureKind
from truemark.device.registers import Code
from truemark_dev import build_type
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.control.host import Host, clearing, counters, last_code
from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.tm_pkg import Departure

MASK48 = (1 << 48) - 1
# {class, ECE}: the first two classes are not TCP's and have no ECE flag.
INDICES = (0, 2, *range(4, 14))
KIND_W = max(Departure).bit_length()
Key = tuple[int, int, int]  # port, code, index


class Traffic:
    """An arrival of every line, at one of its ports, and a departure of every port in (nearly) every cycle.

    They are counted as the snapshot cuts them.
    """

    def __init__(self, host: Host, name: str, *, full: float) -> None:
        self.host, self.rng, self.full = host, randomness(name), full
        self.ports = host.ports
        build = build_type.of(host.dut)
        self.longest = build["MAX_FRAME"]
        self.packets: Counter[Key] = Counter()
        self.bytes: Counter[Key] = Counter()
        self.frozen: tuple[Counter[Key], Counter[Key]] = (Counter(), Counter())
        self.running = True
        self.coverage = Coverage(name)
        self.sticky = 0.5
        self.queues = build["QUEUES"]
        self.codel = build["CODEL"]
        self.row = build["DATA_W"] // 8
        self.kinds = Departure.CE_SIGNALLED + 1 if self.codel else 2
        self.held = 0  # cycles after a reset in which nothing is counted

    def length(self) -> int:
        """Return a length, often the longest."""
        return self.rng.choice((self.longest, self.longest, 14, 64, self.rng.randint(14, self.longest)))

    def count(self, port: int, code: int, index: int, length: int) -> None:
        """Count an event as the device must."""
        self.packets[port, code, index] += 1
        self.bytes[port, code, index] += length

    async def stop(self, task: Task[None]) -> None:
        """Let no more events come; the next snapshot holds them all."""
        self.running = False
        await task
        self.frozen = (self.packets, self.bytes)

    async def run(self) -> None:
        """Drive and count events until told to stop."""
        host, dut, rng = self.host, self.host.dut, self.rng
        last: tuple[int, int] = (0, 0)
        last_out = 0
        while self.running:
            index = last[1] if rng.random() < self.sticky else rng.choice(INDICES)
            length = self.length()
            lines = range(0, self.ports, self.queues)
            valid = sum((rng.random() < self.full) << line + rng.randrange(self.queues) for line in lines)
            outcomes = [last[0] if rng.random() < self.sticky else rng.randrange(12) for _ in range(self.ports)]
            host.tally.set(class_id=index >> 1, ece=index & 1, len=length)
            host.arrival.set(valid=valid, outcome=sum(outcome << 4 * p for p, outcome in enumerate(outcomes)))
            self.coverage.hit("the same counter twice running", bool(valid & 1) and (outcomes[0], index) == last)
            last = (outcomes[0], index)
            out = sum((rng.random() < self.full) << p for p in range(self.ports))
            kinds = [rng.randrange(self.kinds) for _ in range(self.ports)]
            # Without CoDel what departs right after another has one row.
            lengths = [
                rng.randint(1, self.row) if last_out >> p & 1 and not self.codel else self.length()
                for p in range(self.ports)
            ]
            last_out = out
            gone = [(rng.choice(INDICES[:3]) if rng.random() < self.sticky else rng.choice(INDICES), length,
                     rng.getrandbits(rng.randint(1, 42))) for length in lengths]  # fmt: skip
            host.departure.set(
                valid=out,
                kind=sum(kind << KIND_W * p for p, kind in enumerate(kinds)),
                class_id=sum((g[0] >> 1) << 3 * p for p, g in enumerate(gone)),
                ece=sum((g[0] & 1) << p for p, g in enumerate(gone)),
                len=sum(g[1] << 14 * p for p, g in enumerate(gone)),
                sojourn=sum(g[2] << 42 * p for p, g in enumerate(gone)),
            )
            await ReadOnly()
            instant, held = bool(dut.snapshot.value), bool(dut.hold.value)
            await RisingEdge(dut.clk_i)
            self.held += held
            if held:
                continue
            for p in range(self.ports):
                if valid >> p & 1:
                    self.count(p, outcomes[p], index, length)
                if out >> p & 1:
                    self.count(p, DEPARTURE_CODE[DepartureKind(kinds[p])], gone[p][0], gone[p][1])
                    if kinds[p] != Departure.HEAD_DROPPED:
                        place = min(23, max(0, gone[p][2].bit_length() - 8))
                        self.count(p, Code.SOJOURN_LOW + place // 16, place % 16, 0)
            if instant:
                self.frozen = (Counter(self.packets), Counter(self.bytes))
        host.arrival.set(valid=0)
        host.departure.set(valid=0)
        await RisingEdge(dut.clk_i)


def total(
    frozen: tuple[Counter[Key], Counter[Key]], port: int, code: int, cmask: int, index: int, imask: int
) -> tuple[int, int]:
    """Sum what a query selects."""
    keys = [k for k in frozen[0] if k[0] == port and not (k[1] ^ code) & cmask and not (k[2] ^ index) & imask]
    return sum(frozen[0][k] for k in keys) & MASK48, sum(frozen[1][k] for k in keys) & MASK48


async def compare(host: Host, traffic: Traffic, queries: int) -> None:
    """Ask for all of each port, then for random selections."""
    for port in range(host.ports):
        assert await host.query(port) == total(traffic.frozen, port, 0, 0, 0, 0), port
    rng = traffic.rng
    for _ in range(queries):
        top = 31 if host.codel else 15
        port, code, index = (
            rng.randrange(host.ports),
            rng.randrange(last_code(host.codel) + 1),
            rng.randrange(16),
        )
        cmask, imask = rng.choice((top, top, 0, rng.getrandbits(4))), rng.choice((15, 15, 0, rng.getrandbits(4)))
        got = await host.query(port, code, cmask, index, imask, distracted=rng.random() < 0.3)
        assert got == total(traffic.frozen, port, code, cmask, index, imask), (port, code, cmask, index, imask)


@cocotb.test()
async def loses_nothing(dut: Any) -> None:
    """Events in every cycle.

    Stimulus: an arrival of every line and a departure of every port in every cycle from the first after reset on, many
    to the same counter twice running, long frames; snapshots and queries all the while; then the traffic stops.
    Checks: each snapshot is exactly what had happened up to and in its cycle, code by code, also where PAGE and QUERY
    change while a query goes on; queries before the first snapshot and of a port that is not there find 0.
    """
    host = await Host.start(dut)
    traffic = Traffic(host, "tm_counters", full=1.0)
    task = cocotb.start_soon(traffic.run())
    assert await host.query(0) == (0, 0)
    if host.ports > 5:
        await host.snapshot()
        assert await host.query(15) == total(traffic.frozen, 15, 0, 0, 0, 0)
        await traffic.stop(task)
        return
    for _ in range(2):
        await host.snapshot()
        await compare(host, traffic, 3)
    assert await host.query(15) == (0, 0)
    await traffic.stop(task)
    await host.snapshot()
    await compare(host, traffic, 40)
    traffic.coverage.check({"the same counter twice running": 300})


@cocotb.test()
async def holds_one_busy_counter(dut: Any) -> None:
    """Narrow counters at their fullest.

    Stimulus: every cycle adds the longest frame to an arrival counter of each line and a departure counter of each
    port, for several rounds of the sweep with a query in each, from narrow counters preloaded at random.
    Checks: exact packets and bytes: nothing wrapped unseen.
    """
    host = await Host.start(dut)
    traffic = Traffic(host, "tm_counters full", full=1.0)
    traffic.length = lambda: traffic.longest  # type: ignore[method-assign]
    traffic.sticky = 1.0
    task = cocotb.start_soon(traffic.run())
    for _ in range(3):
        await host.snapshot()
        assert await host.query(host.ports - 1, 0, 15) == total(traffic.frozen, host.ports - 1, 0, 15, 0, 0)
    await traffic.stop(task)
    await host.snapshot()
    await compare(host, traffic, 2)


@cocotb.test()
async def carries_through(dut: Any) -> None:
    """Totals just before 2^32 and 2^48.

    Stimulus: some totals preloaded, traffic, snapshot.
    Checks: the sums carry across 2^32 and wrap at 2^48.
    """
    host = await Host.start(dut)
    traffic = Traffic(host, "tm_counters carry", full=0.3)
    await host.wait(2 * clearing(host.ports, host.codel))
    size = counters(host.codel)
    place = {(p, 0, 0): size * p for p in range(host.ports)}
    order = (
        [(code, i) for code in range(14) for i in INDICES] + [(14, i) for i in range(16)] + [(15, i) for i in range(8)]
    )
    for p in range(host.ports):
        for base in ((1 << 32) - 2, (1 << 48) - 2):
            code, index = traffic.rng.choice(order[:168])
            place[p, code, index] = size * p + order.index((code, index))
            dut.snapshots.totals.totals.words[place[p, code, index]].value = base << 48 | (base - 5000) & MASK48
            traffic.packets[p, code, index] += base - traffic.packets[p, code, index]
            traffic.bytes[p, code, index] += base - 5000 - traffic.bytes[p, code, index]
    traffic.sticky = 0.0
    task = cocotb.start_soon(traffic.run())
    await host.wait(12000 // host.ports)
    await traffic.stop(task)
    await host.snapshot()
    for p, code, index in place:
        traffic.coverage.hit("over 2^48", traffic.frozen[0][p, code, index] > 1 << 48)
        assert await host.query(p, code, 15, index, 15) == total(traffic.frozen, p, code, 15, index, 15)
    await compare(host, traffic, 5)
    traffic.coverage.check(["over 2^48"])


@cocotb.test()
async def begins_again_after_reset(dut: Any) -> None:
    """Resets.

    Stimulus: traffic, a reset in its middle, long enough, and one that is not; traffic from the first cycle after each.
    Checks: the counters hold exactly what came after the long reset, or after the sweep that a short one did not wait
    for, which has its promised length; the old snapshot is gone.
    """
    for full, cycles in ((1.0, None), (0.5, None), (1.0, 5)):
        host = await Host.start(dut, cycles)
        traffic = Traffic(host, f"tm_counters reset {full} {cycles}", full=full)
        task = cocotb.start_soon(traffic.run())
        assert await host.query(0) == (0, 0)
        await host.wait(300)
        await host.snapshot()
        await compare(host, traffic, 1)
        await traffic.stop(task)
        if cycles is None:
            assert not traffic.held
        else:
            whole = clearing(host.ports, host.codel)
            assert whole - 30 < traffic.held + cycles <= whole


@pytest.mark.parametrize(
    ("ports", "queues", "data_w", "codel"),
    [(1, 1, 64, 0), (4, 2, 64, 0), *slow((2, 1, 256, 1), (5, 1, 256, 0), (8, 4, 256, 1), (16, 1, 1024, 0))],
)
def test_tm_counters(ports: int, queues: int, data_w: int, codel: int) -> None:
    rows = 16384 // (data_w // 8)
    parameters = {
        "PORTS": ports,
        "QUEUES": queues,
        "DATA_W": data_w,
        "ROWS": rows,
        "DESCRIPTORS": 100,
        "MAX_FRAME": 16383 if ports == 1 else 9216,
        "CODEL": codel,
    }
    cases = ["loses_nothing"] if ports == 16 else None
    build_and_test("tm_control", __name__, parameters=parameters, testcase=cases, seen=["tm_prim_ram"])
