# SPDX-License-Identifier: BSD-3-Clause
"""Swapping the drop-in into a NetFPGA tree and out of it, on trees that have only what the swap looks at."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from constraints.netfpga import swap

from truemark_dev import build_type
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

OLD_MODULE = "module output_queues(input axis_aclk);\nendmodule\n"
SCRIPT = "create_ip -name output_queues -vendor NetFPGA -library NetFPGA -module_name output_queues_ip\r\n# \xe9\n"
BOARDS = (("sume", 0), ("au280", 1), ("vcu1525", 1))


def tree(path: Path, family: swap.Family, module: str = OLD_MODULE) -> dict[str, bytes]:
    """Lay a tree; return its files."""
    core = path / family.cores / "output_queues_v1_0_0/hdl"
    core.mkdir(parents=True)
    (core / "output_queues.v").write_text(module)
    line = family.make_line.format("output_queues_v1_0_0")
    (path / "Makefile").write_text(f"cores:\n\t{line}\n\techo done\n")
    for name in ("reference_switch", "mine"):
        script = path / family.projects[0] / name / "hw/tcl" / f"{name}.tcl"
        script.parent.mkdir(parents=True)
        script.write_bytes((SCRIPT if name == "reference_switch" else "create_ip -name other\n").encode("latin-1"))
    return contents(path)


def contents(path: Path) -> dict[str, bytes]:
    """Return every file under a folder."""
    return {str(each.relative_to(path)): each.read_bytes() for each in path.rglob("*") if each.is_file()}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the test's module one whose version is known."""
    for family in swap.FAMILIES:
        monkeypatch.setitem(family.versions, swap.fingerprint(OLD_MODULE), "the test's")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("board", "index"), BOARDS)
def test_swap_and_undo(tmp_path: Path, board: str, index: int) -> None:
    family = swap.FAMILIES[index]
    before = tree(tmp_path, family)
    said = swap.swap(tmp_path, board)
    after = contents(tmp_path)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"Makefile", f"{family.projects[0]}/reference_switch/hw/tcl/reference_switch.tcl"}
    assert all(any(name in line for line in said) for name in changed)
    core = tmp_path / family.cores / swap.CORE
    listed = (core / "hdl/files.f").read_text().split()
    assert listed == [path.name for path in file_list(ROOT / family.listing)]
    assert listed[-1] == "output_queues.sv"
    assert all((core / "hdl" / name).is_file() for name in listed)
    assert f"{swap.CORE}/" in (tmp_path / "Makefile").read_text()
    with pytest.raises(swap.SwapError, match="is there already"):
        swap.swap(tmp_path, board)
    swap.undo(tmp_path)
    assert contents(tmp_path) == before
    assert not core.exists()
    with pytest.raises(swap.SwapError, match="not in this tree"):
        swap.undo(tmp_path)


@pytest.mark.usefixtures("known")
def test_what_is_refused_touches_nothing(tmp_path: Path) -> None:
    with pytest.raises(swap.SwapError, match="no NetFPGA tree"):
        swap.swap(tmp_path, "sume")
    before = tree(tmp_path, swap.FAMILIES[0])
    with pytest.raises(swap.SwapError, match="its boards are sume"):
        swap.swap(tmp_path, "au280")
    (tmp_path / "Makefile").write_text("cores:\n")
    with pytest.raises(swap.SwapError, match="0 times"):
        swap.swap(tmp_path, "sume")
    (tmp_path / "Makefile").write_bytes(before["Makefile"])
    assert contents(tmp_path) == before


@pytest.mark.parametrize("family", swap.FAMILIES, ids=lambda family: family.name)
def test_ports_of_an_unknown_version_are_compared(tmp_path: Path, family: swap.Family) -> None:
    ours = ((ROOT / family.listing).with_suffix("") / "output_queues.sv").read_text()
    wider = ours.replace("[        NUM_QUEUES-1:0] pkt_stored", "[        NUM_QUEUES:0] pkt_stored")
    assert wider != ours
    tree(tmp_path, family, module=ours.replace(" logic ", "  "))
    board = next(iter(family.parts))
    with pytest.raises(swap.SwapError, match="have the ports of Truemark's: FORCE=1 puts it in"):
        swap.swap(tmp_path, board)
    (tmp_path / family.cores / "output_queues_v1_0_0/hdl/output_queues.v").write_text(wider)
    with pytest.raises(swap.SwapError, match=r"stored is output \[NUM_QUEUES:0\], Truemark's output \[NUM_QUEUES-1"):
        swap.swap(tmp_path, board)


def test_an_unknown_version_needs_force(tmp_path: Path) -> None:
    before = tree(tmp_path, swap.FAMILIES[1], module="module output_queues(input other);\nendmodule\n")
    with pytest.raises(swap.SwapError, match=r"unknown version\. Their ports are others \(other is only in the"):
        swap.swap(tmp_path, "au250")
    assert contents(tmp_path) == before
    assert "unknown version" in swap.swap(tmp_path, "au250", force=True)[0]


@pytest.mark.usefixtures("known")
def test_an_edited_file_is_not_overwritten(tmp_path: Path) -> None:
    tree(tmp_path, swap.FAMILIES[1])
    swap.swap(tmp_path, "au200")
    (tmp_path / "Makefile").write_text((tmp_path / "Makefile").read_text() + "# mine\n")
    edited = contents(tmp_path)
    with pytest.raises(swap.SwapError, match="edited since the swap, nothing was undone: Makefile"):
        swap.undo(tmp_path)
    assert contents(tmp_path) == edited


@pytest.mark.usefixtures("known")
def test_a_swap_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(tmp_path, swap.FAMILIES[0])
    for broken in ("store", "lay"):
        with monkeypatch.context() as patch:
            patch.setattr(swap, broken, full(tmp_path / "Makefile", getattr(swap, broken)))
            with pytest.raises(OSError, match="No space left"):
                swap.swap(tmp_path, "sume")
        assert contents(tmp_path) == before
    assert not (tmp_path / swap.FAMILIES[0].cores / swap.CORE).exists()


@pytest.mark.usefixtures("known")
def test_a_swap_that_was_cut_off_can_be_undone(tmp_path: Path) -> None:
    before = tree(tmp_path, swap.FAMILIES[0])
    swap.swap(tmp_path, "sume")
    (tmp_path / "Makefile").write_bytes(before["Makefile"])  # as if it had ended here
    swap.undo(tmp_path)
    assert contents(tmp_path) == before


def full(spared: Path, write: Callable[..., None]) -> Callable[..., None]:
    """Return a function that writes a file that is spared, and of others finds the disk full."""

    def written(path: Path, *rest: object) -> None:
        if path != spared:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, *rest)

    return written


def test_a_comment_is_no_new_version() -> None:
    assert swap.fingerprint("/* a\nb */ module  x; // y\n") == swap.fingerprint("module x;")
    assert swap.fingerprint("module x;") != swap.fingerprint("module y;")


@pytest.mark.parametrize("family", swap.FAMILIES, ids=lambda family: family.name)
def test_every_switch_of_the_core_reaches_the_boards(family: swap.Family) -> None:
    core = [field.name for field in build_type.fields()]
    handed = re.findall(r"\.(\w+)\(BUILD\.(\w+)\)", (ROOT / "rtl/tm_build_of.svh").read_text())
    assert handed == [(name, name.lower()) for name in core]
    # NetFPGA has words of its own for these three.
    assert swap.own_parameters(family) == [name for name in core if name not in ("PORTS", "DATA_W", "TUSER_W")]
    wrapper = ((ROOT / family.listing).with_suffix("") / "output_queues.sv").read_text()
    assert re.search(r"tm_netfpga_dropin #\(\s*\.BUILD +\((sized\()?BUILD\)", wrapper)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["REDD=1"], "no parameter 'REDD'; there are ROWS, DESCRIPTORS, ULTRA"),
        (["NUM_QUEUES=4"], "no parameter 'NUM_QUEUES'"),
        (["RED"], "write RED=number"),
        (["RED=yes"], "write RED=number"),
    ],
)
def test_parameters_that_are_none(tmp_path: Path, words: list[str], says: str) -> None:
    before = tree(tmp_path, swap.FAMILIES[1])
    with pytest.raises(swap.SwapError, match=says):
        swap.swap(tmp_path, "au280", words)
    assert contents(tmp_path) == before
