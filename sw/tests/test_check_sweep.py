# SPDX-License-Identifier: BSD-3-Clause
"""`truemark check` and `truemark sweep`: rules that hold and that do not, and one capture under many thresholds."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sw.tests.frames import Command, tcp_frame, write_capture
from sw.tests.test_board import PROFILE, address, model

from truemark.link.transport import Simulated

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["address", "model"]  # fixtures

BURST = ["--rate", "1G", "--buffer", "5kB", "--engine", "model"]


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Seven frames at once: with K = 2000 B two are marked and with room for 5000 B one or two are lost."""
    return write_capture(tmp_path / "in.pcap", [(0, tcp_frame(976))] * 7)


@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        (["--max-drops", "1"], ""),
        (["--max-drops", "0"], "max-drops: 1, at most 0 wanted"),
        (["--max-p99", "40us"], ""),
        (["--max-p99", "39us"], "max-p99: 40 µs, at most 39 µs wanted"),
        (["--max-queue", "4880"], ""),
        (["--max-queue", "4879B"], "max-queue: 4880 B, at most 4879 B wanted"),
        (["--min-marks", "2"], ""),
        (["--min-marks", "3"], "min-marks: 2, at least 3 wanted"),
        (["--max-wrong", "0"], ""),
        (["--max-queue", "39.04us"], ""),
        (["--max-queue", "5pkt", "--packet", "976"], ""),
        (["--max-queue", "5pkt", "--packet", "975"], "max-queue: 4880 B, at most 4875 B wanted"),
    ],
)
def test_rules_of_a_capture_at_the_edge(command: Command, capture: Path, rule: list[str], broken: str) -> None:
    """976 + 24 bytes take 8 µs at 1 Gbit/s; the sixth of the burst leaves after 5 others."""
    code, out, error = command("check", capture, "--k", "2000B", *BURST, *rule)
    assert (code, error) == ((3, f"error: in.pcap: {broken}\n") if broken else (0, ""))
    assert ("broken" in out) == bool(broken)


def test_every_broken_rule_is_named_and_junit_has_them_all(command: Command, capture: Path, tmp_path: Path) -> None:
    words = ["--max-drops", "0", "--min-marks", "9", "--max-wrong", "0", "--junit", tmp_path / "rules.xml"]
    code, _, error = command("check", capture, "--k", "2000B", *BURST, *words)
    assert code == 3
    assert "max-drops: 1" in error
    assert "; min-marks: 2" in error
    suite = ElementTree.parse(tmp_path / "rules.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert [(case.get("name"), len(case)) for case in suite] == [("max-drops", 1), ("min-marks", 1), ("max-wrong", 0)]


def test_junit_has_stdout_for_itself(command: Command, capture: Path) -> None:
    words = ["check", capture, "--k", "2000B", *BURST, "--max-drops", "1", "--junit", "-"]
    code, out, error = command(*words)
    assert (code, ElementTree.fromstring(out).get("tests"), "max-drops" in error) == (0, "1", True)
    assert command(*words, "-j") == (1, "", "error: --json and --junit - both want stdout; give --junit a file\n")


def test_rules_of_a_device(command: Command, model: Simulated, address: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(PROFILE)
    assert command("apply", tmp_path / "p.toml", "--device", address)[0] == 0
    for number in range(40):
        model.engine.offer(number * 100, tcp_frame(1500))
    model.engine.take(10_000)
    words = ["check", "--device", address, "--port", "0"]
    assert command(*words, "--max-drops", "0", "--min-marks", "19", "--max-p99", "17us")[0] == 0
    code, out, error = command(*words, "--max-p99", "16us", "--min-marks", "20", "-j")
    assert code == 3
    assert "max-p99: 16.38 µs, at most 16 µs wanted; min-marks: 19, at least 20 wanted" in error
    assert not json.loads(out)["passed"]


@pytest.mark.parametrize(
    ("law", "marks"),
    [
        (["--k", "2pkt", "--packet", "1000"], 2),
        (["--k", "2000B", "--mark-on", "departure"], 2),
        (["--policy", "tcn", "--tcn", "20us"], 3),
        (["--policy", "red", "--target-delay", "10us", "--weight", "0"], 0),
    ],
)
def test_a_law_s_own_options(command: Command, capture: Path, law: list[str], marks: int) -> None:
    """Whatever an error of a law advises, both commands take."""
    assert command("check", capture, *law, *BURST, "--min-marks", str(marks))[0] == 0
    code, out, error = command("sweep", capture, *(law if "--k" in law else ["--k", "1kB", *law]), *BURST, "-j")
    assert (code, error) == (0, "")
    assert [each["marked"] for each in json.loads(out)["points"]] == [marks]


def test_thresholds_as_times_and_packets(command: Command, capture: Path) -> None:
    """The rate is an option, a profile's, or 10 Gbit/s; 16 µs at 1 Gbit/s are 2000 B."""
    for words, wanted in (
        (["--k", "8us..16us", "--rate", "1G"], [1000, 2000]),
        (["--k", "8us..16us"], [10_000, 20_000]),
        (["--k", "1pkt..2pkt", "--packet", "1514"], [1514, 3028]),
    ):
        code, out, error = command("sweep", capture, *words, "--steps", "2", "--engine", "model", "-j")
        assert (code, error) == (0, "")
        assert [each["k_bytes"] for each in json.loads(out)["points"]] == wanted


def test_a_rule_that_nothing_can_hold_is_refused(command: Command, capture: Path) -> None:
    for name in ("--max-drops", "--min-marks", "--max-wrong"):
        code, _, error = command("check", capture, "--k", "2000B", name, "-1")
        assert (code, f"'{name}': it must be greater than or equal to 0" in error) == (1, True), error


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--device", "sim:"], "nothing to check: give at least one of --max-drops, --max-p99"),
        (["--max-drops", "0"], "check a CAPTURE, or a --device"),
        (["--max-drops", "0", "--device", "sim:", "--k", "1kB"], "a device is checked as it is"),
        (["--max-p99", "100", "--device", "sim:"], "max-p99 '100': a unit is missing"),
        (["--max-drops", "0", "--device", "sim:"], "sim: a simulated device lives as long as one command; put `truem"),
        (["--max-queue", "24us", "--device", "sim:"], "max-queue '24us': of a device bytes are wanted, such as 30kB"),
    ],
)
def test_checks_that_cannot_be(command: Command, words: list[str], says: str) -> None:
    code, _, error = command("check", *words)
    assert (code, says in error) == (1, True), error


def test_a_capture_has_no_port(command: Command, capture: Path) -> None:
    code, _, error = command("check", capture, "--k", "2000B", *BURST, "--port", "0", "--max-drops", "1")
    assert (code, "--port is of a --device; a CAPTURE goes through one port" in error) == (1, True), error


def test_a_sweep_is_its_replays_side_by_side(command: Command, capture: Path, tmp_path: Path) -> None:
    words = ["sweep", capture, "--k", "1kB..3kB", "--steps", "3", "--policy", "droptail,true-mark", *BURST]
    code, out, error = command(*words, "--csv", tmp_path / "s.csv", "--plot", tmp_path / "s.svg", "--json")
    assert code == 0, error
    points = json.loads(out)["points"]
    assert [(each["policy"], each["k_bytes"]) for each in points] == [
        ("droptail", None),
        ("true-mark", 1000),
        ("true-mark", 2000),
        ("true-mark", 3000),
    ]
    for each in points[1:]:
        single = json.loads(command("replay", capture, "--k", f"{each['k_bytes']}B", *BURST, "-j")[1])["total"]
        assert each["marked"] == single["outcomes"].get("mark", 0)
        assert each["sojourn_p99_ns"] == single["sojourn_ns"]["p99"]
    assert [each["marked"] for each in points] == [0, 3, 2, 1]
    rows = list(csv.DictReader((tmp_path / "s.csv").open()))
    assert [row["marked"] for row in rows] == ["0", "3", "2", "1"]
    assert ElementTree.parse(tmp_path / "s.svg").getroot().tag.endswith("}svg")
    code, out, _ = command(*words, "--csv", "-")
    assert list(csv.DictReader(StringIO(out))) == rows
    code, out, _ = command(*words, "--plot", "-")
    assert ElementTree.fromstring(out).tag.endswith("}svg")


def test_a_result_never_takes_the_capture_s_place(command: Command, capture: Path, tmp_path: Path) -> None:
    """*Stimulus*: the capture, and links to it, as a result's file. *Checks*: it is refused, and is as it was."""
    before = capture.read_bytes()
    (tmp_path / "soft").symlink_to(capture)
    (tmp_path / "hard").hardlink_to(capture)
    for words in (
        ["replay", capture, "--out"],
        ["check", capture, "--max-drops", "9", "--junit"],
        ["sweep", capture, "--k", "1kB", "--csv"],
    ):
        for place in (capture, tmp_path / "soft", tmp_path / "hard"):
            code, _, error = command(*words, place, "--engine", "model")
            assert (code, f"{place}: is the capture itself" in error) == (1, True), error
    assert capture.read_bytes() == before


def test_a_policy_that_protects_stands_beside_one_that_cannot(command: Command, capture: Path) -> None:
    """README's own comparison: RED that spares ACKs and SYNs, and the threshold, which drops none of them."""
    laws = ["--policy", "true-mark,red", "--target-delay", "1us", "--protect", "ack+syn"]
    code, out, error = command("sweep", capture, "--k", "1kB", *laws, *BURST, "-j")
    assert code == 0, error
    assert [each["policy"] for each in json.loads(out)["points"]] == ["true-mark", "red"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--k", "3kB..1kB"], "3kB is not below 1kB"),
        (["--k", "1kB..3kB", "--steps", "1"], "steps = 1: allowed is 2 to 1000"),
        (["--k", "1kB", "--policy", "true-marc"], "did you mean 'true-mark'"),
        (["--k", "1kB", "--policy", "red"], "policy 'red' needs RED's min"),
        (["--k", "1pkt..2pkt"], "how many bytes is a packet? State it: --packet 1514, or packet = 1514 in"),
        (["--k", "1kB", "--policy", "tcn"], "policy 'tcn' needs"),
        (["--k", "1kB", "--codel", "1us/2us"], "--codel: none of true-mark takes it; codel, codel-tcn do"),
        (
            ["--k", "1kB", "--policy", "droptail,true-mark", "--protect", "all"],
            "--protect: none of droptail, true-mark",
        ),
        (["--k", "1kB", "--csv", "-", "-j"], "--json and --csv - both want stdout; give --csv a file"),
        (["--k", "1kB", "--plot", "-", "-j"], "--json and --plot - both want stdout; give --plot a file"),
        (["--k", "1kB", "--csv", "-", "--plot", "-"], "--csv - and --plot - both want stdout; give --plot a file"),
        (["--k", "1kB", "--csv", "x.svg", "--plot", "./x.svg"], "x.svg: --csv and --plot both name this file; give"),
        (["--k", "1kB", "--plot", "x.png"], "x.png: --plot draws SVG; give it a name that ends with .svg"),
        (["--k", "1kB", "--plot", "/proc/x/s.svg"], "/proc/x/s.svg: cannot be written"),
    ],
)
def test_sweeps_that_cannot_be(command: Command, capture: Path, words: list[str], says: str) -> None:
    code, out, error = command("sweep", capture, *words)
    assert (code, out, says in error) == (1, "", True), error
