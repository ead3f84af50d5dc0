# SPDX-License-Identifier: BSD-3-Clause
"""`truemark plan`: settings worked out from what a person wants."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from truemark import units
from truemark.cli import output
from truemark.cli.output import AsJson
from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError, suggest
from truemark.files import STDOUT, whole_file
from truemark.laws import codel, policies, red, slopes
from truemark.laws.pause import CLASSES
from truemark.plan import auto_red as plan_red
from truemark.plan import codel as plan_codel
from truemark.plan import dual as plan_dual
from truemark.plan import pfc as plan_pfc
from truemark.plan import plan
from truemark.plan import tc_red as plan_tc
from truemark.plan import tcn as plan_tcn
from truemark.plan.tc_lines import red_words
from truemark.screen import Screen

app = typer.Typer(
    help="Work out settings: auto-RED, CoDel, TCN, tc's red, dual AQM; PFC's headroom. Writes profiles for apply and "
    "replay.",
    no_args_is_help=True,
)
WIDTH = 100
SPACINGS = ", ".join(spacing.name.lower() for spacing in Spacing)

ProfileOut = Annotated[Path | None, typer.Option("--profile", help="write a profile for apply and replay")]
Rate = Annotated[str, typer.Option(help="rate of the port")]
BufferName = Annotated[str, typer.Option(help="shallow, deep, or a size: the limit to hold the thresholds against")]
Protect = Annotated[str, typer.Option(help=f"Not-ECT frames a signal passes over: {', '.join(policies.ANY)}")]


def check_protect(name: str) -> str:
    """Return a protection; refuse a name that none has."""
    policies.protection_mask(name)
    return name


def priorities(text: str) -> list[int]:
    """Return classes written as 3,4."""
    if not all(each in map(str, range(CLASSES)) for each in text.split(",")):
        raise TruemarkError(f"classes '{text}': priorities from 0 to {CLASSES - 1} are wanted, as in 3,4")
    return sorted(set(map(int, text.split(","))))


def show(plans: list[plan.Plan], as_json: bool, profile: Path | None) -> None:
    """Print plans, and write the profile of the only one."""
    if profile is not None:
        if len(plans) != 1:
            raise TruemarkError("--profile takes one setting; choose it with --setting, or --target and --interval")
        if plans[0].profile is None:
            raise TruemarkError(f"no profile can be written: {plans[0].remarks[-1]}")
        if as_json and profile == STDOUT:
            raise TruemarkError("--json and --profile - both want stdout; give --profile a file")
        with whole_file(profile) as file:
            file.write(plans[0].profile)
    wrote = [str(profile)] if profile not in (None, STDOUT) else []
    if as_json:
        output.document("plan", {"plans": [each.to_json() for each in plans], "wrote": wrote})
        return
    screen = Screen(stderr=True) if profile == STDOUT else output.console
    for each in plans:
        screen.print(table(each))
        for line in each.remarks:
            screen.print(Text(f"- {line}"), width=WIDTH)
    for name in wrote:
        screen.print(Text(f"wrote {name}"), soft_wrap=True)


def table(each: plan.Plan) -> Table:
    """Return a plan for people."""
    result = Table(title=Text(each.title), title_justify="left", title_style="bold", box=SIMPLE_HEAD, show_header=False)
    result.add_column("name", overflow="fold")
    result.add_column("value", justify="right")
    result.add_column("unit")
    for figure in each.figures:
        result.add_row(Text(figure.name), Text(figure.text), Text(figure.unit))
    return result


@app.command("red")
def red_command(
    rate: Rate,
    target_delay: Annotated[str, typer.Option(help="mean wait to aim at, such as 500us")],
    threshold_unit: Annotated[
        str, typer.Option(help=f"what a packet counts for: {', '.join(plan_red.THRESHOLD_UNITS)}")
    ] = "500B",
    packet: Annotated[int, typer.Option(help="bytes of a packet, with --threshold-unit packets", min=14)] = 1500,
    buffer: BufferName = "shallow",
    weight: Annotated[str, typer.Option(help="ns2 (automatic), W (0 to 24), or a weight such as 0.002")] = "ns2",
    probability: Annotated[str, typer.Option(help="at max")] = "0.1",
    spacing: Annotated[str, typer.Option(help=SPACINGS)] = "wait",
    gentle: Annotated[bool, typer.Option(help="a second slope from max to twice max")] = True,
    adaptive: Annotated[bool, typer.Option(help="ARED: the probability follows the average")] = False,
    protect: Protect = "default",
    profile: ProfileOut = None,
    as_json: AsJson = False,
) -> None:
    """Auto-RED as ns-2: min = max(5 packets, delay * rate / (16 * 500 B)), max = 3 min."""
    wishes = plan_red.RedWishes(
        rate=units.parse_rate(rate, "rate"),
        delay_ns=units.parse_time(target_delay, "target-delay"),
        threshold_unit=threshold_unit,
        packet=packet,
        buffer=buffer,
        weight=weight,
        probability=slopes.parse_probability(probability),
        spacing=red.parse_spacing(spacing),
        gentle=gentle,
        adaptive=adaptive,
        protect=check_protect(protect),
    )
    show([plan_red.plan_red(wishes)], as_json, profile)


@app.command("codel")
def codel_command(
    setting: Annotated[str | None, typer.Option(help=f"published: {', '.join(codel.PUBLISHED)}")] = None,
    target: Annotated[str | None, typer.Option(help="the standing wait that is allowed")] = None,
    interval: Annotated[str | None, typer.Option(help="for how long the wait may be above it")] = None,
    rate: Annotated[str | None, typer.Option(help="rate of the port")] = None,
    buffer: BufferName = "shallow",
    ecn: Annotated[bool, typer.Option(help="mark what can be marked")] = True,
    ce_threshold: Annotated[str | None, typer.Option(help="mark every ECT frame that waited longer")] = None,
    exempt: Annotated[str | None, typer.Option(help="bytes behind the head that are left alone, such as 1514B")] = None,
    variant: Annotated[str, typer.Option(help=", ".join(codel.VARIANTS))] = "linux",
    protect: Protect = "default",
    profile: ProfileOut = None,
    as_json: AsJson = False,
) -> None:
    """CoDel: a published setting or a free one; without either, all that were published."""
    if setting is not None and (target is not None or interval is not None):
        raise TruemarkError("--setting takes the place of --target and --interval; give one or the other")
    if setting is not None and setting not in codel.PUBLISHED:
        raise TruemarkError(f"setting '{setting}' is unknown; {suggest(setting, list(codel.PUBLISHED))}")
    if (target is None) != (interval is None):
        raise TruemarkError("a free setting needs both --target and --interval")
    if target is not None and interval is not None:
        chosen = [(units.parse_time(target, "target"), units.parse_time(interval, "interval"))]
    else:
        chosen = [codel.PUBLISHED[setting]] if setting else list(codel.PUBLISHED.values())
    drain = None if rate is None else units.parse_rate(rate, "rate")
    wishes = [
        plan_codel.CodelWishes(
            target_ns=target_ns,
            interval_ns=interval_ns,
            rate=drain,
            buffer=buffer,
            ecn=ecn,
            ce_threshold_ns=None if ce_threshold is None else units.parse_time(ce_threshold, "ce-threshold"),
            exempt=None if exempt is None else units.parse_size(exempt, "exempt", drain, plan_codel.PACKET),
            variant=variant,
            protect=check_protect(protect),
        )
        for target_ns, interval_ns in chosen
    ]
    show([plan_codel.plan_codel(wish) for wish in wishes], as_json, profile)


@app.command("tcn")
def tcn_command(
    rate: Rate,
    threshold: Annotated[str | None, typer.Option(help="mark every ECT frame that waited longer")] = None,
    rtt: Annotated[str | None, typer.Option(help="round-trip time: the threshold is a seventh of it")] = None,
    buffer: BufferName = "shallow",
    profile: ProfileOut = None,
    as_json: AsJson = False,
) -> None:
    """Waiting-time marking: a threshold, or RTT/7, the time that DCTCP's K >= C*RTT/7 waits."""
    if (threshold is None) == (rtt is None):
        both = "" if threshold is None else ", not both"
        raise TruemarkError(f"give --threshold, or --rtt to have it worked out{both}")
    chosen = None if threshold is None else units.parse_time(threshold, "threshold")
    trip = 0 if rtt is None else units.parse_time(rtt, "rtt")
    show([plan_tcn.plan_tcn(chosen, trip, units.parse_rate(rate, "rate"), buffer)], as_json, profile)


@app.command("pfc")
def pfc_command(
    rate: Rate,
    cable: Annotated[str, typer.Option(help="its length: 300m, 2km")],
    mtu: Annotated[str, typer.Option(help=f"of the link: a frame is {plan_pfc.HEADERS} B longer")] = "9100B",
    reaction: Annotated[
        str | None, typer.Option(help="until the far end obeys; none: as 802.3 allows at the rate")
    ] = None,
    cell: Annotated[
        str | None, typer.Option(help="in which memory is given out; none: as much as 64B or 128B may take")
    ] = None,
    classes: Annotated[str, typer.Option(help="lossless ones, for the profile")] = "3,4",
    clock: Annotated[str | None, typer.Option(help="of truemark_pfc, for what its registers take")] = None,
    profile: ProfileOut = None,
    as_json: AsJson = False,
) -> None:
    """Headroom of a lossless class: what still arrives once priority-based flow control asks for a pause."""
    taken = None if reaction is None else units.parse_time(reaction, "reaction")
    link = plan_pfc.Link(
        units.parse_rate(rate, "rate"),
        units.parse_length(cable, "cable"),
        units.parse_bytes(mtu, "mtu", "9100B"),
        taken,
    )
    ticks = None if clock is None else units.parse_frequency(clock, "clock")
    cells = (64, 128) if cell is None else (units.parse_bytes(cell, "cell", "64B"),)
    show([plan_pfc.plan_pfc(link, cells, priorities(classes), ticks)], as_json, profile)


@app.command("tc-red")
def tc_red_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS...", help="what follows `red` in tc's command, or the whole line, or as it is printed"
        ),
    ],
    spacing: Annotated[str, typer.Option(help=SPACINGS)] = "uniform",
    old: Annotated[bool, typer.Option(help="round the packet time as iproute2 did up to 6.14")] = False,
    profile: ProfileOut = None,
    as_json: AsJson = False,
) -> None:
    """Linux's red: limit 400000 min 30000 max 90000 avpkt 1000 burst 55 probability 0.02 bandwidth 10Mbit ecn."""
    show([plan_tc.plan_tc(red_words(words), red.parse_spacing(spacing), old)], as_json, profile)


@app.command("dual")
def dual_command(
    rate: Rate,
    maximum: Annotated[str, typer.Option("--max", help="max of both slopes: 90kB, 60pkt, 72us")],
    min_ect: Annotated[str | None, typer.Option(help="min for ECT frames; or give --min-nonect")] = None,
    min_nonect: Annotated[str | None, typer.Option(help="min for Not-ECT frames; or give --min-ect")] = None,
    maxp_ect: Annotated[str, typer.Option(help="probability at max for ECT frames")] = "0.1",
    maxp_nonect: Annotated[str, typer.Option(help="probability at max for Not-ECT frames")] = "0.2",
    weight: Annotated[int, typer.Option(help="W: the averages move by 2^-W of the difference")] = 9,
    buffer: BufferName = "shallow",
    packet: Annotated[int, typer.Option(help="bytes of a packet", min=14)] = 1500,
    spacing: Annotated[str, typer.Option(help=SPACINGS)] = "uniform",
    gentle: Annotated[bool, typer.Option(help="a second slope from max to twice max")] = False,
    protect: Protect = "default",
    profile: ProfileOut = None,
    as_json: AsJson = False,
) -> None:
    """Dual slope that shares equally: min_ect / min_nonect = (r - 1)/r, r the ratio of the maximum probabilities."""
    drain = units.parse_rate(rate, "rate")

    def size(text: str | None, what: str) -> int | None:
        return None if text is None else units.parse_size(text, what, drain, packet)

    wishes = plan_dual.DualWishes(
        rate=drain,
        min_ect=size(min_ect, "min-ect"),
        min_not_ect=size(min_nonect, "min-nonect"),
        maximum=units.parse_size(maximum, "max", drain, packet),
        probability_ect=slopes.parse_probability(maxp_ect, "maxp-ect"),
        probability_not_ect=slopes.parse_probability(maxp_nonect, "maxp-nonect"),
        weight=weight,
        buffer=buffer,
        packet=packet,
        spacing=red.parse_spacing(spacing),
        gentle=gentle,
        protect=check_protect(protect),
    )
    show([plan_dual.plan_dual(wishes)], as_json, profile)


@app.command("sonic")
def sonic_command(
    config: Annotated[Path, typer.Argument(metavar="CONFIG_DB.json", help="a SONiC switch's configuration")],
    queue: Annotated[int | None, typer.Option(help="of each interface; none: the only one with a WRED profile")] = None,
    queues: Annotated[
        int | None, typer.Option(help="take so many of each interface, 2, 4 or 8, with its map and schedulers: a line")
    ] = None,
    interface: Annotated[list[str] | None, typer.Option(help="port 0, port 1, ...; none: all, in their order")] = None,
    rate: Annotated[str | None, typer.Option(help="of interfaces whose speed PORT does not have, such as 100G")] = None,
    profile: ProfileOut = None,
    as_json: AsJson = False,
) -> None:
    """SONiC's WRED profiles and limits, as policy dcqcn, of one queue or of lines; what is not kept is named."""
    from truemark.plan import sonic as plan_sonic  # pydantic takes 0.2 s to load
    from truemark.plan import sonic_lines

    speed = None if rate is None else units.parse_rate(rate, "rate")
    if queues is None:
        found = plan_sonic.plan_sonic(config, queue, interface, speed)
    elif queue is None:
        found = sonic_lines.plan_lines(config, queues, interface, speed)
    else:
        raise TruemarkError("--queue takes one queue of an interface, --queues several; give one")
    show([found], as_json, profile)
