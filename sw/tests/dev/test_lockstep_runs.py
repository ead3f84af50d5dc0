# SPDX-License-Identifier: BSD-3-Clause
"""What lockstep's programs say is passed on, counted and recorded; a difference ends the run."""

from pathlib import Path

import pytest
from sim.bench import lockstep_runs


def program(folder: Path, name: str, last: str, code: int = 0) -> str:
    """Make a program that says what lockstep says."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho lockstep {name}: $2 frames, seed $4\necho '{last}'\nexit {code}\n")
    path.chmod(0o755)
    return str(path)


def test_runs_are_summed_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [program(tmp_path, name, "  no difference in 40 frames, 90 cycles; 0.1 s") for name in ("a", "b")]
    (tmp_path / "listing").write_text("\n".join(names))
    recorded = {}
    monkeypatch.setattr(lockstep_runs, "record", lambda name, figures: recorded.update({name: figures}))
    lockstep_runs.main([str(tmp_path / "listing"), "30", "7"])
    assert not recorded
    lockstep_runs.main([str(tmp_path / "listing"), "30", "7", "--record"])
    (figure,) = recorded["lockstep"]
    assert (figure.value, figure.seeds) == ({"frames": 80, "differences": 0}, "7")
    assert "lockstep b: 30 frames, seed 7" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("last", "code"), [("DIFFERENCE in lockstep", 1), ("  no difference in 40 frames", 1), ("", 0)]
)
def test_difference_ends_it(last: str, code: int, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        lockstep_runs.run(program(tmp_path, "a", last, code), 30, 1)
    assert ended.value.code == 1
