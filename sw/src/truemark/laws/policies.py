# SPDX-License-Identifier: BSD-3-Clause
"""Policies by name, and the settings of a port. A policy is only its laws in their places and what may be protected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from truemark.device import registers
from truemark.device.outcomes import FrameClass
from truemark.device.registers import Law as Code
from truemark.device.registers import Register
from truemark.errors import TruemarkError, suggest
from truemark.laws.codel import Codel
from truemark.laws.law import BufferLimit, Limits, PortLaw, Read
from truemark.laws.pause import Pause
from truemark.laws.red import Red
from truemark.laws.shape import OF_THE_LINE, OF_THE_PORT, Shape
from truemark.laws.share import Share
from truemark.laws.slopes import ADAPT_INTERVAL_NS, Idle
from truemark.laws.step import BYTES_MAX, Step
from truemark.laws.tcn import Tcn
from truemark.units import show_rate

PACKETS_MAX = 2**20 - 2
QUANTUM_MAX = registers.QUEUE_SCHEDULE["quantum"].maximum

# A law by the key that a person writes its settings under.
LAW_OF: dict[str, type[PortLaw]] = {
    "k": Step, "red": Red, "dcqcn": Red, "ect": Red, "not_ect": Red, "codel": Codel, "tcn": Tcn,
}  # fmt: skip
SLOT_LAWS: dict[Code, type[PortLaw]] = {law.CODE: law for law in (Step, Red)}
DEPARTURE_LAWS: tuple[type[PortLaw], ...] = (Codel, Tcn)


@dataclass(frozen=True)
class Policy:
    """One row of the table of policies."""

    name: str
    arrival: tuple[str, ...]  # keys of the laws in slot 0 (ECT, or all) and slot 1 (Not-ECT)
    departures: tuple[str, ...]  # keys of the laws at the head
    protections: tuple[str, ...]
    meaning: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all its laws."""
        return (*self.arrival, *self.departures)

    @property
    def delayed(self) -> tuple[str, ...]:
        """The keys of the laws that a target delay makes; a switch's Kmin and Kmax are sizes of its own."""
        return tuple(key for key in self.arrival if LAW_OF[key] is Red and key != "dcqcn")

    @property
    def laws(self) -> tuple[type[PortLaw], ...]:
        """The laws of these keys."""
        return tuple(LAW_OF[key] for key in self.keys)

    @property
    def dual(self) -> bool:
        """Whether Not-ECT frames have a slot of their own; true-mark's holds no law."""
        return len(self.arrival) == 2 or self.arrival == ("k",)

    @property
    def places(self) -> tuple[tuple[Code, Code], tuple[type[PortLaw], ...]]:
        """The codes of both slots, and the laws at the head."""
        codes = [LAW_OF[key].CODE for key in self.arrival] + [Code.NONE] * (2 - len(self.arrival))
        return (codes[0], codes[1]), tuple(LAW_OF[key] for key in self.departures)


NODROP = (
    "protect with ecn = false: passing over Not-ECT frames (nodrop) is only meaningful with ECN; "
    "set ecn = true, or leave protect out"
)
# What a policy lacks without a law, where the law's own NEEDS would say too much.
NEEDS = {"dcqcn": 'kmin, kmax and pmax, in a profile\'s table [dcqcn], or in short dcqcn = "5kB/200kB/1%"'}
CUSTOM = "custom"  # a mix of laws, read back from a device, that no policy is
ANY = ("default", "syn", "ece", "ack+syn", "all")
TABLE = {
    policy.name: policy
    for policy in (
        Policy("droptail", (), (), (), "drops what does not fit, marks nothing"),
        Policy("true-mark", ("k",), (), (), "marks ECT frames while more than K bytes wait, drops nothing early"),
        Policy("red", ("red",), (), ANY, "marks or drops early with a probability that follows the average queue"),
        Policy(
            "dcqcn",
            ("dcqcn",),
            (),
            ANY,
            "a switch's Kmin, Kmax, Pmax: RED on the queue as it is, each frame for itself",
        ),
        Policy("dual-step", ("k", "red"), (), ANY, "step for ECT frames, RED for the others"),
        Policy("dual-slope", ("ect", "not_ect"), (), ANY, "RED with one slope for ECT frames and one for the others"),
        Policy("codel", (), ("codel",), ANY, "marks or drops at the head by the time frames have waited"),
        Policy("tcn", (), ("tcn",), (), "marks ECT frames that waited longer than T, drops nothing early"),
        Policy("codel-tcn", (), ("codel", "tcn"), ANY, "CoDel, and marks ECT frames that waited longer than T"),
    )
}


# A buffer by name: one of two limits.
BUFFERS = {
    "shallow": BufferLimit(bytes=300_000),
    "deep": BufferLimit(bytes=2_430_000),
    "shallow-pkt": BufferLimit(packets=200),
    "deep-pkt": BufferLimit(packets=2000),
}


@dataclass(frozen=True)
class PortSettings:
    """What is written to the shadow registers of one port. A limit that is None is off."""

    policy: str
    limit_bytes: int | None = None
    limit_packets: int | None = None
    enable: bool = True
    slot_of: tuple[int, int, int, int] = (0, 0, 0, 0)  # by codepoint: Not-ECT, ECT(1), ECT(0), CE
    arrival: tuple[PortLaw | None, PortLaw | None] = (None, None)  # of each slot
    departures: tuple[PortLaw, ...] = ()
    protect: int = 0
    ecn: bool = True  # False: a signal of RED drops what could carry a mark, too
    harddrop: bool = False
    mark_on_departure: bool = False  # the step law judges ECT frames as they leave
    idle: Idle | None = None  # where any law is RED
    adapt_interval_ns: int | None = None  # where any law adapts
    quantum: int | None = None  # bytes that the queue sends in a turn with others of its line; None: strict
    shape: Shape | None = None  # what the port, or the queue, is held to
    line_shape: Shape | None = None  # and its line, which has several queues and of which this is the first
    pool_share: Share | None = None  # what it may have of a pool
    pause: Pause | None = None  # when classes of it as a source must pause, and which pause it

    @property
    def laws(self) -> tuple[PortLaw, ...]:
        """All laws."""
        return tuple(law for law in (*self.arrival, *self.departures) if law is not None)

    @property
    def reds(self) -> tuple[Red | None, Red | None]:
        """RED of each slot, where it is."""
        first, second = (law if isinstance(law, Red) else None for law in self.arrival)
        return first, second

    @property
    def held_to(self) -> dict[str, Shape]:
        """The rates of the port and of its line by their keys, where there are any."""
        both = {"shape": self.shape, "line": self.line_shape}
        return {name: each for name, each in both.items() if each is not None}

    def rate_of_line(self, queues: int) -> Shape | None:
        """Return what its port, or the line of several queues that it is the first of, is held to."""
        return self.shape if queues == 1 else self.line_shape

    def with_rate(self, shape: Shape | None, queues: int) -> PortSettings:
        """Return these settings with its port, or that line, held to a rate, or to none."""
        return replace(self, shape=shape) if queues == 1 else replace(self, line_shape=shape)

    def in_place_of(self, kept: PortSettings) -> PortSettings:
        """Return these settings with what no policy has: the turn, rates, share of the pool and pauses of others."""
        settings = replace(self, quantum=kept.quantum, shape=kept.shape, line_shape=kept.line_shape)
        return replace(settings, pool_share=kept.pool_share, pause=kept.pause)

    @property
    def features(self) -> frozenset[str]:
        """The capabilities of a build that these settings need beyond the step law."""
        own = {"flags_verdict": bool(self.protect), "mark_on_departure": self.mark_on_departure}
        own |= {"shaping": bool(self.held_to), "pool": self.pool_share is not None, "pfc": self.pause is not None}
        return frozenset(name for name, needed in own.items() if needed).union(*(law.features for law in self.laws))

    @property
    def drops(self) -> str:
        """What its laws drop, and how they would not; nothing if they only mark."""
        own = [self.arrival[slot] for slot in self.slot_of]
        codels = [law for law in self.departures if isinstance(law, Codel)]
        if (any(own) and not self.ecn) or any(not law.ecn for law in codels):
            return "what a signal meets, by ecn = false"
        if any(own) and self.harddrop:
            return "what a forced signal meets, by harddrop"
        if (own[0] is not None or codels) and self.protect != protection_mask("all"):
            return 'Not-ECT frames early; protect = "all" spares them, and true-mark and tcn drop none'
        return ""

    def kept(self, cell: int) -> int:
        """Return the cells of so many bytes that a pool keeps for it."""
        reserve = Share.cells(self.pool_share.reserve, cell) if self.pool_share else 0
        return reserve + (self.pause.kept(cell) if self.pause else 0)

    def with_level(self, pause: Pause | None) -> PortSettings:
        """Return these settings with this of its classes as a source; what pauses it stays."""
        own = self.pause or Pause()
        return self if pause is None else replace(self, pause=replace(pause, paused_by=own.paused_by))

    @property
    def onset(self) -> int | None:
        """The queue in bytes at which congestion begins for the law that marks: K, or RED's min; None if in packets."""
        return self.arrival[0].onset if self.arrival[0] else 0

    def whom(self, slot: int) -> str:
        """Whose law a slot holds."""
        return "all" if self.slot_of == (0, 0, 0, 0) else ("ECT", "Not-ECT")[slot]

    def named(self) -> Iterator[tuple[str, PortLaw]]:
        """Every law with its name; where both slots have one, with whose it is."""
        both = None not in self.arrival
        for slot, law in enumerate(self.arrival):
            if law is not None:
                yield f"{self.whom(slot)}: {law.NAME}" if both else law.NAME, law
        for law in self.departures:
            yield law.NAME, law

    def words(self) -> Iterator[tuple[Register, int]]:
        """Yield the shadow registers and what they hold."""
        first, second = (Code.NONE if law is None else law.CODE for law in self.arrival)
        yield (
            registers.CONTROL,
            registers.CONTROL.pack(
                enable=self.enable,
                limit_bytes_on=self.limit_bytes is not None,
                limit_packets_on=self.limit_packets is not None,
                mark_on_departure=self.mark_on_departure,
                slot_of=sum(slot << codepoint for codepoint, slot in enumerate(self.slot_of)),
                law0=first,
                law1=second,
                noecn=not self.ecn,
                harddrop=self.harddrop,
            ),
        )
        yield registers.LIMIT_BYTES, self.limit_bytes or 0
        yield registers.LIMIT_PACKETS, self.limit_packets or 0
        for slot, law in enumerate(self.arrival):
            if not isinstance(law, Step):  # what K holds counts only under that law, and is not left behind
                yield from Step(0).words(slot)
            if law is not None:
                yield from law.words(slot)
        yield registers.PROTECT, self.protect
        if self.idle is not None:
            yield registers.IDLE_RECIPROCAL, self.idle.reciprocal
            yield registers.IDLE_SHIFT, self.idle.shift
        if self.adapt_interval_ns is not None:
            yield registers.ADAPT_INTERVAL, self.adapt_interval_ns
        for law in self.departures:
            yield from law.words(0)

    def schedule(self) -> tuple[Register, int]:
        """Return the register that says when the queue sends, where lines have several, and its word."""
        shares = self.quantum is not None
        return registers.QUEUE_SCHEDULE, registers.QUEUE_SCHEDULE.pack(shares=shares, quantum=self.quantum or 0)

    def shapes(self, step: int) -> Iterator[tuple[Register, int]]:
        """Yield the registers of rates and bursts, where a build has them, for a device with this TIME_STEP."""
        for (rate, burst), shape in ((OF_THE_PORT, self.shape), (OF_THE_LINE, self.line_shape)):
            yield rate, shape.word(step) if shape else 0
            yield burst, shape.burst if shape else 0

    @classmethod
    def read(
        cls,
        read: Read,
        departures: tuple[type[PortLaw], ...],
        queues: int = 1,
        step: int | None = None,
        cell: int | None = None,
        *,
        pfc: bool = False,
    ) -> PortSettings:
        """Return the settings that the shadow registers hold.

        `departures` are the build's laws of the head, `queues` those of a line, `step` is TIME_STEP where there are
        rates, `cell` the bytes of a pool's where there is one, and `pfc` says whether there are levels of PFC.
        """
        shape, line_shape = (
            None if step is None else Shape.read(read(rate), read(burst), step)
            for rate, burst in (OF_THE_PORT, OF_THE_LINE)
        )
        schedule = registers.QUEUE_SCHEDULE.unpack(read(registers.QUEUE_SCHEDULE) if queues > 1 else 0)
        control = registers.CONTROL.unpack(read(registers.CONTROL))
        slots, codes = control["slot_of"], (Code(control["law0"]), Code(control["law1"]))
        first, second = (
            SLOT_LAWS[code].read(slot, read) if code in SLOT_LAWS else None for slot, code in enumerate(codes)
        )
        there = tuple(law for each in departures if (law := each.read(0, read)) is not None)
        reds = [law for law in (first, second) if isinstance(law, Red)]
        policy = policy_of(codes, tuple(map(type, there)))
        if policy == "red" and reds[0].of_a_switch and not control["noecn"] and not control["harddrop"]:
            policy = "dcqcn"
        return cls(
            policy=policy,
            limit_bytes=read(registers.LIMIT_BYTES) if control["limit_bytes_on"] else None,
            limit_packets=read(registers.LIMIT_PACKETS) if control["limit_packets_on"] else None,
            enable=bool(control["enable"]),
            slot_of=(slots & 1, slots >> 1 & 1, slots >> 2 & 1, slots >> 3 & 1),
            arrival=(first, second),
            departures=there,
            protect=read(registers.PROTECT),
            ecn=not control["noecn"],
            harddrop=bool(control["harddrop"]),
            mark_on_departure=bool(control["mark_on_departure"]),
            idle=Idle(read(registers.IDLE_RECIPROCAL), read(registers.IDLE_SHIFT)) if reds else None,
            adapt_interval_ns=read(registers.ADAPT_INTERVAL) if any(law.adaptive for law in reds) else None,
            quantum=schedule["quantum"] if schedule["shares"] else None,
            shape=shape,
            line_shape=line_shape,
            pool_share=None if cell is None else Share.read(read, cell),
            pause=Pause.read(read, cell) if cell is not None and pfc else None,
        )

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        step = next((law for law in self.arrival if isinstance(law, Step)), None)
        codel = next((law for law in self.departures if isinstance(law, Codel)), None)
        tcn = next((law for law in self.departures if isinstance(law, Tcn)), None)
        own: dict[str, Any] = {} if self.quantum is None else {"quantum_bytes": self.quantum}
        own |= {name: each.facts() for name, each in self.held_to.items()}
        own |= {} if self.pool_share is None else {"pool": self.pool_share.facts()}
        own |= {} if self.pause is None else {"pfc": self.pause.facts()}
        return {
            "policy": self.policy,
            "k_bytes": step and step.facts(),
            "red": [law and law.facts() for law in self.reds],
            "codel": codel and codel.facts(),
            "tcn_ns": tcn and tcn.facts(),
            "protect": protection(self.protect),
            "ecn": self.ecn,
            "harddrop": self.harddrop,
            "mark_on_departure": self.mark_on_departure,
            "limit_bytes": self.limit_bytes,
            "limit_packets": self.limit_packets,
        } | own

    def warnings(self, rate: int | None, packet: int, storage: int | None = None) -> list[str]:
        """Return what is allowed and still does not do what its author hopes."""
        limit = BufferLimit(storage if self.limit_bytes is None else self.limit_bytes, self.limit_packets)
        return [line for name, law in self.named() for line in law.warnings(name, limit, rate, packet)]


def protection_mask(mode: str) -> int:
    """Return the mask of every Not-ECT frame that a signal passes over: bit 2 * class + ECE."""
    tcp = (FrameClass.SYN_ACK, FrameClass.SYN, FrameClass.TCP_CTRL, FrameClass.DATA, FrameClass.ACK)
    control = (FrameClass.SYN_ACK, FrameClass.SYN, FrameClass.TCP_CTRL, FrameClass.ACK)
    modes = {
        "default": 0,
        "syn": sum(3 << 2 * kind for kind in (FrameClass.SYN_ACK, FrameClass.SYN)),
        "ece": sum(2 << 2 * kind for kind in tcp),
        "ack+syn": sum(3 << 2 * kind for kind in control),
        "all": 2**14 - 1,
    }
    if mode not in modes:
        raise TruemarkError(f"protect = '{mode}' is unknown; there are {', '.join(modes)}")
    return modes[mode]


def protection(mask: int) -> str:
    """Return the name of a mask, or its bits."""
    names = [name for name in ANY if protection_mask(name) == mask]
    return names[0] if names and mask else "-" if not mask else f"0x{mask:04x}"


def find_policy(name: str) -> Policy:
    """Return the policy of this name."""
    if name not in TABLE:
        raise TruemarkError(f"policy '{name}' is unknown; {suggest(name, list(TABLE))}")
    return TABLE[name]


def settings(
    name: str,
    *laws: PortLaw,
    limit_bytes: int | None = None,
    limit_packets: int | None = None,
    protect: str | None = None,
    enable: bool = True,
    idle: Idle | None = None,
    adapt_interval_ns: int = ADAPT_INTERVAL_NS,
    ecn: bool = True,
    harddrop: bool = False,
    mark_on_departure: bool = False,
) -> PortSettings:
    """Return the settings of a policy with its laws, in the order of its keys; refuse what it cannot use or lacks."""
    policy = find_policy(name)
    for key, kind in list(zip(policy.keys, policy.laws, strict=True))[len(laws) :]:
        raise TruemarkError(
            f"policy '{name}' needs {NEEDS.get(key, kind.NEEDS).format(key=key, plan='dual' if policy.dual else 'red')}"
        )
    if tuple(map(type, laws)) != policy.laws:
        wanted = ", ".join(kind.NAME for kind in policy.laws) or "no law"
        raise TruemarkError(f"policy '{name}' takes {wanted}, not {', '.join(law.NAME for law in laws)}")
    if protect is not None and protect not in policy.protections:
        allowed = ", ".join(policy.protections) or "none, it has nothing to protect from"
        raise TruemarkError(f"protect = '{protect}': policy '{name}' takes {allowed}")
    mask = protection_mask(protect) if protect else 0
    reds = [law for law in laws if isinstance(law, Red)]
    if reds and idle is None:
        raise TruemarkError(
            f"policy '{name}' ages the average of an idle queue by packet times: state the rate, rate = \"10G\""
        )
    check_ecn(policy, laws, ecn, mask)
    if harddrop and not reds:
        raise TruemarkError(f"harddrop: policy '{name}' has no RED, whose forced signals it would turn into drops")
    if mark_on_departure and "k" not in policy.arrival:
        having = ", ".join(each.name for each in TABLE.values() if "k" in each.arrival)
        raise TruemarkError(f"mark_on = 'departure': policy '{name}' has no step law; use {having}")
    if mark_on_departure and harddrop:
        raise TruemarkError("mark_on = 'departure' with harddrop: a frame that leaves is not dropped; leave one out")
    adapts = any(law.adaptive for law in reds)
    if adapts and not 0 < adapt_interval_ns < 2**32:
        raise TruemarkError(f"adapt_interval = {adapt_interval_ns} ns: allowed is 1 to {2**32 - 1} ns (4.29 s)")
    slots = [*laws[: len(policy.arrival)], None, None]
    return PortSettings(
        policy=name,
        limit_bytes=limit_bytes,
        limit_packets=limit_packets,
        enable=enable,
        slot_of=(1, 0, 0, 0) if policy.dual else (0, 0, 0, 0),
        arrival=(slots[0], slots[1]),
        departures=laws[len(policy.arrival) :],
        protect=mask,
        ecn=ecn,
        harddrop=harddrop,
        mark_on_departure=mark_on_departure,
        idle=idle if reds else None,
        adapt_interval_ns=adapt_interval_ns if adapts else None,
    )


def check_ecn(policy: Policy, laws: tuple[PortLaw, ...], ecn: bool, mask: int) -> None:
    """Refuse `ecn = false` with another policy than `red`, and protection without ECN."""
    if not ecn and policy.arrival != ("red",):
        takes = "codel" in policy.departures
        instead = "write it in [codel]" if takes else "only policy red can drop what it could mark"
        raise TruemarkError(f"ecn = false: policy '{policy.name}' takes no such switch; {instead}")
    if mask and not (ecn and all(getattr(law, "ecn", True) for law in laws)):
        raise TruemarkError(NODROP)


def check(port: PortSettings, limits: Limits, where: str = "") -> None:
    """Refuse what the device would refuse, with the field, its value and what is allowed."""
    at = f"{where}: " if where else ""
    for law in port.laws:
        if law.BUILT not in limits.able:
            built = [name for name, other in TABLE.items() if all(each.BUILT in limits.able for each in other.laws)]
            raise TruemarkError(
                f"{at}policy = '{port.policy}': this build has no {law.NAME} (its CAPABILITIES register says so); "
                f"it has {', '.join(built)}"
            )
    for name, value, most, unit in (
        ("limit_bytes", port.limit_bytes, min(limits.storage, BYTES_MAX), "B"),
        ("limit_packets", port.limit_packets, min(limits.descriptors, PACKETS_MAX), "packets"),
    ):
        if value is not None and not 1 <= value <= most:
            raise TruemarkError(f"{at}{name} = {value} {unit}: this build allows 1 to {most} {unit}")
    if port.quantum is not None and limits.queues == 1:
        raise TruemarkError(
            f"{at}quantum = {port.quantum} B: a line of this device has one queue, which waits for none"
        )
    for key, shape in port.held_to.items():
        if "shaping" not in limits.able:
            raise TruemarkError(
                f"{at}{key}_rate = {show_rate(shape.rate)}: this build holds nothing to a rate "
                "(its CAPABILITIES register says so)"
            )
    if port.pool_share is not None:
        if "pool" not in limits.able:
            raise TruemarkError(
                f"{at}pool_reserve, pool_static, pool_alpha: this build's ports have memories of their own "
                "(its CAPABILITIES register says so)"
            )
        if port.pool_share.reserve and "store_and_forward" in limits.able:
            raise TruemarkError(
                f"{at}pool_reserve = {port.pool_share.reserve} B: this build stores a frame before it judges it, and "
                "keeps nothing for a port (its CAPABILITIES register says so)"
            )
        try:
            port.pool_share.check(limits.storage)
        except TruemarkError as error:
            raise TruemarkError(f"{at}{error}") from None
    if port.pause is not None and "pfc" not in limits.able:
        key = "paused_by" if port.pause.paused_by else "[pfc]"
        raise TruemarkError(f"{at}{key}: this build has no PFC (its CAPABILITIES register says so)")
    if port.pause is not None:
        try:
            port.pause.check(limits.storage)
        except TruemarkError as error:
            raise TruemarkError(f"{at}[pfc] {error}") from None
    if port.line_shape is not None and limits.queues == 1:
        raise TruemarkError(f"{at}line_rate: a line of this device has one queue, which shape_rate holds to a rate")
    for law in port.laws:
        if wrong := law.refuse(limits, port.limit_bytes):
            raise TruemarkError(f"{at}{wrong}")
    if not port.ecn and not limits.noecn:
        raise TruemarkError(f"{at}ecn = false: this device's register map is older than 0.3 and has no such switch")
    if port.mark_on_departure and "mark_on_departure" not in limits.able:
        raise TruemarkError(
            f"{at}mark_on = 'departure': this build marks on arrival only (its CAPABILITIES register says so)"
        )
    if port.protect and "flags_verdict" not in limits.able:
        raise TruemarkError(
            f"{at}protect = 0x{port.protect:x}: allowed is 0, because this build judges before it knows the TCP flags"
        )


def policy_of(codes: tuple[Code, Code], departures: tuple[type[PortLaw], ...]) -> str:
    """Return the name of the policy with these laws; `custom` if there is none."""
    return next((name for name, policy in TABLE.items() if policy.places == (codes, departures)), CUSTOM)


def build_size(*ports: PortSettings) -> str:
    """Return the smaller build whose presets hold these ports' limits."""
    most_bytes, most_packets = BUFFERS["shallow"].bytes or 0, BUFFERS["shallow-pkt"].packets or 0
    fits = all((each.limit_bytes or 0) <= most_bytes and (each.limit_packets or 0) <= most_packets for each in ports)
    return "shallow" if fits else "deep"
