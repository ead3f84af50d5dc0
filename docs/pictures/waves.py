# SPDX-License-Identifier: BSD-3-Clause
"""Waveforms from a real run: simulates `scene.py` on the core and draws what Verilator wrote into its dump."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from pywellen import Waveform
from truemark.device import registers as reg
from truemark_dev.runner import build_and_test

from cocotb_tests.env.tm_pkg import Outcome
from docs.pictures import style as s

Sample = Mapping[str, int]  # the values of one cycle, by path
PORT = "gen_port[0].queue"
COLOURS = ("#9fc5e8", "#b6d7a8", "#ffe599", "#d5a6bd", "#c9c3e6")  # of frames A to E, and so on


def read_waves(path: Path, clock: str) -> list[dict[str, int]]:
    """Return what every signal was just before each rising edge of the clock, by path below the top module."""
    changes: dict[str, list[tuple[int, int]]] = {}
    for var in Waveform(str(path)).all_vars():
        # An array of one port is traced as its element 0.
        changes.setdefault(var.full_name.partition(".")[2].replace(".[", "[").removesuffix("[0]"), var.tv)

    def before(name: str, edge: int) -> int:
        earlier = bisect_left(changes[name], edge, key=lambda change: change[0])
        return changes[name][earlier - 1][1] if earlier else 0

    edges = [time for time, value in changes[clock] if value and time]
    return [{name: before(name, edge) for name in changes} for edge in edges]


@dataclass(frozen=True)
class Row:
    """One line of a waveform: a bit, or a bus whose text is None where it means nothing."""

    label: str
    value: Callable[[Sample], int | str | None]
    colour: str | None = None


def bit(label: str, path: str) -> Row:
    """Return a row for one bit."""
    return Row(label, lambda sample: sample[path])


def bus(label: str, path: str, when: str | None = None, show: Callable[[int], str] = str) -> Row:
    """Return a row for a number, shown while `when` is set."""
    return Row(label, lambda sample: show(sample[path]) if when is None or sample[when] else None, "")


def stream(label: str, samples: Sequence[Sample], valid: str, data: str, last: str) -> Row:
    """Return a row that names the beats of a stream: the frame's letter and the beat's number."""
    names: dict[int, str] = {}
    letter, number = "", 0
    for sample in samples:
        if not sample[valid]:
            continue
        if number == 0:
            letter = chr(sample[data] >> 40 & 0xFF)
        names[id(sample)] = f"{letter}{number}"
        number = 0 if sample[last] else number + 1
    return Row(label, lambda sample: names.get(id(sample)), "beats")


def eventful(samples: Sequence[Sample], rows: Sequence[Row]) -> list[int]:
    """Return the cycles in which a row changes, with those next to them."""
    shown = [tuple(row.value(sample) for row in rows) for sample in samples]
    changes = [index for index in range(1, len(shown)) if shown[index] != shown[index - 1]]
    return sorted({near for index in changes for near in range(index - 2, index + 2) if 0 <= near < len(shown)})


def draw(
    name: str, samples: Sequence[Sample], rows: Sequence[Row], title: str, cycles: Sequence[int] | None = None
) -> None:
    """Draw the cycles of a scene, or those of `cycles`: a dashed line stands where some are left out."""
    numbers = range(len(samples)) if cycles is None else cycles
    samples = [samples[number] for number in numbers]
    count = len(samples)
    left, line, unit = 1.75, 0.36, 0.46
    width, height = left + unit * count + 0.15, line * len(rows) + 0.75
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)
    axes.axis("off")
    axes.text(0.12, height - 0.2, title, weight="bold", size=9.5, va="center")
    for index in range(count + 1):
        x = left + unit * index
        gap = 0 < index < count and numbers[index] != numbers[index - 1] + 1
        line_style, colour = ("--", s.INK) if gap else ("-", s.RULE)
        axes.plot([x, x], [0.08, height - 0.52], color=colour, ls=line_style, lw=1.2 if gap else 0.6, zorder=1)
        if index < count:
            axes.text(x + unit / 2, height - 0.45, str(numbers[index]), size=7, color=s.QUIET, ha="center", va="center")
    for position, row in enumerate(rows):
        base = height - 0.62 - line * (position + 1) + 0.09
        axes.text(left - 0.12, base + 0.11, row.label, size=8.5, ha="right", va="center")
        shown = [row.value(sample) for sample in samples]
        if row.colour is None:
            _draw_bit([int(value or 0) for value in shown], left, unit, base, axes.plot)
        else:
            _draw_bus(shown, left, unit, base, axes)
    s.save(figure, name)


def _draw_bit(values: Sequence[int], left: float, unit: float, base: float, plot: Callable[..., object]) -> None:
    xs, ys = [], []
    for index, value in enumerate(values):
        xs += [left + unit * index, left + unit * (index + 1)]
        ys += [base + 0.22 * value] * 2
    plot(xs, ys, color=s.STAGE_EDGE, lw=1.4, zorder=3, solid_joinstyle="miter")


def _draw_bus(shown: Sequence[int | str | None], left: float, unit: float, base: float, axes: object) -> None:
    start = 0
    for index in range(1, len(shown) + 1):
        if index < len(shown) and shown[index] == shown[start]:
            continue
        x0, x1, text = left + unit * start, left + unit * index, shown[start]
        if text is None:
            axes.plot([x0, x1], [base + 0.11] * 2, color=s.RULE, lw=1.4, zorder=2)  # type: ignore[attr-defined]
        else:
            slant = 0.04
            corners = [
                (x0, base + 0.11),
                (x0 + slant, base + 0.24),
                (x1 - slant, base + 0.24),
                (x1, base + 0.11),
                (x1 - slant, base - 0.02),
                (x0 + slant, base - 0.02),
            ]
            text = str(text)
            size = 7.2 if len(text) <= 6 * (index - start) else 5.2
            face = COLOURS[(ord(text[0]) - ord("A")) % len(COLOURS)] if re.fullmatch(r"[A-Z]\d", text) else s.STAGE
            face = s.MARKED if text in ("mark", "CE") else "#f4c7c3" if text == "aborted" else face
            axes.add_patch(Polygon(corners, fc=face, ec=s.INK, lw=0.8, zorder=3))  # type: ignore[attr-defined]
            axes.text((x0 + x1) / 2, base + 0.105, text, size=size, ha="center", va="center", zorder=4)  # type: ignore[attr-defined]
        start = index


def outcome(number: int) -> str:
    """Return an outcome's name as the documentation writes it."""
    return Outcome(number).name.lower().replace("_", " ")


def main() -> None:
    """Run the scenes and draw every waveform."""
    os.environ["WAVES"] = "1"
    draw_packets()
    draw_commit()
    draw_laws()


def draw_commit() -> None:
    """Draw an accepted commit and a refused one, from a run of the whole top."""
    run = build_and_test("truemark", "docs.pictures.scene_commit", parameters={"PORTS": 1, "DATA_W": 256})
    start = json.loads((run / "scenes.json").read_text())["commit"]
    samples = read_waves(run / "dump.vcd", "clk")[start - 1 : start + 180]
    config, port = "control.configuration", "control.cfg_o[0]"
    names = {register.address: register.name for register in (reg.K0, reg.COMMAND)}
    rows = [
        bit("awvalid", "s_axil_awvalid"),
        bus("write to", "s_axil_awaddr", "s_axil_awvalid", lambda address: names.get(address, hex(address))),
        bus("value", "s_axil_wdata", "s_axil_wvalid"),
        bit("bvalid", "s_axil_bvalid"),
        bit("commit", f"{config}.commit_i"),
        bit("busy", f"{config}.busy_o"),
        bit("refused", f"{config}.refused_o"),
        Row("fault", lambda sample: "K0" if sample[f"{config}.fault_o"] == reg.Fault.K0 else None, ""),
        bus("law 0, in force", f"{port}.law", None, lambda law: ("none", "step")[law]),
        bus("limit, in force", f"{port}.limit_bytes", None, lambda value: "off" if value == 0xFFFFFF else str(value)),
        bus("K, in force", f"{port}.k"),
    ]
    draw(
        "wave-commit",
        samples,
        rows,
        "K0 = 150 is committed: every field changes in one cycle. K0 = 20,000 is above the limit: refused",
        eventful(samples, rows),
    )


def draw_laws() -> None:
    """Draw a signal of RED, and CoDel's drop and mark, from a run of the whole top."""
    parameters = {"PORTS": 1, "DATA_W": 256, "RED": 1, "CODEL": 1}
    run = build_and_test("truemark", "docs.pictures.scene_laws", parameters=parameters)
    begun = json.loads((run / "scenes.json").read_text())
    samples = read_waves(run / "dump.vcd", "clk")
    port = f"core.{PORT}"
    red, codel = f"{port}.admission.gen_red.red", f"{port}.egress.laws.gen_codel.codel"

    part = samples[begun["red"] - 2 : begun["red"] + 54]
    rows = [
        stream("s_axis", part, "s_axis_tvalid", "s_axis_tdata", "s_axis_tlast"),
        bit("judged", f"{port}.admitted.judged"),
        bus("B, bytes held", f"{port}.bytes"),
        bus("p of the next frame", f"{red}.probability_q", None, fraction),
        bus("left of the threshold", f"{red}.spacing.left_q", None, fraction),
        bit("signal", f"{red}.signal_o"),
        bus("its outcome", f"{port}.admission.outcome", f"{port}.admission.arrival.was_judged_q", outcome),
    ]
    title = "RED, W = 1: D and E take their p off the threshold; F would take more than is left, and is marked"
    draw("wave-red", part, rows, title, eventful(part, rows))

    def drop_next(sample: Sample) -> int | None:
        stands = sample[f"{codel}.dropping_q"] and not sample[f"{codel}.busy_q"]
        return sample[f"{codel}.times.drop_next_q"] if stands else None

    def codepoint_out(sample: Sample) -> str | None:
        first = sample["m_axis_tvalid"] and not sample["m_axis_tlast"]  # of two beats
        return _codepoint(sample["m_axis_tdata"]) if first else None

    part = samples[begun["codel"] + 15 : begun["codel"] + 47]
    rows = [
        bit("pull", f"{port}.egress.laws.pull_i.frame"),
        bus("now", f"{codel}.times.now_q"),
        bus("first_above", f"{codel}.times.first_above_q", f"{codel}.set_q"),
        Row("drop_next", drop_next, ""),
        bit("dropping", f"{codel}.dropping_q"),
        bit("pause", f"{codel}.fate_o.pause"),
        bit("drop", f"{codel}.fate_o.drop"),
        bit("deliver", f"{codel}.fate_o.deliver"),
        stream("m_axis", part, "m_axis_tvalid", "m_axis_tdata", "m_axis_tlast"),
        Row("ECN as it leaves", codepoint_out, ""),
        bus("B, bytes held", f"{port}.bytes"),
    ]

    title = "CoDel, 1024 ns a cycle, interval 12: J, Not-ECT, is dropped and K pulled at once; N, ECT, is marked"
    draw("wave-codel", part, rows, title)


def fraction(value: int) -> str:
    """Return a number in 2^-24."""
    return f"{value / (1 << 24):.3f}"


def draw_packets() -> None:
    """Draw what happens to frames, from a run of the core."""
    run = build_and_test("tm_core", "docs.pictures.scene", parameters={"PORTS": 1, "DATA_W": 256})
    samples = read_waves(run / "dump.vcd", "clk_i")
    scenes = json.loads((run / "scenes.json").read_text())

    def scene(name: str, cycles: int) -> Sequence[Sample]:
        return samples[scenes[name] : scenes[name] + cycles]

    def beats_in(part: Sequence[Sample]) -> Row:
        return stream("s_axis", part, "s_valid_i", "s_data_i", "s_last_i")

    def beats_out(part: Sequence[Sample]) -> Row:
        return stream("m_axis", part, "m_o[0].valid", "m_data_o", "m_o[0].last")

    judge = f"{PORT}.admitted.judged"
    verdict = bus("its outcome", f"{PORT}.admission.outcome", f"{PORT}.admission.arrival.was_judged_q", outcome)

    part = scene("empty", 13)
    rows = [
        beats_in(part),
        bit("next_ecn_valid", "strobes.next_ecn_valid"),
        bit("judged", judge),
        verdict,
        bus("B, bytes held", f"{PORT}.bytes"),
        bit("fetch", f"{PORT}.read.fetch"),
        bit("departs", f"{PORT}.depart"),
        beats_out(part),
        bit("ends", f"{PORT}.admitted.ends"),
        bit("arrival", "arrival_o[0].valid"),
        bit("departure", "departure_o[0].valid"),
    ]
    draw("wave-empty", part, rows, "A frame of 96 bytes meets an empty queue: in at cycle 1, out at cycle 5")

    part = scene("threshold", 28)
    rows = [
        beats_in(part),
        bit("judged", judge),
        bus("B, bytes held", f"{PORT}.bytes"),
        bit("B > K", f"{PORT}.admission.verdict.stepped"),
        verdict,
        bit("tx_en_i", "permit_i[0].tx_en"),
        beats_out(part),
        Row("ECN as it leaves", lambda v: _ecn_out(v), ""),
    ]
    draw(
        "wave-threshold",
        part,
        rows,
        "Five frames of 64 bytes, K = 150 bytes: the fourth and the fifth meet more than K",
    )

    part = scene("threshold", 28)
    rows = [
        beats_in(part),
        Row("byte 15 as it came", lambda v: _bytes_in(v, "beat_row", 15, 1), ""),
        Row("byte 15 marked", lambda v: _bytes_in(v, "beat_marked", 15, 1), ""),
        Row("checksum as it came", lambda v: _bytes_in(v, "beat_row", 24, 2), ""),
        Row("checksum marked", lambda v: _bytes_in(v, "beat_marked", 24, 2), ""),
        verdict,
        bit("read as marked", f"{PORT}.read.look_mark"),
        beats_out(part),
        Row("byte 15 as it leaves", lambda v: _bytes_out(v, 15, 1), ""),
        Row("checksum as it leaves", lambda v: _bytes_out(v, 24, 2), ""),
    ]
    draw("wave-rewrite", part, rows, "Every row is kept twice: A, B and C leave as they came, D and E marked")

    part = scene("abort", 19)
    rows = [
        beats_in(part),
        bit("judged", judge),
        bit("ends", f"{PORT}.admitted.ends"),
        bit("wrong", f"{PORT}.admitted.wrong"),
        bit("rewind", f"{PORT}.rewind"),
        bus("row written next", f"{PORT}.gen_ring.buffer.gen_block.ring.write_q"),
        bus("B, bytes held", f"{PORT}.bytes"),
        bus("outcome", "arrival_o[0].outcome", "arrival_o[0].valid", outcome),
        bit("tx_en_i", "permit_i[0].tx_en"),
        beats_out(part),
    ]
    draw("wave-abort", part, rows, "Frame B turns out wrong at its end and is taken back; A and C are not touched")


def _bytes_in(sample: Sample, path: str, first: int, count: int) -> str | None:
    return _bytes(sample[path], first, count) if sample["strobes.valid"] and sample["strobes.first"] else None


def _bytes_out(sample: Sample, first: int, count: int) -> str | None:
    shown = sample["m_o[0].valid"] and sample[f"{PORT}.row_number"] == 0
    return _bytes(sample["m_data_o"], first, count) if shown else None


def _bytes(row: int, first: int, count: int) -> str:
    return (row >> 8 * first & (1 << 8 * count) - 1).to_bytes(count, "little").hex()


def _ecn_out(sample: Sample) -> str | None:
    first = sample["m_o[0].valid"] and sample[f"{PORT}.row_number"] == 0
    return _codepoint(sample["m_data_o"]) if first else None


def _codepoint(beat: int) -> str:
    return ("Not-ECT", "ECT(1)", "ECT(0)", "CE")[beat >> 120 & 3]
