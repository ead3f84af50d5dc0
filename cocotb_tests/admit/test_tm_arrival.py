# SPDX-License-Identifier: BSD-3-Clause
"""tm_arrival: one verdict for each copy, rows taken or refused, and what becomes of a frame that turns out wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.config_words import STORED
from cocotb_tests.env.tm_pkg import Outcome

IDLE = dict.fromkeys(
    [
        "next_first_i", "next_port_i", "next_ecn_valid_i", "next_flags_valid_i", "next_end_i", "next_bad_i",
        "next_wait_flags_i", "by_class_i", "elsewhere_i", "stores_i", "outcome_i", "leaving_i",
    ],
    0,
)  # fmt: skip
VERDICTS = [outcome for outcome in Outcome if outcome < Outcome.ABORTED]


@dataclass(eq=False)
class Frame:
    """A frame on the bus, and what this port did with it."""

    rows: int
    mine: bool
    ecn_after: int  # rows with which the ECN field is known
    flags_after: int
    bad: bool
    elsewhere: bool  # another queue of its line takes it
    by_class: bool  # which one, its flags say
    sent: int = 0
    outcome: Outcome | None = None
    leaving: bool = False


def any_frame(rng: random.Random) -> Frame:
    """Frames of one row to eight, one in four wrong."""
    rows = rng.choice((1, 1, 2, 3, 8))
    ecn = rng.randint(1, rows)
    return Frame(
        rows,
        rng.random() < 0.8,
        ecn,
        rng.randint(ecn, rows),
        rng.random() < 0.25,
        rng.random() < 0.3,
        rng.random() < 0.3,
    )


@cocotb.test()
async def follows_frames(dut: Any) -> None:
    """Every frame's way through admission.

    Stimulus: 12000 cycles of frames with strobes anywhere a frame allows them, back to back and with pauses; any
    verdict; a port that waits for the flags or not and changes its mind in mid-frame; frames that another queue takes;
    stored frames begin to leave or not.
    Checks: in every cycle which rows are taken, the one request for a verdict, whether it may store, aborted, cut,
    and a cycle after it what is rewound; what is foretold of an abort; one cycle after the last row the copy's tally,
    once, and its outcome in the cycle after that.
    """
    rng = randomness("tm_arrival")
    coverage = Coverage("tm_arrival")
    flags_verdict = bool(int(dut.FLAGS_VERDICT.value))
    await start(dut, IDLE)
    frame: Frame | None = None
    following = any_frame(rng)
    wait = next_wait = rewind = next_beat = False
    foretold: bool | None = None
    tally: tuple[Outcome, bool] | None = None
    told_outcome: Outcome | None = None  # of the verdict in the cycle before
    said_outcome: Outcome | None = None  # of the copy that was tallied in the cycle before
    for step in range(12000):
        wait = next_wait
        if rng.random() < 0.05:
            next_wait = not next_wait
        # a row, and the strobes that it tells
        beat, next_beat = next_beat, rng.random() < 0.8
        first = beat and (frame is None or frame.sent == frame.rows)
        if first:
            frame, following = following, any_frame(rng)
        current = frame
        if beat and current is not None:
            current.sent += 1
        told = current if beat else None
        ecn = told is not None and told.sent == told.ecn_after
        flags = told is not None and told.sent == told.flags_after and flags_verdict
        end = told is not None and told.sent == told.rows
        bad = end and told is not None and told.bad
        next_first = next_beat and (current is None or current.sent == current.rows)
        coming = following if next_first else current
        row = 0 if not next_beat or coming is None else 1 if next_first else coming.sent + 1
        next_end = coming is not None and row == coming.rows
        next_ecn = coming is not None and row == coming.ecn_after
        next_flags = coming is not None and row == coming.flags_after and flags_verdict
        # what the port has to do
        mine = current is not None and current.mine
        waits = wait or (current is not None and current.by_class)
        due = (
            mine
            and current is not None
            and current.outcome is None
            and (flags or (ecn and not (waits and flags_verdict)))
        )
        let_go = due and current is not None and current.elsewhere
        judge = due and not let_go
        verdict = rng.choice(VERDICTS) if rng.random() < 0.4 else Outcome.PASS
        store = verdict in STORED
        arriving = current is not None and current.outcome in STORED and (beat or current.sent < current.rows)
        leaving = arriving and current is not None and current.leaving
        stored = judge and store and not bad
        abort = bad and arriving and not leaving
        cut = bad and leaving
        refuse = (due and not stored) or abort
        refused = mine and current is not None and current.outcome is not None and current.outcome not in STORED
        take = mine and not refused
        dut.next_first_i.value = next_first
        dut.next_port_i.value = following.mine if next_first else rng.getrandbits(1)
        dut.next_ecn_valid_i.value, dut.next_flags_valid_i.value, dut.next_end_i.value = next_ecn, next_flags, next_end
        dut.next_bad_i.value = coming.bad if next_end and coming is not None else rng.getrandbits(1)
        dut.next_wait_flags_i.value, dut.stores_i.value = next_wait, stored
        dut.by_class_i.value = told.by_class if told is not None and (ecn or flags) else rng.getrandbits(1)
        dut.outcome_i.value = rng.choice(VERDICTS) if told_outcome is None else told_outcome
        dut.leaving_i.value = leaving
        dut.elsewhere_i.value = let_go if due else rng.getrandbits(1)
        await cycle(dut)
        expected = {
            "judge": judge, "abort": abort, "cut": cut, "rewind": rewind, "arriving": arriving,
            "arrive_valid": tally is not None, "end": end and mine, "wrong": bad and mine,
        }  # fmt: skip
        got = {name: bool(getattr(dut, f"{name}_o").value) for name in expected}
        assert got == expected, f"step {step}: {got}, the rules say {expected}"
        assert int(dut.may_store_o.value) == 7 * (judge and not bad), f"step {step}: may be stored"
        if beat:
            assert bool(dut.take_o.value) == take, f"step {step}: take"
        if foretold is not None and (judge or abort):
            assert foretold == abort, f"step {step}: what was foretold of an abort"
        foretold = bool(dut.next_abort_o.value)
        if said_outcome is not None:
            said = Outcome(int(dut.arrive_outcome_o.value))
            assert said is said_outcome, f"step {step}: {said}, the rules say {said_outcome}"
        if tally is not None:
            assert bool(dut.arrive_stored_o.value) == tally[1], f"step {step}: the copy is held or leaving"
        said_outcome = tally[0] if tally else None
        told_outcome = verdict if judge else None
        # what the cycle did
        if current is not None:
            if judge:
                current.outcome = Outcome.ABORTED if store and bad else verdict
            if abort:
                current.outcome = Outcome.ABORTED
            if (stored or arriving) and rng.random() < 0.3:
                current.leaving = True
            if let_go:
                current.mine = False
            coverage.hit("let go", let_go and not end)
            coverage.hit("let go at its end", let_go and end)
            coverage.hit("wrong in the cycle of its verdict", judge and store and bad)
            coverage.hit("rewound in the cycle of the next first row", rewind and first)
            coverage.hit("judged at its end", judge and end)
            coverage.hit("judged at the flags", judge and not ecn)
            coverage.hit("aborted", abort)
            coverage.hit("cut", cut)
            coverage.hit("refused and wrong", bad and refused)
        tally = None
        if end and current is not None and current.mine:
            assert current.outcome is not None
            tally = (current.outcome, current.outcome in STORED)
        rewind = refuse
    floors = dict.fromkeys(coverage.hits, 20)
    coverage.check(floors | {"judged at the flags": 50 if flags_verdict else 0})


@pytest.mark.parametrize("flags_verdict", [0, 1])
def test_tm_arrival(flags_verdict: int) -> None:
    build_and_test("tm_arrival", __name__, parameters={"FLAGS_VERDICT": flags_verdict})


FIRST = {"next_first_i": 1, "next_port_i": 1}
NOTHING = dict.fromkeys(FIRST, 0)

test_assertion_fires = breaches(
    "tm_arrival",
    Breach("JudgedByEnd_A", "end a frame that was never judged", [{**FIRST, "next_end_i": 1}, NOTHING]),
    Breach(
        "WrongNotStored_A",
        "store a frame in the cycle it turns out wrong",
        [{**FIRST, "next_end_i": 1, "next_bad_i": 1, "next_ecn_valid_i": 1}, {**NOTHING, "stores_i": 1}],
    ),
    FLAGS_VERDICT=0,
)
