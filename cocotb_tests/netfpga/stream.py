# SPDX-License-Identifier: BSD-3-Clause
"""NetFPGA's streams: 128 bits of `tuser` that count on the first beat only, one bundle of pins for each port.

Checks on the way: what is valid stays, unchanged, until it is taken; `tkeep` is full but on the last beat.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import cocotb
from cocotb.simtime import get_sim_time
from cocotb.triggers import RisingEdge, Timer
from cocotbext.truemark.source import Backlog, GapPattern, ReadyPattern, always, no_gap

TUSER_BITS = 128
PERIOD_PS = 5000  # of the datapath's clock


@dataclass(frozen=True, slots=True)
class Packet:
    """A frame and what `tuser` says of it."""

    data: bytes
    destination: int  # bits 31:24
    source: int = 0  # bits 23:16
    more: int = 0  # bits 127:32
    promised: int | None = None  # bits 15:0, if not the true length

    @property
    def user(self) -> int:
        """Return `tuser` of the first beat."""
        length = len(self.data) if self.promised is None else self.promised
        return length | self.source << 16 | self.destination << 24 | self.more << 32


@dataclass(frozen=True, slots=True)
class Got:
    """A frame that came out: `tuser` of its first beat, the cycles its first and last beat were taken in."""

    data: bytes
    user: int
    first: int
    last: int


def now() -> int:
    """Return the number of the cycle, counted from the start of the simulation."""
    return int(get_sim_time("ps")) // PERIOD_PS


async def wait(clock: Any, cycles: int) -> None:
    """Let time pass, from one rising edge to another."""
    if cycles > 1:
        await Timer(cycles * PERIOD_PS - PERIOD_PS // 2, "ps")
    await RisingEdge(clock)


class Element:
    """One element of a packed array of pins: to write it, the array is written with what was last written of it."""

    written: ClassVar[dict[str, int]] = {}  # by the array's path

    def __init__(self, array: Any, index: int, count: int) -> None:
        self._array, self._width = array, len(array) // count
        self._low = index * self._width

    def __len__(self) -> int:
        return self._width

    @property
    def value_change(self) -> Any:
        """Return the trigger of a change of any element."""
        return self._array.value_change

    @property
    def value(self) -> int:
        """Return what the pins have."""
        return int(self._array.value) >> self._low & (1 << self._width) - 1

    @value.setter
    def value(self, value: int) -> None:
        whole = self.written.get(self._array._path, 0) & ~((1 << self._width) - 1 << self._low) | value << self._low
        self._array.value = self.written[self._array._path] = whole


class Stream:
    """The pins of one stream; a name that ends in a number in brackets is that element of arrays."""

    def __init__(self, dut: Any, name: str) -> None:
        base, _, index = name.rstrip("]").partition("[")
        pins: list[Any] = [
            getattr(dut, f"{base}_{pin}") for pin in ("tdata", "tkeep", "tuser", "tvalid", "tready", "tlast")
        ]
        count = len(getattr(dut, f"{base}_tvalid"))
        if index:
            pins = [Element(pin, int(index), count) for pin in pins]
        self.data, self.keep, self.user, self.valid, self.ready, self.last = pins
        self.bytes = len(self.data) // 8


class Sender(Backlog[Packet]):
    """Drives a stream; `tuser` of later beats is zero, as NetFPGA's tools have it, or garbage."""

    def __init__(self, dut: Any, name: str, clock: Any, rng: random.Random, gaps: GapPattern = no_gap) -> None:
        super().__init__()
        self.pins, self.gaps = Stream(dut, name), gaps
        self.first: list[int] = []  # cycle in which each packet's first beat was taken
        self._clock, self._rng = clock, rng
        self.pins.valid.value = 0
        self.task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        pins, edge, width = self.pins, RisingEdge(self._clock), self.pins.bytes
        await edge
        while True:
            if not self._waiting:
                pins.valid.value = 0
            packet = await self._next()
            count = -(-len(packet.data) // width)
            for index in range(count):
                for _ in range(self.gaps()):
                    pins.valid.value = 0
                    await edge
                piece = packet.data[index * width : (index + 1) * width]
                pins.data.value = int.from_bytes(piece, "little")
                pins.keep.value = (1 << len(piece)) - 1
                pins.last.value = int(index == count - 1)
                pins.user.value = (
                    packet.user if index == 0 else self._rng.choice((0, self._rng.getrandbits(TUSER_BITS)))
                )
                pins.valid.value = 1
                await edge
                while not pins.ready.value:
                    await edge
                if index == 0:
                    self.first.append(now())


class Receiver:
    """Takes the frames of one stream; `ready` may be replaced at any time, and is not asked while nothing comes."""

    def __init__(self, dut: Any, name: str, clock: Any, ready: ReadyPattern = always) -> None:
        self.pins, self.ready = Stream(dut, name), ready
        self.got: list[Got] = []
        self.latest = 0  # cycle in which a beat was taken
        self._name, self._clock = name, clock
        self.pins.ready.value = 0
        self.task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        pins, edge = self.pins, RisingEdge(self._clock)
        data, user, first = bytearray(), 0, -1
        stalled: tuple[int, int, int] | None = None
        taking = 0
        await edge
        while True:
            ready = int(self.ready())
            if ready != taking:
                pins.ready.value = taking = ready
            await edge
            if not pins.valid.value:
                assert stalled is None, f"{self._name}: valid fell before the beat was taken"
                await pins.valid.value_change
                continue
            beat = int(pins.data.value), int(pins.keep.value), int(pins.last.value)
            assert stalled is None or stalled == beat, f"{self._name}: a beat changed before it was taken"
            if not taking:
                stalled = beat
                continue
            stalled, self.latest = None, now()
            count = beat[1].bit_count()
            assert beat[1] == (1 << count) - 1 > 0, f"{self._name}: tkeep {beat[1]:#x}"
            assert beat[2] or count == pins.bytes, f"{self._name}: tkeep {beat[1]:#x} in mid-frame"
            if first < 0:
                first, user = self.latest, int(pins.user.value)
            data += beat[0].to_bytes(pins.bytes, "little")[:count]
            if beat[2]:
                self.got.append(Got(bytes(data), user, first, self.latest))
                data, first = bytearray(), -1


async def settle(clock: Any, receivers: Sequence[Receiver], *, quiet: int = 60, patience: int = 200_000) -> None:
    """Wait until nothing has come out for `quiet` cycles."""
    began = now()
    while (rest := max(began, *(each.latest for each in receivers)) + quiet - now()) > 0:
        assert now() - began < patience, f"frames still come out after {patience} cycles"
        await wait(clock, rest)
