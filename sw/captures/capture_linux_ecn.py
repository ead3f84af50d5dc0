#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Capture real Linux TCP with ECN in front of one bottleneck port, in network namespaces of this machine.

    l1..l4 --100M-- west ==250M, phantom-queue marking== east --100M-- r1..r4

Every host sends to every host of the other side in waves (a shuffle), so that the port west -> east carries the data
of half of the flows and the ACKs of the other half. The capture is taken where frames come into `west`, before the
queue of that port. Segmentation and checksum offload are off: each captured frame is a frame of the wire. The senders
hear of congestion: a data frame that overflows a virtual queue, a little slower than the link, is set to CE
(nftables `limit`, in packets: its byte limit allows a whole second of burst), behind the capture point.

Needs root and the Debian packages iproute2, nftables, ethtool, tcpdump. Runs about 10 seconds, leaves nothing behind.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HOSTS = 4  # on each side
WAVES = 5
WAVE_PERIOD = 0.22  # seconds
FLOW_BYTES = 220_000
HOST_RATE = "100mbit"
TRUNK_RATE = "250mbit"
PHANTOM_FRAMES_PER_SECOND = 17_000  # of data, about 95 % of the trunk together with the ACKs
PHANTOM_BURST = 40
SERVICE = 5001
SNAPLEN = 128
SIDES = {"l": 1, "r": 2}
PREFIX = "tmcap-"  # of the namespaces


def run(command: str, check: bool = True) -> str:
    """Run one command line and give back what it printed."""
    done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
    if check and done.returncode:
        sys.exit(f"`{command}` failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def namespace(name: str, command: str, check: bool = True) -> str:
    """Run one command line inside the namespace of `name`."""
    return run(f"ip netns exec {PREFIX}{name} {command}", check)


def cable(one: str, one_end: str, two: str, two_end: str) -> None:
    """Lay a virtual cable between two namespaces; both ends up, without any offload."""
    run(f"ip link add {one_end} netns {PREFIX}{one} type veth peer name {two_end} netns {PREFIX}{two}")
    for name, end in ((one, one_end), (two, two_end)):
        namespace(name, f"ip link set {end} up")
        namespace(name, f"ethtool -K {end} gso off tso off gro off lro off tx off rx off sg off", check=False)


def shape(name: str, device: str, rate: str, limit: int) -> None:
    """Let `device` send at `rate`, with at most two full frames back to back and `limit` bytes waiting."""
    namespace(name, f"tc qdisc replace dev {device} root tbf rate {rate} burst 3100 limit {limit}")


def build_router(router: str, side: int) -> None:
    """One router: a bridge towards its hosts, a trunk towards the other router, marking on the way out."""
    namespace(router, "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1")
    namespace(router, "ip link add br0 type bridge mcast_snooping 0")
    namespace(router, "ip link set br0 up")
    namespace(router, "ethtool -K br0 gso off tso off gro off tx off sg off", check=False)
    namespace(router, f"ip addr add 10.{side}.0.254/24 dev br0")
    namespace(router, f"ip addr add fd00:{side}::fe/64 dev br0 nodad")
    namespace(router, f"ip addr add 10.0.0.{side}/24 dev trunk")
    namespace(router, f"ip addr add fd00::{side}/64 dev trunk nodad")
    namespace(router, f"ip route add 10.{3 - side}.0.0/24 via 10.0.0.{3 - side}")
    namespace(router, f"ip -6 route add fd00:{3 - side}::/64 via fd00::{3 - side}")
    shape(router, "trunk", TRUNK_RATE, 600_000)
    rules = f"""
      table inet phantom {{
        chain signal {{
          ip ecn {{ ect0, ect1 }} counter ip ecn set ce
          ip6 ecn {{ ect0, ect1 }} counter ip6 ecn set ce
        }}
        chain forward {{
          type filter hook forward priority 0;
          oifname "trunk" meta length > 1000 limit rate over \
{PHANTOM_FRAMES_PER_SECOND}/second burst {PHANTOM_BURST} packets jump signal
        }}
      }}
    """
    command = ["ip", "netns", "exec", PREFIX + router, "nft", "-f", "-"]
    subprocess.run(command, input=rules, text=True, check=True)


def build_host(host: str, router: str, side: int, number: int) -> None:
    """One end host with its cable to the router's bridge."""
    cable(host, "eth0", router, host)
    namespace(router, f"ip link set {host} master br0")
    namespace(host, f"ip addr add 10.{side}.0.{number}/24 dev eth0")
    namespace(host, f"ip addr add fd00:{side}::{number}/64 dev eth0 nodad")
    namespace(host, f"ip route add default via 10.{side}.0.254")
    namespace(host, f"ip -6 route add default via fd00:{side}::fe")
    namespace(host, "sysctl -qw net.ipv4.tcp_ecn=1 net.ipv4.tcp_no_metrics_save=1")
    shape(host, "eth0", HOST_RATE, 300_000)
    shape(router, host, HOST_RATE, 600_000)


def build() -> list[str]:
    """Build the whole network; return the names of the hosts."""
    for router in ("west", "east"):
        run(f"ip netns add {PREFIX}{router}")
    cable("west", "trunk", "east", "trunk")
    hosts = []
    for (letter, side), router in zip(SIDES.items(), ("west", "east"), strict=True):
        build_router(router, side)
        for number in range(1, HOSTS + 1):
            host = f"{letter}{number}"
            run(f"ip netns add {PREFIX}{host}")
            namespace(host, "ip link set lo up")
            build_host(host, router, side, number)
            hosts.append(host)
    return hosts


def remove() -> None:
    """Take down every namespace of this script, also those of a run that was interrupted."""
    for line in run("ip netns list").splitlines():
        name = line.split()[0]
        if name.startswith(PREFIX):
            run(f"ip netns del {name}", check=False)


def congestion_control() -> str:
    """DCTCP where the kernel has it, else the first of cubic and reno."""
    available = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    return next(name for name in ("dctcp", "cubic", "reno") if name in available)


def use_congestion_control(endpoint: socket.socket) -> None:
    """Set it on the socket: a namespace of its own may not choose every algorithm by sysctl."""
    endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, congestion_control().encode())


def receive(connection: socket.socket) -> None:
    """Read one flow to its end, then close."""
    with connection:
        while connection.recv(65536):
            pass


def serve() -> None:
    """Accept flows over IPv4 and IPv6 until the process ends."""
    listener = socket.create_server(("::", SERVICE), family=socket.AF_INET6, dualstack_ipv6=True, backlog=128)
    use_congestion_control(listener)  # inherited by what is accepted; DCTCP's receiver echoes every mark
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=receive, args=(connection,), daemon=True).start()


def send(target: str, start: float) -> None:
    """One flow: wait for its time, send FLOW_BYTES, wait until the receiver has closed."""
    time.sleep(max(0.0, start - time.time()))
    family = socket.AF_INET6 if ":" in target else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        use_congestion_control(connection)
        connection.settimeout(10)
        connection.connect((target, SERVICE))
        connection.sendall(bytes(FLOW_BYTES))
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)


def play_host(host: str, begin: float) -> None:
    """Do what one host does: receive, and send to all of the other side in every wave. One pair of four uses IPv6."""
    threading.Thread(target=serve, daemon=True).start()
    own, side = int(host[1]), 3 - SIDES[host[0]]
    jitter = random.Random(host)
    senders = []
    for wave in range(WAVES):
        for peer in range(1, HOSTS + 1):
            target = f"fd00:{side}::{peer}" if (own + peer) % 4 == 0 else f"10.{side}.0.{peer}"
            start = begin + wave * WAVE_PERIOD + jitter.uniform(0, 0.010)
            senders.append(threading.Thread(target=send, args=(target, start)))
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    time.sleep(0.8)  # go on receiving until the others are done


def capture(out: Path) -> None:
    """Build the network, run the waves under tcpdump, write `out` (gzip when it ends in .gz)."""
    remove()
    try:
        hosts = build()
        with tempfile.TemporaryDirectory() as folder:
            raw = Path(folder) / "raw.pcap"
            begin = time.time() + 2.0
            me = ["python3", str(Path(__file__).resolve()), "--begin", str(begin), "--host"]
            players = [subprocess.Popen(["ip", "netns", "exec", PREFIX + host, *me, host]) for host in hosts]
            time.sleep(max(0.0, begin - 0.5 - time.time()))
            sniff = f"tcpdump -Z root -i br0 -Q in -s {SNAPLEN} -B 65536 --time-stamp-precision=nano -w {raw}"
            sniffer = subprocess.Popen(
                ["ip", "netns", "exec", f"{PREFIX}west", *sniff.split()],
                stderr=subprocess.PIPE,
                text=True,
            )
            try:
                failed = [host for host, player in zip(hosts, players, strict=True) if player.wait(timeout=20)]
            finally:
                for player in players:
                    player.kill()
                sniffer.send_signal(signal.SIGINT)
            print(sniffer.communicate(timeout=10)[1].strip())
            if failed:
                sys.exit(f"flows failed on {', '.join(failed)}; no capture written")
            part = out.with_name(out.name + ".part")
            if out.suffix == ".gz":
                with raw.open("rb") as source, gzip.GzipFile(part, "wb", mtime=0) as target:
                    shutil.copyfileobj(source, target)
            else:
                shutil.copyfile(raw, part)
            part.rename(out)
        for router in ("west", "east"):
            marks = re.findall(r"counter packets (\d+)", namespace(router, "nft list table inet phantom"))
            queue = namespace(router, "tc -s qdisc show dev trunk").splitlines()[1].strip()
            print(f"{router}: {queue}; marked by the phantom queue: {' + '.join(marks)} (IPv4 + IPv6)")
        print(f"{out}: {out.stat().st_size} bytes")
        print(f"kernel {os.uname().release}, congestion control {congestion_control()}, tcp_ecn=1")
    finally:
        remove()


def main() -> None:
    """Read the command line; capture, or play one host of a capture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?", default=Path("linux-ecn.pcap.gz"), help="capture to write")
    parser.add_argument("--host", help=argparse.SUPPRESS)  # the script's own use: play this host
    parser.add_argument("--begin", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.host:
        play_host(arguments.host, arguments.begin)
        return
    if os.geteuid():
        sys.exit("network namespaces need root: run it with sudo")
    missing = [tool for tool in ("ip", "tc", "nft", "ethtool", "tcpdump") if not shutil.which(tool)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}; apt-get install iproute2 nftables ethtool tcpdump")
    capture(arguments.out)


if __name__ == "__main__":
    main()
