# SPDX-License-Identifier: BSD-3-Clause
"""Laws as a profile has them. Apart from the laws, for most commands read no profile and need not load pydantic."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from truemark import units
from truemark.errors import TruemarkError
from truemark.fields import Length, Nanoseconds, Probability, refusal
from truemark.laws.codel import PUBLISHED
from truemark.laws.law import Line
from truemark.laws.pause import CLASSES, Level, Pause
from truemark.laws.queue_map import MOST, QueueMap
from truemark.laws.share import ALPHAS, alpha_of
from truemark.laws.slopes import BOTTOM
from truemark.units import Size


class RedTable(BaseModel):
    """RED as a profile has it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    unit: Literal["bytes", "packets"] = Field(
        default="bytes",
        description="what the queue is counted in; as packets every frame is one: min and max such as 12.5pkt",
    )
    min: Length = Field(description="average queue from which on signals begin")
    max: Length = Field(description="average queue at which the probability is reached")
    probability: Probability = Field(description="at max, in (0, 1], or a percentage")
    weight: int = Field(description="W, 0 to 24: the average moves by 2^-W of the difference")
    spacing: str = Field(default="uniform", description="memoryless, uniform, wait or linux")
    gentle: bool = Field(default=False, description="a second slope from max to twice max")
    adaptive: bool = Field(default=False, description="ARED: the probability follows the average")
    bottom: Annotated[Probability, Field(description="the least probability of ARED")] = BOTTOM


Queue = Annotated[int, Field(ge=0, lt=MOST)]
Priority = Annotated[int, Field(ge=0, lt=CLASSES)]
Source = Annotated[int, Field(ge=0, lt=16)]


class PfcTable(BaseModel):
    """Which classes of which source must pause, and when: levels of priority-based flow control."""

    model_config = ConfigDict(extra="forbid", strict=True)

    classes: list[Priority] = Field(description="lossless classes, by the priority of the outer tag; without one, 0")
    headroom: Length = Field(description="what each of them may still take once it must pause; plan pfc has it")
    sources: list[Source] | None = Field(default=None, description="ports that they come in by; all if absent")
    static: Length | None = Field(default=None, description="a class must pause above so many bytes")
    alpha: str | int | None = Field(default=None, description="or above so many times what is free: 1/128 to 8")
    xon: Length | None = Field(default=None, description="it may send again at or below so many bytes")
    xon_offset: Length | None = Field(default=None, description="or at so many below that; with both at the higher one")

    def planned(self, line: Line) -> Pause:
        """Return what the registers of port 0 hold, or which key is wrong."""
        if (self.static is None) == (self.alpha is None):
            raise TruemarkError('[pfc] says when a class must pause, by one of static = "100kB" and alpha = "1/8"')
        if self.xon is None and self.xon_offset is None:
            raise TruemarkError('[pfc] says when a class may send again, such as xon_offset = "3kB"')
        try:
            exponent = None if self.alpha is None else ALPHAS[alpha_of(self.alpha)]
        except ValueError as error:
            raise TruemarkError(f"[pfc] alpha = {error}") from None
        headroom, static, xon, offset = (
            None if size is None else line.bytes(size, f"[pfc] {key}")
            for key, size in (
                ("headroom", self.headroom),
                ("static", self.static),
                ("xon", self.xon),
                ("xon_offset", self.xon_offset),
            )
        )
        if static is not None and (xon or 0) > static:
            raise TruemarkError(f"[pfc] xon = {xon} B: it is above static = {static} B")
        level = Level(static or 0, exponent, xon or 0, offset)
        return Pause(tuple(sorted(set(self.classes))), headroom or 0, level)

    def of_port(self, port: int, line: Line) -> Pause | None:
        """Return what stands in the configuration of a port, if anything does."""
        pause = self.planned(line).of_source(port)
        if self.sources is None or port in self.sources:
            return pause
        return Pause(level=pause.level) if port == 0 else None


class QueuesTable(BaseModel):
    """Which queue of its line takes a frame."""

    model_config = ConfigDict(extra="forbid", strict=True)

    by: Literal["fixed", "dscp", "pcp", "ecn", "class"] = Field(description="the table that says it; fixed: none")
    default: Queue = Field(default=0, description="queue of frames that the table does not speak of")
    dscp: dict[str, Queue] | None = Field(default=None, description="queues by DSCP: 46 = 3, or 8-15 = 1")
    pcp: dict[str, Queue] | None = Field(default=None, description="queues by the priority of the first VLAN tag")
    ecn: dict[str, Queue] | None = Field(default=None, description="queues by not_ect, ect1, ect0, ce")
    class_: dict[str, Queue] | None = Field(
        default=None, alias="class", description="queues by class: ack = 3, or ack-ece, ack+ece"
    )

    def planned(self) -> QueueMap:
        """Return what the registers hold, or which key is wrong."""
        tables = {"dscp": self.dscp, "pcp": self.pcp, "ecn": self.ecn, "class": self.class_}
        for name, table in tables.items():
            if table is not None and name != self.by:
                raise TruemarkError(f'[queues.{name}] says nothing with by = "{self.by}"; it is of by = "{name}"')
        try:
            return QueueMap.of(self.by, self.default, tables.get(self.by) or {})
        except TruemarkError as error:
            raise TruemarkError(f"queues.{self.by}: {error}") from None


class DcqcnTable(BaseModel):
    """What a switch calls Kmin, Kmax and Pmax; a text such as "5kB/200kB/1%" is the three. The rest of RED follows."""

    model_config = ConfigDict(extra="forbid", strict=True)

    kmin: Length = Field(description="queue from which on ECT frames are marked now and then")
    kmax: Length = Field(description="queue from which on every one is marked")
    pmax: Probability = Field(description="share that is marked just below kmax, in (0, 1], or a percentage")

    # As RedTable has it: the instantaneous queue decides, each frame for itself.
    unit: ClassVar[Literal["bytes"]] = "bytes"
    weight: ClassVar[int] = 0
    spacing: ClassVar[str] = "memoryless"
    gentle: ClassVar[bool] = False
    adaptive: ClassVar[bool] = False
    bottom: ClassVar[Fraction] = BOTTOM

    @property
    def min(self) -> Size:
        """Kmin."""
        return self.kmin

    @property
    def max(self) -> Size:
        """Kmax."""
        return self.kmax

    @property
    def probability(self) -> Fraction:
        """Pmax."""
        return self.pmax

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        parts = value.split("/")
        if len(parts) != 3:
            raise refusal(f"dcqcn '{value}': write kmin/kmax/pmax, such as 5kB/200kB/1%")
        return dict(zip(("kmin", "kmax", "pmax"), parts, strict=True))

    def __str__(self) -> str:
        return f"{self.kmin}/{self.kmax}/{float(self.pmax):.6g}"


class CodelTable(BaseModel):
    """CoDel as a profile has it; a text such as "500us/20ms" is target and interval."""

    model_config = ConfigDict(extra="forbid", strict=True)

    target: Nanoseconds = Field(description="the standing wait that is allowed")
    interval: Nanoseconds = Field(description="for how long the wait may be above the target")
    ecn: bool = Field(default=True, description="a signal marks what can be marked")
    ce_threshold: Nanoseconds | None = Field(default=None, description="wait above which every ECT frame is marked")
    exempt: Length | None = Field(default=None, description="bytes behind the head that are left alone")
    variant: str = Field(default="linux", description="linux, rfc8289 or ns3")
    switches: list[str] = Field(default_factory=list, description="single differences from the variant")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        target, slash, interval = value.partition("/")
        if not slash:
            raise refusal(f"codel '{value}': write target/interval, such as {next(iter(PUBLISHED))}")
        return {"target": target, "interval": interval}

    def __str__(self) -> str:
        return "/".join(units.show_time(value).replace(" ", "") for value in (self.target, self.interval))
