# SPDX-License-Identifier: BSD-3-Clause
"""tm_pool: every copy leaves whole and in order, whatever is refused, taken back or skipped; no cell is lost.

Its parts work here together: tm_pool_write and tm_pool_free on the way in, tm_pool_read with tm_pool_turn and a
tm_pool_port for each port on the way out, tm_pool_walk behind both, tm_pool_shares with tm_pool_room and a
tm_pool_share for each port for the verdicts: what those refuse is in test_tm_pool_shares.
"""

from __future__ import annotations

import os
from typing import Any

import cocotb
import pytest
from cocotbext.truemark.source import settle
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.pool.pool_model import IDLE, NEXT, Drive, Load, parts, rows_used_when_empty

FLOORS = {
    "stored": 300,
    "broadcast stored": 50,
    "refused in mid-frame": 50,
    "refused at the end": 50,
    "aborted": 10,
    "wrong while it leaves": 5,
    "cut short": 3,
    "skip": 50,
    "skip with rows read": 10,
    "open while it arrives": 100,
    "open behind another": 20,
    "no room": 20,
}
# Million cells of TRUEMARK_POOL_CELLS=1000000 take a quarter of an hour; the tests of every day take a few thousand.
CELLS_IN = int(os.environ.get("TRUEMARK_POOL_CELLS", "6000"))


@cocotb.test()
async def keeps_every_copy(dut: Any) -> None:
    """The contract, at random.

    Stimulus: frames of 1 row up to more than the pool has, to one port or several, each copy refused or stored by a
    verdict of its own, wrong at the end or shorter than promised, opened, some while they arrive, and read or skipped;
    phases of filling, a port that is stuck, draining, and sinks that are slow or not.
    Checks: every row that leaves is the right one; no copy is missed; free, held and walking cells are all cells in
    every cycle, and all are free once everything has left.
    """
    coverage = Coverage("tm_pool")
    drive = Drive(dut, randomness("tm_pool"), coverage, longest=dut.MOST_CELLS.value.to_unsigned())
    await drive.start()
    phases = (
        Load(),
        Load(ready=0.3, open=0.3),
        Load(stuck=0),
        Load(begin=0.3, refuse=0.5, skip=0.4),
        Load(begin=1, gap=0, refuse=0, ready=1, open=1, skip=0),
        Load(begin=1, gap=0, refuse=0.1, ready=0.7, open=0.1),
    )
    while drive.cells_in < CELLS_IN:
        for phase in phases:
            drive.load = phase
            await drive.run(400)
        await drive.drain()
    print(f"{drive.frames} frames, {drive.cells_in} cells, {drive.rows_out} rows out")
    coverage.check(FLOORS | {"lost rows": 20 if drive.cells <= 16 else 0})


@cocotb.test()
async def reset_at_any_time(dut: Any) -> None:
    """A reset forgets whatever was under way.

    Stimulus: frames as above for a few cycles, then a reset, eighty times; then frames until they are drained.
    Checks: as above after each reset: nothing of before it has an effect.
    """
    coverage, rng = Coverage("tm_pool/reset"), randomness("tm_pool/reset")
    longest = dut.MOST_CELLS.value.to_unsigned()
    drive = Drive(dut, rng, coverage, longest)
    await drive.start()
    for _ in range(80):
        await drive.run(rng.randrange(3, 60))
        settle(dut, dict.fromkeys(IDLE, 0) | {"rst_i": 1})
        await cycle(dut, 2)
        dut.rst_i.value = 0
        await cycle(dut, 6)  # as in Drive.start
        drive = Drive(dut, rng, coverage, longest)
    await drive.run(300)
    await drive.drain()
    coverage.check({"open while it arrives": 50, "stored": 200})


@cocotb.test()
async def how_fast_alone(dut: Any) -> None:
    """One port that reads alone.

    Stimulus: a frame of up to 16 rows that has ended, opened by one port, which takes each row at once.
    Checks: while it arrives, its own cells are not what others hold; the first row stands there three cycles after it
    was opened; then rows come one a cycle, and three cycles from one cell's first to the next one's at least.
    """
    await start(dut, dict.fromkeys(IDLE, 0))
    cell_rows = dut.CELL_ROWS.value.to_unsigned()
    count = min(16, (dut.CELLS.value.to_unsigned() - 4) * cell_rows)
    empty = rows_used_when_empty(dut.CELLS.value.to_unsigned(), cell_rows)
    await cycle(dut, 6)
    dut.beat_valid_i.value, dut.beat_ports_i.value, dut.ready_i.value = 1, 1, 1
    for row in range(count):
        dut.beat_first_i.value = row == 0
        dut.next_frame_i.value = NEXT.pack(may_be_new=row == count - 2)
        dut.beat_row_i.value = row | (row == count - 1) << dut.LAST.value.to_unsigned()
        await cycle(dut)
        if row < count - 2:
            assert parts(dut.rows_used_o, dut.PORTS.value.to_unsigned())[0] == empty, (
                "the arriving frame counts as one before it"
            )
    dut.beat_valid_i.value = 0
    await cycle(dut, 3)
    dut.open_i.value, dut.open_rows_i.value, dut.open_cell_i.value = 1, count, int(dut.frame_cell.value)
    seen = []
    for number in range(60):
        await cycle(dut)
        dut.open_i.value = 0
        if int(dut.valid_o.value) & 1:
            seen.append(number)
    at_once = 3 if cell_rows < 3 else cell_rows  # cycles from one cell's first row to the next one's
    assert seen == [3 + at_once * (row // cell_rows) + row % cell_rows for row in range(count)]


@cocotb.test()
async def stops_at_a_fault(dut: Any) -> None:
    """A parity that is wrong, in a pool whose mutant writes one memory so.

    Stimulus: frames as above until a word of that memory is read, and for 500 cycles more.
    Checks: the memory is named, and no other; the fault is counted; nothing is stored any more, and what was leaves.
    """
    coverage = Coverage("tm_pool/fault")
    drive = Drive(dut, randomness("tm_pool/fault"), coverage, longest=8)
    await drive.start()
    for _ in range(5000):
        await drive.step()
        if int(dut.fault_o.value):
            break
    await drive.run(50)
    assert int(dut.fault_o.value) == int(os.environ["TRUEMARK_FAULT"]), "another memory is named"
    assert int(dut.faults_o.value) >= 1
    stored = coverage.hits["stored"]
    await drive.run(500)
    assert coverage.hits["stored"] == stored, "a frame is stored after a fault"
    assert not any(port.waiting or port.open for port in drive.ports), "what was stored does not leave"


WHOLE = [ROOT / "rtl/pool/tm_pool.sv"]
WALKED = ".wr_data_i({{{}^next_cell_i, next_cell_i}}),\n      .rd_en_i  (1'b1)"
READ = ".wr_data_i({{{}^next_cell_i, next_cell_i}}),\n      .rd_en_i  (read_i)"


@pytest.mark.parametrize(
    ("fault", "source", "right", "wrong"),
    [
        (1, "tm_pool_free.sv", "{^push_cell_i", "{~^push_cell_i"),
        (2, "tm_pool_links.sv", READ.format(""), READ.format("~")),
        (2, "tm_pool_links.sv", WALKED.format(""), WALKED.format("~")),
        (4, "tm_pool_walk.sv", "close_q ? {^close_count_q", "close_q ? {~^close_count_q"),
    ],
    ids=["free", "next of readers", "next of walker", "counts"],
)
def test_parity(fault: int, source: str, right: str, wrong: str) -> None:
    build_and_test(
        "tm_pool",
        __name__,
        testcase="stops_at_a_fault",
        parameters={"PORTS": 3, "ROW_W": 40, "LAST": 32, "CELLS": 16, "MOST_CELLS": 24},
        # The runner takes what the extra sources reach: so the whole is among them.
        extra_sources=[path for path in WHOLE if path.name != source] + [mutant(f"pool/{source}", right, wrong)],
        extra_env={"TRUEMARK_FAULT": str(fault)},
    )


@pytest.mark.parametrize(
    ("ports", "cells", "cell_rows"), [(5, 63, 2), *slow((2, 40, 4), (3, 16, 2), (5, 64, 2), (3, 64, 1))]
)
def test_tm_pool(ports: int, cells: int, cell_rows: int) -> None:
    build_and_test(
        "tm_pool",
        __name__,
        testcase=["keeps_every_copy", "reset_at_any_time", "how_fast_alone"],
        parameters={
            "PORTS": ports,
            "ROW_W": 40,
            "LAST": 32,
            "CELLS": cells,
            "CELL_ROWS": cell_rows,
            "MOST_CELLS": 24,
        },
    )
