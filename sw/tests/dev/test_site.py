# SPDX-License-Identifier: BSD-3-Clause
"""The site of docs/ builds without a warning, has every page in its navigation, and asks nothing of the network."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from truemark_dev import site
from truemark_dev.lint import files
from truemark_dev.marks import slow
from truemark_dev.paths import ROOT


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a folder's docs/, every warning an error."""
    command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a copy of what the site is made of."""
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for path in files("docs/*.md", "docs/*.svg", "docs/*.css"):
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    return tmp_path


def test_site_builds_with_every_page_and_link(tree: Path) -> None:
    done = build(tree)
    assert done.returncode == 0, done.stdout + done.stderr
    built = tree / "build/site"
    pages = {path.stem for path in (tree / "docs").glob("*.md")} - {"README"} | {"index"}
    index = (built / "index.html").read_text()
    assert {path.stem for path in built.glob("*.html")} - {"404"} == pages
    lost = [
        page
        for page in pages - {"index"}
        if not re.search(rf'<a\s+href="\./{page}\.html"\s+class="md-nav__link', index)
    ]
    assert not lost, f"not in the navigation of mkdocs.yml: {lost}"
    fetched = re.findall(
        r'<(?:script|img|link rel="(?:stylesheet|preconnect)")[^>]*(?:src|href)="(https?:[^"]+)', index
    )
    assert not fetched, fetched
    assert "slate" in index
    assert (built / "search.json").stat().st_size > 100_000


def kinds_of(page: str) -> dict[str, list[str]]:
    """Return the pages under each heading of docs/README.md."""
    sections = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    found = {each.partition("\n")[0]: re.findall(r"\]\(([\w-]+\.md)\)", each) for each in sections}
    return {kind: pages for kind, pages in found.items() if pages}


def test_each_page_is_of_one_kind() -> None:
    """Checks: mkdocs.yml and docs/README.md have the same pages under the same four kinds, each page once."""
    first, *rest = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    kinds = {kind: [name for page in pages for name in page.values()] for each in rest for kind, pages in each.items()}
    assert first == {"Truemark": "README.md"}
    assert list(kinds) == ["Tutorials", "How-to guides", "Reference", "Explanation"]
    assert kinds_of((ROOT / "docs/README.md").read_text()) == kinds
    pages = [name for each in kinds.values() for name in each]
    assert sorted(pages) == sorted(path.name for path in files("docs/*.md") if path.name != "README.md")


@pytest.mark.parametrize("link", ["[x](results.md#nowhere)", *slow("[x](nowhere.md)")])
def test_dead_link_fails_the_build(tree: Path, link: str) -> None:
    page = tree / "docs/log.md"
    page.write_text(f"{page.read_text()}\n{link}\n")
    assert build(tree).returncode != 0


def test_versions_have_a_folder_each(tmp_path: Path) -> None:
    built, out = tmp_path / "built", tmp_path / "out"
    built.mkdir()
    for name in ("0.9.0", "0.10.0", "0.2.0"):
        (built / "index.html").write_text(name)
        (built / "404.html").touch()
        site.place(built, out, name)
    assert (out / "0.10.0/index.html").read_text() == "0.10.0"
    assert not (out / "0.10.0/404.html").exists()
    assert [each["version"] for each in json.loads((out / "versions.json").read_text())] == ["0.10.0", "0.9.0", "0.2.0"]
    assert "url=0.10.0/" in (out / "index.html").read_text()
