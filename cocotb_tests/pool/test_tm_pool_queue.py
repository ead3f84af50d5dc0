# SPDX-License-Identifier: BSD-3-Clause
"""tm_pool_queue: frames are opened ahead of depart, in order; what turns out wrong then, or is skipped, is not shown.

The whole of it, tm_pool_ports with the pool and a tm_pool_queue in each port, runs in lockstep:
builds pool256, pool512 and pool64.
"""

from __future__ import annotations

from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.packed import Packed
from cocotb_tests.env.tm_pkg import ADMITTED, OLDEST

WAITS, LEAVES = OLDEST.pack(waiting=1), OLDEST.pack(waiting=1, pop=1)
REQUEST = Packed(
    ("copy", 1),
    ("rewind", 1),
    ("crowded", 1),
    ("open", 1),
    ("first_cell", 18),
    ("rows", 12),
    ("arriving", 1),
    ("fetch", 1),
    ("discard", 1),
    ("skip", 1),
)
RESPONSE = Packed(
    ("rows_used", 21),
    ("over", 1),
    ("overflow", 1),
    ("first_cell", 18),
    ("open_ready", 1),
    ("valid", 1),
)
INPUTS = (
    *("copy_i", "rewind_i", "admitted_i", "stored_rows_i", "oldest_i", "head_cell_i"),
    *("head_rows_i", "look_i", "fetch_i", "skip_i", "pool_i", "pool_last_i"),
)
READY, ROW = RESPONSE.pack(open_ready=1), RESPONSE.pack(open_ready=1, valid=1)


class Queue:
    """Drives the pins, and says what is asked of the pool in a cycle."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut

    async def start(self) -> None:
        """Reset, with a pool that is ready."""
        await start(self.dut, dict.fromkeys(INPUTS, 0) | {"look_i": 1, "pool_i": READY})

    async def step(self, **pins: int) -> dict[str, int]:
        """Drive pins until others are named; return what is asked of the pool in the cycle that they make."""
        for name, value in pins.items():
            getattr(self.dut, name).value = value
        await cycle(self.dut)
        return REQUEST.unpack(int(self.dut.pool_o.value))

    async def take(self, last: bool, oldest: int) -> dict[str, int]:
        """Let the row at hand be taken; return what is asked of the pool in the cycle after, in which it is shown."""
        await self.step(fetch_i=1, oldest_i=oldest, pool_i=ROW)
        return await self.step(fetch_i=0, oldest_i=oldest & ~OLDEST.pack(pop=1), pool_last_i=last)

    async def select(self, rows: int) -> None:
        """Let a frame be opened and selected, and not fetched; the pool takes no other."""
        await self.step(oldest_i=WAITS, head_cell_i=7, head_rows_i=rows)
        await self.step(oldest_i=LEAVES, pool_i=RESPONSE.pack(valid=1))

    async def select_and_open(self) -> None:
        """Let a frame of two rows be opened and selected, and not fetched, and the one behind be opened."""
        await self.select(2)
        asked = await self.step(oldest_i=WAITS, head_cell_i=9, head_rows_i=5, pool_i=ROW)
        assert asked["open"]


@cocotb.test()
async def opens_once(dut: Any) -> None:
    """A frame is opened once, at its verdict or as the oldest that waits.

    Stimulus: a frame is stored, then waits; it is selected, and another is the oldest.
    Checks: each is opened with its cell and rows in the first cycle in which that can be, and in no other.
    """
    queue = Queue(dut)
    await queue.start()
    at_verdict = RESPONSE.pack(first_cell=7, open_ready=1)
    asked = await queue.step(admitted_i=ADMITTED.pack(stored=1, arriving=1), stored_rows_i=3, pool_i=at_verdict)
    assert (asked["open"], asked["first_cell"], asked["rows"], asked["arriving"]) == (1, 7, 3, 1)
    asked = await queue.step(admitted_i=0, oldest_i=WAITS, head_cell_i=7, head_rows_i=3)
    assert not asked["open"], "a frame is opened twice"
    dut.pool_i.value = RESPONSE.pack(valid=1)
    await queue.step(fetch_i=1, oldest_i=LEAVES)
    next_one = {"fetch_i": 0, "oldest_i": WAITS, "pool_last_i": 1, "head_cell_i": 9, "head_rows_i": 5}
    asked = await queue.step(**next_one, pool_i=RESPONSE.pack(valid=1))
    assert not asked["open"], "a frame is opened while the pool is not ready"
    asked = await queue.step(pool_i=ROW)
    assert (asked["open"], asked["first_cell"], asked["rows"], asked["arriving"]) == (1, 9, 5, 0)
    assert not (await queue.step())["open"], "a frame is opened twice"


@cocotb.test()
async def wrong_behind_another(dut: Any) -> None:
    """A frame turns out wrong when it is open and a row of the one before has not left.

    Stimulus: the first of two rows leaves; the frame behind is opened, and is taken back; the second row is taken
    later, and stands on the output for two cycles; then the rows of the wrong one come.
    Checks: its copy is not rewound; the row of the frame before is shown until it leaves, those of the wrong one are
    not.
    """
    queue = Queue(dut)
    await queue.start()
    await queue.step(oldest_i=WAITS, head_cell_i=7, head_rows_i=2)
    asked = await queue.take(False, LEAVES)
    assert asked["open"]
    dut.oldest_i.value = OLDEST.pack(waiting=1, arriving=1)
    await queue.step(admitted_i=ADMITTED.pack(wrong=1, aborting=1, arriving=1, ends=1))
    asked = await queue.step(admitted_i=0, oldest_i=0, rewind_i=1)
    assert not asked["rewind"], "the copy that is being read is rewound"
    assert not asked["discard"], "a row of the frame before is not shown"
    assert int(dut.available_o.value)
    assert int(dut.blocked_o.value), "a frame may be selected before the rows of the wrong one are gone"
    dut.rewind_i.value = 0
    await queue.step(fetch_i=1)
    for _ in range(2):
        asked = await queue.step(look_i=0, fetch_i=0, pool_last_i=1)
        assert not asked["discard"], "the row on the output is lost"
        assert not int(dut.available_o.value)
    assert (await queue.step(look_i=1))["discard"]
    assert (await queue.step(pool_last_i=0))["discard"]
    assert not int(dut.available_o.value)
    assert not (await queue.step(pool_last_i=1))["discard"], "rows are read beyond the wrong frame's last"


@cocotb.test()
async def skipped_with_none_behind(dut: Any) -> None:
    """A frame that was selected is skipped, and the next one selected before it could be opened.

    Stimulus: a frame is opened and selected, and not fetched; the pool takes no other; the frame is skipped as the one
    behind is selected; later the pool is ready.
    Checks: the pool is told to skip; the frame behind is opened with its own cell and rows, though it waits no more.
    """
    queue = Queue(dut)
    await queue.start()
    await queue.select(20)
    await queue.step(oldest_i=WAITS, head_cell_i=9, head_rows_i=5)
    asked = await queue.step(oldest_i=LEAVES, skip_i=1)
    assert asked["skip"]
    assert not asked["open"]
    asked = await queue.step(oldest_i=WAITS, head_cell_i=3, head_rows_i=1, skip_i=0, pool_i=READY)
    assert (asked["open"], asked["first_cell"], asked["rows"], asked["arriving"]) == (1, 9, 5, 0)
    assert int(dut.blocked_o.value)
    assert (await queue.step())["first_cell"] == 3, "the frame behind both is not opened"


@cocotb.test()
async def skipped_before_others(dut: Any) -> None:
    """A frame that was selected is skipped when rows of the next one are behind its own.

    Stimulus: a frame is opened and selected, and the next one opened; the first is skipped; two of its rows are still
    there.
    Checks: the pool is not told to skip; both rows are thrown away, and the row behind them is at hand.
    """
    queue = Queue(dut)
    await queue.start()
    await queue.select_and_open()
    assert not (await queue.step(skip_i=1))["skip"]
    assert (await queue.step(skip_i=0))["discard"]
    assert (await queue.step())["discard"]
    assert int(dut.blocked_o.value), "a row of the skipped frame is at hand"
    assert not (await queue.step(pool_last_i=1))["discard"]
    assert int(dut.available_o.value)


@cocotb.test()
async def wrong_behind_one_that_pauses(dut: Any) -> None:
    """A frame turns out wrong when it is open already, behind one that was selected and is not fetched.

    Stimulus: a frame is opened and selected; the one behind is opened, and is taken back; the first is skipped, two of
    its rows still there, then rows of the wrong one come; another waits.
    Checks: until the skip the first frame is at hand; then its rows and those of the wrong one are thrown away, no row
    is at hand, and the one that waits is opened behind them.
    """
    queue = Queue(dut)
    await queue.start()
    await queue.select_and_open()
    dut.oldest_i.value = OLDEST.pack(waiting=1, arriving=1)
    await queue.step(admitted_i=ADMITTED.pack(wrong=1, aborting=1, arriving=1, ends=1))
    for _ in range(2):
        asked = await queue.step(admitted_i=0, oldest_i=0)
        assert not asked["discard"], "a row of the frame that pauses is lost"
        assert not int(dut.blocked_o.value), "the frame that pauses is not at hand"
    asked = await queue.step(skip_i=1, oldest_i=WAITS, head_cell_i=3, head_rows_i=1)
    assert not asked["skip"], "rows of two frames are skipped"
    for last in (0, 0, 1, 0):  # of the row thrown away in the cycle before
        asked = await queue.step(skip_i=0, pool_last_i=last)
        assert asked["discard"]
        assert not asked["open"]
        assert int(dut.blocked_o.value)
    opened = [(await queue.step(pool_i=READY, pool_last_i=1))["open"] for _ in range(3)]
    assert sum(opened) == 1, "the frame behind is opened once"


def test_tm_pool_queue() -> None:
    build_and_test("tm_pool_queue", __name__, parameters={"SKIP": 1})


test_assertions = breaches(
    "tm_pool_queue",
    Breach("PopOpened_A", "select a frame that was not opened", [{"oldest_i": OLDEST.pack(pop=1)}]),
    Breach("SkipAtHand_A", "skip a frame that was not selected", [{"skip_i": 1}]),
    Breach("FetchThere_A", "take a row that is not at hand", [{"fetch_i": 1}]),
)
