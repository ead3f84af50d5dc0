# SPDX-License-Identifier: BSD-3-Clause
"""sim/bench/soak.py: what is counted, kept, begun again and refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from sim.bench import soak
from sw.tests.dev.test_lockstep_runs import program as saying

from truemark_dev.builds import builds
from truemark_dev.sources import code

FOREVER = float("inf")
SAYS = "  no difference in 40 frames, 900 cycles"


class Programs(dict[str, Path]):
    """Programs by the name of their build, made from what they hold; and the state of a soak of them."""

    def __init__(self, folder: Path, *names: str) -> None:
        """Write programs that end as lockstep does, each in a folder of its build."""
        self.folder, self.state = folder, folder / "soak.jsonl"
        for name in names:
            self.write(name)

    def write(self, name: str, says: str = SAYS, code: int = 0) -> Path:
        """Write one, over what was there."""
        (self.folder / name).mkdir(exist_ok=True)
        self[name] = Path(saying(self.folder / name, "lockstep", says, code))
        return self[name]

    def restored(self, *names: str) -> dict[str, soak.Soaked]:
        """Return what is known of them, or of some."""
        return soak.restored({name: self[name].read_text() for name in names or self}, self.state)

    def soak(
        self, soaked: dict[str, soak.Soaked], goal: int, each: int, until: float = FOREVER, workers: int = 1
    ) -> bool:
        """Soak them; all count for the goal."""
        return soak.soak(soaked, each, goal, set(soaked), until, workers, lambda name, _: self[name], self.state)


def test_it_goes_on_where_it_was_interrupted_and_evens_out(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64", "ls512")
    assert programs.soak(programs.restored(), 100, 40)
    assert sum(json.loads(line)["frames"] for line in programs.state.read_text().splitlines()) >= 100
    soaked = programs.restored()
    assert programs.soak(soaked, 200, 100)
    assert [(each.seeds, each.frames) for each in soaked.values()] == [(3, 120), (3, 120)]


def test_some_builds_have_figures_by_their_storage_and_no_totals() -> None:
    soaked = {name: soak.Soaked("", 1, 40) for name in ("ls64", "ls512", "pool64")}
    found = soak.figures(soaked, 200)
    assert {each.key: each.value for each in found} == {
        "soak.in-rings": {"frames": 80, "differences": 0},
        "soak.in-pool": {"frames": 40, "differences": 0},
    }
    assert {each.command for each in found} == {'make soak BUILDS="ls64 ls512 pool64" EACH=20000000'}
    assert soak.figures(soaked, 200, 100)[0].command == 'make soak BUILDS="ls64 ls512 pool64" EACH=100'


def test_builds_are_all_only_where_none_is_left_out() -> None:
    known = soak.every_build()
    rings = [name for name in known if soak.storage(known[name]) == "rings"]
    for left_out in (0, 1):
        soaked = {name: soak.Soaked("", 1, 40) for name in rings[left_out:]}
        assert soak.figures(soaked, 200)[0].title.endswith("all builds") == (not left_out)


def test_all_builds_have_totals_besides() -> None:
    known = soak.every_build()
    assert len(known) >= 12
    soaked = {name: soak.Soaked("", 1, 40) for name in known}
    soaked["ls64w"].failed.append("lockstep --seed 2")
    found = {each.key: each.value for each in soak.figures(soaked, 200)}
    assert (found["soak.frames"], found["soak.differences"]) == (40 * len(known), 1)
    beats = found["soak.several-beats"]
    assert isinstance(beats, int)
    assert 0 < beats < 40 * len(known)
    assert len([key for key in found if key.startswith("soak.in-")]) == 3


def test_what_each_build_has_compared_its_share_the_quickest_goes_on(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64", "ls512")
    programs["ls512"].write_text(programs["ls512"].read_text().replace("exit", "sleep 0.5; exit"))
    soaked = programs.restored()
    assert programs.soak(soaked, 240, 80)
    assert [each.frames for each in soaked.values()] == [160, 80]
    assert soaked["ls64"].rate > soaked["ls512"].rate > 0


def test_only_some_builds_count_for_the_goal(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64", "pool512")
    soaked = programs.restored()
    assert soak.soak(soaked, 40, 200, {"pool512"}, FOREVER, 2, lambda name, _: programs[name], programs.state)
    assert [each.frames for each in soaked.values()] == [40, 200]


def test_one_seed_of_twenty_meets_all_traffic(tmp_path: Path) -> None:
    path = tmp_path / "lockstep"
    path.write_text('#!/bin/sh\necho "no difference in 1 frames"; echo "$@"; exit 1\n')
    path.chmod(0o755)
    short = [seed for seed in range(1, 42) if "--lengths short" in soak.run(path, seed)[2]]
    assert short == [seed for seed in range(1, 42) if seed not in (1, 21, 41)]


def test_a_program_is_made_from_rtl_model_and_lockstep_whatever_their_comments(tmp_path: Path) -> None:
    known = builds("lockstep")
    for name in ("rtl/tm_assert.svh", "rtl/admit/tm_verdict.sv", "sim/model/red.h", "sim/lockstep/traffic.cpp"):
        assert name in soak.plan().sources["tuned:full256"]
    path = tmp_path / "a.sv"
    said = {"a = b;  // the first\n\n// all\n  c = d;\n": "a = b; c = d;", "a = c;\n": "a = c;"}
    for second, (text, found) in enumerate(said.items()):
        path.write_text(text)
        os.utime(path, (second, second))
        assert code(path) == found
    assert len({soak.content(build) for build in known.values()}) == len(known)


def test_what_is_known_of_other_programs_stays(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64", "ls512")
    assert programs.soak(programs.restored(), 0, 40)
    assert programs.soak(programs.restored("ls64"), 0, 80)
    assert [each.frames for each in programs.restored().values()] == [80, 40]


def test_runs_side_by_side_leave_no_seed_out(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64", "ls512")
    soaked = programs.restored()
    assert programs.soak(soaked, 400, 100, workers=2)
    assert soak.total(soaked) >= 400
    for each in soaked.values():
        assert each.frames == 40 * each.seeds >= 100


def test_one_program_leaves_the_other_workers_idle(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64")
    soaked = programs.restored()
    assert programs.soak(soaked, 0, 100, workers=2)
    assert soak.total(soaked) == 120


def test_a_program_from_other_sources_begins_at_zero(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64", "ls512")
    assert programs.soak(programs.restored(), 80, 40)
    programs.write("ls64", SAYS + ".")
    assert [each.frames for each in programs.restored().values()] == [0, 40]


def test_a_program_is_not_run_where_its_sources_have_changed_since(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "make", lambda *_, **__: [Path("lockstep")])
    assert soak.built("ls64", soak.content(builds("lockstep")["ls64"])) == Path("lockstep")
    with pytest.raises(SystemExit, match="ls64: its sources have changed since this soak began"):
        soak.built("ls64", soak.content(builds("lockstep")["ls64w"]))


@pytest.mark.parametrize(("says", "code"), [("DIFFERENCE in lockstep ls64, seed 1", 1), (SAYS, 1), ("", 0)])
def test_a_failure_ends_it_names_the_run_and_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], says: str, code: int
) -> None:
    programs = Programs(tmp_path)
    path = programs.write("ls64", says, code)
    soaked = programs.restored()
    assert not programs.soak(soaked, 80, 40)
    assert (
        f"{path} --frames 1000000 --seed 1\nlockstep lockstep: 1000000 frames, seed 1\n{says}"
        in capsys.readouterr().out
    )
    assert programs.restored()["ls64"].failed == [f"{path} --frames 1000000 --seed 1"]
    assert soak.figures(soaked, 80)[0].value == {"frames": 0, "differences": 1}


@pytest.mark.parametrize("signal", ["TERM", "KILL"])
def test_a_run_that_was_stopped_is_made_again(tmp_path: Path, signal: str) -> None:
    programs = Programs(tmp_path, "ls64")
    path = programs["ls64"]
    assert programs.soak(programs.restored(), 0, 40)
    path.write_text(path.read_text().replace("exit", f"kill -{signal} $$; exit"))
    soaked = programs.restored()
    with pytest.raises(SystemExit, match="lockstep --frames 1000000 --seed 1 was stopped"):
        programs.soak(soaked, 0, 80)
    assert (soaked["ls64"].seeds, soaked["ls64"].failed) == (0, [])


def test_no_run_begins_after_its_time(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "ls64")
    soaked = programs.restored()
    assert programs.soak(soaked, 80, 40, until=0)
    assert [each.seeds for each in soaked.values()] == [0]


@pytest.mark.parametrize("line", ["{", "3", '{"build": "ls64"}', '{"content": "0"}'])
def test_a_damaged_state_is_named(tmp_path: Path, line: str) -> None:
    programs = Programs(tmp_path, "ls64", "ls512")
    assert programs.soak(programs.restored("ls512"), 0, 40)
    programs.state.write_text(programs.state.read_text() + line)
    with pytest.raises(SystemExit, match=r"soak\.jsonl, line 2: damaged .* without it its build begins again"):
        programs.restored()


def test_of_two_lines_of_a_build_the_longer_soak_counts(tmp_path: Path) -> None:
    """So git merges the states of two machines."""
    programs = Programs(tmp_path, "ls64")
    assert programs.soak(programs.restored(), 0, 40)
    short = programs.state.read_text()
    assert programs.soak(programs.restored(), 0, 80)
    programs.state.write_text(programs.state.read_text() + short)
    assert programs.restored()["ls64"].frames == 80


def test_a_build_that_is_not_there_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["soak", "ls63"])
    with pytest.raises(SystemExit, match="2"):
        soak.main()
    assert "no build of lockstep is called 'ls63'; did you mean 'ls64'?" in capsys.readouterr().err
