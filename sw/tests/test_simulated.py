# SPDX-License-Identifier: BSD-3-Clause
"""A simulated device: what its folder remembers, from whatever number of commands, and when a disk is full."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sw.tests.frames import Command

from truemark.errors import TruemarkError
from truemark.files import folder_alone, whole_file

pytestmark = pytest.mark.builds("engine:model")

CODEL = "qdisc replace dev tm{} root codel target 100us interval 2ms ecn"


def test_commands_at_the_same_device_wait(tmp_path: Path) -> None:
    """*Stimulus*: five processes change a port each. *Checks*: each change is remembered, and nothing else is left."""
    words = [str(Path(sys.executable).with_name("truemark")), "tc", "--device", "sim:shared"]
    running = [
        subprocess.Popen(
            [*words, CODEL.format(port)], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        for port in range(5)
    ]
    said = [each.communicate()[0] for each in running]
    assert [each.returncode for each in running] == [0] * 5, said
    assert sorted(json.loads((tmp_path / "shared/device.json").read_text())["ports"]) == list("01234")
    assert [path.name for path in (tmp_path / "shared").iterdir()] == ["device.json"]


def test_a_change_is_remembered_whole_or_not_at_all(command: Command, tmp_path: Path) -> None:
    """*Stimulus*: a profile, and a list of tc for two ports, while the disk is full.

    *Checks*: exit code and message; the device is as it was, with what was changed at a port before.
    """
    device, profile = f"sim:{tmp_path / 'device'}", tmp_path / "any.toml"
    profile.write_text('policy = "true-mark"\nk = "3kB"\n')
    assert command("apply", profile, "--device", device)[0] == 0
    assert command("tc", CODEL.format(0), "--device", device)[0] == 0
    before = command("show", "--device", device)[1]
    printed = [
        {"kind": "codel", "handle": "1:", "dev": f"tm{port}", "root": True, "options": {"target": 99, "interval": 2000}}
        for port in (1, 2)
    ]
    profile.write_text('policy = "true-mark"\nk = "9kB"\n')
    for words in (("apply", profile), ("tc", json.dumps(printed))):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "replace", no_space)
            code, _, error = command(*words, "--device", device)
        assert code == 1
        assert f"{tmp_path / 'device/device.json'}: cannot be written: No space left on device" in error
        assert command("show", "--device", device)[1] == before
    assert command("tc", json.dumps(printed), "--device", device)[::2] == (0, ""), "the list is sound"
    assert sorted(path.name for path in (tmp_path / "device").iterdir()) == ["device.json", "profile.toml"]


def no_space(path: Path, target: Path) -> None:
    """Take the place of Path.replace on a disk that is full."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_two_writers_of_a_file_do_not_meet(tmp_path: Path) -> None:
    """*Stimulus*: the second begins before the first has ended. *Checks*: who ends last is read, whole."""
    path = tmp_path / "file"
    with whole_file(path) as first:
        first.write("A" * 10)
        with whole_file(path) as second:
            second.write("B" * 5)
        assert path.read_text() == "B" * 5
    assert path.read_text() == "A" * 10
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_was_made_for_nothing_goes_again(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match="nothing came of it"), folder_alone(tmp_path / "a/b"):
        raise TruemarkError("nothing came of it")
    assert not list(tmp_path.iterdir())


def test_a_register_that_is_written_is_not_remembered_and_says_so(command: Command, tmp_path: Path) -> None:
    words = ("--device", f"sim:{tmp_path / 'device'}")
    code, out, _ = command("write", "K0", "5000", *words)
    assert code == 0
    assert "not remembered: a simulated device ends with its command; `truemark serve` keeps one" in out
    assert "not remembered" not in command("read", "K0", *words)[1]


def test_a_folder_that_cannot_be_made_is_said(command: Command) -> None:
    code, _, error = command("clock", "200M", "--device", "sim:/proc/none/device")
    assert code == 1
    assert error == "error: /proc/none/device: this folder cannot be made: No such file or directory\n"


def test_who_waits_for_a_folder_that_goes_makes_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Stimulus*: the first makes it and fails, slowly; the second waits. *Checks*: the second's file is there."""
    folder, rmdir = tmp_path / "device", Path.rmdir

    def slowly(path: Path) -> None:
        time.sleep(0.2)
        rmdir(path)

    monkeypatch.setattr(Path, "rmdir", slowly)
    inside, waits = threading.Event(), threading.Event()

    def refused() -> None:
        inside.set()
        waits.wait()
        time.sleep(0.1)
        raise TruemarkError("refused")

    def first() -> None:
        with pytest.raises(TruemarkError), folder_alone(folder):
            refused()

    running = threading.Thread(target=first)
    running.start()
    inside.wait()
    waits.set()
    with folder_alone(folder):
        time.sleep(0.4)  # longer than the first takes to go
        with whole_file(folder / "kept") as file:
            file.write("it")
    running.join()
    assert (folder / "kept").read_text() == "it"


def test_a_folder_of_an_older_version_is_not_taken_for_a_fresh_device(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "device"
    folder.mkdir()
    (folder / "profile.toml").write_text('policy = "true-mark"\nk = "3kB"\n')
    (folder / "device.json").write_text('{"engine": "model", "build": "shallow"}')
    code, _, error = command("show", "--device", f"sim:{folder}")
    assert code == 1
    assert f"of an older version; apply its profile again: truemark apply {folder}/profile.toml --device sim:" in error
    assert command("apply", folder / "profile.toml", "--device", f"sim:{folder}")[0] == 0
    assert "3000 B" in command("show", "--device", f"sim:{folder}")[1]
