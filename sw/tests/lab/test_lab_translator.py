# SPDX-License-Identifier: BSD-3-Clause
"""Virtualized congestion control: what the translator below a guest's TCP does to the network, and for whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import SCENARIOS, lab, result

from truemark.errors import TruemarkError
from truemark.lab import figures
from truemark.lab.scenario import read_scenario

pytestmark = pytest.mark.builds("engine:model", "lab-runner")

BACKGROUND = SCENARIOS / "small-background.toml"
STEP: dict[str, Any] = {"queue": {"policy": "true-mark", "k": "9kB"}, "workload": {"pairs": 0}}
VCC: dict[str, Any] = {"transport": {"kind": "vcc"}}


def test_marks_hold_the_window_of_a_guest_without_ecn(tmp_path: Path) -> None:
    """*Stimulus*: a job of guests without ECN through a threshold, which marks and never drops early; with and without.

    *Checks*: without the translator nothing is marked and the buffer fills. With it all data but retransmissions are
    ECN-capable, marks are echoed, the echo is kept from the guest and its window shrinks, so that little waits.
    """
    guest = lab(tmp_path, STEP, {"workload": {"usual_bytes": "2MB", "largest_bytes": "3MB"}}, scenario=BACKGROUND)
    done = lab(
        tmp_path, STEP, VCC, {"workload": {"usual_bytes": "2MB", "largest_bytes": "3MB"}}, scenario=BACKGROUND, name="v"
    )
    assert result(guest)["translator"] == dict.fromkeys(result(guest)["translator"], 0)
    assert figures.total(guest, "mark") == 0
    found = result(done)["translator"]
    assert found["connections"] == result(done)["job"]["flows"] == 12
    assert figures.total(done, "mark") > 100
    assert found["stripped"] >= found["echoes"] > 12
    assert found["reductions"] > 12
    assert figures.figure(done, "windows_shown") == found["rewritten"] > 100
    assert result(done)["pinned"]["ect_control_packets"] == 0
    assert figures.dropped(done, "data") < figures.dropped(guest, "data") / 4
    assert figures.figure(done, "wait") < figures.figure(guest, "wait") / 3
    sent = result(done)["job"]
    assert sent["completed"] == sent["flows"]
    assert sent["bytes"] == result(guest)["job"]["bytes"], "nothing is lost or made up by a rewritten segment"


def test_guests_that_know_ecn_answer_for_themselves(tmp_path: Path) -> None:
    """The background asks for ECN itself: its connections pass the same hosts as they are."""
    done = lab(tmp_path, VCC, scenario=BACKGROUND)
    assert result(done)["finished"]
    assert result(done)["job"]["flows"] == 14
    assert result(done)["translator"]["connections"] == 12, "those of the job"
    plain = lab(tmp_path, {"transport": {"kind": "tcp-ecn"}}, scenario=BACKGROUND, name="plain")
    assert result(plain)["translator"]["connections"] == 0
    assert figures.total(plain, "mark") > 10


def test_only_the_hosts_have_a_translator() -> None:
    with pytest.raises(TruemarkError, match=r"workload\.background = 'vcc'"):
        read_scenario(BACKGROUND, [{"workload": {"background": "vcc"}}])
