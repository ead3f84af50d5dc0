# SPDX-License-Identifier: BSD-3-Clause
"""A time that a run of many steps keeps to: what would not end in time is left out, and named."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Budget:
    """The seconds a run may take; `before` has those of each step in an earlier run, as far as they are known."""

    seconds: float
    before: Mapping[str, float] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    took: dict[str, float] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = self.clock()

    @property
    def left(self) -> float:
        """Return the seconds that remain."""
        return self.start + self.seconds - self.clock()

    def expected(self, step: str) -> float:
        """Return what a step takes: as before, longer if today's have been; one that is new, as the longest so far."""
        if step not in self.before:
            return max(self.took.values(), default=0.0)
        known = [each for each in self.took if each in self.before]
        then = sum(self.before[each] for each in known)
        slower = max(1.0, sum(self.took[each] for each in known) / then) if then else 1.0
        return self.before[step] * slower

    def run(self, step: str, work: Callable[[], T]) -> T | None:
        """Do a step and return what it found; skip it if it would not end in time."""
        if self.expected(step) > self.left:
            self.skipped.append(step)
            return None
        begun = self.clock()
        found = work()
        self.took[step] = self.clock() - begun
        return found
