# SPDX-License-Identifier: BSD-3-Clause
"""The scenarios of ns-3's suites red-queue-disc and adaptive-red-queue-disc, through Truemark's RED.

Rewritten from a table of their settings and pass conditions. 300 packets are offered and none leaves. ns-3 counts in
packets or in bytes; Truemark counts bytes, so packet mode is thresholds in multiples of the one length that all frames
have. Weights go to the nearest power of two, `Wait` is spacing `wait`, without it `uniform`. What chance decides is
held for several seeds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from truemark.device.outcomes import Outcome, Spacing
from truemark.laws import ns2, policies, red, slopes

from sim.peers.conftest import Open
from sim.peers.port import ECT0, MS, NOT_ECT, Port

pytestmark = pytest.mark.builds("engine:model", "engine:both_full")

PACKETS = 300
MODES = {"packets": 64, "bytes": 500}  # length of the frames
SEEDS = tuple(range(1, 26))
MODE = pytest.mark.parametrize("length", MODES.values(), ids=MODES.keys())


@dataclass(frozen=True)
class Scenario:
    """Settings in ns-3's words; thresholds in packets."""

    low: float = 70.0
    high: float = 150.0
    size: int = 300
    qw: float = 0.002
    linterm: float = 50.0
    gentle: bool = True
    wait: bool = True
    ect: bool = False
    ecn: bool = True  # UseEcn
    adaptive: bool = False
    bottom: Fraction = slopes.BOTTOM
    gap_ns: int = 0  # between two packets

    def settings(self, length: int, probability: Fraction | None = None) -> policies.PortSettings:
        """Return the same for Truemark, or with another probability than 1 / LInterm.

        UseHardDrop is ns-3's default: forced signals drop whatever they meet.
        """
        law = red.law(
            round(self.low * length),
            round(self.high * length),
            probability or 1 / Fraction(self.linterm),
            red.nearest_weight(self.qw),
            spacing=Spacing.WAIT if self.wait else Spacing.UNIFORM,
            gentle=self.gentle,
            adaptive=self.adaptive,
            bottom=self.bottom,
        )
        idle = slopes.idle(slopes.packet_time(500, 1_500_000))
        return policies.settings("red", law, limit_bytes=self.size * length, idle=idle, ecn=self.ecn, harddrop=True)

    def run(self, opened: Open, length: int, seed: int = 1, packets: int = PACKETS) -> Result:
        """Offer the packets."""
        with opened() as engine:
            port = Port(engine, self.settings(length), seed)
            for number in range(packets):
                port.put(number * self.gap_ns, length, ECT0 if self.ect else NOT_ECT)
            return Result(
                port.unforced_drops,
                port.forced_drops,
                port.limit_drops,
                port.drops,
                port.marks,
                port.average() / length,
            )


@dataclass(frozen=True)
class Result:
    """What became of the packets, and the average in packets at the end."""

    unforced_drops: int
    forced_drops: int
    limit_drops: int
    drops: int
    marks: int
    average: float


SMALL_WEIGHT = Scenario()
LARGE_WEIGHT = replace(SMALL_WEIGHT, qw=0.02)
STEEP = Scenario(low=30, high=90, linterm=2)


@MODE
def test_1_first_in_first_out(model: Open, length: int) -> None:
    """Eight packets fill a queue of eight that no threshold touches; they leave in order, and a ninth time nothing."""
    with model() as engine:
        port = Port(engine, Scenario(low=2, high=5, size=8).settings(length))
        for number in range(8):
            assert port.packets() == number
            data = bytes([number + 1]) * 12 + bytes(length - 12)
            engine.offer(0, data)
            (event,) = engine.events()
            assert event.outcome == Outcome.PASS
        assert port.packets() == 8
        for number in range(8):
            departure = engine.take(0)
            assert departure is not None
            assert departure.data[0] == number + 1
            assert port.packets() == 7 - number
        assert engine.take(0) is None


@MODE
@pytest.mark.parametrize("seed", SEEDS)
def test_2_a_small_weight_drops_nothing(model: Open, length: int, seed: int) -> None:
    """The average ends just above min, and `wait` keeps the first signal 1/p away."""
    port = SMALL_WEIGHT.run(model, length, seed)
    assert (port.unforced_drops, port.forced_drops, port.limit_drops) == (0, 0, 0)
    assert port.average == pytest.approx(74.24, rel=0.05)  # with 2^-9 for 0.002


COMPARED = {
    "3 larger weight": (LARGE_WEIGHT, None),
    "4 max 100": (replace(LARGE_WEIGHT, high=100), LARGE_WEIGHT),
    "5 LInterm 5": (replace(LARGE_WEIGHT, linterm=5), LARGE_WEIGHT),
    "6 not gentle": (replace(LARGE_WEIGHT, gentle=False), LARGE_WEIGHT),
    "7 without wait": (replace(LARGE_WEIGHT, wait=False), LARGE_WEIGHT),
}


@MODE
@pytest.mark.parametrize("name", COMPARED)
def test_3_to_7_total_drops(model: Open, length: int, name: str) -> None:
    """Drops occur; and more of them than in test 3 with each of the four changes."""
    scenario, less = COMPARED[name]
    for seed in SEEDS:
        drops = scenario.run(model, length, seed).drops
        assert drops > (less.run(model, length, seed).drops if less else 0), f"seed {seed}"


@MODE
@pytest.mark.parametrize("seed", SEEDS)
def test_8_10_11_ecn_marks_what_is_ect_and_nothing_else(model: Open, length: int, seed: int) -> None:
    """Not-ECT packets (8, 11): unforced drops, no mark. ECT packets (10): marks, no drop."""
    plain = STEEP.run(model, length, seed)
    assert plain.unforced_drops > 0
    assert plain.forced_drops == plain.marks == 0
    marked = replace(STEEP, ect=True).run(model, length, seed)
    assert marked.marks > 0
    assert marked.drops == 0


@MODE
@pytest.mark.parametrize("seed", SEEDS)
def test_9_ect_without_ecn(model: Open, length: int, seed: int) -> None:
    """ECT packets and no ECN: unforced drops, no mark."""
    dropped = replace(STEEP, ect=True, ecn=False).run(model, length, seed)
    assert dropped.unforced_drops > 0
    assert dropped.forced_drops == dropped.marks == 0


@dataclass
class Host:
    """A host that watches the average of a port and moves its probability, which leaves average and spacing alone."""

    port: Port
    scenario: Scenario
    length: int
    moves: int = 0

    def place(self) -> Fraction:
        """Where the average is: 0 at min, 1 at max."""
        low, high = Fraction(self.scenario.low), Fraction(self.scenario.high)
        return (Fraction(self.port.average(), self.length) - low) / (high - low)

    def move(self, probability: Fraction) -> None:
        """Commit another probability."""
        before = self.port.average()
        self.port.device.commit(0, self.scenario.settings(self.length, probability))
        assert self.port.average() == before
        self.moves += 1


@MODE
def test_12_fengs_adaptation_by_the_host(model: Open, length: int) -> None:
    """Feng divides maxp by 3 where the average falls below min and doubles it where it rises above max.

    Not a law of Truemark; a host that watches the average does it with a commit that moves only the probability, which
    leaves average and spacing alone. Fewer drops than test 11.
    """
    for seed in SEEDS[:10]:
        with model() as engine:
            port = Port(engine, STEEP.settings(length), seed)
            host = Host(port, STEEP, length)
            probability, status = Fraction(1, 2), "above"
            for _ in range(PACKETS):
                port.put(0, length)
                place = host.place()
                now = "below" if place < 0 else "above" if place > 1 else "between"
                if now != status and now != "between":
                    probability = probability / 3 if now == "below" else min(2 * probability, Fraction(1))
                    host.move(probability)
                status = now
            drops = port.unforced_drops + port.forced_drops
        assert host.moves > 0
        assert drops < STEEP.run(model, length, seed).drops, f"seed {seed}"


@MODE
def test_13_a_curve_of_the_second_degree_by_the_host(model: Open, length: int) -> None:
    """NLRED: 1.5 maxp x^2 where the average is x of the way from min to max. Fewer drops than test 11.

    Truemark's RED is a line, maxp x; a host that watches the average commits 1.5 maxp x for maxp, so that the
    probability of the next packet is that of the curve.
    """
    for seed in SEEDS[:10]:
        with model() as engine:
            port = Port(engine, STEEP.settings(length), seed)
            host = Host(port, STEEP, length)
            for _ in range(PACKETS):
                if 0 < (place := host.place()) < 1:
                    host.move(min(Fraction(3, 2) / Fraction(STEEP.linterm) * place, Fraction(1)))
                port.put(0, length)
            assert port.unforced_drops > 0
        assert host.moves > 100  # the average passes min with the 187th packet or so
        assert port.drops < STEEP.run(model, length, seed).drops, f"seed {seed}"


# ---- adaptive-red-queue-disc. ns-3 resolves weight, thresholds and bottom from the link as below; the resolved weights
# are in the table that these scenarios were taken from.

SLOW, MIDDLE, FAST = 15_000, 1_500_000, 150_000_000  # bit/s
DELAY_NS = 5 * MS


def automatic_weight(mode: int, rate: int) -> float:
    """Weights 0, -1 and -2: one second of packets, ten round-trip times, a tenth of a second."""
    packets = rate / (8 * 500)
    rtt = max(0.1, 3 * (0.0 + 1 / packets))
    return -math.expm1({0: -1 / packets, -1: -1 / (10 * rtt * packets), -2: -10 / packets}[mode])


@pytest.mark.parametrize(
    ("mode", "rate", "resolved"),
    [
        (0, MIDDLE, 2.663e-3),
        (0, SLOW, 0.2341),
        (-1, MIDDLE, 2.663e-3),
        (-1, SLOW, 3.053e-2),
        (-2, MIDDLE, 2.631e-2),
        (-2, SLOW, 0.9305),
    ],
)
def test_automatic_weights(mode: int, rate: int, resolved: float) -> None:
    """The rules that the tests below use give what ns-3 resolved (its RTT knows a link delay: -1 differs a little)."""
    assert automatic_weight(mode, rate) == pytest.approx(resolved, rel=0.1)


@MODE
@pytest.mark.parametrize(
    ("test", "qw", "drops"),
    [
        (1, automatic_weight(0, MIDDLE), False),
        (2, automatic_weight(0, SLOW), True),
        (3, automatic_weight(-1, MIDDLE), False),
        (4, automatic_weight(-1, SLOW), True),
        (5, automatic_weight(-2, MIDDLE), True),
    ],
)
def test_adaptive_1_to_5_weights(model: Open, length: int, test: int, qw: float, drops: bool) -> None:
    """A weight of a fast link drops nothing in 300 packets, one of a slow link does."""
    for seed in SEEDS:
        assert (replace(SMALL_WEIGHT, qw=qw).run(model, length, seed).unforced_drops > 0) == drops, (test, seed)


@MODE
def test_adaptive_6_a_slower_link_differs(model: Open, length: int) -> None:
    """With weight -2 a link of 15 kbit/s does not drop as often as one of 1.5 Mbit/s: it drops more."""
    for seed in SEEDS:
        fast, slow = (
            replace(SMALL_WEIGHT, qw=automatic_weight(-2, rate)).run(model, length, seed).unforced_drops
            for rate in (MIDDLE, SLOW)
        )
        assert slow > fast, f"seed {seed}"


@MODE
@pytest.mark.parametrize(
    ("rate", "thresholds", "drops"), [(MIDDLE, (5, 15), True), (FAST, (93.75, 281.25), False)], ids=["7", "8"]
)
def test_adaptive_7_8_thresholds(
    model: Open, length: int, rate: int, thresholds: tuple[float, float], drops: bool
) -> None:
    """Automatic thresholds, as in `truemark plan red`: 5 packets on a slow link; a fast one drops nothing."""
    low, high = ns2.thresholds(rate, DELAY_NS)
    assert (float(low), float(high)) == thresholds
    scenario = Scenario(low=float(low), high=float(high))
    for seed in SEEDS:
        assert (scenario.run(model, length, seed).unforced_drops > 0) == drops, f"seed {seed}"


SPACED = Scenario(low=5, high=15, linterm=2, gap_ns=10 * MS)
ADAPTED = replace(SPACED, adaptive=True, qw=automatic_weight(0, MIDDLE), bottom=Fraction(267, 1_000_000))


@MODE
def test_adaptive_9_10_ared_drops_less_by_chance(model: Open, length: int) -> None:
    """One packet every 10 ms: drops at random, and fewer of them with ARED, which has lowered its probability.

    ns-3 asks this of one run; both weights are 2^-9 here (0.002 and 0.00266), so ARED alone makes the difference: some
    seeds end level, none with more.
    """
    runs = [(SPACED.run(model, length, seed), ADAPTED.run(model, length, seed)) for seed in SEEDS]
    assert all(plain.unforced_drops > 0 for plain, _ in runs)
    assert all(adapted.unforced_drops <= plain.unforced_drops for plain, adapted in runs)
    assert runs[0][1].unforced_drops < runs[0][0].unforced_drops
    assert sum(adapted.unforced_drops < plain.unforced_drops for plain, adapted in runs) > len(runs) / 2
    assert all(adapted.forced_drops >= plain.forced_drops for plain, adapted in runs)  # as in ns-3


def test_the_rtl_gives_the_same(both_red: Open) -> None:
    """The scenarios that tell most, through RTL and golden model: the engine compares every verdict."""
    marked = replace(STEEP, ect=True).run(both_red, 64)
    assert (marked.marks > 0, marked.drops) == (True, 0)
    assert replace(LARGE_WEIGHT, wait=False).run(both_red, 64).drops > LARGE_WEIGHT.run(both_red, 64).drops > 0
    assert ADAPTED.run(both_red, 64).unforced_drops > 0
