#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenCL commands as jobs: opencl_jobs.py LTTNG_GPU BUILD. A program on PoCL is recorded by LTTng through the layer; what
`jobs` and `report` make of it is compared with what the program itself knows. PoCL's devices have the clock
CLOCK_MONOTONIC_RAW, which the program reads beside CLOCK_MONOTONIC, so the true times of all commands on the trace's
clock are known. Prints TAP; skipped where LTTng or PoCL is missing."""
import bisect
import collections
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from lttng_session import application_environment, daemon, session, why_not  # noqa: E402
from tap import Tap  # noqa: E402

lttng_gpu, build = (Path(argument).resolve() for argument in sys.argv[1:3])
tap = Tap()
work = Path(tempfile.mkdtemp(prefix="lttng-gpu-opencl-jobs-"))
program = work / "commands"
waits = work / "waits-program"
layer = {**os.environ, **application_environment, "OPENCL_LAYERS": str(build / "liblttng-gpu-opencl.so")}
CHANNEL = ["--subbuf-size", "1M", "--num-subbuf", "8", "--blocking-timeout", "inf"]
CONTEXTS = ["vpid", "vtid", "procname"]
STAGES = ("queued_ns", "submitted_ns", "started_ns", "completed_ns")

Command = collections.namedtuple("Command", "label queue begin end times waits")


class Story:
    """What one process said of its commands and of the clocks."""

    def __init__(self, pid, output):
        self.pid = pid
        self.samples, self.commands = [], []
        for line in output.splitlines():
            kind, *words = line.split()
            if kind == "sample":
                self.samples.append(tuple(map(int, words)))
            else:
                label, *numbers = words
                numbers = list(map(int, numbers))
                self.commands.append(Command(label, *numbers[:3], numbers[3:7], numbers[7:]))
        self.raws = [raw for _, raw, _ in self.samples]

    def truth(self, raw):
        """When PoCL's clock showed that, as the earliest and the latest own nanosecond of the trace's clock."""
        at = min(max(bisect.bisect_right(self.raws, raw), 1), len(self.samples) - 1)
        (before, first, after), (later_before, second, later_after) = self.samples[at - 1:at + 1]
        passed, length = raw - first, second - first
        bounds = [begin + (end - begin) * passed // length for begin, end in ((before, later_before), (after, later_after))]
        return min(bounds) - 1, max(bounds) + 1


def run(*arguments):
    return subprocess.run([lttng_gpu, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def record(name, *arguments, processes=1, events="lttng_gpu_opencl:*"):
    folder = work / name
    with session(f"opencl-jobs-{name}", folder, channel=CHANNEL, events=events, contexts=CONTEXTS):
        running = [subprocess.Popen([program, *map(str, arguments)], env=layer, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True) for _ in range(processes)]
        stories = []
        for process in running:
            output, errors = process.communicate(timeout=300)
            if process.returncode:
                raise RuntimeError(f"commands ended with {process.returncode}: {errors}")
            stories.append(Story(process.pid, output))
    return folder, stories


def clock_offset(folder):
    """Nanoseconds between the origins of the trace's times and of CLOCK_MONOTONIC, from the metadata."""
    metadata = next(folder.rglob("metadata")).read_bytes().decode(errors="replace")
    form = re.search(r"offset\s*=\s*(-?\d+)", metadata)
    if form:
        return int(form[1])
    seconds = re.search(r'"seconds":\s*(-?\d+)', metadata)
    cycles = re.search(r'"cycles":\s*(\d+)', metadata)
    return int(seconds[1] if seconds else 0) * 1_000_000_000 + int(cycles[1] if cycles else 0)


def check_process(story, jobs, offset):
    tap.check_that("every command is one job", len(jobs) == len(story.commands) and len(jobs) > 0,
                   f"{len(jobs)} jobs of {len(story.commands)} commands")
    jobs = sorted(jobs, key=lambda job: job["seqno"])
    pairs = list(zip(story.commands, jobs))
    tap.check("each names its call and its kernel",
              [f"{job['api_call']} is {command.label}" for command, job in pairs if job["api_call"] != command.label])
    tap.check("all are complete, their times observed and in order",
              [job for _, job in pairs if job["status"] != "complete" or job["started_basis"] != "observed" or
               job["completed_basis"] != "observed" or [job[stage] for stage in STAGES] != sorted(job[stage] for stage in STAGES)])
    tap.check("none is queued before its call began, or complete after it was seen complete",
              [job for command, job in pairs if not command.begin - 10_000 <= job["queued_ns"] - offset or
               not job["completed_ns"] <= job["observed_ns"]])
    queues = collections.defaultdict(set)
    for command, job in pairs:
        queues[command.queue].add((job["device"], job["ring"]))
    tap.check_that("each queue is one ring, named after the process",
                   [len(rings) for rings in queues.values()] == [1, 1] and len(set.union(*queues.values())) == 2 and
                   all(ring.endswith(f" of pid {story.pid}") for rings in queues.values() for _, ring in rings), dict(queues))
    wrong, widths = [], []
    for command, job in pairs:
        for raw, stage in zip(command.times, STAGES):
            earliest, latest = story.truth(raw)
            mapped, error = job[stage] - offset, job["clock_error_ns"]
            widths.append(error)
            if mapped + error < earliest or mapped - error > latest:
                wrong.append(f"{command.label} {stage}: {mapped} ± {error}, in truth {earliest} to {latest}")
    tap.check(f"the true time is inside the stated bound, each of {len(widths)} times", wrong)
    tap.check_that(f"and the bound is useful: at most {max(widths)} ns", max(widths) < 1_000_000, "")


def check_dependencies(story, report, offset):
    counted = sum(dependency["count"] for queue in report["queues"] for dependency in queue["dependencies"]
                  if queue["ring"].endswith(f" of pid {story.pid}"))
    waits = sum(len(command.waits) for command in story.commands)
    tap.check_that("wait lists are dependencies", counted == waits > 0, f"{counted} of {waits}")


def check_trace(name, rounds, processes):
    folder, stories = record(name, rounds, processes=processes)
    offset = clock_offset(folder)
    shown = run("jobs", "--format", "json", folder)
    tap.check_that(f"{name}: jobs exits with 0", shown.returncode == 0 and not shown.stderr, f"{shown.returncode}: {shown.stderr}")
    jobs = json.loads(shown.stdout)
    tap.check("rows are in order of queued", [f"{early['queued_ns']} before {late['queued_ns']}" for early, late in zip(jobs, jobs[1:])
                                             if early["queued_ns"] > late["queued_ns"]])
    for story in stories:
        check_process(story, [job for job in jobs if job["pid"] == story.pid], offset)
    told = run("report", "--format", "json", folder)
    report = json.loads(told.stdout)
    for story in stories:
        check_dependencies(story, report, offset)
    clocks = {clock["pid"]: clock for clock in report["device_clocks"]}
    tap.check_that("the report has the clock of each process",
                   set(clocks) == {story.pid for story in stories} and
                   all(clock["commands_mapped"] == len(stories[0].commands) and clock["splits"] == 0 and
                       clock["error_max_ns"] > 0 and not any(clock["invalid"].values()) for clock in clocks.values()), clocks)
    anomalies = {key: count for key, count in report["accounting"]["anomalies"].items() if count}
    tap.check_that("and reports no anomaly", not anomalies, anomalies)
    check_forms(folder, jobs)


def check_forms(folder, jobs):
    rows = list(csv.DictReader(io.StringIO(run("jobs", "--format", "csv", folder).stdout)))
    tap.check("CSV has the same jobs", [row for row, job in zip(rows, jobs) if row["api_call"] != job["api_call"] or
                                        int(row["queued_ns"]) != job["queued_ns"]][:3] + ([] if len(rows) == len(jobs) else ["too few"]))
    table = list(csv.DictReader(io.StringIO(run("report", "--format", "csv", folder).stdout)))
    clocks = [row for row in table if row["scope"] == "clock"]
    tap.check("and a row for each clock",
              [] if clocks and all(int(row["clock_error_max_ns"]) > 0 and None not in row for row in clocks) else clocks)
    text = run("report", "--details", folder).stdout
    tap.check_that("the text has a section of clocks", "clocks of devices" in text and ("drift not known" in text or " ppm" in text), text)
    other = json.loads(run("jobs", "--format", "json", "--reader", "babeltrace2", folder).stdout)
    tap.check("with babeltrace2 the jobs are the same", [(one, two) for one, two in zip(jobs, other) if one != two][:2] +
              ([] if len(jobs) == len(other) else [f"{len(other)} jobs"]))


def check_missing():
    """Events of the layer that were not recorded: what only they tell is unknown, and counted."""
    # The event of the enqueueing names the queue; that of the times does not.
    for kept, anomaly, missing in (("kernel_enqueue", "command_never_reported", "no_times"),
                                   ("command_times", "command_times_unmapped", "no_queue")):
        folder, stories = record(f"only-{kept}", 5, events=f"lttng_gpu_opencl:{kept}")
        commands = [command for command in stories[0].commands if kept == "command_times" or "NDRange" in command.label]
        shown = run("jobs", "--format", "json", folder)
        jobs = json.loads(shown.stdout)
        tap.check_that(f"with {kept} alone: each command in it is one job", len(jobs) == len(commands) > 0,
                       f"{len(jobs)} of {len(commands)}")
        tap.check("without any time, because none is known",
                  [job for job in jobs if job["status"] != "incomplete" or any(job[stage] for stage in STAGES)])
        accounting = json.loads(run("report", "--format", "json", folder).stdout)["accounting"]
        anomalies = {key: count for key, count in accounting["anomalies"].items() if count}
        tap.check_that("counted by cause",
                       anomalies == {anomaly: len(commands)} and accounting["jobs_incomplete"][missing] == len(commands), accounting)


def check_waits(rounds):
    """Waits for queues and events are of the jobs that they name, and tell their program of the ends of no others."""
    folder = work / "waits"
    with session("opencl-jobs-waits", folder, channel=CHANNEL, events="lttng_gpu_opencl:*", contexts=CONTEXTS):
        process = subprocess.run([waits, str(rounds)], env=layer, capture_output=True, text=True, timeout=300)
    said = [line.split() for line in process.stdout.splitlines()]
    tap.check_that("a program with three queues waits for them", process.returncode == 0 and len(said) == 4 * rounds, process)
    jobs = {job["seqno"]: job for job in json.loads(run("jobs", "--format", "json", folder).stdout)}
    # Of two events the one whose command ended last.
    lasts = [[int(words[1])] if kind == "queue" else list(map(int, words)) for kind, *words in said]
    wanted = collections.Counter(max((jobs[command] for command in commands), key=lambda job: job["completed_ns"])["ring"]
                                 for commands in lasts)
    report = json.loads(run("report", "--format", "json", folder).stdout)
    waited, inferred = collections.Counter(), 0
    for queue in report["queues"]:
        for each in queue["processes"]:
            waited[queue["ring"]] += each["waits"]["latency_ns"]["count"]
            inferred += each["waits"]["inferred"]
    tap.check_that("each wait is for the queue that it names, or for that of its last event", waited == wanted and len(wanted) == 3,
                   (waited, wanted))
    tap.check_that("none is inferred or of unknown jobs", not inferred and not report["waits_for_other_fences"],
                   report["waits_for_other_fences"])
    kernels = next(call for call in report["api_calls"] if call["name"] == "clEnqueueNDRangeKernel(sum)")["commands"]
    tap.check_that("of each command it is told when the program learned of its end", kernels["count"] == len(jobs) == kernels["learned"] and
                   kernels["learned_after_ns"] >= kernels["learned_after_max_ns"] > 0, kernels)
    without = next(call for call in report["api_calls"] if call["name"] == "clGetPlatformIDs")
    tap.check_that("what is not known is unknown, not 0", without["commands"]["learned_after_ns"] is None and without["on_cpu"] is None,
                   without)


def main():
    reason = why_not() or ("" if shutil.which("cc") else "no compiler")
    if not reason:
        made = subprocess.run(["cc", "-O1", str(top / "tests/opencl/jobs/commands.c"), "-o", program, "-lOpenCL"], capture_output=True,
                              text=True)
        reason = "no OpenCL to build with" if made.returncode else ""
    if not reason:
        made = subprocess.run(["cc", "-O1", str(top / "tests/opencl/jobs/waits.c"), "-o", waits, "-lOpenCL"], capture_output=True,
                              text=True)
        reason = "no OpenCL to build with" if made.returncode else ""
    if not reason and subprocess.run([program, "1"], capture_output=True).returncode:
        reason = "no OpenCL device that works"
    if reason:
        tap.check("OpenCL commands as jobs", skip=reason)
        return tap.finish()
    try:
        with daemon():
            check_trace("one", 200, 1)
            check_trace("several", 50, 3)
            check_missing()
            check_waits(5)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
