# SPDX-License-Identifier: MIT
"""What `lttng-gpu export --to ctf` wrote of a device trace, as babeltrace2 reads it, against `lttng-gpu device --format json`."""
import re
import subprocess
from collections import Counter

FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|-?\d+)')
LINE = re.compile(r"^\[(\d+)\.(\d+)\].*? lttng_gpu_device:(\w+): (.*)$")
KINDS = ("kernel_begin", "warp_begin", "kernel_record", "warp_end", "kernel_location", "kernel_end")


def exported(lttng_gpu, trace, folder):
    """The events by kind, each with its fields and `time` in ns; the exit code and the errors of the export."""
    run = subprocess.run([lttng_gpu, "export", "--to", "ctf", trace, "-o", folder], capture_output=True, text=True, timeout=300)
    text = subprocess.run(["babeltrace2", "--clock-seconds", "--no-delta", folder], capture_output=True, text=True, errors="replace",
                          timeout=300).stdout
    events, times = {kind: [] for kind in KINDS}, []
    for line in text.splitlines():
        found = LINE.match(line)
        if found and found[3] in events:
            fields = {name: value[1:-1] if value[0] == '"' else int(value) for name, value in FIELD.findall(found[4])}
            fields["time"] = int(found[1]) * 1_000_000_000 + int(found[2])
            events[found[3]].append(fields)
            times.append(fields["time"])
    return events, run.returncode, run.stderr


def differences(told, events):
    """What of the report's numbers the events do not have."""
    problems = []

    def same(what, here, there):
        if here != there:
            problems.append(f"{what}: {here} in the export, {there} in the report")

    same("launches", len(events["kernel_begin"]), len(told["launches"]))
    for launch in told["launches"]:
        number, device = launch["launch"], launch["device"]
        mine = {kind: [event for event in events[kind] if event["launch"] == number] for kind in KINDS}
        if [len(mine["kernel_begin"]), len(mine["kernel_end"])] != [1, 1]:
            problems.append(f"launch {number}: {len(mine['kernel_begin'])} begins, {len(mine['kernel_end'])} ends")
            continue
        begin, end = mine["kernel_begin"][0], mine["kernel_end"][0]
        same("command", begin["command"], launch["command"] or 0)
        same("kernel", begin["kernel"], launch["kernel"])
        same("records", [len(mine["kernel_record"]), end["records"]], [launch["records"]] * 2)
        same("records lost", end["records_lost"], launch["records_lost"])
        sums, lanes = Counter(), Counter()
        for record in mine["kernel_record"]:
            sums[record["location"]] += record["count"]
            lanes[record["location"]] += record["count"] * record["lanes_active"]
        same("executions", dict(sums), {place["location"]: place["executions"] for place in launch["locations"]})
        same("executions of locations", {place["location"]: place["executions"] for place in mine["kernel_location"]}, dict(sums))
        same("lanes of locations", {place["location"]: place["lanes"] for place in mine["kernel_location"]}, dict(lanes))
        if device:
            same("times", [begin["time"], end["time"]], [device["begin_ns"], device["end_ns"]])
            same("error", begin["error_ns"], device["error_ns"])
            same("warps", [len(mine["warp_begin"]), len(mine["warp_end"]), end["warps"]], [device["warps"]] * 3)
            same("multiprocessors", [len({event["multiprocessor"] for event in mine["warp_begin"]}), end["multiprocessors"]],
                 [device["multiprocessors"]] * 2)
            if not all(begin["time"] <= event["time"] <= end["time"] for kind in KINDS for event in mine[kind]):
                problems.append(f"launch {number}: an event is outside of it")
        else:
            same("basis without times", {event["basis"] for kind in KINDS for event in mine[kind]}, {"unknown"})
    return problems
