# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what a device says of itself: identity, configuration, counters, the queue's composition."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import units
from truemark.device import HISTOGRAM_BINS, Count, Identity, Snapshot
from truemark.policies import PortSettings
from truemark.words import ARRIVED, OUTCOME_TEXT, FrameClass, Law, Outcome


def identity_table(identity: Identity, engine: str) -> Table:
    """What the build is."""
    table = Table(title="device", title_justify="left", show_header=False, box=SIMPLE_HEAD)
    has = [name.replace("_", " ") for name, there in identity.capabilities.items() if there]
    lacks = [name.replace("_", " ") for name, there in identity.capabilities.items() if not there]
    for name, value in (
        ("engine", engine),
        ("register map", identity.version),
        ("ports", str(identity.ports)),
        ("stream", f"{identity.beat_bytes * 8} bit"),
        ("storage", f"{identity.storage} B per port ({identity.rows} rows, {identity.descriptors} frames)"),
        ("longest frame", f"{identity.max_frame} B"),
        ("has", ", ".join(has)),
        ("has not", ", ".join(lacks)),
    ):
        table.add_row(name, value)
    return table


def settings_table(ports: list[PortSettings]) -> Table:
    """The configuration of every port; ports alike share a row."""
    table = Table(title="ports", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("port", "policy", "K", "byte limit", "packet limit", "enabled"):
        table.add_column(heading)
    groups: dict[PortSettings, list[int]] = {}
    for number, settings in enumerate(ports):
        groups.setdefault(settings, []).append(number)
    for settings, numbers in groups.items():
        steps = [f"{settings.k[slot]} B" for slot, law in enumerate(settings.laws) if law is Law.STEP]
        table.add_row(
            ", ".join(map(str, numbers)),
            settings.policy,
            ", ".join(steps) or "-",
            "off" if settings.limit_bytes is None else f"{settings.limit_bytes} B",
            "off" if settings.limit_packets is None else str(settings.limit_packets),
            "yes" if settings.enable else "no",
        )
    return table


def counters_table(snapshot: Snapshot) -> Table:
    """Packets by class and ECE flag; a column for each outcome that occurred."""
    seen = [code for code in ARRIVED if snapshot.total(code).packets]
    table = Table(title=f"port {snapshot.port}, packets", title_justify="left", box=SIMPLE_HEAD, padding=0)
    table.add_column("class")
    table.add_column("ECE")
    for heading in ("arrived", *[OUTCOME_TEXT[code] for code in seen], "departed", "departed bytes"):
        table.add_column(heading, justify="right")

    def numbers(kind: FrameClass | None, ece: int | None) -> list[str]:
        counts = [
            snapshot.total(*ARRIVED, kind=kind, ece=ece),
            *[snapshot.total(code, kind=kind, ece=ece) for code in seen],
        ]
        left = snapshot.total(Outcome.DEPARTED, kind=kind, ece=ece)
        return [*[f"{count.packets:,}" for count in counts], f"{left.packets:,}", f"{left.bytes:,}"]

    for kind in FrameClass:
        for ece in (0, 1):
            if snapshot.total(*ARRIVED, kind=kind, ece=ece).packets:
                table.add_row(kind.name, str(ece), *numbers(kind, ece))
    table.add_section()
    table.add_row("all", "", *numbers(None, None))
    return table


def histogram_table(snapshot: Snapshot) -> Table:
    """Sojourn times in powers of two."""
    table = Table(title="sojourn times", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("from")
    table.add_column("below")
    table.add_column("frames", justify="right")
    table.add_column("")
    most = max(snapshot.histogram, default=0)
    for index, count in enumerate(snapshot.histogram):
        if count:
            low = units.show_time(2 ** (7 + index)) if index else "0 ns"
            high = units.show_time(2 ** (8 + index)) if index < HISTOGRAM_BINS - 1 else "-"
            table.add_row(low, high, f"{count:,}", "█" * max(1, round(40 * count / most)))
    return table


def counter_remarks(snapshot: Snapshot) -> list[str]:
    """Watermarks and bad frames."""
    lines = [
        f"most ever held: {snapshot.watermark.bytes} B, {snapshot.watermark.packets} packets; "
        f"longest sojourn {units.show_time(snapshot.watermark_sojourn_ns)}"
    ]
    wrong = [f"{count} {name.replace('_', ' ')}" for name, count in snapshot.bad.items() if count]
    return [*lines, f"wrong frames: {', '.join(wrong) or 'none'}"]


def composition_table(snapshot: Snapshot) -> Table:
    """What the queue is made of."""
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
