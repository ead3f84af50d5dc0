# SPDX-License-Identifier: BSD-3-Clause
"""Frames of priority-based flow control, byte by byte from IEEE 802.3 annex 31D; streams for the blocks."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cocotb.triggers import RisingEdge

CONTROL_ADDRESS = bytes.fromhex("0180C2000001")
SHORTEST = 60  # bytes without FCS
FIELDS = 34  # bytes up to the last class's time


def pause_frame(
    quanta: Mapping[int, int], source: bytes = bytes(6), *, opcode: int = 0x0101, pad: bytes | None = None
) -> bytes:
    """Return a frame that pauses these classes for so many quanta."""
    times = b"".join(quanta.get(each, 0).to_bytes(2, "big") for each in range(8))
    enable = sum(1 << each for each in quanta).to_bytes(2, "big")
    frame = CONTROL_ADDRESS + source + b"\x88\x08" + opcode.to_bytes(2, "big") + enable + times
    assert len(frame) == FIELDS
    return frame + (bytes(SHORTEST - FIELDS) if pad is None else pad)


def quanta_of(frame: bytes) -> dict[int, int]:
    """Return what a frame asks for; fail if it is not one of priority-based flow control."""
    assert len(frame) == SHORTEST, f"{len(frame)} bytes"
    assert frame[:6] + frame[12:17] == CONTROL_ADDRESS + b"\x88\x08\x01\x01\0", frame.hex()
    assert frame[FIELDS:] == bytes(SHORTEST - FIELDS)
    times = {each: int.from_bytes(frame[18 + 2 * each : 20 + 2 * each], "big") for each in range(8)}
    assert all(frame[17] >> each & 1 or time == 0 for each, time in times.items())
    return {each: time for each, time in times.items() if frame[17] >> each & 1}


@dataclass(frozen=True, slots=True)
class Sent:
    """A frame, and whether its last beat says that it is bad."""

    data: bytes
    bad: bool = False


@dataclass(frozen=True, slots=True)
class Got:
    """A frame that came out, with the cycles in which its first and its last beat were taken."""

    data: bytes
    user: int  # of its last beat
    first: int
    last: int


class Line:
    """Drives one stream into a block and takes the one that comes out, a call of `step` for each cycle."""

    def __init__(self, dut: Any, rng: random.Random, way: str = "", error_bit: int = 16, clock: str = "clk_i") -> None:
        self.dut, self.rng, self.clock, self.error_bit = dut, rng, getattr(dut, clock), error_bit
        pins = "tdata", "tkeep", "tvalid", "tready", "tlast", "tuser"
        self.s = {pin: getattr(dut, f"s_axis_{way}{pin}") for pin in pins}
        self.m = {pin: getattr(dut, f"m_axis_{way}{pin}") for pin in pins}
        self.bytes = len(self.s["tkeep"])
        self.cycle = 0
        self.queue: deque[Sent] = deque()
        self.beats: deque[tuple[int, int, int, int]] = deque()
        self.got: list[Got] = []
        self.taken: list[tuple[int, int]] = []  # cycles of each frame's first and last beat on its way in
        self.busy, self.ready = 1.0, 1.0  # chances of a beat, and of its being taken
        self._offer = False
        self._first_in: int | None = None
        self._first_out = 0
        self._data = bytearray()
        self._stalled: tuple[int, ...] | None = None

    def pins(self) -> dict[str, int]:
        """Return the pins at rest."""
        return {pin._name: 0 for name, pin in self.s.items() if name != "tready"} | {self.m["tready"]._name: 0}

    def put(self, *frames: bytes | Sent) -> None:
        """Queue frames."""
        self.queue.extend(each if isinstance(each, Sent) else Sent(each) for each in frames)

    def drive(self) -> None:
        """Set the pins of the next cycle."""
        if not self.beats and self.queue:
            frame = self.queue.popleft()
            for at in range(0, len(frame.data), self.bytes):
                piece, last = frame.data[at : at + self.bytes], at + self.bytes >= len(frame.data)
                filler = self.rng.randbytes(self.bytes - len(piece))
                user = (
                    self.rng.getrandbits(self.error_bit)
                    | (frame.bad if last else self.rng.getrandbits(1)) << self.error_bit
                )
                self.beats.append((int.from_bytes(piece + filler, "little"), (1 << len(piece)) - 1, int(last), user))
        self._offer = bool(self.beats) and (self._offer or self.rng.random() < self.busy)
        self.s["tvalid"].value = int(self._offer)
        if self._offer:
            for name, value in zip(("tdata", "tkeep", "tlast", "tuser"), self.beats[0], strict=True):
                self.s[name].value = value
        self.m["tready"].value = int(self.rng.random() < self.ready)

    def look(self) -> None:
        """Take what the cycle that ends has moved."""
        self.cycle += 1
        if self._offer and self.s["tready"].value == 1:
            self._first_in = self.cycle if self._first_in is None else self._first_in
            if self.beats.popleft()[2]:
                self.taken.append((self._first_in, self.cycle))
                self._first_in = None
            self._offer = False
        if self.m["tvalid"].value != 1:
            assert self._stalled is None, f"valid fell in cycle {self.cycle}"
            return
        data, keep, last, user = (int(self.m[name].value) for name in ("tdata", "tkeep", "tlast", "tuser"))
        assert self._stalled in (None, (data, keep, last, user)), f"a beat changed in cycle {self.cycle}"
        self._stalled = (data, keep, last, user)
        if self.m["tready"].value != 1:
            return
        self._stalled = None
        count = keep.bit_count()
        assert keep == (1 << count) - 1 > 0, f"tkeep {keep:#x}"
        assert last or count == self.bytes, f"tkeep {keep:#x} before the end"
        if not self._data:
            self._first_out = self.cycle
        self._data += data.to_bytes(self.bytes, "little")[:count]
        if last:
            self.got.append(Got(bytes(self._data), user, self._first_out, self.cycle))
            self._data.clear()

    async def step(self) -> None:
        """Let a cycle end."""
        self.drive()
        await RisingEdge(self.clock)
        self.look()

    async def drain(self, more: int = 20, most: int = 20_000, each: Callable[[], None] = lambda: None) -> None:
        """Let cycles end until all has gone in, and some more."""
        for _ in range(most):
            if not self.queue and not self.beats:
                break
            await self.step()
            each()
        else:
            raise AssertionError("frames do not go in")
        self.ready = 1.0
        for _ in range(more):
            await self.step()
            each()


def random_frame(rng: random.Random, longest: int = 300) -> bytes:
    """Return a frame that is not a control frame, some nearly so."""
    frame = bytearray(rng.randbytes(rng.choice((14, 15, 16, 17, 60, 64, rng.randint(14, longest)))))
    if rng.random() < 0.5:  # a control frame's head, with one bit of it wrong
        frame[:14] = CONTROL_ADDRESS + bytes(6) + b"\x88\x08"
        frame[rng.choice((*range(6), 12, 13))] ^= 1 << rng.randrange(8)
    elif frame[:6] == CONTROL_ADDRESS:
        frame[0] ^= 2
    return bytes(frame)
