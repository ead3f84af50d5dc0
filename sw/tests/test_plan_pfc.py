# SPDX-License-Identifier: BSD-3-Clause
"""PFC's headroom against a link that is played byte by byte, and against the frames that fill the most memory."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import pytest
from sw.tests.frames import Command

from truemark import units
from truemark.plan.pfc import CABLE_M_PER_S, OVERHEAD, QUANTUM_BITS, RESPONSE_QUANTA, SHORTEST, Link

TEN, HUNDRED = 10 * 10**9, 100 * 10**9


def arrived(link: Link, own_begun: int, peer_begun: int) -> int:
    """Play a link whose far end sends frames without a gap, and return what arrives once a pause is wanted.

    All in the time of a byte. At 0 the pause is wanted; the frames on the way out and in have begun so long before.
    """
    period = link.frame + OVERHEAD
    flight = link.bytes_in(link.cable_m * 10**9 / CABLE_M_PER_S)
    response = (
        RESPONSE_QUANTA[link.rate] * QUANTUM_BITS // 8
        if link.reaction_ns is None
        else link.bytes_in(Fraction(link.reaction_ns))
    )
    obeys = period - own_begun + SHORTEST + OVERHEAD + flight + response  # when the far end begins no further frame
    begins = -flight - peer_begun  # the frame that arrives at 0 left so long ago
    last = begins + (obeys - 1 - begins) // period * period  # the last that it begins before
    return last + period + flight


@pytest.mark.parametrize(("rate", "cable", "mtu"), list(product((TEN, HUNDRED), (0, 3, 300), (1500, 9100))))
def test_no_link_sends_more_and_one_sends_as_much(rate: int, cable: int, mtu: int) -> None:
    link = Link(rate, Fraction(cable), mtu)
    period = link.frame + OVERHEAD
    most = max(arrived(link, 0, peer) for peer in range(period))
    total = sum(link.terms().values())
    assert total - 3 <= most <= total
    assert most > arrived(link, period, 0)


def test_a_reaction_that_is_given_takes_the_place_of_the_standard() -> None:
    link = Link(HUNDRED, Fraction(100), 1500, reaction_ns=1000)
    assert link.terms()["reaction_bytes"] == 12_500
    assert Link(HUNDRED, Fraction(100), 1500).terms()["reaction_bytes"] == 394 * 64
    assert Link(3 * 10**9, Fraction(100), 1500, reaction_ns=1000).terms()["reaction_bytes"] == 375


def test_short_frames_fill_the_most_cells() -> None:
    """65 B take two cells of 64 B and 85 B of the line; with cells of 256 B the shortest frame is the worst."""
    link = Link(HUNDRED, Fraction(100), 1500)
    assert link.cells(8500, 64) == (200, 65)
    assert link.cells(8400, 256) == (100, 64)
    for cell in (64, 128, 256):
        cells, _ = link.cells(50_000, cell)
        for length in range(SHORTEST, link.frame + 1):
            assert 50_000 // (length + OVERHEAD) * -(-length // cell) <= cells


def test_the_command(command: Command) -> None:
    code, out, error = command("plan", "pfc", "--rate", "100G", "--cable", "300m", "--mtu", "1500B", "--json")
    assert code == 0, error
    (found,) = json.loads(out)["plans"]
    assert found["cable_bytes"] == 37_879
    assert found["headroom_bytes"] == 37_879 + 25_216 + 84 + 2 * 1542
    assert found["units"]["headroom_cells"] == "cells"
    assert "[pfc] of a profile" in command("plan", "pfc", "--rate", "10G", "--cable", "3m")[1]


@pytest.mark.parametrize(("rate", "cable", "mtu"), [("100G", 300, 1500), ("100G", 3, 1500), ("10G", 300, 9100)])
def test_a_profile_is_enough_whatever_cells_a_device_has(command: Command, rate: str, cable: int, mtu: int) -> None:
    """A device turns its bytes into cells of its own, where frames of another length fill the most."""
    words = ("--rate", rate, "--cable", f"{cable}m", "--mtu", f"{mtu}B", "--json")
    (found,) = json.loads(command("plan", "pfc", *words)[1])["plans"]
    link = Link(units.parse_rate(rate, "rate"), Fraction(cable), mtu)
    for size in (64, 128):
        assert -(-found["headroom_memory_bytes"] // size) >= link.cells(found["headroom_bytes"], size)[0]
        (one,) = json.loads(command("plan", "pfc", *words, "--cell", f"{size}B")[1])["plans"]
        assert one["headroom_cells"] == link.cells(found["headroom_bytes"], size)[0]


def test_a_clock_gives_the_registers_of_a_port(command: Command) -> None:
    """The quantum that STEP counts is as long as that of the line or a little longer, and the watchdog's times too."""
    for rate, clock in ((10**10, 200_000_000), (10**11, 322_265_625), (10**9, 125_000_000)):
        words = ("--rate", f"{rate}bit/s", "--cable", "3m", "--reaction", "1us", "--clock", str(clock))
        (found,) = json.loads(command("plan", "pfc", *words, "--json")[1])["plans"]
        quantum = Fraction(QUANTUM_BITS, rate)
        counted = Fraction(1 << 24, found["step"] * clock)
        assert quantum <= counted < quantum * (1 + Fraction(1, 10_000))
        for key in ("detection", "restoration"):
            assert Fraction(1, 5) <= Fraction(found[key] << 16, clock) < Fraction(1, 5) + Fraction(1 << 16, clock)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--rate", "10G", "--cable", "300"), "cable '300': a unit is missing; did you mean 300m?"),
        (("--rate", "10G", "--cable", "300ft"), "cable '300ft': unknown unit 'ft'; lengths are in m or km"),
        (("--rate", "10G", "--cable", "200km"), "cable 200000 m: allowed is 0 to 100 km"),
        (("--rate", "3G", "--cable", "3m"), "rate 3G: 802.3 says nothing of it"),
        (("--rate", "10G", "--cable", "3m", "--mtu", "9MB"), "mtu 9000000 B: allowed is 42 to 16362 B"),
        (("--rate", "10G", "--cable", "3m", "--mtu", "1us"), "mtu '1us' is a time; bytes are wanted, such as 9100B"),
        (("--rate", "10G", "--cable", "3m", "--cell", "2pkt"), "cell '2pkt' is a number of packets; bytes are wanted"),
        (("--rate", "10G", "--cable", "3m", "--cell", "32B"), "cell 32 B: allowed is 64 to 1024 B"),
        (("--rate", "10G", "--cable", "3m", "--reaction", "5"), "reaction '5': a unit is missing; did you mean 5us?"),
        (
            ("--rate", "10G", "--cable", "3m", "--clock", "1M"),
            "clock 1 MHz: at 10G STEP is 327680000, allowed are 1 to",
        ),
        (("--rate", "10G", "--cable", "3m", "--clock", "1ms"), "clock '1ms': unknown unit 'ms'"),
    ],
)
def test_what_cannot_be_is_named(command: Command, words: tuple[str, ...], says: str) -> None:
    code, out, error = command("plan", "pfc", *words)
    assert (code, out) == (1, "")
    assert says in error
