#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_with_truth.py LTTNG_GPU OUT: compares what lttng-gpu says of a recorded session with what is known of it.

OUT is what tests/vm/guest/record leaves: the trace, the test GPU driver's own log of every job (clock readings just
before and just after each moment), and kmscube's pid. Prints TAP.
"""
import csv
import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap


def clock_offset(trace):
    """Nanoseconds from the kernel's monotonic clock, which the driver reads, to the trace's times."""
    text = subprocess.run(["babeltrace2", "-o", "ctf-metadata", trace / "kernel"], check=True,
                          capture_output=True, text=True).stdout
    clock = re.search(r"clock \{.*?\}", text, re.DOTALL).group(0)
    number = lambda name: int((re.search(rf"\b{name} = (\d+);", clock) or [0, 0])[1])
    assert number("freq") == 1_000_000_000, clock
    return number("offset_s") * 1_000_000_000 + number("offset")


def read_jobs(lttng_gpu, trace):
    run = subprocess.run([lttng_gpu, "jobs", "--format", "csv", trace], capture_output=True, text=True)
    return run, list(csv.DictReader(run.stdout.splitlines()))


def key(row):
    return row["context"], row["seqno"]


def outside(truth, jobs, moment, offset, basis=None):
    """Jobs whose moment is not between the driver's two clock readings around it."""
    problems = []
    for row in truth:
        job = jobs.get(key(row))
        if job is None:
            continue
        low, high = (int(row[f"{moment}_{end}"]) + offset for end in ("lo", "hi"))
        time = job[f"{moment}_ns"]
        if not time or not low <= int(time) <= high:
            problems.append(f"{row['device']} {row['ring']} {key(row)}: {moment} {time or 'unknown'} not in [{low}, {high}]")
        elif basis and job[f"{moment}_basis"] != basis:
            problems.append(f"{row['device']} {row['ring']} {key(row)}: basis {job[f'{moment}_basis']}, not {basis}")
    return problems


def differing(truth, jobs, columns):
    return [f"{key(row)}: {column} is {jobs[key(row)][column]}, the driver says {row[column]}"
            for row in truth if key(row) in jobs for column in columns if jobs[key(row)][column] != row[column]]


def check_test_driver(tap, truth, rows, offset):
    jobs = {key(row): row for row in rows}
    fifo = [row for row in truth if not row["ring"].startswith("async")]
    distinct = lambda column: {row[column] for row in truth}
    tap.check("the session is large enough: 2000 jobs, 3 rings, 3 processes, 2 devices, dependencies",
              [f"{name} is {value}" for name, value, least in (
                  ("jobs", len(truth), 2000), ("rings", len(distinct("ring")), 3), ("processes", len(distinct("pid")), 3),
                  ("devices", len(distinct("device")), 2),
                  ("jobs with dependencies", sum(row["dependencies"] != "0" for row in truth), 100)) if value < least])
    tap.check("every job of the driver's log is there", [f"no job {key(row)}" for row in truth if key(row) not in jobs])
    known = {key(row) for row in truth}
    tap.check("no other job is there", [f"{key(row)}" for row in rows if key(row) not in known])
    tap.check("jobs are in the order of queued", [f"row {i}" for i in range(1, len(rows))
                                                  if int(rows[i - 1]["queued_ns"] or 0) > int(rows[i]["queued_ns"] or 0)])
    tap.check("device and ring are right (both devices have the same ring names)", differing(truth, jobs, ["device", "ring"]))
    tap.check("pid, tid and comm are right", differing(truth, jobs, ["pid", "tid", "comm"]))
    tap.check("the driver is named", [f"{key(row)}: {row['driver']}" for row in rows if row["driver"] != "gputest"])
    tap.check("every job is complete", [f"{key(row)}: {row['status']}" for row in rows if row["status"] != "complete"])
    for moment in ("queued", "submitted", "completed"):
        tap.check(f"{moment} is between the driver's clock readings", outside(truth, jobs, moment, offset))
    tap.check("inferred start times on FIFO rings are right", outside(fifo, jobs, "started", offset, "inferred"))
    parallel = [jobs[key(row)] for row in truth if row["ring"].startswith("async") and key(row) in jobs]
    stopped = {}
    problems = []
    for job in sorted(parallel, key=lambda job: int(job["completed_ns"])):
        if not job["started_ns"]:
            stopped[job["device"]] = True
        elif stopped.get(job["device"]):
            problems.append(f"{job['device']} {key(job)}: started {job['started_basis']} after the ring was seen not to be FIFO")
    if len(stopped) < 2:
        problems.append("the parallel rings were not recognised as such")
    tap.check("start times on parallel rings are unknown after the first evidence", problems)


def check_kmscube(tap, trace, pid, rows):
    text = subprocess.run(["babeltrace2", trace], check=True, capture_output=True, text=True).stdout
    fenced = [line for line in text.splitlines() if " virtio_gpu_cmd_queue:" in line and re.search(r"flags = 0x[0-9A-F]*[13579BDF],", line)]
    jobs = [row for row in rows if row["driver"] == "virtio_gpu"]
    tap.check("kmscube sent commands with a fence", [] if len(fenced) >= 20 else [f"{len(fenced)} commands"])
    tap.check("there are as many jobs as virtio_gpu commands with a fence",
              [] if len(jobs) == len(fenced) else [f"{len(jobs)} jobs, {len(fenced)} commands"])
    tap.check("they are kmscube's", [f"{key(row)}: pid {row['pid']} ({row['comm']}), not {pid}" for row in jobs if row["pid"] != pid])
    tap.check("they have their fence's context, and a host queue that began with it",
              [f"{key(row)}: queued {row['queued_ns']}, submitted {row['submitted_ns']}" for row in jobs
               if not row["context"] or int(row["queued_ns"]) >= int(row["submitted_ns"])])
    tap.check("they are complete, and in order", [f"{key(row)}: {row}" for row in jobs if not (
        row["status"] == "complete" and int(row["queued_ns"]) <= int(row["submitted_ns"]) <= int(row["started_ns"] or row["submitted_ns"])
        <= int(row["completed_ns"]))])


def check_report(tap, lttng_gpu, trace, rows):
    run = subprocess.run([lttng_gpu, "report", "--format", "json", trace], capture_output=True, text=True)
    tap.check("report exits with 0", [] if run.returncode == 0 else [f"{run.returncode}: {run.stderr}"])
    report = json.loads(run.stdout)
    window = report["window"]["end_ns"] - report["window"]["begin_ns"]
    complete = sum(row["status"] == "complete" for row in rows)
    problems = []
    if report["schema"] != "lttng-gpu/report/1":
        problems.append(report["schema"])
    if report["accounting"]["jobs_complete"] != complete:
        problems.append(f"jobs_complete {report['accounting']['jobs_complete']}, jobs has {complete}")
    for queue in report["queues"]:
        name = f"{queue['device']} {queue['ring']}"
        count = sum((row["device"], row["ring"]) == (queue["device"], queue["ring"]) for row in rows)
        if queue["jobs"] != count:
            problems.append(f"{name}: {queue['jobs']} jobs, jobs has {count}")
        for part in ("host_queue", "device_queue"):
            if sum(queue[part]["depth_hist_ns"].values()) != window:
                problems.append(f"{name}: {part} depth_hist_ns does not add up to the window")
        if sum(queue["state_ns"].values()) != window:
            problems.append(f"{name}: state_ns does not add up to the window")
        if queue["ring"].startswith("async") and (queue["execution"]["latency_ns"]["count"] or not queue["fifo_violations"]):
            problems.append(f"{name}: runs jobs in parallel, but starts are taken for known")
        if not 0 < queue["execution"]["busy_ratio"] <= 1 and not queue["ring"].startswith("async"):
            problems.append(f"{name}: busy_ratio {queue['execution']['busy_ratio']}")
        if sum(process["jobs"] for process in queue["processes"]) != queue["jobs"]:
            problems.append(f"{name}: the jobs of its processes do not add up")
    tap.check("the report agrees with the jobs and adds up", problems)
    tap.check("no event was lost", [] if report["accounting"]["events_lost"] == 0 else [str(report["accounting"])])


def check_kernel_log(tap, log):
    # The patterns are those of the in-guest tests.
    patterns = re.findall(r"^splats=['\"](?:\$splats\|)?(.*)['\"]$", (Path(__file__).parents[1] / "kselftest/tap.sh").read_text(),
                          re.MULTILINE)
    splat = re.compile("|".join(patterns))
    lines = log.read_text(errors="replace").splitlines()
    tap.check("the kernel log has no splat",
              (["it is empty"] if not lines or not patterns else []) + [line for line in lines if splat.search(line)])


def main():
    lttng_gpu, out = Path(sys.argv[1]), Path(sys.argv[2])
    trace = out / "trace"
    tap = Tap()
    run, rows = read_jobs(lttng_gpu, trace)
    tap.check("jobs exits with 0", [] if run.returncode == 0 else [f"{run.returncode}: {run.stderr}"])
    with open(out / "gputest-jobs.csv", newline="") as file:
        truth = list(csv.DictReader(file))
    check_test_driver(tap, truth, [row for row in rows if row["device"].startswith("gputest")], clock_offset(trace))
    check_kmscube(tap, trace, (out / "kmscube.pid").read_text().strip(), rows)
    check_report(tap, lttng_gpu, trace, rows)
    check_kernel_log(tap, out / "dmesg.log")
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
