# SPDX-License-Identifier: BSD-3-Clause
"""truemark.v, the design as one file of plain Verilog, in Icarus Verilog."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from truemark_dev.builds import builds
from truemark_dev.marks import slow
from truemark_dev.release import release
from truemark_dev.runner import run_released

from cocotb_tests.top import test_scenarios

BENCH = Path(__file__).with_name("release_bench.v")


def icarus(source: Path) -> str:
    """Run the bench on a file in Icarus Verilog, which takes Verilog of 2005 here; return what it says."""
    program = source.with_name("bench")
    subprocess.run(["iverilog", "-g2005", "-s", BENCH.stem, "-o", program, source, BENCH], check=True)
    done = subprocess.run(["vvp", "-n", program], capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


@pytest.fixture(autouse=True)
def _icarus() -> None:
    if shutil.which("iverilog") is None:
        assert os.environ.get("TRUEMARK_ICARUS") != "required", "iverilog is missing"
        pytest.skip("ICARUS: NOT RUN: iverilog is missing: apt-get install iverilog")


@pytest.mark.parametrize("scenario", slow("first_light", "sojourn"))
def test_scenario_in_icarus(tmp_path: Path, scenario: str) -> None:
    """The scenarios of the top, as in Verilator, except for the long ones: Icarus takes a hundred times as long."""
    build = replace(builds("lint")["plain"], parameters=test_scenarios.PARAMETERS)
    run_released(release(build, tmp_path / "truemark.v"), test_scenarios.__name__, scenario)


def test_in_icarus(tmp_path: Path) -> None:
    source = release(builds("lint")["plain"], tmp_path / "truemark.v")
    text = source.read_text()
    assert 'ram_style = "block"' in text
    assert "MAX_FRAME = 9216" in text
    assert "RIGHT: " in icarus(source)
    broken = text.replace("assign row_is_last = first ?", "assign row_is_last = !first ?")
    assert broken != text
    source.write_text(broken)
    assert "RIGHT: " not in icarus(source)
