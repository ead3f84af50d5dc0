# SPDX-License-Identifier: BSD-3-Clause
"""What was wrong in the runner when runs were made that the page of the papers still has: their lines say so."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from truemark import units
from truemark.errors import TruemarkError


@dataclass(frozen=True)
class Mend:
    """A fault of the runner, the commit that mended it, and whether it concerns runs with these settings."""

    commit: str
    says: str
    concerns: Callable[[dict[str, Any]], bool]


def words(settings: Any) -> Iterator[str]:
    """Yield every text that is a value in a scenario's settings, at any depth."""
    if isinstance(settings, dict | list):
        for value in settings.values() if isinstance(settings, dict) else settings:
            yield from words(value)
    elif isinstance(settings, str):
        yield settings


def draws(settings: dict[str, Any]) -> bool:
    """Return whether RED signals at random here: its min and max are more than a byte apart, or follow from a delay.

    ns-3's own RED draws words of its own.
    """
    queue = settings.get("queue", {})
    if queue.get("implementation") == "ns3-red":
        return False
    places = [queue, queue.get("fabric", {})]
    laws = [law for place in places for name in ("red", "ect", "not_ect") if isinstance(law := place.get(name), dict)]
    return bool({"target_delay", "dcqcn"} & set(queue)) or any(spread(law) for law in laws)


def spread(law: dict[str, Any]) -> bool:
    """Return whether a RED has room between min and max; sizes in packets or times are taken to leave some."""
    try:
        return units.parse_size(str(law["max"])) - units.parse_size(str(law["min"])) > 1
    except TruemarkError:
        return True


MENDS = (
    Mend("a637ef16", "DCTCP's timeouts reduced by alpha", lambda settings: "dctcp" in words(settings)),
    Mend("c055416f", "RED drew alike at every port and with every seed", draws),
    Mend("c055416f", "VCC overlooked a third transmission", lambda settings: "vcc" in words(settings)),
)


@lru_cache
def lacks(commit: str, mend: str, folder: Path) -> bool:
    """Return whether a commit is known not to have a mend, in the repository of a folder."""
    command = ["git", "-C", str(folder), "merge-base", "--is-ancestor", mend, commit.removesuffix("-dirty")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 1


def older(settings: list[dict[str, Any]], commits: Iterable[str], folder: Path) -> list[str]:
    """Return what was wrong in runs of these commits that some of the settings are concerned by."""
    commits = [commit for commit in commits if commit]
    return [
        mend.says
        for mend in MENDS
        if any(map(mend.concerns, settings)) and any(lacks(commit, mend.commit, folder) for commit in commits)
    ]
