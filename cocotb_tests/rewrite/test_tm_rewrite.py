# SPDX-License-Identifier: BSD-3-Clause
"""tm_rewrite: CE in the right bits, a right checksum, and no other bit changed."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.runner import build_and_fail, build_and_test

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.tm_pkg import L3, Ecn
from cocotb_tests.parse.headers import read_headers
from cocotb_tests.parse.vectors import checksum, ethernet, ipv4, ipv6, tcp


async def rewrite(dut: Any, frame: bytes, mark: bool, l3: L3, tags: int, new_checksum: int) -> bytes:
    """Pass a frame through, beat by beat."""
    width = dut.DATA_W.value.to_unsigned() // 8
    padded = frame + bytes(-len(frame) % width)
    out = b""
    dut.mark_i.value, dut.l3_i.value, dut.tags_i.value, dut.checksum_i.value = int(mark), int(l3), tags, new_checksum
    for row in range(len(padded) // width):
        dut.row_i.value = min(row, 7)
        dut.data_i.value = int.from_bytes(padded[row * width : (row + 1) * width], "little")
        await Timer(1, "ns")
        out += int(dut.data_o.value).to_bytes(width, "little")
    return out[: len(frame)]


def sample(rng: random.Random, tags: int, six: bool, ecn: Ecn) -> bytes:
    """Return a frame with an ECN field."""
    shims = [rng.choice((0x8100, 0x88A8)) for _ in range(tags)]
    segment = tcp(data=rng.randbytes(rng.randrange(400)))
    if six:
        return ethernet(0x86DD, ipv6(segment, ecn=ecn), shims)
    return ethernet(0x0800, ipv4(segment, ecn=ecn, options=rng.choice((0, 3))), shims)


@cocotb.test()
async def marks(dut: Any) -> None:
    """Every place the ECN field can be in.

    Stimulus: IPv4 and IPv6, 0 to 3 tags, ECT(0) and ECT(1), marked and not, long enough for the row count to saturate.
    Checks: the frame is the old one with CE set; an IPv4 header sums up right with the checksum that parse computes.
    """
    rng = randomness("tm_rewrite")
    coverage = Coverage("tm_rewrite")
    for tags in range(4):
        for six in (False, True):
            for ecn in (Ecn.ECT0, Ecn.ECT1):
                for mark in (False, True):
                    frame = sample(rng, tags, six, ecn)
                    headers = read_headers(frame, len(frame))
                    assert (headers.ecn, headers.tags) == (ecn, tags)
                    new_checksum = headers.marked_checksum if headers.marked_checksum is not None else 0xDEAD
                    out = await rewrite(dut, frame, mark, headers.l3, tags, new_checksum)
                    want = bytearray(frame)
                    if mark:
                        want[15 + 4 * tags] |= 0x30 if six else 0x03
                    if mark and not six:
                        start = 14 + 4 * tags
                        header = bytearray(want[start : start + 4 * (want[start] & 15)])
                        header[10:12] = b"\0\0"
                        want[start + 10 : start + 12] = checksum(bytes(header)).to_bytes(2, "big")
                    assert out == bytes(want), f"{headers.l3.name} {tags} tags {ecn.name} mark {mark}"
                    coverage.hit(f"{headers.l3.name} {'marked' if mark else 'passed'}")
    coverage.check({f"{l3} {what}": 8 for l3 in ("IPV4", "IPV6") for what in ("marked", "passed")})


@cocotb.test()
async def leaves_the_rest(dut: Any) -> None:
    """A frame without an ECN field, or long behind its headers.

    Stimulus: 600 random bytes with mark set and no L3; with IPv4, rows from the eighth on have the place of no field.
    Checks: not a bit changes, or only those of the header.
    """
    rng = randomness("tm_rewrite rest")
    frame = rng.randbytes(1200)
    assert await rewrite(dut, frame, True, L3.NONE, 0, 0xFFFF) == frame
    out = await rewrite(dut, frame, True, L3.IPV4, 0, 0xBEEF)
    assert out[:15] + out[26:] == frame[:15] + frame[26:]
    assert out[15] == frame[15] | 3
    assert out[24:26] == b"\xbe\xef"


@pytest.mark.parametrize("width", [64, *slow(128, 256, 512, 1024)])
def test_tm_rewrite(width: int) -> None:
    build_and_test("tm_rewrite", __name__, parameters={"DATA_W": width})


def test_assertion_fires() -> None:
    """Nothing but a broken source can break this one."""
    broken = mutant("rewrite/tm_rewrite.sv", "assign ipv6 = mark_i && l3_i == L3Ipv6;", "assign ipv6 = l3_i == L3Ipv6;")
    build_and_fail("tm_rewrite", __name__, assertion="Untouched_A", extra_sources=[broken], parameters={"DATA_W": 64})
