# SPDX-License-Identifier: BSD-3-Clause
"""The engines behind the C interface, where a fault of theirs would look like one of RTL or model."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import pytest
from truemark.device.engine import Build, Engine, find_libraries, open_engine
from truemark.device.outcomes import Outcome, Spacing
from truemark.device.registers import CAPABILITIES
from truemark.errors import TruemarkError
from truemark.laws import policies, red, slopes
from truemark.laws.step import Step

from sim.peers.port import ECT0, NOT_ECT, Port

pytestmark = pytest.mark.builds("engine:model", "engine:both_full", "engine:both_shallow_flags")

LENGTHS = (54, 60, 1514, 1514, 1514)
NS_PER_BYTE = 800  # 10 Mb/s

TWO_ENGINES = """
from truemark.device.engine import open_engine
first, second = open_engine("both"), open_engine("both")
for engine in (first, second):
    engine.advance(1000)
second.close()
first.close()
"""


def test_red_agrees_after_any_idle_time() -> None:
    """RTL and golden model see the same faded average, wherever in its round RED's shared unit is when time jumps.

    Stimulus: RED next to a step law at 10 Mb/s, phases of overload and of pauses in which the queue runs empty, so that
    frames arrive after idle times of all lengths while the average is in RED's band.
    Checks: each verdict, by the engine itself; and that such frames were met, with and without a signal.
    """
    law = red.law(8000, 24_000, Fraction(1, 10), 9, spacing=Spacing.UNIFORM)
    idle = slopes.idle(slopes.packet_time(500, 10_000_000))
    settings = policies.settings("dual-step", Step(12_000), law, limit_bytes=100_000, idle=idle)
    rng = random.Random(1)
    after_idle: Counter[Outcome] = Counter()
    with open_engine("both", features=frozenset({"red"})) as engine:
        port = Port(engine, settings)
        now, free_at = 1000, 0
        held: list[int] = []
        for number in range(4000):
            now += rng.randrange(800_000 if number // 150 % 3 else 2_800_000)
            while held and free_at <= now:
                engine.take(free_at)
                free_at += held.pop(0) * NS_PER_BYTE
            length = rng.choice(LENGTHS)
            outcome = port.put(now, length, rng.choice((NOT_ECT, NOT_ECT, NOT_ECT, ECT0)))
            if not held:
                after_idle[outcome] += 1
                free_at = max(free_at, now)
            if outcome <= Outcome.PROTECTED:
                held.append(length)
    print(dict(port.arrived), "after an idle time", dict(after_idle))
    assert port.marks > 100
    assert port.unforced_drops > 30
    assert after_idle[Outcome.PASS] > 100
    assert after_idle[Outcome.EARLY_PROBABILITY] + after_idle[Outcome.EARLY_FORCED] > 10


@pytest.mark.parametrize(("limit", "held", "refusal"), [(300_000, 4615, "TAIL_BYTES"), (None, 4616, "NO_ROOM")])
def test_a_queue_of_shallow_meets_its_limit_before_the_rows_end(limit: int | None, held: int, refusal: str) -> None:
    """Frames that waste most of their rows, 65 bytes in three of 32: RTL and golden model keep as many rows spare."""
    with open_engine("both") as engine:
        port = Port(engine, policies.settings("droptail", limit_bytes=limit))
        outcomes = [port.put(1000 * number, 65) for number in range(1, held + 2)]
    assert outcomes == [Outcome.PASS] * held + [Outcome[refusal]]


def test_a_pool_in_which_no_frame_fits_is_refused() -> None:
    build = Build(ports=2, data_w=64, rows=7, max_frame=64, switches=CAPABILITIES.pack(pool=1))
    with pytest.raises(TruemarkError, match="rows = 7, allowed: with pool more than 8 cells"):
        Engine(find_libraries("model")[0], build)


def test_two_engines_close_in_any_order() -> None:
    """Verilator keeps one context for a thread: that of the engine that was used last, which may be closed first."""
    subprocess.run([sys.executable, "-c", TWO_ENGINES], check=True, timeout=20)
