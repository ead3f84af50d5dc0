# SPDX-License-Identifier: BSD-3-Clause
"""The Tcl and XDC for Vivado, run by tclsh with a recorder that knows the commands used and what exists.

Out-of-context synthesis and packaging; a whole board is in test_netfpga_board.py. What the recorder cannot show is said
in constraints/README.md.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from constraints.netfpga import swap
from sw.tests.netfpga.test_netfpga_swap import known, tree
from sw.tests.netfpga.vivado_stand_in import PARTS, install, registers

from truemark_dev.paths import ROOT
from truemark_dev.verilate import file_list

__all__ = ["known"]  # a fixture
FOLDER = ROOT / "constraints/netfpga"
pytestmark = pytest.mark.skipif(shutil.which("tclsh") is None, reason="tclsh is missing: apt-get install tcl")


def out_of_context(copy: Path, board: str, *generics: str, part_of: str = "") -> subprocess.CompletedProcess[str]:
    """Run ooc.tcl out of a copy of the scripts."""
    words = ["vivado", "-mode", "batch", "-source", "constraints/netfpga/ooc.tcl", "-tclargs", board, *generics]
    variables = install(copy, part_of or board)
    return subprocess.run(words, cwd=copy, env=variables, capture_output=True, text=True, check=False)


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Copy the scripts into a folder whose RTL is this one's."""
    (tmp_path / "constraints").mkdir()
    shutil.copytree(FOLDER, tmp_path / "constraints/netfpga")
    (tmp_path / "rtl").symlink_to(ROOT / "rtl")
    return tmp_path


@pytest.mark.parametrize("board", sorted(PARTS))
def test_out_of_context(scripts: Path, board: str) -> None:
    done = out_of_context(scripts, board, "RED=1")
    assert done.returncode == 0, done.stdout + done.stderr
    family, part = PARTS[board]
    constraints = (FOLDER / f"boards/{board}.xdc").read_text()
    assert part in constraints
    said = done.stdout.splitlines()
    assert f"synthesized {len(file_list(ROOT / family.listing))} files" in said
    periods = {"axis_aclk": 5.0, "S_AXI_ACLK": 5.0} if board == "sume" else {"axis_aclk": 2.941, "S_AXI_ACLK": 4.0}
    assert {line.split()[1]: float(line.split()[2]) for line in said if line.startswith("clock ")} == periods
    limits = [line.split() for line in said if line.startswith("max_delay")]
    # Every place where the clocks may meet is constrained, once, from the other clock, to the slower one's period.
    assert sorted(cell for _, _, cell, _ in limits) == sorted(registers())
    assert {float(limit) for *_, limit in limits} == {max(periods.values())}
    core = {"crossing/req_sync/level_q", "crossing/clear_sync/level_q", "crossing/doing_q"}
    assert {cell for _, clock, cell, _ in limits if clock == "S_AXI_ACLK"} == core
    assert (scripts / "build/vivado" / board / "timing.txt").is_file()


def test_there_is_a_constraint_file_for_each_board() -> None:
    assert {path.stem for path in (FOLDER / "boards").glob("*.xdc")} == set(PARTS)


@pytest.mark.parametrize(
    ("board", "file", "old", "new", "says"),
    [
        ("sume", "crossing.xdc", "crossing/doing_q_reg", "crossing/done_q_reg", "no cells 'crossing/done_q'"),
        ("sume", "boards/sume.xdc", "[get_ports S_AXI_ACLK]", "[get_ports AXI_CLK]", "no ports 'AXI_CLK'"),
        ("sume", "boards/sume.xdc", "-period 5.000 [get_ports axis", "-period x [get_ports axis", "period in"),
        ("sume", "boards/sume.xdc", "create_clock -name S_AXI_ACLK", "# create_clock", "no clock on S_AXI_ACLK"),
        ("au280", "boards/au280.xdc", "SLR1", "SLR7", "no regions 'SLR7'"),
        ("vcu1525", "boards/vcu1525.xdc", "[get_pblocks queues] -add", "[get_pblocks q] -add", "no pblock q"),
        ("sume", "ooc.tcl", "xc7vx690t-3-ffg1761", "xc7vx690t-9", "no parts 'xc7vx690t-9'"),
        ("sume", "ooc.tcl", "$here/crossing.xdc", "$here/crossings.xdc", "no file"),
        ("sume", "ooc.tcl", "-top output_queues", "-top queues", "none of the files read has module queues"),
        ("sume", "ooc.tcl", "C_S_AXIS_DATA_WIDTH=", "C_S_AXI_WIDE=", "no parameters 'C_S_AXI_WIDE'"),
        ("sume", "ooc.tcl", "opt_design\n", "optimise_design\n", "invalid command name"),
        ("sume", "ooc.tcl", "file mkdir $reports", "", "no folder for a report"),
        ("sume", "ooc.tcl", "get_property SLACK", "get_property SLACKNESS", "no property SLACKNESS"),
        ("sume", "crossing.xdc", "-datapath_only -from $axi_clock", "-from $axi_clock", "without -datapath_only"),
    ],
)
def test_what_is_wrong_is_found(scripts: Path, board: str, file: str, old: str, new: str, says: str) -> None:
    path = scripts / "constraints/netfpga" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    done = out_of_context(scripts, board)
    assert done.returncode == 1
    assert says in done.stderr


def test_a_board_or_a_parameter_that_is_none(scripts: Path) -> None:
    done = out_of_context(scripts, "u50", part_of="au280")
    assert done.returncode == 1
    assert "no board 'u50'; there are sume, au200" in done.stderr
    done = out_of_context(scripts, "au280", "REDD=1")
    assert done.returncode == 1
    assert "no parameters 'REDD'" in done.stderr


def packaged(core: Path, board: str) -> subprocess.CompletedProcess[str]:
    """Run the packaging Tcl as the core's own Makefile does."""
    variables = install(core, board)
    return subprocess.run(
        ["make", "-C", core, "vivado=vivado"], env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("board", ["sume", "au280", "vcu1525"])
def test_packaging(tmp_path: Path, board: str) -> None:
    family, _ = PARTS[board]
    tree(tmp_path, family)
    swap.swap(tmp_path, board, ["RED=1", "DESCRIPTORS=300"])
    core = tmp_path / family.cores / swap.CORE
    done = packaged(core, board)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert said.index("saved truemark_output_queues") < said.index("closed")
    assert "set SCOPED_TO_REF output_queues" in said
    assert [line for line in said if line.startswith("read ")] == [
        f"read ./hdl/{path.name}" for path in file_list(ROOT / family.listing)
    ]
    buses = [line.split()[1] for line in said if line.startswith("bus ")]
    assert buses == ["s_axis", *(f"m_axis_{queue}" for queue in range(family.queues))]
    component = (core / "component.xml").read_text()
    values = dict(re.findall(r'<parameter name="(\w+)">(\w*)<', component))
    assert values["C_S_AXIS_DATA_WIDTH"] == str(family.data_width)
    assert (values["RED"], values["DESCRIPTORS"], values["CODEL"]) == ("1", "300", "")
    assert "<vendor>NetFPGA</vendor>" in component


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("./hdl/files.f", "./hdl/gone.f", "couldn't open"),
        ("./hdl/crossing.xdc", "./hdl/crossed.xdc", "no file ./hdl/crossed.xdc"),
        ("[get_files crossing.xdc]", "[get_files crossed.xdc]", "no file crossed.xdc was read"),
        ("set top output_queues", "set top queues", "none of the files read has module queues"),
        ("C_BASEADDR 0x", "C_BASE 0x", "no parameters 'C_BASE'"),
        ("{RED 1}", "{REDD 1}", "no parameters 'REDD'"),
        ("s_axis m_axis_0", "s_axis m_axis_9", "no ports 'm_axis_9_tdata'"),
        ("PROCESSING_ORDER LATE", "PROCESSING LATE", "no property PROCESSING of a file"),
        ("set_property vendor NetFPGA", "set_property seller NetFPGA", "no property seller of a core"),
        ("value_format ${format}", "form ${format}", "no property form of a parameter"),
        ("set_property library NetFPGA $core\n", "", "the core has no library"),
        ("set part xcu280", "set part xcu281", "no parts 'xcu281-fsvh2892-2L-e'"),
    ],
)
def test_packaging_that_is_wrong_is_found(tmp_path: Path, old: str, new: str, says: str) -> None:
    family, _ = PARTS["au280"]
    tree(tmp_path, family)
    swap.swap(tmp_path, "au280", ["RED=1"])
    core = tmp_path / family.cores / swap.CORE
    script = core / "truemark_output_queues.tcl"
    text = script.read_text()
    assert old in text
    script.write_text(text.replace(old, new, 1))
    done = packaged(core, "au280")
    assert done.returncode != 0
    assert says in done.stderr
    assert not (core / "component.xml").exists()
