# SPDX-License-Identifier: BSD-3-Clause
"""Pages made from templates: what goes into HTML is escaped, and each page says when, from what and how it was made."""

from __future__ import annotations

import base64
import shlex
import subprocess
import sys
from collections.abc import Collection
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from truemark.units import show_times

PAGES = Environment(
    loader=PackageLoader("truemark"),
    undefined=StrictUndefined,
    autoescape=lambda name: name is not None and name.endswith(".html.j2"),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
PAGES.filters["times"] = show_times


def render(template: str, written: Collection[Path] = (), **values: object) -> str:
    """Return the text of a page; what is `written` with it makes no clone dirty."""
    return PAGES.get_template(template).render(made=made(written), **values)


def made(written: Collection[Path] = ()) -> str:
    """When, by which version, from which commit and with which command; of a path on this machine its last part."""
    words = [Path(word).name if Path(word).is_absolute() else word for word in sys.argv[1:]]
    at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    clone = f", commit {at_commit}" if (at_commit := commit(but=written)) else ""
    return f"Made {at} by Truemark {version('truemark')}{clone} with: {shlex.join([Path(sys.argv[0]).name, *words])}"


def commit(clone: Path = Path(__file__).parent, *, but: Collection[Path] = ()) -> str:
    """Return the commit of a clone, by any folder in it, with -dirty if it was changed, `but` for files or folders.

    Outside a clone there is none.
    """

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", "-C", str(clone), *words], capture_output=True, text=True, check=False)

    try:
        head, top = (git("rev-parse", *words).stdout.strip() for words in (("--short", "HEAD"), ("--show-toplevel",)))
        own = [f":(exclude,literal){path.resolve()}" for path in but if path.resolve().is_relative_to(top)]
        changed = head and git("diff", "--quiet", "HEAD", "--", ":/", *own).returncode
    except OSError:
        return ""
    return f"{head}-dirty" if changed else head


def inside(picture: Path) -> str:
    """Return a picture's file as an address that holds it."""
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.read_bytes()).decode()}"
