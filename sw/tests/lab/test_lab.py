# SPDX-License-Identifier: BSD-3-Clause
"""The network lab end to end: small scenarios of ns-3's TCP through the engines, equal to the last packet."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import SCENARIOS, TIGHT, engine, lab, result

from truemark.lab import figures, summary
from truemark.lab.runner import LabRun
from truemark_dev.marks import slow

pytestmark = pytest.mark.builds("engine:model", "engine:rtl_full", "engine:both_full", "lab-runner")

FRAME = 1514  # bytes, a full one


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> LabRun:
    """Return the small scenario as it is, on the model, with its decisions."""
    return lab(tmp_path_factory.mktemp("lab"), {"measure": {"decisions": True}}, {"queue": {"k": "6kB"}})


def test_a_run_is_whole_and_leaves_its_folder(marked: LabRun) -> None:
    found = result(marked)
    assert found["finished"]
    assert found["job"]["completed"] == found["job"]["flows"] == 12
    assert found["job"]["bytes"] == 12 * 80_000
    assert figures.total(marked, "mark") > 20, "the scenario must mark"
    kept = found["conservation"]
    assert kept["sent"] == kept["delivered"] + kept["dropped"]
    assert kept["in_flight"] == 0
    assert found["pinned"]["ect_control_packets"] == 0
    assert found["pinned"]["queue_discs"] == {"lab::TruemarkQueueDisc": 12, "ns3::FifoQueueDisc": 4}
    assert {"result.json", "flows.csv", "input.json", "decisions.txt", "log.txt"} <= {
        path.name for path in marked.folder.iterdir()
    }
    with (marked.folder / "flows.csv").open() as file:
        flows = list(csv.DictReader(file))
    assert all(int(row["start_ns"]) < int(row["connected_ns"]) < int(row["end_ns"]) for row in flows)
    assert max(int(row["end_ns"]) for row in flows) - min(int(row["start_ns"]) for row in flows) == pytest.approx(
        1e9 * found["job"]["time_s"], abs=1
    )


def test_latency_is_told_with_and_without_the_senders_own_queue(marked: LabRun) -> None:
    whole, network, wait = (result(marked)[f"{key}_ns"] for key in ("latency", "latency_network", "wait"))
    assert whole["count"] == network["count"]
    assert network["mean"] < 0.9 * whole["mean"], "hosts of this scenario queue"
    assert network["mean"] * network["count"] > wait["mean"] * wait["count"], "what waits in switches is part of it"


def test_sockets_are_found_as_ns3_finds_them(tmp_path: Path) -> None:
    """Also where SYNs and FINs are lost, sockets are closed, and ports are used again."""
    runs = [lab(tmp_path, TIGHT, fault=fault, name=f"run{fault}") for fault in ("", "connections-of-ns3")]
    ours, theirs = ({**result(done), "cpu_s": 0, "wall_s": 0} for done in runs)
    assert ours == theirs
    assert result(runs[0])["tcp"]["data_timeouts"] > 0
    assert len({(done.folder / "flows.csv").read_text() for done in runs}) == 1


def test_hosts_can_have_the_queue_under_test_too(tmp_path: Path) -> None:
    """As an ns-2 duplex-link has it: their own ports are measured, mark and drop, and no FIFO is left."""
    done = lab(tmp_path, {"queue": {"k": "6kB", "buffer": "15kB", "at_hosts": True}}, engine("both"))
    found = result(done)
    assert found["pinned"]["queue_discs"] == {"lab::TruemarkQueueDisc": 16, "ns3::FifoQueueDisc": 0}
    hosts = [port for port in found["ports"] if port["name"].startswith("host")]
    assert [port["name"] for port in hosts] == ["host0.leaf0", "host1.leaf0", "host2.leaf1", "host3.leaf1"]
    assert sum(port["dropped"] for port in hosts) > 0
    assert found["finished"]
    kept = found["conservation"]
    assert kept["sent"] == kept["delivered"] + kept["dropped"]


def test_the_device_holds_a_frame_of_the_queue_or_none(tmp_path: Path) -> None:
    """One flow whose window is fixed: what the device does not hold waits in the queue under test."""
    work = {"flows": 1, "rivals": 0, "duration": "4s", "warmup": "2s", "start_jitter": "0s"}
    ports = []
    for frames in (1, 0):
        change = {"topology": {"device_frames": frames}, "queue": {"policy": "droptail"}, "workload": work}
        done = lab(tmp_path, change, name=str(frames), scenario=SCENARIOS / "dual-aqm.toml")
        ports.append(figures.bottleneck(done))
    one, none = ports
    assert one["mean_bytes"] > 20 * FRAME, "the link is never idle"
    assert none["mean_bytes"] - one["mean_bytes"] == pytest.approx(FRAME, rel=0.02)
    assert abs(none["departed"] - one["departed"]) <= 1


def test_decisions_agree_with_the_counts(marked: LabRun) -> None:
    kinds = Counter(line.split()[2] for line in (marked.folder / "decisions.txt").read_text().splitlines())
    assert kinds.total() == result(marked)["decisions"]["count"]
    assert kinds["m"] == kinds["C"] == figures.total(marked, "mark")
    assert kinds["s"] + kinds["m"] == kinds["o"] + kinds["C"], "what is stored leaves"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"queue": {"k": "6kB"}}, id="true-mark"),
        pytest.param(TIGHT, id="droptail", marks=pytest.mark.slow),
        pytest.param({"transport": {"kind": "dctcp"}, "queue": {"k": "6kB"}}, id="dctcp", marks=pytest.mark.slow),
    ],
)
def test_model_rtl_and_both_are_equal_to_the_last_packet(tmp_path: Path, changes: dict[str, Any]) -> None:
    runs = {kind: lab(tmp_path, changes, engine(kind), name=kind) for kind in ("model", "rtl", "both")}
    digests = {kind: result(done)["decisions"]["digest"] for kind, done in runs.items()}
    assert result(runs["model"])["decisions"]["count"] > 3000
    assert len(set(digests.values())) == 1, digests
    for done in runs.values():
        assert result(done)["verdicts"] == result(runs["model"])["verdicts"]
        assert {port["engine"] for port in result(done)["ports"]} == {done.scenario.queue.engine}


LAW = {"min": 6000, "max": 30_000, "probability": 0.1, "weight": 0}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"queue": {"policy": "red", "red": LAW}}, id="red", marks=pytest.mark.slow),
        pytest.param(
            {
                "queue": {
                    "policy": "red",
                    "red": {**LAW, "weight": 4, "spacing": "wait", "gentle": True},
                    "protect": "ack+syn",
                }
            },
            id="red averaged, ack+syn",
        ),
        pytest.param(
            {"queue": {"policy": "dual-step", "k": "9kB", "red": LAW}}, id="dual-step", marks=pytest.mark.slow
        ),
        pytest.param(
            {"queue": {"policy": "codel", "codel": "50us/500us", "buffer": "300kB"}, "transport": {"kind": "reno"}},
            id="codel, head drops",
        ),
    ],
)
def test_the_other_laws_are_equal_in_model_and_rtl(tmp_path: Path, changes: dict[str, Any]) -> None:
    runs = [lab(tmp_path, changes, engine(kind), name=kind) for kind in ("model", "both")]
    assert result(runs[0])["decisions"] == result(runs[1])["decisions"]
    assert result(runs[0])["decisions"]["count"] > 5000
    signalled = sum(
        figures.total(runs[0], name) for name in ("mark", "early_probability", "early_forced", "head_dropped")
    )
    assert signalled > 2


def test_one_port_can_be_rtl(tmp_path: Path, marked: LabRun) -> None:
    mixed = lab(tmp_path, {"queue": {"k": "6kB", "rtl_ports": ["leaf0.host1"]}})
    engines = {port["name"]: port["engine"] for port in result(mixed)["ports"]}
    assert [name for name, kind in engines.items() if kind == "rtl"] == ["leaf0.host1"]
    assert result(mixed)["decisions"]["digest"] == result(marked)["decisions"]["digest"]


def test_seeds_differ_and_repeat(tmp_path: Path) -> None:
    change = {"workload": {"map_jitter": "1ms"}}
    first, again, other = (lab(tmp_path, change, {"seed": seed}, name=f"{n}") for n, seed in enumerate((1, 1, 2)))
    assert result(first)["decisions"]["digest"] == result(again)["decisions"]["digest"]
    assert result(first)["decisions"]["digest"] != result(other)["decisions"]["digest"]


@pytest.mark.parametrize("limit", ["60kB", "12kB"])
def test_red_without_a_band_decides_as_ns3s_red(tmp_path: Path, limit: str) -> None:
    """At W = 0 and min = max no random number is drawn: the whole run must be equal, drops of SYN and ACK included."""
    law = {"min": 6000, "max": 6000, "probability": 0.1, "weight": 0}
    # Two queues in a row that both fill: packets that are CE already meet signals.
    shared = {
        "measure": {"decisions": True},
        "topology": {"hosts_per_rack": 3, "spines": 1, "uplink_rate": "1.5G"},
        "workload": {**TIGHT["workload"], "mappers": 6, "reducers": 6},
    }
    ours = lab(tmp_path, shared, {"queue": {"policy": "red", "red": law, "buffer": limit}}, name="ours")
    theirs = lab(
        tmp_path,
        shared,
        {
            "queue": {
                "implementation": "ns3-red",
                "policy": "droptail",
                "buffer": limit,
                "ns3_red": {"min": 6000, "max": 6000},
            }
        },
        name="theirs",
    )
    assert figures.total(ours, "early_forced") > 0
    assert figures.total(ours, "mark") > 0
    assert figures.total(ours, "ce_signalled") > 0
    for kind in ("DATA", "ACK"):
        assert result(ours)["verdicts"][kind].keys() <= {
            "pass",
            "pass_ce",
            "mark",
            "ce_signalled",
            "early_forced",
            "tail_bytes",
        }
    lines = [(done.folder / "decisions.txt").read_text().splitlines() for done in (ours, theirs)]
    first = next((place for place, pair in enumerate(zip(*lines, strict=False)) if pair[0] != pair[1]), None)
    assert first is None, f"decision {first}: {lines[0][first or 0]} against {lines[1][first or 0]}"
    assert result(ours)["decisions"] == result(theirs)["decisions"]


@pytest.mark.parametrize("seed", [1, *slow(2, 3, 4)])
def test_red_with_a_band_follows_ns3s_red_until_it_draws(tmp_path: Path, seed: int) -> None:
    """Frames of one length, for ns-3 scales probabilities by it. The first difference is one of the random draws."""
    shared = {
        "measure": {"decisions": True},
        "transport": {"ack_bytes": 1514},
        "topology": {"hosts_per_rack": 3},
        "workload": {"mappers": 6, "reducers": 6, "flow_bytes": 400_000},
    }
    band = {"min": 20_000, "max": 80_000}
    law = {**band, "probability": 0.05, "weight": 0, "spacing": "wait"}
    queues: dict[str, dict[str, Any]] = {
        "ours": {"policy": "red", "red": law, "buffer": "300kB"},
        "theirs": {
            "policy": "droptail",
            "buffer": "300kB",
            "implementation": "ns3-red",
            "ns3_red": {**band, "maxp": 0.05, "mean_packet": 1514},
        },
    }
    ours, theirs = (
        (lab(tmp_path, shared, {"queue": queue, "seed": seed}, name=name).folder / "decisions.txt")
        .read_text()
        .splitlines()
        for name, queue in queues.items()
    )
    place = next(number for number, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1])
    (time, port, kind, identity), (other_time, other_port, other_kind, other_identity) = (
        lines[place].split() for lines in (ours, theirs)
    )
    assert place > 1000
    assert (time, port, identity) == (other_time, other_port, other_identity)
    assert "s" in {kind, other_kind}
    assert {kind, other_kind} & {"m", "d"}, "one queue signals a packet that the other passes"


@pytest.mark.parametrize(("ack_bytes", "same"), [(1514, True), *slow((150, False))])
def test_red_in_packets_is_red_in_bytes_where_all_frames_are_as_long(
    tmp_path: Path, ack_bytes: int, same: bool
) -> None:
    """Twenty packets are 30,280 bytes, as long as ACKs have 1514, too."""
    shared = {
        "measure": {"decisions": True},
        "transport": {"ack_bytes": ack_bytes},
        "topology": {"hosts_per_rack": 3},
        "workload": {"mappers": 6, "reducers": 6, "flow_bytes": 200 * 1448},
    }
    law = {"probability": 1, "weight": 0}
    laws = {
        "bytes": {**law, "min": 30_280, "max": 30_280},
        "packets": {**law, "unit": "packets", "min": "20pkt", "max": "20pkt"},
    }
    runs = [lab(tmp_path, shared, {"queue": {"policy": "red", "red": red}}, name=name) for name, red in laws.items()]
    told = [(run.folder / "decisions.txt").read_text() for run in runs]
    marked = [sum(line.split()[2] == "m" for line in text.splitlines()) for text in told]
    assert min(marked) > 100
    assert (told[0] == told[1]) == same


def test_packet_round_robin_shares_the_uplinks_and_flow_keeps_to_one(tmp_path: Path) -> None:
    def arrivals(done: LabRun) -> dict[str, int]:
        return {port["name"]: port["arrived"] for port in result(done)["ports"] if "leaf" in port["name"][:4]}

    shared = arrivals(lab(tmp_path, {"topology": {"ecmp": "packet-rr"}}, name="rr"))
    for leaf in ("leaf0", "leaf1"):
        assert abs(shared[f"{leaf}.spine0"] - shared[f"{leaf}.spine1"]) <= 1
        assert shared[f"{leaf}.spine0"] > 100
    # Two mappers in one rack: between two hosts of different racks there is one flow.
    change = {
        "measure": {"decisions": True},
        "topology": {"hosts_per_rack": 4},
        "workload": {"mappers": 2, "reducers": 8, "mapper_placement": "packed"},
    }
    by_flow = lab(tmp_path, change, name="flow")
    names = [port["name"] for port in result(by_flow)["ports"]]
    uplinks = {number for number, name in enumerate(names) if name.startswith("leaf") and ".spine" in name}
    used = defaultdict(set)
    for line in (by_flow.folder / "decisions.txt").read_text().splitlines():
        _, port, kind, identity = line.split()
        if int(port) in uplinks and kind in "smd":
            used[identity[:12]].add(int(port))  # source and destination
    assert len(used) == 16
    assert all(len(ports) == 1 for ports in used.values()), "packets of a flow took two ways"
    assert set().union(*used.values()) == uplinks, "an uplink is never used"


def test_classes_of_dropped_packets_and_retransmissions(tmp_path: Path) -> None:
    done = lab(tmp_path, TIGHT)
    found = result(done)
    assert figures.dropped(done, "data") > 10
    assert found["tcp"]["retransmissions"] >= figures.dropped(done, "data")
    assert summary.dropped_by(done) == {"tail_bytes": found["conservation"]["dropped"]}
    sent, delivered = found["sent"], found["delivered"]
    for kind in sent:
        lost = sum(
            row.get("tail_bytes", [0])[0] for name, row in found["verdicts"].items() if name.split("+")[0] == kind
        )
        assert sent[kind] - delivered.get(kind, 0) == lost, kind


def test_codel_drops_at_the_head(tmp_path: Path) -> None:
    """Reno cannot be marked: what CoDel drops leaves ns-3's queue as well, and TCP sends it again."""
    queue = {"policy": "codel", "codel": "50us/500us", "buffer": "300kB"}
    done = lab(tmp_path, {"transport": {"kind": "reno"}, "queue": queue, "workload": {"flow_bytes": 400_000}})
    found = result(done)
    assert found["verdicts"]["DATA"]["head_dropped"][0] > 5
    assert sum(summary.dropped_by(done).values()) == found["conservation"]["dropped"]
    ecn = lab(tmp_path, {"queue": queue, "workload": {"flow_bytes": 400_000}}, name="ecn")
    assert "head_dropped" not in result(ecn)["verdicts"]["DATA"]
    kinds = Counter(line.split()[2] for line in decisions(tmp_path, queue))
    assert kinds["C"] == figures.total(ecn, "head_marked") > 5, "marks at departure"
    assert figures.total(ecn, "mark") == 0


def decisions(tmp_path: Path, queue: dict[str, str]) -> list[str]:
    """Return the decisions of a run with ECN."""
    change = {"queue": queue, "workload": {"flow_bytes": 400_000}, "measure": {"decisions": True}}
    done = lab(tmp_path, change, name="decisions")
    return (done.folder / "decisions.txt").read_text().splitlines()
