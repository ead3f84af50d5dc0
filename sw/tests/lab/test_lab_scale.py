# SPDX-License-Identifier: BSD-3-Clause
"""A scenario in part: fewer hosts and transfers, flows as large as before; and what queues between switches have."""

from __future__ import annotations

from pathlib import Path

import pytest
from sw.tests.lab.lab_runs import SCENARIOS

from truemark.lab.runner import planned_ports
from truemark.lab.scenario import Scenario, read_scenario
from truemark.lab.workloads import Incast
from truemark.laws.step import Step

pytestmark = pytest.mark.builds("engine:model", "lab-runner")


def part(name: str, scale: float) -> Scenario:
    """Return a shipped scenario in part."""
    return read_scenario(SCENARIOS / f"{name}.toml", [{"scale": scale}])


@pytest.mark.parametrize(("scale", "name"), [(0.25, "hadoop-reduced"), (0.125, "hadoop-eighth")])
def test_parts_of_the_full_size_are_the_shipped_ones(scale: float, name: str) -> None:
    made, shipped = part("hadoop-full", scale), read_scenario(SCENARIOS / f"{name}.toml")
    assert made.topology == shipped.topology
    assert made.workload == shipped.workload


def test_flows_keep_their_size() -> None:
    whole, made = part("incast", 1.0).workload, part("incast", 0.1).workload
    assert isinstance(whole, Incast)
    assert isinstance(made, Incast)
    assert (made.senders, made.block_bytes / made.senders) == (20, whole.block_bytes / whole.senders)
    assert part("incast", 0.1).topology.hosts_per_rack == 2, "one host of 20 senders, and who asks"


@pytest.mark.parametrize(
    "name", ["hadoop-full", "dual-aqm", "background", "incast", "probes", "queries", "short-flows", "b-eff"]
)
@pytest.mark.parametrize("scale", [1.0, 0.5, 0.3])
def test_every_scenario_has_parts_that_can_be_run(name: str, scale: float) -> None:
    made = part(name, scale)
    assert made.scale == scale
    assert Scenario.model_validate(made.model_dump()) == made, "what was written down is not scaled again"


def test_links_between_switches_have_their_own_threshold(tmp_path: Path) -> None:
    ports, _ = planned_ports(read_scenario(SCENARIOS / "small-bottlenecks.toml"))
    assert {place: settings.arrival[0] for place, settings in ports.items()} == {
        "edge": Step(9_000),
        "fabric": Step(15_000),
    }
    text = (SCENARIOS / "small-bottlenecks.toml").read_text()
    (tmp_path / "plain.toml").write_text(text.replace('[queue.fabric]\nk = "15kB"\n', ""))
    ports, _ = planned_ports(read_scenario(tmp_path / "plain.toml"))
    assert ports["fabric"].arrival == ports["edge"].arrival
