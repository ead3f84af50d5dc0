# SPDX-License-Identifier: BSD-3-Clause
"""What a run of the network lab asserts, what it refuses, and how sweeps go on: each check is broken once."""

from __future__ import annotations

import json
import re
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from sw.tests.frames import Command
from sw.tests.lab.lab_runs import SCENARIOS, SMALL, TIGHT, lab, result

from truemark.errors import TruemarkError
from truemark.lab import report, workloads
from truemark.lab.fields import Table
from truemark.lab.runner import find_runner, run
from truemark.lab.scenario import Scenario, merged, parse_change, read_scenario
from truemark.lab.sweep import connect, read_grid, sweep
from truemark.toml_errors import read_toml

pytestmark = pytest.mark.builds("engine:model", "lab-runner")


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
        ("mark", {"queue": {"k": "6kB"}}, "another IPv4 header than its packet has"),
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
    with pytest.raises(TruemarkError, match=r"stop time of 0\.002 s struck: \d+ of 12 flows were complete"):
        lab(tmp_path, {"stop": "2ms"})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("queue.polcy=droptail", r"queue\.polcy: unknown key; did you mean 'policy'\?"),
        ("topology.host_rate=1Q", r"topology\.host_rate '1Q': unknown unit 'Q'"),
        ("topology.host_rate=0G", r"topology\.host_rate '0G' must be at least 1 bit/s"),
        ("topology.uplink_rate=0G", r"topology\.uplink_rate '0G' must be at least 1 bit/s"),
        ("topology.link_delay=0s", r"topology\.link_delay '0s' must be at least 1 ns"),
        ("topology.uplink_delay=0.4ns", r"topology\.uplink_delay '0\.4ns' must be at least 1 ns"),
        ("topology.switch_latency=5MB", r"topology\.switch_latency '5MB': unknown unit 'MB'; times are in"),
        ("transport.min_rto=200", r"transport\.min_rto = 200 has no unit"),
        ("workload.mappers=5", r"workload\.mappers = 5: the topology has 4 hosts"),
        ("queue.policy=drop-tail", "policy 'drop-tail' is unknown; did you mean 'droptail'"),
        ("stop=0s", "stop = 0"),
        ("stop=1ms", "cannot finish in less than 1.92 ms"),
        ("transport.syn_timeot=3s", r"transport\.syn_timeot: unknown key; did you mean 'syn_timeout'"),
        ("workload.kind=shufle", "workload.kind: 'shufle'; did you mean 'shuffle'"),
        ("workload.mapers=3", r"workload\.mapers: unknown key; did you mean 'mappers'"),
        ("topology.kind=star", r"topology\.racks = 2: a star has 1"),
        ("transport.dctcp.gian=0.5", r"transport\.dctcp\.gian: unknown key; did you mean 'gain'"),
        ("workload.map_times=uniform", r"workload\.map_times = 'uniform': map_time = 0 ns is its mean"),
        ("workload.map_times=normal", r"workload\.map_times = 'normal'"),
        ("workload.flow_bytes=0B", r"workload\.flow_bytes = "),
        ("topology.ecmp=random", "topology.ecmp = 'random'"),
        ("queue.k=4MB", "k = 4000000"),
        ("transport.segment=1449", r"transport\.segment = 1449: at most 1448 B fit into a packet"),
        ("seed", "is not KEY=VALUE"),
        (f"seed={'9' * 5000}", "seed = '9+': .* exceeded maximum size"),
    ],
)
def test_bad_scenarios_are_refused(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        run(read_scenario(SMALL, [parse_change(change)]), tmp_path / "run")
    assert not list(tmp_path.iterdir()), "nothing began, so that there is no log to look at"


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.toml"
    empty.touch()
    with pytest.raises(TruemarkError, match=f"^{empty}: name is missing"):
        read_scenario(empty)


def test_a_key_that_is_laid_over_a_file_has_no_line_of_it(command: Command) -> None:
    scenario = SCENARIOS / "b-eff.toml"
    for change, says in (("queue.kk=3kB", "queue.kk: unknown key"), ("pool.alpha=3", "pool.alpha = 3: a power of two")):
        code, _, error = command("lab", "run", scenario, "--set", change)
        assert (code, error.startswith(f"error: {scenario}: {says}")) == (1, True), error


def test_the_runner_names_a_full_disk_and_bad_input(tmp_path: Path) -> None:
    small = lab(tmp_path, name="small")

    def call(*arguments: object) -> tuple[int, str]:
        command = [str(find_runner().resolve()), *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    told = small.folder / "input.json"
    assert call(told, "/dev/full", "flows.csv") == (1, "/dev/full: cannot be written whole; is the disk full?\n")
    assert call(told, "result.json", "/dev/full")[0] == 1
    full = tmp_path / "full.json"
    full.write_text(told.read_text().replace('"decisions": ""', '"decisions": "/dev/full"'))
    assert call(full, "none.json", "flows.csv") == (1, "/dev/full: cannot be written whole; is the disk full?\n")
    assert not (tmp_path / "none.json").exists()
    assert "usage" in call(told)[1]
    broken = tmp_path / "broken.json"
    elsewhere = told.read_text().replace('"special_ports": []', '"special_ports": [{"port": "leaf0.host9"}]')
    for text, message in (
        (told.read_text().replace('"ns3::TcpNewReno"', '"ns3::TcpNewRen"'), "socket_type = 'ns3::TcpNewRen': ns-3 has"),
        (elsewhere, "queue.rtl_ports: 'leaf0.host9' is no port that an engine serves; they are leaf0.host0 to spine"),
        (told.read_text()[:500], "expected"),
        (told.read_text().replace('"racks": 2', '"racks": -2'), "scenario.topology.racks: an integer of 0 or more"),
        (told.read_text().replace('"link_delay_ns"', '"link_delay"'), "scenario.topology: 'link_delay_ns' is missing"),
    ):
        broken.write_text(text)
        code, said = call(broken, "result.json", "flows.csv")
        assert code == 1
        assert message in said


def test_a_sweep_is_no_scenario(command: Command) -> None:
    path = SCENARIOS / "ladder.toml"
    said = f"{path}: a sweep, not a scenario: truemark lab sweep {path}"
    with pytest.raises(TruemarkError, match=f"^{re.escape(said)}$"):
        read_scenario(path)
    assert command("lab", "run", path) == (1, "", f"error: {said}\n")


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("probes", "workload.probe_bytes=1473", r"workload\.probe_bytes = 1473"),
        ("queries", "workload.interval=0s", r"workload\.interval = 0 ns: without time between its queries"),
        ("queries", "workload.workers=40", r"workload\.workers = 40"),
    ],
)
def test_bad_workloads_are_refused(tmp_path: Path, kind: str, change: str, message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        run(read_scenario(SCENARIOS / f"small-{kind}.toml", [parse_change(change)]), tmp_path / "run")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("timer", ["syn_timeout", "min_rto", "initial_rto"])
def test_timers_have_no_default(tmp_path: Path, timer: str) -> None:
    text = "\n".join(line for line in SMALL.read_text().splitlines() if not line.startswith(timer))
    path = tmp_path / "scenario.toml"
    path.write_text(text)
    with pytest.raises(TruemarkError, match=f"transport.{timer} is missing"):
        read_scenario(path)


def tables(model: type[Table], place: str = "") -> Iterator[tuple[str, type[Table]]]:
    """Every table of the file with its place."""
    yield place, model
    if model is Scenario:
        yield from ((f"workload.{name}", kind) for name, kind in workloads.KINDS.items())
    for name, info in model.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, Table):
            yield from tables(info.annotation, f"{place}.{name}" if place else name)


def test_every_field_says_where_its_default_comes_from() -> None:
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
        '[[point]]\nname = "too short"\nset = { stop = "2ms" }\n[[point]]\nname = "droptail"\n'
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
    content = json.loads((tasks[3].folder / "result.json").read_text())
    content["scenario"]["stop"] += 1
    (tasks[3].folder / "result.json").write_text(json.dumps(content))
    said.clear()
    sweep(tasks, workers=2, scheduler=None, tell=said.append)
    assert said[0] == "2 of 6 runs are there already"

    points = report.collect(tmp_path / "out")
    assert {point.name: len(point.runs) for point in points} == {"as it is": 2, "droptail": 2}
    written = report.write(report.read(tmp_path / "out"), tmp_path / "page")
    page = written[0].read_text()
    assert page.count("data:image/svg+xml;base64,") == 4
    assert 'src="http' not in page
    assert "SYN timeout 1 s, min RTO 200 ms" in page
    assert "| as it is |" in written[1].read_text()
    for path in written[2:]:
        assert ElementTree.parse(path).getroot().tag.endswith("}svg")


def test_a_sweep_survives_what_cannot_be_written(tmp_path: Path) -> None:
    """A limit on the size of files, lifted in mid-sweep: the run that met it is named, nothing half-written counts."""
    grid = tmp_path / "grid.toml"
    (tmp_path / "small.toml").write_text(SMALL.read_text())
    grid.write_text(
        'base = "small.toml"\nseeds = [1]\n[[point]]\nname = "fits"\n'
        '[[point]]\nname = "does not"\nset = { measure = { decisions = true } }\n'
    )
    tasks = read_grid(grid, tmp_path / "out")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        failed = sweep(tasks, workers=1, scheduler=None, tell=lambda _: None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [task.point for task, _ in failed] == ["does not"]
    assert "SIGXFSZ" in failed[0][1]
    assert [point.name for point in report.collect(tmp_path / "out")] == ["fits"]
    assert re.fullmatch(r"does-not/seed-1 failed: .*SIGXFSZ.*", report.failures(tmp_path / "out")[0]), "from its log"
    assert "does-not/seed-1 failed" in report.write(report.read(tmp_path / "out"), tmp_path / "page")[0].read_text()
    said: list[str] = []
    assert not sweep(tasks, workers=1, scheduler=None, tell=said.append)
    assert said[0] == "1 of 2 runs are there already"
    assert not report.failures(tmp_path / "out")


def test_a_sweep_goes_on_after_the_machine_slept() -> None:
    """Dask gives a worker up that is silent for minutes; here it is silent only when the whole process stands still."""
    with connect(None, 1) as client:
        assert client.cluster.scheduler.worker_ttl is None


def test_grid_errors_name_the_place(tmp_path: Path) -> None:
    grid = tmp_path / "grid.toml"
    (tmp_path / "small.toml").write_text(SMALL.read_text())
    grid.write_text('base = "small.toml"\nseeds = [1]\n[[point]]\nname = "x"\nset = { queue = { polcy = "red" } }\n')
    with pytest.raises(TruemarkError, match=r"point 'x'.*queue\.polcy: unknown key; did you mean 'policy'"):
        read_grid(grid, tmp_path)
    for wrong, message in (('k = "20p"', "unknown unit 'p'"), ('buffer = "12kB"', "k = 15000")):
        grid.write_text(f'base = "small.toml"\nseeds = [1]\n[[point]]\nname = "x"\nset = {{ queue = {{ {wrong} }} }}\n')
        with pytest.raises(TruemarkError, match=f"point 'x'.*{message}"):
            read_grid(grid, tmp_path)
    grid.write_text('base = "../sweep.toml"\nseeds = [1]\n[[point]]\nname = "x"\n')
    with pytest.raises(TruemarkError, match=r"grid\.toml: base: sweep\.toml is the name of a sweep's copy"):
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
