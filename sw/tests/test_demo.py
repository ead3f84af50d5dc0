# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration, through the model to be quick; `make demo` runs it through the RTL."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from sw.tests.frames import Command, tcp_frame, write_capture
from sw.tests.lab.lab_runs import SMALL

from truemark import demo, drawing
from truemark.drawing import INK, STANDING
from truemark.errors import TruemarkError
from truemark.laws import policies
from truemark.laws.step import Step
from truemark.replay import demo_pictures
from truemark.replay.session import Traffic, replay_capture

pytestmark = pytest.mark.builds("engine:model", "lab-runner")

# The shuffle's points on the smallest network.
SHUFFLE = f"""base = "{SMALL}"
seeds = [1]
[[point]]
name = "droptail, shallow"
set = {{ queue = {{ policy = "droptail" }} }}
[[point]]
name = "true-mark, shallow"
[[point]]
name = "droptail, deep"
set = {{ queue = {{ policy = "droptail", buffer = "deep" }} }}
"""


def test_the_page_shows_the_shuffle_then_the_same_traffic_under_both_policies(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(SHUFFLE)
    lab, page_folder = tmp_path / "shuffle", tmp_path / "demo"
    assert command("lab", "sweep", tmp_path / "grid.toml", "--out", lab)[0] == 0
    assert command("lab", "report", lab)[0] == 0
    code, printed, _ = command("demo", "--engine", "model", "--output", page_folder, "--shuffle", lab)
    assert code == 0
    tmp_path = page_folder
    numbers = json.loads((tmp_path / "demo.json").read_text())
    plain, marking = numbers["droptail"]["total"], numbers["true-mark"]["total"]
    assert plain["arrived"] == marking["arrived"] == 20_668
    assert plain["outcomes"]["tail_bytes"] == marking["outcomes"]["tail_bytes"] > 100
    assert "mark" not in plain["outcomes"]
    assert marking["outcomes"]["mark"] > 5000
    assert numbers["true-mark"]["classes"]["ACK"]["outcomes"].keys() <= {"pass", "tail_bytes"}
    assert "An open-loop replay" in printed
    page = (tmp_path / "index.html").read_text()
    linked = set(re.findall(r'(?:src|href)="([^"]+)"', page))
    shown = {"../shuffle/report/report.html", "../shuffle/report/jobs.svg"}
    assert linked == {path.name for path in tmp_path.iterdir()} - {"index.html"} | shown
    assert all((tmp_path / each).is_file() for each in linked)
    assert re.search(r"<b>[0-9.,]+</b>", page[: page.index("shuffle/report/jobs.svg")])
    assert page.index("shuffle/report/jobs.svg") < page.index("congestion.svg")
    job = {name: read_job(lab, name) for name in ("true-mark--shallow", "droptail--deep")}
    assert f"and {job['true-mark--shallow'] / job['droptail--deep']:.1f} times that with droptail, deep" in page
    assert re.search(r"Made 20\d\d-\d\d-\d\d .* by Truemark 0\..* with: ", page)


def read_job(lab: Path, point: str) -> float:
    """Job time of a point's only run."""
    (path,) = (lab / point).glob("*/result.json")
    found: float = json.loads(path.read_text())["result"]["job"]["time_s"]
    return found


def test_a_picture_leaves_matplotlib_as_it_was(tmp_path: Path) -> None:
    """And does not take what others have set: its file is the same."""

    @drawing.styled
    def drawn(name: str) -> str:
        figure, (axes,) = drawing.sheet(2, 1)
        axes.set_title("as drawn")
        return drawing.save(figure, tmp_path / name / "one.svg").read_text()

    for name in ("plain", "set"):
        (tmp_path / name).mkdir()
    before = dict(mpl.rcParams)
    plain = drawn("plain")
    assert dict(mpl.rcParams) == before
    with mpl.rc_context({"font.size": 30, "axes.linewidth": 5}):
        assert drawn("set") == plain
    with pytest.raises(RuntimeError, match="outside `styled`"):
        drawing.sheet(2, 1)


def test_pictures_follow_the_page_and_name_what_they_show(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures: dict[str, Figure] = {}

    def save(figure: Figure, path: Path) -> Path:
        figures[path.stem] = figure
        return drawing.save(figure, path)

    monkeypatch.setattr(demo_pictures, "save", save)
    assert command("demo", "--engine", "model", "--output", tmp_path)[0] == 0
    for path in tmp_path.glob("*.svg"):
        text = path.read_text()
        assert "currentColor" in text, path
        assert "prefers-color-scheme:dark" in text, path
        assert INK not in text.replace(STANDING, ""), path
        assert drawing.THRESHOLD not in text.replace(STANDING, ""), path
        assert "<text" in text, path
    onset = (tmp_path / "onset.svg").read_text()
    assert "stroke: var(--threshold)" in onset
    for shown in ("limit 300 kB", "K = 30 kB", ": first mark to first loss", "true-mark: marked: 671"):
        assert shown in onset, shown
    figures["onset"].savefig(io.BytesIO(), format="png")  # places the texts
    (axes,) = figures["onset"].axes
    (line,) = (line for line in axes.lines if str(line.get_label()).startswith("K ="))
    assert not line.get_clip_on(), "on the axis half of it would be cut off"
    assert line.get_zorder() > axes.spines["bottom"].get_zorder()
    (said,) = (text for text in axes.texts if "first mark" in text.get_text())
    assert said.get_window_extent().x1 < axes.get_window_extent().x1


def test_an_engine_that_differs_from_the_model_is_found(tmp_path: Path) -> None:
    marked = tmp_path / "out.pcap"
    traffic = Traffic(write_capture(tmp_path / "in.pcap", [(0, tcp_frame(976))] * 7), 10**9)
    settings = policies.settings("true-mark", Step(1000), limit_bytes=300_000)
    run = replay_capture("model", settings, traffic, marked)
    demo.compare_with_model(run, settings, traffic, marked)
    run.trace.departure_sojourn[3] += 1
    with pytest.raises(TruemarkError, match="RTL and golden model differ"):
        demo.compare_with_model(run, settings, traffic, marked)
    run.trace.departure_sojourn[3] -= 1
    content = bytearray(marked.read_bytes())
    content[-1] ^= 1
    marked.write_bytes(content)
    with pytest.raises(TruemarkError, match="RTL and golden model differ"):
        demo.compare_with_model(run, settings, traffic, marked)
