# SPDX-License-Identifier: BSD-3-Clause
"""tm_netfpga_registers, and in it tm_netfpga_port: random events and reads against a plain model of NetFPGA's map."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

LISTING = "rtl/netfpga/netfpga.f"
NOTHING = 0xDEADBEEF
LEN_W = 14
PACE = 0xC0 // 4  # the pacers' words


class Model:
    """What the registers must read: counts since the last clear, packets that are in a queue."""

    def __init__(self, ports: int) -> None:
        self.ports = ports
        self.counts = [0] * (7 + 7 * ports)
        self.queued = [0] * ports
        self.flip = self.debug = 0
        self.pace = [0] * ports

    def word(self, index: int) -> int:
        """Return what a register shows now."""
        if index in (0, 1, 3, 4):
            return (0xDA03, 1, 0, ~self.flip & 0xFFFF_FFFF, self.debug)[index]
        if PACE <= index < PACE + self.ports:
            return self.pace[index - PACE]
        if index == 2 or index >= len(self.counts):
            return NOTHING
        return self.queued[index // 7 - 1] if index >= 7 and index % 7 == 6 else self.counts[index]

    def clear(self, index: int) -> None:
        """Clear one counter."""
        if index < len(self.counts):
            self.counts[index] = 0

    def events(self, came: int, out: int, stored: int, dropped: int, length: int, removed: list[int | None]) -> None:
        """Count one cycle's events."""
        self.counts[5] += came
        self.counts[6] += out
        for port in range(self.ports):
            base = 7 + 7 * port
            for offset, count in ((0, stored >> port & 1), (4, dropped >> port & 1)):
                self.counts[base + offset] += count
                self.counts[base + offset + 1] += count * length
            self.queued[port] += stored >> port & 1
            if (left := removed[port]) is not None:
                self.counts[base + 2] += 1
                self.counts[base + 3] += left
                self.queued[port] -= 1


async def idle(dut: Any) -> None:
    """Reset with nothing going on."""
    quiet = ("req_i", "write_i", "index_i", "data_i", "strobe_i", "in_i", "out_i")
    events = ("stored_i", "dropped_i", "arrive_len_i", "removed_i", "removed_len_i")
    await start(dut, dict.fromkeys((*quiet, *events), 0))


@cocotb.test()
async def pacers_at_a_reset(dut: Any) -> None:
    """
    Stimulus: the pacers are read before anything is written, set, and a reset comes, with a write to one under it.
    Checks: off at first; as they were set after the reset, while FLIP and DEBUG are as at first.
    """
    await idle(dut)
    ports = len(dut.stored_i)

    async def access(index: int, value: int | None = None) -> int:
        dut.req_i.value, dut.write_i.value, dut.index_i.value = 1, int(value is not None), index
        dut.data_i.value, dut.strobe_i.value = value or 0, 15
        await RisingEdge(dut.clk_i)
        dut.req_i.value = 0
        for _ in range(3):
            await RisingEdge(dut.clk_i)
            if dut.ack_o.value:
                return int(dut.data_o.value)
        assert dut.rst_i.value, "no answer"
        return 0

    pacers = range(PACE, PACE + ports)
    assert [await access(index) for index in pacers] == [0] * ports
    for index, value in ((3, 1), (4, 2), *((index, 0x64000 + index) for index in pacers)):
        await access(index, value)
    dut.rst_i.value = 1
    await access(PACE, 0x1234)
    dut.rst_i.value = 0
    assert [await access(index) for index in pacers] == [0x64000 + index for index in pacers]
    assert (await access(3), await access(4)) == (0xFFFF_FFFF, 0)
    for index in pacers:  # for the tests that follow
        await access(index, 0)


@cocotb.test()
async def random_events_and_reads(dut: Any) -> None:
    """
    Stimulus: 6000 cycles of random events, in every cycle all ports may store, drop and remove; reads and writes of
        random words without a pause, RESET among them.
    Checks: every read shows the model's value of the cycle in which it is cleared; what happened in the cycle before
        is in the next count; answers come two cycles after the request.
    """
    rng = randomness("random_events_and_reads")
    ports = len(dut.stored_i)
    await idle(dut)
    model, coverage = Model(ports), Coverage("registers")
    asked: tuple[bool, int, int, int] | None = None  # of the cycle before
    reset, answer, clear_next = 0, None, False
    events: tuple[Any, ...] = 0, 0, 0, 0, 0, [None] * ports  # of the cycle before
    for _ in range(6000):
        stored = rng.getrandbits(ports) & rng.getrandbits(ports)
        dropped = rng.getrandbits(ports) & rng.getrandbits(ports) & ~stored
        came, out, length = rng.getrandbits(1), rng.getrandbits(ports), rng.randrange(1 << 16)
        leaves = zip(model.queued, events[-1], strict=True)  # one leaves already, but is not counted yet
        held = [queued - (left is not None) for queued, left in leaves]
        removed = [rng.randrange(14, 1 << LEN_W) if each and rng.random() < 0.3 else None for each in held]
        request = None
        if rng.random() < 0.6:
            index = rng.choice((2, 2, 2, 2, 3, 4, *range(64), *range(5, 21), *range(5, 21)))
            write = rng.random() < (0.2 if 4 < index < PACE else 0.5)
            value = rng.choice((0, 1, 16, 17, 256)) if index == 2 and rng.random() < 0.9 else rng.getrandbits(32)
            request = (write, index, value, rng.choice((15, 15, 0, 1, 5, 14)))
        dut.in_i.value, dut.out_i.value, dut.stored_i.value, dut.dropped_i.value = came, out, stored, dropped
        dut.arrive_len_i.value = length
        dut.removed_i.value = sum(1 << port for port, left in enumerate(removed) if left is not None)
        dut.removed_len_i.value = sum((left or 0) << LEN_W * port for port, left in enumerate(removed))
        dut.req_i.value = int(request is not None)
        if request:
            dut.write_i.value, dut.index_i.value, dut.data_i.value, dut.strobe_i.value = request
        await RisingEdge(dut.clk_i)
        # The cycle that ends: an answer to the request before last, the effect of the last one, events.
        assert dut.ack_o.value == int(answer is not None)
        if answer not in (None, -1):
            assert int(dut.data_o.value) == answer, f"{int(dut.data_o.value):#x}, not {answer:#x}"
        answer = None
        if asked:
            write, index, _, _ = asked
            answer = -1 if write else model.word(index)
            if not write:
                coverage.hit("counter read", 5 <= index < 7 + 7 * ports and answer not in (0, NOTHING))
                coverage.hit("gap read", answer == NOTHING)
                coverage.hit("pacer read", PACE <= index < PACE + ports and answer not in (0, NOTHING))
                model.clear(index)
        if reset & 0x11 and clear_next:
            coverage.hit("cleared")
            for index in range(5, 7 + 7 * ports):
                model.clear(index)
        if reset & 0x10 and clear_next:
            model.flip = model.debug = 0
        clear_next = False
        if request and request[0]:
            _, index, value, strobe = request
            mask = sum(0xFF << 8 * byte for byte in range(4) if strobe >> byte & 1)
            if index == 2 and strobe & 1:
                reset, clear_next = value, True
            elif PACE <= index < PACE + ports and strobe == 15:
                model.pace[index - PACE] = value & 0xFF_FFFF
            elif index in (3, 4):
                # A reset of the registers in this cycle wins over a write.
                name = "flip" if index == 3 else "debug"
                if not int(dut.reset_q.value):
                    setattr(model, name, getattr(model, name) & ~mask | value & mask)
        model.events(*events)
        events = came, out.bit_count(), stored, dropped, length, removed
        asked = request
    coverage.check({"counter read": 500, "gap read": 200, "cleared": 10, "pacer read": 10})


@pytest.mark.parametrize("ports", [3, *slow(5)])
def test_tm_netfpga_registers(ports: int) -> None:
    build_and_test(
        "tm_netfpga_registers",
        __name__,
        listing=LISTING,
        parameters={"PORTS": ports},
        testcase=["pacers_at_a_reset", "random_events_and_reads"],
    )


test_assertion_fires = breaches(
    "tm_netfpga_registers",
    Breach("StoredFirst_A", "let a frame leave that was never stored", [{"removed_i": 1}]),
)
