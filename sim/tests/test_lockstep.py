# SPDX-License-Identifier: BSD-3-Clause
"""Random frames through RTL and golden model, cycle by cycle: half of what `make lockstep-short` runs, as tests."""

import os
import subprocess

import pytest
from truemark_dev import build, builds
from truemark_dev.marks import of_builds
from truemark_dev.mutants import RTL
from truemark_dev.paths import ROOT
from truemark_dev.runner import seed
from truemark_dev.sources import waves

from sim.lockstep.mutants import FAULTS

FRAMES = 100_000


# All laws, and a pool; the rest are slow.
EVERY_DAY = ("short:full512", "short:pool512")


@pytest.mark.parametrize("target", of_builds(builds.targets(["lockstep-short"]), EVERY_DAY))
def test_model_and_rtl_agree(target: str) -> None:
    (program,) = build.make(target, quiet=True)
    command = [str(program), "--frames", str(FRAMES), "--seed", str(seed())]
    wave = {"TRUEMARK_WAVES": str(program.with_suffix(".vcd"))} if waves() else {}
    result = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | wave,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(result.stdout)
    assert result.returncode == 0, f"{target}: a difference, or a floor that was missed"


def test_every_fault_says_what_the_rtl_says() -> None:
    """`make lockstep-mutants` takes too long for every day: that its texts are still there is seen here."""
    for fault in FAULTS:
        fault.mutant().broken((RTL / fault.file).read_text())
