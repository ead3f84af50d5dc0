# SPDX-License-Identifier: BSD-3-Clause
"""Hold SystemVerilog names to the project's rule, by slang's syntax trees: `python -m truemark_dev.naming FILE ...`.

An input ends in _i, an output in _o, and nothing else does. What a flip-flop holds ends in _q, or is an output; the
next value of x_q is x_d. A parameter is in UPPER_CASE, a localparam in CamelCase. No port is joined by `.*`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyslang import syntax

Kind = syntax.SyntaxKind
UPPER, CAMEL = re.compile(r"[A-Z][A-Z0-9_]*"), re.compile(r"[A-Z][A-Za-z0-9]*")
SUFFIX = {"input": "_i", "output": "_o"}
# Names from outside: what a user or a board joins to has AXI's names, and its tree's for parameters.
OUTSIDE = re.compile(r"[sm]\d*_axi(s|l|lite)?_\w+|\w*axil?_\w+|clk|rst")
BOARDS = {
    "output_queues",
    "tm_reference_switch",
}  # by NetFPGA's names throughout, so that they take the place of its own
# Kept for good.
KEPT = {
    ("tm_prim_ram", "words"): "a memory, not a register",
    ("tm_prim_lut_ram", "words"): "a memory, not a register",
}
# Not yet renamed: others are at work in these files. A name leaves this list with its renaming.
PENDING = {
    ("tm_admit", "slot"),
    ("tm_room", "RowsW"),
    ("tm_buffer", ".*"),
    ("tm_spill_ring", "coming"),
    ("tm_user", "beat_user"),
    ("tm_config_check", "codel"),
    ("tm_core", "stamp"),
    *(("tm_red_curve", name) for name in ("max_far", "min_far", "minus_max", "minus_min", "twice_far")),
    ("tm_switch_lookup", "beat"),
    ("tm_list", "ready"),
    ("tm_codel_law", "count_d"),
    ("tm_chain_walk", "fresh"),
}


def faults(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each name that breaks a rule, with the rule."""
    ports: dict[str, str] = {}
    declared: set[str] = set()
    registers: dict[str, None] = {}
    found: list[tuple[str, str]] = []

    def visit(node: Any) -> None:
        kind = getattr(node, "kind", None)
        if kind == Kind.ImplicitAnsiPort:
            direction = [word for word in SUFFIX if re.search(rf"\b{word}\b", str(node.header.direction))]
            ports[node.declarator.name.valueText] = SUFFIX[direction[0]] if direction else "_i or _o"
        elif kind == Kind.Declarator:
            declared.add(node.name.valueText)
        elif kind == Kind.ParameterDeclaration:
            word, form = (node.keyword.valueText, UPPER if node.keyword.valueText == "parameter" else CAMEL)
            names = [each.name.valueText for each in node.declarators if hasattr(each, "name")]
            found.extend((name, f"a {word} matches {form.pattern}") for name in names if not form.fullmatch(name))
        elif kind == Kind.WildcardPortConnection:
            found.append((".*", "ports are joined by name"))
        elif kind == Kind.NonblockingAssignmentExpression:
            registers.update(dict.fromkeys(targets(node.left)))

    syntax.SyntaxTree.fromText(path.read_text()).root.visit(visit)
    yield from found
    for name, suffix in ports.items():
        if not name.endswith(suffix) and not OUTSIDE.fullmatch(name):
            yield name, f"such a port ends in {suffix}"
    for name in registers:
        if not name.endswith("_q") and ports.get(name) != "_o" and not OUTSIDE.fullmatch(name):
            yield name, "what a flip-flop holds ends in _q"
    for name in sorted(declared - ports.keys()):
        if name.endswith(("_i", "_o")):
            yield name, "only a port ends so"
        if name.endswith("_d") and f"{name[:-2]}_q" not in declared:
            yield name, "the next value of a flip-flop _q"


def targets(left: Any) -> Iterator[str]:
    """Yield the variables that an assignment's left side names."""
    if left.kind == Kind.ConcatenationExpression:
        for each in left.expressions:
            if hasattr(each, "kind") and "Token" not in type(each).__name__:
                yield from targets(each)
    elif left.kind in (Kind.IdentifierName, Kind.IdentifierSelectName):
        yield left.identifier.valueText
    else:  # a part of something: a field, an element, one of a generated block's
        yield from targets(left.left)


def wrong(path: Path) -> list[str]:
    """Say what is at fault in a file, except for the exceptions."""
    if path.stem in BOARDS:
        return []
    found = [(name, rule) for name, rule in faults(path) if (path.stem, name) not in {*KEPT, *PENDING}]
    return [f"{path}: {name}: {rule}" for name, rule in found]


def main(words: list[str]) -> int:
    """Print what is at fault in these files."""
    said = [line for word in words for line in wrong(Path(word))]
    print("\n".join(said))
    return int(bool(said))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
