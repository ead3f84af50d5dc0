# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration, through the model to be quick; `make demo` runs it through the RTL."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sw.tests.frames import Command, tcp_frame, write_capture

from truemark import demo
from truemark.errors import TruemarkError
from truemark.laws import policies
from truemark.laws.step import Step
from truemark.replay.session import Traffic, replay_capture

pytestmark = pytest.mark.builds("engine:model")


def test_the_page_shows_the_same_traffic_under_both_policies(command: Command, tmp_path: Path) -> None:
    lab = "shuffle/report/report.html"
    code, printed, _ = command("demo", "--engine", "model", "--output", tmp_path, "--closed-loop", lab)
    assert code == 0
    numbers = json.loads((tmp_path / "demo.json").read_text())
    plain, marking = numbers["droptail"]["total"], numbers["true-mark"]["total"]
    assert plain["arrived"] == marking["arrived"] == 20_668
    assert plain["outcomes"]["tail_bytes"] == marking["outcomes"]["tail_bytes"] > 100
    assert "mark" not in plain["outcomes"]
    assert marking["outcomes"]["mark"] > 5000
    assert numbers["true-mark"]["classes"]["ACK"]["outcomes"].keys() <= {"pass", "tail_bytes"}
    assert "An open-loop replay" in printed
    page = (tmp_path / "index.html").read_text()
    linked = set(re.findall(r'(?:src|href)="([^"]+)"', page))
    assert linked == {path.name for path in tmp_path.iterdir()} - {"index.html"} | {lab}
    assert len(linked) == 8


def test_an_engine_that_differs_from_the_model_is_found(tmp_path: Path) -> None:
    marked = tmp_path / "out.pcap"
    traffic = Traffic(write_capture(tmp_path / "in.pcap", [(0, tcp_frame(976))] * 7), 10**9)
    settings = policies.settings("true-mark", Step(1000), limit_bytes=300_000)
    run = replay_capture("model", settings, traffic, marked)
    demo.compare_with_model(run, settings, traffic, marked)
    run.trace.departure_sojourn[3] += 1
    with pytest.raises(TruemarkError, match="RTL and golden model differ"):
        demo.compare_with_model(run, settings, traffic, marked)
    run.trace.departure_sojourn[3] -= 1
    content = bytearray(marked.read_bytes())
    content[-1] ^= 1
    marked.write_bytes(content)
    with pytest.raises(TruemarkError, match="RTL and golden model differ"):
        demo.compare_with_model(run, settings, traffic, marked)
