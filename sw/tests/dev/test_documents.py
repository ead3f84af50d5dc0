# SPDX-License-Identifier: BSD-3-Clause
"""Documents speak of things that are there: links, pictures, files, modules and make targets."""

import re
from pathlib import Path

import pytest

from truemark_dev.lint import files, sources
from truemark_dev.paths import ROOT
from truemark_dev.results import anchor

PAGES = [ROOT / name for name in sources("*.md")] + [ROOT / "docs/registers.md", ROOT / "docs/api.md"]
DOCS = [page for page in PAGES if page.parent == ROOT / "docs"]
FOLDERS = ("rtl", "sim", "cocotb_tests", "sw", "docs", "constraints", ".ci")


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as Git hosts make them, and those that it sets itself."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {anchor(heading) for heading in headings} | set(re.findall(r'<a id="([\w-]+)"></a>', prose(page)))


def name_of(page: Path) -> str:
    """Return a test id."""
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_are_alive(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)(?: \"[^\"]*\")?\)", prose(page)) + re.findall(
        r'(?:src|href)="([^"]+)"', prose(page)
    )
    dead = []
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            dead.append(link)
    assert not dead, f"dead links: {', '.join(dead)}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_named_files_and_modules_exist(page: Path) -> None:
    modules = {path.stem for path in files("rtl/*.sv")}
    missing = []
    for name in re.findall(r"`([^`\s]+)`", prose(page)):
        if name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and not re.search(r"[<>*{}]", name):
            if not (ROOT / name.split(":")[0]).exists():
                missing.append(name)
        elif re.fullmatch(r"tm_[a-z0-9_]+", name) and name not in modules and not interface_has(name):
            missing.append(name)
    assert not missing, f"named, but not there: {', '.join(missing)}"


def interface_has(name: str) -> bool:
    """Say whether the engines' C interface has this name."""
    return re.search(rf"\b{name}\b", (ROOT / "sim/engine/truemark.h").read_text()) is not None


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_make_targets_exist(page: Path) -> None:
    makefiles = [(ROOT / "Makefile").read_text(), *(path.read_text() for path in (ROOT / "sim").rglob("*.mk"))]
    rules = re.findall(r"^([a-z][a-z -]*):", "\n".join(makefiles), re.MULTILINE)
    targets = {target for rule in rules for target in rule.split()}
    code = " ".join(
        re.findall(r"`([^`\n]+)`", page.read_text()) + re.findall(r"^```.*?^```", page.read_text(), re.M | re.S)
    )
    named = set(re.findall(r"(?:^|[\s;&])(?<!\+ )make ((?:[A-Z_]+=\S+ )*)([a-z][a-z-]*)", code))
    unknown = {target for _, target in named} - targets
    assert not unknown, f"no such targets: {unknown}"


def test_every_page_is_on_the_map() -> None:
    map_page = (ROOT / "docs/README.md").read_text()
    lost = [page.name for page in DOCS if page.name != "README.md" and f"({page.name})" not in map_page]
    assert not lost, f"not in docs/README.md: {', '.join(lost)}"


def test_pictures_fetch_nothing() -> None:
    """A font or a style from elsewhere is not there on a page without a network."""
    pictures = sorted((ROOT / "docs/pictures").glob("*.svg"))
    assert len(pictures) > 5
    for path in pictures:
        text = path.read_text()
        assert not re.search(r"""@import|url\(\s*["']?(?!#)|(?:href|src)="(?!#)""", text), path
