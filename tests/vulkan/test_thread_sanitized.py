#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the Vulkan layer with the thread sanitizer, while programs are recorded with times of the GPU. Prints TAP."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ways import compare, lttng_session, programs, run, tracing
import thread_sanitizer
from tap import Tap

MODES = ("threads", "timelines", "devices", "many-devices", "fences")


def main():
    tap = Tap()
    why_not = lttng_session.why_not()
    if why_not:
        tap.check("the layer with the thread sanitizer traces", skip=why_not)
        return tap.finish()
    problems = thread_sanitizer.build_layer("vulkan")
    tap.check("the layer with the thread sanitizer is built", problems)
    own = {"XDG_DATA_DIRS": f"{thread_sanitizer.folder}/share:/usr/share", **thread_sanitizer.options}
    with lttng_session.daemon(), tempfile.TemporaryDirectory() as folder, tracing(folder) as environment:
        for mode in () if problems else MODES:
            command = [programs / "work", mode]
            plain = run("absent", *command)
            wrapped = thread_sanitizer.as_it_wants(["env", f"LD_PRELOAD={thread_sanitizer.preloads()}", *command])
            got = run("times", *wrapped, environment=own | environment)
            tap.check(f"{mode}: the same", compare(plain, got))
            tap.check(f"{mode}: no race", thread_sanitizer.races(got.errors, "vulkan"))
    return tap.finish()


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(main())
