# SPDX-License-Identifier: BSD-3-Clause
"""What a run of `make timing` comes to: each build's clock with its bar and its peer's, the ends of its longest path.

A peer is routed only where its tree is at hand; in any other run the table takes its last recorded clock, and says of
which day and commit that is.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence

from rich.table import Table
from truemark_dev.results import Figure, figure

from sim.bench import bars

# What Yosys adds to a net's name for the cell or the net behind it.
CELL = re.compile(r"_(?:TRELLIS_|LUT4|CCU2C|PFUMX|L6MUX|DP16KD|DPR16X|MULT).*")


def key(build: str) -> str:
    """Return the key of a build's clock in build/bench.json."""
    return f"timing.ecp5.{build}.mhz"


def median(each: Sequence[float]) -> float:
    """Return the clock of a build by those of its seeds: one of them, as each has its path."""
    return statistics.median_low(each)


def ends(path: Sequence[str]) -> str:
    """Return the first and the last net of a path by the names of the design; of a single net, what drives it, too."""
    names = [(hop.split()[0], hop.split()[-1]) for hop in path]
    nets = [name for kind, name in names if kind == "routing"] or [name for _, name in names]
    first = names[0][1] if len(nets) == 1 else nets[0] if nets else ""
    both = [CELL.sub("", name.removeprefix("dut.")) for name in (first, *nets[-1:])]
    return " → ".join(dict.fromkeys(filter(None, both)))


def table(placed: Mapping[str, Sequence[float]], recorded: Mapping[str, Figure]) -> Table:
    """Return the clocks of a run, by build those of its seeds, next to bars and peers."""
    lines = Table(title="Placed clocks, MHz: the median of the seeds", title_justify="left")
    for column, justify in (("", "left"), ("ours", "right"), ("seeds", "left"), ("bar", "right")):
        lines.add_column(column, justify="right" if justify == "right" else "left")
    for column in ("", "peer", "of"):
        lines.add_column(column)
    for build, each in placed.items():
        row, found = bars.row_of(key(build)), median(each)
        bar = None if row is None else row.bar
        verdict = "" if row is None or bar is None else "missed" if row.missed({key(build): found}) else "ok"
        said, of = ("-", "") if row is None else _peer(row, placed, recorded)
        seeds = ", ".join(f"{mhz:.1f}" for mhz in each)
        lines.add_row(build, f"{found:.2f}", seeds, "" if bar is None else f"≥ {bar:g}", verdict, said, of)
    return lines


def last(row: bars.Row, recorded: Mapping[str, Figure]) -> tuple[str, str]:
    """Return the clock of a row's peer as it was last recorded, with its day and commit."""
    its = bars.row_of(row.peer)
    found = None if its is None else recorded.get(its.figure_key())
    if found is None:
        return "not measured", ""
    return figure(found.key, recorded), f"{found.date}, {found.commit or 'unknown commit'}"


def _peer(row: bars.Row, placed: Mapping[str, Sequence[float]], recorded: Mapping[str, Figure]) -> tuple[str, str]:
    """Return the clock of a row's peer and where it comes from: this run, or else results/."""
    if row.peer == "-":
        return "-", ""
    for build, each in placed.items():
        if key(build) == row.peer:
            return f"{median(each):.2f}", "this run"
    return last(row, recorded)
