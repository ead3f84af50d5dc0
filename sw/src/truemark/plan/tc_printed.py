# SPDX-License-Identifier: BSD-3-Clause
"""What `tc -d -j qdisc show` prints, turned back into what was typed.

tc prints W (`ewma`), not the burst and the packet of which it was made: the least burst that makes this W is taken,
with a packet and a bandwidth that may be added; those two only age an idle queue's average.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from truemark.device.tc_show import KINDS
from truemark.errors import TOO_LONG, TruemarkError
from truemark.laws import tc_red
from truemark.laws.codel import to_ns
from truemark.plan.tc_lines import ONE_QUEUE, TBF, Line
from truemark.plan.tc_tbf import OTHERS

ADDED = {"avpkt": "1000", "bandwidth": "10mbit"}  # tc's own default of the latter
FLAGS = ("ecn", "harddrop", "adaptive", "nodrop")
MOST_BURST = 1 << 20
MOST_W = 32
READ = (*KINDS, TBF)

NEEDED = {"red": ("limit", "min", "max"), "codel": (), "pfifo": ("limit",), "bfifo": ("limit",)}
NEEDED |= {TBF: ("rate", "burst")}
NUMBERS = ("limit", "min", "max", "ewma", "Plog", "probability", "target", "interval", "ce_threshold")


def lines(text: str, words: list[str]) -> tuple[list[Line], list[str]]:
    """Return the qdiscs of tc's JSON; `words` may say `dev tm0`, `avpkt` and `bandwidth`. What is left out is noted."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise TruemarkError(f"not what tc -j prints: {error.msg}, line {error.lineno}") from None
    except ValueError:
        raise TruemarkError(f"not what tc -j prints: {TOO_LONG}") from None
    if not isinstance(found, list) or not all(isinstance(each, dict) and "kind" in each for each in found):
        raise TruemarkError("not what tc -j qdisc show prints: a list of objects with a kind is wanted")
    added = ADDED | dict(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or added.keys() - {"dev", *ADDED}:
        raise TruemarkError(f'What is "{" ".join(words)}"? dev, avpkt and bandwidth can be added to what tc printed')
    known = [each for each in found if str(each["kind"]) in READ]
    for each in found:
        check_place(each, found)
    above = [above_of(each, found) for each in known]
    notes = [
        f"not kept: {each['kind']} of {each.get('dev')}: {why(each['kind'])}" for each in found if each not in known
    ]
    if not known:
        raise TruemarkError(f"none of {', '.join(READ)} is there; {'; '.join(notes) or 'the list is empty'}")
    if "dev" in added and (roots := above.count(None)) > 1:
        raise TruemarkError(f"dev {added['dev']} takes one qdisc, {roots} are there: tc qdisc show dev NAME prints one")
    made = []
    for each in known:
        typed = typed_of(each, added, alone=each not in above)
        dev = added.get("dev", each.get("dev"))
        made.append(Line("replace", dev, each["kind"], tuple(typed), each.get("parent")))
        if each["kind"] == "red" and not {"avpkt", "bandwidth"} <= set(words):
            notes.append(
                f"tc prints no avpkt and bandwidth: {added['avpkt']} B and {added['bandwidth']} age the average"
            )
    return made, notes


def above_of(each: dict[str, Any], found: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return what a qdisc is below, if that is there; nothing of a root."""
    handle = f"{str(each.get('parent')).partition(':')[0] or '0'}:"
    return next((it for it in found if (it.get("dev"), it.get("handle")) == (each.get("dev"), handle)), None)


def check_place(each: dict[str, Any], found: list[dict[str, Any]]) -> None:
    """Refuse what would be taken without what is above or below it: only tbf has something below it here."""
    parent, above = each.get("parent"), above_of(each, found)
    place = f"{each['kind']} {each.get('handle', '')} of {each.get('dev')}"
    if each["kind"] in READ and parent is not None:
        if above is None:
            raise TruemarkError(f"{place}: its parent {parent} is not there")
        if above["kind"] != TBF:
            raise TruemarkError(f"{place} is below {above['kind']}; here a qdisc can be below tbf alone")
    elif above is not None and above["kind"] == TBF:
        raise TruemarkError(f"{place} is below tbf: {why(each['kind'])}")


def typed_of(each: dict[str, Any], added: dict[str, Any], alone: bool) -> list[str]:
    """Return the words behind a qdisc's kind; `alone`: nothing is below it."""
    options = checked(each)
    if each["kind"] == TBF:
        return tbf(options, alone)
    return red(options, added) if each["kind"] == "red" else others(options)


def checked(each: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a qdisc, if they are such as tc prints."""
    options, place = each.get("options", {}), f"{each['kind']} of {each.get('dev')}"
    if not isinstance(options, dict):
        raise TruemarkError(f"{place}: options = {json.dumps(options)}: an object is wanted")
    if not isinstance(each.get("dev", ""), str):
        raise TruemarkError(f"{place}: dev is the name of an interface")
    for name in NEEDED[each["kind"]]:
        if name not in options:
            raise TruemarkError(f"{place}: {name} is missing")
    for name in options.keys() & set(NUMBERS):
        value = options[name]
        number = type(value) is int or (name == "probability" and isinstance(value, float))
        if not number or not 0 <= value < 2**32:
            raise TruemarkError(f"{place}: {name} = {json.dumps(value)}: a number below 2^32 is wanted")
    return options


def why(kind: str) -> str:
    """Return why a kind is left out."""
    return "a port has one queue" if kind in ONE_QUEUE else f"{', '.join(READ)} are read"


def red(options: dict[str, Any], added: dict[str, str]) -> list[str]:
    """Return the words of `red`."""
    if "ewma" not in options:
        raise TruemarkError("red: W is missing, which tc prints as ewma with -d: tc -d -j qdisc show")
    low, high = int(options["min"]), int(options["max"])
    plog = int(options.get("Plog", 0))
    probability = options.get("probability") or max(high - low, 1) / 2**plog
    words = ["limit", str(options["limit"]), "min", str(low), "max", str(high), "avpkt", added["avpkt"]]
    words += ["probability", f"{probability:.9g}", "bandwidth", added["bandwidth"]]
    words += [flag for flag in FLAGS if options.get(flag)]
    return [*words, "burst", str(burst(words, int(options["ewma"])))]


def burst(words: list[str], wlog: int) -> int:
    """Return the least burst of which tc makes this W."""
    typed = tc_red.parse([*words, "burst", "1"])

    def weight(packets: int) -> int:
        try:
            return tc_red.weight(replace(typed, burst=packets))
        except TruemarkError:  # beyond every W
            return MOST_W

    least, most = 1 + typed.min // typed.avpkt, MOST_BURST
    while least < most:  # W never falls as the burst grows
        middle = (least + most) // 2
        if weight(middle) >= wlog:
            most = middle
        else:
            least = middle + 1
    if weight(least) != wlog:
        raise TruemarkError(f"red: no burst of packets of {typed.avpkt} B makes ewma {wlog}: add another avpkt")
    return least


def tbf(options: dict[str, Any], alone: bool) -> list[str]:
    """Return the words of tbf, whose rate is in bytes/s; what waits is that of a qdisc below it, if one is there."""
    words = ["rate", f"{options['rate']}bps", "burst", str(options["burst"])]
    for name in OTHERS:
        if options.get(name) not in (None, 0, "ethernet"):
            words += [name, str(options[name])]
    if alone:
        words += ["limit", str(options["limit"])] if "limit" in options else []
        words += ["latency", f"{options['lat']}us"] if "lat" in options else []
    return words


def others(options: dict[str, Any]) -> list[str]:
    """Return the words of codel and the fifos: times are whole microseconds of units of 1024 ns."""
    words = []
    for name, value in options.items():
        if name in ("target", "interval", "ce_threshold"):
            words += [name, f"{to_ns(-(-value * 1000 // to_ns(1))) / 1000:.3f}us"]
        elif name == "limit":
            words += [name, str(value)]
        elif name == "ecn" and value:
            words.append(name)
    return words
