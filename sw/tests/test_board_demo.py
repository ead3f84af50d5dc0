# SPDX-License-Identifier: BSD-3-Clause
"""The commands of docs/board_demo.md on the reference pipeline behind a TCP server print what the page shows.

What a board needs besides them, cables and senders, is in blocks of the page that are not run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sw.tests import pages
from sw.tests.frames import Command
from sw.tests.test_transport import served

from truemark.device import registers
from truemark.device.engine import open_engine
from truemark.device.simulated import SimulatedDevice
from truemark.errors import TruemarkError

pytestmark = [pytest.mark.builds("engine:model", "engine:netfpga_sume"), pytest.mark.slow]

PAGE = pages.ROOT / "docs/board_demo.md"
SHIPPED = pages.ROOT / "rtl/netfpga/sume/output_queues.sv"


def test_every_step(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sw").symlink_to(pages.ROOT / "sw")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    engine, _, _ = SimulatedDevice(f"sim:{tmp_path}/served").boot("netfpga")
    with engine, served(engine) as address:
        assert pages.check(PAGE, command, {"BOARD": address}) == 10
    # Every command that the page names, run or not, is one that the tool has.
    named = set(re.findall(r"\btruemark ([a-z]+)\b", PAGE.read_text()))
    for name in named:
        assert "Usage: " in command(name, "--help")[1], name


def test_the_queues_that_are_served_are_as_those_that_are_shipped() -> None:
    text = SHIPPED.read_text() + (pages.ROOT / "rtl/tm_build.svh").read_text()  # the switches stand in the include
    listing = re.findall(r"^ *parameter (?:int unsigned|bit) +(\w+) *= ([\w']+)", text, re.MULTILINE)
    defaults = dict(listing)
    with open_engine("netfpga") as engine:
        build = engine.build
        with pytest.raises(TruemarkError, match="has registers and no streams"):
            engine.offer(0, bytes(64))
    assert (build.ports, build.data_w) == (int(defaults["NUM_QUEUES"]), int(defaults["C_S_AXIS_DATA_WIDTH"]))
    for name in ("rows", "descriptors", "max_frame"):
        assert getattr(build, name) == int(defaults[name.upper()]), name
    switches = registers.CAPABILITIES.unpack(build.switches) | {"ultra": build.ultra}
    for name in ("store_and_forward", "flags_verdict", "red", "codel", "ultra"):
        assert switches[name] == int(defaults[name.upper()][-1]), name
