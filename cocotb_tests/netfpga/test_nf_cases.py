# SPDX-License-Identifier: BSD-3-Clause
"""Two test cases in NetFPGA's text formats on the reference pipeline, their reader's errors, and cases that must fail.

The cases are in cocotb_tests/netfpga/cases: addresses are learned, and a queue's counters say what went through it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.paths import ROOT

from cocotb_tests.netfpga.axi_text import (
    Access,
    Barrier,
    Frame,
    TextError,
    Wait,
    read_registers,
    read_stream,
    write_stream,
)
from cocotb_tests.netfpga.nf_case import Case
from cocotb_tests.netfpga.switch_stations import Bench, Shape, run

CASES = ROOT / "cocotb_tests/netfpga/cases"
SHAPE = Shape(3, 512)


@cocotb.test()
async def case(dut: Any) -> None:
    """
    Stimulus: the files of the folder CASE.
    Checks: what they expect.
    """
    bench = await Bench(dut, "case").start()
    await Case(dut.clk, bench.senders, bench.receivers, bench.host).run()


def copy(name: str, tmp_path: Path) -> Path:
    """Return a case's files in a folder of this run."""
    return Path(shutil.copytree(CASES / name, tmp_path / name))


@pytest.mark.parametrize("name", ["both_queue_counters", *slow("both_learning")])
def test_nf_case(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASE", "elsewhere")  # as `make netfpga-case CASE=...` leaves it: the test's own counts
    folder = copy(name, tmp_path)
    run(SHAPE, __name__, {"CASE": str(folder)})
    for expected in folder.glob("*_expected.axi"):
        log = folder / expected.name.replace("_expected", "_log")
        frames = [each.data for each in read_stream(log) if isinstance(each, Frame)]
        assert frames == [each.data for each in read_stream(expected) if isinstance(each, Frame)]
    assert "Error" not in (folder / "reg_stim.log").read_text()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("nf_interface_1_expected.axi", "01000000b588", "02000000b588"),
        ("reg_expect.axi", "00020024, 00000002.", "00020024, 00000003."),
        ("nf_interface_1_stim.axi", "N 2", "N 3"),
    ],
)
def test_a_case_that_must_fail(file: str, old: str, new: str, tmp_path: Path) -> None:
    folder = copy("both_learning", tmp_path)
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises((SystemExit, RuntimeError, AssertionError)):
        run(SHAPE, __name__, {"CASE": str(folder)})


def test_a_folder_without_a_case(tmp_path: Path) -> None:
    with pytest.raises((SystemExit, RuntimeError, AssertionError)):
        run(SHAPE, __name__, {"CASE": str(tmp_path)})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("width", [32, 64, 128])
def test_what_is_written_is_read(width: int, tmp_path: Path) -> None:
    frames = [Frame(bytes(range(length)), 7 << 32 | length) for length in (14, 60, 64, 65, 200)]
    write_stream(tmp_path / "a.axi", [(10.0 * index, frame) for index, frame in enumerate(frames)], width)
    items = read_stream(tmp_path / "a.axi")
    assert [each for each in items if isinstance(each, Frame)] == frames
    assert [each for each in items if isinstance(each, Wait)] == [Wait("@", 10 * index) for index in range(5)]


def test_registers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "reg_stim.axi"
    path.write_text(
        "# READ\nR 00000001\n-, -, -, 00020008.\nW 00000002\n00030008, 00000001, f, -.\nD 40\n"
        "B 4\n# Interface 0\nN 3\nS 2\n# DMA\nN 0\nS 0\nR 00000001\n00010000, 0000da01.\n"
    )
    assert read_registers(path) == [
        Access(False, 0x20008, None),
        Access(True, 0x30008, 1),
        Wait("+", 40),
        Barrier(0),
        Access(False, 0x10000, 0xDA01),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("00ff, 3, 0\n", "a.axi:1: .* is no beat"),
        ("\n00ff, 3;\n", "a.axi:2: .* is no beat"),
        ("00fg, 3, 0.\n", "not in hexadecimal"),
        ("00ff, 2, 0.\n", "bytes are kept from the right"),
        ("00ff, 1, 0,\n", "bytes are kept from the right"),
        ("00ff, 3, 0,\n", "ends in the middle of a packet"),
        ("@ soon\n", "a time is a number"),
        ("B 1\nS 1\n", "where a barrier has `N count`"),
    ],
)
def test_streams_that_are_wrong(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "a.axi"
    path.write_text(text)
    with pytest.raises(TextError, match=says):
        read_stream(path)


@pytest.mark.parametrize("text", ["X 1\n", "R 00000001\n", "W 00000002\n0, 0, 1, -.\n", "W 00000002\n0, 0.\n"])
def test_registers_that_are_wrong(text: str, tmp_path: Path) -> None:
    path = tmp_path / "r.axi"
    path.write_text(text)
    with pytest.raises(TextError, match=r"r.axi:"):
        read_registers(path)
