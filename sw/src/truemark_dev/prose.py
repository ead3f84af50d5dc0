# SPDX-License-Identifier: BSD-3-Clause
"""Check English: pages, comments, docstrings and what programs say, by the rules of docs/prose.toml.

A page states no measured figure except by its key, and its lines end with sentences. Neither pages nor sources use a
word that the table replaces. Codespell reads all of it (`make lint` calls it), proselint the pages.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from proselint.checks import __register__
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from truemark_dev.lint import sources
from truemark_dev.paths import ROOT
from truemark_dev.results import LINK

RULES = ROOT / "docs/prose.toml"
RENDERED = re.compile(r"<!-- (?:table|modules|sweeps): .*?<!-- end -->", re.DOTALL)
SLASHES = (".sv", ".svh", ".v", ".h", ".c", ".cpp", ".scala", ".rdl")
SOURCES = ("*.py", "*.toml", "*.tcl", "*.xdc", "*.mk", "Makefile", *(f"*{end}" for end in SLASHES))
PRINTING = ("sw/src/", "sw/c/", "rtl/")  # their strings are help, messages and descriptions
ALONE = re.compile(r"\s*([|#<!]|$)")
OWN = re.compile(r"\s*([|#<!]|[-*] |\d+\. |\[[^\]]*\]:|$)")  # begins something of its own
ENDED = re.compile(r"[.!?:;][)*\"`\]]*$")
UNIT = re.compile(r"\d\s?(?:MHz|LUTs?|FFs?|RAMB18|[mµun]s|%|×(?!\s?\d))(?!\w)")


def prose(page: str) -> str:
    """Return a page without its code, its rendered tables and the figures it takes by key."""
    return re.sub(r"`[^`\n]*`", "", LINK.sub("", unfenced(page)))


def unfenced(page: str) -> str:
    """Return a page without its blocks of code and its rendered tables."""
    return re.sub(r"^```.*?^```", "", RENDERED.sub("", page), flags=re.MULTILINE | re.DOTALL)


def loose(page: str, constants: Iterable[str]) -> list[str]:
    """Return the lines where a number with a unit is neither a figure by key nor a constant."""
    text = prose(page)
    for constant in constants:
        text = re.sub(rf"(?<![\d.,]){re.escape(constant)}(?!\w)", "", text)
    return [line for line in text.splitlines() if UNIT.search(line)]


def words(page: str) -> int:
    """Return how many words of a page somebody wrote: not its rendered tables, nor where its links lead."""
    text = re.sub(r"\]\([^)]*\)", "]", RENDERED.sub("", page))
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def worded(page: str, words: Mapping[str, str]) -> list[str]:
    """Return the lines with a word that we do not use, and what to write instead."""
    return [
        f"{found[0]!r}, write {instead}: {line}"
        for line in prose(page).splitlines()
        for word, instead in words.items()
        if (found := re.search(word, line, re.IGNORECASE))
    ]


def broken(page: str) -> list[str]:
    """Return the lines of a page that end in the middle of a sentence: a change then shows the sentences it changes."""
    pairs = pairwise(unfenced(page).splitlines())
    return [line for line, after in pairs if not (OWN.match(after) or ALONE.match(line) or ENDED.search(line))]


def advised(page: str, checks: Mapping[str, bool]) -> list[str]:
    """Return what proselint's chosen checks find, outside of code and quotes."""
    if not CheckRegistry().checks:
        CheckRegistry().register_many(__register__)
    found = LintFile("page", prose(page)).lint({"checks": dict(checks), "max_errors": 1000})
    return [f"{each.check_result.check_path}: {each.check_result.message}" for each in found]


def said(path: str, text: str, *, strings: bool) -> Iterator[tuple[int, str]]:
    """Yield the comments and docstrings of a source, each with its line, and with `strings` what it may print."""
    if not path.endswith(".py"):
        comment = r"//.*$|/\*[\s\S]*?\*/" if path.endswith(SLASHES) else r"#.*$"
        for found in re.finditer(rf'"(?:[^"\\\n]|\\.)*"|{comment}', text, re.MULTILINE):
            if strings or found[0][0] != '"':
                yield text.count("\n", 0, found.start()) + 1, found[0]
        return
    docstrings = {
        node.value.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    wanted = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type in wanted and (strings or token.start[0] in docstrings)):
            yield token.start[0], token.string


def main() -> int:
    """Check every page that somebody wrote, and every source; return how many lines are wrong."""
    rules, wrong, total = tomllib.loads(RULES.read_text()), [], 0
    for name in sources("*.md"):
        if name in rules["generated"]:
            continue
        page, constants = (ROOT / name).read_text(), rules["constants"].get(name, [])
        total += words(page)
        if constants != ["*"]:
            wrong += [f"{name}: a measured figure enters by its key: {line}" for line in loose(page, constants)]
        wrong += [f"{name}: {line}" for line in worded(page, rules["words"] | rules["page_words"])]
        wrong += [f"{name}: a line ends with a sentence: {line}" for line in broken(page)]
        wrong += [f"{name}: proselint: {line}" for line in advised(page, rules["proselint"])]
    for name in sources(*SOURCES):
        for line, text in said(name, (ROOT / name).read_text(), strings=name.startswith(PRINTING)):
            wrong += [f"{name}:{line}: {each}" for each in worded(text, rules["words"])]
    if total > rules["most_words"]:
        wrong.append(f"all pages: {total} words, at most {rules['most_words']} (docs/prose.toml): shorten one")
    print("\n".join(wrong), end="\n" if wrong else "")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
