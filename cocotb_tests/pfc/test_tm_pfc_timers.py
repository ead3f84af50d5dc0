# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_timers: a pause lasts as long as its quanta, in the line's own time."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start


@cocotb.test()
async def lasts_as_asked(dut: Any) -> None:
    """Pauses of all classes.

    Stimulus: 4000 cycles of 0 to 8 quanta; frames that set some classes, again before their pause has ended, with 0,
    and with the longest time.
    Checks: a class is paused from the cycle after its frame until its quanta have ended, without the one in which the
    frame came, and no longer; a later frame replaces what was left, and 0 ends it at once; others stay.
    """
    rng = randomness("tm_pfc_timers")
    coverage = Coverage("tm_pfc_timers")
    await start(dut, pause_valid_i=0, pause_i=0, elapsed_i=0)
    ends = [0] * 8  # the time, in quanta since reset, at which a class may send again
    now = 0
    for cycle in range(4000):
        elapsed = rng.choice((0, 1, 1, rng.randint(0, 8)))
        valid = rng.random() < 0.02
        enable, quanta = rng.getrandbits(8), [rng.choice((0, 1, 2, rng.randrange(400), 0xFFFF)) for _ in range(8)]
        dut.elapsed_i.value, dut.pause_valid_i.value = elapsed, int(valid)
        dut.pause_i.value = enable << 128 | sum(each << 16 * at for at, each in enumerate(quanta))
        await RisingEdge(dut.clk_i)
        paused = sum(1 << each for each in range(8) if ends[each] > now)
        assert int(dut.paused_o.value) == paused, f"cycle {cycle}"
        now += elapsed
        for each in range(8):
            if valid and enable >> each & 1:
                coverage.hit("replaced", ends[each] > now)
                coverage.hit("ended by 0", ends[each] > now and not quanta[each])
                ends[each] = now + quanta[each] + 1 if quanta[each] else now
            coverage.hit("ended by time", bool(paused >> each & 1) and ends[each] <= now)
    coverage.check({"replaced": 50, "ended by 0": 10, "ended by time": 50})


def test_tm_pfc_timers() -> None:
    build_and_test("tm_pfc_timers", __name__)
