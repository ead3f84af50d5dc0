# SPDX-License-Identifier: BSD-3-Clause
"""Stages are joined by structs: no module grows a list of loose wires again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from truemark_dev.lint import files

MOST = 30  # ports of a module
FEWER = {"tm_port": 23}
# Their ports are AXI's and NetFPGA's: one name for each signal.
OUTSIDE = {"truemark", "truemark_pfc", "output_queues", "tm_reference_switch", "tm_netfpga_dropin"}
MODULES = [path for path in files("rtl/*.sv") if not path.stem.endswith("_pkg")]


def ports(path: Path) -> int:
    """Return how many ports a module's header declares."""
    code = re.sub(r"//[^\n]*", "", path.read_text())
    header = code[code.index("module ") : code.index("\n);")]
    return len(re.findall(r"\b(?:input|output|inout)\b", header))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_ports(path: Path) -> None:
    most = FEWER.get(path.stem, MOST)
    assert path.stem in OUTSIDE or ports(path) <= most, f"{ports(path)} ports, {most} at the most: join them by structs"


def test_exceptions_are_needed() -> None:
    above = {path.stem for path in MODULES if ports(path) > MOST}
    assert above == OUTSIDE, "an exception that is not needed, or a module without one"
