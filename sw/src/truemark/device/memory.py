# SPDX-License-Identifier: BSD-3-Clause
"""What a simulated device's folder remembers of it; apart, for pydantic takes 0.2 s to load."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from truemark.device.board import STEP_LIMIT, STEP_ONE
from truemark.device.engine import ENGINES
from truemark.device.simulated import BUILDS


def one_of(*known: str) -> AfterValidator:
    """Return what takes these words alone."""

    def check(word: str) -> str:
        if word not in known:
            raise ValueError(f"one of {', '.join(known)} is wanted")
        return word

    return AfterValidator(check)


Number = Annotated[int, Field(gt=0, lt=1 << 63)]
Step = Annotated[int, Field(gt=0, lt=STEP_LIMIT)]
PortNumber = Annotated[str, Field(pattern="^[0-9]+$")]


class Memory(BaseModel):
    """The document; `profile` is the text of one; ports, turns and shapes are what was changed at a port after it."""

    model_config = ConfigDict(strict=True)

    engine: Annotated[str, one_of(*ENGINES)]
    build: Annotated[str, one_of(*BUILDS)]
    profile: str | None = None
    time_step: Step = STEP_ONE
    applied_step: Step | None = None
    ports: dict[PortNumber, str] = {}
    turns: dict[PortNumber, Number | None] = {}
    shapes: dict[PortNumber, tuple[Step | None] | tuple[Step | None, Number, Number]] = {}
