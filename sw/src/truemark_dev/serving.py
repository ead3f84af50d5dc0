# SPDX-License-Identifier: BSD-3-Clause
"""What watchers cost `truemark serve`, what nonsense does to it and to `truemark web`: `make serving`, four minutes.

    python -m truemark_dev.serving [SECONDS]

A simulated device plays a capture. CPU of the server alone, then with ten `truemark watch` and a Prometheus scrape a
second; then 10^4 malformed lines and as many malformed requests, while another program has the lock. Writes
build/serving.json.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, cast

from truemark.device.board import Board
from truemark.device.outcomes import ARRIVED
from truemark.device.registers import LOCK
from truemark.link.transport import open_transport
from truemark_dev.paths import BUILD, ROOT

WATCHERS = 10
NONSENSE = 10_000
CAPTURE = ROOT / "sw/captures/linux-ecn.pcap.gz"
PROFILE = 'rate = "10G"\npolicy = "true-mark"\nk = "30kB"\nbuffer = "shallow"\n'
STRANGER = 0x7FFF  # owner of a lock that is nobody's of this machine
TRUEMARK = (sys.executable, "-c", "from truemark.cli import main; main()")


class Spent(NamedTuple):
    """What a server took, and what it did for that."""

    cpu_s: float  # of the whole server
    serving_s: float  # without the thread that plays
    frames: int


def malformed(draw: random.Random) -> str:
    """Return a line that is no request: wrong letters, numbers, lengths and offsets."""
    number = draw.choice(["zz", "", "1001", "-4", "3", "ffffffff", "100000000", "0x", "é", "\0", "1.5"])
    kind = draw.randrange(4)
    if kind == 0:
        return "".join(chr(draw.randrange(32, 127)) for _ in range(draw.randrange(40))) + "?"
    if kind == 1:
        return f"{draw.choice('RW')} {number}" if draw.random() < 0.5 else f"W {number} 1"
    if kind == 2:
        return f"W 144 {draw.choice(['zz', '100000000', '-1', '1 1', ''])}"
    return draw.choice(
        ["r 0", "R0", "RW 0", "R 0 0 0", "W", "L", "L -1", "L zz", "L 100000000", "L 0 0", "S 0", "", "!"]
    )


@contextmanager
def running(*words: object) -> Iterator[subprocess.Popen[str]]:
    """Run a command of truemark until it is no longer needed."""
    command = [*TRUEMARK, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def where(process: subprocess.Popen[str]) -> str:
    """Return the address that a server's document names."""
    assert process.stdout is not None
    return str(json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")["address"])


def cpu(process: subprocess.Popen[str]) -> tuple[float, dict[str, float]]:
    """Seconds of CPU that a process has taken so far, whole and by its threads that live."""

    def spent(stat: Path) -> float:
        words = stat.read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    at = Path(f"/proc/{process.pid}")
    return spent(at / "stat"), {each.parent.name: spent(each) for each in at.glob("task/*/stat")}


def during(process: subprocess.Popen[str], address: str, seconds: int, each_second: Callable[[], object]) -> Spent:
    """CPU that a server takes, and frames that were played to it, while something is done each second."""

    def frames() -> int:
        return sum(port.total(*ARRIVED).packets for port in Board(address).look().ports)

    offered, began, until = frames(), cpu(process), time.monotonic()
    for _ in range(seconds):
        until += 1
        each_second()
        time.sleep(max(0, until - time.monotonic()))
    (whole, threads), (at_first, before) = cpu(process), began
    # A difference of two runs would not do: on a loaded machine a frame costs sometimes half as much again.
    player = max(spent - before.get(thread, 0) for thread, spent in threads.items())
    return Spent(round(whole - at_first, 2), round(whole - at_first - player, 2), frames() - offered)


def watched(server: subprocess.Popen[str], address: str, seconds: int) -> dict[str, object]:
    """Return the server's CPU alone and watched."""
    alone = during(server, address, seconds, lambda: None)
    with ExitStack() as stack:
        watchers = [stack.enter_context(running("watch", "--device", address, "--json")) for _ in range(WATCHERS)]
        lines: Counter[int] = Counter()

        def count(watcher: subprocess.Popen[str]) -> None:
            assert watcher.stdout is not None
            for _ in watcher.stdout:
                lines[watcher.pid] += 1

        threads = [threading.Thread(target=count, args=(each,), daemon=True) for each in watchers]
        for thread in threads:
            thread.start()
        with socket.create_server(("127.0.0.1", 0)) as free:
            listen = f"127.0.0.1:{free.getsockname()[1]}"
        stack.enter_context(running("export", "prometheus", "--device", address, "--listen", listen))
        while len(lines) < WATCHERS:
            time.sleep(0.1)  # until all have begun
        scraped: list[str] = []

        def scrape() -> None:
            with urllib.request.urlopen(f"http://{listen}/metrics", timeout=30) as answer:
                scraped.append(answer.read().decode())

        scrape()
        before = sum(lines.values())
        together = during(server, address, seconds, scrape)
        seen = sum(lines.values()) - before
    up = sum("truemark_up 1.0" in each for each in scraped)
    return {
        "seconds": seconds,
        "watchers": WATCHERS,
        "alone": alone._asdict(),
        "watched": together._asdict(),
        "cpu_of_watchers_s": round(together.serving_s - alone.serving_s, 2),
        "lines": seen,
        "scrapes": up,
    }


def lines_fuzzed(address: str) -> Counter[str]:
    """Return what malformed lines are answered."""
    found: Counter[str] = Counter()
    draw = random.Random(1)
    _, host, port = address.split(":")
    with socket.create_connection((host, int(port))) as link, link.makefile("rw", newline="\n") as talk:
        for _ in range(NONSENSE):
            talk.write(malformed(draw) + "\n")
            talk.flush()
            found["refused" if talk.readline().startswith("! ") else "done"] += 1
    return found


def requests_fuzzed(page: str) -> Counter[str]:
    """Return what malformed requests are answered, all of them with the right token."""
    found: Counter[str] = Counter()
    draw = random.Random(2)
    place, _, token = page.removeprefix("http://").partition("/#")
    for _ in range(NONSENSE):
        path = draw.choice(["/port/0", "/port/0", "/port/99", "/port/-1", "/port/x", "/nothing", "/%00"])
        body = draw.choice(
            ['{"policy": "none"}', '{"k": "30 kg"}', '{"limit_bytes": "1"}', "[]", "{", '"\\ud800"', "7"]
        )
        noise = bytes(draw.randrange(256) for _ in range(draw.randrange(80)))
        link = http.client.HTTPConnection(place, timeout=30)
        link.request("POST", path, noise if draw.random() < 0.3 else body, {"Authorization": f"Bearer {token}"})
        found[str(link.getresponse().status)] += 1
        link.close()
    return found


def main() -> None:
    """Measure, write, print; fail if anything was lost or written."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    BUILD.mkdir(exist_ok=True)
    profile = BUILD / "serving.toml"
    profile.write_text(PROFILE)
    device = f"sim:{BUILD / 'serving'}"
    subprocess.run([*TRUEMARK, "apply", profile, "--device", device], check=True, stdout=subprocess.DEVNULL)
    play = ("--play", CAPTURE, "--loop", "--rate", "60M", "--to", 0, "--to", 2, "--port", 0, "--json")
    with running("serve", device, *play) as server:
        address = where(server)
        result: dict[str, object] = {"made": datetime.now(UTC).isoformat(timespec="seconds")}
        result["watched"] = watched(server, address, seconds)
        settings = Board(address).look().settings
        with running("web", "--device", address, "--port", 0, "--control", "--json") as page:
            at = where(page)
            with closing(open_transport(address)) as stranger:
                stranger.write(LOCK.address, LOCK.pack(owner=STRANGER))
                result["lines"] = lines_fuzzed(address)
                result["requests"] = requests_fuzzed(at)
                result["lock_kept"] = LOCK.unpack(stranger.read(LOCK.address))["owner"] == STRANGER
            result["alive"] = server.poll() is None and page.poll() is None
        result["settings_kept"] = Board(address).look().settings == settings
    (BUILD / "serving.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))
    whole = result["lines"] == {"refused": NONSENSE} and all(
        result[name] for name in ("lock_kept", "alive", "settings_kept")
    )
    refused = all(status.startswith("4") for status in cast("Counter[str]", result["requests"]))
    sys.exit(not (whole and refused))


if __name__ == "__main__":
    main()
