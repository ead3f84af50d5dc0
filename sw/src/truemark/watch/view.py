# SPDX-License-Identifier: BSD-3-Clause
"""The terminal view: a line a port with its queue against K and the limit, and the classes of the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.coordinate import Coordinate
from textual.widgets import DataTable, Footer, RichLog, Static
from textual.worker import get_current_worker

from truemark import units
from truemark.device.look import Reading
from truemark.errors import TruemarkError
from truemark.watch.sample import PortSample, Sample, between, pause

BAR = 10  # characters of a queue's bar: with it a line has 80
COLUMNS = ("port ", "policy ", "queue ", "held ", "in/s ", "mark/s ", "drop/s ", "sent ", "wait p99")


class Watch(App[None]):
    """Reads a device once an interval and shows what changed."""

    CSS = """
    #ports { height: auto; max-height: 60%; }
    #classes { height: auto; }
    #log { height: 1fr; border-top: solid $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("f", "freeze", "freeze"),
        ("l", "log", "log"),
        ("q", "quit", "quit"),
    ]

    def __init__(self, address: str, read: Callable[[], Reading], interval: float) -> None:
        super().__init__()
        self.address, self.read, self.interval = address, read, interval
        self.frozen = False
        self.shown = Sample([], None)

    def compose(self) -> ComposeResult:
        """Return the table of ports, the classes of one, the log."""
        yield Static(id="state")
        yield DataTable(id="ports", cursor_type="row", cell_padding=0)
        yield Static(id="classes")
        yield RichLog(id="log", max_lines=1000)
        yield Footer()

    def on_mount(self) -> None:
        """Begin to read."""
        self.title = f"truemark {self.address}"
        self.query_one(DataTable).add_columns(*COLUMNS)
        self.query_one(RichLog).display = False
        self.say("reading")
        self.follow()

    @work(thread=True)
    def follow(self) -> None:
        """Read the device for as long as the view is open; one that does not answer is asked again."""
        worker, before = get_current_worker(), None
        while not worker.is_cancelled:
            try:
                after = self.read()
                if before is not None:
                    self.call_from_thread(self.update_ports, between(before, after))
                before = after
            except TruemarkError as error:
                self.call_from_thread(self.say, f"{error}; asking again")
                before = None
            worker.cancelled_event.wait(pause(self.interval))

    def say(self, text: str) -> None:
        """Put a sentence on the first line and into the log."""
        self.query_one("#state", Static).update(Text(f"{self.address}: {text}", style="bold"))
        self.query_one(RichLog).write(f"{datetime.now():%H:%M:%S} {text}")

    def update_ports(self, found: Sample) -> None:
        """Show a new sample, unless the view is frozen."""
        if self.frozen:
            return
        self.shown = found
        table = self.query_one(DataTable)
        rows = [row(each) for each in found.ports]
        if table.row_count != len(rows):
            table.clear()
            for cells in rows:
                table.add_row(*cells)
        for number, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                table.update_cell_at(Coordinate(number, column), cell, update_width=True)
        self.say(str(found))
        self.show_classes()

    def on_data_table_row_highlighted(self) -> None:
        """Show the classes of the port that was chosen."""
        self.show_classes()

    def show_classes(self) -> None:
        """Show the classes of the chosen port."""
        chosen = self.query_one(DataTable).cursor_row
        if not 0 <= chosen < len(self.shown.ports):
            return
        port = self.shown.ports[chosen]
        lines = [f"port {port.port}: {'class':<10}{'in /s':>12}{'marked /s':>12}{'dropped /s':>12}"]
        for name, rates in port.classes.items():
            lines.append(f"{'':8}{name:<10}{rates.arrived:>12,.0f}{rates.marked:>12,.0f}{rates.dropped:>12,.0f}")
        if port.pool_bytes is not None:
            lines.append(f"{'':8}{units.show_size(port.pool_bytes)} of the pool")
        self.query_one("#classes", Static).update("\n".join(lines))

    def action_freeze(self) -> None:
        """Keep what is shown, or go on."""
        self.frozen = not self.frozen
        self.say("frozen; f goes on" if self.frozen else "goes on")

    def action_log(self) -> None:
        """Show the log, or hide it."""
        log = self.query_one(RichLog)
        log.display = not log.display


def row(port: PortSample) -> list[Text]:
    """Return the cells of a port, each with a space behind it."""
    return [
        Text(f"{port.port:>4} "),
        Text(f"{port.policy} "),
        bar(port),
        Text(f"{units.show_size(port.held_bytes)} ", justify="right"),
        Text(f"{port.all.arrived:,.0f} ", justify="right"),
        Text(f"{port.all.marked:,.0f} ", justify="right"),
        Text(f"{port.all.dropped:,.0f} ", style="bold red" if port.all.dropped else "", justify="right"),
        Text(f"{units.show_rate(port.sent_bit_s)} ", justify="right"),
        Text(f"{port.wait_p99 or '-'} ", justify="right"),
    ]


def bar(port: PortSample) -> Text:
    """Return what is held of the limit, K as a line, the most ever held as a shadow; above K in another colour."""
    scale = BAR / max(port.limit_bytes, 1)
    held, most = (round(min(size * scale, BAR)) for size in (port.held_bytes, port.watermark_bytes))
    text = Text()
    threshold = None if port.k_bytes is None else min(int(port.k_bytes * scale), BAR - 1)
    for place in range(BAR):
        above = threshold is not None and place >= threshold
        if place < held:
            text.append("█", style="yellow" if above else "blue")
        elif place == threshold:
            text.append("│", style="green")
        else:
            text.append("░" if place < most else "·", style="dim")
    return text.append(" ")
