#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""damaged_traces.py LTTNG_GPU DAMAGE_TRACE: small traces of every kind, cut and with changed bytes in their metadata, thousands
of times in one process (damage_trace.cpp says what is accepted and why); then some more of these damages in processes of
their own, whose signals and memory are looked at. LONG=1: at every byte of the metadata; else every seventh. Prints TAP."""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from tap import Tap

lttng_gpu, damage_trace = (Path(path).resolve() for path in sys.argv[1:3])
golden = top / "tests/golden"
ftrace = golden / "linux-6.12-ftrace"
traces = [top / "tests/readers/traces/ctf2-kernel/trace", golden / "linux-7.2/kernel", ftrace / "v7-zstd.dat", ftrace / "v6.dat",
          ftrace / "v7.dat", ftrace / "trace.txt", ftrace / "report.txt", ftrace / "perf.txt"]
every = 1 if os.environ.get("LONG") else 7
more_memory = 64 * 1024  # KiB
tap = Tap()


def measure(trace):
    """Exit code (negative: a signal), lines on stderr, peak KiB, seconds of processor time."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([lttng_gpu, "report", "-o", "/dev/null", trace], stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read().decode().splitlines(), usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def damages(content, count):
    """Prefixes, and copies with some bytes in a row that are all ones, or all zero."""
    for index in range(count):
        at = len(content) * index // count
        yield content[:at]
        for byte in b"\xff\0":
            yield content[:at] + bytes([byte]) * 8 + content[at + 8:]


def check_file(trace, file, count):
    normal = measure(trace)
    whole = file.read_bytes()
    problems = [] if normal[0] == 0 else [f"undamaged: {normal}"]
    for number, content in enumerate(damages(whole, count)):
        file.write_bytes(content)
        code, lines, peak, seconds = measure(trace)
        good = code in (0, 1, 3, 4) and seconds < 5 and peak < normal[2] + more_memory
        if not good or bool(lines) != (code != 0) or not all(line.startswith("lttng-gpu: ") for line in lines):
            problems.append(f"damage {number}: exit code {code}, {peak} KiB, {seconds:.1f} s: {lines[:3]}")
    file.write_bytes(whole)
    tap.check(f"{file.name}: {3 * count} processes end by themselves with a message, and use little memory", problems)


with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    work = [[damage_trace, trace, Path(folder) / str(number), str(every)] for number, trace in enumerate(traces)]
    for trace, run in zip(traces, pool.map(lambda command: subprocess.run(command, capture_output=True, text=True), work)):
        lines = run.stdout.splitlines()
        results = [line for line in lines if line.startswith(("ok", "not ok"))]
        print("\n".join("#   " + line for line in lines), flush=True)
        whole = lines and lines[-1] == f"1..{len(results)}" and run.returncode == 0
        tap.check(f"{trace.parent.name}/{trace.name}: each damage is reported", [] if whole else lines[-12:] + [run.stderr])
    kernel = Path(folder) / "kernel"
    shutil.copytree(golden / "linux-6.12/kernel", kernel)
    for file in sorted(kernel.iterdir()):
        check_file(kernel, file, 10)
    for name in ("v7.dat", "trace.txt"):
        check_file(Path(shutil.copy(ftrace / name, folder)), Path(folder) / name, 10)
sys.exit(tap.finish())
