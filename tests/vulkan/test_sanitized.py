#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the Vulkan layer with the address and undefined behaviour sanitizers, while it traces, with times of the GPU. The
driver and the loader leak (lavapipe does), so a fault counts when it is in our library. TAP."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ways import compare, programs, run, tracing
from sanitizers import address, faults, leaks_found
from tap import Tap

tap = Tap()
MODES = ("fences", "timelines", "threads", "devices", "forks", "in-call", "undestroyed")


def check_programs():
    own = {"XDG_DATA_DIRS": f"{address.folder}/share:/usr/share", "LD_PRELOAD": address.preload(), **address.options}
    with tempfile.TemporaryDirectory() as folder, tracing(folder) as environment:
        for mode in MODES:
            plain = run("absent", programs / "work", mode)
            got = run("times", programs / "work", mode, environment=own | environment)
            tap.check_that(f"{mode}: ran to its end", got.code in (plain.code, leaks_found), f"{got.code}: {got.errors[-600:]}")
            tap.check(f"{mode}: no fault in the layer", faults(got.errors, "vulkan", "(traced|wrapped)_vk"))
            got.code = plain.code
            # Children end with the code for leaks of the driver's.
            if mode != "forks":
                tap.check(f"{mode}: the same output", compare(plain, got))


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(address.with_daemon(tap, "vulkan", check_programs))
