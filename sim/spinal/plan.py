# SPDX-License-Identifier: BSD-3-Clause
"""Which reference block stands beside which module, how each is proved, and the faults that must be found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Patch:
    """One text of one file, RTL or reference, in place of another."""

    file: str
    right: str
    wrong: str


@dataclass(frozen=True)
class Block:
    """A harness `cross_<name>`, the references it holds, its RTL twin, and what is proved on it.

    `narrow` are inputs of the harness whose high bits are 0 in the proof: so many low bits are left.
    """

    name: str
    references: tuple[str, ...]
    twin: str
    parameters: Mapping[str, int] = field(default_factory=dict)  # in the proof
    narrow: Mapping[str, int] = field(default_factory=dict)
    steps: int = 2  # of the induction
    reach: int = 8  # cycles of the base case, at least
    proved: bool = True
    lockstep: bool = True
    widths: str = "full"  # of the proof, in words


@dataclass(frozen=True)
class Mutant:
    """A fault in one side of a block."""

    name: str
    block: str
    patch: Patch


BLOCKS = (
    Block("step", ("step_law",), "tm_step"),
    Block("verdict", ("verdict_table",), "tm_occupancy, tm_step, tm_verdict"),
    Block("average", ("red_average",), "tm_red_average", proved=False),
    Block("curve", ("red_curve",), "tm_red_curve", proved=False),
    Block("spacing", ("red_spacing",), "tm_red_spacing", proved=False),
    Block("decay", ("red_decay",), "tm_red_decay", proved=False),
    Block("times", ("codel_times",), "tm_codel_times"),
    Block("control", ("codel_control", "codel_times"), "tm_codel", steps=4),
    Block("law", ("codel_law",), "tm_codel_law, tm_codel_times", proved=False),
)

V = "spinal_verdict_table.v"
OCCUPANCY, SPACING = "tm_occupancy.sv", "tm_red_spacing.sv"

MUTANTS: tuple[Mutant, ...] = (
    Mutant("RTL signals at K", "step", Patch("tm_step.sv", "bytes_i > k_i", "bytes_i >= k_i")),
    Mutant(
        "reference signals at K",
        "step",
        Patch("spinal_step_law.v", "(io_threshold < io_occupancy)", "(io_threshold <= io_occupancy)"),
    ),
    Mutant("RTL takes one packet too many", "verdict", Patch(OCCUPANCY, ">= limit_packets_i", "> limit_packets_i")),
    Mutant(
        "RTL swaps mask bits",
        "verdict",
        Patch(
            "tm_verdict.sv",
            "protect_i[meta_i.class_id][meta_i.flags.ece]",
            "protect_i[meta_i.class_id][!meta_i.flags.ece]",
        ),
    ),
    Mutant("reference swaps mask bits", "verdict", Patch(V, "{io_kind,io_ece}", "{io_kind,(! io_ece)}")),
    Mutant(
        "RTL signals at rem = p",
        "spacing",
        Patch(SPACING, "{2'b00, probability_i};", "{2'b00, probability_i} - 26'd1;"),
    ),
    Mutant(
        "RTL is one byte off at min",
        "curve",
        Patch("tm_red_curve.sv", "minus_min + (CountW + 1)'(!fraction_i[second])", "minus_min"),
    ),
    Mutant("RTL forgets the second slope's scale", "curve", Patch("tm_red_curve.sv", "upper ? gentle_scale_q :", "")),
    Mutant(
        "reference is steep beyond max",
        "curve",
        Patch("spinal_red_curve.v", "(io_config_max <= io_average)", "(io_config_max < io_average)"),
    ),
    Mutant("RTL forgets Wait", "spacing", Patch(SPACING, "{wait_spacing, word_i}", "{1'b0, word_i}")),
    Mutant(
        "reference signals at rem = p",
        "spacing",
        Patch("spinal_red_spacing.v", "(io_remaining < _zz_isSpent)", "(io_remaining <= _zz_isSpent)"),
    ),
    Mutant("RTL misses a wrap", "times", Patch("tm_before.sv", "a_i[WIDTH-1] ^ b_i[WIDTH-1] ^ borrow", "borrow")),
    Mutant("RTL is late at once", "times", Patch("tm_codel_times.sv", "32'(set_i && cfg_i.at_once)", "32'(set_i)")),
    Mutant(
        "RTL exempts below", "control", Patch("tm_codel.sv", "(COUNT_W + 1)'(cfg_i.exempt_below)", "(COUNT_W + 1)'(1)")
    ),
    Mutant("RTL protects every class", "control", Patch("tm_codel.sv", " && protect[code_q]", "")),
)
