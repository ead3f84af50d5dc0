# SPDX-License-Identifier: BSD-3-Clause
"""TOML files as pydantic models; every error is one line: FILE:LINE: KEY: what is wrong, and what was meant."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, Tag, ValidationError

from truemark.errors import TOO_LONG, TruemarkError, as_written, in_words, suggest

QUANTITY = "quantity"  # the type of an error whose text names its key and is whole
Model = TypeVar("Model", bound=BaseModel)


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """Return a TOML file and its text."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TruemarkError(f"{path}: there is no such file") from None
    except UnicodeDecodeError:
        raise TruemarkError(f"{path}: not a text file; TOML is wanted") from None
    except OSError as error:
        raise TruemarkError(f"{path}: cannot be read: {error.strerror}") from None
    return parsed(text, path), text


def parsed(text: str, path: Path) -> dict[str, Any]:
    """Return what the text of a TOML file says."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TruemarkError(f"{path}:{no_toml(text, str(error))}") from None
    except ValueError:
        raise TruemarkError(f"{path}: {TOO_LONG}") from None


def validated(model: type[Model], content: dict[str, Any], text: str, where: str, context: object = None) -> Model:
    """Return the model of a file's content, or of options, which have no `text`; an error names the line of its key."""
    try:
        return model.model_validate(content, context=context)
    except ValidationError as errors:
        raise TruemarkError(first_error(model, errors, text, where)) from None
    except TruemarkError as error:  # of a validator that looks at a whole table
        raise TruemarkError(f"{where}: {error}" if where else str(error)) from None


def first_error(model: type[BaseModel], errors: ValidationError, text: str, where: str) -> str:
    """Return the error to speak of: an unknown key before one that is missing, for it is often the same, misspelt."""
    found = errors.errors()
    first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    place, tables = located(model, first["loc"])
    key, kind = ".".join(place), first["type"]
    at = f"{place_of(where, text, place[:-1] if kind == 'missing' else place)}: " if where else ""
    known = {name: field for table in tables for name, field in table.model_fields.items()}
    about = known[place[-1]].description if place and place[-1] in known else None
    if kind == "extra_forbidden":
        return f"{at}{key}: unknown key; {suggest(place[-1], list(known))}"
    if kind == QUANTITY:
        return f"{at}{'.'.join([*place[:-1], first['msg']])}"
    if kind == "missing":
        return f"{at}{key} is missing{f' ({about})' if about else ''}"
    if kind == "union_tag_invalid":
        wanted, tags = first["ctx"]["tag"], first["ctx"]["expected_tags"].replace("'", "").split(", ")
        return f"{at}{key}.kind: {wanted!r}; {suggest(wanted, tags)}"
    return f"{at}{key} = {as_written(first['input'])}: {in_words(first['msg'])}"


def located(model: type[BaseModel], loc: tuple[int | str, ...]) -> tuple[tuple[str, ...], list[type[BaseModel]]]:
    """Return the keys of an error's location without branches of unions, and the tables that know the last."""
    place: list[str] = []
    tables: list[type[BaseModel]] = []
    here: Any = model
    for part in loc:
        found = branches(here)
        models = [each for each, _ in found if isinstance(each, type) and issubclass(each, BaseModel)]
        many = [get_args(each)[-1] for each, _ in found if get_origin(each) in (dict, list)]
        if tagged := [each for each, tag in found if tag == part]:
            here = tagged[0]
        elif models:
            place, tables = [*place, str(part)], models
            here = next((each.model_fields[str(part)].annotation for each in models if part in each.model_fields), None)
        elif many:
            place, here = [*place, str(part)], many[0]
    return tuple(place), tables


def branches(annotation: Any) -> list[tuple[Any, str | None]]:
    """Return the types that a field may have, each with its tag."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        tag = next((mark.tag for mark in marks if isinstance(mark, Tag)), None)
        return [(each, own or tag) for each, own in branches(inner)]
    if get_origin(annotation) in (Union, UnionType):
        return [found for each in get_args(annotation) for found in branches(each)]
    return [(annotation, None)]


def place_of(where: str, text: str, key: tuple[str, ...]) -> str:
    """Return a file, and the line on which a key of it stands if there is one: what was laid over it has none."""
    line = line_of(text, key)
    return f"{where}:{line}" if line else where


def line_of(text: str, place: tuple[str, ...]) -> int:
    """Return the line on which a key of the file stands, as far as a search can tell; 0 if it finds none."""
    table, key = ".".join(place[:-1]), place[-1] if place else ""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            current = header[1].replace('"', "").replace(" ", "")
            if f"{current}.".startswith(".".join(place) + "."):
                return number
        elif current == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
    return line_of(text, place[:-1]) if place and place[-1].isdigit() else 0  # an entry stands where its list does


def no_toml(text: str, error: str) -> str:
    """Return what is wrong with a file that is no TOML, with its line if the reader says one."""
    at = re.search(r"\(at line (\d+), ", error)
    line = int(at[1]) if at else 0
    key = text.splitlines()[line - 1].partition("=")[0].strip() if line else ""
    said = f"{key} stands twice" if error.startswith("Cannot overwrite") else f"not valid TOML: {error}"
    return f"{line}: {said}" if line else f" {said}"
