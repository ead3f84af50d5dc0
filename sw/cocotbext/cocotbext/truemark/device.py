# SPDX-License-Identifier: BSD-3-Clause
"""An instance on a bench: streams at both ends, and its registers by name over AXI4-Lite."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotbext.truemark import registers
from cocotbext.truemark.model import Build
from cocotbext.truemark.registers import Fault, Register
from cocotbext.truemark.sinks import Sinks
from cocotbext.truemark.source import PERIOD_NS, Source, raise_reset, settle

if TYPE_CHECKING:
    from cocotbext.axi import AxiLiteMaster

PAUSE = 30.5  # cycles between two looks whether a command is done
OKAY = 0  # an answer of AXI that is no error
BY_NAME = {each.name: each for each in vars(registers).values() if isinstance(each, Register)}
Value = int | Mapping[str, int]  # a word, or values of its fields


class RefusedError(Exception):
    """A commit was refused."""

    def __init__(self, code: int) -> None:
        known = code in set(Fault)
        super().__init__(f"the commit was refused: {Fault(code).name.lower() if known else code}")
        self.code = code


class Device:
    """An instance of `truemark`. Outputs are ready and every port may send unless a test says otherwise.

    `configuration` names registers as docs/registers.md does: `await device.configure(0, K0=30_000)`.
    """

    def __init__(self, dut: Any, *, clock: str = "clk", reset: str = "rst", period_ns: float = PERIOD_NS) -> None:
        self.dut = dut
        self.clock, self.reset = getattr(dut, clock), getattr(dut, reset)
        self.period_ns = period_ns
        self._own_clock = False
        self.ports = len(dut.tx_en_i)
        self.build: Build | None = None  # once it has started
        self.source: Source
        self.sinks: Sinks
        self.axil: AxiLiteMaster

    async def start(self, *, clocked: bool = False) -> Any:
        """Reset it for as long as its counters need; `clocked` if the clock runs already."""
        from cocotbext.axi import AxiLiteBus, AxiLiteMaster  # takes long: benches without a device take `settle` alone

        dut, clock = self.dut, self.clock._name
        if not clocked:
            settle(dut, {clock: 0})
        await raise_reset(self.reset)
        dut.time_external_i.value, dut.time_i.value = 0, 0
        dut.tx_en_i.value = (1 << self.ports) - 1
        dut.pfc_pause_i.value = 0
        logging.getLogger(f"cocotb.{dut._name}.s_axil").setLevel(logging.ERROR)
        rng = random.Random(cocotb.RANDOM_SEED)
        self.source = Source(dut, clock=clock, rng=rng, period_ns=self.period_ns)
        self._own_clock = not clocked
        if not clocked:
            Clock(self.clock, self.period_ns, unit="ns", impl="gpi").start()
        await self.cycles(1)  # from here on the reset is known in every simulator, which the next asks
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), self.clock, self.reset)
        await self.cycles(registers.clearing(self.ports, max(registers.LAST_CODES.values())))  # whatever it counts
        self.reset.value = 0
        self.sinks = Sinks(dut, clock=clock, period_ns=self.period_ns)
        while (await self.read(registers.STATUS)) & registers.STATUS["snapshot_busy"].mask:
            pass
        self.build = await self._build()
        return self

    async def _build(self) -> Build:
        size = registers.BUILD.unpack(await self.read(registers.BUILD))
        return Build(
            size["ports"],
            8 * size["data_bytes"],
            await self.read(registers.ROWS),
            await self.read(registers.DESCRIPTORS),
            await self.read(registers.MAX_FRAME),
            await self.read(registers.CAPABILITIES),
            size["more_queues"] + 1,
        )

    async def cycles(self, count: int) -> None:
        """Let time pass."""
        edge = RisingEdge(self.clock)
        if self._own_clock and count > 2:  # whose period is known: a bench wakes once, not at every edge
            await edge
            await Timer((count - 1.5) * self.period_ns, "ns", round_mode="round")
            count = 1
        for _ in range(count):
            await edge

    def tx_en(self, *ports: int) -> None:
        """Let these ports send, no others."""
        self.dut.tx_en_i.value = sum(1 << port for port in ports)

    async def read(self, register: Register | str | int) -> int:
        """Read a register; fail unless the answer is OKAY."""
        address = _address(register)
        answer = await self.axil.read(address, 4)
        assert answer.resp == OKAY, f"read of {address:#x}: {answer.resp}"
        return int.from_bytes(answer.data, "little")

    async def write(self, register: Register | str | int, value: int) -> None:
        """Write a register; fail unless the answer is OKAY."""
        address = _address(register)
        answer = await self.axil.write(address, value.to_bytes(4, "little"))
        assert answer.resp == OKAY, f"write of {address:#x}: {answer.resp}"

    async def command(self, port: int, **bits: int) -> int:
        """Give a command to a port, wait until it is done, return STATUS; a flush goes on behind it (`flush_busy`)."""
        await self.write(registers.PAGE, port)
        await self.write(registers.COMMAND, registers.COMMAND.pack(**bits))
        busy = registers.STATUS.pack(commit_busy=1, snapshot_busy=1, query_busy=1)
        for _ in range(2000):
            status = await self.read(registers.STATUS)
            if not status & busy:
                return status
            # To ask without a pause is most of what a simulation does while a query takes 500 cycles.
            await Timer(PAUSE * self.period_ns, "ns")
            await RisingEdge(self.clock)
        raise AssertionError(f"command {bits} is not done: STATUS {status:#x}")

    async def configure(self, port: int, **configuration: Value) -> None:
        """Change a port's configuration at one moment; what is not named stays.

        Raise ValueError for a register that there is not or a value that does not fit, RefusedError when refused.
        """
        for name, value in configuration.items():
            if name not in BY_NAME:
                raise ValueError(f"configure: there is no register {name}")
            if isinstance(value, int):
                _must_fit(BY_NAME[name], value)
        await self.command(port, load=1)
        for name, value in configuration.items():
            register = BY_NAME[name]
            if not isinstance(value, int):
                word = await self.read(register)
                for field, part in value.items():
                    word = register[field].put(part, word)
                value = word
            await self.write(register, value)
        await self.commit(port)

    async def commit(self, port: int) -> None:
        """Give a port what is in the shadow; raise RefusedError when it is refused."""
        status = registers.STATUS.unpack(await self.command(port, commit=1))
        if status["refused"]:
            raise RefusedError(status["fault"])

    async def page(self, port: int, register: Register | str) -> int:
        """Read a register of a port."""
        await self.write(registers.PAGE, port)
        return await self.read(register)

    async def snapshot(self) -> int:
        """Freeze the counters of all ports; return the time, in ns, that they are of."""
        await self.command(0, snapshot=1)
        low = await self.read(registers.SNAPSHOT_TIME_LOW)
        return await self.read(registers.SNAPSHOT_TIME_HIGH) << 32 | low

    async def total(
        self, port: int, code: int, class_ece: int = 0, class_ece_mask: int = 0, *, codes: int = 1
    ) -> tuple[int, int]:
        """Return packets and bytes of a code in the last snapshot, over all classes or those the mask selects.

        Or of several `codes`, a power of two, of which `code` is the first, a multiple of them.
        ValueError: the build does not count it.
        """
        assert self.build is not None, "the device has not started"
        # It would answer with another's count.
        if code > (last := registers.last_code(self.build.has)):
            raise ValueError(f"code {code}: this build counts codes 0 to {last}")
        query = registers.QUERY.pack(
            code=code & 15,
            code_high=code >> 4,
            code_mask=16 - codes,
            code_mask_high=1,
            class_ece=class_ece,
            class_ece_mask=class_ece_mask,
        )
        await self.write(registers.QUERY, query)
        await self.command(port, query=1)
        low, high, bytes_low, bytes_high = [
            await self.read(register)
            for register in (
                registers.SUM_PACKETS_LOW,
                registers.SUM_PACKETS_HIGH,
                registers.SUM_BYTES_LOW,
                registers.SUM_BYTES_HIGH,
            )
        ]
        return high << 32 | low, bytes_high << 32 | bytes_low


def _must_fit(register: Register, value: int) -> None:
    """Raise ValueError if the device would cut a word off."""
    bits = sum(field.mask for field in register.fields)
    if value & ~bits:
        raise ValueError(f"configure: {register.name} is {value:#x}, but its bits are those of {bits:#x}")


def _address(register: Register | str | int) -> int:
    if isinstance(register, str):
        register = BY_NAME[register]
    return register if isinstance(register, int) else register.address
