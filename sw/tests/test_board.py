# SPDX-License-Identifier: BSD-3-Clause
"""The commands on a device behind a transport: the golden model behind a TCP server, and behind a kernel's driver.

The driver alone is played here: there is no NetFPGA whose driver could answer.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sw.tests.frames import Command, tcp_frame
from sw.tests.test_transport import Dying, model, served

from truemark.device import board, registers
from truemark.device.board import Attached, Board
from truemark.device.device import NOBODY, Device
from truemark.device.engine import open_engine
from truemark.errors import ExitCode, LinkError, RefusedError, TruemarkError
from truemark.laws.step import Step
from truemark.link import transport
from truemark.link.transport import NetFpga, Simulated

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["model"]  # a fixture

PROFILE = 'rate = "10G"\npolicy = "true-mark"\nk = "30kB"\nbuffer = "shallow"\n'


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """Return a profile of every port."""
    path = tmp_path / "profile.toml"
    path.write_text(PROFILE)
    return path


@pytest.fixture
def address(model: Simulated) -> Iterator[str]:
    """Yield the model behind a TCP server."""
    with served(model) as where:
        yield where


@pytest.fixture
def marking(model: Simulated, command: Command, profile: Path) -> Iterator[str]:
    """Yield the model behind a TCP server, with K = 30 kB and nothing held."""
    with served(model) as where:
        assert command("apply", profile, "--device", where)[0] == 0
        yield where


def test_apply_show_status_stats(command: Command, model: Simulated, address: str, profile: Path) -> None:
    ports = Device(model.read, model.write).identity().ports
    code, out, error = command("apply", profile, "--device", address)
    assert (code, error) == (0, "")
    assert f"applied to {ports} ports of {address}\n" in out
    assert Device(model.read, model.write).settings(0).arrival[0] == Step(30_000)
    code, out, _ = command("show", "--device", address)
    assert code == 0
    assert f"at              {address}" in out
    assert "true-mark" in out
    for number in range(40):
        model.engine.offer(number * 100, tcp_frame(1500))
    code, out, _ = command("status", "--device", address, "--port", 0)
    assert code == 0
    # 21 frames bring the queue above K; those that find it so are marked.
    row = out.split("departed")[-1].split("0  true-mark")[-1].split()
    assert row[:8] == ["60000", "B", "60000", "B", "40", "19", "0", "0"], out
    code, out, _ = command("stats", "--device", address)
    assert code == 0
    assert "DATA" in out
    code, out, _ = command("snapshot", "--device", address)
    assert code == 0
    assert "60000" in out
    assert registers.LOCK.unpack(model.read(registers.LOCK.address))["owner"] == 0


def test_clock_and_pace(command: Command, model: Simulated, address: str) -> None:
    assert command("clock", "340M", "--device", address)[1] == "2.94118 ns per cycle\n"
    assert model.read(registers.TIME_STEP.address) == round(2**24 * 1000 / 340)
    for clock in ("1M", "40000T"):
        assert "2^-24 to 256 ns, clocks of 3.91 MHz and more" in command("clock", clock, "--device", address)[2]
    # The core alone has no pacers; the drop-in's are set by test_board_demo.py and cocotb_tests/netfpga/test_pacing.py.
    assert "no pacers: this is not NetFPGA's drop-in" in command("pace", "10G", "--device", address)[2]


@pytest.mark.parametrize("rate", [1, 10**12])
def test_rates_that_no_pacer_has(model: Simulated, monkeypatch: pytest.MonkeyPatch, rate: int) -> None:
    """The model with the identification of the drop-in, whose pacers themselves test_board_demo.py sets."""
    read = model.read
    monkeypatch.setattr(model, "read", lambda at: board.NETFPGA_QUEUES if at == board.NETFPGA_ID else read(at))
    said = r"bit/s at 5 ns per cycle: a pacer does 2\^-16 to 256 bytes per cycle, 24.41 kbit/s to 409.6 Gbit/s"
    with pytest.raises(TruemarkError, match=f"^{rate} {said}"):
        Attached("nf:nf0", registers=model).set_pace(rate, None)


def test_the_lock(
    command: Command, model: Simulated, address: str, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.write(registers.LOCK.address, registers.LOCK.pack(owner=0x7FFF))
    before = Device(model.read, model.write).settings(0)
    monkeypatch.setattr(board, "PATIENCE_S", 0)
    code, _, error = command("apply", profile, "--device", address)
    assert code == ExitCode.REFUSED
    assert "program 32767 has the lock and runs no longer on this machine, perhaps on another" in error
    assert f"to take it away: truemark unlock {address}" in error
    assert Device(model.read, model.write).settings(0) == before
    assert command("unlock", address)[1] == "taken from 32767\n"
    assert command("unlock", address)[1] == "nobody had the lock\n"
    assert command("apply", profile, "--device", address)[0] == 0


def test_a_profile_that_does_not_fit_changes_nothing(
    command: Command, model: Simulated, address: str, profile: Path
) -> None:
    before = Device(model.read, model.write).settings(0)
    profile.write_text(PROFILE.replace("30kB", "900kB"))
    code, _, error = command("apply", profile, "--device", address)
    assert code == 1
    assert "k = 900000 B" in error
    assert Device(model.read, model.write).settings(0) == before


def test_a_link_that_dies_in_mid_apply_says_what_is_in_force(
    command: Command, model: Simulated, profile: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.toml"
    other.write_text(PROFILE.replace("30kB", "10kB"))
    ports = Device(model.read, model.write).identity().ports
    with served(model) as address:
        assert command("apply", profile, "--device", address)[0] == 0
    seen = set[str]()
    for accesses in range(14, 2000):
        with served(Dying(model, accesses)) as address:
            code, _, error = command("apply", other, "--device", address)
        now = [Device(model.read, model.write).settings(port).arrival[0] for port in range(ports)]
        model.write(registers.LOCK.address, registers.LOCK.pack(release=1, owner=Board("").owner))
        if code == 0:
            assert now == [Step(10_000)] * ports
            break
        assert "the link is gone" in error
        if "; " not in error:
            assert now == [Step(30_000)] * ports  # it died while the device was looked at
            continue
        if "every port still has its old configuration" in error:
            assert now == [Step(30_000)] * ports
            seen.add("old")
        if "is not known (truemark show --device" in error:
            seen.add("unknown")
        if now != [Step(30_000)] * ports and "not known" not in error:
            done = now.count(Step(10_000))
            assert now == [Step(10_000)] * done + [Step(30_000)] * (ports - done)
            assert "the new configuration, " in error
            seen.add("some")
        assert "old" in error or "not known" in error
    assert code == 0
    assert {"old", "unknown"} <= seen


def test_a_refusal_in_mid_apply_says_which_ports_have_the_new_configuration(
    command: Command, model: Simulated, address: str, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, refused = Device.take_effect, "port {}: the hardware refused the commit; the old configuration goes on"

    def refuse(self: Device, port: int) -> None:
        if port == at:
            raise RefusedError(refused.format(port))
        taken(self, port)

    monkeypatch.setattr(Device, "take_effect", refuse)
    for at, says in (
        (0, ""),
        (1, "; port 0 has the new configuration, ports 1 to 4 still the old one"),
        (2, "; ports 0 to 1 have the new configuration, ports 2 to 4 still the old one"),
    ):
        code, out, error = command("apply", profile, "--device", address)
        assert (code, out, error) == (ExitCode.REFUSED, "", f"error: {refused.format(at)}{says}\n")
    now = [Device(model.read, model.write).settings(port).arrival[0] for port in range(5)]
    assert now == [Step(30_000)] * 2 + [None] * 3


@pytest.mark.parametrize(
    ("where", "error", "ends", "says"),
    [
        ("make_way", LinkError("the link is gone"), ExitCode.NO_DEVICE, "pauses and laws"),
        ("commit_queue_map", LinkError("the link is gone"), ExitCode.NO_DEVICE, "pauses, laws and the queue map"),
        ("write_shadow", LinkError("the link is gone"), ExitCode.NO_DEVICE, "pauses, laws and the queue map"),
        ("write_shadow", RefusedError("no"), ExitCode.REFUSED, "pauses, laws and the queue map"),
        ("write_shadow", KeyboardInterrupt("interrupted"), ExitCode.INTERRUPTED, "pauses, laws and the queue map"),
    ],
)
def test_what_changes_before_the_ports_is_said(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    error: BaseException,
    ends: ExitCode,
    says: str,
) -> None:
    (tmp_path / "p.toml").write_text(PROFILE + "[queues]\nby = 'fixed'\ndefault = 1\n")

    def end(*_: object) -> None:
        raise error

    with open_engine("model", features=frozenset({"pool", "pfc"}), queues=2) as engine, served(engine) as device:
        monkeypatch.setattr(Device, where, end)
        code, _, said = command("apply", tmp_path / "p.toml", "--device", device)
    assert code == ends
    assert said.startswith(f"error: {error}; every port still has its old configuration, except that {says} may be new")
    assert said.endswith(f" (truemark show --device {device})\n")


class Gone:
    """A bus from which the device falls after some accesses: reads bring ones, writes nothing, and nothing says so."""

    def __init__(self, behind: Simulated, accesses: int) -> None:
        self.behind, self.left = behind, accesses

    def _there(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def read(self, offset: int) -> int:
        """Read while it is there."""
        return self.behind.read(offset) if self._there() else NOBODY

    def write(self, offset: int, value: int) -> None:
        """Write while it is there."""
        if self._there():
            self.behind.write(offset, value)

    def close(self) -> None:
        """Leave the device open: it is another's."""


@pytest.mark.parametrize("words", [["apply"], ["show"], ["status"], ["clock", "200M"]], ids=lambda words: words[0])
def test_a_device_that_falls_off_the_bus(
    command: Command, model: Simulated, profile: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    device = Device(model.read, model.write)
    before, ends = device.settings(0), list[str]()
    every = range(8, 60) if words == ["apply"] else ()
    for accesses in (*every, *(int(1.5**step) for step in range(10 if every else 0, 21))):
        link = Gone(model, accesses)
        monkeypatch.setattr(board, "open_transport", lambda _, link=link: link)
        words_here = [*words, profile] if words == ["apply"] else words
        code, out, error = command(*words_here, "--device", "pci:0000:01:00.0/bar2")
        taken = device.settings(0) != before
        model.write(registers.LOCK.address, registers.LOCK.pack(release=1, owner=Board("").owner))
        if code == 0:
            break
        assert out == ""
        assert "answers" in error, error
        assert not taken or "not known" in error or "new configuration" in error
        ends.append(error)
    assert code == 0, error
    assert ends


class Driver:
    """The ioctls of NetFPGA's drivers, as onic_siocdevprivate and sume_riffa have them, in front of an engine."""

    def __init__(self, behind: Simulated, base: int, end: int) -> None:
        self.behind, self.base, self.end = behind, base, end
        self.reads, self.writes = list[int](), list[int]()

    def ioctl(self, _: int, request: int, frame: bytes) -> int:
        """Answer one; the request holds the interface's name and the place of {address, value}."""
        assert len(frame) == 40
        name, place = struct.unpack_from("16sQ", frame)
        if name.rstrip(b"\0") != b"nf0":
            raise OSError(19, "No such device")
        word = (ctypes.c_uint32 * 2).from_address(place)
        assert word[0] < self.end, f"{word[0]:#x} is not mapped: the kernel faults"
        offset = word[0] - self.base
        inside = 0 <= offset < 0x1000
        if request == NetFpga.WRITE:
            self.writes.append(word[0])
            if inside:
                self.behind.write(offset, word[1])
        else:
            assert request == NetFpga.READ
            self.reads.append(word[0])
            word[1] = self.behind.read(offset) if inside else 0xDEADBEEF
        return 0


PLUS_END = 0x400000  # NFDP_END


@pytest.fixture
def driver(model: Simulated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Return PLUS's driver, with no word of a PCI device behind its interface."""
    driver = Driver(model, 0x220000, PLUS_END)
    monkeypatch.setattr(fcntl, "ioctl", driver.ioctl)
    monkeypatch.setattr(transport, "NET", tmp_path)
    (tmp_path / "nf0/device").mkdir(parents=True)
    return driver


def pci_device(net: Path, vendor: str, device: str) -> None:
    """Say in the place of sysfs what PCI device is behind nf0."""
    (net / "nf0/device/vendor").write_text(vendor + "\n")
    (net / "nf0/device/device").write_text(device + "\n")


@pytest.mark.parametrize(
    ("base", "device", "end"),
    [(0x220000, "0x903f", PLUS_END), (0x30000, "0x9138", PLUS_END), (0x44030000, "0x7028", 1 << 32)],
)
def test_netfpga_driver_that_is_played(
    command: Command, model: Simulated, driver: Driver, profile: Path, tmp_path: Path, base: int, device: str, end: int
) -> None:
    driver.base, driver.end = base, end
    pci_device(tmp_path, "0x10ee", device)
    assert command("probe", "nf:nf0")[0] == 0
    assert driver.writes == []
    code, _, error = command("apply", profile, "--device", "nf:nf0")
    assert (code, error) == (0, "")
    assert driver.writes
    assert all(base + 0x100 <= each < base + 0x1000 for each in driver.writes)
    assert Device(model.read, model.write).settings(0).arrival[0] == Step(30_000)
    driver.base = 0x700000
    driver.writes.clear()
    code, _, error = command("apply", profile, "--device", "nf:nf0")
    assert code == ExitCode.NO_DEVICE
    assert "no Truemark here: register ID reads 0xdeadbeef" in error
    assert driver.writes == []


@pytest.mark.parametrize(
    ("vendor", "device"), [("", ""), ("0x8086", "0x903f"), ("0x8086", "0x7028"), ("0x10ee", "0x7024")]
)
def test_nothing_is_tried_on_a_board_that_is_not_known(
    command: Command, driver: Driver, tmp_path: Path, vendor: str, device: str
) -> None:
    if vendor:
        pci_device(tmp_path, vendor, device)
    code, _, error = command("probe", "nf:nf0")
    assert code == ExitCode.NO_DEVICE
    assert "name the base, nf:nf0+0x220000 on PLUS, nf:nf0+0x44030000 on SUME" in error
    assert driver.reads == []
    assert command("probe", "nf:nf0+0x220000")[0] == 0
    assert driver.reads


def test_a_base_that_the_driver_does_not_reach(command: Command, driver: Driver, tmp_path: Path) -> None:
    pci_device(tmp_path, "0x10ee", "0x903f")
    code, _, error = command("probe", "nf:nf0+0x44030000")
    assert code == ExitCode.WRONG
    assert "nf:nf0+0x44030000: the driver of PLUS reaches as far as 0x400000" in error
    assert driver.reads == []


def test_a_served_simulation_lives_as_long_as_the_server(command: Command, profile: Path, tmp_path: Path) -> None:
    program = "import sys; from truemark.cli import main; main()"
    words = [sys.executable, "-c", program, "serve", f"sim:{tmp_path / 'device'}", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        address = line.split(" at ")[-1].strip()
        assert address.startswith("tcp:127.0.0.1:"), line
        try:
            code, said, _ = command("apply", profile, "--device", address)
            assert code == 0
            assert said.rstrip().endswith(f"of a SIMULATED device, at {address}")
            assert "30000 B" in command("show", "--device", address)[1]
            for words in (["show"], ["status"], ["stats"], ["read", "ID"], ["dump"], ["export", "sai"]):
                said = command(*words, "--device", address)[1]
                assert said.rstrip().endswith(f"SIMULATED device, at {address}"), words
                if words != ["export", "sai"]:
                    assert json.loads(command(*words, "--device", address, "-j")[1])["device"]["simulated"], words
            for words in (["tc", "qdisc", "show"], ["tc", "-j", "qdisc", "show"], ["show", "--tc"]):
                code, said, error = command(*words, "--device", address)
                assert (code, error.splitlines()[-1]) == (0, f"- SIMULATED device, at {address}"), words
                assert "SIMULATED" not in said, "what tc prints"
            for words in (["export", "sonic", "--rate", "10G"], ["export", "openconfig"]):
                assert f"- SIMULATED device, at {address}\n" in command(*words, "--device", address)[2], words
            assert f"SIMULATED device, at {address}" in command("probe", address)[1]
            assert 'simulated="1"' in command("export", "prometheus", "--device", address)[1]
            assert json.loads(command("watch", "--device", address, "--count", 1)[1])["device"]["simulated"]
            assert Board(address).look().simulated
            server.terminate()
            assert server.wait(timeout=20) == 0
        finally:
            server.kill()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["apply", "x.toml", "--engine", "rtl", "--device", "tcp:127.0.0.1:1"], "are for a simulated device"),
        (["show", "--device", "usb:1"], "no transport 'usb'; there are sim:, mem:, pci:, nf:, tcp:"),
        (["show", "--device", "nf:nf99"], "nf:nf99: "),
        (["probe", "mem:/nowhere"], "/nowhere: not there: name a physical address, such as mem:0xA0000000, or a file"),
        (["serve", "tcp:127.0.0.1:1"], "nobody listens there; is `truemark serve` running there?"),
        (["stats", "--device", "tcp:127.0.0.1:1", "--after", "x.pcap"], "are for a simulated device"),
        (["stats"], "a simulated device has seen nothing yet: stats needs --after CAPTURE"),
        (
            ["serve", "tcp:127.0.0.1:1", "--engine", "rtl"],
            "tcp:127.0.0.1:1: --engine and --play are for a simulated device",
        ),
        (["serve", "sim:", "--loop"], "--loop says how a capture is played; name one: --play CAPTURE"),
        (["serve", "tcp:127.0.0.1:1", "--to", "0"], "--to says how a capture is played; name one: --play CAPTURE"),
        (["web", "--speed", "2"], "--speed says how a capture is played; name one: --play CAPTURE"),
        (["web", "--device", "nf:nf0", "--rate", "1G"], "--rate says how a capture is played; name one: --play"),
        (["serve", "sim:", "--engine", "riffa"], "unknown engine 'riffa'; there are rtl, model, both, netfpga"),
        (["serve", "sim:", "--host", "192.0.2.1"], "tcp:192.0.2.1:7437: cannot listen"),
    ],
)
def test_what_cannot_be(command: Command, words: list[str], says: str) -> None:
    code, _, error = command(*words)
    assert code == (ExitCode.NO_DEVICE if "nobody" in says or "nowhere" in says or "nf99" in says else ExitCode.WRONG)
    assert says in error
