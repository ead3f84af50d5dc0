# SPDX-License-Identifier: BSD-3-Clause
"""Ways to a device's registers, by address.

    sim:                             an engine in this process, of programs (sim:rtl, sim:model, sim:both); the commands
                                     make of sim:FOLDER a device that is remembered there (device/simulated.py)
    mem:0xA0000000                   a window of physical memory, through /dev/mem (mem:FILE+0x1000 for another file)
    pci:0000:01:00.0/bar2+0x220000   a window of a PCI device's memory, through its resource file in sysfs
    nf:nf0                           the ioctls of NetFPGA's network drivers (nf:nf0+0x220000 with its base)
    tcp:host:port                    a server in front of any of these (`truemark serve ADDRESS`)

Every access is one 32-bit word. `open_transport` reads the identification register and writes nothing; a device that is
not there, is not ours or may not be touched is an error that says what to do.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from truemark import units
from truemark.device import registers
from truemark.device.device import TRMK, Device
from truemark.device.engine import Engine, find_libraries
from truemark.errors import LinkError, NoDeviceError, TruemarkError, explain
from truemark.link.remote import WINDOW, Remote

# The output queues as the drivers address them: where PLUS's crossbar has them, where its headers say, and on SUME.
PLUS_BASES, SUME_BASES = (0x220000, 0x30000), (0x44030000,)
PLUS_END = 0x400000  # of what PLUS's driver maps; it looks at no address
# PCI devices: SUME's DMA, and what OpenNIC's driver takes, by generation, width and function.
XILINX, SUME_DEVICE, PLUS_DEVICES = "0x10ee", "0x7028", re.compile("0x9[0-3]3[1248f]|0x9[0-3]4[1248]|0x6aa0")
KINDS = ("mem", "pci", "nf", "tcp")
SYSFS = Path("/sys/bus/pci/devices")
NET = Path("/sys/class/net")
DEV_MEM = Path("/dev/mem")


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
        if not (base % mmap.PAGESIZE == 0 <= base < 1 << 63):
            raise TruemarkError(
                f"{path}+{base:#x}: the window must begin at a multiple of {mmap.PAGESIZE:#x} from 0 on, in 63 bits"
            )
        try:
            # O_SYNC asks /dev/mem for an uncached mapping; PCI resources are uncached in any case.
            file = os.open(path, os.O_RDWR | os.O_SYNC)
            try:
                self._map = mmap.mmap(file, WINDOW, offset=base)
            finally:
                os.close(file)
        except OSError as error:
            hint = ""
            if isinstance(error, FileNotFoundError):
                if path == DEV_MEM:
                    hint = ": this kernel was built without it (CONFIG_DEVMEM)"
                elif path.is_relative_to(SYSFS):
                    hint = ": check the address with lspci -D, and that the bitstream is loaded"
                else:
                    hint = ": name a physical address, such as mem:0xA0000000, or a file"
            raise NoDeviceError(f"{path}: {explain(error)}{hint}") from None
        except ValueError:
            raise NoDeviceError(f"{path}: ends before {base + WINDOW:#x}: not this device, or another BAR") from None
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
        if len(interface.encode()) >= self.NAME:
            raise TruemarkError(f"nf:{interface}: an interface's name has at most {self.NAME - 1} characters")
        if base is not None and not (base % WINDOW == 0 <= base < 1 << 32):
            raise TruemarkError(f"nf:{interface}+{base:#x}: the window begins at a multiple of {WINDOW:#x} in 32 bits")
        places = bases(interface)
        if base is None and not places:
            plus, sume = (f"nf:{interface}+{where[0]:#x}" for where in (PLUS_BASES, SUME_BASES))
            raise NoDeviceError(
                f"nf:{interface}: no board is known by {NET / interface}/device (ip link shows the interfaces); "
                f"name the base, {plus} on PLUS, {sume} on SUME"
            )
        if base is not None and base >= PLUS_END and places == PLUS_BASES:
            raise TruemarkError(f"nf:{interface}+{base:#x}: the driver of PLUS reaches as far as {PLUS_END:#x}")
        self._interface = interface
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        if base is None:
            # Every place is asked for its identification; a read changes nothing.
            for self._base in places:
                with suppress(TruemarkError):
                    if self.read(registers.ID.address) == TRMK:
                        return
            base = places[0]
        self._base = base

    def _call(self, request: int, offset: int, value: int) -> int:
        # The driver takes the address of {uint32 address; uint32 value} out of the request.
        word = bytearray(struct.pack("=II", self._base + offset, value))
        address = _address_of(word)
        frame = struct.pack(f"={self.NAME}sQ", self._interface.encode(), address).ljust(self.IFREQ, b"\0")
        try:
            fcntl.ioctl(self._socket.fileno(), request, frame)
        except OSError as error:
            raise LinkError(f"nf:{self._interface}: {explain(error)}") from None
        return int(struct.unpack("=II", word)[1])

    def read(self, offset: int) -> int:
        """Read a word through the driver; one that does nothing and says that it has done it leaves every bit 1."""
        return self._call(self.READ, offset, 0xFFFF_FFFF)

    def write(self, offset: int, value: int) -> None:
        """Write a word through the driver."""
        self._call(self.WRITE, offset, value)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def bases(interface: str) -> tuple[int, ...]:
    """Return where the output queues may be behind an interface; its PCI device tells the boards apart.

    None if it does not: PLUS's driver maps less than SUME's place, and to read there is a fault of the kernel.
    """
    try:
        vendor, device = ((NET / interface / "device" / each).read_text().strip() for each in ("vendor", "device"))
    except OSError:
        return ()
    if (vendor, device) == (XILINX, SUME_DEVICE):
        return SUME_BASES
    return PLUS_BASES if vendor == XILINX and PLUS_DEVICES.fullmatch(device) else ()


def _address_of(buffer: bytearray) -> int:
    import ctypes

    return ctypes.addressof((ctypes.c_char * len(buffer)).from_buffer(buffer))


def number(text: str, address: str) -> int:
    """Return a number of an address; one that begins with 0 may be meant as octal, and is refused."""
    try:
        return int(text, 0)
    except ValueError:
        raise TruemarkError(f"{address}: {text!r} is no number; write 0x1000 or 4096") from None


def parse(address: str) -> Callable[[], Transport]:
    """Return what opens an address, or say which part of it is wrong."""
    kind, colon, rest = address.partition(":")
    path, _, offset = rest.partition("+")
    base = number(offset, address) if offset else None
    if not colon:
        raise TruemarkError(f"{address}: begin with sim:, mem:, pci:, nf: or tcp:")
    if kind == "sim":
        return lambda: Simulated(rest or "rtl")
    if kind == "mem":
        if not path:
            raise TruemarkError(f"{address}: name a physical address, such as mem:0xA0000000, or a file")
        if re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", path):
            physical = number(path, address)
            return lambda: Mapped(DEV_MEM, physical + (base or 0))
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
        if not host or units.whole(port, 65535) is None:
            raise TruemarkError(f"{address}: write tcp:host:port")
        return lambda: Remote(host.strip("[]"), int(port))
    raise TruemarkError(f"{address}: no transport {kind!r}; there are sim:, mem:, pci:, nf: and tcp:")


def open_transport(address: str) -> Transport:
    """Open an address and make sure that a Truemark answers; nothing is written."""
    transport = parse(address)()
    try:
        Device(transport.read, transport.write).identity()
    except LinkError:  # says where
        transport.close()
        raise
    except TruemarkError as error:
        transport.close()
        raise type(error)(f"{address}: {error}") from None
    except BaseException:
        transport.close()
        raise
    return transport
