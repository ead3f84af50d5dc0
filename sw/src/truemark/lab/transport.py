# SPDX-License-Identifier: BSD-3-Clause
"""TCP at the hosts, as a scenario file says it. The timers have no default, because they decide the job time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from truemark import units
from truemark.errors import TruemarkError
from truemark.lab.fields import Buffer, Bytes, Duration, Some, Table, given, table

TransportKind = Literal["tcp-ecn", "dctcp", "reno"]
MOST_SEGMENT = 1448  # bytes: a packet of 1500 less the headers of IPv4 and TCP, with timestamps (RFC 7323)
VCC = "vcc"  # reno at the hosts, made ECN-capable below them


class Dctcp(Table):
    """DCTCP's congestion estimate: as RFC 8257, or as modified by the DCTCP-in-the-Internet paper."""

    alpha: Literal["window", "continuous"] = given(
        "window",
        description="alpha moves once a window (RFC 8257), or with every ACK (the DCTCP-in-the-Internet paper)",
    )
    gain: Annotated[float, Field(gt=0, le=1)] = given(
        0.0625, description="g: RFC 8257; 2^-8 = 0.00390625 goes with continuous"
    )
    alpha_bits: Annotated[int, Field(ge=0, le=30)] = given(
        0, description="alpha is a multiple of 2^-this: 10 Linux, 20 the DCTCP-in-the-Internet paper, 0 ns-3's double"
    )
    ssthresh: Literal["cwnd", "cwnd-1"] = given(
        "cwnd-1",
        description="after a reduction; cwnd: a segment of slow start follows, as in the Linux of the "
        "DCTCP-in-the-Internet paper; cwnd-1: its modification, and the effect in ns-3 and in today's Linux",
    )
    grow_in_cwr: bool = given(False, description="a segment a window also while it is reduced: the same paper")
    growth: Literal["segment", "ack"] = given(
        "segment", description="of the window: by each segment (RFC 3465), or by each ACK as Linux 3.2 counts them"
    )
    reduction: Literal["once", "progressive"] = given(
        "once",
        description="progressive: with `continuous`, each mark sets the window to at most (1 - alpha / 2) of what it "
        "was when the reduction began (the same paper)",
    )
    halve_on_loss: bool = given(True, description="RFC 8257 section 3.5; ns-3 3.44 reduces by alpha then too")


@dataclass(frozen=True)
class Second:
    """A transport besides the scenario's own: the group of its flows, and what it has of its own."""

    name: str
    kind: str
    delayed_ack: int | None = None
    socket_type: str | None = None
    priority: int | None = None


class Transport(Table):
    """TCP at the hosts."""

    kind: TransportKind | Literal["vcc"] = given(
        "tcp-ecn",
        description="the marking-threshold paper's first; vcc: virtualized congestion control, below the TCP of every "
        "guest without ECN",
    )
    syn_timeout: Duration = given(description="wait for a SYN-ACK: ns-3 3s, Linux 1s; decides the job time")
    min_rto: Duration = given(description="least retransmission timeout: ns-3 and RFC 6298 1s, Linux 200ms")
    initial_rto: Duration = given(description="before the first sample: RFC 6298 1s, Linux 1s")
    socket_type: str | None = given(
        None, description="ns-3's class; by default TcpNewReno, for dctcp the lab's TcpDctcp"
    )
    dctcp: Dctcp = table(Dctcp, "only for dctcp")
    recovery: str | None = given(
        None,
        description="by default ns3::TcpPrrRecovery (ns-3 3.44, Linux 3.2, RFC 6937); for a progressive reduction "
        "ns3::TcpClassicRecovery, which sets the window at once",
    )
    ecn: bool | None = given(None, description="by default on, for reno and vcc off")
    sack: bool = given(True, description="Linux, ns-3 3.44")
    segment: Some = given(1448, description="Ethernet's 1500 less IPv4, TCP and timestamps")
    initial_window: Some = given(10, description="segments; RFC 6928, Linux")
    send_buffer: Buffer = given("1MB", description="ours: more than any window that the path fills")
    receive_buffer: Buffer = given("1MB", description="the same")
    delayed_ack: Annotated[int, Field(ge=1, le=16)] | None = Field(
        None, description="ACK every n-th segment: by default 2 for dctcp, else 1 (off)"
    )
    delayed_ack_timeout: Duration = given("40ms", description="Linux; RFC 1122 allows 500ms")
    clock_granularity: Duration = given("1ms", description="of the timeout's calculation: ns-3 3.44, Linux at 1000 Hz")
    syn_retries: Some = given(6, description="Linux tcp_syn_retries, ns-3 3.44")
    data_retries: Some = given(15, description="Linux tcp_retries2; ns-3's 6 would end connections")
    retransmit_ect: Literal["ns2", "rfc3168"] = given(
        "rfc3168", description="retransmissions Not-ECT (RFC 3168 section 6.1.5), or ECT as in the papers' ns-2"
    )
    ack_bytes: Bytes = given(150, description="the papers' size of ACK, SYN and FIN; shorter frames are padded to it")
    checksums: bool = given(True, description="TCP and IPv4 checksums are computed and checked")
    guards: bool = given(True, description="around assertions that end stock ns-3; off only to show that they do")

    @model_validator(mode="after")
    def _fill(self) -> Transport:
        dctcp = self.kind == "dctcp"
        if self.socket_type is None:
            self.socket_type = "lab::TcpDctcp" if dctcp else "ns3::TcpNewReno"
        if self.ecn is None:
            self.ecn = self.kind not in ("reno", VCC)
        if self.delayed_ack is None:
            self.delayed_ack = 2 if dctcp else 1
        progressive = dctcp and self.dctcp.reduction == "progressive"
        wanted = "ns3::TcpClassicRecovery" if progressive else "ns3::TcpPrrRecovery"
        self.recovery = self.recovery or wanted
        if progressive and self.recovery != wanted:
            raise ValueError(f"dctcp.reduction = 'progressive' needs recovery = '{wanted}'")
        if progressive and self.dctcp.alpha != "continuous":
            raise ValueError("dctcp.reduction = 'progressive' needs dctcp.alpha = 'continuous'")
        return self

    def for_runner(self) -> dict[str, Any]:
        """As every table, and the shortest frame instead of `ack_bytes`."""
        found = super().for_runner()
        return found | {"shortest_frame": max(60, found.pop("ack_bytes"))}

    def beside(self, second: Second) -> Transport:
        """Return the same timers and sizes with another socket."""
        own = {"kind", "socket_type", "ecn", "delayed_ack", "recovery", "dctcp"}
        other = {"kind": second.kind, "delayed_ack": second.delayed_ack, "socket_type": second.socket_type}
        return Transport.model_validate(self.model_dump(exclude=own) | other)

    def check(self, second: Second | None) -> None:
        """Refuse fields that do not go together, here or in the second transport of a workload."""
        other = self.beside(second) if second else None
        places = {("transport.kind", "transport.socket_type"): self}
        if other:
            places["workload.rival", "workload.rival_socket_type"] = other
        for (kind, socket_type), each in places.items():
            if (each.kind == "dctcp") != str(each.socket_type).endswith("::TcpDctcp"):
                raise TruemarkError(
                    f"{socket_type} = '{each.socket_type}': {kind} = '{each.kind}' is another; leave one of them out"
                )
        if self.ecn and self.kind == VCC:
            raise TruemarkError("transport.ecn = true: transport.kind = 'vcc' is for guests without ECN; leave ecn out")
        delayed = {"set delayed_ack = 1": self.delayed_ack or 1}
        if second and other:
            name = second.name
            remedy = "set workload.rival_delayed_ack = 1" if name == "rivals" else f"take another workload.{name}"
            delayed[remedy] = other.delayed_ack or 1
            if second.kind == "dctcp" and self.dctcp.reduction == "progressive":
                raise TruemarkError(
                    f"transport.dctcp.reduction = 'progressive': {name} of kind 'dctcp' would recover without setting "
                    "the window at once; set reduction = 'once'"
                )
        for remedy, segments in delayed.items():
            if segments > 1 and self.min_rto <= self.delayed_ack_timeout:
                raise TruemarkError(
                    f"transport.min_rto = {units.show_time(self.min_rto)}: a sender whose window is one segment would "
                    f"time out before the ACK that its receiver delays by {units.show_time(self.delayed_ack_timeout)}; "
                    f"lower delayed_ack_timeout, or {remedy}"
                )
        if self.segment > MOST_SEGMENT:
            raise TruemarkError(f"transport.segment = {self.segment}: at most {MOST_SEGMENT} B fit into a packet")
