# SPDX-License-Identifier: BSD-3-Clause
"""Runs a NetFPGA test case from its text files on a pipeline: sources, a host, checkers, barriers, logs.

The folder is in the environment as CASE. `nf_interface_<i>` is port i, `dma_0` the last port; 0x?1xxxx, 0x?2xxxx and
0x?3xxxx are the windows of arbiter, lookup and queues. Logs are written next to the case's files, in the same format.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge, Timer
from cocotb.utils import get_sim_time

from cocotb_tests.netfpga.axi_text import Access, Barrier, Frame, Item, Wait, read_registers, read_stream, write_stream
from cocotb_tests.netfpga.host import Host
from cocotb_tests.netfpga.stream import Packet, Receiver, Sender

PATIENCE = 10_000  # cycles at a barrier, and for the rest at the end


class Case:
    """The files of a case and what is left to do for it."""

    def __init__(self, clock: Any, senders: list[Sender], receivers: list[Receiver], host: Host) -> None:
        self.folder = Path(os.environ["CASE"])
        names = [*(f"nf_interface_{port}" for port in range(len(senders) - 1)), "dma_0"]
        self.names, self._clock, self._host = names, clock, host
        self._senders, self._receivers = senders, receivers
        # A case may leave out what it does not use; a folder without any of it is no case, and would pass.
        if not any(
            (self.folder / name).is_file() for name in (*(f"{name}_stim.axi" for name in names), "reg_stim.axi")
        ):
            raise FileNotFoundError(
                f"{self.folder}: no nf_interface_<i>_stim.axi, dma_0_stim.axi or reg_stim.axi there"
            )
        self.stimulus = [self._items(f"{name}_stim.axi") for name in names]
        self.expected = [
            [each for each in self._items(f"{name}_expected.axi") if isinstance(each, Frame)] for name in names
        ]
        self._waiting = [0] * (len(names) + 1)  # barriers reached, by interface and by the host
        # By interface, packets that must have come out before its first, second, ... barrier opens.
        self._due: list[list[int]] = [[] for _ in names]
        self.failures: list[str] = []

    def _items(self, name: str, read: Callable[[Path], list[Item]] = read_stream) -> list[Item]:
        path = self.folder / name
        return read(path) if path.is_file() else []

    async def _wait(self, wait: Wait) -> None:
        if wait.kind == "*":
            for _ in range(wait.count):
                await RisingEdge(self._clock)
            return
        time = wait.count - (get_sim_time("ns") - self._began if wait.kind == "@" else 0)
        if time > 0:
            await Timer(round(time * 1000), unit="ps")

    def _missing(self, barrier: int) -> list[str]:
        return [
            f"{name}: {len(receiver.got)} of {due[barrier - 1]}"
            for name, receiver, due in zip(self.names, self._receivers, self._due, strict=True)
            if len(due) >= barrier and len(receiver.got) < due[barrier - 1]
        ]

    async def _barrier(self, who: int, parties: list[int], due: int | None) -> None:
        if due is not None:
            self._due[who].append(due + (self._due[who][-1] if self._due[who] else 0))
        self._waiting[who] += 1
        mine = self._waiting[who]
        for _ in range(PATIENCE):
            # Another party may be at its next barrier already: what that one wants is no condition of this.
            if all(self._waiting[each] >= mine for each in parties) and not self._missing(mine):
                return
            await RisingEdge(self._clock)
        missing = self._missing(mine)
        raise AssertionError(f"barrier {mine} does not open; packets that came out: {', '.join(missing) or 'all'}")

    async def _interface(self, port: int, parties: list[int]) -> None:
        for item in self.stimulus[port]:
            if isinstance(item, Frame):
                user = item.user
                await self._senders[port].send(
                    Packet(item.data, user >> 24 & 0xFF, user >> 16 & 0xFF, user >> 32, user & 0xFFFF)
                )
            elif isinstance(item, Barrier):
                await self._barrier(port, parties, item.expected)
            elif isinstance(item, Wait):
                await self._wait(item)

    async def _registers(self, parties: list[int]) -> None:
        expected = [each for each in self._items("reg_expect.axi", read_registers) if isinstance(each, Access)]
        log = []
        for item in self._items("reg_stim.axi", read_registers):
            if isinstance(item, Barrier):
                await self._barrier(len(self.names), parties, None)
            elif isinstance(item, Wait):
                await self._wait(item)
            elif isinstance(item, Access):
                address = ((item.address >> 16 & 0xF) - 1) << 12 | item.address & 0xFFF
                if item.write:
                    await self._host.write(address, item.data or 0)
                    log.append(f"{item.address:08x} <- {item.data:08x}")
                else:
                    value = await self._host.read(address)
                    log.append(f"{item.address:08x} -> {value:08x}")
                    item = Access(False, item.address, value)
                want = expected.pop(0) if expected else None
                if want != item:
                    log[-1] += f" Error: {want} expected"
                    self.failures.append(f"reg_expect.axi: {log[-1]}")
        if expected:
            self.failures.append(f"reg_expect.axi: {expected[0]} was never asked for")
        (self.folder / "reg_stim.log").write_text("".join(f"{line}\n" for line in log))

    async def run(self) -> None:
        """Run the case to its end, write the logs, fail if what came out is not what was expected."""
        self._began = get_sim_time("ns")
        parties = [port for port, items in enumerate(self.stimulus) if any(isinstance(item, Barrier) for item in items)]
        if any(isinstance(item, Barrier) for item in self._items("reg_stim.axi", read_registers)):
            parties.append(len(self.names))
        tasks = [cocotb.start_soon(self._interface(port, parties)) for port in range(len(self.names))]
        tasks.append(cocotb.start_soon(self._registers(parties)))
        for task in tasks:
            await task
        quiet, before = 0, -1
        for _ in range(PATIENCE):
            now = sum(len(each.got) for each in self._receivers)
            quiet = quiet + 1 if now == before else 0
            before = now
            if quiet > 1000:
                break
            await RisingEdge(self._clock)
        for name, receiver, want in zip(self.names, self._receivers, self.expected, strict=True):
            got = [Frame(each.data, each.user) for each in receiver.got]
            times = [float(each.first) for each in receiver.got]
            write_stream(self.folder / f"{name}_log.axi", zip(times, got, strict=True), receiver.pins.bytes)
            self._compare(name, got, want)
        assert not self.failures, "\n".join(self.failures)

    def _compare(self, name: str, got: list[Frame], want: list[Frame]) -> None:
        """Compare bytes, in order, as NetFPGA's own reconciliation does; and the length that tuser promises."""
        for index, (out, due) in enumerate(zip(got, want, strict=False)):
            if out.data != due.data:
                self.failures.append(
                    f"{name}: packet {index} differs: {out.data.hex()} came, {due.data.hex()} expected"
                )
            if out.user & 0xFFFF != len(out.data):
                self.failures.append(f"{name}: packet {index}: tuser says {out.user & 0xFFFF}, not {len(out.data)}")
        if len(got) != len(want):
            self.failures.append(f"{name}: {len(want)} packets expected, {len(got)} received")
