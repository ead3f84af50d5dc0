# SPDX-License-Identifier: BSD-3-Clause
"""Claims with their tolerance, the figures they speak of, and reports of every kind: pages that can be looked at."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from sw.tests.frames import Command
from sw.tests.lab.lab_runs import SCENARIOS, SMALL, lab
from typer.testing import CliRunner

from truemark import documents
from truemark.cli import lab as cli
from truemark.cli import output
from truemark.errors import TruemarkError
from truemark.lab import report
from truemark.lab.claims import ALSO, ClaimTable, Evidence, Finding
from truemark.lab.figures import FIGURES, figure
from truemark.lab.ranges import UNKNOWN, Range, bootstrap
from truemark.lab.summary import Point, measures_of
from truemark.lab.sweep import read_grid, read_sweep, sweep, with_a_claim
from truemark.pages import render
from truemark.screen import Screen
from truemark_dev.marks import slow

pytestmark = pytest.mark.builds("engine:model", "lab-runner")

NAMES_A_DENOMINATOR = {"1#20", "1#23", "1#35"}  # deep DropTail: "full", "equal to", "the deep throughput"
CLAIM = {"text": "t", "paper": "p", "says": "s", "figure": "job", "point": "a"}

OF_A_PAPER = {"paper": "race cars", "item": "3#7", "unit": "ratio", "control": ["c"]}


def exactly(number: float) -> Range:
    """Return a number of runs that all ended."""
    return Range(number, number)


def claim(**fields: Any) -> ClaimTable:
    """Return a claim with some fields of its own."""
    return ClaimTable.model_validate({**CLAIM, **fields})


@pytest.mark.parametrize(
    ("fields", "numbers", "verdict"),
    [
        ({"least": 0.9, "most": 1.1}, (1.0, 0.95, 1.05), "reproduced"),
        ({"least": 0.9, "most": 1.1}, (1.0, 0.85, 1.05), "partly"),
        ({"least": 0.9, "most": 1.1}, (1.5, 1.2, 1.6), "not"),
        ({"most": 0.5}, (0.4, 0.3, 0.5), "reproduced"),
        ({"most": 0.25, "against": "b"}, (0.45, 0.4, 0.48), "partly"),
        ({"most": 0.25, "against": "b"}, (0.9, 0.8, 0.95), "not"),
        ({"least": 1.2, "most": 1.5, "against": "b"}, (3.0, 2.5, 4.0), "partly"),
        ({"least": 1.2, "most": 1.5, "against": "b"}, (0.8, 0.7, 0.9), "not"),
        ({"most": 1.1, "against": "b"}, (32.4, 32.2, 32.4), "not"),
    ],
)
def test_verdicts(fields: dict[str, Any], numbers: tuple[float, float, float], verdict: str) -> None:
    middle, low, high = exactly(numbers[0]), numbers[1], numbers[2]
    assert Finding(claim(**fields), 10, middle, low, high).verdict == verdict
    assert Finding(claim(**fields), 1, middle, low, high).verdict == (
        "one seed" if verdict == "reproduced" else verdict
    )
    assert Finding(claim(**fields), 0, UNKNOWN, math.nan, math.nan).verdict == "not run"


OVER = [Range(3.0, math.inf), Range(4.0, math.inf), Range(5.0, math.inf)]


@pytest.mark.parametrize(
    ("fields", "values", "verdict", "said"),
    [
        ({"least": 2}, OVER, "reproduced", "over 4 (3 to inf), 3 seeds"),
        ({"least": 3.5}, OVER, "partly", "over 4 (3 to inf), 3 seeds"),
        ({"least": 5, "most": 9}, OVER, "partly", "over 4 (3 to inf), 3 seeds"),
        ({"most": 2}, OVER, "not", "over 4 (3 to inf), 3 seeds"),
        ({"least": 1.2, "most": 2, "against": "b"}, [Range(2.5, math.inf)], "partly", "over 2.5, 1 seed"),
        ({"least": 0.3, "against": "b"}, [Range(0, 0.5), Range(0, 0.6)], "partly", "under 0.55 (0 to 0.6), 2 seeds"),
        (
            {"least": 0.7, "most": 0.9, "against": "b"},
            [Range(0, 0.5), Range(0, 0.6)],
            "partly",
            "under 0.55 (0 to 0.6), 2 seeds",
        ),
        ({"least": 0.9, "against": "b"}, [Range(0, 0.5), Range(0, 0.6)], "not", "under 0.55 (0 to 0.6), 2 seeds"),
        ({"most": 0.6}, [Range(0, 0.5), exactly(0.6)], "reproduced", "0.3 to 0.55 (0 to 0.6), 2 seeds"),
    ],
)
def test_verdicts_where_the_stop_time_struck(
    fields: dict[str, Any], values: list[Range], verdict: str, said: str
) -> None:
    """An end that is not known is in no tolerance that has one there, and no verdict leans on it."""
    found = Evidence(dict(enumerate(values)), {}, {}).finding(claim(**fields))
    assert (found.verdict, found.cells[5]) == (verdict, said)


@pytest.mark.parametrize(
    ("known", "data"),
    [
        (Range(6, 6), 6),
        (Range(600, math.inf), [600, None]),
        (Range(0, 0.25), [0, 0.25]),
        (Range(math.inf, math.inf), [None, None]),
    ],
)
def test_what_is_known_is_written_and_read(known: Range, data: Any) -> None:
    assert known.data == data
    assert Range.of(json.loads(json.dumps(data, allow_nan=False))) == known


def test_a_ratio_of_rounds_that_did_not_end() -> None:
    over = Range(600, math.inf)
    assert over.over(exactly(150)) == Range(4, math.inf)
    assert exactly(150).over(over) == Range(0, 0.25)
    assert not over.over(over).known
    assert exactly(6).over(exactly(0)) == exactly(math.inf)
    assert not exactly(0).over(exactly(0)).known
    assert [str(each) for each in (over, Range(0, 0.25), Range(2, 3), exactly(6))] == [
        "over 600",
        "under 0.25",
        "2 to 3",
        "6",
    ]


@pytest.mark.parametrize(
    ("controls", "verdict"),
    [
        ((("c", exactly(0.5)),), "reproduced"),
        ((("c", exactly(0.5)), ("d", exactly(1.05))), "not discriminating"),
        ((("c", UNKNOWN),), "control not run"),
        ((("c", UNKNOWN), ("d", exactly(0.5))), "reproduced"),
        ((("c", Range(1.2, math.inf)),), "reproduced"),
        ((("c", Range(0.5, math.inf)),), "not discriminating"),
    ],
)
def test_a_claim_that_holds_for_its_control_does_not_count(
    controls: tuple[tuple[str, Range], ...], verdict: str
) -> None:
    spoken = claim(least=0.9, most=1.1, **OF_A_PAPER)
    found = Finding(spoken, 10, exactly(1.0), 0.95, 1.05, controls)
    assert found.verdict == verdict
    assert Finding(spoken, 10, exactly(2.0), 1.95, 2.05, controls).verdict == "not", (
        "what does not hold is not, whatever"
    )
    assert f"c: {controls[0][1] if controls[0][1].known else 'not run'}" in found.cells[-1]


def test_run_time_and_throughput_are_over_shallow_droptail_latency_over_its_own() -> None:
    """The marking-threshold paper's denominators; where it compares two points by name, the claim's words name both."""
    for name in ("hadoop-headline", "hadoop-ns2", "hadoop-dctcp", "hadoop-codel"):
        for each in read_sweep(SCENARIOS / f"{name}.toml").claim:
            against = each.against or ""
            if each.item and "DropTail" in against:
                buffer = each.point.split(", ")[2]
                own = buffer if each.figure == "latency" else "shallow"
                named = "DropTail" in each.text or each.item in NAMES_A_DENOMINATOR
                assert against.startswith(f"DropTail, {own}") or named, each.text


def test_bootstrap_holds_the_median_and_narrows_with_seeds() -> None:
    few, many = bootstrap([1.0, 2.0, 3.0]), bootstrap([1.0, 2.0, 3.0] * 20)
    assert few[0] == many[0] == 2
    assert few[1] <= 2 <= few[2]
    assert many[2] - many[1] < few[2] - few[1]
    assert bootstrap([1.0, 2.0, 3.0]) == few, "the same twice"
    assert bootstrap([math.inf, 14.0, math.inf, math.inf])[2] == math.inf, "a ratio to no timeout"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"figure": "jobb", "most": 1}, "figure 'jobb'.*did you mean 'job'"),
        ({}, "needs least or most"),
        ({"least": 2, "most": 1}, "least <= most"),
        ({"most": 1, "number": 1.1}, "does not hold the paper's number 1.1"),
        ({"most": 1, "paper": "race cars"}, "race cars paper needs `item`"),
        ({"most": 1, **OF_A_PAPER, "unit": ""}, "needs `unit`"),
        ({"most": 1, **OF_A_PAPER, "control": []}, "needs `control`"),
        ({"most": 1, **OF_A_PAPER, "item": "1#7"}, "item 1#7 is of another paper"),
    ],
)
def test_senseless_claims_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(TruemarkError, match=message):
        claim(**fields)


def write_sweep(folder: Path, text: str) -> Path:
    """Return a sweep of the small scenario."""
    (folder / "small.toml").write_text(SMALL.read_text())
    path = folder / "sweep.toml"
    path.write_text('base = "small.toml"\nseeds = [1, 2]\n' + text)
    return path


PRODUCT = """
[[product]]
[[product.axis]]
value = [{ name = "droptail", set = { queue = { policy = "droptail" } } }, { name = "step" }]
[[product.axis]]
value = [{ name = "tight", set = { queue = { buffer = "18kB" } } }, { name = "wide" }]
"""


def test_products_run_every_combination_seed_by_seed(tmp_path: Path) -> None:
    tasks = read_grid(write_sweep(tmp_path, PRODUCT), tmp_path / "out")
    names = ["droptail, tight", "droptail, wide", "step, tight", "step, wide"]
    assert [(task.point, task.scenario.seed) for task in tasks] == [(name, seed) for seed in (1, 2) for name in names]
    assert tasks[0].scenario.queue.policy == "droptail"
    assert [task.scenario.queue.buffer for task in tasks[:2]] == ["18kB", "60kB"]


def test_run_time_adds_what_the_hosts_compute(tmp_path: Path) -> None:
    """A job of a second of computing and its shuffle; the shuffle itself is as long as without."""
    plain, computing = (lab(tmp_path, {"workload": {"compute_time": time}}, name=time) for time in ("0s", "1s"))
    assert figure(computing, "job") == figure(plain, "job") == figure(plain, "run_time")
    assert figure(computing, "run_time") == pytest.approx(1 + figure(plain, "job"))
    assert figure(computing, "run_time90") == pytest.approx(1 + figure(plain, "job90"))
    assert ALSO["run_time"] == "run_time90", "what is shown beside it has the computing too"
    assert figure(computing, "shuffle_share") == pytest.approx(figure(plain, "job") / (1 + figure(plain, "job")))


def test_only_what_claims_need_is_run(tmp_path: Path) -> None:
    """Points and controls of claims with an item, with the seeds that each claim asks for; a wrong item is named."""
    of = '[[claim]]\ntext = "t"\npaper = "p"\nsays = "s"\nfigure = "job"\nmost = 1\n'
    text = PRODUCT + of + 'item = "1#11"\npoint = "step, tight"\ncontrol = ["droptail, wide"]\n'
    text += of + 'item = "1#12"\nseeds = 2\npoint = "step, wide"\n' + of + 'point = "droptail, tight"\n'
    path = write_sweep(tmp_path, text)
    path.write_text(path.read_text().replace("seeds = [1, 2]", "seeds = [1, 2, 3]"))
    tasks = read_grid(path, tmp_path / "out")

    def needed(*items: str) -> Counter[str]:
        return Counter(task.point for task in with_a_claim(tasks, path, list(items)))

    assert needed() == {"step, tight": 3, "droptail, wide": 3, "step, wide": 2}
    assert needed("1#12") == {"step, wide": 2}
    with pytest.raises(TruemarkError, match=r"no claim of item 1#13.*1#12"):
        needed("1#13")
    with pytest.raises(TruemarkError, match="without --claimed all of it runs"):
        with_a_claim(tasks, write_sweep(tmp_path, PRODUCT), [])


def test_claims_name_points_that_are_there(tmp_path: Path) -> None:
    text = '[[claim]]\ntext = "t"\npaper = "p"\nsays = "s"\nfigure = "job"\nmost = 1\npoint = "step, tigt"\n'
    with pytest.raises(TruemarkError, match=r"speaks of a point 'step, tigt'; did you mean 'step, tight'"):
        read_grid(write_sweep(tmp_path, PRODUCT + text), tmp_path / "out")
    with pytest.raises(TruemarkError, match=r"no point: write \[\[point\]\]"):
        read_grid(write_sweep(tmp_path, ""), tmp_path / "out")
    with pytest.raises(TruemarkError, match=r"product\.0\.axis\.0\.vale: unknown key; did you mean 'value'"):
        read_grid(write_sweep(tmp_path, PRODUCT.replace("value", "vale")), tmp_path / "out")


def test_a_sweep_is_judged_and_reported(tmp_path: Path) -> None:
    drops = '[[claim]]\ntext = "tight drops"\npaper = "ours"\nsays = "-"\nfigure = "drops"\nleast = 1\n'
    text = PRODUCT + drops + 'point = "droptail, tight"\n' + drops.replace("tight", "wide") + 'point = "step, wide"\n'
    path = write_sweep(tmp_path, text)
    out = tmp_path / "out"
    assert not sweep(read_grid(path, out), workers=2, scheduler=None, tell=lambda _: None)
    (out / "sweep.toml").write_text(path.read_text())
    (swept,) = report.read(out)
    findings = swept.findings
    assert [found.verdict for found in findings] == ["reproduced", "not"]
    assert [found.seeds for found in findings] == [2, 2]
    page = report.write([swept], tmp_path / "page")[0].read_text()
    assert "<b>reproduced</b>" in page
    assert "<b>not</b>" in page
    text = (tmp_path / "page/report.md").read_text()
    assert "| tight drops | ours | - | drops: droptail, tight | at least 1 |" in text
    cells = [line.split(" | ")[2] for line in text.splitlines() if line.startswith(("| droptail, ", "| step, "))]
    assert any("**0**" in each for each in cells)
    assert not all("**" in each for each in cells)
    assert page.count("<b>") > 2 + text.count("**0**")
    assert text.count("| **reproduced** |") == text.count("| **not** |") == 1
    assert page.count("data:image/svg+xml;base64,") >= 3


def test_a_report_leaves_out_what_its_sweep_has_no_more(tmp_path: Path, command: Command) -> None:
    """A sweep that changed keeps its older runs below the same names; a folder without the base tells seeds alone."""
    path = write_sweep(tmp_path, '[[point]]\nname = "a"\n')
    assert command("lab", "sweep", path, "--out", tmp_path / "out")[0] == 0
    path.write_text(
        'base = "small.toml"\nseeds = [1]\n[[point]]\nname = "a"\nset = { queue = { policy = "droptail" } }\n'
    )
    (tmp_path / "out/sweep.toml").write_text(path.read_text())
    said = r"runs left out, for the sweep has them no more: a \(2\); `truemark lab sweep` makes"
    with pytest.raises(TruemarkError, match=said):
        report.read(tmp_path / "out")
    assert command("lab", "sweep", path, "--out", tmp_path / "out")[0] == 0
    base = tmp_path / "out/small.toml"
    base.write_text(re.sub("^title = .*", 'title = "Another"', base.read_text(), flags=re.MULTILINE))
    (swept,) = report.read(tmp_path / "out")
    assert [(run.scenario.queue.policy, run.scenario.seed) for run in swept.runs] == [("droptail", 1)]
    assert swept.notes[0] == "runs left out, for the sweep has them no more: a (1)"
    (tmp_path / "out/small.toml").unlink()
    assert report.read(tmp_path / "out")[0].seeds == [1]


def test_a_folder_without_runs_has_no_report(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match="no complete run below it; `truemark lab run SCENARIO"):
        report.read(tmp_path)


def test_a_folder_may_be_named_like_a_part(tmp_path: Path) -> None:
    """Only what is half written is passed over, and what is no result is named."""
    done = lab(tmp_path / "my.parts")
    shutil.copytree(done.folder, done.folder.with_name("other.part"))
    assert [len(point.runs) for point in report.collect(tmp_path)] == [1]
    (done.folder / "result.json").write_text("[]")
    with pytest.raises(TruemarkError, match=r"result\.json: not a result of `truemark lab run`"):
        report.collect(tmp_path)


@pytest.mark.parametrize(
    ("name", "own", "pictures"),
    [
        ("incast", ("round",), {"measures", "occupancy"}),
        ("short", ("fct50us", "fct99us"), {"measures", "occupancy"}),
        *slow(
            ("rivals", ("sharing", "utilization", "occupancy", "fairness"), {"measures", "occupancy"}),
            ("bottlenecks", ("goodput_S1", "least_fairness", "wait_T1", "wait_T2"), {"measures", "occupancy"}),
            ("background", ("round", "background"), {"measures", "occupancy"}),
            ("probes", ("probe", "probe99", "goodput"), {"measures", "occupancy"}),
            ("queries", ("query50", "query99"), {"measures", "occupancy"}),
        ),
    ],
)
def test_every_kind_has_figures_and_a_report(
    tmp_path: Path, name: str, own: tuple[str, ...], pictures: set[str]
) -> None:
    done = lab(tmp_path / "runs", scenario=SCENARIOS / f"small-{name}.toml")
    for key in own:
        assert figure(done, key) > 0, key
    others = set(FIGURES) - set(own)
    with pytest.raises(TruemarkError, match="has none"):
        figure(done, "round" if "round" in others else "query50")
    with pytest.raises(TruemarkError, match="did you mean 'job'"):
        figure(done, "jop")
    written = report.write(report.read(tmp_path / "runs"), tmp_path / "page")
    assert {path.stem for path in written if path.suffix == ".svg"} == pictures
    assert Point(name, (done,)).runs[0].scenario.workload.kind in written[0].read_text()


def test_tables_fit_eighty_columns_and_markdown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a first-time user sees, and what the README takes: no row is broken, drops share a column."""
    done = lab(tmp_path / "run", {"queue": {"policy": "droptail", "buffer": "18kB"}})
    few = [Point(name, (done,)) for name in ("droptail, shallow", "RED, W = 9, shallow", "three", "four", "five")]
    for points, first in ((few, "job [s]"), (few + [Point(f"point {n}", (done,)) for n in range(9)], "point 8")):
        written = StringIO()
        monkeypatch.setattr(output, "console", Screen(file=written, width=80))
        cli.show(points)
        lines = written.getvalue().splitlines()
        assert max(map(len, lines)) <= 80
        rows = [line for line in lines if line.strip()]
        assert any(row.startswith(f" {first} ") for row in rows)
        below = rows[next(place for place, row in enumerate(rows) if "──" in row) + 1 :]
        measures = [measure for measure in measures_of(points) if measure.label]
        assert len(below) == (len(measures) if points is few else len(points)), "a row is broken"
    written.truncate(0)
    cli.show([Point(f"CoDel 300us 0.75ms, ack+syn, shallow, TCP-ECN {n}", (done,)) for n in range(9)])
    assert "…" not in written.getvalue(), "a number has lost its end to a long name"
    monkeypatch.setattr(output, "console", Screen(file=(printed := StringIO())))
    cli.print_points(few, [tmp_path])
    found = json.loads(printed.getvalue())
    fastjsonschema.compile(documents.schema("lab"))(found)
    assert [point["measures"]["job"] for point in found["points"]] == [[figure(done, "job")]] * 5
    text = render("lab.md.j2", sweeps=[report.Sweep("name", few, "title", 0, [], [])])
    drops = " / ".join(format(figure(done, f"drops_{kind}"), ",.0f") for kind in ("data", "ACK", "SYN"))
    assert "|  | job [s] | drops: data / ACK / SYN | wait in a queue, mean [ms] |" in text
    assert f"| droptail, shallow | {figure(done, 'job'):.3f} | {drops} |" in text
    assert f"made {done.result['made']}" in text


def test_a_page_of_several_sweeps_counts_their_claims(tmp_path: Path) -> None:
    claims = "".join(
        f'[[claim]]\ntext = "{least}"\npaper = "p"\nsays = "s"\nfigure = "job"\nleast = {least}\npoint = "a"\n'
        for least in (0, 0, 99)
    )
    for name in ("one", "two"):
        lab(tmp_path / name, {"queue": {"policy": "droptail"}}, name="a")
        (tmp_path / name / "points.txt").write_text("small\n")
        text = claims.replace('point = "a"', 'point = "small"') if name == "one" else ""
        head = f'base = "small.toml"\ntitle = "T {name}"\nplace = {1 if name == "two" else 2}\nseeds = [1]\n'
        head += '[[point]]\nname = "small"\n'
        (tmp_path / name / "sweep.toml").write_text(head + text)
    page = report.write(report.read(tmp_path), tmp_path / "page")[0].read_text()
    assert "</a> (claims: 2 one seed, 1 not)</li>" in page
    assert page.count("(claims:") == 1
    assert 0 < page.index(">two: T two</a>") < page.index(">one: T one</a>"), "by place, not by name"


def test_the_engine_of_a_run_is_an_option(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli.app, ["run", str(SMALL), "--engine", "modell", "--out", str(tmp_path / "run")])
    assert isinstance(done.exception, TruemarkError)
    assert "queue.engine = 'modell'" in str(done.exception)
