# SPDX-License-Identifier: BSD-3-Clause
"""Ways to a device's registers, by address.

    sim:                             the engine, in this process (sim:rtl, sim:model, sim:both)
    mem:0xA0000000                   a window of physical memory, through /dev/mem (mem:FILE+0x1000 for another file)
    pci:0000:01:00.0/bar2+0x220000   a window of a PCI device's memory, through its resource file in sysfs
    nf:nf0                           the ioctls of NetFPGA's network drivers (nf:nf0+0x44030000 for another base)
    tcp:host:port                    a server in front of any of these (`python -m truemark.transport serve ADDRESS`)

Every access is one 32-bit word. `open_transport` reads the identification register and writes nothing; a device that is
not there, is not ours or may not be touched is an error that says what to do.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import mmap
import re
import socket
import socketserver
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from truemark import registers
from truemark.device import TRMK, Device
from truemark.engine import Engine, find_libraries
from truemark.errors import TruemarkError

WINDOW = 0x1000
PORT = 7437
PLUS_BASE, SUME_BASE = 0x30000, 0x44030000  # of the output queues, in the drivers' address space
SYSFS = Path("/sys/bus/pci/devices")


class Transport(Protocol):
    """One 4 kB window: byte offsets, multiples of 4, to 32-bit words."""

    def read(self, offset: int) -> int:
        """Read a word."""
        ...

    def write(self, offset: int, value: int) -> None:
        """Write a word; it has been done, or is in order before the next access, when this returns."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...


class Simulated:
    """An engine in this process."""

    def __init__(self, kind: str) -> None:
        self.engine = Engine(find_libraries(kind)[0])

    def read(self, offset: int) -> int:
        """Read a word of the engine."""
        return self.engine.read(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a word of the engine."""
        self.engine.write(offset, value)

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()


class Mapped:
    """A window of a file that is memory: /dev/mem, a PCI resource, or an ordinary file."""

    def __init__(self, path: Path, base: int) -> None:
        if base % mmap.PAGESIZE:
            raise TruemarkError(f"{path}+{base:#x}: the window must begin at a multiple of {mmap.PAGESIZE:#x}")
        try:
            with path.open("r+b", buffering=0) as file:
                self._map = mmap.mmap(file.fileno(), WINDOW, offset=base)
        except OSError as error:
            raise TruemarkError(f"{path}: {explain(error)}") from None
        except ValueError:
            raise TruemarkError(f"{path}: ends before {base + WINDOW:#x}: not this device, or another BAR") from None
        self._words = memoryview(self._map).cast("I")

    def read(self, offset: int) -> int:
        """Read with one 32-bit load."""
        return self._words[offset // 4]

    def write(self, offset: int, value: int) -> None:
        """Write with one 32-bit store; device memory is mapped uncached, so stores and loads keep their order."""
        self._words[offset // 4] = value

    def close(self) -> None:
        """Give the mapping back."""
        self._words.release()
        self._map.close()


class NetFpga:
    """SIOCDEVPRIVATE+1 writes, +2 reads, with {address, value}; the drivers of SUME and PLUS are the same in this."""

    WRITE, READ = 0x89F1, 0x89F2
    NAME = 16  # bytes of an interface's name in struct ifreq
    IFREQ = 40

    def __init__(self, interface: str, base: int | None) -> None:
        self._interface = interface
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        if base is None:
            # Both boards are asked for their identification; a read changes nothing.
            for candidate in (PLUS_BASE, SUME_BASE):
                self._base = candidate
                with suppress(TruemarkError):
                    if self.read(registers.ID.address) == TRMK:
                        return
            base = PLUS_BASE
        self._base = base

    def _call(self, request: int, offset: int, value: int) -> int:
        # The driver takes the address of {uint32 address; uint32 value} out of the request.
        word = bytearray(struct.pack("=II", self._base + offset, value))
        address = _address_of(word)
        frame = struct.pack(f"={self.NAME}sQ", self._interface.encode(), address).ljust(self.IFREQ, b"\0")
        try:
            fcntl.ioctl(self._socket.fileno(), request, frame)
        except OSError as error:
            raise TruemarkError(f"nf:{self._interface}: {explain(error)}") from None
        return int(struct.unpack("=II", word)[1])

    def read(self, offset: int) -> int:
        """Read a word through the driver."""
        return self._call(self.READ, offset, 0)

    def write(self, offset: int, value: int) -> None:
        """Write a word through the driver."""
        self._call(self.WRITE, offset, value)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class Remote:
    """A server on the other end of a TCP connection.

    A line is `R offset` or `W offset value` in hexadecimal, its answer `= value`, `=`, or `! what is wrong`.
    """

    def __init__(self, host: str, port: int) -> None:
        self._where = f"tcp:{host}:{port}"
        try:
            self._socket = socket.create_connection((host, port), timeout=10)
        except OSError as error:
            raise TruemarkError(f"{self._where}: {explain(error)}; is a server running there?") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("r", encoding="ascii", newline="\n")

    def _ask(self, line: str) -> str:
        try:
            self._socket.sendall(f"{line}\n".encode("ascii"))
            answer = self._answers.readline()
        except OSError as error:
            raise TruemarkError(f"{self._where}: {explain(error)}") from None
        if not answer.endswith("\n"):
            raise TruemarkError(f"{self._where}: the server has closed the connection")
        if answer.startswith("!"):
            raise TruemarkError(f"{self._where}: {answer[1:].strip()}")
        return answer[1:].strip()

    def read(self, offset: int) -> int:
        """Read a word there."""
        return int(self._ask(f"R {offset:x}"), 16)

    def write(self, offset: int, value: int) -> None:
        """Write a word there; it has been done when this returns."""
        self._ask(f"W {offset:x} {value:x}")

    def close(self) -> None:
        """Hang up."""
        self._answers.close()
        self._socket.close()


class _Handler(socketserver.StreamRequestHandler):
    """One client; a line that makes no sense is answered, and changes nothing."""

    server: Server

    def handle(self) -> None:
        """Answer until the client hangs up."""
        for line in self.rfile:
            self.wfile.write(
                f"{self.server.answer(line.decode('ascii', 'replace').split())}\n".encode("ascii", "replace")
            )


class Server(socketserver.TCPServer):
    """Serves one transport, one client at a time, on the loopback address unless told otherwise."""

    allow_reuse_address = True

    def __init__(self, transport: Transport, host: str = "127.0.0.1", port: int = PORT) -> None:
        self._transport = transport
        super().__init__((host, port), _Handler)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server_address[1])

    def answer(self, words: list[str]) -> str:
        """Return the answer to one line."""
        try:
            if len(words) not in (2, 3) or words[0] != ("R", "W")[len(words) - 2]:
                return "! not a request: R offset, or W offset value"
            offset, *value = [int(word, 16) for word in words[1:]]
            if offset % 4 or not 0 <= offset < WINDOW or any(not 0 <= each < 1 << 32 for each in value):
                return f"! offset {offset:#x}: a multiple of 4 below {WINDOW:#x}, and a 32-bit value"
            if value:
                self._transport.write(offset, value[0])
                return "="
            return f"= {self._transport.read(offset):x}"
        except ValueError:
            return "! not a number"
        except TruemarkError as error:
            return "! " + " ".join(str(error).split())


def explain(error: OSError) -> str:
    """Say what to do about an error of the operating system."""
    hints = {
        errno.EACCES: "permission denied: run as root, or give your user access to the file",
        errno.EPERM: "not permitted: run as root; kernel lockdown or STRICT_DEVMEM may also forbid it",
        errno.ENOENT: "not there: check the address with lspci -D or ip link, and that the bitstream is loaded",
        errno.ENODEV: "no such device: check the name with ip link, and that NetFPGA's driver is loaded",
        errno.ENOTTY: "the driver has no register access: this is no NetFPGA interface",
        errno.EOPNOTSUPP: "the driver has no register access: this is no NetFPGA interface",
        errno.ECONNREFUSED: "nobody listens there",
    }
    return hints.get(error.errno or 0, (error.strerror or str(error)).lower())


def _address_of(buffer: bytearray) -> int:
    import ctypes

    return ctypes.addressof((ctypes.c_char * len(buffer)).from_buffer(buffer))


def parse(address: str) -> Callable[[], Transport]:
    """Return what opens an address, or say which part of it is wrong."""
    kind, colon, rest = address.partition(":")
    path, _, offset = rest.partition("+")
    try:
        base = int(offset, 0) if offset else None
    except ValueError:
        raise TruemarkError(f"{address}: {offset!r} is no number") from None
    if not colon:
        raise TruemarkError(f"{address}: begin with sim:, mem:, pci:, nf: or tcp:")
    if kind == "sim":
        return lambda: Simulated(rest or "rtl")
    if kind == "mem":
        if re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", path):
            return lambda: Mapped(Path("/dev/mem"), int(path, 0) + (base or 0))
        return lambda: Mapped(Path(path), base or 0)
    if kind == "pci":
        found = re.fullmatch(r"([0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])/bar([0-5])", path)
        if not found:
            raise TruemarkError(f"{address}: write pci:0000:01:00.0/bar2+0x220000 (lspci -D shows the first part)")
        resource = SYSFS / found[1].lower() / f"resource{found[2]}"
        return lambda: Mapped(resource, base or 0)
    if kind == "nf":
        if not path:
            raise TruemarkError(f"{address}: name an interface, such as nf:nf0")
        return lambda: NetFpga(path, base)
    if kind == "tcp":
        host, _, port = rest.rpartition(":")
        if not host or not port.isdecimal():
            raise TruemarkError(f"{address}: write tcp:host:port")
        return lambda: Remote(host.strip("[]"), int(port))
    raise TruemarkError(f"{address}: no transport {kind!r}; there are sim:, mem:, pci:, nf: and tcp:")


def open_transport(address: str) -> Transport:
    """Open an address and make sure that a Truemark answers; nothing is written."""
    transport = parse(address)()
    try:
        Device(transport.read, transport.write).identity()
    except BaseException:
        transport.close()
        raise
    return transport


def main() -> int:
    """Serve a device over TCP, or show what is at an address."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="put a TCP server in front of a device")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on; there is no password, so think twice")
    serve.add_argument("--port", type=int, default=PORT)
    for each in (serve, commands.add_parser("probe", help="say what is at an address")):
        each.add_argument("address")
    options = parser.parse_args()
    try:
        transport = open_transport(options.address)
        if options.command == "probe":
            print(Device(transport.read, transport.write).identity())
        else:
            with Server(transport, options.host, options.port) as server:
                print(f"{options.address} at tcp:{options.host}:{server.port}", flush=True)
                with suppress(KeyboardInterrupt):
                    server.serve_forever()
        transport.close()
    except TruemarkError as error:
        print(f"truemark.transport: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
