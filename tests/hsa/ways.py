# SPDX-License-Identifier: MIT
"""Programs on the stand-in's device: with and without the HSA layer, and recorded."""
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session

CHANNEL = ["--subbuf-size", "1M", "--num-subbuf", "8", "--blocking-timeout", "inf"]
CONTEXTS = ["vpid", "vtid", "procname"]
# A packet as the stand-in ran it; times are own nanoseconds of CLOCK_MONOTONIC.
Ran = collections.namedtuple("Ran", "pid ring index type start end profiled")
Done = collections.namedtuple("Done", "code output errors")


class Place:
    def __init__(self, build, work):
        self.build, self.work = Path(build).resolve(), Path(work)
        self.tests = self.build / "tests/hsa"
        self.layer = self.build / "liblttng-gpu-hsa.so"
        hidden = ("HSA_TOOLS_LIB", "LD_PRELOAD", "LTTNG_GPU_HSA_TIMES")
        self.base = {name: value for name, value in os.environ.items() if name not in hidden}
        self.base |= {"LD_LIBRARY_PATH": str(self.tests / "stand-in"), "LC_ALL": "C", "PACKETS_CODE": str(self.tests / "two.co")}
        self.with_layer = {"HSA_TOOLS_LIB": str(self.layer)}

    def run(self, *command, timeout=90, **variables):
        """A program that hangs has the code "hangs"."""
        try:
            done = subprocess.run([str(word) for word in command], env={**self.base, **variables}, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=timeout, text=True)
        except subprocess.TimeoutExpired as hang:
            return Done("hangs", str(hang.stdout), str(hang.stderr))
        return Done(done.returncode, done.stdout, done.stderr)

    def packets(self, *arguments, **variables):
        return self.run(self.tests / "packets", *arguments, **variables)

    def recorded(self, name, *arguments, **variables):
        """The trace, what the program did, and what the device did."""
        folder, log, queues = (self.work / f"{name}-{what}" for what in ("trace", "log", "queues"))
        with lttng_session.session(f"hsa-{name}", folder, channel=CHANNEL, events="lttng_gpu_hsa:*", contexts=CONTEXTS):
            done = self.packets(*arguments, **self.with_layer, **lttng_session.application_environment,
                                STAND_IN_LOG=str(log), PACKETS_LOG=str(queues), **variables)
        noted = read_queues(queues)
        own = set(noted.values())  # the runtime has queues of its own
        return folder, done, [packet for packet in read_log(log) if (packet.pid, packet.ring) in own], noted


def read_log(path):
    """In the order of starting, of each queue in that of its packets."""
    lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
    return [Ran(int(pid), ring, *map(int, numbers)) for pid, ring, *numbers in lines]


def read_queues(path):
    """(pid, the ring buffer's address) of each queue's address."""
    return {int(queue, 16): (int(pid), ring) for pid, queue, ring in (line.split() for line in path.read_text().splitlines())}


def read_events(folder, name):
    """Of each event of that name, its fields as text."""
    text = subprocess.run(["babeltrace2", str(folder)], capture_output=True, text=True, timeout=300, check=True).stdout
    found = []
    for line in text.splitlines():
        if f" lttng_gpu_hsa:{name}: " in line:
            body = line.split(f" lttng_gpu_hsa:{name}: ", 1)[1]
            found.append({key: label or number or text for key, label, number, text in
                          re.findall(r'(\w+) = (?:\( "(\w+)"|(-?(?:0x)?[0-9A-Fa-f]+)\b|"([^"]*)")', body)})
    return found
