# SPDX-License-Identifier: BSD-3-Clause
"""`truemark tc` next to the real tc: what each makes of a line, refuses, and prints.

A preloaded library hears tc's messages in the kernel's place (tc_without_a_kernel.cpp): most kernels of CI machines
have no red and no codel, and no machine's own interface is touched.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sw.tests.frames import NOT_ECT, Command, tcp_frame
from sw.tests.test_transport import served

from truemark.device import tc_show
from truemark.device.device import Count, Device, Snapshot
from truemark.device.engine import Engine, open_engine
from truemark.errors import TruemarkError
from truemark.laws import policies, tc_red
from truemark.laws.law import Limits
from truemark.plan import tc_tbf

pytestmark = pytest.mark.builds("engine:model")

NEWQDISC, DONE = 36, 3
HEAD, TCMSG, ATTRIBUTE = struct.Struct("=IHHII"), struct.Struct("=BxxxiIII"), struct.Struct("=HH")
KIND, OPTIONS, STATS2, ROOT = 1, 2, 7, 0xFFFF_FFFF
BASIC, QUEUE, APP = 1, 3, 4
RED = struct.Struct("=IIIBBBB")
RED_PARMS, RED_MAX_P, RED_FLAGS = 1, 3, 4
TBF_PARMS, TBF_RATE64, TBF_BURST = 1, 4, 6
FLAGS = {"ecn": 1, "harddrop": 2, "adaptive": 4, "nodrop": 8}
CODEL = {"target": 1, "limit": 2, "interval": 3, "ecn": 4, "ce_threshold": 5}
COUNTED = {
    "red": ("early", "pdrop", "other", "marked"),
    "codel": (
        *("maxpacket", "count", "lastcount", "ldelay", "drop_next"),
        *("drop_overlimit", "ecn_mark", "dropping", "ce_mark"),
    ),
}
KERNEL_S_OWN = {"count", "lastcount", "ldelay", "dropping", "drop_next", "maxpacket", "ce_mark"}  # a port has none

Tc = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def tc(tmp_path_factory: pytest.TempPathFactory) -> Tc:
    """tc, in a folder in which `sent` is what it sent last and `answer` what it is to hear."""
    program = shutil.which("tc", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if program is None:
        assert os.environ.get("TRUEMARK_TC") != "required", "tc is missing: apt-get install iproute2"
        pytest.skip("TC: NOT RUN: tc is missing: apt-get install iproute2")
    folder = tmp_path_factory.mktemp("tc")
    source, library = Path(__file__).with_name("tc_without_a_kernel.cpp"), folder / "library.so"
    subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    variables = {"LD_PRELOAD": library, "TC_SENT": folder / "sent", "TC_ANSWER": folder / "answer"}

    def run(*words: str, answer: bytes = b"") -> subprocess.CompletedProcess[str]:
        (folder / "answer").write_bytes(answer)
        (folder / "sent").unlink(missing_ok=True)
        command: list[str] = [program, *words]
        outside = os.environ | {name: str(value) for name, value in variables.items()}
        done = subprocess.run(command, env=outside, capture_output=True, text=True, check=False)
        done.args = (folder / "sent").read_bytes() if (folder / "sent").exists() else b""
        return done

    return run


def attribute(number: int, content: bytes) -> bytes:
    """Return a netlink attribute, padded."""
    return ATTRIBUTE.pack(4 + len(content), number) + content + bytes(-len(content) % 4)


def attributes(data: bytes) -> dict[int, bytes]:
    """Attributes by number."""
    found, at = {}, 0
    while at < len(data):
        length, number = ATTRIBUTE.unpack_from(data, at)
        found[number & 0x3FFF] = data[at + 4 : at + length]
        at += length + 3 & ~3
    return found


def sent_red(message: bytes) -> dict[str, Any]:
    """Return what tc told the kernel of red."""
    options = attributes(attributes(message[HEAD.size + TCMSG.size :])[OPTIONS])
    limit, low, high, wlog, plog, cell, _ = RED.unpack(options[RED_PARMS])
    (max_p,), (flags, _) = struct.unpack("=I", options[RED_MAX_P]), struct.unpack("=II", options[RED_FLAGS])
    named = frozenset(name for name, bit in FLAGS.items() if flags & bit)
    return {
        "limit": limit,
        "min": low,
        "max": high,
        "wlog": wlog,
        "plog": plog,
        "cell_log": cell,
        "max_p": max_p,
        "flags": named,
    }


def answer(shown: list[dict[str, Any]]) -> bytes:
    """Return what a kernel would tell tc of qdiscs that are as these objects say, on the interface lo."""
    messages = b""
    for each in shown:
        kind, options = each["kind"], each["options"]
        if kind == "red":
            flags = sum(bit for name, bit in FLAGS.items() if options[name])
            log = (options["ewma"], 0, options["Scell_log"], flags & 7)
            told = attribute(RED_PARMS, RED.pack(options["limit"], options["min"], options["max"], *log))
            told += attribute(RED_MAX_P, struct.pack("=I", round(options["probability"] * 2**32)))
            told += attribute(RED_FLAGS, struct.pack("=II", flags, 15))
        elif kind == "codel":
            words = {name: int(value) for name, value in options.items()}
            told = b"".join(attribute(CODEL[name], struct.pack("=I", value)) for name, value in words.items())
        else:
            told = struct.pack("=I", options["limit"])
        counted = [each.get(name, 0) for name in COUNTED.get(kind, ())]
        stats = attribute(BASIC, struct.pack("=QI4x", each["bytes"], each["packets"]))
        queue = ("qlen", "backlog", "drops", "requeues", "overlimits")
        stats += attribute(QUEUE, struct.pack("=5I", *(each[name] for name in queue)))
        if counted:
            stats += attribute(APP, struct.pack(f"={len(counted)}I", *counted))
        told = attribute(KIND, f"{kind}\0".encode()) + attribute(OPTIONS, told) + attribute(STATS2, stats)
        message = TCMSG.pack(0, 1, int(each["handle"][:-1], 16) << 16, ROOT, each["refcnt"]) + told
        messages += HEAD.pack(HEAD.size + len(message), NEWQDISC, 2, 0, 0) + message
    return messages + HEAD.pack(HEAD.size + 4, DONE, 2, 0, 0) + bytes(4)


def before(version: tuple[int, int], tc: Tc) -> bool:
    """Whether this tc is older than a release."""
    found = re.search(r"iproute2-(\d+)\.(\d+)", tc("-V").stdout)
    assert found
    return (int(found[1]), int(found[2])) < version


def random_red(rng: random.Random) -> list[str]:
    """Words after `red`, as a person might choose them; not all are possible."""
    low = rng.randint(1, 300_000)
    high = rng.choice((low, 2 * low, 3 * low, low + rng.randint(0, 10_000), low - rng.randint(0, 10)))
    packet = rng.choice((64, 500, 1000, 1500, 9000))
    words = ["limit", rng.choice((f"{4 * high}", "1M", "2M", "300K")), "avpkt", str(packet)]
    words += ["min", str(low)] if rng.random() < 0.9 else []
    words += ["max", rng.choice((str(high), f"{max(1, high // 1024)}K"))] if rng.random() < 0.9 else []
    words += ["burst", str(low // packet + rng.randint(0, 300))] if rng.random() < 0.9 else []
    words += ["probability", rng.choice(("0.02", "0.1", "1", "1e-3", "0.999999"))] if rng.random() < 0.8 else []
    rate = rng.choice(("10mbit", "1gbit", "10gbit", "1.5gbit", "25gibit", "100kbps", "34gbit"))
    words += ["bandwidth", rate] if rng.random() < 0.9 else []
    return [*words, *rng.choice(([], ["ecn"], ["ecn", "nodrop"], ["harddrop"], ["adaptive", "ecn"]))]


def test_tc_s_constants_of_red_are_ours(tc: Tc) -> None:
    """Of 300 random lines tc and we refuse the same ones, and work out the same W, Plog, cell, MAX_P and flags."""
    rng, old, compared = random.Random(19), before((6, 15), tc), 0
    steep = "limit 30000000 min 1000 max 16001000 avpkt 1000 burst 1 bandwidth 10gbit probability"
    given = [f"{steep} {each}".split() for each in ("0.005", "0.0075", "0.008")]  # 32 bits, 31, 31
    for words in given + [random_red(rng) for _ in range(300)]:
        done = tc("qdisc", "replace", "dev", "lo", "root", "red", *words)
        refused = ""
        try:
            options = tc_red.parse(words)
            found = tc_red.constants(options, old)
        except TruemarkError as error:
            refused = str(error)
        if refused:  # what the kernel would answer to this, tc does not know; the rest it refuses in the same words
            assert "the kernel's 32 bits" in refused or refused.split(":")[0] in done.stderr, (words, refused)
            continue
        assert done.args, (words, done.stderr)
        ours = {name: getattr(options, name) for name in ("limit", "min", "max", "flags")}
        ours |= {name: getattr(found, name) for name in ("wlog", "plog", "cell_log", "max_p")}
        assert sent_red(done.args) == ours, words
        compared += 1
    assert compared > 150


@pytest.mark.parametrize(
    "line",
    [
        "red limit 1M min 30000 max 60000 burst 1 avpkt 1500",
        "red limit 1M min 30000 max 20000 burst 55 avpkt 1000",
        "red limit 1M min 30000",
        "red limit",
        "red limit x avpkt 1000",
        "red limit 100000 avpkt 1000 burst x",
        "red limit 100000 avpkt 1000 burst 4294967296",
        "red limit 4G avpkt 1000",
        "red limit 100000 avpkt 1000 probability x",
        "red limit 100000 avpkt 1000 bandwidth x",
        "red limit 100000 avpkt 1000 quantum 3",
        "codel target 5mm",
        "codel limit 10k",
        "codel quantum 3",
        "codel target",
        "tbf rate 1gbit limit 1M",
        "tbf rate 1gbit burst",
        "tbf rate 1furlong burst 20kb",
        "tbf rate 1gbit burst lots",
        "tbf burst 20kb limit 1M",
        "tbf rate 1gbit burst 20kb rate 2gbit limit 1M",
        "tbf rate 1gbit burst 20kb buffer 20kb limit 1M",
        "tbf rate 1gbit burst 20kb latency 5ms ecn",
    ],
)
def test_refusals_are_in_tc_s_words(tc: Tc, command: Command, line: str) -> None:
    done = tc("qdisc", "replace", "dev", "lo", "root", *line.split())
    assert (done.returncode != 0, done.args) == (True, b"")
    code, _, error = command("tc", f"qdisc replace dev tm0 root {line}")
    assert code == 1
    told = re.sub(r"^(RED: |tc_red_eval_ewma\(\) )", "", done.stderr.replace("RED: set bandwidth to 10Mbit\n", ""))
    words = re.split(r"[.\n]| Try option", told)[0]
    assert len(words) > 8
    assert words in error


@pytest.mark.parametrize("rate", ["1gbit", "1.5gbit", "100mbit", "25gibit", "100kbps", "100gbit", "1234567kbit"])
@pytest.mark.parametrize("burst", ["10kb", "20000", "1M", "64K/8"])
def test_what_tc_tells_the_kernel_of_tbf_is_ours(tc: Tc, rate: str, burst: str) -> None:
    """It keeps bytes/s, in 64 bits where 32 do not do."""
    words = ["rate", rate, "burst", burst, "limit", "1M"]
    done = tc("qdisc", "replace", "dev", "lo", "root", "tbf", *words)
    options = attributes(attributes(done.args[HEAD.size + TCMSG.size :])[OPTIONS])
    (narrow,) = struct.unpack_from("=8xI", options[TBF_PARMS])
    (wide,) = struct.unpack("=Q", options[TBF_RATE64]) if TBF_RATE64 in options else (narrow,)
    found, _ = tc_tbf.shape(words)
    assert (found.rate // 8, found.burst) == (wide, *struct.unpack("=I", options[TBF_BURST]))


@pytest.mark.parametrize(
    "rate", ["1gbit", "1.5gbit", "100mbit", "25gibit", "100kbps", "100gbit", "8000bit", "1234kbit"]
)
def test_tbf_is_shown_as_tc_shows_it(tc: Tc, rate: str) -> None:
    """Key by key, without `lat`: a tbf here has no queue. A rate that tc would cut short is printed in full."""
    done = tc("qdisc", "replace", "dev", "lo", "root", "tbf", "rate", rate, "burst", "20480", "limit", "1M")
    told = attributes(done.args[HEAD.size + TCMSG.size :])[OPTIONS]
    counted = attribute(BASIC, struct.pack("=QI4x", 0, 0)) + attribute(QUEUE, bytes(20))
    told = attribute(KIND, b"tbf\0") + attribute(OPTIONS, told) + attribute(STATS2, counted)
    message = TCMSG.pack(0, 1, 1 << 16, ROOT, 2) + told
    heard = HEAD.pack(HEAD.size + len(message), NEWQDISC, 2, 0, 0) + message
    heard += HEAD.pack(HEAD.size + 4, DONE, 2, 0, 0) + bytes(4)
    (theirs,) = json.loads(tc("-s", "-j", "qdisc", "show", answer=heard).stdout)
    shape, _ = tc_tbf.shape(["rate", rate, "burst", "20480"])
    held = policies.settings("droptail").with_rate(shape, 1)
    ours, below = tc_show.qdiscs(held, Snapshot(0, 0, Count(), {}, [], Count(), 0, 0), Limits(9000, 9))
    assert list(ours) == list(theirs)
    assert list(ours["options"]) == [name for name in theirs["options"] if name != "lat"]
    assert ours["options"]["rate"] == theirs["options"]["rate"]
    assert (below["kind"], below["parent"]) == ("bfifo", "1:1")
    printed = re.search(r" rate (\S+) ", tc("-s", "qdisc", "show", answer=heard).stdout)
    assert printed
    wanted = "26843546Kbit" if rate == "25gibit" else printed[1]
    assert f" root refcnt 2 rate {wanted} burst 20Kb " in tc_show.text(ours)


@pytest.fixture
def model() -> Iterator[Engine]:
    """Yield the golden model with every law."""
    with open_engine("model") as engine:
        yield engine


def test_what_is_shown_is_what_tc_shows_key_by_key(tc: Tc, command: Command, model: Engine) -> None:
    """The same red, codel and fifos, with the same counters, printed by tc: as JSON and as text, and read back."""
    with served(model) as address:
        for line in (
            "dev tm0 root red limit 300K min 3000 max 9000 avpkt 1000 burst 5 probability 0.02 bandwidth 10gbit ecn",
            "dev tm1 root codel limit 100p target 1024us interval 10240us ce_threshold 512us ecn",
            "dev tm2 root bfifo limit 30K",
            "dev tm3 root pfifo limit 30",
            "dev tm4 root red limit 300000 min 3000 max 9000 avpkt 1000 burst 5 probability 0.5 bandwidth 10gbit ecn "
            "nodrop harddrop",
        ):
            code, _, error = command("tc", f"qdisc replace {line}", "--device", address)
            assert (code, error) == (0, "")
        for number in range(60):
            model.offer(number * 100, tcp_frame(1536, NOT_ECT if number % 2 else 2), 0b11111)
        for port in range(5):
            model.take(10_000, port)

        def shown(*words: str) -> str:
            return command("tc", *words, "qdisc", "show", "--device", address)[1]

        ours = json.loads(shown("-s", "-d", "-j"))
        assert [each["packets"] for each in ours] == [1] * 5
        told = answer(ours)
        theirs = json.loads(tc("-s", "-d", "-j", "qdisc", "show", answer=told).stdout)
        for own, real in zip(ours, theirs, strict=True):
            dev = own.pop("dev")
            assert real.pop("dev") == "lo"
            for name in KERNEL_S_OWN & real.keys():
                del real[name]
            assert (list(own), list(own["options"])) == (list(real), list(real["options"]))
            assert own["options"] == pytest.approx(real["options"], rel=1e-5)  # tc prints six digits
            assert own | {"options": 0} == real | {"options": 0}
            (one,) = json.loads(command("tc", "-s", "-j", "qdisc", "show", "dev", dev, "--device", address)[1])
            (alone,) = json.loads(tc("-s", "-j", "qdisc", "show", "dev", "lo", answer=answer([own])).stdout)
            assert list(one) == [name for name in alone if name not in KERNEL_S_OWN]
        device = Device(model.read, model.write)
        before_import = [device.settings(port) for port in range(5)]
        for port, real in enumerate(json.loads(tc("-d", "-j", "qdisc", "show", answer=told).stdout)):
            assert command("tc", f"qdisc del dev tm{port} root", "--device", address)[0] == 0
            added = ("dev", f"tm{port}", "avpkt", "1000", "bandwidth", "10gbit")
            code, _, error = command("tc", json.dumps([real]), *added, "--device", address)
            assert (code, error) == (0, "")
        assert [device.settings(port) for port in range(5)] == before_import
        told = answer(json.loads(shown("-s", "-d", "-j")))
        for words in (["-s"], ["-s", "-d"]):
            wanted = tc(*words, "qdisc", "show", answer=told).stdout
            assert without_the_kernel_s(shown(*words)) == without_the_kernel_s(wanted)


def without_the_kernel_s(text: str) -> list[str]:
    """Lines with one space between words, without an interface's name and what a port does not have."""
    own = re.sub(rf"\b({'|'.join(KERNEL_S_OWN)}) \d+(us|ms|s)?", "", re.sub(r"dev \w+", "dev", text))
    return [" ".join(line.split()) for line in own.splitlines() if line.split()]
