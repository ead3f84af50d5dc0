# SPDX-License-Identifier: BSD-3-Clause
"""Every frame of every capture, and of what the captures lack, through the RTL parser and through scapy."""

from __future__ import annotations

import json
import os
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import cocotb
import pytest
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.tm_pkg import L3, META, MISHAP, STROBES, TALLY, Bad, Class, Ecn

CAPTURES = ROOT / "cocotb_tests" / "data" / "tcpdump.zip"
WIDTH = 32
MAX_FRAME = 9216
ETHERNET = 1
FLAGS = ("ae", "cwr", "ece", "urg", "ack", "psh", "rst", "syn", "fin")


@cocotb.test()
async def record(dut: Any) -> None:
    """Write down what the parser says of each frame.

    Stimulus: the frames of the file, back to back, with their lengths as promised.
    Checks: one answer a frame, and class and ECE flag in the tally as after the flags strobe.
    """
    frames = [bytes.fromhex(line) for line in Path(os.environ["TRUTH_FRAMES"]).read_text().split()]
    await start(dut, s_valid_i=0, s_data_i=0, s_keep_i=0, s_last_i=0, s_dest_i=1, s_len_i=0, s_error_i=0)
    answers: list[dict[str, int]] = []
    refused: list[int] = []
    checksums: list[int] = []
    tallies: list[tuple[int, int, int]] = []
    told = STROBES.unpack(0)  # in the cycle before

    async def step() -> None:
        nonlocal told
        await cycle(dut)
        mishap = MISHAP.unpack(int(dut.mishap_o.value))
        if told["next_ecn_valid"]:
            checksums.append(META.unpack(int(dut.meta_o.value))["checksum"])
        if told["next_flags_valid"]:
            answers.append(META.unpack(int(dut.meta_o.value)))
        if dut.tally_valid_o.value:
            tally = TALLY.unpack(int(dut.tally_o.value))
            tallies.append((tally["class_id"], tally["ece"], tally["len"]))
        if mishap["valid"]:
            refused.append(mishap["kind"])
        told = STROBES.unpack(int(dut.strobes_o.value))

    dut.s_valid_i.value = 1
    for frame in frames:
        dut.s_len_i.value = len(frame)
        for at in range(0, len(frame), WIDTH):
            part = frame[at : at + WIDTH]
            dut.s_data_i.value = int.from_bytes(part, "little")
            dut.s_keep_i.value = (1 << len(part)) - 1
            dut.s_last_i.value = int(at + WIDTH >= len(frame))
            await step()
    dut.s_valid_i.value = 0
    for _ in range(8):
        await step()
    offered = [frame for frame in frames if 14 <= len(frame) <= MAX_FRAME]
    assert len(answers) == len(checksums) == len(tallies) == len(offered)
    assert Counter(refused) == Counter(
        Bad.RUNT if len(frame) < 14 else Bad.OVERSIZE for frame in frames if not 14 <= len(frame) <= MAX_FRAME
    )
    for answer, tally, checksum, frame in zip(answers, tallies, checksums, offered, strict=True):
        assert tally == (answer["class_id"], answer["ece"], len(frame))
        answer["checksum"] = checksum
    Path(os.environ["TRUTH_ANSWERS"]).write_text(json.dumps(answers))


def captured() -> list[tuple[str, bytes]]:
    """Return the frames of all captures, each with where it is from."""
    from scapy.utils import RawPcapReader

    frames = []
    archive = zipfile.ZipFile(CAPTURES)
    for name in sorted(archive.namelist()):
        with archive.open(name) as file, RawPcapReader(file) as reader:
            assert reader.linktype & 0xFFFF == ETHERNET, f"{name} is not an Ethernet capture"
            frames += [(f"{name} #{number}", frame) for number, (frame, _) in enumerate(reader, 1) if frame]
    return frames


@pytest.mark.slow
def test_parser_truth(tmp_path: Path) -> None:
    from cocotb_tests.parser_truth.decoder import Said, decode, header_words_sum
    from cocotb_tests.parser_truth.rules import RULES, explain, same
    from cocotb_tests.parser_truth.synthetic import synthetic

    sources = captured() + list(synthetic())
    frames, answers = tmp_path / "frames.txt", tmp_path / "answers.json"
    frames.write_text("\n".join(frame.hex() for _, frame in sources))
    build_and_test(
        "tm_parse",
        __name__,
        parameters={"DATA_W": 8 * WIDTH, "MAX_FRAME": MAX_FRAME, "FLAGS_VERDICT": 1},
        extra_env={"TRUTH_FRAMES": str(frames), "TRUTH_ANSWERS": str(answers)},
    )
    offered = [(where, frame) for where, frame in sources if 14 <= len(frame) <= MAX_FRAME]
    used: Counter[str] = Counter()
    seen_of: Counter[str] = Counter()
    unexplained = []
    for (where, frame), answer in zip(offered, json.loads(answers.read_text()), strict=True):
        flags = sum(answer[name] << (8 - i) for i, name in enumerate(FLAGS))
        got = Said(
            L3(answer["l3"]),
            answer["tags"],
            Ecn(answer["ecn"]),
            Class(answer["class_id"]),
            flags,
            bool(answer["payload"]),
        )
        seen = decode(frame)
        seen_of[f"{got.l3.name} {got.class_id.name}"] += 1
        seen_of[got.ecn.name] += 1
        if not same(seen.said, got):
            rule = explain(seen, got)
            if rule is None:
                unexplained.append(f"{where}: parser {got}, scapy {seen.said}\n  {frame[:132].hex()}")
            else:
                used[rule.name] += 1
        if got.l3 == L3.IPV4 and got.ecn in (Ecn.ECT0, Ecn.ECT1):
            at = 14 + 4 * answer["tags"]
            marked = bytearray(frame)
            marked[at + 1] |= 3
            marked[at + 10 : at + 12] = answer["checksum"].to_bytes(2, "big")
            if header_words_sum(bytes(marked), answer["tags"]) != header_words_sum(frame, answer["tags"]):
                unexplained.append(f"{where}: checksum {answer['checksum']:04x} is not as right or wrong as it was")
            seen_of["checksums"] += 1
    print(f"{len(offered)} frames compared, {len(sources) - len(offered)} not offered")
    print("parser said: " + ", ".join(f"{what} {count}" for what, count in sorted(seen_of.items())))
    print("disagreements by rule: " + ", ".join(f"{name} {count}" for name, count in sorted(used.items())))
    assert not unexplained, f"{len(unexplained)} unexplained:\n" + "\n".join(unexplained[:10])
    idle = [rule.name for rule in RULES if not used[rule.name]]
    assert not idle, f"rules that explain nothing: {idle}"
    assert len(offered) > 8000
    assert min(seen_of[name] for name in ("CE", "ECT0", "ECT1", "checksums")) > 500
