# SPDX-License-Identifier: BSD-3-Clause
"""A run on a worker that shares no disk with who asks: its input goes there by value, its files come back."""

from __future__ import annotations

import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import get_worker

from truemark.device.engine import library_folders
from truemark.errors import TruemarkError
from truemark.lab import runner
from truemark.lab.folder import failed, whole_folder
from truemark.lab.scenario import Scenario


@dataclass(frozen=True)
class Order:
    """What a worker is asked to run."""

    told: dict[str, Any]  # the runner's input, with libraries at the places that they have here
    runner: str  # its place here, for people
    made_with: dict[str, str]  # hashes of runner and libraries: the worker's own must be the same
    open_at_stop: bool


@dataclass(frozen=True)
class Parcel:
    """What a worker hands back: the files of a run, and what went wrong, or nothing."""

    files: dict[str, bytes]
    trouble: str


def order_of(scenario: Scenario) -> Order:
    """Return what a worker needs to run a scenario as it would run here."""
    found, told = runner.find_runner(), runner.runner_input(scenario)
    made_with = runner.versions(found, runner.libraries_of(told))
    return Order(told, str(found), made_with, scenario.workload.OPEN_AT_STOP)


def work(order: Order) -> Parcel:
    """Run an order on a worker's own disk. Errors are values: none of them ends a sweep."""
    # Below the worker's folder, which Dask empties after a worker that died.
    with tempfile.TemporaryDirectory(prefix="run-", dir=get_worker().local_directory) as place:
        folder, trouble = Path(place), ""
        try:
            runner.make(same_runner(order), with_libraries_here(order), order.made_with, folder, order.open_at_stop)
        except (OSError, TruemarkError) as error:
            trouble = f"on {socket.gethostname()}: {error}"
        return Parcel({path.name: path.read_bytes() for path in sorted(folder.iterdir())}, trouble)


def same_runner(order: Order) -> Path:
    """Return the runner that is here, which must be the one that was meant."""
    found = runner.find_runner()
    must_be_same(found, Path(order.runner), order.made_with["runner"], "TRUEMARK_LAB_RUNNER")
    return found


def with_libraries_here(order: Order) -> dict[str, Any]:
    """Return what the runner is told, with the libraries of the same names and contents that are here."""
    told = order.told | {"special_ports": [dict(each) for each in order.told["special_ports"]]}
    for owner in (told, *told["special_ports"]):
        meant = Path(owner["engine"]["library"])
        looked = [folder / meant.name for folder in library_folders()]
        found = next((each for each in looked if each.is_file()), None)
        if found is None:
            places = ", ".join(map(str, looked)) or "no folder of engines"
            raise TruemarkError(f"{meant.name} is missing ({places}): copy {meant} there, or set TRUEMARK_LIB")
        must_be_same(found, meant, order.made_with[meant.name], "TRUEMARK_LIB")
        owner["engine"] = owner["engine"] | {"library": str(found)}
    return told


def must_be_same(found: Path, meant: Path, wanted: str, variable: str) -> None:
    """Refuse a binary with other contents than the one that was meant: its runs would be stale at once."""
    if (here := runner.hash_of(found)) != wanted:
        raise TruemarkError(
            f"{found} has hash {here}, but {meant} of who asks has {wanted}: copy that one there, or set {variable}"
        )


def keep(parcel: Parcel, order: Order, scenario: Scenario, folder: Path, point: str) -> str:
    """Put what a worker handed back into the run's folder, whole or as failed; return what went wrong, or nothing."""
    try:
        with runner.named(scenario, folder), whole_folder(folder) as part:
            for name, content in parcel.files.items():
                (part / name).write_bytes(content)
            with runner.logged(part / runner.LOG, failed(folder) / runner.LOG):
                if parcel.trouble:
                    raise TruemarkError(parcel.trouble)
            runner.finish(part, scenario, point, order.made_with)
    except (TruemarkError, ValueError) as error:  # what came back may be no JSON
        return str(error)
    return ""
