# SPDX-License-Identifier: BSD-3-Clause
"""Read captures (pcap and pcapng, also gzipped) and write pcap with nanoseconds.

Frames come out in the file's order with the bytes that were captured and the length they had on the wire. A file that
is truncated, empty, or of another link type than Ethernet is an error that names the file and what would be right.
"""

from __future__ import annotations

import gzip
import io
import shutil
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, BinaryIO

from truemark.errors import TruemarkError
from truemark.files import whole_file

ETHERNET = 1
STDIN = Path("-")
LINK_TYPES = {0: "loopback", 101: "raw IP", 105: "802.11", 113: "Linux cooked", 127: "radiotap", 147: "user 0"}
LINK_TYPES |= {220: "USB", 276: "Linux cooked v2"}
# First four bytes of a pcap file: byte order and nanoseconds per unit of the second timestamp word.
PCAP_MAGIC = {
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
    b"\xa1\xb2\x3c\x4d": (">", 1),
}
PCAPNG_MAGIC = b"\x0a\x0d\x0d\x0a"
BAD_GZIP = (EOFError, gzip.BadGzipFile, zlib.error)  # cut off, changed in its frame, changed in between
LARGEST = 1 << 18  # bytes of a frame no capture goes beyond: a larger number is a damaged file


@dataclass(frozen=True, slots=True)
class Frame:
    """A captured frame: time in nanoseconds since 1970, captured bytes, length on the wire."""

    time_ns: int
    data: bytes
    length: int

    def padded(self) -> bytes:
        """Return the frame at its length on the wire; what was not captured is zero."""
        return self.data.ljust(self.length, b"\0")


@dataclass(frozen=True)
class Source:
    """A capture as a file, and what messages call it: a copy is gone when they are read."""

    path: Path
    where: str


@contextmanager
def captured(path: Path) -> Iterator[Source]:
    """Yield a capture as a file that can be read twice: what comes from stdin (`-`) or a pipe is kept for as long."""
    if path != STDIN and (path.is_file() or not path.exists()):
        yield Source(path, str(path))
        return
    with TemporaryDirectory(prefix="truemark-") as folder:
        kept = Path(folder) / ("stdin" if path == STDIN else path.name)
        try:
            with (
                open(sys.stdin.fileno() if path == STDIN else path, "rb", closefd=path != STDIN) as source,
                kept.open("wb") as file,
            ):
                shutil.copyfileobj(source, file)
        except OSError as error:
            raise TruemarkError(f"{path}: cannot be read: {error.strerror}") from None
        yield Source(kept, kept.name if path == STDIN else str(path))


class Reader:
    """Iterates over the frames of a capture file; `where` is what messages call it, if not by its path."""

    def __init__(self, path: Path, where: str | None = None) -> None:
        self.where = where or str(path)
        self.frames = 0
        try:
            self._raw: BinaryIO = path.open("rb")
            self.size = path.stat().st_size
            magic = self._raw.read(4)
        except FileNotFoundError:
            raise TruemarkError(f"{self.where}: there is no such capture") from None
        except OSError as error:
            raise TruemarkError(f"{self.where}: cannot be read: {error.strerror}") from None
        self._raw.seek(0)
        self._file: BinaryIO = self._raw
        if magic[:2] == b"\x1f\x8b":
            self._file = io.BufferedReader(gzip.GzipFile(fileobj=self._raw))

    def position(self) -> int:
        """Bytes of the file that have been read, for a progress bar."""
        return self._raw.tell()

    def _read(self, count: int, what: str, may_end: bool = False) -> bytes:
        try:
            data = self._file.read(count)
        except (*BAD_GZIP, OSError) as error:
            raise TruemarkError(
                f"{self.where}: truncated or damaged gzip file ({error}) after {self.frames} frames"
            ) from None
        if may_end and not data:
            return data
        if len(data) != count:
            raise TruemarkError(
                f"{self.where}: truncated capture: {what} after frame {self.frames} has {len(data)} of {count} bytes; "
                "copy or capture the file again"
            )
        return data

    def __iter__(self) -> Iterator[Frame]:
        magic = self._read(4, "the file header", may_end=True)
        if not magic:
            raise TruemarkError(f"{self.where}: the file is empty (0 bytes); a pcap or pcapng capture is wanted")
        if magic in PCAP_MAGIC:
            frames = self._pcap(*PCAP_MAGIC[magic])
        elif magic == PCAPNG_MAGIC:
            frames = self._pcapng()
        else:
            raise TruemarkError(
                f"{self.where}: not a capture: it begins with {magic.hex(' ')}; pcap or pcapng is wanted"
            )
        for frame in frames:
            self.frames += 1
            yield frame
        if not self.frames:
            raise TruemarkError(
                f"{self.where}: empty capture: it holds no frame; was the filter or the interface wrong?"
            )

    def _check_link(self, link: int) -> None:
        if link != ETHERNET:
            name = f"{link} ({LINK_TYPES[link]})" if link in LINK_TYPES else str(link)
            raise TruemarkError(
                f"{self.where}: wrong link type {name}: frames must be Ethernet (link type 1); "
                "capture on one Ethernet interface, not on 'any'"
            )

    def _check_length(self, captured: int, length: int) -> None:
        if captured > LARGEST or length > LARGEST:
            raise TruemarkError(
                f"{self.where}: damaged capture: the header of frame {self.frames + 1} says {captured} bytes "
                f"of {length}"
            )

    def _pcap(self, order: str, unit: int) -> Iterator[Frame]:
        header = self._read(20, "the file header")
        self._check_link(struct.unpack(order + "I", header[16:])[0] & 0xFFFF)
        record = struct.Struct(order + "IIII")
        while head := self._read(16, "the frame header", may_end=True):
            seconds, fraction, captured, length = record.unpack(head)
            self._check_length(captured, length)
            data = self._read(captured, "the frame")
            yield Frame(seconds * 10**9 + fraction * unit, data, max(length, captured))

    def _pcapng(self) -> Iterator[Frame]:
        from pcapng import FileScanner, blocks
        from pcapng.exceptions import PcapngException, StreamEmpty, TruncatedFile

        self._file.seek(0)
        try:
            for block in FileScanner(self._file):
                if isinstance(block, blocks.InterfaceDescription):
                    self._check_link(block.link_type)
                elif isinstance(block, blocks.SimplePacket):
                    raise TruemarkError(
                        f"{self.where}: frames without timestamps (pcapng simple packet blocks) cannot be replayed"
                    )
                elif isinstance(block, blocks.EnhancedPacket):
                    self._check_length(len(block.packet_data), block.packet_len)
                    per_second, offset = clock(block.interface.options)
                    time_ns = (block.timestamp_high << 32 | block.timestamp_low) * 10**9 // per_second + offset
                    yield Frame(time_ns, block.packet_data, max(block.packet_len, len(block.packet_data)))
        except (TruncatedFile, StreamEmpty):
            raise TruemarkError(
                f"{self.where}: truncated capture: a block after frame {self.frames} is cut off; copy or capture the "
                "file again"
            ) from None
        except BAD_GZIP as error:
            raise TruemarkError(
                f"{self.where}: truncated or damaged gzip file ({error}) after {self.frames} frames"
            ) from None
        except (PcapngException, ValueError, LookupError, struct.error) as error:
            raise TruemarkError(
                f"{self.where}: damaged pcapng after frame {self.frames}: {error or type(error).__name__}"
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._raw.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def clock(options: Mapping[str, Any]) -> tuple[int, int]:
    """Units per second and nanoseconds of offset of a pcapng clock; the library's own times are not exact."""
    code = options["if_tsresol"][0] if "if_tsresol" in options else 6  # a power of 10, or of 2 with the top bit set
    offset = options.get("if_tsoffset", 0)
    return 2 ** (code & 127) if code & 128 else 10**code, offset * 10**9


class Writer:
    """Writes a pcap with nanoseconds, Ethernet. The file appears under its name only when it is complete."""

    def __init__(self, path: Path) -> None:
        self._path, self._frames = path, 0
        self._whole = whole_file(path, binary=True)

    def write(self, time_ns: int, data: bytes, length: int) -> None:
        """Add a frame."""
        seconds, fraction = divmod(time_ns, 10**9)
        self._frames += 1
        if not 0 <= seconds < 1 << 32:
            raise TruemarkError(
                f"{self._path}: cannot be written: frame {self._frames} leaves at second {seconds} since 1970; a pcap "
                f"file has 0 to {(1 << 32) - 1} (2106)"
            )
        self._file.write(struct.pack("<IIII", seconds, fraction, len(data), length))
        self._file.write(data)

    def __enter__(self) -> Writer:
        self._file = self._whole.__enter__()
        self._file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, LARGEST, ETHERNET))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._whole.__exit__(kind, error, trace)
