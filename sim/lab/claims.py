# SPDX-License-Identifier: BSD-3-Clause
"""Record how many of the papers' items came out how, as the committed page (docs/papers.jsonl) has it."""

from __future__ import annotations

import json
import sys

from truemark_dev.paths import ROOT
from truemark_dev.results import Figure, record, taken

PAGE = ROOT / "docs" / "papers.jsonl"
BARS = {"claims.reproduced": 60, "claims.missing": 0}  # of 106; of the 1500 hosts of 3#12 there are 54
BETTER = {"claims.reproduced": "more", "claims.missing": "less"}


def main() -> int:
    """Record each count; say where they come from if they are not there."""
    try:
        counts = json.loads(PAGE.read_text(encoding="utf-8").partition("\n")[0])
        titles = {key: key.removeprefix("claims.").replace("_", " ") for key in counts}
    except (OSError, ValueError, AttributeError) as error:
        print(f"{PAGE}: no counts in the first line: {error}; `truemark lab papers --out docs` writes it")
        return 1
    origin = taken("python -m sim.lab.claims")
    figures = [
        Figure(key, titles[key], value, "items", BARS.get(key), BETTER.get(key, ""), **origin)
        for key, value in counts.items()
    ]
    record("lab", figures)
    print("\n".join(f"{each.key} = {each.value}" for each in figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
