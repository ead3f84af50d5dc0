# SPDX-License-Identifier: BSD-3-Clause
"""Settings worked out from what a person wants: a delay, published numbers, tc's words, or a fair share.

Every plan is a list of figures with their units, remarks, and the profile that would set them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from truemark import cautions, codel, red, tc_red, units
from truemark.errors import TruemarkError
from truemark.policies import BUFFERS
from truemark.words import Spacing

NS2_PACKET = 500  # bytes: ns-2's mean_pktsize_
NS2_FLOOR = 5  # packets: the least min
NS2_PROBABILITY = Fraction(1, 10)  # 1/linterm_
RATE_UNITS = {"G": 10**9, "M": 10**6, "k": 10**3, "": 1}
THRESHOLD_UNITS = ("500B", "1500B", "packets")


@dataclass(frozen=True)
class Figure:
    """A number with its name, its unit and what it is."""

    key: str
    name: str
    value: Any
    unit: str
    shown: str = ""

    @property
    def text(self) -> str:
        """For people."""
        return self.shown or (f"{self.value:,}" if isinstance(self.value, int) else f"{self.value:.6g}")


@dataclass
class Plan:
    """What was worked out."""

    kind: str
    title: str
    figures: list[Figure] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    profile: str | None = None  # None: what the remarks say rules it out

    def add(self, key: str, name: str, value: Any, unit: str, shown: str = "") -> None:
        """One more figure."""
        self.figures.append(Figure(key, name, value, unit, shown))

    def to_json(self) -> dict[str, Any]:
        """Plain data: the figures by their keys, their units beside them."""
        return {
            "plan": self.kind,
            **{figure.key: figure.value for figure in self.figures},
            "units": {figure.key: figure.unit for figure in self.figures if figure.unit},
            "remarks": self.remarks,
        }


@dataclass(frozen=True)
class Buffer:
    """A buffer to hold thresholds against."""

    name: str
    limit_bytes: int | None
    limit_packets: int | None

    def lines(self) -> list[str]:
        """Its lines of a profile."""
        if self.name in BUFFERS:
            return [f'buffer = "{self.name}"']
        return [f"limit_bytes = {self.limit_bytes}"]


def find_buffer(text: str, packets: bool, rate: int, packet: int) -> Buffer:
    """A buffer by name or size; the names mean packets where thresholds do."""
    name = f"{text}-pkt" if packets and f"{text}-pkt" in BUFFERS else text
    if name in BUFFERS:
        return Buffer(name, BUFFERS[name].limit_bytes, BUFFERS[name].limit_packets)
    if not text[:1].isdigit():
        raise TruemarkError(f"buffer '{text}' is unknown; there are {', '.join(BUFFERS)}, or a size such as 300kB")
    size = units.parse_size(text, "buffer", rate, packet)
    if size < 1:
        raise TruemarkError(f"buffer = {size} B: it must be above 0")
    return Buffer(text, size, None)


def rate_text(rate: int) -> str:
    """A rate as a profile has it."""
    return next(f"{rate // scale}{unit}" for unit, scale in RATE_UNITS.items() if rate % scale == 0)


def round_bytes(value: Fraction) -> int:
    """Whole bytes."""
    return math.floor(value + Fraction(1, 2))


def plain(value: Fraction) -> int | float:
    """An integer if it is one."""
    return int(value) if value.denominator == 1 else float(value)


def ns2_thresholds(rate: int, delay_ns: int) -> tuple[Fraction, Fraction]:
    """Auto-RED: min and max in packets, as ns-2."""
    minimum = max(Fraction(NS2_FLOOR), Fraction(delay_ns * rate, 16 * NS2_PACKET * 10**9))
    return minimum, 3 * minimum


def ns2_weight(rate: int) -> float:
    """The automatic weight of ns-2: one second of packets."""
    return -math.expm1(-8 * NS2_PACKET / rate)


def ns2_bottom(rate: int) -> Fraction:
    """The automatic least probability of ns-2."""
    return min(Fraction(1, 100), Fraction(80_000, rate))


def parse_weight(text: str, rate: int) -> tuple[int, float]:
    """W and the weight that was wanted: `ns2`, W as a whole number, or a weight such as 0.002."""
    if text == "ns2":
        wanted = ns2_weight(rate)
        return min(max(red.nearest_weight(wanted), 0), red.WEIGHT_MAX), wanted
    try:
        if "." not in text and "e" not in text.lower():
            return int(text), 2.0 ** -int(text)
        wanted = float(text)
    except ValueError:
        raise TruemarkError(f"weight '{text}' is neither ns2, nor W (0 to 24), nor a weight such as 0.002") from None
    if not 0 < wanted <= 1:
        raise TruemarkError(f"weight {text}: allowed is more than 0 and at most 1")
    return red.nearest_weight(wanted), wanted


def red_lines(table: str, law: red.Red, probability: Fraction, bottom: Fraction) -> list[str]:
    """A table of a profile."""
    lines = [
        f"[{table}]",
        f'min = "{law.min}B"',
        f'max = "{law.max}B"',
        f"probability = {float(probability):.9g}",
        f"weight = {law.weight} # the average moves by 2^-{law.weight} of the difference",
        f'spacing = "{law.spacing.name.lower()}"',
        f"gentle = {str(law.gentle).lower()}",
    ]
    return [*lines, "adaptive = true", f"bottom = {float(bottom):.9g}"] if law.adaptive else lines


def add_red(plan: Plan, law: red.Red, prefix: str = "") -> None:
    """The registers of a law."""
    label = {"": "", "ect_": "ECT ", "nonect_": "Not-ECT "}[prefix]
    plan.add(f"{prefix}maxp", f"{label}maxp", law.maxp, "2^-24", f"{law.maxp:,}")
    scale = 32 + 8 * law.slope_scale
    plan.add(f"{prefix}slope", f"{label}slope", law.slope, f"2^-{scale} per byte above min")
    plan.add(f"{prefix}slope_scale", f"{label}slope scale", law.slope_scale, "")
    if law.gentle:
        scale = 32 + 8 * law.gentle_scale
        plan.add(f"{prefix}gentle_slope", f"{label}gentle slope", law.gentle_slope, f"2^-{scale} per byte above max")
        plan.add(f"{prefix}gentle_scale", f"{label}gentle scale", law.gentle_scale, "")
    if law.adaptive:
        plan.add(f"{prefix}reciprocal", f"{label}reciprocal", law.reciprocal, f"2^-{32 + 8 * law.slope_scale}")
        plan.add(f"{prefix}bottom_register", f"{label}bottom", law.bottom, "2^-24")
        plan.add(f"{prefix}band_low_bytes", f"{label}ARED lowers maxp below", law.band_low, "B")
        plan.add(f"{prefix}band_high_bytes", f"{label}ARED raises maxp above", law.band_high, "B")


def add_idle(plan: Plan, packet: int, rate: int) -> red.Idle:
    """The tick of an idle queue."""
    idle = red.idle(red.packet_time(packet, rate))
    plan.add("idle_tick_ns", "idle tick", plain(red.packet_time(packet, rate)), "ns", f"{idle.tick_ns:.6g}")
    plan.add("idle_reciprocal", "idle reciprocal", idle.reciprocal, "")
    plan.add("idle_shift", "idle shift", idle.shift, "bits")
    return idle


@dataclass(frozen=True)
class RedWishes:
    """What `plan red` is asked for."""

    rate: int
    delay_ns: int
    threshold_unit: str = "500B"
    packet: int = 1500  # bytes that a packet counts for where thresholds are packets
    buffer: str = "shallow"
    weight: str = "ns2"
    probability: Fraction = NS2_PROBABILITY
    spacing: Spacing = Spacing.WAIT
    gentle: bool = True
    adaptive: bool = False
    protect: str = "default"


def plan_red(wishes: RedWishes) -> Plan:
    """Auto-RED: thresholds from a delay and a rate."""
    if wishes.delay_ns <= 0:
        raise TruemarkError(f"target-delay = {wishes.delay_ns} ns: it must be above 0")
    if wishes.threshold_unit not in THRESHOLD_UNITS:
        raise TruemarkError(
            f"threshold-unit '{wishes.threshold_unit}' is unknown; there are {', '.join(THRESHOLD_UNITS)}"
        )
    packets = wishes.threshold_unit == "packets"
    packet = wishes.packet if packets else int(wishes.threshold_unit.removesuffix("B"))
    least, most = ns2_thresholds(wishes.rate, wishes.delay_ns)
    minimum, maximum = round_bytes(least * packet), round_bytes(most * packet)
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
    weight, wanted = parse_weight(wishes.weight, wishes.rate)
    plan.add("weight_wanted", "weight wanted", wanted, "", f"{wanted:.3g}")
    plan.add("weight_w", "W", weight, "")
    plan.add("weight", "weight", 2.0**-weight, "", f"2^-{weight} = {2.0**-weight:.3g}")
    tick = red.packet_time(packet, wishes.rate)
    constant = cautions.time_constant(weight)
    plan.add("time_constant_packets", "time constant", constant, "packets")
    plan.add("time_constant_s", "time constant", float(constant * tick / 10**9), "s")
    plan.add("probability", "probability at max", float(wishes.probability), "")
    plan.add("spacing", "spacing", wishes.spacing.name.lower(), "", wishes.spacing.name.lower())
    rate_of = red.SPACING_RATE[wishes.spacing]
    plan.add("signals_per_probability", "signals per frame", rate_of, "p", f"about {rate_of:.2g}")
    plan.add("gentle", "gentle", wishes.gentle, "", "yes" if wishes.gentle else "no")
    plan.add("adaptive", "adaptive (ARED)", wishes.adaptive, "", "yes" if wishes.adaptive else "no")
    bottom = ns2_bottom(wishes.rate)
    plan.add("bottom", "least probability of ARED", float(bottom), "", f"{float(bottom):.6g}")
    add_idle(plan, packet, wishes.rate)
    if least == NS2_FLOOR and wishes.delay_ns * wishes.rate < NS2_FLOOR * 16 * NS2_PACKET * 10**9:
        plan.remarks.append(f"min is ns-2's floor of {NS2_FLOOR} packets: the delay alone would give less")
    plan.remarks += [unit_remark(wishes, least, most, packet)]
    clamped = wishes.weight == "ns2" and red.nearest_weight(wanted) > red.WEIGHT_MAX
    if clamped:
        plan.remarks.append(f"ns-2's weight {wanted:.2g} is smaller than the least there is, 2^-{red.WEIGHT_MAX}")
    add_buffer(plan, buffer, (least, most), (minimum, maximum))
    if maximum > red.BYTES_MAX:
        plan.remarks.append(
            f"max = {maximum:,} B is beyond what the registers hold ({red.BYTES_MAX:,} B): there is no profile for this"
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
    slow = cautions.slow(law, buffer.limit_bytes or (buffer.limit_packets or 0) * packet, packet, float(tick))
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
    """What a packet was taken for."""
    counted = f"{float(least):g} to {float(most):g} packets"
    if wishes.threshold_unit == "packets":
        return (
            f"{counted} are held against buffers in packets; RED counts bytes, a packet as {packet} B (--packet), so "
            "short packets fill less of them"
        )
    if packet == NS2_PACKET:
        return f"a packet is {NS2_PACKET} B in ns-2; papers that read these numbers as whole packets mean {counted}"
    return f"{counted} of {packet} B: ns-2's numbers, with another packet than its {NS2_PACKET} B"


def add_buffer(plan: Plan, buffer: Buffer, packets: tuple[Fraction, Fraction], sizes: tuple[int, int]) -> None:
    """Whether thresholds lie within a buffer; in packets where its limit is."""
    in_packets = buffer.limit_bytes is None
    limit = buffer.limit_packets if in_packets else buffer.limit_bytes
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


@dataclass(frozen=True)
class CodelWishes:
    """What `plan codel` is asked for."""

    target_ns: int
    interval_ns: int
    rate: int | None = None
    buffer: str = "shallow"
    ecn: bool = True
    ce_threshold_ns: int | None = None
    exempt: int | None = None
    variant: str = "linux"
    protect: str = "default"


def plan_codel(wishes: CodelWishes) -> Plan:
    """CoDel in its own units."""
    if wishes.target_ns <= 0:
        raise TruemarkError(f"target = {wishes.target_ns} ns: it must be above 0")
    law = codel.law(
        wishes.target_ns,
        wishes.interval_ns,
        ecn=wishes.ecn,
        ce_threshold_ns=wishes.ce_threshold_ns,
        exempt_bytes=wishes.exempt,
        variant=wishes.variant,
    )
    if not wishes.ecn and wishes.protect != "default":
        raise TruemarkError(
            f"protect = '{wishes.protect}' without ECN: nodrop is only meaningful with ECN; leave one of them out"
        )
    target, interval = units.show_time(wishes.target_ns), units.show_time(wishes.interval_ns)
    plan = Plan("codel", f"CoDel {target} / {interval}, {wishes.variant}")
    plan.add("target_ns", "target", wishes.target_ns, "ns")
    plan.add("interval_ns", "interval", wishes.interval_ns, "ns")
    plan.add("target_units", "target", law.target, "units of 1024 ns")
    plan.add("interval_units", "interval", law.interval, "units of 1024 ns")
    plan.add("target_effective_ns", "target as kept", codel.to_ns(law.target), "ns")
    plan.add("interval_effective_ns", "interval as kept", codel.to_ns(law.interval), "ns")
    plan.add("target_share", "target / interval", wishes.target_ns / wishes.interval_ns, "")
    if law.ce_threshold != codel.OFF:
        plan.add("ce_threshold_units", "CE threshold", law.ce_threshold, "units of 1024 ns")
    plan.add("exempt_bytes", "bytes left alone", law.exempt_bytes, "B")
    plan.add("ecn", "marks what can be marked", law.ecn, "", "yes" if law.ecn else "no, drops")
    switches = list(law.switches)
    plan.add("switches", "differs from Linux in", switches, "", ", ".join(switches) or "nothing")
    if wishes.variant != "rfc8289":
        gaps = codel.signal_gaps(law.interval, 5)
        shown = ", ".join(f"{codel.to_ns(gap) / 1000:.0f}" for gap in gaps)
        plan.add("signal_gaps_us", "first gaps between signals", [codel.to_ns(gap) / 1000 for gap in gaps], "us", shown)
    if wishes.target_ns * 4 > wishes.interval_ns:
        plan.remarks.append(
            f"the target is {wishes.target_ns / wishes.interval_ns:.0%} of the interval; its authors advise 5 to 10 %"
        )
    if wishes.rate is not None:
        buffer = find_buffer(wishes.buffer, False, wishes.rate, 1500)
        if buffer.limit_bytes is not None:
            drain = buffer.limit_bytes * 8e9 / wishes.rate
            plan.add("buffer_bytes", f"buffer ({buffer.name})", buffer.limit_bytes, "B")
            plan.add("buffer_drain_ns", "a full buffer waits", round(drain), "ns")
            plan.add(
                "acts",
                "acts within the buffer",
                drain > wishes.target_ns,
                "",
                "yes" if drain > wishes.target_ns else "no, never",
            )
            if drain <= wishes.target_ns:
                plan.remarks.append(
                    f"never acts: a full buffer of {buffer.limit_bytes:,} B drains in {units.show_time(drain)} at "
                    f"{units.show_rate(wishes.rate)}, which is not above the target of {target}"
                )
        limit_lines = buffer.lines()
    else:
        plan.remarks.append("give --rate to learn whether a buffer ever waits as long as the target")
        limit_lines = [f'buffer = "{wishes.buffer}"'] if wishes.buffer in BUFFERS else []
    plan.profile = "\n".join(
        [
            f"# CoDel {target} / {interval}",
            *([f'rate = "{rate_text(wishes.rate)}"'] if wishes.rate else []),
            'policy = "codel"',
            f'protect = "{wishes.protect}"',
            *limit_lines,
            "",
            "[codel]",
            f'target = "{wishes.target_ns}ns"',
            f'interval = "{wishes.interval_ns}ns"',
            f"ecn = {str(law.ecn).lower()}",
            *([f'ce_threshold = "{wishes.ce_threshold_ns}ns"'] if wishes.ce_threshold_ns is not None else []),
            f'exempt = "{law.exempt_bytes}B"',
            f'variant = "{wishes.variant}"',
            "",
        ]
    )
    return plan


def plan_tc(words: list[str], spacing: Spacing, old: bool = False) -> Plan:
    """Tc's red."""
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
    plan.add("cell_log", "Scell_log", found.cell_log, "log2 us")
    plan.add("packet_ticks", "packet time in tc", found.packet_ticks, "ticks of 64 ns")
    plan.add("idle_first_shift", "first idle cell that halves", found.first_shift, "cells", str(found.first_shift))
    plan.add("max_p_sent", "MAX_P that tc sends", found.max_p, "2^-32")
    plan.add("max_p_effective", "maxP in the kernel", found.effective_p, "2^-32")
    plan.add("probability_effective", "probability in the kernel", found.effective, "")
    plan.add("random_divisor", "R in the kernel", found.divisor, "2^-32 per byte")
    law = red.law(
        options.min,
        options.max,
        options.probability,
        found.wlog,
        spacing=spacing,
        adaptive="adaptive" in options.flags,
    )
    add_red(plan, law)
    idle_packet = options.avpkt
    add_idle(plan, idle_packet, options.bandwidth)
    plan.remarks += tc_red.surprises(options, found)
    plan.remarks += cautions.reach(law, options.limit)
    plan.profile = "\n".join(
        [
            f"# tc red {' '.join(words)}",
            f'rate = "{rate_text(options.bandwidth)}"',
            'policy = "red"',
            f'protect = "{"all" if "nodrop" in options.flags else "default"}"',
            f"limit_bytes = {options.limit}",
            f'mean_packet = "{idle_packet}B"',
            *(["harddrop = true"] if "harddrop" in options.flags else []),
            "",
            *red_lines("red", law, options.probability, red.BOTTOM),
            "",
        ]
    )
    return plan


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
    """min_ect / min_nonect at which both kinds of sender get the same share."""
    if ratio <= 1:
        raise TruemarkError(
            f"the ratio of the maximum probabilities is {float(ratio):g}; the rule (r - 1)/r needs r > 1"
        )
    return (ratio - 1) / ratio


def plan_dual(wishes: DualWishes) -> Plan:
    """Two slopes that share equally."""
    high, low = sorted((wishes.probability_ect, wishes.probability_not_ect), reverse=True)
    ratio = high / low
    share = equal_sharing(ratio)
    if (wishes.min_ect is None) == (wishes.min_not_ect is None):
        raise TruemarkError("give one of --min-ect and --min-nonect: the rule makes the other of it")
    other = wishes.min_not_ect if wishes.min_not_ect is not None else round_bytes((wishes.min_ect or 0) / share)
    ect = wishes.min_ect if wishes.min_ect is not None else round_bytes(other * share)
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
    idle = add_idle(plan, wishes.packet, wishes.rate)
    buffer = find_buffer(wishes.buffer, False, wishes.rate, wishes.packet)
    for name, law in zip(("ECT: RED", "Not-ECT: RED"), laws, strict=True):
        plan.remarks += cautions.reach(law, buffer.limit_bytes, name)
        plan.remarks += cautions.slow(law, buffer.limit_bytes, wishes.packet, idle.tick_ns, name)
    plan.profile = "\n".join(
        [
            f"# equal shares: min_ect/min_nonect = (r - 1)/r, r = {float(ratio):g}",
            f'rate = "{rate_text(wishes.rate)}"',
            'policy = "dual-slope"',
            f'protect = "{wishes.protect}"',
            *buffer.lines(),
            f'mean_packet = "{wishes.packet}B"',
            "",
            *red_lines("ect", laws[0], wishes.probability_ect, red.BOTTOM),
            "",
            *red_lines("not_ect", laws[1], wishes.probability_not_ect, red.BOTTOM),
            "",
        ]
    )
    return plan
