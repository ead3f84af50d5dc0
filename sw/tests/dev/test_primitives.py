# SPDX-License-Identifier: BSD-3-Clause
"""Memories, and what tools are told of them, stand in rtl/prim alone, and there in the words of both vendors."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyslang import syntax

from truemark_dev.lint import sources
from truemark_dev.paths import ROOT

PRIMITIVES = ROOT / "rtl/prim"
MODULES = [ROOT / name for name in sources("rtl/*.sv")]
# Of Xilinx, and of Intel.
WORDS = {"ram_style": "ramstyle", "rom_style": "romstyle", "ASYNC_REG": "altera_attribute", "keep": "keep"}


def kinds(path: Path) -> tuple[list[str], list[set[str]]]:
    """Return the memories that a file declares, and the attributes it has, by place."""
    memories: list[str] = []
    attributes: list[set[str]] = []

    def visit(node: object) -> None:
        if isinstance(node, syntax.AttributeInstanceSyntax):
            attributes.append(
                {str(spec.name).strip() for spec in node.specs if isinstance(spec, syntax.AttributeSpecSyntax)}
            )
        if isinstance(node, syntax.DataDeclarationSyntax | syntax.LocalVariableDeclarationSyntax):
            memories.extend(
                str(each.name).strip()
                for each in node.declarators
                if isinstance(each, syntax.DeclaratorSyntax) and each.dimensions
            )

    syntax.SyntaxTree.fromFile(str(path)).root.visit(visit)
    return memories, attributes


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_only_primitives(path: Path) -> None:
    memories, attributes = kinds(path)
    if path.parent != PRIMITIVES:
        # `keep` is one word for every vendor, and says something of the wire at which it stands: a module of its own
        # for it gave an alias that was mapped through.
        others = [words for words in attributes if words != {"keep"}]
        assert (memories, others) == ([], []), "memories and attributes stand in rtl/prim alone"
    for words in attributes:
        assert all(other in words for word, other in WORDS.items() if word in words), "one vendor is left out"
