#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_device_export.py LTTNG_GPU BUILD: a device trace with warps and times, exported as CTF and read back by babeltrace2: all counts and
times are those of `lttng-gpu device`; the report of the session has a table of its kernels. Prints TAP."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "tests/device")]
from exported import differences, exported  # noqa: E402
from tap import Tap  # noqa: E402

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()


def run(*arguments):
    return subprocess.run([lttng_gpu, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def check_export(trace, folder):
    told = json.loads(run("device", "--format", "json", trace).stdout)
    events, code, errors = exported(lttng_gpu, trace, folder / "exported")
    tap.check("each number of the export is that of the report", differences(told, events) if code == 0 else [errors])
    tap.check_that("the trace has launches with warps, without, and with lost records", len(events["warp_begin"]) > 500 and
                   any(launch["device"] is None for launch in told["launches"])
                   and any(launch["records_lost"] for launch in told["launches"]), told)
    times = [event["time"] for event in events["kernel_record"] if event["basis"] == "observed"]
    tap.check_that("records have times of their own", len(set(times)) > len(times) / 2 > 500, len(times))
    named = {(event["function"], event["line"]) for event in events["kernel_record"]}
    tap.check_that("records have the places of the source", ("rows", 10) in named and ("items", 4) in named, named)
    again = run("export", "--to", "ctf", folder / "exported", "-o", folder / "again")
    tap.check_that("an export of the export adds nothing", again.returncode == 0 and "none are added" in again.stderr, again.stderr)


def check_bounds(trace):
    told = json.loads(run("device", "--format", "json", trace).stdout)
    timers = {timer["device"]: timer for timer in told["timers"]}
    tap.check_that("the commands' times bound the launches of one device",
                   timers[7]["bounded_by"] == "commands" and timers[7]["command_conflicts"] == 0 and
                   timers[7]["launches_with_command"] == timers[7]["launches_mapped"] == 6, timers)
    tap.check_that("those of the other one contradict its timer, which is told, and do not count", timers[8]["bounded_by"] == "calls" and
                   timers[8]["command_conflicts"] > 0 and timers[8]["launches_mapped"] == 3, timers)
    text = run("device", trace).stdout
    tap.check_that("and in words", "times of commands contradict the device's timer" in text and "bounded by the times of commands" in text,
                   text)
    jobs = {job["seqno"]: job for job in json.loads(run("jobs", "--format", "json", trace).stdout)}
    outside = [launch for launch in told["launches"] if launch["device"] and launch["device"]["bounded_by"] == "commands" and not
               jobs[launch["command"]]["started_ns"] <= launch["device"]["begin_ns"] < launch["device"]["end_ns"] <= jobs[launch["command"]]["completed_ns"]]
    tap.check("launches are inside of their commands", outside)


def check_report(trace):
    told = json.loads(run("device", "--format", "json", trace).stdout)
    report = json.loads(run("report", "--format", "json", trace).stdout)["device_trace"]
    text = run("report", trace).stdout
    problems = []
    for row, kernel in zip(report["kernels"], told["kernels"]):
        executions = sum(place["executions"] for place in kernel["locations"])
        cost = "time_ns" if kernel["unit"] == "warp" else "executions"
        most = max(kernel["locations"], key=lambda place: place[cost])
        mine = [launch["device"] for launch in told["launches"] if launch["kernel"] == kernel["name"] and launch["device"]]
        expected = [kernel["name"], kernel["launches"], executions, kernel["records_lost"], most["location"], most["line"],
                    most["lanes_mean"]]
        found = [row["name"], row["launches"], row["executions"], row["records_lost"], row["most_expensive"]["location"],
                 row["most_expensive"]["line"],
                 row["most_expensive"]["lanes_mean"]]
        if found != expected:
            problems.append(f"{found}, not {expected}")
        tail = sum(launch["tail_ns"] for launch in mine) / sum(launch["duration_ns"] for launch in mine) if mine else None
        if (tail is None) != (row["tail_ratio"] is None) or (tail is not None and abs(tail - row["tail_ratio"]) > 1e-9):
            problems.append(f"{kernel['name']}: tail {row['tail_ratio']}, not {tail}")
        share = f"{100 * row['most_expensive']['share']:.1f}%"
        if not any(line.startswith(kernel["name"]) and share in line for line in text.splitlines()):
            problems.append(f"{kernel['name']}: the text has no row with {share}")
    tap.check("the report has a row for each kernel", problems if len(report["kernels"]) == len(told["kernels"]) == 3 else [report])
    tap.check_that("and names the command with the details", "lttng-gpu device TRACE" in text and report["details"] == "lttng-gpu device",
                   text)
    other = top / "tests/golden/linux-6.12"
    tap.check_that("a trace without such kernels has no such table",
                   "device_trace" not in run("report", "--format", "json", other).stdout and
                   "inside of kernels" not in run("report", other).stdout)


with tempfile.TemporaryDirectory() as name:
    (Path(name) / "trace").mkdir()
    subprocess.run([build / "device-launches-trace", Path(name) / "trace"], check=True)
    check_export(Path(name) / "trace", Path(name))
    check_bounds(Path(name) / "trace")
    check_report(Path(name) / "trace")
sys.exit(tap.finish())
