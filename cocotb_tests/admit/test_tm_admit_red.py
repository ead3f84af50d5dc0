# SPDX-License-Identifier: BSD-3-Clause
"""tm_admit with RED: what its signals make of a frame of each codepoint."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.admit.one_beat import IDLE, PARAMETERS, beat
from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.config_words import OFF_BYTES, OFF_PACKETS
from cocotb_tests.env.red import ONE, Law, Region, evaluate
from cocotb_tests.env.tm_pkg import ARRIVAL, CFG, ORDER, RED, RED_CHANCE, RED_RSP, Ecn, Outcome
from cocotb_tests.env.tm_pkg import Law as LawKind

pytestmark = pytest.mark.builds("golden")


async def judge_one(dut: Any, length: int, ecn: Ecn) -> Outcome:
    """Offer one frame of one beat; return its outcome."""
    for lengths in ((None, None, length), (None, length, None), (length, None, None), (None, None, None)):
        dut.beat_i.value = beat(lengths, ecn)
        dut.next_first_i.value = dut.next_port_i.value = lengths[1] is not None
        await cycle(dut)
    arrival = ARRIVAL.unpack(int(dut.arrival_o.value))
    assert arrival["valid"] == 1
    await cycle(dut)
    arrival = ARRIVAL.unpack(int(dut.arrival_o.value))
    outcome = Outcome(arrival["outcome"])
    await cycle(dut, 20)
    return outcome


@cocotb.test()
async def red_decides(dut: Any) -> None:
    """RED's signals and what becomes of them, with RED in both slots or next to a step law.

    Stimulus: a queue of one frame, and what the curve says of it. Laws that signal with certainty at random
    (probability saturated from the first byte above min on), forced, below min, with harddrop and without ECN;
    and a step law for ECT and CE next to RED for Not-ECT.
    Checks: the outcome of a frame of each codepoint.
    """
    everyone = (Ecn.NOT_ECT, Ecn.ECT1, Ecn.ECT0, Ecn.CE)
    steep = Law.of(0, 8000, 1 << 24, slope=(1 << 32) - 1, slope_scale=0)
    forced, below = Law.of(50, 50, 1 << 24), Law.of(5000, 8000, 1 << 24)
    marked = [Outcome.MARK, Outcome.MARK, Outcome.CE_SIGNALLED]
    dropped = [Outcome.EARLY_PROBABILITY] * 4
    for law, kind, switches, expected in (
        (steep, LawKind.RED, {}, [Outcome.EARLY_PROBABILITY, *marked]),
        (steep, LawKind.RED, {"harddrop": 1}, [Outcome.EARLY_PROBABILITY, *marked]),
        (steep, LawKind.RED, {"noecn": 1}, dropped),
        (forced, LawKind.RED, {}, [Outcome.EARLY_FORCED, *marked]),
        (forced, LawKind.RED, {"harddrop": 1}, [Outcome.EARLY_FORCED] * 4),
        (forced, LawKind.RED, {"noecn": 1}, [Outcome.EARLY_FORCED] * 4),
        (below, LawKind.RED, {}, [Outcome.PASS, Outcome.PASS, Outcome.PASS, Outcome.PASS_CE]),
        (below, LawKind.RED, {"noecn": 1}, [Outcome.PASS, Outcome.PASS, Outcome.PASS, Outcome.PASS_CE]),
        (steep, LawKind.STEP, {}, [Outcome.EARLY_PROBABILITY, *marked]),
        (below, LawKind.STEP, {"harddrop": 1}, [Outcome.PASS] + [Outcome.EARLY_FORCED] * 3),
    ):
        await start(dut, IDLE, order_i=ORDER.pack(seed=1))
        dut.cfg_i.value = CFG.pack(
            enable=1,
            limit_bytes=OFF_BYTES,
            limit_packets=OFF_PACKETS,
            slot_of=1 << Ecn.NOT_ECT,
            law=kind | LawKind.RED << 2,
            k=50,
            **switches,
            red=law.pack() | law.pack() << RED.width,
        )
        # what the curve would say of the first frame
        region, probability = evaluate(law, 100 * ONE)
        chance = RED_CHANCE.pack(
            between=region is Region.BETWEEN, forced=region is Region.FORCED, probability=probability
        )  # fmt: skip
        dut.red_i.value = RED_RSP.pack(load=3, chance=chance)
        dut.order_i.value = ORDER.pack(commit=1, law_reset=3, seed=1)
        await cycle(dut)
        dut.order_i.value = ORDER.pack(seed=1)
        await cycle(dut, 2)
        assert await judge_one(dut, 100, Ecn.NOT_ECT) is Outcome.PASS  # the queue is empty, and the laws settle
        await cycle(dut, 30)
        got = [await judge_one(dut, 100, ecn) for ecn in everyone]
        assert got == expected, f"{law} {kind.name} {switches}: {got}"


@pytest.mark.parametrize(("flags_verdict", "departure"), [(0, 0), (1, 1), *slow((1, 0))])
def test_tm_admit_red(flags_verdict: int, departure: int) -> None:
    parameters = {**PARAMETERS, "FLAGS_VERDICT": flags_verdict, "RED": 1, "MARK_ON_DEPARTURE": departure}
    build_and_test("tm_admit", __name__, parameters=parameters)
