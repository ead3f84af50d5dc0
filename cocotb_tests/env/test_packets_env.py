# SPDX-License-Identifier: BSD-3-Clause
"""The frame builder: headers where the contract expects them."""

import pytest

from cocotb_tests.env import packets
from cocotb_tests.env.tm_pkg import Ecn


def ones_complement_sum(data: bytes) -> int:
    """Return the Internet checksum's sum: 0xFFFF over a header whose checksum is right."""
    total = sum(int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


@pytest.mark.parametrize("tags", range(4))
@pytest.mark.parametrize("version", [4, 6])
@pytest.mark.parametrize("ecn", list(Ecn))
def test_ecn_field_is_where_it_belongs(tags: int, version: int, ecn: Ecn) -> None:
    frame = packets.tcp(tags=tags, version=version, ecn=ecn, payload=10)
    field = frame[15 + 4 * tags]
    assert (field >> 4 & 3 if version == 6 else field & 3) == ecn
    if version == 4:
        assert ones_complement_sum(frame[14 + 4 * tags : 34 + 4 * tags]) == 0xFFFF


@pytest.mark.parametrize("version", [4, 6])
def test_marking_changes_nothing_else(version: int) -> None:
    frame = packets.tcp(version=version, tags=1, payload=100, dscp=46)
    after = packets.marked(frame)
    changed = {index for index in range(len(frame)) if frame[index] != after[index]}
    assert changed <= ({19} if version == 6 else {19, 28, 29})
    assert len(after) == len(frame)


@pytest.mark.parametrize("length", [54, 60, 64, 1514, 9216])
def test_exact_length(length: int) -> None:
    assert len(packets.of_length(length)) == length


def test_flags() -> None:
    frame = packets.tcp(flags="SEC")
    assert frame[14 + 20 + 13] == 0xC2
    assert packets.tcp(flags="AN")[14 + 20 + 12] & 1
