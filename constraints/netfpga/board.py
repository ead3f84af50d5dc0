# SPDX-License-Identifier: BSD-3-Clause
"""Builds a board's bitstream out of a NetFPGA tree that Truemark is in: the tree's own flow, from its cores to the end.

    make netfpga-board NETFPGA=/path/to/tree BOARD=sume|au200|au250|au280|vcu1525 [PROJECT=reference_switch_lite]

Needs the Vivado that the tree is made for on the path (for SUME its SDK as well). What the tree's settings.sh wants
edited is set here, so the file need not be touched. The steps: the cores, Truemark's among them; the project, to its
bitstream; reports of timing, area and clock crossings in build/vivado/. Each step's output is in a log next to them.
Not run with Vivado yet; the tests run it with a shell script in Vivado's place.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from constraints.netfpga.swap import CORE, CREATED, NOTES, ROOT, Family, SwapError, load, named_tree, recognise

HERE = Path(__file__).resolve().parent
LINES = 20  # of a log, when a step fails
# Where a tree says which Vivado it is made for: NetFPGA-PLUS by VERSION, NetFPGA-SUME by the path.
WANTED = re.compile(r"^export (?:VERSION=|XILINX_PATH=\S*/)(\d{4}\.\d)", re.MULTILINE)


@dataclass(frozen=True)
class Flow:
    """What is made, in which order, by a family's own Makefiles."""

    cores: str  # target of the tree's Makefile
    project: str  # folder of a project, from the tree
    make: str  # the folder in it whose Makefile builds the bitstream, from the project
    target: str
    bitstream: str  # from the project


FLOWS = {
    # The project's own Makefile also builds the firmware of its processor and puts it into the bitstream.
    "NetFPGA-SUME": Flow("sume", "projects/{project}", ".", "all", "bitfiles/{project}.bit"),
    "NetFPGA-PLUS": Flow("cores", "hw/projects/{project}", "hw", "project", "bitfiles/{project}_{board}.bit"),
}


def check(tree: Path, board: str, project: str) -> tuple[Family, Path]:
    """Return the tree's family and the project's folder, or say what is missing."""
    family, _ = recognise(tree)
    notes = tree / family.cores / CORE / NOTES
    if not notes.is_file():
        raise SwapError(f"Truemark is not in {tree}: make netfpga NETFPGA={tree} BOARD={board or '...'} first")
    there = json.loads(notes.read_text())["board"]
    if board != there:
        raise SwapError(f"Truemark was put into {tree} for {there}, not for {board!r}: make netfpga-undo, then again")
    folder = tree / FLOWS[family.name].project.format(project=project)
    users = [path for path in sorted((folder / "hw/tcl").glob("*.tcl")) if CREATED.search(load(path))]
    if not users:
        have = sorted(
            {
                path.parents[2].name
                for place in family.projects
                for path in (tree / place).glob("*/hw/tcl/*.tcl")
                if CREATED.search(load(path))
            }
        )
        raise SwapError(f"{folder}: no project that creates Truemark's queues; there are {', '.join(have)}")
    if (folder / "hw/project").exists():
        raise SwapError(f"{folder}/hw/project is there already, and the tree would not build again: move it away first")
    return family, folder


def find_vivado(tree: Path, *, force: bool) -> str:
    """Return the Vivado on the path, which must be of the release that the tree's settings name."""
    vivado = shutil.which("vivado")
    if vivado is None:
        raise SwapError("no vivado on the path: source settings64.sh of Xilinx's installation first")
    wanted = WANTED.search(load(tree / "tools/settings.sh"))
    said = subprocess.run([vivado, "-version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"v(\d{4}\.\d)", said)
    if wanted and (found is None or found[1] != wanted[1]) and not force:
        raise SwapError(
            f"{vivado} is {found[1] if found else 'of an unknown release'}, {tree} is made for {wanted[1]} "
            "(tools/settings.sh); FORCE=1 tries it nevertheless"
        )
    return vivado


def environment(tree: Path, family: Family, folder: Path, board: str, vivado: str) -> dict[str, str]:
    """Return the environment that the tree's settings.sh would make, except for what only NFTest wants."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    # The tree's scripts run in the Python that is there without us: SUME 1.8.0 still wants one that is Python 2.
    own_tools = [place for place in kept["PATH"].split(os.pathsep) if not Path(place).is_relative_to(ROOT / ".venv")]
    kept["PATH"] = os.pathsep.join(own_tools)
    scripts = tree / "tools/scripts"
    own = {
        "NF_PROJECT_NAME": folder.name,
        "NF_DESIGN_DIR": str(folder),
        "PYTHONPATH": f".:{scripts}:{folder}/lib/Python:{scripts}/NFTest",
    }
    if family.name == "NetFPGA-PLUS":
        shell = tree / "hw/lib/xilinx/xilinx_shell_v1_0_0/open-nic-shell/board_files"
        own |= {
            "NFPLUS_FOLDER": str(tree),
            "BOARD_NAME": board,
            "DEVICE": family.parts[board],
            "BOARD_FILE_PATH": str(shell),
        }
        return kept | own
    # .../Vivado/2020.1/bin/vivado
    installed = Path(vivado).resolve().parents[1]
    tools = {name: str(Path(vivado).with_name(name)) for name in ("xvhdl", "xelab", "xsim", "xvlog")}
    own |= {
        "SUME_FOLDER": str(tree),
        "XILINX_PATH": str(installed),
        "PROJECTS": str(tree / "projects"),
        "CONTRIB_PROJECTS": str(tree / "contrib-projects"),
        "IP_FOLDER": str(tree / family.cores),
        "CONSTRAINTS": str(tree / "lib/hw/std/constraints"),
        "XILINX_IP_FOLDER": str(tree / "lib/hw/xilinx/cores"),
        "vivado": vivado,
        "xsdk": shutil.which("xsdk") or "xsdk",
        "VITIS_PATH": str(Path(shutil.which("vitis") or "vitis").parent.parent),
        **tools,
    }
    return kept | own


class Steps:
    """Runs one command after the other, each with a log, and stops at the first that fails."""

    def __init__(self, logs: Path, variables: dict[str, str]) -> None:
        self.logs, self.variables = logs, variables
        logs.mkdir(parents=True, exist_ok=True)

    def run(self, name: str, folder: Path, *words: str) -> str:
        """Run a command; return what it said."""
        log = self.logs / f"{name}.log"
        print(f"{name:<10} {' '.join(words)}\n{'':<10} log: {log}", flush=True)
        with log.open("w") as output:
            ended = subprocess.run(
                words,
                cwd=folder,
                env=self.variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                check=False,
            )
        text = log.read_text(errors="replace")
        if ended.returncode != 0:
            end = "\n".join(text.splitlines()[-LINES:])
            raise SwapError(f"{name} ended with {ended.returncode}; the end of {log}:\n{end}")
        return text


def build(tree: Path, board: str, project: str, *, force: bool = False) -> Path:
    """Build the bitstream; return where it is."""
    family, folder = check(tree, board, project)
    vivado = find_vivado(tree, force=force)
    flow = FLOWS[family.name]
    reports = ROOT / "build/vivado" / f"{board}-{project}"
    steps = Steps(reports, environment(tree, family, folder, board, vivado))
    batch = (vivado, "-mode", "batch", "-source")
    if family.name == "NetFPGA-PLUS":
        said = steps.run("board", reports, *batch, str(HERE / "board_part.tcl"), "-tclargs", board)
        part = re.search(r"^board_part (\S+)$", said, re.MULTILINE)
        if part is None:
            raise SwapError(
                f"Vivado has no board files for {board}: install them with xhub, or from Xilinx's XilinxBoardStore"
            )
        steps.variables["BOARD"] = part[1]
    steps.run("cores", tree, "make", flow.cores)
    steps.run("project", folder / flow.make, "make", flow.target)
    bitstream = folder / flow.bitstream.format(project=project, board=board)
    if not bitstream.is_file():
        raise SwapError(f"the project ended without {bitstream}: see {reports / 'project.log'}")
    opened = folder / "hw/project" / f"{project}.xpr"
    steps.run("report", reports, *batch, str(HERE / "report.tcl"), "-tclargs", str(opened), str(reports))
    return bitstream


def main() -> int:
    """Build a board's bitstream."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree")
    parser.add_argument("--board", default="")
    parser.add_argument("--project", default="reference_switch_lite")
    parser.add_argument("--force", action="store_true", help="build though Vivado is of another release")
    options = parser.parse_args()
    try:
        bitstream = build(named_tree(options.tree).resolve(), options.board, options.project, force=options.force)
    except (SwapError, OSError) as error:
        print(f"netfpga-board: {error}", file=sys.stderr)
        return 1
    print(f"bitstream  {bitstream}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
