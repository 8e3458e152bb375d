#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_ftrace.py LTTNG_GPU: one load that LTTng, trace-cmd, tracefs and perf recorded at the same time (record-ftrace)
gives the same jobs, whatever file they are read from. Prints TAP."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import advice
from same_load import differences, identity, jobs, times
from tap import Tap

lttng_gpu = sys.argv[1]
tap = Tap()
COLUMNS = ("ring", "tid", "comm", "status")


for case in sorted(path.parent for path in Path(__file__).parent.glob("*/v7.dat")):
    lttng = jobs(case / "kernel")[1]
    read = {path.name: jobs(path) for path in sorted([*case.glob("*.dat"), *case.glob("*.txt")])}
    binary = read["v7.dat"][1]
    tap.check_that(f"{case.name}: there are jobs of both drivers", {row["driver"] for row in lttng} == {"gputest", "virtio_gpu"})
    for name, (code, rows) in read.items():
        tap.check_that(f"{case.name}: {name} is read", code == 0, f"exit code {code}")
        problems = differences([identity(row, *COLUMNS) for row in lttng], [identity(row, *COLUMNS) for row in rows])
        tap.check(f"{case.name}: {name} has the jobs that LTTng recorded", problems)
        # The clocks have different origins, and under emulation a thread may stop between two tracers' probes.
        away = [a - b for a, b in zip(times(lttng), times(rows))]
        away = sorted(abs(value - median(away)) for value in away)
        close = away[len(away) * 9 // 10] < 10e6 and away[-1] < 1e9
        tap.check_that(f"{case.name}: {name} has LTTng's times", close, f"up to {away[-1]} ns away")
        words = ["trace-cmd record with -e sched_switch -e sched_waking" if name.endswith(".dat")
                 else "record the events sched_switch and sched_waking"]
        tap.check(f"{case.name}: {name}: advice is for its recorder", advice.problems(lttng_gpu, case / name, words))
        if name.endswith(".dat"):
            tap.check(f"{case.name}: {name} is as v7.dat", differences(binary, rows))
    printed = [abs(a - b) for a, b in zip(times(binary), times(read["report.txt"][1]))]
    tap.check_that(f"{case.name}: trace-cmd prints the times that v7.dat has", max(printed) <= 1000, f"{max(printed)} ns away")
    threads = {row["tid"] for row in read["trace.txt"][1] if row["pid"]}
    tap.check_that(f"{case.name}: trace.txt knows the processes", threads == {row["tid"] for row in lttng})
tap.check_that("there are golden cases", tap.number > 0)
def without_begin_of(cpu, lines, share=0.4):
    """The text trace without the events of one CPU in its first part; nothing in it announces that."""
    time_of = lambda line: float(re.search(r" (\d+\.\d+): ", line)[1])
    times = [time_of(line) for line in lines if not line.startswith("#")]
    begin = times[0] + share * (times[-1] - times[0])
    return [line for line in lines if line.startswith("#") or f"[{cpu:03}]" not in line or time_of(line) >= begin]


for case in sorted(path.parent for path in Path(__file__).parent.glob("*/v7.dat")):
    for cpu in 0, 1:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as text:
            text.writelines(without_begin_of(cpu, (case / "trace.txt").read_text().splitlines(True)))
            text.flush()
            run = subprocess.run([lttng_gpu, "report", "--format", "json", text.name], capture_output=True, text=True)
        report = json.loads(run.stdout)
        length = report["window"]["end_ns"] - report["window"]["begin_ns"]
        starving = [queue["ring"] for queue in report["queues"] if (queue["state_ns"]["host_only"] or 0) > length / 2]
        tap.check(f"{case.name}: a CPU {cpu} that begins late is noticed and left out of the window", [
            *([] if run.returncode == 4 else [f"exit code {run.returncode}"]), *([] if not starving else [f"{starving} starve"]),
            *([] if [gap["cpu"] for gap in report["recording"]["gaps"]] == [cpu] else [str(report["recording"])])])

with tempfile.NamedTemporaryFile("w", suffix=".txt") as text:
    text.write("           a-4   [001] d..2. 1.000000: sched_switch: prev_comm=a prev_pid=4 prev_prio=120 "
               "prev_state=S ==> next_comm=b next_pid=9 next_prio=120\n")
    text.flush()
    tap.check("a text without jobs: advice is for tracefs",
              advice.without_jobs(lttng_gpu, text.name, ["/sys/kernel/tracing/events/SYSTEM/enable"]))

sys.exit(tap.finish())
