# SPDX-License-Identifier: BSD-3-Clause
"""Runs a NetFPGA tree's own input arbiter and lookup with Truemark's output queues, in Verilator, without Vivado.

    make netfpga-sim NETFPGA=/path/to/tree [PROJECT=reference_switch_lite] [FRAMES=100000]

The project's own `nf_datapath.v` wires its own cores; only `output_queues` is ours. Every frame that enters is compared
byte by byte with what leaves: it must leave at the port behind which its receiver is, whole, once and in order, and
`tuser` must say so. It is printed what of the tree is used as found and what is replaced by what. Nothing is written to
the tree.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from truemark_dev import cpp
from truemark_dev.build import Foreign, make
from truemark_dev.builds import Build
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

from constraints.netfpga.swap import Family, SwapError, named_tree, recognise
from sim.bench import reference_pipeline
from sim.netfpga.tree import ROLES, Project, Sources, TreeError, find_projects, modules, sources_of
from sim.netfpga.wrapper import TOP, wrapper

HERE = Path(__file__).resolve().parent
LOOKUPS = ("switch_output_port_lookup", "switch_lite_output_port_lookup")  # those that learn
STAND_INS = {"cam": "cam_top"}  # by core whose VHDL Verilator cannot read: the module of ours that takes its place
WORTHWHILE = 10_000  # frames: fewer take less time than the optimiser
# The trees' Verilog is of 2001, with delays that say nothing to a simulation by cycles.
LENIENT = ("-Wno-fatal", "-Wno-lint", "-Wno-style", "--no-timing", "+1364-2005ext+v")


@dataclass(frozen=True)
class Design:
    """A project made ready for Verilator."""

    ports: int
    width: int
    arguments: list[str]
    said: list[str]


def choose(tree: Path, family: Family, name: str) -> Project:
    """Return the project of this name, or the first whose lookup is a learning switch."""
    found = find_projects(tree, family)
    learning = [project for project in found if project.cores["output_port_lookup"] in LOOKUPS]
    names = ", ".join(project.name for project in learning) or "none"
    if not name and learning:
        # A project without Xilinx's CAM needs nothing replaced.
        return min(learning, key=lambda project: "lite" not in project.cores["output_port_lookup"])
    for project in learning:
        if project.name == name:
            return project
    raise TreeError(
        f"{tree}: project {name or 'with a learning switch'} is not there, or its nf_datapath.v is not arbiter, "
        f"learning switch and queues; there are: {names}"
    )


def prepare(tree: Path, family: Family, project: Project, folder: Path) -> Design:
    """Write what Verilator needs into a folder of ours; return how to call it."""
    settings = project.settings
    width = settings["output_queues"].get("C_S_AXIS_DATA_WIDTH", reset_width(project))
    cores = [project.cores[role] for role in ROLES[:2]]
    sources = sources_of(tree, family, cores)
    ours = file_list(ROOT / family.listing)
    replaced = stand_ins(sources)
    folder.mkdir(parents=True, exist_ok=True)
    datapath = folder / "nf_datapath.v"
    datapath.write_text(instantiated(project))
    top = folder / f"{TOP}.sv"
    top.write_text(wrapper(family.queues, width))
    clash = {name for path in sources.verilog for name in modules(path.read_text(errors="replace"))} & {
        path.stem for path in ours
    }
    if clash:
        raise TreeError(f"{tree}: its modules {', '.join(sorted(clash))} have the names of Truemark's")
    files = [*sources.verilog, datapath, *ours, HERE / "axil_windows.sv", *replaced, top]
    arguments = [*LENIENT, f"-I{ROOT / 'rtl'}", *(f"-I{path}" for path in sources.folders), *map(str, files)]
    said = [
        f"project   {project.name}: {family.queues} ports, {width} bits",
        f"as found  nf_datapath, {', '.join(sources.cores)} ({len(sources.verilog)} files)",
        f"replaced  {project.cores['output_queues']} by {Path(family.listing).with_suffix('')}/output_queues.sv",
    ]
    for core, names in sources.vhdl.items():
        there = "in VHDL" if (tree / names[-1]).exists() else "in VHDL that the tree does not carry"
        said.append(f"replaced  {STAND_INS[core]} (Xilinx, {there}) by sim/netfpga/{STAND_INS[core]}.sv")
    return Design(family.queues, width, arguments, said)


def stand_ins(sources: Sources) -> list[Path]:
    """Return our modules for what Verilator cannot read, or say for what there is none."""
    unknown = [core for core in sources.vhdl if core not in STAND_INS]
    if unknown:
        raise TreeError(
            f"core {unknown[0]} is VHDL ({sources.vhdl[unknown[0]][0]}, ...), which Verilator cannot read, and there "
            "is nothing here to take its place"
        )
    return [HERE / f"{STAND_INS[core]}.sv" for core in sources.vhdl]


def reset_width(project: Project) -> int:
    """Return the width that nf_datapath has when nobody sets it."""
    found = re.search(r"parameter\s+C_S_AXIS_DATA_WIDTH\s*=\s*(\d+)", project.datapath.read_text(errors="replace"))
    if not found:
        raise TreeError(f"{project.datapath}: no parameter C_S_AXIS_DATA_WIDTH")
    return int(found[1])


def instantiated(project: Project) -> str:
    """Return the project's datapath with each IP replaced by its core, set as the project's Tcl sets it."""
    text = project.datapath.read_text(errors="replace")
    for role, ip in project.instances.items():
        name = role if role == "output_queues" else project.cores[role]
        values = project.settings[role]
        parameters = f" #({', '.join(f'.{each}({value})' for each, value in values.items())})" if values else ""
        text, count = re.subn(rf"\b{ip}\b", f"{name}{parameters}", text)
        if count != 1:
            raise TreeError(f"{project.datapath}: {ip} stands there {count} times, not once")
    return text


def report(figures: dict[str, float]) -> tuple[list[str], bool]:
    """Return what the run has shown in words, and whether it is good."""
    offered, intact, wrong = (int(figures[name]) for name in ("offered", "intact", "wrong"))
    rate = f"{figures['one_input']:.4f} from one input, {figures['all_inputs']:.4f} from all"
    return [
        f"frames    {offered} offered, {intact} intact, {wrong} wrong, {offered - intact} missing",
        f"rate      64-byte frames per cycle: {rate}",
        f"latency   {figures['latency']:.0f} cycles, first beat in to first beat out",
    ], wrong == 0 and intact == offered


def main() -> int:
    """Recognise, build, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree")
    parser.add_argument("--project", default="")
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--force", action="store_true", help="run though the version is unknown")
    options = parser.parse_args()
    try:
        tree = named_tree(options.tree)
        family, version = recognise(tree)
        if not version and not options.force:
            raise TreeError(f"{tree}: {family.name} with output queues of an unknown version: say FORCE=1 to try")
        project = choose(tree, family, options.project)
        folder = ROOT / "build/netfpga" / f"{family.name}-{project.name}"
        design = prepare(tree, family, project, folder)
        print(f"tree      {tree} is {family.name}; its own output queues: {version or 'unknown version'}")
        print("\n".join(design.said), flush=True)
        level = "-O2" if options.frames >= WORTHWHILE else cpp.NOT_OPTIMISED
        build = Build(TOP, {"PORTS": design.ports, "DATA_W": design.width}, TOP)
        (program,) = make(f"pipeline:{TOP}", out=folder, foreign=Foreign(build, design.arguments, level))
        said, good = report(reference_pipeline.run(program, options.frames))
        print("\n".join(said))
    except (SwapError, TreeError, RuntimeError, OSError) as error:
        print(f"netfpga-sim: {error}", file=sys.stderr)
        return 1
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
