# SPDX-License-Identifier: BSD-3-Clause
"""Swapping the drop-in into a NetFPGA tree and out of it, on trees that have only what the swap looks at."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cocotb_tests.verilate import ROOT, file_list
from constraints.netfpga import swap

OLD_MODULE = "module output_queues(input axis_aclk);\nendmodule\n"
SCRIPT = "create_ip -name output_queues -vendor NetFPGA -library NetFPGA -module_name output_queues_ip\r\n# \xe9\n"
BOARDS = (("sume", 0), ("au280", 1), ("vcu1525", 1))

# Vivado's commands, as far as the packaging Tcl uses them: each checks what it can.
RECORDER = """
proc check {condition text} { if {!$condition} { puts stderr $text; exit 1 } }
proc create_project {args} { check [string match xc* [lindex $args [expr [lsearch $args -part] + 1]]] "part: $args" }
proc read_verilog {args} { set file [lindex $args end]; check [file exists $file] "no file $file"; puts "read $file" }
proc read_xdc {file} { check [file exists $file] "no file $file"; lappend ::constraints [file tail $file] }
proc get_files {name} { check [expr {$name in $::constraints}] "no file $name was read"; return $name }
proc set_property {name value object} { check [expr {$object ne ""}] "$name of nothing"; puts "set $name $value" }
proc current_project {} { return project }
proc current_fileset {} { return fileset }
proc update_compile_order {args} {}
proc update_ip_catalog {} {}
proc close_project {} { puts closed }
namespace eval ipx {
  proc package_project {} {}
  proc current_core {} { return core }
  proc add_user_parameter {name core} { puts "parameter $name"; set ::known($name) 1 }
  proc get_user_parameters {name option core} { check [info exists ::known($name)] "no parameter $name"; return $name }
  proc get_bus_interfaces {name option core} { puts "bus $name"; return $name }
  proc add_bus_parameter {name bus} {}
  proc infer_user_parameters {core} {}
  proc check_integrity {core} {}
  proc save_core {core} { puts saved }
}
"""


def tree(path: Path, family: swap.Family, module: str = OLD_MODULE) -> dict[str, bytes]:
    """Lay a tree; return its files."""
    core = path / family.cores / "output_queues_v1_0_0/hdl"
    core.mkdir(parents=True)
    (core / "output_queues.v").write_text(module)
    line = family.make_line.format("output_queues_v1_0_0")
    (path / "Makefile").write_text(f"cores:\n\t{line}\n\techo done\n")
    for name in ("reference_switch", "mine"):
        script = path / family.projects[0] / name / "hw/tcl" / f"{name}.tcl"
        script.parent.mkdir(parents=True)
        script.write_bytes((SCRIPT if name == "reference_switch" else "create_ip -name other\n").encode("latin-1"))
    return contents(path)


def contents(path: Path) -> dict[str, bytes]:
    """Return every file under a folder."""
    return {str(each.relative_to(path)): each.read_bytes() for each in path.rglob("*") if each.is_file()}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the test's module one whose version is known."""
    for family in swap.FAMILIES:
        monkeypatch.setitem(family.versions, swap.fingerprint(OLD_MODULE), "the test's")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("board", "index"), BOARDS)
def test_swap_and_undo(tmp_path: Path, board: str, index: int) -> None:
    family = swap.FAMILIES[index]
    before = tree(tmp_path, family)
    said = swap.swap(tmp_path, board)
    after = contents(tmp_path)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"Makefile", f"{family.projects[0]}/reference_switch/hw/tcl/reference_switch.tcl"}
    assert all(any(name in line for line in said) for name in changed)
    core = tmp_path / family.cores / swap.CORE
    listed = (core / "hdl/files.f").read_text().split()
    assert listed == [path.name for path in file_list(ROOT / family.listing)]
    assert listed[-1] == "output_queues.sv"
    assert all((core / "hdl" / name).is_file() for name in listed)
    assert f"{swap.CORE}/" in (tmp_path / "Makefile").read_text()
    with pytest.raises(swap.SwapError, match="is there already"):
        swap.swap(tmp_path, board)
    swap.undo(tmp_path)
    assert contents(tmp_path) == before
    assert not core.exists()
    with pytest.raises(swap.SwapError, match="not in this tree"):
        swap.undo(tmp_path)


@pytest.mark.usefixtures("known")
def test_what_is_refused_touches_nothing(tmp_path: Path) -> None:
    with pytest.raises(swap.SwapError, match="no NetFPGA tree"):
        swap.swap(tmp_path, "sume")
    before = tree(tmp_path, swap.FAMILIES[0])
    with pytest.raises(swap.SwapError, match="its boards are sume"):
        swap.swap(tmp_path, "au280")
    (tmp_path / "Makefile").write_text("cores:\n")
    with pytest.raises(swap.SwapError, match="0 times"):
        swap.swap(tmp_path, "sume")
    (tmp_path / "Makefile").write_bytes(before["Makefile"])
    assert contents(tmp_path) == before


def test_an_unknown_version_needs_force(tmp_path: Path) -> None:
    before = tree(tmp_path, swap.FAMILIES[1], module="module output_queues(input other);\nendmodule\n")
    with pytest.raises(swap.SwapError, match="unknown version"):
        swap.swap(tmp_path, "au250")
    assert contents(tmp_path) == before
    assert "unknown version" in swap.swap(tmp_path, "au250", force=True)[0]


@pytest.mark.usefixtures("known")
def test_an_edited_file_is_not_overwritten(tmp_path: Path) -> None:
    tree(tmp_path, swap.FAMILIES[1])
    swap.swap(tmp_path, "au200")
    (tmp_path / "Makefile").write_text((tmp_path / "Makefile").read_text() + "# mine\n")
    edited = contents(tmp_path)
    with pytest.raises(swap.SwapError, match="edited since the swap, nothing was undone: Makefile"):
        swap.undo(tmp_path)
    assert contents(tmp_path) == edited


def test_a_comment_is_no_new_version() -> None:
    assert swap.fingerprint("/* a\nb */ module  x; // y\n") == swap.fingerprint("module x;")
    assert swap.fingerprint("module x;") != swap.fingerprint("module y;")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("board", "index"), BOARDS)
def test_packaging_tcl_under_a_recorder(tmp_path: Path, board: str, index: int) -> None:
    if shutil.which("tclsh") is None:
        pytest.skip("tclsh is not installed")
    family = swap.FAMILIES[index]
    tree(tmp_path, family)
    swap.swap(tmp_path, board)
    core = tmp_path / family.cores / swap.CORE
    (core / "recorded.tcl").write_text(RECORDER + (core / "truemark_output_queues.tcl").read_text())
    done = subprocess.run(["tclsh", "recorded.tcl"], cwd=core, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert said[-2:] == ["saved", "closed"]
    assert "set SCOPED_TO_REF output_queues" in said
    assert [line for line in said if line.startswith("read ")] == [
        f"read ./hdl/{path.name}" for path in file_list(ROOT / family.listing)
    ]
    module = (ROOT / family.listing).with_suffix("") / "output_queues.sv"
    code = module.read_text()
    for name in re.findall(r"^parameter (\w+)$", done.stdout, re.MULTILINE):
        assert re.search(rf"parameter .*\b{name}\b", code), f"the module has no parameter {name}"
    buses = re.findall(r"^bus (\w+)$", done.stdout, re.MULTILINE)
    assert buses == ["s_axis", *(f"m_axis_{queue}" for queue in range(family.queues))]
    assert all(f"{bus}_tdata" in code for bus in buses)


def test_a_recorder_that_misses_a_file_fails(tmp_path: Path) -> None:
    if shutil.which("tclsh") is None:
        pytest.skip("tclsh is not installed")
    (tmp_path / "broken.tcl").write_text(RECORDER + "read_verilog -sv ./hdl/gone.sv\n")
    done = subprocess.run(["tclsh", "broken.tcl"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no file" in done.stderr
