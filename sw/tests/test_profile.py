# SPDX-License-Identifier: BSD-3-Clause
"""PROFILE.toml: what it means, and what is said when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from truemark import profile
from truemark.errors import TruemarkError
from truemark.policies import Limits

LIMITS = Limits(storage=400_000, descriptors=5000)
GOOD = """
rate = "10G"
policy = "true-mark"
k = "24us"
buffer = "shallow"

[port.1]
policy = "droptail"
[port.2]
k = "20pkt"
packet = 1500
limit_packets = 200
[port.3]
rate = "1G"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "p.toml"
    path.write_text(text)
    return path


def test_a_profile_becomes_settings(tmp_path: Path) -> None:
    ports = profile.plan(profile.read_profile(write(tmp_path, GOOD)), 4, LIMITS, "p.toml")
    assert [port.policy for port in ports] == ["true-mark", "droptail", "true-mark", "true-mark"]
    assert [port.k[0] for port in ports] == [30_000, 0, 30_000, 3_000]
    assert [port.limit_bytes for port in ports] == [300_000, 300_000, None, 300_000]
    assert [port.limit_packets for port in ports] == [None, None, 200, None]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('polcy = "droptail"', r"p.toml:1: polcy: unknown key; did you mean 'policy'\?"),
        (
            'policy = "droptail"\n[port.1]\nbufer = "deep"',
            r"p.toml:3: port.1.bufer: unknown key; did you mean 'buffer'\?",
        ),
        ('policy = "droptail"\n[ports.1]\nk = 1', r"p.toml:2: ports: unknown key; did you mean 'port'\?"),
        ("policy = 5", r"p.toml:1: policy = 5: Input should be a valid string"),
        ('policy = "droptail"\nenable = "yes"', r"p.toml:2: enable = 'yes': Input should be a valid boolean"),
        ('policy = "droptail', "p.toml: not valid TOML"),
        ('policy = "droptail"\n[port.x]\nk = 1', "port.x: ports are numbers"),
    ],
)
def test_unreadable_profiles_name_the_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        profile.read_profile(write(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("k = 5", "no policy is set"),
        ('policy = "true-mark"\nk = "24us"', "a size only at a rate"),
        (
            'policy = "true-mark"\nk = 1\nbuffer = "deep"',
            r"port 0: limit_bytes = 2430000 B: this build allows 1 to 400000 B",
        ),
        ('policy = "true-mark"\nk = 1\nbuffer = "shalow"', "did you mean 'shallow'"),
        ('policy = "droptail"\nbuffer = "deep"\nlimit_bytes = 5', "is a limit already"),
        (
            'policy = "droptail"\n[port.1]\npolicy = "codel"',
            "p.toml: port 1: policy = 'codel': this build has no CoDel",
        ),
        ('policy = "droptail"\n[port.7]\nenable = false', "port.7: this device has ports 0 to 1"),
    ],
)
def test_impossible_profiles_are_refused(tmp_path: Path, text: str, says: str) -> None:
    read = profile.read_profile(write(tmp_path, text))
    with pytest.raises(TruemarkError, match=says):
        profile.plan(read, 2, LIMITS, "p.toml")


def test_missing_profile(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"none\.toml: there is no such file"):
        profile.read_profile(tmp_path / "none.toml")
