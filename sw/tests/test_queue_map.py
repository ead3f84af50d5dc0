# SPDX-License-Identifier: BSD-3-Clause
"""[queues] of a profile: what it means, what is said when it is wrong, and where frames go then."""

from __future__ import annotations

from pathlib import Path

import pytest
from cocotb_tests.env import packets
from cocotb_tests.env.tm_pkg import Ecn
from sw.tests.frames import Command, tcp_frame, write_capture

from truemark.device import registers
from truemark.device.device import Device
from truemark.device.engine import Build, Engine, find_libraries, model_build
from truemark.device.registers import Class, QueueMode
from truemark.errors import RefusedError, TruemarkError
from truemark.laws import policies, profile
from truemark.laws.law import Limits
from truemark.laws.queue_map import QueueMap

LIMITS = Limits(storage=400_000, descriptors=5000, able=frozenset({"step", "flags_verdict"}))
PLAIN = Limits(storage=400_000, descriptors=5000)
HEAD = 'policy = "droptail"\n'


def read(folder: Path, text: str) -> profile.Profile:
    path = folder / "p.toml"
    path.write_text(HEAD + text)
    return profile.read_profile(path)


def planned(folder: Path, text: str, queues: int = 4, limits: Limits = LIMITS) -> QueueMap:
    found = profile.plan_queues(read(folder, text), queues, limits, "p.toml")
    assert found is not None
    return found


def test_entries_go_before_ranges_and_ranges_before_the_default(tmp_path: Path) -> None:
    found = planned(tmp_path, '[queues]\nby = "dscp"\ndefault = 1\ndscp = { 10 = 0, 8-15 = 2, 46 = 3 }')
    assert found.mode is QueueMode.DSCP
    assert found.table == (1,) * 8 + (2, 2, 0, 2, 2, 2, 2, 2) + (1,) * 30 + (3,) + (1,) * 17
    words = {register.name: word for register, word in found.words()}
    assert words["QUEUE_DSCP1"] == 0o22222022
    assert words["QUEUE_DSCP5"] == 0o13111111
    assert words["QUEUE_PCP"] == words["QUEUE_ECN"] == words["QUEUE_CLASS"] == 0
    classes = planned(tmp_path, '[queues]\nby = "class"\nclass = { ack = 3, "ack+ece" = 2, syn = 1 }')
    words = {register.name: word for register, word in classes.words()}
    assert words["QUEUE_CLASS"] == 3 << 3 * Class.ACK | 1 << 3 * Class.SYN
    assert words["QUEUE_CLASS_ECE"] == 2 << 3 * Class.ACK | 1 << 3 * Class.SYN


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("default = 1", r"p.toml:2: queues.by is missing"),
        ('by = "dsc"', r"p.toml:3: queues.by = 'dsc'"),
        ('by = "dscp"\ndefault = 8', r"p.toml:4: queues.default = 8: it must be less than 8"),
        ('by = "dscp"\nqueue = 1', r"p.toml:4: queues.queue: unknown key"),
        ('by = "dscp"\ndscp = { 64 = 1 }', r"p.toml:2: queues.dscp: '64': a number or a range of 0 to 63"),
        ('by = "dscp"\ndscp = { 9-8 = 1 }', r"queues.dscp: '9-8'"),
        ('by = "pcp"\npcp = { 8 = 1 }', r"queues.pcp: '8': a number or a range of 0 to 7"),
        ('by = "ecn"\necn = { ect = 1 }', r"queues.ecn: 'ect' is unknown; did you mean 'ect1'"),
        ('by = "class"\nclass = { ak = 1 }', r"queues.class: 'ak' is unknown; did you mean 'ack'"),
        ('by = "ecn"\ndscp = { 6 = 1 }', r'\[queues.dscp\] says nothing with by = "ecn"'),
        ('by = "fixed"\ndefault = 4', r"p.toml: queues.default = 4: a line of this device has 0 to 3"),
        ('by = "pcp"\npcp = { 7 = 4 }', r"p.toml: queues.pcp.7 = 4: a line of this device has 0 to 3"),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        planned(tmp_path, f"[queues]\n{text}")


def test_what_a_device_lacks(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"a line of this device has one queue"):
        planned(tmp_path, '[queues]\nby = "dscp"', queues=1)
    with pytest.raises(TruemarkError, match=r"builds with FLAGS_VERDICT"):
        planned(tmp_path, '[queues]\nby = "class"', limits=PLAIN)


@pytest.mark.builds("engine:model")
def test_frames_go_where_it_says(tmp_path: Path) -> None:
    """Each mode; a commit of a port leaves it alone, and so does one that is refused."""
    build = model_build("shallow", 4)
    with Engine(find_libraries("model")[0], Build(ports=8, queues=4, switches=build.switches)) as engine:
        device = Device(engine.read, engine.write)
        assert device.queues() == 4
        assert device.identity().queues == 4
        frames = {
            "ack": packets.tcp(flags="A", ecn=Ecn.NOT_ECT, dscp=46, tags=1),
            "syn": packets.tcp(flags="SEC", ecn=Ecn.NOT_ECT, dscp=8, version=6),
            "data": packets.tcp(payload=400, flags="PA", ecn=Ecn.ECT0, dscp=10),
            "arp": packets.non_ip(),
        }
        wanted = {
            'by = "dscp"\ndefault = 1\ndscp = { 46 = 3, 8-15 = 2 }': {"ack": 3, "syn": 2, "data": 2, "arp": 1},
            'by = "pcp"\ndefault = 2\npcp = { 0 = 3 }': {"ack": 3, "syn": 2, "data": 2, "arp": 2},
            'by = "ecn"\ndefault = 1\necn = { not_ect = 2, ect0 = 3 }': {"ack": 2, "syn": 2, "data": 3, "arp": 1},
            'by = "class"\ndefault = 1\nclass = { ack = 3, "syn+ece" = 2 }': {"ack": 3, "syn": 2, "data": 1, "arp": 1},
            'by = "fixed"\ndefault = 2': {"ack": 2, "syn": 2, "data": 2, "arp": 2},
        }
        for time, (text, queues) in enumerate(wanted.items()):
            made = planned(tmp_path, f"[queues]\n{text}")
            device.commit_queue_map(made)
            engine.write(registers.QUEUE_SETTINGS.address, 0x77)  # left in the shadow by somebody
            device.commit(5, policies.settings("droptail", limit_bytes=100_000))
            assert device.queue_map() == made
            for name, frame in frames.items():
                engine.offer(time, frame, 0b11)
                assert [event.port for event in engine.events()] == [queues[name], 4 + queues[name]], (text, name)
        with pytest.raises(RefusedError, match=r"QUEUE_DEFAULT \(fault code 25\): QUEUE_SETTINGS.default_queue"):
            device.commit_queue_map(QueueMap(QueueMode.FIXED, 5))
        assert device.queue_map() == planned(tmp_path, '[queues]\nby = "fixed"\ndefault = 2')


@pytest.mark.builds("engine:model")
def test_apply_show_and_what_one_queue_cannot(command: Command, tmp_path: Path) -> None:
    source, device = tmp_path / "p.toml", f"sim:{tmp_path / 'd'}"
    source.write_text(HEAD + 'rate = "10G"\n[queues]\nby = "pcp"\npcp = { 5-7 = 1 }\n')
    code, printed, _ = command("apply", source, "--device", device)
    assert code == 0
    assert "applied to 2 ports" in printed
    code, printed, _ = command("show", "--device", device)
    assert code == 0
    for text in ("2: 1 line of 2 queues", "queues by pcp", "5-7", "all others"):
        assert text in printed
    capture = write_capture(tmp_path / "in.pcap", [(0, tcp_frame(100))])
    code, _, error = command("replay", capture, "--profile", source, "--engine", "model")
    assert code == 1
    assert "p.toml: [queues], [queue.N] or [pfc]: one queue is looked at" in error
    code, _, error = command("stats", "--after", capture, "--device", device)
    assert code == 1
    assert "sends a capture through one queue; its lines have 2" in error
    turns = tmp_path / "turns.toml"
    turns.write_text(HEAD + 'rate = "10G"\n[queue.1]\nquantum = "3kB"\n')
    assert command("apply", turns, "--device", f"sim:{tmp_path}/turns")[0] == 0
    code, out, error = command("stats", "--after", capture, "--device", f"sim:{tmp_path}/turns", "--port", "1")
    assert (code, out, "its lines have 2" in error) == (1, "", True)
    code, _, error = command("apply", source, "--device", device, "--engine", "rtl")
    assert code == 1
    assert "no rtl engine has lines of several queues" in error
