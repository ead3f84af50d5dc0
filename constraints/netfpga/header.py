# SPDX-License-Identifier: BSD-3-Clause
"""The ports of a module as its header declares them, and in what two modules of one name differ."""

from __future__ import annotations

import re

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
PORT = re.compile(r"\b(input|output|inout)\b([^,;]*?)(\w+)\s*(?:,|$)")


def ports(verilog: str, module: str) -> dict[str, str]:
    """Return direction and width of each port of a module with an ANSI header, by name; nothing if it has none."""
    code = COMMENT.sub("", verilog)
    head = re.search(rf"\bmodule\s+{module}\b(.*?)\)\s*;", code, re.DOTALL)
    found = {}
    for direction, between, name in PORT.findall(head[1] if head else ""):
        width = re.sub(r"[\s()]", "", "".join(re.findall(r"\[.*?\]", between)))
        found[name] = f"{direction} {width}".strip()
    return found


def differences(theirs: dict[str, str], ours: dict[str, str]) -> list[str]:
    """Say in what the ports of two modules differ."""
    said = [f"{name} is only in the tree's" for name in theirs if name not in ours]
    said += [f"{name} is only in Truemark's" for name in ours if name not in theirs]
    both = [name for name in theirs if name in ours]
    return said + [f"{name} is {theirs[name]}, Truemark's {ours[name]}" for name in both if theirs[name] != ours[name]]
