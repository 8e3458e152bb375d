#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_field.py LTTNG_GPU: captures of the form in which strangers send them. What a capture does not tell is neither guessed nor
shown as nought: whose jobs they are, whether a CPU was recorded, how busy a device was, when a job was queued. The files here have
made-up values. Prints TAP."""
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu = sys.argv[1]
tap = Tap()
here = Path(__file__).parent
golden = here.parent / "golden"
temporary = tempfile.TemporaryDirectory(prefix="lttng-gpu-field-")


def run(*words):
    done = subprocess.run([lttng_gpu, *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def report(*paths):
    return json.loads(run("report", "--format", "json", *paths)[1])


def text_of(*paths):
    """The first screen as one line: sentences are wrapped."""
    return " ".join(run("report", *paths)[1].split())


def jobs(*paths):
    return list(csv.DictReader(io.StringIO(run("jobs", "--format", "csv", *paths)[1])))


def queue(of, ring):
    return next(queue for queue in of["queues"] if queue["ring"] == ring)


def written(name, lines):
    path = Path(temporary.name) / name
    path.write_text("\n".join(lines) + "\n")
    return path


def as_trace_cmd(lines):
    """The same events as `trace-cmd report` prints them; no header says whether any are missing."""
    cpus = re.search(r"#P:(\d+)", "\n".join(lines))
    events = [re.sub(r"(\[\d+\]) \S+ +(\d+\.\d+:)", r"\1 \2", line) for line in lines if not line.startswith("#")]
    return [f"cpus={cpus[1]}", *events]


def without_header(lines):
    return [line for line in lines if not line.startswith("#")]


def event(comm, tid, cpu, time, name, text):
    return f"{comm:>16}-{tid:<7} [{cpu:03}] ..... {time:12.6f}: {name}: {text}"


def sched(comm, tid, cpu, time, name, fence, ring):
    return event(comm, tid, cpu, time, f"drm_sched_job_{name}",
                 f"fence={fence} signaled" if name == "done"
                 else f"dev=0000:09:00.0, fence={fence}, ring={ring}, job count:0, hw job count:1, client_id:{fence.split(':')[0]}")


# Processes of which only threads are known.
path = here / "01-unknown-pid-merges-processes.txt"
processes = [(process["pid"], process.get("tid"), process["comm"], process["jobs"])
             for process in queue(report(path), "gfx_0.0.0")["processes"]]
tap.check_that("processes with unknown pids are rows of their own, by thread", processes == [(None, 20, "beta", 2), (None, 10, "alpha", 1)],
               processes)
rows = [(row["pid"], row["tid"], row["comm"], row["seqno"]) for row in jobs(path)]
tap.check_that("... in the rows of jobs", rows == [("", "10", "alpha", "1"), ("", "20", "beta", "1"), ("", "20", "beta", "2")], rows)
groups = json.loads(run("diagnose", "--format", "json", path)[1])["summary"]["groups"]
found = sorted((group["comm"], group["pid"], group.get("tid") or 0, group["jobs"]) for group in groups)
tap.check_that("... in the summary of diagnose", found == [("alpha", None, 10, 1), ("beta", None, 20, 2)], found)
most = report(path)["reasons"]["by_reason"] if "reasons" in report(path) else []
tap.check("... and no reason names alpha for what beta waited",
          [cost for cost in most if cost["most"]["comm"] == "alpha" and cost["most"]["time_ns"] > 2e6])
details = run("report", "--details", path)[1]
tap.check_that("... in the text, with their threads", "alpha-10" in details and "beta-20" in details, details)
other = [line.replace("beta-20", "alpha-20") for line in path.read_text().splitlines()]
names = sorted((process.get("tid") or 0, process["comm"])
               for process in queue(report(written("one-name.txt", other)), "gfx_0.0.0")["processes"])
tap.check_that("... also where both have one name", names == [(10, "alpha"), (20, "alpha")], names)

# A hang is no lost CPU.
path = here / "03-hang-cuts-the-window.txt"
lines = path.read_text().splitlines()
behind = [sched("app", 7001, 3, 50.3 + place / 10, "queue", f"61:{6 + place}", "ccs0") for place in range(14)]
timed = lambda all_lines: sorted((line for line in all_lines if not line.startswith("#")),
                                 key=lambda line: float(re.search(r" (\d+\.\d+):", line)[1]))
crowded = ["# tracer: nop", "#", "# entries-in-buffer/entries-written: 148/148   #P:4", "#", *timed(lines + behind)]
for name, capture, waiting in [("as it came", lines, 0), ("without its header", without_header(lines), 0),
                               ("by trace-cmd", as_trace_cmd(lines), 0),
                               ("with 14 jobs behind it", crowded, 14),
                               ("with 14 jobs behind it, by trace-cmd", as_trace_cmd(crowded), 14)]:
    path = written(f"hang-{len(capture)}-{capture[0][:4].strip('# ')}.txt", capture)
    whole = report(path)
    last = max(int(float(re.search(r" (\d+\.\d+):", line)[1]) * 1e6 + 0.5) * 1000 for line in without_header(capture) if " [" in line)
    tap.check_that(f"a hang, {name}: the window covers it", whole["window"]["end_ns"] == last and not whole["recording"]["gaps"],
                   (whole["window"], whole["recording"]))
    oldest = queue(whole, "ccs0").get("oldest_open_job")
    tap.check_that(f"a hang, {name}: the job that hangs is named, and how many wait behind it", oldest is not None and
                   (oldest["context"], oldest["seqno"], oldest["comm"], oldest["tid"],
                    oldest["jobs_behind"]) == (61, 5, "app", 7001, waiting), oldest)
    words = "ccs0: job 61:5 of app-7001 has not completed in 3.92 s" + (f"; {waiting} jobs of app-7001 wait behind it" if waiting else "")
    tap.check_that(f"a hang, {name}: the first screen says so", words in text_of(path), text_of(path))
    tap.check_that(f"a hang, {name}: the device was busy with it", (queue(whole, "ccs0")["execution"]["busy_ratio_bounds"][1] or 0) > 0.9,
                   queue(whole, "ccs0")["execution"])
    diagnosis = run("diagnose", path)[1]
    tap.check_that(f"a hang, {name}: diagnose shows it first",
                   re.search(r"ccs0 job 61:5, app-7001: .* and not completed when the trace ended\n(?:.*\n)?.* hung", diagnosis), diagnosis)
    if waiting:
        tap.check_that(f"a hang, {name}: those behind it wait for it", "waited behind job 61:5 of app-7001" in diagnosis, diagnosis)

# Nothing tells of completions, or of another moment.
path = here / "04-starved-without-any-completion.txt"
ring = queue(report(path), "gfx_0.0.0")
tap.check_that("without completions the states of a ring are unknown", set(ring["state_ns"].values()) == {None}, ring["state_ns"])
tap.check_that("... and how busy it was, and how many jobs were on it",
               (ring["execution"]["busy_ns"], ring["execution"]["busy_ratio"], ring["device_queue"]["depth_mean"],
               ring["processes"][0]["execution"]["busy_ratio"]) == (None,) * 4 and ring["execution"]["busy_ratio_bounds"][0] == 0, ring)
tap.check_that("... with the reason", ring.get("unknown_because") and "completed" in ring.get("unknown_because"),
               ring.get("unknown_because"))
tap.check_that("... while the host queue is known",
               ring["host_queue"]["latency_ns"]["p50"] == 6_000_000 and ring["host_queue"]["depth_mean"] > 0, ring["host_queue"])
text = text_of(path) + run("report", "--details", path)[1]
tap.check_that("... and no line says that it was idle", "GPU idle for" not in text and "GPU idle while jobs waited unknown" in text, text)
lines = path.read_text().splitlines()
done = [sched("kworker/u8:1", 301, 1, 7741.21 + place * 0.0083, "done", f"512:{2001 + place}", "gfx_0.0.0") for place in range(13)]
cases = {"queued": [line for line in timed(lines + done) if "drm_sched_job_queue" not in line],
         "submitted": [line for line in timed(lines + done) if "drm_sched_job_run" not in line]}
for moment, capture in cases.items():
    ring = queue(report(written(f"no-{moment}.txt", capture)), "gfx_0.0.0")
    tap.check_that(f"without the events by which jobs are {moment} the states are unknown", set(ring["state_ns"].values()) == {None} and
                   ring["host_queue"]["depth_mean"] is None and moment in (ring.get("unknown_because") or ""),
                   (ring["state_ns"], ring["host_queue"]))

# Waits that never end.
fence = lambda seqno: f"driver=drm_sched timeline=gfx_0.0.0 context=61 seqno={seqno}"
waits = [event("game", 501, 0, 10.0, "dma_fence_wait_start", fence(1)), event("game", 501, 0, 10.01, "dma_fence_wait_end", fence(1)),
         event("game", 501, 0, 10.02, "dma_fence_wait_start", fence(2)),
         *(line for place in range(20) for line in (sched("other", 601, 1, 10.1 + place / 10, "queue", f"70:{place + 1}", "gfx_0.0.0"),
                                                    sched("kworker/u8:1", 301, 1, 10.101 + place / 10, "run", f"70:{place + 1}",
                                                          "gfx_0.0.0"),
                                                    sched("kworker/u8:1", 301, 1, 10.102 + place / 10, "done", f"70:{place + 1}",
                                                          "gfx_0.0.0")))]
path = written("wait.txt", waits)
words = "thread game-501 waits since +20.0 ms (1.98 s) for fence 61:2 (drm_sched gfx_0.0.0), still at the end of the trace"
tap.check_that("a wait that never ends is a finding, with thread and fence", words in text_of(path), text_of(path))
found = [(wait["tid"], wait["comm"], wait["context"], wait["seqno"], wait["driver"], wait["timeline"], wait["begin_ns"])
         for wait in report(path).get("open_waits", [])]
tap.check_that("... in JSON", found == [(501, "game", 61, 2, "drm_sched", "gfx_0.0.0", 10_020_000_000)], found)
tap.check_that("... and in diagnose", words in " ".join(run("diagnose", path)[1].split()), run("diagnose", path)[1])
no_ends = [line for line in waits if "wait_end" not in line]
tap.check("a trace without any ends of waits tells of none that lasts",
          report(written("no-ends.txt", no_ends)).get("open_waits", ["none told"]))
signaled = timed([*waits, event("kworker/u8:1", 301, 1, 10.5, "dma_fence_signaled", fence(2))])
tap.check("a wait for a fence that was signaled is none", report(written("signaled.txt", signaled)).get("open_waits", ["none told"]))

# A job's time is shown only where the right event tells it.
for form in ("trace.txt", "report.txt", "perf.txt"):
    lines = (golden / "linux-6.12-ftrace" / form).read_text().splitlines()
    key = lambda row: (row["driver"], row["ring"], row["context"], row["seqno"], row["completed_ns"])
    cpu_of = lambda line: re.search(r" \[(\d+)\] ", line)
    true = {key(row): row for row in jobs(golden / "linux-6.12-ftrace" / form) if row["driver"] == "virtio_gpu"}
    by_end = {row["completed_ns"]: row for row in true.values()}
    wrong, shown = [], 0
    for cpu in ("000", "001"):
        numbers = [number for number, line in enumerate(lines) if cpu_of(line) and cpu_of(line)[1] == cpu]
        for share in range(1, 10):
            gone = set(numbers[:len(numbers) * share // 10])
            path = written(f"part-{cpu}-{share}-{form}", [line for number, line in enumerate(lines) if number not in gone])
            for row in jobs(path):
                whole = by_end.get(row["completed_ns"]) if row["driver"] == "virtio_gpu" else None
                if whole:
                    shown += 1
                    wrong += [f"CPU {cpu}, {share}0 %: job {row['seqno']}: {moment} {row[moment]}, truly {whole[moment]}"
                              for moment in ("queued_ns", "submitted_ns") if row[moment] not in ("", whole[moment])]
    tap.check(f"{form} with one CPU's first part removed shows no wrong time of virtio_gpu's jobs",
              wrong if shown > 50 else [f"only {shown} jobs were compared"])

# That nothing is lost is said only where the capture proves it.
recorded_line = lambda path: next((line for line in run("report", path)[1].splitlines() if " recorded · " in line), "there is no such line")
lines = (golden / "linux-6.12-ftrace/trace.txt").read_text().splitlines()
last = len(lines) - 1
for name, capture, words in [("the header counts what is there", lines, "nothing lost"),
                             ("there is no header", without_header(lines), "no loss found"),
                             ("lines are missing of those that the header counts", lines[:last - 40] + lines[last - 20:], "no loss found")]:
    shown = recorded_line(written("header.txt", capture))
    tap.check_that(f"a text in which {name}: {words}", shown.endswith(words), shown)
shown = recorded_line(golden / "linux-6.12-ftrace/v7.dat")
tap.check_that("a trace.dat with the kernel's statistics of each CPU: nothing lost", shown.endswith("nothing lost"), shown)
shown = recorded_line(golden / "linux-6.12-ftrace/perf.txt")
tap.check_that("perf script: no loss found", shown.endswith("no loss found"), shown)

# Recordings of different boots.
code, output, errors = run("report", golden / "linux-6.12", golden / "linux-7.2")
tap.check_that("recordings of two boots are refused, with both named",
               code == 3 and not output and "different boots" in errors and "linux-6.12" in errors and
               "linux-7.2" in errors, (code, output[:200], errors))
code, _, errors = run("report", golden / "linux-7.2-venus")
tap.check_that("those of one boot are read together", code in (0, 4), errors)
texts = [golden / "linux-6.12-ftrace" / name for name in ("trace.txt", "perf.txt")]
errors = run("report", *texts)[2]
tap.check_that("of several inputs those that tell no boot are named",
               "nothing tells of which boot" in errors and all(str(text) in errors for text in texts), errors)
errors = run("report", texts[0])[2]
tap.check_that("one alone has no other to be compared with", "boot" not in errors, errors)

sys.exit(tap.finish())
