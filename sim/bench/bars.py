# SPDX-License-Identifier: BSD-3-Clause
"""The figures the project must reach, and what the best public design reaches.

The peers' figures were measured in the same way: the frames and the fill of bench.cpp, the Yosys script of area.py.
Where a peer differs by version or size, the row says which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truemark_dev.derived import WAYS
from truemark_dev.results import Figure, Scalar, Value, slug

WIDTHS = (64, 128, 256, 512, 1024)
SUME_LUT = 3850  # NetFPGA-SUME 1.8.0 output_queues, 5 x 256 bit: 3410 logic and 440 LUT RAM
SUME_FF = 6506
SUME_BRAM = 45
SUME_MHZ = 125  # the same on ECP5-85F, speed grade 8, when the bars were set
# What the boards' clocks are on ECP5, by a yardstick: SUME's own queues close 200 MHz there with 0.502 ns to spare,
# which is 222 MHz, PLUS's close 340; the factors are these over SUME_MHZ. Nobody has routed this design for a board.
VIRTEX_7, ULTRASCALE_PLUS = 1.78, 2.7
BOARD_SUME_MHZ, BOARD_PLUS_MHZ = math.ceil(200 / VIRTEX_7), math.ceil(340 / ULTRASCALE_PLUS)
# What one memory for all ports must bring, by data_w: ports, Gb/s of each, clock in GHz, and what share of that below
# 1500 bytes. SUME's, and PLUS's.
POOLED = {256: (5, 10, 0.2, 0.94), 1024: (3, 100, 0.34, 0.69)}
AROUND = 24  # bytes of FCS, preamble and gap
QUEUES_LUT = 1400  # what seven more queues, their rings and the scheduler may take of a port
POOL_LUT = 11_000  # of five ports with a pool, and with eight queues each
FULL_LUT, FULL_FF, FULL_BRAM, FULL_DSP = 8000, 13000, 200, 24  # the goal is 7,250 LUT; twice the peer are 7,700
TRUE_MARK_BRAM = 178  # the goal is 90
RED_LINUX_LUT = 1500  # more, in the full build

# The tables of docs/results.md by how the sections of ours begin.
TABLES = {
    r"accepted input|\d+-byte frames|the full build": "pace",
    r"first beat|beat with|cycles from": "latency",
    r"in ns": "nanoseconds",
    r"the reference switch": "pipeline",
    r"while one port|corrupt frames": "integrity",
    r"area": "area",
    r"placed": "timing",
    r"frames per second": "rate",
}

TOLERANCE = 1e-9  # figures are ratios of whole cycles


@dataclass(frozen=True)
class Row:
    """One line of the table: the worst of all figures whose keys match, and what it must be."""

    section: str
    title: str
    pattern: str
    bar: float | None  # None: shown, not judged
    at_most: bool = True
    peer: str = "-"  # in words, or the key of a figure

    def keys(self, figures: Mapping[str, float]) -> list[str]:
        """Return the keys this row is about."""
        return [key for key in figures if re.fullmatch(self.pattern, key)]

    def worst(self, figures: Mapping[str, float]) -> float | None:
        """Return the figure furthest from good, or nothing if none was measured."""
        values = [figures[key] for key in self.keys(figures)]
        if not values:
            return None
        return max(values) if self.at_most else min(values)

    def missed(self, figures: Mapping[str, float]) -> list[str]:
        """Return the keys whose figures miss the bar."""
        if self.bar is None:
            return []
        bar, sign = self.bar, 1 if self.at_most else -1
        return [key for key in self.keys(figures) if not sign * (figures[key] - bar) <= TOLERANCE]

    def place(self) -> tuple[str, str, str]:
        """Return where results/ has it: table, row and, where a row has several figures, column."""
        table = next(table for start, table in TABLES.items() if re.match(start, self.section))
        split = re.fullmatch(r"(?P<column>\d+ bit)\b[, ]*(?P<row>.*)", self.title) or re.fullmatch(
            r"(?P<row>.*), (?P<column>LUT|FF|RAMB18|DSP|URAM288)", self.title
        )
        row, column = (split["row"], split["column"]) if split else (self.title, "")
        head = "" if table in ("area", "timing", "rate") else re.split(r"[;:,]", self.section)[0]
        return table, ", ".join(filter(None, (head, row))), column

    def figure_key(self) -> str:
        """Return the key under which results/ has it."""
        table, title, _ = self.place()
        return f"{table}.{slug(title)}"


def _beats(size: int, width: int) -> int:
    return math.ceil(size / (width // 8))


def _any_of(width: int) -> str:
    """Match the tags of every build of this width."""
    return rf"{width}(?:\.flags|\.ultra|\.store_and_forward)*"


def _throughput() -> Iterator[Row]:
    section = "accepted input beats per cycle, frames of 14 to 9216 B, worst of all sizes"
    modes = {
        "droptail": "droptail",
        "true-mark": "true-mark",
        "true-mark, marking every frame": r"true-mark\.mark_all",
        "dropping every frame (limit)": r"droptail\.drop_all",
        "dropping every frame (storage full)": r"true-mark\.drop_full",
    }
    for title, mode in modes.items():
        pattern = rf"input_beats_per_cycle\..*?\.{mode}(?:\.\w+B|\.mixed)?"
        yield Row(section, title, pattern, 1.0, at_most=False, peer="1.0 SUME 1.10, PLUS")
    peers = {(256, 64): "0.5000 SUME", (256, 65): "0.3333 SUME", (256, 1500): "0.0213 SUME"}
    peers |= {(512, 64): "1.0000 PLUS", (512, 65): "0.5000 PLUS", (512, 1500): "0.0417 PLUS"}
    peers |= {(1024, 64): "1.0000 PLUS", (1024, 65): "1.0000 PLUS", (1024, 1500): "0.0833 PLUS"}
    for size in (64, 65, 1500):
        for width in WIDTHS:
            pattern = rf"frames_per_cycle\.{_any_of(width)}\.{size}B\.(?!reference|\d-queues).*"
            bar, peer = 1 / _beats(size, width), peers.get((width, size), "-")
            yield Row(
                f"{size}-byte frames per cycle out; one port, spread, broadcast, from a backlog",
                f"{width} bit",
                pattern,
                bar,
                False,
                peer,
            )


def _queues() -> Iterator[Row]:
    for size in (64, 65, 1500):
        section = f"{size}-byte frames per cycle out of 8 queues a port; in turns, strict, both"
        for width in (256, 512, 1024):
            pattern = rf"frames_per_cycle\.{width}\.{size}B\.[248]-queues(?:\.\w+)*"
            yield Row(section, f"{width} bit", pattern, 1 / _beats(size, width), at_most=False)
    key = r"area\.xc7\.8-queues\.2x256\.added_lut_a_port"
    yield Row("area, Yosys, xc7", "what 8 queues instead of one add to a port, 2 ports x 256 bit, LUT", key, QUEUES_LUT)


def _pooled(size: int, width: int) -> float | None:
    """Return the frames per cycle, of all ports together, that a board with such a pool needs."""
    if width not in POOLED:
        return None
    ports, rate, clock, share = POOLED[width]
    return (1 if size >= 1500 else share) * ports * rate / (8 * (size + AROUND) * clock)


def _pool() -> Iterator[Row]:
    policy = "(?:droptail|true-mark)"
    for size in (64, 65, 1500):
        section = f"{size}-byte frames per cycle out of a pool, all ports together"
        for width in (256, 512, 1024):
            pattern = rf"frames_per_cycle\.{width}\.pool\.{size}B\.{policy}\.spread"
            yield Row(section, f"{width} bit", pattern, _pooled(size, width), at_most=False)
    section = "first beat in to first beat out of a pool, cycles, empty queue"
    for width in (256, 512, 1024):
        yield Row(section, f"{width} bit", rf"latency_cycles\.{width}\.pool\.{policy}\.ipv[46]\.\d+B", 7)
    section = "cycles from one head drop of CoDel to the next out of a pool, or to the frame that leaves"
    for size, bar in ((64, 11), (1500, 24)):  # of 1500 bytes its cells are walked, one in each cycle
        yield Row(section, f"256 bit, {size} B", rf"head_drop_cycles\.256\.pool\.{size}B", bar)
    section = "while one port of a pool is blocked: frames that others lost"
    yield Row(section, "each port with alpha = 1", r"sharing\..*\.alpha_1\.other_ports_lost", 0)
    yield Row(section, "no port with a threshold", r"sharing\..*\.no_threshold\.other_ports_lost", None)
    yield Row(section, "offered to them", r"sharing\..*\.alpha_1\.offered", None, at_most=False)


def _latency() -> Iterator[Row]:
    section = "first beat in to first beat out, cycles, empty queue, untagged IPv4 and IPv6, 60 to 1500 B"
    for policy in ("droptail", "true-mark"):
        for width in WIDTHS:
            judged = width >= 256  # below, the ECN field is not in the first beat
            peer = {256: "3 SUME, axis_fifo", 512: "3 PLUS", 1024: "3 PLUS"}.get(width, "-")
            for suffix, name in (("", ""), (r"\.ultra", ", UltraRAM"), (r"\.flags", ", flags build")):
                pattern = rf"latency_cycles\.{width}{suffix}\.{policy}(?:\.ipv[46]\.\d+B|\.stream)?"
                bar = 6 if "flags" in suffix else 4
                yield Row(section, f"{width} bit {policy}{name}", pattern, bar if judged else None, True, peer)
    pattern = r"latency_cycles\.256\.store_and_forward\.(?:droptail|true-mark)"
    yield Row(section, "256 bit, store and forward, 64 B", pattern, None, True, "4 axis_fifo frame mode")
    section = "beat with the TCP flags in to first beat out, cycles"
    for width in WIDTHS:
        title = f"{width} bit, 0 to 3 tags, IPv4 options, IPv6 extensions"
        yield Row(section, title, rf"latency_after_flags\.{width}(?:\..*)?", 6)
    for way in WAYS:
        yield Row("in ns, cycles at the clock of a placed build", way.title, re.escape(way.key), way.bar)


def _aqm() -> Iterator[Row]:
    section = "the full build, RED and CoDel at work: 64-byte frames per cycle, one port, spread, broadcast, backlog"
    for policy in ("red", "codel"):
        for width in (256, 512, 1024):
            pattern = rf"frames_per_cycle\.{width}\.64B\.{policy}(?:\.\w+)?"
            yield Row(section, f"{width} bit {policy}", pattern, 1 / _beats(64, width), at_most=False)
    section = "first beat in to first beat out, cycles, full build, at any time after the queue emptied"
    for width in (256, 512, 1024):
        for policy in ("full.true-mark", "red", "codel"):
            pattern = rf"latency_cycles\.{width}\.{re.escape(policy)}(?:\.ipv[46]\.\d+B)?"
            yield Row(section, f"{width} bit {policy}", pattern, 6)
    section = "cycles from one head drop of CoDel to the next, or to the frame that leaves"
    for width in (256, 512, 1024):
        yield Row(section, f"{width} bit, one port active", rf"head_drop_cycles\.{width}(?:\.\d+B)?", 11)


def _timing() -> Iterator[Row]:
    section = "placed, ECP5-85F speed grade 8, between registers, 16 KiB a port, median of three seeds, MHz"
    for title, build, bar, peer in (
        ("truemark, 5 x 256 bit, true-mark build", "truemark.true-mark.5x256", SUME_MHZ, "peer.5x256"),
        ("truemark, 5 x 256 bit, full build", "truemark.full.5x256", SUME_MHZ, "peer.5x256"),
        ("truemark, 5 x 256 bit, with a pool", "truemark.pool.5x256", BOARD_SUME_MHZ, ""),
        ("truemark, 5 x 256 bit, with a pool and PFC", "truemark.pfc.5x256", BOARD_SUME_MHZ, ""),
        ("truemark, 1 x 256 bit, four queues", "truemark.4-queues.1x256", SUME_MHZ, ""),
        ("truemark, 1 x 256 bit, eight queues of 4 KiB", "truemark.8-queues.1x256", SUME_MHZ, ""),
        ("truemark, 1 x 512 bit, full build", "truemark.full.1x512", SUME_MHZ, ""),
        ("truemark, 1 x 1024 bit, full build", "truemark.full.1x1024", SUME_MHZ, ""),
        ("core, 8 x 256 bit, full build", "core.full.8x256", 110, ""),
        ("drop-in for SUME, 5 x 256 bit", "dropin.sume", BOARD_SUME_MHZ, "peer.5x256"),
        ("drop-in for PLUS, 3 x 1024 bit", "dropin.plus", BOARD_PLUS_MHZ, "peer.3x1024"),
        ("one port, 256 bit, true-mark build", "port.true-mark.256", None, ""),
        ("one port, 256 bit, full build", "port.full.256", None, ""),
        ("parse, 256 bit", "parse.256", None, ""),
        ("NetFPGA-SUME's output_queues", "peer.5x256", None, ""),
        ("NetFPGA-PLUS's output_queues", "peer.3x1024", None, ""),
    ):
        pattern = rf"timing\.ecp5\.{re.escape(build)}\.mhz"
        yield Row(section, title, pattern, bar, at_most=False, peer=f"timing.ecp5.{peer}.mhz" if peer else "-")


def _pipeline() -> Iterator[Row]:
    section = "the reference switch: 64-byte frames per cycle from all inputs, and cycles through it"
    peers = {256: "0.1667 SUME", 512: "-", 1024: "-"}
    for width, bar in ((256, 0.5), (512, 1.0), (1024, 1.0)):
        pattern = rf"frames_per_cycle\.{width}\.64B\.reference_pipeline"
        yield Row(section, f"{width} bit", pattern, bar, at_most=False, peer=peers[width])
        peer = {256: "13 SUME", 512: "12 PLUS"}.get(width, "-")
        yield Row(section, f"{width} bit, cycles", rf"latency\.{width}\.reference_pipeline", 12, peer=peer)
        yield Row(section, f"{width} bit, wrong frames", rf"wrong_frames\.{width}\.reference_pipeline", 0)


def _rates() -> Iterator[Row]:
    section = "frames per second on one core"
    yield Row(section, "golden model alone", r"model\.frames_per_second", 5e6, at_most=False)
    lockstep = r"lockstep\.frames_per_second\.256"
    yield Row(section, "lockstep, 1 × 256 bit, 64, 576 and 1500 B (7:4:1)", lockstep, 1e5, at_most=False)
    yield Row(section, "lockstep, 1 × 256 bit, 64 to 1500 B alike", rf"{lockstep}\.uniform", None, at_most=False)
    yield Row(
        section, "lockstep, 5 × 256 bit, 64, 576 and 1500 B (7:4:1)", rf"{lockstep}\.5_ports", None, at_most=False
    )
    yield Row(
        section, "lockstep, 5 × 256 bit, as make lockstep has it", rf"{lockstep}\.5_ports\.make_lockstep", None, False
    )


def _isolation() -> Iterator[Row]:
    section = "while one port is blocked"
    lost = "0 SUME 1.10, PLUS; 995 (64 B), 999 (1500 B) of 1000 SUME 1.8"
    yield Row(
        section, "frames of another port lost or moved by a cycle", r"blocked_port\..*disturbed_frames", 0, True, lost
    )
    lost = "158 (64 B), 198 (1500 B) PLUS"
    yield Row(
        section,
        "multicast copies beside a full port, lost of 200",
        r"multicast_beside_full_port\..*\.lost",
        0,
        True,
        lost,
    )
    yield Row(section, "frames other ports lost while one was stuck", r"stuck_port\..*\.other_ports_lost", 0)
    yield Row(section, "cycles it was stuck", r"stuck_port\..*\.cycles", None, False)


def _integrity() -> Iterator[Row]:
    section = "corrupt frames out"
    loads = {
        "2 into 1, 64 B": (r"64B", "2292 of 20000 SUME 1.10"),
        "2 into 1, 1500 B": (r"1500B", "1669 of 20000 SUME 1.10"),
        "2 into 1, 60 to 1518 B": (r"60to1518B", "1855 of 20000 SUME 1.10"),
        "2 into 1, bursts of 8": (r"60to1518B\.bursts_of_8", "1810 of 20000 SUME 1.10"),
        "14 to 9216 B, ready 30 %, multicast": (r"14to9216B\.ready30\.multicast", "3074 of 6000 PLUS (to 9000 B)"),
        "14 to 9216 B, ready, multicast": (r"14to9216B\.ready100\.multicast", "0 PLUS"),
    }
    for title, (load, peer) in loads.items():
        yield Row(section, title, rf"corrupt_frames\..*?\.{load}", 0, True, peer)
    yield Row(section, "with another port stuck", r"stuck_port\..*\.corrupt_frames", 0)
    yield Row(section, "offered less intact less counted drops", r"unaccounted_frames\..*", 0)


def _area() -> Iterator[Row]:
    # The peer is NetFPGA-SUME's queue, which has no AQM.
    section = "area, Yosys, xc7, 5 ports x 256 bit, 16 KiB per port"
    build = r"area\.xc7\.true-mark\.5x256\."
    yield Row(section, "true-mark build, LUT", build + "lut", SUME_LUT, True, str(SUME_LUT))
    yield Row(section, "true-mark build, FF", build + "ff", SUME_FF, True, str(SUME_FF))
    yield Row(section, "true-mark build, RAMB18", build + "bram", TRUE_MARK_BRAM, True, str(SUME_BRAM))
    yield Row(section, "true-mark build, DSP", build + "dsp", None, True, "0")
    full = r"area\.xc7\.full\.5x256\."
    yield Row(section, "full build, LUT", full + "lut", FULL_LUT, True, str(SUME_LUT))
    yield Row(section, "full build, FF", full + "ff", FULL_FF, True, str(SUME_FF))
    yield Row(section, "full build, RAMB18", full + "bram", FULL_BRAM, True, str(SUME_BRAM))
    yield Row(section, "full build, DSP", full + "dsp", FULL_DSP, True, "0")
    for title, key in (("LUT", "lut"), ("FF", "ff"), ("RAMB18", "bram"), ("DSP", "dsp")):
        yield Row(section, f"full build, 16 ports, {title}", rf"area\.xc7\.full\.16x256\.{key}", None)
        yield Row(section, f"full build, RED as in Linux too, {title}", rf"{full}red-linux\.{key}", None)
    yield Row(section, "RED as in Linux adds, LUT", rf"{full}red-linux\.added_lut", RED_LINUX_LUT)
    for title, key, bar in (("LUT", "lut", POOL_LUT), ("FF", "ff", None), ("RAMB18", "bram", None)):
        yield Row(section, f"one memory of 256 KiB, {title}", rf"area\.xc7\.pool\.5x256\.{key}", bar)
        yield Row(section, f"one memory of 256 KiB and PFC, {title}", rf"area\.xc7\.pfc\.5x256\.{key}", None)
    for title, pattern in (
        ("true-mark build, one port, LUT", "1x256.lut"),
        ("true-mark build, one port, FF", "1x256.ff"),
        ("true-mark build, one port, RAMB18", "1x256.bram"),
        ("true-mark build, 16 ports, LUT", "16x256.lut"),
        ("true-mark build, 16 ports, FF", "16x256.ff"),
        ("true-mark build, 16 ports, RAMB18", "16x256.bram"),
    ):
        yield Row(section, title, re.escape(f"area.xc7.true-mark.{pattern}"), None)
    for title, key in (("deep, LUT", "lut"), ("deep, FF", "ff"), ("deep, URAM288", "uram"), ("deep, RAMB18", "bram")):
        yield Row(section, f"xcup 3 x 512 bit, {title}", rf"area\.xcup\.true-mark\.3x512\.deep\.{key}", None)


ROWS: tuple[Row, ...] = (
    *_throughput(),
    *_queues(),
    *_pool(),
    *_latency(),
    *_aqm(),
    *_pipeline(),
    *_isolation(),
    *_integrity(),
    *_area(),
    *_timing(),
    *_rates(),
)


def row_of(key: str) -> Row | None:
    """Return the row that a figure is of."""
    return next((row for row in ROWS if re.fullmatch(row.pattern, key)), None)


def missed(figures: Mapping[str, float]) -> list[str]:
    """Return in words every figure that misses its bar."""
    return [
        f"{key} is {figures[key]:g}; the bar is {'at most' if row.at_most else 'at least'} {row.bar:g}"
        for row in ROWS
        if row.bar is not None
        for key in row.missed(figures)
    ]


def peer(row: Row, figures: Mapping[str, float]) -> str:
    """Return what the peer reaches."""
    if not row.peer.startswith("timing."):
        return row.peer
    return f"{figures[row.peer]:.1f}" if row.peer in figures else "not measured"


def _scalar(said: str) -> Scalar:
    """Return a number where the words are one."""
    try:
        return float(said) if "." in said else int(said)
    except ValueError:
        return said


def recorded(figures: Mapping[str, float], **origin: str) -> list[Figure]:
    """Return the rows that were measured as figures for results/, those of one row together by column."""
    rows: dict[tuple[str, str], dict[str, dict[str, Scalar]]] = {}
    for row in ROWS:
        value, said = row.worst(figures), peer(row, figures)
        if value is None:
            continue
        table, title, column = row.place()
        parts = rows.setdefault((table, title), {"value": {}, "bar": {}, "peer": {}, "better": {}})
        parts["value"][column] = round(value, 4)
        if row.bar is not None:
            parts["bar"][column] = round(row.bar, 4)
            parts["better"][""] = "less" if row.at_most else "more"
        if said not in ("-", "not measured"):
            parts["peer"][column] = _scalar(said)

    def one(part: dict[str, Scalar]) -> Value:
        return part.get("", part)

    return [
        Figure(
            f"{table}.{slug(title)}",
            title,
            one(parts["value"]),
            unit="MHz" if table == "timing" else "",
            bar=one(parts["bar"]) if parts["bar"] else None,
            better=str(parts["better"].get("", "")),
            peer=one(parts["peer"]) if parts["peer"] else None,
            **origin,
        )
        for (table, title), parts in rows.items()
    ]


def unmeasured(figures: Mapping[str, float]) -> list[str]:
    """Return the rows with a bar for which there is no figure."""
    return [f"{row.section}: {row.title}" for row in ROWS if row.bar is not None and not row.keys(figures)]
