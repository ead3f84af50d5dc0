# SPDX-License-Identifier: BSD-3-Clause
"""The network lab end to end: small scenarios of real TCP through the engines, and everything a run must refuse."""

from __future__ import annotations

import csv
import json
import subprocess
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from truemark.engine import open_engine
from truemark.errors import TruemarkError
from truemark.lab import report, summary
from truemark.lab.runner import LabRun, find_runner, run
from truemark.lab.scenario import Scenario, merged, parse_change, read_scenario, read_toml
from truemark.lab.sweep import read_grid, sweep

SCENARIOS = Path(__file__).resolve().parents[1] / "lab" / "scenarios"
SMALL = SCENARIOS / "small.toml"
# A queue that overflows often, so that every way out of a queue is taken.
TIGHT = {
    "queue": {"policy": "droptail", "buffer": "12kB"},
    "workload": {"flow_bytes": 120_000},
}


def lab(tmp_path: Path, *changes: dict[str, Any], fault: str = "", name: str = "run") -> LabRun:
    """Run the small scenario with changes."""
    return run(read_scenario(SMALL, list(changes)), tmp_path / name, fault=fault)


def result(done: LabRun) -> dict[str, Any]:
    """What the runner wrote."""
    found: dict[str, Any] = done.result["result"]
    return found


def engine(kind: str) -> dict[str, Any]:
    """The change that takes an engine."""
    return {"queue": {"engine": kind}}


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> LabRun:
    """The small scenario as it is, on the model, with its decisions."""
    return lab(tmp_path_factory.mktemp("lab"), {"measure": {"decisions": True}}, {"queue": {"k": "6kB"}})


def test_a_run_is_whole_and_leaves_its_folder(marked: LabRun) -> None:
    found = result(marked)
    assert found["finished"]
    assert found["job"]["completed"] == found["job"]["flows"] == 12
    assert found["job"]["bytes"] == 12 * 80_000
    assert summary.total(marked, "mark") > 20, "the scenario must mark"
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


def test_decisions_agree_with_the_counts(marked: LabRun) -> None:
    kinds = Counter(line.split()[2] for line in (marked.folder / "decisions.txt").read_text().splitlines())
    assert kinds.total() == result(marked)["decisions"]["count"]
    assert kinds["m"] == kinds["C"] == summary.total(marked, "mark")
    assert kinds["s"] + kinds["m"] == kinds["o"] + kinds["C"], "what is stored leaves"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"queue": {"k": "6kB"}}, id="true-mark"),
        pytest.param(TIGHT, id="droptail"),
        pytest.param({"transport": {"kind": "dctcp"}, "queue": {"k": "6kB"}}, id="dctcp"),
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
        pytest.param({"queue": {"policy": "red", "red": LAW}}, id="red"),
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
        pytest.param({"queue": {"policy": "dual-step", "k": "9kB", "red": LAW}}, id="dual-step"),
        pytest.param(
            {"queue": {"policy": "codel", "codel": "50us/500us", "buffer": "300kB"}, "transport": {"kind": "reno"}},
            id="codel, head drops",
        ),
    ],
)
def test_the_other_laws_are_equal_in_model_and_rtl(tmp_path: Path, changes: dict[str, Any]) -> None:
    try:
        open_engine("both", features=frozenset({"red", "codel"})).close()
    except TruemarkError as error:
        pytest.skip(f"no library of a build with RED and CoDel: {error}")
    runs = [lab(tmp_path, changes, engine(kind), name=kind) for kind in ("model", "both")]
    assert result(runs[0])["decisions"] == result(runs[1])["decisions"]
    assert result(runs[0])["decisions"]["count"] > 5000
    signalled = sum(
        summary.total(runs[0], name) for name in ("mark", "early_probability", "early_forced", "head_dropped")
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
    assert summary.total(ours, "early_forced") > 0
    assert summary.total(ours, "mark") > 0
    assert summary.total(ours, "ce_signalled") > 0
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


def test_red_with_a_band_follows_ns3s_red_until_it_draws(tmp_path: Path) -> None:
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
    for seed in range(1, 5):
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
    assert summary.dropped(done, "data") > 10
    assert found["tcp"]["retransmissions"] >= summary.dropped(done, "data")
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
    assert kinds["C"] > 5, "marks at departure"


def decisions(tmp_path: Path, queue: dict[str, str]) -> list[str]:
    """The decisions of a run with ECN."""
    change = {"queue": queue, "workload": {"flow_bytes": 400_000}, "measure": {"decisions": True}}
    done = lab(tmp_path, change, name="decisions")
    return (done.folder / "decisions.txt").read_text().splitlines()


@pytest.mark.parametrize(("rule", "kind"), [("ns2", "tcp-ecn"), ("rfc3168", "dctcp")])
def test_retransmissions_are_pinned(tmp_path: Path, rule: str, kind: str) -> None:
    """ns-3 sends them Not-ECT with classic ECN and ECT with DCTCP; the rule wins over both."""
    found = result(lab(tmp_path, TIGHT, {"transport": {"kind": kind, "retransmit_ect": rule}}))
    assert found["tcp"]["retransmissions"] > 10
    assert found["pinned"]["retransmissions_rewritten"] == found["tcp"]["retransmissions"]


def test_dctcps_control_packets_are_pinned(tmp_path: Path) -> None:
    found = result(lab(tmp_path, {"transport": {"kind": "dctcp"}}))
    control = sum(found["sent"].get(kind, 0) for kind in ("SYN", "SYN_ACK", "ACK", "TCP_CTRL"))
    assert found["pinned"]["control_rewritten"] >= control - found["sent"]["SYN"] - found["sent"]["SYN_ACK"] > 50
    assert found["pinned"]["ect_control_packets"] == 0


@pytest.mark.parametrize(
    ("fault", "changes", "message"),
    [
        ("ect-control", {"transport": {"kind": "dctcp"}}, "control packets were ECN-capable"),
        ("default-queue-disc", {}, "queue disc of type ns3::FqCoDelQueueDisc"),
        ("mark", {"queue": {"k": "6kB"}}, "another IPv4 header than ns-3 would write"),
        ("lost-packet", {"stop": "5s"}, "packets were still under way at the stop time"),
    ],
)
def test_what_a_run_asserts_can_fail(tmp_path: Path, fault: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        lab(tmp_path, changes, fault=fault)
    assert not (tmp_path / "run").exists()
    assert message in (tmp_path / "run.failed" / "log.txt").read_text()


@pytest.mark.parametrize(
    ("guard", "queue", "kind"),
    [
        ("open_dupacks", {"policy": "true-mark", "k": "6kB", "buffer": "12kB"}, "dctcp"),
        ("sack_after_end", {"policy": "droptail", "buffer": "30kB"}, "tcp-ecn"),
    ],
)
def test_guards_are_needed(tmp_path: Path, guard: str, queue: dict[str, str], kind: str) -> None:
    """Reordering, marks and losses lead stock ns-3 where it stops; with the guards the job ends."""
    change = {
        "queue": queue,
        "topology": {"ecmp": "packet-rr", "hosts_per_rack": 3, "link_delay": "20us"},
        "transport": {"kind": kind},
        "workload": {"mappers": 6, "reducers": 6, "flow_bytes": 150_000, "map_jitter": "100us"},
    }
    for seed in range(1, 41):
        guarded = result(lab(tmp_path, change, {"seed": seed}))
        if guarded["tcp"]["guards"][guard]:
            break
    else:
        pytest.fail(f"no seed reaches {guard}")
    assert guarded["finished"]
    with pytest.raises(TruemarkError, match="ended by signal"):
        lab(tmp_path, change, {"seed": seed, "transport": {"guards": False}}, name="stock")


def test_stop_time_is_named(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"stop time of 0\.001 s struck: \d+ of 12 flows were complete"):
        lab(tmp_path, {"stop": "1ms"})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("queue.polcy=droptail", r"queue\.polcy: unknown key; did you mean 'policy'\?"),
        ("topology.host_rate=1Q", "unknown unit 'Q'"),
        ("transport.min_rto=200", "min_rto = 200 has no unit"),
        ("workload.mappers=5", r"workload\.mappers = 5: the topology has 4 hosts"),
        ("queue.policy=drop-tail", "policy 'drop-tail' is unknown; did you mean 'droptail'"),
        ("stop=0s", "stop = 0"),
        ("topology.ecmp=random", "topology.ecmp = 'random'"),
        ("queue.k=4MB", "k = 4000000"),
        ("seed", "is not KEY=VALUE"),
    ],
)
def test_bad_scenarios_are_refused(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        run(read_scenario(SMALL, [parse_change(change)]), tmp_path / "run")


def test_the_runner_names_a_full_disk_and_bad_input(tmp_path: Path, marked: LabRun) -> None:
    def call(*arguments: object) -> tuple[int, str]:
        command = [str(find_runner().resolve()), *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    told = marked.folder / "input.json"
    assert call(told, "/dev/full", "flows.csv") == (1, "/dev/full: cannot be written whole; is the disk full?\n")
    assert call(told, "result.json", "/dev/full")[0] == 1
    assert "usage" in call(told)[1]
    broken = tmp_path / "broken.json"
    for text, message in (
        (told.read_text()[:500], "expected"),
        (told.read_text().replace('"racks": 2', '"racks": -2'), "scenario.topology.racks: an integer of 0 or more"),
        (told.read_text().replace('"link_delay_ns"', '"link_delay"'), "scenario.topology: 'link_delay_ns' is missing"),
    ):
        broken.write_text(text)
        code, said = call(broken, "result.json", "flows.csv")
        assert code == 1
        assert message in said


@pytest.mark.parametrize("timer", ["syn_timeout", "min_rto", "initial_rto"])
def test_timers_have_no_default(tmp_path: Path, timer: str) -> None:
    text = "\n".join(line for line in SMALL.read_text().splitlines() if not line.startswith(timer))
    path = tmp_path / "scenario.toml"
    path.write_text(text)
    with pytest.raises(TruemarkError, match=f"transport.{timer} is missing"):
        read_scenario(path)


def test_every_field_says_where_its_default_comes_from() -> None:
    from truemark.lab.scenario import tables

    for place, model in tables(Scenario):
        for name, field in model.model_fields.items():
            assert field.description, f"{place}.{name}"


def test_missing_engine_and_runner_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEMARK_LAB_RUNNER", str(tmp_path / "nowhere"))
    with pytest.raises(TruemarkError, match="make lab-runner"):
        lab(tmp_path)
    monkeypatch.delenv("TRUEMARK_LAB_RUNNER")
    monkeypatch.setenv("TRUEMARK_LIB", str(tmp_path))
    with pytest.raises(TruemarkError, match="is not built"):
        lab(tmp_path)


def test_sweep_resumes_and_names_what_failed(tmp_path: Path) -> None:
    grid = tmp_path / "grid.toml"
    (tmp_path / "small.toml").write_text(SMALL.read_text())
    grid.write_text(
        'base = "small.toml"\nseeds = [1, 2]\n[[point]]\nname = "as it is"\n'
        '[[point]]\nname = "too short"\nset = { stop = "1ms" }\n[[point]]\nname = "droptail"\n'
        'set = { queue = { policy = "droptail" } }\n'
    )
    tasks = read_grid(grid, tmp_path / "out")
    assert len(tasks) == 6
    said: list[str] = []
    failed = sweep(tasks, workers=2, scheduler=None, tell=said.append)
    assert sorted(task.name for task, _ in failed) == ["too short, seed 1", "too short, seed 2"]
    assert all("stop time" in message and "log.txt" in message for _, message in failed)
    said.clear()
    assert len(sweep(tasks, workers=2, scheduler=None, tell=said.append)) == 2
    assert said[0] == "4 of 6 runs are there already"
    # A result of other settings, and one half written, are not taken for this one.
    path = tasks[0].folder / "result.json"
    path.write_text(path.read_text()[:1000])
    content = json.loads((tasks[1].folder / "result.json").read_text())
    content["fingerprint"] = "00000000"
    (tasks[1].folder / "result.json").write_text(json.dumps(content))
    said.clear()
    sweep(tasks, workers=2, scheduler=None, tell=said.append)
    assert said[0] == "2 of 6 runs are there already"

    points = report.collect(tmp_path / "out")
    assert {point.name: len(point.runs) for point in points} == {"as it is": 2, "droptail": 2}
    written = report.write(tmp_path / "out", tmp_path / "page")
    page = written[0].read_text()
    assert page.count("data:image/png;base64,") == 4
    assert 'src="http' not in page
    assert "SYN timeout 1 s, min RTO 200 ms" in page
    for path in written[1:]:
        assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_grid_errors_name_the_place(tmp_path: Path) -> None:
    grid = tmp_path / "grid.toml"
    (tmp_path / "small.toml").write_text(SMALL.read_text())
    grid.write_text('base = "small.toml"\nseeds = [1]\n[[point]]\nname = "x"\nset = { queue = { polcy = "red" } }\n')
    with pytest.raises(TruemarkError, match=r"point 'x'.*queue\.polcy: unknown key; did you mean 'policy'"):
        read_grid(grid, tmp_path)


def test_shipped_scenarios_are_valid() -> None:
    for path in sorted(SCENARIOS.glob("*.toml")):
        content, _ = read_toml(path)
        if "base" in content:
            assert read_grid(path, Path("unused"))
        else:
            assert read_scenario(path).stop > 0


def test_another_policy_takes_its_settings_along() -> None:
    base = {"queue": {"policy": "true-mark", "k": "30kB", "buffer": "deep"}}
    assert merged(base, {"queue": {"policy": "droptail"}}) == {"queue": {"policy": "droptail", "buffer": "deep"}}
    assert merged(base, {"queue": {"policy": "true-mark"}}) == base
