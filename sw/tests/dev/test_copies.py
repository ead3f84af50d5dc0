# SPDX-License-Identifier: BSD-3-Clause
"""One vocabulary: no address, place, fault or code is typed next to the generated name that says it."""

import pytest

from truemark_dev.vocabulary import copies


def test_nothing_is_typed_twice() -> None:
    assert not list(copies.copies()), "numbers that have generated names"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.sv", "  localparam logic [5:0] LimitBytes = 6'd9;"),
        ("a.sv", "  localparam logic [7:0] FaultNodrop = 8'd23;"),
        ("a.h", "inline constexpr uint32_t kLimitBytes = 0x164;"),
        ("a.py", 'names = {0x16C: "K0"}'),
        ("a.scala", "val timeStep = 0x128"),
        ("a.c", "#define FAULT_K0 4"),
        ("a.sv", "  localparam logic [31:0] MaskControlNoecn = 32'h0000_2000;"),
        ("a.sv", "  assign noecn = control_q[13];"),
        ("a.sv", "  assign fault = status_i[15:8];"),
        ("a.cpp", "  if (control & 2) limit();"),
        ("a.cpp", "  control |= 0x2;"),
        ("a.c", "  fault = status >> 8;"),
        ("a.py", "fault = status >> 8 & 255"),
        ("a.py", "busy = status & 0x40000"),
        ("a.h", "constexpr uint32_t kTimeStepReset = 0x05000000;"),
        ("a.py", "RED_SETTINGS_SPACING = 8"),
    ],
)
def test_a_copy_is_found(name: str, line: str) -> None:
    assert list(copies.copies_in(name, line, copies.numbers(), copies.bits()))
