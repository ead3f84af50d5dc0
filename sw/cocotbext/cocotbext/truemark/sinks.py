# SPDX-License-Identifier: BSD-3-Clause
"""Sinks for the frames of all ports on AXI4-Stream, told when by a pattern (the source is in source.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.task import Task
from cocotb.triggers import Event, RisingEdge, SimTimeoutError, with_timeout
from cocotbext.truemark.source import PERIOD_NS, ReadyPattern, always, cycle

REST = 16  # cycles without a beat after which the sinks sleep: a bench is idle most of its time


@dataclass(frozen=True, slots=True)
class Received:
    """A frame that came out, and when."""

    port: int
    data: bytes
    length: int  # as tuser says
    error: bool
    first: int  # cycle in which its first beat first stood on the pins: its departure
    last: int  # cycle in which its last beat was taken


@dataclass(slots=True)
class _Arriving:
    first: int
    length: int
    data: bytearray = field(default_factory=bytearray)


class Sinks:
    """Takes the frames of all ports, whose signals are packed with port 0 lowest; checks the stream's rules.

    Rules: what is valid stays, unchanged, until it is taken; keep is full except on the last beat, and contiguous;
    tuser's length is steady. `ready[port]`, asked while frames come, may be replaced at any time.
    """

    def __init__(
        self,
        dut: Any,
        *,
        name: str = "m_axis",
        clock: str = "clk",
        ready: ReadyPattern | list[ReadyPattern] = always,
        period_ns: float = PERIOD_NS,
    ) -> None:
        self._period = period_ns
        self._clock = getattr(dut, clock)
        self._data, self._keep, self._valid, self._ready, self._last, self._user = (
            getattr(dut, f"{name}_{pin}") for pin in ("tdata", "tkeep", "tvalid", "tready", "tlast", "tuser")
        )
        self.ports = len(self._valid)
        self._came = Event()
        self.ready: list[ReadyPattern] = ready if isinstance(ready, list) else [ready] * self.ports
        self.received: list[list[Received]] = [[] for _ in range(self.ports)]
        self._bytes = len(self._data) // 8 // self.ports
        self._user_bits = len(self._user) // self.ports
        self._arriving: list[_Arriving | None] = [None] * self.ports
        self._stalled: list[tuple[int, int, int, int] | None] = [None] * self.ports
        self._ready.value = 0
        self.task: Task[None] = cocotb.start_soon(self._run())

    def count(self) -> int:
        """Return how many frames have come out."""
        return sum(map(len, self.received))

    async def wait(self, frames: int, *, cycles: int = 100_000) -> None:
        """Wait until that many frames have come out in all; fail when it takes longer than `cycles`."""
        try:
            await with_timeout(self._until(frames), cycles * self._period, "ns")
        except SimTimeoutError:
            raise AssertionError(f"{self.count()} of {frames} frames came out within {cycles} cycles") from None

    async def _until(self, frames: int) -> None:
        while self.count() < frames:
            self._came.clear()
            await self._came.wait()

    async def _run(self) -> None:
        edge = RisingEdge(self._clock)
        await edge
        taking = idle = 0
        while True:
            ready = sum(1 << port for port, pattern in enumerate(self.ready) if pattern())
            if ready != taking:
                self._ready.value = taking = ready
            await edge
            valid = int(self._valid.value)
            if valid or any(self._stalled):
                self._cycle(valid, taking)
                idle = 0
            elif (idle := idle + 1) > REST:
                await self._valid.value_change

    def _cycle(self, valid: int, taking: int) -> None:
        pins = [str(pin.value) for pin in (self._data, self._keep, self._last, self._user)]
        for port in range(self.ports):
            if not valid >> port & 1:
                assert self._stalled[port] is None, (
                    f"port {port}: valid fell in cycle {cycle(self._period)} before it was taken"
                )
                continue
            # Of what another port shows nothing need be known: in Icarus that is X until its first frame.
            data, keep, last, user = (
                int(pin[len(pin) - (port + 1) * len(pin) // self.ports :][: len(pin) // self.ports], 2) for pin in pins
            )
            seen = data, keep, last, user & 0x1FFFF
            if self._stalled[port] is not None:
                assert seen == self._stalled[port], (
                    f"port {port}: a beat changed in cycle {cycle(self._period)} before it was taken"
                )
            if self._arriving[port] is None:
                self._arriving[port] = _Arriving(first=cycle(self._period), length=seen[3] & 0xFFFF)
            if taking >> port & 1:
                self._stalled[port] = None
                self._take(port, *seen)
            else:
                self._stalled[port] = seen

    def _take(self, port: int, data: int, keep: int, last: int, user: int) -> None:
        frame = self._arriving[port]
        assert frame is not None
        count = keep.bit_count()
        where = f"port {port}, cycle {cycle(self._period)}"
        assert 0 < keep == (1 << count) - 1, f"{where}: hole in tkeep {keep:#x}"
        assert last or count == self._bytes, f"{where}: tkeep {keep:#x} in mid-frame"
        assert user & 0xFFFF == frame.length, f"{where}: length {user & 0xFFFF} after {frame.length}"
        frame.data += data.to_bytes(self._bytes, "little")[:count]
        if last:
            self.received[port].append(
                Received(port, bytes(frame.data), frame.length, bool(user >> 16), frame.first, cycle(self._period))
            )
            self._arriving[port] = None
            self._came.set()
