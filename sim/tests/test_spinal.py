# SPDX-License-Identifier: BSD-3-Clause
"""The SpinalHDL side without a JVM: what is committed belongs together, and agrees with the SystemVerilog."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from truemark_dev.paths import ROOT

from sim.spinal import jvm, manifest, ports, scala_syntax

SPINAL = ROOT / "rtl" / "spinal"
DESCRIPTION = json.loads((SPINAL / "ports.json").read_text())


def instance(text: str) -> tuple[dict[str, int], dict[str, list[object]]]:
    """Return the parameters, and direction and width of each port, of the instance of truemark in emitted Verilog."""
    match = re.search(r"^  truemark #\((.*?)\n  \) \w+ \((.*?)\n  \);", text, re.MULTILINE | re.DOTALL)
    assert match, "no instance of truemark"
    parameters = {name: int(value) for name, value in re.findall(r"\.(\w+)\s*\((\d+)\s*\)", match[1])}
    directions = {"i": "input", "o": "output"}
    found = re.findall(r"\.(\w+)\s*\(\w+(?:\[(\d+):0\])?\s*\),? *//(\w)", match[2])
    return parameters, {name: [directions[way], int(high or 0) + 1] for name, high, way in found}


def faults(text: str) -> list[str]:
    """Return what an emitted instance has otherwise than the description."""
    parameters, found = instance(text)
    builds = [build for build in DESCRIPTION["builds"] if build["parameters"] == parameters]
    if not builds:
        return [f"no build of ports.json has the parameters {parameters}"]
    wanted = builds[0]["ports"]
    return [
        f"{name}: {found.get(name)} instead of {wanted.get(name)}"
        for name in sorted(wanted.keys() | found.keys())
        if wanted.get(name) != found.get(name)
    ]


def test_manifest_binds_verilog_to_scala() -> None:
    assert manifest.differences() == []


def test_manifest_breaks_where_a_hash_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = manifest.MANIFEST.read_text()
    first = next(line for line in text.splitlines() if not line.startswith("#"))
    changed = tmp_path / "MANIFEST"
    changed.write_text(text.replace(first, ("1" if first[0] == "0" else "0") + first[1:]))
    monkeypatch.setattr(manifest, "MANIFEST", changed)
    assert manifest.differences() == [f"{first.split()[1]} has changed"]


def test_description_is_fresh() -> None:
    assert ports.TARGET.read_text() == ports.describe(), "rtl/spinal/ports.json is stale: python -m sim.spinal.ports"


@pytest.mark.parametrize("number", range(len(ports.BUILDS)))
def test_blackbox_has_the_ports_of_the_rtl(number: int) -> None:
    text = (SPINAL / "verilog" / f"spinal_truemark_{number}.v").read_text()
    assert instance(text)[0] == DESCRIPTION["defaults"] | ports.BUILDS[number]
    assert faults(text) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("m_axis_tuser[84:0]", "m_axis_tuser[83:0]"),  # a width
        (".s_axil_wstrb    (", ".s_axil_strb     ("),  # a name
        ("m_axis_tready[4:0]             ), //i", "m_axis_tready[4:0]             ), //o"),  # a direction
        (".TUSER_W           (17  )", ".TUSER_W           (18  )"),  # a parameter
    ],
)
def test_a_wrong_blackbox_is_found(right: str, wrong: str) -> None:
    text = (SPINAL / "verilog" / "spinal_truemark_0.v").read_text()
    assert right in text
    assert faults(text.replace(right, wrong)) != []


def test_verdict_bundle_has_the_fields_of_the_event() -> None:
    names = {"class_id": "kind", "len": "length"}  # what Scala calls them
    text = (SPINAL / "src/main/scala/truemark/Verdict.scala").read_text()
    listed = re.findall(r"val (\w+) = (?:UInt\((\d+) bits\)|Bool\(\))", text)
    found = {name: int(width or 1) for name, width in reversed(listed)}
    wanted = {names.get(name, name): width for name, width in DESCRIPTION["event"].items()}
    assert list(found.items()) == list(wanted.items())
    assert f"val width: Int = {sum(wanted.values())}" in text


def test_every_scala_file_parses() -> None:
    assert len(scala_syntax.FILES) > 15
    for path in scala_syntax.FILES:
        assert scala_syntax.faults(path.read_bytes()) == [], path
    assert scala_syntax.faults(b"object A { def f(x: Int = x }") != []


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


def test_jvm_part() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "sim.spinal.jvm"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if result.returncode == jvm.NOT_RUN:
        pytest.skip(result.stdout.strip())
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("switch", "code"), [("", jvm.NOT_RUN), ("required", 1)])
def test_jvm_part_that_cannot_run_says_so(switch: str, code: int, tmp_path: Path) -> None:
    nowhere = os.environ | {"TRUEMARK_MAVEN": f"-o -Dmaven.repo.local={tmp_path}", "TRUEMARK_SPINAL": switch}
    result = subprocess.run(
        [sys.executable, "-m", "sim.spinal.jvm"], cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False
    )
    assert result.returncode == code
    assert result.stdout.startswith("SPINAL: NOT RUN: ")
