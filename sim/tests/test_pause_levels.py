# SPDX-License-Identifier: BSD-3-Clause
"""The golden model of pauses against SAI's inequality in plain Python."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from truemark_dev.golden import golden

pytestmark = pytest.mark.builds("golden")

SOURCES, CELLS, STEPS = 3, 300, 400


@pytest.mark.parametrize("seed", range(60))
def test_follows_the_inequality(seed: int) -> None:
    """Frames come and go, sources change; levels, and each cell beyond headroom, as the rule's own words have them."""
    rng = random.Random(seed)
    fixed = rng.choice((None, rng.randint(5, 80)))
    exponent, xon = rng.randint(-7, 3), rng.choice((0, rng.randint(0, 60)))
    headroom, lossless = [rng.randint(0, 30) for _ in range(SOURCES)], [rng.random() < 0.8 for _ in range(SOURCES)]
    offset = rng.choice((None, rng.randint(0, 40)))
    model = golden().PauseLevels(CELLS, fixed=fixed, exponent=exponent, xon=xon, xon_offset=offset)
    assert [model.add(*each) for each in zip(headroom, lossless, strict=True)] == list(range(SOURCES))
    frames: list[list[int]] = [[] for _ in range(SOURCES)]
    xoff, marks, most, overruns = [False] * SOURCES, [0] * SOURCES, [0] * SOURCES, 0
    seen = set()
    for _ in range(STEPS):
        source = rng.randrange(SOURCES)
        before = [sum(each) for each in frames]
        asked = xoff[source]
        stores = rng.random() < 0.6 and sum(before) < CELLS - 24
        if stores:
            frames[source].append(rng.randint(1, 24))
            model.store(source, frames[source][-1])
        elif frames[source]:
            model.release(source, frames[source].pop(0))
        elif rng.random() < 0.1:
            headroom[source], lossless[source] = rng.randint(0, 30), rng.random() < 0.8
            model.set(source, headroom[source], lossless[source])
        held = [sum(each) for each in frames]
        kept = sum(each for each, pauses in zip(headroom, lossless, strict=True) if pauses)
        free = max(0, CELLS - sum(held) - kept)
        limit = fixed if fixed is not None else int(free * Fraction(2) ** exponent)
        falls = min(limit, max(xon, 0 if offset is None else limit - offset))
        for each in range(SOURCES):
            most[each] = max(most[each], held[each])
            if not xoff[each] and lossless[each] and held[each] > limit:
                xoff[each], marks[each] = True, before[each] if each == source else held[each]
                seen.add("xoff")
            elif xoff[each] and (held[each] <= falls or not lossless[each]):
                xoff[each] = False
                seen.add("xon")
        if stores and xoff[source]:
            beyond = max(0, held[source] - marks[source] - headroom[source])
            overruns += min(beyond, frames[source][-1] - (not asked))
            seen.add("overrun" if beyond else "within")
        assert [model.xoff(each) for each in range(SOURCES)] == xoff
        assert [model.held(each) for each in range(SOURCES)] == held
        assert [model.watermark(each) for each in range(SOURCES)] == most
        assert model.overruns == overruns
    assert "xoff" in seen


def test_wrong_use_is_told() -> None:
    model = golden().PauseLevels(CELLS, fixed=10)
    model.add(0)
    model.store(0, 3)
    with pytest.raises(RuntimeError, match="after the first frame"):
        model.add()
    with pytest.raises(RuntimeError, match="does not hold"):
        model.release(0, 4)
