# SPDX-License-Identifier: BSD-3-Clause
"""ns-2's mark_p: where a port can say the same it drops ECT packets of a certain signal, elsewhere it is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import SMALL, lab

from truemark.errors import TruemarkError
from truemark.lab import figures
from truemark.lab.runner import fingerprint, planned_ports
from truemark.lab.scenario import Scenario, read_scenario

pytestmark = pytest.mark.builds("engine:model", "lab-runner")

# Few packets are above max, some between min and max.
RED: dict[str, Any] = {"min": "6kB", "max": "18kB", "probability": 0.1, "weight": 0, "spacing": "wait"}


def red(policy: str = "red", **more: Any) -> dict[str, Any]:
    """Return the change that sets RED."""
    return {"queue": {"policy": policy, "buffer": "60kB", "red": RED | more}}


def hard(*changes: dict[str, Any]) -> bool:
    """Return whether a forced signal of the ports to hosts drops ECT packets."""
    ports, _ = planned_ports(read_scenario(SMALL, list(changes)))
    return ports["edge"].harddrop


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, False),
        ({"gentle": True}, False),
        ({"mark_p": 0.1}, True),
        ({"mark_p": "10%"}, True),
        ({"mark_p": 0.5}, True),
        ({"mark_p": 1, "gentle": True}, True),
        ({"mark_p": 1, "adaptive": True}, True),
    ],
)
def test_a_port_drops_what_is_certain(more: dict[str, Any], expected: bool) -> None:
    assert hard(red(**more)) is expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (red(mark_p=0.09), r"queue\.red\.mark_p = 0\.09: the probability of a mark goes up to 0\.1, .* mark_p = 0\.1$"),
        (red(mark_p=0.1, gentle=True), r"mark_p = 0\.1: .* goes up to 1 with gentle = true.* or set gentle = false$"),
        (red(mark_p=0.1, adaptive=True), r"goes up to 1 with adaptive = true.* or set adaptive = false$"),
        (red(mark_p=0.1, spacing="linux"), r"mark_p = 0\.1: spacing = 'linux' is not ns-2's"),
        (
            red("dual-step", mark_p=0.1),
            r"mark_p = 0\.1: with policy 'dual-step' it says nothing; it belongs to policy 'red'",
        ),
        (
            {"queue": {"policy": "red", "red": RED, "fabric": {"red": RED | {"mark_p": 0.09}}}},
            r"^queue\.fabric\.red\.mark_p = 0\.09: ",
        ),
        (
            {"queue": {"policy": "red", "implementation": "ns3-red", "red": RED | {"mark_p": 0.1}}},
            r"^queue\.red\.mark_p: queue\.implementation = 'ns3-red' does not know it$",
        ),
        (red(mark_p=1.5), r"mark_p"),
        (red(mark_p=0), r"mark_p"),
    ],
)
def test_what_no_port_can_say_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        hard(change)


def test_links_between_switches_may_have_their_own() -> None:
    fabric = {"queue": {"fabric": {"red": RED | {"mark_p": 0.1}}}}
    ports, _ = planned_ports(read_scenario(SMALL, [red(), fabric]))
    assert {place: settings.harddrop for place, settings in ports.items()} == {"edge": False, "fabric": True}


def test_ect_packets_are_dropped_above_max_and_marked_below(tmp_path: Path) -> None:
    """*Stimulus*: TCP with ECN, with mark_p and without. *Checks*: without it a signal never drops data, with it does.

    What is dropped by a certain signal is so only above max, where without mark_p the same packets would be marked.
    """
    often: dict[str, Any] = {"probability": 0.5}
    laws = (("plain", often), ("ns2", often | {"mark_p": 0.5}))
    always = {"transport": {"retransmit_ect": "ns2"}}
    plain, ns2 = (lab(tmp_path, red(**more), always, name=name) for name, more in laws)
    assert figures.dropped(plain, "data") == 0
    assert figures.dropped(ns2, "data") > 10
    forced = {name: count for name, outcome, count in figures.outcomes(ns2) if outcome == "early_forced"}
    assert forced["DATA"] == figures.dropped(ns2, "data"), "none by chance, none by the limit"
    assert figures.total(ns2, "mark") > 10, "below max they are marked all the same"
    for done in (plain, ns2):
        assert Scenario.model_validate(done.scenario.model_dump()) == done.scenario


def test_scenarios_without_it_are_what_they_were() -> None:
    plain = read_scenario(SMALL, [red()])
    assert "mark_p" not in str(plain.for_runner())
    assert fingerprint(plain) != fingerprint(read_scenario(SMALL, [red(mark_p=0.1)]))
