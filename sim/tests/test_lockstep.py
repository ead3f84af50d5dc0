# SPDX-License-Identifier: BSD-3-Clause
"""10^6 random frames through RTL and golden model, cycle by cycle: what `make lockstep-short` runs, as tests."""

import os
import subprocess

import pytest
from truemark_dev.paths import ROOT
from truemark_dev.runner import seed
from truemark_dev.verilate import waves

BUILDS = ("ls512", "ls256", "ls64", "ls128", "full512")  # LOCKSTEP_SHORT of sim/build.mk
FRAMES = 200_000


@pytest.mark.parametrize("build", BUILDS)
def test_model_and_rtl_agree(build: str) -> None:
    folder = ROOT / "build" / "sim" / ("lockstep-waves" if waves() else "lockstep") / build
    command = [str(folder / "lockstep"), "--frames", str(FRAMES), "--seed", str(seed())]
    wave = {"TRUEMARK_WAVES": str(folder / "lockstep.vcd")} if waves() else {}
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
    assert result.returncode == 0, f"{build}: a difference, or a floor that was missed"


def test_every_short_build_is_run() -> None:
    listed = next(
        line.split(":=")[1].split()
        for line in (ROOT / "sim/build.mk").read_text().splitlines()
        if line.startswith("LOCKSTEP_SHORT")
    )
    assert tuple(listed) == BUILDS
