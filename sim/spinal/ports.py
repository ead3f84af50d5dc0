# SPDX-License-Identifier: BSD-3-Clause
"""The ports, parameters and verdict event of truemark as the SystemVerilog has them, to hold the Scala against.

Yosys elaborates the head of `rtl/truemark.sv`, the module without its body: so widths are what the SystemVerilog makes
of the parameters, and nothing here computes any.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from truemark_dev import build_type, builds, yosys
from truemark_dev.paths import ROOT

# The builds of the instances that the SpinalHDL side emits, by the emitted file's name: Emit.rings, Emit.pool.
BUILDS = {
    "spinal_truemark": dict(builds.build("spinal", "rings").parameters),
    "spinal_truemark_pool": dict(builds.build("spinal", "pool").parameters),
}
EVENT = "event_t"


def head() -> str:
    """Return the module without its body."""
    text = build_type.expanded(ROOT / "rtl" / "truemark.sv")
    return text[: re.search(r"^\);$", text, re.MULTILINE).end()] + "\nendmodule\n"  # type: ignore[union-attr]


def event_fields() -> list[str]:
    """Return the names of the verdict event's fields, the highest first."""
    package = (ROOT / "rtl" / "tm_pkg.sv").read_text()
    body = re.search(rf"typedef struct packed \{{([^}}]*)\}} {EVENT};", package)
    if body is None:
        raise ValueError(f"rtl/tm_pkg.sv has no packed struct {EVENT}")
    return re.findall(r"(\w+)\s*;", re.sub(r"//[^\n]*", "", body[1]))


def elaborate(top: str, text: str, generics: dict[str, int]) -> dict[str, Any]:
    """Return what Yosys says of a module."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tm_pkg.sv").write_text((ROOT / "rtl" / "tm_pkg.sv").read_text())
        (folder / "top.sv").write_text(text)
        given = " ".join(f"-G {key}={value}" for key, value in generics.items())
        passes = [f"read_slang --top {top} {given} tm_pkg.sv top.sv", "write_json top.json"]
        yosys.run(passes, folder=folder, log=folder / "yosys.log")
        modules: dict[str, Any] = json.loads((folder / "top.json").read_text())["modules"]
    return next(module for key, module in modules.items() if key.lstrip("\\").startswith(top))


def defaults() -> dict[str, int]:
    """Return the parameters in their order, with their defaults."""
    listed = re.findall(r"^\s*parameter\s+(?:int unsigned|bit)\s+(\w+)\s*=\s*(?:\d+'b)?(\d+)", head(), re.MULTILINE)
    return {name: int(value) for name, value in listed}


def ports(build: dict[str, int]) -> dict[str, tuple[str, int]]:
    """Return direction and width of each port of `truemark` in a build, by name."""
    found = elaborate("truemark", head(), build)["ports"]
    return {name: (port["direction"], len(port["bits"])) for name, port in found.items()}


def event() -> dict[str, int]:
    """Return the width of each field of the verdict event, the highest first."""
    names = event_fields()
    wires = ",\n".join(f"output logic [$bits(probe.{name})-1:0] {name}" for name in names)
    # A port cannot look at a later one: the struct comes first.
    probe = f"module event_probe import tm_pkg::*; (input {EVENT} probe,\n{wires}); endmodule\n"
    found = elaborate("event_probe", probe, {})["ports"]
    return {name: len(found[name]["bits"]) for name in names}
