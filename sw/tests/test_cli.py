# SPDX-License-Identifier: BSD-3-Clause
"""The command from outside: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest
from scapy.utils import rdpcap
from sw.tests.frames import Command, pcap_header, tcp_frame, write_capture

pytestmark = pytest.mark.builds("engine:model")


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Seven frames at once, and an ACK later."""
    frames = [(0, tcp_frame(976))] * 7 + [(100_000, tcp_frame(54, 0, flags="A"))]
    return write_capture(tmp_path / "in.pcap", frames)


def test_replay_writes_all_it_is_asked_for(command: Command, capture: Path, tmp_path: Path) -> None:
    out, plots = tmp_path / "out.pcap", tmp_path / "plots"
    options = ["--policy", "true-mark", "--k", "16us", "--rate", "1G", "--buffer", "5kB", "--engine", "model"]
    code, printed, _ = command("replay", capture, *options, "--out", out, "--plots", plots)
    assert code == 0
    assert "true-mark, K = 2 kB, limit 5 kB, 1 Gbit/s, engine model" in printed
    assert "K = 2000 B; the rule C*RTT/7 gives 1786 B for an RTT of 100 µs" in printed
    found = json.loads(command("replay", capture, *options, "--json")[1])
    assert found["classes"]["DATA"]["outcomes"] == {"pass": 4, "mark": 2, "tail_bytes": 1}
    assert found["settings"]["k_bytes"] == 2000
    assert len(rdpcap(str(out))) == 7
    assert sorted(path.name for path in plots.iterdir()) == ["occupancy-true-mark.svg", "sojourn-true-mark.svg"]
    assert all(ElementTree.parse(path).getroot().tag.endswith("}svg") for path in plots.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.pcap", "out.pcap", "plots"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--policy", "red"], "policy 'red' needs RED's min, max, probability and weight, in a profile's table [red]"),
        (["--policy", "codel"], "policy 'codel' needs target and interval, in a profile's table [codel]"),
        (["--policy", "codel", "--codel", "500us"], "write target/interval, such as 500us/20ms"),
        (["--policy", "codel", "--codel", "2ms/1ms"], "target = 2000 µs is above interval = 1000 µs"),
        (["--k", "30kB", "--codel", "1us/1ms"], "[codel]: policy 'true-mark' takes k; this belongs to codel"),
        (["--k", "30kB", "--target-delay", "1ms"], "use it with red, dual-step or dual-slope"),
        (["--k", "30kB", "--weight", "9"], "weight belongs to target_delay"),
        (["--policy", "red", "--target-delay", "100us", "--weight", "25"], "weight W = 25: allowed is 0 to 24"),
        (
            ["--policy", "red", "--target-delay", "100us", "--protect", "acks"],
            "policy 'red' takes default, syn, ece",
        ),
        (["--profile", "none.toml"], "none.toml: there is no such file"),
        (["--policy", "true-marks", "--k", "1kB"], "did you mean 'true-mark'"),
        (["--k", "301kB"], "k = 301000 B: allowed is 0 to 300000 B"),
        (["--k", "30kB", "--buffer", "9MB"], "limit_bytes = 9000000 B: this build allows 1 to"),
        (["--k", "20pkt"], "how many bytes is a packet"),
        (["--k", "30kB", "--rate", "fast"], "rate 'fast' is not a number"),
        (["--k", "30kB", "--speed", "0"], "speed 0 must be above 0"),
        (["--k", "30kB", "--load", "-1"], "--load is a share above 0, at most 10"),
        (["--k", "30kB", "--load", "80"], "at most 10; 80 % is --load 0.8"),
        (["--k", "30kB", "--load", "0.9", "--speed", "3"], "--load takes the place of --speed; give one"),
        (["--k", "30kB", "--engine", "fpga"], "unknown engine 'fpga' for a capture; there are rtl, model, both\n"),
        (["--k", "30kB", "--engine", "netfpga"], "'netfpga' for a capture; there are rtl, model, both\n"),
        ([], "policy 'true-mark' needs a threshold k"),
    ],
)
def test_impossible_wishes_are_one_line_and_exit_code_1(
    command: Command, capture: Path, tmp_path: Path, arguments: list[str], says: str
) -> None:
    engine = [] if "--engine" in arguments else ["--engine", "model"]
    code, _, error = command("replay", capture, *engine, *arguments, "--out", tmp_path / "out.pcap")
    assert code == 1
    assert error.startswith("error: ")
    assert says in error
    assert [path.name for path in tmp_path.iterdir()] == ["in.pcap"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (pcap_header(1), "empty capture"),
        (pcap_header(113) + bytes(16), "wrong link type 113"),
        (None, "truncated capture"),
    ],
)
def test_unusable_captures_leave_nothing_behind(
    command: Command, capture: Path, tmp_path: Path, content: bytes | None, says: str
) -> None:
    capture.write_bytes(capture.read_bytes()[:-9] if content is None else content)
    files = ["--out", tmp_path / "out.pcap", "--plots", tmp_path / "plots"]
    code, _, error = command("replay", capture, "--k", "30kB", "--engine", "model", *files)
    assert code == 1
    assert f"{capture.name}: {says}" in error
    assert [path.name for path in tmp_path.iterdir()] == ["in.pcap"]


def test_missing_capture(command: Command, tmp_path: Path) -> None:
    code, _, error = command("replay", tmp_path / "none.pcap", "--k", "30kB", "--engine", "model")
    assert code == 1
    assert "none.pcap: there is no such capture" in error


def test_missing_engine(command: Command, capture: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRUEMARK_LIB", str(tmp_path))
    code, _, error = command("replay", capture, "--k", "30kB")
    assert code == 1
    assert "make engines" in error


def test_damaged_engine(command: Command, capture: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRUEMARK_LIB", str(tmp_path))
    (tmp_path / "libtruemark_rtl_broken.so").write_text("no library")
    code, _, error = command("replay", capture, "--k", "30kB", "--engine", "rtl")
    assert code == 1
    assert "libtruemark_rtl_broken.so does not load" in error


def test_a_simulated_device(command: Command, capture: Path, tmp_path: Path) -> None:
    """Applied, shown, asked for counters and for a snapshot; a profile that is refused changes nothing."""
    good, bad, device = tmp_path / "good.toml", tmp_path / "bad.toml", f"sim:{tmp_path / 'device'}"
    good.write_text(
        'rate = "1G"\npolicy = "true-mark"\nk = "16us"\nlimit_bytes = 5000\n[port.4]\npolicy = "droptail"\n'
    )
    bad.write_text('policy = "true-mark"\nk = "400kB"\nbuffer = "shallow"\n')
    code, printed, _ = command("show", "--device", device)
    assert code == 0
    assert "no profile has been applied" in printed
    code, printed, _ = command("apply", good, "--device", device)
    assert code == 0
    assert "applied to 5 ports of a SIMULATED device; remembered in " in printed
    code, _, error = command("apply", bad, "--device", device)
    assert code == 1
    assert "bad.toml: k = 400000 B: allowed is 0 to 300000 B" in error
    code, printed, _ = command("show", "--device", device)
    assert code == 0
    assert "0-3" in printed
    assert "2000 B" in printed
    code, printed, _ = command("stats", "--device", device, "--after", capture)
    assert code == 0
    assert "most ever held: 4880 B" in printed
    assert "SIMULATED device, in " in printed
    assert "marked" in printed
    code, printed, _ = command("snapshot", "--device", device, "--after", capture, "--at", "12us")
    assert code == 0
    assert "port 0 at 12 µs: 3904 B in 4 packets" in printed
    code, printed, _ = command("stats", "--device", device, "--after", capture, "--port", "4")
    assert code == 0
    assert "marked" not in printed


def test_a_profile_from_a_pipe_and_the_device_s_own(command: Command, tmp_path: Path) -> None:
    """What was applied can be applied again, to another build as well; nothing of it is read twice."""
    folder = tmp_path / "device"
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as file:
        file.write('policy = "true-mark"\nk = "16kB"\nbuffer = "shallow"\n')
    code, _, error = command("apply", f"/dev/fd/{reader}", "--device", f"sim:{folder}")
    os.close(reader)
    assert (code, error) == (0, "")
    assert "16000 B" in command("show", "--device", f"sim:{folder}")[1]
    for words in (["--build", "deep"], []):
        assert command("apply", folder / "profile.toml", "--device", f"sim:{folder}", *words)[::2] == (0, "")
        assert "16000 B" in command("show", "--device", f"sim:{folder}")[1]
    assert sorted(path.name for path in folder.iterdir()) == ["device.json", "profile.toml"]


@pytest.mark.parametrize("words", [["apply", "p.toml"], ["show"], ["clock", "200M"], ["tc", "qdisc", "show"]])
def test_a_simulated_device_is_a_folder(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.toml").write_text('policy = "droptail"\n')
    (tmp_path / "file").write_text("kept")
    code, out, error = command(*words[:1], "--device", "sim:file", *words[1:])
    assert (code, out) == (1, "")
    assert error == "error: file: no folder; a simulated device is remembered in one (sim:FOLDER)\n"
    assert (tmp_path / "file").read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "p.toml"]


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ("[]", "damaged"),
        ("{}", "damaged"),
        ("{", "damaged"),
        ("\x00", "damaged"),
        ({"build": "zz"}, "damaged"),
        ({"engine": "zz"}, "damaged"),
        ({"engine": []}, "damaged"),
        ({"ports": []}, "damaged"),
        ({"ports": {"x": "policy = 'droptail'"}}, "damaged"),
        ({"ports": {"1": 1}}, "damaged"),
        ({"ports": {"1": "[["}}, "Invalid initial character"),
        ({"ports": {"1": "polcy = 'droptail'"}}, "polcy: unknown key"),
        ({"ports": {"9": "policy = 'droptail'"}}, "port 9: this device has ports 0 to 4"),
        ({"profile": "x ="}, "profile: not valid TOML"),
        ({"profile": "polcy = 'droptail'"}, "polcy: unknown key"),
        (
            {"profile": "policy = 'droptail'\nlimit_bytes = '9MB'"},
            "device.json: profile: limit_bytes = 9000000",
        ),
        ({"turns": {"1": "x"}}, "damaged"),
        ({"shapes": {"1": [None, 1]}}, "damaged"),
        ({"shapes": {"1": [None, 1, "x"]}}, "damaged"),
        ({"shapes": {"1": [None, 10**9, 1]}}, "allowed is"),
        ({"applied_step": "x"}, "damaged"),
        ({"time_step": 1 << 32}, "damaged"),
    ],
)
def test_a_memory_that_is_damaged(command: Command, tmp_path: Path, kept: str | dict[str, object], says: str) -> None:
    """It is named by what looks at the device; a profile that is applied makes it good again."""
    device, memory = f"sim:{tmp_path / 'device'}", tmp_path / "device/device.json"
    (tmp_path / "p.toml").write_text('policy = "droptail"\n')
    assert command("apply", tmp_path / "p.toml", "--device", device)[0] == 0
    memory.write_text(kept if isinstance(kept, str) else json.dumps(json.loads(memory.read_text()) | kept))
    code, out, error = command("show", "--device", device)
    assert (code, out) == (1, "")
    assert error.startswith(f"error: {memory}: ")
    assert says in error
    assert error.endswith("; apply a profile again\n")
    assert command("apply", tmp_path / "p.toml", "--device", device)[0] == 0
    assert command("show", "--device", device)[0] == 0
