# SPDX-License-Identifier: BSD-3-Clause
"""Policies as settings, refused before a write by the tool and after a write by the device."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from truemark import policies, registers
from truemark.device import Device
from truemark.engine import Build, Engine, find_libraries
from truemark.errors import TruemarkError
from truemark.policies import Limits, PortSettings
from truemark.words import Fault, Law

BUILT = Limits(storage=400_000, descriptors=5000)
EVERYTHING = Limits(storage=400_000, descriptors=5000, step=True, red=True, codel=True, flags_verdict=True)


@pytest.fixture
def device() -> Iterator[Device]:
    build = Build(ports=2, data_w=256, rows=1000, descriptors=100, flags_verdict=0)
    with Engine(find_libraries("model")[0], build) as engine:
        yield Device(engine.read, engine.write)


def test_droptail_is_no_law() -> None:
    assert policies.settings("droptail", limit_bytes=300_000) == PortSettings("droptail", limit_bytes=300_000)


def test_true_mark_is_one_step_for_every_codepoint_of_ect() -> None:
    """Not-ECT speaks to slot 1, which holds no law; the other codepoints to slot 0 with its K."""
    found = policies.settings("true-mark", k=30_000, limit_bytes=300_000)
    assert found.slot_of == (1, 0, 0, 0)
    assert found.laws == (Law.STEP, Law.NONE)
    assert found.k == (30_000, 0)
    assert found.protect == 0


@pytest.mark.parametrize("name", ["red", "dual-slope", "dual-step", "codel"])
def test_a_build_without_the_law_refuses_the_policy(name: str) -> None:
    k = 30_000 if name == "dual-step" else None
    lacking = "CoDel" if name == "codel" else "RED"
    with pytest.raises(TruemarkError, match=f"'{name}': this build has no {lacking}.*it has droptail, true-mark"):
        policies.check(policies.settings(name, k=k, limit_bytes=300_000), BUILT)
    policies.check(policies.settings(name, k=k, limit_bytes=300_000), EVERYTHING)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"limit_bytes": 400_001}, "limit_bytes = 400001 B: this build allows 1 to 400000 B"),
        ({"limit_bytes": 0}, "limit_bytes = 0 B: this build allows 1 to 400000 B"),
        ({"limit_packets": 5001}, "limit_packets = 5001 packets: this build allows 1 to 5000 packets"),
        ({"k": 300_001}, r"k = 300001 B: allowed is 0 to 300000 B \(limit_bytes\)"),
        ({"k": 400_001, "limit_bytes": None}, r"k = 400001 B: allowed is 0 to 400000 B \(the storage of a port\)"),
    ],
)
def test_impossible_numbers_name_field_value_and_range(change: dict[str, int | None], says: str) -> None:
    wanted: dict[str, int | None] = {"k": 30_000, "limit_bytes": 300_000, "limit_packets": None, **change}
    with pytest.raises(TruemarkError, match=f"here: {says}"):
        policies.check(policies.settings("true-mark", **wanted), BUILT, "here")  # type: ignore[arg-type]


def test_names_and_thresholds_that_do_not_fit() -> None:
    with pytest.raises(TruemarkError, match="did you mean 'true-mark'"):
        policies.settings("truemark", k=1)
    with pytest.raises(TruemarkError, match="needs a threshold k"):
        policies.settings("true-mark")
    with pytest.raises(TruemarkError, match="'droptail' has no threshold"):
        policies.settings("droptail", k=30_000)
    with pytest.raises(TruemarkError, match="nothing to protect from"):
        policies.settings("true-mark", k=1, protect="all")


def test_protection_presets() -> None:
    """Bit 2 * class + ECE; SYN_ACK 2, SYN 3, TCP_CTRL 4, DATA 5, ACK 6."""
    assert policies.protection_mask("default") == 0
    assert policies.protection_mask("all") == 0b11_11_11_11_11_11_11
    assert policies.protection_mask("ece") == 0b10_10_10_10_10_00_00
    assert policies.protection_mask("ack+syn") == 0b11_00_11_11_11_00_00


def test_settings_come_back_from_the_device(device: Device) -> None:
    wanted = policies.settings("true-mark", k=20_000, limit_bytes=30_000, limit_packets=90)
    device.commit(1, wanted)
    assert device.settings(1) == wanted
    assert device.settings(0) == PortSettings("droptail")


@pytest.mark.parametrize(
    ("wanted", "fault"),
    [
        (PortSettings("droptail", limit_bytes=32_001), Fault.LIMIT_BYTES),
        (PortSettings("droptail", limit_packets=101), Fault.LIMIT_PACKETS),
        (PortSettings("red", laws=(Law.RED, Law.NONE)), Fault.LAW),
        (PortSettings("true-mark", limit_bytes=10_000, laws=(Law.STEP, Law.NONE), k=(10_001, 0)), Fault.K0),
        (PortSettings("true-mark", laws=(Law.NONE, Law.STEP), k=(0, 32_001)), Fault.K1),
        (PortSettings("true-mark", laws=(Law.STEP, Law.NONE), k=(10, 0), protect=3), Fault.PROTECT),
    ],
)
def test_what_is_written_all_the_same_the_hardware_refuses(device: Device, wanted: PortSettings, fault: Fault) -> None:
    good = policies.settings("true-mark", k=5_000, limit_bytes=20_000)
    device.commit(0, good)
    with pytest.raises(
        TruemarkError, match=rf"port 0: the hardware refused the commit, {fault.name} \(fault code {fault}\)"
    ):
        device.commit(0, wanted)
    assert device.settings(0) == good


def test_a_port_that_is_not_there(device: Device) -> None:
    with pytest.raises(TruemarkError, match=r"PORT \(fault code 7\)"):
        device.commit(2, PortSettings("droptail"))


def test_what_is_no_truemark_is_refused() -> None:
    def read(address: int) -> int:
        assert address == registers.ID.address
        return 0xDEADBEEF

    with pytest.raises(TruemarkError, match="register ID reads 0xdeadbeef"):
        Device(read, lambda address, value: None).identity()


def test_undefined_register_is_an_error() -> None:
    with (
        Engine(find_libraries("model")[0]) as engine,
        pytest.raises(TruemarkError, match="SLVERR to a read of register 0xffc"),
    ):
        engine.read(0xFFC)
