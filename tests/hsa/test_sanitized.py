#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_sanitized.py BUILD: a build of the HSA layer with the address and undefined behaviour sanitizers, while it traces, with times of the
device. The runtime, the stand-in and LTTng are not built so: a fault counts when it is in our library. LONG=1: all parts of the
program, and builds anew; else only the shortest parts. TAP."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import lttng_session
from sanitizers import address, faults, leaks_found
from tap import Tap
from ways import Place

tap = Tap()
work = Path(tempfile.mkdtemp(prefix="lttng-gpu-hsa-sanitized-"))
place = Place(sys.argv[1], work)
PARTS = {"one": (), "batches": (), "barriers": (), "counted": (), "threads": (100,), "many-threads": (5,), "fork": (), "exit": (),
         "again": (),
         "kernels": (), "unasked": ()}
SHORT = ("batches", "threads", "exit")


def check(part, arguments, variables):
    plain = place.packets(part, *arguments)
    with lttng_session.session(f"hsa-sanitized-{part}", work / part,
                               channel=("--subbuf-size=1M", "--num-subbuf=8", "--blocking-timeout=inf"),
                               events="lttng_gpu_hsa:*", contexts=("vpid",)):
        got = place.packets(part, *arguments, **variables, **lttng_session.application_environment)
    tap.check_that(f"{part}: ran to its end", got.code in (plain.code, leaks_found), f"{got.code}: {got.errors[-600:]}")
    tap.check(f"{part}: no fault in the layer", faults(got.errors, "hsa", ""))
    # A child that leaks what is the runtime's ends with the code for that.
    told = plain.output if part != "fork" else re.sub(r"with \d+", "with", plain.output)
    tap.check_that(f"{part}: the same output", told == (got.output if part != "fork" else re.sub(r"with \d+", "with", got.output)),
                   got.output)
    read = subprocess.run(["babeltrace2", work / part], capture_output=True, text=True, timeout=300)
    tap.check_that(f"{part}: packets are recorded", "lttng_gpu_hsa:packet" in read.stdout, read.stdout[-500:] + read.stderr[-500:])


def check_programs():
    variables = {"HSA_TOOLS_LIB": str(address.layer("hsa")), "LD_PRELOAD": address.preload(), **address.options}
    for part in PARTS if os.environ.get("LONG") else SHORT:
        check(part, PARTS[part], variables)


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    try:
        sys.exit(address.with_daemon(tap, "hsa", check_programs))
    finally:
        shutil.rmtree(work, ignore_errors=True)
