# SPDX-License-Identifier: BSD-3-Clause
"""Many runs as independent tasks on Dask: points x seeds, here or on a cluster; what is done stays done."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask
from distributed import Client, LocalCluster, as_completed
from distributed.scheduler import KilledWorker
from pydantic import BaseModel, ConfigDict, Field

from truemark import toml_errors
from truemark.errors import TruemarkError, suggest
from truemark.lab import away, runner, store
from truemark.lab.claims import ClaimTable
from truemark.lab.folder import whole_runs
from truemark.lab.lengths import measured, order
from truemark.lab.scenario import Scenario, merged, validated
from truemark.toml_errors import read_toml

WAIT_S = 30.0  # for a scheduler to answer
WORKER_S = 10.0  # for a worker to come, before it is said that there is none
COPY = "sweep.toml"  # a sweep among its results, next to its base


class PointTable(BaseModel):
    """One setting of a sweep: what differs from the base scenario."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, description="in the report, and of the folder")
    set: dict[str, Any] = Field(default_factory=dict, description="tables and keys of the scenario")


class AxisTable(BaseModel):
    """Settings of which each combination takes one."""

    model_config = ConfigDict(extra="forbid")

    value: list[PointTable] = Field(min_length=1, description="the settings; their names join to that of the point")


class ProductTable(BaseModel):
    """All combinations of the values of several axes."""

    model_config = ConfigDict(extra="forbid")

    axis: list[AxisTable] = Field(min_length=1, description="the axes; later ones are laid over earlier ones")


class Grid(BaseModel):
    """The file of a sweep."""

    model_config = ConfigDict(extra="forbid")

    base: str = Field(description="scenario file, next to this one")
    title: str = Field("", description="for the report; by default the scenario's")
    place: int = Field(100, ge=0, lt=1000, description="on a page of several sweeps; smaller numbers come first")
    seeds: list[int] = Field(min_length=1, description="every point runs with each")
    point: list[PointTable] = Field(default_factory=list, description="single settings")
    claim: list[ClaimTable] = Field(default_factory=list, description="what papers say of these points")
    product: list[ProductTable] = Field(default_factory=list, description="combinations of settings")

    def points(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Return name and changes of every point, the combinations last."""
        found = [(point.name, [point.set]) for point in self.point]
        for product in self.product:
            for values in itertools.product(*(axis.value for axis in product.axis)):
                found.append((", ".join(value.name for value in values), [value.set for value in values]))
        return found


@dataclass(frozen=True)
class Task:
    """One run of a sweep."""

    point: str
    scenario: Scenario
    folder: Path

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.point}, seed {self.scenario.seed}"


def read_sweep(path: Path) -> Grid:
    """Return a sweep file as it is, its points not yet checked."""
    return toml_errors.validated(Grid, *read_toml(path), str(path))


def read_grid(path: Path, out: Path) -> list[Task]:
    """Return the runs of a sweep file, all of them checked before the first begins."""
    grid = read_sweep(path)
    points = grid.points()
    if not points:
        raise TruemarkError(f"{path}: no point: write [[point]] with a name and what it sets, or [[product]]")
    if Path(grid.base).name == COPY:
        raise TruemarkError(f"{path}: base: {COPY} is the name of a sweep's copy next to it; rename the scenario")
    base, base_text = read_toml(path.parent / grid.base)
    tasks = []
    # Seed by seed, so that an interrupted sweep leaves the whole table of fewer seeds.
    for seed in grid.seeds:
        for name, changes in points:
            where = f"{path}, point '{name}', on {grid.base}"
            content = functools.reduce(merged, changes, base) | {"seed": seed}
            folder = out / "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in name)
            tasks.append(Task(name, validated(content, base_text, where), folder / f"seed-{seed}"))
            try:
                runner.planned_ports(tasks[-1].scenario)
            except TruemarkError as error:
                raise TruemarkError(f"{where}: {error}") from None
    for claim in grid.claim:
        for spoken in claim.spoken_of:
            if spoken not in dict(points):
                known = suggest(spoken, list(dict(points)))
                raise TruemarkError(f"{path}: claim '{claim.text}' speaks of a point '{spoken}'; {known}")
    if len({task.folder for task in tasks}) < len(tasks):
        raise TruemarkError(f"{path}: two points or two seeds have the same name")
    return tasks


def save_copy(path: Path, folder: Path) -> None:
    """Put a sweep file and its base next to its results: a report tells by them which runs it has, and its claims."""
    base = path.parent / read_sweep(path).base
    for source, name in ((base, base.name), (path, COPY)):
        (folder / name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")


def with_a_claim(tasks: list[Task], path: Path, items: list[str]) -> list[Task]:
    """Return the runs that claims with an item, or of these items, need: points, controls, and seeds as each asks."""
    grid = read_sweep(path)
    there = sorted({claim.item for claim in grid.claim if claim.item})
    if not there:
        raise TruemarkError(f"{path}: no claim has an `item` of sim/lab/papers.toml; without --claimed all of it runs")
    for item in items:
        if item not in there:
            raise TruemarkError(f"{path}: has no claim of item {item}; {suggest(item, there)}")
    needed: dict[str, int] = {}  # seeds of a point
    for claim in grid.claim:
        if claim.item in (items or there):
            for point in claim.spoken_of:
                needed[point] = max(needed.get(point, 0), claim.seeds or len(grid.seeds))
    return [task for task in tasks if task.scenario.seed in grid.seeds[: needed.get(task.point, 0)]]


def is_done(task: Task) -> bool:
    """Return whether the folder holds a complete run of just this scenario, by the runner and engine that are here."""
    try:
        run = runner.load(task.folder)
        return run.scenario.unnamed() == task.scenario.unnamed() and store.content_of_run(run) == store.content_of(
            task.scenario
        )
    except TruemarkError:
        return False


def take_equal(tasks: list[Task], results: Path) -> int:
    """Copy what sweeps below `results` have made already, by the same runner and engine; return how many runs."""
    waiting = [task for task in tasks if not is_done(task)]
    there = store.made(whole_runs(results, "*/*/seed-*")) if waiting else {}
    taken = 0
    for task in waiting if there else []:
        if (found := there.get(store.content_of(task.scenario))) and found != task.folder:
            with suppress(OSError, TruemarkError):  # where it cannot be copied it is run, which says why it cannot
                store.copy(found, task.folder, task.point, task.scenario)
                taken += 1
    return taken


def work(point: str, scenario: dict[str, Any], folder: str) -> str:
    """Run one task; return what went wrong, or nothing. Errors are values: none of them ends a sweep."""
    try:
        runner.run(Scenario.model_validate(scenario), Path(folder), point)
    except TruemarkError as error:
        return str(error)
    return ""


def sweep(
    tasks: list[Task],
    *,
    workers: int,
    scheduler: str | None,
    tell: Callable[[str], None],
    again: bool = False,
    results: Path | None = None,
) -> list[tuple[Task, str]]:
    """Run what is not done yet; return the failed tasks with their messages.

    They begin in the order of `lengths.order`, by how long the runs of all sweeps below `results` took.
    """
    waiting = [task for task in tasks if again or not is_done(task)]
    if len(waiting) < len(tasks):
        tell(f"{len(tasks) - len(waiting)} of {len(tasks)} runs are there already")
    if not waiting:
        return []
    failed, ended = [], itertools.count(1)
    known = measured(whole_runs(results, "*/*/seed-*")) if results else {}
    groups = alike(waiting)

    def end(task: Task, equal: list[Task], trouble: str) -> None:
        for each in (task, *equal):
            said = trouble or ("" if each is task else copied(task, each))
            tell(f"{next(ended)} of {len(waiting)}: {each.name}{f': FAILED: {said}' if said else ''}")
            if said:
                failed.append((each, said))

    with connect(scheduler, workers) as client:
        futures: dict[Any, tuple[Task, list[Task], Callable[[Any], str]]] = {}
        under_way: dict[str, str] = {}  # names of runs by Dask's key
        tell_of_deaths(client, under_way, tell)
        try:
            client.wait_for_workers(1, timeout=WORKER_S)
        except TimeoutError:  # a cluster's may be still to come
            tell(f"{scheduler} has no worker: runs begin when one comes, as by `dask worker {scheduler}`")
        slots = sum(client.nthreads().values()) or 1
        for number, place in enumerate(order([group[0].scenario for group in groups], known, slots)):
            task, *equal = groups[place]
            try:
                call, taken = asked(task, apart=scheduler is not None)
            except TruemarkError as error:
                end(task, equal, str(error))
                continue
            # Without a priority Dask may mix what is submitted within a tenth of a second.
            future = client.submit(*call, pure=False, retries=0, priority=-number)
            futures[future] = task, equal, taken
            under_way[future.key] = task.name
        for future in as_completed(list(futures)):
            task, equal, taken = futures.pop(future)
            under_way.pop(future.key)
            end(task, equal, trouble_of(future.exception()) if future.status == "error" else taken(future.result()))
            future.release()  # or workers would keep the files of all runs
    return failed


def asked(task: Task, apart: bool) -> tuple[tuple[Any, ...], Callable[[Any], str]]:
    """Return the call that makes a run, and what takes its value and returns what went wrong, or nothing.

    Workers `apart` have disks of their own: what they made comes back by value.
    """
    if not apart:
        return (work, task.point, task.scenario.model_dump(), str(task.folder.resolve())), str
    with runner.named(task.scenario, task.folder):
        wanted = away.order_of(task.scenario)
    return (away.work, wanted), lambda parcel: away.keep(parcel, wanted, task.scenario, task.folder, task.point)


def trouble_of(error: BaseException) -> str:
    """Return what an error of Dask means for a run."""
    if isinstance(error, KilledWorker):
        many = error.allowed_failures + 1
        return f"{many} workers died in mid-run, the last at {error.last_worker.address}: had it enough memory?"
    return str(error)


def tell_of_deaths(client: Any, under_way: dict[str, str], tell: Callable[[str], None]) -> None:
    """Say which runs a worker had that died: Dask gives them to another without a word, or fails them in the end."""

    def hear(event: tuple[float, dict[str, Any]]) -> None:
        found = event[1]
        if found.get("action") == "remove-worker" and not found.get("expected"):
            for key in found["processing-tasks"]:
                if name := under_way.get(key):
                    tell(f"{name}: its worker at {found['worker']} died")

    client.subscribe_topic("all", hear)


def alike(tasks: list[Task]) -> list[list[Task]]:
    """Return tasks in groups whose runs differ in nothing that is simulated: one of each is run."""
    groups: dict[str, list[Task]] = {}
    for number, task in enumerate(tasks):
        try:
            key = store.content_of(task.scenario)
        except TruemarkError:  # its run says why
            key = str(number)
        groups.setdefault(key, []).append(task)
    return list(groups.values())


def copied(made: Task, task: Task) -> str:
    """Copy a run to an equal task's folder; return what went wrong, or nothing."""
    try:
        store.copy(made.folder, task.folder, task.point, task.scenario)
    except (OSError, TruemarkError) as error:
        return str(error)
    return ""


class connect:  # noqa: N801  a context manager that reads as a verb
    """A Dask client: of the scheduler at an address, or of a cluster in this process."""

    def __init__(self, scheduler: str | None, workers: int) -> None:
        self._cluster: Any = None
        try:
            if scheduler is None:
                # A task waits for a program, so threads are enough; Dask's own page is for this machine alone. A worker
                # of this process cannot be lost, only stand still with it, as when the machine sleeps.
                with dask.config.set({"distributed.scheduler.worker-ttl": None}):
                    self._cluster = LocalCluster(
                        n_workers=1, threads_per_worker=workers, processes=False, dashboard_address="127.0.0.1:0"
                    )
            self._client: Any = Client(scheduler or self._cluster, timeout=WAIT_S)
        except (OSError, TimeoutError, ValueError) as error:
            raise TruemarkError(f"Dask scheduler {scheduler}: cannot be reached: {error}") from None

    def __enter__(self) -> Any:
        return self._client

    def __exit__(self, *_: object) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
