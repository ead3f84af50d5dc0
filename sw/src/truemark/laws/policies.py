# SPDX-License-Identifier: BSD-3-Clause
"""Policies by name: each is only a setting of the two law slots, the departure law and the protection mask."""

from __future__ import annotations

from dataclasses import dataclass

from truemark.device.outcomes import FrameClass, Law, Spacing
from truemark.errors import TruemarkError
from truemark.laws.codel import Codel
from truemark.laws.red import ADAPT_INTERVAL_NS, Idle, Red
from truemark.toml_errors import suggest

BYTES_MAX = 2**24 - 2  # all ones means "off"
PACKETS_MAX = 2**20 - 2


@dataclass(frozen=True)
class Policy:
    """One row of the table of policies."""

    name: str
    ect: Law
    not_ect: Law
    codel: bool
    protections: tuple[str, ...]
    meaning: str

    @property
    def dual(self) -> bool:
        """Whether Not-ECT frames have a law slot of their own."""
        return self.ect is not self.not_ect or self.name.startswith("dual")

    @property
    def laws(self) -> tuple[Law, Law]:
        """The laws of both slots."""
        return self.ect, self.not_ect if self.dual else Law.NONE

    @property
    def tables(self) -> tuple[str | None, str | None]:
        """The tables of a profile that hold the RED law of each slot."""
        names = ("ect", "not_ect") if self.laws == (Law.RED, Law.RED) else ("red", "red")
        first, second = (name if law is Law.RED else None for name, law in zip(names, self.laws, strict=True))
        return first, second


NODROP = (
    "protect with ecn = false: passing over Not-ECT frames (nodrop) is only meaningful with ECN; "
    "set ecn = true, or leave protect out"
)
CUSTOM = "custom"  # a mix of laws, read back from a device, that no policy is
ANY = ("default", "syn", "ece", "ack+syn", "all")
TABLE = {
    policy.name: policy
    for policy in (
        Policy("droptail", Law.NONE, Law.NONE, False, (), "drops what does not fit, marks nothing"),
        Policy(
            "true-mark",
            Law.STEP,
            Law.NONE,
            False,
            (),
            "marks ECT frames while more than K bytes wait, drops nothing early",
        ),
        Policy(
            "red",
            Law.RED,
            Law.RED,
            False,
            ANY,
            "marks or drops early with a probability that follows the average queue",
        ),
        Policy("dual-step", Law.STEP, Law.RED, False, ANY, "step for ECT frames, RED for the others"),
        Policy("dual-slope", Law.RED, Law.RED, False, ANY, "RED with one slope for ECT frames and one for the others"),
        Policy("codel", Law.NONE, Law.NONE, True, ANY, "marks or drops at the head by the time frames have waited"),
    )
}


@dataclass(frozen=True)
class BufferLimit:
    """A buffer by name: one of two limits."""

    limit_bytes: int | None
    limit_packets: int | None


BUFFERS = {
    "shallow": BufferLimit(300_000, None),
    "deep": BufferLimit(2_430_000, None),
    "shallow-pkt": BufferLimit(None, 200),
    "deep-pkt": BufferLimit(None, 2000),
}


@dataclass(frozen=True)
class PortSettings:
    """What is written to the shadow registers of one port. A limit that is None is off."""

    policy: str
    limit_bytes: int | None = None
    limit_packets: int | None = None
    enable: bool = True
    slot_of: tuple[int, int, int, int] = (0, 0, 0, 0)  # by codepoint: Not-ECT, ECT(1), ECT(0), CE
    laws: tuple[Law, Law] = (Law.NONE, Law.NONE)
    k: tuple[int, int] = (0, 0)
    protect: int = 0
    ecn: bool = True  # False: a signal of RED drops what could carry a mark, too
    harddrop: bool = False
    red: tuple[Red | None, Red | None] = (None, None)  # where the slot's law is RED
    idle: Idle | None = None  # where any law is RED
    adapt_interval_ns: int | None = None  # where any law adapts
    codel: Codel | None = None

    @property
    def features(self) -> frozenset[str]:
        """The capabilities of a build that these settings need beyond the step law."""
        wanted = {
            "red": Law.RED in self.laws,
            "red_linux": self.counts_as_linux,
            "codel": self.codel is not None,
            "flags_verdict": self.protect != 0,
        }
        return frozenset(name for name, needed in wanted.items() if needed)

    @property
    def counts_as_linux(self) -> bool:
        """Whether a law of these settings is spaced as in Linux."""
        return any(law is not None and law.spacing is Spacing.LINUX for law in self.red)

    @property
    def adapts(self) -> bool:
        """Whether a law of these settings is adaptive."""
        return any(law is not None and law.adaptive for law in self.red)


def protection_mask(mode: str) -> int:
    """Bit 2 * class + ECE of every Not-ECT frame that a signal passes over."""
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


def find_policy(name: str) -> Policy:
    """The policy of this name."""
    if name not in TABLE:
        raise TruemarkError(f"policy '{name}' is unknown; {suggest(name, list(TABLE))}")
    return TABLE[name]


def settings(
    name: str,
    *,
    k: int | None = None,
    limit_bytes: int | None = None,
    limit_packets: int | None = None,
    protect: str | None = None,
    enable: bool = True,
    red: tuple[Red | None, Red | None] = (None, None),
    idle: Idle | None = None,
    adapt_interval_ns: int = ADAPT_INTERVAL_NS,
    codel: Codel | None = None,
    ecn: bool = True,
    harddrop: bool = False,
) -> PortSettings:
    """The settings of a policy; refuses what the policy cannot use or lacks."""
    policy = find_policy(name)
    steps = Law.STEP in (policy.ect, policy.not_ect)
    if steps and k is None:
        raise TruemarkError(f"policy '{name}' needs a threshold k, for example k = 30kB")
    if not steps and k is not None:
        raise TruemarkError(f"k = {k} B: policy '{name}' has no threshold; leave k out or use true-mark")
    if protect is not None and protect not in policy.protections:
        allowed = ", ".join(policy.protections) or "none, it has nothing to protect from"
        raise TruemarkError(f"protect = '{protect}': policy '{name}' takes {allowed}")
    mask = protection_mask(protect) if protect else 0
    check_laws(policy, red, idle, codel, mask)
    check_ecn(policy, ecn, mask)
    if harddrop and Law.RED not in policy.laws:
        raise TruemarkError(f"harddrop: policy '{name}' has no RED, whose forced signals it would turn into drops")
    adapts = any(law is not None and law.adaptive for law in red)
    if adapts and not 0 < adapt_interval_ns < 2**32:
        raise TruemarkError(f"adapt_interval = {adapt_interval_ns} ns: allowed is 1 to {2**32 - 1} ns (4.29 s)")
    return PortSettings(
        policy=name,
        limit_bytes=limit_bytes,
        limit_packets=limit_packets,
        enable=enable,
        slot_of=(1, 0, 0, 0) if policy.dual else (0, 0, 0, 0),
        laws=policy.laws,
        k=(k or 0, 0),
        protect=mask,
        ecn=ecn,
        harddrop=harddrop,
        red=red,
        idle=idle if Law.RED in policy.laws else None,
        adapt_interval_ns=adapt_interval_ns if adapts else None,
        codel=codel,
    )


def check_laws(
    policy: Policy, red: tuple[Red | None, Red | None], idle: Idle | None, codel: Codel | None, mask: int
) -> None:
    """Refuse a policy without its laws, laws without their policy, and CoDel that protects without ECN."""
    for table, law, wanted in zip(policy.tables, red, policy.laws, strict=True):
        if table and law is None:
            raise TruemarkError(
                f"policy '{policy.name}' needs RED's min, max, probability and weight, in a profile's table [{table}]; "
                f"`truemark plan {'dual' if policy.dual else 'red'} ... --profile FILE.toml` writes one"
            )
        if law is not None and wanted is not Law.RED:
            raise TruemarkError(f"policy '{policy.name}' has no RED in this place; leave its table out")
    if Law.RED in policy.laws and idle is None:
        raise TruemarkError(
            f"policy '{policy.name}' ages the average of an idle queue by packet times: state the rate, rate = \"10G\""
        )
    if policy.codel and codel is None:
        raise TruemarkError(
            f"policy '{policy.name}' needs target and interval, in a profile's table [codel]; "
            "`truemark plan codel ... --profile FILE.toml` writes one"
        )
    if codel is not None and not policy.codel:
        raise TruemarkError(f"policy '{policy.name}' has no CoDel; leave [codel] out, or use policy 'codel'")
    if codel is not None and not codel.ecn and mask:
        raise TruemarkError(NODROP)


def check_ecn(policy: Policy, ecn: bool, mask: int) -> None:
    """Refuse `ecn = false` beside another policy than `red`, and beside protection."""
    if ecn:
        return
    if policy.laws != (Law.RED, Law.NONE):
        instead = "write it in [codel]" if policy.codel else "only policy red can drop what it could mark"
        raise TruemarkError(f"ecn = false: policy '{policy.name}' takes no such switch; {instead}")
    if mask:
        raise TruemarkError(NODROP)


@dataclass(frozen=True)
class Limits:
    """What a build can do, as its registers say."""

    storage: int
    descriptors: int
    step: bool = True
    red: bool = False
    codel: bool = False
    flags_verdict: bool = False
    noecn: bool = True  # since register map 0.3
    red_linux: bool = False


def check(port: PortSettings, limits: Limits, where: str = "") -> None:
    """Refuse what the device would refuse, with the field, its value and what is allowed."""
    at = f"{where}: " if where else ""
    for present, lacking, needs in (
        (limits.step, "step law", Law.STEP in port.laws),
        (limits.red, "RED", Law.RED in port.laws),
        (limits.codel, "CoDel", port.codel is not None),
    ):
        if needs and not present:
            built = [name for name, other in TABLE.items() if not missing(other, limits)]
            raise TruemarkError(
                f"{at}policy = '{port.policy}': this build has no {lacking} (its CAPABILITIES register says so); "
                f"it has {', '.join(built)}"
            )
    for name, value, most, unit in (
        ("limit_bytes", port.limit_bytes, min(limits.storage, BYTES_MAX), "B"),
        ("limit_packets", port.limit_packets, min(limits.descriptors, PACKETS_MAX), "packets"),
    ):
        if value is not None and not 1 <= value <= most:
            raise TruemarkError(f"{at}{name} = {value} {unit}: this build allows 1 to {most} {unit}")
    most = limits.storage if port.limit_bytes is None else port.limit_bytes
    for slot, law in enumerate(port.laws):
        if law is Law.STEP and not 0 <= port.k[slot] <= min(most, BYTES_MAX):
            bound = "the storage of a port" if port.limit_bytes is None else "limit_bytes"
            raise TruemarkError(f"{at}k = {port.k[slot]} B: allowed is 0 to {most} B ({bound})")
    if not port.ecn and not limits.noecn:
        raise TruemarkError(f"{at}ecn = false: this device's register map is older than 0.3 and has no such switch")
    if port.counts_as_linux and not limits.red_linux:
        raise TruemarkError(
            f'{at}spacing = "linux": this build has no such spacing (its CAPABILITIES register says so); '
            "take uniform, which signals as often"
        )
    if port.protect and not limits.flags_verdict:
        raise TruemarkError(
            f"{at}protect = 0x{port.protect:x}: allowed is 0, because this build judges before it knows the TCP flags"
        )


def policy_of(laws: tuple[Law, Law], codel: bool) -> str:
    """The name of the policy with these laws; `custom` if there is none."""
    names = [name for name, policy in TABLE.items() if (policy.laws, policy.codel) == (laws, codel)]
    return names[0] if names else CUSTOM


def missing(policy: Policy, limits: Limits) -> bool:
    """Whether a build lacks something that a policy needs."""
    laws = (policy.ect, policy.not_ect)
    return (
        (Law.STEP in laws and not limits.step)
        or (Law.RED in laws and not limits.red)
        or (policy.codel and not limits.codel)
    )
