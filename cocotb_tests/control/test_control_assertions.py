# SPDX-License-Identifier: BSD-3-Clause
"""The assertions inside the registers and counters fire: by a stimulus that breaks the rule, or in a mutant."""

from __future__ import annotations

from typing import Any

import cocotb
from truemark_dev.mutants import mutant
from truemark_dev.runner import build_and_fail

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.tm_pkg import ANSWER, DEPARTURE


def zero(dut: Any, *names: str) -> dict[str, int]:
    """Return idle values for these inputs, those that there are."""
    return {name: 0 for name in names if hasattr(dut, name)}


@cocotb.test(skip=True)
async def collide(dut: Any) -> None:
    """Write and read one address in one cycle (Collision_A)."""
    await start(dut, reset=None, wr_en_i=0, rd_en_i=0, wr_addr_i=5, rd_addr_i=5, wr_data_i=1)
    await cycle(dut)
    dut.wr_en_i.value = dut.rd_en_i.value = 1
    await cycle(dut, 3)


@cocotb.test(skip=True)
async def sweep_and_query(dut: Any) -> None:
    """Sweep and query at once (OneUser_A)."""
    names = ["bank_i", "bank_fresh_i", "fresh_i", "baseline_i", "keep_i", "sweep_i", "addr_i", "swept_i"]
    await start(dut, zero(dut, *names, "query_start_i", "query_i", "match_i"))
    await cycle(dut, 2)
    dut.sweep_i.value = dut.query_i.value = 1
    await cycle(dut, 4)


@cocotb.test(skip=True)
async def count_one_twice(dut: Any) -> None:
    """Count one index three times running; the mutant counts the second event also by itself (Collision_A)."""
    names = ["event_valid_i", "event_index_i", "single_i", "double_i", "bank_i", "hold_i", "sweep_i", "sweep_index_i"]
    await start(dut, zero(dut, *names), reset="hold_i")
    await cycle(dut, 2)
    dut.event_valid_i.value = 1
    await cycle(dut, 6)


@cocotb.test(skip=True)
async def depart_long(dut: Any) -> None:
    """Let a frame of 33 bytes depart right after another, which one row of 32 cannot hold (OneRow_A)."""
    names = ["arrival_i", "tally_i", "departure_i", "bank_i", "hold_i", "sweep_port_i", "sweep_code_i", "sweep_index_i"]
    await start(dut, zero(dut, *names))
    await cycle(dut, 2)
    Fields(dut.departure_i, DEPARTURE).set(valid=1, len=33)
    await cycle(dut, 4)


@cocotb.test(skip=True)
async def hold_more(dut: Any) -> None:
    """Hold 100 bytes in two packets; the mutant misses one of the two (BytesBelow_A, PacketsBelow_A)."""
    await start(dut, zero(dut, "clear_i", "bytes_i", "packets_i", "depart_valid_i", "depart_sojourn_i"))
    await cycle(dut, 2)
    dut.bytes_i.value, dut.packets_i.value = 100, 2
    await cycle(dut, 4)


@cocotb.test(skip=True)
async def run_fast(dut: Any) -> None:
    """Let the lower word wrap; the mutant's successor lacks a bit (NextReady_A)."""
    await start(dut, step_i=0xFFFFFFFF)
    await cycle(dut, 600)


@cocotb.test(skip=True)
async def read_what_is_written(dut: Any) -> None:
    """Read the entry that is written (Apart_A)."""
    await start(dut, reset=None, wr_entry_i=1, wr_data_i=0, rd_en_i=0, rd_entry_i=1, rd_word_i=0)
    await cycle(dut)
    dut.rd_en_i.value = 1
    await cycle(dut, 3)


@cocotb.test(skip=True)
async def keep_an_entry(dut: Any) -> None:
    """Take a snapshot; the mutant goes on writing into it (Apart_A)."""
    await start(dut, snapshot_i=0)
    await cycle(dut, 3)
    dut.snapshot_i.value = 1
    await cycle(dut)
    dut.snapshot_i.value = 0
    await cycle(dut, 8)


@cocotb.test(skip=True)
async def answer_unasked(dut: Any) -> None:
    """Answer without a request (AnswerAsked_A)."""
    await start(dut, axil_i=0, answer_i=0)
    await cycle(dut, 2)
    dut.answer_i.value = ANSWER.pack(ack=1)
    await cycle(dut, 3)


def test_view_apart_fires() -> None:
    build_and_fail("tm_view_ram", __name__, assertion="Apart_A", testcase="read_what_is_written")


def test_entries_apart_fires() -> None:
    broken = mutant("control/views/tm_view_entries.sv", "(entries_o.write + 2'd1 == kept)", "1'b0")
    build_and_fail("tm_view_entries", __name__, assertion="Apart_A", testcase="keep_an_entry", extra_sources=[broken])


def test_answer_asked_fires() -> None:
    build_and_fail("tm_regs_bus", __name__, assertion="AnswerAsked_A", testcase="answer_unasked")


def test_collision_fires() -> None:
    build_and_fail("tm_gated_ram", __name__, assertion="Collision_A", testcase="collide")


def test_one_user_fires() -> None:
    build_and_fail("tm_totals", __name__, assertion="OneUser_A", testcase="sweep_and_query")


def test_one_row_fires() -> None:
    build_and_fail("tm_counters", __name__, assertion="OneRow_A", testcase="depart_long")


def test_tally_collision_fires() -> None:
    broken = mutant("control/counters/tm_tally.sv", "valid_1_q <= valid && !again;", "valid_1_q <= valid;")
    build_and_fail("tm_tally", __name__, assertion="Collision_A", testcase="count_one_twice", extra_sources=[broken])


def test_bytes_below_fires() -> None:
    broken = mutant("control/counters/tm_watermarks.sv", "clear_i || bytes_i > bytes_o", "clear_i")
    build_and_fail("tm_watermarks", __name__, assertion="BytesBelow_A", testcase="hold_more", extra_sources=[broken])


def test_packets_below_fires() -> None:
    broken = mutant("control/counters/tm_watermarks.sv", "clear_i || packets_i > packets_o", "clear_i")
    build_and_fail("tm_watermarks", __name__, assertion="PacketsBelow_A", testcase="hold_more", extra_sources=[broken])


def test_next_ready_fires() -> None:
    broken = mutant("control/tm_timebase.sv", "$bits(count_q)'(HighW);", "$bits(count_q)'(HighW - 1);")
    build_and_fail("tm_timebase", __name__, assertion="NextReady_A", testcase="run_fast", extra_sources=[broken])
