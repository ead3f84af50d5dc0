# SPDX-License-Identifier: BSD-3-Clause
"""Linux's `tc ... red`, with what the kernel makes of it."""

from __future__ import annotations

from truemark.device.outcomes import Spacing
from truemark.laws import red, slopes, tc_red
from truemark.laws.law import BufferLimit
from truemark.plan.plan import Plan, add_idle, add_red, rate_text, red_lines


def plan_tc(words: list[str], spacing: Spacing, old: bool = False) -> Plan:
    """Plan tc's red."""
    options = tc_red.parse(words)
    found = tc_red.constants(options, old)
    plan = Plan("tc-red", f"tc red {' '.join(words)}")
    for name in ("limit", "min", "max", "avpkt"):
        plan.add(f"{name}_bytes", name, getattr(options, name), "B")
    plan.add("burst_packets", "burst", options.burst, "packets")
    plan.add("probability", "probability asked for", float(options.probability), "")
    plan.add("bandwidth_bit_per_s", "bandwidth", options.bandwidth, "bit/s")
    plan.add("weight_w", "W (Wlog)", found.wlog, "")
    plan.add("weight", "weight", 2.0**-found.wlog, "", f"2^-{found.wlog} = {2.0**-found.wlog:.3g}")
    plan.add("plog", "Plog", found.plog, "")
    plan.add("cell_log", "Scell_log", found.cell_log, "log2 µs")
    plan.add("packet_ticks", "packet time in tc", found.packet_ticks, "ticks of 64 ns")
    plan.add("idle_first_shift", "first idle cell that halves", found.first_shift, "cells", str(found.first_shift))
    plan.add("max_p_sent", "MAX_P that tc sends", found.max_p, "2^-32")
    plan.add("max_p_effective", "maxP in the kernel", found.effective_p, "2^-32")
    plan.add("probability_effective", "probability in the kernel", found.effective, "")
    plan.add("random_divisor", "R in the kernel", found.divisor, "2^-32 per byte")
    bottom = min(slopes.BOTTOM, options.probability)  # Linux does not lower what is below, and may raise it
    law = red.law(
        options.min,
        options.max,
        options.probability,
        found.wlog,
        spacing=spacing,
        adaptive="adaptive" in options.flags,
        bottom=bottom,
    )
    add_red(plan, law)
    idle_packet = options.avpkt
    add_idle(plan, idle_packet, options.bandwidth, law)
    plan.remarks += tc_red.surprises(options, found, spacing)
    if spacing is Spacing.LINUX and law.slope != found.divisor:
        plan.remarks.append(
            f"R: {law.slope} here, {found.divisor} in the kernel: Truemark keeps probabilities in 24 bits, not in 32"
        )
    plan.remarks += law.reach(BufferLimit(options.limit))
    plan.profile = "\n".join(
        [
            f"# tc red {' '.join(words)}",
            f'rate = "{rate_text(options.bandwidth)}"',
            'policy = "red"',
            f'protect = "{"all" if "nodrop" in options.flags else "default"}"',
            f"limit_bytes = {options.limit}",
            f'mean_packet = "{idle_packet}B"',
            *([] if "ecn" in options.flags else ["ecn = false"]),
            *(["harddrop = true"] if "harddrop" in options.flags else []),
            "",
            *red_lines("red", law, options.probability, bottom),
            "",
        ]
    )
    return plan
