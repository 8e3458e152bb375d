#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_window.py LTTNG_GPU: reasons keep to the window and to jobs that are known, on recordings, and on captures whose CPUs begin seconds
apart. Of each: the reasons have the report's jobs and latencies, no ring has more of them than its depth allows, and no more is unknown
than what lies outside of the window. Prints TAP."""
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import amd_capture
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
golden = Path(__file__).resolve().parents[1] / "golden"
tap = Tap()
folder = tempfile.TemporaryDirectory()


def run(*words):
    return subprocess.run([lttng_gpu, *words], capture_output=True, text=True, timeout=300).stdout


def made(name, text):
    path = Path(folder.name) / f"{name}.txt"
    path.write_text(text)
    return path


def report_of(trace, *options):
    return json.loads(run("report", "--reasons", "--format", "json", *options, trace))


def diagnosis_of(trace, *options):
    return json.loads(run("diagnose", "--worst", "100000", "--format", "json", *options, trace))


def same(problems, what, left, right):
    problems += [] if left == right else [f"{what}: {left}, not {right}"]


def unequal(report, shown):
    """What the reasons of a report, its table and `diagnose` say differently."""
    problems = []
    reasons, summary, window = report["reasons"], shown["summary"], report["window"]
    same(problems, "window", shown["window"], window)
    same(problems, "jobs that ended", reasons["latency_ns"],
         {name: sum(queue["latency_ns"][name] for queue in report["queues"]) for name in ("count", "sum")})
    counts = report["accounting"]["jobs_incomplete"]
    same(problems, "jobs of the table", reasons["jobs"] + sum(reasons["jobs_left_out"].values()),
         sum(queue["jobs"] for queue in report["queues"]))
    same(problems, "not queued", reasons["jobs_left_out"]["no_queue"], counts["no_queue"])
    same(problems, "jobs of diagnose", {name: summary[name] for name in ("jobs", "time_ns", "jobs_left_out")},
         {name: reasons[name] for name in ("jobs", "time_ns", "jobs_left_out")})
    same(problems, "latencies of diagnose", {"count": summary["jobs_ended"], "sum": summary["latency_ns"]}, reasons["latency_ns"])
    same(problems, "mean latency", summary["mean_latency_ns"], reasons["latency_ns"]["sum"] // max(1, reasons["latency_ns"]["count"]))
    same(problems, "time of reasons", sum(reason["time_ns"] for reason in reasons["by_reason"]), reasons["time_ns"])
    same(problems, "time of groups", sum(group["time_ns"] for group in summary["groups"]), summary["time_ns"])
    inside = sum(part["time_ns"] for job in shown["jobs"] for part in job["parts"] if part["in_window"] and not part["before"])
    same(problems, "parts in the window", inside, summary["time_ns"])
    for job in shown["jobs"]:
        problems += [f"a part reaches out of the window: {part}" for part in job["parts"]
                     if part["in_window"] and not window["begin_ns"] <= part["begin_ns"] <= part["end_ns"] <= window["end_ns"] + 1]
    return problems


def beyond_depth(report, shown):
    """Rings with more time of reasons than jobs that were there."""
    length = report["window"]["end_ns"] - report["window"]["begin_ns"]
    problems = []
    for queue in report["queues"]:
        jobs = [job for job in shown["jobs"] if (job["device"], job["ring"]) == (queue["device"], queue["ring"])]
        steps = sorted([(job["begin_ns"], 1) for job in jobs] + [(job["end_ns"], -1) for job in jobs])
        depth = most = 0
        for _, change in steps:
            depth += change
            most = max(most, depth)
        time = sum(group["time_ns"] for group in shown["summary"]["groups"]
                   if (group["device"], group["ring"]) == (queue["device"], queue["ring"]))
        if time > most * (length + 1):
            problems.append(f"{queue['ring']}: {time} ns in a window of {length} ns, at most {most} jobs at once")
    return problems


def unknown_share(shown, gaps=None):
    summary = shown["summary"]
    unknown = sum(reason["time_ns"] for reason in summary["reasons"] if reason["reason"] == "unknown"
                  and (gaps is None or reason["gap"] in gaps))
    return unknown / max(1, summary["time_ns"])


def outside_share(report):
    whole = report["recording"]["end_ns"] - report["recording"]["begin_ns"]
    return 1 - (report["window"]["end_ns"] - report["window"]["begin_ns"]) / max(1, whole)


def check(name, trace, *options):
    report, shown = report_of(trace, *options), diagnosis_of(trace, *options)
    tap.check(f"{name}: reasons have the jobs and latencies of the report's table", unequal(report, shown))
    tap.check(f"{name}: no ring has more time of reasons than its depth allows", beyond_depth(report, shown))
    return report, shown


def cpu_and_time(line):
    found = re.search(r"\[(\d+)\] .*? (\d+)\.(\d{6}): ", line)
    return found and (int(found[1]), int(found[2]) * 1_000_000 + int(found[3]))


def ragged(lines, begins):
    """Without the first part of each CPU, in µs since the first event."""
    first = min(place[1] for place in map(cpu_and_time, lines) if place)
    kept = [line for line in lines if not cpu_and_time(line) or cpu_and_time(line)[1] >= first + begins.get(cpu_and_time(line)[0], 0)]
    return "\n".join(kept) + "\n"


# Recordings, whole and from their middle on.
for trace in [golden / "linux-7.2/kernel", golden / "linux-6.12/kernel", golden / "linux-6.12-ftrace/kernel",
              golden / "linux-6.12-ftrace/v7.dat",
              golden / "linux-6.12-ftrace/trace.txt", golden / "linux-7.2-venus/kernel",
              golden / "linux-7.2-perfetto/dense.perfetto-trace"]:
    name = f"{trace.parent.name}/{trace.name}"
    report, shown = check(name, trace)
    tap.check_that(f"{name}: there are jobs", shown["summary"]["jobs"] > 0)
    first, last = report["recording"]["begin_ns"], report["recording"]["end_ns"]
    check(f"{name}, its middle third", trace, "--begin", str(first + (last - first) // 3), "--end", str(last - (last - first) // 3))

# The same as if buffers had been overwritten.
lines = (golden / "linux-6.12-ftrace/trace.txt").read_text().splitlines()
length = max(place[1] for place in map(cpu_and_time, lines) if place) - min(place[1] for place in map(cpu_and_time, lines) if place)
for percents in ((0, 30), (30, 0), (0, 60), (60, 0), (20, 45)):
    begins = {cpu: length * percent // 100 for cpu, percent in enumerate(percents)}
    name = f"linux-6.12-ftrace/trace.txt, CPUs begin at {percents[0]} and {percents[1]} %"
    report, shown = check(name, made("ragged", ragged(lines, begins)))
    lost = unknown_share(shown, ("events lost", "an event of the job is missing"))
    tap.check_that(f"{name}: no more is lost than what lies outside of the window", lost <= outside_share(report),
                   f"{lost:.1%}, {outside_share(report):.1%}")


def wrong_phases(rows, capture):
    """Times of jobs that are not those of the truth; clocks tell microseconds."""
    truth = {(str(job.context), str(job.seqno)): job for job in capture.jobs}
    problems = []
    for row in rows:
        job = truth.get((row["context"], row["seqno"]))
        if not row["context"]:
            continue
        for phase in ("queued", "submitted", "started", "completed"):
            if not row[phase + "_ns"]:
                continue
            away = int(row[phase + "_ns"]) - getattr(job, phase) * 1000 if job else None
            if away is None or abs(away) > 3000:
                problems.append(f"{row['ring']} {row['context']}:{row['seqno']}: {phase} is {away} ns away")
    return problems


def mean_of_truth(capture, report):
    """Of the jobs that were submitted in the window, in ns."""
    begin, end = report["window"]["begin_ns"] / 1000, report["window"]["end_ns"] / 1000
    inside = [(job.completed - job.queued) * 1000 for job in capture.jobs if begin <= job.submitted <= end and job.completed <= end]
    return sum(inside) / max(1, len(inside))


# What a user of an AMD GPU has: 10 s of frames, of which some CPUs kept only the last.
capture = amd_capture.AmdCapture()
second = 1_000_000
for name, late, says_where in (("all of it", (0, 0, 0, 0), False), ("CPUs begin at 0, 2, 5, 7.5 s", (0, 2, 5, 7.5), False),
                               ("CPUs begin at 7, 0.5, 7.6, 3 s", (7, 0.5, 7.6, 3), False),
                               ("CPUs begin at 0, 0, 0, 6 s", (0, 0, 0, 6), False),
                               ("CPUs begin at 8, 6, 4, 0 s, and the file says it", (8, 6, 4, 0), True),
                               ("CPUs begin at 0, 8, 0.1, 1 s, and the file says it", (0, 8, 0.1, 1), True)):
    path = made("amd", capture.text([capture.begin + int(begin * second) for begin in late], says_where))
    name = f"AMD, {name}"
    report, shown = check(name, path)
    rows = list(csv.DictReader(io.StringIO(run("jobs", "--format", "csv", path))))
    tap.check(f"{name}: {len(rows)} jobs, no phase is wrong", wrong_phases(rows, capture))
    begin = report["window"]["begin_ns"] / 1000 - capture.begin
    tap.check_that(f"{name}: the window begins when every CPU was recorded", abs(begin - max(late) * second) < 200_000, f"{begin} µs")
    tap.check_that(f"{name}: no more is unknown than what lies outside of the window", unknown_share(shown) <= outside_share(report),
                   f"{unknown_share(shown):.1%}, {outside_share(report):.1%}")
    mean, expected = shown["summary"]["mean_latency_ns"], mean_of_truth(capture, report)
    tap.check_that(f"{name}: the mean latency is that of the jobs in the window", abs(mean - expected) < expected / 20,
                   f"{mean} ns, not {expected:.0f} ns")
    long = sum(reason["time_ns"] for reason in shown["summary"]["reasons"] if reason["reason"] == "long_execution")
    tap.check_that(f"{name}: frames of short and long jobs execute as always", long == 0,
                   f"{long} ns of {shown['summary']['time_ns']} ns are unusually long")
check("AMD, 7 to 8 s", path, "--begin", "+7", "--end", "+8")

# Jobs that truly take longer.
longer = {("game", "gfx", 202): 45_000, ("game", "gfx", 700): 40_000, ("player", "comp_1.0.0", 150): 12_000, ("game", "sdma0", 500): 3_000}
capture = amd_capture.AmdCapture(seed=2, longer=longer)
shown = diagnosis_of(made("longer", capture.text()))
named = sorted((job["comm"], job["ring"], job["seqno"]) for job in shown["jobs"]
               if any(part["reason"] == "long_execution" for part in job["parts"]))
tap.check_that("AMD: the jobs that take several times as long as their kind are named, and no others", named == sorted(longer), named)

sys.exit(tap.finish())
