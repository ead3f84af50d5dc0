# SPDX-License-Identifier: BSD-3-Clause
"""One run: what the runner program is told, its call, and the folder it leaves."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from truemark.device import registers
from truemark.device.device import Device
from truemark.device.engine import FEATURES, SIZES, Build, find_libraries, library_folders, model_build, open_engine
from truemark.errors import TruemarkError
from truemark.lab.folder import RESULT, failed, whole_folder
from truemark.lab.queues import ONE, Queues
from truemark.lab.scenario import Queue, Scenario
from truemark.laws import policies
from truemark.laws.law import Limits
from truemark.laws.policies import PortSettings
from truemark.laws.port import PolicyTable, PortTable
from truemark.pages import commit

STOP_STRUCK = 3  # exit code of the runner
LOG = "log.txt"
PARENT = "TRUEMARK_LAB_PARENT"  # whose end is the runner's
TUNABLES, HUGE_PAGES = "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"


@dataclass(frozen=True)
class EngineChoice:
    """An engine library and the build to ask it for."""

    library: Path
    build: dict[str, int]


def find_runner() -> Path:
    """Return the runner program: `TRUEMARK_LAB_RUNNER`, or build/lab/lab-runner next to the libraries."""
    if configured := os.environ.get("TRUEMARK_LAB_RUNNER"):
        candidates = [Path(configured)]
    else:
        candidates = [folder.parent / "lab" / "lab-runner" for folder in library_folders()]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise TruemarkError("the lab's runner is not built: run `make lab-runner`, or set TRUEMARK_LAB_RUNNER to it")


def choose_engine(kind: str, size: str, features: frozenset[str], queues: int = 1) -> EngineChoice:
    """Return the engine of a kind that holds a size and has these features, with so many queues of a line."""
    if kind == "model":
        build = model_build(size, queues)
        build.ports = queues
        return EngineChoice(find_libraries(kind)[0], {name: getattr(build, name) for name, *_ in Build._fields_})
    with open_engine(kind, size, features) as engine:
        if engine.build.ports != 1:
            raise TruemarkError(f"{engine.path.name} has {engine.build.ports} ports; the lab needs one of one port")
        return EngineChoice(engine.path, dict.fromkeys((name for name, *_ in Build._fields_), 0))


def register_writes(settings: PortSettings, queues: Queues = ONE) -> list[list[int]]:
    """Return the register writes with which the host tool configures a line of these queues, in order."""
    writes: list[list[int]] = []
    # The engine itself refuses what it cannot do. It is held to no rate: a link of the lab has its own; nor has it a
    # pool: the switch's is asked before it.
    laws = (1 << 32) - 1 & ~registers.CAPABILITIES.pack(pool=1, pfc=1, shaping=1)
    able = {
        registers.CAPABILITIES.address: laws,
        registers.BUILD.address: registers.BUILD.pack(more_queues=queues.count - 1),
    }
    device = Device(lambda address: able.get(address, 0), lambda address, value: writes.append([address, value]))
    for queue, quantum in enumerate(queues.quanta()):
        device.commit(queue, replace(settings, quantum=quantum or None))
    if queues.count > 1:
        device.commit_queue_map(queues.queue_map())
    return writes


def port_settings(queue: Queue, rate: int, where: str) -> PortSettings:
    """Return the settings of a port of this rate; auto-RED is instantaneous unless a weight is given.

    Errors name RED by where the scenario has it.
    """
    written = {name: value for name in PolicyTable.model_fields if (value := getattr(queue, name)) is not None}
    if "target_delay" in written:
        written.setdefault("weight", "0")
    if queue.red and queue.red.mark_p is not None and queue.implementation != "truemark":
        raise TruemarkError(f"{where}.mark_p: queue.implementation = '{queue.implementation}' does not know it")
    harddrop = bool(queue.red and queue.red.hard(queue.policy, where))
    return PortTable.model_construct(**written, rate=rate, harddrop=harddrop or None).planned().settings


def planned_ports(scenario: Scenario) -> tuple[dict[str, PortSettings], str]:
    """Return the settings of ports to hosts and between switches, and the build that holds them; all checked."""
    rates = {"edge": scenario.topology.host_rate, "fabric": scenario.topology.uplink_rate}
    reds = {"edge": "queue.red", "fabric": "queue.fabric.red" if scenario.queue.fabric.red else "queue.red"}
    planned = {place: port_settings(scenario.queue.at(place), rate, reds[place]) for place, rate in rates.items()}
    size = policies.build_size(*planned.values())
    only_model = scenario.queue.engine == "model" and not scenario.queue.rtl_ports
    if only_model and any((each.limit_bytes or 0) > SIZES[size][0] for each in planned.values()):
        size = "model"
    storage, descriptors = SIZES[size]
    for place, settings in planned.items():
        everything = Limits(storage, descriptors, FEATURES | {"step"}, queues=scenario.port_queues.count)
        policies.check(settings, everything, f"{place} ports")
        if scenario.pfc and scenario.pool:
            keep_all(settings, most_held(scenario), f"{place} ports: policy = '{settings.policy}'")
    return planned, size


def most_held(scenario: Scenario) -> tuple[int, str]:
    """Return the bytes that a port may have to hold where nothing is lost: all of its pool, or of the workload."""
    size, topology = scenario.pool.size if scenario.pool else 0, scenario.topology
    segment, frame = scenario.transport.segment, topology.links(scenario.transport)[1]
    work = scenario.workload.most_held(topology.most_below, segment, frame)
    return (size, "the pool's size") if work is None or size <= work else (work, "what the workload may send there")


def keep_all(settings: PortSettings, most: tuple[int, str], where: str) -> None:
    """Refuse a port that drops where links are paused so that nothing is lost."""
    size, of = most
    if settings.drops:
        raise TruemarkError(f"{where}: with [pfc] nothing is lost, and it drops {settings.drops}")
    if settings.limit_packets is not None or (settings.limit_bytes or size) < size:
        raise TruemarkError(f"{where}: with [pfc] nothing is lost: buffer must be at least {size} B, which is {of}")


def runner_input(scenario: Scenario, fault: str = "") -> dict[str, Any]:
    """Return all that the runner is told. A `fault` is something that a test breaks, to see a run's checks find it."""
    planned, size = planned_ports(scenario)
    refused = next(field for field in registers.STATUS.fields if field.name == "refused")
    ports = {}
    for place, settings in planned.items():
        limit = settings.limit_bytes or (settings.limit_packets or 1) * scenario.queue.packet
        ports[place] = {
            "writes": register_writes(settings, scenario.port_queues),
            "command": registers.COMMAND.address,
            "status": registers.STATUS.address,
            "refused": 1 << refused.low,
            "seed": registers.SEED.address,
            "drops_at_head": "codel" in settings.features,
            "occupancy_top": limit,
            "ns3_red": scenario.queue.at(place).ns3_red.for_runner() | {"limit_bytes": limit},
        }
    kinds = {scenario.queue.engine, *(["rtl"] if scenario.queue.rtl_ports else [])}
    features = frozenset[str]().union(*(settings.features for settings in planned.values()))
    engines = {kind: choose_engine(kind, size, features, scenario.port_queues.count) for kind in kinds}

    def told(kind: str) -> dict[str, Any]:
        return {"library": str(engines[kind].library), "build": engines[kind].build}

    work = scenario.workload
    transports = [("main", work.priority, scenario.transport)]
    if second := work.second_transport:
        priority = work.priority if second.priority is None else second.priority
        transports.append((second.name, priority, scenario.transport.beside(second)))
    return {
        "scenario": scenario.for_runner(),
        "groups": [
            {"name": name, "priority": priority or 0}
            | {key: getattr(each, key) for key in ("socket_type", "recovery", "ecn", "delayed_ack", "guards")}
            for name, priority, each in transports
        ],
        "decisions": "decisions.txt" if scenario.measure.decisions else "",
        "fault": fault,
        "engine": told(scenario.queue.engine),
        "special_ports": [{"port": port, "engine": told("rtl")} for port in scenario.queue.rtl_ports],
        "quanta": scenario.port_queues.quanta(),
        "ports": ports,
        **({} if (pool := scenario.pool_plan()) is None else {"pool": pool}),
    }


def engines_of(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the engines of what a runner is told: that of all ports, and those of single ones."""
    return [told["engine"], *(each["engine"] for each in told["special_ports"])]


def libraries_of(told: dict[str, Any]) -> list[str]:
    """Return the libraries of a runner's engines, each once."""
    return sorted({each["library"] for each in engines_of(told)})


@dataclass(frozen=True)
class LabRun:
    """A run that was made."""

    folder: Path
    scenario: Scenario
    result: dict[str, Any]

    @property
    def finished(self) -> bool:
        """Whether its job ended before the stop time."""
        return bool(self.result["result"]["finished"])


def fingerprint(scenario: Scenario) -> str:
    """Eight digits that differ whenever a field differs."""
    return hashlib.sha256(json.dumps(scenario.model_dump(), sort_keys=True).encode()).hexdigest()[:8]


@functools.lru_cache(maxsize=64)
def _hash(path: Path, changed_ns: int, size: int) -> str:
    """Hash a file as it was at that time: a sweep asks for the same few again for each of its runs."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def hash_of(path: Path) -> str:
    """Return the hash of a binary."""
    found = path.stat()
    return _hash(path.resolve(), found.st_mtime_ns, found.st_size)


def binaries(runner: Path, choices: list[str]) -> dict[str, str]:
    """Return what decides a run besides its input: ns-3's version, and hashes of runner and libraries."""
    return {"ns-3": "3.44", "runner": hash_of(runner), **{Path(each).name: hash_of(Path(each)) for each in choices}}


def versions(runner: Path, choices: list[str]) -> dict[str, str]:
    """Return what a run was made with: its binaries, and the commit."""
    return {**binaries(runner, choices), "commit": commit()}


def last_lines(text: str, count: int = 3) -> str:
    """Return the end of what a program said."""
    return " / ".join(line for line in text.strip().splitlines()[-count:] if line) or "it said nothing"


def runner_environment() -> dict[str, str]:
    """Return the environment of a run, without what ns-3 reads, as NS_ATTRIBUTE_DEFAULT: its input alone decides.

    Huge pages for glibc's heap save up to a tenth of the CPU; what a user tunes besides stays. The runner ends with
    this process, however that ends: it is told whose child it is.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NS_")}
    tuned = [each for each in (HUGE_PAGES, plain.get(TUNABLES)) if each]
    return plain | {TUNABLES: ":".join(tuned), PARENT: str(os.getpid())}


def call_runner(runner: Path, folder: Path, open_at_stop: bool = False) -> None:
    """Run the program in its folder; every failure is named. A run may be open at its stop time where that counts."""
    command = [str(runner.resolve()), "input.json", "runner.json", "flows.csv"]
    pipe, env = subprocess.PIPE, runner_environment()
    done = subprocess.run(command, cwd=folder, env=env, stdout=pipe, stderr=subprocess.STDOUT, check=False)
    words = done.stdout.decode(errors="replace")
    said = last_lines(words)
    with contextlib.suppress(OSError):  # a disk that is too full for the log is what the runner speaks of
        (folder / LOG).write_text(words, encoding="utf-8")
    if done.returncode == STOP_STRUCK and open_at_stop:
        return
    if done.returncode == STOP_STRUCK:
        job = json.loads((folder / "runner.json").read_text())["job"]
        stop = json.loads((folder / "runner.json").read_text())["stop_s"]
        raise TruemarkError(
            f"the stop time of {stop:g} s struck: {job['completed']} of {job['flows']} flows were complete, "
            f"{job['connected']} connected; raise `stop`, or find out what stands still"
        )
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        full = "; a file grew beyond what is allowed here" if name == "SIGXFSZ" else ""
        raise TruemarkError(f"the runner was ended by signal {-done.returncode} ({name}{full}): {said}")
    if done.returncode:
        raise TruemarkError(f"the run failed: {said}")


@contextlib.contextmanager
def logged(log: Path, kept: Path) -> Iterator[None]:
    """Put an error at the end of a log, and into the error where the log is kept."""
    try:
        yield
    except TruemarkError as error:
        with contextlib.suppress(OSError), log.open("a") as file:  # the disk may be full
            file.write(f"{error}\n")
        raise TruemarkError(f"{error} (log: {kept})") from None


def make(runner: Path, told: dict[str, Any], made_with: dict[str, str], part: Path, open_at_stop: bool) -> None:
    """Have the runner leave its files in a folder; its binaries must be the same when it has ended."""
    (part / "input.json").write_text(json.dumps(told, indent=1) + "\n")
    call_runner(runner, part, open_at_stop)
    if not binaries(runner, libraries_of(told)).items() <= made_with.items():
        raise TruemarkError("runner or engine was built during the run: start again")


def finish(part: Path, scenario: Scenario, point: str, made_with: dict[str, str]) -> dict[str, Any]:
    """Write the result of a run whose files are in a folder, and return it."""
    result = {
        "point": point or scenario.name,
        "scenario": scenario.model_dump(),
        "fingerprint": fingerprint(scenario),
        "made": datetime.now(UTC).date().isoformat(),
        "versions": made_with,
        "result": json.loads((part / "runner.json").read_text()),
    }
    (part / RESULT).write_text(json.dumps(result) + "\n")
    (part / "runner.json").unlink()
    return result


@contextlib.contextmanager
def named(scenario: Scenario, folder: Path) -> Iterator[None]:
    """Say of an error which run it was."""
    try:
        yield
    except TruemarkError as error:
        raise TruemarkError(f"{scenario.name}, seed {scenario.seed}: {error}") from None
    except OSError as error:
        raise TruemarkError(f"{scenario.name}, seed {scenario.seed}: {folder}: {error.strerror or error}") from None


def run(scenario: Scenario, folder: Path, point: str = "", fault: str = "") -> LabRun:
    """Run a scenario into `folder`, which appears under its name only when the result is complete.

    `point` is the name under which a report puts runs of several seeds together.

    A run that fails leaves FOLDER.failed with its log instead.
    """
    with named(scenario, folder):
        runner, told = find_runner(), runner_input(scenario, fault)
        made_with = versions(runner, libraries_of(told))
        with whole_folder(folder) as part:
            with logged(part / LOG, failed(folder) / LOG):
                make(runner, told, made_with, part, scenario.workload.OPEN_AT_STOP)
            result = finish(part, scenario, point, made_with)
        return LabRun(folder, scenario, result)


def load(folder: Path) -> LabRun:
    """Return a run that was made before."""
    path = folder / RESULT
    try:
        result = json.loads(path.read_text())
        return LabRun(folder, Scenario.model_validate(result["scenario"]), result)
    except FileNotFoundError:
        raise TruemarkError(f"{folder}: no {RESULT}, so no complete run") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TruemarkError(f"{path}: not a result of `truemark lab run`: {error}") from None
