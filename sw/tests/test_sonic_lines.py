# SPDX-License-Identifier: BSD-3-Clause
"""`truemark plan sonic --queues` and the way back: a switch's maps, schedulers and profiles as a line of queues."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sw.tests.frames import Command
from sw.tests.test_sonic import LOSSLESS, RATE, members, samples

from truemark.device.registers import QueueMode
from truemark.errors import TruemarkError
from truemark.export.sonic_lines import lines as export_lines
from truemark.export.sonic_lines import weights_of
from truemark.laws.pause import Level, Pause
from truemark.laws.policies import PortSettings
from truemark.laws.profile import Profile, read_profile
from truemark.laws.queue_map import QueueMap
from truemark.laws.shape import Shape
from truemark.plan.sonic import READ
from truemark.plan.sonic_lines import BY, KEPT, plan_lines, quanta

pytestmark = pytest.mark.builds("engine:model")

BY_TABLE = {table: field for field, table, _ in BY.values()}
CONFIG: dict[str, dict[str, Any]] = {
    "PORT": {"Ethernet4": {"speed": "100000"}, "Ethernet0": {"speed": "100000"}},
    "WRED_PROFILE": {"AZURE_LOSSLESS": LOSSLESS},
    "SCHEDULER": {
        "scheduler.0": {"type": "DWRR", "weight": "14"},
        "scheduler.1": {"type": "DWRR", "weight": "21"},
        "scheduler.2": {"type": "STRICT", "cir": "1000"},
    },
    "QUEUE": {
        "Ethernet0,Ethernet4|0": {"scheduler": "scheduler.0"},
        "Ethernet0,Ethernet4|1": {"scheduler": "[SCHEDULER|scheduler.1]", "wred_profile": "AZURE_LOSSLESS"},
        "Ethernet0,Ethernet4|3": {"scheduler": "scheduler.2"},
    },
    "DSCP_TO_TC_MAP": {"AZURE": {"8": "0", "3": "3", "4": "3", "5": "3", "46": "5"}},
    "TC_TO_QUEUE_MAP": {"AZURE": {"0": "0", "3": "1", "5": "3"}},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {"4": "3"}},
    "PORT_QOS_MAP": {
        name: {
            "dscp_to_tc_map": "AZURE",
            "tc_to_queue_map": "[TC_TO_QUEUE_MAP|AZURE]",
            "pfc_enable": "3,4",
            "pfc_to_queue_map": "AZURE",
        }
        for name in ("Ethernet0", "Ethernet4")
    },
}


def planned(command: Command, folder: Path, config: dict[str, Any], *options: object) -> tuple[Profile, str]:
    """Return the profile, and what was said."""
    (folder / "config_db.json").write_text(json.dumps(config))
    out = folder / "profile.toml"
    code, said, error = command("plan", "sonic", folder / "config_db.json", "--queues", 4, "--profile", out, *options)
    assert (code, error) == (0, "")
    return read_profile(out), said


def test_a_line_does_what_the_switch_does(command: Command, tmp_path: Path) -> None:
    profile, said = planned(command, tmp_path, CONFIG)
    assert profile.queues is not None
    found = profile.queues.planned()
    assert (found.mode, found.default) == (QueueMode.DSCP, 0)
    assert {dscp: queue for dscp, queue in enumerate(found.table) if queue} == {3: 1, 4: 1, 5: 1, 46: 3}
    settings = [profile.table(port, 4).planned().settings for port in range(8)]
    # 14 : 21 are two frames to three; a queue without a scheduler has SAI's weight of 1.
    assert [each.quantum for each in settings[:4]] == [14 * 9216, 21 * 9216, 9216, None]
    assert settings[:4] == settings[4:]
    assert [each.policy for each in settings[:4]] == ["droptail", "dcqcn", "droptail", "droptail"]
    pauses = "PORT_QOS_MAP: not kept: pfc_enable; for a device with PFC write paused_by = [3, 4] in [queue.3]"
    assert pauses in " ".join(said.split())
    assert "SCHEDULER: not kept: cir" in said
    for name in ("DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP"):
        assert f"{name}: not kept" not in said


def test_pauses_go_back_into_the_switch_s_file(tmp_path: Path) -> None:
    """A map where a priority pauses another queue than that of its number; what a switch has no place for is named."""
    pauses = [Pause(paused_by=(3, 4)), None, Pause((3,), 1024, Level(1000), (2,)), Pause(paused_by=(3,))]
    ports = [replace(PortSettings("droptail"), pause=each) for each in pauses]
    base = {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "7", "pfc_to_queue_map": "other"}}}
    found, lost = export_lines(ports, ["Ethernet0"], QueueMap(), 10**6, None, base)
    own = found["PORT_QOS_MAP"]["Ethernet0"]
    assert own["pfc_enable"] == "2,3,4"
    assert {**found["MAP_PFC_PRIORITY_TO_QUEUE"][own["pfc_to_queue_map"]]} == {
        str(priority): str({3: 0, 4: 0}.get(priority, priority)) for priority in range(8)
    }
    said = " ".join(lost)
    assert "Ethernet0: not kept: priority 3 pauses queue 3, too" in said
    assert "line 0: not kept: [pfc]" in said
    (tmp_path / "config_db.json").write_text(json.dumps(CONFIG | found | {"PORT": CONFIG["PORT"]}))
    assert "paused_by = [3, 4] in [queue.0], paused_by = [2] in [queue.2]" in " ".join(
        plan_lines(tmp_path / "config_db.json", 4, ["Ethernet0"]).remarks
    )


@pytest.mark.parametrize(
    ("maps", "says"),
    [
        ({"pfc_enable": ""}, ""),
        ({"pfc_enable": "3,4"}, "paused_by = [3] in [queue.3] PORT_QOS_MAP: not kept: pfc_enable of queues 4"),
        ({"pfc_enable": "3", "pfc_to_queue_map": "none"}, "MAP_PFC_PRIORITY_TO_QUEUE|none is not there"),
    ],
)
def test_what_pauses_a_queue_is_said(tmp_path: Path, maps: dict[str, str], says: str) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(CONFIG | {"PORT_QOS_MAP": {"Ethernet0,Ethernet4": maps}}))
    assert says in " ".join(plan_lines(path, 4).remarks)
    path.write_text(json.dumps(CONFIG | {"PORT_QOS_MAP": {"global": {"pfc_enable": "3,8"}}}))
    with pytest.raises(TruemarkError, match="pfc_enable = '3,8': priorities are wanted, 0 to 7"):
        plan_lines(path, 4)


def test_a_peak_rate_holds_a_queue_there_and_back(command: Command, tmp_path: Path) -> None:
    """A peak rate is in bytes a second; a burst below a frame becomes one; a rate in packets is named and left out."""
    schedulers = CONFIG["SCHEDULER"] | {
        "scheduler.0": {"type": "DWRR", "weight": "14", "meter_type": "bytes", "pir": "125000000", "pbs": "20000"},
        "scheduler.1": {"type": "DWRR", "weight": "21", "pir": "1000000", "pbs": "100"},
        "scheduler.2": {"type": "STRICT", "meter_type": "packets", "pir": "1000"},
    }
    profile, said = planned(command, tmp_path, CONFIG | {"SCHEDULER": schedulers}, "--interface", "Ethernet4")
    shapes = [profile.table(port, 4).planned().settings.shape for port in range(4)]
    assert shapes == [Shape(10**9, 20_000), Shape(8 * 10**6, 9216), None, None]
    assert "SCHEDULER|scheduler.1: pbs is less than a longest frame" in said
    assert "SCHEDULER|scheduler.2: not kept: pir in packets" in said
    into = ("--into", tmp_path / "config_db.json", "--interface", "Ethernet4")
    text = (tmp_path / "profile.toml").read_text()
    _, found, said = exported(command, tmp_path, f'line_rate = "2G"\nline_burst = "20kB"\n{text}', *into)
    back = [found["SCHEDULER"][found["QUEUE"][f"Ethernet4|{number}"]["scheduler"]] for number in range(2)]
    # A device has a rate in its own unit.
    assert [int(each["pir"]) for each in back] == [pytest.approx(125 * 10**6, rel=1e-4), pytest.approx(10**6, rel=1e-3)]
    assert [(each["pbs"], each["meter_type"]) for each in back] == [("20000", "bytes"), ("9216", "bytes")]
    assert "line 0: not kept: line_rate" in said


def test_weights_have_the_least_quanta_that_send_a_frame(command: Command, tmp_path: Path) -> None:
    queues = CONFIG["QUEUE"] | {"Ethernet0,Ethernet4|2": {"scheduler": "scheduler.1"}}
    profile, _ = planned(command, tmp_path, CONFIG | {"QUEUE": queues}, "--interface", "Ethernet4")
    found = [profile.table(port, 4).planned().settings.quantum for port in range(4)]
    assert found == [9216, 9216 * 3 // 2, 9216 * 3 // 2, None]


def test_every_pair_of_weights_comes_back() -> None:
    """Quanta are whole bytes, weights whole numbers: neither loses the other's ratio."""
    rng = random.Random(1)
    pairs = [(first, second) for first in range(1, 101) for second in range(first, 101)]
    for weights in [*pairs, *([rng.randint(1, 100) for _ in range(8)] for _ in range(500))]:
        turns = quanta(weights)
        back = weights_of(turns.values())
        assert quanta(back.values()) == {back[turn]: turn for turn in turns.values()}, weights


def test_priorities_where_there_is_no_dscp_map(command: Command, tmp_path: Path) -> None:
    config = CONFIG | {
        "DOT1P_TO_TC_MAP": {"AZURE": {"0": "3", "5": "5"}},
        "PORT_QOS_MAP": {"global": {"dot1p_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE"}},
    }
    profile, _ = planned(command, tmp_path, config)
    assert profile.queues is not None
    found = profile.queues.planned()
    assert (found.mode, found.table) == (QueueMode.PCP, (1, 0, 0, 0, 0, 3, 0, 0))


def test_without_a_map_every_frame_goes_to_queue_0(command: Command, tmp_path: Path) -> None:
    profile, said = planned(command, tmp_path, {name: CONFIG[name] for name in CONFIG if name != "PORT_QOS_MAP"})
    assert profile.queues is not None
    assert profile.queues.planned().mode is QueueMode.FIXED
    assert "every frame goes to queue 0" in " ".join(said.split())


def test_without_a_map_of_frames_the_class_0_has_its_queue(command: Command, tmp_path: Path) -> None:
    config = CONFIG | {
        "PORT_QOS_MAP": {"global": {"tc_to_queue_map": "AZURE"}},
        "TC_TO_QUEUE_MAP": {"AZURE": {"0": "1"}},
    }
    profile, said = planned(command, tmp_path, config)
    assert profile.queues is not None
    assert (profile.queues.planned().mode, profile.queues.planned().default) == (QueueMode.FIXED, 1)
    assert "every frame goes to queue 1" in " ".join(said.split())


def test_every_sample_of_sonic_is_a_line_or_says_why_not(tmp_path: Path) -> None:
    """Eight queues of the first interface of each sample: maps and schedulers as it has them, the rest is named."""
    path, out = tmp_path / "config_db.json", tmp_path / "profile.toml"
    lines, mapped, without = 0, 0, 0
    for name, config in samples().items():
        path.write_text(json.dumps(config))
        there = {place for of in members(config.get("QUEUE", {}), "wred_profile").values() for place in of}
        if not there:
            continue
        interface = min(there)
        maps = config.get("PORT_QOS_MAP", {}).get(interface, {})
        if "dscp_to_tc_map" in maps and "DSCP_TO_TC_MAP" not in config:
            without += 1
            with pytest.raises(TruemarkError, match=r"DSCP_TO_TC_MAP\|AZURE: PORT_QOS_MAP names it"):
                plan_lines(path, 8, [interface], RATE)
            continue
        found = plan_lines(path, 8, [interface], RATE)
        strict = sum(line == "strict = true" for line in (found.profile or "").splitlines())
        kinds = {name: each["type"] for name, each in config.get("SCHEDULER", {}).items()}
        of = members(config["QUEUE"], "scheduler")
        assert strict == sum(
            kinds[there[interface]] == "STRICT" for n, there in of.items() if n < 8 and interface in there
        )
        lines += 1
        out.write_text(found.profile or "")
        profile = read_profile(out)
        assert profile.queues is not None
        mapped += profile.queues.planned().mode is QueueMode.DSCP
        unnamed = config.keys() - READ.keys() - set(KEPT)
        said = " ".join(found.remarks)
        assert not [table for table in unnamed if config[table] and table not in said], name
        # Laid into the sample again it is the same line, and nothing of it is lost.
        settings = [profile.table(port, 8).planned().settings for port in range(8)]
        written, gone = export_lines(settings, [interface], profile.queues.planned(), 10**6, None, config)
        assert not [line for line in gone if "PORT: no speed" not in line], name
        path.write_text(json.dumps(written))
        assert plan_lines(path, 8, [interface], RATE).profile == found.profile, name
    assert (lines, mapped, without) == (33, 33, 2)


def exported(command: Command, folder: Path, profile: str, *options: object) -> tuple[int, dict[str, Any], str]:
    """Apply a profile to a device of one line; return the code, the tables of `export sonic`, and what was said."""
    (folder / "device.toml").write_text(profile)
    device = f"sim:{folder / 'device'}"
    code, _, error = command("apply", folder / "device.toml", "--device", device)
    assert (code, error) == (0, "")
    code, out, said = command("export", "sonic", "--device", device, *options)
    return code, json.loads(out) if out else {}, said


def test_a_line_goes_back_into_the_switch_s_file(command: Command, tmp_path: Path) -> None:
    """Interfaces and maps that stood together are taken apart; what is not of the line stays."""
    together = CONFIG["PORT_QOS_MAP"]["Ethernet0"]
    config = CONFIG | {
        "PORT_QOS_MAP": {"Ethernet0,Ethernet4": together},
        "CRM": {"Config": {"polling_interval": "300"}},
    }
    _, _ = planned(command, tmp_path, config, "--interface", "Ethernet4")
    profile = (tmp_path / "profile.toml").read_text().replace('"9216B"', '"9217B"')
    into = ("--into", tmp_path / "config_db.json")
    code, found, said = exported(command, tmp_path, profile, *into, "--interface", "Ethernet4")
    assert code == 0
    turns = {number: found["SCHEDULER"][found["QUEUE"][f"Ethernet4|{number}"]["scheduler"]] for number in range(4)}
    assert turns[3] == {"type": "STRICT"}
    weights = [int(turns[number]["weight"]) for number in range(3)]
    assert weights[1] / weights[0] == pytest.approx(1.5, abs=0.05)
    assert "line 0: not kept: quanta: a switch has their ratio, in weights of 1 to 100: " in said
    assert found["PORT_QOS_MAP"]["Ethernet0"] == together
    assert found["PORT_QOS_MAP"]["Ethernet4"]["pfc_enable"] == "3,4"
    assert found["QUEUE"]["Ethernet0|1"] == config["QUEUE"]["Ethernet0,Ethernet4|1"]
    assert found["SCHEDULER"].items() >= config["SCHEDULER"].items()
    assert found["CRM"] == config["CRM"]


QUEUES = 'rate = "100G"\npolicy = "droptail"\n[queue.0]\nquantum = "9216B"\n[queue.1]\nquantum = "13824B"\n[queues]\n'


@pytest.mark.parametrize(
    ("queues", "maps", "says"),
    [
        (
            'by = "dscp"\ndefault = 1\ndscp = { 0-62 = 0 }',
            {"DSCP_TO_TC_MAP": {str(dscp): "0" if dscp < 63 else "1" for dscp in range(64)}},
            "queue 1 for frames without DSCP: a switch gives them class 0, queue 0",
        ),
        (
            'by = "pcp"\npcp = { 5-7 = 1 }',
            {"DOT1P_TO_TC_MAP": {str(priority): "0" if priority < 5 else "1" for priority in range(8)}},
            "",
        ),
        ('by = "fixed"\ndefault = 1', {}, "queue 1 for every frame: a switch gives them class 0, queue 0"),
        ('by = "ecn"\necn = { ce = 1 }', {}, 'by = "ecn": a switch chooses a queue by DSCP or priority; its maps stay'),
    ],
)
def test_maps_of_a_device_without_a_switch_s_file(
    command: Command, tmp_path: Path, queues: str, maps: dict[str, dict[str, str]], says: str
) -> None:
    code, found, said = exported(command, tmp_path, QUEUES + queues, "--rate", "100G")
    assert code == 0
    assert [line for line in said.splitlines() if line.endswith(says)] if says else "not kept" not in said
    names = ("DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP")
    assert {name: found[name]["TRUEMARK_0"] for name in names if name in found} == maps
    if maps:
        assert found["TC_TO_QUEUE_MAP"] == {"TRUEMARK_0": {"0": "0", "1": "1"}}
        assert found["PORT_QOS_MAP"]["Ethernet0"].keys() == {BY_TABLE[next(iter(maps))], "tc_to_queue_map"}
    else:
        assert "PORT_QOS_MAP" not in found
    assert [found["SCHEDULER"][found["QUEUE"][f"Ethernet0|{n}"]["scheduler"]]["weight"] for n in (0, 1)] == ["2", "3"]


def test_a_line_takes_no_queue_and_one_interface(command: Command, tmp_path: Path) -> None:
    for options, says in (
        (("--queue", 3), "--queue: a line of this device is queues 0 to 1 of an interface"),
        (("--interface", "Ethernet0", "--interface", "Ethernet4"), "2 interfaces for 1 line: one for each is wanted"),
    ):
        code, found, said = exported(command, tmp_path, QUEUES + 'by = "fixed"', *options)
        assert (code, found) == (1, {})
        assert says in said


def test_a_frame_without_dscp_has_class_0(command: Command, tmp_path: Path) -> None:
    """DSCP 0 may have another class: ARP has none."""
    config = CONFIG | {"DSCP_TO_TC_MAP": {"AZURE": {"0": "3", "46": "5"}}}
    profile, _ = planned(command, tmp_path, config)
    assert profile.queues is not None
    found = profile.queues.planned()
    assert (found.table[0], found.default) == (1, 0)


@pytest.mark.parametrize(
    ("table", "key", "content", "says"),
    [
        ("SCHEDULER", "scheduler.0", {"type": "FAIR"}, "SCHEDULER|scheduler.0: type = 'FAIR': STRICT, WRR or DWRR"),
        (
            "SCHEDULER",
            "scheduler.0",
            {"pir": "-1"},
            "SCHEDULER|scheduler.0: pir = '-1': a number of at most 64 bits is wanted",
        ),
        ("SCHEDULER", "scheduler.0", {"weight": "0"}, "SCHEDULER|scheduler.0: weight = '0': 1 to 100 is wanted"),
        ("SCHEDULER", "scheduler.0", {"weight": "101"}, "SCHEDULER|scheduler.0: weight = '101': 1 to 100 is wanted"),
        ("SCHEDULER", "scheduler.0", {"weight": "9" * 5000}, "99': 1 to 100 is wanted"),
        ("QUEUE", "Ethernet0|2", {"scheduler": "gone"}, "SCHEDULER|gone: a queue names it, and it is not there"),
        ("TC_TO_QUEUE_MAP", "AZURE", {"0": "0", "3": "6"}, "dscp 3 goes to queue 6: --queues 4 has 0 to 3"),
        ("TC_TO_QUEUE_MAP", "AZURE", {"0": "x"}, "TC_TO_QUEUE_MAP|AZURE: 0 = 'x': numbers are wanted"),
        ("PORT_QOS_MAP", "Ethernet4", {"dscp_to_tc_map": "gone"}, "DSCP_TO_TC_MAP|gone: PORT_QOS_MAP names it"),
        ("PORT_QOS_MAP", "Ethernet4", {}, "the maps of Ethernet4 are not those of Ethernet0"),
    ],
)
def test_a_fault_is_named(
    command: Command, tmp_path: Path, table: str, key: str, content: dict[str, str], says: str
) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(CONFIG | {table: CONFIG[table] | {key: content}}))
    code, out, error = command("plan", "sonic", path, "--queues", 4)
    assert (code, out) == (1, "")
    assert says in error


def test_a_table_of_texts_is_refused_by_its_place(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(CONFIG | {"SCHEDULER": {"scheduler.0": "DWRR"}}))
    code, out, error = command("plan", "sonic", path, "--queues", 4)
    assert (code, out) == (1, "")
    assert 'SCHEDULER|scheduler.0 = "DWRR": an object of fields is wanted' in error


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--queues", 3), "--queues 3: a line has 2, 4 or 8"),
        (("--queues", 4, "--queue", 3), "--queue takes one queue of an interface, --queues several; give one"),
        (("--queues", 4, "--interface", "Ethernet8"), "Ethernet8 has no queues 0 to 3"),
    ],
)
def test_what_is_asked_for_must_be_there(
    command: Command, tmp_path: Path, options: tuple[object, ...], says: str
) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(CONFIG))
    code, out, error = command("plan", "sonic", path, *options)
    assert (code, out) == (1, "")
    assert says in error
