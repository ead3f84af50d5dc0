# SPDX-License-Identifier: BSD-3-Clause
"""Runs a test case of a NetFPGA tree, its run.py as it is, on the tree's own pipeline with Truemark's output queues.

    make netfpga-case NETFPGA=/path/to/tree [PROJECT=reference_switch_lite] [CASE=both_learning_sw]

The tree's NFTest writes the case's text files; its arbiter and lookup, with Truemark's queues behind them, run in
Verilator under cocotb; what comes out is compared as nf_test does: packets in order at each interface, registers one
by one. The register names that Vivado would export are worked out from the project's and the cores' own files. The
files and logs stay in build/netfpga/. Nothing is written to the tree.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from cocotb_tools.check_results import get_results
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test
from truemark_dev.sources import BuildOptions
from truemark_dev.verilate import build

from cocotb_tests.netfpga.axi_text import Access, Frame, read_registers, read_stream
from cocotb_tests.netfpga.switch_stations import Shape
from constraints.netfpga.swap import Family, SwapError, named_tree, recognise
from sim.netfpga.tree import SET, Project, TreeError, core_folder, expand, number
from sim.netfpga.tree_sim import LENIENT, Design, choose, prepare
from sim.netfpga.wrapper import TOP

TESTS = "cocotb_tests.netfpga.test_nf_cases"
OFFSET = re.compile(r"^#define (\w+) (\w+) (\w+) OFFSET (0x[0-9a-fA-F]+)", re.MULTILINE)


def register_names(tree: Path, family: Family, project: Project) -> dict[str, int]:
    """Return the addresses of the project's registers by the names that its test cases call."""
    script = project.folder / f"hw/tcl/{project.name}_defines.tcl"
    if not script.is_file():
        raise TreeError(f"{script}: not there; it says where the registers are")
    values = dict(SET.findall(script.read_text(errors="replace")))
    names: dict[str, int] = {}
    for core in project.cores.values():
        for path in sorted((core_folder(tree, family, core) / "data").glob("*_regs_defines.txt")):
            for prefix, block, register, offset in OFFSET.findall(path.read_text(errors="replace")):
                where = f"{block}_BASEADDR"
                if where in values:
                    base = int(number_of(values[where], values, f"{script}: {where}"))
                    names[f"{prefix}_{block}_0_{register}"] = base + int(offset, 16)
    if not names:
        raise TreeError(f"{tree}: none of {', '.join(project.cores.values())} says which registers it has")
    return names


def number_of(text: str, values: dict[str, str], where: str) -> int:
    """Return the value of a word that may be hexadecimal."""
    text = expand(text, values)
    return int(text, 16) if re.fullmatch(r"0x[0-9a-fA-F]+", text) else number(text, values, where)


def board_library(folder: Path) -> Path:
    """Return a folder with the library that NFTest loads whether there is a board or not; its functions do nothing."""
    library = folder / "root/sw/hwtestlib/libsume.so"
    library.parent.mkdir(parents=True)
    code = "unsigned regread(unsigned a) { return a; }\nvoid regwrite(unsigned a, unsigned b) { (void)a, (void)b; }\n"
    compiler = [os.environ.get("CC", "gcc"), "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(compiler, input=code, text=True, check=True)
    other = folder / "root/lib/sw/std/hwtestlib/libsume.so"  # where NetFPGA-SUME has it
    other.parent.mkdir(parents=True)
    shutil.copyfile(library, other)
    return folder / "root"


def write_case(tree: Path, family: Family, project: Project, case: str, folder: Path) -> Path:
    """Let the case's run.py write its files into a folder of ours; return where they are."""
    tests = project.folder / "test"
    have = sorted(path.parent.name for path in tests.glob("*/run.py"))
    if case not in have:
        raise TreeError(f"{tests}: no case {case!r} with a run.py; there are {', '.join(have) or 'none'}")
    library = tree / "tools/scripts/NFTest/NFTest/__init__.py"
    if not library.is_file():
        raise TreeError(f"{library}: not there; the cases need the tree's NFTest")
    if "from NFTestLib" in library.read_text(errors="replace"):
        raise TreeError(f"{tree}: its NFTest is for Python 2 (NetFPGA-SUME before 1.10), which is not run here")
    design = folder / project.name
    shutil.rmtree(design, ignore_errors=True)
    shutil.copytree(tests, design / "test")
    place = design / "test" / case
    names = register_names(tree, family, project)
    (place / f"reg_defines_{project.name}.py").write_text(
        "".join(f"def {name}():\n    return {address:#x}\n" for name, address in names.items())
    )
    scripts = tree / "tools/scripts"
    variables = {
        **os.environ,
        **dict.fromkeys(("NFPLUS_FOLDER", "SUME_FOLDER"), str(board_library(design))),
        "NF_DESIGN_DIR": str(design),
        "NF_PROJECT_NAME": project.name,
        "PYTHONPATH": f".:{scripts}:{scripts / 'NFTest'}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "run.py", "--sim"], cwd=place, env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-1500:]
        raise TreeError(f"{place / 'run.py'} ended with {done.returncode}:\n{said}")
    return place


def bench(top: Path, folder: Path) -> Path:
    """Write the top of the tree's datapath with registers on the datapath's clock: one that cannot differ from it."""
    path = folder / f"case_{top.name}"
    path.write_text(top.read_text().replace(".axi_aclk(s_axil_aclk)", ".axi_aclk(clk)"))
    return path


def simulate(design: Design, place: Path, folder: Path) -> None:
    """Run the files of a case on the tree's datapath; what is not as expected ends it."""
    shape = Shape(design.ports, design.width)
    options = [word for word in design.arguments if word.startswith(("-", "+"))]
    files = [Path(word) for word in design.arguments if not word.startswith(("-", "+"))]
    recipe: BuildOptions = {
        "sources": [*files[:-1], bench(files[-1], folder)],
        "build_args": [*LENIENT, *options],
        "parameters": {"PORTS": shape.ports, "DATA_W": shape.width},
    }
    try:
        build(TOP, **recipe)
    except (RuntimeError, SystemExit) as error:
        raise TreeError(
            f"{folder}: Verilator does not build this datapath with Truemark's queues (see above)"
        ) from error
    run = build_and_test(
        TOP,
        TESTS,
        **recipe,
        extra_env={"SHAPE": json.dumps(asdict(shape)), "CASE": str(place), "HOST_CLOCK": "clk"},
        testcase="case",
    )
    # Outside of pytest the runner says of a failure no more than this.
    ran, failed = get_results(run / "results.xml")
    if (ran, failed) != (1, 0):
        raise RuntimeError(f"{failed} of {ran} failed")


def summary(place: Path) -> list[str]:
    """Return what has been compared, interface by interface."""
    said = []
    for path in sorted(place.glob("*_expected.axi")):
        count = sum(isinstance(item, Frame) for item in read_stream(path))
        if count:
            said.append(f"{path.name.removesuffix('_expected.axi')}: {count} packets as expected")
    accesses = sum(isinstance(item, Access) for item in read_registers(place / "reg_expect.axi"))
    return [*said, f"registers: {accesses} accesses as expected"]


def main() -> int:
    """Recognise, write, build, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree")
    parser.add_argument("--project", default="")
    parser.add_argument("--case", default="both_learning_sw")
    options = parser.parse_args()
    try:
        tree = named_tree(options.tree).resolve()
        family, version = recognise(tree)
        project = choose(tree, family, options.project)
        folder = ROOT / "build/netfpga" / f"{family.name}-{project.name}-case"
        design = prepare(tree, family, project, folder)
        print(f"tree      {tree} is {family.name}; its own output queues: {version or 'unknown version'}")
        print("\n".join(design.said), flush=True)
        place = write_case(tree, family, project, options.case, folder)
        print(f"case      {options.case}, files and logs in {place}", flush=True)
        simulate(design, place, folder)
        print("\n".join(f"{'':<10}{line}" for line in summary(place)))
    except (SwapError, TreeError, OSError) as error:
        print(f"netfpga-case: {error}", file=sys.stderr)
        return 1
    except (RuntimeError, SystemExit, AssertionError):
        print(f"netfpga-case: {options.case}: not as expected (see above)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
