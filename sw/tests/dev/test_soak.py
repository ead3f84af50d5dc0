# SPDX-License-Identifier: BSD-3-Clause
"""sim/bench/soak.py: what is counted, kept, begun again and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sim.bench import soak
from sw.tests.dev.test_lockstep_runs import program as saying

from truemark_dev.builds import builds
from truemark_dev.paths import ROOT

FOREVER = float("inf")
SAYS = "  no difference in 40 frames, 900 cycles"


def program(folder: Path, name: str, says: str = SAYS, code: int = 0) -> Path:
    """Write a program that ends as lockstep does, in a folder of its build."""
    (folder / name).mkdir(exist_ok=True)
    return Path(saying(folder / name, "lockstep", says, code))


def as_is(programs: list[Path]) -> dict[Path, str]:
    """Say of each program that it is made from what it holds."""
    return {path: path.read_text() for path in programs}


def test_it_goes_on_where_it_was_interrupted_and_evens_out(tmp_path: Path) -> None:
    programs, state = [program(tmp_path, "ls64"), program(tmp_path, "ls512")], tmp_path / "soak.jsonl"
    assert soak.soak(soak.restored(as_is(programs), state), 100, 40, FOREVER, 1, state)
    assert sum(json.loads(line)["frames"] for line in state.read_text().splitlines()) >= 100
    soaked = soak.restored(as_is(programs), state)
    assert soak.soak(soaked, 200, 100, FOREVER, 1, state)
    assert [(each.seeds, each.frames) for each in soaked.values()] == [(3, 120), (3, 120)]


def test_some_builds_have_figures_by_their_storage_and_no_totals() -> None:
    soaked = {Path(name, "lockstep"): soak.Soaked("", 1, 40) for name in ("ls64", "ls512", "pool64")}
    found = soak.figures(soaked, 200)
    assert {each.key: each.value for each in found} == {
        "soak.in-rings": {"frames": 80, "differences": 0},
        "soak.in-pool": {"frames": 40, "differences": 0},
    }
    assert {each.command for each in found} == {'make soak BUILDS="ls64 ls512 pool64" EACH=20000000'}
    assert soak.figures(soaked, 200, 100)[0].command == 'make soak BUILDS="ls64 ls512 pool64" EACH=100'


def test_builds_are_all_only_where_none_is_left_out() -> None:
    known = builds("lockstep")
    rings = [name for name in known if soak.storage(known[name]) == "rings"]
    for left_out in (0, 1):
        soaked = {Path(name, "lockstep"): soak.Soaked("", 1, 40) for name in rings[left_out:]}
        assert soak.figures(soaked, 200)[0].title.endswith("all builds") == (not left_out)


def test_all_builds_have_totals_besides() -> None:
    known = builds("lockstep")
    soaked = {Path(name, "lockstep"): soak.Soaked("", 1, 40) for name in known}
    soaked[Path("ls64", "lockstep")].failed.append("lockstep --seed 2")
    found = {each.key: each.value for each in soak.figures(soaked, 200)}
    assert (found["soak.frames"], found["soak.differences"]) == (40 * len(known), 1)
    beats = found["soak.several-beats"]
    assert isinstance(beats, int)
    assert 0 < beats < 40 * len(known)
    assert len([key for key in found if key.startswith("soak.in-")]) == 3


def test_what_each_build_has_compared_its_share_the_quickest_goes_on(tmp_path: Path) -> None:
    programs, state = [program(tmp_path, "ls64"), program(tmp_path, "ls512")], tmp_path / "soak.jsonl"
    programs[1].write_text(programs[1].read_text().replace("exit", "sleep 0.5; exit"))
    soaked = soak.restored(as_is(programs), state)
    assert soak.soak(soaked, 240, 80, FOREVER, 1, state)
    assert [each.frames for each in soaked.values()] == [160, 80]
    assert soaked[programs[0]].seconds < soaked[programs[1]].seconds >= 1


def test_a_program_is_made_from_rtl_model_and_lockstep_whatever_their_comments() -> None:
    known = builds("lockstep")
    files = {str(path.relative_to(ROOT)) for path in soak.made_from(known["full256"])}
    for name in ("rtl/tm_assert.svh", "rtl/admit/tm_verdict.sv", "sim/model/red.h", "sim/lockstep/traffic.cpp"):
        assert name in files
    assert soak.code("a = b;  // the first\n\n// all\n  c = d;\n") == "a = b; c = d;"
    assert len({soak.content(build) for build in known.values()}) == len(known)


def test_what_is_known_of_other_programs_stays(tmp_path: Path) -> None:
    programs, state = [program(tmp_path, "ls64"), program(tmp_path, "ls512")], tmp_path / "soak.jsonl"
    assert soak.soak(soak.restored(as_is(programs), state), 0, 40, FOREVER, 1, state)
    assert soak.soak(soak.restored(as_is(programs[:1]), state), 0, 80, FOREVER, 1, state)
    assert [each.frames for each in soak.restored(as_is(programs), state).values()] == [80, 40]


def test_runs_side_by_side_leave_no_seed_out(tmp_path: Path) -> None:
    soaked = soak.restored(as_is([program(tmp_path, "ls64"), program(tmp_path, "ls512")]), tmp_path / "soak.jsonl")
    assert soak.soak(soaked, 400, 100, FOREVER, 2, tmp_path / "soak.jsonl")
    assert soak.total(soaked) >= 400
    for each in soaked.values():
        assert each.frames == 40 * each.seeds >= 100


def test_one_program_leaves_the_other_workers_idle(tmp_path: Path) -> None:
    soaked = soak.restored(as_is([program(tmp_path, "ls64")]), tmp_path / "soak.jsonl")
    assert soak.soak(soaked, 0, 100, FOREVER, 2, tmp_path / "soak.jsonl")
    assert soak.total(soaked) == 120


def test_a_program_from_other_sources_begins_at_zero(tmp_path: Path) -> None:
    programs, state = [program(tmp_path, "ls64"), program(tmp_path, "ls512")], tmp_path / "soak.jsonl"
    assert soak.soak(soak.restored(as_is(programs), state), 80, 40, FOREVER, 1, state)
    program(tmp_path, "ls64", SAYS + ".")
    assert [each.frames for each in soak.restored(as_is(programs), state).values()] == [0, 40]


@pytest.mark.parametrize(("says", "code"), [("DIFFERENCE in lockstep ls64, seed 1", 1), (SAYS, 1), ("", 0)])
def test_a_failure_ends_it_names_the_run_and_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], says: str, code: int
) -> None:
    state, path = tmp_path / "soak.jsonl", program(tmp_path, "ls64", says, code)
    soaked = soak.restored(as_is([path]), state)
    assert not soak.soak(soaked, 80, 40, FOREVER, 1, state)
    assert (
        f"{path} --frames 1000000 --seed 1\nlockstep lockstep: 1000000 frames, seed 1\n{says}"
        in capsys.readouterr().out
    )
    assert soak.restored(as_is([path]), state)[path].failed == [f"{path} --frames 1000000 --seed 1"]
    assert soak.figures(soaked, 80)[0].value == {"frames": 0, "differences": 1}


@pytest.mark.parametrize("signal", ["TERM", "KILL"])
def test_a_run_that_was_stopped_is_made_again(tmp_path: Path, signal: str) -> None:
    state, path = tmp_path / "soak.jsonl", program(tmp_path, "ls64")
    assert soak.soak(soak.restored(as_is([path]), state), 0, 40, FOREVER, 1, state)
    path.write_text(path.read_text().replace("exit", f"kill -{signal} $$; exit"))
    soaked = soak.restored(as_is([path]), state)
    with pytest.raises(SystemExit, match="lockstep --frames 1000000 --seed 1 was stopped"):
        soak.soak(soaked, 0, 80, FOREVER, 1, state)
    assert (soaked[path].seeds, soaked[path].failed) == (0, [])


def test_no_run_begins_after_its_time(tmp_path: Path) -> None:
    soaked = soak.restored(as_is([program(tmp_path, "ls64")]), tmp_path / "soak.jsonl")
    assert soak.soak(soaked, 80, 40, 0, 1, tmp_path / "soak.jsonl")
    assert [each.seeds for each in soaked.values()] == [0]


def test_a_damaged_state_is_named(tmp_path: Path) -> None:
    (tmp_path / "soak.jsonl").write_text("{")
    with pytest.raises(SystemExit, match=r"soak\.jsonl: damaged .* remove it to begin again"):
        soak.restored(as_is([program(tmp_path, "ls64")]), tmp_path / "soak.jsonl")
