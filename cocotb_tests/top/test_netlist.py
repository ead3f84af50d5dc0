# SPDX-License-Identifier: BSD-3-Clause
"""The netlist that Yosys makes of truemark, in the place of its sources: synthesis changes nothing a scenario sees.

Memories stay arrays; everything else is mapped to gates and flip-flops.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from truemark_dev import build_type, yosys
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test
from truemark_dev.sources import file_list
from truemark_dev.verilate import BUILD

from cocotb_tests.top import test_scenarios

SCENARIOS = "cocotb_tests.top.test_scenarios"


def netlist(parameters: dict[str, int]) -> Path:
    """Synthesize truemark; return the netlist as Verilog."""
    digest = hashlib.sha256(repr(sorted(parameters.items())).encode() + Path(__file__).read_bytes())
    for path in file_list():
        digest.update(build_type.expanded(path).encode())
    folder = BUILD / f"netlist-{digest.hexdigest()[:12]}"
    target = folder / "truemark.v"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        generics = " ".join(f"-G {name}={value}" for name, value in parameters.items())
        passes = [
            f"read_slang --ignore-assertions -I {ROOT / 'rtl'} --top truemark {generics} "
            + " ".join(map(str, file_list())),
            "chformal -remove",
            "synth -flatten -top truemark -run begin:fine",
            "opt -fast -mux_undef -undriven -fine",
            "techmap",
            "opt -fast",
            "abc",
            "opt -fast",
            "opt_clean -purge",
            "rename -hide",
            f"write_verilog -noattr {target.with_suffix('.partial')}",
        ]
        yosys.run(passes, folder=folder, log=folder / "yosys.log")
        target.with_suffix(".partial").rename(target)
    return target


@pytest.mark.slow
@pytest.mark.parametrize("testcase", ["first_light"])
def test_netlist(testcase: str) -> None:
    source = netlist(test_scenarios.PARAMETERS)
    header = re.search(r"^module truemark\((.*?)\);", source.read_text(), re.MULTILINE | re.DOTALL)
    assert header is not None
    # Verilator's lint is about how people write. And to optimise so many gates takes longer than one scenario gains;
    # but with every gate in reach of a test there is twice as much to compile.
    build_and_test(
        "truemark",
        SCENARIOS,
        sources=[source],
        testcase=testcase,
        signals=re.findall(r"\w+", header[1]),
        build_args=["-Wno-lint", "-Wno-fatal"],
    )
