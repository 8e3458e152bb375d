#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the OpenCL layer with the thread sanitizer, while a program of several threads is recorded. Prints TAP."""
import os
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import thread_sanitizer
from tap import Tap
from ways import first_difference, lttng_session, programs, run, tracing


def main():
    tap = Tap()
    why_not = lttng_session.why_not()
    if why_not:
        tap.check("the layer with the thread sanitizer traces", skip=why_not)
        return tap.finish()
    problems = thread_sanitizer.build_layer("opencl")
    tap.check("the layer with the thread sanitizer is built", problems)
    layer = thread_sanitizer.folder / "liblttng-gpu-opencl.so"
    command = [programs / "threads", 10]
    with lttng_session.daemon():
        for way, variables in () if problems else {"layer": {"OPENCL_LAYERS": str(layer)}, "preload": {}}.items():
            preloads = thread_sanitizer.preloads() + ("" if variables else f" {layer}")
            wrapped = thread_sanitizer.as_it_wants(["env", f"LD_PRELOAD={preloads}", *command])
            plain = run("absent", *command)
            with tempfile.TemporaryDirectory() as folder, tracing(folder) as environment:
                got = run({**variables, **thread_sanitizer.options}, *wrapped, timeout=280, environment=environment)
            tap.check_that(f"{way}: ran to its end", got.code == plain.code, f"{got.code}: {got.errors[-600:]}")
            tap.check(f"{way}: the same output", first_difference(plain.output, got.output))
            tap.check(f"{way}: no race", thread_sanitizer.races(got.errors, "opencl"))
    return tap.finish()


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(main())
