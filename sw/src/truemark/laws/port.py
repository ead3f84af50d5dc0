# SPDX-License-Identifier: BSD-3-Clause
"""What a person writes down of a port, in a profile, on the command line or in a scenario: one table of typed settings.

`PortTable.laid_over` merges two tables, `PortTable.planned` makes of one what the registers hold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from truemark.errors import TruemarkError, suggest
from truemark.fields import BitsPerSecond, Length, Nanoseconds
from truemark.laws import ns2, policies, tc_red
from truemark.laws.law import BufferLimit, Line
from truemark.laws.pause import Pause
from truemark.laws.policies import BUFFERS, LAW_OF, PortSettings
from truemark.laws.red import Red
from truemark.laws.shape import Shape
from truemark.laws.share import share_of
from truemark.laws.slopes import ADAPT_INTERVAL_NS, MEAN_PACKET, packet_time
from truemark.laws.tables import CodelTable, DcqcnTable, Priority, RedTable
from truemark.units import Size, read_size

# What belongs to the policy, or to the limit, that it was written next to, and goes with it when another is laid over.
OF_THE_POLICY = (*LAW_OF, "target_delay", "weight", "protect", "ecn", "harddrop", "mark_on")
OF_THE_LIMIT = ("buffer", "limit_bytes", "limit_packets")
OF_THE_TURN = ("quantum", "strict")
OF_THE_POOL = ("pool_static", "pool_alpha")
OF_AUTO_RED = ("target_delay", "weight")
RED_TABLES = ("red", "ect", "not_ect")  # what target_delay stands for

Text = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int | float) else value)]


class PolicyTable(BaseModel):
    """A policy with the settings of its laws."""

    model_config = ConfigDict(extra="forbid", strict=True)

    packet: int | None = Field(default=None, ge=14, description="bytes of a packet, for sizes in packets")
    policy: str | None = Field(default=None, description="name of the policy")
    k: Length | None = Field(default=None, description="marking threshold")
    buffer: str | None = Field(default=None, description="limit: shallow, deep, shallow-pkt, deep-pkt, or a size")
    protect: str | None = Field(default=None, description="Not-ECT frames spared: default, syn, ece, ack+syn, all")
    target_delay: Nanoseconds | None = Field(default=None, description="auto-RED for this delay, instead of a table")
    weight: Text | None = Field(default=None, description="of auto-RED: W (0 to 24), 0.002, or ns2")
    red: RedTable | None = Field(default=None, description="RED of policy red, or of dual-step for Not-ECT frames")
    # Absent where it is not set: the fingerprints of the lab's runs from before it stay what they are.
    dcqcn: DcqcnTable | None = Field(
        default=None, description="the law of policy dcqcn, or kmin/kmax/pmax", exclude_if=lambda value: value is None
    )
    ect: RedTable | None = Field(default=None, description="RED of dual-slope for ECT frames")
    not_ect: RedTable | None = Field(default=None, description="RED of dual-slope for Not-ECT frames")
    codel: CodelTable | None = Field(default=None, description="the law of policy codel, or target/interval")
    tcn: Nanoseconds | None = Field(default=None, description="wait above which policy tcn marks every ECT frame")


@dataclass(frozen=True)
class Port:
    """A port as it will be: its registers, its rate in bit/s if that was stated, the bytes of a mean packet."""

    settings: PortSettings
    rate: int | None
    packet: int
    storage: int | None = None  # of the device that it is planned for
    unheld: tuple[int, ...] = ()  # classes of frames that leave by it, while their pause holds others of its line

    def warnings(self) -> list[str]:
        """Return what is allowed and still does not do what its author hopes."""
        unheld = [f"frames of class {each} leave by it, and no pause of the class holds it" for each in self.unheld]
        return [*self.settings.warnings(self.rate, self.packet, self.storage), *unheld]


class PortTable(PolicyTable):
    """The settings of one port; what is absent comes from the table that it is laid over."""

    rate: BitsPerSecond | None = Field(default=None, description="rate of the port, for sizes given as times")
    limit_bytes: Length | None = Field(default=None, description="byte limit, in place of buffer")
    limit_packets: int | None = Field(default=None, description="packet limit, in place of buffer")
    enable: bool | None = Field(default=None, description="whether the port accepts frames")
    ecn: bool | None = Field(default=None, description="false: a signal of policy red drops what it could mark, too")
    harddrop: bool | None = Field(default=None, description="a forced signal of RED drops, whatever it meets")
    mark_on: Literal["arrival", "departure"] | None = Field(
        default=None, description="departure: the step law marks what leaves more than K bytes behind"
    )
    mean_packet: Length | None = Field(
        default=None,
        description="an idle average decays once in its time at the rate, or by tc's idle table with spacing linux; "
        f"{MEAN_PACKET} B if absent",
    )
    adapt_interval: Nanoseconds | None = Field(
        default=None, description=f"time between two steps of ARED; {ADAPT_INTERVAL_NS // 10**6} ms if absent"
    )
    quantum: Length | None = Field(default=None, description="what the queue sends in a turn with others of its line")
    strict: bool | None = Field(default=None, description="true: it sends before those, as without a quantum")
    shape_rate: BitsPerSecond | None = Field(default=None, description="what the port, or a queue, sends at the most")
    shape_burst: Length | None = Field(default=None, description="what it may send at once, after a rest")
    line_rate: BitsPerSecond | None = Field(default=None, description="what a line of several queues sends at the most")
    line_burst: Length | None = Field(default=None, description="what it may send at once, after a rest")
    pool_reserve: Length | None = Field(default=None, description="what a pool keeps for the port")
    pool_static: Length | None = Field(default=None, description="what it may have beyond that")
    pool_alpha: Text | None = Field(default=None, description="or so many times what is free: 1/128 to 8")
    paused_by: list[Priority] | None = Field(
        default=None, description="classes whose pause, by the line's link partner, holds the port or queue"
    )

    def given(self) -> dict[str, Any]:
        """Return what is not absent."""
        return {name: value for name in PortTable.model_fields if (value := getattr(self, name)) is not None}

    def laid_over(self, base: PortTable) -> PortTable:
        """Return this table where it says something, `base` elsewhere."""
        own, under = self.given(), base.given()
        gone: set[str] = set()
        if "policy" in own and own["policy"] != under.get("policy"):
            gone.update(OF_THE_POLICY)
        for alternatives in (OF_THE_LIMIT, OF_THE_TURN, OF_THE_POOL):
            if own.keys() & set(alternatives):
                gone.update(alternatives)
        if "target_delay" in own:
            gone.update(RED_TABLES)
        if own.keys() & set(RED_TABLES):
            gone.update(OF_AUTO_RED)
        return PortTable.model_construct(**{name: under[name] for name in under.keys() - gone} | own)

    def planned(self) -> Port:
        """Return what the registers hold, or which setting is wrong."""
        if self.policy is None:
            raise TruemarkError('no policy is set; write for example policy = "true-mark"')
        policy, line = policies.find_policy(self.policy), Line(self.rate, self.packet)
        limit = self.limit(line)
        written = {key: value for key in LAW_OF if (value := getattr(self, key)) is not None} | self.auto_red(policy)
        for key in written.keys() - set(policy.keys):
            takes = " and ".join(as_key(each) for each in policy.keys) or "no setting of a law"
            owners = ", ".join(name for name, each in policies.TABLE.items() if key in each.keys)
            raise TruemarkError(f"{as_key(key)}: policy '{self.policy}' takes {takes}; this belongs to {owners}")
        laws = []
        for key in policy.keys:
            if key not in written:
                break  # policies.settings says what is needed
            laws.append(LAW_OF[key].of(written[key], line, key))
        packet = self.mean(line)
        reds = [law for law in laws if isinstance(law, Red)]
        settings = policies.settings(
            self.policy,
            *laws,
            limit_bytes=limit.bytes,
            limit_packets=limit.packets,
            protect=self.protect,
            enable=self.enable is not False,
            idle=tc_red.idle_of(reds, packet_time(packet, self.rate)) if reds and self.rate else None,
            adapt_interval_ns=ADAPT_INTERVAL_NS if self.adapt_interval is None else self.adapt_interval,
            ecn=self.ecn is not False,
            harddrop=bool(self.harddrop),
            mark_on_departure=self.mark_on == "departure",
        )
        shape = held_to("shape", self.shape_rate, self.shape_burst, line)
        line_shape = held_to("line", self.line_rate, self.line_burst, line)
        reserve, static = (
            None if size is None else line.bytes(size, key)
            for key, size in (("pool_reserve", self.pool_reserve), ("pool_static", self.pool_static))
        )
        share = share_of(reserve, static, self.pool_alpha)
        pause = Pause(paused_by=tuple(sorted(set(self.paused_by)))) if self.paused_by else None
        settings = replace(
            settings, quantum=self.turn(line), shape=shape, line_shape=line_shape, pool_share=share, pause=pause
        )
        return Port(settings, self.rate, packet)

    def turn(self, line: Line) -> int | None:
        """Return the quantum in bytes; none of a queue that is strict."""
        if self.quantum is None:
            if self.strict is False:
                raise TruemarkError('strict = false: say what the queue sends in a turn, such as quantum = "3kB"')
            return None
        if self.strict:
            raise TruemarkError("quantum: a strict queue takes no turns; leave out strict, or quantum")
        quantum = line.bytes(self.quantum, "quantum")
        if not 1 <= quantum <= policies.QUANTUM_MAX:
            raise TruemarkError(f"quantum = {quantum} B: allowed is 1 to {policies.QUANTUM_MAX} B")
        return quantum

    def auto_red(self, policy: policies.Policy) -> dict[str, RedTable]:
        """Return the tables that target_delay and weight stand for, the same for each slot that takes one."""
        if self.target_delay is None:
            if self.weight is not None:
                raise TruemarkError("weight belongs to target_delay; a law's own is a key of its table")
            return {}
        if both := [f"[{key}]" for key in RED_TABLES if getattr(self, key) is not None]:
            raise TruemarkError(f"target_delay with {both[0]}: each sets RED's thresholds; leave one of them out")
        if not policy.delayed:
            raise TruemarkError("target_delay sets RED's thresholds: use it with red, dual-step or dual-slope")
        if self.rate is None:
            raise TruemarkError('target_delay is a size only at a rate: state it, rate = "10G"')
        return dict.fromkeys(policy.delayed, ns2.auto_red(self.rate, self.target_delay, self.weight or "ns2"))

    def mean(self, line: Line) -> int:
        """Bytes of a mean packet."""
        packet = MEAN_PACKET if self.mean_packet is None else line.bytes(self.mean_packet, "mean_packet")
        if not 14 <= packet <= 16383:
            raise TruemarkError(f"mean_packet = {packet} B: allowed is 14 to 16383 B, a frame without FCS")
        return packet

    def limit(self, line: Line) -> BufferLimit:
        """Return the limit, from a buffer's name or from numbers; the name may also be a size."""
        if self.buffer is None:
            size = None if self.limit_bytes is None else line.bytes(self.limit_bytes, "limit_bytes")
            return BufferLimit(size, self.limit_packets)
        if self.limit_bytes is not None or self.limit_packets is not None:
            raise TruemarkError(
                f"buffer = '{self.buffer}' is a limit already; leave out limit_bytes and limit_packets, or buffer"
            )
        if self.buffer in BUFFERS:
            return BUFFERS[self.buffer]
        if not self.buffer[:1].isdigit():
            raise TruemarkError(f"buffer '{self.buffer}' is unknown; {suggest(self.buffer, list(BUFFERS))}, or a size")
        return BufferLimit(line.bytes(read_size(self.buffer, "buffer"), "buffer"))

    def features(self) -> frozenset[str]:
        """Return what a build must be able to do for this port; nothing is checked yet."""
        policy = policies.TABLE.get(self.policy or "")
        wanted = {law.BUILT for law in policy.laws} - {"step"} if policy else set()
        wanted |= {"mark_on_departure"} if self.mark_on == "departure" else set()
        wanted |= {"shaping"} if self.shape_rate or self.line_rate else set()
        wanted |= {"pool"} if self.given().keys() & {"pool_reserve", *OF_THE_POOL} else set()
        wanted |= {"pool", "pfc"} if self.paused_by else set()
        return frozenset(wanted | ({"flags_verdict"} if self.protect not in (None, "default") else set()))


def held_to(key: str, rate: int | None, burst: Size | None, line: Line) -> Shape | None:
    """Return a rate and its burst, which come together."""
    if rate is None and burst is None:
        return None
    if burst is None:
        raise TruemarkError(f'{key}_rate: say what may be sent at once, such as {key}_burst = "20kB"')
    if rate is None:
        raise TruemarkError(f'{key}_burst belongs to a rate, such as {key}_rate = "1G"')
    return Shape(rate, line.bytes(burst, f"{key}_burst"))


def as_key(key: str) -> str:
    """Return a law's key as a profile has it: a value of its own, or a table."""
    return key if key in ("k", "tcn") else f"[{key}]"
