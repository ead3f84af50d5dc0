# SPDX-License-Identifier: BSD-3-Clause
"""What the modules of a configuration take, those that all ports share and those of one port.

Every port is built alike, which is checked, cell by cell, before anything is synthesized: so only port 0 is, and the
others are left as boxes. Modules below the ones that wire the stages are kept apart; what is below those is flattened
into them.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sim.bench.area import Area, cells_after, read

# These hold next to no logic: what they wire is shown, not they.
WIRING = {
    "output_queues",
    "tm_netfpga_dropin",
    "tm_netfpga_queues",
    "truemark",
    "tm_core",
    "tm_laws",
    "tm_control",
    "tm_views",
    "tm_port",
    "tm_admit",
    "tm_egress",
}
OF_A_PORT = re.compile(r"(\.gen_(?:port|pacer))\[(\d+)\]")

Cells = Mapping[str, int]


@dataclass
class Parts:
    """Areas by module: of what is there once, and of one port."""

    shared: dict[str, Area] = field(default_factory=lambda: defaultdict(Area))
    port: dict[str, Area] = field(default_factory=lambda: defaultdict(Area))

    def total(self, ports: int) -> Area:
        """Return the whole, each port as port 0."""
        all_shared, one = sum(self.shared.values(), Area()), sum(self.port.values(), Area())
        return sum([one] * ports, all_shared)


def port_of(name: str) -> int | None:
    """Return which port an instance belongs to; None if to all."""
    found = OF_A_PORT.search(name)
    return int(found[2]) if found else None


def check_alike(modules: Mapping[str, Cells]) -> None:
    """Fail unless what belongs to any port has the same cells as what belongs to port 0."""
    bare = {
        name: Counter({kind.split("$")[0] or kind: count for kind, count in cells.items()})
        for name, cells in modules.items()
    }
    for name, cells in bare.items():
        twin = OF_A_PORT.sub(r"\1[0]", name, count=1)
        if bare.get(twin) != cells:
            raise ValueError(f"{name} is not built as {twin}: a port cannot stand for the others")


def kept(modules: Mapping[str, Cells]) -> list[str]:
    """Return the instances that are not flattened: those that the wiring holds, and a port's own."""
    kinds = {path: module for module, path in (name.split("$") for name in modules if "$" in name)}
    top = next(name for name in modules if "$" not in name)
    chosen = []
    for path, module in kinds.items():
        parent, _, instance = path.rpartition(".")
        while parent not in kinds and parent != top:  # the names of generate blocks
            parent, _, scope = parent.rpartition(".")
            instance = f"{scope}.{instance}"
        wired = kinds.get(parent, parent) in WIRING and module not in WIRING
        if wired or OF_A_PORT.match(f".{instance}"):
            chosen.append(f"{module}${path}")
    return chosen


def parts(listing: Path, top: str, parameters: Mapping[str, int], family: str) -> Parts:
    """Synthesize what is shared, and port 0."""
    reading = read(listing, top, parameters, flatten=False)
    with tempfile.TemporaryDirectory() as folder:
        modules = cells_after([reading], Path(folder))
        check_alike(modules)
        boxes = [name for name in modules if port_of(name)]
        passes = [
            reading,
            f"blackbox {_names(boxes)}",
            "setattr -mod -unset keep_hierarchy *",
            f"setattr -mod -set keep_hierarchy 1 {_names(kept(modules))}",
            f"hierarchy -top {top}",
            "chformal -remove",
            f"synth_xilinx -family {family} -flatten -noiopad -noclkbuf -top {top}",
        ]
        found = Parts()
        for name, cells in cells_after(passes, Path(folder)).items():
            (found.shared if port_of(name) is None else found.port)[name.split("$")[0]] += Area.of(cells)
        return found


def _names(names: list[str]) -> str:
    return " ".join("\\" + re.sub(r"([\[\]])", r"\\\1", name) for name in names)
