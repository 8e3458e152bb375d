#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""opencl_kernel_jobs.py LTTNG_GPU FOLDER: in what tests/kselftest/opencl_jobs.sh left in FOLDER, the kernel's jobs must
name the API call that made them, as the driver's own log tells; a job that could be of several calls names none, unless estimates are
wanted (--estimated-calls), of which few may be wrong. Prints TAP."""
import collections
import csv
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu, folder = sys.argv[1], Path(sys.argv[2])
tap = Tap()
# gputest-cl 2 40, in containers: in each of two threads 40 kernels, 5 writes and 5 reads; the driver adds a job for clFinish.
jobs_made = 102
ESTIMATED = " (estimated)"
function_of = {"write": "clEnqueueWriteBuffer", "read": "clEnqueueReadBuffer", "finish": "clFinish"}


def call_of(label):
    return function_of.get(label, f"clEnqueueNDRangeKernel({label})")


def rows_of(way, *options):
    run = subprocess.run([lttng_gpu, "jobs", "--format", "csv", *options, folder / way], capture_output=True, text=True)
    rows = list(csv.DictReader(run.stdout.splitlines()))
    return run.returncode, rows, run.stderr


def account_of(way, *options):
    run = subprocess.run([lttng_gpu, "report", "--format", "json", *options, folder / way], capture_output=True, text=True)
    return json.loads(run.stdout)["accounting"]["api_calls_of_jobs"]


def log_of(name):
    """The commands of each job, and the call that flushed."""
    jobs = collections.defaultdict(list)
    with open(folder / f"{name}.csv") as file:
        for context, seqno, _, label, call in csv.reader(file):
            jobs[context, seqno].append((label, call))
    return jobs


def containers():
    code, rows, errors = rows_of("containers")
    tap.check_that("containers: the trace is read", code == 0, errors)
    kernel = {(row["context"], row["seqno"]): row for row in rows if row["driver"] == "gputest"}
    pids = set()
    for where in ("outside", "inside"):
        made = {key: commands[0][0] for key, commands in log_of(f"containers-{where}").items()}
        tap.check_that(f"containers: every submission {where} is a job of the kernel",
                       len(made) == jobs_made and made.keys() <= kernel.keys(),
                       f"{len(made)} in the log")
        tap.check(f"containers: each job of the program {where} names the call that submitted it",
                  [(label, kernel[key]["api_call"]) for key, label in made.items() if key in kernel
                   and kernel[key]["api_call"] != call_of(label)])
        pids |= {kernel[key]["pid"] for key in made if key in kernel}
    tap.check_that("containers: they are two processes of the kernel's", len(pids) == 2, pids)


def proven(way, log):
    """The jobs that name a call without estimates: none may be wrong, and with estimates each has the same."""
    code, rows, errors = rows_of(way)
    named = {(row["context"], row["seqno"]): row["api_call"] for row in rows if row["driver"] == "gputest" and row["api_call"]}
    wrong = [(key, call, log[key]) for key, call in named.items()
             if call not in {name for label, by in log[key] for name in (call_of(label), by)}]
    tap.check(f"{way}: without estimates each name is right", wrong + ([] if code == 0 else [errors]))
    counted = account_of(way)["named"]
    tap.check_that(f"{way}: and none is an estimate", counted["estimated"] == 0 and sum(counted.values()) == len(named), counted)
    return named


# Which more were recorded depends on WAYS and LONG.
ways = ["direct", "thread-times"]
ways += sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name not in (*ways, "containers"))
for way in ways:
    has_times, is_split = way.endswith(("-times", "-both")), way.startswith("split")
    commands_made = 1000 if way == "merge-ioctls" else 400  # gputest-cl 2 400, or 2 160
    code, rows, errors = rows_of(way, "--estimated-calls")
    log = log_of(way)
    made = {key: {label for label, _ in commands} for key, commands in log.items()}
    # Three jobs of each kernel whose name ends in 2, where commands are split.
    lines = collections.Counter(label for commands in log.values() for label, _ in commands)
    times = {label: count // 3 if is_split and label.endswith("2") else count for label, count in lines.items()}
    kernel = {(row["context"], row["seqno"]): row for row in rows if row["driver"] == "gputest"}
    opencl = [row for row in rows if row["driver"] == "opencl"]
    tap.check_that(f"{way}: the trace is read", code == 0, errors)
    account = account_of(way, "--estimated-calls")
    tap.check_that(f"{way}: what was recorded of the driver's threads is found", account["recorded"] ==
                   {"ioctls": way.endswith(("-ioctls", "-both")), "sched": False, "device_times": has_times}, account["recorded"])
    counted = sum(account["named"].values()), sum(account["unnamed"].values())
    tap.check_that(f"{way}: each job of the kernel has a call, or one cause why not", counted == (
        *(sum((row["api_call"] != "") == is_named for row in rows if row["driver"] != "opencl") for is_named in (True, False)),), account)
    tap.check_that(f"{way}: every submission is a job of the kernel",
                   sum(times.values()) == commands_made + 2 and made.keys() == kernel.keys(),
                   f"{sum(times.values())} commands in the log, {len(made)} jobs, {len(kernel)} in the trace")
    tap.check_that(f"{way}: every command is a job of OpenCL", len(opencl) == commands_made, len(opencl))
    wanted = collections.Counter({call_of(label): count for label, count in times.items() if label != "finish"})
    got = collections.Counter(row["api_call"] for row in opencl)
    tap.check_that(f"{way}: commands have their calls", wanted == got, (wanted, got))
    if has_times:
        tap.check(f"{way}: every command has the device's times",
                  [row for row in opencl if not row["started_ns"] or not row["completed_ns"]])
    else:
        tap.check(f"{way}: this driver reports no times, and none are shown",
                  [row for row in opencl if row["started_ns"] or row["completed_ns"] or row["started_basis"] != "unknown"])
    decided = proven(way, log)
    tap.check_that(f"{way}: what is proven is so with estimates, too, and these say that they are estimates", decided == {
        key: row["api_call"] for key, row in kernel.items() if row["api_call"] and not row["api_call"].endswith(ESTIMATED)}, decided)
    named = {key: row["api_call"].removesuffix(ESTIMATED) for key, row in kernel.items() if row["api_call"]}
    if way == "flush":
        # Submission happens in the next call that flushes, of either thread and any queue, whatever the command.
        wrong = [(commands, named.get(key)) for key, commands in log.items() if named.get(key) not in {call for _, call in commands}]
        tap.check(f"{way}: each job of the kernel names the call in which it was submitted", wrong)
    else:
        # A job of several commands is of each of their calls.
        wrong = [(labels, named[key]) for key, labels in made.items() if key in named and named[key] not in map(call_of, labels)]
        right = len(named) - len(wrong)
        if way == "direct":
            tap.check_that(f"{way}: each job of the kernel names the call that submitted it", not wrong and len(named) == len(made), wrong)
        else:
            tap.check_that(f"{way}: no more than one in a hundred jobs that are named names a call that did not submit it",
                           len(wrong) <= 0.01 * len(named), f"{len(wrong)} of {len(named)} wrong: {wrong}")
        if way not in ("direct", "merge", "merge-long") and (has_times or "-never" not in way):
            # Estimates: where the guest stands still, what comes after that may not be aligned.
            tap.check_that(f"{way}: with estimates, four of five jobs name a call that submitted them", right >= 0.8 * len(made),
                           f"{right} of {len(made)}: {account['unnamed']}")
        # Of others, and of merged commands of which nothing more is recorded, fewer can: docs/jobs-from-events.md says why.
    right = len(named) - len(wrong)
    print(f"# {way}: {len(made)} jobs, {len(decided)} named without estimates, {len(named)} with them, precision "
          f"{100 * right / max(len(named), 1):.1f} %, recall {100 * right / max(len(made), 1):.1f} %")
containers()
sys.exit(tap.finish())
