#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""opengl_frames.py LTTNG_GPU FOLDER: in what tests/kselftest/opengl_frames.sh left in FOLDER, each frame of kmscube must have
the jobs that the kernel's driver was given for it, and each job must name the call in which it was given; also where another program
draws, where a thread of Mesa's submits, and where the same program uses OpenCL. Prints TAP."""
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
# kmscube --count=60; the first frames begin before their buffers are there, and the last ones may end with the program.
wanted, ragged = 60, 3


def read(trace, *words):
    run = subprocess.run([lttng_gpu, *words, trace], capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


def jobs_of(trace):
    code, text, errors = read(trace, "jobs", "--format", "csv")
    return [row for row in csv.DictReader(text.splitlines()) if row["driver"] == "virtio_gpu" and row["queued_ns"]]


def check_frames(title, trace):
    """The jobs of kmscube in its whole frames."""
    code, text, errors = read(trace, "frames", "--format", "json")
    frames = json.loads(text) if text else []
    tap.check_that(f"{title}the trace is read, and nothing is lost", code == 0, (code, errors))
    tap.check_that(f"{title}each frame of the program is a frame of the trace", wanted <= len(frames) <= wanted + 1 and
                   [frame["frame"] for frame in frames] == list(range(1, len(frames) + 1)), [frame["frame"] for frame in frames])
    whole = frames[ragged:wanted - ragged]
    without_jobs = [(frame["frame"], frame["jobs"]) for frame in whole if not frame["jobs"]]
    tap.check_that(f"{title}each frame has jobs", whole and not without_jobs, without_jobs)
    without_times = [frame for frame in whole if frame["completed_ns"] is None or frame["host_queue_ns"] is None]
    tap.check_that(f"{title}their times are known", whole and not without_times, without_times[:3])
    begin, end = (frames[place]["end_ns"] for place in (ragged, wanted - ragged)) if len(frames) >= wanted else (0, 0)
    drawn = [row for row in jobs_of(trace) if row["comm"].startswith("kmscube") and begin <= int(row["queued_ns"]) <= end]
    named = [row for row in drawn if row["api_call"]]
    tap.check_that(f"{title}jobs of the program name the call in which they were given",
                   len(drawn) >= len(whole) > 0 and len(named) >= 0.95 * len(drawn),
                   f"{len(named)} of {len(drawn)}: {sorted({row['api_call'] for row in drawn})}")
    # Each job of the program in these frames is of one of them, and none is of another program's.
    counted = sum(frame["jobs"] for frame in whole)
    tap.check_that(f"{title}frames have as many jobs as the program has", abs(counted - len(drawn)) <= 2, (counted, len(drawn)))
    print(f"# {title}{len(frames)} frames, {len(drawn)} jobs in them, {len(named)} name their call: "
          f"{sorted({row['api_call'] for row in named})}")


def check_sharer(trace, times):
    """Each round's draws are handed over at the latest in its glFinish."""
    rounds = [tuple(map(int, line.split())) for line in times.read_text().splitlines() if line != "ready"]
    jobs = [row for row in jobs_of(trace) if row["comm"].startswith("gl-sharer")]
    tap.check_that("two: every round of the slow program was told", len(rounds) == 20, len(rounds))
    # What making the context submits is in no call that is recorded.
    named = [row["api_call"] for row in jobs]
    while named and not named[0]:
        named.pop(0)
    tap.check_that("two: each of its rounds is a job that names the call that waits for it", named == ["glFinish"] * len(rounds), named)
    others = {row["pid"] for row in jobs_of(trace) if row["comm"].startswith("kmscube")}
    tap.check_that("two: they are two processes", jobs and others and not others & {row["pid"] for row in jobs}, others)
    longest = max((end - begin for begin, end in rounds), default=0)
    print(f"# two: {len(jobs)} jobs of the slow program, {len(named)} from its first call on, rounds of up to {longest / 1e6:.1f} ms")


class Rounds:
    """What gl-rounds wrote."""

    def __init__(self, file):
        words = [line.split() for line in file.read_text().splitlines()]
        self.rounds = {int(number): tuple(map(int, rest)) for kind, number, *rest in words if kind == "round"}  # frame, begin, end
        self.threads = [" ".join(rest) for kind, *rest in words if kind == "thread"]
        # When an ioctl went on, its thread, and the rounds of which it was.
        self.submits = sorted((int(begin), int(end), int(tid), name, tuple(map(int, rounds)))
                              for kind, begin, end, tid, name, *rounds in (line for line in words if line[0] == "submit"))

    def call_of(self, rounds):
        return "glFinish" if rounds[-1] % 8 == 0 else "glFlush"

    def frame_of(self, begin, rounds):
        """A submission without a round is of the call that it was in."""
        if rounds:
            return self.rounds[rounds[-1]][0]
        return next((frame for frame, first, last in self.rounds.values() if first <= begin <= last), None)


def is_mesas(name):
    return name.rpartition(":")[2].rstrip("0123456789") in ("gl", "gdrv", "cs")


def check_helper(trace, file):
    """A thread of Mesa's submits what the program's thread drew; several calls are under way. The truth is in what was submitted."""
    truth = Rounds(file)
    of_helper = [submit for submit in truth.submits if is_mesas(submit[3])]
    tap.check_that("helper: a thread of Mesa's ran", any(map(is_mesas, truth.threads)), truth.threads)
    tap.check_that("helper: and submitted what most rounds drew",
                   len(truth.rounds) == 160 and len({round for submit in of_helper for round in submit[4]}) >= 120,
                   (len(truth.rounds), collections.Counter(submit[3] for submit in truth.submits)))
    tids = {submit[2] for submit in truth.submits}
    plain = sorted((row for row in json.loads(read(trace, "jobs", "--format", "json")[1] or "[]") if row["driver"] == "virtio_gpu"
                    and row["queued_ns"] and row["tid"] in tids),
                   key=lambda row: row["queued_ns"])[-len(truth.submits):]
    proven = [(row["api_call"], submit) for row, submit in zip(plain, truth.submits) if submit in of_helper and submit[4]
              and row["api_call"]]
    tap.check("helper: each call that its jobs name without estimates is the one that handed the work over",
              [(call, submit[4]) for call, submit in proven if call != truth.call_of(submit[4])] +
              [row for row in plain if row["api_call_basis"] == "estimated"])
    code, text, errors = read(trace, "jobs", "--format", "json", "--estimated-calls")
    jobs = sorted((row for row in (json.loads(text) if text else []) if row["driver"] == "virtio_gpu" and row["queued_ns"]
                   and row["tid"] in tids),
                  key=lambda row: row["queued_ns"])
    tap.check_that("helper: the trace is read, and nothing is lost", code == 0, (code, errors))
    # Making the context and its memory takes other ioctls, which make jobs, too.
    first, jobs = len(jobs) - len(truth.submits), jobs[max(len(jobs) - len(truth.submits), 0):]
    tap.check_that("helper: each submission is a job of its thread",
                   0 <= first < 20 and [row["tid"] for row in jobs] == [submit[2] for submit in truth.submits], (first, len(jobs)))
    # The trace has its clock from another zero on than the program, but from one.
    most = min((row["queued_ns"] - submit[0] for row, submit in zip(jobs, truth.submits)), default=0)
    least = max((row["queued_ns"] - submit[1] for row, submit in zip(jobs, truth.submits)), default=1)
    tap.check_that("helper: each was queued in its ioctl", least <= most, (least, most))
    drawn = [(row, submit[4]) for row, submit in zip(jobs, truth.submits) if submit in of_helper and submit[4]]
    named = [(row["api_call"].removesuffix(" (estimated)"), rounds) for row, rounds in drawn if row["api_call"]]
    tap.check("helper: estimates say that they are",
              [row for row, _ in drawn if row["api_call"]
               and row["api_call"].endswith(" (estimated)") != (row["api_call_basis"] == "estimated")])
    wrong = [(call, rounds) for call, rounds in named if call != truth.call_of(rounds)]
    tap.check_that("helper: of its jobs that name a call, 99 of 100 name the one that handed the work over",
                   named and len(wrong) <= 0.01 * len(named), wrong)
    tap.check_that("helper: and 95 of 100 do", drawn and len(named) - len(wrong) >= 0.95 * len(drawn),
                   f"{len(named) - len(wrong)} of {len(drawn)}")
    own = [(row["api_call"], submit[4]) for row, submit in zip(jobs, truth.submits) if submit not in of_helper and submit[4]]
    tap.check_that("helper: what the program's own thread submitted names the call in which it did",
                   own and all(call == truth.call_of(rounds) for call, rounds in own), own)
    bases = collections.Counter(row["api_call_basis"] for row, _ in drawn if row["api_call"])
    # Which of the calls it was is seen in the frames, which have from one to five rounds.
    code, text, errors = read(trace, "frames", "--format", "json", "--estimated-calls")
    got = {frame["frame"]: frame["jobs"] for frame in (json.loads(text) if text else [])}
    wanted = collections.Counter(truth.frame_of(begin, rounds) for begin, _, _, _, rounds in truth.submits)
    del wanted[None], wanted[max(got, default=0) + 1]  # the last one is not over
    wanted[1] += first
    right = sum(min(got.get(frame, 0), count) for frame, count in wanted.items())
    tap.check_that("helper: 99 of 100 jobs that frames have were drawn in them", right >= 0.99 * sum(got.values()) > 0, (wanted, got))
    tap.check_that("helper: and they have 95 of 100 that were", right >= 0.95 * sum(wanted.values()), (wanted, got))
    ahead = sum(1 for row, rounds in drawn if rounds[-1] + 1 in truth.rounds and truth.rounds[rounds[-1] + 1][2] + least < row["queued_ns"])
    print(f"# helper: {len(drawn)} jobs of {sorted({row['comm'] for row, _ in drawn})}, {len(proven)} named without estimates, "
          f"{len(named)} with them ({dict(bases)}), {len(wrong)} wrong; the next call had returned before {ahead}; "
          f"{len(got)} frames, {sum(got.values())} jobs in them, {right} of {sum(wanted.values())} where they belong")


def check_with_opencl(trace, times):
    """One thread draws while OpenCL works for it, on another device: each job is of its own API."""
    rounds = [tuple(map(int, line.split())) for line in times.read_text().splitlines()]
    code, text, errors = read(trace, "jobs", "--format", "csv")
    rows = [row for row in csv.DictReader(text.splitlines()) if row["comm"].startswith("cl-and-gl") and row["queued_ns"]]
    drawn, filled = ([row for row in rows if row["driver"] == driver] for driver in ("virtio_gpu", "opencl"))
    tap.check_that("OpenCL, too: the trace is read, and nothing is lost", code == 0 and len(rounds) == 10, (code, len(rounds), errors))
    named = [row["api_call"] for row in drawn]
    while named and not named[0]:
        named.pop(0)
    tap.check_that("OpenCL, too: jobs of the kernel's driver name the OpenGL call that waits for them", named == ["glFinish"] * len(rounds),
                   named)
    device = {row["device"] for row in filled}
    tap.check_that("OpenCL, too: commands of OpenCL are jobs of its own device", len(filled) == len(rounds) and len(device) == 1 and
                   not device & {row["device"] for row in drawn} and {row["api_call"] for row in filled} == {"clEnqueueFillBuffer"},
                   (len(filled), device, {row["api_call"] for row in filled}))
    # The trace has its clock from another zero on than the program, but from one.
    drawn = drawn[len(drawn) - len(named):]
    inside = [(int(row["queued_ns"]), int(row["completed_ns"] or 0), begin, end) for row, (begin, _, _, end) in zip(filled, rounds)] + \
        [(int(row["queued_ns"]), int(row["queued_ns"]), begin, end) for row, (_, begin, end, _) in zip(drawn, rounds)]
    least, most = max((last - end for _, last, _, end in inside), default=0), min((first - begin for first, _, begin, _ in inside),
                                                                                  default=0)
    tap.check_that("OpenCL, too: all of a round were queued in it, and the command was executed in it",
                   len(inside) == 2 * len(rounds) and least <= most,
                   (len(inside), least, most))
    code, text, _ = read(trace, "report", "--format", "json")
    report = json.loads(text) if text else {}
    rings = {queue["driver"]: queue["jobs"] for queue in report.get("queues", []) if queue["driver"] in ("virtio_gpu", "opencl")}
    tap.check_that("OpenCL, too: the report has both devices",
                   rings.get("opencl") == len(filled) and rings.get("virtio_gpu", 0) >= len(rounds), rings)
    account = report.get("accounting", {}).get("api_calls_of_jobs") or {"named": {}, "unnamed": {}}
    everywhere = [row for row in csv.DictReader(read(trace, "jobs", "--format", "csv")[1].splitlines())
                  if row["driver"] not in ("opencl", "gl")]
    counted = sum(account["named"].values()), sum(account["unnamed"].values())
    tap.check_that("OpenCL, too: each of the kernel's jobs has a call, or one cause why not",
                   counted[0] == len([row for row in everywhere if row["api_call"]]) > 0 and sum(counted) == len(everywhere),
                   (account, len(everywhere)))
    print(f"# OpenCL, too: {len(drawn)} jobs of drawing, {len(filled)} commands; of all of the kernel's {counted[0]} name a call, "
          f"{counted[1]} do not: {account['unnamed']}")


check_frames("", folder / "trace")
check_frames("two: ", folder / "two")
check_sharer(folder / "two", folder / "sharer.txt")
if (folder / "helper").exists():
    check_helper(folder / "helper", folder / "helper.txt")
if (folder / "with-opencl").exists():
    check_with_opencl(folder / "with-opencl", folder / "with-opencl.txt")
sys.exit(tap.finish())
