# SPDX-License-Identifier: BSD-3-Clause
"""The top with everything a scenario needs: streams at both ends, and its registers by name over AXI4-Lite."""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from truemark.device import registers
from truemark.device.registers import Register

from cocotb_tests.env.axis import Source, start
from cocotb_tests.env.axis_sinks import Sinks
from cocotb_tests.env.policy import Policy
from cocotb_tests.env.tm_pkg import Bad, Outcome

CLEARING = 520  # cycles of reset after which the counters are cleared

BAD_COUNTERS = {
    Bad.NO_DESTINATION: registers.BAD_NO_DESTINATION,
    Bad.RUNT: registers.BAD_RUNT,
    Bad.OVERSIZE: registers.BAD_OVERSIZE,
    Bad.KEEP_HOLE: registers.BAD_KEEP_HOLE,
    Bad.LENGTH_MISMATCH: registers.BAD_LENGTH_MISMATCH,
    Bad.ERROR_BIT: registers.BAD_ERROR_BIT,
    Bad.RESET: registers.BAD_RESET,
}


@dataclass(frozen=True)
class RefusedError(Exception):
    """A commit was refused."""

    code: int


class Device:
    """`truemark` on a bench. Outputs are ready and every port may send unless a test says otherwise."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.ports = len(dut.tx_en_i)
        self.source: Source
        self.sinks: Sinks
        self.axil: AxiLiteMaster

    async def start(self, *, clocked: bool = False) -> Device:
        """Reset it for as long as its counters need; `clocked` if the clock runs already."""
        dut = self.dut
        dut.time_external_i.value, dut.time_i.value = 0, 0
        dut.tx_en_i.value = (1 << self.ports) - 1
        logging.getLogger(f"cocotb.{dut._name}.s_axil").setLevel(logging.ERROR)
        self.source = Source(dut, rng=random.Random(cocotb.RANDOM_SEED))
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        if clocked:
            dut.rst.value = 1
            await self.cycles(CLEARING)
            dut.rst.value = 0
        else:
            await start(dut, clock="clk", reset="rst", cycles=CLEARING)
        self.sinks = Sinks(dut)
        while (await self.read(registers.STATUS)) & registers.STATUS["snapshot_busy"].mask:
            pass
        return self

    async def cycles(self, count: int) -> None:
        """Let time pass."""
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    def tx_en(self, *ports: int) -> None:
        """Let these ports send, no others."""
        self.dut.tx_en_i.value = sum(1 << port for port in ports)

    async def read(self, register: Register | int) -> int:
        """Read a register; fail unless the answer is OKAY."""
        address = register if isinstance(register, int) else register.address
        answer = await self.axil.read(address, 4)
        assert answer.resp == AxiResp.OKAY, f"read of {address:#x}: {answer.resp}"
        return int.from_bytes(answer.data, "little")

    async def write(self, register: Register | int, value: int) -> None:
        """Write a register; fail unless the answer is OKAY."""
        address = register if isinstance(register, int) else register.address
        answer = await self.axil.write(address, value.to_bytes(4, "little"))
        assert answer.resp == AxiResp.OKAY, f"write of {address:#x}: {answer.resp}"

    async def command(self, port: int, **bits: int) -> int:
        """Give a command to a port, wait until it is done, return STATUS."""
        await self.write(registers.PAGE, port)
        await self.write(registers.COMMAND, registers.COMMAND.pack(**bits))
        busy = registers.STATUS.pack(commit_busy=1, snapshot_busy=1, query_busy=1)
        for _ in range(2000):
            status = await self.read(registers.STATUS)
            if not status & busy:
                return status
        raise AssertionError(f"command {bits} is not done: STATUS {status:#x}")

    async def shadow(self, policy: Policy) -> None:
        """Write a policy to the shadow."""
        for address, value in policy.registers().items():
            await self.write(address, value)

    async def configure(self, port: int, policy: Policy) -> None:
        """Give a port a policy; raise RefusedError when it is refused."""
        await self.shadow(policy)
        status = registers.STATUS.unpack(await self.command(port, commit=1))
        if status["refused"]:
            raise RefusedError(status["fault"])

    async def page(self, port: int, register: Register) -> int:
        """Read a register of a port."""
        await self.write(registers.PAGE, port)
        return await self.read(register)

    async def bad(self) -> dict[Bad, int]:
        """Return the counters of wrong frames that are not zero."""
        counts = {kind: await self.read(register) for kind, register in BAD_COUNTERS.items()}
        return {kind: count for kind, count in counts.items() if count}

    async def total(self, port: int, code: int, class_ece: int = 0, class_ece_mask: int = 0) -> tuple[int, int]:
        """Return packets and bytes of a code in the last snapshot, over all classes or those the mask selects."""
        query = registers.QUERY.pack(code=code, code_mask=15, class_ece=class_ece, class_ece_mask=class_ece_mask)
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

    async def snapshot(self) -> None:
        """Freeze the counters of all ports."""
        await self.command(0, snapshot=1)

    async def outcomes(self, port: int) -> dict[Outcome, int]:
        """Take a snapshot and return the packets of every code of a port that are not zero."""
        await self.snapshot()
        counts = {code: (await self.total(port, code))[0] for code in Outcome if code < Outcome.SOJOURN_LOW}
        return {code: count for code, count in counts.items() if count}
