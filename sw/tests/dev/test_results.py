# SPDX-License-Identifier: BSD-3-Clause
"""Measured figures enter pages by key, are as fresh as results/, and never leave the history."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from docs.pictures import shuffle, style
from sim.bench import bars

from truemark.pages import commit, made
from truemark_dev import listed, prose, results
from truemark_dev.paths import ROOT
from truemark_dev.results import Figure

LUT = Figure("area.small", "small", {"LUT": 3586, "FF": 4630}, bar=3850, better="less", date="2026-11-22")
PLACES = {"area": "area"}


def test_pages_show_the_figures_of_today_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert results.main(["--check"]) + prose.main() == 0, capsys.readouterr().out


def test_every_figure_is_on_the_page_and_last_in_the_history() -> None:
    last = {each.key: each for each in results.read(results.HISTORY)}
    assert results.current().items() <= last.items()
    lost = [key for key in results.current() if key.partition(".")[0] not in results.tables()]
    assert not lost, f"no table of a page shows {lost}"


def test_commit_of_a_figure_is_in_the_history_or_said_to_be_unknown() -> None:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    if git("rev-parse", "--is-shallow-repository").strip() == "true":
        pytest.skip("a shallow clone has few commits")
    there = git("rev-list", "--all").split()
    named = {each.commit.removesuffix("-dirty") for each in results.current().values()} - results.LOST_COMMITS
    assert [name for name in sorted(named) if not any(full.startswith(name) for full in there)] == []
    lost = [Figure("a.b", "b", 1, commit=name) for name in sorted(results.LOST_COMMITS)]
    assert "\ncommit unknown.\n" in results.table("a", {lost[0].key: lost[0]}, [])


def test_picture_shows_the_figures_of_today() -> None:
    drawn = (style.FOLDER / "shuffle.svg").read_text()
    told = [each for measure in shuffle.MEASURES for each in shuffle.labels()[measure]]
    told += [f"{each} ACKs lost" for each in shuffle.labels()[shuffle.LOST]]
    assert [each for each in told if each not in drawn] == [], "make pictures"


def test_history_only_grows() -> None:
    where = ("--numstat", "--format=", "--", "results/history.jsonl")
    for words in (("log", *where), ("diff", "HEAD", *where[:1], *where[2:])):
        listed = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert all(line.split()[1] == "0" for line in listed.splitlines() if line), listed


def test_figures_that_are_recorded_at_once_are_all_there(tmp_path: Path) -> None:
    code = "from pathlib import Path; from sys import argv; from truemark_dev.results import Figure, record\n"
    code += "for n in range(100): record('area', [Figure(f'area.{argv[2]}.{n}', 'x', n)], folder=Path(argv[1]))"
    each = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name]) for name in ("soak", "simulation")]
    assert [process.wait() for process in each] == [0, 0]
    assert len(results.read(tmp_path / "area.json")) == len(results.read(tmp_path / results.HISTORY.name)) == 200


def test_link_and_table_take_the_figure() -> None:
    page = '[?](docs/results.md "area.small:LUT") LUT, [?](results.md "area.small/bar")\n'
    page += "<!-- table: area -->\n<!-- end -->\n"
    text = results.rendered(page, {LUT.key: LUT}, [Figure(LUT.key, "small", {"LUT": 4273}), LUT], PLACES)
    assert text.startswith(
        '[3,586](docs/results.md#area "area.small:LUT") LUT, [3,850](results.md#area "area.small/bar")'
    )
    assert "| small | 3,586 | 4,630 | ≤ 3,850 | 4,273 LUT → 3,586 LUT |" in text
    assert text == results.rendered(text, {LUT.key: LUT}, [Figure(LUT.key, "small", {"LUT": 4273}), LUT], PLACES)
    with pytest.raises(KeyError, match=r"area\.large"):
        results.rendered('[?](results.md "area.large")', {LUT.key: LUT}, [], PLACES)
    with pytest.raises(KeyError, match=r"area\.small was recorded without peer"):
        results.rendered('[?](results.md "area.small/peer")', {LUT.key: LUT}, [], PLACES)


def test_table_of_modules_is_what_their_headers_say() -> None:
    text = listed.rendered("before\n<!-- modules: rtl/rewrite rtl/law -->\nstale\n<!-- end -->\nafter\n")
    assert [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")] == [
        "tm_rewrite_pkg",
        "tm_rewrite",
        "tm_departure_laws",
    ]
    assert "stale" not in text
    assert text == listed.rendered(text)
    assert prose.words(text) == 2
    source = "// Generated\n// SPDX-License-Identifier: x\n// Holds a | b\n// (docs/red.md).\n//\n// Contract\n"
    assert listed.purpose(source) == r"Holds a \| b."
    with pytest.raises(ValueError, match="rtl/none has no modules"):
        listed.modules("rtl/none")


def test_table_of_sweeps_counts_their_runs() -> None:
    lines = listed.sweeps("sim/lab/scenarios").splitlines()
    assert "| `shuffle-policies` | 18 | A shuffle on 40 hosts under six policies |" in lines
    assert lines[-1] == f"| all | {sum(int(line.split(' | ')[1]) for line in lines[2:-1])} | |"
    assert not any("small" in line for line in lines), "a scenario is no sweep"


def test_figures_recorded_before_make_no_clone_dirty(tmp_path: Path) -> None:
    assert commit(tmp_path, but=[tmp_path / "results"]) == ""
    (tmp_path / "results").mkdir()
    for name in ("design", "results/area.json"):
        (tmp_path / name).write_text("as committed")
    person = ("-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "."), (*person, "commit", "-q", "-m", "all")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / "results/area.json").write_text("recorded")
    clean = commit(tmp_path, but=[tmp_path / "results"])
    assert commit(tmp_path, but=[tmp_path / "results/area.json", tmp_path.parent]) == clean != commit(tmp_path)
    (tmp_path / "design").write_text("changed")
    assert commit(tmp_path, but=[tmp_path / "results"]) == f"{clean}-dirty" != "-dirty"


def test_a_page_names_no_folder_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/usr/bin/truemark", "lab", "papers", "--out", "docs", "/work/collect"])
    assert made().endswith(" with: truemark lab papers --out docs collect")


def test_trend_compares_one_column() -> None:
    past = [Figure("latency.mark", "mark", {"256 bit": 3}), Figure("latency.mark", "mark", {"64 bit": 7, "256 bit": 4})]
    assert "| 3 256 bit → 4 256 bit |" in results.table("latency", {past[-1].key: past[-1]}, past)
    assert "→" not in results.table("latency", {past[0].key: past[0]}, [Figure("latency.mark", "mark", 9), past[0]])


def test_long_trend_is_cut_and_ends_where_it_is() -> None:
    past = [Figure("area.lut", "area", value) for value in (9, 5, 5, 7, 8, 6, 7)]
    assert "| 9 → … → 8 → 6 → 7 |" in results.table("area", {past[-1].key: past[-1]}, past)


def test_decimal_places_are_those_of_the_row() -> None:
    job = Figure("job.s", "job", {"red": [3.34, 3.317, 3.362], "deep": 0.255, "none": "no end"})
    shown = [results.figure(f"job.s:{column}", {job.key: job}) for column in ("red", "deep", "none")]
    assert shown == ["3.340", "0.255", "no end"]


def test_multiple_of_a_figure_is_worked_out() -> None:
    clock = Figure("clock.mhz", "clock", [102.95, 100.3, 113.6], bar=125)
    assert results.figure("clock.mhz*0.256", {clock.key: clock}) == "26.4"
    assert results.figure("clock.mhz/bar*0.256", {clock.key: clock}) == "32.0"


@pytest.mark.parametrize("text", ["at 72 MHz", "10,333 LUT", "5 µs", "35 % more", "1.2 × as long", "| 12 ms |"])
def test_number_of_its_own_is_found(text: str) -> None:
    assert prose.loose(f"prose\n{text}\n", []) == [text]


@pytest.mark.parametrize(
    "text",
    ["5 × 256 bits", "`at 72 MHz`", "K = 30 kB", '[72](results.md#a "a.b") MHz', "```\n9 ms\n```", "after 200 ms"],
)
def test_setting_or_figure_may_stand(text: str) -> None:
    assert prose.loose(text, ["200 ms"]) == []


@pytest.mark.parametrize("text", ["It is made anew.", "Beside it", "a queue that has not a limit"])
def test_word_we_do_not_use_is_found(text: str) -> None:
    words = tomllib.loads(prose.RULES.read_text())["words"]
    assert len(prose.worded(f"a page\n{text}\n`anew`\nit has not been run", words)) == 1


def test_sources_are_read_as_pages_are() -> None:
    """Comments and docstrings always, other strings where a program prints them, names never."""
    python = 'def anew() -> str:\n    """Begin anew."""\n    return "but for this"  # beside it\n'
    assert [line for line, _ in prose.said("a.py", python, strings=False)] == [2, 3]
    assert [line for line, _ in prose.said("a.py", python, strings=True)] == [2, 3, 3]
    verilog = 'assign anew = 1;  // beside\n/* two\nlines */ $error("anew");\n'
    assert [text for _, text in prose.said("a.sv", verilog, strings=False)] == ["// beside", "/* two\nlines */"]


def test_proselint_reads_the_prose_of_a_page() -> None:
    checks = tomllib.loads(prose.RULES.read_text())["proselint"]
    assert len(prose.advised("It holds for ever.\n`for ever`\n", checks)) == 1


def test_line_that_ends_within_a_sentence_is_found() -> None:
    page = (
        "# A title\n\nOne sentence.\n**Bold.**\nAnother that\ngoes on.\n\n- an item\n- one\n  more\n\n```\na\nb\n```\n"
    )
    assert prose.broken(page) == ["Another that", "- one"]


def test_words_that_somebody_wrote_are_counted() -> None:
    page = '| a | [link](results.md "a.b") |\n<!-- table: a -->\n| one | two |\n<!-- end -->\n— three words `more`\n'
    assert prose.words(page) == 5


def test_recording_replaces_the_figure_and_appends_to_the_history(tmp_path: Path) -> None:
    old, other = Figure("a.b", "b", 1), Figure("a.c", "c", 2)
    results.record("some", [old, other], folder=tmp_path)
    results.record("some", [Figure("a.b", "b", 3)], folder=tmp_path)
    assert [each.value for each in results.read(tmp_path / "some.json")] == [3, 2]
    assert [each.value for each in results.read(tmp_path / "history.jsonl")] == [1, 2, 3]


def test_rows_of_the_bench_have_a_place_each() -> None:
    places = [row.place() for row in bars.ROWS]
    assert len(set(places)) == len(places)
    mixed = {place[:2] for place in places if not place[2]} & {place[:2] for place in places if place[2]}
    assert not mixed, f"with and without columns: {mixed}"


def test_bench_records_what_was_measured() -> None:
    figures = {
        "latency_cycles.256.droptail": 3.0,
        "latency_cycles.512.droptail": 4.0,
        "corrupt_frames.256.60to1518B": 0.0,
    }
    found = {each.key: each for each in bars.recorded(figures, command="make bench")}
    latency = found["latency.first-beat-in-to-first-beat-out-droptail"]
    assert latency.value == {"256 bit": 3.0, "512 bit": 4.0}
    assert (latency.better, latency.command) == ("less", "make bench")
    assert found["integrity.corrupt-frames-out-2-into-1-60-to-1518-b"].value == 0
    assert len(found) == 2
