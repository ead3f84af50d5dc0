# SPDX-License-Identifier: BSD-3-Clause
"""Tables of modules on pages, from what each module's header says of it (`make results`).

`<!-- modules: rtl/parse --> ... <!-- end -->` has the modules of a folder, or of several, in compile order.
"""

from __future__ import annotations

import re
from pathlib import Path

from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

LISTS = (ROOT / "rtl/truemark.f", ROOT / "rtl/netfpga/netfpga.f")
TABLE = re.compile(r"(<!-- modules: ([\w/ ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def purpose(source: str) -> str:
    """Return what the header of a module says that it is: its first paragraph, without where the rules stand."""
    lines = source.partition("SPDX-License-Identifier")[2].splitlines()[1:]
    end = next(index for index, line in enumerate(lines) if not re.match(r"// \S", line))
    text = " ".join(line[3:] for line in lines[:end])
    return re.sub(r",? ?\(docs/[^)]*\)", "", text).replace("*", r"\*").replace("|", r"\|")


def table(folders: str) -> str:
    """Return the modules of folders as Markdown; raise ValueError if a folder has none."""
    among = list(dict.fromkeys(path for each in LISTS for path in file_list(each)))
    lines = ["| module | is for |", "| --- | --- |"]
    for folder in folders.split():
        found = [path for path in among if path.parent == ROOT / folder]
        if not found:
            raise ValueError(f"{folder} has no modules that {' or '.join(map(_name, LISTS))} lists")
        lines += [f"| `{path.stem}` | {purpose(path.read_text())} |" for path in found]
    return "\n".join(lines) + "\n"


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def rendered(page: str) -> str:
    """Return a page's text with its tables of modules as the sources are now."""
    return TABLE.sub(lambda match: f"{match[1]}\n{table(match[2])}\n{match[3]}", page)
