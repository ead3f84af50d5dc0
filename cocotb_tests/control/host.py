# SPDX-License-Identifier: BSD-3-Clause
"""What a host does to tm_control: registers by name, snapshots, queries; and quiet inputs for all else."""

from __future__ import annotations

import logging
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from truemark.device import registers as reg
from truemark.device.registers import Register
from truemark_dev import build_type

from cocotb_tests.env.tm_pkg import LAW_COUNTERS, PLAIN_COUNTERS

QUIET = (
    "time_i",
    "flushing_i",
    "bytes_i",
    "packets_i",
    "red_view_i",
    "arrive_valid_i",
    "arrive_outcome_i",
    "arrive_class_i",
    "arrive_ece_i",
    "arrive_len_i",
    "depart_valid_i",
    "depart_kind_i",
    "depart_class_i",
    "depart_ece_i",
    "depart_len_i",
    "depart_sojourn_i",
    "cut_short_i",
    "bad_valid_i",
    "bad_kind_i",
    "reset_in_frame_i",
)


def clearing(ports: int, codel: int = 0) -> int:
    """Return the length of a reset that loses no event."""
    return (PLAIN_COUNTERS + (LAW_COUNTERS if codel else 0)) * ports + 16


class Host:
    """The AXI4-Lite side of tm_control."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.ports = len(dut.flush_o)
        self.codel = build_type.of(dut)["CODEL"]
        self.axi = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_i)
        for name in (None, "cocotb"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self.axi.write_if.log.setLevel(logging.WARNING)
        self.axi.read_if.log.setLevel(logging.WARNING)

    @classmethod
    async def start(cls, dut: Any, cycles: int | None = None) -> Host:
        """Run the clock and reset for as long as no event is lost, or for `cycles`."""
        for name in QUIET:
            getattr(dut, name).value = 0
        dut.rst_i.value = 1
        cocotb_clock = Clock(dut.clk_i, 4, unit="ns")
        cocotb_clock.start()
        host = cls(dut)
        await host.wait(clearing(host.ports, host.codel) if cycles is None else cycles)
        dut.rst_i.value = 0
        await host.wait(2)
        return host

    async def wait(self, cycles: int) -> None:
        """Let cycles pass."""
        for _ in range(cycles):
            await RisingEdge(self.dut.clk_i)

    async def read_at(self, address: int) -> tuple[int, AxiResp]:
        """Read a word; return it with the response."""
        answer = await self.axi.read(address, 4)
        return int.from_bytes(answer.data, "little"), answer.resp

    async def write_at(self, address: int, word: int) -> AxiResp:
        """Write a word; return the response."""
        answer = await self.axi.write(address, word.to_bytes(4, "little"))
        return AxiResp(answer.resp)

    async def read(self, register: Register) -> int:
        """Read a register that is there."""
        word, response = await self.read_at(register.address)
        assert response == AxiResp.OKAY, register.name
        return word

    async def write(self, register: Register, word: int) -> None:
        """Write a register that is there."""
        assert await self.write_at(register.address, word) == AxiResp.OKAY, register.name

    async def command(self, port: int, *names: str, until: str | None = None) -> None:
        """Start commands on a port and wait until a STATUS bit is 0."""
        await self.write(reg.PAGE, port)
        await self.write(reg.COMMAND, reg.COMMAND.pack(**dict.fromkeys(names, 1)))
        while until is not None and reg.STATUS[until].get(await self.read(reg.STATUS)):
            pass

    async def configure(self, port: int, **words: int) -> int:
        """Write shadow registers (by lower-case name), commit, return the fault code."""
        for name, word in words.items():
            await self.write(reg.REGISTERS[name.upper()], word)
        await self.command(port, "commit", until="commit_busy")
        return reg.STATUS["fault"].get(await self.read(reg.STATUS))

    async def snapshot(self) -> None:
        """Take a snapshot of all ports."""
        await self.command(0, "snapshot", until="snapshot_busy")

    async def query(
        self, port: int, code: int = 0, code_mask: int = 0, index: int = 0, mask: int = 0
    ) -> tuple[int, int]:
        """Sum counters of the snapshot; return packets and bytes."""
        low = reg.QUERY.pack(code=code & 15, code_mask=code_mask & 15, class_ece=index, class_ece_mask=mask)
        word = reg.QUERY.pack(code_high=code >> 4, code_mask_high=code_mask >> 4) | low
        await self.write(reg.QUERY, word)
        await self.command(port, "query", until="query_busy")
        packets = await self.read(reg.SUM_PACKETS_LOW) | await self.read(reg.SUM_PACKETS_HIGH) << 32
        return packets, await self.read(reg.SUM_BYTES_LOW) | await self.read(reg.SUM_BYTES_HIGH) << 32
