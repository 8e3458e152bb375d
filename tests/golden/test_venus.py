#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_venus.py LTTNG_GPU [TRACE]: a recording of a Vulkan program on Venus (a virtio-gpu that takes Vulkan; tests/golden/record-venus made
it, with LTTng 2.16 on Linux 7.2). The program submits 20 times, one after the other, each with a fence whose SYNC_FD it takes and waits
for, so the kernel's driver has a job for each: it must name its call and end after the device says that the submission did. Prints TAP."""
import csv
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu = sys.argv[1]
trace = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "linux-7.2-venus"
tap = Tap()
submissions = 20


def read(*words):
    run = subprocess.run([lttng_gpu, *words, trace], capture_output=True, text=True)
    return run.returncode, run.stdout


code, text = read("jobs", "--format", "csv")
rows = [row for row in csv.DictReader(text.splitlines()) if row["comm"] == "exported"]
tap.check_that("the trace is read, and nothing is lost", code == 0, code)
kernel = [row for row in rows if row["driver"] == "virtio_gpu" and row["api_call"] == "vkQueueSubmit"]
device = sorted((row for row in rows if row["driver"] == "vulkan"), key=lambda row: int(row["seqno"]))
seqnos = [int(row["seqno"]) for row in kernel]
tap.check_that("each submission is a job of the kernel's driver that names vkQueueSubmit, and no other job does",
               len(kernel) == submissions and
               len({row["context"] for row in kernel}) == 1 and seqnos == list(range(seqnos[0], seqnos[0] + submissions)), seqnos)
others = [row["api_call"] for row in rows if row["driver"] == "virtio_gpu" and row not in kernel]
tap.check_that("its other jobs name the calls in which they were queued", others == ["vkQueueWaitIdle", "vkDestroyInstance"], others)
tap.check_that("each submission has the device's times", len(device) == submissions and all(row["completed_ns"] for row in device),
               len(device))

code, text = read("report", "--format", "json")
report = json.loads(text)
error = max((clock["error_max_ns"] or 0 for clock in report["device_clocks"]), default=0)
tap.check_that("the host's clock, which the device has, is mapped to the guest's", 0 < error < 1_000_000, report["device_clocks"])
# The fence is signaled after the execution, of which the device's clock tells: two ways to know of one submission.
early = [int(job["completed_ns"]) - int(one["completed_ns"]) for one, job in zip(device, kernel)]
tap.check("each submission was over before its job was", [time for time in early if time < -error])
account = report["accounting"]["api_calls_of_jobs"]
tap.check_that("all jobs have a call, of their own thread",
               account["named"]["same_thread"] == len(kernel) + len(others) and not any(account["unnamed"].values()), account)
tap.check_that("the ioctls that LTTng 2.16 records are found", account["recorded"]["ioctls"], account["recorded"])
print(f"# {len(kernel)} jobs, times are known to {error / 1000:.0f} us; the device was done {min(early, default=0) / 1000:.0f} us or more "
      f"before the fence")
sys.exit(tap.finish())
