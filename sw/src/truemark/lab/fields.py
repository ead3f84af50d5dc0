# SPDX-License-Identifier: BSD-3-Clause
"""Fields of a scenario file: units, and tables that know no other keys than their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from truemark import units
from truemark.errors import TruemarkError
from truemark.laws.profile import RedTable
from truemark.toml_errors import QUANTITY


def _no_quantity(text: str) -> PydanticCustomError:
    return PydanticCustomError(QUANTITY, "{text}", {"text": text})


def _parsed(parse: Callable[[str, str], int], value: object, info: ValidationInfo) -> object:
    """What a text says; the error leaves the place of its field to pydantic."""
    if not isinstance(value, str):
        return value
    try:
        return parse(value, str(info.field_name))
    except TruemarkError as error:
        raise _no_quantity(str(error)) from None


def _from_file(value: object, info: ValidationInfo, kind: str, example: str) -> None:
    """Refuse a bare number where a file needs a unit; what was parsed before has none any more."""
    if info.context == FROM_FILE and not isinstance(value, str):
        raise _no_quantity(f"{info.field_name} = {value!r} has no unit; a {kind} is written as {example}")


def _time(value: object, info: ValidationInfo) -> object:
    _from_file(value, info, "time", '"200ms"')
    return _parsed(units.parse_time, value, info)


def _time_if_any(value: object, info: ValidationInfo) -> object:
    return value if value is None else _time(value, info)


def _rate(value: object, info: ValidationInfo) -> object:
    _from_file(value, info, "rate", '"10G"')
    return _parsed(units.parse_rate, value, info)


def _bytes(value: object, info: ValidationInfo) -> object:
    return _parsed(units.parse_size, value, info)


FROM_FILE = "from a file"


def given(default: Any = ..., *, description: str) -> Any:
    """A field whose default may be written as in a file."""
    return Field(default, description=description)


def table(model: type[BaseModel], description: str) -> Any:
    """A table that is there with its defaults when the file lacks it."""
    return Field(default_factory=model, description=description)


DURATION = "duration"  # marks the fields that the runner reads under NAME_ns
Duration = Annotated[int, BeforeValidator(_time), Field(ge=0), DURATION]
OptionalDuration = Annotated[int | None, BeforeValidator(_time_if_any), DURATION]
Rate = Annotated[int, BeforeValidator(_rate), Field(gt=0)]
Bytes = Annotated[int, BeforeValidator(_bytes), Field(ge=0)]
Some = Annotated[int, Field(ge=1)]
SomeBytes = Annotated[int, BeforeValidator(_bytes), Field(ge=1)]


class Table(BaseModel):
    """A table of the file: no unknown keys."""

    model_config = ConfigDict(extra="forbid", validate_default=True)

    def for_runner(self) -> dict[str, Any]:
        """The table as the runner reads it: every duration under NAME_ns."""
        found: dict[str, Any] = {}
        for name, info in type(self).model_fields.items():
            value = getattr(self, name)
            key = f"{name}_ns" if DURATION in info.metadata else name
            found[key] = value.for_runner() if isinstance(value, Table) else value
            if isinstance(value, RedTable):
                found[key] = value.model_dump()
        return found
