# SPDX-License-Identifier: BSD-3-Clause
"""What the command writes to, speaks to and loads: devices and links survive, nothing is simulated in silence."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
from sw.tests.frames import Command, tcp_frame, write_capture

from truemark.device.engine import library_folders
from truemark.errors import TruemarkError
from truemark.files import whole_file
from truemark_dev import compiled

TRUEMARK = [sys.executable, "-c", "from truemark.cli import main; main()"]
SETTING = ("--setting", "400us/1ms")

pytestmark = pytest.mark.builds("engine:model")


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Seven frames at once."""
    return write_capture(tmp_path / "in.pcap", [(0, tcp_frame(976))] * 7)


def test_a_pipe_is_written_straight_and_stays(command: Command, capture: Path, tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)  # never a real device: a fault here would put a file in its place
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    code, _, error = command("replay", capture, "--k", "1kB", "--engine", "model", "--out", tmp_path / "link")
    reader.join(timeout=20)
    assert (code, error) == (0, "")
    assert len(read[0]) == 24 + 7 * (16 + 976)
    assert pipe.is_fifo()
    assert link.is_symlink()


def test_a_link_is_followed_and_stays(command: Command, capture: Path, tmp_path: Path) -> None:
    for option, words in (("--out", ["replay", capture, "--k", "1kB"]), ("--profile", ["plan", "codel", *SETTING])):
        file, link = tmp_path / option, tmp_path / f"link{option}"
        file.write_text("old")
        link.symlink_to(file)
        assert command(*words, option, link)[0] == 0
        assert link.is_symlink()
        assert file.stat().st_size > 100


def test_a_dash_is_stdout_and_has_it_alone(command: Command, capture: Path) -> None:
    code, out, error = command("plan", "codel", *SETTING, "--profile", "-")
    assert code == 0
    assert tomllib.loads(out)["policy"] == "codel"
    assert "CoDel 400 µs / 1 ms" in error
    words = [*TRUEMARK, "replay", str(capture), "--k", "1kB", "--out", "-"]
    done = subprocess.run(words, capture_output=True)
    assert len(done.stdout) == 24 + 7 * (16 + 976)
    assert b"true-mark, K = 1 kB" in done.stderr
    assert "both want stdout" in command(*words[3:], "--json")[2]
    assert not Path("-").exists()


def test_a_file_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(TruemarkError, match="broken"), whole_file(path) as file:  # noqa: PT012
        file.write("half")
        raise TruemarkError("broken")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert path.read_text() == "old"


@pytest.mark.parametrize(("option", "place"), [("--plots", "/proc/x"), ("--out", "/proc/x/o")])
def test_where_nothing_can_be_written_is_said_before_the_run(
    command: Command, capture: Path, option: str, place: str
) -> None:
    code, out, error = command("replay", capture, "--k", "1kB", "--engine", "model", option, place)
    assert (code, out) == (1, "")
    assert f"{place}: " in error
    assert " be " in error


def test_a_device_without_a_scheme_is_none(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, error = command("show", "--device", "nf0")
    assert (code, error) == (1, "error: no device 'nf0'; did you mean nf:nf0 or sim:nf0?\n")
    assert not list(tmp_path.iterdir())
    assert "SIMULATED by model" in command("show", "--device", "sim:d")[1]


def test_the_engine_is_the_model_where_no_rtl_is_built(command: Command, capture: Path) -> None:
    code, out, _ = command("replay", capture, "--k", "1kB")
    assert code == 0
    assert "engine model" in out
    assert "engine: the golden model; no RTL that does this is built (in a clone: `make engines`)" in out


def test_engines_are_not_looked_for_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "build/engines").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert tmp_path not in [parent for folder in library_folders() for parent in folder.parents]
    monkeypatch.delenv("TRUEMARK_LIB")
    assert tmp_path not in [parent for folder in library_folders() for parent in folder.parents]


def test_version_and_ports_that_are_not_there(command: Command, capture: Path) -> None:
    assert command("--version")[1].startswith("truemark 0.")
    for port in ("7", "99", "-1"):
        code, _, error = command("stats", "--after", capture, "--rate", "1G", "--port", port, "--device", "sim:none")
        assert (code, error) == (1, f"error: port {port}: this device has ports 0 to 4\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--load", "80"], "80 % is --load 0.8"),
        (["--rtt", "0us"], "rtt '0us' must be above 0"),
        (["--k=-30kB"], "k '-30kB' must not be negative"),
        (["--rate", "10Gbps"], "bps is bytes per second in tc"),
    ],
)
def test_slips_are_named(command: Command, capture: Path, arguments: list[str], says: str) -> None:
    given = [] if "--k" in arguments[0] else ["--k", "30kB"]
    code, _, error = command("replay", capture, *given, "--engine", "model", *arguments)
    assert code == 1
    assert says in error


def test_a_threshold_below_a_frame_is_remarked(command: Command, capture: Path) -> None:
    assert "K = 30 B is below the shortest frame" in command("replay", capture, "--k", "30", "--engine", "model")[1]


SLOW = {"matplotlib", "numpy", "dpkt", "scapy", "dask", "distributed", "jinja2", "pcapng"}


def modules(*words: str) -> set[str]:
    """Return the modules that are loaded when a command ends, whatever it ends with."""
    program = (
        "import sys; from truemark.cli import main\n"
        f"sys.argv = {['truemark', *words]!r}\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print('modules', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("modules")[2].split())


@pytest.mark.parametrize("words", [["--help"], ["status", "--device", "tcp:127.0.0.1:1"], ["lab", "--help"]])
def test_what_is_slow_to_load_is_loaded_where_it_is_used(words: list[str]) -> None:
    """What takes CPU time here is imports. Typer itself loads pydantic when it reads a command's options."""
    names = modules(*words)
    assert not ({*SLOW, "pydantic"} if words == ["--help"] else SLOW) & names
    assert len(names) < 500


def test_a_command_loads_its_own_module_and_no_profile_that_is_not_there(tmp_path: Path) -> None:
    names = modules("status", "--device", f"sim:{tmp_path}")
    assert "truemark.cli.device" in names
    assert not {"truemark.cli.lab", "truemark.cli.replay", "truemark.laws.profile", "truemark.laws.tables"} & names


@pytest.fixture(scope="module")
def environment() -> None:
    """Compile as `make venv` does."""
    compiled.main()


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("words", compiled.COMMANDS)
def test_an_environment_has_the_byte_code_of_what_a_command_loads(words: list[str]) -> None:
    """Where Python may write none."""
    program = (
        "import sys; from importlib.machinery import SourceFileLoader as Loader\n"
        "made, compile = [], Loader.source_to_code\n"
        "Loader.source_to_code = lambda self, *given, **more: made.append(given[1]) or compile(self, *given, **more)\n"
        f"from truemark.cli import main; sys.argv = {['truemark', *words]!r}\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print('compiled', *made)"
    )
    done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.rpartition("compiled")[2].split() == []


@pytest.mark.parametrize(("missing", "extra"), [("matplotlib", "plots"), ("jinja2", "plots"), ("dask", "lab")])
def test_a_package_that_an_extra_brings_is_asked_for(missing: str, extra: str) -> None:
    words = ["lab", "sweep", "x.toml"] if missing == "dask" else ["lab", "report", "x"]
    program = (
        f"import sys; sys.argv[1:] = {words}; sys.modules['{missing}'] = None; from truemark.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"error: this needs {missing}: pip install 'truemark[{extra}]'\n"
