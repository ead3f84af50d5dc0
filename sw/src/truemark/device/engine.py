# SPDX-License-Identifier: BSD-3-Clause
"""Binding of `sim/engine/truemark.h`, whatever is behind it (`ENGINES`), as one Python class.

Names and units are those of the header. Nothing here knows what a register means.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from truemark.device.registers import CAPABILITIES
from truemark.errors import RefusedError, TruemarkError

TM_ERROR, TM_OK, TM_SLVERR = -1, 0, 2
U32, U64 = ctypes.c_uint32, ctypes.c_uint64
TAKE_FRAMES = ("rtl", "model", "both")
ENGINES = (*TAKE_FRAMES, "netfpga")  # which has registers alone
# Not at this interface: how a build stores, and what every build has, or none.
BEYOND = {"store_and_forward", "pool", "pfc", "step", "events"}
FEATURES = frozenset(field.name for field in CAPABILITIES.fields) - BEYOND  # what a build can have or not
SHARED = frozenset({"pool", "pfc"})  # one memory for all ports, which is a build of its own


class Build(ctypes.Structure):
    """Build parameters; zero asks for the default."""

    ports: int
    data_w: int
    rows: int
    descriptors: int
    max_frame: int
    ultra: int
    switches: int
    queues: int
    _fields_ = tuple(
        (name, U32) for name in ("ports", "data_w", "rows", "descriptors", "max_frame", "ultra", "switches", "queues")
    )

    @property
    def features(self) -> frozenset[str]:
        """Those of `FEATURES` and `SHARED` that it has."""
        return frozenset(name for name, there in CAPABILITIES.unpack(self.switches).items() if there) & (
            FEATURES | SHARED
        )

    @property
    def storage(self) -> int:
        """Bytes of storage per port, or of all ports together."""
        return self.rows * self.data_w // 8


class _Frame(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_char_p),
        ("length", U32),
        ("promised_length", U32),
        ("ports", U32),
        ("error", U32),
        ("hole", U32),
        ("source", U32),
    )


class _Departure(ctypes.Structure):
    _fields_ = (("time_ns", U64), ("sojourn_ns", U64), *((name, U32) for name in ("port", "length", "error", "kind")))


class _Event(ctypes.Structure):
    _fields_ = (
        ("time_ns", U64),
        *((name, U32) for name in ("port", "length", "class_id", "ece", "ecn", "outcome", "bytes")),
    )


@dataclass(frozen=True, slots=True)
class Event:
    """The verdict on one copy; `held` is the bytes in the queue as the verdict saw it."""

    time_ns: int
    port: int
    length: int
    class_id: int
    ece: int
    ecn: int
    outcome: int
    held: int


@dataclass(frozen=True, slots=True)
class Departure:
    """A frame that left."""

    data: bytes
    time_ns: int
    sojourn_ns: int
    port: int
    error: bool
    kind: int = 0  # DepartureKind


def library_folders() -> list[Path]:
    """Return where engines may be: in this package, then `TRUEMARK_LIB`, or build/engines of this file's clone.

    Never the current folder, nor one above an installed package: what lies there may be anybody's, and a board's host
    runs this as root.
    """
    package = Path(__file__).resolve().parents[1]
    own = [folder for folder in [package / "engines"] if folder.is_dir()]
    if configured := os.environ.get("TRUEMARK_LIB"):
        return [*own, Path(configured)]
    clone = package.parents[2] if package.parts[-3:] == ("sw", "src", "truemark") else None
    return [*own, *(folder for folder in [clone and clone / "build/engines"] if folder and folder.is_dir())]


def find_libraries(engine: str) -> list[Path]:
    """Return the libraries of one kind of engine: one for the model, one per build for the others."""
    if engine not in ENGINES:
        raise TruemarkError(f"unknown engine '{engine}'; there are {', '.join(ENGINES)}")
    pattern = "libtruemark_model.so" if engine == "model" else f"libtruemark_{engine}_*.so"
    folders = library_folders()
    for folder in folders:
        if found := sorted(folder.glob(pattern)):
            return found
    looked = ", ".join(str(folder) for folder in folders) or "no folder build/engines of a clone"
    raise TruemarkError(
        f"no library {pattern} found ({looked}): run `make engines`, or set TRUEMARK_LIB to their folder"
    )


def _load(path: Path) -> ctypes.CDLL:
    try:
        library, brief = ctypes.CDLL(str(path)), ctypes.PyDLL(str(path))
    except OSError as error:
        raise TruemarkError(f"{path} does not load, build it again with `make engines`: {error}") from None
    device = ctypes.c_void_p
    for name, result, arguments in (
        ("tm_open", device, (ctypes.POINTER(Build), ctypes.c_char_p, ctypes.c_size_t)),
        ("tm_close", None, (device,)),
        ("tm_get_build", ctypes.c_int, (device, ctypes.POINTER(Build))),
        ("tm_engine_name", ctypes.c_char_p, (device,)),
        ("tm_last_error", ctypes.c_char_p, (device,)),
        ("tm_read", ctypes.c_int, (device, U32, ctypes.POINTER(U32))),
        ("tm_write", ctypes.c_int, (device, U32, U32)),
        ("tm_offer", ctypes.c_int, (device, U64, ctypes.POINTER(_Frame))),
        ("tm_take", ctypes.c_int, (device, U32, U64, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(_Departure))),
        ("tm_advance", ctypes.c_int, (device, U64)),
        ("tm_next_event", ctypes.c_int, (device, ctypes.POINTER(_Event))),
    ):
        # An access of a register is over sooner than another thread could begin: who looks at a device that plays a
        # capture would wait for the player at each of thousands.
        function = getattr(brief if name in ("tm_read", "tm_write") else library, name)
        function.restype, function.argtypes = result, arguments
        setattr(library, name, function)
    return library


class Engine:
    """One open device. Use it as a context manager."""

    def __init__(self, library: Path, build: Build | None = None) -> None:
        self.path = library
        self._library = _load(library)
        error = ctypes.create_string_buffer(512)
        self._device = self._library.tm_open(ctypes.byref(build or Build()), error, len(error))
        if not self._device:
            raise TruemarkError(f"{library.name} does not open: {error.value.decode()}")
        self.build = Build()
        self._check(self._library.tm_get_build(self._device, ctypes.byref(self.build)))
        self.name = str(self._library.tm_engine_name(self._device).decode())
        self._buffer = ctypes.create_string_buffer(max(self.build.max_frame, 64))
        self._departure, self._event, self._value = _Departure(), _Event(), U32()
        self._answer = ctypes.byref(self._value)

    def close(self) -> None:
        """Close the device; a second call does nothing."""
        if self._device:
            self._library.tm_close(self._device)
            self._device = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self) -> int:
        if not self._device:
            raise TruemarkError(f"engine {self.path.name} has been closed")
        return int(self._device)

    def _check(self, result: int) -> int:
        if result == TM_ERROR:
            text = self._library.tm_last_error(self._device).decode()
            raise TruemarkError(f"engine {self.path.name}: {text}")
        return result

    def read(self, address: int) -> int:
        """Read a register."""
        result = self._library.tm_read(self._open(), address, self._answer)
        if result != TM_OK and self._check(result) == TM_SLVERR:
            raise RefusedError(f"the device answers SLVERR to a read of register 0x{address:03x}")
        return int(self._value.value)

    def write(self, address: int, value: int) -> None:
        """Write a register."""
        result = self._library.tm_write(self._open(), address, value)
        if result != TM_OK and self._check(result) == TM_SLVERR:
            raise RefusedError(f"the device answers SLVERR to a write of 0x{value:x} to register 0x{address:03x}")

    def offer(self, time_ns: int, data: bytes, ports: int = 1, *, error: bool = False, source: int = 0) -> None:
        """Offer a frame that came in by port `source` to the ports of a bitmap; its verdicts are in `events` then.

        With `error` it ends as one does whose checksum was wrong.
        """
        frame = _Frame(data, len(data), 0, ports, error, 0, source)
        self._check(self._library.tm_offer(self._open(), time_ns, ctypes.byref(frame)))

    def take(self, time_ns: int, port: int = 0) -> Departure | None:
        """Take the next frame of a port, or of the line of that number where lines have several queues."""
        buffer, out = self._buffer, self._departure
        if not self._check(self._library.tm_take(self._open(), port, time_ns, buffer, len(buffer), ctypes.byref(out))):
            return None
        data = ctypes.string_at(buffer, out.length)
        return Departure(data, out.time_ns, out.sojourn_ns, out.port, bool(out.error), out.kind)

    def advance(self, time_ns: int) -> None:
        """Let time pass."""
        self._check(self._library.tm_advance(self._open(), time_ns))

    def events(self) -> Iterator[Event]:
        """Yield the verdicts since the last call."""
        event = self._event
        while self._check(self._library.tm_next_event(self._open(), ctypes.byref(event))):
            yield Event(
                event.time_ns,
                event.port,
                event.length,
                event.class_id,
                event.ece,
                event.ecn,
                event.outcome,
                event.bytes,
            )


# Storage a build of each size has at the least, in bytes and in frames per port (`BUFFERS` of laws/policies.py).
# No RTL is built for "model": race cars goes to 16 MB.
SIZES = {"shallow": (300_000, 200), "deep": (2_430_000, 2000), "model": (16_000_000, 2000)}
SHORTEST = 60  # bytes of the shortest frame on a wire
SPARE_ROWS = 8  # that a frame leaves free (SpareRows of rtl/tm_pkg.sv)
EVERY_LAW = CAPABILITIES.pack(**dict.fromkeys(FEATURES, 1))  # of `Build.switches`
# A pool for five ports, of which any may hold so much; frames of 60 bytes take two rows.
POOLS = {
    "shallow": (49_152, 5001),
    "deep": (81_920, 40_501),
    "model": (524_288, 262_144),
}  # rows, descriptors of a port


def model_build(size: str, queues: int = 1, *, pool: bool = False) -> Build:
    """Return a build of the golden model with every law, in which the byte limit binds first for any mix of frames.

    With several queues a line it has one line. One with a pool has PFC, and five ports or that line.
    """
    lines = {"ports": queues, "queues": queues} if queues > 1 else {}
    if pool:
        rows, descriptors = POOLS[size]
        switches = EVERY_LAW | CAPABILITIES.pack(**dict.fromkeys(SHARED, 1))
        return Build(rows=rows, descriptors=descriptors, switches=switches, **lines)
    if size == "shallow":
        return Build(switches=EVERY_LAW, **lines)  # the engines' own default of storage
    held, beat = SIZES[size][0], 32
    worst = held // (2 * beat + 1) + 1  # frames that end one byte behind a row waste the most
    return Build(rows=3 * worst + SPARE_ROWS, descriptors=held // SHORTEST + 1, switches=EVERY_LAW, **lines)


def open_engine(kind: str, size: str = "shallow", features: frozenset[str] = frozenset(), queues: int = 1) -> Engine:
    """Open an engine of a size with capabilities (of `FEATURES` and `SHARED`).

    The model is built to order; of the other kinds the library that is enough and has the least beyond it.
    """
    if kind == "model":
        return Engine(find_libraries(kind)[0], model_build(size, queues, pool=bool(features & SHARED)))
    if queues > 1:
        raise TruemarkError(f"[queues]: no {kind} engine has lines of several queues; use --engine model")
    candidates = [Engine(path) for path in find_libraries(kind)]
    storage, frames = SIZES[size]

    fitting = [
        each
        for each in candidates
        if each.build.storage >= storage and each.build.descriptors >= frames
        if features <= each.build.features and bool(features & SHARED) == bool(each.build.features & SHARED)
    ]
    best = min(fitting, key=lambda each: (len(each.build.features), each.build.storage, each.build.ports), default=None)
    there = ", ".join(
        f"{each.path.name} ({' '.join([f'{each.build.storage} B', *sorted(each.build.features)])})"
        for each in candidates
    )
    for each in candidates:
        if each is not best:
            each.close()
    if best is None:
        wanted = " and ".join(sorted(features)) or "no more than the step law"
        raise TruemarkError(
            f"no {kind} engine holds {storage} B and {frames} frames per port ({size}) with {wanted}; `make engines` "
            f"builds all, there is {there}"
        )
    return best


def default_engine(size: str, features: frozenset[str]) -> tuple[str, str]:
    """Return the RTL if a library of it can do this, else the model and a remark that says so."""
    try:
        open_engine("rtl", size, features).close()
    except TruemarkError:
        find_libraries("model")  # or it says what to build
        return "model", "engine: the golden model; no RTL that does this is built (in a clone: `make engines`)"
    return "rtl", ""
