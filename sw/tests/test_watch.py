# SPDX-License-Identifier: BSD-3-Clause
"""`truemark watch` and `serve sim: --play`: rates from two freezes, lines in a pipe, the view, a device that dies."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import fastjsonschema
import pytest
from sw.tests.frames import Command, tcp_frame, write_capture
from sw.tests.test_board import marking as address
from sw.tests.test_board import profile
from sw.tests.test_transport import model
from textual.widgets import DataTable, RichLog, Static

from truemark import documents
from truemark.device.board import Board, Follower
from truemark.device.device import Count, Device, bin_edges
from truemark.device.engine import open_engine
from truemark.device.look import Reading
from truemark.device.outcomes import ARRIVED, DEPARTED, FrameClass, Outcome
from truemark.device.registers import QueueMode
from truemark.errors import ExitCode, LinkError, TruemarkError
from truemark.laws.queue_map import QueueMap
from truemark.link.transport import Simulated
from truemark.watch.player import Player
from truemark.watch.sample import Wait, between, quantile
from truemark.watch.view import BAR, Watch, bar

pytestmark = pytest.mark.builds("engine:model")

__all__ = ["address", "model", "profile"]  # fixtures


def test_rates_are_per_second_of_the_device(model: Simulated, address: str) -> None:
    """40 frames in 2 ms, of which 19 find more than K; 10 of them leave: 20,000 frames a second came."""
    before = Board(address).look()
    for _ in range(40):
        model.engine.offer(1_000_000, tcp_frame(1500))
    for _ in range(10):
        assert model.engine.take(1_500_000)
    model.engine.advance(2_000_000)
    (port, *others) = between(before, Board(address).look()).ports
    assert (port.all.arrived, port.all.marked, port.all.dropped) == (20_000, 9_500, 0)
    assert port.classes["DATA"].marked == 9_500
    assert port.sent_bit_s == 10 * 1500 * 8 / 0.002
    assert (port.held_bytes, port.watermark_bytes, port.k_bytes, port.limit_bytes) == (45_000, 60_000, 30_000, 300_000)
    assert port.wait_p99 == Wait(2**18, 2**19), "500 µs are in the bin below 524,288 ns"
    assert port.waits == [0] * 11 + [10] + [0] * 12
    assert all(other.all.arrived == 0 and other.wait_p99 is None for other in others)
    text = bar(port).plain
    assert len(text) == BAR + 1
    assert text.count("█") == round(BAR * 45_000 / 300_000)


def test_counters_that_were_cleared_count_from_nothing(model: Simulated, address: str) -> None:
    """30 frames came since a reset, fewer than before it; of 20 that left some waited as before, and some longer."""
    device = Board(address).look()
    before, after = device.ports[0], replace(device.ports[0], time_ns=device.ports[0].time_ns + 10**9)
    arrived, departed = (Outcome.PASS, FrameClass.DATA, 0), (Outcome.DEPARTED, FrameClass.DATA, 0)
    empty = [0] * (len(before.histogram) - 3)
    long_before = {arrived: Count(1000, 10**6), departed: Count(1000, 10**6)}
    since = {arrived: Count(30, 30_000), departed: Count(30, 30_000)}
    one = replace(before, counters=long_before, histogram=[0, 15, 985, *empty])
    other = replace(after, counters=since, histogram=[10, 0, 20, *empty])
    (port, *_) = between(
        replace(device, ports=[one, *device.ports[1:]]), replace(device, ports=[other, *device.ports[1:]])
    ).ports
    assert (port.all.arrived, port.sent_bit_s, port.waits[:3]) == (30, 240_000, [10, 0, 20])
    assert port.wait_p99 == Wait(*bin_edges(2))


def test_the_quantile_is_in_its_bin_and_the_last_has_no_end() -> None:
    assert quantile([0] * 24, 0.5) is None
    assert str(quantile([99, 1, *[0] * 22], 0.99)) == "<256 ns"
    assert str(quantile([98, 2, *[0] * 22], 0.99)) == "<512 ns"
    assert str(quantile([*[0] * 22, 2, 0], 0.99)) == "<1.074 s"
    assert str(quantile([*[0] * 23, 2], 0.99)) == ">1.074 s"


def test_a_pipe_gets_lines_of_json_and_no_textual(address: str) -> None:
    script = "import sys; from truemark.cli import main\ntry: main()\nfinally: print('textual' in sys.modules, file=sys.stderr)"  # noqa: E501
    words = ["watch", "--device", address, "--interval", "0.1", "--count", "2"]
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == "False"
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [len(line["ports"]) for line in lines] == [5, 5]
    fastjsonschema.compile(documents.schema("watch"))(lines[0])
    assert lines[0]["ports"][3]["policy"] == "true-mark"


@pytest.mark.parametrize("interval", ["inf", "1e300", "nan", "0.01", "-1"])
def test_an_interval_is_a_time_to_wait(command: Command, address: str, interval: str) -> None:
    for words in (["watch", "--count", "1"], ["web", "--port", "0"]):
        code, out, error = command(*words, "--device", address, "--interval", interval)
        assert (code, out) == (ExitCode.WRONG, "")
        assert error.startswith("error: invalid value for '--interval': it must be ")


def test_a_device_with_another_number_of_ports_is_another(
    command: Command, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that was started again, of another build: the lines end, and whoever looks on begins again."""
    found = Board(address).look()
    fewer = replace(found, settings=found.settings[:3], ports=found.ports[:3])
    looks = iter([found, fewer, fewer])
    monkeypatch.setattr(Follower, "look", lambda *_: next(looks))
    code, out, error = command("watch", "--device", address, "--interval", "0.1", "--count", "2")
    assert (code, out) == (ExitCode.NO_DEVICE, "")
    assert error == "error: another device answers: it has 3 ports, the one before 5\n"
    assert len(between(fewer, next(looks)).ports) == 3


def test_the_view_follows_freezes_and_names_what_is_wrong(model: Simulated, address: str) -> None:
    dead = False

    def read() -> Reading:
        if dead:
            raise LinkError("the device no longer answers")
        return Board(address).look()

    async def look() -> None:
        nonlocal dead
        view = Watch(address, read, 0.05)

        async def until(text: str) -> None:
            for _ in range(400):
                if text in str(view.query_one("#state", Static).content):
                    return
                await pilot.pause(0.02)
            raise AssertionError(f"the view never said {text!r}")

        async with view.run_test(size=(80, 24)) as pilot:
            await until("5 ports, 0 marked and 0 dropped a second")
            table = view.query_one(DataTable)
            assert table.row_count == 5
            assert table.virtual_size.width <= 80
            model.engine.offer(1_000_000, tcp_frame(600))
            model.engine.advance(2_000_000)
            await pilot.press("f")
            await until("frozen")
            held = [str(cell) for cell in table.get_row_at(0)]
            for number in range(100):
                model.engine.offer(2_000_000 + number, tcp_frame(1500))
            model.engine.advance(3_000_000)
            await pilot.pause(0.3)
            assert [str(cell) for cell in table.get_row_at(0)] == held
            await pilot.press("f", "l")
            assert view.query_one(RichLog).display
            await pilot.pause(0.3)
            assert "150" in str(table.get_row_at(0)[3]), "150 kB and more are held now"
            dead = True
            await until("no longer answers; asking again")
            dead = False
            await until("5 ports")
            await pilot.press("q")

    asyncio.run(look())


def test_a_player_keeps_time_and_spares_no_frame(tmp_path: Path) -> None:
    """20 frames in 0.2 s to a line that takes 84 ms for each: the queue builds up, and the loop begins again."""
    capture = write_capture(tmp_path / "in.pcap", [(number * 10_000_000, tcp_frame(1500)) for number in range(20)])
    with open_engine("model") as engine, Player(engine, capture, 150_000, Fraction(1), True, (2,)) as player:
        device = Device(player.read, player.write)
        for _ in range(3000):
            frozen = device.snapshot(2)
            arrived = frozen.total(*ARRIVED).packets
            if arrived >= 25:
                break
            time.sleep(0.01)
        other = device.snapshot(0).total(*ARRIVED).packets
    assert 25 <= arrived <= frozen.time_ns / 10_000_000 + 2, "the capture was played again, and not too fast"
    left = frozen.total(*DEPARTED).packets
    assert left <= frozen.time_ns / 81_000_000 + 1, "the line is not faster than it is"
    assert frozen.held.packets == arrived - left
    assert other == 0


def test_a_player_plays_to_lines_of_several_queues(tmp_path: Path) -> None:
    """All frames go to a queue that is not the first of its line: more than the first waits there is asked."""
    capture = write_capture(tmp_path / "in.pcap", [(number, tcp_frame(1500)) for number in range(20)])
    with open_engine("model", queues=4) as engine:
        Device(engine.read, engine.write).commit_queue_map(QueueMap(QueueMode.FIXED, 2))
        with Player(engine, capture, 10**7) as player:
            device = Device(player.read, player.write)
            for _ in range(3000):
                if device.snapshot(2).total(*DEPARTED).packets == 20:
                    break
                time.sleep(0.01)
        assert [device.snapshot(port).total(*DEPARTED).packets for port in range(4)] == [0, 0, 20, 0]
        engine.offer(10**10, tcp_frame(1500))
        assert player._holds(0) == 1
        with pytest.raises(TruemarkError, match="line 1: this device has lines 0 to 0"):
            device.identity().check_lines([1])


def test_a_player_that_fails_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads is told, whatever it was; Python prints where."""
    capture = write_capture(tmp_path / "in.pcap", [(1, tcp_frame(1500))])
    printed: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", printed.append)
    monkeypatch.setattr(Player, "_pass", lambda *_: [][1])
    with open_engine("model") as engine, Player(engine, capture, 10**9) as player:
        assert player._thread is not None
        player._thread.join()
        with pytest.raises(LinkError, match="a fault of this program: IndexError"):
            player.read(0)
    assert len(printed) == 1


def test_a_capture_that_ends_in_its_middle_is_said_to_who_reads(tmp_path: Path) -> None:
    capture = write_capture(tmp_path / "in.pcap", [(number * 1000, tcp_frame(1500)) for number in range(20)])
    capture.write_bytes(capture.read_bytes()[:-700])

    def poll(player: Player) -> None:
        for _ in range(3000):
            player.read(0)
            time.sleep(0.01)

    with open_engine("model") as engine, Player(engine, capture, 10**9) as player:  # noqa: SIM117
        with pytest.raises(LinkError, match="truncated capture"):
            poll(player)


def test_only_a_simulated_device_plays(command: Command, address: str, tmp_path: Path) -> None:
    code, _, error = command("serve", address, "--play", "x.pcap")
    assert code != 0
    assert "--engine and --play are for a simulated device" in error
    code, _, error = command("serve", f"sim:{tmp_path}/d", "--play", tmp_path / "none.pcap", "--port", "0")
    assert code != 0
    assert "there is no such capture" in error
    code, _, error = command("serve", f"sim:{tmp_path}/d", "--play", tmp_path / "none.pcap", "--to", "9")
    assert code != 0
    assert "port 9: this device has ports 0 to 4" in error
