# SPDX-License-Identifier: BSD-3-Clause
"""Frames on AXI4-Stream: a source that sends them, told when by a pattern; the sinks are in sinks.py.

Cycles are counted from the start of the simulation: cycle n ends with rising edge n of the clock. What a source sets
after edge n stands on the pins in cycle n + 1, and that is the cycle it records; a sink records the cycle in which
the first beat first *stands* on its pins, taken or not. A latency is the difference of the two.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import cocotb
from cocotb.clock import Clock
from cocotb.handle import Immediate
from cocotb.simtime import get_sim_time
from cocotb.task import Task
from cocotb.triggers import Event, RisingEdge, Timer

PERIOD_NS = 5
Item = TypeVar("Item")

# Asked once per cycle (ready) or once per beat (the number of idle cycles before it).
ReadyPattern = Callable[[], bool]
GapPattern = Callable[[], int]


def cycle(period_ns: float = PERIOD_NS) -> int:
    """Return the number of the cycle that the latest rising edge has ended."""
    return int((get_sim_time("ns") + period_ns) // period_ns)


def settle(dut: Any, pins: Mapping[str, int]) -> None:
    """Drive `pins` at once, before the simulator takes what it gave them at random for a clock edge."""
    for name, value in pins.items():
        getattr(dut, name).value = Immediate(value)


async def raise_reset(reset: Any) -> None:
    """Let a reset rise: cocotbext's drivers wait for that, and Icarus passes on no level that is set at once."""
    for level in (0, 1):
        reset.value = level
        await Timer(1, "step")


async def start(dut: Any, *, clock: str = "clk_i", reset: str = "rst_i", cycles: int = 4) -> None:
    """Start the clock and hold the reset for some cycles; inputs must have been given their idle values."""
    settle(dut, {clock: 0})
    await raise_reset(getattr(dut, reset))
    Clock(getattr(dut, clock), PERIOD_NS, unit="ns", impl="gpi").start()
    for _ in range(cycles):
        await RisingEdge(getattr(dut, clock))
    getattr(dut, reset).value = 0


# ---- Patterns


def no_gap() -> int:
    """Leave no idle cycle: one beat per cycle."""
    return 0


def random_gaps(rng: random.Random, probability: float, longest: int = 4) -> GapPattern:
    """Leave 1 to `longest` idle cycles before a beat with this probability."""
    return lambda: rng.randint(1, longest) if rng.random() < probability else 0


def always() -> bool:
    """Be ready in every cycle."""
    return True


def never() -> bool:
    """Be stuck."""
    return False


def chance(rng: random.Random, probability: float) -> ReadyPattern:
    """Be ready in each cycle with this probability."""
    return lambda: rng.random() < probability


def bursts(rng: random.Random, longest: int = 20) -> ReadyPattern:
    """Be ready, then not, for random numbers of cycles."""
    left, ready = 0, False

    def pattern() -> bool:
        nonlocal left, ready
        if left == 0:
            left, ready = rng.randint(1, longest), not ready
        left -= 1
        return ready

    return pattern


# ---- Frames


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame to send, good unless told otherwise."""

    data: bytes
    ports: int = 1  # bitmap of destinations
    promised: int | None = None  # length that the first beat says, if not the true one
    error: bool = False  # error bit on the last beat
    source: int = 0  # port that it came in by
    keep: Mapping[int, int] = field(default_factory=dict)  # tkeep of these beats, counted from 0

    @property
    def length(self) -> int:
        """Return what the first beat says."""
        return len(self.data) if self.promised is None else self.promised


@dataclass(frozen=True, slots=True)
class Beat:
    """What stands on the pins in one cycle."""

    data: int
    keep: int
    last: bool
    dest: int
    user: int
    source: int | None


def beats(frame: Frame, beat_bytes: int, ports: int, rng: random.Random) -> Iterator[Beat]:
    """Cut a frame into beats. What a beat leaves open (a length after the first, bytes not kept) is random."""
    count = -(-len(frame.data) // beat_bytes)
    for index in range(count):
        piece = frame.data[index * beat_bytes : (index + 1) * beat_bytes]
        first, last = index == 0, index == count - 1
        yield Beat(
            data=int.from_bytes(piece + rng.randbytes(beat_bytes - len(piece)), "little"),
            keep=frame.keep.get(index, (1 << len(piece)) - 1),
            last=last,
            dest=frame.ports if first else rng.getrandbits(ports),
            user=(frame.length if first else rng.getrandbits(16)) | (frame.error if last else rng.getrandbits(1)) << 16,
            source=frame.source if first else None,
        )


@dataclass(slots=True)
class Sent:
    """A frame on its way in, and when."""

    frame: Frame
    first: int = 0  # cycle of its first beat
    last: int = 0  # cycle of its last beat


class Backlog(Generic[Item]):
    """What is to be sent, in order; a driver takes it one by one, and sleeps while there is nothing."""

    def __init__(self) -> None:
        self._waiting: deque[Item] = deque()
        self._sending = False
        self._filled, self._drained = Event(), Event()

    def put(self, *items: Item) -> None:
        """Queue them; they start to go out in the next cycle."""
        self._waiting.extend(items)
        self._filled.set()

    async def drain(self) -> None:
        """Wait until everything has gone out."""
        while self._waiting or self._sending:
            self._drained.clear()
            await self._drained.wait()

    async def send(self, *items: Item) -> None:
        """Queue them and wait until everything has gone out."""
        self.put(*items)
        await self.drain()

    async def _next(self) -> Item:
        """Return what is to be sent now; what was taken before has gone out."""
        if not self._waiting:
            self._sending = False
            self._drained.set()
            self._filled.clear()
            await self._filled.wait()
        self._sending = True
        return self._waiting.popleft()


class Source(Backlog[Frame]):
    """Drives one stream; frames wait in a queue and go out back to back except for the pattern's gaps.

    `dut` has `<name>_tdata`, `_tkeep`, `_tvalid`, `_tlast`, `_tdest`, `_tuser`; a `_tid` that is there gets the
    source, and a `_tready` must be 1 in every cycle, since the input is never blocked. The pins carry garbage while
    nothing is valid.
    """

    def __init__(
        self,
        dut: Any,
        *,
        name: str = "s_axis",
        clock: str = "clk",
        gaps: GapPattern = no_gap,
        rng: random.Random | None = None,
        period_ns: float = PERIOD_NS,
    ) -> None:
        super().__init__()
        self.gaps = gaps
        self._period = period_ns
        self.sent: list[Sent] = []
        self._rng = rng or random.Random(cocotb.RANDOM_SEED)
        self._clock = getattr(dut, clock)
        self._data, self._keep, self._valid, self._last, self._dest, self._user = (
            getattr(dut, f"{name}_{pin}") for pin in ("tdata", "tkeep", "tvalid", "tlast", "tdest", "tuser")
        )
        self._ready = getattr(dut, f"{name}_tready", None)
        self._source = getattr(dut, f"{name}_tid", None)
        self._sources = random.Random(cocotb.RANDOM_SEED)
        self._bytes = len(self._data) // 8
        self._ports = len(self._dest)
        self._idle()
        self.task: Task[None] = cocotb.start_soon(self._run())

    def _idle(self) -> None:
        rng = self._rng
        self._valid.value = 0
        self._data.value = rng.getrandbits(8 * self._bytes)
        self._keep.value = rng.getrandbits(self._bytes)
        self._last.value = rng.getrandbits(1)
        self._dest.value = rng.getrandbits(self._ports)
        self._user.value = rng.getrandbits(len(self._user))
        self._of(None)

    def _of(self, source: int | None) -> None:
        if self._source is not None:
            self._source.value = self._sources.getrandbits(4) if source is None else source

    async def _run(self) -> None:
        edge = RisingEdge(self._clock)
        await edge
        while True:
            sent = Sent(await self._next())
            for index, beat in enumerate(beats(sent.frame, self._bytes, self._ports, self._rng)):
                for _ in range(self.gaps()):
                    self._idle()
                    await edge
                self._valid.value = 1
                self._data.value = beat.data
                self._keep.value = beat.keep
                self._last.value = beat.last
                self._dest.value = beat.dest
                self._user.value = beat.user
                self._of(beat.source)
                if index == 0:
                    sent.first = cycle(self._period) + 1
                await edge
                assert self._ready is None or self._ready.value == 1, f"input blocked in cycle {cycle(self._period)}"
            sent.last = cycle(self._period)
            self.sent.append(sent)
            if not self._waiting:
                self._idle()
