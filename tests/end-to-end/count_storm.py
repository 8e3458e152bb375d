#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count_storm.py FOLDER: what tests/kselftest/fence_storm.sh left there: of every kind of dma_fence event as many are in
the trace as have fired, but for those that the tracer says it has discarded. Prints TAP."""
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

folder = Path(sys.argv[1])
fired = {name: int(count) for name, count in (line.split() for line in (folder / "counts").read_text().splitlines())}
messages = tempfile.TemporaryFile("w+")
process = subprocess.Popen(["babeltrace2", folder / "trace"], stdout=subprocess.PIPE, stderr=messages, text=True)
recorded = collections.Counter(match[1] for match in map(re.compile(r" gpu_fence_(\w+): ").search, process.stdout) if match)
code = process.wait()
messages.seek(0)
messages = messages.read()
discarded = sum(map(int, re.findall(r"Tracer discarded (\d+) events", messages)))

events = [name for name in fired if not name.startswith("in_")]
number = failures = 0


def check(words, good, detail=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {words}" + ("" if good else f"\n# {detail}"))


check("babeltrace2 reads the trace", code == 0, messages)
for name in events:
    missing = fired[name] - recorded[name]
    check(f"gpu_fence_{name}: {fired[name]} fired, {recorded[name]} recorded", 0 <= missing <= discarded)
check(f"in all {sum(map(fired.get, events))} fired, {sum(recorded.values())} recorded, {discarded} discarded",
      sum(map(fired.get, events)) == sum(recorded.values()) + discarded, messages[-500:])
print(f"1..{number}")
sys.exit(1 if failures else 0)
