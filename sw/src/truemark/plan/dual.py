# SPDX-License-Identifier: BSD-3-Clause
"""Two slopes over one queue that share it equally."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.laws import ns2, red, slopes
from truemark.plan.plan import Plan, add_idle, add_red, find_buffer, plain, rate_text, red_lines


@dataclass(frozen=True)
class DualWishes:
    """What `plan dual` is asked for."""

    rate: int
    min_ect: int | None
    min_not_ect: int | None
    maximum: int
    probability_ect: Fraction
    probability_not_ect: Fraction
    weight: int
    buffer: str = "shallow"
    packet: int = 1500
    spacing: Spacing = Spacing.UNIFORM
    gentle: bool = False
    protect: str = "default"


def equal_sharing(ratio: Fraction) -> Fraction:
    """Return the min_ect / min_nonect at which both kinds of sender get the same share."""
    if ratio <= 1:
        raise TruemarkError(
            f"the ratio of the maximum probabilities is {float(ratio):g}; the rule (r - 1)/r needs r > 1"
        )
    return (ratio - 1) / ratio


def plan_dual(wishes: DualWishes) -> Plan:
    """Plan two slopes that share equally."""
    high, low = sorted((wishes.probability_ect, wishes.probability_not_ect), reverse=True)
    ratio = high / low
    share = equal_sharing(ratio)
    if (wishes.min_ect is None) == (wishes.min_not_ect is None):
        raise TruemarkError("give one of --min-ect and --min-nonect: the rule makes the other of it")
    other = wishes.min_not_ect if wishes.min_not_ect is not None else ns2.round_bytes((wishes.min_ect or 0) / share)
    ect = wishes.min_ect if wishes.min_ect is not None else ns2.round_bytes(other * share)
    plan = Plan("dual", f"dual slope with equal shares, r = {float(ratio):g}")
    plan.add("ratio", "r, ratio of the probabilities at max", plain(ratio), "")
    plan.add("min_share", "min_ect / min_nonect", plain(share), "")
    plan.add("min_ect_bytes", "min for ECT", ect, "B")
    plan.add("min_nonect_bytes", "min for Not-ECT", other, "B")
    plan.add("max_bytes", "max, of both", wishes.maximum, "B")
    plan.add("probability_ect", "probability at max, ECT", float(wishes.probability_ect), "")
    plan.add("probability_nonect", "probability at max, Not-ECT", float(wishes.probability_not_ect), "")
    plan.add("weight_w", "W", wishes.weight, "", f"{wishes.weight} (weight 2^-{wishes.weight})")
    options: dict[str, Any] = {"spacing": wishes.spacing, "gentle": wishes.gentle}
    laws = (
        red.law(ect, wishes.maximum, wishes.probability_ect, wishes.weight, **options),
        red.law(other, wishes.maximum, wishes.probability_not_ect, wishes.weight, **options),
    )
    for prefix, law in zip(("ect_", "nonect_"), laws, strict=True):
        add_red(plan, law, prefix)
    add_idle(plan, wishes.packet, wishes.rate, laws[0])
    tick_ns = float(slopes.packet_time(wishes.packet, wishes.rate))
    buffer = find_buffer(wishes.buffer, False, wishes.rate, wishes.packet)
    for name, law in zip(("ECT: RED", "Not-ECT: RED"), laws, strict=True):
        plan.remarks += law.reach(buffer.limit, name)
        plan.remarks += law.slow(buffer.limit.bytes, wishes.packet, tick_ns, name)
    plan.profile = "\n".join(
        [
            f"# equal shares: min_ect/min_nonect = (r - 1)/r, r = {float(ratio):g}",
            f'rate = "{rate_text(wishes.rate)}"',
            'policy = "dual-slope"',
            f'protect = "{wishes.protect}"',
            *buffer.lines(),
            f'mean_packet = "{wishes.packet}B"',
            "",
            *red_lines("ect", laws[0], wishes.probability_ect, slopes.BOTTOM),
            "",
            *red_lines("not_ect", laws[1], wishes.probability_not_ect, slopes.BOTTOM),
            "",
        ]
    )
    return plan
