#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_pipes.py LTTNG_GPU: who reads a part of the output and closes the pipe (head, a pager) gets that part, and no message about it;
a disk that is full is told. Prints TAP."""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu = sys.argv[1]
trace = Path(__file__).resolve().parents[1] / "golden/linux-7.2/kernel"
tap = Tap()
commands = [["jobs"], ["jobs", "--format", "csv"], ["report"], ["report", "--format", "json"], ["diagnose", "--format", "json"],
            ["export", "--to", "csv"], ["export", "--to", "chrome"], ["export", "--to", "perfetto"]]


def closed(command):
    """Nobody reads: all that is written fails."""
    reader = subprocess.Popen(["true"], stdin=subprocess.PIPE)
    reader.wait()
    result = subprocess.run([lttng_gpu, *command, str(trace)], stdout=reader.stdin, stderr=subprocess.PIPE, text=True, timeout=600)
    reader.stdin.close()
    return result


for command in commands:
    told = closed(command)
    tap.check_that(f"{' '.join(command)}: a closed pipe is no news", (told.returncode, told.stderr) == (2, ""),
                   (told.returncode, told.stderr))
with open("/dev/full", "w") as full:
    told = subprocess.run([lttng_gpu, "jobs", str(trace)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=600)
tap.check_that("a full disk is told", told.returncode == 2 and "cannot write standard output: No space left" in told.stderr, told.stderr)
sys.exit(tap.finish())
