# SPDX-License-Identifier: BSD-3-Clause
"""Frames as they come in on s_axis, and what the framer has to make of them, beat by beat."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from cocotb_tests.env.tm_pkg import Bad

MIN_FRAME = 14


@dataclass(frozen=True)
class Build:
    """The parameters of the build under test."""

    beat_bytes: int
    max_frame: int = 9216
    ports: int = 5
    store_and_forward: bool = False
    flags_verdict: bool = False


@dataclass
class Beat:
    """One valid cycle of s_axis."""

    data: bytes
    keep: int
    last: bool


@dataclass
class Frame:
    """One frame on s_axis: whole beats with whatever is in the lanes behind the end, and what is said of it."""

    beats: list[Beat]
    promised: int
    dest: int = 1
    error: bool = False

    @property
    def lanes(self) -> bytes:
        """Every byte lane of every beat in order."""
        return b"".join(beat.data for beat in self.beats)


def frame_of(
    data: bytes,
    beat_bytes: int,
    *,
    promised: int | None = None,
    dest: int = 1,
    error: bool = False,
    filler: random.Random | None = None,
) -> Frame:
    """Cut `data` into beats; the lanes behind the end hold rubbish if there is a `filler`."""
    beats = []
    for at in range(0, len(data), beat_bytes):
        part = data[at : at + beat_bytes]
        missing = beat_bytes - len(part)
        rubbish = filler.randbytes(missing) if filler else bytes(missing)
        beats.append(Beat(part + rubbish, (1 << len(part)) - 1, at + beat_bytes >= len(data)))
    return Frame(beats, len(data) if promised is None else promised, dest, error)


@dataclass
class Row:
    """One stored beat."""

    data: bytes
    keep: int
    length: int  # soon_len
    last: bool


@dataclass
class Framed:
    """What becomes of a frame: rows[i] is what beat i is stored as; `bad` was found at beat `end`."""

    rows: list[Row] = field(default_factory=list)
    bad: Bad | None = None
    misshaped: bool = False

    @property
    def length(self) -> int:
        """What the tally says."""
        return self.rows[-1].length


def contiguous_bytes(keep: int) -> int:
    """Return the number of bytes of a keep without holes, 0 for one with holes or without bytes."""
    return keep.bit_length() if keep and keep & (keep + 1) == 0 else 0


def expect(frame: Frame, build: Build) -> Framed:
    """Frame `frame` by the rules of the architecture."""
    return _counted(frame, build) if build.store_and_forward else _promised(frame, build)


def _hole(beat: Beat, width: int) -> bool:
    return contiguous_bytes(beat.keep) == 0 or (not beat.last and contiguous_bytes(beat.keep) != width)


def _promised(frame: Frame, build: Build) -> Framed:
    width = build.beat_bytes
    if frame.dest == 0:
        return Framed(bad=Bad.NO_DESTINATION)
    if frame.promised < MIN_FRAME:
        return Framed(bad=Bad.RUNT)
    if frame.promised > build.max_frame:
        return Framed(bad=Bad.OVERSIZE)
    rows = -(-frame.promised // width)
    framed = Framed()
    hole = False
    for number, beat in enumerate(frame.beats[:rows]):
        last_row = number == rows - 1
        room = frame.promised - number * width if last_row else width
        came = contiguous_bytes(beat.keep)
        hole = hole or _hole(beat, width)
        if not beat.last:
            size = room
        elif last_row:
            size = min(came, room) if came else room
        else:
            size = came or 1
        last = beat.last or last_row
        framed.rows.append(Row(beat.data, (1 << size) - 1, frame.promised, last))
    final = frame.beats[len(framed.rows) - 1]
    exact = final.last and len(framed.rows) == rows
    exact = exact and contiguous_bytes(final.keep) == frame.promised - (rows - 1) * width
    framed.misshaped = hole or not exact
    if hole:
        framed.bad = Bad.KEEP_HOLE
    elif not exact:
        framed.bad = Bad.LENGTH_MISMATCH
    elif frame.error:
        framed.bad = Bad.ERROR_BIT
    return framed


def _counted(frame: Frame, build: Build) -> Framed:
    width = build.beat_bytes
    if frame.dest == 0:
        return Framed(bad=Bad.NO_DESTINATION)
    framed = Framed()
    limit = -(-build.max_frame // width)
    for number, beat in enumerate(frame.beats[:limit]):
        size = (contiguous_bytes(beat.keep) or 1) if beat.last else width
        framed.misshaped = framed.misshaped or _hole(beat, width)
        last = beat.last or number == limit - 1
        framed.rows.append(Row(beat.data, (1 << size) - 1, number * width + size, last))
    final = frame.beats[len(framed.rows) - 1]
    if final.last and framed.length < MIN_FRAME:
        framed.bad = Bad.RUNT
        framed.misshaped = True
    elif not final.last or framed.length > build.max_frame:
        framed.bad = Bad.OVERSIZE
    elif framed.misshaped:
        framed.bad = Bad.KEEP_HOLE
    elif frame.error:
        framed.bad = Bad.ERROR_BIT
    return framed
