# SPDX-License-Identifier: BSD-3-Clause
"""tm_axil_crossing, and in it tm_prim_sync: any clock ratio, resets of either side, nothing lost or doubled."""

from __future__ import annotations

import os
import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_fail, build_and_test
from truemark_dev.sources import file_list

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.netfpga.host import OKAY, SLVERR, Host

LISTING = "rtl/netfpga/netfpga.f"
# Periods in ps of the host's clock and the core's: equal, slow against fast, fast against slow, almost equal.
RATIOS = ((5000, 5000), (20000, 2940), (2940, 20000), (5002, 5000), (4000, 2942))


class Core:
    """Answers requests like a register file that remembers what was asked."""

    def __init__(self, dut: Any, rng: random.Random) -> None:
        self.dut, self._rng = dut, rng
        self.words: dict[int, int] = {}
        self.seen: list[tuple[bool, int, int]] = []
        dut.ack_i.value, dut.error_i.value, dut.data_i.value = 0, 0, 0
        self.task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        dut, edge = self.dut, RisingEdge(self.dut.clk_i)
        while True:
            await edge
            if dut.req_o.value != 1 or dut.rst_i.value == 1:
                continue
            write, address, data = dut.write_o.value == 1, int(dut.addr_o.value), int(dut.data_o.value)
            self.seen.append((write, address, data))
            for _ in range(self._rng.choice((0, 0, 1, 5, 40))):
                await edge
                if dut.rst_i.value == 1:
                    break
            if dut.rst_i.value == 1:
                continue
            error = address >= 0xF00
            if write and not error:
                self.words[address] = data
            dut.ack_i.value, dut.error_i.value = 1, int(error)
            dut.data_i.value = 0 if error else self.words.get(address, 0xA5A5_0000 | address)
            await edge
            dut.ack_i.value, dut.data_i.value = 0, self._rng.getrandbits(32)


async def begin(dut: Any, rng: random.Random) -> tuple[Host, Core]:
    """Start both clocks with a random phase and reset both sides."""
    host_period, core_period = (int(word) for word in os.environ.get("PERIODS", "5000 5000").split())
    host, core = Host(dut, "s_axil", "s_clk_i", rng=rng), Core(dut, rng)
    dut.s_rst_i.value = dut.rst_i.value = 1
    Clock(dut.s_clk_i, host_period, unit="ps").start()
    await Timer(rng.randrange(1, host_period), unit="ps")
    Clock(dut.clk_i, core_period, unit="ps").start()
    for clock in (dut.s_clk_i, dut.clk_i):
        for _ in range(3):
            await RisingEdge(clock)
    dut.s_rst_i.value = dut.rst_i.value = 0
    for clock in (dut.s_clk_i, dut.clk_i, dut.s_clk_i):
        for _ in range(10):
            await RisingEdge(clock)
    return host, core


@cocotb.test()
async def every_access_once(dut: Any) -> None:
    """
    Stimulus: 200 writes and 200 reads from two tasks at once, core answers after 1 to 41 cycles, some with an error.
    Checks: each answer is its own request's; the core has seen each request once and in each direction's order.
    """
    rng = randomness("every_access_once")
    host, core = await begin(dut, rng)
    addresses = [rng.randrange(0, 0x1000, 4) for _ in range(200)]
    values = [rng.getrandbits(32) for _ in addresses]

    async def write() -> None:
        for address, value in zip(addresses, values, strict=True):
            answer = await host.try_write(address, value)
            assert answer.response == (SLVERR if address >= 0xF00 else OKAY), f"write of {address:#x}"

    async def read() -> None:
        for address in addresses[::-1]:
            before = core.words.get(address, 0xA5A5_0000 | address)
            answer = await host.try_read(address)
            if address >= 0xF00:
                assert answer.response == SLVERR
            else:
                assert answer.response == OKAY
                assert answer.data in (before, core.words.get(address)), f"read of {address:#x}"

    tasks = [cocotb.start_soon(write()), cocotb.start_soon(read())]
    for task in tasks:
        await task
    assert [seen[1:] for seen in core.seen if seen[0]] == list(zip(addresses, values, strict=True))
    assert [seen[1] for seen in core.seen if not seen[0]] == addresses[::-1]


@cocotb.test()
async def resets_of_either_side(dut: Any) -> None:
    """
    Stimulus: 300 accesses while the core's side, the host's side or both are reset for 1 to 9 cycles at random times.
    Checks: an access is always answered; what is answered OKAY is right and was carried out once; both sides find each
        other again.
    """
    rng = randomness("resets_of_either_side")
    host, core = await begin(dut, rng)
    coverage = Coverage("resets")

    async def reset(clock: Any, pin: Any) -> None:
        await RisingEdge(clock)
        pin.value = 1
        for _ in range(rng.randint(1, 9)):
            await RisingEdge(clock)
        pin.value = 0

    async def disturb(side: int) -> None:
        for _ in range(rng.randrange(60)):
            await RisingEdge(dut.s_clk_i)
        if side != 1:
            await reset(dut.clk_i, dut.rst_i)
        else:
            await reset(dut.s_clk_i, dut.s_rst_i)

    for number in range(300):
        if rng.random() < 0.7:  # else at once, while the two still look for each other
            for clock in (dut.s_clk_i, dut.clk_i, dut.s_clk_i):
                for _ in range(8):
                    await RisingEdge(clock)
        side = rng.choice((0, 0, 1))
        disturbed = cocotb.start_soon(disturb(side)) if rng.random() < 0.7 else None
        address, value, before = 4 * rng.randrange(0x300), rng.getrandbits(32), len(core.seen)
        if disturbed and side == 1:
            # The host that is reset forgets what it asked: it waits, and only then speaks again.
            task = cocotb.start_soon(host.try_read(address))
            await disturbed
            task.cancel()
            for pin in ("arvalid", "rready"):
                getattr(dut, f"s_axil_{pin}").value = 0
            dut.s_rst_i.value = 1
            await RisingEdge(dut.s_clk_i)
            dut.s_rst_i.value = 0
            coverage.hit("host reset")
            continue
        answer = await host.try_write(address, value)
        asked = [seen for seen in core.seen[before:] if seen == (True, address, value)]
        assert len(asked) <= 1, f"access {number} was carried out {len(asked)} times"
        coverage.hit("refused", answer.response == SLVERR)
        coverage.hit("answered", answer.response == OKAY)
        if answer.response == OKAY:
            assert asked, f"access {number} was answered and never carried out"
            again = await host.try_read(address)
            coverage.hit("read back", again.response == OKAY)
            assert again.response == SLVERR or again.data == value
        if disturbed:
            await disturbed
    for _ in range(200):
        await RisingEdge(dut.s_clk_i)
    for _ in range(200):
        await RisingEdge(dut.clk_i)
    await host.write(0x40, 0x1234_5678)
    assert await host.read(0x40) == 0x1234_5678
    coverage.check({"host reset": 20, "refused": 5, "answered": 60, "read back": 30})


@cocotb.test()
async def nothing_before_both_are_there(dut: Any) -> None:
    """
    Stimulus: accesses while the core is held in reset, then released.
    Checks: SLVERR and zero at once, the core sees nothing of them; afterwards accesses work.
    """
    rng = randomness("nothing_before_both_are_there")
    host, core = await begin(dut, rng)
    dut.rst_i.value = 1
    for clock in (dut.clk_i, dut.s_clk_i):
        for _ in range(20):
            await RisingEdge(clock)
    for _ in range(5):
        answer = await host.try_read(0x10)
        assert (answer.response, answer.data) == (SLVERR, 0)
        assert (await host.try_write(0x10, 1)).response == SLVERR
    assert core.seen == []
    dut.rst_i.value = 0
    for clock in (dut.clk_i, dut.s_clk_i, dut.clk_i):
        for _ in range(20):
            await RisingEdge(clock)
    await host.write(0x10, 7)
    assert await host.read(0x10) == 7


@cocotb.test()
async def answer_without_request(dut: Any) -> None:
    """Break AnswerAwaited_A: the core answers what nobody asked."""
    await begin(dut, randomness("answer_without_request"))
    dut.ack_i.value = 1
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)


@cocotb.test()
async def answer_that_moves(dut: Any) -> None:
    """Break AnswerHeld_A: with a crossing that goes on looking at the core's data."""
    host, _ = await begin(dut, randomness("answer_that_moves"))
    for _ in range(20):
        await host.try_read(0x10)


PASSING = ("every_access_once", "resets_of_either_side", "nothing_before_both_are_there")


@pytest.mark.parametrize(
    "periods", [*RATIOS[:2], *slow(*((each,) for each in RATIOS[2:]))], ids=lambda pair: f"{pair[0]}-{pair[1]}"
)
def test_tm_axil_crossing(periods: tuple[int, int]) -> None:
    env = {"PERIODS": "{} {}".format(*periods)}
    build_and_test("tm_axil_crossing", __name__, listing=LISTING, testcase=PASSING, extra_env=env)


@pytest.mark.slow
def test_random_ratios() -> None:
    rng = randomness("ratios")
    for _ in range(5):
        env = {"PERIODS": f"{2 * rng.randint(750, 15000)} {2 * rng.randint(750, 15000)}"}
        print("periods in ps:", env["PERIODS"])
        build_and_test("tm_axil_crossing", __name__, listing=LISTING, testcase=PASSING, extra_env=env)


def test_answers_are_awaited() -> None:
    build_and_fail(
        "tm_axil_crossing",
        __name__,
        listing=LISTING,
        assertion="AnswerAwaited_A",
        testcase="answer_without_request",
    )


def test_answers_stand_still() -> None:
    moving = mutant("netfpga/tm_axil_crossing.sv", "if (ack_i) answer_q", "if (ack_i || core_q == Done) answer_q")
    others = [path for path in file_list() if path.stem in ("tm_pkg",)]
    sync = next(path for path in file_list(ROOT / LISTING) if path.stem == "tm_prim_sync")
    build_and_fail(
        "tm_axil_crossing",
        __name__,
        sources=[*others, sync, moving],
        assertion="AnswerHeld_A",
        testcase="answer_that_moves",
    )
