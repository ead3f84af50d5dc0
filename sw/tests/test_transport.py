# SPDX-License-Identifier: BSD-3-Clause
"""Transports against real things: an engine, a file that is mapped, a TCP server, a socket of this kernel."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from truemark.device import registers
from truemark.device.device import TRMK, Device
from truemark.device.engine import find_libraries
from truemark.errors import NoDeviceError, TruemarkError
from truemark.laws.policies import PortSettings
from truemark.laws.step import Step
from truemark.link import transport
from truemark.link.remote import LONGEST, WINDOW, Registers
from truemark.link.server import Server
from truemark.link.transport import Simulated, Transport, open_transport, parse

pytestmark = pytest.mark.builds("engine:model")


@pytest.fixture
def model() -> Iterator[Simulated]:
    """Yield the golden model's registers."""
    try:
        find_libraries("model")
    except TruemarkError as error:
        pytest.skip(str(error))
    opened = open_transport("sim:model")
    assert isinstance(opened, Simulated)
    yield opened
    opened.close()


@contextmanager
def served(behind: Registers) -> Iterator[str]:
    """Serve a transport on a free port of the loopback address; give its address."""
    with Server(behind, port=0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"tcp:127.0.0.1:{server.port}"
        finally:
            server.shutdown()
            thread.join()


SETTINGS = PortSettings(
    policy="true-mark",
    limit_bytes=100_000,
    limit_packets=None,
    slot_of=(1, 0, 0, 0),
    arrival=(Step(30_000), None),
)


def test_sim(model: Simulated) -> None:
    device = Device(model.read, model.write)
    device.commit(0, SETTINGS)
    assert device.settings(0).arrival[0] == Step(30_000)


def test_tcp_in_front_of_sim(model: Simulated) -> None:
    with served(model) as address:
        remote = open_transport(address)
        device = Device(remote.read, remote.write)
        device.commit(0, SETTINGS)
        assert device.settings(0).limit_bytes == 100_000
        assert Device(model.read, model.write).settings(0).limit_bytes == 100_000
        with pytest.raises(TruemarkError, match="the hardware refused the commit"):
            device.commit(0, replace(SETTINGS, arrival=(Step(200_000), None)))
        with pytest.raises(TruemarkError, match=r"tcp:127.0.0.1:\d+: "):
            remote.read(0x7FC)  # the engine answers SLVERR, the server says so and goes on
        assert remote.read(registers.ID.address) == TRMK
        remote.close()


def test_a_stopped_server_leaves_its_transport_alone(model: Simulated) -> None:
    began, go_on = threading.Event(), threading.Event()
    reads: list[int] = []

    class Slow:
        def read(self, offset: int) -> int:
            began.set()
            assert go_on.wait(10)
            reads.append(offset)
            return model.read(offset)

        write = model.write

    server = Server(Slow(), port=0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    with socket.create_connection(("127.0.0.1", server.port)) as client, client.makefile("rw", newline="\n") as lines:
        lines.write(f"R {registers.ID.address:x}\n")
        lines.flush()
        assert began.wait(10)
        server.shutdown()
        thread.join()
        closing = threading.Thread(target=server.server_close)
        closing.start()
        closing.join(0.2)
        assert closing.is_alive(), "closed in the middle of a client's access"
        go_on.set()
        closing.join(10)
        assert lines.readline() == f"= {TRMK:x}\n"
        lines.write(f"R {registers.ID.address:x}\n")
        lines.flush()
        assert lines.readline() == "! the server has stopped\n"
    assert len(reads) == 1


def test_server_takes_no_nonsense(model: Simulated) -> None:
    server_words = {
        "": "not a request",
        "R": "not a request",
        "X 100": "not a request",
        "W 100": "not a request",
        "R 101": "a multiple of 4",
        "R 1000": "a multiple of 4",
        "W 164 1ffffffff": "32-bit value",
        "R zz": "not a number",
    }
    with served(model) as address:
        host, port = address.split(":")[1:]
        with socket.create_connection((host, int(port))) as client, client.makefile("rw", newline="\n") as lines:
            for line, text in server_words.items():
                lines.write(line + "\n")
                lines.flush()
                answer = lines.readline()
                assert answer.startswith("! ")
                assert text in answer
            lines.write(f"R {registers.ID.address:x}\n")
            lines.flush()
            assert lines.readline() == f"= {TRMK:x}\n"


class Dying:
    """A transport that works for some accesses and then no more."""

    def __init__(self, behind: Transport, accesses: int) -> None:
        self._behind, self._left = behind, accesses

    def _count(self) -> None:
        if self._left == 0:
            raise TruemarkError("the link is gone")
        self._left -= 1

    def read(self, offset: int) -> int:
        """Read while it lives."""
        self._count()
        return self._behind.read(offset)

    def write(self, offset: int, value: int) -> None:
        """Write while it lives."""
        self._count()
        self._behind.write(offset, value)

    def close(self) -> None:
        """Leave the device open: it is another's."""


def test_a_link_that_dies_leaves_the_old_configuration(model: Simulated) -> None:
    device = Device(model.read, model.write)
    device.commit(0, SETTINGS)
    changed = replace(SETTINGS, arrival=(Step(10_000), None))
    said = ""
    for accesses in range(1, 60):
        with served(Dying(model, accesses)) as address:
            remote = parse(address)()
            try:
                Device(remote.read, remote.write).commit(0, changed)
            except TruemarkError as error:
                said = str(error)
            else:
                assert device.settings(0) == changed
                break
            finally:
                remote.close()
        now = device.settings(0)
        assert "the link is gone" in said
        if now == changed:
            break  # died behind the commit
        assert now == SETTINGS, f"half a configuration after {accesses} accesses"
    assert accesses > 6, "the link never died before the commit"


def test_a_server_that_goes_away(model: Simulated) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        remote = parse(f"tcp:127.0.0.1:{port}")()
        client, _ = listener.accept()
        client.close()
        with pytest.raises(TruemarkError, match=r"closed the connection|reset"):
            remote.read(0x100)
        remote.close()
    with pytest.raises(TruemarkError, match="nobody listens there"):
        open_transport(f"tcp:127.0.0.1:{port}")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 400 Bad Request\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\x16\x03\x01\xff\n",
        b"\n",
        b"=\n",
        b"= spam\n",
        b"= " + b"0" * LONGEST,
    ],
    ids=["http", "ssh", "binary", "empty", "nothing", "no word", "endless"],
)
def test_another_server_is_named(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor() as pool:
        address = f"tcp:127.0.0.1:{listener.getsockname()[1]}"

        def speak() -> None:
            client, _ = listener.accept()
            with client, suppress(ConnectionError):
                client.recv(100)
                client.sendall(answer)
                client.recv(100)

        speaking = pool.submit(speak)
        with pytest.raises(NoDeviceError, match=f"^{address}: what answers there is no `truemark serve`$"):
            open_transport(address)
        speaking.result(10)


def window(path: Path, base: int, identification: int = TRMK) -> None:
    """Write a file that reads like a device at `base`."""
    content = bytearray(b"\xee" * (base + WINDOW + 0x1000))
    content[base : base + WINDOW] = bytes(WINDOW)
    struct.pack_into("<I", content, base + registers.ID.address, identification)
    struct.pack_into("<I", content, base + registers.BUILD.address, registers.BUILD.pack(ports=5, data_bytes=32))
    path.write_bytes(content)


def test_mem_on_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory"
    window(path, 0x3000)
    asked: list[int] = []
    system = os.open

    def spy(name: Path, flags: int) -> int:
        asked.append(flags)
        return system(name, flags)

    monkeypatch.setattr(os, "open", spy)
    opened = open_transport(f"mem:{path}+0x3000")
    assert asked == [os.O_RDWR | os.O_SYNC]  # without O_SYNC a kernel may map device memory cached
    opened.write(registers.K0.address, 0x1234_5678)
    assert opened.read(registers.K0.address) == 0x1234_5678
    opened.close()
    content = path.read_bytes()
    assert content[0x3000 + registers.K0.address :][:4] == b"\x78\x56\x34\x12"
    assert content[:0x3000] == b"\xee" * 0x3000
    assert content[0x4000:] == b"\xee" * 0x1000


def test_pci_resource(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "SYSFS", tmp_path)
    (tmp_path / "0000:01:00.0").mkdir()
    window(tmp_path / "0000:01:00.0/resource2", 0x220000)
    opened = open_transport("pci:0000:01:00.0/bar2+0x220000")
    assert Device(opened.read, opened.write).identity().ports == 5
    opened.close()
    with pytest.raises(TruemarkError, match="not there: check the address with lspci"):
        open_transport("pci:0000:02:00.0/bar2+0x220000")
    with pytest.raises(TruemarkError, match="ends before"):
        open_transport("pci:0000:01:00.0/bar2+0x400000")


def test_nothing_is_written_to_another_device(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    window(path, 0, identification=0xDEADBEEF)
    before = path.read_bytes()
    with pytest.raises(TruemarkError, match=f"mem:{path}: no Truemark here.*another module's window"):
        open_transport(f"mem:{path}")
    assert path.read_bytes() == before


def test_a_register_map_of_another_major_number(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    window(path, 0)
    words = bytearray(path.read_bytes())
    words[0x104:0x108] = (0x0001_0203).to_bytes(4, "little")
    path.write_bytes(words)
    with pytest.raises(TruemarkError, match=r"register map 1\.2\.3 here; this tool knows 0\.x"):
        open_transport(f"mem:{path}")
    assert path.read_bytes() == words


def test_interfaces_that_are_no_netfpga() -> None:
    with pytest.raises(TruemarkError, match=r"nf:nf99: .*no"):
        open_transport("nf:nf99")
    with pytest.raises(TruemarkError, match="nf:lo: "):
        open_transport("nf:lo")


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("nf0", "begin with sim:"),
        ("usb:1", "no transport 'usb'"),
        ("mem:0x1000+zz", "no number"),
        ("mem:/dev/zero+0x10", "must begin at a multiple"),
        ("mem:/dev/zero+-0x1000", "must begin at a multiple of 0x1000 from 0 on"),
        ("mem:/dev/zero+0x1000000000000000000000", "from 0 on, in 63 bits"),
        ("mem:0x8000000000000000", "from 0 on, in 63 bits"),
        ("mem:0123", "mem:0123: '0123' is no number; write 0x1000 or 4096"),
        ("pci:01:00.0/bar2", "lspci -D"),
        ("pci:0000:01:00.0/bar9", "lspci -D"),
        ("nf:", "name an interface"),
        ("tcp:somewhere", "tcp:host:port"),
        ("tcp:somewhere:65536", "tcp:host:port"),
        (f"tcp:somewhere:{'9' * 5000}", "tcp:host:port"),
        ("tcp:..:7437", "^tcp:..:7437: no host has such a name$"),
        ("mem:/nowhere/at/all", "^/nowhere/at/all: not there: name a physical address"),
        ("mem:", "name a physical address"),
        ("nf:a-name-longer-than-ifreq", "at most 15 characters"),
        ("nf:nf0+0x44030004", "begins at a multiple of 0x1000"),
    ],
)
def test_addresses_that_are_wrong(address: str, text: str) -> None:
    with pytest.raises(TruemarkError, match=text):
        open_transport(address)
