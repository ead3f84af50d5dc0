# SPDX-License-Identifier: BSD-3-Clause
"""A folder with a `vivado` that is sim/netfpga/vivado_recorder.tcl, and what that recorder takes to exist."""

from __future__ import annotations

import os
import re
from pathlib import Path

from cocotb_tests.netfpga.test_crossings import HELD, LEVEL
from constraints.netfpga.swap import FAMILIES

from truemark_dev.paths import ROOT

RECORDER = ROOT / "sim/netfpga/vivado_recorder.tcl"
PARTS = {board: (family, part) for family in FAMILIES for board, part in family.parts.items()}
DIES = {"sume": 1, "au200": 3, "vcu1525": 3, "au280": 3, "au250": 4}  # a part of one die has no region of that name
# Properties by what has them, of those that UG835 and UG1118 name.
CORE = (
    "name library vendor version display_name description taxonomy supported_families vendor_display_name company_url"
)
PARAMETER = "value value_format value_resolve_type display_name"
FILE = "SCOPED_TO_REF PROCESSING_ORDER generate_synth_checkpoint is_enabled"


def registers() -> set[str]:
    """Return the registers at which the clocks may meet, as crossing/instance/register, if the RTL has them."""
    crossing = (ROOT / "rtl/netfpga/tm_axil_crossing.sv").read_text()
    found = set()
    for name in re.findall(r"\w+", LEVEL.pattern.split("(")[1].split(")")[0]):
        assert re.search(rf"\b{name}_sync \(", crossing), f"no {name}_sync"
        found.add(f"crossing/{name}_sync/level_q")
    for name in re.findall(r"\w+_q", HELD.pattern):
        assert re.search(rf"\b{name} <=", crossing), f"no {name}"
        found.add(f"crossing/{name}")
    return found


def facts(board: str, slack: float = 0.1) -> str:
    """Return what exists as a Tcl dictionary."""
    dies = DIES[board] if DIES[board] > 1 else 0
    words = {
        "parts": [PARTS[board][1]],
        "regions": [f"SLR{index}" for index in range(dies)],
        "cells": sorted(registers()),
        "modules": sorted(path.stem for path in (ROOT / "rtl/netfpga").glob("*.sv")),
        "core_properties": [CORE],
        "parameter_properties": [PARAMETER],
        "file_properties": [FILE],
        "slack": [str(slack)],
    }
    return " ".join(f"{kind} {{{' '.join(names)}}}" for kind, names in words.items())


def install(folder: Path, board: str, release: str = "2023.2", slack: float = 0.1) -> dict[str, str]:
    """Put a `vivado` into a folder laid out as Xilinx's; return the environment in which it is found."""
    program = folder / f"Vivado/{release}/bin/vivado"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec tclsh "{RECORDER}" "$@"\n')
    program.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "RECORDER_FACTS": facts(board, slack),
        "RECORDER_VERSION": release,
    }
