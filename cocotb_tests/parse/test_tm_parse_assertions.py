# SPDX-License-Identifier: BSD-3-Clause
"""The claims of tm_framer, tm_l3_walk and tm_chain_walk fire: registers overwritten in mid-frame break each rule."""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb
import pytest
from truemark_dev.mutants import mutant
from truemark_dev.runner import build_and_fail
from truemark_dev.sources import file_list, needed

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.parse.stream import Frame, frame_of
from cocotb_tests.parse.vectors import ethernet, ipv4, tcp

WIDTH = 32
MAX_FRAME = 256

PACKET = ethernet(0x0800, ipv4(tcp(data=bytes(800))))

OVERWRITTEN = ["tm_framer", "tm_l3_walk", "tm_chain_walk"]

# assertion: (frame bytes, promised length, register that is overwritten behind each beat, value)
BROKEN = {
    "RowsFit_A": (800, 256, "framer.gen_promise.one_left_q", 0),
    "BadOnce_A": (150, 64, "framer.storing_q", 1),
    "EcnOnce_A": (150, 150, "header_walk.i_l3_walk.told_q", 0),
    "WalkedOnce_A": (150, 150, "header_walk.i_chain_walk.told_walked_q", 0),
    "WalkedByTheEnd_A": (150, 150, "header_walk.i_chain_walk.walked_o", 0),
    "EcnFirst_A": (30, 30, "header_walk.i_chain_walk.told_q", 0),
}


async def drive(dut: Any, frame: Frame, register: Any, value: int) -> None:
    """Play a frame and overwrite a register in each of its cycles."""
    for beat in frame.beats:
        dut.s_valid_i.value, dut.s_last_i.value = 1, int(beat.last)
        dut.s_data_i.value, dut.s_keep_i.value = int.from_bytes(beat.data, "little"), beat.keep
        dut.s_dest_i.value, dut.s_len_i.value, dut.s_error_i.value = frame.dest, frame.promised, 0
        await cycle(dut)
        register.value = value
    dut.s_valid_i.value = 0
    for _ in range(4):
        await cycle(dut)
        register.value = value


@cocotb.test()
async def overwrite(dut: Any) -> None:
    """Stimulus: one frame, with a register overwritten in every cycle of it. Checks: none here."""
    await start(dut, s_valid_i=0, s_data_i=0, s_keep_i=0, s_last_i=0, s_dest_i=0, s_len_i=0, s_error_i=0)
    length, promised, path, value = json.loads(os.environ["PARSE_BROKEN"])
    register = dut
    for name in path.split("."):
        register = getattr(register, name)
    await drive(dut, frame_of(PACKET[:length], WIDTH, promised=promised), register, value)


@pytest.mark.parametrize("assertion", BROKEN)
def test_assertion_fires(assertion: str) -> None:
    build_and_fail(
        "tm_parse",
        __name__,
        assertion=assertion,
        parameters={"DATA_W": 8 * WIDTH, "MAX_FRAME": MAX_FRAME, "FLAGS_VERDICT": 1},
        seen=OVERWRITTEN,
        extra_env={"PARSE_BROKEN": json.dumps(BROKEN[assertion])},
    )


# No register can break these: the source is broken instead, in a copy.
WRONG = {
    "KeepContiguous_A": (
        "parse/tm_keep_shape.sv",
        "keep_o[0] = 1'b1;",
        "keep_o[0] = 1'b1; keep_o[BEAT_BYTES-1] = 1'b1;",
    ),
    "EcnByTheEnd_A": ("parse/tm_l3_walk.sv", "(complete_q[tags_o] || (last_o && !told_before))", "1'b0"),
}


@pytest.mark.parametrize("assertion", WRONG)
def test_assertion_finds_a_fault(assertion: str) -> None:
    broken = mutant(*WRONG[assertion])
    build_and_fail(
        "tm_parse",
        __name__,
        assertion=assertion,
        sources=[broken if path.name == broken.name else path for path in needed("tm_parse", file_list())],
        parameters={"DATA_W": 8 * WIDTH, "MAX_FRAME": MAX_FRAME, "FLAGS_VERDICT": 1},
        seen=OVERWRITTEN,
        extra_env={"PARSE_BROKEN": json.dumps((150, 150, "framer.hole_q", 0))},
    )
