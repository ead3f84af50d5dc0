# SPDX-License-Identifier: BSD-3-Clause
"""The papers item by item: what checks make of an item, what refuses to count, and that the file has every item."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sw.tests.frames import Command
from sw.tests.lab.lab_runs import SCENARIOS, lab

from truemark.errors import TruemarkError
from truemark.lab import joined, lines, mends, page, papers, pictures_items, written
from truemark.lab.claims import PAPERS, ClaimTable, Evidence
from truemark.lab.lines import Asked, Line, Origin
from truemark.lab.papers import ItemTable, PapersFile
from truemark.lab.ranges import Range
from truemark.lab.runner import LabRun
from truemark.lab.sweep import read_sweep
from truemark_dev import results
from truemark_dev.paths import ROOT

ITEMS = SCENARIOS.parent / "papers.toml"
NOT_RUN = "not run: truemark lab sweep x.toml"


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ([], "missing"),
        (["reproduced", "reproduced"], "reproduced"),
        (["reproduced", NOT_RUN], "partly"),
        (["reproduced", "not discriminating"], "partly"),
        (["reproduced", "not"], "partly"),
        (["reproduced", "one seed"], "reproduced"),
        (["not", "one seed"], "not"),
        (["one seed"], "partly"),
        (["partly"], "partly"),
        (["not", NOT_RUN], "not"),
        ([NOT_RUN], "not run"),
        (["not discriminating", NOT_RUN], "not discriminating"),
        (["control not run", NOT_RUN], "not run"),
    ],
)
def test_an_item_is_what_its_checks_say(words: list[str], verdict: str) -> None:
    lines = [Line("t", word, {}) for word in words]
    assert papers.verdict_of(ItemTable.model_validate({"what": "w"}), lines) == verdict
    assert papers.verdict_of(ItemTable.model_validate({"what": "w", "pending": True}), lines) == "pending"


def test_one_seed_does_not_count_without_other_runs() -> None:
    item, set_up = ItemTable.model_validate({"what": "w"}), Line("t", "reproduced", {})
    one, more = Line("u", "one seed", {"sweep": "s"}), Line("v", "reproduced", {"sweep": "s"})
    assert papers.verdict_of(item, [set_up, one]) == "partly"
    assert papers.verdict_of(item, [set_up, one, more]) == "reproduced"


def test_reproduced_items_with_a_doubt_are_named() -> None:
    def item(name: str, verdict: str, *lines: dict[str, object]) -> dict[str, object]:
        return {"item": name, "verdict": verdict, "lines": lines}

    new = {"verdict": "reproduced", "sweep": "s", "cause": False, "older": [], "against": "b", "controls": {"c": 1}}
    old = new | {"older": ["a fault"]}
    elsewhere = new | {"verdict": "not", "cause": True}
    alone = new | {"controls": {"b": 1, "not run": None}}
    rows = [item("1", "reproduced", old, old), item("2", "reproduced", new, old), item("6", "partly", old, elsewhere)]
    rows += [item("3", "reproduced", new, elsewhere), item("4", "reproduced", new, alone, elsewhere | {"moved": True})]
    rows += [item("5", "reproduced", {"verdict": "reproduced", "field": "f"}), item("7", "reproduced", new)]
    assert page.doubted([{"items": rows}]) == {
        "before_a_mend": ["1"],
        "not_in_another_set_up": ["3", "4"],
        "against_the_denominator_alone": ["4"],
        "with_a_claim_moved": ["4"],
    }


def test_the_worst_line_that_counts_decides_an_item() -> None:
    """Of equals the first of the last sweep; runs before the set-up."""

    def line(text: str, verdict: str, **more: object) -> dict[str, object]:
        return {"text": text, "verdict": verdict, "cause": False, "sweep": "x", "why": "", **more}

    def decides(*lines: dict[str, object]) -> str:
        found = page.deciding({"lines": lines})
        assert found
        return str(found["text"])

    good, bad = line("good", "reproduced"), line("bad", "not")
    assert decides(good, bad, line("unsure", "partly")) == "bad"
    assert decides(good, line("elsewhere", "not", cause=True)) == "good"
    assert decides({"text": "field", "verdict": "not"}, good, line("later", "reproduced")) == "good"
    assert decides(good, line("next", "reproduced", sweep="y"), line("last", "reproduced", sweep="y")) == "next"
    assert decides(line("vague", "not discriminating"), line("open", NOT_RUN), good) == "open"
    assert decides(line("alone", "one seed"), good) == "good"
    assert page.deciding({"lines": []}) is None
    row = {
        "item": "1#3",
        "why": "as 1#11, as long as 20 packets of 1#99: SYNs. Then more; all",
        "lines": [good | {"cells": ["f: p", "at most 1", "2"]}, bad],
    }
    assert page.short(row, {"1#11", "1#9"}) == "as [1#11](#i1-11), as long as 20 packets of 1#99: SYNs"
    said = "2<br>f: p; asked: at most 1"
    one = row["lines"][0]
    assert page.ours(row | {"lines": [one]}) == page.ours(row | {"lines": [one, line("alone", "one seed")]}) == said
    assert page.ours(row | {"lines": [one, one]}) == f"{said}; lines that hold: 2 of 2"


def test_the_page_counts_what_is_reproduced_by_its_kinds(tmp_path: Path) -> None:
    """Without runs all that is reproduced is a part of a set-up, but what is of runs is not; nothing is in doubt."""
    found = papers.compare(ITEMS, SCENARIOS, tmp_path)
    of_runs = next(row for paper in found["papers"] for row in paper["items"] if row["verdict"] == "not run")
    of_runs["verdict"] = "reproduced"  # after the counts
    made = papers.write(found, tmp_path / "page")[1].read_text()
    counts = [
        re.split(r" \| ", text[2:])[:2] for text in made.split("| which |\n")[1].split("\n\n")[0].splitlines()[1:]
    ]
    names = [name for name, _ in counts]
    assert names[:2] == ["total", "reproduced"]
    assert names[2:7] == ["of these, parts of a set-up", *page.DOUBTS.values()]
    assert int(counts[1][1]) == int(counts[2][1]) == found["figures"]["claims.reproduced"] > 20
    assert {number for _, number in counts[3:7]} == {"0"}
    assert all(f"*{words.removeprefix('of these, ').capitalize()}*" in made for words in page.DOUBTS.values())


def test_what_shows_a_cause_does_not_decide_its_item() -> None:
    lines = [Line("t", "reproduced", {}), Line("u", "not", {"cause": True})]
    assert papers.verdict_of(ItemTable.model_validate({"what": "w"}), lines) == "reproduced"
    assert papers.verdict_of(ItemTable.model_validate({"what": "w"}), lines[1:]) == "not run"


def test_every_item_of_the_four_papers_is_there_and_none_counts_without_runs(tmp_path: Path) -> None:
    found = papers.compare(ITEMS, SCENARIOS, tmp_path)
    counts = Counter(row["item"].split("#")[0] for paper in found["papers"] for row in paper["items"])
    assert counts == {"1": 44, "2": 19, "3": 20, "4": 23}
    figures = found["figures"]
    assert figures["claims.total"] == sum(figures[f"claims.{word.replace(' ', '_')}"] for word in papers.COUNTED) == 106
    rows = {row["item"]: row for paper in found["papers"] for row in paper["items"]}
    assert rows["1#16"]["verdict"] == "not run"
    assert rows["1#16"]["lines"][0]["verdict"].startswith("not run: truemark lab sweep sim/lab/scenarios/")
    assert rows["1#3"]["verdict"] == "reproduced", "a part of the set-up needs no run"
    assert rows["2#3"]["verdict"] == "partly"
    assert all(row["why"] for row in rows.values() if row["verdict"] == "missing")
    data, page, *pictures = papers.write(found, tmp_path / "page")
    assert not pictures, "none without runs"
    assert [json.loads(line)["item"] for line in data.read_text().splitlines()[1:]] == list(rows)
    assert all(f"**{item}** " in page.read_text() for item in rows)


def test_the_committed_page_speaks_of_the_items_as_they_are() -> None:
    """A changed item, or one judged otherwise by hand, wants `truemark lab papers --out docs` again."""
    page = (ROOT / "docs/papers.md").read_text()
    rows = [json.loads(line) for line in (ROOT / "docs/papers.jsonl").read_text().splitlines()[1:]]
    shown = set(re.findall(r"!\[[^\]]{20,}\]\(pictures/(papers-[\w-]+\.svg)\)", page))
    assert shown == {path.name for path in (ROOT / "docs/pictures").glob("papers-*.svg")}
    told = [(row["item"], row["what"], row["says"], row["place"], row["why"]) for row in rows]
    items = [
        (f"{number}#{place}", item.what, item.says, item.place, item.why)
        for number, paper in enumerate(papers.read_papers(ITEMS), 1)
        for place, item in paper.item.items()
    ]
    assert told == items
    counts = json.loads((ROOT / "docs/papers.jsonl").read_text().partition("\n")[0])
    recorded = {key: each.value for key, each in results.current().items() if key.startswith("claims.")}
    assert recorded == counts, "python -m sim.lab.claims records them"
    assert not re.search(r"\b[0-9.]+us\b", page), "the times of points' names are shown with their sign"
    for row in rows:
        anchor = f"i{row['item'].replace('#', '-')}"
        begins = f"| [{row['item']}](#{anchor}) | {row['what']} | {row['place']} | {row['says']} | "
        assert page.count(begins) == page.count(f'<a id="{anchor}"></a>') == 1
        assert f"**{row['item']}** {row['what']}. *{row['says']}* ({row['place']}): **{row['verdict']}**" in page
        words = [lines.Line(line["text"], line["verdict"], line) for line in row["lines"]]
        assert row["verdict"] == "pending" or row["verdict"] == papers.verdict_of(
            ItemTable.model_validate({"what": "w"}), words
        )


def numbers(picture: Path) -> tuple[list[str], list[float]]:
    """Return a picture's words, and where everything stands."""
    text = re.sub(r"(?:id|xlink:href|clip-path)=\"[^\"]*\"", "", picture.read_text())
    return re.findall(r">([^<>]*\w[^<>]*)</text>", text), [float(each) for each in re.findall(r"-?\d+\.\d+", text)]


def test_the_committed_pictures_are_of_the_committed_data(tmp_path: Path) -> None:
    """Every judged line with a number of the paper stands in one, where its data put it; without runs there is none."""
    rows = [json.loads(line) for line in (ROOT / "docs/papers.jsonl").read_text().splitlines()[1:]]
    for number in range(1, 5):
        items = [row for row in rows if row["item"].startswith(f"{number}#")]
        drawn = pictures_items.draw(number, {"items": items}, tmp_path)
        words = {word for picture in drawn for word in numbers(picture.path)[0]}
        named = {row["item"] for row in items if pictures_items.numbered(row)} - {pictures_items.TWO_RENOS}
        assert named == {word.partition(" ")[0] for word in words if re.match(r"\d#", word)}
        for picture in drawn:
            there, here = numbers(ROOT / "docs/pictures" / picture.path.name), numbers(picture.path)
            assert there[0] == here[0], f"{picture.path.name}: truemark lab papers --out docs"
            assert there[1] == pytest.approx(here[1], abs=0.02), picture.path.name
    assert not pictures_items.draw(1, {"items": [row | {"lines": []} for row in rows]}, tmp_path)


def test_a_field_holds_if_the_papers_value_changes_nothing() -> None:
    scenario = SCENARIOS / "hadoop-eighth.toml"
    assert papers.holds(scenario, "topology.host_rate", "1000M")
    assert not papers.holds(scenario, "topology.host_rate", "10G")
    assert not papers.holds(scenario, "topology.hosts_per_rack", 1), "12 mappers do not fit"


def test_repetitions_hold_if_the_sweep_has_as_many_seeds() -> None:
    item = ItemTable.model_validate({"what": "w", "seeds": {"background-round": 10, "background-sweep": 10}})
    assert [line.verdict for line in papers.set_up(item, SCENARIOS)] == ["reproduced", "not"]


def test_a_measure_holds_if_a_claim_of_the_paper_is_judged_by_it() -> None:
    item = ItemTable.model_validate({"what": "w", "figures": ["run_time", "latency"]})
    lines = papers.measured(item, [Line("t", NOT_RUN, {"figure": "latency"})])
    assert [line.verdict for line in lines] == ["not", "reproduced"]


def test_claims_of_no_item_and_papers_out_of_order_are_refused(tmp_path: Path) -> None:
    text = ITEMS.read_text()
    fewer = tmp_path / "papers.toml"
    fewer.write_text("\n".join(line for line in text.splitlines() if not line.startswith("11 = ")))
    with pytest.raises(TruemarkError, match=r"has no item [124]#11"):
        papers.compare(fewer, SCENARIOS, tmp_path)
    fewer.write_text(text.replace('name = "race cars"', 'name = "race cats"'))
    with pytest.raises(TruemarkError, match="in this order"):
        papers.compare(fewer, SCENARIOS, tmp_path)
    assert PapersFile.model_fields.keys() == {"paper"}


def test_runs_of_a_commit_that_the_repository_lacks_are_named(tmp_path: Path, command: Command) -> None:
    """On stderr and in the item: which commit, and what to do."""
    gone = "0" * 40
    now = papers.compare(ITEMS, SCENARIOS, tmp_path)
    assert papers.remarks(now) == []
    row = next(row for paper in now["papers"] for row in paper["items"] if row["verdict"] == "not run")
    line = row["lines"][0]
    name = line["sweep"]
    run_before = {"commits": [f"{gone}-dirty"], "values": {"own": {"1": 1}, "controls": {}, "also": {}}}
    earlier = {"item": row["item"], "lines": [line | {"verdict": "reproduced"} | run_before]}
    (tmp_path / "earlier.jsonl").write_text("{}\n" + json.dumps(earlier) + "\n")
    words = ("lab", "papers", tmp_path / "none", "--folder", SCENARIOS, "--before", tmp_path / "earlier.jsonl")
    code, _, told = command(*words, "--out", tmp_path)
    run = f"truemark lab sweep sim/lab/scenarios/{name}.toml"
    said = f"the repository lacks what its runs are of: git fetch origin {gone}, or {run}"
    assert (code, told) == (0, f"- {name}: {said}\n")
    made = {row["item"]: row for row in map(json.loads, (tmp_path / "papers.jsonl").read_text().splitlines()[1:])}
    found = made[row["item"]]
    assert (found["verdict"], found["lines"][0]["verdict"]) == ("not run", f"not run: {said}")
    assert found["lines"][0]["lost"] == [gone]


def test_what_is_infinite_is_null(tmp_path: Path) -> None:
    """JSON has no infinity; a page of before that has it is read, and not written again as it was."""
    sweep = SCENARIOS / "ladder.toml"
    claim = ClaimTable.model_validate(
        {"item": "3#7", "text": "t", "paper": "race cars", "says": "s", "figure": "sharing", "point": "a", "least": 9}
        | {"unit": "ratio", "control": ["b"]}
    )
    endless = Range(math.inf, math.inf)
    said = Evidence({1: endless, 2: endless}, {"b": {1: endless}}, {})
    line = lines.line_of(Asked(claim, written.as_is(sweep), (1, 2)), said, Origin())
    assert [line.data[key] for key in ("least", "most", "middle", "low", "high")] == [9, None, None, None, None]
    assert line.data["controls"] == {"b": None}
    own = {"text": line.text, "verdict": line.verdict, **line.data, "commits": ["c"]}
    page = tmp_path / "earlier.jsonl"
    page.write_text("{}\n" + json.dumps({"item": "3#7", "lines": [own | {"high": math.inf}]}) + "\n")
    (earlier,) = joined.read_lines(page).values()
    assert earlier.data["high"] is None


CLAIM = """[[claim]]
item = "1#16"
text = "t"
paper = "marking-threshold"
says = "s"
figure = "drops"
point = "a"
most = {most}
unit = "packets"
control = ["b"]
"""


DROPS = {"queue": {"policy": "droptail", "buffer": "12kB"}}
B_DROPS = 'set = { queue = { policy = "droptail", buffer = "12kB" } }\n'


def git(folder: Path, *words: str) -> str:
    """Call git as somebody."""
    settings = ("-c", "user.name=n", "-c", "user.email=e")
    done = subprocess.run(["git", "-C", folder, *settings, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def committed(folder: Path, sweep: str) -> str:
    """Put the small scenario and a sweep of it, x.toml, into a repository of their own; return the commit."""
    (folder / "small.toml").write_text((SCENARIOS / "small.toml").read_text())
    (folder / "x.toml").write_text(sweep)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "m")
    return git(folder, "rev-parse", "HEAD")


def made_at(commit: str, results: Path, point: str, seed: int, change: dict[str, Any]) -> LabRun:
    """Run a point, as if the commit had been checked out."""
    done = lab(results / "x" / point, change, {"seed": seed}, name=f"seed-{seed}")
    done.result["point"], done.result["versions"]["commit"] = point, commit
    (done.folder / "result.json").write_text(json.dumps(done.result))
    return done


@pytest.mark.builds("engine:model", "lab-runner")
def test_a_line_joins_the_seeds_of_the_page_before(tmp_path: Path) -> None:
    """Seed 1 was run elsewhere, seed 2 is here: the line has both, and its verdict is of both."""
    text = (
        'base = "small.toml"\nseeds = [1, 2]\n[[point]]\nname = "a"\n'
        '[[point]]\nname = "b"\nset = { queue = { policy = "droptail", buffer = "12kB" } }\n'
    ) + CLAIM.format(most=0)
    commit = committed(tmp_path, text)
    for seed in (1, 2):
        for point, change in (("a", {}), ("b", DROPS)):
            made_at(commit, tmp_path / str(seed), point, seed, change)

    def line(results: str, before: Path | None = None) -> Line:
        earlier = joined.read_lines(before) if before else {}
        return joined.judged_claims(tmp_path, tmp_path / results, earlier)["1#16"][0]

    def page(line: Line, **changes: Any) -> Path:
        row = {"text": line.text, "verdict": line.verdict, **line.data, **changes}
        (tmp_path / "page.jsonl").write_text("{}\n" + json.dumps({"item": "1#16", "lines": [row]}) + "\n")
        return tmp_path / "page.jsonl"

    first, second = line("1"), line("2")
    assert (first.verdict, first.data["missing_seeds"], first.data["values"]["own"]) == ("partly", 1, {"1": 0})
    both = line("2", page(first))
    assert (both.verdict, both.data["seeds"], both.data["missing_seeds"]) == ("reproduced", [1, 2], 0)
    controls = both.data["values"]["controls"]["b"]
    assert controls == {
        seed: each.data["values"]["controls"]["b"][seed] for seed, each in (("1", first), ("2", second))
    }
    assert line("none", page(both)).data == both.data, "nothing here, and all as it was"
    assert line("2", page(second, made=["2000-01-01"])).data == second.data, "the same seed: this machine's counts"
    assert line("2", page(both, values=None)).data["seeds"] == [1, 2], "older, without values by seed, of more seeds"
    assert line("2", page(first, values=None)).data == second.data, "older, of as many"
    assert line("2", page(first, most=1)).data == second.data, "another tolerance"
    assert line("2", page(first, commits=["0" * 40])).data == second.data, "of a commit that is lost"
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "a mend")
    mended = git(tmp_path, "rev-parse", "HEAD")

    def told(commit: str, word: str) -> list[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mends, "MENDS", (mends.Mend(commit, "a fault", lambda each: word in mends.words(each)),))
            found: list[str] = line("none", page(both)).data["older"]
            return found

    assert told(mended, "droptail") == ["a fault"]
    assert told(mended, "dctcp") == told(commit, "droptail") == told("0" * 40, "droptail") == []
    (tmp_path / "x.toml").write_text(text.replace("12kB", "11kB"))
    assert line("1", page(both)).verdict == "control not run", "which is another now"


@pytest.mark.builds("engine:model", "lab-runner")
def test_a_tolerance_must_be_older_than_its_runs(tmp_path: Path) -> None:
    """The same runs: with the tolerance that their commit has, with another, and of a commit that nobody has."""
    sweep = tmp_path / "x.toml"
    head = (
        'base = "small.toml"\nseeds = [1]\n'
        '[[point]]\nname = "a"\nset = { measure = { sample = "100us" } }\n[[point]]\nname = "b"\n'
        'set = { queue = { policy = "droptail", buffer = "12kB" }, measure = { sample = "100us" } }\n'
    )
    commit = committed(tmp_path, head + CLAIM.format(most=0))
    for name, change in (("a", {}), ("b", DROPS)):
        done = made_at(commit, tmp_path / "results", name, 1, change)

    def line() -> Line:
        return joined.judged_claims(tmp_path, tmp_path / "results", {})["1#16"][0]

    def verdict() -> str:
        return line().verdict

    assert verdict() == "one seed"
    page = tmp_path / "earlier.jsonl"
    own = {"text": line().text, "verdict": "reproduced", **line().data}  # as pages before said of one seed
    del own["values"]
    row = {"item": "1#16", "lines": [own, own | {"sweep": "another that says the same", "verdict": "not"}]}
    page.write_text("{}\n" + json.dumps(row) + "\n")
    sweep.write_text(head.replace("[1]", "[1, 2]") + CLAIM.format(most=0))
    assert verdict() == "partly", "one seed of two"
    sweep.write_text(head.replace("12kB", "13kB") + CLAIM.format(most=0))
    assert line().data["controls"] == {"b": None}, "the control's run is of another scenario"
    sweep.write_text(head + CLAIM.format(most=1))
    assert verdict() == "tolerance not older than its runs"
    claim = ClaimTable.model_validate(read_sweep(sweep).claim[0].model_dump())
    assert written.tolerance_precedes(claim, written.as_is(sweep), {"0" * 40}) is None
    assert written.tolerance_precedes(claim, written.as_is(sweep), {""}) is None
    assert written.lost([commit, f"{commit}-dirty", "", "0" * 40], tmp_path) == ["0" * 40]

    def kept(results: str = "none") -> str:
        return earlier(results).verdict

    def earlier(results: str = "none") -> Line:
        return joined.judged_claims(tmp_path, tmp_path / results, joined.read_lines(page))["1#16"][0]

    small = (tmp_path / "small.toml").read_text()
    whole = "# a word\n" + head + CLAIM.format(most=0)
    sweep.write_text(whole)
    assert kept() == "one seed", "no runs here, and all as it was"
    (tmp_path / "small.toml").write_text(small.replace('title = "', 'title = "Another '))
    assert kept() == "one seed", "under another title"
    (tmp_path / "small.toml").write_text(small)
    sweep.write_text(whole + "cause = true\n")
    assert earlier().data["cause"], "whether it counts is said by the claim, not by the page of before"
    sweep.write_text(whole)
    done.result["point"] = "c"
    other = tmp_path / "other/x/c/seed-1"
    shutil.copytree(done.folder, other)
    (other / "result.json").write_text(json.dumps(done.result))
    assert kept("other") == "one seed", "runs of another point only"
    for changed in (
        head + CLAIM.format(most=1),
        whole.replace("12kB", "13kB"),
        whole.replace('["b"]', '["a"]'),
        whole.replace("seeds = [1]", "seeds = [1, 2]"),
        whole.replace("seeds = [1]", "seeds = [2]"),
    ):
        sweep.write_text(changed)
        assert kept().startswith("not run")
    sweep.write_text(whole)
    (tmp_path / "small.toml").write_text(small.replace("80000", "80001"))
    assert kept().startswith("not run")
    (tmp_path / "small.toml").write_text(small.replace('"100us"', '"200us"'))
    assert kept() == "one seed", "every point sets this itself"
    page.write_text("{}\n{")
    with pytest.raises(TruemarkError, match=r"earlier\.jsonl: not what"):
        kept()


TWO_POINTS = 'base = "small.toml"\nseeds = [1, 2]\n[[point]]\nname = "a"\n[[point]]\nname = "b"\n'


@pytest.mark.parametrize(
    ("then", "now", "precedes", "moved"),
    [
        ([CLAIM], [CLAIM], True, False),
        ([CLAIM], [CLAIM.replace('["b"]', '["b", "a"]')], True, False),
        ([CLAIM.replace('["b"]', '["b", "a"]')], [CLAIM], False, False),
        ([CLAIM], [CLAIM.replace('["b"]', '["a"]')], False, False),
        ([CLAIM], [CLAIM + "cause = true\n"], True, True),
        ([CLAIM + "cause = true\n"], [CLAIM], True, True),
        (
            [CLAIM + "cause = true\n", CLAIM.replace('"a"', '"b"') + "cause = true\n"],
            [CLAIM, CLAIM.replace('"a"', '"b"') + "cause = true\n"],
            False,
            True,
        ),
        (
            [CLAIM + "cause = true\n", CLAIM.replace('"a"', '"b"') + "cause = true\n"],
            [CLAIM, CLAIM.replace('"a"', '"b"')],
            True,
            True,
        ),
        ([CLAIM + "cause = true\n", CLAIM.replace('"a"', '"b"') + "cause = true\n"], [CLAIM], False, True),
        ([], [CLAIM], False, False),
    ],
    ids=[
        "same",
        "control added",
        "control gone",
        "another control",
        "set aside",
        "taken up",
        "chosen",
        "all",
        "others deleted",
        "young",
    ],
)
def test_what_judges_a_claim_is_older_than_its_runs(
    tmp_path: Path, then: list[str], now: list[str], precedes: bool, moved: bool
) -> None:
    """Its tolerance, its controls, and whether it is judged at all: as the commit of its runs has them, and as now."""
    commit = committed(tmp_path, TWO_POINTS + "".join(then).format(most=0))
    sweep = tmp_path / "x.toml"
    sweep.write_text(TWO_POINTS + "".join(now).format(most=0))
    claim = ClaimTable.model_validate(read_sweep(sweep).claim[0].model_dump())
    assert written.tolerance_precedes(claim, written.as_is(sweep), [commit]) is precedes
    assert written.moved(claim, written.as_is(sweep), [commit]) is moved
    asked, of = Asked(claim, written.as_is(sweep), (1, 2)), Origin(frozenset({1, 2}), frozenset(), frozenset({commit}))
    said = {seed: Range(0, 0) for seed in (1, 2)}
    far = {seed: Range(9, 9) for seed in (1, 2)}
    line = lines.line_of(asked, Evidence(said, dict.fromkeys(claim.control, far), {}), of)
    assert line.verdict == ("reproduced" if precedes else "tolerance not older than its runs")


@pytest.mark.parametrize(
    ("then", "now", "precedes"),
    [
        (TWO_POINTS, TWO_POINTS + 'set = { queue = { buffer = "50kB" } }\n', False),
        (TWO_POINTS + 'set = { queue = { buffer = "50kB" } }\n', TWO_POINTS, False),
        (TWO_POINTS, TWO_POINTS + "set = {}\n", True),
        (TWO_POINTS.replace("[1, 2]", "[1, 2, 3]"), TWO_POINTS, False),
        (TWO_POINTS, TWO_POINTS.replace("[1, 2]", "[1, 2, 3]"), True),
    ],
    ids=["control changed", "control changed back", "as it was", "fewer seeds", "more seeds"],
)
def test_a_claim_has_no_less_to_fail_by_than_when_it_was_run(
    tmp_path: Path, then: str, now: str, precedes: bool
) -> None:
    """A control of the same name is the same point, and as many seeds are asked for, of the sweep or by the claim."""
    claim = CLAIM.format(most=0)
    commit = committed(tmp_path, then + claim)
    sweep = tmp_path / "x.toml"

    def told(text: str, ran: int = 2) -> bool | None:
        sweep.write_text(text)
        wanted = ClaimTable.model_validate(read_sweep(sweep).claim[0].model_dump())
        return written.tolerance_precedes(wanted, written.as_is(sweep), [commit], ran)

    assert told(now + claim) is precedes
    fewer = claim + "seeds = 2\n"
    assert told(then + fewer) is ("[1, 2, 3]" not in then), "of three seeds"
    assert told(then + fewer, ran=3), "all that were asked for were run"


@pytest.mark.builds("engine:model", "lab-runner")
def test_runs_here_of_a_commit_that_the_repository_lacks_are_said_on_the_page(tmp_path: Path) -> None:
    """*Stimulus*: runs here, whose commit is not in this clone. *Checks*: the page is made, and says what to fetch."""
    commit = committed(tmp_path, TWO_POINTS.replace('name = "b"', 'name = "b"\n' + B_DROPS) + CLAIM.format(most=0))
    head = '[[paper]]\nname = "{0}"\ntitle = "{0}: t"\n[paper.item]\n16 = {{ what = "w" }}\n'
    (tmp_path / "papers.toml").write_text("".join(map(head.format, PAPERS)))
    for gone, verdict in (("0" * 40, "not run"), (commit, "reproduced")):
        for seed in (1, 2):
            for name, change in (("a", {}), ("b", DROPS)):
                made_at(gone, tmp_path / gone, name, seed, change)
        found = papers.compare(tmp_path / "papers.toml", tmp_path, tmp_path / gone)
        item = found["papers"][0]["items"][0]
        assert item["verdict"] == verdict
        made = papers.write(found, tmp_path / "page")[1].read_text()
        asks = "*not run: the repository lacks what its runs are of: git fetch origin 0000"
        assert (asks in made, item["lines"][0]["verdict"] == verdict) == (verdict == "not run", verdict != "not run")


@pytest.mark.parametrize("by_seed", [True, False], ids=["by seed", "medians"])
@pytest.mark.parametrize(("dropped", "verdict"), [(5, "reproduced"), (0, "not discriminating")])
def test_a_control_that_came_since_is_lent_by_another_line(
    tmp_path: Path, by_seed: bool, dropped: int, verdict: str
) -> None:
    """A control that was run for another claim of the sweep judges this one too; a control that is gone ends a line."""
    points = TWO_POINTS + '[[point]]\nname = "c"\n[[point]]\nname = "d"\n'
    other = CLAIM.replace('"t"', '"u"').replace('point = "a"', 'point = "c"')
    commit = committed(tmp_path, points + CLAIM.format(most=0) + other.format(most=9))
    of = Origin(frozenset({1, 2}), frozenset({"2026-11-30"}), frozenset({commit}))
    now, grid = written.as_is(tmp_path / "x.toml"), read_sweep(tmp_path / "x.toml")

    def values(drops: float) -> dict[int, Range]:
        return {seed: Range(drops, drops) for seed in (1, 2)}

    rows = []
    for claim, own in zip(grid.claim, (0, dropped), strict=True):
        line = lines.line_of(Asked(claim, now, (1, 2)), Evidence(values(own), {"b": values(20)}, {}), of)
        assert line.verdict == "reproduced"
        rows.append({"text": line.text, "verdict": line.verdict, **line.data} | ({} if by_seed else {"values": None}))

    def earlier(*rows: dict[str, Any]) -> joined.Earlier:
        (tmp_path / "page.jsonl").write_text("{}\n" + json.dumps({"item": "1#16", "lines": rows}) + "\n")
        return joined.read_lines(tmp_path / "page.jsonl")

    def judged(controls: str, *before: dict[str, Any]) -> Line:
        changed = CLAIM.replace('["b"]', controls).format(most=0) + other.format(most=9)
        (tmp_path / "x.toml").write_text(points + changed)
        return joined.judged_claims(tmp_path, tmp_path / "none", earlier(*(before or rows)))["1#16"][0]

    more = judged('["b", "c"]')
    assert (more.verdict, more.data["controls"]) == (verdict, {"b": 20, "c": dropped})
    assert f"c: {dropped}" in more.data["cells"][-1]
    unknown = judged('["b", "d"]')
    assert (unknown.verdict, unknown.data["controls"]) == ("reproduced", {"b": 20, "d": None})
    assert judged('["c"]').verdict.startswith("not run")

    alone = judged('["b", "c"]', rows[0])
    assert (alone.verdict, alone.data["controls"]) == ("reproduced", {"b": 20, "c": None}), "nobody has it"
    named = {"text": alone.text, "verdict": alone.verdict, **alone.data}
    again = judged('["b", "c"]', named, rows[1])
    assert (again.verdict, again.data["controls"]) == (verdict, {"b": 20, "c": dropped}), (
        "named before, without a value"
    )
    assert again.data["cells"][-1].count("c: ") == 1
    if by_seed:
        asked = Asked(read_sweep(tmp_path / "x.toml").claim[0], written.as_is(tmp_path / "x.toml"), (1, 2))
        here = Evidence(values(0), {"b": values(20), "c": {}}, {})
        others = earlier(*rows)
        for before in (None, others["1#16", "x", "t"]):
            whole = joined.joined(before, asked, here, of, others)
            assert (whole.verdict, whole.data["controls"]["c"]) == (verdict, dropped), "all own seeds are here"


@pytest.mark.parametrize(
    ("queue", "draws"),
    [
        ({"policy": "droptail"}, False),
        ({"policy": "red", "red": {"min": 90_000, "max": 90_001, "probability": 1.0}}, False),
        ({"policy": "red", "red": {"min": "15kB", "max": "45kB", "probability": 1.0}}, True),
        ({"policy": "dual-step", "k": "30kB", "red": {"min": 15_000, "max": 45_000}}, True),
        ({"policy": "red", "target_delay": "100us"}, True),
        ({"policy": "red", "red": {"min": "10pkt", "max": "30pkt"}}, True),
        ({"policy": "droptail", "fabric": {"red": {"min": 15_000, "max": 45_000}}}, True),
        ({"policy": "red", "target_delay": "100us", "implementation": "ns3-red"}, False),
    ],
)
def test_red_draws_between_min_and_max(queue: dict[str, Any], draws: bool) -> None:
    assert mends.draws({"queue": queue}) == draws


def test_the_page_says_what_was_wrong_when_its_runs_were_made() -> None:
    """Of each line, in its own words."""
    rows = [json.loads(text) for text in (ROOT / "docs/papers.jsonl").read_text().splitlines()[1:]]
    page = (ROOT / "docs/papers.md").read_text()
    concerned = [line for row in rows for line in row["lines"] if line.get("older")]
    assert concerned
    for line in concerned:
        assert set(line["older"]) <= {mend.says for mend in mends.MENDS}
        assert f", of before a mend: {'; '.join(line['older'])}" in page
