# SPDX-License-Identifier: BSD-3-Clause
"""Writes `truemark_axis`, Truemark with one AXI4-Stream for each port, and its IP-XACT component.

    python -m truemark_dev.axis --ports 4 [--folder build/axis]

SystemVerilog can declare an array of streams, but not `m00_axis_*`, `m01_axis_*`, by which block designs and benches
know them. So the wrapper is generated, for any number of ports; rtl/truemark_axis.v is the one for four. It is plain
Verilog, since Vivado takes nothing else as the top of a module in a block design.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import tempfile
from pathlib import Path

from peakrdl_ipxact import IPXACTExporter

from truemark_dev.paths import BUILD
from truemark_dev.vocabulary import package, registers, top
from truemark_dev.vocabulary.generate import rendered


def wrapper(ports: int) -> str:
    """Return the Verilog."""
    return rendered("truemark_axis.v.j2", top.one_stream_each(top.read(package.read()), ports))


def component(ports: int) -> str:
    """Return the IP-XACT component (IEEE 1685-2014): streams, AXI4-Lite, parameters, and PeakRDL's map of registers."""
    pkg = package.read()
    given = top.one_stream_each(top.read(pkg), ports)
    maps = memory_maps(registers.read(pkg), given["top"].version)
    name = re.search(r"<ipxact:name>(\w+)</ipxact:name>", maps)
    own = {"memory_maps": maps, "memory": name[1] if name else ""}
    return rendered("truemark_axis.xml.j2", given | own)


def memory_maps(regs: registers.Map, version: str) -> str:
    """Return the element that PeakRDL writes, without its note that NetFPGA's words are not ours to describe."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        path = Path(folder) / "registers.xml"
        IPXACTExporter(vendor="truemark", library="truemark", version=version).export(regs.top, str(path))
        text = path.read_text()
    return text[text.index("  <ipxact:memoryMaps>") : text.index("</ipxact:component>")].rstrip()


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ports", type=int, required=True, choices=range(1, top.MOST + 1), metavar=f"1..{top.MOST}")
    parser.add_argument("--folder", type=Path, default=BUILD / "axis")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("truemark_axis.v", wrapper(given.ports)), ("truemark_axis.xml", component(given.ports))):
        (given.folder / name).write_text(text)
        print(f"wrote {given.folder / name}")


if __name__ == "__main__":
    main()
