#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""opengl_frames.py LTTNG_GPU FOLDER: in what tests/kselftest/opengl_frames.sh left in FOLDER, each frame of kmscube must have
the jobs that the kernel's driver was given for it, and each job must name the call in which it was given. Prints TAP."""
import csv
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu, trace = sys.argv[1], Path(sys.argv[2]) / "trace"
tap = Tap()
# kmscube --count=60; the first frames begin before their buffers are there, and the last ones may end with the program.
wanted, ragged = 60, 3


def read(*words):
    run = subprocess.run([lttng_gpu, *words, trace], capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


code, text, errors = read("frames", "--format", "json")
frames = json.loads(text) if text else []
tap.check_that("the trace is read, and nothing is lost", code == 0, (code, errors))
tap.check_that("each frame of the program is a frame of the trace", wanted <= len(frames) <= wanted + 1 and
               [frame["frame"] for frame in frames] == list(range(1, len(frames) + 1)), [frame["frame"] for frame in frames])
whole = frames[ragged:wanted - ragged]
without_jobs = [(frame["frame"], frame["jobs"]) for frame in whole if not frame["jobs"]]
tap.check_that("each frame has jobs", whole and not without_jobs, without_jobs)
without_times = [frame for frame in whole if frame["completed_ns"] is None or frame["host_queue_ns"] is None]
tap.check_that("their times are known", whole and not without_times, without_times[:3])
code, text, errors = read("jobs", "--format", "csv")
jobs = [row for row in csv.DictReader(text.splitlines()) if row["comm"].startswith("kmscube") and row["driver"] == "virtio_gpu"]
begin, end = (frames[place]["end_ns"] for place in (ragged, wanted - ragged)) if len(frames) >= wanted else (0, 0)
drawn = [row for row in jobs if row["queued_ns"] and begin <= int(row["queued_ns"]) <= end]
named = [row for row in drawn if row["api_call"]]
tap.check_that("jobs of the program name the call in which they were given", len(drawn) >= len(whole) > 0 and len(named) >= 0.95 * len(drawn),
               f"{len(named)} of {len(drawn)}: {sorted({row['api_call'] for row in drawn})}")
print(f"# {len(frames)} frames, {len(drawn)} jobs in them, {len(named)} name their call: {sorted({row['api_call'] for row in named})}")
sys.exit(tap.finish())
