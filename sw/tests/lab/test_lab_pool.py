# SPDX-License-Identifier: BSD-3-Clause
"""The network lab with a memory that the ports of a switch share: who is refused, what is counted, what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from sw.tests.lab.lab_runs import SCENARIOS, TIGHT, engine, lab, result

from truemark.errors import TruemarkError
from truemark.lab import figures, summary
from truemark.lab.pool import Pool
from truemark.lab.runner import LabRun, fingerprint, runner_input
from truemark.lab.scenario import read_scenario

pytestmark = pytest.mark.builds("engine:model", "lab-runner", "engine:both_full")

POOL = SCENARIOS / "small-pool.toml"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> LabRun:
    return lab(tmp_path_factory.mktemp("lab"), scenario=POOL)


def refusals(done: LabRun, reason: str) -> int:
    """Return what the pools counted."""
    return sum(port[f"refused_{reason}"] for pool in figures.pools(done) for port in pool["ports"])


def test_what_the_pool_refuses_is_a_drop_with_its_reason(shared: LabRun) -> None:
    assert refusals(shared, "threshold") == figures.total(shared, "pool_threshold") > 50
    assert summary.dropped_by(shared) == {"pool_threshold": refusals(shared, "threshold")}
    kept = result(shared)["conservation"]
    assert kept["dropped"] == sum(port["dropped"] for port in result(shared)["ports"])
    assert kept["sent"] == kept["delivered"] + kept["dropped"]
    told = {measure.key for measure in summary.measures_of(summary.points([shared]))}
    assert {"pool_threshold", "pool_cells", "pool_most"} <= told
    assert "pool of 200000 B a switch, alpha 1" in summary.queue_text(shared.scenario)


def test_greedy_ports_take_what_theory_gives_them(shared: LabRun) -> None:
    """Two of them at alpha 1: a third of the pool each, within a frame; the rest of it stays free."""
    (pool,) = figures.pools(shared)
    hot = [port for port in pool["ports"] if "first_refusal" in port]
    assert [port["name"] for port in hot] == ["leaf0.host0", "leaf0.host1"]
    frame = 24
    for port in hot:
        assert abs(port["first_refusal"] - pool["cells"] / 3) <= 2 * frame
    assert figures.figure(shared, "pool_share") == pytest.approx(1, abs=0.05)
    assert pool["watermark"] < 0.75 * pool["cells"]


@pytest.mark.parametrize(
    ("fields", "queues", "cells"),
    [({}, 2, 1000 / 3), ({"alpha": "1/8"}, 1, 1000 / 9), ({"static": 6400}, 3, 100), ({"static": 64_000}, 4, 250)],
)
def test_what_theory_gives_to_each_queue(fields: dict[str, Any], queues: int, cells: float) -> None:
    assert Pool(size=64_000, **fields).share(queues) == pytest.approx(cells)


def test_a_static_threshold_and_a_reserve(tmp_path: Path) -> None:
    """A port has its reserve and the static cells, whatever is free; where those are not, the reason is another."""
    own = lab(tmp_path, {"pool": {"alpha": None, "static": "32kB", "reserve": "6400B"}}, name="own", scenario=POOL)
    most = max(port["watermark"] for port in figures.pools(own)[0]["ports"])
    assert 600 - 24 < most <= 600
    assert refusals(own, "cells") == 0
    whole = lab(tmp_path, {"pool": {"alpha": None, "static": "200kB"}}, name="whole", scenario=POOL)
    assert refusals(whole, "cells") == figures.total(whole, "pool_cells") > 50
    assert refusals(whole, "threshold") == 0
    assert figures.figure(whole, "pool_most") > 99


def test_a_pool_that_never_refuses_changes_nothing(tmp_path: Path) -> None:
    plain = lab(tmp_path, TIGHT, name="plain")
    pooled = lab(tmp_path, TIGHT, {"pool": {"size": "2MB", "static": "2MB"}}, name="pooled")
    assert sorted(pool["name"] for pool in figures.pools(pooled)) == ["leaf0", "leaf1", "spine0", "spine1"]
    assert result(plain)["decisions"] == result(pooled)["decisions"]
    assert "pools" not in result(plain)


def test_without_a_pool_a_scenario_is_what_it_was() -> None:
    """No key of a run of before may change for a table that is not there."""
    plain, pooled = (read_scenario(POOL, changes) for changes in ([{"pool": None}], []))
    assert "pool" not in plain.model_dump()
    assert "pool" not in runner_input(plain)
    assert "pool" in runner_input(pooled)
    assert fingerprint(plain) != fingerprint(pooled)


@pytest.mark.parametrize("queue", [{"policy": "true-mark", "k": "20kB"}, {"policy": "droptail"}])
def test_the_pool_is_asked_alike_with_the_rtl(tmp_path: Path, queue: dict[str, Any]) -> None:
    runs = [lab(tmp_path, {"queue": queue}, engine(kind), name=kind, scenario=POOL) for kind in ("model", "both")]
    assert result(runs[0])["decisions"] == result(runs[1])["decisions"]
    assert figures.pools(runs[0]) == figures.pools(runs[1])


def test_what_is_dropped_at_the_head_leaves_the_pool(tmp_path: Path) -> None:
    change = {"queue": {"policy": "codel", "codel": "20us/200us"}, "pool": {"size": "1MB"}, "workload": {"rounds": 4}}
    done = lab(tmp_path, change, scenario=POOL)
    assert figures.total(done, "head_dropped") > 2


def test_cells_that_do_not_come_back_are_found(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"the pool of leaf0 holds \d+ cells of packets that left"):
        lab(tmp_path, {"pool": {"size": "8MB", "alpha": 8}}, fault="pool", scenario=POOL)


def test_askers_have_senders_of_their_own_and_begin_apart(tmp_path: Path) -> None:
    done = lab(tmp_path, {"workload": {"start_gap": "3ms", "rounds": 2}}, scenario=POOL)
    rows = [line.split(",") for line in (done.folder / "flows.csv").read_text().splitlines()[1:]]
    assert {(row[2], row[1]) for row in rows} == {("0", str(n)) for n in range(2, 6)} | {
        ("1", str(n)) for n in range(6, 10)
    }
    assert len(rows) == 2 * 2 * 4
    assert min(int(row[4]) for row in rows if row[2] == "1") >= 3_000_000
    rounds = result(done)["workload"]["round_s"]
    assert len(rounds) == 4
    assert figures.figure(done, "block_last") == 1e3 * rounds[-1]


def test_a_quiet_port_is_that_of_the_fewest_flows(tmp_path: Path) -> None:
    """Two reducers on a host, and one on the next; where both have as many, none is quiet."""
    work = {"mappers": 2, "mapper_placement": "apart", "reducers": 3, "processes_per_host": 2}
    done = lab(tmp_path, {"workload": work}, name="quiet")
    rows = [line.split(",") for line in (done.folder / "flows.csv").read_text().splitlines()[1:]]
    assert sorted(row[2] for row in rows) == ["2"] * 4 + ["3"] * 2
    times = [(int(row[6]) - int(row[4])) / 1e6 for row in rows if row[2] == "3"]
    assert figures.figure(done, "fct_quiet") == pytest.approx(sum(times) / 2)
    even = lab(tmp_path, {"workload": {**work, "reducers": 2, "processes_per_host": 1}}, name="even")
    assert math.isnan(figures.figure(even, "fct_quiet"))


@pytest.mark.parametrize(
    ("pool", "message"),
    [
        ({"alpha": "1/3"}, r"pool\.alpha.*'1/3': a power of two from 1/128 to 8"),
        ({"alpha": 16}, r"pool\.alpha.*16: a power of two from 1/128 to 8"),
        ({"alpha": "1/0"}, r"pool\.alpha.*'1/0': a power of two"),
        ({"static": "10kB"}, r"pool\.alpha = 1, static = 10000: a threshold is one of them"),
        ({"alpha": None, "static": "201kB"}, r"pool\.static = 201000: more than the pool's size of 200000"),
        (
            {"reserve": "20001B"},
            r"pool\.reserve = 20001: 10 ports have 3130 cells of their own then; the pool has 3125",
        ),
        ({"size": "63B"}, r"pool\.size = 63: less than a cell of 64 bytes"),
        ({"size": 0}, r"pool\.size"),
        ({"cell": 96}, r"pool\.cell"),
        ({"sze": 1}, r"pool\.sze: unknown key; did you mean 'size'"),
    ],
)
def test_bad_pools_are_refused(tmp_path: Path, pool: dict[str, Any], message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        lab(tmp_path, {"pool": pool}, scenario=POOL)


def test_queues_of_ns3_do_not_ask_the_pool(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"pool: queue\.implementation = 'ns3-red'"):
        lab(tmp_path, {"queue": {"implementation": "ns3-red"}}, scenario=POOL)


def test_a_host_is_no_switch(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"pool: queue\.at_hosts = true: the ports of a switch share"):
        lab(tmp_path, {"queue": {"at_hosts": True}}, scenario=POOL)


def test_more_hosts_than_there_are_is_named(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"workload\.askers = 3, senders = 4: 15 hosts are needed"):
        lab(tmp_path, {"workload": {"askers": 3}}, scenario=POOL)
