# SPDX-License-Identifier: BSD-3-Clause
"""Runs that several sweeps have are made once, by the same runner and engine only."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sw.tests.frames import Command
from sw.tests.lab.lab_runs import SCENARIOS, SMALL

from truemark.errors import TruemarkError
from truemark.lab import runner, store
from truemark.lab.folder import failed_runs, whole_folder, whole_runs
from truemark.lab.scenario import read_scenario
from truemark.lab.sweep import Task, is_done, read_grid, sweep, take_equal
from truemark_dev.paths import ROOT

pytestmark = pytest.mark.builds("engine:model", "lab-runner")


def tasks_of(folder: Path, name: str, text: str) -> list[Task]:
    """Write a sweep of the small scenario under another name, and return its runs."""
    (folder / f"{name}-base.toml").write_text(SMALL.read_text().replace('name = "small"', f'name = "{name}"'))
    (folder / f"{name}.toml").write_text(f'base = "{name}-base.toml"\nseeds = [1]\n{text}')
    return read_grid(folder / f"{name}.toml", folder / "out" / name)


def test_a_run_that_another_sweep_has_is_taken_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Stimulus*: a sweep, and another with the same run under other names; one with a byte more of runner or engine.

    *Checks*: the run is taken once, under its own names; not by other binaries, nor if the file was cut off.
    """
    point = '[[point]]\nname = "{}"\nset = {{ queue = {{ policy = "droptail" }} }}\n'
    first = tasks_of(tmp_path, "first", point.format("a"))
    second = tasks_of(tmp_path, "second", f'# a comment\n{point.format("b")}[[point]]\nname = "as it is"\n')
    results = tmp_path / "out"
    assert not sweep(first, workers=1, scheduler=None, tell=lambda _: None)
    assert take_equal(second, results) == 1
    made, taken = runner.load(first[0].folder), runner.load(second[0].folder)
    assert taken.result["point"] == "b"
    assert taken.scenario == second[0].scenario
    assert taken.result["result"] == made.result["result"]
    assert take_equal(second, results) == 0, "it is there"
    assert is_done(first[0])

    shutil.rmtree(results / "second")
    for variable, found in (
        ("TRUEMARK_LAB_RUNNER", runner.find_runner()),
        ("TRUEMARK_LIB", Path(runner.choose_engine("model", "shallow", frozenset()).library)),
    ):
        other = tmp_path / variable / found.name
        other.parent.mkdir()
        other.write_bytes(found.read_bytes() + b"\0")
        other.chmod(0o755)
        with monkeypatch.context() as patch:
            patch.setenv(variable, str(other if variable.endswith("RUNNER") else other.parent))
            assert take_equal(second, results) == 0, f"another {found.name}"
            assert not is_done(first[0]), f"made by another {found.name}: stale"
    result = first[0].folder / "result.json"
    result.write_text(result.read_text()[:1000])
    assert take_equal(second, results) == 0, "cut off"
    assert not is_done(first[0])


def test_points_that_change_places_keep_their_runs(tmp_path: Path) -> None:
    """*Stimulus*: two points; their values swapped, so that each has the other's run; and a label that is a lie.

    *Checks*: a folder says what its runner was told, and holds what came of that; a run under another's name is none.
    """
    point = "[[point]]\nname = '{}'\nset = {{ topology = {{ link_delay = '{}us' }} }}\n"

    def tasks(near: int, far: int) -> list[Task]:
        return tasks_of(tmp_path, "swap", point.format("near", near) + point.format("far", far))

    digests = []
    for delays in ((5, 50), (50, 5)):
        now = tasks(*delays)
        take_equal(now, tmp_path / "out")
        assert not failed_runs(tmp_path)
        assert not sweep(now, workers=2, scheduler=None, tell=lambda _: None)
        runs = [runner.load(task.folder) for task in now]
        for run, delay in zip(runs, delays, strict=True):
            told = json.loads((run.folder / "input.json").read_text())["scenario"]["topology"]["link_delay_ns"]
            assert told == run.scenario.topology.link_delay == 1000 * delay
        digests.append([run.result["result"]["decisions"]["digest"] for run in runs])
    assert digests[0] == digests[1][::-1]
    assert digests[0][0] != digests[0][1]

    result = now[0].folder / "result.json"
    result.write_text(result.read_text().replace('link_delay": 50000', 'link_delay": 7000'))
    assert not is_done(tasks(7, 5)[0])


def test_equal_points_of_a_sweep_are_run_once(tmp_path: Path) -> None:
    """*Stimulus*: a point under two names; then another title. *Checks*: one run, two folders; nothing is run again."""
    same = "set = { queue = { policy = 'droptail' } }\n"
    tasks = tasks_of(tmp_path, "twice", f"[[point]]\nname = 'a'\n{same}[[point]]\nname = 'b'\n{same}")
    said: list[str] = []
    assert not sweep(tasks, workers=2, scheduler=None, tell=said.append)
    assert said == ["1 of 2: a, seed 1", "2 of 2: b, seed 1"]
    runs = [runner.load(task.folder).result for task in tasks]
    assert [each["point"] for each in runs] == ["a", "b"]
    assert runs[0]["result"] == runs[1]["result"], "also the time it took"
    base = tmp_path / "twice-base.toml"
    base.write_text(re.sub('title = ".*"', 'title = "Another"', base.read_text()))
    assert all(is_done(task) for task in read_grid(tmp_path / "twice.toml", tmp_path / "out/twice"))


def test_a_part_of_a_sweep_keeps_the_order_of_all_points(tmp_path: Path, command: Command) -> None:
    """*Stimulus*: a claim needs one of two points, and a seed less. *Checks*: what is said, and points.txt."""
    tasks_of(tmp_path, "part", '[[point]]\nname = "z"\n')
    claim = 'text = "t"\npaper = "marking-threshold"\nsays = "s"\nfigure = "job"\nmost = 1\nunit = "s"\n'
    (tmp_path / "part.toml").write_text(
        'base = "part-base.toml"\nseeds = [1, 2, 3]\n'
        + "".join(
            f'[[point]]\nname = "{name}"\nset = {{ scale = {scale} }}\n' for name, scale in (("z", 1), ("a", 0.5))
        )
        + f'[[claim]]\nitem = "1#11"\npoint = "a"\ncontrol = ["a"]\nseeds = 2\n{claim}'
    )
    code, out, error = command("lab", "sweep", tmp_path / "part.toml", "--item", "1#11", "--out", tmp_path / "out/part")
    assert code == 0, error
    assert "2 runs: 1 points, 2 seeds" in out
    assert (tmp_path / "out/part/points.txt").read_text() == "z\na\n"


def test_half_a_run_is_none(tmp_path: Path) -> None:
    """*Stimulus*: a run, halves of copies, and a run without its flows. *Checks*: none is taken."""
    tasks = tasks_of(tmp_path, "first", '[[point]]\nname = "a"\n')
    assert not sweep(tasks, workers=1, scheduler=None, tell=lambda _: None)
    folder = tasks[0].folder
    assert list(store.made([folder]).values()) == [folder]
    for half in (".part", ".failed"):
        shutil.copytree(folder, folder.with_name(f"seed-2{half}"))
    assert whole_runs(tmp_path) == [folder]
    assert failed_runs(tmp_path) == [folder.with_name("seed-2.failed")]
    kept = folder.rename(tmp_path / "kept")
    assert take_equal(tasks, tmp_path / "out") == 0
    assert not folder.exists()
    kept.rename(folder)
    (folder / "flows.csv").unlink()
    assert not is_done(tasks[0])
    assert not store.made([folder])


def test_a_run_says_what_made_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Stimulus*: ns-3's own environment; a runner that is built during its run; two runs into one folder.

    *Checks*: the first changes nothing, the others are refused.
    """
    scenario = read_scenario(SMALL)
    plain = runner.run(scenario, tmp_path / "plain")
    monkeypatch.setenv("NS_ATTRIBUTE_DEFAULT", "ns3::TcpSocketBase::Timestamp=false")
    told = runner.run(scenario, tmp_path / "told")
    assert told.result["result"]["decisions"] == plain.result["result"]["decisions"]
    busy = pytest.raises(TruemarkError, match="another process is making this run")
    with busy, whole_folder(tmp_path / "plain"):
        runner.run(scenario, tmp_path / "plain")
    assert runner.load(tmp_path / "plain").result == plain.result
    script = tmp_path / "lab-runner"
    script.write_text(f'#!/bin/sh\n"{runner.find_runner()}" "$@"\necho "# another" >> "$0"\n')
    script.chmod(0o755)
    monkeypatch.setenv("TRUEMARK_LAB_RUNNER", str(script))
    with pytest.raises(TruemarkError, match="built during the run"):
        runner.run(scenario, tmp_path / "built")


def test_a_field_that_is_younger_than_a_run_leaves_it_done(tmp_path: Path) -> None:
    """It has its default; another value, or another register write, makes the run stale."""
    task = tasks_of(tmp_path, "first", '[[point]]\nname = "a"\n')[0]
    assert not sweep([task], workers=1, scheduler=None, tell=lambda _: None)
    paths = [task.folder / name for name in ("result.json", "input.json")]
    for path in paths:
        content = json.loads(path.read_text())
        del content["scenario"]["queue"]["at_hosts"]
        path.write_text(json.dumps(content))
    assert is_done(task)
    assert store.made([task.folder]) == {store.content_of(task.scenario): task.folder}
    content["ports"]["edge"]["writes"][0][1] += 1
    paths[1].write_text(json.dumps(content))
    assert not is_done(task)
    paths[1].write_text("[]")
    assert not is_done(task), "cut off"
    changed = task.scenario.model_copy(update={"stop": task.scenario.stop + 1})
    assert not is_done(Task(task.point, changed, task.folder))


def test_make_lab_and_lab_full_have_every_sweep_once() -> None:
    """Left out are those of which another has every run, and the demo's."""
    text = re.sub(r"\\\n", " ", (ROOT / "sim" / "lab" / "lab.mk").read_text())
    lists = re.findall(r"^LAB_(?:SWEEPS|FULL) \??= (.*)$", text, re.MULTILINE)
    named = [name for names in lists for name in names.split()]
    sweeps = [name.removesuffix(":claimed") for name in named if "$" not in name]
    everyday = re.findall(r"^LAB_SWEEPS \?= (.*)$", text, re.MULTILINE)[0].split()
    whole = {name for name in everyday if not name.endswith(":claimed")}
    there = {path.stem for path in SCENARIOS.glob("*.toml") if "\nbase = " in path.read_text()}
    assert set(sweeps) == there - {"demo-shuffle", "hadoop-delays"}
    assert len(named) == len(set(named))
    assert not whole & {name for name in sweeps if sweeps.count(name) > 1}, "whole already"
    told = subprocess.run(["make", "-n", "lab-full"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    full = re.findall(r"for sweep in ([^;]*);", told)[0].split()
    assert sorted(full) == sorted(set(sweeps)), "every one whole, and once"
