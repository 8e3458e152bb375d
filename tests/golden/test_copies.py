#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_copies.py LTTNG_GPU: how many bytes copies of OpenCL moved, and how fast, is what their events (by babeltrace2) and the jobs' times
say. Prints TAP."""
import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu = sys.argv[1]
trace = Path(__file__).resolve().parents[1] / "export/traces/opencl-rounds"
tap = Tap()


def run(*arguments, **variables):
    return subprocess.run([str(word) for word in arguments], capture_output=True, text=True, errors="replace",
                          env=os.environ | {"LC_ALL": "C.UTF-8"} | variables).stdout


def expected():
    """{function: (bytes, bytes a second)}"""
    told = re.findall(r'transfer_enqueue: .*?\bcommand = (\d+).*?function = \( "(\w+)".*?\bbytes = (\d+)', run("babeltrace2", trace))
    times = {str(row["seqno"]): row["completed_ns"] - row["started_ns"]
             for row in json.loads(run(lttng_gpu, "jobs", "--format", "json", trace))
             if row["started_ns"] and row["completed_ns"]}
    moved, timed, time = (collections.Counter() for _ in range(3))
    for command, function, size in told:
        moved[function] += int(size)
        if command in times:
            timed[function] += int(size)
            time[function] += times[command]
    return {function: (moved[function], timed[function] * 1e9 / time[function]) for function in moved}


copies = expected()
tap.check_that("the trace has copies", len(copies) >= 2 and all(size > 1000 for size, _ in copies.values()), copies)
calls = {call["api_call"]: call for call in json.loads(run(lttng_gpu, "report", "--format", "json", trace))["api_calls_by_name"]}
tap.check("the report in JSON has their bytes",
          [f"{name}: {calls[name].get('bytes')} instead of {size}" for name, (size, _) in copies.items()
           if calls[name].get("bytes") != size])
tap.check("and their rate", [f"{name}: {calls[name].get('bytes_per_second')} instead of {rate}" for name, (_, rate) in copies.items()
                             if abs((calls[name].get("bytes_per_second") or 0) / rate - 1) > 1e-9])
tap.check("kernels move nothing that is known",
          [name for name, call in calls.items() if name not in copies
           and (call.get("bytes"), call.get("bytes_per_second")) != (None, None)])


def number(text):
    """A size as it is shown: three digits and a unit."""
    value, unit = re.fullmatch(r"([\d.]+)([kMGT]?B)", text).groups()
    return float(value) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[unit]


problems = []
text = run(lttng_gpu, "report", trace)
for name, (size, rate) in copies.items():
    shown = re.search(rf"^{name} .* (\S+B) +(\S+B)/s\s*$", text, re.MULTILINE)
    problems += [f"{name}: {shown and shown[0]}"] if not shown or abs(number(shown[1]) / size -
                                                                      1) > 0.01 or abs(number(shown[2]) / rate - 1) > 0.01 else []
tap.check("the first screen has both", problems + ([] if not problems else text.splitlines()))
tap.check("and fits", [line for line in text.splitlines() if len(line) > 100])
sys.exit(tap.finish())
