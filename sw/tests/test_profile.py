# SPDX-License-Identifier: BSD-3-Clause
"""PROFILE.toml: what it means, and what is said when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from truemark.device.engine import FEATURES
from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.export.wred import Curve, wred
from truemark.laws import profile
from truemark.laws.codel import Codel
from truemark.laws.law import Limits
from truemark.laws.step import Step

LIMITS = Limits(storage=400_000, descriptors=5000)
GOOD = """
rate = "10G"
policy = "true-mark"
k = "24us"
buffer = "shallow"

[port.1]
policy = "droptail"
[port.2]
k = "20pkt"
packet = 1500
limit_packets = 200
[port.3]
rate = "1G"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "p.toml"
    path.write_text(text)
    return path


def test_a_profile_becomes_settings(tmp_path: Path) -> None:
    planned = profile.plan(profile.read_profile(write(tmp_path, GOOD)), 4, LIMITS, "p.toml")
    ports = [port.settings for port in planned]
    assert [port.policy for port in ports] == ["true-mark", "droptail", "true-mark", "true-mark"]
    assert [port.arrival[0] for port in ports] == [Step(30_000), None, Step(30_000), Step(3_000)]
    assert [port.limit_bytes for port in ports] == [300_000, 300_000, None, 300_000]
    assert [port.limit_packets for port in ports] == [None, None, 200, None]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('polcy = "droptail"', r"p.toml:1: polcy: unknown key; did you mean 'policy'\?"),
        (
            'policy = "droptail"\n[port.1]\nbufer = "deep"',
            r"p.toml:3: port.1.bufer: unknown key; did you mean 'buffer'\?",
        ),
        ('policy = "droptail"\n[ports.1]\nk = 1', r"p.toml:2: ports: unknown key; did you mean 'port'\?"),
        ("policy = 5", r"p.toml:1: policy = 5: it must be a string"),
        ("policy = [true]", r"p.toml:1: policy = \[true\]: it must be a string"),
        ("k = { a = 1 }", r"""p.toml:1: k = {"a": 1}: a size such as "30kB" is wanted"""),
        ("queue = 3", r"p.toml:1: queue = 3: it must be a table$"),
        ("[port]\n1 = false", r"p.toml:2: port.1 = false: it must be a table$"),
        ('policy = "droptail"\nenable = "yes"', r"p.toml:2: enable = 'yes': it must be a boolean"),
        ('policy = "droptail', "p.toml: not valid TOML"),
        ('policy = "droptail"\n[port.x]\nk = 1', "port.x: ports are numbers"),
        ('policy = "droptail"\n[port.03]\nk = 1', "p.toml:2: port.03: ports are numbers, 0 to 127"),
        ('policy = "droptail"\n[port."²"]\nk = 1', "p.toml:2: port.²: ports are numbers, 0 to 127"),
    ],
)
def test_unreadable_profiles_name_the_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        profile.read_profile(write(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("k = 5", "no policy is set"),
        ('policy = "true-mark"\nk = "24us"', "a size only at a rate"),
        (
            'policy = "true-mark"\nk = 1\nbuffer = "deep"',
            r"p.toml: limit_bytes = 2430000 B: this build allows 1 to 400000 B",
        ),
        ('policy = "true-mark"\nk = 1\nbuffer = "shalow"', "did you mean 'shallow'"),
        ('policy = "droptail"\nbuffer = "deep"\nlimit_bytes = 5', "is a limit already"),
        (
            'policy = "droptail"\n[port.1]\npolicy = "codel"\n[port.1.codel]\ntarget = "1ms"\ninterval = "9ms"',
            "p.toml: port 1: policy = 'codel': this build has no CoDel",
        ),
        ('policy = "droptail"\n[port.7]\nenable = false', "port.7: this device has ports 0 to 1"),
    ],
)
def test_impossible_profiles_are_refused(tmp_path: Path, text: str, says: str) -> None:
    read = profile.read_profile(write(tmp_path, text))
    with pytest.raises(TruemarkError, match=says):
        profile.plan(read, 2, LIMITS, "p.toml")


def test_missing_profile(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"none\.toml: there is no such file"):
        profile.read_profile(tmp_path / "none.toml")


RED = """
rate = "10G"
policy = "dual-slope"
buffer = "shallow"
mean_packet = "1500B"
harddrop = true
adapt_interval = "250ms"
protect = "ack+syn"
[ect]
min = "24us"
max = 90000
probability = "10%"
weight = 0
adaptive = true
[not_ect]
min = "60kB"
max = "60kB"
probability = 1
weight = 9
spacing = "wait"

[port.1]
policy = "codel"
[port.1.codel]
target = "500us"
interval = "20ms"
ce_threshold = "1ms"
exempt = "1500B"
variant = "rfc8289"
switches = ["exempt_below"]
[port.2]
policy = "droptail"
"""
ALL = Limits(storage=400_000, descriptors=5000, able=FEATURES | {"step"})


def test_a_profile_of_laws_becomes_registers(tmp_path: Path) -> None:
    """24 µs at 10 Gbit/s are 30,000 B; 1500 B take 1200 ns; target and interval in whole units of 1024 ns."""
    read = profile.read_profile(write(tmp_path, RED))
    assert read.features() == {"red", "codel", "flags_verdict"}
    slopes, sojourn, plain = (port.settings for port in profile.plan(read, 3, ALL, "p.toml"))
    first, second = slopes.reds
    assert first is not None
    assert second is not None
    assert (first.min, first.max, first.maxp, first.weight, first.adaptive) == (30_000, 90_000, 1_677_722, 0, True)
    assert (second.min, second.max, second.maxp, second.weight) == (60_000, 60_000, 2**24, 9)
    assert (first.spacing, second.spacing) == (Spacing.UNIFORM, Spacing.WAIT)
    assert slopes.harddrop
    assert slopes.adapt_interval_ns == 250_000_000
    assert slopes.protect == 0b11_00_11_11_11_00_00
    assert slopes.idle is not None
    assert slopes.idle.tick_ns == pytest.approx(1200, rel=1e-5)
    (law,) = sojourn.departures
    assert isinstance(law, Codel)
    assert (law.target, law.interval, law.ce_threshold, law.exempt_bytes) == (488, 19_531, 976, 1500)
    assert law.switches == ("at_once", "exempt_below", "exempt_largest", "converge")
    assert law.ecn
    assert sojourn.protect == 0
    assert sojourn.arrival == plain.arrival == (None, None)
    assert not plain.departures


RED_ONLY = 'rate = "10G"\npolicy = "red"\nbuffer = "shallow"\n[red]\nmin = 30000\nmax = 90000\n'
IN_PACKETS = (
    'policy = "red"\nmean_packet = "1500B"\nrate = "10G"\n[red]\nunit = "packets"\nmin = "12.5pkt"\nmax = "37.5pkt"\n'
    "probability = 0.1\nweight = 9\n"
)


def test_a_law_in_packets_counts_each_as_64_bytes(tmp_path: Path) -> None:
    """12.5 and 37.5 packets are 800 and 2400 of 64 bytes; a packet of the profile, 1500 bytes, plays no part in it."""
    (port,) = profile.plan(profile.read_profile(write(tmp_path, IN_PACKETS)), 1, ALL, "p.toml")
    law = port.settings.reds[0]
    assert law is not None
    assert (law.min, law.max, law.packets) == (800, 2400, True)
    assert law.slope == pytest.approx(0.1 / 1600 * 2 ** (32 + 8 * law.slope_scale), rel=1e-6)
    facts = law.facts()
    assert (facts["min_packets"], facts["max_packets"]) == (12.5, 37.5)
    assert not {"min_bytes", "max_bytes"} & set(facts)
    assert law.cells(port.settings.idle)[:2] == ("12.5 pkt", "37.5 pkt")
    assert port.settings.onset is None  # no queue in bytes
    assert not law.levels


def test_a_switch_gets_a_law_in_packets_as_bytes(tmp_path: Path) -> None:
    """12.5 and 37.5 packets of 500 bytes; the registers do not hold the profile's 1500."""
    (port,) = profile.plan(profile.read_profile(write(tmp_path, IN_PACKETS)), 1, ALL, "p.toml")
    switch = wred(port.settings)
    assert switch.mark == switch.drop == Curve(6250, 18_750, 10)
    said = "min 12.5 pkt as 6,250 B, max 37.5 pkt as 18,750 B: a switch counts bytes, taken at 500 B a packet"
    assert said in switch.lost


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (
            'limit_bytes = "779B"',
            "never acts: min = 12.5 pkt is not below the 12 shortest frames that the queue can hold in 779 B",
        ),
        (
            'limit_bytes = "2279B"',
            "never reaches max = 37.5 pkt, which is beyond the 37 shortest frames that the queue can hold in 2,279 B",
        ),
        ('limit_bytes = "2280B"', ""),
        ("limit_packets = 12", "never acts: min = 12.5 pkt is not below the limit of 12 packets"),
        ("limit_packets = 37", "never reaches max = 37.5 pkt, which is beyond the limit of 37 packets"),
        ("limit_packets = 38", ""),
        ('limit_bytes = "2280B"\nlimit_packets = 20', "is beyond the limit of 20 packets: a full queue has p = 0.03"),
        ('limit_bytes = "1200B"\nlimit_packets = 37', "the 20 shortest frames that the queue can hold in 1,200 B"),
    ],
)
def test_a_limit_below_a_law_in_packets_is_told(tmp_path: Path, limits: str, says: str) -> None:
    """38 of the shortest frames, 60 bytes without FCS, are 2280 bytes; 13 are 780. At 20 p is 0.1 * 7.5 / 25."""
    (port,) = profile.plan(profile.read_profile(write(tmp_path, f"{limits}\n{IN_PACKETS}")), 1, ALL, "p.toml")
    warned = [line for line in port.warnings() if "never" in line]
    assert [says in line for line in warned] == ([True] if says else []), warned


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RED_ONLY + "probability = 0.1\nweight = 25", r"p.toml: \[red\] weight W = 25: allowed is 0 to 24"),
        (
            RED_ONLY + "probability = 0\nweight = 9",
            r"p.toml:7: red.probability = 0: allowed is more than 0",
        ),
        (RED_ONLY + "probability = 1.5\nweight = 9", r"p.toml:7: red.probability = 1.5: allowed is more than 0"),
        (RED_ONLY + 'probability = "110%"\nweight = 9', r"p.toml:7: red.probability = 110%: allowed is more than 0"),
        (RED_ONLY + 'probability = "much"\nweight = 9', r"p.toml:7: red.probability 'much' is not a number"),
        (
            RED_ONLY + "probability = 1e-9\nweight = 9",
            r"probability = 1e-09: the least that the registers hold",
        ),
        (RED_ONLY + 'probability = 0.1\nweight = 9\nspacing = "even"', r"spacing = 'even' is unknown; there are"),
        (
            RED_ONLY.replace("30000", "90001") + "probability = 0.1\nweight = 9",
            r"\[red\] min = 90,001 B is above max = 90,000 B",
        ),
        (
            IN_PACKETS.replace("12.5pkt", "30kB"),
            r"\[red\] min = '30kB' is no number of packets, which unit = \"packets\" wants, such as min = \"12.5pkt\"",
        ),
        (IN_PACKETS.replace("37.5pkt", "12pkt"), r"\[red\] min = 12.5 pkt is above max = 12 pkt"),
        (
            IN_PACKETS.replace("37.5pkt", "300000pkt"),
            r"max = 300,000 pkt: allowed is 0\.015625 pkt to 262,143\.9844 pkt",
        ),
        (
            IN_PACKETS.replace("37.5pkt", "16.5pkt").replace("0.1", "1") + 'spacing = "linux"',
            r"a probability of 1 over 4 pkt is too steep .*; max must be at least 4\.015625 pkt above min",
        ),
        (IN_PACKETS.replace('"packets"', '"frames"'), r"p.toml:5: red.unit = 'frames'"),
        (RED_ONLY + "probability = 0.6\nweight = 9\nadaptive = true", r"with adaptive: allowed is at most 0.5"),
        (RED_ONLY + "probability = 0.1\nweight = 9\nadaptive = true\nbottom = 0.2", r"\[red\] bottom = 0.2 is above"),
        (
            'adapt_interval = "5s"\n' + RED_ONLY + "probability = 0.1\nweight = 9\nadaptive = true",
            r"adapt_interval = 5000000000 ns: allowed is 1 to 4294967295 ns",
        ),
        (
            RED_ONLY.replace('"red"', '"codel"') + "probability = 0.1\nweight = 9",
            r"\[red\]: policy 'codel' takes \[codel\]",
        ),
        (RED_ONLY.replace("[red]", "[ect]") + "probability = 0.1\nweight = 9", r"\[ect\]: policy 'red' takes \[red\]"),
        (
            'target_delay = "100us"\n' + RED_ONLY + "probability = 0.1\nweight = 9",
            r"p.toml: target_delay with \[red\]: each sets RED's thresholds; leave one of them out",
        ),
        (RED_ONLY.replace('rate = "10G"\n', "") + "probability = 0.1\nweight = 9", "state the rate"),
        (
            RED_ONLY.replace("10G", "0G") + "probability = 0.1\nweight = 9",
            "p.toml:1: rate '0G' must be at least",
        ),
        (
            RED_ONLY.replace('"red"', '"dual-slope"').replace("[red]", "[ect]")
            + 'probability = 0.1\nweight = 5\nspacing = "linux"\n'
            + "[not_ect]\nmin = 30000\nmax = 90000\nprobability = 0.1\nweight = 5",
            'spacing = "linux": both laws of a port share one idle table',
        ),
        (
            'policy = "codel"\n[codel]\ntarget = "2ms"\ninterval = "1ms"',
            r"\[codel\] target = 2000 µs is above interval = 1000 µs",
        ),
        (
            'policy = "codel"\n[codel]\ntarget = "0s"\ninterval = "0s"',
            r"\[codel\] interval = 0 ns: it must be",
        ),
        (
            'policy = "codel"\nprotect = "all"\n[codel]\ntarget = "1ms"\ninterval = "2ms"\necn = false',
            "nodrop.* is only meaningful with ECN; set ecn = true",
        ),
        (
            'policy = "codel"\n[codel]\ntarget = "1ms"\ninterval = "2ms"\nvariant = "ns2"',
            r"variant = 'ns2' is unknown; there are linux, rfc8289, ns3",
        ),
    ],
)
def test_impossible_laws_are_refused_with_their_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        profile.plan(profile.read_profile(write(tmp_path, text)), 2, ALL, "p.toml")


def test_a_table_and_a_delay_take_each_other_s_place(tmp_path: Path) -> None:
    """Auto-RED takes half of what a delay carries as min: 62,500 B of the 125,000 B of 100 µs at 10 Gbit/s."""
    table = "[port.1.red]\nmin = 3000\nmax = 6000\nprobability = 0.5\nweight = 9"
    text = 'rate = "10G"\npolicy = "red"\nbuffer = "shallow"\ntarget_delay = "100us"\nweight = "12"\n'
    for written, wanted in (
        (text + table, [(62_500, 12), (3000, 9)]),
        (RED_ONLY + 'probability = 0.1\nweight = 9\n[port.1]\ntarget_delay = "100us"', [(30_000, 9), (62_500, 21)]),
    ):
        planned = profile.plan(profile.read_profile(write(tmp_path, written)), 2, ALL, "p.toml")
        laws = [port.settings.reds[0] for port in planned]
        assert [(law.min, law.weight) for law in laws if law is not None] == wanted


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RED_ONLY + "wieght = 9", r"p.toml:7: red.wieght: unknown key; did you mean 'weight'\?"),
        (RED_ONLY + "probability = 0.1", r"p.toml:4: red.weight is missing \(W, 0 to 24"),
        (RED_ONLY + "probability = 0.1\nweight = 0.5", r"p.toml:8: red.weight = 0.5: a whole number is wanted"),
        (
            'policy = "codel"\n[codel]\ntaget = "1ms"',
            r"p.toml:3: codel.taget: unknown key; did you mean 'target'\?",
        ),
    ],
)
def test_unreadable_laws_name_the_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        profile.read_profile(write(tmp_path, text))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xd4\xc3\xb2\xa1", r"p.toml: not a text file; TOML is wanted"),
        (b'policy = "droptail"\nk = 1\nk = 2\n', r"p.toml:3: k stands twice"),
        (b'policy = "droptail\n', r"p.toml:1: not valid TOML"),
        (b'policy = "droptail"\nlimit_packets = ' + b"9" * 5000, r"p.toml: a number of more than 4300 digits"),
    ],
)
def test_files_that_are_no_toml(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(content)
    with pytest.raises(TruemarkError, match=says):
        profile.read_profile(path)
