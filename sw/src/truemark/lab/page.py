# SPDX-License-Identifier: BSD-3-Clause
"""The page of the papers: what stands in an item's row, which items are in doubt, and what cannot be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import Any

ORDER = ("not", "tolerance", "not run", "control", "not discriminating", "partly", "reproduced", "one seed")
DOUBTS = {
    "before_a_mend": "of these, only older runs",
    "not_in_another_set_up": "of these, another set-up disagrees",
    "against_the_denominator_alone": "of these, only a control that is 1 by definition",
    "with_a_claim_moved": "of these, judged or shown only since its runs",
}
"""What the page calls each doubt about reproduced items."""
Row = dict[str, Any]
"""An item as papers.jsonl has it."""


def counted(row: Row) -> list[Row]:
    """Return an item's lines that count: not those that only show a cause."""
    return [line for line in row["lines"] if not line.get("cause")]


def judged(row: Row) -> list[Row]:
    """Return an item's lines that count and are of runs."""
    return [line for line in counted(row) if "sweep" in line]


def badness(line: Row) -> int:
    """Return the place of a line's verdict, the worst first; one that has more words is found by its first."""
    found = [place for place, word in enumerate(ORDER) if line["verdict"].startswith(word)]
    return max(found, key=lambda place: len(ORDER[place]))


def deciding(row: Row) -> Row | None:
    """Return the line that decides an item: the worst of those of runs, else of its set-up; of equals the last sweep's.

    Sweeps come by name, and the last of a family is the nearest to its paper: hadoop-whole behind hadoop-headline.
    """
    lines = judged(row) or counted(row)
    worst = [line for line in lines if badness(line) == min(map(badness, lines))]
    return next((line for line in worst if line.get("sweep") == worst[-1].get("sweep")), None)


def ours(row: Row) -> str:
    """Return what is found of an item: the deciding line's median, interval and seeds, and how many lines hold.

    One seed does not count.
    """
    line, lines = deciding(row), [each for each in counted(row) if each["verdict"] != "one seed"]
    if line is None:
        return "-"
    holding = sum(each["verdict"] == "reproduced" for each in lines)
    share = f"{holding} of {len(lines)}" if len(lines) > 1 else ""
    if "cells" not in line:
        return f"set-up: {share or ('as said' if holding else 'another')}"
    what, asked, median = line["cells"][:3]
    said = f"{median.replace(', 1 seeds', ', 1 seed')}<br>{what}; asked: {asked}"
    return f"{said}; lines that hold: {share}" if share else said


def short(row: Row, items: Container[str]) -> str:
    """Return the first clause of why an item differs, with links to items; of its deciding line if it has none."""
    line = deciding(row)
    clause = re.split(r"; |\. (?=[A-Z])", row["why"] or (line or {}).get("why", ""))[0]

    def link(found: re.Match[str]) -> str:
        return f"[{found[0]}](#i{found[1]}-{found[2]})" if found[0] in items else found[0]

    return re.sub(r"\b(\d)#(\d+)\b", link, clause)


def against_the_denominator(line: Row) -> bool:
    """Return whether no control of a line was run but what its figure is divided by, which is 1 by definition."""
    known = {name for name, value in line["controls"].items() if value is not None}
    return known == {line["against"]}


def doubted(papers: list[Row]) -> dict[str, list[str]]:
    """Return the reproduced items that there is a doubt about, by the doubt."""
    found = [row for paper in papers for row in paper["items"] if row["verdict"] == "reproduced"]
    doubts: dict[str, Callable[[Row], bool]] = {
        "before_a_mend": lambda row: bool(judged(row)) and all(line["older"] for line in judged(row)),
        "not_in_another_set_up": lambda row: any(
            line.get("cause") and line["verdict"] in ("partly", "not") for line in row["lines"]
        ),
        "against_the_denominator_alone": lambda row: any(map(against_the_denominator, judged(row))),
        "with_a_claim_moved": lambda row: any(line.get("moved") for line in row["lines"]),
    }
    return {name: [row["item"] for row in found if holds(row)] for name, holds in doubts.items()}
