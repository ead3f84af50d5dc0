# SPDX-License-Identifier: BSD-3-Clause
"""The SpinalHDL side without a JVM: what is committed belongs together, and agrees with the SystemVerilog."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import tree_sitter_scala
from tree_sitter import Language, Node, Parser
from truemark_dev.marks import slow
from truemark_dev.paths import ROOT

from sim.spinal import jvm, ports

SPINAL = ROOT / "rtl" / "spinal"
INSTANCE = SPINAL / "verilog" / "spinal_truemark.v"
SCALA = [*sorted(SPINAL.glob("src/**/*.scala")), SPINAL / "build.sbt"]


def instance(text: str) -> tuple[dict[str, int], dict[str, tuple[str, int]]]:
    """Return the parameters, and direction and width of each port, of the instance of truemark in emitted Verilog."""
    match = re.search(r"^  truemark #\((.*?)\n  \) \w+ \((.*?)\n  \);", text, re.MULTILINE | re.DOTALL)
    assert match, "no instance of truemark"
    parameters = {name: int(value) for name, value in re.findall(r"\.(\w+)\s*\((\d+)\s*\)", match[1])}
    directions = {"i": "input", "o": "output"}
    found = re.findall(r"\.(\w+)\s*\(\w+(?:\[(\d+):0\])?\s*\),? *//(\w)", match[2])
    return parameters, {name: (directions[way], int(high or 0) + 1) for name, high, way in found}


@cache
def wanted(name: str = INSTANCE.stem) -> tuple[dict[str, int], dict[str, tuple[str, int]]]:
    """Return the same of the SystemVerilog."""
    build = ports.BUILDS[name]
    return ports.defaults() | build, ports.ports(build)


@pytest.mark.parametrize("name", ports.BUILDS)
def test_blackbox_has_the_parameters_and_ports_of_the_rtl(name: str) -> None:
    assert instance((SPINAL / "verilog" / f"{name}.v").read_text()) == wanted(name)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("m_axis_tuser[74:0]", "m_axis_tuser[73:0]"),  # a width
        (".s_axil_wstrb    (", ".s_axil_strb     ("),  # a name
        ("m_axis_tready[2:0]            ), //i", "m_axis_tready[2:0]            ), //o"),  # a direction
        (".TUSER_W           (25  )", ".TUSER_W           (26  )"),  # a parameter
    ],
)
def test_a_wrong_blackbox_is_found(right: str, wrong: str) -> None:
    text = INSTANCE.read_text()
    assert right in text
    assert instance(text.replace(right, wrong)) != wanted()


def test_verdict_bundle_has_the_fields_of_the_event() -> None:
    names = {"class_id": "kind", "len": "length"}  # what Scala calls them
    text = (SPINAL / "src/main/scala/truemark/Verdict.scala").read_text()
    listed = re.findall(r"val (\w+) = (?:UInt\((\d+) bits\)|Bool\(\))", text)
    found = {name: int(width or 1) for name, width in reversed(listed)}
    fields = {names.get(name, name): width for name, width in ports.event().items()}
    assert list(found.items()) == list(fields.items())
    assert f"val width: Int = {sum(fields.values())}" in text


def unparsed(source: bytes) -> list[str]:
    """Return the places that are no Scala; types are the compiler's affair."""

    def walk(node: Node) -> Iterator[Node]:
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            for child in node.children:
                yield from walk(child)

    tree = Parser(Language(tree_sitter_scala.language())).parse(source)
    return [f"line {node.start_point.row + 1}, column {node.start_point.column + 1}" for node in walk(tree.root_node)]


def test_every_scala_file_parses() -> None:
    assert len(SCALA) > 15
    for path in SCALA:
        assert unparsed(path.read_bytes()) == [], path
    assert unparsed(b"object A { def f(x: Int = x }") != []


def test_committed_verilog_is_compact() -> None:
    """An entry of a table takes no line of its own, and to say so changes nothing else."""
    emitted = (
        "generator\n    case(a)\n      2'h0 : begin\n        b = 3'h1;\n      end\n      default : begin\n      end\n"
    )
    assert jvm.compact(emitted) == "    case(a)\n      2'h0 : b = 3'h1;\n      default : begin\n      end\n"
    for path in (SPINAL / "verilog").glob("*.v"):
        assert jvm.compact(path.read_text()) == path.read_text().split("\n", 1)[1], path


def test_maven_and_sbt_pin_the_same() -> None:
    pom, sbt = (SPINAL / "pom.xml").read_text(), (SPINAL / "build.sbt").read_text()
    for name, pattern in (
        ("scala.version", r'scalaVersion := "([^"]+)"'),
        ("spinal.version", r'spinalVersion = "([^"]+)"'),
        ("scalatest.version", r'scalatestVersion = "([^"]+)"'),
    ):
        said = re.search(rf"<{name}>([^<]+)</{name}>", pom)
        other = re.search(pattern, sbt)
        assert said, name
        assert other, name
        assert said[1] == other[1], name


def test_reference_blocks_use_the_core_only() -> None:
    for path in (SPINAL / "src/main/scala/truemark/reference").glob("*.scala"):
        imports = re.findall(r"^import (.*)$", path.read_text(), re.MULTILINE)
        assert imports == ["spinal.core._"], path
        assert not re.search(r"\b(Mem|Reg|RegNext)\(", path.read_text()), f"{path} has a state"


@pytest.mark.slow
def test_jvm_part() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "sim.spinal.jvm"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if result.returncode == jvm.NOT_RUN:
        pytest.skip(result.stdout.strip())
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("switch", "code"), [("", jvm.NOT_RUN), *slow(("required", 1))])
def test_jvm_part_that_cannot_run_says_so(switch: str, code: int, tmp_path: Path) -> None:
    nowhere = os.environ | {"TRUEMARK_MAVEN": f"-o -Dmaven.repo.local={tmp_path}", "TRUEMARK_SPINAL": switch}
    result = subprocess.run(
        [sys.executable, "-m", "sim.spinal.jvm"], cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False
    )
    assert result.returncode == code
    assert result.stdout.startswith("SPINAL: NOT RUN: ")
