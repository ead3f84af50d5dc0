# SPDX-License-Identifier: BSD-3-Clause
"""When classes of a source must pause: which, with what headroom, and threshold and xon of all sources.

And the other way: whose pause, by the link partner of its line, holds a queue.

Names are those of SAI's buffer profiles and of priority-based flow control; a device counts in cells, as in a share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from truemark.device import registers
from truemark.device.registers import Register
from truemark.errors import TruemarkError
from truemark.laws.share import Share, Threshold

CLASSES = 8
XON_CELLS = registers.PFC_XON.fields[1].maximum  # the most of xon_offset; PFC_CLASSES has as much room for headroom
CELL = 64  # bytes, of the smallest cells


def classes_of(field: int) -> tuple[int, ...]:
    """Return the classes whose bits are set in a field of a register."""
    return tuple(each for each in range(CLASSES) if field >> each & 1)


@dataclass(frozen=True)
class Level(Threshold):
    """A class must pause above the threshold, and may send again at xon or below the offset; all in bytes."""

    xon: int = 0  # it may at or below so many
    offset: int | None = None  # or at or below the threshold less so many

    @property
    def title(self) -> str:
        """What `show` says of it."""
        at = [f"at {self.xon} B"] if self.xon or self.offset is None else []
        below = [f"{self.offset} B below"] if self.offset is not None else []
        return f"xoff above {super().title}, xon {' or '.join(at + below)}"


@dataclass(frozen=True)
class Pause:
    """The lossless classes of a source, the headroom of each in bytes, and (of port 0) the level of all sources.

    `paused_by` is of the port as a queue: while its line's link partner pauses one of these, it begins no frame.
    """

    classes: tuple[int, ...] = ()
    headroom: int = 0
    level: Level | None = None
    paused_by: tuple[int, ...] = ()

    def words(self, cell: int) -> Iterator[tuple[Register, int]]:
        """Yield the registers and their words, in a device with cells of so many bytes."""
        level, headroom = self.level or Level(), Share.cells(self.headroom, cell)
        lossless, paused_by = (sum(1 << each for each in found) for found in (self.classes, self.paused_by))
        yield (
            registers.PFC_CLASSES,
            registers.PFC_CLASSES.pack(lossless=lossless, paused_by=paused_by, headroom=headroom),
        )
        yield registers.PFC_THRESHOLD, registers.PFC_THRESHOLD.pack(**level.fields(cell, "xoff_"))
        # An offset that is as long as can be leaves xon alone.
        offset = XON_CELLS if level.offset is None and self.level else Share.cells(level.offset or 0, cell)
        yield registers.PFC_XON, registers.PFC_XON.pack(xon_cells=level.xon // cell, xon_offset=offset)

    @classmethod
    def read(cls, read: Callable[[Register], int], cell: int) -> Pause | None:
        """Return what the registers hold, nothing where no class pauses or is paused; ValueError: it cannot be."""
        own = registers.PFC_CLASSES.unpack(read(registers.PFC_CLASSES))
        threshold = Threshold.read(registers.PFC_THRESHOLD, read(registers.PFC_THRESHOLD), cell, "xoff_")
        xon = registers.PFC_XON.unpack(read(registers.PFC_XON))
        level = Level(
            threshold.static,
            threshold.exponent,
            xon["xon_cells"] * cell,
            None if xon["xon_offset"] == XON_CELLS else xon["xon_offset"] * cell,
        )
        there = level != Level(offset=0)
        if not there and not any(own.values()):
            return None
        return cls(
            classes_of(own["lossless"]), own["headroom"] * cell, level if there else None, classes_of(own["paused_by"])
        )

    def kept(self, cell: int) -> int:
        """Return the cells of all its headroom."""
        return len(self.classes) * Share.cells(self.headroom, cell)

    def check(self, storage: int) -> None:
        """Refuse what no source of a device with so many bytes of storage can have, by its key in a profile."""
        if len(self.classes) * self.headroom > storage:
            raise TruemarkError(
                f"headroom = {self.headroom} B for {len(self.classes)} classes: this build's pool has {storage} B"
            )
        level, most = self.level or Level(), (XON_CELLS - 1) * CELL
        sizes = (("xon", level.xon), ("xon_offset", level.offset or 0), ("headroom", self.headroom))
        for key, size, allowed in (("static", level.static, storage), *((*each, min(storage, most)) for each in sizes)):
            if size > allowed:
                raise TruemarkError(f"{key} = {size} B: this build allows {allowed} B")

    @property
    def title(self) -> str:
        """What `show` says of the source."""
        own = f"{', '.join(map(str, self.classes))} with {self.headroom} B each" if self.classes else "none"
        held = [f"paused by {', '.join(map(str, self.paused_by))}"] if self.paused_by else []
        return "; ".join([own, *held, *([f"all: {self.level.title}"] if self.level else [])])

    def facts(self) -> dict[str, object]:
        """Plain data for JSON."""
        found: dict[str, object] = {"classes": list(self.classes), "headroom_bytes": self.headroom}
        found |= {"paused_by": list(self.paused_by)} if self.paused_by else {}
        if (level := self.level) is None:
            return found
        return found | {
            "static_bytes": None if level.alpha else level.static,
            "alpha": level.alpha,
            "xon_bytes": level.xon,
            "xon_offset_bytes": level.offset,
        }

    def of_source(self, port: int) -> Pause:
        """Return what stands in the configuration of a port: the level in that of port 0 alone."""
        return self if port == 0 else replace(self, level=None)
