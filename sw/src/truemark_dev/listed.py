# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what the tree holds, for pages: modules by their headers, sweeps by their files (`make results`).

`<!-- modules: rtl/parse --> ... <!-- end -->` has the modules of a folder, or of several, in compile order;
`<!-- sweeps: sim/lab/scenarios --> ... <!-- end -->` the lab's sweeps in a folder, in the order of its report.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from truemark.lab.sweep import read_sweep
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

LISTS = (ROOT / "rtl/truemark.f", ROOT / "rtl/netfpga/netfpga.f")
TABLE = re.compile(r"(<!-- (modules|sweeps): ([\w/ ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def purpose(source: str) -> str:
    """Return what the header of a module says that it is: its first paragraph, without where the rules stand."""
    lines = source.partition("SPDX-License-Identifier")[2].splitlines()[1:]
    end = next(index for index, line in enumerate(lines) if not re.match(r"// \S", line))
    text = " ".join(line[3:] for line in lines[:end])
    return re.sub(r",? ?\(docs/[^)]*\)", "", text).replace("*", r"\*").replace("|", r"\|")


def modules(folders: str) -> str:
    """Return the modules of folders as Markdown; raise ValueError if a folder has none."""
    among = list(dict.fromkeys(path for each in LISTS for path in file_list(each)))
    lines = ["| module | is for |", "| --- | --- |"]
    for folder in folders.split():
        found = [path for path in among if path.parent == ROOT / folder]
        if not found:
            raise ValueError(f"{folder} has no modules that {' or '.join(map(_name, LISTS))} lists")
        lines += [f"| `{path.stem}` | {purpose(path.read_text())} |" for path in found]
    return "\n".join(lines) + "\n"


def sweeps(folder: str) -> str:
    """Return the sweeps of a folder as Markdown, and how many runs each is and all are."""
    files = [path for path in (ROOT / folder).glob("*.toml") if "seeds" in tomllib.loads(path.read_text())]
    found = sorted(((read_sweep(path), path.stem) for path in files), key=lambda each: (each[0].place, each[1]))
    runs = [len(sweep.points()) * len(sweep.seeds) for sweep, _ in found]
    lines = [f"| `{name}` | {count} | {sweep.title} |" for (sweep, name), count in zip(found, runs, strict=True)]
    return "\n".join(["| sweep | runs | shows |", "| --- | --- | --- |", *lines, f"| all | {sum(runs)} | |"]) + "\n"


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def rendered(page: str) -> str:
    """Return a page's text with these tables as the tree is now."""
    tables = {"modules": modules, "sweeps": sweeps}
    return TABLE.sub(lambda match: f"{match[1]}\n{tables[match[2]](match[3])}\n{match[4]}", page)
