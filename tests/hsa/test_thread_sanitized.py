#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_thread_sanitized.py BUILD: a build of the HSA layer with the thread sanitizer, while programs are recorded with times of the device.
TAP."""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import lttng_session
from sanitizers import in_order, races, thread
from tap import Tap
from ways import Place

PARTS = {"threads": (100,), "many-threads": (5,), "batches": (), "barriers": (), "fork": (), "exit": (), "again": (), "unasked": ()}
ENDING = ("exit", "unasked")
tap = Tap()
work = Path(tempfile.mkdtemp(prefix="lttng-gpu-hsa-threads-"))
place = Place(sys.argv[1], work)


def check(part, arguments):
    command = [place.tests / "packets", part, *arguments]
    plain = place.run(*command)
    variables = {"HSA_TOOLS_LIB": str(thread.layer("hsa")), **thread.options}
    wrapped = in_order(["env", f"LD_PRELOAD={thread.preload()}", *command])
    with lttng_session.session(f"hsa-threads-{part}", work / part, channel=("--subbuf-size=1M", "--num-subbuf=8", "--blocking-timeout=inf"),
                               events="lttng_gpu_hsa:*", contexts=("vpid",)):
        got = place.run(*wrapped, **variables, **lttng_session.application_environment)
    # A program that ends in a call of a library that is not built so gets the sanitizer's own code.
    codes = (plain.code, 0) if part in ENDING else (plain.code,)
    tap.check_that(f"{part}: the same", got.code in codes and plain.output == got.output,
                   f"{plain}, now {got.code} {got.output} {got.errors[-600:]}")
    tap.check(f"{part}: no race", races(got.errors, "hsa"))


def check_programs():
    for part, arguments in PARTS.items():
        check(part, arguments)


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    try:
        sys.exit(thread.with_daemon(tap, "hsa", check_programs))
    finally:
        shutil.rmtree(work, ignore_errors=True)
