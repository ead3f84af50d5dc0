# SPDX-License-Identifier: BSD-3-Clause
"""tc's `tbf`: the rate and the burst that a port, or a line of several queues, is held to.

What waits is not tbf's own here: a port keeps its policy and its limits, as under a classful tbf in Linux.
"""

from __future__ import annotations

from truemark.errors import TruemarkError
from truemark.laws import tc_red
from truemark.laws.shape import Shape
from truemark.plan import tc_lines
from truemark.plan.tc_lines import Line

BURST = ("buffer", "burst", "maxburst")  # three names of one thing
QUEUE = ("limit", "latency")  # of which tc wants one
NAMES = dict.fromkeys(BURST, "burst") | {"lat": "latency"}  # the latter as it is printed
ILLEGAL = 'tbf: illegal value for "{what}": "{text}", which is {why}'
OTHERS = ("mtu", "minburst", "peakrate", "overhead", "linklayer", "mpu")
UNUSED = (["mpu", "0b"], ["linklayer", "ethernet"])  # which tc -d prints nevertheless


def shape(words: list[str]) -> tuple[Shape, list[str]]:
    """Return what tbf's words hold to, in bit/s and bytes, and what there is to say of them."""
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        if rest[:2] in UNUSED:
            rest = rest[2:]
            continue
        word = rest.pop(0)
        name = NAMES.get(word, word)
        if name in OTHERS:
            raise TruemarkError(f'tbf: "{word}": the bucket here has one rate, and counts frames without FCS')
        if name not in ("rate", "burst", *QUEUE):
            raise TruemarkError(f'tbf: unknown parameter "{word}"; here are rate, burst, limit and latency')
        if name in given:
            raise TruemarkError(f'tbf: duplicate "{"/".join(BURST) if name == "burst" else name}" specification')
        if not rest:
            raise TruemarkError(f'Command line is not complete: "{word}" needs a value')
        given[name] = rest.pop(0)
    for name in ("rate", "burst"):
        if name not in given:
            raise TruemarkError(f'tbf: the "{name}" parameter is mandatory')
    rate, burst = given["rate"], given["burst"].split("/")[0]  # tc takes the size of a cell behind it
    found = Shape(tc_red.parse_rate(rate, "rate", ILLEGAL), tc_red.parse_size(burst, "burst", ILLEGAL))
    if "limit" in given:  # read only so that what tc refuses is refused here
        tc_red.parse_size(given["limit"], "limit", ILLEGAL)
    if "latency" in given:
        tc_lines.nanoseconds(given["latency"], "latency", ILLEGAL)
    said = [f"{name} {given[name]} is not tbf's here: the port keeps its own limits" for name in QUEUE if name in given]
    return found, said


def check_place(port: int, queues: int, line: Line) -> None:
    """Refuse a queue of a line, which tc cannot name, and what is below another qdisc."""
    if line.parent:
        raise TruemarkError(f"tbf: parent {line.parent}: it is the root here")
    tc_lines.check_line(port, queues, tc_lines.TBF, f"; [queue.{port % queues}] of a profile takes shape_rate")
