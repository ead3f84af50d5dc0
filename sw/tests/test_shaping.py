# SPDX-License-Identifier: BSD-3-Clause
"""What a port, a queue and a line are held to: what a profile says of it, on the golden model."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from cocotb_tests.env import packets
from sw.tests.frames import Command
from sw.tests.profiles import expect_refusal, port_settings

from truemark.device import registers
from truemark.device.device import Device
from truemark.device.engine import Build, Engine, find_libraries
from truemark.device.registers import CAPABILITIES
from truemark.errors import RefusedError, TruemarkError
from truemark.lab.runner import register_writes
from truemark.laws import policies, profile
from truemark.laws.law import Limits
from truemark.laws.shape import Shape
from truemark.plan import tc_tbf
from truemark.replay.session import Traffic, configure, send
from truemark.watch.player import Player

HEAD = 'rate = "10G"\npolicy = "droptail"\n'
ABLE = frozenset({"step", "shaping"})
LINE = Limits(1_000_000, 1000, ABLE, queues=4)
SHAPING = CAPABILITIES.pack(shaping=1)
STEP = 5 << 24  # 5 ns a cycle
RATES = (
    f'{HEAD}line_rate = "4G"\nline_burst = "20kB"\n[queue.1]\nshape_rate = "1G"\nshape_burst = "10kB"\n'
    '[queues]\nby = "dscp"\ndscp = { 8-15 = 1, 46 = 3 }\n'
)


def test_a_queue_and_a_line(tmp_path: Path) -> None:
    """[queue.N] is queue N of each line; the rate of a line is kept with its first queue."""
    ports = port_settings(tmp_path, RATES, LINE)
    queue, line = Shape(10**9, 10_000), Shape(4 * 10**9, 20_000)
    assert [each.shape for each in ports] == [None, queue, None, None] * 2
    assert [each.line_shape for each in ports] == [line, None, None, None] * 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('shape_rate = "1G"', r'port 1: shape_rate: say what may be sent at once, such as shape_burst = "20kB"'),
        ('shape_burst = "20kB"', r'shape_burst belongs to a rate, such as shape_rate = "1G"'),
        ('line_rate = "1G"\nline_burst = "20kB"', r"p.toml: queue.1: line_rate is of the line"),
        ("shape_rate = 7", r"p.toml:4: .*shape_rate = 7 has no unit"),
        ('shape_rat = "1G"', r"unknown key.*did you mean 'shape_rate'"),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    expect_refusal(tmp_path, f"{HEAD}[queue.1]\n{text}\n", says, LINE)


def test_what_a_device_lacks(tmp_path: Path) -> None:
    unable, one = Limits(1_000_000, 1000, frozenset({"step"}), queues=4), Limits(1_000_000, 1000, ABLE)
    expect_refusal(tmp_path, RATES, r"p.toml: line_rate = 4 Gbit/s: this build holds nothing to a rate", unable)
    line = f'line_rate = "4G"\nline_burst = "20kB"\n{HEAD}'
    expect_refusal(tmp_path, line, r"p.toml: line_rate: a line of this device has one queue", one)


@pytest.mark.parametrize(
    ("rate", "burst", "says"),
    [
        ("60G", "20kB", r"p.toml: port 0: shape_rate = 60 Gbit/s: .* allowed is 1.526 kbit/s to 51.2 Gbit/s"),
        ("500bit/s", "20kB", r"shape_rate = 500 bit/s"),
        ("1G", "9215B", r"shape_burst = 9215 B: allowed is 9216 B, a longest frame, to 1048575 B"),
        ("1G", "2MB", r"shape_burst = 2000000 B"),
    ],
)
@pytest.mark.builds("engine:model")
def test_what_a_device_refuses(tmp_path: Path, rate: str, burst: str, says: str) -> None:
    """256 bits in each cycle of 5 ns are 51.2 Gbit/s."""
    with Engine(find_libraries("model")[0], Build(ports=2, switches=SHAPING)) as engine:
        device = Device(engine.read, engine.write)
        text = f'{HEAD}shape_rate = "{rate}"\nshape_burst = "{burst}"\n'
        with pytest.raises(TruemarkError, match=says):
            device.check_shapes(port_settings(tmp_path, text, device.identity().limits, 2), "p.toml")


@pytest.mark.builds("engine:model")
def test_frames_leave_at_the_rate(tmp_path: Path) -> None:
    """A strict queue that is held to a rate leaves room for others; a line sends no more than its own."""
    with Engine(find_libraries("model")[0], Build(ports=4, queues=4, switches=SHAPING)) as engine:
        device = Device(engine.read, engine.write)
        source = tmp_path / "p.toml"
        source.write_text(RATES)
        wanted, limits = profile.read_profile(source), device.identity().limits
        queue_map = profile.plan_queues(wanted, 4, limits, "p.toml")
        assert queue_map is not None
        device.commit_queue_map(queue_map)
        for port, each in enumerate(profile.plan(wanted, 4, limits, "p.toml")):
            device.commit(port, each.settings)
            found = device.settings(port)
            assert (found.shape is None, found.line_shape is None) == (port != 1, port != 0)
            for one, other in ((found.shape, each.settings.shape), (found.line_shape, each.settings.line_shape)):
                assert one is None or (other is not None and abs(one.rate - other.rate) < 1000)
        for queue in range(2):
            for _ in range(60):
                engine.offer(1, packets.tcp(payload=1000 - 54, dscp=8 * queue, flags="A"), 1)
        left = [0, 0, 0, 0]
        for time in range(1, 100_001, 100):
            while departure := engine.take(time, 0):
                left[departure.port] += 1
        # 100 us: 12.5 kB and a burst of queue 1, 50 kB and a burst of the line; a frame more of each.
        assert 22 <= left[1] <= 23
        assert 70 <= sum(left) <= 71


@pytest.mark.builds("engine:model")
def test_a_device_refuses_a_short_burst() -> None:
    with Engine(find_libraries("model")[0], Build(ports=2, switches=SHAPING)) as engine:
        device = Device(engine.read, engine.write)
        before = policies.settings("droptail", limit_bytes=100_000)
        device.commit(1, before)
        device.write(registers.SHAPE_RATE, 1)
        with pytest.raises(RefusedError, match=r"SHAPE_BURST \(fault code 32\): SHAPE_BURST is less than MAX_FRAME"):
            device.take_effect(1)
        assert device.settings(1) == before
    with Engine(find_libraries("model")[0], Build(ports=2)) as engine, pytest.raises(RefusedError, match="SLVERR"):
        engine.read(registers.SHAPE_RATE.address)


@pytest.mark.builds("engine:model")
def test_apply_and_show(command: Command, tmp_path: Path) -> None:
    source, device = tmp_path / "p.toml", f"sim:{tmp_path / 'd'}"
    source.write_text(RATES)
    assert command("apply", source, "--device", device)[0] == 0
    code, printed, _ = command("show", "--device", device)
    assert code == 0
    for text in ("at most", "Gbit/s", "10000 B at", "line:"):
        assert text in printed
    code, printed, _ = command("show", "--device", device, "--json")
    assert code == 0
    ports = [port["settings"] for port in json.loads(printed)["ports"]]
    assert [port.get("shape", {}).get("burst_bytes") for port in ports] == [None, 10_000, None, None]
    assert [port.get("line", {}).get("burst_bytes") for port in ports] == [20_000, None, None, None]
    metrics = command("export", "prometheus", "--device", device)[1]
    for name, rate in (
        ('truemark_queue_rate_bytes_per_second{port="1",queue="0"}', 10**9),
        ('truemark_line_rate_bytes_per_second{port="0"}', 4 * 10**9),
    ):
        (value,) = re.findall(rf"^{re.escape(name)} (\S+)$", metrics, re.MULTILINE)
        assert float(value) == pytest.approx(rate / 8, rel=1e-6)


@pytest.mark.builds("engine:model")
def test_a_rate_follows_the_clock(command: Command, tmp_path: Path) -> None:
    """A device of 100 MHz takes half of what one of 200 MHz does, and shows the same rate."""
    source, device = tmp_path / "p.toml", f"sim:{tmp_path / 'd'}"
    for clock, rate, code in (("200M", "50G", 0), ("100M", "50G", 1), ("100M", "25G", 0)):
        source.write_text(f'{HEAD}shape_rate = "{rate}"\nshape_burst = "10kB"\n')
        assert command("clock", clock, "--device", device)[0] == 0
        assert command("apply", source, "--device", device)[0] == code
    code, printed, _ = command("show", "--device", device, "--json")
    assert code == 0
    for port in json.loads(printed)["ports"]:
        assert port["settings"]["shape"]["rate_bit_s"] == pytest.approx(25 * 10**9, rel=1e-6)


@pytest.mark.builds("engine:model")
@pytest.mark.parametrize("begin", [0, 10**9, 1 << 41])
def test_frames_follow_the_clock(begin: int) -> None:
    """At half the clock frames leave half as fast, from the next one on and however late it is."""
    with Engine(find_libraries("model")[0], Build(ports=2, switches=SHAPING)) as engine:
        device = Device(engine.read, engine.write)
        engine.advance(begin)
        device.write(registers.TIME_STEP, STEP)
        device.commit(0, replace(policies.settings("droptail", limit_bytes=300_000), shape=Shape(8 * 10**9, 10_000)))
        for _ in range(100):
            engine.offer(begin, packets.tcp(payload=1000 - 54, flags="A"), 1)

        def left(first: int, end: int) -> int:
            return sum(engine.take(begin + time, 0) is not None for time in range(first, end, 100))

        assert sum(engine.take(begin, 0) is not None for _ in range(20)) == 11
        assert left(0, 20_000) in (19, 20)
        device.write(registers.TIME_STEP, 2 * STEP)
        assert left(20_000, 40_000) in (9, 10)
        device.write(registers.TIME_STEP, STEP)
        assert left(40_000, 60_000) in (19, 20)


@pytest.mark.builds("engine:model")
def test_tc_holds_a_line(command: Command, tmp_path: Path) -> None:
    """It keeps what else the line has, through another clock, too, and goes as it came."""
    source, device = tmp_path / "p.toml", f"sim:{tmp_path / 'd'}"
    source.write_text(RATES)
    assert command("apply", source, "--device", device)[0] == 0

    def shapes(key: str) -> list[dict[str, int] | None]:
        found = json.loads(command("show", "--device", device, "--json")[1])["ports"]
        return [port["settings"].get(key) for port in found]

    assert command("clock", "100M", "--device", device)[0] == 0
    queue = shapes("shape")
    line = "tc qdisc replace dev tm0 root tbf rate 2gbit burst 20kb latency 5ms"
    code, printed, _ = command("tc", line, "--device", device)
    assert code == 0
    assert "latency 5ms is not tbf's here" in printed
    assert "applied to the line of port 0" in printed
    held, *others = shapes("line")
    assert held is not None
    assert held["rate_bit_s"] == pytest.approx(2 * 10**9, rel=1e-6)
    assert held["burst_bytes"] == 20 * 1024
    assert others == [None] * 3
    assert shapes("shape") == queue
    assert command("clock", "200M", "--device", device)[0] == 0
    doubled = shapes("line")[0]
    assert doubled is not None
    assert doubled["rate_bit_s"] == pytest.approx(4 * 10**9, rel=1e-6)
    code, _, error = command("tc", line.replace("tm0", "tm2"), "--device", device)
    assert code == 1
    assert "tm2 is a queue of a line; tbf is of the line, dev tm0; [queue.2] of a profile takes shape_rate" in error
    code, _, error = command("tc", line.replace("20kb", "2kb"), "--device", device)
    assert code == 1
    assert "tbf: port 0: line_burst = 2048 B: allowed is 9216 B" in error
    assert shapes("line")[0] == doubled
    assert command("tc", "qdisc del dev tm0 root tbf", "--device", device)[0] == 0
    assert shapes("line") == [None] * 4
    assert shapes("shape")[1] is not None


@pytest.mark.builds("engine:model")
def test_tc_shows_a_line_s_rate(command: Command, tmp_path: Path) -> None:
    """It is a tbf above the first queue; a queue's own rate is named, and the root takes only the line's with it."""
    source, device = tmp_path / "p.toml", f"sim:{tmp_path / 'd'}"
    source.write_text(RATES.replace('shape_rate = "1G"', 'quantum = "3kB"\nshape_rate = "1G"'))
    assert command("apply", source, "--device", device)[0] == 0
    _, out, error = command("show", "--tc", "-j", "--device", device)
    shown = [(each["kind"], each["dev"], each.get("parent")) for each in json.loads(out)]
    below = [("tbf", "tm0", None), ("bfifo", "tm0", "1:1")]
    assert shown == below + [("bfifo", f"tm{port}", None) for port in range(1, 4)]
    assert json.loads(out)[0]["options"] == {"rate": 500_000_000, "burst": 20_000}
    for what in ("quantum = 3000 B", "shape_rate = 1 Gbit/s, 10000 B at once"):
        assert f"- port 1: not kept: {what}" in error
    for port, said in ((1, False), (0, True)):
        out = command("tc", f"qdisc del dev tm{port} root", "--device", device)[1]
        assert ("- tbf is gone: rate 4 Gbit/s, 20000 B at once" in out) == said
    out, error = command("show", "--tc", "--device", device)[1:]
    assert "tbf" not in out
    assert "- port 1: not kept: shape_rate" in error


@pytest.mark.builds("engine:model")
def test_tc_holds_a_port(command: Command, tmp_path: Path) -> None:
    """Of one queue; where nothing can be held to a rate it says so."""
    device = f"sim:{tmp_path / 'd'}"
    (tmp_path / "p.toml").write_text(f'{HEAD}shape_rate = "3G"\nshape_burst = "10kB"\n')
    assert command("apply", tmp_path / "p.toml", "--device", device)[0] == 0
    code, printed, _ = command(
        "tc", "qdisc change dev tm1 root tbf rate 1gbit buffer 10kb/8 limit 1M", "--device", device
    )
    assert code == 0
    assert "applied to port 1 of" in printed
    ports = [
        port["settings"]["shape"] for port in json.loads(command("show", "--device", device, "--json")[1])["ports"]
    ]
    assert [round(each["rate_bit_s"] / 10**9) for each in ports[:3]] == [3, 1, 3]
    code, _, error = command("stats", "--after", tmp_path / "none.pcap", "--rate", "10G", "--device", device)
    assert (code, "shape_rate: a replay takes frames at the rate of its line" in error) == (1, True)
    says = r"port 1: shape_rate = 1 Gbit/s: this build holds nothing to a rate"
    with Engine(find_libraries("model")[0], Build(ports=2)) as engine, pytest.raises(TruemarkError, match=says):
        Device(engine.read, engine.write).commit_shape(1, Shape(10**9, 10_000))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("rate 1gbit", 'tbf: the "burst" parameter is mandatory'),
        ("burst 20kb limit 1M", 'tbf: the "rate" parameter is mandatory'),
        ("rate 1gbit burst", 'Command line is not complete: "burst" needs a value'),
        ("rate 1gbit burst 20kb rate 2gbit", 'tbf: duplicate "rate" specification'),
        (
            "rate 1furlong burst 20kb",
            'tbf: illegal value for "rate": "1furlong", which is no rate; write for example 10gbit',
        ),
        (
            "rate 1gbit burst lots",
            'tbf: illegal value for "burst": "lots", which is no size up to 4294967295 B; write bytes',
        ),
        (
            "rate 1gbit burst 20kb latency nanms",
            'tbf: illegal value for "latency": "nanms", which is no time; write 5ms or 500us',
        ),
        ("rate 1gbit burst 20kb limit lots", 'tbf: illegal value for "limit": "lots", which is no size'),
        ("rate 1gbit burst 20kb peakrate 2gbit", 'tbf: "peakrate": the bucket here has one rate'),
        ("rate 1gbit burst 20kb ecn", 'tbf: unknown parameter "ecn"; here are rate, burst, limit and latency'),
    ],
)
def test_what_tbf_says_wrong(line: str, says: str) -> None:
    with pytest.raises(TruemarkError) as refused:
        tc_tbf.shape(line.split())
    assert says in str(refused.value)


HELD = replace(policies.settings("droptail", limit_bytes=300_000), shape=Shape(10**9, 10_000))


@pytest.mark.builds("engine:model")
def test_who_takes_frames_waits_for_the_rate(tmp_path: Path) -> None:
    """A player asks again; a replay, whose line has a rate of its own, refuses."""
    with Engine(find_libraries("model")[0], Build(ports=2, switches=SHAPING)) as engine:
        Device(engine.read, engine.write).commit(1, HELD)
        for _ in range(60):
            engine.offer(1, packets.tcp(payload=1000 - 54, flags="A"), 0b10)
        player = Player(engine, tmp_path / "none.pcap", 10**10, lines=(1,))
        player._free_ns, player._held = [0, 0], [0, 60]
        left = []
        for time in (50_000, 100_000, 1_000_000):
            player._pass(time)
            left.append(60 - player._held[1])
        # 1 Gb/s and a burst of 10 kB: 16 or 17 frames in 50 us, 6 more in the next, in the end all.
        assert left[0] in (16, 17)
        assert left[1] - left[0] in (6, 7)
        assert left[2] == 60
    with (
        Engine(find_libraries("model")[0], Build(ports=2, switches=SHAPING)) as engine,
        pytest.raises(TruemarkError, match="shape_rate: a replay takes frames at the rate of its line"),
    ):
        send(engine, configure(engine, {1: HELD}), HELD, Traffic(tmp_path / "none.pcap", 10**10, port=1))


def test_the_lab_writes_what_it_wrote() -> None:
    """Its links have rates of their own: what its engines are told has nothing of rates."""
    written = {address for address, _ in register_writes(policies.settings("droptail", limit_bytes=300_000))}
    rates = {registers.SHAPE_RATE, registers.SHAPE_BURST, registers.LINE_RATE, registers.LINE_BURST}
    assert not written & {each.address for each in rates}
