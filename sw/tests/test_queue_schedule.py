# SPDX-License-Identifier: BSD-3-Clause
"""When a queue of a line sends: what a profile says of it, on the golden model."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from cocotb_tests.env import packets
from sw.tests.frames import ECT0, NOT_ECT, Command, tcp_frame
from sw.tests.profiles import expect_refusal, port_settings

from truemark.device import registers
from truemark.device.board import Attached
from truemark.device.device import Device
from truemark.device.engine import EVERY_LAW, Build, Engine, find_libraries
from truemark.errors import RefusedError, TruemarkError
from truemark.laws import codel, policies, profile
from truemark.laws.law import Limits
from truemark.laws.port import PortTable
from truemark.laws.queue_map import QueueMap
from truemark.laws.step import Step
from truemark.plan import tc_ets
from truemark_dev.runner import seed

HEAD = 'rate = "10G"\npolicy = "true-mark"\nk = "30kB"\n'
LINE = Limits(1_000_000, 1000, queues=4)
TURNS = HEAD + (
    '[queues]\nby = "dscp"\ndscp = { 8-15 = 1, 46 = 3, 48 = 2 }\n'
    '[queue.0]\nquantum = "1000B"\n[queue.1]\nquantum = "3000B"\nk = "60kB"\n[queue.2]\npolicy = "droptail"\n'
)


def test_a_queue_of_every_line(tmp_path: Path) -> None:
    """[queue.N] differs from the whole at queue N of each line, [port.N] from that; strict undoes a quantum."""
    ports = port_settings(tmp_path, f'{TURNS}[port.5]\nquantum = "1500B"\n[port.4]\nstrict = true\n', LINE)
    assert [each.quantum for each in ports] == [1000, 3000, None, None, None, 1500, None, None]
    assert [each.policy for each in ports] == ["true-mark", "true-mark", "droptail", "true-mark"] * 2
    assert [each.onset for each in ports] == [30000, 60000, 0, 30000] * 2
    everywhere = port_settings(tmp_path, f'quantum = "2kB"\n{HEAD}[queue.3]\nstrict = true\n', LINE)
    assert [each.quantum for each in everywhere] == [2000, 2000, 2000, None] * 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('quantum = "0B"', r"p.toml: port 1: quantum = 0 B: allowed is 1 to 262143 B"),
        ('quantum = "300kB"', r"quantum = 300000 B: allowed is 1 to 262143 B"),
        ('quantum = "2kB"\nstrict = true', r"quantum: a strict queue takes no turns"),
        ("strict = false", r"strict = false: say what the queue sends in a turn"),
        ("quantum = true", r"p.toml:5: queue.1.quantum"),
        ("quanta = 7", r"p.toml:5: queue.1.quanta: unknown key.*did you mean 'quantum'"),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    expect_refusal(tmp_path, f"{HEAD}[queue.1]\n{text}\n", says, LINE)


def test_what_a_device_lacks(tmp_path: Path) -> None:
    expect_refusal(
        tmp_path, f"{HEAD}[queue.8]\nstrict = true\n", r"p.toml:4: queue.8: queues of a line are numbers, 0 to 7", LINE
    )
    expect_refusal(
        tmp_path, f"{HEAD}[queue.4]\nstrict = true\n", r"p.toml: queue.4: a line of this device has queues 0 to 3", LINE
    )
    one = Limits(1_000_000, 1000)
    expect_refusal(tmp_path, f"{HEAD}[queue.1]\nstrict = true\n", r"queue.1: a line of this device has one queue", one)
    turns = f'quantum = "2kB"\n{HEAD}'
    expect_refusal(tmp_path, turns, r"p.toml: quantum = 2000 B: a line of this device has one queue", one)
    strict = f"strict = true\n{HEAD}"
    expect_refusal(tmp_path, strict, r"p.toml: strict = true: a line of this device has one queue", one)


@pytest.mark.builds("engine:model")
def test_frames_leave_in_turn(tmp_path: Path) -> None:
    """Strict queues before others, the highest first; 3000 bytes of one queue to 1000 of another."""
    with Engine(find_libraries("model")[0], Build(ports=8, queues=4)) as engine:
        device = Device(engine.read, engine.write)
        source = tmp_path / "p.toml"
        source.write_text(TURNS)
        wanted = profile.read_profile(source)
        limits = device.identity().limits
        assert limits.queues == 4
        queue_map = profile.plan_queues(wanted, 4, limits, "p.toml")
        assert queue_map is not None
        device.commit_queue_map(queue_map)
        for port, each in enumerate(profile.plan(wanted, 8, limits, "p.toml")):
            device.commit(port, each.settings)
            assert device.settings(port) == each.settings
        dscp = {0: 0, 1: 8, 2: 48, 3: 46}
        for queue in [0] * 8 + [1] * 8 + [2, 3, 3]:
            engine.offer(1, packets.tcp(payload=1000 - 54, dscp=dscp[queue], flags="A"), 0b10)
        left = []
        while departure := engine.take(2, 1):
            assert len(departure.data) == 1000
            left.append(departure.port - 4)
        assert left == [3, 3, 2, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, *[0] * 5]
        assert engine.take(3, 0) is None
        with pytest.raises(TruemarkError, match=r"port = 2, allowed: 0..1"):
            engine.take(3, 2)


UNIT = 1024  # nanoseconds: CoDel's
CODEL = policies.settings("codel", codel.law(UNIT, 100 * UNIT, ecn=False, exempt_bytes=1))
ROOM = Build(ports=1, rows=6000, descriptors=1000, switches=EVERY_LAW)
TWO_QUEUES = Build(ports=2, rows=6000, descriptors=1000, queues=2, switches=EVERY_LAW)


@pytest.mark.builds("engine:model")
def test_a_deficit_covers_the_frame_that_leaves() -> None:
    """CoDel drops the frame of 60 bytes, which the deficit of 114 would cover: it must cover the next, and does not."""
    with Engine(find_libraries("model")[0], TWO_QUEUES) as engine:
        device = Device(engine.read, engine.write)
        device.commit_queue_map(QueueMap.of("ecn", 0, {"ect0": 1}))
        for port in range(2):
            device.commit(port, replace(CODEL, quantum=1514))
        for length in (1400, 60, 1514, 1514, 1514):
            engine.offer(UNIT, tcp_frame(length, NOT_ECT))
        for _ in range(4):
            engine.offer(UNIT, tcp_frame(1000, ECT0))
        left = [engine.take(time * UNIT) for time in (10, *[200] * 5)]
    found = [(each.port, len(each.data)) for each in left if each]
    assert found == [(0, 1400), (1, 1000), (0, 1514), (1, 1000), (1, 1000), (0, 1514)]


@pytest.mark.builds("engine:model")
@pytest.mark.parametrize("quantum", [None, 100, 9000])
def test_a_queue_alone_is_as_a_port(quantum: int | None) -> None:
    """CoDel drops, empties the queue and begins again as on a line of one queue, whatever the quantum.

    It only drops the last frame where it has just begun, and knows no largest frame yet.
    """
    library, rng = find_libraries("model")[0], random.Random(seed())
    law = codel.law(UNIT, 3 * UNIT, ecn=False, switches=("exempt_below", "exempt_largest"))
    laws = [policies.settings("droptail"), policies.settings("codel", law)]
    frames = [tcp_frame(length, NOT_ECT) for length in (60, 500, 1514)]
    dropped, emptied, now = 0, 0, UNIT
    with Engine(library, ROOM) as port, Engine(library, TWO_QUEUES) as line:
        devices = [Device(port.read, port.write), Device(line.read, line.write)]

        def held() -> int:
            first, second = (device.held_packets() for device in devices)
            assert first == second
            return first

        for number in range(5000):
            now += rng.choice((0, 1, 2, 5, 20)) * UNIT
            if number % 50 == 0:
                for settings in laws:
                    devices[0].commit(0, settings)
                    devices[1].commit(0, replace(settings, quantum=quantum))
            if number % 50 > 20 and rng.random() < 0.7:
                data = rng.choice(frames)
                port.offer(now, data)
                line.offer(now, data)
                continue
            before, left = held(), port.take(now)
            assert line.take(now) == left, f"frame {number}"
            gone = before - held()
            dropped += gone - (left is not None)
            emptied += gone > 0 and left is None
    print(dropped, "dropped,", emptied, "times to the last")
    assert dropped > 100
    assert emptied > 3


@pytest.mark.builds("engine:model")
def test_a_device_refuses_a_quantum_of_0() -> None:
    with Engine(find_libraries("model")[0], Build(ports=2, queues=2)) as engine:
        device = Device(engine.read, engine.write)
        before = policies.settings("true-mark", Step(30_000), limit_bytes=100_000)
        device.commit(1, before)
        device.write(registers.QUEUE_SCHEDULE, registers.QUEUE_SCHEDULE.pack(shares=1))
        with pytest.raises(RefusedError, match=r"QUEUE_QUANTUM \(fault code 30\): QUEUE_SCHEDULE.quantum is 0"):
            device.take_effect(1)
        assert device.settings(1) == before
    with Engine(find_libraries("model")[0], Build(ports=2)) as engine, pytest.raises(RefusedError, match="SLVERR"):
        engine.read(registers.QUEUE_SCHEDULE.address)


@pytest.mark.builds("engine:model")
def test_apply_and_show(command: Command, tmp_path: Path) -> None:
    source, device = tmp_path / "p.toml", f"sim:{tmp_path / 'd'}"
    source.write_text(TURNS)
    code, printed, _ = command("apply", source, "--device", device)
    assert code == 0
    assert "applied to 4 ports" in printed
    code, printed, _ = command("show", "--device", device)
    assert code == 0
    for text in ("sends", "1000 B a turn", "3000 B a turn", "first"):
        assert text in printed
    code, printed, _ = command("show", "--device", device, "--json")
    assert code == 0
    ports = json.loads(printed)["ports"]
    assert [port["settings"].get("quantum_bytes") for port in ports] == [1000, 3000, None, None]


@pytest.mark.parametrize(
    ("line", "turns"),
    [
        ("bands 4 strict 2 quanta 4500 3000", [3000, 4500, None, None]),
        ("strict 4", [None] * 4),
        ("quanta 4500 3000", [3000, 4500, None, None]),  # two bands: the higher queues have none
        ("bands 4 quanta 9000", [1514, 1514, 1514, 9000]),
    ],
)
def test_ets_of_tc(line: str, turns: list[int | None]) -> None:
    """Band 0 is the highest queue of those that have a band."""
    assert tc_ets.turns(line.split(), 4, 4) == dict(zip(range(4, 8), turns, strict=True))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", 'One of "bands", "quanta" or "strict" needs to be specified'),
        ("bands 2 strict 1 quanta 1 2", "Not enough total bands to cover all the strict bands and quanta"),
        ("bands 17", 'The number of "bands" must be <= 16'),
        ("bands 5 strict 5", 'The number of "bands" must be <= 4'),
        ("bands four", "Illegal \"bands\": 'four'"),
        ("bands 2 bands 3", 'Duplicate "bands"'),
        ("bands 2 3", 'What is "3"'),
        ("quanta 0", '"quanta" must be > 0'),
        ("quanta 1k", "Illegal \"quanta\" element: '1k'"),
        ("bands", 'Command line is not complete: "bands" needs a value'),
        ("bands 2 priomap 0 1", 'What is "priomap"'),
        ("quantum 3", 'What is "quantum"'),
    ],
)
def test_what_ets_refuses(line: str, says: str) -> None:
    with pytest.raises(TruemarkError) as refused:
        tc_ets.turns(line.split(), 4, 4)
    assert says in str(refused.value)


@pytest.mark.builds("engine:model")
def test_tc_shares_a_line(command: Command, tmp_path: Path) -> None:
    """What ets says stays when a queue is given another law by tc, and goes with another profile."""
    source, device = tmp_path / "p.toml", f"sim:{tmp_path / 'd'}"
    source.write_text(TURNS)
    assert command("apply", source, "--device", device)[0] == 0

    def quanta() -> list[int | None]:
        found = json.loads(command("show", "--device", device, "--json")[1])["ports"]
        return [port["settings"].get("quantum_bytes") for port in found]

    code, printed, _ = command(
        "tc", "qdisc replace dev tm0 root ets bands 4 strict 1 quanta 4500 3000 1600", "--device", device
    )
    assert code == 0
    assert "applied to ports 0 to 3" in printed
    assert quanta() == [1600, 3000, 4500, None]
    assert command("tc", "qdisc replace dev tm1 root pfifo limit 50", "--device", device)[0] == 0
    assert quanta() == [1600, 3000, 4500, None]
    code, _, error = command("tc", "qdisc replace dev tm2 root ets strict 2", "--device", device)
    assert code == 1
    assert "tm2 is a queue of a line; ets is of the line, dev tm0" in error
    before = json.loads(command("show", "--device", device, "--json")[1])["ports"]
    assert command("tc", "qdisc del dev tm0 root ets", "--device", device)[0] == 0
    after = json.loads(command("show", "--device", device, "--json")[1])["ports"]
    assert quanta() == [None] * 4
    for each in (*before, *after):
        each["settings"].pop("quantum_bytes", None)
    assert after == before, "and all else stays"
    assert command("apply", source, "--device", device)[0] == 0
    assert quanta() == [1000, 3000, None, None]


@pytest.mark.builds("engine:model")
def test_another_policy_leaves_the_turn() -> None:
    """As `truemark web --control` changes one."""
    with Engine(find_libraries("model")[0], Build(ports=2, queues=2)) as engine:
        board = Attached("an engine", registers=engine)
        with board.open() as device:
            device.commit(1, replace(policies.settings("true-mark", Step(30_000), limit_bytes=100_000), quantum=3000))
        now = board.change(1, PortTable(policy="droptail"))
        assert (now.policy, now.limit_bytes, now.quantum) == ("droptail", 100_000, 3000)
