# SPDX-License-Identifier: BSD-3-Clause
"""What `make synth` makes of Yosys's cells: sums by module and port, and which board holds a configuration."""

from __future__ import annotations

import pytest

from sim.bench import synth
from sim.bench.area import Area

CORE = "$output_queues.body.queues.queues.core"
CELLS = {
    "output_queues": {"LUT2": 1},
    f"tm_ring{CORE}.gen_port[0].queue.buffer.gen_block.ring": {"LUT6": 4, "RAMB36E1": 2},
    f"tm_ring{CORE}.gen_port[1].queue.buffer.gen_block.ring": {"LUT6": 5, "RAMB36E1": 2},
    f"tm_parse{CORE}.parse": {"FDRE": 7, "DSP48E1": 1},
}


def test_sums() -> None:
    modules, ports = synth.by_module(CELLS)
    assert modules["tm_ring"] == Area(lut_logic=9, bram=8)
    assert ports == {
        "port 0": Area(lut_logic=4, bram=4),
        "port 1": Area(lut_logic=5, bram=4),
        "shared": Area(lut_logic=1, ff=7, dsp=1),
    }
    assert sum(modules.values(), Area()) == sum(ports.values(), Area())


def test_boards() -> None:
    deep = next(each for each in synth.SHIPPED if each.name == "sume-deep")
    assert synth.fits(deep, Area(lut_logic=10_000, bram=2940)) == "sume: yes"
    assert synth.fits(deep, Area(lut_logic=500_000, bram=2941)) == "sume: too much LUT, RAMB18"
    assert all(board in synth.BOARDS for each in synth.SHIPPED for board in each.boards)


def test_an_unknown_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["synth.py", "--only", "u50"])
    assert synth.main() == 1
    assert "no configuration 'u50'; there are sume-shallow" in capsys.readouterr().out
