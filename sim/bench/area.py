# SPDX-License-Identifier: BSD-3-Clause
"""What `truemark` costs in a Xilinx device: the Yosys script that the peers were measured with.

    python -m sim.bench.area                     the true-mark build, 5 ports x 256 bit, 16 KiB per port, 7 series
    python -m sim.bench.area --stages            the same, with a table of what each stage takes
    python -m sim.bench.area --record            and into results/, as `make bench` does with all builds that have a row
    python -m sim.bench.area area:full.5x256 --set PORTS=16 --family xcup --top tm_core

LUT counts the logic LUTs of any size, and LUT RAM and shift registers as the LUTs they occupy; inverters are printed
apart, as Yosys leaves them for the placer to absorb.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from truemark_dev import build_type, yosys
from truemark_dev.builds import Build, builds, chosen
from truemark_dev.paths import ROOT
from truemark_dev.results import record, taken
from truemark_dev.sources import file_list

from sim.bench import bars

RTL = ROOT / "rtl"
# The build that stands next to NetFPGA-SUME's output queues.
USUAL = "area:true-mark.5x256"
# What the bars are about, of [area], and the family it is for.
MEASURED = {
    "true-mark.5x256": "xc7",
    "true-mark.1x256": "xc7",
    "true-mark.16x256": "xc7",
    "8-queues.2x256": "xc7",
    "true-mark.3x512.deep": "xcup",
    "full.5x256": "xc7",
    "full.16x256": "xc7",
    "full.5x256.red-linux": "xc7",
    "pool.5x256": "xc7",
    "pfc.5x256": "xc7",
}

# LUTs that a LUT-RAM or shift-register cell occupies.
LUT_RAM = {
    "RAM32X1S": 1,
    "RAM64X1S": 1,
    "RAM128X1S": 2,
    "RAM256X1S": 4,
    "RAM512X1S": 8,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1D": 4,
    "RAM256X1D": 8,
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32M16": 8,
    "RAM64M8": 8,
    "SRL16E": 1,
    "SRLC16E": 1,
    "SRLC32E": 1,
}
# The folders of rtl/ in the order of the packet's way, and what none of them names.
STAGES = [
    "parse",
    "rewrite",
    "admit",
    "law",
    "buffer",
    "pool",
    "depart",
    "schedule",
    "pfc",
    "core",
    "control",
    "common",
    "prim",
    "top",
    "other",
]
BLOCK_RAM = {"RAMB18E1": 1, "RAMB18E2": 1, "RAMB36E1": 2, "RAMB36E2": 2}


@dataclass(frozen=True)
class Area:
    """Cells by kind; block RAM in halves of 18 kbit."""

    lut_logic: int = 0
    lut_ram: int = 0
    inv: int = 0
    ff: int = 0
    bram: int = 0
    uram: int = 0
    dsp: int = 0

    @property
    def lut(self) -> int:
        """Return all LUTs, as the bar counts them."""
        return self.lut_logic + self.lut_ram

    def __add__(self, other: Area) -> Area:
        return Area(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @classmethod
    def of(cls, cells: Mapping[str, int]) -> Area:
        """Sum the cells of a `stat`."""
        area = cls()
        for cell, count in cells.items():
            if re.fullmatch(r"LUT[1-6]|LUT6_2", cell):
                area = replace(area, lut_logic=area.lut_logic + count)
            elif cell in LUT_RAM:
                area = replace(area, lut_ram=area.lut_ram + count * LUT_RAM[cell])
            elif cell in BLOCK_RAM:
                area = replace(area, bram=area.bram + count * BLOCK_RAM[cell])
            elif cell == "INV":
                area = replace(area, inv=area.inv + count)
            elif re.fullmatch(r"FD[RSCP]E(_1)?|LD[CP]E", cell):
                area = replace(area, ff=area.ff + count)
            elif cell.startswith("URAM288"):
                area = replace(area, uram=area.uram + count)
            elif cell.startswith("DSP"):
                area = replace(area, dsp=area.dsp + count)
            elif cell.startswith(("RAM", "SRL")):
                raise ValueError(f"a memory cell nobody counts: {cell}")
        return area

    def figures(self, prefix: str) -> dict[str, float]:
        """Return the keys of bench.json."""
        names = "lut", "lut_ram", "inv", "ff", "bram", "uram", "dsp"
        return {f"{prefix}.{name}": getattr(self, name) for name in names}


def synthesize(build: Build, *, family: str = "xc7", rtl: Path = RTL, top: str = "truemark") -> Area:
    """Synthesize a build flat; the same build under another name is not synthesized again."""
    key = frozenset(build.complete.items()), family, rtl, top
    if key not in _synthesized:
        _synthesized[key] = Area.of(_statistics(build, family, rtl, top, flatten=True)[top])
    return _synthesized[key]


_synthesized: dict[tuple[frozenset[tuple[str, int]], str, Path, str], Area] = {}


def stage_of(rtl: Path = RTL) -> dict[str, str]:
    """Return the stage of each module: its folder in rtl/."""
    files = [path.relative_to(rtl) for path in file_list(rtl / "truemark.f")]
    return {path.stem: path.parts[0] if len(path.parts) > 1 else "top" for path in files}


def stages(build: Build, *, family: str = "xc7", rtl: Path = RTL) -> dict[str, dict[str, Area]]:
    """Synthesize a build with its hierarchy kept; return the area of each module, under its folder in rtl/."""
    folders = stage_of(rtl)
    table: dict[str, dict[str, Area]] = defaultdict(lambda: defaultdict(Area))
    # Every instance is a module of its own, named "\module$path.of.the.instance".
    for name, cells in _statistics(build, family, rtl, "truemark", flatten=False).items():
        base = name.split("$")[0]
        table[folders.get(base, "other")][base] += Area.of(cells)
    return {stage: dict(modules) for stage, modules in table.items()}


def _statistics(build: Build, family: str, rtl: Path, top: str, *, flatten: bool) -> dict[str, dict[str, int]]:
    """Synthesize a build; return each module's own cells by kind."""
    return statistics(rtl.resolve() / "truemark.f", top, build.parameters, family, flatten=flatten)


def statistics(
    listing: Path, top: str, parameters: Mapping[str, int], family: str, *, flatten: bool
) -> dict[str, dict[str, int]]:
    """Synthesize what a list of files names; return each module's own cells by kind."""
    with tempfile.TemporaryDirectory() as folder:
        passes = [
            read(listing, top, parameters, flatten=flatten),
            "chformal -remove",
            f"synth_xilinx -family {family} {'-flatten' if flatten else ''} -noiopad -noclkbuf -top {top}",
        ]
        return cells_after(passes, Path(folder))


def read(listing: Path, top: str, parameters: Mapping[str, int], *, flatten: bool) -> str:
    """Return the pass that reads what a list of files names; the top takes those parameters that it has."""
    (source,) = (path for path in file_list(listing) if path.stem == top)
    # What RED_LINUX is to a part of RED that is the top.
    given = build_type.for_module(source, {"LINUX": parameters.get("RED_LINUX", 0), **parameters})
    known = set(re.findall(r"\bparameter\b[^=]*?(\w+)\s*=", build_type.expanded(source)))
    generics = " ".join(f"-G {name}={value}" for name, value in given.items() if name in known)
    keep = "" if flatten else "--keep-hierarchy"
    return f"read_slang --ignore-assertions {keep} --top {top} {generics} -F {listing.resolve()}"


def cells_after(passes: Sequence[str], folder: Path) -> dict[str, dict[str, int]]:
    """Run Yosys, in a process of its own for its log and memory; return each module's own cells by kind."""
    found = folder / "stat.json"
    yosys.run([*passes, f"tee -q -o {found} stat -json"], folder=folder, log=folder / "log")
    modules = json.loads(found.read_text())["modules"]
    return {name.lstrip("\\"): module["num_cells_by_type"] for name, module in modules.items()}


def row(name: str, area: Area) -> list[str]:
    """Return a row of `new_table`."""
    numbers = area.lut, area.lut_ram, area.inv, area.ff, area.bram, area.uram, area.dsp
    return [name, *(f"{number:,}" if number else "-" for number in numbers)]


def new_table(title: str) -> Table:
    """Return an empty table of areas."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in ("LUT", "of these RAM", "INV", "FF", "RAMB18", "URAM", "DSP"):
        table.add_column(column, justify="right")
    return table


def stage_table(build: Build, *, family: str = "xc7", rtl: Path = RTL) -> tuple[Table, dict[str, Area]]:
    """Return a table by stage and module, and the sums of the stages."""
    table = new_table(f"By stage, hierarchy kept, {describe(build, family)}")
    sums: dict[str, Area] = {}
    for stage, modules in sorted(
        stages(build, family=family, rtl=rtl).items(), key=lambda entry: STAGES.index(entry[0])
    ):
        sums[stage] = sum(modules.values(), Area())
        table.add_row(*row(stage, sums[stage]), style="bold")
        for module, area in sorted(modules.items()):
            table.add_row(*row(f"  {module}", area))
        table.add_section()
    table.add_row(*row("all", sum(sums.values(), Area())), style="bold")
    return table, sums


def added(name: str, found: Area, rtl: Path = RTL) -> dict[str, float]:
    """Return the LUTs that the queues of a build of [area] take, or its RED as in Linux, by synthesizing it without."""
    build, family = builds("area")[name], MEASURED[name]
    key, parameters = f"area.{family}.{name}", build.parameters

    def without(*changes: str) -> int:
        return synthesize(chosen(f"area:{name}", list(changes)), family=family, rtl=rtl).lut

    if (queues := parameters.get("QUEUES", 1)) > 1:
        lines = parameters["PORTS"] // queues
        return {f"{key}.added_lut_a_port": (found.lut - without("QUEUES=1", f"PORTS={lines}")) / lines}
    return {f"{key}.added_lut": found.lut - without("RED_LINUX=0")} if parameters.get("RED_LINUX") else {}


def describe(build: Build, family: str) -> str:
    """Say what was synthesized; an area without its storage says little."""
    all_of = build.complete
    usual = ("PORTS", "DATA_W", "ROWS", "DESCRIPTORS")
    more = "".join(f", {name} = {value}" for name, value in build.parameters.items() if name not in usual)
    per_port = f"{build.storage / 1024:g} KiB and {all_of['DESCRIPTORS']} frames per port"
    return f"{all_of['PORTS']} ports x {all_of['DATA_W']} bit, {per_port}, {family}{more}"


def build_options(description: str | None) -> argparse.ArgumentParser:
    """Return a command line that names a build and the module of it that is looked at."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=USUAL, metavar="GROUP:NAME", help=f"of builds.toml; {USUAL}")
    parser.add_argument("--set", nargs="+", default=[], metavar="PARAMETER=VALUE", help="that differ from the build's")
    parser.add_argument("--top", default="truemark")
    parser.add_argument("--rtl", type=Path, default=RTL)
    return parser


def main() -> None:
    """Print the area of one build."""
    parser = build_options(__doc__)
    parser.add_argument("--family", default="xc7", choices=["xc7", "xcu", "xcup"])
    parser.add_argument("--stages", action="store_true")
    parser.add_argument("--record", action="store_true", help="put it into results/")
    options = parser.parse_args()
    build = chosen(options.build, options.set)
    name = options.build.removeprefix("area:")
    usual = not options.set and options.rtl == RTL and options.top == "truemark"
    if options.record and not (usual and MEASURED.get(name) == options.family):
        parser.error(f"--record: {options.build} as it is asked for has no row; these have: {', '.join(MEASURED)}")
    console = Console()
    started = time.monotonic()
    table = new_table(describe(build, options.family))
    area = synthesize(build, family=options.family, rtl=options.rtl, top=options.top)
    table.add_row(*row(options.top, area))
    console.print(table, f"{time.monotonic() - started:.0f} s")
    if options.record:
        command = f"python -m sim.bench.area {options.build} --record"
        figures = area.figures(f"area.{options.family}.{name}") | added(name, area)
        record("bench", bars.recorded(figures, **taken(command)))
    if options.stages:
        console.print(stage_table(build, family=options.family, rtl=options.rtl)[0])


if __name__ == "__main__":
    main()
