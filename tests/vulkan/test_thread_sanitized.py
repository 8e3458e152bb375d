#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the Vulkan layer with the thread sanitizer, while programs are recorded with times of the GPU. Prints TAP."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ways import compare, programs, run, tracing
from sanitizers import in_order, races, thread
from tap import Tap

tap = Tap()
MODES = ("threads", "timelines", "devices", "many-devices", "fences")


def check_programs():
    own = {"XDG_DATA_DIRS": f"{thread.folder}/share:/usr/share", **thread.options}
    with tempfile.TemporaryDirectory() as folder, tracing(folder) as environment:
        for mode in MODES:
            command = [programs / "work", mode]
            plain = run("absent", *command)
            got = run("times", *in_order(["env", f"LD_PRELOAD={thread.preload()}", *command]), environment=own | environment)
            tap.check(f"{mode}: the same", compare(plain, got))
            tap.check(f"{mode}: no race", races(got.errors, "vulkan"))


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(thread.with_daemon(tap, "vulkan", check_programs))
