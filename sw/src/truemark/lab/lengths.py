# SPDX-License-Identifier: BSD-3-Clause
"""How long runs of a point took before, and the order of a sweep's runs in which no long one is left for the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import mean

from truemark.errors import TruemarkError
from truemark.lab import runner
from truemark.lab.scenario import Scenario


def setting(scenario: Scenario) -> str:
    """Return what a run is, without its seed and its names."""
    plain = scenario.unnamed().model_copy(update={"seed": 0})
    return json.dumps(plain.model_dump(), sort_keys=True)


def measured(folders: Iterable[Path]) -> dict[str, float]:
    """Return the mean CPU seconds of runs by setting, whatever seeds they had and whichever runner made them.

    CPU, for it changes less than wall time with what else the machine does; a run has one thread.
    """
    found: dict[str, list[float]] = {}
    for folder in folders:
        with suppress(TruemarkError, KeyError, TypeError, ValueError):  # a run that cannot be read says nothing
            run = runner.load(folder)
            found.setdefault(setting(run.scenario), []).append(float(run.result["result"]["cpu_s"]))
    return {name: mean(seconds) for name, seconds in found.items()}


def order(scenarios: Sequence[Scenario], known: dict[str, float], workers: int) -> list[int]:
    """Return the places of runs in the order in which they begin.

    Seed by seed and the longest of a seed first, as long as that costs nothing: an interrupted sweep leaves the whole
    table of fewer seeds. Once the longest run of all takes longer than the others would keep the workers busy, it
    begins next, for the sweep would end in it.
    """
    # What never ran may be the longest, so it counts as that. Its bytes and hops say little: in the shipped sweeps most
    # points differ in the queue only, and where the bytes do differ their order is hardly that of the CPU seconds.
    settings = [setting(scenario) for scenario in scenarios]
    longest = max((known[each] for each in settings if each in known), default=1.0)
    seconds = [known.get(each, longest) for each in settings]
    seeds = {seed: number for number, seed in enumerate(dict.fromkeys(each.seed for each in scenarios))}
    by_length = sorted(range(len(scenarios)), key=lambda place: -seconds[place])
    waiting = dict.fromkeys(sorted(by_length, key=lambda place: seeds[scenarios[place].seed]))
    begun: list[int] = []
    work = sum(seconds)
    while waiting:
        chosen = next(iter(waiting))
        critical = next(place for place in by_length if place in waiting)
        if seconds[critical] * workers > work:
            chosen = critical
        del waiting[chosen]
        work -= seconds[chosen]
        begun.append(chosen)
    return begun
