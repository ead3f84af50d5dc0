# SPDX-License-Identifier: BSD-3-Clause
"""RED with spacing `linux` against Linux's integer arithmetic over random traffic, decision for decision.

Both get the same random words. One thing is Truemark's own and is kept out of the comparison: the limits are asked
before the law (Linux asks the law first and may mark a packet that its FIFO then refuses), which shows as `TAIL_BYTES`
here.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest
from truemark.device.engine import Build, Engine, find_libraries
from truemark.device.outcomes import Outcome, Spacing
from truemark.device.registers import CAPABILITIES
from truemark.errors import TruemarkError
from truemark.laws import policies, red, tc_red
from truemark_dev.marks import slow

from sim.peers.conftest import Open
from sim.peers.linux_red import CE, NOT_ECT, Fate, LinuxRed, next_word, words
from sim.peers.port import Port

pytestmark = pytest.mark.builds("engine:model", "engine:both_full")

FATE = {
    Outcome.PASS: Fate.PASS,
    Outcome.PASS_CE: Fate.PASS,
    Outcome.MARK: Fate.MARK,
    Outcome.CE_SIGNALLED: Fate.CE_COUNTED,
    Outcome.PROTECTED: Fate.NODROP,
    Outcome.EARLY_PROBABILITY: Fate.PROB_DROP,
    Outcome.EARLY_FORCED: Fate.FORCED_DROP,
    Outcome.TAIL_BYTES: Fate.TAIL_DROP,
}


@dataclass(frozen=True)
class Mix:
    """A law in tc's words, and how it treats what it cannot mark."""

    words: str
    ecn: bool = True
    harddrop: bool = False
    nodrop: bool = False


MIXES = {
    "weight 2^-5": Mix("limit 200000 min 30000 max 90000 avpkt 1000 burst 55 probability 0.02 bandwidth 10gbit"),
    "weight 2^-6": Mix("limit 280000 min 60K max 160K avpkt 1500 burst 70 probability 0.1 bandwidth 10gbit"),
    "weight 2^-1": Mix("limit 200000 min 20000 max 60000 avpkt 4000 burst 6 probability 0.5 bandwidth 10gbit"),
    "harddrop": Mix("limit 200000 min 30000 max 60000 avpkt 1000 burst 55 bandwidth 10gbit", harddrop=True),
    "no ecn": Mix("limit 200000 min 30000 max 60000 avpkt 1000 burst 55 bandwidth 10gbit", ecn=False),
    "nodrop": Mix("limit 200000 min 30000 max 60000 avpkt 1000 burst 55 bandwidth 10gbit", nodrop=True),
    "harddrop, nodrop": Mix(
        "limit 200000 min 30000 max 60000 avpkt 1000 burst 55 bandwidth 10gbit", harddrop=True, nodrop=True
    ),
}


def setting(mix: Mix) -> tuple[policies.PortSettings, LinuxRed]:
    """Return the same law for both."""
    options = tc_red.parse(mix.words.split())
    found = tc_red.constants(options)
    law = red.law(options.min, options.max, options.probability, found.wlog, spacing=Spacing.LINUX)
    table = tc_red.idle_table(found.wlog, found.packet_ticks)
    assert law.slope == found.divisor, "the slope is Linux's divisor"
    made = policies.settings(
        "red",
        law,
        limit_bytes=options.limit,
        idle=tc_red.clock_of(*table),
        protect="all" if mix.nodrop else None,
        ecn=mix.ecn,
        harddrop=mix.harddrop,
    )
    linux = LinuxRed(
        found.wlog,
        options.min,
        options.max,
        found.divisor,
        options.limit,
        *table,
        ecn=mix.ecn,
        harddrop=mix.harddrop,
        nodrop=mix.nodrop,
    )
    return made, linux


def compare(engine_open: Open, made: policies.PortSettings, linux: LinuxRed, packets: int, seed: int) -> Counter[str]:
    """Offer and take at random times; the fate of every packet and every average must be the reference's."""
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    with engine_open() as engine:
        port = Port(engine, made, seed)
        lengths: list[int] = []
        word, now, held = words(seed, 0), 1000, 0
        aim = 0.0
        was_idle = True  # a fresh queue: nothing to fade
        for number in range(packets):
            if rng.random() < 0.004:  # a queue to hover about: none, below the band, within it, beyond, full
                aim = rng.choice((0.0, 0.5, 1.5, 2.0, 2.5, 3.0, 9.0)) * linux.low
            while lengths and rng.random() < (0.7 if held > aim else 0.3):
                port.engine.take(now)
                held -= lengths.pop(0)
                was_idle = not lengths
            if was_idle:
                # No time, within a cell, in cells that halve or do not yet, and beyond the table, which leaves nothing.
                cell = 1000 << linux.cell_log
                passed = rng.choice(
                    (0, rng.randrange(cell), rng.randrange(20 * cell), rng.randrange(300 * cell), 10**10)
                )
                now += passed
                before = linux.average
                linux.idle(passed)
                met["idle"] += 1
                met["faded in part"] += 0 < linux.average < before
                met["faded"] += 0 == linux.average < before
            length = rng.choice((54, 60, 64, 576, 1000, 1500, 1514, 1514, 9000))
            ecn = rng.choice((NOT_ECT, 2, 2, 1, CE))
            fate = linux.decide(held, length, ecn, word, was_idle)
            outcome = port.put(now, length, ecn)
            if outcome is Outcome.TAIL_BYTES:
                assert held + length > linux.limit, f"packet {number}"
                met["refused by the limit"] += 1
            else:
                assert FATE[outcome] is fate, f"packet {number}: {outcome.name}, the reference says {fate}"
            assert port.average() == linux.average >> linux.wlog, f"packet {number}"
            if outcome <= Outcome.PROTECTED:
                held += length
                lengths.append(length)
            was_idle = not lengths
            word = next_word(word)
            met[outcome.name] += 1
    return met


def check(met: Counter[str], mix: Mix, packets: int) -> None:
    """Fail below a floor on what has to be met, of so many packets."""
    print(dict(met))
    floors = {"faded": 10, "faded in part": 20, "idle": 50}
    if mix.ecn:
        floors |= {"MARK": 100, "CE_SIGNALLED": 30}
    else:
        assert met["MARK"] == met["CE_SIGNALLED"] == 0
    floors |= {"PROTECTED": 20} if mix.nodrop else {"EARLY_PROBABILITY": 20}
    if mix.harddrop or not mix.ecn:
        floors |= {"EARLY_FORCED": 200}
    for what, floor in floors.items():
        assert met[what] > floor * packets // 20_000, what


@pytest.mark.parametrize("name", MIXES)
def test_random_traffic_is_decided_as_linux_does(model: Open, name: str) -> None:
    """10^5 packets in all, and more."""
    check(compare(model, *setting(MIXES[name]), 20_000, 7), MIXES[name], 20_000)


@pytest.mark.parametrize("name", ["nodrop", *slow(*sorted({*MIXES} - {"nodrop"}))])
def test_the_rtl_decides_as_linux_does(both_linux: Open, name: str) -> None:
    """Fewer packets, through RTL and golden model side by side: whatever one of them shows is compared."""
    check(compare(both_linux, *setting(MIXES[name]), 1200, 8), MIXES[name], 1200)


def test_a_reference_that_is_wrong_is_found(model: Open) -> None:
    """A divisor that is 2 % off is a difference in some decision."""
    made, linux = setting(MIXES["weight 2^-5"])
    wrong = replace(linux, divisor=linux.divisor + linux.divisor // 50)
    with pytest.raises(AssertionError, match="the reference says"):
        compare(model, made, wrong, 20_000, 7)


@pytest.mark.parametrize("wrong", [{"cell_log": 4}, {"table": [0] * 255 + [31]}], ids=["cell", "table"])
def test_another_idle_table_is_found(model: Open, wrong: dict[str, Any]) -> None:
    """Cells half as long, or a table that never halves, are a difference in some average."""
    made, linux = setting(MIXES["weight 2^-5"])
    assert linux.cell_log == 5
    with pytest.raises(AssertionError, match="packet"):
        compare(model, made, replace(linux, **wrong), 20_000, 7)


def test_a_build_without_it_refuses_it() -> None:
    """RED without this spacing says so when it is committed; the RTL does as a lockstep build and on the bench."""
    build = Build(ports=1, rows=60_000, descriptors=4000, switches=CAPABILITIES.pack(flags_verdict=1, red=1))
    with (
        Engine(find_libraries("model")[0], build) as engine,
        pytest.raises(TruemarkError, match="refused the commit, WEIGHT0"),
    ):
        Port(engine, setting(MIXES["weight 2^-5"])[0])
