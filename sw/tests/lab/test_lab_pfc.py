# SPDX-License-Identifier: BSD-3-Clause
"""The network lab with switches that pause their links: nothing is lost, and what would be is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import SCENARIOS, TIGHT, lab, result

from truemark.errors import TruemarkError
from truemark.lab import figures
from truemark.lab.runner import runner_input
from truemark.lab.scenario import read_scenario

pytestmark = pytest.mark.builds("engine:model", "lab-runner")

POOL = SCENARIOS / "small-pool.toml"
WHOLE = {"pool": {"size": "400kB", "alpha": None, "static": "400kB"}, "queue": {"buffer": "400kB"}}
LEVELS = {"pfc": {"static": "20kB", "xon_offset": "3kB"}}


def drops(tmp_path: Path, *changes: dict[str, Any], name: str, **more: Any) -> tuple[float, float, float]:
    """Return packets that were dropped, pauses and cells beyond headroom, of eight senders at two ports."""
    done = lab(tmp_path, WHOLE, *changes, name=name, scenario=POOL, **more)
    found = [figures.figure(done, key) for key in ("drops", "pauses", "overruns")]
    assert result(done)["finished"]
    return found[0], found[1], found[2]


def test_nothing_is_lost(tmp_path: Path) -> None:
    """Without pauses the same traffic loses packets; with a headroom of nothing each cell beyond is told."""
    lost, _, _ = drops(tmp_path, name="lossy")
    assert lost > 50
    lost, pauses, beyond = drops(tmp_path, LEVELS, name="lossless")
    assert (lost, beyond) == (0, 0)
    assert pauses > 8
    lost, _, beyond = drops(tmp_path, LEVELS, {"pfc": {"headroom": "0B"}}, name="tight")
    assert beyond > 0
    assert lost == 0  # the others' room is enough here


@pytest.mark.parametrize("queues", [{}, {"queues": {"count": 2}}])
def test_a_device_that_holds_no_frame_is_paused_too(tmp_path: Path, queues: dict[str, Any]) -> None:
    lost, pauses, beyond = drops(tmp_path, LEVELS, {"topology": {"device_frames": 0}}, queues, name="none")
    assert (lost, beyond) == (0, 0)
    assert pauses > 8


def test_a_sender_that_does_not_obey_is_told(tmp_path: Path) -> None:
    lost, pauses, beyond = drops(tmp_path, LEVELS, name="deaf", fault="deaf")
    assert lost > 50
    assert beyond > 100
    assert pauses > 8


def test_headroom_less_a_frame_is_not_enough(tmp_path: Path) -> None:
    """What the plan has is needed: senders with a full frame on the wire, and one behind it, use more than the rest."""
    told = runner_input(read_scenario(POOL, [WHOLE, LEVELS]))["pool"]["pfc"]
    cells = told["headroom"]
    assert drops(tmp_path, LEVELS, {"pfc": {"headroom": f"{64 * cells}B"}}, name="enough")[2] == 0
    assert told["reach_ns"] == {"edge": 500 + 67 * 512 // 10 + 1 + 68}
    # Long frames fill their cells better than the short ones that the plan must think of.
    assert drops(tmp_path, LEVELS, {"pfc": {"headroom": f"{32 * cells}B"}}, name="half")[2] > 0


def test_a_fabric_pauses_from_switch_to_switch(tmp_path: Path) -> None:
    """Two levels whose uplinks are the bottleneck: leaves pause hosts, and spines leaves."""
    whole = {"pool": {"size": "300kB", "static": "300kB"}, "queue": {"buffer": "300kB", "policy": "droptail"}}
    done = lab(tmp_path, TIGHT, whole, {"pfc": {"static": "9kB", "reaction": "1us"}}, name="fabric")
    assert figures.figure(done, "drops") == 0
    links = {link["name"].split(".")[0].rstrip("0123456789") for link in figures.paused_links(done) if link["pauses"]}
    assert links == {"host", "leaf", "spine"}
    assert figures.figure(done, "overruns") == 0


def test_levels_that_are_never_reached_change_nothing(tmp_path: Path) -> None:
    whole = {"pool": {"size": "2MB", "static": "2MB"}}
    plain = lab(tmp_path, TIGHT, whole, {"queue": {"buffer": "2MB"}}, name="plain")
    quiet = lab(
        tmp_path, TIGHT, whole, {"queue": {"buffer": "2MB"}, "pfc": {"static": "1MB", "reaction": "1us"}}, name="quiet"
    )
    assert figures.figure(quiet, "pauses") == 0
    assert result(plain)["decisions"] == result(quiet)["decisions"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pool": None}, "pfc: links are paused by what they hold of a pool; add"),
        ({"pool": {"size": "400kB", "static": "399kB"}}, "may not have the whole pool drops; set pool.static = 400000"),
        (
            {"pfc": {"static": "350kB", "headroom": "8kB"}},
            "pfc.static = 350000: no link would be paused, for the 1250 c",
        ),
        ({"pfc": {"alpha": "1"}}, "pfc.alpha = 1, static = 20000: a threshold is one of them"),
        ({"pfc": {"static": None, "alpha": "1/3"}}, "alpha = '1/3': a power of two from 1/128 to 8"),
        (
            {"pfc": {"headroom": "40kB"}},
            "pfc.headroom = 40000: 10 links of a switch have 6250 cells then",
        ),
        ({"topology": {"host_rate": "3G"}}, "pfc.reaction: 802.3 says nothing of edge links of 3G; give it"),
        (
            {"queue": {"buffer": "399kB"}},
            "with .pfc. nothing is lost: buffer must be at least 400000 B, which is the pool's size",
        ),
        ({"queue": {"policy": "red", "target_delay": "100us"}}, "with .pfc. nothing is lost, and it drops Not-ECT"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        runner_input(read_scenario(POOL, [WHOLE, LEVELS, changes]))
