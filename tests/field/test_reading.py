#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_reading.py LTTNG_GPU: a text trace in every form in which people send one gives the jobs of the plain form, or is
refused with an error that says what to do. Lines that are not understood are told. Prints TAP."""
import csv
import gzip
import html
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
from tap import Tap

lttng_gpu = sys.argv[1]
tap = Tap()
golden = here.parent / "golden" / "linux-6.12-ftrace"
tracefs, trace_cmd, perf = ((golden / name).read_text().splitlines() for name in ("trace.txt", "report.txt", "perf.txt"))
scratch = Path(tempfile.mkdtemp(prefix="lttng-gpu-reading-"))


def run(command, content, name="capture.txt"):
    """Exit code, standard output and errors of a command on a file of this content: lines, text or bytes."""
    path = scratch / name
    content = "\n".join(content) + "\n" if isinstance(content, list) else content
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    run = subprocess.run([lttng_gpu, *command, path], capture_output=True, text=True, errors="replace", timeout=60)
    return run.returncode, run.stdout, run.stderr


def jobs(content, without=()):
    code, output, errors = run(["jobs", "--format", "csv"], content)
    rows = [{key: value for key, value in row.items() if key not in without} for row in csv.DictReader(io.StringIO(output))]
    return code, rows, errors


def check_same(words, plain, other, code=0, without=()):
    """`without`: columns that the other form does not have."""
    expected, (got_code, got, errors) = jobs(plain, without)[1], jobs(other, without)
    problems = [] if got_code == code else [f"exit code {got_code}: {errors}"]
    problems += [f"{a} | {b}" for a, b in zip(expected, got) if a != b]
    problems += [] if len(expected) == len(got) and expected else [f"{len(got)} jobs of {len(expected)}"]
    tap.check(words, problems)


def check_refused(words, content, *hints):
    code, output, errors = run(["report"], content)
    missing = [hint for hint in hints if hint not in errors]
    tap.check_that(words, code == 3 and not missing and not output, f"exit code {code}: {output[:200]}{errors}")


def unread(content):
    """Exit code, and the lines that were not understood."""
    code, output, _ = run(["report", "--format", "json"], content)
    return code, json.loads(output)["accounting"]["anomalies"].get("line_unread", 0) if output else None


def events_of(lines):
    return [line for line in lines if re.search(r"\[\d+\]", line)]


def in_log(lines, prefix):
    """As ftrace_dump() prints into the kernel's log: times in us, and the CPU without its column."""
    def one(match):
        return f"{match[1]} {int(match[2]):>7}{match[3]} {match[4]}us : "
    lines = [re.sub(r"^(.*?-\d+) .*?\[(\d+)\] (\S+) +(\d+\.\d{6}): ",
                    lambda m: one([None, m[1], m[2], m[3], m[4].replace(".", "").lstrip("0")]), line)
             for line in events_of(lines)]
    mark = "-" * 33
    return [prefix + line for line in ["Dumping ftrace buffer:", mark, *lines, mark]]


def graph(lines, has_time=True, has_task=True):
    """As the tracer function_graph prints events."""
    for line in events_of(lines):
        found = re.match(r"^\s*(.*?-\d+) .*?\[(\d+)\] \S+ +(\d+\.\d{6}): (.*)$", line)
        time = f"{found[3]:>12} |" if has_time else ""
        task = f"  {found[1]:>14}   |" if has_task else " "
        yield f"{time} {int(found[2]):>3}){task}               |    /* {found[4]} */"
        yield f"{time} {int(found[2]):>3}){task}   1.432 us    |    drm_sched_wakeup [gpu_sched]();"
        yield f"{time} {int(found[2]):>3}){task}   4.310 us    |  }} /* drm_sched_entity_push_job [gpu_sched] */"


# Columns
difference = lambda number, line: re.sub(r"(\d\.\d{6}): ", (r"\1:          " if number < 2 else rf"\1: (+{number * 7})    "), line)
check_same("trace-cmd report --ts-diff", trace_cmd, [difference(*line) for line in enumerate(trace_cmd)])
check_same("differences without parentheses", trace_cmd, [re.sub(r"(\d\.\d{6}): ", r"\1: +12 ", line) for line in trace_cmd])
check_same("trace-cmd report -t", trace_cmd, [re.sub(r"(\d\.\d{6}): ", r"\g<1>000: ", line) for line in trace_cmd])
check_same("trace-cmd report with the name of a buffer", trace_cmd, [re.sub(r"^(?=.*\[\d)", "gpu: ", line) for line in trace_cmd])
check_same("no header, no flags", tracefs, [re.sub(r"(\[\d+\]) \S+", r"\1", line) for line in events_of(tracefs)])
check_same("print-tgid without known processes", tracefs, [re.sub(r"\( *\d+\)", "(-------)", line) for line in tracefs], without=["pid"])
headless = [line for line in perf if "\t" not in line]
check_same("perf script without CPU", headless, [re.sub(r"\[\d+\]", "", line) for line in headless])
check_same("perf script without CPU, with call chains", perf, [re.sub(r"\[\d+\]", "", line) for line in perf])
check_same("perf script with its header", perf, ["# ========", "# captured on    : Fri", "# arch : x86_64", "# ========", *perf])
check_same("perf script without names", perf, [re.sub(r"^\S.*?( +\d+ \[)", r"\1", line) for line in perf], without=["comm"])
check_same("perf script with a period", perf, [re.sub(r"(\d\.\d{9}):", r"\1:          1", line) for line in perf])

# What others put around the lines
plain = events_of(tracefs)
for words, prefix in (("the kernel's log", "[  574.303565] "), ("dmesg with levels", "<0>[  167.302811] "),
                      ("dmesg -x", "kern  :emerg : [  167.302811] "),
                      ("a log with callers", "[  574.303565][  T829] "), ("dmesg -T", "[Fri Nov 27 15:40:01 2026] "),
                      ("syslog", "Nov 27 15:40:01 host kernel: "),
                      ("syslog with the log's time", "Nov  7 15:40:01 host kernel: [  574.303565] "),
                      ("journalctl -o short-iso", "2026-11-27T15:40:01+0000 host kernel: "),
                      ("a quote of mail", "> "), ("a quote of a quote", "> > "), ("an indentation", "        "), ("a tab", "\t")):
    check_same(f"lines in {words}", plain, [prefix + line for line in plain])
    check_same(f"ftrace_dump() in {words}", in_log(tracefs, ""), in_log(tracefs, prefix))
check_same("ftrace_dump() has the jobs of the trace", [re.sub(r" *\( *\d+\)", "", line) for line in tracefs], in_log(tracefs, ""))
log = ["[    1.000000] usb 1-1: new device", "[    1.000001] drm: hello", "[    1.000002] Call Trace:", "[    1.000003]  drm_ioctl+0x1/0x2"]
check_same("a long log before the trace", plain, log * 800 + in_log(tracefs, "[    2.000000] ") + log, without=["pid"])
crash = [f"<4>[  167.30{number}000] {line}"
         for number, line in enumerate(("------------[ cut here ]------------", "invalid opcode: 0000 [#1] PREEMPT SMP",
         "CPU: 11 PID: 89 Comm: kworker/11:1 Tainted: G        W          6.8.0", "RIP: 0010:drm_ioctl+0x3fd/0x680 [drm]",
                                        "RSP: 0018:ffffc9000059fce0 EFLAGS: 00010246",
         "Call Trace:", " <TASK>", " ? drm_ioctl+0x1d/0x80 [drm]"))]
check_same("the kernel's last words behind the trace", in_log(tracefs, ""), in_log(tracefs, "<0>[  166.210781] ") + crash)
check_same("lines that end as on Windows", tracefs, "\r\n".join(tracefs) + "\r\n")
check_same("a byte order mark", tracefs, "\ufeff" + "\n".join(tracefs) + "\n")
check_same("characters escaped for a page", tracefs, [html.escape(line) for line in tracefs])
page = ["<!DOCTYPE html>", "<html><head><title>Bug 1</title>", "<script>var a = 1 < 2;</script></head>", "<body><pre class=\"text\">"]
check_same("the page of a bug tracker", tracefs, [*page, *(html.escape(line) for line in tracefs), "</pre></body></html>"])
viewer = ["<!DOCTYPE html>", "<html>", "<script>", "function f() { return 1; }" * 4000, *["var line = 1;"] * 3000, "</script>"]
processes = ['<script class="trace-data" type="application/text">', "USER PID PPID VSIZE", "root 1 0 100", "</script>"]
check_same("systrace", tracefs,
           [*viewer, *processes, '  <script class="trace-data" type="application/text">', *tracefs, "  </script>", "</html>"])
check_same("atrace", tracefs, ["capturing trace... done", "TRACE:", *tracefs])
check_refused("atrace -z", b"capturing trace... done\nTRACE:\n\x78\x9c\x01\x02", "atrace -z")
check_refused("UTF-16", "\n".join(tracefs).encode("utf-16"), "iconv")
check_refused("gzip", gzip.compress("\n".join(tracefs).encode()), "gunzip")
check_refused("perf.data", b"PERFILE2" + bytes(200), "perf script")
check_refused("several files in one text", ["  a.dat: cpus=2", "  b.dat: cpus=2", *(f"  a.dat: {line}" for line in trace_cmd[1:])], "a.dat",
              "trace-cmd report -i")

# Times and tracers
check_refused("a clock without seconds", [re.sub(r"(\d+)\.(\d{6}): ", r"\1\g<2>000: ", line) for line in tracefs], "no seconds", "mono")
check_refused("perf script without times", [re.sub(r" +\d+\.\d{9}:", "", line) for line in perf], "perf script -F +time")
no_process = [re.sub(r" *\( *\d+\)", "", line) for line in tracefs]
heading = ["# tracer: function_graph", "#", "#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS"]
check_same("function_graph", no_process, heading + list(graph(tracefs)))
check_same("function_graph without threads", no_process, heading + list(graph(tracefs, has_task=False)), code=4,
           without=["tid", "comm", "queued_ns", "status"])
check_refused("function_graph without times", heading + list(graph(tracefs, has_time=False)), "funcgraph-abstime", "nop")
own_times = tracefs + ["  a-1     (      1) [000] ..... 123456789: drm_sched_job: entity=0000000000000001, id=1, fence=0000000000000002, "
                       "ring=a, job count:0, hw job count:0"]
tap.check_that("an event without a time among others is told", unread(own_times) == (4, 1), unread(own_times))

# Ragged
headers, events = [line for line in tracefs if line.startswith("#")], events_of(tracefs)
check_same("the first line cut", events[1:], [events[0][40:], *events[1:]], code=4)
tap.check_that("a line that is cut is told", unread([*events, events[-1][:80]])[0] == 4, unread([*events, events[-1][:80]]))
two = next(number for number, line in enumerate(events) if "drm_run_job" in line)
mixed = events[:two] + [events[two][:100] + events[two + 1]] + events[two + 2:]
check_same("two lines in one", events[:two] + events[two + 2:], mixed, code=4)
check_same("zeros in the middle", events[:50] + events[51:],
           ("\n".join(events[:50]) + "\n" + "\0" * 70000 + events[50] + "\n" + "\n".join(events[51:]) + "\n"), code=4)
check_same("a very long line that ends as an event", events, events[:50] + ["x" * 100000 + events[50]] + events[50:], code=4)
check_same("the same capture twice", tracefs, tracefs + tracefs)
check_same("captures that overlap", tracefs, headers + events[:200] + headers + events[100:])
other_boot = [line.replace("-2", "-3", 1).replace("-1", "-4", 1) + " " for line in events]
check_refused("captures of two boots in one text", headers + events[:200] + headers + other_boot[100:], "different boots")
check_refused("perf script --deltatime",
              [f" game {1000 + cpu} [{cpu:03}] 0.0000{after}: gpu_scheduler:drm_sched_job: entity=0000000000000001, id={number}, "
               f"fence={number:016x}, ring=a, "
                                          "job count:0, hw job count:0" for number in range(40)
               for cpu, after in ((0, 10 + number % 7), (1, 30 - number % 5))], "--deltatime")
by_cpu = [headers + [line for line in events if f"[{cpu:03}]" in line] for cpu in (1, 0)]
check_same("buffers one after the other", tracefs, by_cpu[0] + by_cpu[1])
load = []
for number in range(4000):
    time, cpu = number * 1000, number // 7 % 3
    words = f"entity=00000000a1b2c3d4, id={number}, fence={number + 4096:016x}, ring=gfx, job count:0, hw job count:0"
    for after, event in ((0, f"drm_sched_job: {words}"), (10, f"drm_run_job: {words}"),
                         (500, f"drm_sched_process_job: fence={number + 4096:016x} signaled")):
        load.append(f"           a-{cpu + 7}       [{cpu:03}] ..... {(time + after) // 1000000}.{(time + after) % 1000000:06}: {event}")
check_same("long buffers one after the other", load, [line for cpu in (2, 0, 1) for line in load if f"[{cpu:03}]" in line])
check_same("a long capture twice", load, load + load)
code, output, _ = run(["report", "--format", "json"], load + load)
tap.check_that("lines that are there twice are told",
               output and json.loads(output)["accounting"]["anomalies"].get("event_out_of_order") == len(load), output[:300])

# Two GPUs with equal ring names: one credit where two jobs are known, long before one of them ends.
def on_two_gpus(credits):
    own = lambda number, count: f"entity=000000000000000{number}, id={number}, fence=000000000000010{number}, ring=gfx, job count:0, hw job count:{count}"
    return ["           a-1     (      1) [000] ..... 1.000010: drm_sched_job: " + own(1, 0),
            "           w-2     (      2) [001] ..... 1.000020: drm_run_job: " + own(1, 1),
            "           a-1     (      1) [000] ..... 1.000030: drm_sched_job: " + own(2, 0),
            "           w-2     (      2) [001] ..... 1.000040: drm_run_job: " + own(2, credits),
            "      <idle>-0     (      0) [000] ..... 1.001000: drm_sched_process_job: fence=0000000000000101 signaled",
            "      <idle>-0     (      0) [000] ..... 1.002000: drm_sched_process_job: fence=0000000000000102 signaled"]
starts = {credits: [row["started_ns"] for row in csv.DictReader(io.StringIO(run(["jobs", "--format", "csv"], on_two_gpus(credits))[1]))]
          for credits in (1, 2)}
tap.check_that("more jobs than credits are of several rings: no start is told", starts == {1: ["", ""], 2: ["1000020000", "1001000000"]},
               starts)

# The lists' own texts
for name in ("14-clock-without-seconds", "19-function-graph-events"):
    code, output, errors = run(["jobs", "--format", "csv"], (here / f"{name}.txt").read_text())
    rows = list(csv.DictReader(io.StringIO(output)))
    if name.startswith("14"):
        tap.check_that(f"{name} is refused", code == 3 and "mono" in errors, errors)
    else:
        expected = [("735008763000", "735008800000", "735012000000", "2504", "Xorg")]
        got = [tuple(row[key] for key in ("queued_ns", "submitted_ns", "completed_ns", "tid", "comm")) for row in rows]
        tap.check_that(f"{name} has its job", code == 0 and got == expected, f"{code} {got} {errors}")
sys.exit(tap.finish())
