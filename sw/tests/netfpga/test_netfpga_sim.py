# SPDX-License-Identifier: BSD-3-Clause
"""`make netfpga-sim` on a tree of our own: what it reads out of a tree, what it refuses, and a run in Verilator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cocotb_tests.netfpga.switch_stations import LATENCY
from constraints.netfpga import swap
from sim.netfpga import tree_sim
from sim.netfpga.tree import TreeError, find_projects, number, sources_of
from sw.tests.netfpga import netfpga_tree

OLD_QUEUES = "module output_queues(input axis_aclk);\nendmodule\n"
PLUS = swap.FAMILIES[1]
TCL = "hw/projects/reference_switch_lite/hw/tcl/reference_switch_lite.tcl"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Lay the tree."""
    netfpga_tree.lay(tmp_path, OLD_QUEUES)
    return tmp_path


def simulate(tree: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command as `make netfpga-sim` does."""
    command = [sys.executable, "-m", "sim.netfpga.tree_sim", str(tree), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_tree_runs(tree: Path) -> None:
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    done = simulate(tree, "--force", "--frames", "3000")
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout
    assert "as found  nf_datapath, input_arbiter, switch_lite_output_port_lookup, helper (3 files)" in said
    assert "replaced  output_queues by rtl/netfpga/plus/output_queues.sv" in said
    assert "3000 offered, 3000 intact, 0 wrong, 0 missing" in said
    assert f"latency   {LATENCY} cycles" in said  # it is the reference pipeline in other clothes
    assert {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_a_pipeline_that_alters_frames_is_seen(tree: Path) -> None:
    lookup = tree / "hw/lib/std/switch_lite_output_port_lookup_v1_0_0/hdl/switch_lite_output_port_lookup.v"
    text = lookup.read_text()
    # One bit of the sixth beat of what passes, in frames that have one.
    lookup.write_text(
        text.replace(".s_data_i(s_axis_tdata)", ".s_data_i(s_axis_tdata ^ (count == 5))").replace(
            "  wire error,",
            "  reg [7:0] count;\n  always @(posedge axis_aclk) if (!axis_resetn) count <= 0;\n"
            "    else if (s_axis_tvalid) count <= s_axis_tlast ? 0 : count + 1;\n  wire error,",
        )
    )
    done = simulate(tree, "--force", "--frames", "1000")
    assert done.returncode == 1
    assert "1000 offered" in done.stdout, done.stderr
    assert " 0 wrong" not in done.stdout


def test_what_a_run_shows() -> None:
    figures = {"offered": 10.0, "intact": 10.0, "wrong": 0.0, "one_input": 1, "all_inputs": 1, "latency": 8}
    assert tree_sim.report(figures)[1]
    assert not tree_sim.report(figures | {"intact": 9.0})[1]
    assert not tree_sim.report(figures | {"wrong": 1.0})[1]


def test_what_is_read(tree: Path) -> None:
    (project,) = find_projects(tree, PLUS)
    assert project.settings["output_port_lookup"] == {"DEPTH_BITS": 4}
    assert project.settings["output_queues"]["C_S_AXIS_DATA_WIDTH"] == 512
    assert sources_of(tree, PLUS, ["input_arbiter"]).cores == ["input_arbiter", "helper"]
    assert "output_queues #(.C_M_AXIS_DATA_WIDTH(512)" in tree_sim.instantiated(project)
    assert number("[expr ${a} * 2]", {"a": "$b", "b": "21"}, "") == 42


@pytest.mark.parametrize("text", ["$gone", "[exec date]", "int(", "().__class__", "1/0"])
def test_no_number(text: str) -> None:
    with pytest.raises(TreeError, match="here"):
        number(text, {}, "here")


def test_trees_that_are_refused(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = tmp_path_factory.mktemp("empty")
    assert "no NetFPGA tree" in simulate(empty).stderr
    done = simulate(tree)
    assert done.returncode == 1
    assert "unknown version: say FORCE=1" in done.stderr
    assert "there are: reference_switch_lite" in simulate(tree, "--force", "--project", "mine").stderr
    arbiter = tree / "hw/lib/std/input_arbiter_v1_0_0"
    script = arbiter / "input_arbiter.tcl"
    script.write_text(script.read_text() + 'read_vhdl "./hdl/thing.vhd"\n')
    done = simulate(tree, "--force")
    assert "core input_arbiter is VHDL (thing.vhd" in done.stderr
    (arbiter / "hdl/input_arbiter.v").unlink()
    assert "names ./hdl/input_arbiter.v, which is not there" in simulate(tree, "--force").stderr
    (tree / TCL).write_text((tree / TCL).read_text().replace("log(2))", "ln(2))"))
    assert "DEPTH_BITS of output_port_lookup_ip" in simulate(tree, "--force").stderr
