# SPDX-License-Identifier: BSD-3-Clause
"""What `truemark export` says to switches: SONiC's tables, SAI's names, OpenConfig's tree, and the way back.

Names, keys and types are facts of saiwred.h, saiqueue.h, saiport.h (SAI 91e6b860), sonic-yang-models (086b03bd, and
07a78fb9 for thresholds of ECN's own) and
openconfig-qos (94f58962). OpenConfig's tree is validated against its own models: openconfig-94f58962.zip has those of
that commit with their licence (Apache 2.0; IETF's two modules carry theirs). SONiC's models are not in this repository:
TRUEMARK_YANG=FOLDER names a folder in which they lie anywhere.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from sw.tests.frames import Command, tcp_frame
from sw.tests.test_transport import served
from yangson import DataModel
from yangson.enumerations import ContentType
from yangson.exceptions import YangsonException

from truemark.device import registers
from truemark.device.engine import EVERY_LAW, Build, Engine, find_libraries, open_engine
from truemark.export import sai as sai_names
from truemark.laws.profile import read_profile

pytestmark = pytest.mark.builds("engine:model")

OPENCONFIG = Path(__file__).with_name("openconfig-94f58962.zip")
NONE, ECT, CE = 0, 2, 3
PROFILE = """
rate = "100G"
policy = "dcqcn"
dcqcn = "5kB/200kB/1%"
limit_bytes = "400kB"
[port.1]
policy = "true-mark"
k = "30kB"
[port.2]
policy = "dual-slope"
ect = { min = "10kB", max = "90kB", probability = 0.1, weight = 0, spacing = "memoryless" }
not_ect = { min = "20kB", max = "100kB", probability = 0.2, weight = 0, spacing = "memoryless" }
[port.3]
policy = "codel"
codel = "100us/2ms"
limit_packets = 100
[port.4]
policy = "red"
ecn = false
red = { min = "10kB", max = "90kB", probability = 0.005, weight = 9, spacing = "uniform", gentle = true }
"""
SAI = {
    *(f"SAI_WRED_ATTR_{name}" for name in ("GREEN_ENABLE", "GREEN_DROP_PROBABILITY", "WEIGHT", "ECN_MARK_MODE")),
    *(f"SAI_WRED_ATTR_{name}GREEN_{end}_THRESHOLD" for name in ("", "ECN_") for end in ("MIN", "MAX")),
    "SAI_WRED_ATTR_ECN_GREEN_MARK_PROBABILITY",
    *(f"SAI_BUFFER_PROFILE_ATTR_{name}" for name in ("THRESHOLD_MODE", "SHARED_STATIC_TH")),
    *(f"SAI_QUEUE_STAT_{name}{unit}" for name in ("", "DROPPED_") for unit in ("PACKETS", "BYTES")),
    *(f"SAI_QUEUE_STAT_WRED_{name}_{unit}" for name in ("DROPPED", "ECN_MARKED") for unit in ("PACKETS", "BYTES")),
    *(f"SAI_QUEUE_STAT_{name}" for name in ("CURR_OCCUPANCY_BYTES", "WATERMARK_BYTES", "DELAY_WATERMARK_NS")),
    *(f"SAI_PORT_STAT_{name}" for name in ("ECN_MARKED_PACKETS", "WRED_DROPPED_PACKETS", "WRED_DROPPED_BYTES")),
}
OF_A_POOL = {f"SAI_BUFFER_PROFILE_ATTR_{name}" for name in ("SHARED_DYNAMIC_TH", "RESERVED_BUFFER_SIZE")}
# Leaves of openconfig-qos: RFC 7951 writes numbers of 64 bits as texts.
LONG, SHORT, TEXT, SWITCH = "64 bits", "up to 32 bits", "text", "boolean"
LEAVES = {
    **dict.fromkeys(("name", "interface-id", "queue-management-profile", "buffer-allocation-profile"), TEXT),
    **dict.fromkeys(("enable-ecn", "drop", "use-shared-buffer"), SWITCH),
    **dict.fromkeys(("weight", "max-drop-probability-percent", "queue-id"), SHORT),
    **dict.fromkeys(("min-threshold", "max-threshold", "dedicated-buffer", "max-queue-len", "avg-queue-len"), LONG),
    **{
        f"{of}-{unit}": LONG
        for of in ("transmit", "dropped", "ecn-marked", "ecn-selected")
        for unit in ("pkts", "octets")
    },
}
# The tables of config_db.json as YANG has them: module, and what a key is made of.
TABLES = {
    "PORT": ("sonic-port", "name"),
    "WRED_PROFILE": ("sonic-wred-profile", "name"),
    "BUFFER_POOL": ("sonic-buffer-pool", "name"),
    "BUFFER_PROFILE": ("sonic-buffer-profile", "name"),
    "SCHEDULER": ("sonic-scheduler", "name"),
    "QUEUE": ("sonic-queue", "ifname", "qindex"),
    "BUFFER_QUEUE": ("sonic-buffer-queue", "port", "qindex"),
    "PORT_QOS_MAP": ("sonic-port-qos-map", "ifname"),
    "DSCP_TO_TC_MAP": ("sonic-dscp-tc-map", "name"),
    "DOT1P_TO_TC_MAP": ("sonic-dot1p-tc-map", "name"),
    "TC_TO_QUEUE_MAP": ("sonic-tc-queue-map", "name"),
}
# A map's entries are a list in YANG: its leaves.
ENTRIES = {"DSCP_TO_TC_MAP": ("dscp", "tc"), "DOT1P_TO_TC_MAP": ("dot1p", "tc"), "TC_TO_QUEUE_MAP": ("tc", "qindex")}


@pytest.fixture
def device(command: Command, tmp_path: Path) -> str:
    """Return a simulated device with five policies."""
    (tmp_path / "p.toml").write_text(PROFILE)
    address = f"sim:{tmp_path}/device"
    assert command("apply", tmp_path / "p.toml", "--device", address)[0] == 0
    return address


@pytest.fixture
def model() -> Iterator[Engine]:
    """Yield the golden model with every law."""
    with open_engine("model") as engine:
        yield engine


@pytest.fixture
def busy(command: Command, tmp_path: Path, model: Engine) -> Iterator[str]:
    """Yield a device whose ports 0 and 4 mark and drop: RED without an average, and CoDel is idle."""
    (tmp_path / "p.toml").write_text(
        PROFILE.replace('"5kB/200kB/1%"', '"5kB/6kB/100%"').replace(
            "probability = 0.005, weight = 9", "probability = 1, weight = 0"
        )
    )
    with served(model) as address:
        assert command("apply", tmp_path / "p.toml", "--device", address)[0] == 0
        for number in range(60):
            model.offer(number * 100, tcp_frame(1500, (NONE, ECT, CE)[number % 3]), 0b10001)
        model.take(60_000, 0)
        yield address


# A condition on interfaces' advertised speeds that yangson cannot read: it knows no text().
UNREAD = re.compile(r'must\s+"[^"]*text\(\)[^"]*"\s*(?:\{[^}]*\}|;)')


def models(folder: Path, copies: Path, *roots: str) -> DataModel:
    """Return the YANG modules of a folder that these need."""
    files = {re.split(r"[@.]", path.name)[0]: path for path in sorted(folder.rglob("*.yang"))}
    texts: dict[str, str] = {}
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in texts:
            texts[name] = UNREAD.sub("", files[name].read_text(encoding="utf-8"))
            (copies / f"{name}.yang").write_text(texts[name])
            todo += re.findall(r'^\s*(?:import|include)\s+"?([\w.-]+)', texts[name], re.MULTILINE)

    def revision(name: str) -> str:
        return max(re.findall(r'^\s*revision\s+"?([0-9-]+)', texts[name], re.MULTILINE), default="")

    library = []
    for name, text in texts.items():
        if space := re.search(r'^\s*namespace\s+"?([^";\s]+)', text, re.MULTILINE):
            parts = re.findall(r'^\s*include\s+"?([\w.-]+)', text, re.MULTILINE)
            entry: dict[str, Any] = {"name": name, "revision": revision(name), "namespace": space[1]}
            entry |= {
                "conformance-type": "implement",
                "submodule": [{"name": p, "revision": revision(p)} for p in parts],
            }
            library.append(entry)
    state = {"ietf-yang-library:modules-state": {"module-set-id": "", "module": library}}
    return DataModel(json.dumps(state), [str(copies)])


def as_yang(config: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a config_db.json as sonic-yang-mgmt hands it to YANG: a list of each table, keys as leaves."""
    found = {}
    for table, (module, *keys) in TABLES.items():
        rows = [
            dict(zip(keys, key.split("|"), strict=True)) | fields_as_yang(table, values)
            for key, values in config.get(table, {}).items()
        ]
        found[f"{module}:{module}"] = {table: {f"{table}_LIST": rows}}
    return found


def fields_as_yang(table: str, values: dict[str, str]) -> dict[str, Any]:
    """Return an object's fields as its leaves, of a map its entries as a list of its name."""
    if table in ENTRIES:
        pairs = [zip(ENTRIES[table], entry, strict=True) for entry in values.items()]
        return {table: [{name: typed(name, value) for name, value in entry} for entry in pairs]}
    return {name: typed(name, value) for name, value in values.items()}


def typed(name: str, value: str) -> Any:
    """Return a value, which config_db has as text, as its leaf has it."""
    if value in ("true", "false"):
        return value == "true"
    return int(value) if name in ("speed", "weight", "dynamic_th", "tc") else value


def valid(model: DataModel, document: dict[str, Any]) -> None:
    """Hold a document against its models: types, references, conditions."""
    model.from_raw(document).validate(ctype=ContentType.all)


def test_sonic_gives_back_what_it_was_given(command: Command, device: str, tmp_path: Path) -> None:
    """Exported, planned, applied and exported again: the same tables; before, all that is not kept is named."""
    code, first, said = command("export", "sonic", "--device", device, "--rate", "100G", "--queue", "4")
    assert code == 0
    for text in (
        "port 1: not kept: K = 30000 B to the byte",
        "port 3: not kept: CoDel: a switch knows no waiting times",
        "port 3: not kept: the limit of 100 packets",
        "port 4: not kept: probability 0.005: a switch takes whole percentages, here 1",
        "port 4: not kept: spacing uniform, gentle",
        "port 4: not kept: W = 9: SONiC sets weight 0",
    ):
        assert text in said
    assert "port 0:" not in said
    assert "port 2: thresholds of ECN's own (ecn_green_min_threshold) are new" in said
    assert "port 2: not kept" not in said
    (tmp_path / "config_db.json").write_text(first)
    back, again = tmp_path / "back.toml", f"sim:{tmp_path}/again"
    assert command("plan", "sonic", tmp_path / "config_db.json", "--profile", back)[0] == 0
    ports = [read_profile(back).table(port).planned().settings for port in range(4)]
    assert [port.policy for port in ports] == ["dcqcn", "dcqcn", "dual-slope", "red"]  # Ethernet12 has no queue 4
    assert command("apply", back, "--device", again)[0] == 0
    names = [word for port in (0, 4, 8, 16) for word in ("--interface", f"Ethernet{port}")]
    code, second, said = command(
        "export", "sonic", "--device", again, "--rate", "100G", "--queue", "4", *names, "--interface", "Ethernet12"
    )
    assert (code, "not kept" in said) == (0, False)
    kept = json.loads(second)
    for table in ("WRED_PROFILE", "QUEUE", "BUFFER_QUEUE", "BUFFER_PROFILE"):
        assert kept[table] == json.loads(first)[table], table


SWITCH_FILE: dict[str, dict[str, Any]] = {
    "PORT": {f"Ethernet{4 * n}": {"lanes": str(n + 1), "speed": "100000"} for n in range(6)},
    "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"}},
    "WRED_PROFILE": {"AZURE": {"ecn": "ecn_none", "green_min_threshold": "1", "green_max_threshold": "2"}},
    "QUEUE": {
        "Ethernet0,Ethernet4|3-4": {"scheduler": "scheduler.0", "wred_profile": "AZURE"},
        **{f"Ethernet{4 * n}|3": {"wred_profile": "AZURE"} for n in range(2, 6)},
    },
}


def exported_into(command: Command, device: str, folder: Path) -> dict[str, Any]:
    """Return a switch's own file with a device's ports in it."""
    (folder / "switch.json").write_text(json.dumps(SWITCH_FILE))
    code, out, _ = command("export", "sonic", "--device", device, "--into", folder / "switch.json")
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_switch_s_own_file_keeps_what_is_not_ours(command: Command, device: str, tmp_path: Path) -> None:
    found = exported_into(command, device, tmp_path)
    assert (found["PORT"], found["SCHEDULER"]) == (SWITCH_FILE["PORT"], SWITCH_FILE["SCHEDULER"])
    assert found["WRED_PROFILE"]["AZURE"] == SWITCH_FILE["WRED_PROFILE"]["AZURE"]
    own = {name: sum(key.startswith("ecn_") for key in each) for name, each in found["WRED_PROFILE"].items()}
    assert own == {"AZURE": 0, "TRUEMARK_0": 0, "TRUEMARK_1": 0, "TRUEMARK_2": 9, "TRUEMARK_3": 0}
    assert found["QUEUE"] == {
        "Ethernet0|3": {"scheduler": "scheduler.0", "wred_profile": "TRUEMARK_0"},
        "Ethernet4|3": {"scheduler": "scheduler.0", "wred_profile": "TRUEMARK_1"},
        **{f"Ethernet{n}|4": {"scheduler": "scheduler.0", "wred_profile": "AZURE"} for n in (0, 4)},
        "Ethernet8|3": {"wred_profile": "TRUEMARK_2"},
        "Ethernet16|3": {"wred_profile": "TRUEMARK_3"},  # Ethernet12 has none any more: CoDel
        "Ethernet20|3": {"wred_profile": "AZURE"},  # no port of ours
    }
    (code, _, error) = command("export", "sonic", "--device", device, "--interface", "Ethernet0")
    assert (code, "1 interfaces for 5 ports" in error) == (1, True)
    names = [word for name in ("Ethernet0", "Ethernet4", "Ethernet0") for word in ("--interface", name)]
    for words in (("export", "sonic"), ("export", "openconfig")):
        (code, _, error) = command(*words, "--device", device, *names)
        assert (code, "--interface Ethernet0: given 2 times; each port has its own" in error) == (1, True)
    (code, _, error) = command("export", "sonic", "--device", device, "--rate", "500k")
    assert (code, "rate = 500000 bit/s: SONiC counts in whole Mbit/s" in error) == (1, True)


POOL = """
rate = "10G"
policy = "droptail"
pool_reserve = "6400B"
pool_alpha = "1/8"
paused_by = [5]
[port.1]
pool_alpha = 1
limit_bytes = "100kB"
[port.2]
pool_static = "64kB"
[port.3]
policy = "true-mark"
k = "30kB"
mark_on = "departure"
shape_rate = "1G"
shape_burst = "20kB"
"""


@pytest.fixture
def pool(command: Command, tmp_path: Path) -> Iterator[str]:
    """Yield a device of five ports with a pool of 3 MB, shares of it, pauses and a rate."""
    (tmp_path / "p.toml").write_text(POOL)
    switches = EVERY_LAW | registers.CAPABILITIES.pack(pool=1, pfc=1, shaping=1, mark_on_departure=1)
    build = Build(rows=98304, descriptors=5001, switches=switches)
    with Engine(find_libraries("model")[0], build) as engine, served(engine) as address:
        code, _, error = command("apply", tmp_path / "p.toml", "--device", address)
        assert code == 0, error
        yield address


def test_shares_of_a_pool_are_said_and_what_is_not_is_named(command: Command, pool: str) -> None:
    """In SAI and OpenConfig's tree as they have them; SONiC's tables name them, and rates and pauses with them."""
    assert "3145728 B of all ports" in command("show", "--device", pool)[1]
    limit = "port 1: not kept: limit_bytes 100,000: a buffer profile has one limit, here that of the pool"
    rest = [
        "port 0: not kept: [pfc] and paused_by: a switch has that in its buffer profiles and maps of priorities",
        'port 3: not kept: mark_on = "departure": a switch judges a frame as it comes',
        "port 3: not kept: shape_rate 1 Gbit/s: a switch has that in a scheduler",
    ]
    code, out, said = command("export", "sai", "--device", pool, "-j")
    assert code == 0, said
    names, said = [each["attributes"] for each in json.loads(out)["ports"]], "\n".join(json.loads(out)["remarks"])
    modes = [each["SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE"].rsplit("_", 1)[1] for each in names]
    assert {name for each in names for name in each} <= SAI | OF_A_POOL
    assert modes == ["DYNAMIC", "DYNAMIC", "STATIC", "DYNAMIC", "DYNAMIC"]
    assert [each.get("SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH") for each in names] == [-3, 0, None, -3, -3]
    assert names[2]["SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH"] == 64_000
    assert {each["SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE"] for each in names} == {6400}
    for line in (limit, *rest):
        assert line in said, line
    assert "of the pool" not in said.replace(limit, "")

    code, out, said = command("export", "openconfig", "--device", pool)
    assert code == 0, said
    profiles = json.loads(out)["openconfig-qos:qos"]["buffer-allocation-profiles"]["buffer-allocation-profile"]
    own = [each["queues"]["queue"][0]["config"] for each in profiles]
    assert {(each["dedicated-buffer"], each["use-shared-buffer"]) for each in own} == {("6400", True)}
    assert [each.get("dynamic-limit-scaling-factor") for each in own] == [-3, 0, None, -3, -3]
    assert own[2]["static-shared-buffer-limit"] == 64_000
    for line in (limit, *rest):
        assert line in said, line

    code, out, said = command("export", "sonic", "--device", pool)
    assert code == 0, said
    assert json.loads(out)["BUFFER_POOL"]["truemark_pool"]["size"] == "3145728"
    share = "port 0: not kept: of the pool 6400 B and 1/8 of what is free: a switch has that in its buffer profiles"
    assert limit not in said, "SONiC's table has it"
    for line in (share, *rest):
        assert line in said, line


LINE = """
rate = "100G"
policy = "dcqcn"
dcqcn = "5kB/200kB/1%"
[queue.0]
quantum = "1518B"
[queue.1]
quantum = "3036B"
[queues]
"""


@pytest.fixture
def sonic(tmp_path: Path) -> DataModel:
    """Return SONiC's own models."""
    folder = os.environ.get("TRUEMARK_YANG")
    if not folder:
        pytest.skip("TRUEMARK_YANG names no folder of sonic-yang-models' modules")
    return models(Path(folder), tmp_path, *(module for module, *_ in TABLES.values()))


def test_sonic_s_models_accept_the_tables(command: Command, device: str, tmp_path: Path, sonic: DataModel) -> None:
    found = as_yang(exported_into(command, device, tmp_path))
    valid(sonic, found)
    profiles = found["sonic-wred-profile:sonic-wred-profile"]["WRED_PROFILE"]["WRED_PROFILE_LIST"]
    profiles[1]["green_min_threshold"] = "500000"
    with pytest.raises(YangsonException, match="Green max threshold must be greater"):
        valid(sonic, found)


@pytest.mark.parametrize("by", ["dscp", "pcp"])
def test_sonic_s_models_accept_a_line(command: Command, tmp_path: Path, sonic: DataModel, by: str) -> None:
    (tmp_path / "line.toml").write_text(f'{LINE}by = "{by}"\n{by} = {{ 5-7 = 1 }}\n')
    address = f"sim:{tmp_path}/line"
    assert command("apply", tmp_path / "line.toml", "--device", address)[0] == 0
    (tmp_path / "switch.json").write_text(json.dumps(SWITCH_FILE | {"QUEUE": {}}))
    code, out, _ = command(
        "export", "sonic", "--device", address, "--into", tmp_path / "switch.json", "--interface", "Ethernet0"
    )
    assert code == 0
    found = as_yang(json.loads(out))
    valid(sonic, found)
    found["sonic-port-qos-map:sonic-port-qos-map"]["PORT_QOS_MAP"]["PORT_QOS_MAP_LIST"][0]["tc_to_queue_map"] = "gone"
    with pytest.raises(YangsonException):
        valid(sonic, found)


@pytest.fixture
def openconfig(tmp_path: Path) -> DataModel:
    """Return OpenConfig's own models."""
    with ZipFile(OPENCONFIG) as archive:
        archive.extractall(tmp_path / "openconfig")
    return models(tmp_path / "openconfig", tmp_path, "openconfig-qos")


def test_openconfig_s_models_accept_shares_of_a_pool(command: Command, pool: str, openconfig: DataModel) -> None:
    text = command("export", "openconfig", "--device", pool)[1]
    valid(openconfig, json.loads(text))
    with pytest.raises(YangsonException):
        valid(openconfig, json.loads(text.replace("DYNAMIC_BASED_ON_SCALING_FACTOR", "DYNAMIC")))


def test_openconfig_s_models_accept_the_tree(command: Command, busy: str, openconfig: DataModel) -> None:
    text = command("export", "openconfig", "--device", busy)[1]
    valid(openconfig, json.loads(text))
    for there, wrong in (
        ('"min-threshold": "5000"', '"min-threshold": 5000'),
        ('"queue-management-profile": "tm0"', '"queue-management-profile": "tm9"'),
        ("ecn-marked-pkts", "ecn-marked-packets"),
    ):
        assert there in text
        with pytest.raises(YangsonException):
            valid(openconfig, json.loads(text.replace(there, wrong)))


def test_openconfig_s_tree_and_its_counters(command: Command, busy: str) -> None:
    code, out, said = command("export", "openconfig", "--device", busy)
    assert code == 0
    tree = json.loads(out)["openconfig-qos:qos"]
    checked = list(leaves(tree))
    assert len(checked) > 100
    for name, value in checked:
        kind = LEAVES[name]
        long = isinstance(value, str) and value.isdigit()
        assert {LONG: long, SHORT: type(value) is int, TEXT: isinstance(value, str), SWITCH: type(value) is bool}[
            kind
        ], name
    profiles = {
        each["name"]: each["wred"]["uniform"]["config"]
        for each in tree["queue-management-profiles"]["queue-management-profile"]
    }
    assert list(profiles) == ["tm0", "tm1", "tm2", "tm4"]
    assert profiles["tm0"] == {
        "min-threshold": "5000",
        "max-threshold": "6000",
        "enable-ecn": True,
        "drop": True,
        "weight": 0,
        "max-drop-probability-percent": 100,
    }
    assert [(each["enable-ecn"], each["drop"]) for each in profiles.values()] == [
        (True, True),
        (True, False),
        (True, False),
        (False, True),
    ]
    assert "port 2: not kept: the slope of Not-ECT frames" in said
    first, *_, last = (each["output"]["queues"]["queue"][0]["state"] for each in tree["interfaces"]["interface"])
    # Of 60 frames each third can be marked, and each third has CE: the first four or five find less than min.
    chosen, marked = int(first["ecn-selected-pkts"]), int(first["ecn-marked-pkts"])
    assert 54 <= chosen <= 57
    assert 18 <= marked <= 19
    assert int(first["dropped-pkts"]) + int(first["transmit-pkts"]) == 60 - held(command, busy, 0)
    assert int(first["max-queue-len"]) % 1500 == 0
    assert (last["ecn-marked-pkts"], last["ecn-selected-pkts"]) == ("0", last["dropped-pkts"])


def held(command: Command, address: str, port: int) -> int:
    """Packets that a port holds."""
    found = json.loads(command("status", "--device", address, "-j")[1])
    packets: int = found["ports"][port]["held"]["packets"]
    return packets


def leaves(tree: Any) -> Iterator[tuple[str, Any]]:
    """Every leaf with its name."""
    for name, value in tree.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield from leaves(each)
            else:
                yield name, each


def test_sai_s_names(command: Command, busy: str) -> None:
    """Every name is one of SAI's headers, on the page and in the tool; values are those of status."""
    found = json.loads(command("export", "sai", "--device", busy, "-j")[1])["ports"]
    used = {name for port in found for group in ("attributes", "counters") for name in port[group]}
    assert used == SAI
    first, status = found[0], json.loads(command("status", "--device", busy, "-j")[1])["ports"][0]
    counted = first["counters"]
    for name, value in (
        ("PACKETS", status["departed"]),
        ("DROPPED_PACKETS", status["dropped"]),
        ("WRED_ECN_MARKED_PACKETS", status["marked"]),
        ("CURR_OCCUPANCY_BYTES", status["held"]["bytes"]),
        ("WATERMARK_BYTES", status["most"]["bytes"]),
    ):
        assert counted[f"SAI_QUEUE_STAT_{name}"] == value
    assert counted["SAI_PORT_STAT_ECN_MARKED_PACKETS"] == status["marked"] > 0
    assert counted["SAI_QUEUE_STAT_WRED_DROPPED_BYTES"] == 1500 * counted["SAI_QUEUE_STAT_WRED_DROPPED_PACKETS"] > 0
    assert first["attributes"]["SAI_WRED_ATTR_GREEN_MIN_THRESHOLD"] == 5000
    assert found[1]["attributes"]["SAI_WRED_ATTR_GREEN_ENABLE"] is False
    shown = command("export", "sai", "--device", busy, "--port", "4")[1]
    assert "SAI_WRED_ATTR_ECN_MARK_MODE" in shown
    assert "NONE" in shown
    page = (Path(__file__).parents[2] / "docs/switches.md").read_text(encoding="utf-8")
    assert set(re.findall(r"SAI_[A-Z0-9_]+", page)) >= used | OF_A_POOL
    assert sai_names.__doc__
