# SPDX-License-Identifier: BSD-3-Clause
"""The golden model next to an instance: whatever leaves is compared in its cycle, whatever is read when it is read.

The scoreboard sees the pins of the instance and nothing else, telemetry not among them: the streams, `tx_en_i`,
`time_o`, and the AXI4-Lite bus, whoever drives them. It stops a test at the first difference with MismatchError.
"""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.task import Task
from cocotb.triggers import RisingEdge
from cocotbext.truemark.device import BY_NAME, Device
from cocotbext.truemark.model import Build, Library
from cocotbext.truemark.registers import LAST_CODE, Code, last_code

SETTLED = 400  # cycles after which all that happened has been counted
PATIENCE = 1_000_000  # cycles until an instance comes to rest
SOURCE = ("tdata", "tkeep", "tlast", "tdest", "tuser")
SINKS = ("tdata", "tkeep", "tlast", "tuser")
BUS_MOVES = ("awready", "arready", "rvalid", "rready")
PLAIN_CODES = tuple(range(14))  # outcomes, departures, head drops
KINDS = {
    "mark": "a frame left with another mark than expected",
    "drop": "a frame left that should have been dropped, or one that should have left did not",
    "drop reason": "frames were counted under another outcome than they met",
    "order": "a frame was overtaken on its port, or left twice",
    "counter": "a counter is wrong",
    "register": "a register is wrong",
    "payload": "bytes of a frame were changed",
    "departure port": "a frame left on another port than that it was sent to",
    "timing": "a frame left in another cycle than expected",
    "length": "a frame has another length than it says, or than it came with",
    "keep": "tkeep does not fit the bytes of a row",
    "error flag": "a frame was given or denied the error flag",
    "unknown": "bytes of a frame are neither 0 nor 1",
}


class MismatchError(AssertionError):
    """Instance and golden model differ. `kind` is one of KINDS; `frame` counts from 1 as frames came in, 0 for none."""

    def __init__(self, kind: str, port: str, cycle: str, frame: str, what: str, state: str, data: str) -> None:
        self.kind, self.what, self.state = kind, what, state
        self.port, self.cycle, self.frame, self.data = int(port), int(cycle), int(frame), bytes.fromhex(data)
        shown = (
            f"\n  frame {frame}, {len(self.data)} bytes: {data[:256]}{'...' * (len(data) > 256)}" if self.frame else ""
        )
        super().__init__(
            f"{kind}: {KINDS[kind]}\n  port {port}, cycle {cycle}: {what}{shown}\n  the model: {state or 'no port'}"
        )


class Scoreboard:
    """Watches an instance from before its reset on: a Device, or the handle of any `truemark` with its build.

    Of a Device it learns the build when that has started, and looks at the cycles since the reset then. A handle
    without a build raises ValueError; so do a build that does not fit the pins, one with a pool, whose cycles no pin
    shows, and a pin that is neither 0 nor 1.
    """

    def __init__(
        self, instance: Device | Any, build: Build | None = None, *, clock: str = "clk", reset: str = "rst"
    ) -> None:
        self.device: Device | None = instance if isinstance(instance, Device) else None
        dut: Any = self.device.dut if self.device is not None else instance
        if build is not None:
            _must_fit(build, dut)
            _must_be_shown(build)
        elif self.device is None:
            raise ValueError(f"Scoreboard: {dut._path} is a handle, whose Build must be given; a Device knows its own")
        self._build = build
        self._library: Library | None = None
        self._waiting: list[tuple[int | bytes | None, ...]] = []
        self._clock = self.device.clock if self.device else getattr(dut, clock)
        self._reset = _Followed(self.device.reset if self.device else getattr(dut, reset))
        self._time, self._tx_en = dut.time_o, _Followed(dut.tx_en_i)
        self._s_valid, self._s_ready = _Followed(dut.s_axis_tvalid), _Followed(dut.s_axis_tready)
        self._source = [getattr(dut, f"s_axis_{pin}") for pin in SOURCE]
        self._valid, self._ready = ([_Followed(pin) for pin in _pins(dut, name)] for name in ("tvalid", "tready"))
        self._sinks = [_pins(dut, pin) for pin in SINKS]
        self._bus_moves = {name: _Followed(getattr(dut, f"s_axil_{name}")) for name in BUS_MOVES}
        self._bus = {name: getattr(dut, f"s_axil_{name}") for name in ("awaddr", "wdata", "wstrb", "araddr", "rdata")}
        self.task: Task[None] = cocotb.start_soon(self._watch())

    @property
    def frames(self) -> int:
        """Return how many frames have come in."""
        return self._count(0)

    @property
    def departures(self) -> int:
        """Return how many frames have left as expected, counted on every port."""
        return self._count(1)

    @property
    def reads(self) -> int:
        """Return how many reads of registers were compared."""
        return self._count(2)

    async def finish(self) -> None:
        """Wait until the instance has come to rest, then read and compare its counters if there is a Device."""
        for _ in range(PATIENCE):
            await RisingEdge(self._clock)
            if self._count(3):
                break
        else:
            self._conclude()
            if self._library is None:
                raise AssertionError(f"no cycle of {PATIENCE} was compared: the device has not started")
            raise AssertionError(f"the instance does not come to rest within {PATIENCE} cycles")
        for _ in range(SETTLED):
            await RisingEdge(self._clock)
        self._conclude()
        if self.device is not None:
            await self.read_everything()
        assert self.frames, "no frame has come in"

    async def read_everything(self) -> None:
        """Read every counter of every port, so that it is compared."""
        device = self.device
        assert device is not None, "there is no Device to read with"
        counted = ("BAD_", "OCCUPANCY", "WATERMARK", "CUT_", "SNAPSHOT_")
        names = [name for name, each in BY_NAME.items() if name.startswith(counted) and not each.needs]
        await device.snapshot()
        for port in range(device.ports):
            for name in names:
                await device.page(port, name)
            for code in codes(device.build):
                await device.total(port, code)

    def _conclude(self) -> None:
        if self._library is not None and self._library.conclude():
            raise MismatchError(*self._library.report())

    def _count(self, which: int) -> int:
        return self._library.count(which) if self._library is not None else 0

    async def _watch(self) -> None:
        edge = RisingEdge(self._clock)
        while True:
            await edge
            pins = self._sample()
            if self._library is None:
                build = self._build or (self.device.build if self.device else None)
                if build is None:
                    self._waiting.append(pins)
                    continue
                _must_be_shown(build)
                self._library = Library(build)
                for earlier in self._waiting:
                    self._told(self._library.cycle(*earlier))
                self._waiting.clear()
            self._told(self._library.cycle(*pins))

    def _told(self, differs: bool) -> None:
        if differs:
            assert self._library is not None
            raise MismatchError(*self._library.report())

    def _sample(self) -> tuple[int | bytes | None, ...]:
        """Return what the pins show of the cycle that ends."""
        if self._reset.text != "0":
            return 1, 0, 0, 0, 0, None, None, None
        valid = _number("m_axis_tvalid", self._valid)
        source = sinks = None
        if self._s_valid.text == self._s_ready.text == "1":
            source = " ".join(str(pin.value) for pin in self._source).encode()
        if valid:
            sinks = " ".join("".join(str(pin.value) for pin in pins) for pins in self._sinks).encode()
        time = _bits("time_o (is time_external_i driven?)", str(self._time.value))
        tx_en = _bits("tx_en_i", self._tx_en.text)
        return 0, time, tx_en, _number("m_axis_tready", self._ready), valid, source, sinks, self._sample_bus()

    def _sample_bus(self) -> bytes | None:
        pins = self._bus
        write, read, rvalid, rready = (pin.text == "1" for pin in self._bus_moves.values())
        answer = rvalid and rready
        if not (write or read or answer):
            return None
        words = [0] * 5
        if write:
            words[:3] = (int(pins[name].value) for name in ("awaddr", "wdata", "wstrb"))
        if read:
            words[3] = int(pins["araddr"].value)
        if answer:
            words[4] = int(pins["rdata"].value)
        return " ".join(f"{word:x}" for word in (write | read << 1 | answer << 2, *words)).encode()


class _Followed:
    """A pin that is asked for in every cycle and seldom changes: it is read when it does."""

    def __init__(self, pin: Any) -> None:
        self.text = str(pin.value)
        self.task: Task[None] = cocotb.start_soon(self._follow(pin))

    async def _follow(self, pin: Any) -> None:
        while True:
            self.text = str(pin.value)
            await pin.value_change


def codes(build: Build | None) -> tuple[int, ...]:
    """Return the counters of frames that an instance has; between those of any and those of a law is the histogram."""
    last = last_code(build.has) if build else LAST_CODE
    return (*PLAIN_CODES, *range(Code.DEPARTED_MARKED, last + 1))


def _must_fit(build: Build, dut: Any) -> None:
    """Raise ValueError if the pins of an instance are not those of a build."""
    lines = len(dut.s_axis_tdest)
    there = {"ports": len(dut.tx_en_i), "queues": len(dut.tx_en_i) // lines, "data_w": len(dut.s_axis_tdata)}
    wrong = [f"{name} = {getattr(build, name)}" for name, pins in there.items() if getattr(build, name) != pins]
    if wrong:
        shown = ", ".join(f"{name} = {pins}" for name, pins in there.items())
        raise ValueError(f"Build: {', '.join(wrong)}, but the pins of {dut._path} are those of {shown}")


def _must_be_shown(build: Build) -> None:
    """Raise ValueError if what decides about a frame does not show on the pins."""
    if build.has("pool"):
        raise ValueError("Scoreboard: a build with POOL cannot be followed: what its memory does shows on no pin")


def _pins(dut: Any, name: str) -> list[Any]:
    """Return the pins of all outputs, the highest line first: packed ones, or those of one stream for each line."""
    if hasattr(dut, f"m_axis_{name}"):
        return [getattr(dut, f"m_axis_{name}")]
    return [getattr(dut, f"m{line:02}_axis_{name}") for line in reversed(range(len(dut.s_axis_tdest)))]


def _number(name: str, pins: list[_Followed]) -> int:
    return _bits(name, "".join([pin.text for pin in pins]))


def _bits(name: str, text: str) -> int:
    try:
        return int(text, 2)
    except ValueError:
        raise ValueError(f"Scoreboard: {name} is {text}") from None
