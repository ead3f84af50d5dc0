# SPDX-License-Identifier: BSD-3-Clause
"""Tool and server of different versions: what they say to each other over TCP, with the other's words as they were."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest
from sw.tests.frames import Command
from sw.tests.test_board import profile
from sw.tests.test_serve import ask, client
from sw.tests.test_transport import model, served

from truemark.device import registers
from truemark.device.board import Board
from truemark.device.device import TRMK, Device
from truemark.device.look import recorded
from truemark.link.server import Server
from truemark.link.transport import Simulated

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["model", "profile"]  # fixtures

REFUSED = "! not a request: R offset, W offset value, or L age"  # of every server before there was V
# The order of the reads in the answer to L, as tools without V replay it: a look that reads otherwise needs a
# request of its own. A fresh golden model.
LOOK = "d39d1106fa2a32a399c59648b6d18cee4cf5cf37938254e5c45d2ba023e4b674"


class Older(Server):
    """A server that knows some requests only, as servers before it did."""

    known: ClassVar[str]

    def answer(self, words: list[str]) -> str:
        """Refuse what was not there yet in the words of that time."""
        return super().answer(words) if words and words[0] in self.known else REFUSED


@contextmanager
def older(model: Simulated, known: str) -> Iterator[str]:
    """Serve a simulated device as a server did that knew these requests."""
    kind = type("Known", (Older,), {"known": known})
    with kind(model, port=0, simulated=True) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"tcp:127.0.0.1:{server.port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("known", ["RW", "RWL"])
def test_an_older_server_is_served_and_it_is_said_what_is_not_known(
    command: Command, model: Simulated, profile: Path, known: str
) -> None:
    with older(model, known) as address:
        said = f"not known whether SIMULATED: the server at {address} is older than this tool"
        code, out, error = command("apply", profile, "--device", address)
        assert (code, error) == (0, "")
        for words in (["show"], ["status"], ["stats"], ["read", "ID"], ["dump"], ["probe"], ["export", "sai"]):
            place = [address] if words == ["probe"] else ["--device", address]
            code, out, error = command(*words, *place)
            assert (code, error) == (0, ""), words
            assert out.rstrip().endswith(said), words
        assert json.loads(command("status", "--device", address, "-j")[1])["device"]["simulated"] is None
        assert 'simulated="unknown"' in command("export", "prometheus", "--device", address)[1]
        code, out, error = command("watch", "--device", address, "--count", 1, "--interval", "0.1")
        assert (code, error) == (0, "")
        watched = json.loads(out)
        assert watched["device"]["simulated"] is None
        assert [each["policy"] for each in watched["ports"]] == ["true-mark"] * 5
        assert Board(address).look().settings[0].policy == "true-mark", "by registers, if it knows no L"


def test_a_server_that_knew_no_handshake_says_whether_it_simulates(command: Command, model: Simulated) -> None:
    with older(model, "RWLS") as address:
        assert command("show", "--device", address)[1].rstrip().endswith(f"SIMULATED device, at {address}")
        assert Board(address).look().simulated is True


def test_a_look_that_reads_otherwise_is_taken_by_registers(model: Simulated, monkeypatch: pytest.MonkeyPatch) -> None:
    of_today = Server.look

    def otherwise(self: Server, age: float) -> str:
        first, _, rest = of_today(self, age).removeprefix("= ").partition(" ")
        return f"= {rest} {first}"

    with served(model) as address:
        expected = Board(address).look()
        monkeypatch.setattr(Server, "look", otherwise)
        found = Board(address).look()
    assert found.settings == expected.settings
    assert [each.counters for each in found.ports] == [each.counters for each in expected.ports]


def test_what_an_older_tool_says_is_answered_as_it_was(model: Simulated) -> None:
    """The first words of `truemark status` and `watch` before there was V, and the answers that they took."""
    dialogue = {
        f"R {registers.ID.address:x}": f"= {TRMK:x}",
        f"R {registers.VERSION.address:x}": f"= {model.read(registers.VERSION.address):x}",
        "S": "= 1",
        f"W {registers.LOCK.address:x} {registers.LOCK.pack(owner=5):x}": "=",
        f"R {registers.LOCK.address:x}": f"= {registers.LOCK.pack(owner=5):x}",
        f"W {registers.LOCK.address:x} {registers.LOCK.pack(release=1, owner=5):x}": "=",
    }
    with older(model, "RWLSV") as address, client(address) as lines:
        for line, answer in dialogue.items():
            assert ask(lines, line) == answer, line
        words = ask(lines, "L 0").removeprefix("= ").split()
    assert len(words) == 1274
    assert words[0] == f"{registers.ID.address:x}:{TRMK:x}"


def test_a_look_reads_in_the_order_that_tools_expect(model: Simulated) -> None:
    order = " ".join(word.partition(":")[0] for word in recorded(Device(model.read, model.write)).split())
    assert hashlib.sha256(order.encode()).hexdigest() == LOOK


def test_the_handshake_names_the_version_and_what_a_client_does_not_know_is_passed_over(
    command: Command, model: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    with older(model, "RWLSV") as address, client(address) as lines:
        assert ask(lines, "V") == "= 2 simulated:1"
        assert ask(lines, "X 1").startswith("! not a request"), "what every server says of what it does not know"
    with served(model) as address:
        for answer, known in (("= 9 colour:red simulated:1 more", True), ("= 9 simulated:0", False), ("= 9", None)):
            with monkeypatch.context() as later:
                later.setattr(Server, "answer", newer(answer))
                assert Board(address).look().simulated is known
                assert command("status", "--device", address)[0] == 0


def newer(answer: str) -> Callable[[Server, list[str]], str]:
    """Return the answers of a server of a later version, which says more of itself."""
    of_today = Server.answer
    return lambda self, words: answer if words == ["V"] else of_today(self, words)
