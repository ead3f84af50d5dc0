# SPDX-License-Identifier: BSD-3-Clause
"""The SpinalHDL reference blocks that are proved equal to RTL, each with faults of either side that must show.

A harness `cross_<block>` puts a reference (rtl/spinal/verilog/) next to its twin. Where a product would hide the proof,
widths are made small, or the product is made any function of its factors.
"""

from __future__ import annotations

from typing import Any

from truemark_dev.mutants import Mutant

from sim.formal.flow import Design
from sim.formal.property import Equivalence, Fault

STEP, OCCUPANCY, VERDICT = "law/step/tm_step.sv", "admit/tm_occupancy.sv", "admit/tm_verdict.sv"
KIND = "admit/tm_admit_pkg.sv"
AVERAGE, CURVE, SPACING = (f"law/red/tm_red_{part}.sv" for part in ("average", "curve", "spacing"))
DECAY, LAW = "law/red/tm_red_decay.sv", "law/codel/tm_codel_law.sv"
PRODUCT = "common/tm_product.sv"
TIMES, CONTROL, ARITH = "law/codel/tm_codel_times.sv", "law/codel/tm_codel.sv", "common/tm_arith_pkg.sv"


def _block(name: str, **settings: Any) -> Design:
    """Return the harness of a block; the RTL's own claims are proved elsewhere."""
    return Design(f"cross_{name}", own_claims=False, **settings)


def _rtl(says: str, file: str, right: str, wrong: str, *, in_step: bool = False) -> Fault:
    return Fault(f"RTL {says}", Mutant(file, right, wrong), in_step)


def _reference(says: str, block: str, right: str, wrong: str, *, in_step: bool = False) -> Fault:
    return Fault(f"reference {says}", Mutant(f"spinal/verilog/spinal_{block}.v", right, wrong), in_step)


EQUIVALENCES = (
    Equivalence(
        "step",
        "tm_step",
        _block("step"),
        faults=(
            _rtl("signals at K", STEP, "1'b0, W)", "1'b1, W)"),
            _reference("signals at K", "step_law", "(io_threshold < io_occupancy)", "(io_threshold <= io_occupancy)"),
        ),
    ),
    Equivalence(
        "verdict",
        "tm_admit_pkg, tm_occupancy, tm_step, tm_verdict",
        _block("verdict"),
        steps=5,
        faults=(
            _rtl(
                "takes one packet too many", OCCUPANCY, "wide_t'(packets_d[o]), 1'b1,", "wide_t'(packets_d[o]), 1'b0,"
            ),
            _rtl(
                "forgets what the frame before brought",
                OCCUPANCY,
                "headroom_q - $signed(RoomW'(bytes_d[o]))",
                "headroom_q - $signed(RoomW'(bytes_d[0]))",
            ),
            _rtl(
                "swaps mask bits",
                VERDICT,
                "(protect_i & class_ece_i)",
                "(protect_i & class_ece_t'((class_ece_i & 14'h1555) << 1 | (class_ece_i & 14'h2AAA) >> 1))",
            ),
            _rtl("marks without ECN", KIND, "ecn == NotEct || cfg.noecn", "ecn == NotEct"),
            _rtl(
                "counts a byte less of each frame, as it comes and as it goes",
                OCCUPANCY,
                "wide_t'(next_len_i), next_abort_i));\n"
                "    bytes_q       <= bytes_d[changes_i[0]];\n"
                "    if (rst_i || !depart_i) left_q <= '1;\n"
                "    else left_q <= CountW'(depart_last_i);",
                "wide_t'(next_len_i) - 1'b1, next_abort_i));\n"
                "    bytes_q       <= bytes_d[changes_i[0]];\n"
                "    if (rst_i || !depart_i) left_q <= '1;\n"
                "    else left_q <= CountW'(depart_last_i) - 1'b1;",
            ),
            _reference("swaps mask bits", "verdict_table", "{io_kind,io_ece}", "{io_kind,(! io_ece)}"),
        ),
    ),
    Equivalence(
        "average",
        "tm_red_average",
        _block("average"),
        steps=1,
        reach=1,
        shows=10,
        faults=(
            _rtl("loses the sign of the distance", AVERAGE, "(distance_q[i]) >>> weight", "(distance_q[i]) >> weight"),
            _rtl("counts bytes for packets", AVERAGE, "by_packets_i ? COUNT_W", "1'b0 ? COUNT_W"),
            _rtl("takes several steps for one", AVERAGE, "weight_i - 5'(power_i) : '0", "weight_i : '0"),
            _reference(
                "forgets the sign", "red_average", "($signed(difference) >>> io_weight)", "(difference >>> io_weight)"
            ),
        ),
    ),
    # All inputs, whatever a product is; an average as wide as a threshold.
    Equivalence(
        "curve, full widths, for any product",
        "tm_red_curve",
        _block("curve", parameters={"CountW": 24}, opaque=True),
        steps=1,
        reach=1,
        shows=32,
        quick=False,
        faults=(
            _rtl("is one byte off at min", CURVE, "{1'b0, next_i} + minus_min", "{1'b0, next_i} + minus_min + 1'b1"),
            _rtl("forgets the second slope's scale", CURVE, "upper ? gentle_scale6 :", ""),
            _reference(
                "is steep beyond max", "red_curve", "(io_config_max <= io_average)", "(io_config_max < io_average)"
            ),
        ),
    ),
    # The same with a count as narrow as the default's, whose product is split elsewhere.
    Equivalence(
        "curve, averages of 15 bits, for any product",
        "tm_red_curve",
        _block("curve", parameters={"CountW": 15}, opaque=True),
        steps=1,
        reach=1,
        shows=32,
        quick=False,
        faults=(
            _rtl("loses the upper part of a product", PRODUCT, " + (ProductW - PartW)'(middle_q)", "", in_step=True),
        ),
    ),
    # Real products, with slopes that are a power of two or 0, and an average that is narrower than a threshold.
    Equivalence(
        "curve, averages of 23 bits, slopes of 1 bit",
        "tm_red_curve",
        _block("curve", narrow={"slope_i": (22, 1, 32), "gentle_slope_i": (22, 1, 32)}),
        steps=1,
        reach=1,
    ),
    Equivalence(
        "spacing",
        "tm_red_spacing",
        _block("spacing"),
        steps=3,
        faults=(
            _rtl("signals at rem = p", SPACING, "~{1'b0, after};", "~{1'b0, after} + 26'd1;"),
            _rtl("signals at rem = p, unasked", SPACING, "~{1'b0, left_q[s]};", "~{1'b0, left_q[s]} + 26'd1;"),
            _rtl("forgets Wait", SPACING, "{wait_spacing[s], word_i}", "{1'b0, word_i}"),
            _reference(
                "signals at rem = p", "red_spacing", "(io_remaining < _zz_isSpent)", "(io_remaining <= _zz_isSpent)"
            ),
        ),
    ),
    # All inputs, whatever a product is that two parts of it sum up to.
    Equivalence(
        "decay, full widths, for any product",
        "tm_red_decay",
        _block("decay", opaque=True),
        steps=1,
        reach=1,
        shows=15,
        quick=False,
        faults=(
            _rtl("lets packet times wrap", DECAY, "(beyond_q || fine_beyond) ?", "beyond_q ?"),
            _reference(
                "keeps what 64 halvings leave", "red_decay", "(32'h00000040 <= halvings)", "(32'h00000040 < halvings)"
            ),
        ),
    ),
    # That they do, with real products.
    Equivalence(
        "decay, the sums of products, idle times and averages of 4 bits, weights up to 3",
        "tm_red_decay",
        _block(
            "decay",
            parameters={"SUMS": 1},
            narrow={
                "elapsed_i": (22, 4, 42),
                "reciprocal_i": (0, 2, 17),
                "shift_i": (0, 4, 6),
                "weight_i": (0, 2, 5),
                "average_i": (22, 4, 48),
            },
        ),
        steps=1,
        reach=1,
        quick=False,
    ),
    Equivalence(
        "times",
        "tm_codel_times",
        _block("times"),
        faults=(
            _rtl("misses a wrap", ARITH, "a[width-1] ^ b[width-1] ^ borrow", "borrow"),
            _rtl("is late at once", TIMES, "UnitsW'(set_i && cfg_i.at_once)", "UnitsW'(set_i)"),
            _reference("misses a wrap", "codel_times", "(! _zz_io_isAbove[31])", "(io_target <= waited)"),
            _reference(
                "is late at once",
                "codel_times",
                "(io_atOnce ? (! _zz_io_isLate[31]) : _zz_io_isLate_1[31])",
                "(! _zz_io_isLate[31])",
            ),
        ),
    ),
    Equivalence(
        "control",
        "tm_codel",
        _block("control"),
        steps=4,
        faults=(
            _rtl("exempts below", CONTROL, "!cfg_i.exempt_below", "1'b0"),
            _rtl("protects every class", CONTROL, " && protect[code_q]", ""),
            _rtl(
                "takes the largest frame for one of 64 bytes",
                CONTROL,
                "largest_q <= stored_last_i + 1'b1;",
                "largest_q <= LenW'(14'd64);",
            ),
            _rtl(
                "takes CE for ECT",
                CONTROL,
                "code_q         <= head_i.code;",
                "code_q         <= {head_i.code[3:1], 1'b0};",
            ),
            _reference("exempts below", "codel_times", "(io_behind <= io_exempt)", "(io_behind < io_exempt)"),
            _reference("protects every class", "codel_control", "(meets && io_isProtected)", "(meets)"),
        ),
    ),
    Equivalence(
        "law, times and counts of 6 bits, roots of 4, without converge",
        "tm_codel_law, tm_codel_times",
        _block("law", widths={"UnitsW": 6}, narrow={"converge_i": (0, 0, 1)}),
        quick=False,
        faults=(
            _rtl(
                "takes up a count that grew by 1",
                LAW,
                "factor_q[UnitsW-1:1] != 0",
                "factor_q[UnitsW-1:0] != 0",
                in_step=True,
            ),
            _rtl("rounds the other way in Newton's step", LAW, "'(0), {2{step.rounds_up}}", "'(0), 2'b00"),
            _reference(
                "takes up a count that grew by 1",
                "codel_law_small",
                "(6'h01 < grown)",
                "(6'h01 <= grown)",
                in_step=True,
            ),
            _reference(
                "forgets how long ago it dropped",
                "codel_law_small",
                "recent = _zz_recent[5];",
                "recent = 1'b1;",
                in_step=True,
            ),
        ),
    ),
)
