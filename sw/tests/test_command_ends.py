# SPDX-License-Identifier: BSD-3-Clause
"""How a command ends and what it leaves on the screen: exit codes, one line of error, tables that keep their digits."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from rich.table import Table
from sw.tests.frames import Command, tcp_frame, write_capture
from sw.tests.pages import ROOT

from truemark.cli import output
from truemark.errors import ExitCode
from truemark.replay import session
from truemark.replay.replay import Replay
from truemark.screen import Screen
from truemark_dev.marks import slow

pytestmark = pytest.mark.builds("engine:model")

LINUX = ROOT / "sw/captures/linux-ecn.pcap.gz"
TRUEMARK = [sys.executable, "-c", "from truemark.cli import main; main()"]
DUAL = (
    'rate = "10G"\npolicy = "dual-slope"\nbuffer = "shallow"\n'
    '[ect]\nmin = "15kB"\nmax = "90kB"\nprobability = 0.1\nweight = 9\n'
    '[not_ect]\nmin = "30kB"\nmax = "90kB"\nprobability = 0.2\nweight = 9\n'
)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Seven frames at once, and one a second later."""
    return write_capture(tmp_path / "in.pcap", [*[(0, tcp_frame(976))] * 7, (10**9, tcp_frame(976))])


@pytest.fixture
def dual(tmp_path: Path) -> Path:
    """Return a profile whose tables are wide."""
    path = tmp_path / "dual.toml"
    path.write_text(DUAL)
    return path


@pytest.mark.parametrize("width", [40, *slow(80)])
def test_no_table_loses_a_digit_however_narrow_the_screen(
    command: Command, dual: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """In a terminal as in a pipe: the numbers are those of a screen that is wide enough."""
    commands: list[list[object]] = [
        ["replay", LINUX, "--profile", dual, "--speed", "450", "--engine", "model"],
        ["apply", dual, "--device", f"sim:{dual.parent}/device"],
        ["show", "--device", f"sim:{dual.parent}/device"],
        ["stats", "--after", LINUX, "--speed", "450", "--device", f"sim:{dual.parent}/device"],
        ["snapshot", "--after", LINUX, "--speed", "450", "--at", "1ms", "--device", f"sim:{dual.parent}/device"],
        ["plan", "codel"],
    ]
    found = []
    for columns in (300, width):
        monkeypatch.setenv("COLUMNS", str(columns))
        printed = [command(*words) for words in commands]
        assert [code for code, _, _ in printed] == [0] * len(commands)
        found.append([sorted(re.findall(r"[\d.,]*\d", out)) for _, out, _ in printed])
        assert not [out for _, out, _ in printed if "…" in out]
    assert found[0] == found[1]
    terminal = Screen(force_terminal=True, width=width, file=io.StringIO())
    monkeypatch.setattr(output, "console", terminal)
    table = session_table(dual)
    terminal.print(table)
    assert isinstance(terminal.file, io.StringIO)
    assert "…" not in terminal.file.getvalue()


def session_table(profile: Path) -> Table:
    """Return the table of a replay under a profile."""
    from truemark.laws.profile import read_profile
    from truemark.replay import report

    settings = read_profile(profile).table(0).planned().settings
    return report.table(session.replay_capture("model", settings, session.Traffic(LINUX, 10**10)).summary)


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (["--k", "30kB"], "the queue never reached K = 30 kB (most 976 B, load 0%); try --load 0.9"),
        (["--policy", "codel", "--codel", "1ms/10ms"], "no frame waited as long as CoDel's target (longest 0 ns, load"),
    ],
)
def test_a_law_that_never_acts_is_remarked(command: Command, tmp_path: Path, policy: list[str], says: str) -> None:
    lone = write_capture(tmp_path / "lone.pcap", [(number * 10**6, tcp_frame(976)) for number in range(3)])
    assert says in command("replay", lone, *policy, "--engine", "model")[1]
    busy = write_capture(tmp_path / "busy.pcap", [(0, tcp_frame(9000))] * 9)
    assert "never reached" not in command("replay", busy, "--k", "30kB", "--engine", "model")[1]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["stats", "--port", "x"], ExitCode.WRONG, "value for '--port': a whole number is wanted; see truemark stats "),
        (["plan", "dual", "--rate", "1G", "--max", "9kB", "--packet", "1"], ExitCode.WRONG, "greater than or equal to"),
        (["watch", "--device", "tcp:127.0.0.1:1", "--interval", "0"], ExitCode.WRONG, "greater than or equal to 0.1"),
        (["replay", "x.pcap", "--k", "30kB", "--load", "80"], ExitCode.WRONG, "80 % is --load 0.8"),
        (["shwo"], ExitCode.USAGE, "no such command 'shwo'"),
        (["replay"], ExitCode.USAGE, "missing argument 'CAPTURE'; see truemark replay --help"),
        (["show", "--colour"], ExitCode.USAGE, "no such option: --colour"),
        (["show", "--device", "tcp:127.0.0.1:1"], ExitCode.NO_DEVICE, "nobody listens there"),
        (["probe", "mem:/dev/null"], ExitCode.NO_DEVICE, "/dev/null"),
        (["clock", "200", "--device", "tcp:127.0.0.1:1"], ExitCode.WRONG, "did you mean 200M?"),
        (["probe", "pcie0"], ExitCode.WRONG, "no device 'pcie0'; did you mean nf:pcie0 or sim:pcie0?"),
    ],
)
def test_every_error_is_one_line_with_its_code(command: Command, words: list[str], code: ExitCode, says: str) -> None:
    ended, out, error = command(*words)
    assert (ended, out) == (code, "")
    assert error.startswith("error: ")
    assert says in error
    assert error.count("\n") == 1


def test_names_with_colons_stay_as_they_are(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`:a:` is also how some programs write a picture."""
    monkeypatch.chdir(tmp_path)
    for words in (["unlock", "sim:a:b:x:"], ["unlock", "sim:a:b:x:", "-j"]):
        assert "a:b:x" in "".join(command(*words)[1:])
    code, _, error = command("apply", ":a:.toml", "--device", "sim:a:b:x:")
    assert (code, ":a:.toml" in error) == (1, True)


def test_an_interrupted_replay_says_that_nothing_was_written(
    command: Command, capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Replay, "run", interrupted)
    files = ["--out", tmp_path / "o.pcap", "--plots", tmp_path / "plots"]
    ended = command("replay", capture, "--k", "1kB", "--engine", "model", *files)
    assert ended == (130, "", "error: interrupted; nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["in.pcap"]


def test_a_file_in_the_place_of_the_demo_s_folder_is_named(command: Command, tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("kept")
    ended = command("demo", "--output", tmp_path / "demo", "--engine", "model")
    assert ended == (1, "", f"error: {tmp_path}/demo: this folder cannot be made: File exists\n")
    assert (tmp_path / "demo").read_text() == "kept"


def test_terminated_is_interrupted(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*TRUEMARK, "replay", "-", "--k", "1kB", "--out", tmp_path / "o.pcap", "--engine", "model"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        running.stdin.write("x" * 200_000)  # more than a pipe holds: when this returns, it is being read
        running.stdin.flush()
        while running.poll() is None:  # a signal just before it waits for more does not wake it
            running.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                running.wait(timeout=1)
        assert running.returncode == ExitCode.INTERRUPTED
        assert running.stderr is not None
        assert "interrupted" in running.stderr.read()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        [*TRUEMARK, "replay", "CAPTURE", "--k", "1kB", "--engine", "model"],
        [*TRUEMARK, "--help"],
        [*TRUEMARK, "show"],
        [*TRUEMARK, "completion", "bash"],
        [sys.executable, "-m", "truemark_dev.build", "--list"],
        *slow(
            [*TRUEMARK, "plan", "--help"],
            [*TRUEMARK, "schema", "show"],
            [*TRUEMARK, "export", "grafana"],
            [*TRUEMARK, "tc", "qdisc", "show"],
            [*TRUEMARK, "lab", "--help"],
        ),
    ],
)
def test_a_reader_that_has_seen_enough_ends_it_in_silence(capture: Path, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [str(capture) if word == "CAPTURE" else word for word in words]
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["--help"],
        ["replay", "CAPTURE", "--k", "1kB", "--engine", "model", "--out", "-"],
        *slow(
            ["show", "-j"],
            ["export", "grafana"],
            ["--version"],
            ["schema", "show"],
            ["tc", "qdisc", "show"],
            ["plan", "tcn", "--rate", "10G", "--rtt", "100us", "--profile", "-"],
        ),
    ],
    ids=" ".join,
)
def test_a_stdout_that_is_full_or_closed(capture: Path, words: list[str]) -> None:
    """One line says that it is full; to one that is closed, nothing is said, and all else is done."""
    words = [*TRUEMARK, *(str(capture) if word == "CAPTURE" else word for word in words)]
    for buffered in ("", "1"):
        with Path("/dev/full").open("w") as full:
            surroundings = os.environ | {"PYTHONUNBUFFERED": buffered}
            done = subprocess.run(
                words, stdout=full, stderr=subprocess.PIPE, text=True, cwd=capture.parent, env=surroundings
            )
        assert done.stderr.splitlines()[-1:] == ["error: output: no space left on device"]
        assert (done.returncode, "Traceback" in done.stderr, "Exception" in done.stderr) == (1, False, False)
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *words]
    done = subprocess.run(closed, stderr=subprocess.PIPE, text=True, cwd=capture.parent)
    assert (done.returncode, "Traceback" in done.stderr, "Exception" in done.stderr) == (0, False, False), done.stderr
    assert [path.name for path in capture.parent.iterdir()] == [capture.name]


def test_an_error_of_the_system_names_the_file(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), "some/file")

    monkeypatch.setattr(output, "device", fail)
    assert command("show") == (1, "", "error: some/file: input/output error\n")


def test_a_capture_from_stdin(capture: Path, tmp_path: Path) -> None:
    """Also where it is read twice, for the load; what comes before it is the same file."""
    for name in ("-", "/dev/stdin"):
        words = ["replay", name, "--k", "1kB", "--load", "0.5", "--engine", "model"]
        done = subprocess.run([*TRUEMARK, *words], input=capture.read_bytes(), capture_output=True)
        assert done.returncode == 0, done.stderr
        assert b"8 frames in" in done.stdout
    for name, called in (("-", b"stdin"), ("/dev/stdin", b"/dev/stdin")):
        words = ["replay", name, "--k", "1kB", "--engine", "model"]
        done = subprocess.run([*TRUEMARK, *words], input=b"", capture_output=True)
        assert done.stderr.startswith(b"error: " + called + b": the file is empty")


def test_stdin_that_is_closed_is_empty() -> None:
    for words, says in (
        (["replay", "-", "--k", "1kB", "--engine", "model"], "error: stdin: the file is empty (0 bytes); a pcap or"),
        (["tc", "-"], "error: not what tc -j prints"),
    ):
        closed = ["sh", "-c", 'exec "$@" <&-', "sh", *TRUEMARK, *words]
        done = subprocess.run(closed, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(says), done.stderr


def test_a_lab_without_runner_says_so_before_anything(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEMARK_LAB_RUNNER", "/nowhere")
    code, out, error = command("lab", "run", ROOT / "sim/lab/scenarios/small.toml")
    assert (code, out) == (1, "")
    assert "runner" in error


def test_help_is_in_groups_with_examples(command: Command) -> None:
    _, out, _ = command("--help")
    assert out.index("─ Settings ") < out.index("─ Device ") < out.index("─ Traffic ")
    assert "Exit codes: 0 done" in out
    _, out, _ = command("replay", "--help")
    assert out.index("─ Policy ") < out.index("─ Traffic ") < out.index("─ Output ")
    assert "truemark replay capture.pcap --k 30kB --load 0.9" in out


@pytest.mark.parametrize(
    ("encoding", "time"), [("ascii", "340.5 us"), ("utf-8", "340.5 µs"), *slow(("latin-1", "340.5 µs"))]
)
def test_a_terminal_without_our_characters_gets_others(tmp_path: Path, encoding: str, time: str) -> None:
    """Stimulus: bars and times, written in an encoding that may lack them. Checks: no traceback, the same numbers."""
    words = ["stats", "--after", str(LINUX), "--rate", "10G", "--speed", "45", "--device", f"sim:{tmp_path}"]
    ended = subprocess.run([*TRUEMARK, *words], capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding})
    said = ended.stdout.decode(encoding)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert f"longest sojourn {time}" in said
    assert ("█" if encoding == "utf-8" else "#") * 10 in said
