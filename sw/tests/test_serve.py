# SPDX-License-Identifier: BSD-3-Clause
"""A served device and its lock: clients side by side, one that is gone, one that says nothing, and who has the lock."""

from __future__ import annotations

import random
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import TextIO

import pytest
from sw.tests.frames import Command
from sw.tests.test_board import PROFILE, address, model
from sw.tests.test_transport import served

from truemark.cli import board as commands
from truemark.device import board, programs, registers
from truemark.device.board import Board, Follower
from truemark.device.device import TRMK, Device, Snapshot
from truemark.device.look import OtherLookError, recorded, replayed
from truemark.device.registers import LOCK
from truemark.device.simulated import SimulatedDevice
from truemark.errors import NoDeviceError, RefusedError, TruemarkError
from truemark.link import server
from truemark.link.transport import Simulated
from truemark.watch.sample import pause
from truemark_dev.serving import malformed

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["address", "model"]  # fixtures


@contextmanager
def client(where: str) -> Iterator[TextIO]:
    """Yield a connection that lines go over."""
    _, host, port = where.split(":")
    with socket.create_connection((host, int(port))) as connected, connected.makefile("rw", newline="\n") as lines:
        yield lines


def ask(lines: TextIO, line: str) -> str:
    """Return the answer to a line."""
    lines.write(line + "\n")
    lines.flush()
    return lines.readline().rstrip("\n")


def comes_free(model: Simulated) -> bool:
    """Whether nobody has the lock, within some seconds: a server sees the end of a client when it gets to it."""
    wait = time.monotonic() + 5
    while LOCK.unpack(model.read(LOCK.address))["owner"] and time.monotonic() < wait:
        time.sleep(0.01)
    return LOCK.unpack(model.read(LOCK.address))["owner"] == 0


ID = f"R {registers.ID.address:x}"


def test_a_client_that_is_silent_keeps_nobody_waiting(command: Command, address: str) -> None:
    with client(address) as silent, client(address) as other:
        assert ask(silent, ID) == ask(other, ID) == f"= {TRMK:x}"
        assert command("status", "--device", address)[0] == 0


def test_the_lock_of_a_client_that_is_gone_is_given_back(command: Command, model: Simulated, address: str) -> None:
    with client(address) as dying:
        assert ask(dying, f"W {LOCK.address:x} {LOCK.pack(owner=77):x}") == "="
        assert LOCK.unpack(model.read(LOCK.address))["owner"] == 77
    assert command("show", "--device", address)[0] == 0  # it waits for the server to see the end of the other
    assert LOCK.unpack(model.read(LOCK.address))["owner"] == 0


def test_the_lock_of_a_client_that_never_reads_is_given_back(model: Simulated, address: str) -> None:
    """It is gone before it is answered, and says so by a reset: the answer cannot be written."""
    _, host, port = address.split(":")
    with socket.create_connection((host, int(port))) as dying:
        dying.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        dying.sendall(f"W {LOCK.address:x} {LOCK.pack(owner=77):x}\nW {LOCK.address:x} 0\n".encode())
    with client(address) as other:
        assert ask(other, ID) == f"= {TRMK:x}"
    assert comes_free(model)


@pytest.mark.parametrize("more", [0, LOCK.pack(owner=78), LOCK.pack(owner=78, release=1)])
def test_the_lock_is_given_back_whatever_else_was_tried(model: Simulated, address: str, more: int) -> None:
    """None of these releases the lock, which the first owner keeps."""
    with client(address) as dying:
        ask(dying, f"W {LOCK.address:x} {LOCK.pack(owner=77):x}")
        ask(dying, f"W {LOCK.address:x} {more:x}")
        assert LOCK.unpack(model.read(LOCK.address))["owner"] == 77
    assert comes_free(model)


def test_a_lock_of_somebody_else_is_left_alone(model: Simulated, address: str) -> None:
    model.write(LOCK.address, LOCK.pack(owner=5))
    with client(address) as other:
        ask(other, f"W {LOCK.address:x} {LOCK.pack(owner=77):x}")
    with client(address) as another:
        assert ask(another, ID) == f"= {TRMK:x}"
    assert LOCK.unpack(model.read(LOCK.address))["owner"] == 5


def test_a_client_that_asks_nothing_is_let_go(model: Simulated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server._Handler, "timeout", 0.05)
    with served(model) as where, client(where) as idle:
        assert idle.readline() == "! nothing was asked for 600 s: the server hangs up\n"
        assert idle.readline() == ""


def test_more_clients_than_can_be_are_told(command: Command, model: Simulated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "CLIENTS", 1)
    with served(model) as where, client(where) as first:
        assert ask(first, ID) == f"= {TRMK:x}"
        code, _, error = command("probe", where)
        assert code == 5
        assert "1 clients are connected already, more are not served; try again later" in error


def test_a_line_without_end_is_not_kept(model: Simulated) -> None:
    with served(model) as where, client(where) as lines:
        lines.write("R" * 10_000)
        lines.flush()
        assert lines.readline() == "! not a request: the line does not end\n"


def test_malformed_lines_are_refused_and_change_nothing(model: Simulated, address: str) -> None:
    """Random lines that are no request, each answered by a refusal; what the ports are set to stays, and the lock."""
    draw, before = random.Random(19), Board(address).look()
    with client(address) as lines:
        for _ in range(2000):
            line = malformed(draw)
            assert ask(lines, line).startswith("! "), line
        assert ask(lines, ID) == f"= {TRMK:x}"
    after = Board(address).look()
    assert after.settings == before.settings
    assert [each.counters for each in after.ports] == [each.counters for each in before.ports]
    assert LOCK.unpack(model.read(LOCK.address))["owner"] == 0


def test_one_look_serves_all_who_ask(model: Simulated, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[Device] = []
    freeze = Device.freeze

    def counted(self: Device, ports: Iterable[int]) -> list[Snapshot]:
        frozen.append(self)
        return freeze(self, ports)

    monkeypatch.setattr(Device, "freeze", counted)
    looks = [Board(address).look(600) for _ in range(3)]
    assert len(frozen) == 4, "the device was frozen once, and each client read that"
    assert looks[0] == looks[1] == looks[2]
    model.engine.advance(1_000_000)
    assert Board(address).look(600) == looks[0]
    assert Board(address).look().ports[0].time_ns >= 1_000_000, "who takes no old one gets a new one"


def test_a_look_that_meets_an_impossible_word_says_so_until_it_is_gone(
    model: Simulated, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Device, "freeze", lambda *_: (_ for _ in ()).throw(ValueError("no POOL_THRESHOLD")))
        for _ in range(2):
            with pytest.raises(TruemarkError, match="no POOL_THRESHOLD"):
                Board(address).look(600)
    assert Board(address).look().ports


def test_a_device_that_is_served_is_closed_at_the_end(tmp_path: Path) -> None:
    """An engine that compares keeps files until then."""
    with commands.served(SimulatedDevice(f"sim:{tmp_path}/d"), None, None, False, "1", "10G", None) as (device, _):
        assert device.read(registers.ID.address) == TRMK
    with pytest.raises(TruemarkError, match="closed"):
        device.read(registers.ID.address)


def test_who_looks_again_keeps_the_connection_and_finds_a_server_that_let_it_go(
    model: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected: list[object] = []
    process = server.Server.process_request_thread

    def counted(self: server.Server, request: object, client_address: object) -> None:
        connected.append(client_address)
        process(self, request, client_address)

    monkeypatch.setattr(server.Server, "process_request_thread", counted)
    with served(model) as where, closing(Follower(Board(where))) as follower:
        looks = [follower.look() for _ in range(3)]
        assert len(connected) == 1, "one connection, and the identity is read once"
        monkeypatch.setattr(server._Handler, "timeout", 0.05)
        follower.close()
        follower.look()
        time.sleep(0.5)
        assert follower.look().settings == looks[0].settings, "the server had hung up"
        assert len(connected) == 3
    with pytest.raises(NoDeviceError):
        follower.look()


def test_watchers_look_at_the_same_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the clock, each half an interval or more after the look before it: that is how old a look may be."""
    for now, left in ((100.0, 1.0), (100.3, 0.7), (100.5, 0.5), (100.75, 1.25), (100.999, 1.001)):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        assert pause(1.0) == pytest.approx(left)


def test_a_look_respects_the_lock_of_others(model: Simulated, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "PATIENCE_S", 0)
    model.write(LOCK.address, LOCK.pack(owner=0x7FFF))
    with pytest.raises(RefusedError, match=f"^{address}: program 32767 has the lock .*truemark unlock {address}$"):
        Board(address).look()
    assert LOCK.unpack(model.read(LOCK.address))["owner"] == 0x7FFF


def test_a_look_of_another_version_is_not_misread(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(address) as lines:
        words = ask(lines, "L 0").removeprefix("= ")
    assert replayed(words).identity.ports == 5
    for wrong in (words.partition(" ")[2], words.rpartition(" ")[0]):
        with pytest.raises(OtherLookError, match="the server has read other registers"):
            replayed(wrong)


def test_a_wait_that_rises_while_it_is_read_is_the_old_one_or_the_new(model: Simulated) -> None:
    low, high = registers.WATERMARK_SOJOURN_LOW.address, registers.WATERMARK_SOJOURN_HIGH.address
    waits = (0xFFFFFFF0, 1 << 32 | 7)
    for rises in range(1, 6):
        reads = count(1)

        def read(at: int, reads: Iterator[int] = reads, rises: int = rises) -> int:
            if at not in (low, high):
                return model.read(at)
            wait = waits[next(reads) > rises]
            return wait >> 32 if at == high else wait & 0xFFFFFFFF

        look = replayed(recorded(Device(read, model.write)))
        seen = [port.watermark_sojourn_ns for port in look.ports]
        assert set(seen) <= set(waits), f"risen after {rises} reads"
        assert seen == sorted(seen)


def test_a_code_that_is_not_counted_is_refused(model: Simulated) -> None:
    for bits, last in ((0, 15), (registers.CAPABILITIES["mark_on_departure"].mask, 16)):

        def read(at: int, bits: int = bits) -> int:
            return bits if at == registers.CAPABILITIES.address else model.read(at)

        device = Device(read, model.write)
        device.query(last, 0, 0)
        with pytest.raises(TruemarkError, match=f"^code {last + 1}: this device counts codes 0 to {last}$"):
            device.query(last + 1, 0, 0)


def test_commands_side_by_side_wait_for_one_another(
    command: Command, model: Simulated, address: str, tmp_path: Path
) -> None:
    """Four threads read and write through a lock of their own number each; none sees the shadow of another."""
    (tmp_path / "p.toml").write_text(PROFILE)
    assert command("apply", tmp_path / "p.toml", "--device", address)[0] == 0
    wrong: list[object] = []

    class Numbered(Board):
        @property
        def owner(self) -> int:
            return threading.get_ident() % 0x7FFF + 1

    def look() -> None:
        for _ in range(3):
            settings, _ = Numbered(address).snapshots()
            wrong.extend(each for each in settings if each.policy != "true-mark")

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_who_has_the_lock_is_said(
    command: Command, model: Simulated, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A truemark that runs here is named with its user and age."""
    monkeypatch.setattr(board, "PATIENCE_S", 0)
    program = tmp_path / "truemark"
    program.write_text("import sys; sys.stdout.write('x'); sys.stdout.flush(); sys.stdin.read()")
    words = [sys.executable, str(program), "apply", "some profile.toml"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.read(1) == "x"
        owner = programs.number(running.pid)
        model.write(LOCK.address, LOCK.pack(owner=owner))
        code, _, error = command("show", "--device", address)
        running.kill()
    assert code == 4
    assert f"program {owner} has the lock: `truemark apply 'some profile.toml'` of " in error
    assert ", for " in error
    assert programs.running(owner) == ""


def test_containers_have_locks_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each, the first program has pid 1."""
    owners = []
    for name in ("one", "other"):
        namespace = tmp_path / name / "self/ns/pid"
        namespace.parent.mkdir(parents=True)
        namespace.touch()
        monkeypatch.setattr(programs, "PROC", tmp_path / name)
        programs._namespace.cache_clear()
        owners.append(programs.number(1))
    programs._namespace.cache_clear()
    assert owners[0] != owners[1]
    assert all(0 < owner <= programs.OWNER_LIMIT for owner in owners)


def test_a_look_at_a_board_needs_no_lock_of_the_dead(
    command: Command, model: Simulated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On this machine's own bus: the holder does not run, so that nothing is disturbed; a write is refused."""
    (tmp_path / "p.toml").write_text(PROFILE)
    monkeypatch.setattr(board, "PATIENCE_S", 0)
    monkeypatch.setattr(model, "close", lambda: None)
    monkeypatch.setattr(board, "open_transport", lambda _: model)
    monkeypatch.setattr(programs, "PROC", tmp_path)
    model.write(LOCK.address, LOCK.pack(owner=0x7FFE))
    for words in (["show"], ["status"]):
        code, out, error = command(*words, "--device", "pci:0000:01:00.0/bar2")
        assert (code, error) == (0, "")
        assert "program 32766 has the lock and runs no longer on this machine: what it left half done" in out
    code, _, error = command("apply", tmp_path / "p.toml", "--device", "pci:0000:01:00.0/bar2")
    assert code == 4
    assert "runs no longer on this machine; to take it away: truemark unlock pci:0000:01:00.0/bar2" in error
    assert LOCK.unpack(model.read(LOCK.address))["owner"] == 0x7FFE


def test_an_apply_that_is_interrupted_says_what_is_in_force(
    command: Command, model: Simulated, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.toml").write_text(PROFILE)
    commits = iter(range(9))
    taken = Device.take_effect

    def interrupted(self: Device, port: int) -> None:
        if next(commits) == 2:
            raise KeyboardInterrupt
        taken(self, port)

    monkeypatch.setattr(Device, "take_effect", interrupted)
    code, _, error = command("apply", tmp_path / "p.toml", "--device", address)
    assert code == 130
    assert error.startswith("error: interrupted; ports 0 to 1 have the new configuration, whether port 2 has taken it")
    assert LOCK.unpack(model.read(LOCK.address))["owner"] == 0
