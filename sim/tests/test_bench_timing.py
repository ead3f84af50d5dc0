# SPDX-License-Identifier: BSD-3-Clause
"""What is taken from nextpnr's report; the routes themselves are `make timing`."""

from __future__ import annotations

from pathlib import Path

from sim.bench import timing


def _hop(cell: str, delay: float) -> dict[str, object]:
    return {"type": "logic", "delay": delay, "to": {"cell": cell}}


def _path(clock: str, cell: str) -> dict[str, object]:
    return {"from": f"posedge {clock}", "to": f"posedge {clock}", "path": [_hop(cell, 1.5), _hop("unplaced", 0.0)]}


def test_clock_is_the_pin_s_however_fast_others_are() -> None:
    """NetFPGA's queues have a clock for their registers, which drives a few fast ones."""
    others = "$glbnet$in_q[424]"
    report: dict[str, object] = {
        "fmax": {others: {"achieved": 203.3}, timing.CLOCK: {"achieved": 84.2}},
        "critical_paths": [_path(others, "register"), _path(timing.CLOCK, "queue")],
        "utilization": {"TRELLIS_FF": {"used": 8}, "DCSC": {"used": 0}},
    }
    found = timing._found(report)
    assert found == {"mhz": 84.2, "path": [timing._hop(_hop("queue", 1.5))], "cells": {"TRELLIS_FF": 8}}


def test_a_netlist_is_known_again_when_only_lines_of_sources_moved(tmp_path: Path) -> None:
    netlist, digests = tmp_path / "netlist.json", []
    for place, name in (("rtl/a.sv:1.2-3.4", "a"), ("other/a.sv:5.6-7.8", "a"), ("rtl/a.sv:1.2-3.4", "b")):
        netlist.write_text(f'{{"{name}": {{"attributes": {{"src": "{place}"}}}}}}')
        digests.append(timing.digest_of(netlist, "static"))
    assert digests[0] == digests[1] != digests[2]
    assert timing.digest_of(netlist, "heap") != digests[2]
