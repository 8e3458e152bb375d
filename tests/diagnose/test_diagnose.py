#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_diagnose.py LTTNG_GPU: `lttng-gpu diagnose` on recorded traces. Parts must add up to the latency, the three formats must tell
the same, options and exit codes must be those of the manual, and damaged traces must end in a result or a message. Prints TAP."""
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
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
golden = top / "tests/golden"
kernel = golden / "linux-7.2/kernel"
traces = [kernel, golden / "linux-6.12/kernel", golden / "linux-6.12-ftrace/v7.dat", golden / "linux-6.12-ftrace/trace.txt",
          golden / "linux-7.2-perfetto/dense.perfetto-trace"]
tap = Tap()


def run(*arguments):
    return subprocess.run([lttng_gpu, "diagnose", *arguments], capture_output=True, text=True, timeout=300,
                          env=os.environ | {"LC_ALL": "C.UTF-8"})


def diagnosis(*arguments):
    made = run("--format", "json", *arguments)
    return json.loads(made.stdout)


def unequal_sums(jobs):
    """Of the parts of each job, and of what each dependency comes down to."""
    problems = []

    def check_root(part):
        if part.get("root") and sum(inner["time_ns"] for inner in part["root"]) > part["time_ns"]:
            problems.append(f"root is longer than {part}")
        for inner in part.get("root", []):
            check_root(inner)

    for job in jobs:
        total = sum(part["time_ns"] for part in job["parts"] if not part["before"])
        if total != job["latency_ns"]:
            problems.append(f"{job['context']}:{job['seqno']}: {total}, not {job['latency_ns']}")
        for part in job["parts"]:
            check_root(part)
    return problems


def latencies_of_jobs(trace):
    rows = csv.DictReader(io.StringIO(subprocess.run([lttng_gpu, "jobs", "--format", "csv", trace], capture_output=True, text=True).stdout))
    return {(row["context"], row["seqno"], row["queued_ns"]): int(row["completed_ns"]) - int(row["queued_ns"]) for row in rows
            if row["queued_ns"] and row["completed_ns"]}


for trace in traces:
    shown = diagnosis("--worst", "100000", trace)
    problems = unequal_sums(shown["jobs"])
    found = {(str(job["context"]), str(job["seqno"]), str(job["queued_ns"])): job["latency_ns"] for job in shown["jobs"]
             if not job["is_open"]}
    window = latencies_of_jobs(trace)
    problems += [f"{key}: {latency}, jobs says {window[key]}" for key, latency in found.items() if window.get(key, latency) != latency]
    total = shown["summary"]
    if total["latency_ns"] != sum(reason["time_ns"] for reason in total["reasons"]) or total["jobs"] != len(shown["jobs"]):
        problems.append("the summary is not the sum of the jobs")
    if sum(group["jobs"] for group in total["groups"]) != total["jobs"]:
        problems.append("the groups are not all jobs")
    tap.check(f"{trace.parent.name}/{trace.name}: {len(shown['jobs'])} jobs, parts add up to latencies, and jobs to the summary",
              problems if shown["jobs"] else ["no jobs"])

worst = diagnosis("--worst", "3", kernel)["jobs"]
rows = list(csv.DictReader(io.StringIO(run("--worst", "3", "--format", "csv", kernel).stdout)))
flat = [part["time_ns"] for job in worst for part in job["parts"]]
tap.check_that("CSV has the same parts as JSON", [int(row["time_ns"]) for row in rows if row["level"] == "0"] == flat, rows[:3])
text = text_of_worst = run("--worst", "3", kernel).stdout
coloured = run("--worst", "3", "--color", "always", kernel).stdout
lines = [line for line in coloured.splitlines() if "\x1b[33m" in line]
longest = [max(part["time_ns"] for part in job["parts"] if not part["before"]
               and part["reason"] not in ("execution", "handover", "ring_busy_own", "unknown", "unexplained"))
           for job in worst
           if any(part["reason"] not in ("execution", "handover", "ring_busy_own", "unknown", "unexplained") for part in job["parts"]
                  if not part["before"])]
tap.check_that("colours change nothing but colours, and what delayed a job most has one",
               re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text_of_worst and text_of_worst.count("\x1b") == 0
               and len(lines) == len(longest) > 0, (lines, longest))
tap.check_that("text tells of the same jobs", all(f"job {job['context']}:{job['seqno']}," in text for job in worst), text[:500])
tap.check_that("text tells for processes on rings what their mean would be without a reason",
               "  ready, driver had not submitted it (" in text and " jobs), mean latency if removed " in text, text[-1500:])
reasons = {reason["reason"] for reason in diagnosis(kernel)["summary"]["reasons"]}
tap.check("text has words, not the names for machines", sorted(name for name in reasons if "_" in name and name in text),
          skip="" if reasons else "no reasons")
tap.check_that("text counts one job as one", "(1 job)" in text and "(1 jobs)" not in text, text[-1500:])
ascii_texts = {" ".join(words): subprocess.run([lttng_gpu, *words, kernel], capture_output=True, timeout=300,
                                               env=os.environ | environment).stdout
               for words, environment in ((["diagnose"], {"LC_ALL": "C"}), (["diagnose", "--ascii"], {"LC_ALL": "C.UTF-8"}),
                                          (["jobs"], {"LC_ALL": "C"}),
                                          (["jobs", "--ascii"], {"LC_ALL": "C.UTF-8"}))}
tap.check("texts are ASCII where the locale is, and with --ascii",
          [words for words, shown in ascii_texts.items() if b" us" not in shown or not shown.isascii()])
tap.check_that("and are not elsewhere", "µs" in text, text[:500])
tap.check_that("the worst come first", [job["latency_ns"] for job in worst] == sorted((job["latency_ns"] for job in worst), reverse=True))

first = worst[0]
for name in (f"{first['context']}:{first['seqno']}", f"{first['device']}/{first['ring']}:{first['seqno']}"):
    jobs = diagnosis("--job", name, kernel)["jobs"]
    tap.check_that(f"--job {name} shows it", first["context"] in [job["context"] for job in jobs], jobs[:1])
told = run("--job", f"{first['context']}:{first['seqno']}", kernel).stdout
reasons = [part for part in diagnosis("--job", f"{first['context']}:{first['seqno']}", kernel)["jobs"][0]["parts"] if part["events"]]
tap.check("text of few jobs has the events that their reasons rest on",
          [part["reason"] for part in reasons if not re.search(rf"^  \S.*  {re.escape(part['events'])}$", told, re.MULTILINE)] +
          ([] if reasons and "These reasons rest on" in told and "rest on" not in run(kernel).stdout else [told]))
over = diagnosis("--over", "20ms", kernel)["jobs"]
tap.check_that("--over shows all of at least that latency", over and all(job["latency_ns"] >= 20_000_000 for job in over) and
               len(over) == sum(job["latency_ns"] >= 20_000_000 for job in diagnosis("--worst", "100000", kernel)["jobs"]))
tap.check_that("--begin leaves out what came before", 0 < diagnosis("--begin", "+2", kernel)["summary"]["jobs"] <
               diagnosis(kernel)["summary"]["jobs"])

for words, code in (([kernel, "--job", "77777:1"], 1), ([kernel, "--job", "nothing"], 2), ([kernel, "--over", "much"], 2),
                    (["net://localhost/host/here/gpu"], 2), ([kernel, "--worst", "-1"], 2), ([top / "tests"], None), (["/nonexistent"], 3),
                    ([kernel, "-o", "/nonexistent/file"], 2), (["--help"], 0)):
    made = run(*words)
    tap.check_that(f"{' '.join(str(word).replace(str(top), '') for word in words)}: exit code {made.returncode}",
                   made.returncode == code if code is not None else made.returncode in (0, 1, 3, 4), made.stderr[:300])



def queued_at_once(count):
    """A text of ftrace: jobs of two rings, queued at once, each waiting for one of the other ring."""
    lines, time = [], 1.0

    def job(name, context, seqno, ring):
        return f"{name}: dev=0000:04:00.0, fence={context}:{seqno}, ring={ring}, job count:1, hw job count:1, client_id:1"

    def add(thread, words):
        nonlocal time
        lines.append(f"{thread:>20} ({100:7d}) [000] ..... {time:12.6f}: {words}")
        time += 1e-6

    for seqno in range(1, count + 1):
        add("app-100", job("drm_sched_job_queue", 9, seqno, "gfx"))
        add("app-100", f"drm_sched_job_add_dep: fence=9:{seqno} depends on fence=8:{seqno}")
        add("other-200", job("drm_sched_job_queue", 8, seqno, "sdma"))
        if seqno > 1:
            add("other-200", f"drm_sched_job_add_dep: fence=8:{seqno} depends on fence=9:{seqno - 1}")
    for seqno in range(1, count + 1):
        for context, ring in ((8, "sdma"), (9, "gfx")):
            add("kworker-50", job("drm_sched_job_run", context, seqno, ring))
            time += 1e-5
            add("kworker-50", f"drm_sched_job_done: fence={context}:{seqno} signaled")
    return "# tracer: nop\n#\n" + "\n".join(lines) + "\n"


with tempfile.TemporaryDirectory() as folder:
    deep = Path(folder) / "deep.txt"
    deep.write_text(queued_at_once(1500))
    jobs = diagnosis("--worst", "100", deep)["jobs"]
    levels = max(str(job).count("'root'") for job in jobs)
    tap.check("of 3000 jobs at once, chains are followed, but not for ever",
              unequal_sums(jobs) + ([] if len(jobs) == 100 and 3 < levels < 100 else [f"{len(jobs)} jobs, {levels} levels"]))

with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder) / "trace"
    shutil.copytree(kernel, copy)
    problems, count = [], 0
    for file in sorted(path for path in copy.iterdir() if path.is_file()):
        whole = file.read_bytes()
        for index in range(6):
            at = len(whole) * index // 6
            for content in (whole[:at], whole[:at] + b"\xff" * 8 + whole[at + 8:], whole[:at] + bytes(8) + whole[at + 8:]):
                file.write_bytes(content)
                made = run("--format", "json", "--worst", "100000", copy)
                count += 1
                if made.returncode not in (0, 1, 3, 4) or (made.stderr and not made.stderr.startswith("lttng-gpu: ")):
                    problems.append(f"{file.name} at {at}: exit code {made.returncode}, {made.stderr[:200]}")
                elif made.stdout:
                    problems += [f"{file.name} at {at}: {problem}" for problem in unequal_sums(json.loads(made.stdout)["jobs"])]
        file.write_bytes(whole)
    tap.check(f"{count} damaged traces end by themselves; what is shown of them adds up", problems)

sys.exit(tap.finish())
