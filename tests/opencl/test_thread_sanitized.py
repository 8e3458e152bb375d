#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the OpenCL layer with the thread sanitizer, while a program of several threads is recorded. Prints TAP."""
import os
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
from sanitizers import in_order, races, thread
from tap import Tap
from ways import first_difference, programs, run, tracing

tap = Tap()


def check_programs():
    layer = thread.layer("opencl")
    command = [programs / "threads", 10]
    for way, variables, preload in ("layer", {"OPENCL_LAYERS": str(layer)}, thread.preload()), ("preload", {}, thread.preload(layer)):
        plain = run("absent", *command)
        with tempfile.TemporaryDirectory() as folder, tracing(folder) as environment:
            got = run({**variables, **thread.options}, *in_order(["env", f"LD_PRELOAD={preload}", *command]), timeout=280,
                      environment=environment)
        tap.check_that(f"{way}: ran to its end", got.code == plain.code, f"{got.code}: {got.errors[-600:]}")
        tap.check(f"{way}: the same output", first_difference(plain.output, got.output))
        tap.check(f"{way}: no race", races(got.errors, "opencl"))


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(thread.with_daemon(tap, "opencl", check_programs))
