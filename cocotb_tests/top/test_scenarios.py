# SPDX-License-Identifier: BSD-3-Clause
"""truemark: from a register write to a marked packet, and the counts of everything between.

Most tests hold a port's output back (`tx_en`) while frames are sent: then nothing departs, and the bytes every verdict
sees are the sum of what was stored before it.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import cocotb
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame, bursts, chance
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.config_words import STORED
from cocotb_tests.env.device import Device
from cocotb_tests.env.policy import Policy, true_mark
from cocotb_tests.env.tm_pkg import Class, Ecn, Law, Outcome
from cocotb_tests.parse.headers import read_headers

K = 3000


PARAMETERS = {"PORTS": 3, "DATA_W": 256, "ROWS": 512, "DESCRIPTORS": 300, "FLAGS_VERDICT": 1}


STORAGE = 512 * 32


SPARE_ROWS = 8
ROWS_LATE = 2  # cycles before a verdict as of which rows are counted


ACK_SYN = frozenset(
    (class_id, ece) for class_id in (Class.ACK, Class.SYN, Class.SYN_ACK, Class.TCP_CTRL) for ece in (0, 1)
)


def some_frame(rng: random.Random) -> bytes:
    """Return a frame with an ECN field or none, of any class, short or long."""
    ecn, version, tags = Ecn(rng.randrange(4)), rng.choice((4, 6)), rng.randrange(4)
    match rng.randrange(8):
        case 0:
            return packets.non_ip(rng.randrange(60, 400), rng=rng)
        case 1:
            return packets.udp(payload=rng.randrange(18, 300), ecn=ecn, version=version, tags=tags)
        case 2:
            return packets.padded(packets.tcp(flags=rng.choice(("S", "SA", "SEC", "SAE")), ecn=ecn, version=version))
        case 3:
            return packets.padded(
                packets.tcp(flags=rng.choice(("A", "AE", "R", "FA")), ecn=ecn, version=version, tags=tags)
            )
        case _:
            size = rng.choice((rng.randrange(1, 200), 1460))
            return packets.tcp(payload=size, flags=rng.choice(("A", "PA", "AE")), ecn=ecn, version=version, tags=tags)


class Account:
    """What a port that holds everything back must do with each frame: docs/verdict.md, with sums."""

    def __init__(self, policy: Policy, descriptors: int) -> None:
        self.policy, self.descriptors = policy, descriptors
        self.bytes = self.packets = self.rows = 0
        self.counts: Counter[tuple[Outcome, Class, int]] = Counter()
        self.sizes: Counter[tuple[Outcome, Class, int]] = Counter()
        self.expected: list[bytes] = []  # what comes out in the end

    def offer(self, data: bytes) -> Outcome:
        """Judge a frame and remember it."""
        outcome = self._judge(data)
        said = read_headers(data, len(data))
        key = outcome, said.class_id, said.ece
        self.counts[key] += 1
        self.sizes[key] += len(data)
        if outcome in STORED:
            self.bytes += len(data)
            self.packets += 1
            self.rows += -(-len(data) // 32)
            self.expected.append(packets.marked(data) if outcome is Outcome.MARK else data)
        return outcome

    def over(self, data: bytes) -> int:
        """Return by how many rows the storage is too small for the frame as well."""
        return self.rows + -(-len(data) // 32) + SPARE_ROWS - PARAMETERS["ROWS"]

    def _judge(self, data: bytes) -> Outcome:
        policy, said = self.policy, read_headers(data, len(data))
        if not policy.enable:
            return Outcome.DISABLED
        if policy.limit_bytes is not None and self.bytes + len(data) > policy.limit_bytes:
            return Outcome.TAIL_BYTES
        if policy.limit_packets is not None and self.packets + 1 > policy.limit_packets:
            return Outcome.TAIL_PACKETS
        if self.over(data) > 0 or self.packets >= self.descriptors:
            return Outcome.NO_ROOM
        slot = policy.slot_of[said.ecn]
        if policy.law[slot] is not Law.STEP or self.bytes <= policy.k[slot]:
            return Outcome.PASS_CE if said.ecn is Ecn.CE else Outcome.PASS
        if policy.noecn:
            return Outcome.EARLY_FORCED
        if said.ecn is Ecn.NOT_ECT:
            return Outcome.PROTECTED if (said.class_id, said.ece) in policy.protect else Outcome.EARLY_FORCED
        if policy.harddrop:
            return Outcome.EARLY_FORCED
        return Outcome.CE_SIGNALLED if said.ecn is Ecn.CE else Outcome.MARK


def of(tally: Counter[tuple[Outcome, Class, int]], outcome: Outcome) -> int:
    """Return what an outcome has of all classes."""
    return sum(count for key, count in tally.items() if key[0] is outcome)


async def settle(device: Device) -> None:
    """Let the last tallies reach the counters."""
    await device.cycles(8)


@cocotb.test()
async def first_light(dut: Any) -> None:
    """A register write, and a marked packet.

    Stimulus: port 1 gets true-mark at K = 3000 bytes, the others stay droptail; its output is held back while 40 TCP
    data frames of IPv4 and IPv6, tagged or not, ECT(0), ECT(1), CE or Not-ECT go to all three ports; then it may send.
    Checks: on port 1 exactly the ECT frames that found more than K bytes come out as scapy writes them with CE set,
    checksum included; all others on all ports come out unchanged, in order; nothing is lost; the counters say the same.
    """
    device = await Device(dut).start()
    assert await device.read(registers.ID) == 0x54524D4B
    await device.apply(1, true_mark(K, limit_bytes=STORAGE))
    device.tx_en(0, 2)
    account = Account(true_mark(K, limit_bytes=STORAGE), PARAMETERS["DESCRIPTORS"])
    sent = []
    for number in range(40):
        ecn = Ecn(number % 4)
        data = packets.of_length(150 + 7 * number, ecn=ecn, version=4 + 2 * (number // 4 % 2), tags=number // 8 % 4)
        account.offer(data)
        sent.append(data)
        device.source.put(Frame(data, ports=0b111))
    await device.source.drain()
    await device.sinks.wait(80)
    assert await device.page(1, registers.OCCUPANCY_BYTES) == account.bytes
    assert await device.page(1, registers.OCCUPANCY_PACKETS) == 40
    device.tx_en(0, 1, 2)
    await device.sinks.wait(120)
    marks = sum(count for (outcome, _, _), count in account.counts.items() if outcome is Outcome.MARK)
    assert marks > 10
    for port, expected in ((0, sent), (1, account.expected), (2, sent)):
        received = device.sinks.received[port]
        assert [frame.data for frame in received] == expected, f"port {port}"
        assert not any(frame.error for frame in received)
    await settle(device)
    outcomes = await device.outcomes(1)
    assert outcomes[Outcome.MARK] == marks
    assert outcomes[Outcome.DEPARTED] == 40


@cocotb.test()
async def snapshot_counts(dut: Any) -> None:
    """Counters, composition and histogram against a count in Python.

    Stimulus: four policies on a port that is held back (tail drop by bytes, by packets, protected, hard drop), each
    filled with 120 frames of all classes and codepoints and then let go, at random ready; a snapshot while it is full
    and one at the end. A frame that leaves the spare rows, or lacks a row or two, comes when all rows before it count.
    Checks: after each, packets and bytes of its outcomes, and in the end of every outcome, class and ECE flag; bytes
    and packets in the queue of the snapshot; all frames out as predicted; the sojourn histogram holds every departure.
    """
    device = await Device(dut).start()
    rng = randomness("scenarios")
    coverage = Coverage("scenarios")
    device.sinks.ready[2] = chance(rng, 0.7)
    policies = [
        Policy(slot_of=(1, 0, 0, 0), law=(Law.STEP, Law.STEP), k=(2000, 4000), protect=ACK_SYN),
        Policy(limit_bytes=9000, law=(Law.STEP, Law.NONE), k=(1500, 0)),
        Policy(limit_packets=20, slot_of=(1, 0, 0, 0), law=(Law.STEP, Law.NONE), k=(5000, 0)),
        Policy(law=(Law.STEP, Law.NONE), k=(6000, 0), harddrop=True, protect=ACK_SYN),
        Policy(law=(Law.STEP, Law.NONE), k=(6000, 0), noecn=True),
    ]
    counts: Counter[tuple[Outcome, Class, int]] = Counter()
    sizes: Counter[tuple[Outcome, Class, int]] = Counter()
    expected: list[bytes] = []
    for policy in policies:
        await device.apply(2, policy)
        device.tx_en(0, 1)
        account = Account(policy, PARAMETERS["DESCRIPTORS"])
        for _ in range(120):
            data = some_frame(rng)
            if abs(account.over(data)) <= ROWS_LATE:
                await device.source.drain()
                await device.cycles(ROWS_LATE)
            coverage.hit(account.offer(data).name)
            device.source.put(Frame(data, ports=0b100))
        await device.source.drain()
        await settle(device)
        counts += account.counts
        sizes += account.sizes
        await device.snapshot()
        assert await device.page(2, registers.SNAPSHOT_BYTES) == account.bytes
        assert await device.page(2, registers.SNAPSHOT_PACKETS) == account.packets
        for outcome in {key[0] for key in account.counts}:
            assert await device.total(2, outcome) == (of(counts, outcome), of(sizes, outcome)), outcome.name
        device.tx_en(0, 1, 2)
        expected += account.expected
        await device.sinks.wait(len(expected))
    assert [frame.data for frame in device.sinks.received[2]] == expected
    await settle(device)
    await device.snapshot()
    for outcome in Outcome:
        if outcome < Outcome.DEPARTED:
            assert await device.total(2, outcome) == (of(counts, outcome), of(sizes, outcome)), outcome.name
    for (outcome, class_id, ece), count in counts.items():
        got = await device.total(2, outcome, 2 * class_id + ece, 15)
        assert got == (count, sizes[outcome, class_id, ece]), f"{outcome.name} {class_id.name} ECE {ece}: {got}"
    assert await device.total(2, Outcome.DEPARTED) == (len(expected), sum(map(len, expected)))
    histogram = [await device.total(2, code) for code in (14, 15)]
    assert sum(packets_ for packets_, _ in histogram) == len(expected)
    coverage.check({outcome.name: 3 for outcome in STORED} | {"EARLY_FORCED": 10, "TAIL_BYTES": 10, "TAIL_PACKETS": 10})


@cocotb.test()
async def limits_to_the_byte(dut: Any) -> None:
    """The edges of both limits.

    Stimulus: a byte limit of 1000 met by 600 and then 401, 400 and 60 bytes; a packet limit of 2 met by three frames.
    Checks: B + len = limit is stored, one byte more is refused as TailBytes; P + 1 > limit is refused as TailPackets.
    """
    device = await Device(dut).start()
    device.tx_en()
    await device.apply(0, Policy(limit_bytes=1000))
    await device.apply(1, Policy(limit_packets=2))
    await device.source.send(*(Frame(packets.of_length(size), ports=0b01) for size in (600, 401, 400, 60)))
    await device.source.send(*(Frame(packets.of_length(200), ports=0b10) for _ in range(3)))
    await settle(device)
    assert await device.page(0, registers.OCCUPANCY_BYTES) == 1000
    assert await device.outcomes(0) == {Outcome.PASS: 2, Outcome.TAIL_BYTES: 2}
    assert await device.outcomes(1) == {Outcome.PASS: 2, Outcome.TAIL_PACKETS: 1}


@cocotb.test()
async def sojourn(dut: Any) -> None:
    """Latency and sojourn time, measured.

    Stimulus: one frame that leaves at once, one that waits for 1000 cycles of 5 ns.
    Checks: the first stands on the output six cycles after it came in (four, and two for the class); the watermark is
    that of the second (within the few cycles between the writes of a test); the histogram
    holds one frame in bin 0 and one at 4 to 8 µs.
    """
    device = await Device(dut).start()
    await device.source.send(Frame(packets.of_length(100)))
    await device.sinks.wait(1)
    assert device.sinks.received[0][0].first - device.source.sent[0].first == 6, "latency of an empty queue"
    device.tx_en()
    await device.source.send(Frame(packets.of_length(100)))
    await device.cycles(1000)
    device.tx_en(0)
    await device.sinks.wait(2)
    await settle(device)
    assert 5000 <= await device.page(0, registers.WATERMARK_SOJOURN_LOW) <= 5100
    await device.snapshot()
    assert (await device.total(0, 14, 0, 15))[0] == 1
    assert (await device.total(0, 14, 5, 15))[0] == 1


@cocotb.test()
async def overload(dut: Any) -> None:
    """Two into one, and a port that is stuck.

    Stimulus: 150 frames of up to 9216 bytes to ports 0 and 1, port 0 in bursts, port 1 seldom ready, port 2 stuck, with
    one frame in five to all three; droptail.
    Checks: every frame that comes out is one that went in, whole and in order; arrived = departed + dropped + held on
    each port.
    """
    device = await Device(dut).start()
    rng = randomness("overload")
    device.sinks.ready[0], device.sinks.ready[1], device.sinks.ready[2] = bursts(rng), chance(rng, 0.2), lambda: False
    sent: list[list[bytes]] = [[], [], []]
    for number in range(150):
        size = rng.choice((60, 64, 65, 576, 1518, rng.randrange(60, 1518), 9216 if number % 30 == 0 else 1000))
        data = packets.of_length(size, ecn=Ecn(rng.randrange(4)))
        ports = 0b111 if number % 5 == 0 else rng.choice((0b01, 0b10, 0b11))
        device.source.put(Frame(data, ports=ports))
        for port in range(3):
            if ports >> port & 1:
                sent[port].append(data)
    await device.source.drain()
    await device.cycles(4000)
    for port in range(3):
        outcomes = await device.outcomes(port)
        left, held = outcomes.get(Outcome.DEPARTED, 0), await device.page(port, registers.OCCUPANCY_PACKETS)
        stored = sum(count for code, count in outcomes.items() if code in STORED)
        refused = sum(count for code, count in outcomes.items() if code not in STORED and code < Outcome.DEPARTED)
        assert stored + refused == len(sent[port]), f"port {port}: {outcomes}"
        assert stored == left + held + (port == 2), f"port {port}: {outcomes}, {held} held"  # one stands on port 2
        rest = iter(sent[port])
        for frame in device.sinks.received[port]:
            assert any(frame.data == data for data in rest), f"port {port}: a frame that was not sent, or out of order"
            assert not frame.error
        assert len(device.sinks.received[port]) == left


def test_scenarios() -> None:
    build_and_test("truemark", __name__, parameters=PARAMETERS)
