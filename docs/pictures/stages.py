# SPDX-License-Identifier: BSD-3-Clause
"""The stages from inside, one picture each: modules as boxes, on the arrows the structs and signals between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.pictures import style as s
from docs.pictures.pipeline import arrow, box

WIDTH = 10.0
WIDE, TALL = 1.8, 0.85  # a box
LEFT, STEP_X, STEP_Y, MARGIN = 1.4, 2.72, 1.75, 0.75
FRAME = (LEFT - 0.22, WIDTH - LEFT + 0.22)  # from left to right
NEAR = 0.01  # on one line
SIDES = ("left", "right", "top", "bottom")

EGRESS = "gen_port[0].queue.egress"

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A module: where it is instantiated in the parent, where it is drawn, what it does."""

    path: str
    module: str
    column: int
    row: int
    text: str
    folder: str = ""  # if another than the stage's


@dataclass(frozen=True)
class Arrow:
    """What goes from a box, or a side of the picture, to another: port types, or names of ports without `_i`, `_o`."""

    start: str
    end: str
    labels: tuple[str, ...]
    shift: float = 0  # from the middle of the box
    over: bool = False  # goes above the boxes between

    @property
    def both_ways(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return each end, with the other."""
        return (self.start, self.end), (self.end, self.start)


@dataclass(frozen=True)
class Stage:
    """One stage; `parent` wires it."""

    name: str
    parent: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    folder: str = ""  # of rtl/, if another than the name


STAGES = (
    Stage(
        "parse",
        "tm_parse",
        (
            Box("framer", "tm_framer", 0, 0, "rows; wrong frames"),
            Box("beat_delay", "tm_delay", 0, 1, "waits for the verdict", "common"),
            Box("header_walk.i_l3_walk", "tm_l3_walk", 1, 0, "tags, L3, ECN"),
            Box("header_walk.i_chain_walk", "tm_chain_walk", 1, 1, "headers up to TCP"),
            Box("header_walk.i_classify", "tm_classify", 1, 2, "the class"),
            Box("header_walk.i_checksum_mark", "tm_checksum_mark", 2, 0, "as if marked"),
            Box("header_walk.times", "tm_header_times", 2, 1, "each in its cycle"),
        ),
        (
            Arrow("left", "framer", ("s_data", "s_len")),
            Arrow("top", "framer", ("s_error",), -0.5),
            Arrow("framer", "top", ("mishap_t",), 0.4),
            Arrow("framer", "beat_delay", ("data",)),
            Arrow("beat_delay", "bottom", ("beat_row",)),
            Arrow("framer", "header_walk.i_l3_walk", ("data", "len")),
            Arrow("header_walk.i_l3_walk", "header_walk.i_chain_walk", ("head", "l3_e")),
            Arrow("header_walk.i_l3_walk", "header_walk.i_checksum_mark", ("checksum", "ecn_e")),
            Arrow("header_walk.i_checksum_mark", "header_walk.times", ("l3_found_t",)),
            Arrow("header_walk.i_chain_walk", "header_walk.i_classify", ("tcp", "flags_at")),
            Arrow("header_walk.i_chain_walk", "header_walk.times", ("walked",)),
            Arrow("header_walk.i_classify", "header_walk.times", ("class_e", "tcp_flags_t")),
            Arrow("header_walk.times", "right", ("meta_t", "tally_t")),
        ),
    ),
    Stage(
        "admit",
        "tm_admit",
        (
            Box("occupancy", "tm_occupancy", 0, 0, "B, P, limits, B > K"),
            Box("verdict", "tm_verdict", 1, 0, "the order of rules"),
            Box("arrival", "tm_arrival", 2, 0, "follows the frame"),
            Box("room", "tm_room", 0, 1, "do rows suffice?"),
            Box("gen_red.red", "tm_red", 2, 1, "RED, one frame ahead", "law"),
        ),
        (
            Arrow("left", "occupancy", ("depart_last",)),
            Arrow("left", "room", ("rows_used",)),
            Arrow("occupancy", "verdict", ("over_bytes",)),
            Arrow("room", "verdict", ("no_room",), -0.5),
            Arrow("bottom", "verdict", ("beat_t", "cfg_t")),
            Arrow("gen_red.red", "verdict", ("signal",), 0.5),
            Arrow("right", "gen_red.red", ("red_rsp_t",)),
            Arrow("verdict", "arrival", ("outcome_e", "stores")),
            Arrow("arrival", "occupancy", ("abort",), -0.3, over=True),
            Arrow("top", "arrival", ("beat_t",), 0.3),
            Arrow("arrival", "right", ("admitted_t", "arrival_t")),
        ),
    ),
    Stage(
        "buffer",
        "tm_buffer",
        (
            Box("gen_block.ring", "tm_ring", 0, 0, "where rows stand"),
            Box("gen_block.ring.rows", "tm_row_ram", 1, 0, "plain or marked"),
            Box("gen_block.ring.rows.once", "tm_prim_ram", 2, 0, "bits in common", "prim"),
            Box("gen_block.ring.rows.gen_twice.twice", "tm_prim_ram", 1, 1, "bits that differ", "prim"),
        ),
        (
            Arrow("left", "gen_block.ring", ("beat_row",), 0.2),
            Arrow("gen_block.ring", "left", ("rows_used",), -0.2),
            Arrow("top", "gen_block.ring", ("rewind", "skip")),
            Arrow("bottom", "gen_block.ring", ("look", "fetch"), 0.4),
            Arrow("gen_block.ring", "gen_block.ring.rows", ("wr_row", "wr_marked")),
            Arrow("gen_block.ring.rows", "gen_block.ring.rows.once", ("wr_data",), 0.2),
            Arrow("gen_block.ring.rows.once", "gen_block.ring.rows", ("rd_data",), -0.2),
            Arrow("gen_block.ring.rows", "gen_block.ring.rows.gen_twice.twice", ("wr_data",), -0.6),
            Arrow("gen_block.ring.rows.gen_twice.twice", "gen_block.ring.rows", ("rd_data",), 0.4),
            Arrow("gen_block.ring.rows", "top", ("row",)),
        ),
    ),
    Stage(
        "depart",
        "tm_egress",
        (
            Box("descriptors", "tm_descriptors", 0, 0, "the frames that wait"),
            Box("departure", "tm_depart", 1, 0, "selects, reads rows"),
            Box("sojourn", "tm_sojourn", 2, 0, "how long it waited"),
            Box("descriptors.list", "tm_list", 0, 1, "those between"),
            Box("laws", "tm_departure_laws", 1, 1, "CoDel, TCN", "law"),
        ),
        (
            Arrow("left", "descriptors", ("admitted_t",)),
            Arrow("descriptors", "departure", ("head",), 0.2),
            Arrow("departure", "descriptors", ("pop",), -0.2),
            Arrow("top", "departure", ("at_hand_t",), -0.45),
            Arrow("departure", "top", ("read_t",), 0.45),
            Arrow("departure", "laws", ("pull_t",), -0.45),
            Arrow("laws", "departure", ("fate_t",), 0.45),
            Arrow("descriptors", "descriptors.list", ("push_data",), -0.5),
            Arrow("descriptors.list", "descriptors", ("head",), 0.4),
            Arrow("bottom", "laws", ("cfg_t", "codel_rsp_t"), -0.6),
            Arrow("laws", "bottom", ("codel_req_t",), 0.45),
            Arrow("departure", "sojourn", ("depart", "gone")),
            Arrow("laws", "sojourn", ("departure_e",)),
            Arrow("sojourn", "right", ("departure_t",)),
        ),
    ),
    Stage(
        "red",
        "tm_red_shared",
        (
            Box("turns", "tm_red_turns", 0, 0, "whose slot, what steps"),
            Box("means", "tm_red_average", 1, 0, "moves the average"),
            Box("curve", "tm_red_curve", 2, 0, "average to p"),
            Box("configured", "tm_red_words", 0, 1, "settings, two sets"),
            Box("idle", "tm_red_idle", 1, 1, "what idle times leave"),
            Box("ared", "tm_red_ared", 2, 1, "moves maxp"),
        ),
        (
            Arrow("left", "turns", ("judged", "bytes")),
            Arrow("turns", "means", ("power", "bytes")),
            Arrow("means", "curve", ("next",)),
            Arrow("curve", "right", ("red_chance_t", "load")),
            Arrow("left", "configured", ("red_word_t",)),
            Arrow("configured", "idle", ("words_t",)),
            Arrow("means", "idle", ("average",), -0.6),
            Arrow("idle", "means", ("decay",), 0.4),
            Arrow("idle", "ared", ("now", "bytes")),
            Arrow("ared", "curve", ("slope",)),
            Arrow("bottom", "idle", ("time",)),
            Arrow("ared", "right", ("red_view_t",)),
        ),
        "law/red",
    ),
    Stage(
        "codel",
        "tm_core",
        (
            Box(f"{EGRESS}.departure", "tm_depart", 0, 0, "pulls, waits, skips", "depart"),
            Box(f"{EGRESS}.laws.gen_codel.codel", "tm_codel", 1, 0, "pass, mark or drop"),
            Box("laws.gen_codel.law", "tm_codel_law", 2, 0, "all ports, in turns"),
            Box(f"{EGRESS}.descriptors", "tm_descriptors", 0, 1, "the head's time", "depart"),
            Box(f"{EGRESS}.laws.gen_codel.codel.times", "tm_codel_times", 2, 1, "first_above, drop_next"),
        ),
        (
            Arrow(f"{EGRESS}.departure", f"{EGRESS}.laws.gen_codel.codel", ("pull_t",), 0.2),
            Arrow(f"{EGRESS}.laws.gen_codel.codel", f"{EGRESS}.departure", ("fate_t",), -0.2),
            Arrow(f"{EGRESS}.laws.gen_codel.codel", "laws.gen_codel.law", ("codel_req_t",), 0.2),
            Arrow("laws.gen_codel.law", f"{EGRESS}.laws.gen_codel.codel", ("codel_rsp_t",), -0.2),
            Arrow(f"{EGRESS}.descriptors", f"{EGRESS}.departure", ("head",)),
            Arrow(f"{EGRESS}.descriptors", f"{EGRESS}.laws.gen_codel.codel", ("head_t",), -0.5),
            Arrow(f"{EGRESS}.laws.gen_codel.codel.times", f"{EGRESS}.laws.gen_codel.codel", ("above", "due"), 0.5),
            Arrow("bottom", f"{EGRESS}.laws.gen_codel.codel.times", ("time",)),
            Arrow("right", "laws.gen_codel.law", ("cfg_t",)),
        ),
        "law/codel",
    ),
    Stage(
        "rewrite",
        "tm_core",
        (
            Box("parse", "tm_parse", 0, 0, "checksum if marked", "parse"),
            Box("parse.gen_marked_copy.rewrite", "tm_rewrite", 0, 1, "the row if marked"),
            Box("gen_port[0].queue.gen_ring.buffer.gen_block.ring", "tm_ring", 1, 0, "keeps both forms", "buffer"),
            Box("gen_port[0].queue.egress", "tm_egress", 2, 0, "knows the mark", "depart"),
        ),
        (
            Arrow("left", "parse", ("s_data",)),
            Arrow("parse", "parse.gen_marked_copy.rewrite", ("data", "checksum"), -0.6),
            Arrow("parse.gen_marked_copy.rewrite", "parse", ("data",), 0.5),
            Arrow("parse", "gen_port[0].queue.gen_ring.buffer.gen_block.ring", ("beat_row", "beat_marked")),
            Arrow("gen_port[0].queue.egress", "gen_port[0].queue.gen_ring.buffer.gen_block.ring", ("read_t",)),
            Arrow("gen_port[0].queue.gen_ring.buffer.gen_block.ring", "bottom", ("m_data",)),
        ),
    ),
    Stage(
        "control",
        "tm_control",
        (
            Box("registers", "tm_regs_bus", 0, 0, "AXI4-Lite"),
            Box("views", "tm_views", 1, 0, "what registers show"),
            Box("timebase", "tm_timebase", 2, 0, "nanoseconds"),
            Box("configuration", "tm_config", 0, 1, "shadow and commit"),
            Box("snapshots", "tm_snapshot", 1, 1, "totals of 48 bits"),
            Box("counters", "tm_counters", 2, 1, "two banks each port"),
        ),
        (
            Arrow("left", "registers", ("axil_req_t",), 0.2),
            Arrow("registers", "left", ("axil_rsp_t",), -0.2),
            Arrow("registers", "views", ("access_t",), 0.2),
            Arrow("views", "registers", ("answer_t",), -0.2),
            Arrow("registers", "configuration", ("access_t",)),
            Arrow("configuration", "left", ("cfg_t", "order_t")),
            Arrow("top", "views", ("held_t", "mishap_t")),
            Arrow("views", "timebase", ("step",)),
            Arrow("timebase", "right", ("time",)),
            Arrow("views", "snapshots", ("query_reg_t",), -0.65),
            Arrow("snapshots", "views", ("total_t",), 0.35),
            Arrow("snapshots", "counters", ("sweep_code",), 0.2),
            Arrow("counters", "snapshots", ("swept",), -0.2),
            Arrow("right", "counters", ("arrival_t", "departure_t")),
        ),
    ),
)


def draw_stage(stage: Stage) -> None:
    """Draw and save one stage."""
    rows = 1 + max(each.row for each in stage.boxes)
    height = 2 * MARGIN + rows * TALL + (rows - 1) * (STEP_Y - TALL)
    page = Figure(figsize=(WIDTH, height))
    axes = page.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(0, height)
    axes.axis("off")
    box(axes, FRAME[0], 0.42, FRAME[1] - FRAME[0], height - 0.84, "none", s.RULE, z=1)
    axes.text(FRAME[0], 0.2, stage.parent, size=9.5, family="monospace", color=s.QUIET, va="center")

    colours = (s.CONTROL, s.CONTROL_EDGE) if stage.name == "control" else (s.STAGE, s.STAGE_EDGE)
    middle = {}
    for each in stage.boxes:
        x, y = LEFT + each.column * STEP_X, height - MARGIN - TALL - each.row * STEP_Y
        middle[each.path] = (x + WIDE / 2, y + TALL / 2)
        box(axes, x, y, WIDE, TALL, *((s.PAPER, s.QUIET) if each.folder else colours))
        axes.text(x + WIDE / 2, y + 0.55, each.module, ha="center", va="center", size=9.5, family="monospace", zorder=6)
        axes.text(x + WIDE / 2, y + 0.26, each.text, ha="center", va="center", size=9, zorder=6)
    for way in stage.arrows:
        tail, tip = (middle.get(end) or at_side(end, middle[other], height) for end, other in way.both_ways)
        if way.over:
            draw_over(axes, way, tail, tip)
        elif abs(tail[1] - tip[1]) < NEAR:
            draw_straight(axes, way, tail, tip, 0, height)
        elif abs(tail[0] - tip[0]) < NEAR:
            draw_straight(axes, way, tail, tip, 1, height)
        else:
            draw_turned(axes, way, tail, tip)
    s.save(page, f"stage-{stage.name}")


def at_side(side: str, inner: Point, height: float) -> Point:
    """Return where an arrow meets a side of the picture, across from the middle of the box at its other end."""
    x, y = inner
    return {"left": (0.08, y), "right": (WIDTH - 0.08, y), "top": (x, height - 0.06), "bottom": (x, 0.06)}[side]


def note(axes: Axes, place: Point, labels: tuple[str, ...], *, vertical: bool) -> None:
    """Write next to a vertical arrow, or the first label above a horizontal one and the second below."""
    x, y = place
    style: dict[str, Any] = {"va": "center", "size": 8.5, "family": "monospace", "zorder": 7}
    if vertical:
        axes.text(x + 0.07, y, "\n".join(labels), **style)
        return
    for index, label in enumerate(labels):
        axes.text(x, y + (-0.14 if index else 0.12), label, ha="center", **style)


def draw_straight(axes: Axes, way: Arrow, tail: Point, tip: Point, along: int, height: float) -> None:
    """Draw an arrow along one axis: 0 is across the page, 1 up and down. It ends at the edges of its boxes."""
    half = (WIDE / 2, TALL / 2)[along]
    sign = 1 if tip[along] > tail[along] else -1
    start = tail[along] if way.start in SIDES else tail[along] + sign * half
    end = tip[along] if way.end in SIDES else tip[along] - sign * half
    line = tail[1 - along] + way.shift
    outer = {"left": FRAME[0] / 2, "right": (FRAME[1] + WIDTH) / 2, "top": height - 0.2, "bottom": 0.2}
    middle = outer.get(way.start, outer.get(way.end, (start + end) / 2))
    first, last, place = ((line, each) if along else (each, line) for each in (start, end, middle))
    arrow(axes, first, last, lw=1.4)
    note(axes, place, way.labels, vertical=bool(along))


def draw_over(axes: Axes, way: Arrow, tail: Point, tip: Point) -> None:
    """Draw an arrow from the upper edge of a box to that of another, above the boxes between."""
    top = tail[1] + TALL / 2
    axes.plot([tail[0] + way.shift] * 2 + [tip[0]], [top, top + 0.18, top + 0.18], color=s.INK, lw=1.4)
    arrow(axes, (tip[0], top + 0.18), (tip[0], top), lw=1.4)
    note(axes, ((tail[0] + tip[0]) / 2 - STEP_X / 2, top - 0.06), way.labels, vertical=False)


def draw_turned(axes: Axes, way: Arrow, tail: Point, tip: Point) -> None:
    """Draw an arrow across the page that turns towards its box."""
    sign = 1 if tip[0] > tail[0] else -1
    turn = tip[0] + way.shift
    axes.plot([tail[0] + sign * WIDE / 2, turn], [tail[1]] * 2, color=s.INK, lw=1.4, solid_capstyle="butt")
    arrow(axes, (turn, tail[1]), (turn, tip[1] + (TALL / 2 if tail[1] > tip[1] else -TALL / 2)), lw=1.4)
    note(axes, (tail[0] + sign * (STEP_X / 2), tail[1]), way.labels, vertical=False)


def draw() -> None:
    """Draw all stages."""
    for stage in STAGES:
        draw_stage(stage)
