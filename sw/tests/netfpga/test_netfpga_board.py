# SPDX-License-Identifier: BSD-3-Clause
"""Building a board out of a tree that Truemark is in: the tree's own Makefiles, a recorder in Vivado's place."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from constraints.netfpga import board as boards
from constraints.netfpga import swap
from sw.tests.netfpga.test_netfpga_swap import OLD_MODULE, known
from sw.tests.netfpga.vivado_stand_in import PARTS, install

from truemark_dev.paths import ROOT

__all__ = ["known"]  # a fixture
pytestmark = pytest.mark.skipif(shutil.which("tclsh") is None, reason="tclsh is missing: apt-get install tcl")
PROJECT = "reference_switch_lite"
# A project's Tcl as the trees have it, as far as the queues are concerned.
PROJECT_TCL = """create_project -name $::env(NF_PROJECT_NAME) -force -dir ./project -part {part}
set_property ip_repo_paths {tree} [current_fileset]
create_ip -name output_queues -vendor NetFPGA -library NetFPGA -module_name output_queues_ip
set_property CONFIG.C_S_AXIS_DATA_WIDTH {width} [get_ips output_queues_ip]
set_property generate_synth_checkpoint false [get_files output_queues_ip.xci]
generate_target all [get_ips output_queues_ip]
create_run impl -parent_run synth
launch_runs impl_1
wait_on_run impl_1
file mkdir ../bitfiles
write_bitstream -force ../bitfiles/{bitstream}
"""


def lay(tree: Path, board: str) -> Path:
    """Lay a tree that can be built; return the project."""
    family, part = PARTS[board]
    flow = boards.FLOWS[family.name]
    sume = family.name == "NetFPGA-SUME"
    project = tree / flow.project.format(project=PROJECT)
    vivado = "${vivado}" if sume else "vivado"
    values = {"part": part, "tree": tree, "width": 256 if sume else 1024}
    values["bitstream"] = Path(flow.bitstream.format(project=PROJECT, board=board)).name
    files = {
        tree / family.cores / "output_queues_v1_0_0/hdl/output_queues.v": OLD_MODULE,
        tree / family.cores / "output_queues_v1_0_0/Makefile": "all:\n\techo the old core\n",
        tree / "Makefile": f"LIB_HW_DIR = {'lib/hw' if sume else 'hw/lib'}\n{flow.cores}:\n"
        f"\t{family.make_line.format('output_queues_v1_0_0')}\n",
        tree / "tools/settings.sh": "export XILINX_PATH=/opt/Xilinx/Vivado/2020.1\n"
        if sume
        else "export VERSION=2023.2\n",
        project / "Makefile": "all:\n\tmake -C hw project\n",
        project / "hw/Makefile": "project:\n\t@echo path $(PATH)\n"
        f"\t{vivado} -mode batch -source tcl/$(NF_PROJECT_NAME).tcl\n",
        project / f"hw/tcl/{PROJECT}.tcl": PROJECT_TCL.format(**values),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project


def run(tree: Path, board: str, *words: str, **stand_in: str | float) -> subprocess.CompletedProcess[str]:
    """Run the command with a stand-in for Vivado on the path."""
    variables = install(tree / "xilinx", board, **stand_in)  # type: ignore[arg-type]
    command = [sys.executable, str(ROOT / "constraints/netfpga/board.py"), str(tree), "--board", board, *words]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


@pytest.fixture(autouse=True)
def no_reports() -> None:
    """Take away what an earlier run has left."""
    for board in PARTS:
        shutil.rmtree(ROOT / "build/vivado" / f"{board}-{PROJECT}", ignore_errors=True)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("board", "release"), [("sume", "2020.1"), ("au200", "2023.2"), ("au250", "2023.2")])
def test_a_board_is_built(tmp_path: Path, board: str, release: str) -> None:
    project = lay(tmp_path, board)
    swap.swap(tmp_path, board, ["RED=1"])
    done = run(tmp_path, board, release=release)
    assert done.returncode == 0, done.stdout + done.stderr
    flow = boards.FLOWS[PARTS[board][0].name]
    bitstream = project / flow.bitstream.format(project=PROJECT, board=board)
    assert f"bitstream  {bitstream}" in done.stdout
    assert bitstream.is_file()
    reports = ROOT / "build/vivado" / f"{board}-{PROJECT}"
    assert {"timing.txt", "timing_queues.txt", "utilization.txt", "cdc.txt"} <= {
        path.name for path in reports.iterdir()
    }
    cores = (reports / "cores.log").read_text()
    assert cores.index("the old core") < cores.index("saved truemark_output_queues")
    log = (reports / "project.log").read_text()
    assert "ip output_queues_ip truemark_output_queues" in log
    assert str(ROOT / ".venv") not in log, "the tree's scripts would run in our Python"
    again = run(tmp_path, board, release=release)
    assert again.returncode == 1
    assert "hw/project is there already" in again.stderr


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        # The tree's Tcl asks the core for a parameter that it has not, or for another core.
        ("tcl", "CONFIG.C_S_AXIS", "CONFIG.C_AXIS", "no parameter C_AXIS_DATA_WIDTH in IP output_queues_ip"),
        ("tcl", "truemark_output_queues -vendor", "output_queues -vendor", "no project that creates Truemark's queues"),
        ("tcl", "[get_ips output_queues_ip]\nset", "[get_ips queues_ip]\nset", "no IP queues_ip"),
        ("tcl", "write_bitstream", "# write_bitstream", "the project ended without"),
        ("tcl", "launch_runs", "# launch_runs", "the project has no finished run impl_1"),
        ("core", "set top output_queues", "set top queues", "has module queues"),
    ],
)
def test_what_is_wrong_stops_the_build(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    project = lay(tmp_path, "au280")
    swap.swap(tmp_path, "au280")
    core = tmp_path / PARTS["au280"][0].cores / swap.CORE / "truemark_output_queues.tcl"
    path = core if file == "core" else project / f"hw/tcl/{PROJECT}.tcl"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    done = run(tmp_path, "au280")
    assert done.returncode == 1
    assert says in done.stderr, done.stderr


@pytest.mark.usefixtures("known")
def test_queues_that_are_not_ours_and_paths_that_are_too_slow(tmp_path: Path) -> None:
    project = lay(tmp_path, "au280")
    swap.swap(tmp_path, "au280")
    done = run(tmp_path, "au280", slack=-0.25)
    assert done.returncode == 1
    assert "report ended with 1" in done.stderr
    assert "worst slack: setup -0.25 ns" in done.stderr
    shutil.rmtree(project / "hw/project")
    # A second IP of the old core would be taken for ours by its instance's name alone.
    script = project / f"hw/tcl/{PROJECT}.tcl"
    script.write_text(
        script.read_text().replace("launch_runs", "dict set recorder::ips output_queues_ip {name old}\nlaunch_runs")
    )
    done = run(tmp_path, "au280")
    assert done.returncode == 1
    assert "has other queues than Truemark's" in done.stderr


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
