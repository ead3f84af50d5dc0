# SPDX-License-Identifier: BSD-3-Clause
"""Laws that drop, and classes that may not be dropped: what a profile and a device refuse, and the way between two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sw.tests.frames import Command
from sw.tests.test_transport import served

from truemark.device import registers
from truemark.device.board import Board
from truemark.device.device import Device
from truemark.device.engine import EVERY_LAW, Build, Engine, find_libraries
from truemark.errors import RefusedError, TruemarkError
from truemark.laws.law import Limits
from truemark.laws.policies import PortSettings
from truemark.laws.profile import plan, read_profile
from truemark.laws.share import Share

LIMITS = Limits(2_500_000, 1000, frozenset({"step", "red", "codel", "flags_verdict", "pool", "pfc"}))
LINES = Limits(2_500_000, 1000, LIMITS.able, queues=2)
PFC = '[pfc]\nclasses = [3, 4]\nheadroom = "1kB"\nalpha = "1/8"\nxon_offset = "3kB"\n'
MARKS = 'policy = "true-mark"\nk = "30kB"\n'
DROPS = 'policy = "red"\n[red]\nmin = "10kB"\nmax = "30kB"\nprobability = 0.1\nweight = 0\n'
DCQCN = 'policy = "dcqcn"\ndcqcn = "5kB/200kB/1%"\n'
HEAD_DROPS = 'policy = "codel"\ncodel = "500us/20ms"\n'
NO_ECN = '[codel]\ntarget = "500us"\ninterval = "20ms"\necn = false\n'
BY_PRIORITY = '[queues]\nby = "pcp"\npcp = { 3-4 = 1 }\n'
HEAD = 'rate = "10G"\n'


def planned(tmp_path: Path, text: str, limits: Limits = LIMITS) -> None:
    """Check a profile for a device of four ports."""
    path = tmp_path / "profile.toml"
    path.write_text(HEAD + text)
    plan(read_profile(path), 4, limits, "profile.toml")


@pytest.mark.parametrize(
    "text",
    [
        MARKS + PFC,
        DROPS,
        'protect = "all"\n' + DROPS + PFC,
        'protect = "all"\n' + DCQCN + PFC,
        'protect = "all"\n' + HEAD_DROPS + PFC,
        HEAD_DROPS,
        DROPS + PFC.replace("[3, 4]", "[]"),
        DROPS + PFC + "sources = []\n",
    ],
)
def test_what_only_marks_may_be_lossless(tmp_path: Path, text: str) -> None:
    planned(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "drops"),
    [
        (DROPS, "policy = 'red'.* classes 3, 4 .* Not-ECT frames early; protect"),
        ('protect = "ack+syn"\n' + DCQCN, "policy = 'dcqcn'.* Not-ECT frames early"),
        ("ecn = false\n" + DROPS, "what a signal meets, by ecn = false"),
        ('protect = "all"\nharddrop = true\n' + DROPS, "what a forced signal meets, by harddrop"),
        (MARKS + "[port.2]\n" + DCQCN, "port 2: policy = 'dcqcn'"),
        (HEAD_DROPS, "policy = 'codel'.* classes 3, 4 .* Not-ECT frames early; protect"),
        (HEAD_DROPS.replace('codel = "500us/20ms"\n', NO_ECN), "what a signal meets, by ecn = false"),
    ],
)
def test_what_drops_may_not(tmp_path: Path, text: str, drops: str) -> None:
    with pytest.raises(TruemarkError, match=drops):
        planned(tmp_path, text + PFC)


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("", None),  # all goes to queue 0
        (BY_PRIORITY, 1),
        (BY_PRIORITY.replace("pcp = {", "default = 1\npcp = {").replace("= 1 }", "= 0 }"), None),
        (BY_PRIORITY.replace("pcp", "dscp").replace("3-4", "46"), 1),
    ],
)
def test_the_queue_of_a_class_counts(tmp_path: Path, table: str, wrong: int | None) -> None:
    """Queue 1 has a law that drops: it counts where frames of classes 3 and 4 come to it, or may."""
    text = MARKS + PFC + table + "[queue.1]\n" + DCQCN
    if wrong is None:
        planned(tmp_path, text, LINES)
        return
    with pytest.raises(TruemarkError, match=f"port {wrong}: policy = 'dcqcn'"):
        planned(tmp_path, text, LINES)


def test_frames_without_a_tag_are_of_class_0(tmp_path: Path) -> None:
    table = '[queues]\nby = "pcp"\ndefault = 1\npcp = { 0-7 = 0 }\n'
    text = MARKS + PFC.replace("[3, 4]", "[0]") + table + "[queue.1]\n" + DCQCN
    with pytest.raises(TruemarkError, match="port 1"):
        planned(tmp_path, text, LINES)
    planned(tmp_path, text.replace("[0]", "[1]"), LINES)


@pytest.mark.builds("engine:model")
def test_from_one_profile_to_the_other(command: Command, tmp_path: Path) -> None:
    """Every port drops, then none does and all pause, then again; a device refuses what is half of each."""
    path = tmp_path / "profile.toml"
    # Registers alone: the model's ports have their own memories.
    switches = EVERY_LAW | registers.CAPABILITIES.pack(pool=1, pfc=1)
    with Engine(find_libraries("model")[0], Build(ports=3, switches=switches)) as engine, served(engine) as address:
        device = Device(engine.read, engine.write)
        for text, classes in ((DROPS, ()), (MARKS + PFC, (3, 4)), (MARKS + PFC, (3, 4)), (DROPS, ())):
            path.write_text(HEAD + text)
            code, _, error = command("apply", path, "--device", address)
            assert code == 0, error
            for port in range(device.identity().ports):
                found = device.settings(port)
                assert found.policy == ("true-mark" if classes else "red")
                assert (found.pause.classes if found.pause else ()) == classes
        # What no profile says: one port is lossless, and so no port may drop.
        device.command("load", 1)
        device.write(registers.PFC_CLASSES, registers.PFC_CLASSES.pack(lossless=1))
        with pytest.raises(RefusedError, match="PFC_CLASSES"):
            device.take_effect(1)
        path.write_text(HEAD + MARKS + PFC)
        assert command("apply", path, "--device", address)[0] == 0
        # Another policy of a port leaves its pauses and its share of the pool alone.
        share = Share(reserve=640)
        device.commit(2, replace(device.settings(2), pool_share=share))
        device.commit_laws(2, replace(device.settings(0), pool_share=None, pause=None))
        kept = device.settings(2)
        assert kept.pool_share == share
        assert kept.pause is not None
        assert kept.pause.classes == (3, 4)


@pytest.mark.builds("engine:model")
def test_a_paused_queue_stays_so_on_the_way(tmp_path: Path) -> None:
    """What lets a policy that drops give way to a lossless class leaves alone what pauses a queue."""
    path = tmp_path / "profile.toml"
    switches = EVERY_LAW | registers.CAPABILITIES.pack(pool=1, pfc=1)
    with Engine(find_libraries("model")[0], Build(ports=2, switches=switches)) as engine:
        device = Device(engine.read, engine.write)

        def settings(text: str) -> list[PortSettings]:
            path.write_text(HEAD + "paused_by = [5]\n" + text)
            return [each.settings for each in plan(read_profile(path), 2, LIMITS, "profile.toml")]

        for port, each in enumerate(settings(DROPS)):
            device.commit(port, each)
        before = [device.settings(port) for port in range(2)]
        device.make_way(settings(MARKS + PFC), before)
        for port in range(2):
            found = device.settings(port)
            assert not found.drops
            assert found.pause == before[port].pause
            assert found.pause is not None
            assert found.pause.paused_by == (5,)


@pytest.mark.builds("engine:model")
def test_from_one_lossless_class_to_another(tmp_path: Path) -> None:
    """Both profiles have a queue that drops, and send the lossless class of the other one there."""
    path = tmp_path / "profile.toml"
    switches = EVERY_LAW | registers.CAPABILITIES.pack(pool=1, pfc=1)
    text = HEAD + MARKS + "[queue.0]\n" + DROPS.replace("[red]", "[queue.0.red]")
    build = Build(ports=4, queues=2, switches=switches)
    with Engine(find_libraries("model")[0], build) as engine, served(engine) as where:
        device = Device(engine.read, engine.write)
        for lossless in (3, 4, 3):
            pcp = '[queues]\nby = "pcp"\npcp = { ' + f"{lossless} = 1" + " }\n"
            path.write_text(text + PFC.replace("[3, 4]", f"[{lossless}]") + pcp)
            Board(where).apply(path)
            for port in range(4):
                found = device.settings(port)
                assert found.pause is not None
                assert found.pause.classes == (lossless,)
                assert bool(found.drops) == (port % 2 == 0)
