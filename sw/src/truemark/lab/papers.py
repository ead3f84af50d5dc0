# SPDX-License-Identifier: BSD-3-Clause
"""Every item of the four papers against what the lab has of it: a page, and a machine-readable line an item."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from truemark import toml_errors
from truemark.errors import TruemarkError, suggest
from truemark.files import whole_file
from truemark.lab.claims import NO_CONTROL, ONE_SEED, PAPERS
from truemark.lab.joined import judged_claims, read_lines
from truemark.lab.lines import FAILS, HOLDS, Line, run_again
from truemark.lab.page import DOUBTS, against_the_denominator, deciding, doubted, judged, ours, short
from truemark.lab.pictures_items import draw
from truemark.lab.scenario import read_scenario
from truemark.lab.sweep import read_sweep
from truemark.pages import render
from truemark.toml_errors import read_toml

NAMED = ("not", "missing", "pending")  # verdicts whose items are named with their count
COUNTED = ("reproduced", "partly", "not", "missing", "pending", "not run", "not discriminating")


class ItemTable(BaseModel):
    """An item of a paper, and what decides it besides the claims that carry its number."""

    model_config = ConfigDict(extra="forbid")

    what: str = Field(min_length=1, description="the claim or the part of the set-up")
    says: str = Field("as said", description="the paper's number or word")
    place: str = Field("text", description="figure, table or section")
    set: dict[str, dict[str, Any]] = Field({}, description="scenario: the fields that the paper gives")
    points: dict[str, list[str]] = Field({}, description="sweep: points that the paper has")
    seeds: dict[str, int] = Field({}, description="sweep: repetitions that the paper has, each a seed here")
    figures: list[str] = Field([], description="of figures.py: what the paper measures")
    pending: bool = Field(False, description="measured there, compared later")
    why: str = Field("", description="why it differs or is missing")


class ApartTable(BaseModel):
    """What a paper has that cannot be compared."""

    model_config = ConfigDict(extra="forbid")

    what: str = Field(min_length=1, description="of the paper")
    why: str = Field(min_length=1, description="why it cannot be compared, and what is compared instead")


class PaperTable(BaseModel):
    """A paper and its items, by number."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="as claims of sweeps name it")
    title: str = Field(description="what it is")
    apart: list[ApartTable] = Field([], description="what cannot be compared")
    item: dict[int, ItemTable] = Field(description="every one")


class PapersFile(BaseModel):
    """The file of all."""

    model_config = ConfigDict(extra="forbid")

    paper: list[PaperTable] = Field(description="in the order of their numbers")


def read_papers(path: Path) -> list[PaperTable]:
    """Return the papers, in the order of `claims.PAPERS`."""
    content, text = read_toml(path)
    found = toml_errors.validated(PapersFile, content, text, str(path)).paper
    if tuple(paper.name for paper in found) != PAPERS:
        raise TruemarkError(f"{path}: papers must be {', '.join(PAPERS)}, in this order")
    return found


def leaves(fields: dict[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Return every field of nested tables by its whole name."""
    found: list[tuple[str, Any]] = []
    for key, value in fields.items():
        name = f"{before}{key}"
        found += leaves(value, f"{name}.") if isinstance(value, dict) else [(name, value)]
    return found


def nested(name: str, value: Any) -> dict[str, Any]:
    """Return a whole name as nested tables."""
    for part in reversed(name.split(".")):
        value = {part: value}
    return dict(value)


def holds(scenario: Path, name: str, value: Any) -> bool:
    """Return whether the paper's value, laid over the scenario, changes nothing."""
    try:
        return read_scenario(scenario, [nested(name, value)]) == read_scenario(scenario)
    except TruemarkError:
        if not scenario.is_file():
            raise
        return False  # the paper's value does not even fit the rest of the scenario


def set_up(item: ItemTable, folder: Path) -> list[Line]:
    """Return the fields, the points and the repetitions that the paper's set-up has."""
    found = []
    for name, fields in item.set.items():
        for field, value in leaves(fields):
            verdict = HOLDS if holds(folder / f"{name}.toml", field, value) else FAILS
            found.append(Line(f"{name}.toml: {field} = {value}", verdict, {"field": field, "paper": value}))
    for name, points in item.points.items():
        there = dict(read_sweep(folder / f"{name}.toml").points())
        found += [
            Line(f"{name}.toml has a point '{point}'", HOLDS if point in there else FAILS, {"point": point})
            for point in points
        ]
    for name, seeds in item.seeds.items():
        verdict = HOLDS if len(read_sweep(folder / f"{name}.toml").seeds) >= seeds else FAILS
        found.append(Line(f"{name}.toml has {seeds} seeds", verdict, {"seeds_of_sweep": seeds}))
    return found


def measured(item: ItemTable, claims: list[Line]) -> list[Line]:
    """Return the figures that the paper measures, held if claims of it are judged by them."""
    used = {line.data["figure"] for line in claims}
    return [
        Line(f"claims are judged by '{name}'", HOLDS if name in used else FAILS, {"measure": name})
        for name in item.figures
    ]


def verdict_of(item: ItemTable, lines: list[Line]) -> str:
    """Return an item's verdict: reproduced if all that counts is, not if none of it is, and none if nothing counts.

    What only shows a cause does not count, nor does one seed that agrees with other runs; without others it is partly.
    """
    if item.pending:
        return "pending"
    if not lines:
        return "missing"
    counted = [line for line in lines if not line.data.get("cause")]
    alone = {line.verdict for line in counted if "sweep" in line.data} == {ONE_SEED}
    words = [line.verdict for line in counted if line.verdict != ONE_SEED]
    if counted and (alone or not words):
        words.append("partly")
    judged = [word for word in words if word in ("reproduced", "partly", "not")]
    if not judged:
        unknown = all(word.startswith("not run") or word == NO_CONTROL for word in words)
        return "not run" if unknown else "not discriminating"
    if judged == words and set(judged) == {"reproduced"}:
        return "reproduced"
    return "not" if set(judged) == {"not"} else "partly"


def compare(items: Path, folder: Path, results: Path, before: Path | None = None) -> dict[str, Any]:
    """Return every item with its checks and its verdict, and how many came out how."""
    claims = judged_claims(folder, results, read_lines(before) if before else {})
    papers: list[dict[str, Any]] = []
    for number, paper in enumerate(read_papers(items), 1):
        rows = []
        own = [line for key, lines in claims.items() if key.startswith(f"{number}#") for line in lines]
        for place, item in paper.item.items():
            key = f"{number}#{place}"
            lines = [*set_up(item, folder), *measured(item, own), *claims.pop(key, [])]
            row: dict[str, Any] = {
                "item": key,
                **item.model_dump(include={"what", "says", "place", "why"}),
                "verdict": verdict_of(item, lines),
                "lines": [{"text": line.text, "verdict": line.verdict, **line.data} for line in lines],
            }
            decides = deciding(row)
            rows.append(row | {"decided_by": decides["text"] if decides else None})
        apart = [each.model_dump() for each in paper.apart]
        papers.append({"title": paper.title, "short": paper.title.partition(":")[0], "items": rows, "apart": apart})
    if claims:
        every = [row["item"] for paper in papers for row in paper["items"]]
        raise TruemarkError(f"{items}: has no item {next(iter(claims))}; {suggest(next(iter(claims)), every)}")
    counts = Counter(row["verdict"] for paper in papers for row in paper["items"])
    figures = {"claims.total": counts.total(), **{f"claims.{word.replace(' ', '_')}": counts[word] for word in COUNTED}}
    doubts = doubted(papers)
    figures |= {f"claims.reproduced_{name}": len(items) for name, items in doubts.items()}
    return {"figures": figures, "doubts": doubts, "papers": papers}


def remarks(found: dict[str, Any]) -> list[str]:
    """Return which sweeps have runs of commits that the repository lacks, and what to do, each once."""
    lines = [line for paper in found["papers"] for row in paper["items"] for line in row["lines"] if "lost" in line]
    return list(dict.fromkeys(f"{line['sweep']}: {run_again(line['sweep'], line['lost'])}" for line in lines))


def in_words(found: dict[str, Any]) -> dict[str, Any]:
    """Return what the page is made of: what was found, and how its rows are said."""
    lines = [line for paper in found["papers"] for row in paper["items"] for line in judged(row)]
    rows = [row for paper in found["papers"] for row in paper["items"]]
    which = {word: [row["item"] for row in rows if row["verdict"] == word] for word in NAMED}
    counts = [
        (word, found["figures"][f"claims.{word.replace(' ', '_')}"], which.get(word, []))
        for word in ("total", *COUNTED)
    ]
    parts = [row["item"] for row in rows if row["verdict"] == "reproduced" and not judged(row)]
    doubts = [(DOUBTS[name], len(items), items) for name, items in found["doubts"].items()]
    place = 1 + ("total", *COUNTED).index("reproduced")
    counts[place:place] = [("of these, parts of a set-up", len(parts), []), *doubts]
    names = {row["item"] for row in rows}
    said = {"ours": ours, "short": lambda row: short(row, names), "alone": against_the_denominator, "counts": counts}
    return found | said | {"judged_lines": len(lines), "alone_lines": sum(map(against_the_denominator, lines))}


def write(found: dict[str, Any], out: Path) -> list[Path]:
    """Write the data, a line an item, its pictures, and the page that is made of them; return every file."""
    lines = [json.dumps(found["figures"])]
    lines += [json.dumps(row, allow_nan=False) for paper in found["papers"] for row in paper["items"]]
    try:
        (out / "pictures").mkdir(parents=True, exist_ok=True)
        drawn = [draw(number, paper, out / "pictures") for number, paper in enumerate(found["papers"], 1)]
        files = [out / "papers.jsonl", out / "papers.md", *(each.path for pictures in drawn for each in pictures)]
        page = render("papers.md.j2", written=files, drawn=drawn, **in_words(found))
        for path, text in zip(files, ("\n".join(lines) + "\n", page), strict=False):
            with whole_file(path) as file:
                file.write(text)
    except OSError as error:
        raise TruemarkError(f"{out}: cannot be written: {error.strerror or error}") from None
    return files
