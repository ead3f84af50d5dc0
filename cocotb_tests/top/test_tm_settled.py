# SPDX-License-Identifier: BSD-3-Clause
"""tm_settled: when everything that reached the core has had its effect."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.tm_pkg import ARRIVAL, DEPARTURE, HELD

PORTS = 2
FRAMES, LAWS = 16, 128  # cycles of rest, without and with RED's round
LAG = 2


@cocotb.test()
async def rest_and_stir(dut: Any) -> None:
    """The contract, of each cause alone.

    Stimulus: 400 pauses of up to 160 cycles, each ended by one cycle of one cause: a beat, a row, an arrival, a
    departure, control, the law, cells on their way back, a frame that may leave, a step of the time by any one bit.
    While nothing stirs, what must not count does: ports enabled that hold nothing, ports that hold frames and are not
    enabled.
    Checks: each bit in every cycle is 1 exactly if so many cycles have passed since the last cause, two cycles late;
    the time counts exactly if RED or CoDel is built.
    """
    coverage, rng = Coverage("tm_settled"), randomness("tm_settled")
    red, codel = bool(dut.RED.value), bool(dut.CODEL.value)
    pins = ("beat_valid_i", "row_valid_i", "control_busy_i", "law_busy_i", "freeing_i")
    events = {"arrival": Fields(dut.arrival_i, ARRIVAL), "departure": Fields(dut.departure_i, DEPARTURE)}
    held = Fields(dut.held_i, HELD)
    await start(dut, dict.fromkeys((*pins, "tx_en_i", "held_i", "arrival_i", "departure_i", "time_i"), 0))
    rest, time = None, 0  # cycles since a cause, as of two cycles ago; none before the first
    seen = [False] * LAG
    for _ in range(400):
        pause = LAG + rng.choice((rng.randint(1, 20), rng.randint(LAWS, 160), FRAMES, LAWS))
        cause = rng.choice((*pins, *events, "leaves", "time"))
        for left in range(pause, -1, -1):
            stirs = left == 0
            port = rng.randrange(PORTS)
            wide = 1 << port
            for pin in pins:
                dut[pin].value = (wide if len(dut[pin]) == PORTS else 1) if stirs and cause == pin else 0
            for event, fields in events.items():
                fields.set(valid=wide if stirs and cause == event else 0)
            width = held.width("packets") // PORTS
            holds = rng.getrandbits(PORTS)
            held.set(packets=sum(rng.randint(1, (1 << width) - 1) << width * p for p in range(PORTS) if holds >> p & 1))
            dut.tx_en_i.value = ~holds & (1 << PORTS) - 1
            if stirs and cause == "leaves":
                held.set(packets=1 << width * port + rng.randrange(width))
                dut.tx_en_i.value = wide
            if stirs and cause == "time":
                time ^= 1 << rng.randrange(len(dut.time_i))
                dut.time_i.value = time
            await cycle(dut)
            seen.append(stirs and (cause != "time" or red or codel))
            rest = 0 if seen.pop(0) else None if rest is None else rest + 1
            if rest is None:
                continue
            expected = (rest >= FRAMES) | (rest >= (LAWS if red else FRAMES)) << 1
            assert int(dut.settled_o.value) == expected, f"{rest} cycles after a cause, the next {cause}"
            coverage.hit(cause, stirs and expected != 0)
            coverage.hit("settled", expected == 3)
    coverage.check({**dict.fromkeys((*pins, *events, "leaves", "time"), 10), "settled": 1000})


@pytest.mark.parametrize(("red", "codel"), [(1, 0), *slow((0, 0), (0, 1))])
def test_tm_settled(red: int, codel: int) -> None:
    build_and_test("tm_settled", __name__, parameters={"PORTS": PORTS, "RED": red, "CODEL": codel})


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("|| law_busy_i", ""),
        ("|| freeing_i", ""),
        ("held_i[p].packets != '0", "held_i[p].packets[0]"),
        ("RED ? 7 : 4", "RED ? 6 : 4"),
    ],
)
def test_mutants_are_found(right: str, wrong: str) -> None:
    broken = mutant("core/tm_settled.sv", right, wrong)
    with pytest.raises((RuntimeError, SystemExit)):
        build_and_test("tm_settled", __name__, parameters={"PORTS": PORTS, "RED": 1}, extra_sources=[broken])
