# SPDX-License-Identifier: BSD-3-Clause
"""What the shipped configurations take of the boards they are for, in open synthesis: `make synth`.

    python -m sim.bench.synth                   every configuration, flat, into results/; an hour on two cores
    python -m sim.bench.synth --only sume       those whose name begins so, or the one of this name
    python -m sim.bench.synth --modules         instead by module and by port, with the hierarchy kept (synth_parts.py)

The top is NetFPGA's `output_queues`, registers and clock crossing included; Yosys `synth_xilinx`, nothing placed. What
stands around it on the board is not counted: on a SUME about 39,000 LUT and 180 of 1470 block RAMs.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, dataclass, replace

from rich.console import Console
from rich.table import Table
from truemark_dev.builds import Build, builds
from truemark_dev.paths import ROOT
from truemark_dev.results import Figure, Scalar, record, slug, taken

from sim.bench.area import Area, new_table, row, statistics
from sim.bench.synth_parts import Parts, parts


@dataclass(frozen=True)
class Part:
    """What a board's FPGA has, all of its dies together; block RAM in halves of 18 kbit."""

    name: str
    lut: int
    ff: int
    bram: int
    uram: int
    dsp: int
    dies: int = 1

    def lacks(self, area: Area) -> list[str]:
        """Return what an area has too much of for one die: constraints/netfpga/boards keep the queues in one."""
        kinds = {"LUT": "lut", "FF": "ff", "RAMB18": "bram", "URAM": "uram", "DSP": "dsp"}
        return [kind for kind, name in kinds.items() if getattr(area, name) > getattr(self, name) // self.dies]


BOARDS = {
    "sume": Part("xc7vx690t", 433_200, 866_400, 2940, 0, 3600),
    "au200": Part("xcu200", 1_182_240, 2_364_480, 4320, 960, 6840, dies=3),
    "vcu1525": Part("xcvu9p", 1_182_240, 2_364_480, 4320, 960, 6840, dies=3),
    "au250": Part("xcu250", 1_728_000, 3_456_000, 5376, 1280, 12288, dies=4),
    "au280": Part("xcu280", 1_303_680, 2_607_360, 4032, 960, 9024, dies=3),
}
PLUS = tuple(name for name in BOARDS if name != "sume")
# What of a synthesis stands in results/.
COLUMNS = {"LUT": "lut", "FF": "ff", "RAMB18": "bram", "URAM": "uram", "DSP": "dsp"}
# By the list of files: the family, the ports, and the boards it is for.
FOR = {
    "rtl/netfpga/sume.f": ("xc7", 5, ("sume",)),
    "rtl/netfpga/plus.f": ("xcup", 3, PLUS),
}


@dataclass(frozen=True)
class Shipped:
    """A configuration of the drop-in and the boards it is for."""

    build: Build
    family: str
    ports: int
    boards: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return its name in builds.toml."""
        return self.build.name


SHIPPED = tuple(Shipped(build, *FOR[build.listing]) for build in builds("synth").values())


def fits(shipped: Shipped, area: Area) -> str:
    """Say which boards have room, in one die."""
    said = []
    for board in shipped.boards:
        lacks = BOARDS[board].lacks(area)
        said.append(f"{board}: {'too much ' + ', '.join(lacks) if lacks else 'yes'}")
    return "; ".join(said)


def parts_tables(name: str, found: Parts, ports: int) -> list[Table]:
    """Return the tables of what is there once, and of one port."""
    tables = []
    for title, areas in (("shared", found.shared), (f"one port of {ports}", found.port)):
        table = new_table(f"{name}, {title}, hierarchy kept")
        for module, area in sorted(areas.items()):
            if area != Area():
                table.add_row(*row(module, area))
        table.add_section()
        table.add_row(*row("all", sum(areas.values(), Area())), style="bold")
        tables.append(table)
    return tables


def columns(area: Area) -> dict[str, int]:
    """Return what of an area stands in results/."""
    return {name: value for name, key in COLUMNS.items() if (value := getattr(area, key))}


def flat(shipped: Shipped, console: Console) -> list[Figure]:
    """Synthesize a configuration whole, print, return its figure."""
    build = shipped.build
    found = statistics(ROOT / build.listing, build.module, build.parameters, shipped.family, flatten=True)
    (area,) = (Area.of(cells) for name, cells in found.items() if name == build.module)
    table = new_table(f"{shipped.name}: {shipped.ports} ports, {dict(build.parameters)}")
    table.add_row("all", *row("", area)[1:])
    each = Area(**{name: value // shipped.ports for name, value in asdict(area).items()})
    table.add_row("divided by ports", *row("", each)[1:])
    console.print(table, fits(shipped, area))
    value: dict[str, Scalar] = {**columns(area), "fits": fits(shipped, area)}
    return [Figure(f"dropin.{shipped.name}", f"`{shipped.name}`", value, command=f"make synth ONLY={shipped.name}")]


def by_part(shipped: Shipped, console: Console) -> list[Figure]:
    """Synthesize a configuration with its hierarchy kept, print, return a figure for each module."""
    build = shipped.build
    found = parts(ROOT / build.listing, build.module, build.parameters, shipped.family)
    console.print(*parts_tables(shipped.name, found, shipped.ports))
    whole = found.total(shipped.ports)
    console.print(f"{shipped.ports} such ports and what they share: {whole.lut:,} LUT; {fits(shipped, whole)}")
    return part_figures(shipped.name, found)


def part_figures(name: str, found: Parts) -> list[Figure]:
    """Return a figure for each module of a configuration, and the sums."""
    figures, command = [], f"make synth MODULES=1 ONLY={name}"
    for kind, areas in (("one port", found.port), ("once", found.shared)):
        rows = {f"`{module}`": area for module, area in sorted(areas.items()) if area != Area()}
        for title, area in (rows | {"**all**": sum(areas.values(), Area())}).items():
            key = f"parts-{name}.{slug(kind)}-{title.strip('*`')}"
            figures.append(Figure(key, f"{kind}: {title}", columns(area), command=command))
    return figures


def main() -> int:
    """Synthesize, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="this one, or those whose names begin so")
    parser.add_argument("--modules", action="store_true", help="by module and by port")
    options = parser.parse_args()
    named = [each for each in SHIPPED if each.name == options.only]
    chosen = named or [each for each in SHIPPED if each.name.startswith(options.only)]
    if not chosen:
        print(f"synth: no configuration {options.only!r}; there are {', '.join(each.name for each in SHIPPED)}")
        return 1
    console = Console(width=150)
    clone = taken("make synth")  # before anything is recorded: that changes the clone
    for shipped in chosen:
        started = time.monotonic()
        figures = by_part(shipped, console) if options.modules else flat(shipped, console)
        console.print(f"{time.monotonic() - started:.0f} s")
        record("synth", [replace(each, **clone | {"command": each.command}) for each in figures])
    return 0


if __name__ == "__main__":
    sys.exit(main())
