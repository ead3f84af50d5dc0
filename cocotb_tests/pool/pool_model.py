# SPDX-License-Identifier: BSD-3-Clause
"""What surrounds a pool: one source, a verdict for each copy, and ports that open what they hold, and skip some of it.

The model knows frames and copies, not cells: a port must get the rows of each frame that it keeps, whole and in order.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from cocotb.triggers import FallingEdge

from cocotb_tests.env.bench import Coverage, cycle, start
from cocotb_tests.env.packed import Packed
from cocotb_tests.env.tm_pkg import SPARE_ROWS

DEPART = ("open_i", "open_cell_i", "open_rows_i", "open_arriving_i", "skip_i")
NEXT = Packed(("may_be_new", 1), ("first", 1), ("alone", 1), ("cells", 18))
BEAT = ("beat_valid_i", "beat_first_i", "next_frame_i", "beat_ports_i", "beat_row_i")
IDLE = (*BEAT, "rewind_i", "ready_i", "share_i", *DEPART)


@dataclass(eq=False)
class Frame:
    """One frame on its way in, and what becomes of it."""

    ports: int
    promised: int  # rows, by its length; `rows` may be fewer
    rows: list[int]
    judged_at: list[int]  # by port: the row that brings the verdict
    wanted: list[bool]  # by port: the verdict, if there is room
    bad: bool  # wrong at its end
    sent: int = 0
    lost: bool = False
    ended: bool = False
    settled: int = 0  # cycles since then
    cell: int = -1


@dataclass(eq=False)
class Copy:
    """A stored copy, and how many of its rows have left."""

    frame: Frame
    taken: int = 0


@dataclass
class Port:
    """Copies that wait, those opened that have not left, and what was made of the arriving frame's."""

    waiting: deque[Copy] = field(default_factory=deque)
    open: deque[Copy] = field(default_factory=deque)
    judged: bool = False
    kept: Copy | None = None
    stored: Copy | None = None  # by the verdict of the cycle before


@dataclass
class Load:
    """How likely each thing is in a cycle, or for a frame."""

    begin: float = 0.8  # a frame, when none arrives
    gap: float = 0.1  # a cycle without a row in a frame
    refuse: float = 0.2
    ready: float = 0.9
    open: float = 0.9
    skip: float = 0.02  # a frame that is open, with none behind it
    stuck: int = -1  # a port that takes nothing


def rows_used_when_empty(cells: int, cell_rows: int) -> int:
    """Return `rows_used_o` of an empty pool (tm_pool_room): rows but one, without the cells that a verdict leaves."""
    spare = 1 if cell_rows == 1 else 6 - (SPARE_ROWS - 1) // cell_rows
    return cells * cell_rows - 1 - (cells - spare) * cell_rows


def parts(pins: Any, count: int) -> list[int]:
    """Return the values of a packed array, of its `count` elements the first first."""
    width, value = len(pins) // count, int(pins.value)
    return [value >> width * n & ((1 << width) - 1) for n in range(count)]


class Drive:
    """Drives every pin of a `tm_pool` at random and checks every row that leaves."""

    def __init__(self, dut: Any, rng: random.Random, coverage: Coverage, longest: int) -> None:
        self.dut, self.rng, self.coverage, self.longest = dut, rng, coverage, longest
        self.count, self.cells, self.cell_rows, self.last = (
            getattr(dut, name).value.to_unsigned() for name in ("PORTS", "CELLS", "CELL_ROWS", "LAST")
        )
        self.ports = [Port() for _ in range(self.count)]
        self.frame: Frame | None = None
        self.coming: Frame | None = None  # has a row on the beat bus in the next cycle
        self.shown: dict[int, tuple[int, int]] = {}  # port: number and bits of the row that it has taken last
        self.overflow = False
        self.used = [0, 0]  # rows, in the cycle before and in this one
        self.load = Load()
        self.rewind = self.frames = self.rows_out = self.cells_in = 0

    async def start(self) -> None:
        """Reset, and wait as long as a frame takes from the pins to its first row here."""
        await start(self.dut, dict.fromkeys(IDLE, 0))
        await cycle(self.dut, 6)

    async def run(self, cycles: int) -> None:
        """Drive so many cycles."""
        for _ in range(cycles):
            await self.step()

    async def drain(self) -> None:
        """Let everything leave: every cell must then be free."""
        self.load = Load(begin=0, ready=1, open=1)
        for _ in range(100 * self.cells + 1000):
            await self.step()
            if (
                self.frame is None
                and self.coming is None
                and not any(port.waiting or port.open or port.stored for port in self.ports)
            ):
                break
        else:
            raise AssertionError("copies never leave")
        await self.run(4 * self.cells + 50)
        held = {name: int(getattr(self.dut, f"{name}_cells_o").value) for name in ("free", "held", "walking")}
        assert held == {"free": self.cells, "held": 0, "walking": 0}, f"cells are lost: {held}"
        assert int(self.dut.fault_o.value) == 0, "a parity is wrong"
        assert self._rows_used() == [rows_used_when_empty(self.cells, self.cell_rows)] * self.count
        assert parts(self.dut.port_cells_o, self.count) == [0] * self.count, "a port has cells that are free"

    async def step(self) -> None:
        """Drive one cycle, and check it when it ends."""
        dut, load, rng = self.dut, self.load, self.rng
        at = self._drive_row()
        skips = sum((self._may_skip(port) and rng.random() < load.skip) << n for n, port in enumerate(self.ports))
        ready = sum((n != load.stuck and rng.random() < load.ready) << n for n in range(self.count)) & ~skips
        dut.ready_i.value, dut.skip_i.value = ready, skips
        await FallingEdge(dut.clk_i)  # what depart decides by in this very cycle has settled
        self._open(at, skips)
        self.overflow, self.used = bool(int(dut.overflow_o.value)), [self.used[1], self._rows_used()[0]]
        await cycle(dut)
        self._check_shown()
        self._take(ready & int(dut.valid_o.value))
        self._forget(skips)
        total = sum(int(getattr(dut, f"{name}_cells_o").value) for name in ("free", "held", "walking"))
        assert total == self.cells, f"{total} cells"
        self._check_shares()
        if self.frame is not None:
            self._judge(self.frame, at)

    def _rows_used(self) -> list[int]:
        return parts(self.dut.rows_used_o, self.count)

    def _check_shares(self) -> None:
        """A port has the cells of each frame that waits there whole: all are taken two cycles after its last row."""
        for frame in {copy.frame for port in self.ports for copy in (*port.waiting, *port.open)}:
            frame.settled += frame.ended
        for port, has in zip(self.ports, parts(self.dut.port_cells_o, self.count), strict=True):
            whole = [copy.frame.sent for copy in port.waiting if copy.frame.settled > 2]
            assert has >= sum(-(-rows // self.cell_rows) for rows in whole), "a frame that waits is not its port's"

    def _new_frame(self) -> Frame:
        rng = self.rng
        promised = rng.choice([1, 2, 2, 3, 4, rng.randint(1, self.longest)])
        count = promised if rng.random() < 0.85 else rng.randint(1, promised)
        ports = (1 << rng.randrange(self.count)) if rng.random() < 0.6 else rng.randrange(1, 1 << self.count)
        self.frames += 1
        rows = [(self.frames << 8 | row) % (1 << self.last) for row in range(count)]
        rows[-1] |= 1 << self.last
        return Frame(
            ports,
            promised,
            rows,
            [rng.choice([rng.randrange(count), count - 1]) for _ in self.ports],
            [rng.random() >= self.load.refuse for _ in self.ports],
            bad=count < promised or rng.random() < 0.05,
        )

    def _drive_row(self) -> int:
        """Drive the beat bus; return which row of the frame is on it, -1 for none."""
        dut = self.dut
        dut.rewind_i.value, self.rewind = self.rewind, 0
        frame = self.coming
        if frame is not None and frame is not self.frame:
            self.frame = frame
            for port in self.ports:
                port.judged, port.kept = False, None
        may_be_new = self._plan_row(frame)
        first = self.coming is not None and self.coming.sent == 0
        judged = self.coming if first else frame
        alone = judged is not None and judged.ports.bit_count() == 1
        dut.next_frame_i.value = NEXT.pack(may_be_new=may_be_new, first=first, alone=alone)
        if frame is None:
            dut.beat_valid_i.value = 0
            return -1
        at = frame.sent
        frame.sent += 1
        taking = (
            frame.ports >> n & 1 and (not port.judged or port.kept is not None) for n, port in enumerate(self.ports)
        )
        dut.beat_valid_i.value, dut.beat_first_i.value, dut.beat_row_i.value = 1, at == 0, frame.rows[at]
        dut.beat_ports_i.value = sum(bool(take) << n for n, take in enumerate(taking))
        return at

    def _plan_row(self, now: Frame | None) -> bool:
        """Choose the row of the next cycle, behind one of `now`; return whether a new frame may be judged after it."""
        rng, after = self.rng, self.frame
        if after is not None and after.sent + (now is not None) >= len(after.rows):
            after = None
        if after is not None:
            self.coming = after if rng.random() >= self.load.gap else None
            last = after.sent + (now is not None) + 1 == len(after.rows)
            return self.coming is not None and last
        self.coming = self._new_frame() if rng.random() < self.load.begin else None
        return True

    @staticmethod
    def _may_skip(port: Port) -> bool:
        """Return whether what is left of a port's frame may be skipped: it has ended, and none is open behind it."""
        return len(port.open) == 1 and port.open[0].frame.settled > 2

    def _forget(self, skips: int) -> None:
        """Take the frames that are skipped as gone."""
        for n, port in enumerate(self.ports):
            if skips >> n & 1:
                copy = port.open.popleft()
                self.shown.pop(n, None)
                self.coverage.hit("skip")
                self.coverage.hit("skip with rows read", copy.taken > 0)

    def _open(self, at: int, skips: int) -> None:
        dut, rng, load = self.dut, self.rng, self.load
        open_ready = int(dut.open_ready_o.value) & ~skips
        cell_w, rows_w = len(dut.open_cell_i) // self.count, len(dut.open_rows_i) // self.count
        pins = {name: 0 for name in DEPART if name != "skip_i"}
        for n, port in enumerate(self.ports):
            if port.stored is not None:
                port.stored.frame.cell = int(dut.frame_cell.value)
                port.waiting.append(port.stored)
                port.stored = None
            if not port.waiting or n == load.stuck:
                continue
            frame = port.waiting[0].frame
            if frame.bad and frame is self.frame and at == len(frame.rows) - 1:
                continue  # it is taken back in this cycle
            if open_ready >> n & 1 and rng.random() < load.open:
                port.open.append(port.waiting.popleft())
                pins["open_i"] |= 1 << n
                pins["open_cell_i"] |= frame.cell << n * cell_w
                pins["open_rows_i"] |= frame.promised << n * rows_w
                pins["open_arriving_i"] |= (not frame.ended) << n
                self.coverage.hit("open while it arrives", not frame.ended)
                self.coverage.hit("open behind another", len(port.open) > 1)
        for name, value in pins.items():
            getattr(dut, name).value = value

    def _check_shown(self) -> None:
        """Each port shows the row that it has taken last."""
        row_w, word = len(self.dut.row_o) // self.count, int(self.dut.row_o.value)
        for n, (number, wanted) in self.shown.items():
            row = word >> n * row_w & ((1 << row_w) - 1)
            assert row == wanted, f"port {n}: row {number} is {row:#x} instead of {wanted:#x}"

    def _take(self, taken: int) -> None:
        for n, port in enumerate(self.ports):
            if not taken >> n & 1:
                continue
            assert port.open, f"port {n} has a row of no frame"
            copy = port.open[0]
            self.shown[n] = copy.taken, copy.frame.rows[copy.taken]
            copy.taken += 1
            self.rows_out += 1
            if copy.taken == len(copy.frame.rows):
                port.open.popleft()

    def _judge(self, frame: Frame, at: int) -> None:
        """Take the verdicts of the cycle that has ended, with what the pool showed in it."""
        frame.lost = frame.lost or (at != 0 and self.overflow)
        if at < 0:
            return
        ends = at == len(frame.rows) - 1
        room = not frame.lost and self.used[0] + frame.promised + SPARE_ROWS <= self.cells * self.cell_rows
        for n, port in enumerate(self.ports):
            if not frame.ports >> n & 1:
                continue
            if not port.judged and (frame.judged_at[n] == at or ends):
                port.judged = True
                self.coverage.hit("no room", not room)
                self.coverage.hit("lost rows", frame.lost)
                if frame.wanted[n] and room and not (ends and frame.bad):
                    port.kept = port.stored = Copy(frame)
                else:
                    self.rewind |= 1 << n
                    self.coverage.hit("refused in mid-frame", not ends)
                    self.coverage.hit("refused at the end", ends)
            elif ends and frame.bad and port.kept is not None:
                if port.kept in port.waiting:
                    port.waiting.remove(port.kept)
                    self.rewind |= 1 << n
                    self.coverage.hit("aborted")
                else:
                    self.coverage.hit("wrong while it leaves")
                    self.coverage.hit("cut short", len(frame.rows) < frame.promised)
        if ends:
            copies = sum(port.kept is not None and not self.rewind >> n & 1 for n, port in enumerate(self.ports))
            self.coverage.hit("broadcast stored", copies > 1)
            self.coverage.hit("stored", copies > 0)
            self.cells_in += -(-len(frame.rows) // self.cell_rows) * (copies > 0)
            frame.ended = True
            self.frame = None
