# SPDX-License-Identifier: BSD-3-Clause
"""tm_core, and in it tm_port: the cycle in which each frame starts to leave is predicted, and all they say or hold.

The prediction is the golden model's, cycle by cycle (sim/model/cycles), fed from the input's pins alone. Nothing of it
looks at the device.
"""

from __future__ import annotations

import json
import os
from collections import deque
from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.line import PERMIT, REWRITING, rewritten
from cocotb_tests.env.policy import Policy
from cocotb_tests.env.tm_pkg import (
    ARRIVAL,
    CFG,
    DEPARTURE,
    EVENT,
    HELD,
    ORDER,
    SINK,
    STAMP_W,
    TALLY,
    Departure,
    Outcome,
)
from cocotb_tests.top.core_traffic import CORES, Core, Habits, pack, random_policy, title, traffic

pytestmark = pytest.mark.builds("golden")

FRONT = 64  # rows of tm_spill_ring's small memories, as tm_buffer has them

PHASE = 250  # cycles for which a port's policy and its sink's habits last

# What is covered, by the model's own account.
EDGES = {
    "leaves in the cycle after its verdict": "left at its verdict",
    "stored beside a departure": "verdict with departure",
    "cut short": "cut short",
    "waits for a row in mid-frame": "output waits for input",
}

IDLE = {"s_valid_i": 0, "s_data_i": 0, "s_keep_i": 0, "s_last_i": 0, "s_dest_i": 0, "s_len_i": 0, "s_error_i": 0}
PINS = list(IDLE)
REWRITING_MASK = (1 << REWRITING.width) - 1


class Port:
    """One port of the device and what the golden model predicts of it."""

    def __init__(self, port: int, core: Core, model: Any, coverage: Coverage) -> None:
        self.port, self.core, self.model, self.hit = port, core, model, coverage.hit
        self.cut = 0  # frames so far
        self.rows = 0  # held when the cycle began
        self.held = deque([(0, 0)] * 2)  # bytes and packets, oldest first: they are told two cycles late

    def output(self, dut: Pins, now: int) -> None:
        """Check what stands on the output: validity in every cycle, the row and its frame when valid."""
        port, row = self.port, self.model.row(self.port)
        where = f"cycle {now}, port {port}"
        assert (dut.valid >> port & 1) == (row is not None), f"{where}: valid is {dut.valid >> port & 1}"
        held = dut.bytes >> 24 * port & 0xFFFFFF, dut.packets >> 20 * port & 0xFFFFF
        predicted = self.held.popleft()
        assert held == predicted, f"{where}: holds {held}, predicted {predicted}"
        self.held.append(self.model.held(port))
        if row is None:
            return
        data, last, error, length = row
        got, keep, *facts = dut.shown(port)
        shown = got.to_bytes(self.core.beat_bytes, "little")
        if self.core.rewrites:
            shown = rewritten(shown, dut.rewriting(port))
        assert keep == (1 << len(data)) - 1, f"{where}: keep {keep:x}, {len(data)} bytes predicted"
        assert shown[: len(data)] == data, f"{where}: data"
        assert facts == [last, length, error and last], f"{where}: last, length, error {facts}"

    def end(self, dut: Pins, now: int) -> None:
        """Check what the end of the cycle brings: a frame that was cut short, a row that was fetched."""
        cut = self.model.cut_short(self.port)
        assert (dut.cut >> self.port & 1) == cut - self.cut, f"cycle {now}, port {self.port}: cut short"
        rows = self.model.rows(self.port)
        self.hit("a row from the large memory", self.core.ultra and self.rows > FRONT and rows < self.rows)
        self.cut, self.rows = cut, rows

    def arrival(self, event: dict[str, int], now: int, times: list[int]) -> None:
        """Note an arrival that was counted as predicted, two cycles after its frame's last row was with the port."""
        outcome = Outcome(event["outcome"])
        late = outcome is Outcome.ABORTED and event["stamp"] != times[now - 2]
        self.hit("wrong after its verdict" if late else outcome.name)


class Pins:
    """The outputs of the core in one cycle, read once."""

    def __init__(self, dut: Any, core: Core) -> None:
        self.dut, self.core = dut, core
        self.valid = self.bytes = self.packets = self.cut = 0
        self.sink, self.held = Fields(dut.m_o, SINK), Fields(dut.held_o, HELD)
        self.arrival = Fields(dut.arrival_o, ARRIVAL)
        self._wide: tuple[int, ...] | None = None

    def sample(self) -> None:
        """Read what is compared in every cycle."""
        self.valid, self.cut = self.sink.get("valid"), self.arrival.get("cut")
        self.bytes, self.packets = self.held.get("bytes"), self.held.get("packets")
        self._wide = None

    def shown(self, port: int) -> tuple[int, int, bool, int, bool]:
        """Return data, keep, last, length and error of one port's row."""
        dut, width = self.dut, self.core.beat_bytes
        if self._wide is None:
            side = (self.sink.get(name) for name in ("last", "len", "error"))
            self._wide = (int(dut.m_data_o.value), int(dut.m_keep_o.value), *side)
        data, keep, last, length, error = self._wide
        return (
            data >> 8 * width * port & (1 << 8 * width) - 1,
            keep >> width * port & (1 << width) - 1,
            bool(last >> port & 1),
            length >> 14 * port & 0x3FFF,
            bool((error & last) >> port & 1),
        )

    def rewriting(self, port: int) -> dict[str, int]:
        """Return how one port's row is to be rewritten; below it stands the pin of what travels with a frame."""
        return REWRITING.unpack(int(self.dut.m_user_o.value) >> (REWRITING.width + 1) * port + 1 & REWRITING_MASK)


@cocotb.test()
async def every_cycle(dut: Any) -> None:
    """Everything a port shows, in every cycle.

    Stimulus: 10,000 cycles of sound and wrong frames to random sets of ports, at changing load; for each port sinks
    that are ready always, mostly, seldom or never, tx_en also, a new policy every 250 cycles, sometimes in
    mid-frame, now and then a flush.
    Checks, against a prediction: in every cycle whether each output is valid, hence the cycle in which each frame
    starts to leave; every row; bytes and packets held; every arrival's outcome, event and tally in its cycle; every
    departure's tally, with its sojourn.
    """
    core = Core(**json.loads(os.environ["CORE"]))
    rng = randomness("cycle accuracy")
    coverage = Coverage("cycle accuracy")
    schedule = traffic(core, rng)
    every = range(core.ports)
    model = golden().Queues(*core.model())
    ports = [Port(port, core, model, coverage) for port in every]
    policies = [Policy() for _ in every]
    habits = [Habits(rng) for _ in every]
    pins = Pins(dut, core)
    order, permit = Fields(dut.order_i, ORDER), Fields(dut.permit_i, PERMIT)
    handles = [getattr(dut, name) for name in PINS]
    await start(dut, IDLE, time_i=0, permit_i=0, order_i=0, cfg_i=_cfg(policies, core))
    times: list[int] = []
    clock = (1 << STAMP_W) - 20_000
    for now, values in enumerate([*schedule.pins, *[(0,) * len(PINS)] * 40]):
        # this cycle's inputs
        for handle, value in zip(handles, values, strict=True) if values[0] else [(handles[0], 0)]:
            handle.value = value
        flush = 0
        if now % PHASE == PHASE - 1:
            habits = [Habits(rng) for _ in every]
            policies = [random_policy(rng, core) if rng.random() < 0.7 else policy for policy in policies]
            for port, policy in enumerate(policies):
                model.configure(port, now + 2, policy.registers())  # in force for verdicts two cycles after `cfg_i`
            dut.cfg_i.value = _cfg(policies, core)
        if rng.random() < 0.004:
            flush = rng.randrange(1 << core.ports)
        tx_en = sum((rng.random() < habit.tx_en) << port for port, habit in enumerate(habits))
        ready = sum((rng.random() < habit.ready) << port for port, habit in enumerate(habits))
        clock = (clock + rng.choice((1, 3, 3, 3, 1000))) % (1 << STAMP_W)
        times.append(clock)
        dut.time_i.value = clock
        permit.set(ready=ready, tx_en=tx_en)
        order.set(flush=flush)
        # the prediction, next to the device
        await cycle(dut)
        pins.sample()
        for port in every:
            if flush >> port & 1:
                model.flush(port, now)
        model.open(now, clock, tx_en, ready, beat_of(values, core) if values[0] else None)
        for each in ports:
            each.output(pins, now)
        _arrivals(dut, now, ports, times)
        _departures(dut, now, ports, coverage)
        model.close()
        for each in ports:
            each.end(pins, now)
    for name, edge in EDGES.items():
        coverage.hits[name] += model.edges()[edge]
    floors = {"PASS": 40, "PASS_CE": 5, "MARK": 5, "CE_SIGNALLED": 2, "EARLY_FORCED": 5, "TAIL_BYTES": 10}
    floors |= {"left": 40, "flushed": 5, "ABORTED": 1, "stored beside a departure": 1}
    if core.ultra:
        floors["a row from the large memory"] = 100
    if core.flags_verdict:
        floors |= {"PROTECTED": 3}
    if not core.store_and_forward:
        floors |= {"leaves in the cycle after its verdict": 20, "wrong after its verdict": 5, "cut short": 1}
        floors |= {"waits for a row in mid-frame": 5}
    coverage.check(floors)


def beat_of(pins: tuple[int, ...], core: Core) -> tuple[bytes, bytes, bool, int, int, bool]:
    """Return a beat on the pins as the golden model takes it."""
    _, data, keep, last, dest, length, error = pins
    kept = keep.to_bytes(core.beat_bytes // 8, "little")
    return data.to_bytes(core.beat_bytes, "little"), kept, bool(last), dest, length, bool(error)


def _cfg(policies: list[Policy], core: Core) -> int:
    return sum(pack(policy, core.flags_verdict) << CFG.width * port for port, policy in enumerate(policies))


def _arrivals(dut: Any, now: int, ports: list[Port], times: list[int]) -> None:
    """Check the arrival tallies and events of this cycle."""
    due = {each.port: event for each in ports if (event := each.model.event(each.port))}
    arrival = Fields(dut.arrival_o, ARRIVAL)
    valid = arrival.get("valid")
    assert valid == sum(1 << port for port in due), f"cycle {now}: arrivals {valid:b}, predicted {sorted(due)}"
    if not due:
        return
    tally = TALLY.unpack(int(dut.tally_o.value))
    outcomes, events = arrival.get("outcome"), int(dut.event_o.value)
    for port, expected in due.items():
        where = f"cycle {now}, port {port}"
        event = EVENT.unpack(events >> EVENT.width * port & (1 << EVENT.width) - 1)
        assert event == expected, f"{where}: event {event}, predicted {expected}"
        for field in ("class_id", "ece", "len"):
            assert tally[field] == expected[field], f"{where}: tally {tally}"
        assert outcomes >> 4 * port & 15 == expected["outcome"], f"{where}: outcome {outcomes >> 4 * port & 15}"
        ports[port].arrival(expected, now, times)


def _departures(dut: Any, now: int, ports: list[Port], coverage: Coverage) -> None:
    """Check the departure tallies of this cycle."""
    due = {each.port: gone for each in ports if (gone := each.model.departures(each.port))}
    departure = Fields(dut.departure_o, DEPARTURE)
    valid = departure.get("valid")
    assert valid == sum(1 << port for port in due), f"cycle {now}: departures {valid:b}, predicted {sorted(due)}"
    if not due:
        return
    for port, gone in due.items():
        got = DEPARTURE.unpack(int(dut.departure_o.value) >> DEPARTURE.width * port & (1 << DEPARTURE.width) - 1)
        (expected,) = ({"valid": 1, **each} for each in gone)
        assert got == expected, f"cycle {now}, port {port}: departure {got}, predicted {expected}"
        coverage.hit("flushed" if expected["kind"] == Departure.HEAD_DROPPED else "left")


@pytest.mark.parametrize("core", [CORES[1], *slow(CORES[0], *CORES[2:])], ids=title)
def test_cycle_accuracy(core: Core) -> None:
    build_and_test("tm_core", __name__, parameters=core.parameters(), extra_env={"CORE": json.dumps(vars(core))})
