# SPDX-License-Identifier: BSD-3-Clause
"""Tables of assertions that must stop a run, each with what breaks its rule.

    test_assertion_fires = breaches("tm_thing", Breach("NeverFull_A", "fill a full ring", [{"push_i": 1}, 40]))

All inputs are 0 at first; the module is reset if it can be.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import cocotb
import pytest
from cocotb.handle import LogicArrayObject, LogicObject, PackedObject
from truemark_dev.mutants import RTL, mutant
from truemark_dev.runner import build_and_fail

from cocotb_tests.env.bench import cycle, start

LISTINGS = {"netfpga": "rtl/netfpga/netfpga.f"}
AFTER = 4  # cycles in which an assertion may fire once all is done
Steps = Sequence[Mapping[str, int] | int]


@dataclass(frozen=True)
class Breach:
    """What breaks the rule of an assertion.

    Of the steps a mapping drives pins, which stay as they are, and lets a cycle end; a number lets so many end.
    A mutant, as (right, wrong) text of the module, is for a rule that only a fault inside can break.
    """

    assertion: str
    says: str
    steps: Steps
    mutant: tuple[str, str] | None = None
    idle: Mapping[str, int] = field(default_factory=dict)  # inputs that are not 0 at first
    parameters: Mapping[str, int | str] = field(default_factory=dict)


@cocotb.test()
async def break_a_rule(dut: Any) -> None:
    """Drive the steps of one breach: the assertion that it names (Thing_A) must stop the run."""
    breach = json.loads(os.environ["TRUEMARK_BREACH"])
    inputs = [
        pin._name
        for pin in dut
        if isinstance(pin, LogicObject | LogicArrayObject | PackedObject) and pin._name.endswith("_i")
    ]
    reset = "rst_i" if "rst_i" in inputs else None
    idle = {name: 0 for name in inputs if name not in ("clk_i", reset)}
    await start(dut, {**idle, **breach["idle"]}, reset=reset)
    for step in [*breach["steps"], AFTER]:
        for name, value in {} if isinstance(step, int) else step.items():
            getattr(dut, name).value = value
        await cycle(dut, step if isinstance(step, int) else 1)


def breaches(toplevel: str, *rows: Breach, **parameters: int | str) -> Callable[[Breach], None]:
    """Return the pytest function that builds a module for each row, with its mutant, and expects its assertion."""

    @pytest.mark.parametrize("breach", rows, ids=lambda breach: breach.assertion)
    def fires(breach: Breach) -> None:
        (path,) = RTL.rglob(f"{toplevel}.sv")
        source = path.relative_to(RTL).as_posix()
        build_and_fail(
            toplevel,
            __name__,
            assertion=breach.assertion,
            listing=LISTINGS.get(source.partition("/")[0], "rtl/truemark.f"),
            parameters={**parameters, **breach.parameters},
            extra_sources=[mutant(source, *breach.mutant)] if breach.mutant else [],
            extra_env={"TRUEMARK_BREACH": json.dumps(asdict(breach))},
        )

    return fires
