# SPDX-License-Identifier: BSD-3-Clause
"""Automatic RED: thresholds from a delay and a rate, held against a buffer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.laws import ns2, red, slopes
from truemark.plan.plan import Buffer, Plan, add_idle, add_red, find_buffer, plain, rate_text, red_lines

THRESHOLD_UNITS = ("500B", "1500B", "packets")


@dataclass(frozen=True)
class RedWishes:
    """What `plan red` is asked for."""

    rate: int
    delay_ns: int
    threshold_unit: str = "500B"
    packet: int = 1500  # bytes that a packet counts for where thresholds are packets
    buffer: str = "shallow"
    weight: str = "ns2"
    probability: Fraction = ns2.PROBABILITY
    spacing: Spacing = Spacing.WAIT
    gentle: bool = True
    adaptive: bool = False
    protect: str = "default"


def plan_red(wishes: RedWishes) -> Plan:
    """Plan auto-RED: thresholds from a delay and a rate."""
    if wishes.delay_ns <= 0:
        raise TruemarkError(f"target-delay = {wishes.delay_ns} ns: it must be above 0")
    if wishes.threshold_unit not in THRESHOLD_UNITS:
        raise TruemarkError(
            f"threshold-unit '{wishes.threshold_unit}' is unknown; there are {', '.join(THRESHOLD_UNITS)}"
        )
    packets = wishes.threshold_unit == "packets"
    packet = wishes.packet if packets else int(wishes.threshold_unit.removesuffix("B"))
    least, most = ns2.thresholds(wishes.rate, wishes.delay_ns)
    minimum, maximum = ns2.round_bytes(least * packet), ns2.round_bytes(most * packet)
    buffer = find_buffer(wishes.buffer, packets, wishes.rate, packet)
    rate, delay = units.show_rate(wishes.rate), units.show_time(wishes.delay_ns)
    plan = Plan("red", f"auto-RED for {delay} at {rate}, as ns-2")
    plan.add("rate_bit_per_s", "rate", wishes.rate, "bit/s")
    plan.add("target_delay_ns", "target delay", wishes.delay_ns, "ns")
    plan.add("min_packets", "min", plain(least), "packets")
    plan.add("max_packets", "max", plain(most), "packets")
    plan.add("packet_bytes", "a packet counts for", packet, "B")
    plan.add("min_bytes", "min", minimum, "B")
    plan.add("max_bytes", "max", maximum, "B")
    weight, wanted = ns2.parse_weight(wishes.weight, wishes.rate)
    plan.add("weight_wanted", "weight wanted", wanted, "", f"{wanted:.3g}")
    plan.add("weight_w", "W", weight, "")
    plan.add("weight", "weight", 2.0**-weight, "", f"2^-{weight} = {2.0**-weight:.3g}")
    tick = slopes.packet_time(packet, wishes.rate)
    constant = red.time_constant(weight)
    plan.add("time_constant_packets", "time constant", constant, "packets")
    plan.add("time_constant_s", "time constant", float(constant * tick / 10**9), "s")
    plan.add("probability", "probability at max", float(wishes.probability), "")
    plan.add("spacing", "spacing", wishes.spacing.name.lower(), "", wishes.spacing.name.lower())
    rate_of = red.SPACING_RATE[wishes.spacing]
    plan.add("signals_per_probability", "signals per frame", rate_of, "p", f"about {rate_of:.2g}")
    plan.add("gentle", "gentle", wishes.gentle, "", "yes" if wishes.gentle else "no")
    plan.add("adaptive", "adaptive (ARED)", wishes.adaptive, "", "yes" if wishes.adaptive else "no")
    bottom = ns2.bottom(wishes.rate)
    plan.add("bottom", "least probability of ARED", float(bottom), "", f"{float(bottom):.6g}")
    add_idle(plan, packet, wishes.rate, red.Red(weight=weight, spacing=wishes.spacing))
    if least == ns2.FLOOR and wishes.delay_ns * wishes.rate < ns2.FLOOR * 16 * ns2.PACKET * 10**9:
        plan.remarks.append(f"min is ns-2's floor of {ns2.FLOOR} packets: the delay alone would give less")
    plan.remarks += [unit_remark(wishes, least, most, packet)]
    clamped = wishes.weight == "ns2" and red.nearest_weight(wanted) > slopes.WEIGHT_MAX
    if clamped:
        plan.remarks.append(f"ns-2's weight {wanted:.2g} is smaller than the least there is, 2^-{slopes.WEIGHT_MAX}")
    add_buffer(plan, buffer, (least, most), (minimum, maximum))
    if maximum > slopes.BYTES_MAX:
        plan.remarks.append(
            f"max = {maximum:,} B is beyond what the registers hold ({slopes.BYTES_MAX:,} B): "
            "there is no profile for this"
        )
        return plan
    law = red.law(
        minimum,
        maximum,
        wishes.probability,
        weight,
        spacing=wishes.spacing,
        gentle=wishes.gentle,
        adaptive=wishes.adaptive,
        bottom=min(bottom, wishes.probability),
    )
    add_red(plan, law)
    slow = law.slow(buffer.limit.bytes or (buffer.limit.packets or 0) * packet, packet, float(tick))
    plan.add("weight_acts", "weight acts within a buffer", not slow, "", "no" if slow else "yes")
    plan.remarks += slow
    plan.profile = "\n".join(
        [
            f"# auto-RED for {delay} at {rate}, as ns-2; thresholds in packets of {packet} B",
            f'rate = "{rate_text(wishes.rate)}"',
            'policy = "red"',
            f'protect = "{wishes.protect}"',
            *buffer.lines(),
            f'mean_packet = "{packet}B" # its time on the line ages the average of an idle queue',
            "",
            *red_lines("red", law, wishes.probability, min(bottom, wishes.probability)),
            "",
        ]
    )
    return plan


def unit_remark(wishes: RedWishes, least: Fraction, most: Fraction, packet: int) -> str:
    """Return what a packet was taken for."""
    counted = f"{float(least):g} to {float(most):g} packets"
    if wishes.threshold_unit == "packets":
        return (
            f"{counted} are held against buffers in packets; RED counts bytes, a packet as {packet} B (--packet), so "
            "short packets fill less of them"
        )
    if packet == ns2.PACKET:
        return f"a packet is {ns2.PACKET} B in ns-2; papers that read these numbers as whole packets mean {counted}"
    return f"{counted} of {packet} B: ns-2's numbers, with another packet than its {ns2.PACKET} B"


def add_buffer(plan: Plan, buffer: Buffer, packets: tuple[Fraction, Fraction], sizes: tuple[int, int]) -> None:
    """Add whether thresholds lie within a buffer; in packets where its limit is."""
    in_packets = buffer.limit.bytes is None
    limit = buffer.limit.packets if in_packets else buffer.limit.bytes
    assert limit is not None
    unit = "packets" if in_packets else "B"
    low, high = packets if in_packets else (Fraction(sizes[0]), Fraction(sizes[1]))
    plan.add(f"buffer_{'packets' if in_packets else 'bytes'}", f"buffer ({buffer.name})", limit, unit)
    plan.add("acts", "acts within the buffer", low < limit, "", "yes" if low < limit else "no, never")
    plan.add("max_within_buffer", "max lies within the buffer", high <= limit, "", "yes" if high <= limit else "no")
    if low >= limit:
        plan.remarks.append(
            f"never acts: min = {float(low):,.10g} {unit} is not below the buffer's {limit:,} {unit}; the queue is a "
            "plain droptail"
        )
    elif high > limit:
        share = float((limit - low) / (high - low))
        plan.remarks.append(
            f"max = {float(high):,.10g} {unit} lies beyond the buffer's {limit:,} {unit} and is never reached: a full "
            f"buffer has {share:.0%} of the probability at max, and no signal is ever forced"
        )
