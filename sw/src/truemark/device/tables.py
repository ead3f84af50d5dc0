# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what a device says of itself: identity, configuration, counters, the queue's composition."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import units
from truemark.device.device import Count, Identity, Snapshot, bin_edges
from truemark.device.flow_control import PauseState
from truemark.device.outcomes import ARRIVED, DEPARTED, LOST, MARKED, FrameClass, Outcome
from truemark.device.pool import MOST_FAULTS, PoolState
from truemark.laws.law import PortLaw
from truemark.laws.policies import SLOT_LAWS, PortSettings, protection
from truemark.laws.queue_map import CALLED, NUMBERS, QueueMap
from truemark.laws.step import Step


def identity_table(identity: Identity, where: str, kind: str = "engine") -> Table:
    """Return what the build is."""
    table = Table(title="device", title_justify="left", show_header=False, box=SIMPLE_HEAD)
    table.add_column()
    table.add_column(overflow="fold")
    has = [name.replace("_", " ") for name, there in identity.capabilities.items() if there]
    lacks = [name.replace("_", " ") for name, there in identity.capabilities.items() if not there]
    whose = "of all ports" if identity.pooled else "per port"
    for name, value in (
        (kind, where),
        ("register map", identity.version),
        ("ports", ports_text(identity)),
        ("stream", f"{identity.beat_bytes * 8} bit"),
        ("storage", f"{identity.storage} B {whose} ({identity.rows} rows, {identity.descriptors} frames)"),
        ("longest frame", f"{identity.max_frame} B"),
        ("has", ", ".join(has)),
        ("lacks", ", ".join(lacks)),
    ):
        table.add_row(name, value)
    return table


def ports_text(identity: Identity) -> str:
    """Return how many ports there are, and how many of them make a line."""
    if identity.queues == 1:
        return str(identity.ports)
    lines = identity.ports // identity.queues
    return f"{identity.ports}: {lines} line{'s' if lines > 1 else ''} of {identity.queues} queues"


def queue_table(queue_map: QueueMap) -> Table:
    """Return which queue of its line takes a frame."""
    by = CALLED[queue_map.mode]
    table = Table(title=f"queues by {by}", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("queue", justify="right")
    table.add_column("frames", overflow="fold")
    named = queue_map.mode in NUMBERS
    groups = queue_map.groups()
    for queue in sorted({*groups, queue_map.default}):
        found = groups.get(queue, [])
        shown = port_list([int(name) for name in found]) if named else ", ".join(found)
        if queue == queue_map.default:
            shown = "all others" if queue_map.table else "all"
        table.add_row(str(queue), shown)
    return table


def port_list(numbers: list[int]) -> str:
    """Return ports with neighbours as ranges: `0-3, 5`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def settings_table(ports: list[PortSettings]) -> Table:
    """Return the configuration of every port; ports alike share a row."""
    table = Table(title="ports", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    turns = any(settings.quantum is not None for settings in ports)
    shaped = any(settings.held_to for settings in ports)
    pooled = any(settings.pool_share for settings in ports)
    headings = ("port", "policy", "K", "byte limit", "packet limit", "protects", "enabled")
    pausing = any(settings.pause for settings in ports)
    own = {"sends": turns, "at most": shaped, "of the pool": pooled, "lossless": pausing}
    for heading in (*headings, *(name for name, there in own.items() if there)):
        table.add_column(heading)
    groups: dict[PortSettings, list[int]] = {}
    for number, settings in enumerate(ports):
        groups.setdefault(settings, []).append(number)
    for settings, numbers in groups.items():
        steps = [f"{law.k} B" for law in settings.arrival if isinstance(law, Step)]
        table.add_row(
            port_list(numbers),
            settings.policy,
            ", ".join(steps) or "-",
            "off" if settings.limit_bytes is None else f"{settings.limit_bytes} B",
            "off" if settings.limit_packets is None else str(settings.limit_packets),
            treatment(settings),
            "yes" if settings.enable else "no",
            *(["first" if settings.quantum is None else f"{settings.quantum} B a turn"] if turns else []),
            *([rates(settings)] if shaped else []),
            *([settings.pool_share.title if settings.pool_share else "all that is free"] if pooled else []),
            *([settings.pause.title if settings.pause else "none"] if pausing else []),
        )
    return table


def rates(settings: PortSettings) -> str:
    """Return what a port and its line are held to."""
    named = {"shape": "", "line": "line: "}
    return "; ".join(f"{named[key]}{shape.title}" for key, shape in settings.held_to.items()) or "-"


def treatment(settings: PortSettings) -> str:
    """Return what a signal passes over, and what else is unusual about what it drops."""
    unusual = ["no ECN"] if not settings.ecn else []
    unusual += ["harddrop"] if settings.harddrop else []
    unusual += ["marks on departure"] if settings.mark_on_departure else []
    return ", ".join([protection(settings.protect), *unusual] if settings.protect else unusual) or "-"


def law_tables(ports: list[PortSettings]) -> list[Table]:
    """Return the laws of every port, a table for each kind; laws alike share a row."""
    groups: dict[type[PortLaw], dict[tuple[str, ...], list[int]]] = {}
    for number, settings in enumerate(ports):
        for slot, law in enumerate((*settings.arrival, *settings.departures)):
            if law is not None and law.HEADINGS:
                whom = (settings.whom(slot),) if slot < len(settings.arrival) else ()
                rows = groups.setdefault(type(law), {})
                rows.setdefault((*whom, *law.cells(settings.idle)), []).append(number)
    tables = []
    for kind, rows in groups.items():
        table = Table(title=kind.NAME, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
        whom = ("for",) if kind in SLOT_LAWS.values() else ()
        for heading in ("port", *whom, *kind.HEADINGS):
            table.add_column(heading)
        for cells, numbers in rows.items():
            table.add_row(port_list(numbers), *cells)
        tables.append(table)
    return tables


# Two lines each, so that the table fits.
COLUMN_TEXT = {
    Outcome.PASS: "passed",
    Outcome.PASS_CE: "passed,\nwas CE",
    Outcome.MARK: "marked",
    Outcome.CE_SIGNALLED: "signal\nmet CE",
    Outcome.PROTECTED: "pro-\ntected",
    Outcome.EARLY_PROBABILITY: "early\ndrop",
    Outcome.EARLY_FORCED: "forced\ndrop",
    Outcome.TAIL_BYTES: "byte\nlimit",
    Outcome.TAIL_PACKETS: "packet\nlimit",
    Outcome.NO_ROOM: "no\nroom",
    Outcome.DISABLED: "port\noff",
    Outcome.ABORTED: "bad\nframe",
    Outcome.DEPARTED: "as it\nwas",
    Outcome.HEAD_DROPPED: "dropped at\nthe head",
    Outcome.DEPARTED_MARKED: "marked",
    Outcome.DEPARTED_CE_THRESHOLD: "by\nthreshold",
    Outcome.DEPARTED_MARKED_CE_THRESHOLD: "by both",
    Outcome.DEPARTED_PROTECTED: "pro-\ntected",
    Outcome.DEPARTED_CE_SIGNALLED: "signal\nmet CE",
}


def counters_tables(snapshot: Snapshot) -> list[Table]:
    """Return packets by class and ECE flag: what became of arrivals, and of what was held."""
    arrived = count_table(snapshot, f"port {snapshot.port}, packets that arrived", "arrived", ARRIVED)
    left = count_table(snapshot, "packets that left the queue", "left the\nport", DEPARTED, (Outcome.HEAD_DROPPED,))
    return [arrived, left]


def count_table(
    snapshot: Snapshot, title: str, heading: str, summed: tuple[Outcome, ...], beside: tuple[Outcome, ...] = ()
) -> Table:
    """Return a column for each outcome that occurred, and their sum."""
    seen = [code for code in (*summed, *beside) if snapshot.total(code).packets]
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=0)
    table.add_column("class")
    table.add_column("ECE")
    for text in (heading, "in bytes", *[COLUMN_TEXT.get(code, code.name.lower().replace("_", "\n")) for code in seen]):
        table.add_column(text, justify="right")

    def numbers(kind: FrameClass | None, ece: int | None) -> list[str]:
        total = snapshot.total(*summed, kind=kind, ece=ece)
        counts = [snapshot.total(code, kind=kind, ece=ece).packets for code in seen]
        return [f"{number:,}" for number in (total.packets, total.bytes, *counts)]

    for kind in FrameClass:
        for ece in (0, 1):
            if snapshot.total(*summed, *beside, kind=kind, ece=ece).packets:
                table.add_row(kind.name, str(ece), *numbers(kind, ece))
    table.add_section()
    table.add_row("all", "", *numbers(None, None))
    return table


def average_remarks(snapshot: Snapshot, settings: PortSettings) -> list[str]:
    """Return remarks on RED's averages, and on its probability where that moves."""
    lines = []
    for slot, law in enumerate(settings.reds):
        if law is not None:
            whom = "" if settings.whom(slot) == "all" else f" for {settings.whom(slot)}"
            moved = f"; p at max is now {snapshot.maxp[slot]:.4g}" if law.adaptive else ""
            average, least, most = map(law.unit.text, (snapshot.average[slot], *law.ends.values()))
            lines.append(f"RED's average{whom}: {average} as of the last arrival (min {least}, max {most}){moved}")
    return lines


def histogram_table(snapshot: Snapshot) -> Table:
    """Return sojourn times in powers of two."""
    table = Table(title="sojourn times", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("from")
    table.add_column("below")
    table.add_column("frames", justify="right")
    table.add_column("")
    most = max(snapshot.histogram, default=0)
    for index, count in enumerate(snapshot.histogram):
        if count:
            low, high = bin_edges(index)
            table.add_row(
                units.show_time(low),
                units.show_time(high) if high else "-",
                f"{count:,}",
                "█" * max(1, round(40 * count / most)),
            )
    return table


def counter_remarks(snapshot: Snapshot) -> list[str]:
    """Return remarks on watermarks and bad frames."""
    lines = [
        f"most ever held: {snapshot.watermark.bytes} B, {snapshot.watermark.packets} packets; "
        f"longest sojourn {units.show_time(snapshot.watermark_sojourn_ns)}"
    ]
    wrong = [f"{count} {name.replace('_', ' ')}" for name, count in snapshot.bad.items() if count]
    return [*lines, f"wrong frames: {', '.join(wrong) or 'none'}"]


def status_table(ports: list[PortSettings], snapshots: list[Snapshot]) -> Table:
    """Return what every port holds, and what has become of its frames since reset."""
    table = Table(title="status", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("port", justify="right")
    table.add_column("policy")
    for heading in ("holds", "most so far", "arrived", "marked", "dropped", "departed", "cut short"):
        table.add_column(heading, justify="right")
    for settings, frozen in zip(ports, snapshots, strict=True):
        table.add_row(
            str(frozen.port),
            settings.policy,
            f"{frozen.held.bytes} B",
            f"{frozen.watermark.bytes} B",
            str(frozen.total(*ARRIVED).packets),
            str(frozen.total(*MARKED).packets),
            str(frozen.total(*LOST).packets),
            str(frozen.total(*DEPARTED).packets),
            str(frozen.cut_short),
        )
    return table


def pool_table(pool: PoolState, pauses: PauseState | None = None) -> Table:
    """Return where the cells of the pool are, what each port has of them, and what its link partner must pause."""
    title = f"pool of cells of {pool.cell_bytes} B"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("whose")
    for heading in ("cells", "watermark", "refused by its threshold"):
        table.add_column(heading, justify="right")
    if pauses:
        table.add_column("its link partner must pause")
    for name, cells in (("free", pool.free), ("held", pool.held), ("on their way back", pool.walking)):
        table.add_row(name, f"{cells:,}", "", "")
    table.add_row("all that are not free", f"{pool.held + pool.walking:,}", f"{pool.watermark:,}", "")
    table.add_section()
    for each in pool.ports:
        asked = [", ".join(map(str, pauses.asked[each.port])) or "-"] if pauses else []
        table.add_row(f"port {each.port}", f"{each.cells:,}", f"{each.watermark:,}", f"{each.refused:,}", *asked)
    return table


def pool_remarks(pool: PoolState) -> list[str]:
    """Return what is wrong with the pool."""
    if not pool.faults:
        return []
    names = ", ".join(name.replace("_", " ") for name in pool.broken)
    more = " or more" if pool.faults == MOST_FAULTS else ""
    return [f"the pool stores nothing until a reset: a parity was wrong, {pool.faults}{more} times: {names}"]


def pause_remarks(pauses: PauseState) -> list[str]:
    """Return what is wrong with levels."""
    remarks = []
    if pauses.broken:
        remarks.append("pauses mean nothing until a reset: a parity was wrong")
    if pauses.overruns:
        remarks.append(f"{pauses.overruns:,} cells came beyond headroom: lossless classes want more (plan pfc)")
    return remarks


def composition_table(snapshot: Snapshot) -> Table:
    """Return what the queue is made of."""
    held = snapshot.held
    title = f"port {snapshot.port} at {units.show_time(snapshot.time_ns)}: {held.bytes} B in {held.packets} packets"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("class")
    for heading in ("packets", "bytes", "share of bytes"):
        table.add_column(heading, justify="right")
    total = Count()
    for kind in FrameClass:
        count = snapshot.composition(kind)
        total += count
        if count.packets:
            table.add_row(
                kind.name, f"{count.packets:,}", f"{count.bytes:,}", f"{count.bytes / max(snapshot.held.bytes, 1):.1%}"
            )
    table.add_section()
    table.add_row("all", f"{total.packets:,}", f"{total.bytes:,}", "")
    return table
