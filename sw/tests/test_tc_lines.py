# SPDX-License-Identifier: BSD-3-Clause
"""Lines of tc: typed and printed ones, on a board and on a simulated device, and what tc refuses."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sw.tests.frames import NOT_ECT, Command, tcp_frame, write_capture
from sw.tests.test_board import PROFILE
from sw.tests.test_transport import served

from truemark.device.board import Board
from truemark.device.device import Device
from truemark.device.engine import Engine, open_engine
from truemark.errors import ExitCode, LinkError, RefusedError
from truemark.laws import policies
from truemark.laws.profile import port_table
from truemark.laws.red import Red
from truemark.plan import tc_lines
from truemark_dev.builds import chosen

pytestmark = pytest.mark.builds("engine:model")

RED = "red limit 300000 min 3000 max 9000 avpkt 1000 burst 5 probability 0.5 bandwidth 10gbit ecn"
# What iproute2 prints for red and codel (tc/q_red.c, q_codel.c), in its order.
RED_KEYS = ["kind", "handle", "root", "refcnt", "options", "bytes", "packets", "drops", "overlimits", "requeues"]
RED_KEYS += ["backlog", "qlen", "marked", "early", "pdrop", "other"]


@pytest.fixture
def model() -> Iterator[Engine]:
    """Yield the golden model with every law."""
    with open_engine("model") as engine:
        yield engine


@pytest.fixture
def address(model: Engine) -> Iterator[str]:
    """Yield the model behind a TCP server."""
    with served(model) as where:
        yield where


@pytest.mark.parametrize("port", [0, 3])
def test_red_on_a_port_and_what_is_shown_of_it(command: Command, model: Engine, address: str, port: int) -> None:
    """The other ports stay as they were; what is shown is what was typed, and the counters are those of the port."""
    device = Device(model.read, model.write)
    before = [device.settings(number) for number in range(5)]
    code, out, error = command("tc", f"qdisc replace dev tm{port} root {RED}", "--device", address)
    assert (code, error) == (0, "")
    assert f"applied to port {port} of {address}" in out
    now = [device.settings(number) for number in range(5)]
    assert [number for number in range(5) if now[number] != before[number]] == [port]
    law = now[port].arrival[0]
    assert isinstance(law, Red)
    assert (law.min, law.max, now[port].limit_bytes, law.spacing.name) == (3000, 9000, 300_000, "LINUX")
    for number in range(60):
        model.offer(number * 100, tcp_frame(1500, NOT_ECT if number % 2 else 2), 1 << port)
    model.take(10_000, port)
    (shown,) = json.loads(command("tc", "-s", "-j", "qdisc", "show", "dev", f"tm{port}", "--device", address)[1])
    assert list(shown) == RED_KEYS
    assert shown["options"] == {
        "limit": 300_000,
        "min": 3000,
        "max": 9000,
        "ecn": True,
        "harddrop": False,
        "adaptive": False,
        "nodrop": False,
    }
    assert shown["marked"] > 0
    assert shown["early"] > 0
    assert shown["drops"] == shown["early"] + shown["pdrop"]
    assert shown["overlimits"] == shown["marked"] + shown["early"]
    assert shown["packets"] == 1
    assert shown["packets"] + shown["qlen"] + shown["drops"] == 60
    text = command("show", "--tc", "--device", address)[1].split("qdisc ")
    assert text[1 + port].splitlines()[0] == f"red {port + 1}: dev tm{port} root refcnt 2 limit 300000b min 3000b " + (
        "max 9000b ecn "
    )
    assert f"  marked {shown['marked']} early {shown['early']} pdrop 0 other 0" in text[1 + port]
    assert json.loads(command("show", "--tc", "-j", "--device", address)[1])[port] == shown | {"dev": f"tm{port}"}


def test_the_others_kinds_and_del(command: Command, tmp_path: Path) -> None:
    """On a simulated device a port's line is remembered over the profile, until one is applied to all."""
    device = f"sim:{tmp_path}/d"
    (tmp_path / "p.toml").write_text(PROFILE)
    assert command("apply", tmp_path / "p.toml", "--device", device)[0] == 0
    for line, kind, options in (
        (
            "tc qdisc replace dev tm1 root codel",
            "codel",
            {"limit": 1000, "target": 4999, "interval": 99_999, "ecn": False},
        ),
        (
            "qdisc replace dev tm1 root handle 1: codel limit 100p target 1024us interval 10.24ms ce_threshold 512 ecn",
            "codel",
            {"limit": 100, "target": 1024, "ce_threshold": 512, "interval": 10_240, "ecn": True},
        ),
        ("qdisc replace dev tm1 root pfifo limit 30", "pfifo", {"limit": 30}),
        ("qdisc replace dev tm1 root bfifo limit 30K", "bfifo", {"limit": 30_720}),
        (f"qdisc replace dev tm1 root {RED} nodrop harddrop", "red", {"limit": 300_000, "min": 3000, "max": 9000}),
        ("qdisc del dev tm1 root", "bfifo", {"limit": chosen("engine:full").storage}),
    ):
        code, _, error = command("tc", line, "--device", device)
        assert code == 0, error
        shown = json.loads(command("tc", "qdisc", "show", "-j", "--device", device)[1])
        assert [each["kind"] for each in shown] == ["true-mark", kind, "true-mark", "true-mark", "true-mark"]
        assert options.items() <= shown[1]["options"].items()
    assert command("apply", tmp_path / "p.toml", "--device", device)[0] == 0
    assert {each["kind"] for each in json.loads(command("show", "--tc", "-j", "--device", device)[1])} == {"true-mark"}


def test_adaptive_red_is_taken_with_spacing_that_can_adapt(command: Command, model: Engine, address: str) -> None:
    """The slope of Linux' spacing stays; tc takes the word, so it is taken, and what differs is said."""
    code, out, error = command("tc", f"qdisc replace dev tm0 root {RED} adaptive", "--device", address)
    assert (code, error) == (0, "")
    assert "adaptive: signals are spaced uniformly, not as Linux does" in out
    law = Device(model.read, model.write).settings(0).arrival[0]
    assert isinstance(law, Red)
    assert (law.adaptive, law.spacing.name) == (True, "UNIFORM")
    assert "adaptive" in command("tc", "qdisc", "show", "dev", "tm0", "--device", address)[1]
    # Linux lowers no probability that is below a hundredth.
    low = f"qdisc replace dev tm0 root {RED} adaptive".replace("probability 0.5", "probability 0.005")
    code, _, error = command("tc", low, "--device", address)
    assert (code, error) == (0, "")
    law = Device(model.read, model.write).settings(0).arrival[0]
    assert isinstance(law, Red)
    assert law.bottom == law.maxp == round(0.005 * (1 << 24))
    assert "bottom" not in command("tc", "qdisc", "show", "dev", "tm0", "--device", address)[2]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"qdisc add dev eth0 root {RED}", 'Cannot find device "eth0"; ports are tm0 to tm4'),
        (f"qdisc add dev tm5 root {RED}", 'Cannot find device "tm5"'),
        (f"qdisc add root {RED}", '"dev" is required'),
        ("qdisc add dev", 'Command line is not complete: "dev" needs a value'),
        ("qdisc add dev tm0 root fq_codel", 'Unknown qdisc "fq_codel"'),
        ("qdisc add dev tm0 root ets bands 3 strict 1", 'Unknown qdisc "ets": it needs several queues, and a port'),
        (
            '[{"kind": "pfifo", "dev": "tm0", "options": {"limit": 5}},'
            ' {"kind": "bfifo", "dev": "tm1", "options": {"limit": 4000000000}}]',
            "port 1: limit_bytes = 4000000000 B: this build allows",
        ),
        ("[1]", "not what tc -j qdisc show prints"),
        ("[oops", "not what tc -j prints: Expecting value, line 1"),
        ('[{"kind": "mq", "dev": "eth0"}]', "none of red, codel, pfifo, bfifo, tbf is there; not kept: mq of eth0"),
        (
            '[{"kind": "red", "dev": "tm0", "options": {"limit": 9000, "min": 1, "max": 2}}]',
            "W is missing, which tc prints as ewma with -d",
        ),
        ('[{"kind": "red", "dev": "tm0", "options": {"limit": 9000}}]', "red of tm0: min is missing"),
        ('[{"kind": "codel", "dev": "tm0", "options": {"target": "5ms"}}]', 'codel of tm0: target = "5ms": a number'),
        (
            '[{"kind": "pfifo", "dev": "tm0", "options": {"limit": -1}}]',
            "pfifo of tm0: limit = -1: a number below 2^32",
        ),
        ('[{"kind": "pfifo", "dev": "tm0", "options": []}]', "pfifo of tm0: options = []: an object is wanted"),
        ('[{"kind": "pfifo", "dev": 0, "options": {"limit": 5}}]', "dev is the name of an interface"),
        ('[{"kind": "bfifo", "dev": "eth0", "options": {"limit": 9000}}]', 'Cannot find device "eth0"'),
        ("qdisc add dev tm0 root red limit 3 min", 'Command line is not complete: "min" needs a value'),
        ("qdisc add dev tm0 root codel quantum 3", 'What is "quantum"?'),
        ("qdisc add dev tm0 root codel target 5mm", "Illegal \"target\": '5mm' is no time"),
        ("qdisc add dev tm0 root codel target", 'Command line is not complete: "target" needs a value'),
        ("qdisc add dev tm0 root pfifo limit ten", "Illegal \"limit\": 'ten' is no number of packets"),
        ("qdisc add dev tm0 root pfifo limit ²", "Illegal \"limit\": '²' is no number of packets"),
        (f"qdisc add dev tm0 root pfifo limit {'9' * 5000}", "is no number of packets up to 4294967295"),
        (f"qdisc add dev tm0 root {RED.replace('burst 5', 'burst 4294967296')}", "packets up to 4294967295"),
        (f"qdisc add dev tm{'9' * 5000} root pfifo limit 5", "Cannot find device"),
        ("qdisc add dev tm0 root bfifo limit 4G", "Illegal \"limit\": '4G' is no size up to 4294967295 B"),
        (f"qdisc add dev tm0 root bfifo limit {'9' * 5000}", "is no size up to 4294967295 B"),
        (f"qdisc add dev tm0 root {RED.replace('burst 5', 'burst ²')}", "Illegal \"burst\": '²' is no number"),
        (
            "qdisc replace dev tm0 root",
            "Command line is not complete: a qdisc is wanted; here are red, codel, pfifo, bfifo, ets, tbf",
        ),
        ("qdisc add dev tm0 root bfifo size 3", 'What is "size 3"? bfifo takes limit'),
        ("qdisc add dev tm0 root bfifo limit 9M", "limit_bytes = 9437184 B: this build allows 1 to"),
        ("qdisc red 8001: dev tm0 root refcnt 2 limit 9000b min 10b max 20b ecn", "does not print avpkt and burst"),
        ("qdisc red 8001: dev tm0 root refcnt 2 limit 30Kb min 10b max 20b ecn", "does not print avpkt and burst"),
    ],
)
def test_lines_that_are_refused_change_nothing(
    command: Command, model: Engine, address: str, line: str, says: str
) -> None:
    before = Device(model.read, model.write).settings(0)
    code, _, error = command("tc", line, "--device", address)
    assert (code, says in error) == (1, True), error
    assert Device(model.read, model.write).settings(0) == before


def test_turns_that_end_early_say_which_ports_have_them(
    model: Engine, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a board, port by port: those before the one that refuses have taken theirs."""
    taken: list[int] = []

    def turn(_: Device, port: int, quantum: int | None) -> None:
        if port == 2:
            raise RefusedError(f"port {port}: refused {quantum}")
        taken.append(port)

    monkeypatch.setattr(Device, "commit_turn", turn)
    said = "port 2: refused 3000; ports 0 to 1 have the new configuration, ports 2 to 3 still the old one"
    with pytest.raises(RefusedError, match=f"^{said}$"):
        Board(address).apply_turns({0: None, 1: 3000, 2: 3000, 3: 3000})
    assert taken == [0, 1]


@pytest.mark.parametrize(
    ("at", "error", "code", "says"),
    [
        (0, RefusedError("no"), ExitCode.REFUSED, "no"),
        (1, RefusedError("no"), ExitCode.REFUSED, "no; port 0 has the new configuration, ports 1 to 2 still the old"),
        (2, LinkError("gone"), ExitCode.NO_DEVICE, "gone; ports 0 to 1 have the new configuration, whether port 2 has"),
        (1, KeyboardInterrupt(), ExitCode.INTERRUPTED, "interrupted; port 0 has the new configuration, whether port 1"),
    ],
)
def test_a_list_that_ends_early_says_which_ports_have_it(
    command: Command,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    at: int,
    error: BaseException,
    code: ExitCode,
    says: str,
) -> None:
    """What no check has foreseen; a simulated device has all of a list or nothing."""
    taken = Device.take_effect

    def refuse(self: Device, port: int) -> None:
        if port == at:
            raise error
        taken(self, port)

    listed = json.dumps([{"kind": "pfifo", "dev": f"tm{port}", "options": {"limit": 5}} for port in range(3)])
    for device, done, told in ((address, at, says), (f"sim:{tmp_path}/d", 0, says.partition(";")[0])):
        with monkeypatch.context() as patched:
            patched.setattr(Device, "take_effect", refuse)
            found, _, said = command("tc", listed, "--device", device)
        assert (found, f"error: {told}" in said) == (code, True), said
        kinds = [each["kind"] for each in json.loads(command("show", "--tc", "-j", "--device", device)[1])]
        assert kinds == ["pfifo"] * done + ["bfifo"] * (5 - done)


def test_a_capture_drains_at_the_rate_that_the_line_said(command: Command, tmp_path: Path) -> None:
    """*Stimulus*: `bandwidth` of a port, on a fresh device and over a profile of another rate. *Checks*: it counts."""
    capture = write_capture(tmp_path / "in.pcap", [(100 * number, tcp_frame(1000)) for number in range(20)])
    (tmp_path / "p.toml").write_text('policy = "droptail"\nrate = "10G"\n')
    red = "red limit 300000 min 30000 max 90000 avpkt 1500 burst 55 ecn bandwidth 1gbit"
    for name in ("fresh", "laid"):
        device = f"sim:{tmp_path}/{name}"
        if name == "laid":
            assert command("apply", tmp_path / "p.toml", "--device", device)[0] == 0
        assert command("tc", f"qdisc replace dev tm0 root {red}", "--device", device)[0] == 0
        stats = ["stats", "--after", capture, "--device", device, "--port", "0", "--json"]
        own, slow, fast = (command(*stats, *more)[:2] for more in ([], ["--rate", "1G"], ["--rate", "10G"]))
        assert own[0] == 0
        assert own == slow != fast


def test_plan_takes_whole_lines_and_printed_ones(command: Command) -> None:
    bare = command("plan", "tc-red", *RED.split()[1:], "-j")[1]
    for line in (f"tc qdisc add dev eth0 root handle 1: {RED}", f"qdisc {RED}"):
        found = json.loads(command("plan", "tc-red", *line.split(), "-j")[1])["plans"][0]
        assert found == json.loads(bare)["plans"][0]
    printed = "qdisc red 8001: root refcnt 2 limit 300000b min 3000b max 9000b ecn ewma 2 Plog 14 Scell_log 3"
    typed = tc_lines.red_words([*printed.split(), *["avpkt", "1000", "burst", "5"]])
    assert " ".join(typed) == "limit 300000b min 3000b max 9000b ecn avpkt 1000 burst 5"
    assert 'Command line is not complete: "limit"' in command("plan", "tc-red", "limit")[2]
    assert json.loads(command("plan", "tc-red", f"tc qdisc add dev eth0 root {RED}", "-j")[1]) == json.loads(bare)
    assert "Unknown qdisc" in command("plan", "tc-red", "qdisc", "add", "dev", "eth0", "root", "codel")[2]


# As iproute2 6.1's q_red.c and q_codel.c print with -d -j: W as ewma, times in microseconds.
PRINTED = """[{"kind":"red","handle":"8001:","dev":"eth0","root":true,"refcnt":2,"options":{"limit":1048576,"min":30000,
"max":90000,"ecn":true,"harddrop":false,"adaptive":false,"nodrop":true,"ewma":5,"probability":0.0200000,"Scell_log":9}},
{"kind":"noqueue","handle":"0:","dev":"lo","root":true,"options":{}}]"""


def test_what_tc_prints_as_json_is_taken(
    command: Command, monkeypatch: pytest.MonkeyPatch, model: Engine, address: str
) -> None:
    """W, thresholds, probability and flags come back; what is not kept, and what tc does not print, is said."""
    monkeypatch.setattr("sys.stdin", io.StringIO(PRINTED))
    code, out, error = command("tc", "-", "dev", "tm2", "--device", address)
    assert (code, "limit_bytes = 1048576 B: this build allows" in error) == (1, True)
    small = PRINTED.replace("1048576", "300000")
    code, out, error = command("tc", small, "dev", "tm2", "avpkt", "1500", "bandwidth", "10gbit", "--device", address)
    assert (code, error) == (0, "")
    assert "not kept: noqueue of lo" in out
    settings = Device(model.read, model.write).settings(2)
    law = settings.arrival[0]
    assert isinstance(law, Red)
    assert (law.min, law.max, law.weight, round(law.probability, 6)) == (30_000, 90_000, 5, 0.02)
    assert (settings.ecn, bool(settings.protect), settings.harddrop) == (True, True, False)
    assert "tc prints no avpkt" not in out
    bare = command("tc", small, "dev", "tm2", "--device", address)[1]
    assert "tc prints no avpkt and bandwidth: 1000 B and 10mbit age the average" in bare
    for change, says in (
        (small.replace('"ewma":5', '"ewma":0'), "no burst of packets of 1000 B makes ewma 0"),
        (small.replace('"noqueue"', '"codel"'), "dev tm2 takes one qdisc, 2 are there"),
    ):
        assert says in command("tc", change, "dev", "tm2", "--device", address)[2]
    assert 'What is "handle 1:"' in command("tc", small, "handle", "1:", "--device", address)[2]
    (plan,) = json.loads(command("plan", "tc-red", small, "avpkt", "1500", "-j")[1])["plans"]
    assert (plan["weight_w"], plan["probability"]) == (5, 0.02)


def test_a_device_s_own_json_goes_back_into_it(command: Command, model: Engine, address: str) -> None:
    """What `tc -d -j qdisc show` says of ports 0 to 3 configures them again, each as it was."""
    for line in (
        f"qdisc replace dev tm0 root {RED}",
        "qdisc replace dev tm1 root codel limit 100p target 1024us interval 10240us ce_threshold 512us ecn",
        "qdisc replace dev tm2 root pfifo limit 30",
        "qdisc replace dev tm3 root bfifo limit 30000",
    ):
        assert command("tc", line, "--device", address)[0] == 0
    device = Device(model.read, model.write)
    before = [device.settings(port) for port in range(4)]
    shown = command("tc", "-d", "-j", "qdisc", "show", "--device", address)[1]
    assert "ewma" not in command("tc", "-s", "-j", "qdisc", "show", "--device", address)[1]
    for port in range(4):
        assert command("tc", f"qdisc del dev tm{port} root", "--device", address)[0] == 0
    assert [device.settings(port) for port in range(4)] != before
    words = ("avpkt", "1000", "bandwidth", "10gbit")
    code, _, error = command("tc", json.dumps(json.loads(shown)[:4]), *words, "--device", address)
    assert (code, error) == (0, "")
    assert [device.settings(port) for port in range(4)] == before


BACK = {
    "red": RED,
    "codel": "codel",
    "pfifo": "pfifo limit 30",
    "bfifo": "bfifo limit 30000",
}
TBF = "tbf rate {} burst 20kb"


@pytest.mark.parametrize("rate", ["", "2gbit", "1234567kbit", "1.5mbit"])
@pytest.mark.parametrize("kind", BACK)
def test_what_is_shown_goes_back(command: Command, model: Engine, address: str, kind: str, rate: str) -> None:
    """*Stimulus*: every kind, alone and below a tbf; the port is emptied. *Checks*: JSON and lines restore it."""
    device = Device(model.read, model.write)

    def tc(*words: str) -> str:
        code, out, error = command("tc", *words, "--device", address)
        assert code == 0, error
        return out

    tc(f"qdisc replace dev tm0 root {BACK[kind]}")
    if rate:
        tc(f"qdisc replace dev tm0 root {TBF.format(rate)}")
    before = device.settings(0)
    printed, shown = tc("qdisc", "show", "dev", "tm0"), tc("-d", "-j", "qdisc", "show", "dev", "tm0")
    assert [each["kind"] for each in json.loads(shown)] == (["tbf", kind] if rate else [kind])
    assert "not kept" not in command("tc", "qdisc", "show", "dev", "tm0", "--device", address)[2]
    assert ("tbf is gone: rate" in tc("qdisc del dev tm0 root")) == bool(rate)
    assert device.settings(0).shape is None
    assert "is not tbf's here" not in tc(shown, "dev", "tm0", "avpkt", "1000", "bandwidth", "10gbit")
    assert device.settings(0) == before
    tc("qdisc del dev tm0 root")
    for line in printed.splitlines():
        if line.startswith("qdisc") and kind != "red":  # whose line has no weight
            tc(line.replace(": ", ": dev tm0 ", 1))
    assert kind == "red" or device.settings(0) == before


OWN = {
    "true-mark": 'k = "30kB"',
    "dcqcn": 'dcqcn = "5kB/200kB/1%"\nrate = "10G"',
    "dual-step": 'k = "30kB"\ntarget_delay = "500us"\nrate = "1G"',
    "dual-slope": 'target_delay = "500us"\nrate = "1G"',
    "tcn": 'tcn = "100us"',
    "codel-tcn": 'tcn = "100us"\ncodel = { target = "100us", interval = "2ms" }',
}


@pytest.mark.parametrize("rate", [True, False])
@pytest.mark.parametrize("name", OWN)
def test_a_policy_that_tc_lacks_does_not_go_back(
    command: Command, model: Engine, address: str, name: str, rate: bool
) -> None:
    """It is named where it is shown, and its list is refused whole."""
    assert OWN.keys() | {"droptail", "red", "codel"} == policies.TABLE.keys()
    device = Device(model.read, model.write)
    device.commit(0, port_table(f'policy = "{name}"\n{OWN[name]}').planned().settings)
    if rate:
        assert command("tc", f"qdisc replace dev tm0 root {TBF.format('1gbit')}", "--device", address)[0] == 0
    before = device.settings(0)
    _, shown, error = command("tc", "-d", "-j", "qdisc", "show", "dev", "tm0", "--device", address)
    assert "port 0: not kept: " + ("weight W = 0" if name == "dcqcn" else f"{name}, which tc does not have") in error
    assert json.loads(shown)[0]["kind"] == ("tbf" if rate else "red" if name == "dcqcn" else name)
    printed = command("tc", "qdisc", "show", "dev", "tm0", "--device", address)[1]
    assert not re.search(r"None|True|False|[\[\]{}']", printed), printed
    code, _, error = command("tc", shown, "dev", "tm0", "--device", address)
    assert (code, ("ewma 0" if name == "dcqcn" else f"{name} ") in error) == (1, True), error
    assert device.settings(0) == before


def test_what_a_line_does_not_keep_is_named(command: Command, model: Engine, address: str) -> None:
    """A setting that tc has no word for is named, once for all ports that have it; what tc has is not."""
    device = Device(model.read, model.write)
    both = 'limit_bytes = "30kB"\nlimit_packets = 20'
    for port, text in enumerate(
        (
            f'policy = "droptail"\n{both}\nenable = false',
            f'policy = "red"\n{both}\nrate = "10G"\nprotect = "ece"\n[red]\nunit = "packets"\n'
            'min = "2pkt"\nmax = "6pkt"\nprobability = 0.1\nweight = 0\nspacing = "wait"\ngentle = true',
            f'policy = "codel"\n{both}\nprotect = "syn"\n'
            'codel = { target = "100us", interval = "2ms", variant = "ns3" }',
            'policy = "red"\nlimit_bytes = "30kB"\nrate = "10G"\nprotect = "all"\nadapt_interval = "1ms"\n'
            '[red]\nmin = "3kB"\nmax = "9kB"\nprobability = 0.1\nweight = 5\nadaptive = true\nbottom = 0.02',
        )
    ):
        device.commit(port, port_table(text).planned().settings)
    (shown,) = json.loads(command("tc", "-j", "qdisc", "show", "dev", "tm1", "--device", address)[1])
    assert (shown["options"]["min"], shown["options"]["max"]) == (1000, 3000)  # 2 and 6 packets of 500 bytes
    for words in (["tc", "-j", "qdisc", "show"], ["show", "--tc"]):
        _, out, error = command(*words, "--device", address)
        assert "not kept" not in out
        assert [line for line in error.splitlines() if "not kept" in line] == [
            "- ports 0 to 1: not kept: limit_packets = 20",
            "- port 0: not kept: enable = false",
            "- port 1: not kept: protect = ece",
            "- port 1: not kept: spacing = wait",
            "- port 1: not kept: weight W = 0",
            "- port 1: not kept: unit = packets, shown as 500 B each",
            "- port 1: not kept: gentle = true",
            "- port 2: not kept: limit_bytes = 30000",
            "- port 2: not kept: protect = syn",
            "- port 2: not kept: variant = ns3",
            "- port 2: not kept: exempt = 1500 B",
            "- port 3: not kept: bottom = 0.02",
            "- port 3: not kept: adapt_interval = 1000000 ns",
            "- port 4: not kept: that no limit is set: what is shown is the memory",
        ]


def listed(*qdiscs: str) -> str:
    """Return tc's JSON of tm1's qdiscs, each given as its kind, handle and parent, with tm0's before them."""
    options = {"rate": 125_000_000, "burst": 20_480, "limit": 30}
    found = [{"kind": "pfifo", "dev": "tm0", "root": True, "options": {"limit": 5}}]
    for kind, handle, *parent in map(str.split, qdiscs):
        place = {"parent": parent[0]} if parent else {"root": True}
        found.append({"kind": kind, "handle": handle, "dev": "tm1", **place, "options": options})
    return json.dumps(found)


@pytest.mark.parametrize("qdiscs", [("tbf 8001: ", "pfifo 10: 8001:1"), ("pfifo 10: 1:", "tbf 1:")])
def test_below_tbf_is_the_policy_of_its_port(
    command: Command, model: Engine, address: str, qdiscs: tuple[str, ...]
) -> None:
    """In whichever order; then its own line may be changed below it, or deleted, or the rate alone."""
    device = Device(model.read, model.write)
    code, out, error = command("tc", listed(*qdiscs), "--device", address)
    assert (code, error) == (0, "")
    assert "applied to port 1" in out
    assert "tbf" not in out
    rate = device.settings(1).shape
    assert rate is not None
    assert (rate.burst, device.settings(1).limit_packets) == (20_480, 30)
    for line, says, limit in (
        ("replace dev tm1 parent 1:1 handle 20: pfifo limit 7", "", 7),
        ("pfifo 20: dev tm1 parent 2:1 limit 8p", "", 8),
        ("replace dev tm1 root pfifo limit 9", "- tbf stays above it: rate 1 Gbit/s, 20480 B at once; tc qdisc del", 9),
        ("del dev tm1 parent 1:1", "", None),
    ):
        out = command("tc", f"qdisc {line}", "--device", address)[1]
        assert (says or "applied") in out
        assert (device.settings(1).shape, device.settings(1).limit_packets) == (rate, limit)
    assert command("tc", "qdisc del dev tm1 root tbf", "--device", address)[0] == 0
    assert device.settings(1).shape is None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (listed("red 1:", "pfifo 10: 1:1"), "pfifo 10: of tm1 is below red; here a qdisc can be below tbf alone"),
        (listed("htb 1:", "tbf 10: 1:1"), "tbf 10: of tm1 is below htb"),
        (listed("mq 0:", "pfifo 10: :1"), "pfifo 10: of tm1 is below mq"),
        (listed("pfifo 10: 1:1"), "pfifo 10: of tm1: its parent 1:1 is not there"),
        (listed("tbf 1:", "fq_codel 10: 1:1"), "fq_codel 10: of tm1 is below tbf: a port has one queue"),
        (listed("tbf 1:", "netem 10: 1:1"), "netem 10: of tm1 is below tbf: red, codel, pfifo, bfifo, tbf are read"),
        (listed("tbf 1:", "tbf 10: 1:1"), "tbf: parent 1:1: it is the root here"),
        (listed("tbf 1:", "pfifo 10: 1:1", "bfifo 11: 1:1"), "bfifo of tm1: another qdisc is in its place already"),
        (listed("tbf 1:", "pfifo 2:"), "pfifo of tm1: another qdisc is in its place already"),
        (listed("pfifo 1:", "pfifo 2:"), "pfifo of tm1: another qdisc is in its place already"),
        ("qdisc add dev tm1 parent 1:1 pfifo limit 5", "Failed to find specified qdisc: parent 1:1 would be a tbf"),
        ("qdisc add dev tm1 parent 1:1 tbf rate 1gbit burst 20kb", "tbf: parent 1:1: it is the root here"),
    ],
)
def test_what_is_elsewhere_is_refused_whole(
    command: Command, model: Engine, address: str, line: str, says: str
) -> None:
    """No port of the list is changed."""
    device = Device(model.read, model.write)
    before = [device.settings(port) for port in range(2)]
    code, _, error = command("tc", line, "--device", address)
    assert (code, says in error) == (1, True), error
    assert [device.settings(port) for port in range(2)] == before


def test_a_rate_alone_is_no_fresh_device(command: Command, tmp_path: Path) -> None:
    """A simulated device that tc was used on is not said to be as after a reset."""
    device = f"sim:{tmp_path}/d"
    assert "fresh from reset" in command("show", "--tc", "--device", device)[2]
    assert command("tc", f"qdisc add dev tm0 root {TBF.format('1gbit')}", "--device", device)[0] == 0
    _, out, error = command("show", "--tc", "--device", device)
    assert "qdisc tbf 1: dev tm0 root refcnt 2 rate 1Gbit burst 20Kb" in out
    assert "qdisc bfifo 10: dev tm0 parent 1:1 limit" in out
    assert "fresh from reset" not in error


RATED = f"replace {{}} root {TBF.format('1gbit')}"


@pytest.mark.parametrize(
    ("before", "line", "says"),
    [
        (["replace {} root codel"], "del {} root red", "must match existing qdisc, and port 0 has codel"),
        (["replace {} root codel"], "change {} root red limit 90000 min 9000 max 27000 avpkt 1000", "port 0 has codel"),
        (["add {} root codel"], "add {} root codel", "Exclusivity flag on, cannot modify: port 0 has codel; replace"),
        ([], "change {} root codel", "must match existing qdisc, and port 0 has bfifo"),
        ([], "del {} root tbf", "Invalid handle: port 0 has no tbf"),
        ([RATED, "replace {} parent 1:1 codel"], "del {} root codel", "must match existing qdisc, and port 0 has tbf"),
        ([RATED, "replace {} parent 1:1 codel"], "add {} parent 1:1 codel", "cannot modify: port 0 has codel"),
        ([RATED], "add {} root codel", "cannot modify: port 0 has tbf"),
        (
            ["add {} root tbf rate 1gbit burst 20kb latency 5ms"],
            "add {} root tbf rate 2gbit burst 20kb latency 5ms",
            "tbf",
        ),
        ([], "replace {0} {0} root codel", 'duplicate "dev": "tm0" is the second value.'),
        (
            ["replace {} root codel", "del {} root codel", "add {} root bfifo limit 9000"],
            "change {} root codel",
            "bfifo",
        ),
    ],
)
def test_what_is_not_there_is_not_changed(
    command: Command, tmp_path: Path, before: list[str], line: str, says: str
) -> None:
    """As the kernel refuses it; what is in force stays."""
    words = ("--device", f"sim:{tmp_path / 'device'}")
    for each in before:
        assert command("tc", f"qdisc {each.format('dev tm0')}", *words)[::2] == (0, "")
    kept = command("tc", "qdisc", "show", *words)[1]
    code, _, error = command("tc", f"qdisc {line.format('dev tm0')}", *words)
    assert code == 1
    assert says in error
    assert command("tc", "qdisc", "show", *words)[1] == kept
