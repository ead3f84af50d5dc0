# SPDX-License-Identifier: BSD-3-Clause
"""Figures that follow from measured ones: how long a way takes, and which path sets each clock.

Benches count cycles, and only `make timing` knows what a cycle lasts. `nanoseconds` joins the two by the keys of
build/bench.json, whichever was measured first; `worked_out` does it for pages, by the keys of results/.
The paths are fields of the recorded clocks, which pages show in a table of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # truemark_dev.results takes its pages' figures from here
    from truemark_dev.results import Figure, Scalar, Value

COMMAND = "make bench; make timing"


@dataclass(frozen=True)
class Way:
    """A way through the queue: its cycles, and the build of [timing] whose clock they are taken at."""

    key: str
    title: str
    cycles: str  # in build/bench.json
    build: str
    recorded: tuple[str, str]  # the cycles in results/, key and column
    clock: str  # in results/
    bar: float | None = None  # ns
    peer: str = ""  # the clock in results/ of the peer that the cycles' row names

    @property
    def mhz(self) -> str:
        """Return the key of the clock in build/bench.json."""
        return f"timing.ecp5.{self.build}.mhz"


OUT = "first beat in to first beat out"
FULL = "timing.truemark-5-x-256-bit-full-build"
# A build whose verdicts see the TCP flags is placed with RED and CoDel only, which make it no faster.
WAYS = (
    Way(
        "latency_ns.256.true-mark",
        f"{OUT}, 256 bit, true-mark build",
        "latency_cycles.256.true-mark",
        "truemark.true-mark.5x256",
        ("latency.first-beat-in-to-first-beat-out-true-mark", "256 bit"),
        "timing.truemark-5-x-256-bit-true-mark-build",
        40,
        "timing.netfpga-sume-s-output-queues",
    ),
    Way(
        "latency_ns.256.flags.true-mark",
        f"{OUT}, 256 bit, flags build",
        "latency_cycles.256.flags.true-mark",
        "truemark.full.5x256",
        ("latency.first-beat-in-to-first-beat-out-true-mark-flags-build", "256 bit"),
        FULL,
        56,
    ),
    Way(
        "latency_after_flags_ns.256",
        "beat with the TCP flags in to first beat out, 256 bit",
        "latency_after_flags.256",
        "truemark.full.5x256",
        (
            "latency.beat-with-the-tcp-flags-in-to-first-beat-out-0-to-3-tags-ipv4-options-ipv6-extensions",
            "256 bit",
        ),
        FULL,
        56,
    ),
    *(
        Way(
            f"latency_ns.{width}.full.true-mark",
            f"{OUT}, {width} bit, full build",
            f"latency_cycles.{width}.full.true-mark",
            f"truemark.full.1x{width}",
            ("latency.first-beat-in-to-first-beat-out-full-true-mark", f"{width} bit"),
            f"timing.truemark-1-x-{width}-bit-full-build",
        )
        for width in (512, 1024)
    ),
)


def nanoseconds(figures: Mapping[str, float]) -> dict[str, float]:
    """Return how long each way takes whose cycles and clock are both in build/bench.json."""
    known = [way for way in WAYS if way.cycles in figures and way.mhz in figures]
    return {way.key: _ns(figures[way.cycles], figures[way.mhz]) for way in known}


def worked_out(figures: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return what follows from recorded figures, for pages; commit and date are those of the clock."""
    return {each.key: each for each in (*_times(figures), *_paths(figures))}


def _times(figures: Mapping[str, Figure]) -> Iterator[Figure]:
    for way in WAYS:
        name, column = way.recorded
        if name not in figures or way.clock not in figures:
            continue
        clock, cycles = figures[way.clock], _number(figures[name].value, column)
        mhz, peer = _number(clock.value), figures.get(way.peer)
        value: dict[str, Scalar] = {"cycles": int(cycles), "clock of": f"`{way.build}`", "MHz": mhz}
        yield replace(
            clock,
            key=f"nanoseconds.{way.key}",
            title=way.title,
            value=value | {"ns": _ns(cycles, mhz)},
            unit="",
            bar=None if way.bar is None else {"ns": way.bar},
            better="" if way.bar is None else "less",
            peer=None if peer is None else {"ns": _ns(_number(figures[name].peer, column), _number(peer.value))},
            command=COMMAND,
            machine="",
            seeds="",
        )


def _paths(figures: Mapping[str, Figure]) -> Iterator[Figure]:
    for key, clock in figures.items():
        if key.startswith("timing."):
            path = f"`{clock.path}`" if clock.path else "-"
            value: dict[str, Scalar] = {"MHz": _number(clock.value), "longest path": path}
            key = key.replace("timing.", "longest_paths.", 1)
            yield replace(clock, key=key, value=value, unit="", bar=None, better="", peer=None, seeds="", machine="")


def _ns(cycles: float, mhz: float) -> float:
    return round(1000 * cycles / mhz, 2)


def _number(value: Value | None, column: str = "") -> float:
    """Return a figure as a number; of a peer's, which names the peer as well, what it begins with."""
    one = value[column] if isinstance(value, Mapping) else value
    if isinstance(one, str):
        return float(one.split()[0])
    assert isinstance(one, int | float), one
    return float(one)
