# SPDX-License-Identifier: BSD-3-Clause
"""Fields of files and options that are quantities: read into a typed value at the door, written back as text or number.

`Nanoseconds`, `BitsPerSecond` and `Bytes` are integers in that unit. `Length` is a `Size`, which only a port's rate and
packet make bytes. `Probability` is an exact fraction.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from truemark import units
from truemark.errors import TruemarkError, as_written
from truemark.laws.slopes import parse_probability
from truemark.toml_errors import QUANTITY
from truemark.units import Size

FROM_FILE = "from a file"  # context of a validation in which a bare number lacks its unit


def refusal(text: str) -> PydanticCustomError:
    """Return the error of a field whose text is no quantity; its place is pydantic's to add."""
    return PydanticCustomError(QUANTITY, "{text}", {"text": text})


def quantity(parse: Callable[[str, str], int], kind: str = "", example: str = "") -> Callable[..., object]:
    """Return what reads a text; with a kind, a file must write the unit."""

    def read(value: object, info: ValidationInfo) -> object:
        if kind and info.context == FROM_FILE and value is not None and not isinstance(value, str):
            raise refusal(f"{info.field_name} = {as_written(value)} has no unit; a {kind} is written as {example}")
        try:
            return parse(value, str(info.field_name)) if isinstance(value, str) else value
        except TruemarkError as error:
            raise refusal(str(error)) from None

    return read


def length(value: object, info: ValidationInfo) -> Size:
    """Return a size that may be a bare number of bytes."""
    if isinstance(value, Size):
        return value
    name = str(info.field_name)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise refusal(f'{name} = {as_written(value)}: a size such as "30kB" is wanted')
    try:
        return units.read_size(str(value), name)
    except TruemarkError as error:
        raise refusal(str(error)) from None


def probability(value: Any, info: ValidationInfo) -> Fraction:
    """Return a probability, also as a percentage."""
    try:
        return parse_probability(value, str(info.field_name))
    except TruemarkError as error:
        raise refusal(str(error)) from None


TIME = quantity(units.parse_time, "time", '"200ms"')
Nanoseconds = Annotated[int, BeforeValidator(TIME), Field(ge=0)]
BitsPerSecond = Annotated[int, BeforeValidator(quantity(units.parse_rate, "rate", '"10G"')), Field(gt=0)]
Bytes = Annotated[int, BeforeValidator(quantity(units.parse_size)), Field(ge=0)]
Length = Annotated[Size, PlainValidator(length), PlainSerializer(str, return_type=str)]
Probability = Annotated[Fraction, PlainValidator(probability), PlainSerializer(float, return_type=float)]
