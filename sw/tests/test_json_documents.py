# SPDX-License-Identifier: BSD-3-Clause
"""What commands print with --json, held against the schemas in the package; and what a shell completes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from sw.tests.frames import Command, tcp_frame, write_capture
from sw.tests.pages import ROOT
from sw.tests.test_board import PROFILE, address, model
from typer.main import get_command

from truemark import documents
from truemark.cli.app import application

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["address", "model"]  # fixtures

SIM = "sim:device"
BY_COMMAND = {
    "apply": [["apply", "p.toml", "--device", SIM]],
    "check": [["check", "in.pcap", "--k", "1kB", "--max-drops", "0"]],
    "clock": [["clock", "200M", "--device", SIM]],
    "lab": [],  # sw/tests/lab: needs the runner
    "pace": [],  # sw/tests/test_board_demo.py: needs the drop-in
    "plan": [["plan", "codel"], ["plan", "red", "--rate", "10G", "--target-delay", "100us", "--profile", "red.toml"]],
    "probe": [["probe", SIM]],
    "registers": [["read", "K0", "0x160", "--device", SIM], ["write", "K0", "7", "--device", SIM], ["dump"]],
    "replay": [["replay", "in.pcap", "--k", "1kB"], ["replay", "in.pcap", "--policy", "droptail", "--out", "o.pcap"]],
    "sai": [["export", "sai", "--device", SIM], ["export", "sai", "--device", SIM, "--port", "2"]],
    "serve": [],  # test_a_server_says_where_it_listens
    "show": [["show", "--device", SIM]],
    "snapshot": [["snapshot", "--after", "in.pcap", "--at", "1us", "--device", SIM]],
    "stats": [["stats", "--after", "in.pcap", "--device", SIM]],
    "status": [["status", "--device", SIM], ["status", "--port", "3"]],
    "sweep": [["sweep", "in.pcap", "--k", "1kB..4kB", "--steps", "2"]],
    "unlock": [["unlock", SIM]],
    "watch": [],  # sw/tests/test_watch.py
    "wrote": [],  # sw/tests/test_demo.py
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a profile, a capture and a simulated device."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.toml").write_text(PROFILE)
    write_capture(tmp_path / "in.pcap", [*[(0, tcp_frame(976))] * 7, (10**6, tcp_frame(54, 0, flags="A"))])
    return tmp_path


def held(text: str) -> Any:
    """Return a document that its schema allows."""
    found = json.loads(text)
    _, name, version = found["schema"].split("/")
    assert int(version) == documents.VERSION
    schema = json.loads((files("truemark") / f"schemas/{name}-{version}.json").read_text())
    fastjsonschema.compile(schema)(found)
    fastjsonschema.compile(closed(schema))(found)
    with pytest.raises(fastjsonschema.JsonSchemaException):
        fastjsonschema.compile(schema)({"schema": found["schema"]})
    return found


def closed(schema: Any) -> Any:
    """Return a schema in which nothing may stand that it does not name: what is printed is all described."""
    if isinstance(schema, dict):
        here = {"additionalProperties": False} if "properties" in schema else {}
        return here | {key: closed(value) for key, value in schema.items()}
    return [closed(each) for each in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("name", BY_COMMAND)
def test_every_document_is_as_its_schema_says(command: Command, here: Path, name: str) -> None:
    assert command("apply", "p.toml", "--device", SIM)[0] == 0
    for words in BY_COMMAND[name]:
        _, out, error = command(*words, "--json")
        assert held(out)["schema"] == f"truemark/{name}/1", error
        assert command(*words, "-j")[1] == out


def test_the_schemas_in_the_package_are_those_of_the_documents(command: Command) -> None:
    """After a change: truemark schema NAME > sw/src/truemark/schemas/NAME-1.json."""
    assert set(BY_COMMAND) == set(documents.DOCUMENTS)
    folder = ROOT / "sw/src/truemark/schemas"
    assert {path.name for path in folder.iterdir()} == {f"{name}-{documents.VERSION}.json" for name in BY_COMMAND}
    for name in documents.DOCUMENTS:
        assert (folder / f"{name}-{documents.VERSION}.json").read_text() == command("schema", name)[1]
    assert "did you mean 'status'" in command("schema", "statu")[2]


def test_every_command_that_tells_something_takes_json() -> None:
    """A text for shells, JSON of its own, or a page of another program's form is what the others print."""
    own = {"schema", "completion", "tc", "export"}
    group = get_command(application())
    for name, each in group.commands.items():  # type: ignore[attr-defined]
        for part in getattr(each, "commands", {name: each}).values():
            options = [option for parameter in part.params for option in parameter.opts]
            assert name in own or ("--json" in options and "-j" in options), part.name


def test_json_on_a_board_says_that_it_is_one(command: Command, here: Path, address: str) -> None:
    assert held(command("apply", "p.toml", "--device", address, "-j")[1])["device"]["simulated"] is False
    for words in (["show"], ["status"], ["stats"], ["snapshot"], ["clock", "340M"], ["read", "ID"], ["dump"]):
        assert held(command(*words, "--device", address, "-j")[1])["device"]["address"] == address
    assert held(command("unlock", address, "-j")[1])["owner"] is None
    assert held(command("check", "--device", address, "--max-drops", "0", "-j")[1])["passed"]


def test_a_server_says_where_it_listens(here: Path) -> None:
    words = [sys.executable, "-c", "from truemark.cli import main; main()", "serve", SIM, "--port", "0", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        text = ""
        while not text.endswith("}\n") or "address" not in text.rpartition("device")[2]:
            text += server.stdout.readline()
        server.terminate()
        assert held(text + server.stdout.read())["address"].startswith("tcp:127.0.0.1:")


def test_a_simulated_device_keeps_its_clock_and_has_a_status(command: Command, here: Path) -> None:
    assert command("clock", "340M", "--device", SIM)[1].startswith("2.94118 ns per cycle\n")
    assert command("apply", "p.toml", "--device", SIM)[0] == 0
    (step,) = held(command("read", "TIME_STEP", "--device", SIM, "-j")[1])["registers"]
    assert step["value"] == round(2**24 * 1000 / 340)
    ports = held(command("status", "--device", SIM, "-j")[1])["ports"]
    assert [(port["policy"], port["arrived"], port["held"]["bytes"]) for port in ports] == [("true-mark", 0, 0)] * 5
    assert "SIMULATED device, in device" in command("status", "--device", SIM)[1]
    assert command("pace", "10G", "--device", SIM)[0] == 4


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["read", "K2"], 1, "register 'K2' is unknown; known: ID, "),
        (["read", "CONTROL.law"], 1, "has no field 'law'; did you mean 'law"),
        (["read", "0x163"], 1, "offsets are multiples of 4 below 0x1000"),
        (["read", "0x7fc"], 4, "SLVERR"),
        (["write", "ID", "1"], 1, "ID can only be read"),
        (["write", "CONTROL.enable", "2"], 1, "CONTROL.enable = 2: allowed is 0 to 1 (0x1)"),
        (["write", "K0", "much"], 1, "value 'much' is no number"),
        (["read", "K0", "--port", "9"], 1, "port 9: this device has ports 0 to 4"),
    ],
)
def test_registers_that_are_not_there(command: Command, here: Path, words: list[str], code: int, says: str) -> None:
    ended, _, error = command(*words, "--device", SIM)
    assert (ended, says in error) == (code, True), error


def test_registers_by_name_offset_and_field(command: Command, here: Path, address: str) -> None:
    """A field is written with the others; a commit that the hardware refuses is the device's refusal."""

    def value(*words: str) -> Any:
        return held(command(*words, "--device", address, "-j")[1])["registers"][0]

    assert command("apply", "p.toml", "--device", address)[0] == 0
    assert value("read", "0x16c", "--port", "2") == {
        "name": "K0",
        "offset": 0x16C,
        "value": 30_000,
        "fields": {"value": 30_000},
    }
    assert command("write", "COMMAND.load", "1", "--port", "2", "--device", address)[0] == 0
    assert value("read", "k0")["value"] == 30_000
    before = value("read", "CONTROL")
    after = value("write", "CONTROL.noecn", "1")
    assert after["fields"] == before["fields"] | {"noecn": 1}
    assert command("write", "K0", "0xffffff", "--device", address)[0] == 0
    ended, _, error = command("write", "COMMAND.commit", "1", "--device", address)
    assert ended == 4
    assert "the hardware refused the commit, K0" in error
    everything = held(command("dump", "--port", "1", "--device", address, "-j")[1])["registers"]
    assert {each["name"]: each["value"] for each in everything}["K0"] == 30_000


def test_shells_complete_commands_options_and_values(command: Command) -> None:
    assert "_TRUEMARK_COMPLETE=complete_bash" in command("completion", "bash")[1]
    assert "there" not in command("completion", "zsh")[2]
    assert "shell 'tcsh' is unknown" in command("completion", "tcsh")[2]
    program = "from truemark.cli import main; main()"
    for typed, number, offered in (
        ("truemark sta", 1, {"stats", "status"}),
        ("truemark replay --poli", 2, {"--policy"}),
        ("truemark replay x --policy dual-s", 4, {"dual-step", "dual-slope"}),
        ("truemark read CONT", 2, {"CONTROL"}),
    ):
        asked = os.environ | {"_TRUEMARK_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(number)}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=asked)
        assert set(done.stdout.split()) == offered
