# SPDX-License-Identifier: BSD-3-Clause
"""Pages made from templates: what goes into HTML is escaped."""

from __future__ import annotations

import base64
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

PAGES = Environment(
    loader=PackageLoader("truemark"),
    undefined=StrictUndefined,
    autoescape=lambda name: name is not None and name.endswith(".html.j2"),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def render(template: str, **values: object) -> str:
    """The text of a page."""
    return PAGES.get_template(template).render(values)


def inside(picture: Path) -> str:
    """A picture's file as an address that holds it."""
    return f"data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()}"
