#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_thread_sanitized.py BUILD: a build of the HSA layer with the thread sanitizer, while programs are recorded with times of the device. TAP."""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import lttng_session
import thread_sanitizer
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
    variables = {"HSA_TOOLS_LIB": str(thread_sanitizer.folder / "liblttng-gpu-hsa.so"), **thread_sanitizer.options}
    wrapped = thread_sanitizer.as_it_wants(["env", f"LD_PRELOAD={thread_sanitizer.preloads()}", *command])
    with lttng_session.session(f"hsa-threads-{part}", work / part, channel=("--subbuf-size=1M", "--num-subbuf=8", "--blocking-timeout=inf"),
                               events="lttng_gpu_hsa:*", contexts=("vpid",)):
        got = place.run(*wrapped, **variables, **lttng_session.application_environment)
    # A program that ends in a call of a library that is not built so gets the sanitizer's own code.
    codes = (plain.code, 0) if part in ENDING else (plain.code,)
    tap.check_that(f"{part}: the same", got.code in codes and plain.output == got.output, f"{plain}, now {got.code} {got.output} {got.errors[-600:]}")
    tap.check(f"{part}: no race", thread_sanitizer.races(got.errors, "hsa"))


def main():
    why_not = lttng_session.why_not()
    if why_not:
        tap.check("the layer with the thread sanitizer traces", skip=why_not)
        return tap.finish()
    problems = thread_sanitizer.build_layer("hsa")
    tap.check("the layer with the thread sanitizer is built", problems)
    with lttng_session.daemon():
        for part, arguments in () if problems else PARTS.items():
            check(part, arguments)
    return tap.finish()


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(work, ignore_errors=True)
