# SPDX-License-Identifier: BSD-3-Clause
"""Check hand-written pages: no measured figure but by its key, and none of the words that docs/prose.toml replaces."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping

from truemark_dev.lint import sources
from truemark_dev.paths import ROOT
from truemark_dev.results import LINK, TABLE

RULES = ROOT / "docs/prose.toml"
UNIT = re.compile(r"\d\s?(?:MHz|LUTs?|FFs?|RAMB18|[mµun]s|%|×(?!\s?\d))(?!\w)")


def prose(page: str) -> str:
    """Return a page without its code, its rendered tables and the figures it takes by key."""
    text = re.sub(r"^```.*?^```", "", TABLE.sub("", page), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", LINK.sub("", text))


def loose(page: str, constants: Iterable[str]) -> list[str]:
    """Return the lines where a number with a unit is neither a figure by key nor a constant."""
    text = prose(page)
    for constant in constants:
        text = re.sub(rf"(?<![\d.,]){re.escape(constant)}(?!\w)", "", text)
    return [line for line in text.splitlines() if UNIT.search(line)]


def words(page: str) -> int:
    """Return how many words of a page somebody wrote: not its rendered tables, nor where its links lead."""
    text = re.sub(r"\]\([^)]*\)", "]", TABLE.sub("", page))
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def worded(page: str, words: Mapping[str, str]) -> list[str]:
    """Return the lines with a word that we do not use, and what to write instead."""
    return [
        f"{found[0]!r}, write {instead}: {line}"
        for line in prose(page).splitlines()
        for word, instead in words.items()
        if (found := re.search(word, line, re.IGNORECASE))
    ]


def main() -> int:
    """Check every page that somebody wrote; return how many lines are to be mended."""
    rules, wrong, total = tomllib.loads(RULES.read_text()), [], 0
    for name in sources("*.md"):
        if name in rules["generated"]:
            continue
        page, constants = (ROOT / name).read_text(), rules["constants"].get(name, [])
        total += words(page)
        if constants != ["*"]:
            wrong += [f"{name}: a measured figure enters by its key: {line}" for line in loose(page, constants)]
        wrong += [f"{name}: {line}" for line in worded(page, rules["words"])]
    if total > rules["most_words"]:
        wrong.append(f"all pages: {total} words, at most {rules['most_words']} (docs/prose.toml): shorten one")
    print("\n".join(wrong), end="\n" if wrong else "")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
