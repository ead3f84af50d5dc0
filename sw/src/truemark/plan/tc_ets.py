# SPDX-License-Identifier: BSD-3-Clause
"""tc's `ets` on a line of several queues: which are strict, and what the others send in a turn.

Band 0 is the first of all, as in tc, and stands for the highest queue that has a band.
"""

from __future__ import annotations

from truemark import units
from truemark.errors import TruemarkError
from truemark.laws.policies import QUANTUM_MAX
from truemark.plan import tc_lines

MOST_BANDS = 16  # that tc takes
PLAIN_QUANTUM = 1514  # of a band that has none: the frame of an Ethernet interface, as in Linux
WORDS = ("bands", "strict", "quanta")


def number(text: str, what: str) -> int:
    """Return a number of bands."""
    count = units.whole(text)
    if count is None:
        raise TruemarkError(f"Illegal \"{what}\": '{text}' is no number")
    if count > MOST_BANDS:
        raise TruemarkError(f'The number of "{what}" must be <= {MOST_BANDS}')
    return count


def quantum(text: str) -> int:
    """Return a quantum in bytes."""
    size = units.whole(text)
    if size is None:
        raise TruemarkError(f"Illegal \"quanta\" element: '{text}' is no number of bytes")
    if not 0 < size <= QUANTUM_MAX:
        raise TruemarkError(f'"quanta" must be > 0, and at most {QUANTUM_MAX} here: {text}')
    return size


def bands(words: list[str]) -> list[int | None]:
    """Return the quantum of each band; none of a strict one."""
    given: dict[str, list[str]] = {}
    mode = ""
    for word in words:
        if word in WORDS:
            if word in given:
                raise TruemarkError(f'Duplicate "{word}"')
            given[word], mode = [], word
        elif word == "priomap":
            raise TruemarkError(
                'What is "priomap"? frames have no priority of a socket; [queues] of a profile maps them'
            )
        elif not mode or (mode != "quanta" and given[mode]):
            raise TruemarkError(f'What is "{word}"? tc\'s ets takes {", ".join(WORDS)}')
        else:
            given[mode].append(word)
    for word, values in given.items():
        if not values:
            raise TruemarkError(f'Command line is not complete: "{word}" needs a value')
    strict = number(given["strict"][0], "strict") if "strict" in given else 0
    quanta = [quantum(text) for text in given.get("quanta", [])]
    count = number(given["bands"][0], "bands") if "bands" in given else strict + len(quanta)
    if not count:
        raise TruemarkError('One of "bands", "quanta" or "strict" needs to be specified')
    if strict + len(quanta) > count:
        raise TruemarkError("Not enough total bands to cover all the strict bands and quanta")
    return [None] * strict + quanta + [PLAIN_QUANTUM] * (count - strict - len(quanta))


def turns(words: list[str], port: int, queues: int) -> dict[int, int | None]:
    """Return the quantum of each port of a line, of which `port` is the first; those without a band are strict."""
    found = bands(words)
    if queues == 1:
        raise TruemarkError('Unknown qdisc "ets": it needs several queues, and a port has one')
    tc_lines.check_line(port, queues, tc_lines.ETS)
    if len(found) > queues:
        raise TruemarkError(f'The number of "bands" must be <= {queues}: a line has so many queues')
    return {port + queue: found[len(found) - 1 - queue] if queue < len(found) else None for queue in range(queues)}
