# SPDX-License-Identifier: BSD-3-Clause
"""tm_verdict: every combination of what it looks at, against the rules of docs/verdict.md stated in Python."""

from __future__ import annotations

from itertools import product
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.config_words import STORED
from cocotb_tests.env.tm_pkg import META, Class, Ecn, Outcome

SIGNALS = ((0, 0), (1, 0), (1, 1))  # a signal, forced


def signalled(ecn: Ecn, forced: bool, protected: bool, noecn: bool, harddrop: bool) -> Outcome:
    """Return what a law's signal becomes for a frame of this codepoint."""
    if noecn or ecn is Ecn.NOT_ECT:
        if protected:
            return Outcome.PROTECTED
        return Outcome.EARLY_FORCED if forced else Outcome.EARLY_PROBABILITY
    if forced and harddrop:
        return Outcome.EARLY_FORCED
    return Outcome.CE_SIGNALLED if ecn is Ecn.CE else Outcome.MARK


def refused(enable: bool, over_bytes: bool, over_packets: bool, no_room: bool) -> Outcome | None:
    """Return the first reason for which the frame cannot be held, whatever the law says."""
    reasons = [
        (not enable, Outcome.DISABLED),
        (over_bytes, Outcome.TAIL_BYTES),
        (over_packets, Outcome.TAIL_PACKETS),
        (no_room, Outcome.NO_ROOM),
    ]
    return next((outcome for holds, outcome in reasons if holds), None)


@cocotb.test()
async def every_combination(dut: Any) -> None:
    """Outcome, store and mark.

    Stimulus: codepoint x class x ECE x signal (none, at random, forced) x protected or not x noecn x harddrop x enable
    x the four reasons of a full queue x whether it may be stored, or one is taken back; all other bits of the
    protection mask are the inverse of the frame's own. In a build that has it, half of the slots, at random, are
    spaced as in Linux.
    Checks: outcome, one cycle later, is that of the rules, `stores_o` exactly for the stored outcomes of a frame that
    may be stored, `changes_o` then and with an abort, `mark_o` for a stored frame exactly when it is marked.
    """
    coverage = Coverage("tm_verdict")
    rng = randomness("tm_verdict")
    flags_verdict, has_linux = bool(int(dut.FLAGS_VERDICT.value)), bool(int(dut.RED_LINUX.value))
    bits = (False, True)
    for ecn, class_id, ece in product(Ecn, Class, bits):
        dut.meta_i.value = META.pack(ecn=ecn, class_id=class_id, ece=ece)
        own = 1 << (2 * class_id + ece)
        for (signal, forced), mask_bit, noecn, harddrop in product(SIGNALS, bits, bits, bits):
            # The step law's signals are certain, and none of it is spaced.
            by_step = signal and forced and rng.randrange(2)
            dut.step_signal_i.value, dut.red_signal_i.value = by_step, signal and not by_step
            dut.red_forced_i.value = forced and not by_step
            dut.noecn_i.value, dut.harddrop_i.value = noecn, harddrop
            dut.protect_i.value = own if mask_bit else 0x3FFF ^ own
            dut.linux_i.value = linux = 0 if by_step else rng.randrange(2)
            overridden = bool(has_linux and linux and forced and harddrop)
            lawful = Outcome.PASS_CE if ecn is Ecn.CE else Outcome.PASS
            if signal:
                protected = mask_bit and flags_verdict and not overridden
                lawful = signalled(ecn, bool(forced), protected, noecn, harddrop)
                coverage.hit("harddrop before protection", overridden and mask_bit and ecn is Ecn.NOT_ECT)
            for may_store, enable, over_bytes, over_packets, no_descriptor, no_rows in product(bits, repeat=6):
                abort = not may_store and no_rows
                dut.abort_i.value, dut.may_store_i.value, dut.enable_i.value, dut.no_room_i.value = (
                    abort,
                    may_store,
                    enable,
                    no_rows,
                )
                dut.full_i.value = over_bytes or over_packets or no_descriptor
                dut.over_bytes_i.value, dut.over_packets_i.value = over_bytes, over_packets
                dut.clk_i.value = 0
                await Timer(1, unit="ns")
                expected = refused(enable, over_bytes, over_packets, no_descriptor or no_rows) or lawful
                frame = f"{ecn.name} {class_id.name} ece {ece}"
                where = f"{frame} signal {signal} forced {forced} mask {mask_bit} noecn {noecn}"
                stored = expected in STORED
                assert bool(dut.stores_o.value) == (stored and may_store), where
                assert bool(dut.changes_o.value) == (abort or (stored and may_store)), where
                assert not stored or bool(dut.mark_o.value) == (expected is Outcome.MARK), where
                dut.clk_i.value = 1
                await Timer(1, unit="ns")
                outcome = Outcome(int(dut.outcome_o.value))
                assert outcome is expected, f"{where}: {outcome.name}, the rules say {expected.name}"
                coverage.hit(expected.name)
    never = {outcome for outcome in Outcome if outcome >= Outcome.ABORTED} | (  # those above are counter codes
        set() if flags_verdict else {Outcome.PROTECTED}
    )
    floors = {outcome.name: 20 for outcome in Outcome if outcome not in never}
    coverage.check(floors | ({"harddrop before protection": 5} if has_linux else {}))


@pytest.mark.parametrize(("flags_verdict", "linux"), [(1, 1), *slow((0, 0), (1, 0))])
def test_tm_verdict(flags_verdict: int, linux: int) -> None:
    build_and_test("tm_verdict", __name__, parameters={"FLAGS_VERDICT": flags_verdict, "RED_LINUX": linux})
