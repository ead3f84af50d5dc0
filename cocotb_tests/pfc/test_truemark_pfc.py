# SPDX-License-Identifier: BSD-3-Clause
"""truemark_pfc, two of them on a link: what one's levels say stops the other's classes, for as long as they say it.

No real peer stands against it: Linux has PFC in its drivers' hardware only (`dcbnl`), and a veth carries the frames and
obeys none. The bytes are held against the layout in `frames.py`.
"""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from truemark.device import flow_control_registers as registers
from truemark.device.registers import Register
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.pfc.frames import Line, Sent, pause_frame, quanta_of, random_frame

ADDRESS = bytes.fromhex("02005E0A0B0C")
QUANTA = 100
STEP = 1 << 22  # a quarter of a quantum a cycle
UNIT_W = 6
UNIT = 1 << UNIT_W  # cycles
RESETS = {"STEP": 12345, "QUANTA": 77, "DETECTION": 88, "RESTORATION": 99}
REGISTERS = [each for each in vars(registers).values() if isinstance(each, Register)]
WRITABLE = [each for each in REGISTERS if "w" in each.access]
COUNTERS = (
    registers.OBEYED,
    registers.REFUSED,
    registers.MALFORMED,
    registers.SENT,
    registers.STORMS,
    registers.DROPPED,
)


async def started(dut: Any, *lines: Line) -> AxiLiteMaster:
    """Reset it, and return who reads and writes its registers."""
    pins = {name: value for line in lines for name, value in line.pins().items()}
    host = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    await start(dut, {**pins, "xoff_i": 0}, clock="clk", reset="rst")
    await RisingEdge(dut.clk)
    return host


async def read(host: AxiLiteMaster, register: Register) -> int:
    """Return what a register of one word or two reads."""
    return int.from_bytes((await host.read(register.address, size_of(register))).data, "little")


async def write(host: AxiLiteMaster, register: Register, value: int) -> None:
    """Write a register of one word or two, the lower one first."""
    await host.write(register.address, value.to_bytes(size_of(register), "little"))


def size_of(register: Register) -> int:
    """Return a register's bytes: whole words."""
    return 4 * -(-sum(field.width for field in register.fields) // 32)


@cocotb.test()
async def has_registers(dut: Any) -> None:
    """Every register, and addresses that have none.

    Stimulus: all are read after a reset; those that can be written get random words, whole and by bytes, in random
    order; one half of ADDRESS; writes to the others; an address behind the last.
    Checks: resets are the parameters'; a word reads what was written to its fields; the lower half of ADDRESS waits for
    the upper one; the others keep what they have; SLVERR where nothing is.
    """
    rng = randomness("truemark_pfc registers")
    host = await started(dut, Line(dut, rng, "rx_", clock="clk"), Line(dut, rng, "tx_", clock="clk"))
    now = {each.name: each.reset or 0 for each in REGISTERS} | RESETS | {"ADDRESS": 0x0200_0000_0000}
    for _ in range(40):
        assert {each.name: await read(host, each) for each in REGISTERS} == now
        each = rng.choice(REGISTERS)
        if each not in WRITABLE:
            await write(host, each, rng.getrandbits(32))
        elif rng.random() < 0.5:
            now[each.name] = rng.getrandbits(each.fields[0].width)
            await write(host, each, now[each.name] | rng.getrandbits(8 * size_of(each)) & ~each.fields[0].mask)
        elif each is not registers.ADDRESS:
            at, byte = rng.randrange(4), rng.getrandbits(8)
            await host.write(each.address + at, bytes([byte]))
            now[each.name] = (now[each.name] & ~(0xFF << 8 * at) | byte << 8 * at) & each.fields[0].mask
    address = registers.ADDRESS.address
    await host.write(address, b"\x55\x66\x77\x88")
    assert await read(host, registers.ADDRESS) == now["ADDRESS"]
    await host.write(address + 4, b"\x33\x44\0\0")
    assert await read(host, registers.ADDRESS) == 0x4433_8877_6655
    behind = max(each.address for each in REGISTERS) + 4
    assert (await host.write(behind, b"1234")).resp == AxiResp.SLVERR
    assert (await host.read(behind, 4)).resp == AxiResp.SLVERR
    dut.xoff_i.value = 0xA5
    await RisingEdge(dut.clk)
    assert await read(host, registers.LEVELS) == 0xA5 << 16


@cocotb.test()
async def obeys_and_asks(dut: Any) -> None:
    """A port on a line.

    Stimulus: both ways frames of all lengths; frames of flow control from the link partner, and levels that change.
    Checks: others pass both ways, whole, in order; a class is paused as the frames say, to a quantum and two cycles;
    what was obeyed, refused and sent is counted; a pause that is always renewed becomes a storm: the
    class may send, and that is dropped and counted, until the pauses have ended.
    """
    rng = randomness("truemark_pfc")
    coverage = Coverage("truemark_pfc")
    rx, tx = Line(dut, rng, "rx_", clock="clk"), Line(dut, rng, "tx_", clock="clk")
    host = await started(dut, rx, tx)
    await write(host, registers.STEP, STEP)
    await write(host, registers.QUANTA, QUANTA)
    await write(host, registers.ADDRESS, int.from_bytes(ADDRESS, "big"))
    await write(host, registers.DETECTION, 10)
    await write(host, registers.RESTORATION, 3)

    async def step() -> None:
        tx.drive()
        await rx.step()
        tx.look()

    # A pause of 20 quanta is one of 80 cycles (tm_pfc_quanta) or up to six more.
    for quanta in (20, 1, 50):
        rx.put(pause_frame({3: quanta}))
        while dut.pause_o.value == 0:
            await step()
        cycles = 0
        while dut.pause_o.value == 1 << 3:
            await step()
            cycles += 1
        assert 4 * quanta <= cycles <= 4 * quanta + 6, f"{cycles} cycles for {quanta} quanta"
        coverage.hit("paused")
    # Traffic both ways.
    passed: dict[int, list[Sent]] = {}
    for line in (rx, tx):
        passed[id(line)] = [Sent(random_frame(rng, 600), bad=rng.random() < 0.2) for _ in range(150)]
        line.put(*passed[id(line)])
    rx.put(pause_frame({0: 9}, opcode=1), pause_frame({0: 9})[:30])
    while rx.queue or tx.queue or rx.beats or tx.beats:
        if rng.random() < 0.03:
            dut.xoff_i.value = rng.getrandbits(8)
        await step()
    dut.xoff_i.value = 0
    for _ in range(60):
        await step()
    assert [each.data for each in rx.got] == [each.data for each in passed[id(rx)]]
    own = [
        each for each in tx.got if each.data[:6] == bytes.fromhex("0180C2000001") and each.data[12:14] == b"\x88\x08"
    ]
    assert [each.data for each in tx.got if each not in own] == [each.data for each in passed[id(tx)]]
    assert len(own) > 10
    assert all(each.data[6:12] == ADDRESS for each in own)
    assert [await read(host, each) for each in COUNTERS] == [3, 1, 1, len(own), 0, 0]
    # A link partner that never stops asking.
    of_class = {each: bytes(12) + bytes((0x81, 0, each << 5, 0)) + rng.randbytes(50) for each in (4, 5)}
    for _ in range(14):
        rx.put(pause_frame({5: 100}))
        for _ in range(UNIT):
            await step()
        coverage.hit("paused, and no storm", dut.pause_o.value == 1 << 5 and dut.storm_o.value == 0)
        coverage.hit("a storm", dut.pause_o.value == 0 and dut.storm_o.value == 1 << 5)
        assert dut.pause_o.value | dut.storm_o.value == 1 << 5
    sent = len(tx.got)
    tx.put(of_class[5], of_class[4], of_class[5])
    await tx.drain()
    assert [each.data for each in tx.got[sent:]] == [of_class[4]]
    assert await read(host, registers.DROPPED) == 2
    rx.put(pause_frame({5: 0}))
    for _ in range(6 * UNIT):
        await step()
    assert dut.storm_o.value == 0
    assert await read(host, registers.STORMS) == 1
    tx.put(of_class[5])
    await tx.drain()
    assert tx.got[-1].data == of_class[5]
    # A pause too short to have a half.
    await write(host, registers.QUANTA, rng.randrange(2))
    dut.xoff_i.value = 1 << 2
    for _ in range(20):
        await step()
    assert quanta_of(tx.got[-1].data) == {2: 2}
    coverage.check({"paused": 3, "paused, and no storm": 9, "a storm": 1})


def test_truemark_pfc() -> None:
    build_and_test("truemark_pfc", __name__, parameters={"UNIT_W": UNIT_W, **RESETS})
