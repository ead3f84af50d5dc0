# SPDX-License-Identifier: BSD-3-Clause
"""tm_control over AXI4-Lite: every register, the answers to wrong addresses and byte strobes.

Parts tested through the registers, here and in the tests of tm_config and tm_counters: tm_config_check, tm_device_view,
tm_views, tm_port_view, tm_view_entries, tm_regs_bus, tm_snapshot, tm_sweep_order, tm_totals. What tm_pool_view shows of
a pool is tested with tm_pool_ports.
"""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiResp
from truemark.device import registers as reg
from truemark_dev import build_type
from truemark_dev.runner import build_and_test

from cocotb_tests.control.host import Host
from cocotb_tests.env.bench import randomness
from cocotb_tests.env.tm_pkg import RED_VIEW

BUILD = {"PORTS": 3, "DATA_W": 512, "ROWS": 100, "DESCRIPTORS": 90, "MAX_FRAME": 9000}


def registers_of(dut: Any) -> list[reg.Register]:
    """Return the registers that the build has."""
    build = build_type.of(dut)
    has = {
        "": True,
        "queues": build["QUEUES"] > 1,
        "shaping": build["SHAPING"],
        "pool": build["POOL"],
        "pfc": build["PFC"],
    }
    return [each for each in reg.REGISTERS.values() if has[each.needs]]


@cocotb.test()
async def resets_to_what_the_map_says(dut: Any) -> None:
    """A reset of every register that can be written.

    Stimulus: all bits of each written, then a reset.
    Checks: each that the map gives a reset reads it, before and after.
    """
    host = await Host.start(dut, 5)
    known = [each for each in registers_of(dut) if each.reset is not None and "r" in each.access]
    assert {reg.PAGE, reg.TIME_STEP, reg.SEED, reg.CONTROL, reg.RED1_MAX} <= set(known)
    for _ in range(2):
        for register in known:
            assert await host.read(register) == register.reset, register.name
        for register in known:
            if "w" in register.access:
                await host.write(register, 0x7FFFFFFF)
        assert await host.read(reg.PAGE) == 127
        dut.rst_i.value = 1
        await host.wait(5)
        dut.rst_i.value = 0
        await host.wait(1000)  # the memory of configurations is cleared
    for register in known:
        assert await host.read(register) == register.reset, register.name


@cocotb.test()
async def says_what_it_is(dut: Any) -> None:
    """Identification and build.

    Stimulus: read them; write the read-only ones and read again.
    Checks: the parameters; nothing changes.
    """
    host = await Host.start(dut, 5)
    expected = {
        reg.ID: 0x54524D4B,
        reg.VERSION: reg.VERSION.reset,
        reg.BUILD: reg.BUILD.pack(ports=3, data_bytes=64),
        reg.ROWS: 100,
        reg.DESCRIPTORS: 90,
        reg.STORAGE: 6400,
        reg.MAX_FRAME: 9000,
        reg.CAPABILITIES: reg.CAPABILITIES.pack(
            events=1,
            step=1,
            flags_verdict=1,
            red=build_type.of(dut)["RED"],
            codel=host.codel,
            red_linux=build_type.of(dut)["RED_LINUX"],
        ),
        reg.TIME_STEP: 5 << 24,
        reg.COMMAND: 0,
    }
    for _ in range(2):
        for register, word in expected.items():
            assert await host.read(register) == word, register.name
            if register.access == "r":
                await host.write(register, 0xFFFFFFFF)


@cocotb.test()
async def refuses_undefined_addresses(dut: Any) -> None:
    """The whole 4 kB window.

    Stimulus: read and write every word, under random back-pressure of both answers.
    Checks: NetFPGA's part reads 0xDEADBEEF; registers answer OKAY; all else SLVERR; nothing that is read-only or
    undefined changes a register.
    """
    host = await Host.start(dut, 5)
    rng = randomness("tm_control")
    host.axi.pause = lambda: rng.random() < 0.5
    defined = {register.address for register in registers_of(dut)}
    for address in range(0, 0x1000, 4):
        there = address in defined or address < 0x100
        word, response = await host.read_at(address)
        assert response == (AxiResp.OKAY if there else AxiResp.SLVERR), hex(address)
        if address < 0x100:
            assert word == 0xDEADBEEF, hex(address)
        if address not in (reg.COMMAND.address, reg.PAGE.address):
            response = await host.write_at(address, 0)
            assert response == (AxiResp.OKAY if there else AxiResp.SLVERR), hex(address)
    assert (await host.read_at(0))[0] == 0xDEADBEEF
    assert await host.read(reg.ID) == 0x54524D4B


@cocotb.test()
async def keeps_what_is_written(dut: Any) -> None:
    """Registers a host writes, with byte strobes.

    Stimulus: random words, then random bytes of them, to every register that keeps its value.
    Checks: the bits that are defined read back, the others 0.
    """
    host = await Host.start(dut, 5)
    rng = randomness("tm_control strobes")
    kept = [register for register in registers_of(dut) if register.access == "rw" and register is not reg.LOCK]
    model = dict.fromkeys(kept, 0)
    for register in kept:
        await host.write(register, 0)
    for _ in range(600):
        register = rng.choice(kept)
        mask = sum(field.mask for field in register.fields)
        if register is reg.QUERY and not host.codel:
            mask &= 0xFFFF
        first = rng.randrange(4)
        count = rng.randint(1, 4 - first)
        data = rng.randbytes(count)
        await host.axi.write(register.address + first, data)
        old = model[register].to_bytes(4, "little")
        new = old[:first] + data + old[first + count :]
        model[register] = int.from_bytes(new, "little") & mask
        for each in (register, rng.choice(kept)):
            assert await host.read(each) == model[each], each.name


@cocotb.test()
async def lends_the_lock(dut: Any) -> None:
    """The advisory lock.

    Stimulus: two owners take and release in turn and out of turn.
    Checks: only a free lock is taken, only its owner releases it.
    """
    host = await Host.start(dut, 5)
    release = 1 << 31
    for word, owner in (
        (0, 0),
        (7, 7),
        (9, 7),
        (0, 7),
        (release | 9, 7),
        (release, 7),
        (release | 7, 0),
        (release | 7, 0),
        (9, 9),
        (release | 9, 0),
    ):
        await host.write(reg.LOCK, word)
        assert await host.read(reg.LOCK) == owner, hex(word)
    await host.axi.write(reg.LOCK.address, b"\x05\x00")
    assert await host.read(reg.LOCK) == 0


@cocotb.test()
async def tells_the_time(dut: Any) -> None:
    """Time in use, and the timebase.

    Stimulus: a 64-bit time that wraps its low word between the two reads; a new step for the timebase.
    Checks: the high word is that of the low word's read; the timebase grows by the step.
    """
    host = await Host.start(dut, 5)
    dut.time_i.value = 0x12_FFFF_FFFE
    assert await host.read(reg.TIME_LOW) == 0xFFFFFFFE
    dut.time_i.value = 0x13_0000_0000
    assert await host.read(reg.TIME_HIGH) == 0x12
    assert await host.read(reg.TIME_LOW) == 0
    assert await host.read(reg.TIME_HIGH) == 0x13
    await host.write(reg.TIME_STEP, reg.TIME_STEP.pack(integer_ns=3, fraction_ns=1 << 23))
    await host.wait(4)
    before = dut.time_o.value.to_unsigned()
    await host.wait(1000)
    assert dut.time_o.value.to_unsigned() - before in (3500, 3501)


@cocotb.test()
async def shows_each_port(dut: Any) -> None:
    """What belongs to a port.

    Stimulus: different occupancies, sojourn times, cut-short frames and flushes on each port; a port that is not there.
    Checks: each register shows its own port's value, 0 where there is no port; watermarks clear one port only.
    """
    host = await Host.start(dut, 5)
    values = {p: (1000 * p + 17, 20 * p + 3, 0x1_0000_0000 * p + 77 * p + 5) for p in range(3)}
    host.held.set(
        bytes=sum(v[0] << 24 * p for p, v in values.items()), packets=sum(v[1] << 20 * p for p, v in values.items())
    )
    host.departure.set(sojourn=sum(v[2] << 42 * p for p, v in values.items()), valid=0b111, kind=1 << 3)
    await RisingEdge(dut.clk_i)
    host.departure.set(valid=0)
    for p in range(3):
        host.arrival.set(cut=1 << p)
        await host.wait(p + 1)
        host.arrival.set(cut=0)
        await host.wait(4)
    host.held.set(flushing=0b010)
    await host.snapshot()
    at = dut.time_i.value.to_unsigned()
    host.held.set(bytes=0, packets=0)
    names = (reg.OCCUPANCY_BYTES, reg.OCCUPANCY_PACKETS, reg.WATERMARK_BYTES, reg.WATERMARK_PACKETS)
    later = (
        reg.WATERMARK_SOJOURN_LOW,
        reg.WATERMARK_SOJOURN_HIGH,
        reg.CUT_SHORT,
        reg.SNAPSHOT_BYTES,
        reg.SNAPSHOT_PACKETS,
    )

    async def page(port: int) -> list[int]:
        await host.write(reg.PAGE, port)
        return [await host.read(register) for register in (*names, *later)]

    for p, (count, packets, sojourn) in values.items():
        longest = 0 if p == 1 else sojourn
        tail = [longest & 0xFFFFFFFF, longest >> 32, p + 1, count, packets]
        assert await page(p) == [0, 0, count, packets, *tail], p
        assert reg.STATUS["flush_busy"].get(await host.read(reg.STATUS)) == (p == 1)
    assert await page(3) == [0] * 9
    assert await host.read(reg.SNAPSHOT_TIME_LOW) == at & 0xFFFFFFFF
    await host.command(2, "clear_watermarks")
    assert (await page(2))[2:6] == [0, 0, 0, 0]
    assert (await page(0))[2:4] == list(values[0][:2])


@cocotb.test()
async def shows_red(dut: Any) -> None:
    """Averages and probabilities.

    Stimulus: different ones in each slot of each port.
    Checks: the registers show those of the port in PAGE; 0 where there is no port, or no RED.
    """
    host = await Host.start(dut, 5)
    average = {p: (0xA00000 + p, 0x50000 + 7 * p) for p in range(3)}
    maxp = {p: (1 << 24, 1000 + p) for p in range(3)}
    for is_maxp, values in enumerate((average, maxp)):
        for p, both in values.items():
            for s, value in enumerate(both):
                dut.red_view_i.value = RED_VIEW.pack(valid=1, is_maxp=is_maxp, place=2 * p + s, value=value)
                await RisingEdge(dut.clk_i)
    dut.red_view_i.value = 0
    for p in (2, 0, 1, 3):
        await host.write(reg.PAGE, p)
        shown = [await host.read(register) for register in (reg.AVERAGE0, reg.AVERAGE1, reg.MAXP0, reg.MAXP1)]
        there = p < 3 and build_type.of(dut)["RED"]
        assert shown == ([*average[p], *maxp[p]] if there else [0] * 4), p


each_build = pytest.mark.parametrize(
    "parameters",
    [BUILD | {"FLAGS_VERDICT": 1}, BUILD | {"FLAGS_VERDICT": 1, "RED": 1, "CODEL": 1}],
    ids=["3x512", "full"],
)


@each_build
def test_tm_control(parameters: dict[str, int]) -> None:
    build_and_test("tm_control", __name__, parameters=parameters)


def test_with_queues() -> None:
    """More registers, and no others."""
    cases = ["resets_to_what_the_map_says", "refuses_undefined_addresses", "keeps_what_is_written"]
    build_and_test("tm_control", __name__, parameters=BUILD | {"PORTS": 4, "QUEUES": 2}, testcase=cases)


@pytest.mark.slow
def test_with_shaping() -> None:
    """More registers, and no others."""
    cases = ["resets_to_what_the_map_says", "refuses_undefined_addresses", "keeps_what_is_written"]
    build_and_test("tm_control", __name__, parameters=BUILD | {"SHAPING": 1}, testcase=cases)
