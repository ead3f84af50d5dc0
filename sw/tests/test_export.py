# SPDX-License-Identifier: BSD-3-Clause
"""What `truemark export` says of a device, checked by Prometheus' own tool and parser."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families
from sw.tests.frames import Command, tcp_frame
from sw.tests.test_board import marking, profile
from sw.tests.test_transport import model, served

from truemark.device import registers
from truemark.device.board import Board
from truemark.device.engine import open_engine
from truemark.errors import ExitCode
from truemark.export import openconfig, prometheus
from truemark.link.transport import Simulated

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["marking", "model", "profile"]  # fixtures

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
def address(model: Simulated, marking: str) -> str:
    """The model behind a TCP server, with K = 30 kB and 40 frames of 1500 bytes at port 0, of which 30 have left."""
    for number in range(40):
        model.engine.offer(number * 100, tcp_frame(1500))
    for number in range(30):
        assert model.engine.take(4000 + 1000 * number)
    return marking


def promtool(*words: object, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run Debian's promtool, or skip where there is none and none is required."""
    if not shutil.which("promtool"):
        assert os.environ.get("TRUEMARK_PROMTOOL") != "required", "promtool is missing: apt-get install prometheus"
        pytest.skip("no promtool here (apt-get install prometheus)")
    return subprocess.run(["promtool", *map(str, words)], input=text, capture_output=True, text=True, check=False)


def samples(text: str) -> Samples:
    """Return the samples as Prometheus' own parser reads them."""
    families = text_string_to_metric_families(text)
    return {(each.name, frozenset(each.labels.items())): each.value for family in families for each in family.samples}


def of(found: Samples, name: str, **labels: str) -> float:
    """Return the sum of a metric's samples with these labels."""
    return sum(value for (each, have), value in found.items() if each == name and labels.items() <= dict(have).items())


def test_every_frame_is_in_the_metrics_once(command: Command, address: str) -> None:
    code, out, error = command("export", "prometheus", "--device", address)
    assert (code, error) == (0, "")
    found, name = samples(out), "truemark_queue_packets_total"
    assert of(found, "truemark_up") == 1
    assert of(found, name, outcome="mark", port="0", ece="0", **{"class": "data"}) == 19
    assert of(found, name, outcome="pass") == 21
    assert of(found, name, outcome="departed", port="0") == 30
    assert of(found, "truemark_queue_bytes_total", outcome="mark") == 19 * 1500
    assert of(found, "truemark_queue_occupancy_bytes", port="0") == 15_000
    assert of(found, "truemark_queue_watermark_packets", port="0") == 40
    assert of(found, "truemark_queue_limit_bytes", port="0") == 300_000
    assert of(found, "truemark_queue_marking_onset_bytes", port="0") == 30_000
    assert of(found, "node_qdisc_packets_total", device="tm0", kind="truemark") == 30
    assert of(found, "node_qdisc_overlimits_total", device="tm0") == 19
    assert of(found, "node_qdisc_backlog", device="tm0") == 15_000
    waits = {
        float(dict(have)["le"]): value
        for (each, have), value in found.items()
        if each.endswith("_bucket") and dict(have)["port"] == "0"
    }
    # Frame n waits 4000 + 900 n ns: none under 2048 ns, one at 4000, five by 8191, 14 by 16383, all by 32767.
    assert {bound: waits[bound] for bound in (2.047e-6, 4.095e-6, 8.191e-6, 16.383e-6, 32.767e-6)} == {
        2.047e-6: 0,
        4.095e-6: 1,
        8.191e-6: 5,
        16.383e-6: 14,
        32.767e-6: 30,
    }
    assert waits[float("inf")] == 30


def test_an_average_of_packets_is_no_metric_in_bytes(command: Command, tmp_path: Path) -> None:
    """Port 0 counts packets and finds 19 before the last of 20; port 1 counts bytes, 19 times 1500."""
    path = tmp_path / "both.toml"
    path.write_text(
        'policy = "red"\nrate = "10G"\nlimit_bytes = 300000\n'
        "[red]\nmin = 100000\nmax = 200000\nprobability = 0.1\nweight = 0\n"
        '[port.0]\nlimit_bytes = 300000\n[port.0.red]\nunit = "packets"\nmin = "25.5pkt"\nmax = "100pkt"\n'
        "probability = 0.1\nweight = 0\n"
    )
    with open_engine("model") as engine, served(engine) as address:
        code, _, error = command("apply", path, "--device", address)
        assert code == 0, error
        for number in range(20):
            engine.offer(number * 1000, tcp_frame(1500), 0b11)
        engine.advance(100_000)
        found = samples(command("export", "prometheus", "--device", address)[1])
        averages = {
            (dict(have)["port"], each.rpartition("_")[2]): value
            for (each, have), value in found.items()
            if each.startswith("truemark_queue_red_average_") and ("slot", "0") in have
        }
        assert {key: value for key, value in averages.items() if key[0] in "01"} == {
            ("0", "packets"): 19,
            ("1", "bytes"): 28_500,
        }
        assert not [
            have for each, have in found if each == "truemark_queue_marking_onset_bytes" and ("port", "0") in have
        ]
        out = command("stats", "--device", address, "--port", "0")[1]
        assert "RED's average: 19 pkt as of the last arrival (min 25.5 pkt, max 100 pkt)" in " ".join(out.split())
        out = command("stats", "--device", address, "--port", "1")[1]
        assert "RED's average: 28,500 B as of the last arrival (min 100,000 B, max 200,000 B)" in " ".join(out.split())
        settings, frozen = Board(address).snapshots()
        shown = [openconfig.state(*each).get("avg-queue-len") for each in zip(settings, frozen, strict=True)]
        assert shown[:2] == [None, "28500"]


def test_promtool_accepts_them_and_counters_never_fall(command: Command, model: Simulated, address: str) -> None:
    before = command("export", "prometheus", "--device", address)[1]
    checked = promtool("check", "metrics", text=before)
    # It reports names that are node_exporter's, not ours, to choose; what it refuses ends with 1.
    assert checked.returncode in (0, 3), checked.stderr
    assert "truemark_" not in checked.stderr, checked.stderr
    broken = promtool("check", "metrics", text=before.replace("truemark_up 1.0", "truemark_up one"))
    assert broken.returncode == 1
    model.engine.offer(50_000, tcp_frame(600))
    first, second = samples(before), samples(command("export", "prometheus", "--device", address)[1])
    falling = [key for key in first if key[0].endswith(("_total", "_bucket", "_count")) and second[key] < first[key]]
    assert not falling
    assert of(second, "truemark_queue_packets_total", outcome="pass") == 22


def test_a_scrape_over_http_is_one_freeze(address: str) -> None:
    told: list[str] = []
    collector = prometheus.Queues(Board(address).look, told.append)
    server = prometheus.listen(collector, "127.0.0.1", 0)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/metrics", timeout=30) as answer:
            found = samples(answer.read().decode())
    finally:
        server.shutdown()
    stored = sum(of(found, "truemark_queue_packets_total", outcome=each) for each in ("pass", "mark"))
    left = of(found, "truemark_queue_packets_total", outcome="departed")
    assert stored - left == of(found, "truemark_queue_occupancy_packets") == 10
    assert not told


def test_openmetrics_which_prometheus_asks_for_is_right_as_well(address: str) -> None:
    server = prometheus.listen(prometheus.Queues(Board(address).look, print), "127.0.0.1", 0)
    try:
        asked = urllib.request.Request(f"http://127.0.0.1:{server.server_port}/metrics")
        asked.add_header("Accept", "application/openmetrics-text; version=1.0.0")
        with urllib.request.urlopen(asked, timeout=30) as answer:
            text = answer.read().decode()
    finally:
        server.shutdown()
    assert text.endswith("# EOF\n")
    found = {each.name: each.type for each in openmetrics(text)}  # type: ignore[no-untyped-call]
    assert (found["truemark_queue_packets"], found["truemark_queue_sojourn_seconds"]) == ("counter", "histogram")


def test_a_prometheus_scrapes_it_and_every_panel_of_the_dashboard_has_data(
    command: Command, address: str, tmp_path: Path
) -> None:
    """Debian's own server, one scrape a second; each query of the dashboard is asked of it."""
    assert promtool("--version").returncode == 0  # the server is in the same package
    server = prometheus.listen(prometheus.Queues(Board(address).look, print), "127.0.0.1", 0)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    target = {"job_name": "truemark", "static_configs": [{"targets": [f"127.0.0.1:{server.server_port}"]}]}
    settings = {"global": {"scrape_interval": "1s"}, "scrape_configs": [target]}
    (tmp_path / "prometheus.yml").write_text(json.dumps(settings))  # JSON is YAML
    words = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", f"--web.listen-address=127.0.0.1:{port}"]
    queries = [
        target["expr"].replace("$__rate_interval", "20s").replace("$instance", ".*")
        for panel in json.loads(command("export", "grafana")[1])["panels"]
        for target in panel["targets"]
    ]
    with subprocess.Popen(["prometheus", *words], cwd=tmp_path, stderr=subprocess.DEVNULL) as running:
        try:
            for query in queries:
                asked = f"http://127.0.0.1:{port}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
                until = time.monotonic() + 30
                found: list[object] = []
                while not found and time.monotonic() < until:
                    with suppress(OSError), urllib.request.urlopen(asked, timeout=5) as answer:
                        found = json.load(answer)["data"]["result"]
                    time.sleep(0 if found else 0.3)
                assert found, query
        finally:
            running.terminate()
            server.shutdown()


@pytest.mark.parametrize("place", ["9734", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:²"])
def test_a_place_to_listen_at_that_cannot_be(command: Command, address: str, place: str) -> None:
    code, out, error = command("export", "prometheus", "--device", address, "--listen", place)
    assert (code, out) == (1, "")
    assert error.startswith(f"error: --listen '{place}': HOST:PORT is wanted, such as 127.0.0.1:9734")
    code, _, error = command("export", "prometheus", "--device", address, "--listen", "..:9734")
    assert (code, error) == (1, "error: ..:9734: cannot listen: no host has such a name\n")


def test_a_device_that_is_somebody_elses_is_not_read(command: Command, model: Simulated, address: str) -> None:
    model.write(registers.LOCK.address, registers.LOCK.pack(owner=0x7FFF))
    code, out, error = command("export", "prometheus", "--device", address)
    assert code == ExitCode.REFUSED
    assert "program 32767 has the lock" in error
    assert samples(out) == {("truemark_up", frozenset()): 0.0}
    assert registers.LOCK.unpack(model.read(registers.LOCK.address))["owner"] == 0x7FFF


def test_a_device_that_is_not_there_is_down_and_the_command_says_why(command: Command, tmp_path: Path) -> None:
    for more in ([], ["--textfile", tmp_path / "down.prom"]):
        code, out, error = command("export", "prometheus", "--device", "tcp:127.0.0.1:1", *more)
        assert (code, "nobody listens there" in error) == (ExitCode.NO_DEVICE, True)
        assert samples((tmp_path / "down.prom").read_text() if more else out) == {("truemark_up", frozenset()): 0.0}


def test_a_textfile_is_whole_and_a_place_that_is_none_is_named(command: Command, address: str, tmp_path: Path) -> None:
    path = tmp_path / "truemark.prom"
    assert command("export", "prometheus", "--device", address, "--textfile", path)[0] == 0
    assert of(samples(path.read_text()), "truemark_up") == 1
    code, out, error = command("export", "prometheus", "--device", address, "--textfile", "-")
    assert (code, of(samples(out), "truemark_up"), "wrote" in error) == (0, 1, False)
    code, _, error = command("export", "prometheus", "--device", address, "--textfile", "/proc/x/truemark.prom")
    assert code != 0
    assert "/proc/x/truemark.prom: cannot be written" in error
    code, _, error = command("export", "prometheus", "--device", address, "--listen", "9734")
    assert code != 0
    assert "HOST:PORT is wanted" in error


def test_the_dashboard_asks_for_metrics_that_are_there(command: Command, address: str, tmp_path: Path) -> None:
    there = {name for name, _ in samples(command("export", "prometheus", "--device", address)[1])}
    board = json.loads(command("export", "grafana")[1])
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    named = {each for query in queries for each in re.findall(r"\b(?:truemark|node_qdisc)_\w+", query)}
    assert named <= there
    assert len(named) >= 8
    plain = [query.replace("$__rate_interval", "1m").replace("$instance", ".*") for query in queries]
    rules = [{"record": f"panel:{number}", "expr": query} for number, query in enumerate(plain)]
    path = tmp_path / "rules.json"  # JSON is YAML
    path.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    checked = promtool("check", "rules", path)
    assert checked.returncode == 0, checked.stderr
    path.write_text(path.read_text().replace("histogram_quantile(0.99", "histogram_quantile(0.99)"))
    assert promtool("check", "rules", path).returncode != 0
