# SPDX-License-Identifier: BSD-3-Clause
"""Fields of a scenario file: units, and tables that know no other keys than their own."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from truemark import units
from truemark.errors import TruemarkError
from truemark.fields import TIME, BitsPerSecond, Bytes, Nanoseconds, quantity


def given(default: Any = ..., *, description: str) -> Any:
    """Return a field whose default may be written as in a file."""
    return Field(default, description=description)


def optional(description: str) -> Any:
    """Return a field that may be left out, and is then not written: a run without it is what it was before."""
    return Field(None, exclude_if=lambda value: value is None, description=description)


def table(model: type[BaseModel], description: str) -> Any:
    """Return a table that is there with its defaults when the file lacks it."""
    return Field(default_factory=model, description=description)


def delay(text: str, name: str) -> int:
    """Return the time that a text says, of something that takes some."""
    if not (found := units.parse_time(text, name)):
        raise TruemarkError(f"{name} '{text}' must be at least 1 ns")
    return found


DURATION = "duration"  # marks the fields that the runner reads under NAME_ns
DELAY = quantity(delay, "time", '"5us"')
Duration = Annotated[Nanoseconds, Field(lt=2**63), DURATION]  # ns-3's time
OptionalDuration = Annotated[Annotated[int, Field(lt=2**63)] | None, BeforeValidator(TIME), DURATION]
_Delay = Annotated[int, Field(ge=1, lt=2**63)]
Delay = Annotated[_Delay, BeforeValidator(DELAY), DURATION]  # of a link
OptionalDelay = Annotated[_Delay | None, BeforeValidator(DELAY), DURATION]
Rate = BitsPerSecond
Some = Annotated[int, Field(ge=1)]
SomeBytes = Annotated[Bytes, Field(ge=1)]
Buffer = Annotated[Bytes, Field(ge=1, lt=2**32)]  # of a socket of ns-3


class Table(BaseModel):
    """A table of the file: no unknown keys."""

    model_config = ConfigDict(extra="forbid", validate_default=True)

    def for_runner(self) -> dict[str, Any]:
        """Return the table as the runner reads it: every duration under NAME_ns."""
        found: dict[str, Any] = {}
        plain = self.model_dump()
        for name, info in type(self).model_fields.items():
            if name not in plain:
                continue
            value = getattr(self, name)
            key = f"{name}_ns" if DURATION in info.metadata else name
            found[key] = value.for_runner() if isinstance(value, Table) else plain[name]
        return found


__all__ = [
    "DURATION",
    "Buffer",
    "Bytes",
    "Delay",
    "Duration",
    "OptionalDelay",
    "OptionalDuration",
    "Rate",
    "Some",
    "SomeBytes",
    "Table",
    "given",
    "optional",
    "table",
]
