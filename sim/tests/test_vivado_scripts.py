# SPDX-License-Identifier: BSD-3-Clause
"""The Tcl and XDC for Vivado, run by tclsh with a recorder that knows the commands used and what exists.

What the recorder cannot show is said in constraints/README.md.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cocotb_tests.netfpga.test_crossings import HELD, LEVEL
from cocotb_tests.verilate import ROOT, file_list
from constraints.netfpga.swap import FAMILIES

FOLDER = ROOT / "constraints/netfpga"
RECORDER = ROOT / "sim/tests/vivado_recorder.tcl"
PARTS = {board: (family, part) for family in FAMILIES for board, part in family.parts.items()}

pytestmark = pytest.mark.skipif(shutil.which("tclsh") is None, reason="tclsh is missing: apt-get install tcl")


def registers() -> set[str]:
    """Return the registers at which the clocks may meet, as crossing/instance/register, if the RTL has them."""
    crossing = (ROOT / "rtl/netfpga/tm_axil_crossing.sv").read_text()
    found = set()
    for name in re.findall(r"\w+", LEVEL.pattern.split("(")[1].split(")")[0]):
        assert re.search(rf"\b{name}_sync \(", crossing), f"no {name}_sync"
        found.add(f"crossing/{name}_sync/level_q")
    for name in re.findall(r"\w+_q", HELD.pattern):
        assert re.search(rf"\b{name} <=", crossing), f"no {name}"
        found.add(f"crossing/{name}")
    return found


def facts(family: str) -> str:
    """Return what exists as a Tcl dictionary."""
    module = (ROOT / f"rtl/netfpga/{family}/output_queues.sv").read_text()
    ports = re.findall(r"^\s*(?:input|output)\s+logic\s*(?:\[[^]]*\])?\s*(\w+)", module, re.MULTILINE)
    parameters = re.findall(r"^\s*parameter\s+.*?(\w+)\s*=", module, re.MULTILINE)
    words = {
        "parts": [part for _, part in PARTS.values()],
        "ports": ports,
        "parameters": parameters,
        "cells": sorted(registers()),
    }
    return " ".join(f"{kind} {{{' '.join(names)}}}" for kind, names in words.items())


def run(folder: Path, board: str, *generics: str) -> subprocess.CompletedProcess[str]:
    """Run ooc.tcl out of a tree that looks like this one."""
    family = "sume" if board == "sume" else "plus"
    start = folder / "start.tcl"
    start.write_text(
        f"set facts {{{facts(family)}}}\nsource {RECORDER}\n"
        f"set argv {{{' '.join((board, *generics))}}}\nsource constraints/netfpga/ooc.tcl\n"
    )
    return subprocess.run(["tclsh", start.name], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Copy the scripts into a tree whose RTL is this one's."""
    (tmp_path / "constraints").mkdir()
    shutil.copytree(FOLDER, tmp_path / "constraints/netfpga")
    (tmp_path / "rtl").symlink_to(ROOT / "rtl")
    return tmp_path


@pytest.mark.parametrize("board", sorted(PARTS))
def test_out_of_context(tree: Path, board: str) -> None:
    done = run(tree, board, "RED=1")
    assert done.returncode == 0, done.stdout + done.stderr
    family, part = PARTS[board]
    assert part in (FOLDER / "ooc.tcl").read_text()
    said = done.stdout.splitlines()
    assert said[0] == f"synthesized {len(file_list(ROOT / family.listing))} files"
    limits = [line.split() for line in said if line.startswith("max_delay")]
    # Every place where the clocks may meet is constrained, once, from the other clock, to the slower one's period.
    assert sorted(cell for _, _, cell, _ in limits) == sorted(registers())
    assert {float(limit) for *_, limit in limits} == {5.0 if board == "sume" else 4.0}
    core = {"crossing/req_sync/level_q", "crossing/clear_sync/level_q", "crossing/doing_q"}
    assert {cell for _, clock, cell, _ in limits if clock == "S_AXI_ACLK"} == core
    assert (tree / "build/vivado" / board).is_dir()


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("crossing.xdc", "crossing/doing_q_reg", "crossing/done_q_reg", "no cells 'crossing/done_q'"),
        ("sume.xdc", "[get_ports S_AXI_ACLK]", "[get_ports AXI_CLK]", "no ports 'AXI_CLK'"),
        ("sume.xdc", "-period 5.000 [get_ports axis_aclk]", "-period x [get_ports axis_aclk]", "period in"),
        ("sume.xdc", "create_clock -name S_AXI_ACLK", "# create_clock", "no clock on S_AXI_ACLK"),
        ("ooc.tcl", "xc7vx690t-3-ffg1761", "xc7vx690t-9", "no parts 'xc7vx690t-9'"),
        ("ooc.tcl", "$here/crossing.xdc", "$here/crossings.xdc", "no file"),
        ("ooc.tcl", "C_S_AXIS_DATA_WIDTH=", "C_S_AXI_WIDE=", "no parameters 'C_S_AXI_WIDE'"),
        ("ooc.tcl", "opt_design\n", "optimise_design\n", "invalid command name"),
        ("crossing.xdc", "-datapath_only -from $axi_clock", "-from $axi_clock", "without -datapath_only"),
    ],
)
def test_what_is_wrong_is_found(tree: Path, file: str, old: str, new: str, says: str) -> None:
    path = tree / "constraints/netfpga" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    done = run(tree, "sume")
    assert done.returncode == 1
    assert says in done.stderr


def test_a_board_that_is_none(tree: Path) -> None:
    done = run(tree, "u50")
    assert done.returncode == 1
    assert "no board 'u50'; there are sume, au200" in done.stderr
