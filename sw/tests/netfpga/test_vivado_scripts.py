# SPDX-License-Identifier: BSD-3-Clause
"""The Tcl and XDC for Vivado: tclsh parses them, and every file, part, die, port, parameter and register is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cocotb_tests.netfpga.test_crossings import HELD, LEVEL
from constraints.netfpga import header, swap
from sw.tests.netfpga.test_netfpga_swap import known, tree

from truemark_dev.paths import ROOT

__all__ = ["known"]  # a fixture
FOLDER = ROOT / "constraints/netfpga"
SCRIPTS = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".tcl", ".xdc"))
FAMILIES = {board: family for family in swap.FAMILIES for board in family.parts}
DIES = {"sume": 1, "au200": 3, "vcu1525": 3, "au280": 3, "au250": 4}  # a part of one die has no region of that name
CELLS = r"\[get_cells -hierarchical -filter {NAME =~ \*crossing/(\S+?)_reg(?:\[0\]|\*)?}\]"
PATTERN = re.compile(rf"-from {CELLS} \\\n  -to {CELLS} \$(\w+)")
SOURCE = (ROOT / "rtl/netfpga/tm_axil_crossing.sv").read_text()


def meetings() -> list[tuple[str, str, str]]:
    """Return where the clocks may meet, by test_crossings.py's list: register before, register behind, time allowed.

    What is held may be read two periods of its reader after the level that says so: it has one.
    """
    levels = re.findall(r"\w+", LEVEL.pattern.split("(")[1].split(")")[0])
    given = dict(re.findall(r"(\w+)_sync \([^;]*?\.level_i\((\w+)\)", SOURCE))
    found = [(given[name], f"{name}_sync/level_q", "slower") for name in levels]
    for held in re.findall(r"\w+_q", HELD.pattern):
        (before,) = re.findall(rf"\b{held} <= (?:[^;]*: )?(\w+_q);", SOURCE)
        found.append((before, held, "axis_period" if held == "doing_q" else "axi_period"))
    return sorted(found)


def registers() -> list[str]:
    """Return the registers on both sides, as crossing/instance/register."""
    return [f"crossing/{name}" for before, behind, _ in meetings() for name in (before, behind)]


def unknown(script: Path, board: str) -> list[str]:
    """Return the names in a script that nothing on this board has."""
    family, text = FAMILIES[board], re.sub(r"(?m)^\s*#.*", "", script.read_text())
    module = ((ROOT / family.listing).with_suffix("") / "output_queues.sv").read_text()
    ports, parameters = header.ports(module, "output_queues"), re.findall(r"parameter\s[^=]*?(\w+)\s*=", module)
    there = {
        r"\[get_ports (\w+)\]": ports,
        r"\b(C_\w+)\b": parameters,
        r"\b(xc\w+-[\w-]+)": [part for each in swap.FAMILIES for part in each.parts.values()],
        r"\{(SLR\d)\}": [f"SLR{index}" for index in range(DIES[board])] if DIES[board] > 1 else [],
        r"NAME =~ \*(\S+?)(?:_reg(?:\[0\]|\*)?)?\}": [*registers(), "tm_netfpga_dropin*"],
        r"(?:-top|set top) (\w+)": ["output_queues"],
        r"SCOPED_TO_REF (\w+)": ["output_queues"],
    }
    found = [name for pattern, names in there.items() for name in re.findall(pattern, text) if name not in names]
    found += [f"m_axis_{n}" for n in re.findall(r"\bm_axis_(\d+)\b", text) if f"m_axis_{n}_tdata" not in ports]
    files = re.findall(r"(?:\$here|\./hdl)/([\w./]+\.\w+)", text)
    found += [name for name in files if not any((script.parent / at / name).is_file() for at in (".", "hdl"))]
    loose = [line for line in text.replace("\\\n", " ").splitlines() if line.startswith("set_max_delay")]
    return found + [line.split(" -to ")[0] for line in loose if "-datapath_only -from [get_cells" not in line]


def complete(script: Path) -> bool:
    """Say whether tclsh finds each bracket, brace and quote closed."""
    if shutil.which("tclsh") is None:
        pytest.skip("tclsh is missing: apt-get install tcl")
    program = f"exit [expr {{![info complete [read [open {{{script}}}]]]}}]"
    return subprocess.run(["tclsh"], input=program, text=True, check=False).returncode == 0


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts(script: Path) -> None:
    assert complete(script)
    for board in FAMILIES if script.parent == FOLDER and script.name != "truemark_output_queues.tcl" else [script.stem]:
        if board in FAMILIES:
            assert unknown(script, board) == []


def test_every_board_and_every_crossing_has_its_constraint() -> None:
    assert {path.stem for path in (FOLDER / "boards").glob("*.xdc")} == set(FAMILIES) == set(DIES)
    crossing = (FOLDER / "crossing.xdc").read_text()
    assert sorted(PATTERN.findall(crossing)) == meetings()
    assert all(re.search(rf"\b{name.split('/')[1]} (?:\(|<=)", SOURCE) for name in registers())
    boards = (FOLDER / "ooc.tcl").read_text()
    for board, family in FAMILIES.items():
        kind, clocks = Path(family.listing).stem, (FOLDER / f"boards/{board}.xdc").read_text()
        assert re.search(rf"^  {board} +{{{family.parts[board]} +{kind} ", boards, re.MULTILINE)
        assert family.parts[board] in clocks
        assert re.findall(r"-period ([\d.]+) \[get_ports (\w+)\]", clocks) == [
            ("5.000" if board == "sume" else "2.941", "axis_aclk"),
            ("5.000" if board == "sume" else "4.000", "S_AXI_ACLK"),
        ]


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("board", ["sume", "au280", "vcu1525"])
def test_packaging(tmp_path: Path, board: str) -> None:
    family = FAMILIES[board]
    tree(tmp_path, family)
    swap.swap(tmp_path, board, ["RED=1", "RED_LINUX=1", "DESCRIPTORS=300"])
    script = tmp_path / family.cores / swap.CORE / "truemark_output_queues.tcl"
    assert complete(script)
    assert unknown(script, board) == []
    text = script.read_text()
    assert "@" not in text
    assert f"set part {family.parts[board]}\n" in text
    assert f"{{s_axis {' '.join(f'm_axis_{queue}' for queue in range(family.queues))}}}" in text
    assert "{RED 1 RED_LINUX 1 DESCRIPTORS 300}" in text


@pytest.mark.parametrize(
    ("board", "file", "old", "new", "says"),
    [
        ("sume", "crossing.xdc", "crossing/doing_q_reg", "crossing/done_q_reg", "crossing/done_q"),
        ("sume", "crossing.xdc", "-datapath_only -from [get_cells", "-from [get_cells", "set_max_delay -from"),
        ("au200", "crossing.xdc", "{NAME =~ *crossing/req_q_reg}", "{NAME =~ *crossing/q_reg}", "crossing/q"),
        ("sume", "boards/sume.xdc", "[get_ports S_AXI_ACLK]", "[get_ports AXI_CLK]", "AXI_CLK"),
        ("au280", "boards/au280.xdc", "SLR1", "SLR7", "SLR7"),
        ("sume", "ooc.tcl", "xc7vx690t-3-ffg1761", "xc7vx690t-9", "xc7vx690t-9"),
        ("sume", "ooc.tcl", "$here/crossing.xdc", "$here/crossings.xdc", "crossings.xdc"),
        ("sume", "ooc.tcl", "-top output_queues", "-top queues", "queues"),
        ("sume", "ooc.tcl", "C_S_AXIS_DATA_WIDTH=", "C_S_AXI_WIDE=", "C_S_AXI_WIDE"),
        ("sume", "truemark_output_queues.tcl", "s_axis @MASTERS@", "s_axis m_axis_9", "m_axis_9"),
        ("sume", "crossing.xdc", "axis_aclk]]", "axis_aclk]", None),
    ],
)
def test_what_is_wrong_is_found(tmp_path: Path, board: str, file: str, old: str, new: str, says: str | None) -> None:
    shutil.copytree(FOLDER, tmp_path / "scripts")
    path = tmp_path / "scripts" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert not complete(path) if says is None else any(says in name for name in unknown(path, board))
