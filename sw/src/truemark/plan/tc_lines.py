# SPDX-License-Identifier: BSD-3-Clause
"""Whole lines of `tc qdisc`, as they are typed and as they are printed, and the port's profile that they mean.

A port is the interface tm0, tm1, ...; red, codel, pfifo and bfifo are known, tbf (tc_tbf), and ets of a line of several
queues (tc_ets). Refusals are tc's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.device.outcomes import Spacing
from truemark.device.tc_show import KINDS
from truemark.errors import TruemarkError
from truemark.laws import tc_red

VERBS = {"add": "replace", "change": "replace", "replace": "replace", "del": "delete", "delete": "delete"}
VERBS |= {"show": "show", "list": "show", "ls": "show"}
ETS = "ets"  # of a line, whose first port is its interface
TBF = "tbf"  # leaves all else of the port as it is
ALL_KINDS = (*KINDS, ETS, TBF)
ONE_QUEUE = ("prio", "drr", "mq", "mqprio", "multiq", "fq_codel")  # they need several queues
TIMES = {"s": Fraction(10**9), "sec": Fraction(10**9), "ms": Fraction(10**6), "msec": Fraction(10**6)}
TIMES |= {"us": Fraction(10**3), "usec": Fraction(10**3), "": Fraction(10**3)}  # tc's bare times are microseconds
# What `tc qdisc show` prints besides what can be typed: constants that follow from the rest.
PRINTED = ("ewma", "Plog", "Scell_log")
PLACES = ("dev", "root", "parent", "refcnt", "offloaded")  # which is printed behind the kind


@dataclass(frozen=True)
class Line:
    """A line taken apart. `verb` is replace, delete or show; `typed` is the word that was."""

    verb: str
    dev: str | None = None
    kind: str | None = None
    words: tuple[str, ...] = ()
    parent: str | None = None
    typed: str = "replace"


def split(words: list[str]) -> Line:
    """Take a line apart: `tc qdisc replace dev tm0 root red limit ...`, or `qdisc red 8001: dev tm0 root ...`."""
    rest = [word for word in " ".join(words).split() if not re.fullmatch(r"-[a-z]+", word)]
    rest = rest[1:] if rest[:1] == ["tc"] else rest
    rest = rest[1:] if rest[:1] == ["qdisc"] else rest
    typed, kind = "replace", None
    places: dict[str, str] = {}
    if rest and rest[0] in VERBS:
        typed = rest.pop(0)
    while rest and kind is None:
        word = rest.pop(0)
        if word in ("dev", "handle", "parent"):
            if not rest:
                raise TruemarkError(f'Command line is not complete: "{word}" needs a value')
            if word in places:
                raise TruemarkError(f'duplicate "{word}": "{rest[0]}" is the second value.')
            places[word] = rest.pop(0)
        elif word in ALL_KINDS:
            kind = word
        elif word in ONE_QUEUE:
            raise TruemarkError(f'Unknown qdisc "{word}": it needs several queues, and a port has one')
        elif word != "root":
            raise TruemarkError(f'Unknown qdisc "{word}": here are {", ".join(ALL_KINDS)}')
    while kind and rest and (re.fullmatch(r"[0-9a-f]+:", rest[0]) or rest[0] in PLACES):
        word = rest.pop(0)
        if word in ("dev", "parent", "refcnt") and rest:
            places[word] = rest.pop(0)
    return Line(VERBS[typed], places.get("dev"), kind, tuple(rest), places.get("parent"), typed)


def red_words(words: list[str]) -> list[str]:
    """Return what follows `red`: of a whole line without the rest, of a printed one without the constants."""
    if words and words[0].startswith("["):
        from truemark.plan import tc_printed

        found = [line for line in tc_printed.lines(words[0], words[1:])[0] if line.kind != TBF]
        if [line.kind for line in found] != ["red"]:
            raise TruemarkError("one red is planned here: tc -d -j qdisc show dev NAME prints it")
        return list(found[0].words)
    if words[:1] in (["tc"], ["qdisc"]) or " " in "".join(words):
        line = split(words)
        if line.kind != "red":
            raise TruemarkError(f'Unknown qdisc "{line.kind or "none"}": red is planned here')
        words = list(line.words)
    kept: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in PRINTED and rest:
            rest.pop(0)
        else:
            kept.append(word)
    if "avpkt" not in kept and re.search(r"\blimit \d+[KM]?b\b", " ".join(kept)):
        raise TruemarkError("tc qdisc show does not print avpkt and burst, of which W was made: add them to the line")
    return kept


def port_of(dev: str | None, ports: int) -> int:
    """Return the port that an interface's name means."""
    there = f"; ports are tm0 to tm{ports - 1}"
    if dev is None:
        raise TruemarkError(f'"dev" is required{there}')
    port = units.whole(dev.removeprefix("tm"), ports - 1) if dev.startswith("tm") else None
    if port is None:
        raise TruemarkError(f'Cannot find device "{dev}"{there}')
    return port


def check_line(port: int, queues: int, kind: str, instead: str = "") -> None:
    """Refuse what is of a line of several queues at a port that is not the first of one."""
    if port % queues:
        first = port - port % queues
        raise TruemarkError(f'"dev" tm{port} is a queue of a line; {kind} is of the line, dev tm{first}{instead}')


def nanoseconds(text: str, what: str, refusal: str = tc_red.ILLEGAL) -> int:
    """Return a time as tc reads it; a qdisc refuses in words of its own."""
    match = re.fullmatch(r"([0-9]{1,20}(?:\.[0-9]{0,20})?)([a-z]*)", text)
    if not match or match[2] not in TIMES:
        raise TruemarkError(refusal.format(what=what, text=text, why="no time; write 5ms or 500us"))
    return round(Fraction(match[1]) * TIMES[match[2]])


def packets(text: str, what: str) -> int:
    """Return a number of packets, also as it is printed: 1000p."""
    number = units.whole(text.removesuffix("p"), tc_red.MOST)
    if number is None:
        raise TruemarkError(f"Illegal \"{what}\": '{text}' is no number of packets up to {tc_red.MOST}")
    return number


def profile(line: Line, linux: bool) -> tuple[str, list[str]]:
    """Return the profile that a line means, and what there is to say; `linux`: the build spaces RED's signals so."""
    from truemark.plan.tc_red import plan_tc

    if line.verb == "delete":
        return 'policy = "droptail"\n', []
    if line.kind is None:
        raise TruemarkError(f"Command line is not complete: a qdisc is wanted; here are {', '.join(ALL_KINDS)}")
    if line.kind == "red":
        words = red_words(list(line.words))
        as_linux = linux and not {"adaptive", "adaptative"} & set(words)
        plan = plan_tc(words, Spacing.LINUX if as_linux else Spacing.UNIFORM)
        missing = "adaptive: signals are spaced uniformly" if linux else "this build spaces signals uniformly"
        notes = [] if as_linux else [f"{missing}, not as Linux does"]
        if plan.profile is None:
            raise TruemarkError(plan.remarks[-1])
        return plan.profile, [*notes, *plan.remarks]
    if line.kind == "codel":
        return codel(list(line.words)), []
    if (line.words and line.words[0] != "limit") or len(line.words) not in (0, 2):
        raise TruemarkError(f'What is "{" ".join(line.words)}"? {line.kind} takes limit')
    if not line.words:
        raise TruemarkError(f"{line.kind}: tc takes the interface's queue length; give limit here")
    if line.kind == "pfifo":
        return f'policy = "droptail"\nlimit_packets = {packets(line.words[1], "limit")}\n', []
    return f'policy = "droptail"\nlimit_bytes = {tc_red.parse_size(line.words[1], "limit")}\n', []


def codel(words: list[str]) -> str:
    """Return the profile of tc's codel, with its defaults."""
    limit, times, ecn = 1000, {"target": 5_000_000, "interval": 100_000_000}, False
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("ecn", "noecn"):
            ecn = word == "ecn"
        elif word in ("limit", "target", "interval", "ce_threshold"):
            if not rest:
                raise TruemarkError(f'Command line is not complete: "{word}" needs a value')
            value = rest.pop(0)
            if word == "limit":
                limit = packets(value, word)
            else:
                times[word] = nanoseconds(value, word)
        else:
            raise TruemarkError(
                f'What is "{word}"? tc\'s codel takes limit, target, interval, ce_threshold, ecn, noecn'
            )
    lines = [f'{name} = "{value}ns"' for name, value in times.items()]
    head = ['policy = "codel"', f"limit_packets = {limit}", "[codel]", f"ecn = {str(ecn).lower()}"]
    return "\n".join([*head, *lines, ""])
