#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hsa_jobs.py LTTNG_GPU BUILD: HSA packets as jobs. Programs run on a stand-in for libhsakmt, which writes when it began
and ended each packet; what `jobs` and `report` make of the recorded events is compared with that. TAP."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import lttng_session
from tap import Tap
from ways import Place, read_events

STAGES = ("queued_ns", "submitted_ns", "started_ns", "completed_ns", "observed_ns")
lttng_gpu = Path(sys.argv[1]).resolve()
tap = Tap()
work = Path(tempfile.mkdtemp(prefix="lttng-gpu-hsa-jobs-"))
place = Place(sys.argv[2], work)


def show(*arguments):
    done = subprocess.run([lttng_gpu, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    return done, json.loads(done.stdout) if done.stdout else None


def clock_offset(folder):
    """Nanoseconds between the origins of the trace's times and of CLOCK_MONOTONIC, from the metadata."""
    metadata = next(folder.rglob("metadata")).read_bytes().decode(errors="replace")
    form = re.search(r"offset\s*=\s*(-?\d+)", metadata)
    if form:
        return int(form[1])
    seconds = re.search(r'"seconds":\s*(-?\d+)', metadata)
    cycles = re.search(r'"cycles":\s*(\d+)', metadata)
    return int(seconds[1] if seconds else 0) * 1_000_000_000 + int(cycles[1] if cycles else 0)


def check_times(part, jobs, truth, offset):
    wrong, widths = [], []
    for job in jobs:
        ran = truth[job["seqno"]]
        for stage, true in (("started_ns", ran.start), ("completed_ns", ran.end)):
            mapped, error = job[stage] - offset, job["clock_error_ns"]
            widths.append(error)
            if abs(mapped - true) > error:
                wrong.append(f"{stage} of {job['seqno']}: {mapped} ± {error}, in truth {true}")
    tap.check(f"{part}: {len(widths)} times of the device are inside their stated bounds, of at most {max(widths, default=0)} ns", wrong)
    tap.check(f"{part}: the stages are in order",
              [job for job in jobs if [job[stage] for stage in STAGES] != sorted(job[stage] for stage in STAGES)])


def check_part(part, timed_of_all, *arguments):
    folder, done, ran, queues = place.recorded(part, part, *arguments)
    shown, jobs = show("jobs", "--format", "json", folder)
    tap.check_that(f"{part}: jobs exits with 0", done.code == 0 and shown.returncode == 0 and not shown.stderr, f"{done} {shown}")
    by_place = {(packet.pid, packet.ring, packet.index): packet for packet in ran}
    truth = {int(event["command"]): by_place[(*queues[int(event["queue"], 16)], int(event["index"]))]
             for event in read_events(folder, "packet")}
    tap.check_that(f"{part}: each packet is one job", len(jobs) == len(ran) and {job["seqno"] for job in jobs} == set(truth),
                   f"{len(jobs)} jobs of {len(ran)} packets")
    timed = [job for job in jobs if job["completed_ns"]]
    tap.check_that(f"{part}: those whose signals tell times are complete",
                   len(timed) == len(jobs) * timed_of_all[0] // timed_of_all[1] and
                   all(job["status"] == "complete" and job["started_basis"] == "observed" for job in timed), f"{len(timed)} of {len(jobs)}")
    tap.check(f"{part}: of the others the host's times are known",
              [job for job in jobs if job not in timed and not (job["queued_ns"] <= job["submitted_ns"] and not job["started_ns"])])
    check_times(part, timed, truth, clock_offset(folder))
    return folder, jobs


def main():
    why_not = lttng_session.why_not()
    tap.check("sessions can be recorded", [why_not] if why_not else [])
    if why_not:
        return tap.finish()
    with lttng_session.daemon():
        folder, jobs = check_part("one", (1, 1), 100)
        _, report = show("report", "--format", "json", folder)
        anomalies = {key: count for key, count in report["accounting"]["anomalies"].items() if count}
        tap.check_that("the report has no anomaly, and the clock in one piece", not anomalies and
                       [(clock["commands_mapped"], clock["splits"]) for clock in report["device_clocks"]] == [(100, 0)],
                       f"{anomalies} {report['device_clocks']}")
        queue = report["queues"][0]
        tap.check_that("and a ring of the stand-in's device", queue["device"] == "stand-in GPU" and queue["driver"] == "hsa", queue["ring"])
        text = subprocess.run([lttng_gpu, "report", folder], capture_output=True, text=True, timeout=300).stdout
        words = [line for line in text.splitlines()
                 if line.startswith("hsa: host queue: packet written to doorbell, past the kernel; device queue: ")]
        tap.check_that("and says once what host queue and device queue are", len(words) == 1 and len(words[0]) <= 100, text)
        _, other = show("jobs", "--format", "json", "--reader", "babeltrace2", folder)
        tap.check_that("with babeltrace2 the jobs are the same", jobs == other)
        check_part("batches", (6, 8), 20)
        folder, jobs = check_part("barriers", (1, 1), 20)
        _, report = show("report", "--format", "json", folder)
        waits = sum(dependency["count"] for queue in report["queues"] for dependency in queue["dependencies"])
        tap.check_that("barriers wait for the packets of their signals", waits == 20, waits)
        _, jobs = check_part("kernels", (1, 1))
        tap.check_that("jobs have the names of their kernels", [job["api_call"] for job in jobs] ==
                       [f"hsa_signal_store_screlease({name})" for name in ("add_numbers", "scale_numbers")], jobs)
    return tap.finish()


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(work, ignore_errors=True)
