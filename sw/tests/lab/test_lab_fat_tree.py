# SPDX-License-Identifier: BSD-3-Clause
"""A fat tree of four pods: what it is made of, how far its hosts are apart, and how its ways are used."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import lab, result

from truemark.errors import TruemarkError
from truemark.lab.runner import LabRun
from truemark.lab.scenario import read_scenario

pytestmark = pytest.mark.builds("engine:model", "lab-runner")

TREE = """
name = "tree"
stop = "5s"
topology = { kind = "fat-tree", pods = 4, host_rate = "10G", uplink_rate = "10G", link_delay = "100ns", \
switch_latency = "2us" }
queue = { policy = "droptail", buffer = "300kB" }
transport = { kind = "reno", syn_timeout = "1s", min_rto = "10ms", initial_rto = "1s" }
measure = { sample = "0s" }
"""
FAR = 'workload = { kind = "short-flows", flows = 600, flow_bytes = "100B", load = 0.001 }'
# From the two hosts of the first leaf to the twelve of the other pods.
NEAR = """workload = { kind = "shuffle", mappers = 2, reducers = 12, mapper_placement = "apart", map_tasks = 4, \
parallel_fetches = 12, flow_bytes = "8kB", map_jitter = "1ms" }"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "tree.toml"
    path.write_text(TREE + FAR)
    return path


@pytest.fixture
def from_one_leaf(tmp_path: Path) -> Path:
    path = tmp_path / "near.toml"
    path.write_text(TREE + NEAR)
    return path


def arrived(done: LabRun) -> dict[str, dict[str, int]]:
    """Return the packets that were offered to each port, by switch and by what it is linked to."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for port in result(done)["ports"]:
        switch, _, to = port["name"].partition(".")
        found[switch][to] = port["arrived"]
    return found


def test_switches_and_links_are_those_of_four_pods(tmp_path: Path, tree: Path) -> None:
    """20 switches of four ports, 16 hosts: 48 links. A pod's two leaves see both switches of their own pod only."""
    found = arrived(lab(tmp_path, scenario=tree))
    assert {name: len(ports) for name, ports in found.items()} == {
        **{f"leaf{number}": 4 for number in range(8)},
        **{f"aggregation{number}": 4 for number in range(8)},
        **{f"spine{number}": 4 for number in range(4)},
    }
    ends = [(switch, to) for switch, ports in found.items() for to in ports]
    assert len([to for _, to in ends if to.startswith("host")]) == 16
    between = {frozenset(each) for each in ends if not each[1].startswith("host")}
    assert len(between) == 32, "each is there from both of its ends"
    assert sum(not to.startswith("host") for _, to in ends) == 64
    for pod in range(4):
        own = (2 * pod, 2 * pod + 1)
        for leaf in own:
            above = {to for to in found[f"leaf{leaf}"] if not to.startswith("host")}
            assert above == {f"aggregation{each}" for each in own}
        for place, number in enumerate(own):
            above = {to for to in found[f"aggregation{number}"] if to.startswith("spine")}
            assert above == {f"spine{2 * place}", f"spine{2 * place + 1}"}


@pytest.mark.parametrize("ecmp", ["flow", "packet-rr"])
def test_hosts_are_one_three_or_five_switches_apart(tmp_path: Path, tree: Path, ecmp: str) -> None:
    """*Stimulus*: flows in an idle tree. *Checks*: handshakes take what links and switches between the hosts take."""
    done = lab(tmp_path, {"topology": {"ecmp": ecmp}}, scenario=tree)
    link_ns = 100 + 8 * (150 + 24) / 10  # a SYN, or its answer, on the wire
    seen: dict[int, list[int]] = defaultdict(list)
    with (done.folder / "flows.csv").open() as file:
        for row in csv.DictReader(file):
            sender, receiver = int(row["sender"]), int(row["receiver"])
            switches = 1 if sender // 2 == receiver // 2 else 3 if sender // 4 == receiver // 4 else 5
            seen[switches].append(int(row["connected_ns"]) - int(row["start_ns"]))
    assert {switches: len(times) > 10 for switches, times in seen.items()} == {1: True, 3: True, 5: True}
    for switches, times in seen.items():
        alone = 2 * ((switches + 1) * link_ns + switches * 2000)
        # Times are whole nanoseconds at each of up to twelve links.
        assert min(times) == pytest.approx(alone, abs=12)
        assert sorted(times)[len(times) // 2] == pytest.approx(alone, abs=12), "hardly any waits"
        assert max(times) < alone + 2000, "none has another way"


def test_packets_in_turn_use_all_ways_alike(tmp_path: Path, from_one_leaf: Path) -> None:
    """*Stimulus*: a leaf sends to other pods. *Checks*: each of its four ways up has a quarter, to one packet."""
    found = arrived(lab(tmp_path, {"topology": {"ecmp": "packet-rr"}}, scenario=from_one_leaf))
    up = [found["leaf0"][f"aggregation{number}"] for number in (0, 1)]
    ways = [found[f"aggregation{number}"][f"spine{spine}"] for number, spine in ((0, 0), (0, 1), (1, 2), (1, 3))]
    assert sum(up) == sum(ways) > 700
    for alike in (up, ways[:2], ways[2:]):
        assert max(alike) - min(alike) <= 1
    assert all(found["leaf1"][f"aggregation{number}"] == 0 for number in (0, 1)), "nobody is there"


def test_flows_use_all_ways_and_each_keeps_to_one(tmp_path: Path, from_one_leaf: Path) -> None:
    """*Stimulus*: 96 flows of a leaf. *Checks*: none of its four ways is left out, and a flow has one at each level."""
    done = lab(tmp_path, {"measure": {"decisions": True}}, scenario=from_one_leaf)
    found = arrived(done)
    ways = [found[f"aggregation{number}"][f"spine{spine}"] for number, spine in ((0, 0), (0, 1), (1, 2), (1, 3))]
    assert all(0.1 < each / sum(ways) < 0.4 for each in ways), "a quarter each, as 96 flows fall"
    names = [port["name"] for port in result(done)["ports"]]
    used: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in (done.folder / "decisions.txt").read_text().splitlines():
        _, port, kind, identity = line.split()
        switch, _, to = names[int(port)].partition(".")
        if kind in "smd" and to.startswith(("aggregation", "spine")) and not switch.startswith("spine"):
            used[switch[:4], identity[:16]].add(names[int(port)])
    assert len(used) > 300, "two levels of the ways out and back"
    assert all(len(ports) == 1 for ports in used.values())


def test_spines_reach_every_pod(tmp_path: Path, tree: Path) -> None:
    """Each of the four ways between two pods carries some flows of random hosts, and as many come down as went up."""
    found = arrived(lab(tmp_path, scenario=tree))
    up = sum(
        count
        for switch, ports in found.items()
        if switch.startswith("aggregation")
        for to, count in ports.items()
        if to.startswith("spine")
    )
    down = [count for switch, ports in found.items() if switch.startswith("spine") for count in ports.values()]
    assert up == sum(down)
    assert len(down) == 16
    assert min(down) > 0.5 * up / 16
    assert max(down) < 1.5 * up / 16


@pytest.mark.parametrize(
    ("topology", "message"),
    [
        ({"pods": 5}, r"topology\.pods = 5: a fat-tree does not divide; half of the 5 ports of a switch go up"),
        ({"pods": 1}, r"topology\.pods = 1"),
        ({"pods": 22}, r"topology\.pods = 22"),
        ({"hosts_per_rack": 3}, r"topology\.hosts_per_rack = 3: a fat-tree of 4 pods has 2; leave it out"),
        ({"racks": 4}, r"topology\.racks = 4: a fat-tree of 4 pods has 8"),
        ({"spines": 2}, r"topology\.spines = 2: a fat-tree of 4 pods has 4"),
        ({"kind": "leaf-spine", "racks": 2}, r"topology\.pods = 4: belongs to kind = 'fat-tree', not 'leaf-spine'"),
    ],
)
def test_a_fat_tree_that_does_not_divide_is_refused(tree: Path, topology: dict[str, Any], message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        read_scenario(tree, [{"topology": topology}])


def test_a_fat_tree_without_pods_is_refused(tree: Path) -> None:
    tree.write_text(tree.read_text().replace("pods = 4, ", ""))
    with pytest.raises(TruemarkError, match=r"topology\.pods: a fat-tree needs it, for example 4 for 16 hosts"):
        read_scenario(tree)


@pytest.mark.parametrize(("scale", "pods", "hosts"), [(1.0, 6, 54), (0.5, 6, 54), (0.25, 4, 16), (0.02, 2, 2)])
def test_a_part_of_a_fat_tree_is_one(tree: Path, scale: float, pods: int, hosts: int) -> None:
    made = read_scenario(tree, [{"scale": scale, "topology": {"pods": 6}}])
    assert (made.topology.pods, made.hosts, made.topology.most_ports) == (pods, hosts, pods)
    assert made.topology.uplink_rate == made.topology.host_rate
    made.topology.check()
