# SPDX-License-Identifier: BSD-3-Clause
"""docs/commands.md, made from the help of the commands: nothing that can be typed is missing."""

from __future__ import annotations

import re
from typing import Any

from sw.tests.dev.test_man import commands
from typer.main import get_command

from truemark.cli.app import application
from truemark.errors import EXIT_CODES, ExitCode
from truemark.laws.profile import Profile
from truemark_dev.commands import page


def sections() -> dict[str, str]:
    """Return what stands under each heading of the third level."""
    parts = re.split(r"(?m)^### (.+)$", page())
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_it_has_every_command_and_option() -> None:
    """Each word of each option stands in the command's section, and so does the whole help text."""
    found = sections()
    there: dict[str, Any] = dict(commands("truemark", get_command(application())))
    assert {name for name in found if name.startswith("truemark")} == set(there)
    for name, command in there.items():
        for parameter in command.params:
            if parameter.param_type_name == "option":
                words = [*parameter.opts, *parameter.secondary_opts]
            else:
                named = str(parameter.metavar or parameter.name.upper()).strip("[].")
                words = [f"{named}..." if parameter.nargs == -1 else named]
                words = words if parameter.required else [f"[{words[0]}]"]
            assert all(f"`{word}`" in found[name] for word in words), (name, words)
        told = re.sub(r"\\(?=[*<|])", "", " ".join(found[name].split()))
        assert " ".join(command.help.split("\n\n")[-1].split()) in told, name


def test_each_command_is_linked_to_its_section() -> None:
    links = re.findall(r"^\| \[`(.+)`\]\(#(.+?)\)", page(), re.MULTILINE)
    assert [name.replace(" ", "-") for name, _ in links] == [where for _, where in links]
    assert {name for name, _ in links} == {name for name in sections() if name.startswith("truemark")}


def test_it_has_every_exit_code_and_key_of_a_profile() -> None:
    assert set(EXIT_CODES) == set(ExitCode)
    text = page()
    for code, told in EXIT_CODES.items():
        assert f"| {code:d} | {told} |" in text
    tables = Profile.model_json_schema(by_alias=True)["$defs"]
    keys = {"port", *(key for each in tables.values() for key in each["properties"])}
    assert all(f"| `{key}` |" in text for key in keys)
