#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the Vulkan layer with the address and undefined behaviour sanitizers, while it traces, with times of the GPU. The
driver, the loader and LTTng have faults of their own (lavapipe leaks), so a fault counts when it is in our library: an error
in one of its functions or in what these call directly, a leak of what it allocated. TAP."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ways import build, compare, lttng_session, programs, run, tracing
from address_sanitizer import faults, flags, leaks_found
from tap import Tap

ours = re.compile(r"lttng_gpu::|liblttng-gpu-vulkan|(traced|wrapped)_vk|userspace/preload|preload/vulkan/generated")
MODES = ("fences", "timelines", "threads", "devices", "forks", "in-call", "undestroyed")


def main():
    tap = Tap()
    why_not = lttng_session.why_not()
    tap.check("sessions can be recorded", [why_not] if why_not else [])
    if why_not:
        return tap.finish()
    sanitized = build / "sanitized"
    libraries = [sanitized / name for name in ("liblttng-gpu-vulkan.so", "liblttng-gpu-vulkan-provider.so")]
    done = subprocess.run(["make", "--no-print-directory", f"BUILD={sanitized}", f"CXXFLAGS={flags}", *libraries], capture_output=True, text=True)
    tap.check("the layer with sanitizers is built", [done.stderr[-1000:]] if done.returncode else [])
    asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    own = {"XDG_DATA_DIRS": f"{sanitized}/share:/usr/share", "LD_PRELOAD": asan, "ASAN_OPTIONS": f"detect_leaks=1:exitcode={leaks_found}"}
    with lttng_session.daemon(), tempfile.TemporaryDirectory() as folder, tracing(folder) as environment:
        for mode in MODES if not done.returncode else ():
            plain = run("absent", programs / "work", mode)
            got = run("times", programs / "work", mode, environment=own | environment)
            tap.check_that(f"{mode}: ran to its end", got.code in (plain.code, leaks_found), f"{got.code}: {got.errors[-600:]}")
            tap.check(f"{mode}: no fault in the layer", faults(got.errors, ours))
            got.code = plain.code
            # Children end with the code for leaks of the driver's.
            if mode != "forks":
                tap.check(f"{mode}: the same output", compare(plain, got))
    return tap.finish()


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(main())
