# SPDX-License-Identifier: BSD-3-Clause
"""NetFPGA's text formats for a simulated test case: what enters and leaves each interface, and what the host does.

A stream (`nf_interface_0_stim.axi`, `_expected.axi`, `_log.axi`, `dma_0_...`), one beat a line, byte 0 at the right:

    # comment             @ 2000  at this time, in ns       + 10  so many ns later       * 4  so many cycles later
    TDATA, TKEEP, TUSER,  a beat in hexadecimal; `.` in the place of the last `,` ends the packet
    B 1  N 3  S 2         (a line each) a barrier: 3 packets have come out here and 2 gone in since the last one

Registers (`reg_stim.axi`): `R 00000001` with `-, -, -, ADDRESS.` on the next line, `W 00000002` with
`ADDRESS, DATA, f, -.`, `D ns`, `B 4`; in `reg_expect.axi` a read has `ADDRESS, DATA.`. Every reader names file and line
of what it cannot read.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TUSER_DIGITS = 32


class TextError(Exception):
    """A line that is not in the format."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A packet and its first beat's tuser."""

    data: bytes
    user: int


@dataclass(frozen=True, slots=True)
class Wait:
    """A time: absolute, later by ns, or later by cycles."""

    kind: str  # @, + or *
    count: int


@dataclass(frozen=True, slots=True)
class Barrier:
    """Everybody waits here until everybody is here and so many packets have come out."""

    expected: int


@dataclass(frozen=True, slots=True)
class Access:
    """A register is read (and expected to hold a value) or written."""

    write: bool
    address: int
    data: int | None  # None: a read in the stimulus


Item = Frame | Wait | Barrier | Access


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.split("#")[0].split("//")[0].strip()
        if text:
            yield number, text


def barrier(found: Iterator[tuple[int, str]], path: Path, number: int) -> Barrier:
    """Return the barrier whose B line was the last one read."""
    counts = {"N": 0, "S": 0}
    for name in counts:
        at, text = next(found, (number, "end of the file"))
        match = re.fullmatch(rf"{name}\s+(\d+)", text)
        if not match:
            raise TextError(f"{path}:{at}: {text!r} where a barrier has `{name} count`")
        counts[name] = int(match[1])
    return Barrier(counts["N"])


def beat(path: Path, number: int, text: str) -> tuple[bytes, int, bool]:
    """Return the bytes of a beat that are kept, its tuser, and whether it is the last."""
    fields = [field.strip() for field in text[:-1].split(",")]
    if text[-1] not in ",." or len(fields) != 3:
        raise TextError(f"{path}:{number}: {text!r} is no beat: TDATA, TKEEP, TUSER and a closing `,` or `.`")
    try:
        data, keep, user = (int(field, 16) for field in fields)
    except ValueError:
        raise TextError(f"{path}:{number}: {text!r} is not in hexadecimal") from None
    width = len(fields[0]) // 2
    kept = keep.bit_count()
    if keep != (1 << kept) - 1 or not 0 < kept <= width or (text[-1] == "," and kept != width):
        raise TextError(f"{path}:{number}: TKEEP {fields[1]}: bytes are kept from the right, all but in the last beat")
    return data.to_bytes(width, "little")[:kept], user, text[-1] == "."


def read_stream(path: Path) -> list[Item]:
    """Return what a stream's file holds, in order."""
    items: list[Item] = []
    data, user = bytearray(), 0
    found = lines(path)
    for number, text in found:
        if text[0] in "@+*":
            if not text[1:].strip().isdecimal():
                raise TextError(f"{path}:{number}: {text!r}: a time is a number")
            items.append(Wait(text[0], int(text[1:])))
        elif re.match(r"B\s", text):
            items.append(barrier(found, path, number))
        else:
            piece, first, last = beat(path, number, text)
            user = user if data else first
            data += piece
            if last:
                items.append(Frame(bytes(data), user))
                data = bytearray()
    if data:
        raise TextError(f"{path}: ends in the middle of a packet")
    return items


def read_registers(path: Path) -> list[Item]:
    """Return what a file of register accesses holds, in order."""
    items: list[Item] = []
    waiting = deque(lines(path))
    while waiting:
        number, text = waiting.popleft()
        kind = text.split()[0]
        if kind == "B":
            # One pair of counts for each interface, and for the DMA.
            while waiting and re.match(r"[NS]\s", waiting[0][1]):
                waiting.popleft()
            items.append(Barrier(0))
        elif kind == "D":
            items.append(Wait("+", int(text.split()[1])))
        elif kind in ("R", "W"):
            at, fields = waiting.popleft() if waiting else (number, "")
            words = [field.strip() for field in fields.rstrip(".").split(",")]
            items.append(access(kind == "W", words, f"{path}:{at}: {fields!r}"))
        else:
            raise TextError(f"{path}:{number}: {text!r}: an access begins with R, W, D or B")
    return items


def access(write: bool, words: list[str], where: str) -> Access:
    """Return one access from its fields."""
    try:
        if write:
            address, data, strobe, _ = words
            if strobe != "f":
                raise TextError(f"{where}: a write covers all four bytes (f)")
            return Access(True, int(address, 16), int(data, 16))
        if len(words) == 4:
            return Access(False, int(words[3], 16), None)
        address, data = words
        return Access(False, int(address, 16), int(data, 16))
    except ValueError:
        raise TextError(f"{where}: no access: ADDRESS, DATA, f, - or -, -, -, ADDRESS or ADDRESS, DATA") from None


def write_stream(path: Path, frames: Iterable[tuple[float, Frame]], width: int) -> None:
    """Write packets with the times in ns at which they began, so many bytes a beat."""
    text = []
    for time, frame in frames:
        text.append(f"@ {time:.0f}")
        for begin in range(0, len(frame.data), width):
            piece = frame.data[begin : begin + width]
            last = begin + width >= len(frame.data)
            user = frame.user if begin == 0 else 0
            data = int.from_bytes(piece, "little")
            keep = (1 << len(piece)) - 1
            text.append(f"{data:0{2 * width}x}, {keep:0{width // 4}x}, {user:0{TUSER_DIGITS}x}{'.' if last else ','}")
        text.append("")
    path.write_text("\n".join(text) + "\n")
