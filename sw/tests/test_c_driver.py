# SPDX-License-Identifier: BSD-3-Clause
"""The C driver: freestanding without a symbol from outside, and right on the golden model and on the Verilated RTL."""

from __future__ import annotations

import ctypes
import itertools
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from truemark.device.engine import EVERY_LAW
from truemark.device.registers import CAPABILITIES, Spacing
from truemark.errors import TruemarkError
from truemark.laws.slopes import BYTES_MAX, LINUX_SLOPE_MAX, ONE, linux_slope
from truemark_dev.vocabulary import package, registers

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "sw/c"
WITH_POOL = EVERY_LAW | CAPABILITIES["pool"].mask | CAPABILITIES["pfc"].mask
RTL_POOL = sum(CAPABILITIES[name].mask for name in ("flags_verdict", "red", "codel", "pool", "pfc"))  # of builds.toml
STRICT = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wpedantic")


def run(*command: str | Path) -> str:
    """Run a command; fail with what it said."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def compiler() -> str:
    """Return the C compiler."""
    return os.environ.get("CC", "gcc")


def test_freestanding_and_complete(tmp_path: Path) -> None:
    target = tmp_path / "driver.o"
    run(compiler(), *STRICT, "-ffreestanding", "-nostdinc", "-isystem", compiler_headers(), "-c", "-o", target,
        SOURCES / "truemark_driver.c")  # fmt: skip
    assert run("nm", "-u", target) == "", "the driver needs something from outside"
    assert run("nm", "--defined-only", "--format=just-symbols", target).count("truemark_") >= 18
    data = [line.split()[1] for line in run("nm", target).splitlines() if line.split()[1] in "BbDdC"]
    assert not [kind for kind in data if kind in "BbC"], "the driver keeps state of its own"


def compiler_headers() -> str:
    """Return the folder with the compiler's own headers, those that a freestanding program may use."""
    return run(compiler(), "-print-file-name=include").strip()


def test_example_for_bare_metal(tmp_path: Path) -> None:
    linked = tmp_path / "firmware.o"
    run(compiler(), *STRICT, "-ffreestanding", "-nostdlib", "-r", "-DTRUEMARK_BASE=0xA0000000", "-o", linked,
        SOURCES / "example.c", SOURCES / "truemark_driver.c")  # fmt: skip
    assert run("nm", "-u", linked) == "", "the bare-metal example needs a library"


def test_example_for_linux_finds_no_device_in_a_file(tmp_path: Path) -> None:
    program, window = tmp_path / "example", tmp_path / "window"
    run(compiler(), *STRICT, "-o", program, SOURCES / "example.c", SOURCES / "truemark_driver.c")
    window.write_bytes(bytes(8192))
    done = subprocess.run([program, window, "0x1000"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no Truemark at this address" in done.stderr
    assert window.read_bytes() == bytes(8192), "something was written to what is no Truemark"
    missing = subprocess.run([program, tmp_path / "none", "0"], capture_output=True, text=True, check=False)
    assert missing.returncode == 1
    assert "No such file" in missing.stderr


@pytest.mark.builds("engine:model")
@pytest.mark.parametrize(
    ("library", "full", "queues"),
    [
        ("truemark_model", 0, 0),
        ("truemark_model", WITH_POOL, 0),
        ("truemark_model", CAPABILITIES["mark_on_departure"].mask | CAPABILITIES["shaping"].mask, 4),
        pytest.param(
            *("truemark_rtl_shallow_flags", 0, 0),
            marks=[pytest.mark.slow, pytest.mark.builds("engine:rtl_shallow_flags")],
        ),
        pytest.param(
            *("truemark_rtl_pool", RTL_POOL, 0), marks=[pytest.mark.slow, pytest.mark.builds("engine:rtl_pool")]
        ),
    ],
)
def test_on_an_engine(tmp_path: Path, library: str, full: int, queues: int) -> None:
    folder = os.environ["TRUEMARK_LIB"]
    program = tmp_path / "check"
    sources = [SOURCES / "check_driver.c", SOURCES / "truemark_driver.c"]
    linked = [f"-L{folder}", f"-l{library}", f"-Wl,-rpath,{folder}"]
    walk = full != RTL_POOL
    given = [f"-DCHECK_FULL={full}", f"-DCHECK_QUEUES={queues}", f"-DCHECK_WALK={int(walk)}"]
    run(compiler(), *STRICT, *given, "-o", program, *sources, *linked)
    said = run(program)
    assert "mark" in said
    assert "each reported" in said
    assert ("there and back" in said) == walk
    assert ("queues a line: set, read back, in force" in said) == (queues > 0)
    assert ("5 frames of a line in turn" in said) == (queues > 0)
    for words, switch in (
        ("and one more at its rate", "shaping"),
        ("320 cells of the pool counted", "pool"),
        ("slopes of 4 bands accepted", "red"),
        ("curves as Linux counts accepted", "red_linux"),
    ):
        assert (words in said) == bool(full & CAPABILITIES[switch].mask)
    pkg = package.read()
    faults = next(enum for enum in registers.read(pkg).enums if enum.name == "fault").members
    assert texts(said, "fault") == [each.desc for each in faults] + ["unknown"]
    assert texts(said, "class") == [each.name for each in pkg.enum("class").members] + ["unknown"]
    print(said)


def test_a_curve_as_linux_counts_is_that_of_the_host_tool(tmp_path: Path) -> None:
    library = tmp_path / "driver.so"
    run(compiler(), *STRICT, "-shared", "-fPIC", "-o", library, SOURCES / "truemark_driver.c")
    members = re.search(
        r"typedef struct truemark_red \{(.*?)\}", (SOURCES / "truemark_config.h").read_text(), re.DOTALL
    )
    assert members
    types = {"bool": ctypes.c_bool, "uint32_t": ctypes.c_uint32}
    found = [(name, types[kind]) for kind, name in re.findall(r"^  (\w+) (\w+);", members[1], re.MULTILINE)]
    red = type("Red", (ctypes.Structure,), {"_fields_": found})()
    fill = ctypes.CDLL(str(library)).truemark_red_curve
    rng, steep = random.Random(1), 0
    for _ in range(5000):
        red.min, red.max = sorted(rng.randrange(1 << rng.randrange(1, 25)) for _ in range(2))
        red.maxp, red.spacing = rng.randint(1, 1 << rng.randrange(25)), Spacing.LINUX
        fill(ctypes.byref(red))
        try:
            expected = linux_slope(red.maxp, red.max - red.min) if red.max > red.min else (0, 0)
        except TruemarkError:
            steep += 1
            assert red.slope > LINUX_SLOPE_MAX, "the device refuses it"
        else:
            assert (red.slope, red.slope_scale) == expected
        assert (red.gentle_slope, red.gentle_scale, red.reciprocal) == (0, 0, 0)
    assert red.max <= BYTES_MAX
    assert red.maxp <= ONE
    assert steep > 50


def texts(said: str, what: str) -> list[str]:
    """Return the texts of codes 0 and up that the program told."""
    found = re.findall(rf"^{what} (\d+): (.*)$", said, re.MULTILINE)
    assert [int(code) for code, _ in found] == list(range(len(found)))
    return [text for _, text in found]


@pytest.mark.parametrize(("enum", "prefix"), [("class", "TM_"), ("outcome", "TM_"), ("departure", "TM_DEPART_")])
def test_codes_of_the_engines_are_those_of_the_package(enum: str, prefix: str) -> None:
    """truemark.h stands alone, so it has them a second time: all of them, but of outcomes those of an arrival."""
    told = re.findall(r"\b(TM_[A-Z0-9_]+) = (\d+)", (ROOT / "sim/engine/truemark.h").read_text())
    members = itertools.takewhile(lambda each: each.name != "departed", package.read().enum(enum).members)
    assert {f"{prefix}{each.name.upper()}": str(each.value) for each in members}.items() <= dict(told).items()
