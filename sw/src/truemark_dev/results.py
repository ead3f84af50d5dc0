# SPDX-License-Identifier: BSD-3-Clause
"""Measured figures as data: what measures records them in results/, and pages take them by key (`make results`).

`record` writes a figure to results/<name>.json, where the newest of each key stands, and appends it to
results/history.jsonl. A page takes figures in two ways:

    [3,586](results.md#area "area.lut:true-mark")       a link to results.md, whose title is a key, shows that figure
    <!-- table: area --> ... <!-- end -->               all figures whose keys begin with `area.`

A key may be followed by `:column`, for a figure that has several, by `/bar`, `/peer`, `/date` or another field, and by
`*0.256`: that many times the figure, as a clock in MHz is a line rate in Gb/s.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from truemark.files import locked, whole_file
from truemark.pages import commit
from truemark_dev import listed
from truemark_dev.derived import worked_out
from truemark_dev.lint import sources
from truemark_dev.paths import BUILD, ROOT

FOLDER = ROOT / "results"
HISTORY = FOLDER / "history.jsonl"
LOCK = BUILD / "results.lock"
PAGE = ROOT / "docs/results.md"

Scalar = int | float | str | list[float]
"""A number, words, or a middle value with the least and the most."""
Value = Scalar | Mapping[str, Scalar]
"""The same by column."""

LINK = re.compile(r'\[[^\]]*\]\(((?:[\w./]*/)?results\.md)[^)\s]* "([^"]+)"\)')
TABLE = re.compile(r"(<!-- table: ([\w.-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

SHOWN = 3  # of a trend, with where it began
# What figures name that is in no clone: it was replaced before anybody else had it.
LOST_COMMITS = {"59e93b4"}

BETTER = {"less": "≤ ", "more": "≥ "}


@dataclass(frozen=True)
class Figure:
    """What a command measured; the key says which figure of which table this is."""

    key: str
    title: str
    value: Value
    unit: str = ""
    bar: Value | None = None
    better: str = ""  # "less" or "more", where there is a bar
    peer: Value | None = None
    command: str = ""
    commit: str = ""
    date: str = ""
    machine: str = ""
    seeds: str = ""
    path: str = ""  # of a clock: where its longest path begins and ends

    def line(self) -> str:
        """Return it as JSON in one line, without what is not known."""
        known = {name: each for name, each in asdict(self).items() if each not in (None, "")}
        return json.dumps(known, ensure_ascii=False)


def read(path: Path) -> list[Figure]:
    """Return the figures of a file, a JSON array or lines."""
    text = path.read_text()
    each = json.loads(text) if path.suffix == ".json" else map(json.loads, text.splitlines())
    return [Figure(**fields) for fields in each]


def current() -> dict[str, Figure]:
    """Return the newest of every figure."""
    return {each.key: each for path in sorted(FOLDER.glob("*.json")) for each in read(path)}


def record(name: str, figures: Iterable[Figure], *, folder: Path = FOLDER) -> None:
    """Put figures in place of those of the same key in a file of results/, and append them to the history."""
    new = list(figures)
    path, history = folder / f"{name}.json", folder / HISTORY.name
    with locked(LOCK):  # a soak and a simulation may end at once
        kept = {each.key: each for each in (read(path) if path.exists() else [])} | {each.key: each for each in new}
        with whole_file(path) as file:
            file.write("[\n" + ",\n".join(each.line() for each in kept.values()) + "\n]\n")
        with history.open("a") as file:
            file.writelines(each.line() + "\n" for each in new)


def taken(command: str, seeds: str = "") -> dict[str, str]:
    """Return where a figure that is measured now comes from."""
    machine = f"{platform.machine()}, {platform.system()} {platform.release()}"
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    return {
        "command": command,
        "commit": commit(ROOT, but=[FOLDER]),
        "date": today,
        "machine": machine,
        "seeds": seeds,
    }


def slug(words: str) -> str:
    """Return words as part of a key."""
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def _number(value: float, places: int) -> str:
    return f"{value:,.{places}f}" if isinstance(value, float) else f"{value:,}"


def shown(value: Scalar, places: int = 0) -> str:
    """Return a figure as pages show it, with so many decimal places."""
    if isinstance(value, list):
        middle, least, most = (_number(each, places) for each in value)
        return f"{middle} ({least}–{most})"
    return value if isinstance(value, str) else _number(value, places)


def _places(value: Value | None) -> int:
    """Return how many decimal places a figure, or the row that it is in, needs at most."""
    if isinstance(value, Mapping):
        return max(map(_places, value.values()), default=0)
    if isinstance(value, list):
        return max(map(_places, value))
    return len(repr(value).partition(".")[2].rstrip("0")) if isinstance(value, float) else 0


def figure(key: str, figures: Mapping[str, Figure]) -> str:
    """Return what a page shows for a key; raise KeyError if there is no such figure, or it lacks the field."""
    key, _, factor = key.partition("*")
    path, _, field = key.partition("/")
    name, _, column = path.partition(":")
    value: Any = getattr(figures[name], field or "value")
    if value is None:
        raise KeyError(f"{key}: {name} was recorded without {field}; take the {field}'s own key, or record it again")
    places = _places(value)
    if column:
        value = value[column]
    elif isinstance(value, Mapping):
        every = [shown(each, places) for each in value.values()]
        return every[0] if len(set(every)) == 1 else " / ".join(every)
    if not field and isinstance(value, list):  # prose takes the middle one
        value = value[0]
    return f"{float(value) * float(factor):.1f}" if factor else shown(value, places)


def _by_column(value: Value) -> Mapping[str, Scalar]:
    """Return a figure by column; one that has a single value stands in a column without a name."""
    return value if isinstance(value, Mapping) else {"": value}


def _trends(past: Iterable[Figure]) -> dict[str, list[str]]:
    """Return by key what a figure was first and of late, by its first column of old; nothing if it never changed."""
    columns: dict[str, str] = {}
    points: dict[str, list[str]] = {}
    for each in past:
        values = _by_column(each.value)
        column = columns.setdefault(each.key, next(iter(values)))
        if column in values:
            value = values[column]
            point, known = f"{shown(value, _places(value))} {column}".strip(), points.setdefault(each.key, [])
            if known[-1:] != [point]:
                known.append(point)
    changed = {key: each for key, each in points.items() if len(each) > 1}
    return {key: each if len(each) <= SHOWN + 2 else [each[0], "…", *each[-SHOWN:]] for key, each in changed.items()}


def _order(column: str) -> tuple[bool, int]:
    """Put a figure that is of no column first, and widths in their order."""
    width = re.fullmatch(r"(\d+) bit", column)
    return bool(column), int(width[1]) if width else 0


def table(prefix: str, figures: Mapping[str, Figure], past: Iterable[Figure]) -> str:
    """Return all figures below a prefix as Markdown; what is the same for all of them stands in a line below."""
    rows = [each for key, each in figures.items() if key.startswith(prefix + ".")]
    values = [_by_column(row.value) for row in rows]
    columns = sorted(dict.fromkeys(name for value in values for name in value), key=_order)
    trends = _trends(past)
    told = [
        {
            "unit": row.unit,
            "bar": "" if row.bar is None else BETTER[row.better] + figure(f"{row.key}/bar", figures),
            "best peer": "" if row.peer is None else figure(f"{row.key}/peer", figures),
            "trend": " → ".join(trends.get(row.key, [])),
            "command": f"`{row.command}`" if row.command else "",
            "commit": "commit unknown" if row.commit in LOST_COMMITS else row.commit,
            "date": row.date,
            "seeds": f"seeds: {row.seeds}" if row.seeds else "",
            "machine": row.machine,
        }
        for row in rows
    ]
    names = list(told[0])
    common = [name for name in names[4:] if len({each[name] for each in told}) == 1]
    apart = [name for name in names if name not in common and any(each[name] for each in told)]
    lines = [["", *(name or "measured" for name in columns), *apart]]
    lines.append(["---"] * len(lines[0]))
    for row, value, each in zip(rows, values, told, strict=True):
        cells = [shown(value[name], _places(row.value)) if name in value else "" for name in columns]
        lines.append([row.title, *cells, *(each[name] for name in apart)])
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines).replace("  |", " |")
    below = ", ".join(told[0][name] for name in common if told[0][name])
    return f"{text}\n" + (f"\n{below}.\n" if below else "")


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as Git hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def anchors() -> dict[str, str]:
    """Return for each table of results.md the anchor of the heading above."""
    found, above = {}, ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("#"):
            above = anchor(line.lstrip("#"))
        elif named := re.match(r"<!-- table: ([\w.-]+) -->", line):
            found[named[1]] = above
    return found


def tables() -> set[str]:
    """Return the names of all tables, on whatever page."""
    return {name for page in sources("*.md") for _, name, _ in TABLE.findall((ROOT / page).read_text())}


def rendered(page: str, figures: Mapping[str, Figure], past: Iterable[Figure], places: Mapping[str, str]) -> str:
    """Return a page's text with the figures of today."""

    def link(match: re.Match[str]) -> str:
        where, key = match[1], match[2]
        name = max((each for each in places if key.startswith(each + ".")), key=len, default="")
        return f'[{figure(key, figures)}]({where}#{places[name]} "{key}")'

    text = TABLE.sub(lambda match: f"{match[1]}\n{table(match[2], figures, past)}\n{match[3]}", page)
    return LINK.sub(link, text)


def main(words: list[str]) -> int:
    """Write figures and lists of today into every page; with --check name and count the pages that show others."""
    figures, past, places, stale = current(), read(HISTORY), anchors(), []
    figures |= worked_out(figures)
    for path in (ROOT / name for name in sources("*.md")):
        text = path.read_text()
        fresh = listed.rendered(rendered(text, figures, past, places))
        if fresh == text:
            continue
        if "--check" in words:
            stale.append(f"{path.relative_to(ROOT)}: stale figures or lists (make results)")
        else:
            path.write_text(fresh)
    print("\n".join(stale), end="\n" if stale else "")
    return len(stale)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
