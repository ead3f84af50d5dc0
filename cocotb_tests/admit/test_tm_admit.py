# SPDX-License-Identifier: BSD-3-Clause
"""tm_admit: the parts of admission together, a verdict in every cycle, limits on, off and changing."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.admit.one_beat import IDLE, PARAMETERS, SPARE, beat
from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.config_words import OFF_BYTES, OFF_PACKETS, STORED
from cocotb_tests.env.tm_pkg import ADMITTED, ARRIVAL, BUILD, BYTES_W, CFG, Ecn, Outcome
from cocotb_tests.env.tm_pkg import Law as LawKind

pytestmark = pytest.mark.builds("golden")


@dataclass(frozen=True)
class Limits:
    """What this test changes of a configuration."""

    enable: bool
    limit_bytes: int
    limit_packets: int
    k: tuple[int, int]
    slot_of: int
    law: tuple[LawKind, LawKind]
    noecn: bool = False
    harddrop: bool = False
    on_departure: bool = False

    def pack(self) -> int:
        """Return it as cfg_t."""
        return CFG.pack(
            enable=self.enable,
            limit_bytes=self.limit_bytes,
            limit_packets=self.limit_packets,
            slot_of=self.slot_of,
            law=self.law[0] | self.law[1] << 2,
            noecn=self.noecn,
            harddrop=self.harddrop,
            mark_on_departure=self.on_departure,
            k=self.k[0] | self.k[1] << BYTES_W,
        )

    def steps(self, ecn: Ecn) -> bool:
        """Tell whether the law of the codepoint's slot is the step law."""
        return self.law[self.slot_of >> ecn & 1] is LawKind.STEP

    def signals(self, ecn: Ecn, held: int) -> bool:
        """Tell whether it signals at this B, as the frame comes."""
        return self.steps(ecn) and not self.defers(ecn) and held > self.k[self.slot_of >> ecn & 1]

    def defers(self, ecn: Ecn) -> bool:
        """Tell whether it judges the frame as it leaves."""
        return self.steps(ecn) and self.on_departure and ecn in (Ecn.ECT0, Ecn.ECT1)


@cocotb.test()
async def judges_every_cycle(dut: Any) -> None:
    """One frame in every cycle, judged in it.

    Stimulus: 6000 cycles of one-beat frames of 1 to 9216 bytes, departures among them, limits, laws, K, the table of
    slots, noecn, harddrop and whether marks wait for the departure that change every few cycles, limits often off; rows
    enough or not.
    Checks: B and P in every cycle, and each frame's outcome two cycles after its verdict, by the rules in their
    order, and whether the step law judges it later; a configuration counts for the verdict two cycles after it is
    shown.
    """
    rng = randomness("tm_admit")
    coverage = Coverage("tm_admit")
    rows, descriptors = PARAMETERS["ROWS"], PARAMETERS["DESCRIPTORS"]
    storage = rows * PARAMETERS["DATA_W"] // 8
    has_departure = bool(BUILD.unpack(int(dut.BUILD.value))["mark_on_departure"])
    none = (LawKind.NONE, LawKind.NONE)
    following = Limits(True, OFF_BYTES, OFF_PACKETS, (storage, storage), 0, none)
    configs = deque([following] * 3, 3)
    await start(dut, IDLE, cfg_i=following.pack())
    await cycle(dut, 3)
    held: deque[int] = deque()  # and not seen to leave
    leaving: deque[int] = deque([0] * 2, 2)
    lengths: deque[int | None] = deque([None, None])
    next_ecn = Ecn.NOT_ECT
    room = 0  # rows used, as said a cycle ago
    refused = False  # the copy judged a cycle ago, for its port's share of a pool
    due: Outcome | None = None  # of the frame judged in the cycle before
    defers = False  # and the step law judges it as it leaves
    past: Outcome | None = None  # and in the one before that
    for step in range(6000):
        if rng.random() < 0.15:
            following = Limits(
                rng.random() > 0.05,
                rng.choice((OFF_BYTES, OFF_BYTES, rng.randint(1, storage))),
                rng.choice((OFF_PACKETS, OFF_PACKETS, rng.randint(1, descriptors))),
                (rng.choice((0, rng.randint(0, storage), storage)), rng.choice((0, rng.randint(0, storage), storage))),
                rng.choice((1 << Ecn.NOT_ECT, rng.getrandbits(4))),
                (LawKind.STEP, rng.choice((LawKind.NONE, LawKind.STEP))),
                rng.random() < 0.2,
                rng.random() < 0.2,
                has_departure and rng.random() < 0.3,
            )
            dut.cfg_i.value = following.pack()
        configs.append(following)
        limits = configs[0]
        lengths.append(rng.choice((rng.randint(1, 200), 64, rng.randint(1, 9216))) if rng.random() < 0.9 else None)
        length = lengths[0]
        ecn, next_ecn = next_ecn, rng.choice(list(Ecn))
        here, used = sum(held), sum(-(-size // 32) for size in held)
        crowded = rng.random() < 0.05
        outcome = None
        if length is not None:
            wanted = -(-length // 32)
            if not limits.enable:
                outcome = Outcome.DISABLED
            elif here + length > limits.limit_bytes:
                outcome = Outcome.TAIL_BYTES
            elif len(held) + 1 > limits.limit_packets:
                outcome = Outcome.TAIL_PACKETS
            elif room + wanted > rows - SPARE or len(held) >= descriptors or crowded:
                coverage.hit("crowded", crowded)
                outcome = Outcome.NO_ROOM
                coverage.hit("no descriptor", len(held) >= descriptors)
                coverage.hit("no room with the limits off", limits.limit_bytes == OFF_BYTES)
            elif limits.signals(ecn, here):
                drop = ecn is Ecn.NOT_ECT or limits.noecn or limits.harddrop
                coverage.hit("no ECN", limits.noecn and ecn is not Ecn.NOT_ECT)
                coverage.hit("hard drop", limits.harddrop and ecn is not Ecn.NOT_ECT)
                outcome = Outcome.EARLY_FORCED if drop else Outcome.CE_SIGNALLED if ecn is Ecn.CE else Outcome.MARK
                coverage.hit("slot 1", bool(limits.slot_of >> ecn & 1))
            else:
                outcome = Outcome.PASS_CE if ecn is Ecn.CE else Outcome.PASS
            coverage.hit(outcome.name)
        waiting = len(held) - sum(1 for size in leaving if size)
        depart = waiting > 1 and rng.random() < (0.2, 0.6)[step // 300 % 2]
        leaves = held[len(held) - waiting] if depart else 0
        dut.beat_i.value = beat(tuple(lengths), next_ecn)
        dut.next_first_i.value = dut.next_port_i.value = lengths[1] is not None
        room = min(used + (-(-length // 32) if outcome in STORED and length else 0), rows - 1)
        dut.rows_used_i.value, dut.depart_i.value, dut.depart_last_i.value = room, depart, max(leaves, 1) - 1
        dut.over_share_i.value = crowded
        await cycle(dut)
        where = f"step {step}: B {here}, P {len(held)}, len {length}, {limits}"
        assert int(dut.bytes_o.value) == here, where
        admitted = ADMITTED.unpack(int(dut.admitted_o.value))
        arrival = ARRIVAL.unpack(int(dut.arrival_o.value))
        assert int(dut.packets_o.value) == len(held), where
        assert bool(admitted["stored"]) == (due in STORED), where
        assert bool(admitted["judged"]) == (length is not None), where
        assert bool(admitted["crowded"]) == refused, where
        refused = crowded and outcome is Outcome.NO_ROOM
        if due in STORED:
            assert bool(admitted["mark"]) == (due is Outcome.MARK), where
            assert bool(admitted["deferred"]) == defers, where
            coverage.hit("deferred", defers)
        assert bool(arrival["valid"]) == (due is not None), where
        if past is not None:
            assert Outcome(arrival["outcome"]) is past, where
        past, due = due, outcome
        defers = limits.defers(ecn)
        if leaving[0]:
            held.popleft()
        leaving.append(leaves)
        if outcome in STORED and length is not None:
            held.append(length)
        lengths.popleft()
    floors = (
        "PASS",
        "PASS_CE",
        "MARK",
        "CE_SIGNALLED",
        "EARLY_FORCED",
        "slot 1",
        "DISABLED",
        "TAIL_BYTES",
        "TAIL_PACKETS",
        "NO_ROOM",
    )
    coverage.check(
        dict.fromkeys((*floors, "no ECN", "hard drop", "crowded", "no descriptor", "no room with the limits off"), 20)
        | {"deferred": 20 if has_departure else 0}
    )


@pytest.mark.parametrize(
    ("flags_verdict", "red", "departure"), [(0, 0, 0), (1, 1, 1), *slow((0, 1, 0), (1, 0, 0), (1, 1, 0))]
)
def test_tm_admit(flags_verdict: int, red: int, departure: int) -> None:
    build_and_test(
        "tm_admit",
        __name__,
        parameters={**PARAMETERS, "FLAGS_VERDICT": flags_verdict, "RED": red, "MARK_ON_DEPARTURE": departure},
    )
