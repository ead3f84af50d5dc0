# SPDX-License-Identifier: BSD-3-Clause
"""`truemark plan sonic`: a switch's config_db.json as a profile; nothing of it is lost in silence.

The numbers are those of SONiC's own samples: AZURE_LOSSLESS with 1 MiB to 2 MiB at 5 %, old references. What all 81
samples say of queues and buffers is in sonic-086b03bd.zip: of sonic-config-engine's tests at that commit of
sonic-buildimage (Apache 2.0), the tables that are read here or by --queues, and the names of the others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from sw.tests.frames import Command

from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.laws.policies import PortSettings
from truemark.laws.profile import read_profile
from truemark.laws.red import Red
from truemark.plan.sonic import READ, plan_sonic

pytestmark = pytest.mark.builds("engine:model")

SAMPLES = Path(__file__).with_name("sonic-086b03bd.zip")
RATE = 10**11
COLOURS = ("green", "yellow", "red")
LOSSLESS = {
    "ecn": "ecn_all",
    **{f"wred_{colour}_enable": "true" for colour in COLOURS},
    **{f"{colour}_min_threshold": "1048576" for colour in COLOURS},
    **{f"{colour}_max_threshold": "2097152" for colour in COLOURS},
    **{f"{colour}_drop_probability": "5" for colour in COLOURS},
}
CONFIG: dict[str, dict[str, Any]] = {
    "PORT": {"Ethernet4": {"speed": "40000"}, "Ethernet0": {"speed": "100000"}, "Ethernet12": {"speed": "25000"}},
    "WRED_PROFILE": {"AZURE_LOSSLESS": LOSSLESS},
    "QUEUE": {"Ethernet0,Ethernet12,Ethernet4|3": {"wred_profile": "[WRED_PROFILE|AZURE_LOSSLESS]"}},
    "BUFFER_PROFILE": {"egress": {"pool": "egress_lossless_pool", "size": "0", "static_th": "2400000"}},
    "BUFFER_QUEUE": {"Ethernet0|3-4": {"profile": "egress"}},
}


def planned(command: Command, folder: Path, config: dict[str, Any], *options: object) -> tuple[list[PortSettings], str]:
    """Return the settings of the first three ports, and what was said."""
    (folder / "config_db.json").write_text(json.dumps(config))
    out = folder / "profile.toml"
    code, said, error = command("plan", "sonic", folder / "config_db.json", "--profile", out, *options)
    assert (code, error) == (0, "")
    profile = read_profile(out)
    return [profile.table(port).planned().settings for port in range(3)], said


def changed(table: str, key: str, **values: str) -> dict[str, Any]:
    """Return the configuration with other values in one object."""
    return CONFIG | {table: CONFIG[table] | {key: CONFIG[table].get(key, {}) | values}}


def test_the_profile_is_what_the_switch_does(command: Command, tmp_path: Path) -> None:
    ports, said = planned(command, tmp_path, CONFIG)
    for port in ports:
        (law, other) = port.arrival
        assert isinstance(law, Red)
        assert other is None
        assert (law.min, law.max, law.weight, law.spacing) == (1_048_576, 2_097_152, 0, Spacing.MEMORYLESS)
        assert law.maxp == round(0.05 * 2**24)
        assert port.ecn
        assert not port.protect
    assert [port.limit_bytes for port in ports] == [2_400_000, None, None]
    profile = (tmp_path / "profile.toml").read_text()
    assert [line for line in profile.splitlines() if line.startswith(("# Ethernet", "rate"))] == [
        "# Ethernet0",
        'rate = "100G"',
        "# Ethernet4",
        'rate = "40G"',
        "# Ethernet12",
        'rate = "25G"',
    ]
    assert "not kept" not in said
    new = CONFIG | {"QUEUE": {"Ethernet0,Ethernet12,Ethernet4|3": {"wred_profile": "AZURE_LOSSLESS"}}}
    assert planned(command, tmp_path, new)[0] == ports


@pytest.mark.parametrize(
    ("values", "ecn", "protected"),
    [
        ({"ecn": "ecn_none"}, False, False),
        ({"ecn": "ecn_green"}, True, False),
        ({"ecn": "ecn_yellow_red"}, False, False),
        ({"wred_green_enable": "false"}, True, True),
    ],
)
def test_marking_and_dropping_are_switched_apart(
    command: Command, tmp_path: Path, values: dict[str, str], ecn: bool, protected: bool
) -> None:
    ports, _ = planned(command, tmp_path, changed("WRED_PROFILE", "AZURE_LOSSLESS", **values))
    assert (ports[0].ecn, bool(ports[0].protect)) == (ecn, protected)


def test_a_profile_that_does_nothing_is_droptail(command: Command, tmp_path: Path) -> None:
    config = changed("WRED_PROFILE", "AZURE_LOSSLESS", wred_green_enable="false", ecn="ecn_none")
    ports, said = planned(command, tmp_path, config)
    assert [port.policy for port in ports] == ["droptail"] * 3
    assert "neither drops nor marks green frames" in said


def test_thresholds_of_ecn_s_own_are_a_slope_of_ect_frames(command: Command, tmp_path: Path) -> None:
    """What marking does not say itself is as for drops; with WRED off it is the only curve."""
    own = {"ecn_green_min_threshold": "100000", "ecn_green_max_threshold": "400000"}
    ports, _ = planned(command, tmp_path, changed("WRED_PROFILE", "AZURE_LOSSLESS", **own))
    ect, rest = ports[0].reds
    assert ect is not None
    assert rest is not None
    assert (ports[0].policy, ect.of_a_switch, rest.of_a_switch) == ("dual-slope", True, True)
    assert (ect.min, ect.max, rest.min, rest.max) == (100_000, 400_000, 1_048_576, 2_097_152)
    assert ect.maxp == rest.maxp == round(0.05 * 2**24)
    only = changed("WRED_PROFILE", "AZURE_LOSSLESS", **own, wred_green_enable="false", ecn_red_max_threshold="500000")
    ports, said = planned(command, tmp_path, only)
    ect, rest = ports[0].reds
    assert ect is not None
    assert (ports[0].policy, ect.max, rest, bool(ports[0].protect)) == ("dcqcn", 400_000, None, True)
    assert "not kept: ecn_red_max_threshold 500000, wred_red_enable true" in " ".join(said.split())


def test_a_switch_has_more_interfaces_than_truemark_ports(command: Command, tmp_path: Path) -> None:
    many = [f"Ethernet{4 * number}" for number in range(20)]
    config = CONFIG | {
        "PORT": {name: {"speed": "100000"} for name in many},
        "QUEUE": {f"{','.join(many)}|3": {"wred_profile": "AZURE_LOSSLESS"}},
        "BUFFER_PROFILE": {"egress": {"pool": "p", "size": "1500", "static_th": "2400000"}},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(config))
    error = command("plan", "sonic", tmp_path / "config_db.json")[2]
    assert "20 interfaces have queue 3; Truemark has up to 16 ports: choose them with --interface Ethernet0" in error
    ports, said = planned(command, tmp_path, config, "--interface", "Ethernet76", "--interface", "Ethernet0")
    assert [port.policy for port in ports] == ["dcqcn", "dcqcn", "droptail"]
    assert [port.limit_bytes for port in ports] == [None, 2_401_500, None]
    assert "not kept: 18 interfaces that were not chosen" in said
    twice = ["--interface", "Ethernet76"] * 2
    error = command("plan", "sonic", tmp_path / "config_db.json", *twice)[2]
    assert "--interface Ethernet76: given 2 times" in error
    error = command("plan", "sonic", tmp_path / "config_db.json", "--interface", "Ethernet80")[2]
    assert "Ethernet80 has no queue 3; did you mean 'Ethernet" in error


def test_the_speed_of_interfaces_that_port_lacks(command: Command, tmp_path: Path) -> None:
    """SONiC's samples of QoS have no PORT: --rate is their speed, and only theirs."""
    config = CONFIG | {"PORT": {"Ethernet4": {"speed": "40000"}, "Ethernet0": {}}}
    (tmp_path / "config_db.json").write_text(json.dumps(config))
    code, _, error = command("plan", "sonic", tmp_path / "config_db.json")
    assert code == 1
    assert "PORT|Ethernet0 has no speed; give that of such interfaces: --rate 100G" in error
    planned(command, tmp_path, config, "--rate", "25G")
    profile = read_profile(tmp_path / "profile.toml")
    assert [profile.table(port).rate for port in range(3)] == [25 * 10**9, 40 * 10**9, 25 * 10**9]


def samples() -> dict[str, dict[str, Any]]:
    """Return SONiC's samples by name; of a table that nothing reads one object."""
    with ZipFile(SAMPLES) as kept:
        found = json.loads(kept.read("samples.json"))
    return {
        name: tables | {other: {"key": {"field": "value"}} for other in tables.pop("others")}
        for name, tables in found.items()
    }


def members(table: dict[str, dict[str, str]], field: str) -> dict[int, dict[str, str]]:
    """Return, of each queue, the interfaces of a table with the name that a field gives them."""
    found: dict[int, dict[str, str]] = {}
    for key, values in table.items():
        names, _, numbers = key.rpartition("|")
        card, _, last = names.rpartition("|")
        first, _, end = numbers.partition("-")
        for number in range(int(first), int(end or first) + 1):
            for name in last.split(",") if field in values else ():
                place = f"{card}|{name}" if card else name
                found.setdefault(number, {})[place] = values[field].strip("[]").split("|")[-1]
    return found


def test_every_sample_of_sonic_plans_or_says_what_is_missing(tmp_path: Path) -> None:
    """Each queue of each sample, 16 interfaces of it: the first and the last port are set as the sample has them."""
    path, profile = tmp_path / "config_db.json", tmp_path / "profile.toml"
    planned, without = 0, 0
    for name, config in samples().items():
        path.write_text(json.dumps(config))
        wred = members(config.get("QUEUE", {}), "wred_profile")
        buffers = members(config.get("BUFFER_QUEUE", {}), "profile")
        if not wred:
            without += 1
            with pytest.raises(TruemarkError, match="no queue has a WRED profile; choose one with --queue"):
                plan_sonic(path, rate=RATE)
        for number in wred.keys() | buffers.keys():
            of_wred, of_buffer = wred.get(number, {}), buffers.get(number, {})
            chosen = sorted(of_wred.keys() | of_buffer.keys())[:16]
            with pytest.raises(TruemarkError, match=rf"PORT\|{chosen[0].rpartition('|')[2]} has no speed; .* --rate"):
                plan_sonic(path, number, chosen)
            found = plan_sonic(path, number, chosen, rate=RATE)
            profile.write_text(found.profile or "")
            ports = read_profile(profile)
            for port in {0, len(chosen) - 1}:
                got, where = ports.table(port), (name, number, chosen[port])
                law = got.planned().settings.reds[0]
                said = config["WRED_PROFILE"][of_wred[chosen[port]]] if chosen[port] in of_wred else {}
                wanted = [int(said[f"green_{end}_threshold"]) for end in ("min", "max")] if said else []
                assert ([law.min, law.max] if law else []) == wanted, where
                limit = config["BUFFER_PROFILE"][of_buffer[chosen[port]]] if chosen[port] in of_buffer else {}
                size = int(limit["static_th"]) + int(limit["size"]) if "static_th" in limit else None
                assert (got.planned().settings.limit_bytes, got.rate) == (size, RATE), where
            unnamed = [table for table in config.keys() - READ if table not in " ".join(found.remarks)]
            assert not unnamed, (name, number)
            planned += 1
    assert (planned, without) == (409, 46)


def test_a_line_card_of_a_chassis(command: Command, tmp_path: Path) -> None:
    """Keys as SONiC's sample of Nokia's IXR7250E has them: line card and chip before the interface."""
    cards = [f"svcstr-7250-lc{card}-1|asic0|Ethernet0" for card in (1, 2)]
    config = CONFIG | {"QUEUE": {f"{card}|3": {"wred_profile": "AZURE_LOSSLESS"} for card in cards}, "BUFFER_QUEUE": {}}
    ports, said = planned(command, tmp_path, config)
    assert [port.policy for port in ports] == ["dcqcn", "dcqcn", "droptail"]
    assert "svcstr-7250-lc2-1|asic0|Ethernet0: AZURE_LOSSLESS" in " ".join(said.split())


def test_numbers_that_python_does_not_read(command: Command, tmp_path: Path) -> None:
    """An interface may be named like one; in place of a value it is refused."""
    named = f"Ethernet{'9' * 5000}"
    ports, _ = planned(command, tmp_path, CONFIG | {"PORT": CONFIG["PORT"] | {named: {"speed": "100000"}}})
    assert [port.policy for port in ports] == ["dcqcn", "dcqcn", "dcqcn"]
    queue = {f"{named}|3": {"wred_profile": "AZURE_LOSSLESS"}}
    config = CONFIG | {"QUEUE": queue, "PORT": {named: {"speed": "100000"}}, "BUFFER_QUEUE": {}}
    ports, _ = planned(command, tmp_path, config)
    assert ports[0].policy == "dcqcn"
    (tmp_path / "config_db.json").write_text(f'{{"QUEUE": {{"Ethernet0|3": {{"scheduler": {"9" * 5000}}}}}}}')
    code, out, error = command("plan", "sonic", tmp_path / "config_db.json", "--queue", 3)
    assert (code, out) == (1, "")
    assert "a number of more than 4300 digits" in " ".join(error.split())


@pytest.mark.parametrize(
    ("share", "instead"),
    [("-7", '; for a device with POOL write pool_alpha = "1/128"'), ("-128", ""), ("999999999", "")],
)
def test_a_share_of_a_pool_names_what_a_device_has(command: Command, tmp_path: Path, share: str, instead: str) -> None:
    """A share beyond what any device has is not worked out: 2^999999999 has 300 million digits."""
    buffers = {
        "BUFFER_QUEUE": {"Ethernet0|3": {"profile": "pooled"}},
        "BUFFER_PROFILE": {"pooled": {"pool": "p", "size": "0", "dynamic_th": share}},
    }
    _, said = planned(command, tmp_path, CONFIG | buffers, "--queue", 3)
    assert ("for a device with POOL" in said) == bool(instead)
    assert f"dynamic_th {share} is a share of a pool{instead}" in " ".join(said.split())


def test_what_is_not_kept_is_named(command: Command, tmp_path: Path) -> None:
    config = changed("WRED_PROFILE", "AZURE_LOSSLESS", red_drop_probability="50")
    config |= {
        "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"}},
        "DSCP_TO_TC_MAP": {"AZURE": {"3": "3"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}},
        "VLAN": {"Vlan1000": {}},
        "BUFFER_QUEUE": {"Ethernet0|3": {"profile": "pooled"}, "asic0|Ethernet0|3": {"profile": "pooled"}},
        "BUFFER_PROFILE": {"pooled": {"pool": "p", "size": "0", "dynamic_th": "3"}},
    }
    config["WRED_PROFILE"]["AZURE_LOSSLESS"]["new_field"] = config["BUFFER_PROFILE"]["pooled"]["xon"] = "1"
    config["WRED_PROFILE"]["OTHER"] = {}
    config["PORT"] = CONFIG["PORT"] | {"Ethernet0": {"speed": "100000", "pfc_asym": "on"}}
    config["QUEUE"] = CONFIG["QUEUE"] | {"Ethernet0|4": {"wred_profile": "AZURE_LOSSLESS"}}
    _, said = planned(command, tmp_path, config, "--queue", 3)
    for text in (
        "WRED_PROFILE AZURE_LOSSLESS: not kept: red_drop_probability 50",
        'dynamic_th 3 is a share of a pool; for a device with POOL write pool_alpha = "8"',
        "SCHEDULER: not kept",
        "DSCP_TO_TC_MAP: not kept",
        "PORT_QOS_MAP: not kept",
        "the WRED profiles of queues 4",
        "asic0|Ethernet0|3: INTERFACE|QUEUE is understood",
        "not looked at: VLAN",
        "WRED_PROFILE: not kept: new_field of AZURE_LOSSLESS",
        "WRED_PROFILE: not kept: OTHER, which no chosen queue has",
        "BUFFER_PROFILE: not kept: xon of pooled",
        "PORT: only speed is read, not pfc_asym",
    ):
        assert text in " ".join(said.split()), text


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({}, "no queue has a WRED profile; choose one with --queue"),
        ({"QUEUE": {"Ethernet0|3-99999": {"wred_profile": "A"}}}, "no queue has a WRED profile"),
        (changed("QUEUE", "Ethernet0|4", wred_profile="AZURE_LOSSLESS"), "queues 3, 4 have a WRED profile"),
        (changed("QUEUE", "Ethernet0|3", wred_profile="GONE"), "WRED_PROFILE|GONE: QUEUE of Ethernet0 names it"),
        (changed("BUFFER_QUEUE", "Ethernet4|3", profile="GONE"), "BUFFER_PROFILE|GONE: BUFFER_QUEUE of Ethernet4"),
        (changed("WRED_PROFILE", "AZURE_LOSSLESS", green_min_threshold="much"), "green_min_threshold = 'much'"),
        (changed("WRED_PROFILE", "AZURE_LOSSLESS", green_min_threshold="3000000"), "min must be at most max"),
        (changed("BUFFER_PROFILE", "egress", static_th="lots"), "BUFFER_PROFILE|egress: static_th = 'lots': bytes are"),
        (CONFIG | {"QUEUE": {"Ethernet0|3": "A"}}, 'QUEUE|Ethernet0|3 = "A": an object of fields is wanted'),
        (changed("WRED_PROFILE", "AZURE_LOSSLESS", ecn="ecn_blue"), "ecn = 'ecn_blue': it must be 'ecn_none', "),
        (
            changed("WRED_PROFILE", "AZURE_LOSSLESS", wred_green_enable="?"),
            "green_enable = '?': true or false is wanted",
        ),
    ],
)
def test_a_fault_is_named_with_its_place(command: Command, tmp_path: Path, config: dict[str, Any], says: str) -> None:
    path, out = tmp_path / "config_db.json", tmp_path / "profile.toml"
    path.write_text(json.dumps(config))
    code, _, error = command("plan", "sonic", path, "--profile", out)
    assert code == 1
    assert says in error
    assert not out.exists()
    path.write_text('{"PORT":\n nothing}')
    assert f"{path}:2: not JSON" in command("plan", "sonic", path)[2]


def test_thresholds_of_a_switch_beyond_the_device_s_storage_are_remarked(command: Command, tmp_path: Path) -> None:
    """A switch shares megabytes; a port here holds less: then its WRED never acts, and apply says so."""
    planned(command, tmp_path, CONFIG | {"BUFFER_QUEUE": {}})
    device = f"sim:{tmp_path}/d"
    code, out, _ = command("apply", tmp_path / "profile.toml", "--device", device)
    assert code == 0
    assert "port 0: RED never acts: min = 1,048,576 B is not below the 443,392 B that the queue can hold" in out
    small = changed("WRED_PROFILE", "AZURE_LOSSLESS", green_min_threshold="100000", green_max_threshold="400000")
    planned(command, tmp_path, small | {"BUFFER_QUEUE": {}})
    assert "never" not in command("apply", tmp_path / "profile.toml", "--device", device)[1]
