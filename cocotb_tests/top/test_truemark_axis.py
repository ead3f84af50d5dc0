# SPDX-License-Identifier: BSD-3-Clause
"""truemark_axis, and designs of Amaranth and LiteX with Truemark: each stream and the registers are joined right."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from cocotbext.truemark.source import start
from truemark.device import registers
from truemark_dev import axis
from truemark_dev.marks import slow
from truemark_dev.paths import BUILD, ROOT
from truemark_dev.runner import build_and_test
from truemark_dev.vocabulary import package, top

FRAMES = 40


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def each_stream_is_its_ports(dut: Any) -> None:
    """One stream for each line, AXI4-Lite and `tx_en_i` as the top has them.

    Stimulus: 40 frames of 60 to 600 bytes to random sets of lines while `tx_en_i` is 0; then the first queue of one
    line after the other may send; sinks pause at random; ID and TIME_STEP are read, TIME_STEP is written.
    Checks: a line sends nothing before its queue's bit is set, and then exactly its frames, in order, with their
    length in `tuser`; the registers answer.
    """
    rng, lines = random.Random(cocotb.RANDOM_SEED), len(dut.s_axis_tdest)
    queues = len(dut.tx_en_i) // lines
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    sinks = [AxiStreamSink(AxiStreamBus.from_prefix(dut, f"m{n:02}_axis"), dut.clk, dut.rst) for n in range(lines)]
    for sink in sinks:
        sink.set_pause_generator(iter(lambda: rng.random() < 0.3, None))
    host = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    dut.tx_en_i.value = 0
    await start(dut, clock="clk", reset="rst", cycles=2)
    assert (await host.read(registers.ID.address, 4)).data == b"KMRT"
    await host.write_dword(registers.TIME_STEP.address, 0x0312_3456)
    assert await host.read_dword(registers.TIME_STEP.address) == 0x0312_3456
    expected: list[list[bytes]] = [[] for _ in sinks]
    for _ in range(FRAMES):
        frame, chosen = rng.randbytes(rng.randrange(60, 600)), rng.randrange(1, 1 << lines)
        await source.send(AxiStreamFrame(frame, tdest=chosen, tuser=len(frame)))
        for line, frames in enumerate(expected):
            if chosen >> line & 1:
                frames.append(frame)
    await source.wait()
    for line, (sink, frames) in enumerate(zip(sinks, expected, strict=True)):
        await ClockCycles(dut.clk, 20)
        assert sink.empty()
        dut.tx_en_i.value = 1 << line * queues  # after a reset every frame goes to queue 0
        for frame in frames:
            sent = await sink.recv()
            assert bytes(sent.tdata) == frame
            assert set(sent.tuser if isinstance(sent.tuser, list) else [sent.tuser]) == {len(frame)}
    await ClockCycles(dut.clk, 200)
    assert all(sink.empty() for sink in sinks)


def written(name: str, text: str) -> Path:
    """Write a generated design where builds of it are kept."""
    path = BUILD / "designs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return path


@pytest.mark.parametrize(("lines", "queues"), [(1, 1), *slow((4, 1), (4, 4))])
def test_truemark_axis(lines: int, queues: int) -> None:
    source = ROOT / "rtl/truemark_axis.v" if lines == 4 else written("truemark_axis.v", axis.wrapper(lines))
    parameters = {"DATA_W": 64, "ROWS": 2048, "QUEUES": queues}
    build_and_test("truemark_axis", __name__, extra_sources=[source], parameters=parameters)


def test_amaranth() -> None:
    from cocotb_tests.top.designs import with_amaranth

    files = with_amaranth.files()
    (instance,) = re.findall(r"^  truemark #\((?:.*?)^  \);", files["with_amaranth.v"], re.MULTILINE | re.DOTALL)
    inputs = {each.name for each in top.read(package.read()).ports if each.direction == "input"}
    assert inputs <= set(re.findall(r"\.(\w+)\(", instance)), "an input of the RTL is left open"
    sources = [written(f"amaranth/{name}", text) for name, text in files.items()]
    build_and_test("with_amaranth", __name__, sources=sources, build_args=["-Wno-fatal"])


def test_litex() -> None:
    pytest.importorskip("litex", reason="LITEX: NOT RUN: litex is missing: pip install litex")
    from cocotb_tests.top.designs import with_litex

    files = with_litex.platform()
    sources = [*files.sources, written("with_litex.v", with_litex.verilog())]
    arguments = ["-Wno-fatal", *(f"+incdir+{path}" for path in files.include)]
    build_and_test("with_litex", __name__, sources=sources, build_args=arguments)
