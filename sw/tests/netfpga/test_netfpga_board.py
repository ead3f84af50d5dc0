# SPDX-License-Identifier: BSD-3-Clause
"""Building a board out of a tree that Truemark is in: the tree's own Makefiles, a shell script in Vivado's place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from constraints.netfpga import board as boards
from constraints.netfpga import swap
from sw.tests.netfpga.test_netfpga_swap import OLD_MODULE, known

from truemark_dev.paths import ROOT

__all__ = ["known"]  # a fixture
PROJECT = "reference_switch_lite"
FAMILIES = {board: family for family in swap.FAMILIES for board in family.parts}
# What the flow looks at of each call: a release, a board's part, a packaged core, a bitstream, the reports' end.
VIVADO = """#!/bin/sh
case "$*" in
  -version) echo "Vivado v{release} (64-bit)" ;;
  *board_part.tcl*) echo "board_part xilinx.com:{board}:part0:1.0" ;;
  *truemark_output_queues.tcl) test -f hdl/files.f && echo packaged ;;
  *report.tcl*) test -f "$6" && test -d "$7" && echo "worst slack: {slack}" && exit {ends} ;;
  *) mkdir -p project ../bitfiles hw/project bitfiles; touch project/{project}.xpr hw/project/{project}.xpr; {bitstream}
esac
"""


def lay(tree: Path, board: str) -> Path:
    """Lay a tree that can be built; return the project."""
    family = FAMILIES[board]
    flow = boards.FLOWS[family.name]
    sume = family.name == "NetFPGA-SUME"
    project = tree / flow.project.format(project=PROJECT)
    files = {
        tree / family.cores / "output_queues_v1_0_0/hdl/output_queues.v": OLD_MODULE,
        tree / family.cores / "output_queues_v1_0_0/Makefile": "all:\n\techo the old core\n",
        tree / "Makefile": f"LIB_HW_DIR = {'lib/hw' if sume else 'hw/lib'}\n{flow.cores}:\n"
        f"\t{family.make_line.format('output_queues_v1_0_0')}\n",
        tree / "tools/settings.sh": "export XILINX_PATH=/opt/Xilinx/Vivado/2020.1\n"
        if sume
        else "export VERSION=2023.2\n",
        project / flow.make / "Makefile": f"{flow.target}:\n\t@echo path $(PATH) board $(BOARD)\n"
        f"\t{'${vivado}' if sume else 'vivado'} -mode batch -source tcl/$(NF_PROJECT_NAME).tcl\n",
        project / f"hw/tcl/{PROJECT}.tcl": "create_ip -name output_queues -vendor NetFPGA -library NetFPGA\n",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project


def run(
    tree: Path, board: str, *words: str, release: str = "2023.2", slack: float = 0.1, bitstream: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run the command with a stand-in for Vivado on the path."""
    flow = boards.FLOWS[FAMILIES[board].name]
    program = tree / f"xilinx/Vivado/{release}/bin/vivado"
    program.parent.mkdir(parents=True, exist_ok=True)
    made = f"touch {tree / flow.project / flow.bitstream}".format(project=PROJECT, board=board)
    program.write_text(
        VIVADO.format(
            release=release, board=board, slack=slack, ends=int(slack < 0), project=PROJECT, bitstream=made * bitstream
        )
    )
    program.chmod(0o755)
    command = [sys.executable, "-m", "constraints.netfpga.board", str(tree), "--board", board, *words]
    variables = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("board", "release"), [("sume", "2020.1"), ("au200", "2023.2"), ("au250", "2023.2")])
def test_a_board_is_built(tmp_path: Path, board: str, release: str) -> None:
    project = lay(tmp_path, board)
    swap.swap(tmp_path, board, ["RED=1"])
    done = run(tmp_path, board, release=release)
    assert done.returncode == 0, done.stdout + done.stderr
    flow = boards.FLOWS[FAMILIES[board].name]
    bitstream = project / flow.bitstream.format(project=PROJECT, board=board)
    assert f"bitstream  {bitstream}" in done.stdout
    assert bitstream.is_file()
    reports = ROOT / "build/vivado" / f"{board}-{PROJECT}"
    cores, log = (reports / "cores.log").read_text(), (reports / "project.log").read_text()
    assert cores.index("the old core") < cores.index("packaged")
    assert (f"board xilinx.com:{board}:part0:1.0" in log) == (board != "sume")
    assert "worst slack: 0.1" in (reports / "report.log").read_text()
    assert str(ROOT / ".venv") not in log, "the tree's scripts would run in our Python"
    again = run(tmp_path, board, release=release)
    assert again.returncode == 1
    assert "hw/project is there already" in again.stderr


# No two tests share a board: its reports are in one folder.
@pytest.mark.usefixtures("known")
def test_what_is_wrong_stops_the_build(tmp_path: Path) -> None:
    project = lay(tmp_path, "vcu1525")
    swap.swap(tmp_path, "vcu1525")
    done = run(tmp_path, "vcu1525", bitstream=False)
    assert (done.returncode, "the project ended without" in done.stderr) == (1, True), done.stderr
    shutil.rmtree(project / "hw/project")
    done = run(tmp_path, "vcu1525", slack=-0.25)
    assert (done.returncode, "report ended with 1" in done.stderr) == (1, True), done.stderr
    assert "worst slack: -0.25" in done.stderr
    shutil.rmtree(project / "hw/project")
    (tmp_path / FAMILIES["vcu1525"].cores / swap.CORE / "hdl/files.f").unlink()
    done = run(tmp_path, "vcu1525")
    assert (done.returncode, "cores ended with 2; the end of" in done.stderr) == (1, True), done.stderr
    script = project / f"hw/tcl/{PROJECT}.tcl"
    script.write_text(script.read_text().replace("truemark_", ""))
    done = run(tmp_path, "vcu1525")
    assert (done.returncode, "no project that creates Truemark's queues" in done.stderr) == (1, True), done.stderr


@pytest.mark.usefixtures("known")
def test_what_is_missing_is_said_before_anything_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "au280")
    with pytest.raises(swap.SwapError, match=r"Truemark is not in .*: make netfpga NETFPGA=.* BOARD=au280 first"):
        boards.build(tmp_path, "au280", PROJECT)
    swap.swap(tmp_path, "au280")
    with pytest.raises(swap.SwapError, match=r"was put into .* for au280, not for 'au200'"):
        boards.build(tmp_path, "au200", PROJECT)
    with pytest.raises(
        swap.SwapError, match="no project that creates Truemark's queues; there are reference_switch_lite"
    ):
        boards.build(tmp_path, "au280", "reference_nic")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(swap.SwapError, match=r"no vivado on the path: source settings64\.sh"):
        boards.build(tmp_path, "au280", PROJECT)
    monkeypatch.undo()
    done = run(tmp_path, "au280", release="2019.2")
    assert done.returncode == 1
    assert "is 2019.2," in done.stderr
    assert "is made for 2023.2" in done.stderr
    assert run(tmp_path, "au280", "--force", release="2019.2").returncode == 0
