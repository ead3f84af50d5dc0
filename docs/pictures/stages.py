# SPDX-License-Identifier: BSD-3-Clause
"""The stages from inside, one picture each: modules as boxes, on the arrows the structs and signals between them."""

from __future__ import annotations

from dataclasses import dataclass, field

from matplotlib.figure import Figure

from docs.pictures import style as s
from docs.pictures.pipeline import arrow, box

WIDTH = 10.0
WIDE, TALL = 1.8, 0.85  # a box
LEFT, STEP_X, STEP_Y, MARGIN = 1.4, 2.72, 1.75, 0.75
SIDES = ("left", "right", "top", "bottom")


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


@dataclass(frozen=True)
class Stage:
    """One stage; `parent` wires it."""

    name: str
    parent: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...] = field(default=())


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
            Arrow("verdict", "arrival", ("outcome_e", "store")),
            Arrow("arrival", "occupancy", ("abort",), -0.3, over=True),
            Arrow("top", "arrival", ("beat_t",), 0.3),
            Arrow("arrival", "right", ("admitted_t", "arrival_t")),
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
    frame = (LEFT - 0.22, WIDTH - LEFT + 0.22)
    box(axes, frame[0], 0.42, frame[1] - frame[0], height - 0.84, "none", s.RULE, z=1)
    axes.text(frame[0], 0.2, stage.parent, size=9.5, family="monospace", color=s.QUIET, va="center")

    middle = {}
    for each in stage.boxes:
        x, y = LEFT + each.column * STEP_X, height - MARGIN - TALL - each.row * STEP_Y
        middle[each.path] = (x + WIDE / 2, y + TALL / 2)
        colours = (s.CONTROL, s.CONTROL_EDGE) if stage.name == "control" else (s.STAGE, s.STAGE_EDGE)
        box(axes, x, y, WIDE, TALL, *((s.PAPER, s.QUIET) if each.folder else colours))
        axes.text(x + WIDE / 2, y + 0.55, each.module, ha="center", va="center", size=9.5, family="monospace", zorder=6)
        axes.text(x + WIDE / 2, y + 0.26, each.text, ha="center", va="center", size=9, zorder=6)

    def note(x: float, y: float, labels: tuple[str, ...], *, beside: bool) -> None:
        if beside:
            axes.text(x + 0.07, y, "\n".join(labels), va="center", size=8.5, family="monospace", zorder=7)
            return
        for index, label in enumerate(labels):
            axes.text(
                x,
                y + (-0.14 if index else 0.12),
                label,
                ha="center",
                va="center",
                size=8.5,
                family="monospace",
                zorder=7,
            )

    def outside(side: str, x: float, y: float) -> tuple[float, float]:
        return {"left": (0.08, y), "right": (WIDTH - 0.08, y), "top": (x, height - 0.06), "bottom": (x, 0.06)}[side]

    for way in stage.arrows:
        inner = middle[way.end if way.start in SIDES else way.start]
        side = next((end for end in (way.start, way.end) if end in SIDES), "")
        x0, y0 = outside(side, *inner) if way.start in SIDES else middle[way.start]
        x1, y1 = outside(side, *inner) if way.end in SIDES else middle[way.end]
        if way.over:
            top = y0 + TALL / 2
            axes.plot([x0 + way.shift] * 2 + [x1], [top, top + 0.18, top + 0.18], color=s.INK, lw=1.4)
            arrow(axes, (x1, top + 0.18), (x1, top), lw=1.4)
            note((x0 + x1) / 2 - STEP_X / 2, top - 0.06, way.labels, beside=False)
        elif abs(y0 - y1) < 0.01:
            sign = 1 if x1 > x0 else -1
            start = x0 if way.start in SIDES else x0 + sign * WIDE / 2
            end = x1 if way.end in SIDES else x1 - sign * WIDE / 2
            arrow(axes, (start, y0 + way.shift), (end, y0 + way.shift), lw=1.4)
            place = {"left": frame[0] / 2, "right": (frame[1] + WIDTH) / 2}.get(side, (start + end) / 2)
            note(place, y0 + way.shift, way.labels, beside=False)
        elif abs(x0 - x1) < 0.01:
            sign = 1 if y1 > y0 else -1
            start = y0 if way.start in SIDES else y0 + sign * TALL / 2
            end = y1 if way.end in SIDES else y1 - sign * TALL / 2
            arrow(axes, (x0 + way.shift, start), (x0 + way.shift, end), lw=1.4)
            place = {"top": height - 0.2, "bottom": 0.2}.get(side, (start + end) / 2)
            note(x0 + way.shift, place, way.labels, beside=True)
        else:
            sign = 1 if x1 > x0 else -1
            turn = x1 + way.shift
            axes.plot([x0 + sign * WIDE / 2, turn], [y0, y0], color=s.INK, lw=1.4, solid_capstyle="butt")
            arrow(axes, (turn, y0), (turn, y1 + (TALL / 2 if y0 > y1 else -TALL / 2)), lw=1.4)
            gap = x0 + sign * (STEP_X / 2)
            note(gap, y0, way.labels, beside=False)
    s.save(page, f"stage-{stage.name}")


def draw() -> None:
    """Draw all stages."""
    for stage in STAGES:
        draw_stage(stage)
