# SPDX-License-Identifier: BSD-3-Clause
"""A device's counters as Prometheus metrics: one freeze of all ports a scrape, names after its conventions.

Our own metrics come with those of node_exporter's qdisc collector, so that a dashboard for Linux queues shows these.
The histogram of waiting times has no sum: the device does not count one.

Source: https://prometheus.io/docs/practices/naming, and node_exporter's collector/qdisc_linux.go for the names.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, start_http_server, write_to_textfile
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from truemark.device.device import Count, Snapshot, bin_edges
from truemark.device.flow_control import PauseState
from truemark.device.look import Reading
from truemark.device.outcomes import DEPARTED, LOST, SIGNALLED, FrameClass, Outcome, counted
from truemark.device.pool import PoolState
from truemark.errors import TruemarkError
from truemark.laws.pause import CLASSES
from truemark.laws.policies import PortSettings
from truemark.laws.slopes import BYTES, UNITS

QUEUE = "0"  # the label of a port's only queue


class Queues(Collector):
    """The metrics of one device; `read` looks at it."""

    def __init__(self, read: Callable[[], Reading], tell: Callable[[str], None]) -> None:
        self._read, self._tell = read, tell
        self._turn = threading.Lock()  # scrapes wait for one another: they would refuse each other the device's lock
        self.failed: TruemarkError | None = None  # why the device could not be read when it was asked last

    def describe(self) -> Iterable[Metric]:
        """Return nothing: a registry must not read the device to learn the names."""
        return []

    def reading(self) -> Reading | None:
        """Read the device; what is wrong is told once, until it changes."""
        with self._turn:
            found, failed = None, None
            try:
                found = self._read()
            except TruemarkError as error:
                failed = error
            if str(failed or "") != str(self.failed or ""):
                self._tell(str(failed or "the device answers again"))
            self.failed = failed
            return found

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of one look. If the device cannot be read there is only `truemark_up 0`."""
        found = self.reading()
        yield GaugeMetricFamily("truemark_up", "Whether the device could be read.", value=float(found is not None))
        if found is None:
            return
        about = InfoMetricFamily("truemark_build", "What the device is.")
        able = {name: str(int(there)) for name, there in found.identity.capabilities.items()}
        what = {
            "version": found.identity.version,
            "storage_bytes": str(found.identity.storage),
            "simulated": "unknown" if found.simulated is None else str(int(found.simulated)),
        }
        about.add_metric([], what | able)
        yield about
        yield from frames(found.ports, counted(found.identity.capabilities.__getitem__))
        yield from held(found.ports)
        yield from averages(found)
        yield from in_force(found)
        yield sojourn(found.ports)
        yield wrong(found.ports)
        if found.pool:
            yield from pooled(found.pool)
        if found.pauses:
            yield from asked(found.pauses)
        yield from as_qdisc(found.ports)


def frames(ports: list[Snapshot], outcomes: tuple[Outcome, ...]) -> Iterator[Metric]:
    """Yield packets and bytes by class, ECE flag and what became of them.

    All are there from the first scrape on: of a series that begins with its first drop, rate() does not see that drop.
    """
    labels = ["port", "queue", "class", "ece", "outcome"]
    packets = CounterMetricFamily("truemark_queue_packets", "Frames by class and outcome.", labels=labels)
    size = CounterMetricFamily("truemark_queue_bytes", "Bytes of these frames, without FCS.", labels=labels)
    for port in ports:
        for outcome, kind, ece in itertools.product(outcomes, FrameClass, (0, 1)):
            if ece and kind in (FrameClass.NON_IP, FrameClass.OTHER_IP):
                continue
            count = port.counters.get((outcome, kind, ece), Count(0, 0))
            values = [str(port.port), QUEUE, kind.name.lower(), str(ece), outcome.name.lower()]
            packets.add_metric(values, count.packets)
            size.add_metric(values, count.bytes)
    yield packets
    yield size


def held(ports: list[Snapshot]) -> Iterator[Metric]:
    """Yield what the queues hold, and the most they ever did."""
    gauges: tuple[tuple[str, str, Callable[[Snapshot], float]], ...] = (
        ("occupancy_bytes", "Bytes that the queue holds.", lambda port: port.held.bytes),
        ("occupancy_packets", "Frames that the queue holds.", lambda port: port.held.packets),
        ("watermark_bytes", "The most bytes that the queue ever held.", lambda port: port.watermark.bytes),
        ("watermark_packets", "The most frames that the queue ever held.", lambda port: port.watermark.packets),
        ("watermark_sojourn_seconds", "The longest that a frame waited.", lambda port: port.watermark_sojourn_ns / 1e9),
    )
    for name, text, value in gauges:
        family = GaugeMetricFamily(f"truemark_queue_{name}", text, labels=["port", "queue"])
        for port in ports:
            family.add_metric([str(port.port), QUEUE], value(port))
        yield family


def averages(found: Reading) -> Iterator[Metric]:
    """Yield RED's averages, each in what its law counts."""
    labels = ["port", "queue", "slot"]
    families = {
        name: GaugeMetricFamily(f"truemark_queue_red_average_{name}", f"RED's average, of {name}.", labels=labels)
        for name in UNITS
    }
    for port, settings in zip(found.ports, found.settings, strict=True):
        for slot, (value, law) in enumerate(zip(port.average, settings.reds, strict=True)):
            unit = law.unit if law is not None else BYTES
            families[unit.name].add_metric([str(port.port), QUEUE, str(slot)], unit.number(value))
    yield from families.values()


def in_force(found: Reading) -> Iterator[Metric]:
    """Yield the lines to draw the occupancy against: what a queue may hold, where marking begins, the rate held to."""
    gauges: tuple[tuple[str, str, Callable[[PortSettings], float | None]], ...] = (
        ("limit_bytes", "What it may hold.", lambda port: port.limit_bytes or found.identity.storage),
        ("marking_onset_bytes", "Occupancy from which on it marks: K, or RED's min.", lambda port: port.onset or None),
        ("rate_bytes_per_second", "The rate it is held to.", lambda port: port.shape.rate / 8 if port.shape else None),
    )
    for name, text, value in gauges:
        family = GaugeMetricFamily(f"truemark_queue_{name}", text, labels=["port", "queue"])
        for port, settings in enumerate(found.settings):
            if (there := value(settings)) is not None:
                family.add_metric([str(port), QUEUE], there)
        yield family
    line = GaugeMetricFamily("truemark_line_rate_bytes_per_second", "The rate a line is held to.", labels=["port"])
    for port, settings in enumerate(found.settings):
        if settings.line_shape:
            line.add_metric([str(port)], settings.line_shape.rate / 8)
    yield line


def sojourn(ports: list[Snapshot]) -> Metric:
    """Return the device's histogram: bin 0 is under 2^8 ns, bin i from 2^(7+i) to under 2^(8+i) ns, the last open."""
    family = HistogramMetricFamily(
        "truemark_queue_sojourn_seconds", "How long frames waited that left.", labels=["port", "queue"]
    )
    for port in ports:
        below, buckets = 0, []
        for index, count in enumerate(port.histogram):
            below += count
            # A bucket's bound is inclusive, times are whole nanoseconds: the bin below 2^8 ends at 255 ns.
            _, end_ns = bin_edges(index)
            buckets.append(("+Inf" if end_ns is None else f"{(end_ns - 1) / 1e9:.9g}", below))
        family.add_metric([str(port.port), QUEUE], buckets, sum_value=None)
    return family


def wrong(ports: list[Snapshot]) -> Metric:
    """Return the frames that came in wrong; the device counts them before it knows a port."""
    family = CounterMetricFamily("truemark_bad_frames", "Frames that came in wrong.", labels=["reason"])
    for reason, count in sorted(ports[0].bad.items()) if ports else []:
        family.add_metric([reason], count)
    return family


def pooled(pool: PoolState) -> Iterator[Metric]:
    """Yield where the cells of the memory of all ports are, and what each port has of them and was refused."""
    cells = GaugeMetricFamily("truemark_pool_cells", "Cells of the shared memory.", labels=["state"])
    for state, many in (("free", pool.free), ("held", pool.held), ("walking", pool.walking)):
        cells.add_metric([state], many)
    most = GaugeMetricFamily("truemark_pool_watermark_cells", "The most cells that were not free.", pool.watermark)
    faults = CounterMetricFamily("truemark_pool_faults", "Wrong parities: with one nothing is stored.", pool.faults)
    have = GaugeMetricFamily("truemark_pool_port_cells", "Cells that the port has.", labels=["port"])
    refused = CounterMetricFamily("truemark_pool_refused", "Frames that its threshold refused.", labels=["port"])
    for port in pool.ports:
        have.add_metric([str(port.port)], port.cells)
        refused.add_metric([str(port.port)], port.refused)
    yield from (cells, most, faults, have, refused)


def asked(pauses: PauseState) -> Iterator[Metric]:
    """Yield which classes link partners must pause, and what came beyond headroom."""
    xoff = GaugeMetricFamily("truemark_pfc_xoff", "The link partner must pause the class.", labels=["port", "class"])
    for port, classes in enumerate(pauses.asked):
        for each in range(CLASSES):
            xoff.add_metric([str(port), str(each)], each in classes)
    yield xoff
    yield CounterMetricFamily("truemark_pfc_overrun_cells", "Cells that came beyond headroom.", pauses.overruns)


def as_qdisc(ports: list[Snapshot]) -> Iterator[Metric]:
    """Yield the same in the words of node_exporter's qdisc collector: device tm0 is port 0."""
    labels = ["device", "kind"]
    counters: tuple[tuple[str, str, Callable[[Snapshot], float]], ...] = (
        ("bytes", "Number of bytes sent.", lambda port: sent(port).bytes),
        ("packets", "Number of packets sent.", lambda port: sent(port).packets),
        ("drops", "Number of packets dropped.", lambda port: port.total(*LOST).packets),
        ("requeues", "Number of packets dequeued, not transmitted, and requeued.", lambda _: 0),
        ("overlimits", "Number of packets that met a signal.", lambda port: port.total(*SIGNALLED).packets),
    )
    for name, text, value in counters:
        yield added(CounterMetricFamily(f"node_qdisc_{name}", text, labels=labels), ports, value)
    for name, text, value in (
        ("current_queue_length", "Number of packets currently in queue to be sent.", lambda port: port.held.packets),
        ("backlog", "Number of bytes currently in queue to be sent.", lambda port: port.held.bytes),
    ):
        yield added(GaugeMetricFamily(f"node_qdisc_{name}", text, labels=labels), ports, value)


def added(
    family: CounterMetricFamily | GaugeMetricFamily, ports: list[Snapshot], value: Callable[[Snapshot], float]
) -> Metric:
    """Return the family with a sample for each port."""
    for port in ports:
        family.add_metric([f"tm{port.port}", "truemark"], value(port))
    return family


def sent(port: Snapshot) -> Count:
    """Return what left a port."""
    return port.total(*DEPARTED)


def registry(collector: Queues) -> CollectorRegistry:
    """Return a registry with nothing else in it."""
    found = CollectorRegistry(auto_describe=False)
    found.register(collector)
    return found


def text(collector: Queues) -> str:
    """Return the metrics in Prometheus' text format."""
    return generate_latest(registry(collector)).decode()


def write(collector: Queues, path: Path) -> None:
    """Put the metrics where node_exporter's textfile collector looks; the file is complete whenever it is there."""
    try:
        write_to_textfile(str(path), registry(collector))
    except OSError as error:
        raise TruemarkError(f"{path}: cannot be written: {error.strerror}") from None


def listen(collector: Queues, host: str, port: int) -> WSGIServer:
    """Serve the metrics over HTTP until the server is shut down."""
    try:
        server, _ = start_http_server(port, host, registry(collector))
    except OSError as error:
        raise TruemarkError(f"{host}:{port}: cannot listen: {error.strerror}") from None
    except UnicodeError:
        raise TruemarkError(f"{host}:{port}: cannot listen: no host has such a name") from None
    return server
