# SPDX-License-Identifier: BSD-3-Clause
"""PROFILE.toml: what a person writes down of a device's configuration.

rate = "10G"            # what times such as k = "24us" refer to
policy = "true-mark"
k = "30kB"
buffer = "shallow"

[port.3]                # what differs at one port
policy = "droptail"
buffer = "deep"
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from truemark import policies, units
from truemark.errors import TruemarkError
from truemark.policies import BUFFERS, PortSettings


class Section(BaseModel):
    """The settings of one port; what is absent comes from the top of the file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rate: str | None = Field(default=None, description="rate of the port, the meaning of sizes given as a time")
    packet: int | None = Field(default=None, ge=14, description="bytes of a packet, the meaning of sizes in packets")
    policy: str | None = Field(default=None, description="name of the policy")
    k: str | int | None = Field(default=None, description="marking threshold")
    buffer: str | None = Field(default=None, description="limit by name")
    limit_bytes: str | int | None = Field(default=None, description="byte limit")
    limit_packets: int | None = Field(default=None, description="packet limit")
    protect: str | None = Field(default=None, description="which Not-ECT frames a signal passes over")
    enable: bool | None = Field(default=None, description="whether the port accepts frames")


class Profile(Section):
    """The whole file."""

    port: dict[str, Section] = Field(default_factory=dict)

    def rate_of(self, port: int) -> int | None:
        """The rate of a port in bit/s."""
        text = self._merged(port).rate
        return None if text is None else units.parse_rate(text)

    def _merged(self, port: int) -> Section:
        own = self.port.get(str(port), Section()).model_dump(exclude_none=True)
        top = self.model_dump(exclude={"port"}, exclude_none=True)
        if "policy" in own and own["policy"] != top.get("policy"):
            for dependent in ("k", "protect"):  # a threshold belongs to the policy it was written for
                top.pop(dependent, None)
        if own.keys() & {"buffer", "limit_bytes", "limit_packets"}:
            for dependent in ("buffer", "limit_bytes", "limit_packets"):
                top.pop(dependent, None)
        return Section.model_validate(top | own)

    def settings(self, port: int) -> PortSettings:
        """The settings of one port."""
        section = self._merged(port)
        if section.policy is None:
            raise TruemarkError('no policy is set; write for example policy = "true-mark"')
        rate = self.rate_of(port)
        limit_bytes, limit_packets = limits(
            section.buffer, section.limit_bytes, section.limit_packets, rate, section.packet
        )
        return policies.settings(
            section.policy,
            k=None if section.k is None else size(section.k, "k", rate, section.packet),
            limit_bytes=limit_bytes,
            limit_packets=limit_packets,
            protect=section.protect,
            enable=True if section.enable is None else section.enable,
        )


def size(value: str | int, name: str, rate: int | None, packet: int | None) -> int:
    """Bytes of a size that may be a bare number."""
    return value if isinstance(value, int) else units.parse_size(value, name, rate, packet)


def limits(
    buffer: str | None, limit_bytes: str | int | None, limit_packets: int | None, rate: int | None, packet: int | None
) -> tuple[int | None, int | None]:
    """The two limits, from a buffer's name or from numbers; the name may also be a size."""
    if buffer is None:
        return None if limit_bytes is None else size(limit_bytes, "limit_bytes", rate, packet), limit_packets
    if limit_bytes is not None or limit_packets is not None:
        raise TruemarkError(
            f"buffer = '{buffer}' is a limit already; leave out limit_bytes and limit_packets, or buffer"
        )
    if buffer in BUFFERS:
        return BUFFERS[buffer].limit_bytes, BUFFERS[buffer].limit_packets
    if not buffer[:1].isdigit():
        raise TruemarkError(f"buffer '{buffer}' is unknown; {policies.suggest(buffer, list(BUFFERS))}, or a size")
    return units.parse_size(buffer, "buffer", rate, packet), None


def line_of(text: str, place: tuple[str, ...]) -> int:
    """The line on which a key of the file stands, as far as a search can tell; 1 if it finds none."""
    table, key = ".".join(place[:-1]), place[-1]
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            current = header[1].replace('"', "").replace(" ", "")
            if f"{current}.".startswith(".".join(place) + "."):
                return number
        elif current == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
    return 1


def read_profile(path: Path) -> Profile:
    """Read and check a profile; every error names the file, the line and the key."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TruemarkError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TruemarkError(f"{path}: cannot be read: {error}") from None
    try:
        profile = Profile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise TruemarkError(f"{path}: not valid TOML: {error}") from None
    except ValidationError as errors:
        first = errors.errors()[0]
        place = tuple(str(part) for part in first["loc"] if part not in ("str", "int"))
        where = f"{path}:{line_of(text, place)}: {'.'.join(place)}"
        if first["type"] == "extra_forbidden":
            known = [*Section.model_fields, *(["port"] if len(place) == 1 else [])]
            raise TruemarkError(f"{where}: unknown key; {policies.suggest(place[-1], known)}") from None
        raise TruemarkError(f"{where} = {first['input']!r}: {first['msg']}") from None
    for name in profile.port:
        if not name.isdigit() or int(name) > 15:
            raise TruemarkError(f"{path}:{line_of(text, ('port', name))}: port.{name}: ports are numbers, 0 to 15")
    return profile


def plan(profile: Profile, ports: int, limits: policies.Limits, where: str) -> list[PortSettings]:
    """The settings of every port of a device, all of them checked before any is written."""
    for name in profile.port:
        if int(name) >= ports:
            raise TruemarkError(f"{where}: port.{name}: this device has ports 0 to {ports - 1}")
    planned = []
    for port in range(ports):
        place = f"{where}: port {port}"
        try:
            settings = profile.settings(port)
        except TruemarkError as error:
            raise TruemarkError(f"{place}: {error}") from None
        policies.check(settings, limits, place)
        planned.append(settings)
    return planned
