# SPDX-License-Identifier: BSD-3-Clause
"""`truemark web` in Debian's Chromium, driven by Playwright, and by hand over HTTP: what it shows, sets and refuses."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import fastjsonschema
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from sw.tests.frames import Command, tcp_frame, write_capture
from sw.tests.test_board import marking as address
from sw.tests.test_board import profile
from sw.tests.test_transport import model, served

from truemark import documents, drawing
from truemark.cli.output import about
from truemark.device import registers
from truemark.device.board import Board
from truemark.device.engine import open_engine
from truemark.device.look import Reading
from truemark.device.outcomes import MARKED
from truemark.errors import ExitCode, LinkError
from truemark.laws import policies
from truemark.link.transport import Simulated
from truemark.watch import web
from truemark.watch.feed import Feed

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["address", "model", "profile"]  # fixtures

TOKEN = "the-token"
LOSSLESS = """
policy = "droptail"
[pfc]
classes = [0]
headroom = "20kB"
static = "3kB"
xon = "1kB"
"""
PAGE = Path(web.__file__).parent / "page"
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, or a skip where there is none and none is required."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        assert os.environ.get("TRUEMARK_BROWSER") != "required", "no browser: apt-get install chromium"
        pytest.skip("no Chromium here (apt-get install chromium)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield launched
        launched.close()


@contextmanager
def shown(
    address: str, read: Callable[[], Reading] | None = None, control: bool = True, port: int = 0
) -> Iterator[str]:
    """Yield the page of a device, at an address without its token."""
    device = Board(address)
    feed = Feed(partial(about, device), read or partial(device.look, 0.0), 0.05)
    with web.listening("127.0.0.1", port) as socket:
        server = web.Server(web.application(feed, device.change if control else None, TOKEN if control else ""), feed)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{socket.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def opened(browser: Browser, where: str, width: int = 1280, dark: bool = False) -> Iterator[Page]:
    """Yield a page in a window of its own, which must ask nobody else for anything and say no error."""
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    wrong: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((where.partition("#")[0], "data:")) else wrong.append(asked.url),
    )
    page.goto(where)
    yield page
    context.close()
    assert not wrong


def ask(where: str, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    """Status and text of an answer."""
    connection = http.client.HTTPConnection(where.split("/")[2], timeout=30)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def cells(page: Page, port: int) -> list[str]:
    """Return the texts of a port's row."""
    return page.locator(f"#ports tbody tr:nth-child({port + 1}) td").all_inner_texts()


def test_the_queue_moves_in_three_browsers_at_once(browser: Browser, model: Simulated, address: str) -> None:
    """40 frames come, 10 leave: each page shows 45 kB above K and marks of DATA, also small and dark."""
    with shown(address) as where, ExitStack() as stack:
        pages = [stack.enter_context(opened(browser, where, *each)) for each in ((1280,), (400,), (1280, True))]
        for page in pages:
            expect(page.locator("#ports tbody tr")).to_have_count(5)
            expect(page.locator("#port h2")).to_have_text("Port 0: true-mark, 0 B in 0 frames")
        for number in range(40):
            model.engine.offer(1_000_000 + number, tcp_frame(1500))
        for _ in range(10):
            assert model.engine.take(1_500_000)
        model.engine.advance(2_000_000)
        for page in pages:
            expect(page.locator("#port h2")).to_have_text("Port 0: true-mark, 45 kB in 30 frames")
            page.get_by_text("Freeze").click()  # so that nothing moves while it is measured
            row = page.locator("#ports tbody tr").first
            over, held, k = (row.locator(f".bar .{kind}").bounding_box() for kind in ("over", "held", "k"))
            assert over is not None
            assert held is not None
            assert k is not None
            assert over["width"] == pytest.approx(held["width"] / 2, abs=1), "15 kB of the 45 kB are above K"
            assert k["x"] == pytest.approx(over["x"], abs=2)
            expect(page.locator("#classes tbody")).to_contain_text("DATA")
            expect(page.locator("#signals rect.marked").first).to_be_attached()
            expect(page.locator("#queue text.k")).to_have_text("K 30 kB")
            expect(page.locator("#queue rect.over").first).to_be_attached()
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, "nothing is cut off, nothing has to be scrolled sideways"
            small = page.evaluate(
                "Math.min(...[...document.querySelectorAll('main *')].filter((each) => each.innerText?.trim() ||"
                " each.tagName === 'text').map((each) => parseFloat(getComputedStyle(each).fontSize)))"
            )
            assert small >= 13
        papers = [page.evaluate("getComputedStyle(document.body).backgroundColor") for page in pages]
        assert papers[0] == papers[1] == "rgb(255, 255, 255)"
        assert papers[2] == "rgb(22, 24, 26)"
        pages[2].get_by_text("Dark or light").click()
        assert pages[2].evaluate("getComputedStyle(document.body).backgroundColor") == papers[0]


def test_a_port_is_chosen_and_the_page_frozen(browser: Browser, model: Simulated, address: str) -> None:
    with shown(address) as where, opened(browser, where) as page:
        page.locator("#ports button").nth(3).click()
        expect(page.locator("#port h2")).to_have_text("Port 3: true-mark, 0 B in 0 frames")
        page.get_by_text("Freeze").click()
        expect(page.locator("#state")).to_have_text("frozen")
        for _ in range(2):
            model.engine.offer(1_000_000, tcp_frame(1500), 1 << 3)
        page.evaluate("void events.addEventListener('message', () => document.body.append('+'))")
        expect(page.locator("body")).to_contain_text("++++++++++")  # ten looks have come, and are not shown
        expect(page.locator("#state")).to_have_text("frozen")
        expect(page.locator("#port h2")).to_have_text("Port 3: true-mark, 0 B in 0 frames")
        page.get_by_text("Go on").click()
        expect(page.locator("#port h2")).to_have_text("Port 3: true-mark, 3 kB in 2 frames")


def test_a_wait_in_the_last_bin_has_no_end(browser: Browser, address: str) -> None:
    """In each look three more frames have left port 0 after more than a second."""
    first, looks = Board(address).look(), itertools.count()

    def read() -> Reading:
        port, number = first.ports[0], next(looks)
        port = replace(port, time_ns=port.time_ns + number * 10**9, histogram=[*[0] * 23, 3 * number])
        return replace(first, ports=[port, *first.ports[1:]])

    with shown(address, read) as where, opened(browser, where) as page:
        expect(page.locator("#quantiles")).to_have_text("Half waited > 1.074 s, 99 % > 1.074 s.")
        expect(page.locator("#signals text").last).to_have_text("none")
        expect(page.locator("#ports tbody tr").first.locator("td").last).to_have_text("> 1.074 s")
        page.get_by_text("Freeze").click()
        box, paper = page.locator("#waits rect").bounding_box(), page.locator("#waits").bounding_box()
        assert box is not None
        assert paper is not None
        assert box["x"] + box["width"] > paper["x"] + paper["width"] - 10, "the last bar on the right"
        page.locator("#ports button").nth(1).click()
        expect(page.locator("#quantiles")).to_have_text("Nothing has left.")
        with urllib.request.urlopen(f"{where}events", timeout=30) as events:
            told = json.loads(events.readline().removeprefix(b"data: "))
    fastjsonschema.compile(documents.schema("watch"))(told)
    assert told["ports"][0]["wait_p99"] == {"from_ns": 2**30, "below_ns": None}
    assert told["ports"][0]["waits"] == [*[0] * 23, 3]


def test_k_is_set_with_the_token_and_acts(browser: Browser, model: Simulated, address: str) -> None:
    """Of six frames of 1500 B the last three find more than 3 kB; a K that cannot be changes nothing."""
    with shown(address) as where, opened(browser, where) as plain:
        expect(plain.locator("#ports tbody tr")).to_have_count(5)
        assert not plain.locator("#control").is_visible()
        with opened(browser, f"{where}#{TOKEN}") as page:
            expect(page.locator("#control")).to_be_visible()
            page.get_by_label("K", exact=True).fill("3kB")
            page.get_by_role("button", name="Set").click()
            expect(page.locator("#control output")).to_have_text("Port 0 has true-mark now.")
            expect(page.locator("#queue text.k")).to_have_text("K 3 kB")
            for number in range(6):
                model.engine.offer(1_000_000 + number, tcp_frame(1500))
            expect(page.locator("#ports tbody tr").first.locator("td").nth(3)).to_have_text("9 kB")
            assert page.evaluate("onset({ policy: 'dual-step', k_bytes: 3000 })") == "K 3 kB"
            assert page.evaluate("onset({ policy: 'red', k_bytes: 3000 })") == "min 3 kB"
            page.get_by_label("K", exact=True).fill("30MB")
            page.get_by_role("button", name="Set").click()
            expect(page.locator("#control output")).to_contain_text("k = 30000000 B: allowed is 0 to 300000 B")
            expect(page.locator("#control output")).to_have_class("wrong")
            page.get_by_label("Policy").select_option("droptail")
            page.get_by_role("button", name="Set").click()
            expect(page.locator("#control output")).to_have_text("Port 0 has droptail now.")
            expect(plain.locator("#ports tbody tr").first.locator("td").nth(1)).to_have_text("droptail")
    reading = Board(address).look()
    assert reading.ports[0].total(*MARKED).packets == 3
    assert [each.policy for each in reading.settings] == ["droptail", *["true-mark"] * 4]
    assert reading.settings[0].limit_bytes == 300_000, "limits stay"


def test_every_policy_of_the_page_can_be_set_as_it_stands_there() -> None:
    text = (PAGE / "page.html").read_text()
    offered = re.findall(r'<option data-takes="([^"]*)"(?: selected)?>([^<]*)', text)
    values = dict(re.findall(r'<input name="([^"]*)" value="([^"]*)"', text))
    assert {name for _, name in offered} == set(policies.TABLE)
    assert values.keys() == set(web.SETTABLE) - {"policy"}
    able = frozenset({"red", "codel", "tcn"})
    with open_engine("model", "shallow", able) as engine, served(engine) as address, shown(address) as where:
        for takes, name in offered:
            body = {"policy": name} | {key: values[key] for key in takes.split()}
            status, said = ask(where, "POST", "/port/1", json.dumps(body).encode(), Authorization=f"Bearer {TOKEN}")
            assert status == 200, said
            assert json.loads(said)["policy"] == name


def test_nobody_sets_anything_without_the_token(model: Simulated, address: str) -> None:
    before = Board(address).look().settings
    good = json.dumps({"policy": "droptail"}).encode()
    with shown(address, control=False) as where:
        assert ask(where, "POST", "/port/0", good, Authorization="Bearer ")[0] == 403
    with shown(address) as where:
        assert ask(where, "POST", "/port/0", good)[0] == 401
        assert ask(where, "POST", "/port/0", good, Authorization=f"Bearer {TOKEN}x")[0] == 401
        status, text = ask(where, "POST", "/port/9", good, Authorization=f"Bearer {TOKEN}")
        assert (status, text) == (409, "port 9: this device has ports 0 to 4\n")
        status, text = ask(where, "POST", "/port/0", b'{"k": "30 kg"}', Authorization=f"Bearer {TOKEN}")
        assert status == 409
        assert "unknown unit 'kg'" in text
        assert ask(where, "POST", "/port/0", b"x" * 5000, Authorization=f"Bearer {TOKEN}")[0] == 413
        model.write(registers.LOCK.address, registers.LOCK.pack(owner=0x7FFF))
        status, text = ask(where, "POST", "/port/0", good, Authorization=f"Bearer {TOKEN}")
        assert status == 409
        assert "program 32767 has the lock" in text
        model.write(registers.LOCK.address, registers.LOCK.pack(release=1, owner=0x7FFF))
    assert Board(address).look().settings == before


def test_a_device_that_dies_and_comes_back(browser: Browser, model: Simulated, address: str) -> None:
    dead = False

    def read() -> Reading:
        if dead:
            raise LinkError("the device no longer answers")
        return Board(address).look()

    with shown(address, read) as where, opened(browser, where) as page:
        expect(page.locator("#state")).to_have_text("5 ports, 0 marked and 0 dropped a second")
        dead = True
        expect(page.locator("#state")).to_have_text("the device no longer answers; asking again")
        expect(page.locator("body")).to_have_class("stale")
        dead = False
        expect(page.locator("#state")).to_contain_text("5 ports")
        expect(page.locator("body")).not_to_have_class("stale")
    with ExitStack() as stack:
        with shown(address) as where:
            page = stack.enter_context(opened(browser, where))
            expect(page.locator("#ports tbody tr")).to_have_count(5)
        expect(page.locator("#state")).to_have_text("truemark web does not answer; asking again")
        with shown(address, port=int(where.rstrip("/").rpartition(":")[2])):
            expect(page.locator("#state")).to_contain_text("5 ports")


def test_a_device_is_read_only_while_somebody_looks(address: str) -> None:
    looked = threading.Semaphore(0)

    def read() -> Reading:
        looked.release()
        return Board(address).look()

    with shown(address, read) as where:
        assert ask(where, "GET", "/")[0] == 200
        assert not looked.acquire(timeout=0.3)
        connection = http.client.HTTPConnection(where.split("/")[2])
        connection.request("GET", "/events")
        assert connection.getresponse().readline().startswith(b"data: ")
        connection.close()


def test_the_server_ends_with_its_feed() -> None:
    """A fault of this program is no reason for a page that stands still."""

    def read() -> Reading:
        raise ZeroDivisionError

    feed = Feed(partial(about, Board("pci:0")), read, 0.05)
    with web.listening("127.0.0.1", 0) as socket, ThreadPoolExecutor() as pool:
        server = web.Server(web.application(feed, None, ""), feed)
        ended = pool.submit(server.run, [socket])
        assert ask(f"http://127.0.0.1:{socket.getsockname()[1]}/", "GET", "/events") == (200, "")
        with pytest.raises(ZeroDivisionError):
            ended.result(30)


def test_malformed_requests_are_refused_and_change_nothing(address: str) -> None:
    """Random requests, most of them with the token: each gets a refusal, none is half applied, the page goes on."""
    draw = random.Random(19)
    before = Board(address).look().settings
    words = ["policy", "k", "codel", "rate", "target_delay", "limit_bytes", "", "\0", "\ud800", "é" * 9]
    values: list[object] = [
        "true-mark",
        "30 kg",
        "-1kB",
        "1e9",
        "",
        "nan",
        "9" * 400,
        "\ud800",
        None,
        7,
        [],
        {"a": {}},
        True,
    ]
    with shown(address) as where:
        for _ in range(300):
            found = {draw.choice(words): draw.choice(values) for _ in range(draw.randrange(4))}
            text = json.dumps(draw.choice([found, found, [found], "x", None])).encode()
            if draw.random() < 0.3:
                text = bytes(draw.randrange(256) for _ in range(draw.randrange(60)))
            path = draw.choice(
                ["/port/0", "/port/4", "/port/99", "/port/-1", "/port/x", "/", "/events/..", "/%00", "/page.css"]
            )
            headers = {} if draw.random() < 0.2 else {"Authorization": f"Bearer {TOKEN}"}
            status, said = ask(where, draw.choice(["POST", "POST", "POST", "PUT", "DELETE"]), path, text, **headers)
            assert 400 <= status < 500, (status, path, text, said)
            assert said
        assert ask(where, "GET", "/")[0] == 200
    assert Board(address).look().settings == before


def test_the_page_names_no_other_place_and_has_the_colours_of_the_pictures() -> None:
    text = "".join(path.read_text() for path in PAGE.iterdir())
    assert not re.findall(r"(?:https?:)?//(?!www\.w3\.org/2000/svg)[a-z0-9.]+\.[a-z]{2,}", text)
    assert {path.name for path in PAGE.iterdir()} == {name for name, _ in web.FILES.values()}
    for colour in (drawing.INK, drawing.MARK, drawing.DROP, drawing.QUEUE, drawing.THRESHOLD, drawing.PLAIN):
        assert colour in (PAGE / "page.css").read_text()


def test_the_command_plays_a_capture_to_a_simulated_device(command: Command, browser: Browser, tmp_path: Path) -> None:
    """The whole command: its document, traffic on port 2 of a lossless pool, an end in order when told to stop."""
    wanted = tmp_path / "pool.toml"
    wanted.write_text(LOSSLESS)
    assert command("apply", wanted, "--device", f"sim:{tmp_path}/d")[0] == 0
    write_capture(tmp_path / "in.pcap", [(number * 100_000, tcp_frame(1500)) for number in range(2000)])
    words = ["web", "--device", f"sim:{tmp_path}/d", "--play", str(tmp_path / "in.pcap"), "--loop", "--rate", "100M"]
    words += ["--to", "2", "--port", "0", "--interval", "0.1", "--json"]
    script = [sys.executable, "-c", "from truemark.cli import main; main()", *words]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        lines = iter(running.stdout.readline, "}\n")
        found = json.loads("".join(lines) + "}")
        assert found["schema"] == "truemark/serve/1"
        with opened(browser, found["address"]) as page:
            expect(page.locator("#device")).to_contain_text("(SIMULATED)")
            expect(page.locator("#ports tbody tr").nth(2).locator("td").nth(4)).not_to_have_text("0")
            expect(page.locator("#ports tbody tr").nth(0).locator("td").nth(4)).to_have_text("0")
            expect(page.locator("#state")).to_contain_text("% full; must pause: port 0 class 0")
            page.locator("#ports tbody tr").nth(2).click()
            expect(page.locator("#port h2")).to_contain_text("of the pool")
            running.terminate()
            assert running.wait(60) == 0, "it ends though somebody looks"
            expect(page.locator("#state")).to_contain_text("does not answer")
        assert running.stderr.read() == ""


def test_what_cannot_be_is_said(command: Command, address: str, tmp_path: Path) -> None:
    code, _, error = command("web", "--device", address, "--play", tmp_path / "x.pcap")
    assert code == 1
    assert "--engine and --play are for a simulated device" in error
    code, out, error = command("web", "--device", "tcp:127.0.0.1:1")
    assert (code, out) == (ExitCode.NO_DEVICE, "")
    assert "127.0.0.1:1" in error
    with web.listening("127.0.0.1", 0) as taken:
        code, _, error = command("web", "--device", address, "--port", taken.getsockname()[1])
    assert code == 1
    assert "cannot listen: Address already in use" in error
