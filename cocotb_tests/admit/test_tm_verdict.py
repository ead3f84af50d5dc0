# SPDX-License-Identifier: BSD-3-Clause
"""tm_verdict: every combination of what it looks at, against the rules of docs/verdict.md stated in Python."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.config_words import STORED
from cocotb_tests.env.packed import packed
from cocotb_tests.env.tm_pkg import CFG, RED, Class, Ecn, Outcome, Spacing
from cocotb_tests.env.tm_pkg import Law as LawKind

HARNESS = Path(__file__).with_name("judged.sv")

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


@dataclass
class Slots:
    """What the laws of both slots say of a frame, and the configuration that makes them the two slots' laws."""

    rng: Random
    ecn: Ecn
    signal: bool
    forced: bool

    def __post_init__(self) -> None:
        """Draw what is not given: the law of the frame's slot can give its signal; of the other's anything is said."""
        rng = self.rng
        self.slot_of = rng.getrandbits(4)
        self.slot = self.slot_of >> self.ecn & 1
        self.on_departure = rng.random() < 0.5
        # The step law's signals are certain.
        kinds = [LawKind.RED] if self.signal and not self.forced else [LawKind.STEP, LawKind.RED, LawKind.RED]
        self.laws = [rng.choice(list(LawKind)) for _ in range(2)]
        self.laws[self.slot] = rng.choice(kinds if self.signal else list(LawKind))
        self.spacings = [rng.choice((*Spacing, *[Spacing.LINUX] * 8)) for _ in range(2)]
        says_forced = [rng.random() < 0.5 for _ in range(2)]
        says = [rng.random() < 0.5 or forced for forced in says_forced]
        says[self.slot], says_forced[self.slot] = self.signal, self.forced
        # What is held is compared with K whatever the law is.
        above = [said if law is LawKind.STEP else rng.random() < 0.5 for said, law in zip(says, self.laws, strict=True)]
        is_red = [law is LawKind.RED for law in self.laws]
        self.above = packed(above, 1)
        self.red_signal = packed([said and red for said, red in zip(says, is_red, strict=True)], 1)
        self.red_forced = packed([said and red for said, red in zip(says_forced, is_red, strict=True)], 1)
        own = self.laws[self.slot]
        self.linux = own is LawKind.RED and self.spacings[self.slot] is Spacing.LINUX
        self.waits = own is LawKind.STEP and self.on_departure and self.ecn in (Ecn.ECT0, Ecn.ECT1)

    def cfg(self, **others: int) -> int:
        """Return it as cfg_t, with the other fields given."""
        return CFG.pack(
            slot_of=self.slot_of,
            law=packed(self.laws, 2),
            red=packed([RED.pack(spacing=spacing) for spacing in self.spacings], RED.width),
            mark_on_departure=self.on_departure,
            **others,
        )


@cocotb.test()
async def every_combination(dut: Any) -> None:
    """Outcome, store and mark.

    Stimulus: codepoint x class x ECE x signal (none, at random, forced) x protected or not x noecn x harddrop, and for
    each 16 of the 64 of enable x the four reasons of a full queue x whether it may be stored, or one is taken back; all
    other bits of the protection mask are the inverse of the frame's own. At random: the slots, the law that gives the
    signal, whether the step law waits for the departure, whether RED is spaced as in Linux, and all that the other
    slot's law says.
    Checks: outcome, one cycle later, is that of the rules, `stores_o` exactly for the stored outcomes of a frame that
    may be stored, `changes_o` then and with an abort, `mark_o` for a stored frame exactly when it is marked; slot, and
    whether the step law judges the frame later.
    """
    coverage = Coverage("tm_verdict")
    rng = randomness("tm_verdict")
    names = ("FLAGS_VERDICT", "RED_LINUX", "MARK_ON_DEPARTURE")
    flags_verdict, has_linux, has_departure = (bool(int(getattr(dut, name).value)) for name in names)
    bits = (False, True)
    inner = list(product(bits, repeat=6))
    for ecn, class_id, ece in product(Ecn, Class, bits):
        own = 1 << (2 * class_id + ece)
        for (signal, forced), mask_bit, noecn, harddrop in product(SIGNALS, bits, bits, bits):
            speaks = Slots(rng, ecn, bool(signal), bool(forced))
            deferred = has_departure and speaks.waits
            overridden = has_linux and speaks.linux and bool(forced) and harddrop
            lawful = Outcome.PASS_CE if ecn is Ecn.CE else Outcome.PASS
            if signal and not deferred:
                protected = mask_bit and flags_verdict and not overridden
                lawful = signalled(ecn, bool(forced), protected, noecn, harddrop)
                coverage.hit("harddrop before protection", overridden and mask_bit and ecn is Ecn.NOT_ECT)
            coverage.hit("deferred", bool(signal) and deferred)
            mask = own if mask_bit else 0x3FFF ^ own
            configs = [speaks.cfg(enable=on, protect=mask, noecn=noecn, harddrop=harddrop) for on in bits]
            for may_store, enable, over_bytes, over_packets, no_descriptor, no_rows in rng.sample(inner, 16):
                abort = not may_store and no_rows
                dut.cfg_i.value = configs[enable]
                dut.ecn_i.value, dut.class_ece_i.value, dut.above_i.value = ecn, own, speaks.above
                dut.red_signal_i.value, dut.red_forced_i.value = speaks.red_signal, speaks.red_forced
                dut.abort_i.value, dut.may_store_i.value, dut.no_room_i.value = abort, 7 * may_store, no_rows
                dut.full_i.value = full = over_bytes or over_packets or no_descriptor
                dut.over_bytes_i.value, dut.over_packets_i.value = over_bytes, over_packets
                dut.clk_i.value = 0
                await Timer(1, unit="ns")
                expected = refused(enable, over_bytes, over_packets, no_descriptor or no_rows) or lawful
                frame = f"{ecn.name} {class_id.name} ece {ece}"
                where = f"{frame} signal {signal} forced {forced} mask {mask_bit} noecn {noecn} {speaks}"
                stored = expected in STORED
                assert bool(dut.stores_o.value) == (stored and may_store), where
                assert int(dut.changes_o.value) == 3 * (abort or (stored and may_store)), where
                assert not stored or bool(dut.mark_o.value) == (expected is Outcome.MARK), where
                assert (int(dut.slot_o.value), bool(dut.deferred_o.value)) == (speaks.slot, deferred), where
                dut.clk_i.value = 1
                await Timer(1, unit="ns")
                # What another cycle's frame is told does not count.
                dut.ecn_i.value, dut.class_ece_i.value, dut.above_i.value = ecn ^ 3, 0x3FFF ^ own, 3 ^ speaks.above
                dut.red_signal_i.value, dut.red_forced_i.value = 3 ^ speaks.red_signal, 0
                dut.full_i.value, dut.no_room_i.value, dut.cfg_i.value = not full, not no_rows, 0
                await Timer(1, unit="ns")
                outcome = Outcome(int(dut.outcome_o.value))
                assert outcome is expected, f"{where}: {outcome.name}, the rules say {expected.name}"
                coverage.hit(expected.name)
    never = {outcome for outcome in Outcome if outcome >= Outcome.ABORTED} | (  # those above are counter codes
        set() if flags_verdict else {Outcome.PROTECTED}
    )
    floors = {outcome.name: 20 for outcome in Outcome if outcome not in never}
    coverage.check(
        floors | {"deferred": 20 if has_departure else 0} | ({"harddrop before protection": 5} if has_linux else {})
    )


@pytest.mark.parametrize(("flags_verdict", "linux", "departure"), [(1, 1, 1), *slow((0, 0, 0), (1, 0, 1), (1, 1, 0))])
def test_tm_verdict(flags_verdict: int, linux: int, departure: int) -> None:
    parameters = {"FLAGS_VERDICT": flags_verdict, "RED_LINUX": linux, "MARK_ON_DEPARTURE": departure}
    build_and_test("judged", __name__, extra_sources=[HARNESS], parameters=parameters)


test_assertion_fires = breaches(
    "tm_verdict", Breach("OneVerdict_A", "store bytes without a packet", [{"enable_i": 1, "may_store_i": 1}])
)
