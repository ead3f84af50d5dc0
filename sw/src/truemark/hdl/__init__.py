# SPDX-License-Identifier: BSD-3-Clause
"""Truemark's RTL for designs written in Python: `truemark.hdl.amaranth` and `truemark.hdl.litex`.

Each needs its framework, which is not installed with `truemark`; docs/integrate.md shows both.
"""

from __future__ import annotations

import re
from pathlib import Path

from truemark.errors import TruemarkError


def file_list() -> Path:
    """Return truemark.f of the RTL that is installed with the package, for `-F`; in a clone its rtl/truemark.f."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package, package.parents[2]):
        if (found := folder / "rtl/truemark.f").exists():
            return found
    raise TruemarkError(f"{package}/rtl: the RTL is missing; install a release's wheel again")


def sources(rtl: Path) -> list[Path]:
    """Return the files of a folder `rtl` in the order in which tools read them: its truemark.f."""
    lines = (rtl / "truemark.f").read_text().splitlines()
    return [rtl / line for line in map(str.strip, lines) if line and not line.startswith(("+", "-", "//"))]


def lines_of(ports: int, parameters: dict[str, int]) -> int:
    """Return the outputs of an instance; raise ValueError for parameters that a module in Python cannot have."""
    queues = parameters.get("QUEUES", 1)
    if queues < 1 or ports % queues:
        raise ValueError(f"ports is {ports}: not a multiple of QUEUES, which is {queues}")
    if parameters.get("PFC"):
        raise ValueError("PFC is 1: s_axis_tid, pfc_pause_i and pfc_xoff_o are not connected here; instantiate the RTL")
    return ports // queues


def expanded(source: Path, rtl: Path) -> str:
    """Return a source with what it includes in place, for build systems that know no include folders."""
    return re.sub(r'(?m)^[ \t]*`include "(.+)"$', lambda at: (rtl / at[1]).read_text(), source.read_text())
