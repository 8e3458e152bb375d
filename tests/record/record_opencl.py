#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record_opencl.py LTTNG_GPU BUILD: `lttng-gpu record` of a program that uses OpenCL (PoCL), with the layer from the
build folder, on the machine itself: commands become jobs, and one that is late makes a snapshot. Prints TAP."""
import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session
from recorder import Place, events
from tap import Tap

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
libraries = [build / name for name in ("liblttng-gpu-opencl.so", "liblttng-gpu-opencl-provider.so", "liblttng-gpu-descriptors.so")]
program = "cl-commands"
place = Place([lttng_gpu, build / program, *libraries])
late_ms, limit_ms = 200, 100  # a busy machine lets ordinary commands wait for some milliseconds


def said(result):
    return f"exit code {result.returncode}\n{result.stdout[-1500:]}\n{result.stderr[-3000:]}"


def jobs(trace):
    """Rows of the program's own jobs; other programs of this user are recorded, too."""
    listed = subprocess.run([lttng_gpu, "jobs", "--format", "csv", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return [row for row in csv.DictReader(io.StringIO(listed.stdout)) if row["comm"] == program]


def in_host_queue_ms(row):
    return (int(row["submitted_ns"]) - int(row["queued_ns"])) / 1e6 if row["submitted_ns"] and row["queued_ns"] else 0


def commands_of(lines):
    """How many commands the events command_times tell of."""
    return sum(int(re.search(r"_command_length = (\d+)", line)[1]) for line in lines)


def plain():
    result = place.record("-o", "plain", "--no-loss", "--", program, 50)
    trace = place.folder / "work/plain"
    lines = [line for line in events(trace) if f'procname = "{program}"' in line]
    times = [line for line in lines if "lttng_gpu_opencl:command_times" in line]
    tap.check_that("the program's output and exit code are its own", result.returncode == 0 and result.stdout == "50 commands\n",
                   said(result))
    tap.check_that("each command is recorded with its device times", commands_of(times) == 50 and all('"valid"' in line for line in times),
                   f"{commands_of(times)} of {len(lines)}\n{said(result)}")
    rows = jobs(trace)
    tap.check_that("each command is a job", len(rows) == 50 and all(row["status"] == "complete" for row in rows),
                   f"{len(rows)} jobs: {rows[:2]}")
    tap.check_that("the report is printed", "50 jobs on 1 ring" in result.stderr and "clEnqueueNDRangeKernel" in result.stderr,
                   said(result))


def failing():
    """A program whose calls all fail: nothing is submitted, and the report says what failed."""
    # The recorded user may not be able to reach the interpreter of this test, which can be in root's home.
    result = place.record("-o", "failing", "--", "/usr/bin/python3", "-c",
                          "import ctypes; cl = ctypes.CDLL('libOpenCL.so.1'); print(cl.clGetPlatformIDs(0, None, None), "
                          "cl.clGetPlatformIDs(0, None, None))")
    tap.check_that("calls that fail are told",
                   result.stdout == "-30 -30\n" and "clGetPlatformIDs: 2 calls failed: CL_INVALID_VALUE (-30)" in result.stderr,
                   said(result))


def preloaded():
    result = place.record("-o", "preloaded", "--preload", "--no-report", "--", program, 10)
    times = [line for line in events(place.folder / "work/preloaded") if "command_times" in line and program in line]
    tap.check_that("with --preload, too, once each", result.returncode == 0 and commands_of(times) == 10,
                   f"{commands_of(times)}\n{said(result)}")


def descriptors_closed():
    """In mid-run: LTTng's must stay open."""
    result = place.record("-o", "closed", "--no-loss", "--no-report", "--", program, 50,
                          environment={"CL_COMMANDS_CLOSES": "1", "LD_PRELOAD": "libm.so.6"})
    times = [line for line in events(place.folder / "work/closed") if "command_times" in line and program in line]
    tap.check_that("a program that closes all descriptors is recorded to its end", result.returncode == 0 and commands_of(times) == 50,
                   f"{commands_of(times)}\n{said(result)}")
    # The command is a program that begins others as these do; what these begin is recorded, too.
    for words, script in (("Python's subprocess",
                           "import subprocess\nsubprocess.run(['sh', '-c', 'cl-commands 20; echo done >done'], close_fds=True)\n"),
                          ("a daemon",
                           "import os\nfor _ in range(2):\n    if os.fork():\n        os._exit(0)\n    os.setsid()\nos.closerange(3, "
                           "4096)\n"
                                       "os.execvp('sh', ['sh', '-c', 'cl-commands 20; echo done >done'])\n")):
        (place.bin / "begins.py").write_text(script)
        place.own()
        name = words.split()[-1]
        result = place.record("-o", name, "--no-loss", "--no-report", "--", "sh", "-c",
                              f"/usr/bin/python3 {place.bin}/begins.py; n=0; while [ ! -e done ] && [ $n -lt 600 ]; do sleep 0.1; "
                              f"n=$((n+1)); done; rm done")
        times = [line for line in events(place.folder / "work" / name) if "command_times" in line and program in line]
        tap.check_that(f"{words} closes all descriptors before the program begins: it is recorded to its end",
                       result.returncode == 0 and result.stdout == "20 commands\n" and commands_of(times) == 20,
                       f"{commands_of(times)}\n{said(result)}")
    shown = place.record("-o", "preload", "--no-report", "--", "printenv", "LD_PRELOAD", environment={"LD_PRELOAD": "libm.so.6"})
    tap.check_that("what was preloaded before still is",
                   shown.stdout.startswith("libm.so.6:") and "/liblttng-gpu-descriptors.so" in shown.stdout, said(shown))


def of_other_width():
    """An ELF header says how long a program's words are; the loader of the C library refuses libraries of another kind."""
    narrow = place.bin / "narrow"
    narrow.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(45))
    script = place.bin / "script"
    script.write_text(f"#!{narrow}\n")
    by_env = place.bin / "by-env"
    by_env.write_text("#!/usr/bin/env -S narrow\n")
    for path in (narrow, script, by_env):
        path.chmod(0o755)
    place.own()
    for name, is_said in (("narrow", True), ("script", True), ("by-env", True), ("true", False), (place.bin / "missing", False)):
        result = place.record("--dry-run", "--preload", "-o", "width", "--", name)
        text = result.stdout + result.stderr
        tap.check_that(f"{Path(name).name}: a 32-bit program is said to be one", (f"{narrow} is a 32-bit program" in text) == is_said,
                       said(result))


def triggered():
    result = place.record("-o", "late", "--trigger", f"{limit_ms}ms", "--max-snapshots", "1", "--no-report", "--", program, 200, late_ms)
    found = re.search(r"snapshot late-1: a job of (\S+) \((\d+)\) on .* waited ([\d.]+) ms in the host queue.*; complete ([\d.]+) (ms|s) "
                      r"later(.*)",
                      result.stderr)
    tap.check_that("a late command makes a snapshot", result.returncode == 0 and found and found[1] == program, said(result))
    if not found:
        return
    delay_ms = float(found[4]) * (1000 if found[5] == "s" else 1)
    print(f"# the snapshot was complete {delay_ms:.0f} ms after the late command was submitted")
    tap.check_that("its wait has the right times", late_ms <= float(found[3]) <= 20 * late_ms, found[0])
    tap.check_that("the snapshot includes it", "does not reach back" not in found[6], found[0])
    rows = [row for row in jobs(place.folder / "work/late/late-1") if in_host_queue_ms(row) > limit_ms]
    tap.check_that("and has that job", [row for row in rows if in_host_queue_ms(row) >= late_ms], str(rows))
    tap.check_that("within two seconds", delay_ms < 2000, found[0])
    result = place.record("-o", "early", "--trigger", "10s", "--", program, 100)
    tap.check_that("commands that are not late cause no snapshot", result.returncode == 0 and "no snapshot was taken" in result.stderr,
                   said(result))


try:
    problem = lttng_session.why_not() or ("" if shutil.which("babeltrace2") else "no babeltrace2")
    if problem:
        tap.check("recording OpenCL", [], skip=problem)
    else:
        for group in (plain, failing, preloaded, descriptors_closed, of_other_width, triggered):
            group()
        tap.check("nothing is left", place.leftovers())
finally:
    place.close()
sys.exit(tap.finish())
