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
class Proof:
    """One proof of a block: of inputs that are narrowed only some bits are free.

    `exchanged` are words of files, and what stands for each of them, `references` what stands for the block's.
    `narrow` names the lowest free bit, how many are free, and how many there are; the others are 0.
    """

    widths: str = "full widths"  # in words
    narrow: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    exchanged: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    opaque: bool = False  # products are any function of their factors
    steps: int = 2  # of the induction
    reach: int = 8  # cycles of the base case, at least


@dataclass(frozen=True)
class Block:
    """A harness `cross_<name>`, the references it holds, its RTL twin, and what is proved on it."""

    name: str
    references: tuple[str, ...]
    twin: str
    proofs: tuple[Proof, ...] = (Proof(),)
    lockstep: bool = True


@dataclass(frozen=True)
class Mutant:
    """A fault in one side of a block, which its first proof must meet, or else lockstep."""

    name: str
    block: str
    patch: Patch
    in_lockstep: bool = False


# Of CoDel's law: times and counts of 6 bits instead of 32, roots of 4 instead of 16, products of 13 instead of 49, the
# first 6 bits of a factor in one multiplier instead of 24. Each word is a bound or a width in the text.
SMALL_LAW = Proof(
    "times and counts of 6 bits, roots of 4, without converge",
    narrow={"converge_i": (0, 0, 1)},
    references=("codel_law_small",),
    exchanged={
        "cross_law.sv": {
            "RootW    = 16": "RootW = 4", "spinal_codel_law": "spinal_codel_law_small",
        },
        "tm_pkg.sv": {"UnitsW = 32": "UnitsW = 6"},
    },
)  # fmt: skip

# Of RED's curve: all inputs, whatever a product is; then real products with slopes that are a power of two or 0, and an
# average that is narrower than a threshold.
CURVE = (
    Proof(
        "full widths, for any product",
        exchanged={"cross_curve.sv": {"CountW = 23": "CountW = 24"}},
        opaque=True, steps=1, reach=1,
    ),
    Proof(
        "averages of 23 bits, slopes of 1 bit",
        narrow={"slope_i": (22, 1, 32), "gentle_slope_i": (22, 1, 32)},
        steps=1, reach=1,
    ),
)  # fmt: skip

# Of the decay: all inputs, whatever a product is that two parts of it sum up to; then that they do, with real products.
DECAY = (
    Proof("full widths, for any product", opaque=True, steps=1, reach=1),
    Proof(
        "the sums of products, idle times and averages of 4 bits, weights up to 3",
        narrow={"elapsed_i": (22, 4, 42), "reciprocal_i": (0, 2, 17), "shift_i": (0, 4, 6), "weight_i": (0, 2, 5),
                "average_i": (22, 4, 48)},
        exchanged={"cross_decay.sv": {
            f"{name}_M : assume": f"{name}_A : assert" for name in ("TicksSum", "FallSum", "KeptSum", "AtMost")
        }},
        steps=1, reach=1,
    ),
)  # fmt: skip

BLOCKS = (
    Block("step", ("step_law",), "tm_step"),
    Block("verdict", ("verdict_table",), "tm_occupancy, tm_step, tm_verdict"),
    Block("average", ("red_average",), "tm_red_average", (Proof(reach=3),)),
    Block("curve", ("red_curve",), "tm_red_curve", CURVE),
    Block("spacing", ("red_spacing",), "tm_red_spacing", (Proof(steps=3),)),
    Block("decay", ("red_decay",), "tm_red_decay", DECAY),
    Block("times", ("codel_times",), "tm_codel_times"),
    Block("control", ("codel_control", "codel_times"), "tm_codel", (Proof(steps=4),)),
    Block("law", ("codel_law",), "tm_codel_law, tm_codel_times", (SMALL_LAW,)),
    Block("linux", ("linux_red", "linux_idle"), "none: two witnesses", ()),
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
    Mutant(
        "RTL marks without ECN",
        "verdict",
        Patch("tm_verdict.sv", "meta_i.ecn == NotEct || noecn_i", "meta_i.ecn == NotEct"),
    ),
    Mutant("reference swaps mask bits", "verdict", Patch(V, "{io_kind,io_ece}", "{io_kind,(! io_ece)}")),
    Mutant(
        "RTL signals at rem = p",
        "spacing",
        Patch(SPACING, "~{1'b0, left_d};", "~{1'b0, left_d} + 26'd1;"),
    ),
    Mutant(
        "RTL is one byte off at min",
        "curve",
        Patch("tm_red_curve.sv", " + (COUNT_W + 1)'(whole3_q)", ""),
        in_lockstep=True,
    ),
    Mutant(
        "RTL forgets the second slope's scale",
        "curve",
        Patch("tm_red_curve.sv", "upper ? gentle_scale_q :", ""),
        in_lockstep=True,
    ),
    Mutant(
        "reference is steep beyond max",
        "curve",
        Patch("spinal_red_curve.v", "(io_config_max <= io_average)", "(io_config_max < io_average)"),
        in_lockstep=True,
    ),
    Mutant("RTL forgets Wait", "spacing", Patch(SPACING, "{wait_spacing[slot_i], word_i}", "{1'b0, word_i}")),
    Mutant(
        "reference signals at rem = p",
        "spacing",
        Patch("spinal_red_spacing.v", "(io_remaining < _zz_isSpent)", "(io_remaining <= _zz_isSpent)"),
    ),
    Mutant("RTL misses a wrap", "times", Patch("tm_before.sv", "a_i[WIDTH-1] ^ b_i[WIDTH-1] ^ borrow", "borrow")),
    Mutant(
        "RTL is late at once", "times", Patch("tm_codel_times.sv", "UnitsW'(set_i && cfg_i.at_once)", "UnitsW'(set_i)")
    ),
    Mutant(
        "reference misses a wrap",
        "times",
        Patch("spinal_codel_times.v", "(! _zz_io_isAbove[31])", "(io_target <= waited)"),
    ),
    Mutant(
        "reference is late at once",
        "times",
        Patch(
            "spinal_codel_times.v", "(io_atOnce ? (! _zz_io_isLate[31]) : _zz_io_isLate_1[31])", "(! _zz_io_isLate[31])"
        ),
    ),
    Mutant("RTL exempts below", "control", Patch("tm_codel.sv", "!cfg_i.exempt_below", "1'b0")),
    Mutant("RTL protects every class", "control", Patch("tm_codel.sv", " && protect[code_q]", "")),
    Mutant(
        "reference exempts below",
        "control",
        Patch("spinal_codel_times.v", "(io_behind <= io_exempt)", "(io_behind < io_exempt)"),
    ),
    Mutant(
        "reference protects every class",
        "control",
        Patch("spinal_codel_control.v", "(meets && io_isProtected)", "(meets)"),
    ),
    Mutant(
        "RTL's average loses the sign of the distance",
        "average",
        Patch("tm_red_average.sv", "distance >>> weight_i[1:0]", "distance >> weight_i[1:0]"),
    ),
    Mutant(
        "RTL's average starts one byte too high",
        "average",
        Patch("tm_red_average.sv", "{1'b0, bytes_i} + following", "{1'b0, bytes_i} + following + (COUNT_W + 1)'(1)"),
    ),
    Mutant(
        "reference's average forgets the sign",
        "average",
        Patch("spinal_red_average.v", "($signed(difference) >>> io_weight)", "(difference >>> io_weight)"),
    ),
    Mutant(
        "RTL's packet times wrap",
        "decay",
        Patch("tm_red_decay.sv", "(beyond_q || fine_beyond) ?", "beyond_q ?"),
        in_lockstep=True,
    ),
    Mutant(
        "reference keeps what 64 halvings leave",
        "decay",
        Patch("spinal_red_decay.v", "(32'h00000040 <= halvings)", "(32'h00000040 < halvings)"),
        in_lockstep=True,
    ),
    Mutant(
        "RTL takes up a count that grew by 1",
        "law",
        Patch("tm_codel_law.sv", "factor_q[UnitsW-1:1] != 0", "factor_q[UnitsW-1:0] != 0"),
        in_lockstep=True,
    ),
    Mutant(
        "RTL rounds the other way in Newton's step",
        "law",
        Patch("tm_codel_law.sv", "{2{step.rounds_up}}};", "2'b00};"),
    ),
    Mutant(
        "reference takes up a count that grew by 1",
        "law",
        Patch("spinal_codel_law.v", "(32'h00000001 < grown)", "(32'h00000001 <= grown)"),
        in_lockstep=True,
    ),
    Mutant(
        "reference forgets how long ago it dropped",
        "law",
        Patch("spinal_codel_law.v", "assign recent = _zz_recent[31];", "assign recent = 1'b1;"),
        in_lockstep=True,
    ),
    Mutant(
        "reference's Linux is late at max",
        "linux",
        Patch("spinal_linux_red.v", "(_zz_isAbove <= _zz_isAbove_3)", "(_zz_isAbove < _zz_isAbove_3)"),
        in_lockstep=True,
    ),
    Mutant(
        "reference's Linux forgets the longest idle time",
        "linux",
        Patch("spinal_linux_idle.v", "((longest < _zz_time_1) ? longest : _zz_time_1_1)", "_zz_time_1_1"),
        in_lockstep=True,
    ),
)
