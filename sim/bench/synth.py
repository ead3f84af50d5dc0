# SPDX-License-Identifier: BSD-3-Clause
"""What the shipped configurations take of the boards they are for, in open synthesis: `make synth`.

    python sim/bench/synth.py                   every configuration; writes build/synth.json; an hour on two cores
    python sim/bench/synth.py --only sume       those whose name begins so, or the one of this name
    python sim/bench/synth.py --modules         also by module and by port (a second run, with the hierarchy kept)

The top is NetFPGA's `output_queues`, registers and clock crossing included; Yosys `synth_xilinx`, nothing placed. What
stands around it on the board is not counted: on a SUME about 39,000 LUT and 180 of 1470 block RAMs.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from rich.console import Console
from rich.table import Table

from cocotb_tests.verilate import ROOT
from sim.bench.area import Area, new_table, row, statistics

OUT = ROOT / "build/synth.json"
TOP = "output_queues"


@dataclass(frozen=True)
class Part:
    """What a board's FPGA has; block RAM in halves of 18 kbit."""

    name: str
    lut: int
    ff: int
    bram: int
    uram: int
    dsp: int

    def holds(self, area: Area) -> list[str]:
        """Return what of it an area exceeds."""
        kinds = {"LUT": "lut", "FF": "ff", "RAMB18": "bram", "URAM": "uram", "DSP": "dsp"}
        return [kind for kind, name in kinds.items() if getattr(area, name) > getattr(self, name)]


BOARDS = {
    "sume": Part("xc7vx690t", 433_200, 866_400, 2940, 0, 3600),
    "au200": Part("xcu200", 1_182_240, 2_364_480, 4320, 960, 6840),
    "vcu1525": Part("xcvu9p", 1_182_240, 2_364_480, 4320, 960, 6840),
    "au250": Part("xcu250", 1_728_000, 3_456_000, 5376, 1280, 12288),
    "au280": Part("xcu280", 1_303_680, 2_607_360, 4032, 960, 9024),
}
PLUS = tuple(name for name in BOARDS if name != "sume")
FULL = {"FLAGS_VERDICT": 1, "RED": 1, "CODEL": 1}
# The modules' defaults hold `shallow`; these rows and descriptors hold `deep` whatever the frames (docs/buffer.md).
DEEP = {256: {"ROWS": 112177, "DESCRIPTORS": 40501}, 512: {"ROWS": 74773, "DESCRIPTORS": 40501, "ULTRA": 1}}
WIDE = {"C_S_AXIS_DATA_WIDTH": 1024, "C_M_AXIS_DATA_WIDTH": 1024}


@dataclass(frozen=True)
class Shipped:
    """A configuration of the drop-in and the boards it is for."""

    name: str
    listing: str
    family: str
    ports: int
    parameters: dict[str, int]
    boards: tuple[str, ...]

    def statistics(self, *, flatten: bool) -> dict[str, dict[str, int]]:
        """Synthesize it."""
        return statistics(ROOT / self.listing, TOP, self.parameters, self.family, flatten=flatten)


def sume(name: str, parameters: dict[str, int]) -> Shipped:
    """Return a configuration of NetFPGA-SUME."""
    return Shipped(f"sume-{name}", "rtl/netfpga/sume.f", "xc7", 5, parameters, ("sume",))


def plus(name: str, parameters: dict[str, int]) -> Shipped:
    """Return a configuration of NetFPGA-PLUS."""
    return Shipped(f"plus-{name}", "rtl/netfpga/plus.f", "xcup", 3, parameters, PLUS)


SHIPPED = (
    sume("shallow", {}),
    sume("shallow-full", FULL),
    sume("deep", DEEP[256]),
    plus("512-shallow", {}),
    plus("1024-shallow", WIDE),
    plus("1024-shallow-full", WIDE | FULL),
    plus("512-deep", DEEP[512]),
)


def by_module(found: dict[str, dict[str, int]]) -> tuple[dict[str, Area], dict[str, Area]]:
    """Return the areas of a run with its hierarchy kept, by module and by port."""
    modules: dict[str, Area] = defaultdict(Area)
    ports: dict[str, Area] = defaultdict(Area)
    for name, cells in found.items():
        area = Area.of(cells)
        modules[name.split("$")[0]] += area
        port = re.search(r"core\.\w*port\w*\[(\d+)\]", name)
        ports[f"port {port[1]}" if port else "shared"] += area
    return dict(modules), dict(ports)


def fits(shipped: Shipped, area: Area) -> str:
    """Say which boards have room."""
    said = []
    for board in shipped.boards:
        lacks = BOARDS[board].holds(area)
        said.append(f"{board}: {'too much ' + ', '.join(lacks) if lacks else 'yes'}")
    return "; ".join(said)


def module_tables(shipped: Shipped) -> list[Table]:
    """Return the tables by module and by port."""
    tables = []
    for title, areas in zip(("module", "port"), by_module(shipped.statistics(flatten=False)), strict=True):
        table = new_table(f"{shipped.name} by {title}, hierarchy kept")
        for name, area in sorted(areas.items()):
            if area != Area():
                table.add_row(*row(name, area))
        tables.append(table)
    return tables


def main() -> int:
    """Synthesize, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="this one, or those whose names begin so")
    parser.add_argument("--modules", action="store_true", help="also by module and by port")
    options = parser.parse_args()
    named = [each for each in SHIPPED if each.name == options.only]
    chosen = named or [each for each in SHIPPED if each.name.startswith(options.only)]
    if not chosen:
        print(f"synth: no configuration {options.only!r}; there are {', '.join(each.name for each in SHIPPED)}")
        return 1
    console = Console(width=150)
    known: dict[str, object] = json.loads(OUT.read_text()) if OUT.is_file() else {}
    for shipped in chosen:
        started = time.monotonic()
        (cells,) = (cells for name, cells in shipped.statistics(flatten=True).items() if name == TOP)
        area = Area.of(cells)
        table = new_table(f"{shipped.name}: {shipped.ports} ports, {shipped.parameters}")
        table.add_row("all", *row("", area)[1:])
        each = Area(**{name: value // shipped.ports for name, value in asdict(area).items()})
        table.add_row("divided by ports", *row("", each)[1:])
        console.print(table, fits(shipped, area), f"{time.monotonic() - started:.0f} s")
        known[shipped.name] = {**asdict(area), "lut": area.lut, "fits": fits(shipped, area)}
        OUT.parent.mkdir(exist_ok=True)
        OUT.write_text(json.dumps(known, indent=1) + "\n")
        for each_table in module_tables(shipped) if options.modules else []:
            console.print(each_table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
