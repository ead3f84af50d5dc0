# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of workload of the network lab, small, with golden model and RTL compared at every port."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import SCENARIOS, engine, lab, result

from truemark.errors import TruemarkError
from truemark.lab import claims, figures, report, summary
from truemark.lab.runner import LabRun, planned_ports, runner_input
from truemark.lab.scenario import read_scenario
from truemark.lab.summary import Point
from truemark_dev.marks import slow

pytestmark = pytest.mark.builds("engine:model", "lab-runner", "engine:both_full")

KINDS = {
    "rivals": "long-flows",
    "bottlenecks": "two-bottlenecks",
    "background": "background",
    "incast": "incast",
    "probes": "long-flows",
    "queries": "partition-aggregate",
    "short": "short-flows",
    "ring": "ring",
}
LONG = ("bottlenecks", "rivals", "background", "probes")
STEP: dict[str, Any] = {"queue": {"policy": "true-mark", "k": "9kB"}}


def path_of(name: str) -> Path:
    """Return the small scenario of a kind."""
    return SCENARIOS / f"small-{name}.toml"


def port(done: LabRun, name: str) -> dict[str, Any]:
    """Return what a port measured."""
    return next(found for found in result(done)["ports"] if found["name"] == name)


@pytest.mark.parametrize("name", [*sorted({*KINDS} - {*LONG}), *slow(*LONG)])
def test_model_and_rtl_agree_in_every_kind(tmp_path: Path, name: str) -> None:
    """The threshold, which every build has; engine `both` stops at the first difference."""
    done = lab(tmp_path, *([] if name == "bottlenecks" else [STEP]), engine("both"), scenario=path_of(name))
    found = result(done)
    assert done.scenario.workload.kind == KINDS[name]
    assert found["finished"]
    assert found["decisions"]["count"] > 300
    kept = found["conservation"]
    assert kept["sent"] == kept["delivered"] + kept["dropped"]
    assert found["pinned"]["ect_control_packets"] == 0
    assert {each["engine"] for each in found["ports"]} == {"both"}


@pytest.mark.parametrize("name", slow("rivals", "background"))
def test_laws_of_the_papers_agree_in_model_and_rtl(tmp_path: Path, name: str) -> None:
    """Dual AQM and RED, on the full build."""
    done = lab(tmp_path, engine("both"), scenario=path_of(name))
    reasons = ("mark", "early_probability", "early_forced")
    assert sum(figures.total(done, reason) for reason in reasons) > 20


def test_rivals_share_a_queue_under_two_laws(tmp_path: Path) -> None:
    """DCTCP is marked and never dropped early; Reno is dropped and never marked; the window excludes the warm-up."""
    done = lab(tmp_path, scenario=path_of("rivals"))
    found = result(done)
    assert found["window_s"] == pytest.approx(3)
    goodput = found["workload"]["goodput_bit_s"]
    assert len(goodput["main"]) == len(goodput["rivals"]) == 2
    bottleneck = port(done, "leaf0.leaf1")
    wire = 8 * (bottleneck["departed_bytes"] + 24 * bottleneck["departed"]) / 3 / 10e6
    assert 0.9 < wire <= 1.001, "the bottleneck is full, and nothing faster than it"
    assert sum(goodput["main"] + goodput["rivals"]) == pytest.approx(8 * bottleneck["departed_bytes"] / 3, rel=0.06)
    assert figures.total(done, "mark") > 20
    assert figures.dropped(done, "data") > 20
    with (done.folder / "flows.csv").open() as file:
        groups = [row["group"] for row in csv.DictReader(file)]
    assert groups == ["main", "main", "rivals", "rivals"]


@pytest.mark.parametrize("delayed_ack", [1, 2])
def test_dctcp_hears_of_every_mark_once(tmp_path: Path, delayed_ack: int) -> None:
    """Single marks among unmarked segments, where ns-3's receiver acknowledges one segment less when marks change."""
    law = {"min": "1kB", "max": "90kB", "probability": 0.4, "weight": 0, "spacing": "memoryless"}
    single = {"queue": {"policy": "red", "red": law}, "workload": {"rivals": 0}, "transport": {"ack_bytes": 66}}
    done = lab(tmp_path, single, {"transport": {"delayed_ack": delayed_ack}}, scenario=path_of("rivals"))
    marked = figures.total(done, "mark")
    assert marked > 100
    assert figures.figure(done, "drops") == 0
    heard = result(done)["tcp"]["marked_segments"]
    assert marked - 2 <= heard <= marked, "but for the last segment of each flow, which is shorter"


def test_two_bottlenecks_share_as_their_ways_do(tmp_path: Path) -> None:
    """S1 passes both bottlenecks, S2 the link, S3 the port to R1; each port has its place's threshold."""
    done = lab(tmp_path, scenario=path_of("bottlenecks"))
    goodput = result(done)["workload"]["goodput_bit_s"]
    assert {name: len(rates) for name, rates in goodput.items()} == {"S1": 2, "S2": 3, "S3": 2}
    assert 0.8 * 100e6 < sum(goodput["S1"] + goodput["S3"]) < 100e6, "the port to R1 is full"
    assert 0.8 * 300e6 < sum(goodput["S1"] + goodput["S2"]) < 300e6, "and so is the link between the switches"
    assert max(goodput["S1"]) < min(goodput["S2"])
    assert figures.figure(done, "least_fairness") <= figures.jain(goodput["S2"])
    for name, threshold in (("leaf0.leaf1", 15_000), ("leaf1.host0", 9_000)):
        found = port(done, name)
        assert 0.3 * threshold < found["mean_bytes"] < 3 * threshold
        wait_us = figures.figure(done, "wait_T1" if name == "leaf0.leaf1" else "wait_T2")
        assert wait_us == pytest.approx(8e6 * found["mean_bytes"] / found["rate_bit_s"], rel=0.2)


def test_windows_are_traced_from_the_start_of_each_flow(tmp_path: Path) -> None:
    """*Stimulus*: flows that begin half a second apart. *Checks*: each window is there from then on only."""
    apart = {"workload": {"flows": 1, "rivals": 2, "start_gap": "500ms", "start_jitter": "0s"}}
    windows = result(lab(tmp_path, apart, scenario=path_of("rivals")))["workload"]["windows"]
    assert [len(each) >= 400 for each in windows] == [True] * 3, "a step is 10 ms"
    began = [next(place for place, window in enumerate(each) if window) for each in windows]
    assert began == pytest.approx([3, 53, 103], abs=2), "after a round trip"
    assert all(2 * 1448 <= window < 80 * 1448 for window in windows[0][began[0] : 390])
    assert len(set(windows[0])) > 20


def test_adaptation_is_the_time_to_give_way() -> None:
    """*Stimulus*: windows at 100 ms a step: the second flow comes at 10 s, the first falls 5 or 10 s later."""
    scenario = read_scenario(path_of("rivals"), [{"workload": {"duration": "40s"}, "stop": "60s"}])

    def took(first: list[int], second: list[int]) -> float:
        found = {"sample_ns": 100_000_000, "workload": {"windows": [first, second]}}
        return figures.figure(LabRun(Path(), scenario, {"result": found}), "adaptation")

    joins = [0] * 100 + [9] * 300
    assert took([100] * 150 + [50] * 250, joins) == pytest.approx(5 + 0.8)
    assert took([100] * 200 + [50] * 200, joins) == pytest.approx(10 + 0.8)
    assert math.isnan(took([100] * 400, joins)), "it does not give way"
    assert math.isnan(took([50] * 400, [0] * 400)), "nobody joins"


def test_figures_of_nothing_are_not_numbers(tmp_path: Path) -> None:
    """Flows that move nothing have neither a fairness nor a share; without probes nobody knows how long one waits."""
    change = {"queue": {"policy": "droptail", "buffer": "100B"}}
    done = lab(tmp_path, change, scenario=path_of("rivals"))
    for name in ("fairness", "least_fairness", "sharing", "probe", "probe99"):
        assert math.isnan(figures.figure(done, name)), name
    assert figures.jain([0, 1]) == 0.5


def test_background_meets_the_job_at_the_bottleneck(tmp_path: Path) -> None:
    """ECN traffic is marked and Not-ECT traffic dropped by the same RED; rounds follow one another."""
    done = lab(tmp_path, scenario=path_of("background"))
    work = result(done)["workload"]
    assert len(work["round_s"]) == figures.figure(done, "rounds") == 2
    assert figures.figure(done, "round_deviation") == pytest.approx(
        abs(work["round_s"][0] - work["round_s"][1]) / 2**0.5
    )
    assert 0.3e9 < work["background_bit_s"] < 1e9
    assert figures.total(done, "mark") > 10
    alone = lab(tmp_path, {"workload": {"pairs": 0}}, scenario=path_of("background"), name="alone")
    assert result(alone)["workload"]["background_bit_s"] == 0
    assert figures.total(alone, "mark") == 0, "without the background nobody has ECN"
    limited = lab(tmp_path, {"workload": {"background_bytes": "200kB"}}, scenario=path_of("background"), name="limited")
    assert result(limited)["job"]["bytes"] < result(done)["job"]["bytes"]


def test_a_round_that_is_open_at_the_stop_time_counts_as_longer(tmp_path: Path) -> None:
    """The run is kept, says when it was cut off, and all that shows its round says that it took longer."""
    whole = lab(tmp_path, scenario=path_of("background"))
    first, second = result(whole)["workload"]["round_s"]
    stop = 0.002 + first + second / 2
    cut = lab(tmp_path, {"stop": f"{1e9 * stop:.0f}ns"}, scenario=path_of("background"), name="cut")
    assert not result(cut)["finished"]
    assert figures.rounds(cut) == [first, pytest.approx(second / 2, rel=1e-6)]
    assert figures.figure(cut, "round") == pytest.approx((first + second / 2) / 2, rel=1e-6)
    assert figures.figure(cut, "rounds") == 1, "that ended"
    for key in ("round", "drops", "drops_switch2", "marks"):
        assert claims.known_of(cut, key) == (figures.figure(cut, key), math.inf), key
    for key in ("job", "run_time90", "fct99", "throughput"):
        assert math.isnan(figures.figure(cut, key)), f"{key}: not all of it has ended"
        assert not claims.known_of(cut, key).known
    ends = sorted(int(row["end_ns"]) for row in csv.DictReader((whole.folder / "flows.csv").open()))
    last = lab(tmp_path, {"stop": f"{ends[-1] - 1000}ns"}, scenario=path_of("background"), name="last")
    assert not result(last)["finished"]
    assert figures.figure(last, "job90") == figures.figure(whole, "job90"), "nine tenths had ended"
    assert math.isnan(figures.figure(last, "job"))
    early = lab(tmp_path, {"stop": f"{1e9 * (0.002 + first / 2):.0f}ns"}, scenario=path_of("background"), name="early")
    assert figures.figure(early, "round") == pytest.approx(first / 4, rel=1e-6), "the second may take no time"
    assert claims.known_of(cut, "background") == (figures.figure(cut, "background"),) * 2, "a mean over the time"
    assert claims.known_of(whole, "round") == (figures.figure(whole, "round"),) * 2
    measure = summary.OF_KIND["background"][0]
    points = [Point("whole", (whole,)), Point("cut", (cut,))]
    assert [point.shown(measure).startswith("over ") for point in points] == [False, True]
    assert summary.best([*points, Point("other", (whole,))], measure) == ""
    assert f" + {result(cut)['conservation']['in_flight']:,} under way" in summary.checks(cut)[1][1]
    assert summary.checks(cut)[0][1].startswith(f"struck after {result(cut)['stop_s']:g} s")
    assert f"cut: 1 of 1 runs were open at their stop time of {result(cut)['stop_s']:g} s" in report.warnings(points)


def test_a_round_may_be_a_shuffle(tmp_path: Path) -> None:
    """Four reducers of six hosts, two fetches at a time: three of them have flows of one size, the last of another."""
    job = {"reducers": 4, "flows_per_round": 20, "parallel_fetches": 2, "usual_bytes": 40_000, "largest_bytes": 60_000}
    done = lab(tmp_path, {"workload": job}, scenario=path_of("background"))
    assert len(result(done)["workload"]["round_s"]) == 2
    with (done.folder / "flows.csv").open() as file:
        flows = [row for row in csv.DictReader(file) if row["group"] == "main"]
    assert len(flows) == 40
    rounds = flows[:20], flows[20:]
    assert max(int(row["end_ns"]) for row in rounds[0]) <= min(int(row["start_ns"]) for row in rounds[1])
    for each in rounds:
        places = list(dict.fromkeys(row["receiver"] for row in each))
        assert len(places) == 4
        for reducer, place in enumerate(places):
            own = [row for row in each if row["receiver"] == place]
            assert sorted(row["sender"] for row in own) == sorted({str(host) for host in range(6)} - {place})
            assert {int(row["bytes"]) for row in own} == {40_000 if reducer < 3 else 60_000}
            begun = sorted(int(row["start_ns"]) for row in own)
            ended = sorted(int(row["end_ns"]) for row in own)
            assert begun[0] == begun[1], "two begin"
            assert begun[2:] == ended[:3], "and whenever one ends, the next"
    assert [row["receiver"] for row in rounds[0]] != [row["receiver"] for row in rounds[1]], "other hosts"
    found = result(done)["job"]["completion_ns"]
    longest = max(int(row["end_ns"]) - int(row["start_ns"]) for row in flows)
    assert (found["count"], found["max"]) == (40, longest), "of the job alone, not of the background"
    half = read_scenario(
        path_of("background"), [{"workload": job | {"reducers": 2, "flows_per_round": 3}, "scale": 0.5}]
    )
    assert half.workload.kind == "background"


def test_incast_rounds_are_the_time_of_a_block(tmp_path: Path) -> None:
    done = lab(tmp_path, {"queue": {"buffer": "300kB"}}, scenario=path_of("incast"))
    rounds = result(done)["workload"]["round_s"]
    wire_s = 8 * 600_000 / 10e9
    assert len(rounds) == 2
    assert all(wire_s < each < 3 * wire_s for each in rounds), "nothing is lost in a buffer that holds it"
    assert result(done)["job"]["bytes"] == 2 * 600_000


def ends(done: LabRun) -> list[tuple[int, int]]:
    """Sender and receiver of every flow."""
    with (done.folder / "flows.csv").open() as file:
        return [(int(row["sender"]), int(row["receiver"])) for row in csv.DictReader(file)]


def test_processes_of_a_host_share_its_link(tmp_path: Path) -> None:
    """Incast: 12 senders on 3 hosts. Shuffle: 6 reducers on the last 2 hosts, mappers on the first."""
    few = {"topology": {"hosts_per_rack": 4}, "workload": {"processes_per_host": 4, "rounds": 1}}
    done = lab(tmp_path, few, scenario=path_of("incast"))
    assert ends(done) == [(1 + sender // 4, 0) for sender in range(12)]
    assert [len(result(done)["ports"]), result(done)["job"]["bytes"]] == [4, 600_000]
    apart = {"mappers": 2, "reducers": 6, "processes_per_host": 3, "mapper_placement": "apart", "flow_bytes": 4000}
    done = lab(tmp_path, {"workload": apart}, name="shuffle")
    assert ends(done) == [(mapper, 2 + reducer // 3) for mapper in range(2) for reducer in range(6)]


def test_map_tasks_are_mappers_of_their_own_on_their_host(tmp_path: Path) -> None:
    """Two mappers of three tasks: six flows for each reducer, none from its own host, each output at its own time."""
    few = {"mappers": 2, "map_tasks": 3, "reducers": 3, "flow_bytes": 4000, "map_jitter": "5ms"}
    done = lab(tmp_path, {"workload": few}, name="shuffle")
    mappers = {sender for sender, _ in ends(done)}
    assert sorted(ends(done)) == sorted(
        (mapper, reducer) for mapper in mappers for reducer in (1, 2, 3) for _ in range(3) if mapper != reducer
    )
    assert [len(mappers), result(done)["job"]["bytes"]] == [2, 12 * 4000]
    with (done.folder / "flows.csv").open() as file:
        assert len({row["start_ns"] for row in csv.DictReader(file)}) >= 6


@pytest.mark.parametrize("law", ["exponential", "uniform"])
def test_map_tasks_compute_by_times_of_their_own(tmp_path: Path, law: str) -> None:
    """*Stimulus*: 300 tasks. *Checks*: their ends have the law's mean and spread; a seed draws others."""
    many = {"mappers": 1, "map_tasks": 300, "reducers": 2, "flow_bytes": 1000, "mapper_placement": "apart"}
    many |= {"parallel_fetches": 300, "map_jitter": "0s", "map_time": "100ms", "map_times": law}
    ends_ms = []
    for seed in (1, 2):
        done = lab(tmp_path, {"seed": seed, "workload": many}, name=str(seed))
        starts = sorted({int(row["start_ns"]) / 1e6 for row in figures.flows(done)})
        assert len(starts) == 300, "the flows of a task begin together, those of two do not"
        assert sum(starts) / 300 == pytest.approx(100, rel=0.15)
        below = sum(each < 100 for each in starts) / 300
        assert below == pytest.approx(1 - math.exp(-1) if law == "exponential" else 0.5, abs=0.08)
        assert (max(starts) > 300) == (law == "exponential"), "uniform goes to twice the mean"
        assert figures.figure(done, "run_time") == max(int(row["end_ns"]) for row in figures.flows(done)) / 1e9
        ends_ms.append(starts)
    assert ends_ms[0] != ends_ms[1]


def had_all(done: LabRun) -> list[float]:
    """Return when each host had every output, in order: its last flow, or its own map task, whose flows begin then."""
    there: dict[int, float] = {}
    for row in figures.flows(done):
        there[int(row["receiver"])] = max(there.get(int(row["receiver"]), 0), int(row["end_ns"]) / 1e9)
    for host in there:
        begun = [int(row["start_ns"]) / 1e9 for row in figures.flows(done) if int(row["sender"]) == host]
        there[host] = max(there[host], min(begun))
    return [there[host] for host in sorted(there)]


def test_reducers_compute_once_they_have_all(tmp_path: Path) -> None:
    """*Stimulus*: reducers that compute alike, then each for itself. *Checks*: the job ends with the last of them."""
    plain = lab(tmp_path, name="plain")
    ended = max(int(row["end_ns"]) for row in figures.flows(plain)) / 1e9
    alike = lab(tmp_path, {"workload": {"reduce_time": "50ms"}}, name="alike")
    assert figures.flows(alike) == figures.flows(plain), "what is sent is as before"
    assert result(alike)["workload"]["reduced_s"] == pytest.approx([each + 0.05 for each in had_all(alike)], abs=1e-9)
    assert figures.figure(alike, "run_time") == pytest.approx(ended + 0.05)
    assert figures.figure(alike, "job") == figures.figure(plain, "job") == figures.figure(plain, "run_time")
    drawn = {"map_time": "1ms", "map_times": "exponential", "reduce_time": "50ms", "compute_time": "1s"}
    own = lab(tmp_path, {"workload": drawn}, name="own")
    reduced = result(own)["workload"]["reduced_s"]
    took = [end - there for end, there in zip(reduced, had_all(own), strict=True)]
    assert min(took) >= 0
    assert len({round(each, 6) for each in took}) == len(took) == 4
    assert figures.figure(own, "run_time") == 1 + max(reduced)
    assert figures.figure(own, "run_time90") == 1 + sorted(reduced)[math.ceil(0.9 * len(reduced)) - 1]


def test_a_reducer_waits_for_the_map_task_of_its_own_host(tmp_path: Path) -> None:
    """*Stimulus*: two hosts map and reduce, one maps longer. *Checks*: its reducer has the other's output before."""
    two = {"mappers": 2, "reducers": 2, "flow_bytes": 4000, "map_jitter": "1s", "reduce_time": "50ms"}
    done = lab(tmp_path, {"workload": two})
    assert sorted(ends(done)) == [(2, 3), (3, 2)], "what is of the own host is read there"
    map_end, other = sorted(int(row["start_ns"]) / 1e9 for row in figures.flows(done))[::-1]
    assert map_end > other + 0.1
    late = min(figures.flows(done), key=lambda row: int(row["start_ns"]))["receiver"]
    reduced = dict(zip(("2", "3"), result(done)["workload"]["reduced_s"], strict=True))
    assert reduced[late] == pytest.approx(map_end + 0.05, abs=1e-9)
    assert figures.figure(done, "run_time") == max(reduced.values()) > reduced[late]


def test_exponential_flows_have_the_same_mean(tmp_path: Path) -> None:
    """A share 1/e of them is larger than the mean; equal ones, the default, are all of it."""
    sizes = {}
    for law in ("equal", "exponential"):
        done = lab(tmp_path, {"workload": {"flow_sizes": law, "flows": 400}}, scenario=path_of("short"), name=law)
        with (done.folder / "flows.csv").open() as file:
            sizes[law] = [int(row["bytes"]) for row in csv.DictReader(file)]
    assert set(sizes["equal"]) == {10_000}
    drawn = sizes["exponential"]
    assert sum(drawn) / len(drawn) == pytest.approx(10_000, rel=0.15)
    assert sum(size > 10_000 for size in drawn) / len(drawn) == pytest.approx(0.368, abs=0.08)


def test_only_the_model_holds_the_largest_buffer(tmp_path: Path) -> None:
    """Race cars goes to 16 MB: a port holds a burst of 9 MB whole; with the RTL there it is refused."""
    large = {"queue": {"policy": "droptail", "buffer": "16MB", "k": None}, "transport": {"initial_window": 900}}
    large |= {"workload": {"block_bytes": "9MB", "rounds": 1}}
    done = lab(tmp_path, large, scenario=path_of("incast"))
    assert port(done, "leaf0.host0")["max_bytes"] > 2_430_000
    assert figures.figure(done, "drops") == 0
    with pytest.raises(TruemarkError, match="limit_bytes = 16000000 B: this build allows 1 to 2430000 B"):
        planned_ports(read_scenario(path_of("incast"), [large, {"queue": {"rtl_ports": ["leaf0.host0"]}}]))
    with pytest.raises(TruemarkError, match="limit_bytes = 16000001 B: this build allows 1 to 16000000 B"):
        planned_ports(read_scenario(path_of("incast"), [large, {"queue": {"buffer": "16000001B"}}]))


def test_probes_wait_as_long_as_the_queue_is(tmp_path: Path) -> None:
    """UDP probes measure the queue: with twice the buffer they wait about twice as long."""
    means = []
    for buffer in ("50kB", "100kB"):
        done = lab(tmp_path, {"queue": {"buffer": buffer}}, scenario=path_of("probes"), name=buffer)
        assert result(done)["latency_probe_ns"]["count"] > 50
        means.append(result(done)["latency_probe_ns"]["mean"])
        assert result(done)["verdicts"]["OTHER_IP"]["pass"][0] > 50
    assert 1.4 < means[1] / means[0] < 3


def test_switch_latency_is_passed_once_a_switch(tmp_path: Path) -> None:
    """Short flows through one switch, queries through one or three."""
    for name, field, switches in (("short", "latency_ns", (1, 1)), ("queries", "latency_ns", (1, 3))):
        means = []
        for latency in ("1us", "11us"):
            change = {"topology": {"switch_latency": latency}}
            done = lab(tmp_path, change, scenario=path_of(name), name=f"{name}-{latency}")
            means.append(result(done)[field]["mean"])
        longer = (means[1] - means[0]) / 10_000
        assert switches[0] - 0.1 < longer < switches[1] + 0.1, name


def test_ranks_are_in_one_ring_of_random_order(tmp_path: Path) -> None:
    """Each sends all its messages to both neighbours; another seed has another order, and one with two hosts one."""
    orders = []
    for seed in (1, 2):
        done = lab(tmp_path, {"seed": seed}, scenario=path_of("ring"), name=str(seed))
        pairs = ends(done)
        assert len(pairs) == 10
        assert sorted(pairs) == sorted((receiver, sender) for sender, receiver in pairs)
        order = [0]
        while len(order) < 5:
            order.append(next(other for host, other in pairs if host == order[-1] and other not in order))
        assert (order[-1], order[0]) in pairs, "it closes"
        orders.append(set(pairs))
        assert result(done)["job"]["bytes"] == 10 * 4 * 20_000
        assert result(done)["workload"]["round_ns"]["count"] == 5 * 4
    assert orders[0] != orders[1]
    two = lab(tmp_path, {"topology": {"hosts_per_rack": 2}}, scenario=path_of("ring"), name="two")
    assert sorted(ends(two)) == [(0, 1), (0, 1), (1, 0), (1, 0)]
    assert result(two)["workload"]["round_ns"]["count"] == 2 * 4


def test_a_round_waits_for_both_neighbours(tmp_path: Path) -> None:
    """*Stimulus*: a switch that takes 10 µs longer. *Checks*: so does each of four rounds, and none is shorter."""
    exchange = []
    for latency in ("1us", "11us"):
        change = {"topology": {"switch_latency": latency}}
        done = lab(tmp_path, change, scenario=path_of("ring"), name=latency)
        found = result(done)["workload"]
        exchange.append(figures.figure(done, "exchange"))
        assert found["exchange_s"] == pytest.approx(found["round_ns"]["mean"] * 1e-9, rel=0.2)
        assert figures.figure(done, "exchange99") >= exchange[-1]
        with (done.folder / "flows.csv").open() as file:
            rows = list(csv.DictReader(file))
        last = max(int(row["end_ns"]) for row in rows)
        assert last * 1e-9 == pytest.approx(0.001 + 4 * found["exchange_s"]), "connections stand 1 ms before"
        assert max(int(row["connected_ns"]) for row in rows) < 1_000_000
    assert exchange[1] - exchange[0] == pytest.approx(10, abs=1.5)
    wire_us = 2 * 14 * 8 * (1448 + 14 + 20 + 32 + 24) / 10_000  # two messages of 14 segments
    assert wire_us < exchange[0] < 2 * wire_us


def test_a_ring_never_holds_more_than_it_says(tmp_path: Path) -> None:
    """*Stimulus*: messages over a fat tree whose links are paused. *Checks*: the limit is refused, or holds all."""
    tree = {
        "topology": {"kind": "fat-tree", "pods": 4, "uplink_rate": "10G", "racks": None, "hosts_per_rack": 2},
        "queue": {"buffer": "1MB"},
        "pool": {"size": "4MB", "static": "4MB"},
        "pfc": {"alpha": 1},
    }
    done = lab(tmp_path, tree, scenario=path_of("ring"))
    most = 8 * 4 * 14 * (1448 + 94)
    assert max(each["max_bytes"] for each in result(done)["ports"]) < most < 1_000_000
    assert figures.figure(done, "drops") == 0
    with pytest.raises(
        TruemarkError, match=f"buffer must be at least {most} B, which is what the workload may send there"
    ):
        planned_ports(read_scenario(path_of("ring"), [tree, {"queue": {"buffer": f"{most - 1}B"}}]))
    small = {"pool": {"size": "600kB", "static": "600kB"}, "queue": {"buffer": "599kB"}}
    with pytest.raises(TruemarkError, match="buffer must be at least 600000 B, which is the pool's size"):
        planned_ports(read_scenario(path_of("ring"), [tree, small]))


def test_queries_end_with_their_last_answer(tmp_path: Path) -> None:
    done = lab(tmp_path, scenario=path_of("queries"))
    found = result(done)
    assert found["workload"]["query_ns"]["count"] == 20
    assert found["job"]["flows"] == 80
    assert found["workload"]["query_ns"]["mean"] > found["job"]["completion_ns"]["mean"]


@pytest.mark.parametrize(
    "option",
    [
        {"alpha": "continuous", "gain": 0.00390625},
        {"alpha_bits": 3},
        {"ssthresh": "cwnd"},
        {"grow_in_cwr": True},
        {"halve_on_loss": False},
        {"growth": "ack"},
        {"reduction": "progressive"},
    ],
    ids=lambda option: next(iter(option)),
)
def test_every_option_of_dctcp_acts(tmp_path: Path, option: dict[str, Any]) -> None:
    plain = {"alpha": "window", "gain": 0.0625, "alpha_bits": 0, "ssthresh": "cwnd-1", "grow_in_cwr": False}
    queue = {"policy": "true-mark", "k": "6kB", "buffer": "16kB"}
    if "halve_on_loss" in option:
        queue = {"policy": "droptail", "buffer": "16kB"}
    if "reduction" in option:
        plain |= {"alpha": "continuous"}
    runs = [
        lab(
            tmp_path,
            {"transport": {"recovery": "ns3::TcpClassicRecovery", "dctcp": plain | change}, "queue": queue},
            scenario=path_of("rivals"),
            name=f"{number}",
        )
        for number, change in enumerate(({}, option))
    ]
    assert result(runs[0])["decisions"]["digest"] != result(runs[1])["decisions"]["digest"]


def test_a_timeout_is_a_loss_of_dctcp_too(tmp_path: Path) -> None:
    """*Stimulus*: windows of three segments, of which no loss has three duplicates. *Checks*: the option acts."""
    few = {
        "workload": {"flows": 4, "rivals": 0, "start_jitter": "0s"},
        "queue": {"policy": "droptail", "buffer": "1600B"},
    }
    runs = [
        lab(
            tmp_path,
            few,
            {
                "transport": {
                    "receive_buffer": 3 * 1448,
                    "dctcp": {"alpha": "window", "gain": 0.0625, "halve_on_loss": halve},
                }
            },
            scenario=path_of("rivals"),
            name=f"{halve}",
        )
        for halve in (True, False)
    ]
    assert all(result(done)["tcp"]["data_timeouts"] for done in runs)
    assert result(runs[0])["decisions"]["digest"] != result(runs[1])["decisions"]["digest"]


def test_a_window_that_counts_acks_grows_less(tmp_path: Path) -> None:
    """With delayed ACKs half as fast, so that it gets less next to the same rival, as Linux 3.2's does."""
    goodput = {}
    for growth in ("segment", "ack"):
        change = {"transport": {"dctcp": {"growth": growth}}, "workload": {"flows": 1, "rivals": 1}}
        queue = {"queue": {"policy": "true-mark", "k": "6kB"}}
        done = lab(tmp_path, change, queue, scenario=path_of("rivals"), name=growth)
        goodput[growth] = result(done)["workload"]["goodput_bit_s"]["main"][0]
    assert goodput["ack"] < goodput["segment"]


@pytest.mark.parametrize("lacks", ["alpha", "recovery"])
def test_a_progressive_reduction_names_what_it_needs(lacks: str) -> None:
    """Alpha with every ACK, and a window that falls at once."""
    transport = {"recovery": "ns3::TcpClassicRecovery", "dctcp": {"alpha": "continuous", "reduction": "progressive"}}
    wrong = {"recovery": "ns3::TcpPrrRecovery"} if lacks == "recovery" else {"dctcp": {"alpha": "window"}}
    with pytest.raises(TruemarkError, match=f"reduction = 'progressive' needs .*{lacks} = '"):
        read_scenario(path_of("rivals"), [{"transport": transport}, {"transport": wrong}])


def test_rivals_have_a_class_a_delayed_ack_and_a_recovery_of_their_own() -> None:
    """So that Reno is Linux's, whatever DCTCP's modifications are."""
    transport = {"recovery": "ns3::TcpClassicRecovery"}
    rival = {"rival_delayed_ack": 3, "rival_socket_type": "ns3::TcpLinuxReno"}
    scenario = read_scenario(path_of("rivals"), [{"transport": transport, "workload": rival}])
    own, rivals = runner_input(scenario)["groups"]
    assert (own["socket_type"], rivals["socket_type"]) == ("lab::TcpDctcp", "ns3::TcpLinuxReno")
    assert (own["recovery"], rivals["recovery"]) == ("ns3::TcpClassicRecovery", "ns3::TcpPrrRecovery")
    assert (own["delayed_ack"], rivals["delayed_ack"]) == (2, 3)


def test_growth_in_cwr_wins_throughput(tmp_path: Path) -> None:
    """A window that also grows while it is reduced gets more through the same threshold."""
    goodput = {}
    for grow in (False, True):
        change = {"transport": {"dctcp": {"grow_in_cwr": grow}}, "workload": {"flows": 1, "rivals": 1}}
        queue = {"queue": {"policy": "true-mark", "k": "6kB"}}
        done = lab(tmp_path, change, queue, scenario=path_of("rivals"), name=f"{grow}")
        goodput[grow] = result(done)["workload"]["goodput_bit_s"]["main"][0]
    assert goodput[True] > goodput[False]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("rivals", {"workload": {"flows": 3}}, r"workload\.flows = 3, rivals = 2: 10 hosts are needed"),
        ("rivals", {"workload": {"warmup": "5s"}}, "measuring must begin before"),
        ("rivals", {"stop": "4s"}, "cannot finish in less than 4 s"),
        ("rivals", {"workload": {"start_gap": "1300ms"}}, "the last of 4 flows would begin after"),
        ("background", {"workload": {"pairs": 4}}, r"workload\.pairs = 4: the topology has 3 hosts at each switch"),
        ("background", {"topology": {"kind": "star", "racks": 1}}, "needs topology.kind = 'dumbbell'"),
        ("background", {"workload": {"reducers": 7}}, r"workload\.reducers = 7: the topology has 6 hosts"),
        ("background", {"workload": {"reducers": 4}}, r"flows_per_round = 6: 4 reducers fetch from 5 .*; set it to 20"),
        ("bottlenecks", {"topology": {"kind": "star", "racks": 1}}, "needs topology.kind = 'dumbbell'"),
        ("bottlenecks", {"workload": {"s3": 3}}, r"s3 = 3: 7 hosts are needed at each switch; the topology has 6"),
        ("bottlenecks", {"workload": {"warmup": "40ms"}}, "startup <= warmup < duration must hold"),
        ("bottlenecks", {"queue": {"fabric": {"kk": 1}}}, r"queue\.fabric\.kk: unknown key; did you mean 'k'"),
        ("bottlenecks", {"scale": 1.5}, r"scale = 1\.5"),
        ("bottlenecks", {"scale": 0}, "scale = 0"),
        ("rivals", {"workload": {"receivers": "one"}}, r"workload\.receivers = 'one': .* a dumbbell with 'each' only"),
        ("probes", {"workload": {"receivers": "each"}}, r"workload\.receivers = 'each': .* a star with 'one' only"),
        ("background", {"workload": {"job_begin": "0s"}}, r"workload\.start_jitter: background must have begun"),
        (
            "rivals",
            {"transport": {"kind": "reno", "min_rto": "30ms"}, "workload": {"rival": "dctcp"}},
            "set workload.rival_delayed_ack = 1",
        ),
        ("rivals", {"transport": {"socket_type": "ns3::TcpNewReno"}}, "transport.kind = 'dctcp' is another"),
        (
            "rivals",
            {"workload": {"rival_socket_type": "lab::TcpDctcp"}},
            r"workload\.rival_socket_type = 'lab::TcpDctcp': workload\.rival = 'reno' is another",
        ),
        ("rivals", {"transport": {"kind": "vcc", "ecn": True}}, "'vcc' is for guests without ECN"),
        (
            "rivals",
            {"transport": {"kind": "reno", "dctcp": {"reduction": "progressive"}}, "workload": {"rival": "dctcp"}},
            r"transport\.dctcp\.reduction = 'progressive': rivals of kind",
        ),
        ("rivals", {"transport": {"send_buffer": "5GB"}}, r"transport\.send_buffer = "),
        (
            "rivals",
            {"queue": {"ns3_red": {"min": "31kB"}}},
            r"queue\.ns3_red\.min = 31000: above .*max = 30001",
        ),
        ("rivals", {"stop": "9300000000s"}, r"stop = "),
        ("incast", {"workload": {"senders": 13}}, r"workload\.senders = 13: 14 hosts are needed"),
        ("incast", {"workload": {"map_tasks": 2}}, r"workload\.map_tasks: unknown key"),
        ("incast", {"workload": {"processes_per_host": 0}}, r"workload\.processes_per_host = 0"),
        ("incast", {"workload": {"block_bytes": "5B"}}, "less than a byte for each sender"),
        ("queries", {"workload": {"workers": 6}}, r"workload\.workers = 6: 7 hosts are needed"),
        ("queries", {"transport": {"delayed_ack_timeout": "40ms"}}, "would time out before the ACK"),
        ("short", {"workload": {"flow_sizes": "normal"}}, r"workload\.flow_sizes = 'normal'"),
        ("short", {"workload": {"load": 1.5}}, r"workload\.load = 1\.5"),
        ("ring", {"workload": {"message_bytes": "0B"}}, r"workload\.message_bytes = "),
        ("ring", {"topology": {"hosts_per_rack": 1}}, r"workload\.kind = 'ring': 2 hosts are needed"),
        ("short", {"workload": {"pairs": 2}}, r"workload\.pairs: unknown key"),
    ],
)
def test_senseless_workloads_are_refused(name: str, change: dict[str, Any], message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        read_scenario(path_of(name), [change])


def test_open_connections_wait_for_the_query(tmp_path: Path) -> None:
    """Opened ahead, a connection is there when its request leaves, and a query takes less by the handshake."""
    waits, took = {}, {}
    for ahead in ("0s", "1ms"):
        done = lab(tmp_path / ahead, {"workload": {"open_ahead": ahead}}, scenario=path_of("queries"))
        with (done.folder / "flows.csv").open() as file:
            waits[ahead] = [int(row["connected_ns"]) - int(row["start_ns"]) for row in csv.DictReader(file)]
        took[ahead] = figures.figure(done, "query")
    assert min(waits["0s"]) > 0
    assert max(waits["1ms"]) < 0
    assert took["1ms"] < took["0s"] - 1e-3 * min(waits["0s"]) / 2


def test_each_seed_draws_words_of_its_own(tmp_path: Path) -> None:
    """Nothing else is random: two flows that begin at once meet RED at one port."""
    red = {
        "policy": "red",
        "red": {"min": 10_000, "max": 60_000, "probability": 0.1, "weight": 4, "spacing": "uniform"},
    }
    flows = {
        "flows": 2,
        "rivals": 0,
        "duration": "100ms",
        "warmup": "20ms",
        "start_jitter": "0s",
        "probe_interval": "0s",
    }

    def decisions(seed: int, queue: dict[str, Any], name: str) -> dict[str, Any]:
        changes = {"seed": seed, "queue": {"buffer": "200kB", "k": None, **queue}, "workload": flows}
        found: dict[str, Any] = result(lab(tmp_path, changes, scenario=path_of("probes"), name=name))["decisions"]
        return found

    assert decisions(1, red, "first") != decisions(2, red, "second")
    tail = {"policy": "droptail"}
    assert decisions(1, tail, "tail") == decisions(2, tail, "other tail")
