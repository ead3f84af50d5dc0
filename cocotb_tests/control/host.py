# SPDX-License-Identifier: BSD-3-Clause
"""What a host does to tm_control: registers by name, snapshots, queries; and quiet inputs for all else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiResp
from truemark.device import registers as reg
from truemark.device.registers import Register
from truemark_dev import build_type

from cocotb_tests.env.fields import Fields
from cocotb_tests.env.tm_pkg import (
    ARRIVAL,
    AXIL_REQ,
    AXIL_RSP,
    DEPARTURE,
    HELD,
    LAST_CODE,
    LAST_CODES,
    MISHAP,
    TALLY,
)

PERIOD_NS = 4
PAUSE = 20.5  # cycles between two looks whether a command is done: asking takes the bench longer than waiting
QUIET = ("axil_i", "time_i", "held_i", "red_view_i", "arrival_i", "tally_i", "departure_i", "mishap_i")


def last_code(codel: int) -> int:
    """Return the last code that is counted."""
    return LAST_CODES["codel"] if codel else LAST_CODE


def counters(codel: int) -> int:
    """Return how many counters a port has."""
    return reg.counters_to(last_code(codel))


def clearing(ports: int, codel: int = 0) -> int:
    """Return the length of a reset that loses no event."""
    return reg.clearing(ports, last_code(codel))


class AxiLite:
    """An AXI4-Lite master on the struct ports: a read and a write may be on their way at once."""

    def __init__(self, dut: Any) -> None:
        self.clk = dut.clk_i
        self.pause: Callable[[], bool] = lambda: False  # whether an answer has to wait in this cycle
        self.request, self.response = Fields(dut.axil_i, AXIL_REQ), Fields(dut.axil_o, AXIL_RSP)

    async def _ask(self, offers: set[str], answer: str, **values: int) -> AxiResp:
        self.request.set(**{f"{channel}_valid": 1 for channel in offers}, **values)
        while offers:
            await RisingEdge(self.clk)
            taken = {channel for channel in offers if self.response.get(f"{channel}_ready")}
            self.request.set(**{f"{channel}_valid": 0 for channel in taken})
            offers = offers - taken
        ready = valid = 0
        while not (ready and valid):
            ready = int(not self.pause())
            self.request.set(**{f"{answer}_ready": ready})
            await RisingEdge(self.clk)
            valid = self.response.get(f"{answer}_valid")
        self.request.set(**{f"{answer}_ready": 0})
        return AxiResp(self.response.get(f"{answer}_resp"))

    async def read(self, address: int) -> tuple[int, AxiResp]:
        """Read a word; return it with the response."""
        response = await self._ask({"ar"}, "r", ar_addr=address)
        return self.response.get("r_data"), response

    async def write(self, address: int, data: bytes) -> AxiResp:
        """Write bytes of one word; return the response."""
        first = address % 4
        strobes = (1 << len(data)) - 1 << first
        word = int.from_bytes(data, "little") << 8 * first
        return await self._ask({"aw", "w"}, "b", aw_addr=address - first, w_data=word, w_strb=strobes)


class Host:
    """The AXI4-Lite side of tm_control."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        build = build_type.of(dut)
        self.ports = build["PORTS"]
        self.codel = build["CODEL"]
        self.held, self.departure = Fields(dut.held_i, HELD), Fields(dut.departure_i, DEPARTURE)
        self.arrival, self.tally = Fields(dut.arrival_i, ARRIVAL), Fields(dut.tally_i, TALLY)
        self.mishap = Fields(dut.mishap_i, MISHAP)
        self.axi = AxiLite(dut)

    @classmethod
    async def start(cls, dut: Any, cycles: int | None = None) -> Host:
        """Run the clock and reset for as long as no event is lost, or for `cycles`."""
        for name in QUIET:
            getattr(dut, name).value = 0
        dut.rst_i.value = 1
        cocotb_clock = Clock(dut.clk_i, PERIOD_NS, unit="ns")
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
        return await self.axi.read(address)

    async def write_at(self, address: int, word: int) -> AxiResp:
        """Write a word; return the response."""
        return await self.axi.write(address, word.to_bytes(4, "little"))

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
            await Timer(PAUSE * PERIOD_NS, "ns")
            await RisingEdge(self.dut.clk_i)

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
        self, port: int, code: int = 0, code_mask: int = 0, index: int = 0, mask: int = 0, *, distracted: bool = False
    ) -> tuple[int, int]:
        """Sum counters of the snapshot; return packets and bytes. `distracted`: one of another port begins then."""
        low = reg.QUERY.pack(code=code & 15, code_mask=code_mask & 15, class_ece=index, class_ece_mask=mask)
        word = reg.QUERY.pack(code_high=code >> 4, code_mask_high=code_mask >> 4) | low
        await self.write(reg.QUERY, word)
        if distracted:
            await self.command(port, "query")
            await self.write(reg.QUERY, reg.QUERY.pack(code=1, code_mask=15))
        await self.command(port ^ distracted, "query", until="query_busy")
        packets = await self.read(reg.SUM_PACKETS_LOW) | await self.read(reg.SUM_PACKETS_HIGH) << 32
        return packets, await self.read(reg.SUM_BYTES_LOW) | await self.read(reg.SUM_BYTES_HIGH) << 32
