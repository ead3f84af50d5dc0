# SPDX-License-Identifier: BSD-3-Clause
"""truemark.v, the design as one file of plain Verilog, in Icarus Verilog."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from truemark_dev.builds import builds
from truemark_dev.release import release

BENCH = Path(__file__).with_name("release_bench.v")


def icarus(source: Path) -> str:
    """Run the bench on a file in Icarus Verilog, which takes Verilog of 2005 here; return what it says."""
    program = source.with_name("bench")
    subprocess.run(["iverilog", "-g2005", "-s", BENCH.stem, "-o", program, source, BENCH], check=True)
    done = subprocess.run(["vvp", "-n", program], capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


def test_in_icarus(tmp_path: Path) -> None:
    if shutil.which("iverilog") is None:
        assert os.environ.get("TRUEMARK_ICARUS") != "required", "iverilog is missing"
        pytest.skip("ICARUS: NOT RUN: iverilog is missing: apt-get install iverilog")
    source = release(builds("lint")["plain"], tmp_path / "truemark.v")
    text = source.read_text()
    assert 'ram_style = "block"' in text
    assert "MAX_FRAME = 9216" in text
    assert "RIGHT: " in icarus(source)
    broken = text.replace("assign between = valid_q ?", "assign between = !valid_q ?")
    assert broken != text
    source.write_text(broken)
    assert "RIGHT: " not in icarus(source)
