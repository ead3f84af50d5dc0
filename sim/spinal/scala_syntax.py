# SPDX-License-Identifier: BSD-3-Clause
"""Parses every Scala file of rtl/spinal without a JVM; types are the compiler's affair."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import tree_sitter_scala
from tree_sitter import Language, Node, Parser
from truemark_dev.paths import ROOT

FILES = [*sorted((ROOT / "rtl" / "spinal").glob("src/**/*.scala")), ROOT / "rtl" / "spinal" / "build.sbt"]


def faults(source: bytes) -> list[str]:
    """Return the places that are no Scala."""

    def walk(node: Node) -> Iterator[Node]:
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            for child in node.children:
                yield from walk(child)

    tree = Parser(Language(tree_sitter_scala.language())).parse(source)
    return [f"line {node.start_point.row + 1}, column {node.start_point.column + 1}" for node in walk(tree.root_node)]


def main() -> int:
    """Parse all; 1 if a file is no Scala."""
    found = [f"{path.relative_to(ROOT)}: no Scala at {place}" for path in FILES for place in faults(path.read_bytes())]
    print("\n".join(found) or f"{len(FILES)} files of Scala parsed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
