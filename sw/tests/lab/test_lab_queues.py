# SPDX-License-Identifier: BSD-3-Clause
"""The network lab with several queues a port: whose packets go by which, who goes first, and who is paused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import SCENARIOS, SMALL, TIGHT, lab, result

from truemark.errors import TruemarkError
from truemark.lab import figures, summary
from truemark.lab.runner import LabRun, runner_input
from truemark.lab.scenario import read_scenario

pytestmark = pytest.mark.builds("engine:model", "lab-runner")

POOL, SHUFFLE = SCENARIOS / "small-pool.toml", SCENARIOS / "pool-shuffle.toml"
TWO = {"queues": {"count": 2}}
FIRST = {"workload": {"priority": 1}}  # the higher of two
MARKED = {"queue": {"policy": "true-mark", "k": "20kB"}, "transport": {"kind": "tcp-ecn"}}
WHOLE = {"pool": {"size": "400kB", "alpha": None, "static": "400kB"}, "queue": {"buffer": "400kB"}}
PFC = {"pfc": {"static": "20kB", "xon_offset": "3kB"}}
# Two hot hosts with five reducers each and a quiet one with a single reducer, behind mappers that send to all of them.
QUIET = {
    "topology": {"hosts_per_rack": 8},
    "pool": {"size": "1MB", "static": "1MB"},
    "pfc": {"static": "20kB"},
    "transport": {"receive_buffer": "1MB"},
    "workload": {
        "mappers": 5,
        "reducers": 11,
        "parallel_fetches": 1,
        "flow_bytes": "200kB",
        "map_jitter": "0s",
    },
}


def by_queue(done: LabRun) -> list[int]:
    """Return the packets that left by each queue of all ports."""
    ports = [[queue["departed"] for queue in port["queues"]] for port in result(done)["ports"]]
    return [sum(counts) for counts in zip(*ports, strict=True)]


def pauses(done: LabRun) -> dict[int, int]:
    """Return the pauses of each priority."""
    found: dict[int, int] = {}
    for link in figures.paused_links(done):
        found[link["priority"]] = found.get(link["priority"], 0) + link["pauses"]
    return found


def test_without_queues_a_scenario_is_what_it_was() -> None:
    """No key of a run of before may change for what is not there."""
    plain = read_scenario(POOL, [WHOLE, PFC]).model_dump()
    assert "queues" not in plain
    assert "classes" not in plain["pfc"]
    assert not [name for name in plain["workload"] if "priority" in name]
    assert (
        runner_input(read_scenario(POOL, [{"queues": {"count": 1}}]))["ports"]
        == runner_input(read_scenario(POOL))["ports"]
    )


@pytest.mark.parametrize("change", [{}, MARKED])
@pytest.mark.parametrize("count", [2, 8])
def test_a_priority_alone_is_served_as_if_there_were_no_other(
    tmp_path: Path, change: dict[str, Any], count: int
) -> None:
    """Every packet of it, SYN-ACKs and ACKs too, goes by its own queue, and each decision is that of a single one."""
    plain = lab(tmp_path, change, name="plain", scenario=POOL)
    queues = {"queues": {"count": count}, "workload": {"priority": count - 1}}
    own = lab(tmp_path, change, queues, name="own", scenario=POOL)
    assert by_queue(own)[:-1] == [0] * (count - 1)
    assert by_queue(own)[-1] == sum(port["departed"] for port in result(own)["ports"]) > 300
    assert result(own)["decisions"] == result(plain)["decisions"]
    assert figures.figure(own, "marks") == figures.figure(plain, "marks")
    assert (figures.figure(own, "marks") > 20) == (change == MARKED)


@pytest.mark.parametrize(("quantum", "share"), [({"0": "9kB", "1": "3kB"}, 3), ({"0": "4kB", "1": "4kB"}, 1)])
def test_queues_send_in_turns(tmp_path: Path, quantum: dict[str, str], share: float) -> None:
    done = shared(tmp_path, {"queues": {"count": 2, "quantum": quantum}})
    assert figures.figure(done, "sharing") == pytest.approx(share, rel=0.05)


@pytest.mark.parametrize("own", [0, 1])
def test_a_strict_queue_goes_first(tmp_path: Path, own: int) -> None:
    """The higher priority leaves the other what its window does not take."""
    done = shared(tmp_path, TWO, {"workload": {"priority": own, "rival_priority": 1 - own}})
    goodput = result(done)["workload"]["goodput_bit_s"]
    upper, lower = (goodput[name][0] for name in (("main", "rivals") if own else ("rivals", "main")))
    assert lower < 0.05 * upper


def shared(tmp_path: Path, *queues: dict[str, Any]) -> LabRun:
    """Two flows of Reno share a port of 100 Mb/s, each with a queue of its own."""
    work = {
        "kind": "long-flows", "flows": 1, "rivals": 1, "receivers": "one", "rival_priority": 1,
        "duration": "1s", "warmup": "200ms", "start_jitter": "1ms",
    }  # fmt: skip
    change = {
        "topology": {"kind": "star", "racks": 1, "hosts_per_rack": 3, "host_rate": "100M"},
        "queue": {"policy": "droptail", "buffer": "100kB"},
        "transport": {"kind": "reno"},
        "workload": work,
    }
    return lab(tmp_path, change, *queues, scenario=SCENARIOS / "small-rivals.toml")


def test_a_host_sends_in_turns(tmp_path: Path) -> None:
    """A mapper sends two flows to one host and a third one, of a priority of its own, to another."""
    change = {
        "topology": {"hosts_per_rack": 3},
        "workload": {"mappers": 1, "reducers": 3, "processes_per_host": 2, "map_jitter": "0s", "quiet_priority": 1},
    }
    turns = {"queues": {"count": 2, "quantum": {"0": "3kB", "1": "3kB"}}}
    strict, half = (
        figures.figure(lab(tmp_path, change, queues, name=name, scenario=SHUFFLE), "fct_quiet")
        for name, queues in (("strict", TWO), ("half", turns))
    )
    assert half == pytest.approx(2 * strict, rel=0.15)


@pytest.mark.parametrize("classes", [[1], [0, 1]])
def test_a_priority_is_paused_as_a_link_is(tmp_path: Path, classes: list[int]) -> None:
    """With all traffic in one of two priorities each decision is that of ports with one queue."""
    plain = lab(tmp_path, WHOLE, PFC, name="plain", scenario=POOL)
    own = lab(tmp_path, WHOLE, PFC, TWO, FIRST, {"pfc": {"classes": classes}}, name="own", scenario=POOL)
    assert result(own)["decisions"] == result(plain)["decisions"]
    assert pauses(own) == {0: 0, 1: figures.figure(plain, "pauses")}
    assert figures.figure(plain, "pauses") > 8


def test_priorities_are_paused_from_switch_to_switch(tmp_path: Path) -> None:
    """Two levels, packet by packet over the uplinks: leaves pause hosts and spines, and spines leaves."""
    change = {
        "topology": {"ecmp": "packet-rr"},
        "pool": {"size": "300kB", "static": "300kB"},
        "queue": {"buffer": "300kB", "policy": "droptail"},
        "pfc": {"static": "9kB", "reaction": "1us"},
    }
    plain = lab(tmp_path, TIGHT, change, name="plain")
    own = lab(tmp_path, TIGHT, change, TWO, FIRST, name="own")
    assert result(own)["decisions"] == result(plain)["decisions"]
    paused = {link["name"].split(".")[0].rstrip("0123456789") for link in figures.paused_links(own) if link["pauses"]}
    assert paused == {"host", "leaf", "spine"}
    assert figures.figure(own, "drops") == 0


@pytest.mark.parametrize("queues", [TWO, {"queues": {"count": 2, "quantum": {"0": "3kB", "1": "3kB"}}}])
def test_who_is_not_paused_goes_on(tmp_path: Path, queues: dict[str, Any]) -> None:
    """Flows to a quiet port wait behind what is paused, unless they have a priority of their own."""
    one = lab(tmp_path, QUIET, name="one", scenario=SHUFFLE)
    two = lab(tmp_path, QUIET, queues, {"workload": {"quiet_priority": 1}}, name="two", scenario=SHUFFLE)
    for done in (one, two):
        assert (figures.figure(done, "drops"), figures.figure(done, "overruns")) == (0, 0)
    assert pauses(two)[0] > 100
    assert pauses(two)[1] == 0
    assert figures.figure(two, "fct_quiet") < 0.6 * figures.figure(one, "fct_quiet")


def test_a_lossy_priority_is_dropped_and_never_paused(tmp_path: Path) -> None:
    """It has the pool's threshold, and the other one nothing to lose."""
    change = {"pool": {"static": None, "alpha": 1}, "pfc": {"classes": [0]}}
    lossless = lab(tmp_path, WHOLE, PFC, TWO, change, name="lossless", scenario=POOL)
    assert (figures.figure(lossless, "drops"), pauses(lossless)[1]) == (0, 0)
    assert pauses(lossless)[0] > 8
    lossy = lab(tmp_path, WHOLE, PFC, TWO, change, FIRST, name="lossy", scenario=POOL)
    assert figures.total(lossy, "pool_threshold") == figures.figure(lossy, "drops") > 50
    assert pauses(lossy) == {0: 0, 1: 0}
    # What its threshold leaves alone: the lossless priority's headroom, and of the rest as much again.
    told = runner_input(lossy.scenario)["pool"]
    free = told["cells"] - 10 * told["pfc"]["headroom"]
    hot = [queue for queue in figures.pools(lossy)[0]["ports"] if "first_refusal" in queue]
    assert [(queue["name"], queue["priority"]) for queue in hot] == [("leaf0.host0", 1), ("leaf0.host1", 1)]
    assert all(abs(queue["first_refusal"] - free / 3) <= 48 for queue in hot)


def test_hosts_that_do_not_obey_are_told(tmp_path: Path) -> None:
    done = lab(tmp_path, WHOLE, PFC, TWO, fault="deaf", scenario=POOL)
    assert figures.figure(done, "drops") > 50
    assert figures.figure(done, "overruns") > 100


def test_queues_are_in_the_report() -> None:
    turns = {"queues": {"count": 2, "quantum": {"0": "3kB"}}, "pfc": {"classes": [0]}}
    told = summary.queue_text(read_scenario(POOL, [WHOLE, PFC, turns]))
    assert "2 queues a port, 0 in turns of 3000 B" in told
    assert "links paused in classes 0 above 20000 B" in told


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"queues": {"count": 3}}, r"queues\.count"),
        ({"workload": {"priority": 8}}, r"workload.*priority"),
        ({"workload": {"priority": -1}}, r"workload.*priority"),
        ({"workload": {"priority": 2}}, r"workload\.priority = 2: ports have queues 0 to 1; set queues\.count = 4"),
        (
            {"queues": None, "workload": {"priority": 1}},
            r"priority = 1: ports have one queue, 0; set queues\.count = 2",
        ),
        ({"pfc": {"classes": [0, 5]}}, r"pfc\.classes = \[0, 5\]: ports have queues 0 to 1; set queues\.count = 8"),
        ({"pfc": {"classes": []}}, r"pfc\.classes"),
        ({"pfc": {"classes": [8]}}, r"pfc\.classes"),
        ({"pool": None, "pfc": {"classes": [0]}}, r"pfc: links are paused by what they hold of a pool; add"),
        ({"queues": {"quantum": {"2": "3kB"}}}, r"queues\.quantum\.2: ports have queues 0 to 1"),
        ({"queues": {"quantum": {"0": "1MB"}}}, r"queues\.quantum\.0 = 1000000: at most"),
        ({"queues": {"count": 1, "quantum": {"0": "3kB"}}}, r"queues\.quantum\.0: one queue waits for none"),
        ({"queue": {"engine": "rtl"}}, r"queues\.count = 2: queue\.engine = 'rtl': .* take engine = 'model' alone"),
        ({"queue": {"engine": "both"}}, r"queues\.count = 2: queue\.engine = 'both'"),
        ({"queue": {"rtl_ports": ["leaf0.host0"]}}, r"queues\.count = 2: queue\.rtl_ports = \['leaf0\.host0'\]"),
        ({"pool": None, "queue": {"implementation": "ns3-red"}}, r"implementation = 'ns3-red' has one queue; take"),
        ({"queue": {"policy": "codel", "codel": "20us/200us"}}, r"'codel' drops at the head, .*; set count = 1"),
        ({"pool": {"reserve": "20kB"}}, r"pool\.reserve = 20000: 10 ports with 2 queues have 6260 cells of their own"),
        ({"pfc": {"headroom": "20kB"}}, r"10 links of a switch, 2 classes on each, have 6260 cells then"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], says: str) -> None:
    pfc = PFC if "pfc" in changes else {}
    with pytest.raises(TruemarkError, match=says):
        runner_input(read_scenario(POOL, [WHOLE, pfc, TWO, changes]))


def test_a_quiet_priority_needs_a_quiet_host() -> None:
    change = {"workload": {"reducers": 4, "quiet_priority": 1}}
    with pytest.raises(TruemarkError, match=r"workload\.quiet_priority: 4 reducers, 1 on a host, leave no host with"):
        read_scenario(SMALL, [TWO, change])
