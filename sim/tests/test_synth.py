# SPDX-License-Identifier: BSD-3-Clause
"""What `make synth` makes of Yosys's cells: sums by module and port, and which board holds a configuration."""

from __future__ import annotations

import pytest

from sim.bench import synth, synth_parts
from sim.bench.area import STAGES, Area, stage_of

CORE = "output_queues.body.queues.queues.core"
CELLS = {
    "output_queues": {"LUT2": 1, f"tm_core${CORE}": 1},
    "tm_netfpga_dropin$output_queues.body": {},
    "tm_netfpga_queues$output_queues.body.queues": {},
    "truemark$output_queues.body.queues.queues": {},
    f"tm_core${CORE}": {f"tm_port${CORE}.gen_port[{p}].queue": 1 for p in (0, 1)},
    f"tm_parse${CORE}.parse": {"$add": 7},
    f"tm_framer${CORE}.parse.framer": {"$add": 1},
    **{
        name.replace("[0]", f"[{p}]"): {kind.replace("[0]", f"[{p}]"): count for kind, count in cells.items()}
        for p in (0, 1)
        for name, cells in {
            f"tm_port${CORE}.gen_port[0].queue": {"$mux": 2, f"tm_ring${CORE}.gen_port[0].queue.gen_block.ring": 1},
            f"tm_ring${CORE}.gen_port[0].queue.gen_block.ring": {"$mem": 1},
            f"tm_prim_ram${CORE}.gen_port[0].queue.gen_block.ring.rows": {"$mem": 1},
        }.items()
    },
}


def test_each_module_has_a_stage() -> None:
    stages = stage_of()
    assert stages["tm_red_curve"] == "law"
    assert stages["truemark"] == "top"
    assert set(stages.values()) < set(STAGES)


def test_what_is_kept() -> None:
    synth_parts.check_alike(CELLS)
    assert [name for name in synth_parts.kept(CELLS) if not synth_parts.port_of(name)] == [
        f"tm_parse${CORE}.parse",
        f"tm_port${CORE}.gen_port[0].queue",
        f"tm_ring${CORE}.gen_port[0].queue.gen_block.ring",
    ]


def test_ports_that_are_not_alike() -> None:
    other = f"tm_ring${CORE}.gen_port[1].queue.gen_block.ring"
    with pytest.raises(ValueError, match=r"gen_port\[1\].* is not built as .*gen_port\[0\]"):
        synth_parts.check_alike(CELLS | {other: {"$mem": 2}})


def test_sums() -> None:
    found = synth_parts.Parts({"tm_parse": Area(ff=7, dsp=1)}, {"tm_ring": Area(lut_logic=4, bram=4)})
    assert found.total(5) == Area(lut_logic=20, ff=7, bram=20, dsp=1)


def test_figures() -> None:
    found = synth_parts.Parts({"tm_parse": Area(lut_ram=3, dsp=1)}, {"tm_ring": Area(ff=9), "tm_port": Area()})
    assert {each.key: each.value for each in synth.part_figures("sume-shallow", found)} == {
        "parts-sume-shallow.one-port-tm_ring": {"FF": 9},
        "parts-sume-shallow.one-port-all": {"FF": 9},
        "parts-sume-shallow.once-tm_parse": {"LUT": 3, "DSP": 1},
        "parts-sume-shallow.once-all": {"LUT": 3, "DSP": 1},
    }


def test_boards() -> None:
    deep = next(each for each in synth.SHIPPED if each.name == "sume-deep")
    assert synth.fits(deep, Area(lut_logic=10_000, bram=2940)) == "sume: yes"
    assert synth.fits(deep, Area(lut_logic=500_000, bram=2941)) == "sume: too much LUT, RAMB18"
    plus = synth.fits(
        next(each for each in synth.SHIPPED if each.name == "plus-512-shallow"), Area(bram=1440, uram=320)
    )
    assert plus == "au200: yes; vcu1525: yes; au250: too much RAMB18; au280: too much RAMB18", "one die of several"
    assert all(board in synth.BOARDS for each in synth.SHIPPED for board in each.boards)


def test_an_unknown_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["synth.py", "--only", "u50"])
    assert synth.main() == 1
    assert "no configuration 'u50'; there are sume-shallow" in capsys.readouterr().out
