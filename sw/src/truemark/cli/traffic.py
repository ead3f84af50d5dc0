# SPDX-License-Identifier: BSD-3-Clause
"""What the commands share that send a capture through one port: their options, and what these make together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from truemark import units
from truemark.cli.progress import progress
from truemark.device.engine import TAKE_FRAMES, default_engine
from truemark.errors import InterruptedRunError, TruemarkError
from truemark.laws import policies

if TYPE_CHECKING:
    from truemark.laws.port import Port, PortTable
    from truemark.replay.capture import Source
    from truemark.replay.session import Traffic
    from truemark.replay.summary import Run

PROTECTIONS = ", ".join(policies.ANY)
RATE = "10G"
DEFAULTS = {"policy": "true-mark", "rate": RATE, "buffer": "shallow"}
MOST_LOAD = 10
POLICY, TRAFFIC, OUTPUT = "Policy", "Traffic", "Output"
LAWS = ("target_delay", "weight", "codel", "dcqcn", "tcn", "mark_on", "protect")  # options that only some policies take
PORT = ("policy", "k", "buffer", "packet", "rate")  # the others


def written(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a command's arguments say of the port, by the keys of a profile."""
    return {name: arguments[name] for name in (*PORT, *LAWS)}


def names(*those: str) -> Any:
    """Return what a shell completes an option with."""
    return lambda incomplete: [each for each in those if each.startswith(incomplete)]


def policy_option(text: str, *words: str, complete: Any = None) -> Any:
    """Return an option of the panel Policy."""
    return typer.Option(*words, help=text, rich_help_panel=POLICY, autocompletion=complete)


def traffic_option(text: str, *words: str, complete: Any = None) -> Any:
    """Return an option of the panel Traffic."""
    return typer.Option(*words, help=text, rich_help_panel=TRAFFIC, autocompletion=complete)


Capture = Annotated[
    Path, typer.Argument(metavar="CAPTURE", help="pcap or pcapng of Ethernet frames, may be gzipped; - is stdin")
]
Policy = Annotated[
    str | None,
    policy_option(f"one of {', '.join(policies.TABLE)}; true-mark if none", complete=names(*policies.TABLE)),
]
Profile = Annotated[Path | None, policy_option("profile of the port, as `plan` writes", "--profile")]
Threshold = Annotated[str | None, policy_option("marking threshold: 30kB, 29KiB, 20pkt, 24us", "--k")]
Buffer = Annotated[
    str | None,
    policy_option(f"limit: {', '.join(policies.BUFFERS)}, or a size", complete=names(*policies.BUFFERS)),
]
Protect = Annotated[
    str | None, policy_option(f"Not-ECT frames a signal passes over: {PROTECTIONS}", complete=names(*policies.ANY))
]
TargetDelay = Annotated[str | None, policy_option("policy red: auto-RED (`plan red`) for this delay")]
Weight = Annotated[str | None, policy_option("of auto-RED: W (0 to 24), 0.002, or ns2")]
Codel = Annotated[str | None, policy_option("policy codel: target/interval, such as 500us/20ms")]
Dcqcn = Annotated[str | None, policy_option("policy dcqcn: kmin/kmax/pmax, such as 5kB/200kB/1%")]
Tcn = Annotated[str | None, policy_option("policy tcn: wait above which ECT frames leave marked")]
MarkOn = Annotated[
    str | None,
    policy_option("when the queue is compared with K: arrival, or departure", complete=names("arrival", "departure")),
]
Packet = Annotated[int | None, policy_option("bytes of a packet, for sizes in packets")]
Rate = Annotated[str | None, traffic_option("rate at which the port drains; 10G, or the profile's")]
Speed = Annotated[str, traffic_option("offer the capture this many times as fast as it was taken")]
Load = Annotated[float | None, traffic_option("choose the speed so that the mean load is this share")]
EngineName = Annotated[
    str | None,
    traffic_option("rtl, model, or both compared; rtl if it is built", complete=names("rtl", "model", "both")),
]


@dataclass(frozen=True)
class Pace:
    """How fast a capture is offered, as the options say."""

    speed: str = "1"
    load: float | None = None
    rtt: str = "100us"

    def __post_init__(self) -> None:
        if self.load is None:
            return
        if not 0 < self.load <= MOST_LOAD:
            meant = f"; {self.load:g} % is --load {self.load / 100:g}" if 0 < self.load <= 100 * MOST_LOAD else ""
            raise TruemarkError(f"--load is a share above 0, at most {MOST_LOAD}{meant}")
        if self.speed != "1":
            raise TruemarkError("--load takes the place of --speed; give one")

    def of(self, source: Source, rate: int) -> Traffic:
        """Return the traffic that a capture is at a port's rate."""
        from truemark.replay.session import Traffic, parse_speed  # numpy takes a while to load

        rtt_ns = units.parse_time(self.rtt, "rtt")
        if rtt_ns == 0:
            raise TruemarkError(f"rtt '{self.rtt}' must be above 0")
        return Traffic(source.path, rate, parse_speed(self.speed), self.load, rtt_ns=rtt_ns, where=source.where)


def laid(written: dict[str, Any], source: Path | None) -> PortTable:
    """Return what options say of a port, laid over a profile or over the defaults; an error names option or file."""
    from truemark.laws.port import PortTable  # pydantic takes 0.2 s to load
    from truemark.laws.profile import read_profile
    from truemark.toml_errors import validated

    given = {name: value for name, value in written.items() if value is not None}
    options = validated(PortTable, given, "", "")
    base = PortTable()
    if source is not None:
        profile = read_profile(source)
        if profile.queues or profile.queue or profile.pfc:
            raise TruemarkError(
                f"{source}: [queues], [queue.N] or [pfc]: one queue is looked at, takes every frame and is never "
                "paused; leave it out"
            )
        base = profile.table(0)
    if source is None:
        base = validated(PortTable, DEFAULTS, "", "")
    elif base.rate is None:
        base = base.model_copy(update={"rate": units.parse_rate(RATE)})
    return options.laid_over(base)


def planned_port(written: dict[str, Any], source: Path | None) -> Port:
    """Return the port that options make, laid over a profile or over the defaults; an error names option or file."""
    table = laid(written, source)
    try:
        return table.planned()
    except TruemarkError as error:
        given = ", ".join(f"--{name.replace('_', '-')}" for name, value in written.items() if value is not None)
        where = " with ".join(each for each in (str(source or ""), given) if each)
        raise TruemarkError(f"{where}: {error}" if where else str(error)) from None


def run(port: Port, engine: str | None, traffic: Traffic, out: Path | None = None) -> tuple[Run, list[str]]:
    """Replay a capture under a port's settings, with a bar; return what came of it, and remarks on the settings."""
    from truemark.replay.session import replay_capture  # numpy takes a while to load

    settings, notes = port.settings, port.warnings()
    if engine not in (None, *TAKE_FRAMES):
        raise TruemarkError(f"unknown engine '{engine}' for a capture; there are {', '.join(TAKE_FRAMES)}")
    if engine is None:
        engine, note = default_engine(policies.build_size(settings), settings.features)
        notes += [note] if note else []
    with progress(f"{settings.policy} ({engine})") as tell, nothing_written():
        return replay_capture(engine, settings, traffic, out, tell), notes


@contextmanager
def nothing_written() -> Iterator[None]:
    """Leave no file after an interrupt in here."""
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedRunError("interrupted; nothing was written") from None
