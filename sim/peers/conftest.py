# SPDX-License-Identifier: BSD-3-Clause
"""The engines that the suites run on: the golden model, and the RTL compared with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from truemark.device.engine import EVERY_LAW, Build, Engine, find_libraries, open_engine

Open = Callable[[], Engine]


@pytest.fixture
def model() -> Iterator[Open]:
    """Open golden models with one port and room for everything."""
    with ExitStack() as stack:
        build = Build(ports=1, rows=60_000, descriptors=4000, switches=EVERY_LAW)
        yield lambda: stack.enter_context(Engine(find_libraries("model")[0], build))


def open_both(stack: ExitStack, feature: str) -> Open:
    """Open RTL and golden model side by side: every verdict, departure and register read is compared."""
    features = frozenset({"flags_verdict", feature})
    return lambda: stack.enter_context(open_engine("both", "shallow", features))


@pytest.fixture
def both_red() -> Iterator[Open]:
    """Open RTL and model with RED."""
    with ExitStack() as stack:
        yield open_both(stack, "red")


@pytest.fixture
def both_linux() -> Iterator[Open]:
    """Open RTL and model with RED that can space signals as Linux does."""
    with ExitStack() as stack:
        yield open_both(stack, "red_linux")


@pytest.fixture
def both_codel() -> Iterator[Open]:
    """Open RTL and model with CoDel."""
    with ExitStack() as stack:
        yield open_both(stack, "codel")
