# SPDX-License-Identifier: BSD-3-Clause
"""Each bit of each field of a configuration, there and back: the host tool, cocotbext-truemark, SpinalHDL's registers.

Which fields there are says the RDL, read here: none of the three may leave one out. test_c_driver has the C driver.
"""

from __future__ import annotations

import re
from collections.abc import Coroutine, Iterator
from typing import Any, NamedTuple

import cocotbext.truemark as bench
import pytest
from cocotbext.axi import AxiResp

from truemark.device.device import Device
from truemark.laws import red, slopes
from truemark.laws.codel import Codel
from truemark.laws.pause import Level, Pause
from truemark.laws.policies import PortSettings
from truemark.laws.shape import Shape
from truemark.laws.share import Share
from truemark.laws.step import Step
from truemark.laws.tcn import Tcn
from truemark_dev.paths import ROOT
from truemark_dev.vocabulary import package, registers
from truemark_dev.vocabulary.names import camel, lower_camel

MAP = registers.read(package.read())
CONFIG = MAP.config()
MASKS = {each.address: each.mask for each in CONFIG}
SCALA = ROOT / "rtl/spinal/src/main/scala/truemark"


class Memory:
    """A port that takes every configuration: what a commit finds in the shadow a load brings back.

    It has every law, and others on its line.
    """

    def __init__(self) -> None:
        self.shadow = dict.fromkeys(MASKS, 0)
        self.active = dict(self.shadow)

    def word(self, address: int) -> int:
        """Read a register."""
        if address == MAP["CAPABILITIES"].address:
            return MAP["CAPABILITIES"].mask
        if address == MAP["TIME_STEP"].address:
            return 5 << 24  # 5 ns
        if address == MAP["BUILD"].address:
            return MAP["BUILD"].mask
        return self.shadow.get(address, 0)

    def put(self, address: int, word: int) -> None:
        """Write one."""
        command = {field.name: word & field.mask for field in MAP["COMMAND"].fields}
        if address in MASKS:
            self.shadow[address] = word & MASKS[address]
        elif address == MAP["COMMAND"].address and command["commit"]:
            self.active = dict(self.shadow)
        elif address == MAP["COMMAND"].address and command["load"]:
            self.shadow = dict(self.active)

    def forget(self) -> None:
        """Keep nothing of a configuration."""
        self.shadow = dict.fromkeys(MASKS, 0)
        self.active = dict(self.shadow)

    async def read(self, address: int, length: int) -> Answer:
        """Read as cocotbext-axi's AxiLiteMaster does."""
        return Answer(AxiResp.OKAY, self.word(address).to_bytes(length, "little"))

    async def write(self, address: int, data: bytes) -> Answer:
        """Write as it does."""
        self.put(address, int.from_bytes(data, "little"))
        return Answer(AxiResp.OKAY, b"")


class Answer(NamedTuple):
    """What a read or write comes to."""

    resp: AxiResp
    data: bytes


def bits() -> Iterator[tuple[registers.Register, registers.Field, int]]:
    """Yield each bit of a configuration with its field."""
    for register in CONFIG:
        for field in register.fields:
            for at in range(field.width):
                yield register, field, 1 << field.low + at


def settings(first: str, second: str, share: Share | None = None, pause: Pause | None = None) -> PortSettings:
    """Return a configuration with a law in each slot, all laws at the head, and all else that may be off."""
    laws = {"none": None, "step": Step(20_000), "red": red.law(5_000, 15_000, slopes.parse_probability("10%"), 9,
            adaptive=True, gentle=True)}  # fmt: skip
    return PortSettings(
        policy="custom", limit_bytes=40_000, limit_packets=50, slot_of=(1, 0, 0, 0),
        arrival=(laws[first], laws[second]), departures=(Codel(target=5, interval=100, ecn=True), Tcn(1_000)),
        idle=slopes.Idle(3, 4), adapt_interval_ns=1_000, quantum=1_000,
        shape=Shape(10**9, 20_000), line_shape=Shape(2 * 10**9, 30_000), pool_share=share, pause=pause,
    )  # fmt: skip


PORTS = [
    settings("step", "step", Share(exponent=-7), Pause(level=Level(exponent=-7))),
    settings("red", "red", Share(exponent=0), Pause(level=Level(exponent=0, offset=0))),
    settings("none", "none"),
    PortSettings("droptail"),
]


def test_host_tool() -> None:
    """What a port holds comes back whole through a read and a write by the tool, in one of PORTS at least.

    What counts only under a law that the port does not have may be left out, and is 0 then.
    """
    memory = Memory()
    device = Device(memory.word, memory.put)
    missing = []
    for register, field, bit in bits():
        came = []
        for port in PORTS:
            device.write_shadow(port)
            memory.put(register.address, memory.word(register.address) ^ bit)
            device.take_effect(0)
            before = dict(memory.active)
            try:
                found = device.settings(0)
            except ValueError:  # a code that is reserved: no port can have it
                continue
            memory.forget()
            device.commit(0, found)
            lost = {at for at in before if memory.active[at] != before[at]}
            assert all(memory.active[at] == 0 for at in lost), f"{register.name}.{field.name}, bit 0x{bit:X}"
            came.append(register.address not in lost)
        if not any(came):
            missing.append(f"{register.name}.{field.name} bit 0x{bit:X}")
    assert missing == []


def now(call: Coroutine[Any, Any, None]) -> None:
    """Run what waits for nothing."""
    with pytest.raises(StopIteration):
        call.send(None)


def test_cocotbext() -> None:
    """A field is changed by its name, and no other with it."""
    memory = Memory()
    device = bench.Device.__new__(bench.Device)
    device.axil = memory
    for register, field, bit in bits():
        for word in (0, register.mask):
            memory.active = {at: mask if word else 0 for at, mask in MASKS.items()}
            expected = memory.active | {register.address: word ^ bit}
            now(
                device.configure(0, **{register.name: {field.name: (word ^ bit) >> field.low & (1 << field.width) - 1}})
            )
            assert memory.active == expected, f"{register.name}.{field.name}, bit 0x{bit:X}"


def test_spinalhdl() -> None:
    """Each field of Registers.scala stands where it stands in the RDL, and a profile leaves none as it was.

    Each word of a configuration is written, with 0 where no rule says another value; no rule has ARED.
    """
    text = (SCALA / "Registers.scala").read_text()
    objects = dict(re.findall(r"^  object (\w+) \{\n(.*?)^  \}", text, re.MULTILINE | re.DOTALL))
    for register in MAP.registers:
        body = objects[camel(register.name)]
        assert int(re.findall(r"val address = (\w+)", body)[0], 0) == register.address, register.name
        found = {
            name: (int(low), int(width)) for name, low, width in re.findall(r"val (\w+) = Field\((\d+), (\d+)\)", body)
        }
        assert found == {lower_camel(field.name): (field.low, field.width) for field in register.fields}, register.name
    words = re.findall(r"^    (\w+)\.address,?$", text, re.MULTILINE)
    of_all_builds = [each for each in CONFIG if not each.needs]
    assert words == [camel(each.name) for each in of_all_builds]
    profile = (SCALA / "Profile.scala").read_text()
    assert "val plain = configuration.map(_ -> BigInt(0))" in profile
    named = {name for name in objects if re.search(rf"\b{name}\.address ->", profile)}
    adaptive = {"Red0Reciprocal", "Red0Bottom", "Red0BandLow", "Red0BandHigh", "AdaptInterval"}
    assert {camel(each.name) for each in of_all_builds if each.slot != 1} - named == adaptive | {"K1"}
