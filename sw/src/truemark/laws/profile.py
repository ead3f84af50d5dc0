# SPDX-License-Identifier: BSD-3-Clause
"""PROFILE.toml: what a person writes down of a device's configuration.

rate = "10G"            # what times such as k = "24us" refer to
policy = "true-mark"
k = "30kB"
buffer = "shallow"

[port.3]                # what differs at one port
policy = "red"
buffer = "deep"
mean_packet = "1500B"   # its time on the line is the tick by which the average of an idle queue decays
[port.3.red]
min = "62.5kB"
max = "187.5kB"
probability = 0.1       # at max
weight = 9              # W: the average moves by 2^-9 of the difference

Policy dual-step has its RED in [red], dual-slope in [ect] and [not_ect], codel its target and interval in [codel].
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from truemark import units
from truemark.device.outcomes import Law
from truemark.errors import TruemarkError
from truemark.laws import codel, policies, red, tc_red
from truemark.laws.policies import BUFFERS, PortSettings
from truemark.toml_errors import line_of, read_toml, suggest, validated

MEAN_PACKET = 500  # bytes, as ns-2
# What belongs to the policy it was written for.
DEPENDENT = ("k", "protect", "ecn", "harddrop", "red", "ect", "not_ect", "codel")


class RedTable(BaseModel):
    """RED in one law slot."""

    model_config = ConfigDict(extra="forbid", strict=True)

    min: str | int = Field(description="average queue from which on signals begin")
    max: str | int = Field(description="average queue at which the probability is reached")
    probability: float | int | str = Field(description="at max, in (0, 1], or a percentage")
    weight: int = Field(description="W, 0 to 24: the average moves by 2^-W of the difference")
    spacing: str = Field(default="uniform", description="memoryless, uniform, wait or linux")
    gentle: bool = Field(default=False, description="a second slope from max to twice max")
    adaptive: bool = Field(default=False, description="ARED: the probability follows the average")
    bottom: float | int | str = Field(default=0.01, description="the least probability of ARED")

    def law(self, rate: int | None, packet: int | None, name: str) -> red.Red:
        """The registers; an error names the table."""
        try:
            return red.law(
                size(self.min, "min", rate, packet),
                size(self.max, "max", rate, packet),
                red.parse_probability(self.probability),
                self.weight,
                spacing=red.parse_spacing(self.spacing),
                gentle=self.gentle,
                adaptive=self.adaptive,
                bottom=red.parse_probability(self.bottom, "bottom"),
            )
        except TruemarkError as error:
            raise TruemarkError(f"[{name}] {error}") from None


class CodelTable(BaseModel):
    """CoDel."""

    model_config = ConfigDict(extra="forbid", strict=True)

    target: str = Field(description="the standing wait that is allowed")
    interval: str = Field(description="for how long the wait may be above the target")
    ecn: bool = Field(default=True, description="a signal marks what can be marked")
    ce_threshold: str | None = Field(default=None, description="wait above which every ECT frame is marked")
    exempt: str | int | None = Field(default=None, description="bytes behind the head that are left alone")
    variant: str = Field(default="linux", description="linux, rfc8289 or ns3")
    switches: list[str] = Field(default_factory=list, description="single differences from the variant")

    def law(self, rate: int | None, packet: int | None) -> codel.Codel:
        """The registers; an error names the table."""
        try:
            return codel.law(
                units.parse_time(self.target, "target"),
                units.parse_time(self.interval, "interval"),
                ecn=self.ecn,
                ce_threshold_ns=None if self.ce_threshold is None else units.parse_time(self.ce_threshold),
                exempt_bytes=None if self.exempt is None else size(self.exempt, "exempt", rate, packet),
                variant=self.variant,
                switches=tuple(self.switches),
            )
        except TruemarkError as error:
            raise TruemarkError(f"[codel] {error}") from None


class Section(BaseModel):
    """The settings of one port; what is absent comes from the top of the file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rate: str | None = Field(default=None, description="rate of the port, the meaning of sizes given as a time")
    packet: int | None = Field(default=None, ge=14, description="bytes of a packet, the meaning of sizes in packets")
    policy: str | None = Field(default=None, description="name of the policy")
    k: str | int | None = Field(default=None, description="marking threshold")
    buffer: str | None = Field(default=None, description="limit by name")
    limit_bytes: str | int | None = Field(default=None, description="byte limit")
    limit_packets: int | None = Field(default=None, description="packet limit")
    protect: str | None = Field(default=None, description="which Not-ECT frames a signal passes over")
    enable: bool | None = Field(default=None, description="whether the port accepts frames")
    ecn: bool | None = Field(default=None, description="false: a signal of policy red drops what it could mark, too")
    harddrop: bool | None = Field(default=None, description="a forced signal of RED drops, whatever it meets")
    mean_packet: str | int | None = Field(default=None, description="its time on the line ages an idle queue's average")
    adapt_interval: str | None = Field(default=None, description="time between two steps of ARED")
    red: RedTable | None = Field(default=None, description="RED of policy red, or of dual-step for Not-ECT frames")
    ect: RedTable | None = Field(default=None, description="RED of dual-slope for ECT frames")
    not_ect: RedTable | None = Field(default=None, description="RED of dual-slope for Not-ECT frames")
    codel: CodelTable | None = Field(default=None, description="the law of policy codel")


class Profile(Section):
    """The whole file."""

    port: dict[str, Section] = Field(default_factory=dict)

    def rate_of(self, port: int) -> int | None:
        """The rate of a port in bit/s."""
        text = self._merged(port).rate
        return None if text is None else units.parse_rate(text)

    def mean_packet_of(self, port: int) -> int:
        """Bytes of a mean packet at a port."""
        section = self._merged(port)
        packet = size(section.mean_packet or MEAN_PACKET, "mean_packet", self.rate_of(port), section.packet)
        if not 14 <= packet <= 16383:
            raise TruemarkError(f"mean_packet = {packet} B: allowed is 14 to 16383 B, a frame without FCS")
        return packet

    def _merged(self, port: int) -> Section:
        own = self.port.get(str(port), Section()).model_dump(exclude_none=True)
        top = self.model_dump(exclude={"port"}, exclude_none=True)
        if "policy" in own and own["policy"] != top.get("policy"):
            for dependent in DEPENDENT:
                top.pop(dependent, None)
        if own.keys() & {"buffer", "limit_bytes", "limit_packets"}:
            for dependent in ("buffer", "limit_bytes", "limit_packets"):
                top.pop(dependent, None)
        return Section.model_validate(top | own)

    def settings(self, port: int) -> PortSettings:
        """The settings of one port."""
        section = self._merged(port)
        if section.policy is None:
            raise TruemarkError('no policy is set; write for example policy = "true-mark"')
        rate = self.rate_of(port)
        limit_bytes, limit_packets = limits(
            section.buffer, section.limit_bytes, section.limit_packets, rate, section.packet
        )
        policy = policies.find_policy(section.policy)
        tables = [name for name in ("red", "ect", "not_ect") if getattr(section, name) is not None]
        if astray := [name for name in tables if name not in policy.tables]:
            there = " and ".join(f"[{name}]" for name in policy.tables if name) or "no table of RED"
            raise TruemarkError(f"[{astray[0]}]: policy '{section.policy}' takes {there}")
        laws = [
            getattr(section, name).law(rate, section.packet, name) if name in tables else None for name in policy.tables
        ]
        packet = self.mean_packet_of(port)
        interval = section.adapt_interval
        return policies.settings(
            section.policy,
            k=None if section.k is None else size(section.k, "k", rate, section.packet),
            limit_bytes=limit_bytes,
            limit_packets=limit_packets,
            protect=section.protect,
            enable=True if section.enable is None else section.enable,
            red=(laws[0], laws[1]),
            idle=None if rate is None else tc_red.idle_of(laws, red.packet_time(packet, rate)),
            adapt_interval_ns=units.parse_time(interval, "adapt_interval") if interval else red.ADAPT_INTERVAL_NS,
            codel=section.codel.law(rate, section.packet) if section.codel else None,
            ecn=section.ecn is not False,
            harddrop=bool(section.harddrop),
        )

    def features(self) -> frozenset[str]:
        """What a build must be able to do for this profile; nothing is checked yet."""
        sections = [self._merged(int(name)) for name in self.port if name.isdigit()] + [self._merged(-1)]
        known = [policies.TABLE[found.policy] for found in sections if found.policy in policies.TABLE]
        wanted = {
            "red": any(Law.RED in policy.laws for policy in known),
            "codel": any(policy.codel for policy in known),
            "flags_verdict": any(found.protect not in (None, "default") for found in sections),
        }
        return frozenset(name for name, needed in wanted.items() if needed)


def size(value: str | int, name: str, rate: int | None, packet: int | None) -> int:
    """Bytes of a size that may be a bare number."""
    return value if isinstance(value, int) else units.parse_size(value, name, rate, packet)


def limits(
    buffer: str | None, limit_bytes: str | int | None, limit_packets: int | None, rate: int | None, packet: int | None
) -> tuple[int | None, int | None]:
    """The two limits, from a buffer's name or from numbers; the name may also be a size."""
    if buffer is None:
        return None if limit_bytes is None else size(limit_bytes, "limit_bytes", rate, packet), limit_packets
    if limit_bytes is not None or limit_packets is not None:
        raise TruemarkError(
            f"buffer = '{buffer}' is a limit already; leave out limit_bytes and limit_packets, or buffer"
        )
    if buffer in BUFFERS:
        return BUFFERS[buffer].limit_bytes, BUFFERS[buffer].limit_packets
    if not buffer[:1].isdigit():
        raise TruemarkError(f"buffer '{buffer}' is unknown; {suggest(buffer, list(BUFFERS))}, or a size")
    return units.parse_size(buffer, "buffer", rate, packet), None


def read_profile(path: Path) -> Profile:
    """Read and check a profile; every error names the file, the line and the key."""
    content, text = read_toml(path)
    profile = validated(Profile, content, text, str(path))
    for name in profile.port:
        if not name.isdigit() or int(name) > 15:
            raise TruemarkError(f"{path}:{line_of(text, ('port', name))}: port.{name}: ports are numbers, 0 to 15")
    return profile


def plan(profile: Profile, ports: int, limits: policies.Limits, where: str) -> list[PortSettings]:
    """The settings of every port of a device, all of them checked before any is written."""
    for name in profile.port:
        if int(name) >= ports:
            raise TruemarkError(f"{where}: port.{name}: this device has ports 0 to {ports - 1}")
    planned = []
    for port in range(ports):
        place = f"{where}: port {port}"
        try:
            settings = profile.settings(port)
        except TruemarkError as error:
            raise TruemarkError(f"{place}: {error}") from None
        policies.check(settings, limits, place)
        planned.append(settings)
    return planned
