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

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

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
tap = Tap()
check = tap.check_that


check("babeltrace2 reads the trace", code == 0, messages)
for name in events:
    missing = fired[name] - recorded[name]
    check(f"gpu_fence_{name}: {fired[name]} fired, {recorded[name]} recorded", 0 <= missing <= discarded)
check(f"in all {sum(map(fired.get, events))} fired, {sum(recorded.values())} recorded, {discarded} discarded",
      sum(map(fired.get, events)) == sum(recorded.values()) + discarded, messages[-500:])
sys.exit(tap.finish())
