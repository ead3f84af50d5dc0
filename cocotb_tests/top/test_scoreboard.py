# SPDX-License-Identifier: BSD-3-Clause
"""The scoreboard of cocotbext.truemark next to the design as it is, and next to designs with a fault.

sim/bench/scoreboard.py runs the same for longer (`make scoreboard`).
"""

from __future__ import annotations

import json
import os
import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.triggers import First
from cocotbext.truemark import Build, Device, Frame, MismatchError, RefusedError, Scoreboard
from cocotbext.truemark.registers import CAPABILITIES
from cocotbext.truemark.source import bursts, chance, random_gaps
from truemark_dev.build import make
from truemark_dev.marks import slow
from truemark_dev.mutants import Mutant
from truemark_dev.paths import BUILD, ROOT
from truemark_dev.runner import build_and_test
from truemark_dev.verilate import build

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.parse.vectors import random_frame

FRAMES = int(os.environ.get("FRAMES", "1200"))  # of a random run
FIGURES = "compared.json"  # what a random run compared
PHASE = 150  # frames between two configurations
SMALL = {"ROWS": 160, "DESCRIPTORS": 24, "MAX_FRAME": 1600}
CODEL = {"on": 1, "ecn": 1}
MUTANTS = {
    "k_below": "mark",
    "k_above": "mark",
    "reason": "drop reason",
    "order": "order",
    "counter": "counter",
    "payload": "payload",
    "port": "departure port",
}


def random_configuration(rng: random.Random, storage: int, laws: bool) -> dict[str, int | dict[str, int]]:
    """Return registers of a configuration, sometimes one that is refused."""
    limit = rng.choice((0, rng.randint(1, storage)))
    law = rng.choice((0, 1, 1, 2)) if laws else rng.choice((0, 1, 1))
    low, high = sorted((rng.randint(0, storage // 2), rng.randint(0, storage)))
    maxp = rng.randint(1, 1 << 23)
    control = {
        "enable": int(rng.random() > 0.05),
        "limit_bytes_on": int(limit > 0),
        "limit_packets_on": rng.getrandbits(1),
        "law0": law,
        "harddrop": int(rng.random() < 0.1),
        "noecn": int(rng.random() < 0.1),
    }
    words: dict[str, int | dict[str, int]] = {
        "CONTROL": control,
        "LIMIT_BYTES": limit,
        "LIMIT_PACKETS": rng.randint(1, 20),
        "K0": rng.randint(0, limit or storage // 2),
    }
    if law == 2:
        words |= {"RED0_MIN": low, "RED0_MAX": high, "RED0_MAXP": maxp}
        words |= {"RED0_SLOPE": min((maxp << 8) // max(1, high - low), 0xFFFFFFFF)}
    if laws:
        on = rng.random() < 0.3
        words |= {"CODEL_SETTINGS": CODEL if on else dict.fromkeys(CODEL, 0)}
        words |= {"TCN_THRESHOLD": rng.choice((0, rng.randint(1, 3000)))}
        words |= {"CODEL_TARGET": rng.randint(0, 3), "CODEL_INTERVAL": rng.randint(1, 20)}
    return words


def random_queues(rng: random.Random, queues: int) -> dict[str, int | dict[str, int]]:
    """Return the registers that say which queue of its line takes a frame, and when it sends."""

    def table(entries: int) -> int:
        return sum(rng.randrange(queues) << 3 * entry for entry in range(entries))

    return {
        "QUEUE_SETTINGS": {"mode": rng.randrange(5), "default_queue": rng.randrange(queues)},
        **{f"QUEUE_DSCP{eight}": table(8) for eight in range(8)},
        "QUEUE_PCP": table(8),
        "QUEUE_ECN": table(4),
        "QUEUE_CLASS": table(7),
        "QUEUE_CLASS_ECE": table(7),
        "QUEUE_SCHEDULE": {"shares": int(rng.random() < 0.7), "quantum": rng.choice((100, 700, 1600, 9000))},
    }


def some_frame(rng: random.Random, ports: int, beat: int) -> Frame:
    """Return a frame, wrong now and then."""
    data = random_frame(rng)[:1600]
    if rng.random() < 0.8:
        data = data[: rng.randint(60, 300)]
    match rng.randrange(60):
        case 0:
            return Frame(data, rng.randrange(1 << ports), error=True)
        case 1:
            return Frame(data, rng.randrange(1 << ports), promised=rng.randint(1, 1700))
        case 2:
            return Frame(data, rng.randrange(1 << ports), keep={rng.randrange(-(-len(data) // beat)): 5})
    return Frame(data, rng.randrange(1, 1 << ports))


@cocotb.test()
async def refuses_what_it_cannot_follow(dut: Any) -> None:
    """Builds given by hand, each wrong in what the pins show; no build; a pin that nobody drives.

    Stimulus: none.
    Checks: the error names what is wrong and what the pins are.
    """
    queues = len(dut.tx_en_i) // len(dut.s_axis_tdest)
    build = Build(len(dut.tx_en_i), len(dut.s_axis_tdata), 100, 100, 1518, 0, queues)
    for name, value in (("ports", 40), ("data_w", 2048), ("queues", 0)):
        with pytest.raises(ValueError, match=f"^Build: {name} = {value}, but the pins of .* ports = {build.ports}, "):
            Scoreboard(dut, replace(build, **{name: value}))
    with pytest.raises(ValueError, match="a build with POOL cannot be followed"):
        Scoreboard(dut, replace(build, capabilities=CAPABILITIES["pool"].put(1)))
    with pytest.raises(ValueError, match="is a handle, whose Build must be given"):
        Scoreboard(dut)
    scoreboard = Scoreboard(dut, build)
    scoreboard._reset.text, scoreboard._tx_en.text = "0", "X" * build.ports
    with pytest.raises(ValueError, match=r"^Scoreboard: tx_en_i is X+$"):
        scoreboard._sample()


@cocotb.test()
async def no_false_alarm(dut: Any) -> None:
    """The design as it is.

    Stimulus: random frames, sound and wrong, to random lines with random gaps and ready; configurations, flushes and
    resets of the laws while they come; where lines have several queues, tables and turns as well.
    Checks: the scoreboard finds nothing, and has compared what it says.
    """
    rng, coverage = randomness("scoreboard"), Coverage("scoreboard")
    device = Device(dut)
    scoreboard = Scoreboard(device)
    await device.start()
    assert device.build is not None
    storage = device.build.rows * device.build.data_w // 8
    laws, ports, queues = device.build.has("red"), device.ports, device.build.queues
    lines = ports // queues
    device.source.gaps = random_gaps(rng, 0.3)
    for start in range(0, FRAMES, PHASE):
        for line in range(lines):
            device.sinks.ready[line] = rng.choice((bursts(rng), chance(rng, rng.choice((0.05, 0.3, 1)))))
        for port in range(ports):
            with suppress(RefusedError):
                words = random_queues(rng, queues) if queues > 1 else {}
                await device.configure(port, **random_configuration(rng, storage, laws), **words)
        frames = [some_frame(rng, lines, device.build.data_w // 8) for _ in range(min(PHASE, FRAMES - start))]
        device.source.put(*frames[: PHASE // 2])
        if rng.random() < 0.5:
            await device.command(rng.randrange(ports), **{rng.choice(("flush", "soft_reset")): 1})
            coverage.hit("flush")
        await device.source.send(*frames[PHASE // 2 :])
        if rng.random() < 0.7:
            await device.snapshot()
            for code in rng.sample(range(14), 4):
                await device.total(rng.randrange(ports), code)
            coverage.hit("snapshot under load")
    for line in range(lines):
        device.sinks.ready[line] = chance(rng, 1)
    with pytest.raises(ValueError, match="K0 is 0x1000000, but its bits are those of 0xffffff"):
        await device.configure(0, LIMIT_BYTES=100, K0=1 << 24)
    with pytest.raises(ValueError, match="there is no register K2"):
        await device.configure(0, K2=1)
    with pytest.raises(RefusedError, match="k0"):
        await device.configure(0, LIMIT_BYTES=100, K0=200, CONTROL={"limit_bytes_on": 1, "law0": 1})
    await scoreboard.finish()
    coverage.hits["departures"] = scoreboard.departures
    coverage.hits["reads"] = scoreboard.reads
    assert scoreboard.frames == FRAMES
    Path(FIGURES).write_text(json.dumps({"frames": FRAMES, **coverage.hits}))
    coverage.check({"flush": 1, "snapshot under load": 1, "departures": FRAMES // 4, "reads": 150})


@cocotb.test(skip=True)
async def finds_the_fault(dut: Any) -> None:
    """A design with a fault.

    Stimulus: frames of 60 to 200 bytes to two ports, held and let go, thresholds and limits that they meet exactly.
    Checks: the scoreboard stops it with the kind, the frame and the state that belong to the fault, or nothing without.
    """
    kind = os.environ.get("KIND", "")
    rng = randomness("mutants")
    device = Device(dut)
    scoreboard = Scoreboard(device)
    sent: list[bytes] = []

    async def send(*frames: Frame) -> None:
        sent.extend(bytes(frame.data) for frame in frames)
        await device.source.send(*frames)

    async def traffic() -> None:
        await device.start()
        for port, k in ((0, 500), (1, 499)):
            control = {"law0": 1, "limit_bytes_on": 1}
            await device.configure(port, CONTROL=control, LIMIT_BYTES=1500, K0=k)
        for _ in range(10):
            device.tx_en()
            frames = [bytearray(rng.randbytes(100)) for _ in range(18)]
            for frame in frames:
                frame[12:24] = bytes.fromhex("0800450200560000000040fd")  # IPv4, ECT(0), no TCP
            await send(*(Frame(bytes(frame), 3) for frame in frames))
            device.tx_en(0, 1)
            await send(*(Frame(rng.randbytes(length), rng.randint(1, 2)) for length in (90, 150, 90, 61)))
            await device.cycles(1500)
            await send(Frame(rng.randbytes(90), 1), Frame(rng.randbytes(61), 3))
            await device.cycles(100)
        await scoreboard.finish()

    driving = cocotb.start_soon(traffic())
    found = None
    try:
        await First(scoreboard.task, driving)
    except MismatchError as error:
        driving.cancel()
        print(error)
        found = error
    assert (found.kind if found else "") == kind, found
    if found:
        assert found.data == sent[found.frame - 1]
        assert "holds" in found.state


def scoreboard_library() -> dict[str, str]:
    """Return the environment that names the golden model's library."""
    return {"TRUEMARK_SCOREBOARD": str(make("scoreboard", quiet=True)[0])}


def mutated() -> list[Path]:
    """Return sources in which an argument of the simulation chooses one of the faults."""
    asked = '($test$plusargs("{}") != 0)'.format
    held = (ROOT / "cocotb_tests/top/overtaking.svh").read_text().replace("ASKED", asked("order"))
    faults = {
        "law/step/tm_step.sv": [
            ("wide_t'(k_i)", f"wide_t'(k_i + W'({asked('k_above')}))"),
            ("wide_t'(bytes_i)", f"wide_t'(bytes_i + W'({asked('k_below')}))"),
        ],
        "admit/tm_verdict.sv": [("return TailBytes", f"return {asked('reason')} ? TailPackets : TailBytes")],
        "control/counters/tm_tally.sv": [
            ("PACKETS_W'(packets_q)", f"PACKETS_W'(packets_q) + PACKETS_W'({asked('counter')})")
        ],
        "truemark.sv": [
            ("  tm_core #(\n", f"{held}\n  tm_core #(\n"),
            (".m_data_o  (m_axis_tdata)", ".m_data_o  (core_data)"),
            (".s_valid_i   (s_axis_tvalid && s_axis_tready)", ".s_valid_i   (in_q.valid)"),
            (".s_data_i    (s_axis_tdata)", ".s_data_i    (in_q.data)"),
            (".s_keep_i    (s_axis_tkeep)", ".s_keep_i    (in_q.keep)"),
            (".s_last_i    (s_axis_tlast)", ".s_last_i    (in_q.last)"),
            (".s_len_i     (s_axis_tuser[15:0])", ".s_len_i     (in_q.user[15:0])"),
            (
                ".s_dest_i    (s_axis_tdest)",
                f".s_dest_i    ({asked('port')} && in_q.user[15:0] == 90 ? ~in_q.dest : in_q.dest)",
            ),
            (
                "  tm_core #(\n",
                f"  assign m_axis_tdata = core_data ^ 128'({{{asked('payload')} && m_axis_tlast[0], 3'b0}});\n"
                "  tm_core #(\n",
            ),
        ],
    }
    written = []
    for file, changes in faults.items():
        text = (ROOT / "rtl" / file).read_text()
        for right, wrong in changes:
            text = Mutant(file, right, wrong).broken(text)
        path = BUILD / "scoreboard-faults" / Path(file).name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        written.append(path)
    return written


def parameters(ports: int, width: int, queues: int = 1) -> dict[str, int]:
    """Return those of a random run: a small storage; several ports have every law."""
    laws = {"FLAGS_VERDICT": 1, "RED": 1, "CODEL": 1, "TCN": 1} if ports > 1 and queues == 1 else {}
    lines = {"QUEUES": queues, "FLAGS_VERDICT": 1} if queues > 1 else {}
    return {"PORTS": ports, "DATA_W": width, **SMALL, "ROWS": 160 if width == 512 else 600, **laws, **lines}


def folder(*build_of: int) -> Path:
    """Return the folder of the build of a random run."""
    return build("truemark", parameters=parameters(*build_of))


def run(*build_of: int, frames: int = FRAMES) -> Path:
    """Run it; return its folder."""
    return build_and_test(
        "truemark",
        __name__,
        parameters=parameters(*build_of),
        extra_env={"FRAMES": str(frames), **scoreboard_library()},
        testcase="no_false_alarm",
    )


@pytest.mark.parametrize(("ports", "width", "queues"), [(1, 64, 1), *slow((2, 512, 1), (4, 256, 2))])
def test_no_false_alarm(ports: int, width: int, queues: int) -> None:
    run(ports, width, queues)


@pytest.mark.parametrize(("fault", "kind"), [("none", ""), *MUTANTS.items()])
def test_finds(fault: str, kind: str) -> None:
    build_and_test(
        "truemark",
        __name__,
        parameters={"PORTS": 2, "DATA_W": 64, **SMALL, "ROWS": 600, "DESCRIPTORS": 60},
        extra_sources=mutated(),
        testcase="finds_the_fault",
        test_args=[f"+{fault}"],
        extra_env={"KIND": kind, **scoreboard_library()},
        build_args=["-Wno-BLKSEQ", "-Wno-WIDTH", "-Wno-REDEFMACRO"],
    )
