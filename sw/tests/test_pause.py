# SPDX-License-Identifier: BSD-3-Clause
"""What a profile says of pauses, and the registers that it becomes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sw.tests.frames import Command

from truemark.device import registers
from truemark.errors import TruemarkError
from truemark.laws.law import Limits
from truemark.laws.pause import Level, Pause
from truemark.laws.policies import PortSettings
from truemark.laws.profile import plan, read_profile

CELL = 64
LIMITS = Limits(storage=2_500_000, descriptors=1000, able=frozenset({"step", "pool", "pfc"}))
TABLE = {"classes": "[4, 3]", "headroom": '"1000B"', "alpha": '"1/8"', "xon_offset": '"3kB"'}


def ports(tmp_path: Path, limits: Limits = LIMITS, count: int = 3, **keys: str | None) -> list[PortSettings]:
    """Return the settings of the ports of a device by a profile with these keys of [pfc], over TABLE."""
    lines = "\n".join(f"{key} = {value}" for key, value in (TABLE | keys).items() if value is not None)
    path = tmp_path / "profile.toml"
    path.write_text(f'policy = "droptail"\n[pfc]\n{lines}\n')
    return [each.settings for each in plan(read_profile(path), count, limits, "profile.toml")]


def words(settings: PortSettings) -> tuple[int, int, int]:
    """Return what PFC_CLASSES, PFC_THRESHOLD and PFC_XON hold."""
    found = dict((settings.pause or Pause()).words(CELL))
    return found[registers.PFC_CLASSES], found[registers.PFC_THRESHOLD], found[registers.PFC_XON]


@pytest.mark.parametrize(
    ("keys", "threshold", "xon"),
    [
        ({}, 1 << 31 | 13 << 24, 47 << 16),
        ({"alpha": "8", "xon_offset": None, "xon": '"1000B"'}, 1 << 31 | 3 << 24, 0xFFFF << 16 | 15),
        ({"alpha": None, "static": '"100kB"', "xon": '"64kB"'}, 1563, 47 << 16 | 1000),
    ],
)
def test_keys_become_words(tmp_path: Path, keys: dict[str, Any], threshold: int, xon: int) -> None:
    """Port 0 says when, for all; each says its classes, whose headroom is rounded up to whole cells."""
    own = 0b11000 << 24 | 16
    assert [words(each) for each in ports(tmp_path, **keys)] == [(own, threshold, xon), (own, 0, 0), (own, 0, 0)]
    for settings in ports(tmp_path, **keys):
        held = dict((settings.pause or Pause()).words(CELL))
        read = Pause.read(held.__getitem__, CELL)
        assert read is not None
        assert dict(read.words(CELL)) == held
        assert (read.classes, read.headroom) == ((3, 4), 1024)


def test_some_sources(tmp_path: Path) -> None:
    """Others have no lossless class; the level stays in the configuration of port 0."""
    found = [words(each) for each in ports(tmp_path, sources="[1]")]
    assert found == [(0, 1 << 31 | 13 << 24, 47 << 16), (0b11000 << 24 | 16, 0, 0), (0, 0, 0)]


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"static": '"1kB"'}, "by one of static"),
        ({"alpha": None}, "by one of static"),
        ({"alpha": '"1/3"'}, "alpha = '1/3': a power of two from 1/128 to 8"),
        ({"xon_offset": None}, "when a class may send again"),
        ({"alpha": None, "static": '"1kB"', "xon": '"2kB"'}, "xon = 2000 B: it is above static = 1000 B"),
        ({"classes": "[8]"}, r"profile.toml:3: pfc.classes.0 = 8"),
        ({"sources": "[3]"}, "sources: 3: this device has ports 0 to 2"),
        ({"headrom": '"1kB"'}, "headrom: unknown key"),
        ({"headroom": '"2MB"'}, "headroom = 2000000 B for 2 classes: this build's pool has 2500000 B"),
        ({"alpha": None, "static": '"3MB"'}, "static = 3000000 B: this build allows 2500000 B"),
        ({"alpha": None, "static": '"2MB"', "xon": '"3MB"'}, "xon = 3000000 B: it is above static"),
    ],
)
def test_wrong_keys_are_named(tmp_path: Path, keys: dict[str, Any], says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        ports(tmp_path, **keys)


def test_a_register_has_room(tmp_path: Path) -> None:
    """Headroom and xon have 16 bits of cells, whatever the pool."""
    limits = Limits(storage=16_000_000, descriptors=1000, able=LIMITS.able)
    for keys in ({"headroom": '"4.2MB"'}, {"alpha": None, "static": '"9MB"', "xon": '"4.2MB"'}):
        with pytest.raises(TruemarkError, match="= 4200000 B: this build allows 4194176 B"):
            ports(tmp_path, limits, **keys)
    own, *_ = (words(each) for each in ports(tmp_path, limits, headroom='"4194176B"'))
    assert own[0] == 0b11000 << 24 | 0xFFFE


def test_what_pauses_a_queue(tmp_path: Path) -> None:
    """Each queue, or port, has its own classes, and keeps them next to the levels of a source."""
    path = tmp_path / "profile.toml"
    path.write_text(
        'policy = "droptail"\npaused_by = [0]\n[queue.1]\npaused_by = [4, 3, 3]\n[port.2]\npaused_by = []\n'
        '[pfc]\nclasses = [3]\nheadroom = "1kB"\nalpha = "1"\nxon_offset = "1kB"\nsources = [0]\n'
    )
    profile = read_profile(path)
    assert {"pool", "pfc"} <= profile.features()
    limits = Limits(storage=2_500_000, descriptors=1000, able=LIMITS.able, queues=2)
    found = [each.settings for each in plan(profile, 4, limits, "profile.toml")]
    assert [words(each)[0] >> 16 for each in found] == [8 << 8 | 1, 0b11000, 0, 0b11000]
    for settings in found:
        held = dict((settings.pause or Pause()).words(CELL))
        read = Pause.read(held.__getitem__, CELL)
        assert dict((read or Pause()).words(CELL)) == held
    assert found[1].pause is not None
    assert found[1].pause.title == "none; paused by 3, 4"
    assert found[1].pause.facts()["paused_by"] == [3, 4]
    path.write_text('policy = "droptail"\n[port.1]\npaused_by = [8]\n')
    with pytest.raises(TruemarkError, match=r"profile.toml:3: port.1.paused_by.0 = 8"):
        read_profile(path)
    path.write_text('policy = "droptail"\n[port.1]\npaused_by = [7]\n')
    with pytest.raises(TruemarkError, match="port 1: paused_by: this build has no PFC"):
        plan(read_profile(path), 2, Limits(storage=1, descriptors=1, able=frozenset({"step"})), "profile.toml")


@pytest.mark.parametrize(
    ("queues", "wrong"),
    [
        ('by = "pcp"\n[queues.pcp]\n3 = 1\n4 = 1', []),
        ('by = "pcp"\n[queues.pcp]\n3 = 1', ["0: frames of class 4", "2: frames of class 4"]),
        ('by = "pcp"\n[queues.pcp]\n3 = 0\n4 = 1', ["0: frames of class 3", "2: frames of class 3"]),
        ('by = "dscp"\n[queues.dscp]\n26 = 1', []),
    ],
)
def test_a_pause_that_does_not_hold_its_class_is_said(tmp_path: Path, queues: str, wrong: list[str]) -> None:
    """Queue 1 of both lines is paused by classes 3 and 4; what takes another queue of the line goes on."""
    path = tmp_path / "profile.toml"
    path.write_text(f'policy = "droptail"\n[queue.1]\npaused_by = [3, 4]\n[queues]\n{queues}\n')
    limits = Limits(storage=2_500_000, descriptors=1000, able=LIMITS.able | {"queues"}, queues=2)
    found = plan(read_profile(path), 4, limits, "profile.toml")
    said = [f"{port}: {line}" for port, each in enumerate(found) for line in each.warnings()]
    assert said == [f"{each} leave by it, and no pause of the class holds it" for each in wrong]


def test_device_must_have_it(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"\[pfc\]: this build has no PFC"):
        ports(tmp_path, Limits(storage=2_500_000, descriptors=1000, able=frozenset({"step", "pool"})))


def test_no_word_that_cannot_be() -> None:
    held = dict(Pause().words(CELL)) | {registers.PFC_THRESHOLD: 1 << 31 | 4 << 24}
    with pytest.raises(ValueError, match="no PFC_THRESHOLD"):
        Pause.read(held.__getitem__, CELL)
    assert Pause.read(dict(Pause().words(CELL)).__getitem__, CELL) is None


def test_what_is_shown() -> None:
    pause = Pause((3, 4), 1024, Level(exponent=-3, offset=3008))
    assert pause.title == "3, 4 with 1024 B each; all: xoff above 1/8 of what is free, xon 3008 B below"
    assert pause.of_source(1).title == "3, 4 with 1024 B each"
    assert Pause(level=Level(1000, xon=500)).title == "none; all: xoff above 1000 B, xon at 500 B"
    assert pause.facts()["alpha"] == "1/8"


def test_plan_writes_it(command: Command, tmp_path: Path) -> None:
    """`plan pfc` writes a profile that `apply` takes, with its headroom."""
    path = tmp_path / "pfc.toml"
    words_ = (
        "plan",
        "pfc",
        "--rate",
        "10G",
        "--cable",
        "300m",
        "--mtu",
        "1500B",
        "--classes",
        "3",
        "--profile",
        str(path),
    )
    code, _, error = command(*words_)
    assert code == 0, error
    found = plan(read_profile(path), 2, LIMITS, "pfc.toml")[1].settings.pause
    assert found is not None
    assert (found.classes, found.level) == ((3,), None)
    assert f'headroom = "{found.headroom}B"' in path.read_text()
    code, _, error = command(*words_[:-2], "--classes", "8")
    assert code != 0
    assert "classes '8': priorities from 0 to 7 are wanted" in error
