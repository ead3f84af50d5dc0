# SPDX-License-Identifier: BSD-3-Clause
"""The replay against numbers worked out by hand and against a second computation that shares nothing with it."""

from __future__ import annotations

import socket
from collections import Counter
from fractions import Fraction
from itertools import islice, product
from math import ceil
from pathlib import Path

import dpkt
import matplotlib.pyplot as plt
import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap
from sw.tests.frames import CE, ECT0, ECT1, NOT_ECT, START, frames_of, tcp_frame, write_capture

from truemark.cli.traffic import planned_port
from truemark.device.device import Device
from truemark.device.engine import open_engine
from truemark.device.outcomes import DepartureKind, FrameClass, Outcome
from truemark.errors import TruemarkError
from truemark.laws import codel, policies, red, slopes
from truemark.laws.step import Step
from truemark.replay.capture import Frame, Reader, Writer
from truemark.replay.demo_pictures import first_onset
from truemark.replay.pictures import busiest, draw_laws, early_at, marked_at, plot_run
from truemark.replay.replay import Replay, compare, speed_for_load
from truemark.replay.report import law_remarks
from truemark.replay.session import Traffic, configure, replay_capture, send
from truemark.replay.summary import Run

pytestmark = pytest.mark.builds("engine:model")

CAPTURE = Path(__file__).parents[1] / "captures" / "linux-ecn.pcap.gz"
GIGABIT = 10**9  # 8 ns a byte


def true_mark(k: int, limit_bytes: int | None = None, limit_packets: int | None = None) -> policies.PortSettings:
    """Return settings of true-mark."""
    return policies.settings("true-mark", Step(k), limit_bytes=limit_bytes, limit_packets=limit_packets)


def replay(folder: Path, frames: list[tuple[int, bytes]], settings: policies.PortSettings) -> Run:
    """Replay frames through the model at 1 Gbit/s; what left is in out.pcap."""
    traffic = Traffic(write_capture(folder / "in.pcap", frames), GIGABIT)
    return replay_capture("model", settings, traffic, folder / "out.pcap")


def outcomes(run: Run) -> list[str]:
    """Return the outcome of every frame."""
    return [Outcome(code).name for code in run.trace.verdict_outcome]


def test_a_burst_worked_out_by_hand(tmp_path: Path) -> None:
    """Seven frames of 976 B at once, K 2000 B, limit 5000 B.

    A frame takes 1000 B of line time, 8 µs. The first leaves at once, so the others find 0, 976, 1952, 2928, 3904 and
    4880 B: marked from 2928 B on, and the seventh does not fit (4880 + 976 > 5000).
    """
    run = replay(tmp_path, [(0, tcp_frame(976))] * 7, true_mark(2000, 5000))
    assert list(run.trace.verdict_held) == [0, 0, 976, 1952, 2928, 3904, 4880]
    assert outcomes(run) == ["PASS"] * 4 + ["MARK"] * 2 + ["TAIL_BYTES"]
    assert list(run.trace.departure_time) == [0, 8_000, 16_000, 24_000, 32_000, 40_000]
    assert list(run.trace.departure_sojourn) == [0, 8_000, 16_000, 24_000, 32_000, 40_000]
    summary = run.summary
    assert summary.load["duration_ns"] == 48_000
    assert summary.total.sojourn_ns == {"mean": 20_000, "p50": 16_000, "p99": 40_000, "max": 40_000}
    assert summary.queue["max_bytes"] == 4880
    assert summary.queue["mean_bytes"] == pytest.approx(976 * (8 + 16 + 24 + 32 + 40) / 48)
    assert summary.queue["busy"] == pytest.approx(40 / 48)
    row = summary.classes["DATA"]
    assert (row.arrived, row.ect, row.of(Outcome.MARK), row.of(Outcome.TAIL_BYTES), row.departed) == (7, 7, 2, 1, 6)


def test_every_codepoint_meets_the_threshold(tmp_path: Path) -> None:
    """After three frames that fill the queue beyond K = 100 B: ECT is marked, CE counted as met, Not-ECT passed."""
    codepoints = [ECT0, ECT0, ECT0, ECT0, ECT1, CE, NOT_ECT]
    frames = [(0, tcp_frame(500, ecn)) for ecn in codepoints]
    run = replay(tmp_path, frames, true_mark(100, 100_000))
    assert outcomes(run) == ["PASS", "PASS", "MARK", "MARK", "MARK", "CE_SIGNALLED", "PASS"]
    left = [Ether(bytes(packet))[IP].tos & 3 for packet in rdpcap(str(tmp_path / "out.pcap"))]
    assert left == [ECT0, ECT0, CE, CE, CE, CE, NOT_ECT]
    assert run.summary.total.ce_in == 1
    assert run.summary.total.ect == 5


def test_k_is_exceeded_not_reached(tmp_path: Path) -> None:
    """The third frame finds exactly K: it passes. The limit is reached exactly: the fifth is stored, not the sixth."""
    run = replay(tmp_path, [(0, tcp_frame(500))] * 6, true_mark(500, 2000))
    assert outcomes(run) == ["PASS", "PASS", "PASS", "MARK", "MARK", "TAIL_BYTES"]


def test_marks_come_before_losses(tmp_path: Path) -> None:
    """A frame every 1 µs, 8 µs of line time each: 976 B more in the queue per microsecond, except for what leaves.

    The third frame, at 2 µs, finds 976 B > K and is marked. The limit holds five frames. One has left at 0, the next
    leaves at 8 µs: frame seven, at 6 µs, is the first that finds no place, 4 µs after the first mark.
    A millisecond later the queue is empty and the same happens again.
    """
    times = [start + 1000 * number for start in (0, 1_000_000) for number in range(8)]
    run = replay(tmp_path, [(time, tcp_frame(976)) for time in times], true_mark(900, 5 * 976))
    assert outcomes(run) == (["PASS"] * 2 + ["MARK"] * 4 + ["TAIL_BYTES"] * 2) * 2
    assert run.summary.warning == {
        "marked_congestions": 2,
        "dropping_congestions": 2,
        "min_ns": 4000,
        "mean_ns": 4000,
    }


UNIT = 1024  # ns of CoDel's clock


def test_head_drops_worked_out_by_hand(tmp_path: Path) -> None:
    """Twelve frames of 976 B that cannot be marked, 8 µs each; target 8 units, interval 16 units, none left alone.

    At 16 µs (unit 15) the wait is above the target for the first time: until unit 31. At 40 µs (39) the sixth is
    dropped, the seventh leaves, and the next drop is due 15 units later, in unit 54. At 56 µs (54) the ninth is
    dropped; count 2 and one Newton step make the next gap 8 units. At 64 µs (62) the eleventh is dropped, and the
    twelfth is the last.
    """
    law = codel.law(8 * UNIT, 16 * UNIT, exempt_bytes=0)
    settings = policies.settings("codel", law, limit_bytes=300_000)
    run = replay(tmp_path, [(0, tcp_frame(976, NOT_ECT))] * 12, settings)
    dropped, plain = DepartureKind.HEAD_DROPPED, DepartureKind.PLAIN
    kinds = [plain] * 5 + [dropped, plain, plain, dropped, plain, dropped, plain]
    assert list(run.trace.departure_kind) == kinds
    times = [0, 8_000, 16_000, 24_000, 32_000, 40_000, 40_000, 48_000, 56_000, 56_000, 64_000, 64_000]
    assert list(run.trace.departure_time) == times
    total = run.summary.total
    assert (total.departed, total.left(dropped), total.dropped, total.marked) == (9, 3, 3, 0)
    assert total.sojourn_ns["max"] == 64_000
    assert total.sojourn_ns["mean"] == pytest.approx((8 + 16 + 24 + 32 + 40 + 48 + 56 + 64) * 1000 / 9)
    assert run.summary.load["duration_ns"] == 72_000
    assert run.summary.queue["max_bytes"] == 11 * 976
    assert len(rdpcap(str(tmp_path / "out.pcap"))) == 9
    assert list(early_at(run.trace)) == [40_000, 56_000, 64_000]


def test_marks_at_departure_and_what_is_passed_over(tmp_path: Path) -> None:
    """The same times with frames that can be marked, then with pure ACKs that are protected: no head drop, no gap."""
    law = codel.law(8 * UNIT, 16 * UNIT, exempt_bytes=0)
    settings = policies.settings("codel", law, limit_bytes=300_000, protect="ack+syn")
    run = replay(tmp_path, [(0, tcp_frame(976))] * 12, settings)
    marked, plain = DepartureKind.MARKED, DepartureKind.PLAIN
    assert list(run.trace.departure_kind) == [plain] * 5 + [marked, plain, marked, marked, plain, marked, plain]
    assert list(marked_at(run.trace)) == [time * 1000 for time in (40, 56, 64, 80)]
    assert run.summary.total.marked == 4
    frames = [(0, tcp_frame(976, NOT_ECT))] * 5 + [(0, tcp_frame(54, NOT_ECT))] * 3 + [(0, tcp_frame(976, NOT_ECT))]
    run = replay(tmp_path, frames, settings)
    kinds = [plain] * 5 + [DepartureKind.PROTECTED] * 3 + [plain]
    assert list(run.trace.departure_kind) == kinds
    assert run.summary.total.protected == 3
    assert run.summary.classes["ACK"].departures == {"protected": 3}


def test_red_without_an_average_is_a_threshold_that_is_reached(tmp_path: Path) -> None:
    """W = 0 and min = max: forced from exactly min on. The frames find 0, 0, 976, 1952, 2928 B: so does the trace."""
    law = red.law(1952, 1952, Fraction(1), 0)
    idle = slopes.idle(slopes.packet_time(1000, GIGABIT))
    settings = policies.settings("red", law, limit_bytes=300_000, idle=idle)
    run = replay(tmp_path, [(0, tcp_frame(976))] * 5, settings)
    assert outcomes(run) == ["PASS"] * 3 + ["MARK"] * 2
    assert list(run.trace.average[0]) == [0, 0, 976, 1952, 2928]
    assert run.summary.average["slot0"] == {"mean_bytes": pytest.approx(5856 / 5), "max_bytes": 2928}
    run = replay(tmp_path, [(0, tcp_frame(976, NOT_ECT))] * 6, settings)
    assert outcomes(run) == ["PASS"] * 3 + ["EARLY_FORCED"] * 3
    assert len(early_at(run.trace)) == 3


def test_red_that_counts_packets_says_all_in_packets(tmp_path: Path) -> None:
    """W = 0, min = max = 2 packets: the frames find 0, 0, 1, 2, 3, 4 and 5, and the last has no room.

    A picture in bytes has no place for its average, and congestion begins at no number of bytes.
    """
    law = red.law(128, 128, Fraction(1), 0, unit=slopes.PACKETS)
    idle = slopes.idle(slopes.packet_time(1000, GIGABIT))
    settings = policies.settings("red", law, limit_bytes=5000, idle=idle)
    run = replay(tmp_path, [(0, tcp_frame(976))] * 7, settings)
    assert outcomes(run) == ["PASS"] * 3 + ["MARK"] * 3 + ["TAIL_BYTES"]
    assert run.summary.average["slot0"] == {"mean_packets": pytest.approx(15 / 7), "max_packets": 5}
    assert run.summary.warning == {}
    said = "RED: min 2 pkt, max 2 pkt, p 1 at max, W 0, spacing uniform; average at most 5 pkt, 2.143 pkt in the mean"
    assert said in law_remarks(run.summary)
    assert first_onset(run) == busiest(run.trace)
    made, axes = plt.subplots()
    draw_laws(axes, run, 1.0, 1.0)
    assert not axes.get_lines()
    plt.close(made)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a part of the real capture in which its queue fills and empties."""
    path = tmp_path_factory.mktemp("capture") / "busy.pcap"
    with Reader(CAPTURE) as reader, Writer(path) as writer:
        for frame in islice(reader, 5000):
            writer.write(frame.time_ns, frame.data, frame.length)
    return path


@pytest.mark.parametrize(
    ("policy", "protect"),
    [
        *product(("red", "codel"), ("default", "ece", "ack+syn", "all")),
        *product(("dual-step", "dual-slope", "dcqcn"), ("default", "ack+syn")),
    ],
)
def test_the_real_capture_under_every_policy(tmp_path: Path, busy: Path, policy: str, protect: str) -> None:
    """Verdicts, departures and counters agree, or the replay stops; what is protected is not dropped early."""
    laws = {"codel": {"codel": "10us/50us"}, "dcqcn": {"dcqcn": "30kB/200kB/10%"}}
    law = laws.get(policy, {"target_delay": "100us", "weight": "9"})
    k = {"k": "30kB"} if policy == "dual-step" else {}
    port = planned_port({"policy": policy, "protect": protect, **law, **k}, None)
    assert port.rate is not None
    run = replay_capture("model", port.settings, Traffic(busy, port.rate, Fraction(45)))
    total, found = run.summary.total, run.summary.classes
    early = (Outcome.EARLY_PROBABILITY, Outcome.EARLY_FORCED)
    lost = {name: row.of(*early) + row.left(DepartureKind.HEAD_DROPPED) for name, row in found.items()}
    assert total.arrived == 5_000
    assert total.marked > 20
    assert lost["DATA"] <= found["DATA"].arrived - found["DATA"].ect  # those few that cannot be marked
    if protect == "default":
        assert lost["ACK"] > 10
        assert total.protected == 0
    else:
        assert total.protected > 1
        assert (lost["ACK"] == 0) == (protect in ("ack+syn", "all"))
    if protect == "all":
        assert sum(lost.values()) == 0
    if protect == "default" and policy in ("dual-slope", "codel"):
        assert all(path.stat().st_size > 20_000 for path in plot_run(run, tmp_path))


def test_counters_that_disagree_stop_the_run() -> None:
    with open_engine("model") as engine:
        device = configure(engine, {0: true_mark(0, 10**5)})
        trace = Replay(engine, GIGABIT).run(frames_of([(0, tcp_frame(100))] * 3))
        snapshot = device.snapshot(0)
    compare(trace, snapshot)
    trace.verdict_outcome[2] = Outcome.PASS
    with pytest.raises(TruemarkError, match=r"the device counts 2 x PASS DATA \(ECE 0\), the replay saw 3"):
        compare(trace, snapshot)


def test_an_engine_that_forgets_a_frame_stops_the_run() -> None:
    with open_engine("model") as engine:
        configure(engine, {0: true_mark(0, 10**5)})
        replay = Replay(engine, GIGABIT)
        engine.offer(0, tcp_frame(100))
        list(engine.events())
        with pytest.raises(TruemarkError, match="frame 1: the engine saw 100 bytes in the queue, not 0"):
            replay.run(frames_of([(0, tcp_frame(100))]))


def test_packet_limit(tmp_path: Path) -> None:
    run = replay(tmp_path, [(0, tcp_frame(100))] * 5, true_mark(10**5, None, 3))
    assert outcomes(run) == ["PASS"] * 4 + ["TAIL_PACKETS"]


def test_a_departure_comes_before_an_arrival_at_the_same_instant(tmp_path: Path) -> None:
    """Two frames of 976 B at 0; the second leaves at 8 µs, when a third arrives and finds nothing."""
    run = replay(tmp_path, [(0, tcp_frame(976)), (0, tcp_frame(976)), (8_000, tcp_frame(976))], true_mark(0, 5000))
    assert list(run.trace.verdict_held) == [0, 0, 0]
    assert list(run.trace.departure_time) == [0, 8_000, 16_000]


def test_short_frames_take_the_line_time_of_60_bytes(tmp_path: Path) -> None:
    run = replay(tmp_path, [(0, tcp_frame(54, flags="A"))] * 3, true_mark(10**5, 10**5))
    assert list(run.trace.departure_time) == [0, 84 * 8, 2 * 84 * 8]


def test_marked_frames_differ_in_codepoint_and_checksum_alone(tmp_path: Path) -> None:
    """Scapy computes the checksums of what left again and finds the same; everything else is as it came."""
    sizes = [60, 61, 576, 1514, 9000]
    frames = [(0, tcp_frame(size, ecn, ipv6=ipv6)) for size in sizes for ecn in range(4) for ipv6 in (False, True)]
    run = replay(tmp_path, frames, true_mark(0, 300_000))
    left = rdpcap(str(tmp_path / "out.pcap"))
    assert len(left) == len(frames)
    assert run.summary.total.of(Outcome.MARK) == 2 * 2 * len(sizes)  # the first frames find 0 B and are not ECT
    for (_, sent), packet in zip(frames, left, strict=True):
        data = bytes(packet)
        again = Ether(data)
        for layer in ("IP", "TCP"):
            if layer in again:
                del again[layer].chksum
        assert bytes(again) == data
        expected = bytearray(sent)
        if data != sent:
            at = 15
            expected[at] |= 3 if sent[12:14] == b"\x08\x00" else 0x30
            if sent[12:14] == b"\x08\x00":
                expected[24:26] = data[24:26]
        assert data == bytes(expected)


def test_a_frame_captured_in_part_is_offered_whole_and_written_in_part(tmp_path: Path) -> None:
    whole = tcp_frame(1000)
    frames = [Frame(START, whole, 1000)] * 3 + [Frame(START, whole[:128], 1000)]
    written: list[tuple[int, bytes, int]] = []

    class Sink:
        def write(self, time_ns: int, data: bytes, length: int) -> None:
            written.append((time_ns, data, length))

    with open_engine("model") as engine:
        configure(engine, {0: true_mark(0, 10**5)})
        trace = Replay(engine, GIGABIT, sink=Sink()).run(frames)
    assert list(trace.verdict_length) == [1000] * 4
    assert [(len(data), length) for _, data, length in written] == [(1000, 1000)] * 3 + [(128, 1000)]
    assert [time - START for time, _, _ in written] == [0, 8192, 16384, 24576]
    assert trace.snapped == 1


def test_time_stamps_that_go_back_and_speed() -> None:
    frames = frames_of(
        [(0, tcp_frame(100)), (9_000, tcp_frame(100)), (3_000, tcp_frame(100)), (12_000, tcp_frame(100))]
    )
    with open_engine("model") as engine:
        configure(engine, {0: true_mark(0, 10**5)})
        trace = Replay(engine, GIGABIT, speed=Fraction(3)).run(frames)
    assert list(trace.verdict_time) == [0, 3_000, 3_000, 4_000]
    assert trace.disordered == 1


def test_a_replay_of_centuries_is_refused(tmp_path: Path) -> None:
    """Its times would not fit into 64 bits."""
    capture = write_capture(tmp_path / "in.pcap", [(0, tcp_frame(100)), (10**9, tcp_frame(100))])
    for traffic in (
        Traffic(capture, GIGABIT, Fraction("1e-12")),
        Traffic(capture, GIGABIT, Fraction("1e-400")),
        Traffic(capture, GIGABIT, load=1e-300),
    ):
        with pytest.raises(TruemarkError, match="frame 2 would be offered after more than 292 years: give a higher"):
            replay_capture("model", true_mark(0, 10**5), traffic, tmp_path / "out.pcap")
    assert [path.name for path in tmp_path.iterdir()] == ["in.pcap"]


def test_speed_for_a_load() -> None:
    """1,124 B of line time per 100 µs is 89.92 Mbit/s; half of 1 Gbit/s needs 5.56 times that."""
    frames = frames_of([(0, tcp_frame(100)), (100_000, tcp_frame(976))])
    assert speed_for_load(frames, GIGABIT, 0.5) == Fraction(GIGABIT, 2) / (1_124 * 8 * 10_000)


def test_runts_and_giants_are_counted_not_offered(tmp_path: Path) -> None:
    run = replay(tmp_path, [(0, b"short"), (1, tcp_frame(9217)), (2, tcp_frame(9216))], true_mark(0, 10**5))
    assert run.summary.frames["refused"] == 2
    assert run.summary.total.departed == 1


def classify(data: bytes) -> tuple[str, int]:
    """Class and codepoint by dpkt, for the plain headers of the capture; written from section 3, not from the tool."""
    network = dpkt.ethernet.Ethernet(data).data
    if isinstance(network, dpkt.ip.IP):
        ecn, protocol, size = network.tos & 3, network.p, network.len - network.hl * 4
    elif isinstance(network, dpkt.ip6.IP6):
        ecn, protocol, size = network.fc & 3, network.nxt, network.plen
    else:
        return "NON_IP", 0
    if protocol != socket.IPPROTO_TCP:
        return "OTHER_IP", ecn
    flags, payload = network.data.flags, size - network.data.off * 4
    if flags & dpkt.tcp.TH_SYN:
        return ("SYN_ACK" if flags & dpkt.tcp.TH_ACK else "SYN"), ecn
    if flags & dpkt.tcp.TH_RST or (flags & dpkt.tcp.TH_FIN and not payload):
        return "TCP_CTRL", ecn
    return ("DATA" if payload else "ACK"), ecn


def test_the_real_capture_against_a_second_computation() -> None:
    """Departure times by recursion, the queue by counting who has not left yet: no event loop, no engine.

    8000 frames at 45 times the speed into 10 Gbit/s, K 30 kB, limit 150 kB: marks and drops occur (floors below).
    """
    k, limit, rate, speed = 30_000, 150_000, 10**10, 45
    with Reader(CAPTURE) as reader:
        frames = list(islice(reader, 8000))
    expected: Counter[tuple[str, str]] = Counter()
    stored: list[tuple[int, int]] = []  # departure, length
    oldest, now, free = 0, 0, Fraction(0)
    sojourns = []
    for frame in frames:
        now = max(now, (frame.time_ns - frames[0].time_ns) // speed)
        while oldest < len(stored) and stored[oldest][0] <= now:
            oldest += 1
        held = sum(length for _, length in stored[oldest:])
        kind, ecn = classify(frame.data)
        if held + frame.length > limit:
            expected[kind, "TAIL_BYTES"] += 1
            continue
        expected[kind, "MARK" if held > k and ecn in (1, 2) else "PASS"] += 1
        start = max(free, Fraction(now))
        free = start + Fraction((max(frame.length, 60) + 24) * 8 * 10**9, rate)
        stored.append((ceil(start), frame.length))
        sojourns.append(ceil(start) - now)
    with open_engine("model") as engine:
        device = configure(engine, {0: true_mark(k, limit)})
        trace = Replay(engine, rate, Fraction(speed)).run(frames)
        snapshot = device.snapshot(0)
    seen = Counter(
        (FrameClass(kind).name, Outcome(code).name)
        for kind, code in zip(trace.verdict_class, trace.verdict_outcome, strict=True)
    )
    assert seen == expected
    assert list(trace.departure_sojourn) == sojourns
    assert snapshot.watermark_sojourn_ns == max(sojourns)
    assert sum(snapshot.histogram) == len(sojourns)
    assert seen["DATA", "MARK"] > 1000
    assert seen["DATA", "TAIL_BYTES"] > 50
    assert seen["ACK", "PASS"] > 1000


def test_a_snapshot_in_the_middle_shows_what_the_queue_is_made_of(tmp_path: Path) -> None:
    """Six frames at once, frozen after 12 µs: the first two (8 µs apart) have left, four are there."""
    frames = [(0, tcp_frame(976))] * 4 + [(0, tcp_frame(54, NOT_ECT))] + [(0, tcp_frame(976))]
    traffic = Traffic(write_capture(tmp_path / "in.pcap", frames), GIGABIT)
    settings = true_mark(0, 10**5)
    with open_engine("model") as engine:
        device: Device = configure(engine, {0: settings})
        _, frozen = send(engine, device, settings, traffic, until_ns=12_000)
    assert frozen.time_ns == 12_000
    assert (frozen.held.packets, frozen.held.bytes) == (4, 3 * 976 + 54)
    assert frozen.composition(FrameClass.DATA).packets == 3
    assert frozen.composition(FrameClass.ACK).bytes == 54
