# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_decay_linux: what tc's table leaves of an average in an idle time, bit for bit."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.red import ONE, Law
from cocotb_tests.env.tm_pkg import Spacing

pytestmark = pytest.mark.builds("golden")

IDLE = dict.fromkeys(["first_i", "elapsed_i", "reciprocal_i", "shift_i", "weight_i", "average_i"], 0)
CASES = 1500


@cocotb.test()
async def decays_by_the_table(dut: Any) -> None:
    """An idle time in every third cycle.

    Stimulus: 1500 idle times from 0 to 2^42 - 1 ns, half of them about one cell or the whole table, every size of a
    cell, entries of the table in both scales, every weight, averages from 0 to the largest; all pins change in every
    cycle.
    Checks: 13 cycles after its first one, what is left of the average, bit for bit by the rule.
    """
    rng = randomness("tm_red_decay_linux")
    coverage = Coverage("tm_red_decay_linux")
    width = dut.COUNT_W.value.to_unsigned()
    await start(dut, IDLE, reset=None)
    cases: list[tuple[int, int, int, int, int]] = []
    for now in range(3 * CASES):
        if now % 3 == 0:
            shift, weight = rng.randrange(64), rng.randrange(25)
            cell = 1000 << shift % 32
            elapsed = rng.choice(
                (rng.getrandbits(rng.randrange(43)), rng.randrange(cell), rng.randrange(300 * cell), 255 * cell, cell)
            )
            elapsed = min(max(elapsed + rng.choice((0, 0, -1, 1)), 0), (1 << 42) - 1)
            # the table ends after the 200 cells or so in which tc's reaches its last entries
            reciprocal = rng.choice((131071, rng.randrange(1, 131072), rng.getrandbits(rng.randint(8, 17)) or 1))
            unit = ONE >> weight
            most = (1 << width + 24) // unit - 1
            average = rng.choice((most, rng.randint(0, most), rng.getrandbits(rng.randint(1, 20)) % (most + 1))) * unit
            cases.append((elapsed, reciprocal, shift, weight, average))
        # Each value is on its pin in its own cycle only.
        values = [rng.getrandbits(42), rng.getrandbits(17), rng.getrandbits(6), rng.getrandbits(5), rng.getrandbits(15)]
        for pin, delay in enumerate((0, 0, 2, 4, 5)):
            if now >= delay and (now - delay) % 3 == 0:
                values[pin] = cases[(now - delay) // 3][pin]
        dut.first_i.value = now % 3 == 0
        dut.elapsed_i.value, dut.reciprocal_i.value, dut.shift_i.value, dut.weight_i.value, dut.average_i.value = values
        await cycle(dut)
        if now < 13 or (now - 13) % 3:
            continue
        case = cases[(now - 13) // 3]
        elapsed, reciprocal, shift, weight, average = case
        law = Law(weight, spacing=Spacing.LINUX)
        expected = golden().faded(vars(law), average, elapsed, reciprocal, shift)
        got = int(dut.decayed_o.value)
        assert got == expected, f"{case}: {got}, expected {expected}"
        part = elapsed // 1000 << 1 < 1 << shift % 32 and weight > 0
        coverage.hit("part of a cell", part and expected < average)
        coverage.hit(
            "half, of an odd average", part and expected < average and average == 2 * expected + (ONE >> weight)
        )
        coverage.hit("half", not part and expected > 0 and expected == average // 2)
        coverage.hit("more than half", 0 < expected < average // 2 - ONE)
        coverage.hit("beyond the table", elapsed // 1000 >> shift % 32 >= 255 and average > 0)
        coverage.hit("gone", average > 0 and expected == 0)
    coverage.check(
        {
            "part of a cell": 120,
            "half, of an odd average": 1,
            "half": 25,
            "more than half": 120,
            "beyond the table": 75,
            "gone": 75,
        }
    )


@pytest.mark.parametrize("width", [15, *slow(22)])
def test_tm_red_decay_linux(width: int) -> None:
    build_and_test("tm_red_decay_linux", __name__, parameters={"COUNT_W": width})
