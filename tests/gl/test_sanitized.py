#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the OpenGL layer with the address and undefined behaviour sanitizers, while it traces. Prints TAP."""
import sys
import tempfile

import runs
from runs import differences, programs, recording, run

sys.path.insert(0, str(runs.Path(__file__).resolve().parents[1]))
from sanitizers import address  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
commands = {"linked": ["scene-linked", "linked", 3], "dlsym": ["scene", "local", 3], "GetProcAddress": ["scene", "getproc", 3],
            "plugin": ["scene", "plugin", 3, programs / "plugin.so"], "threads": ["life", "threads"], "forks": ["life-linked", "forks"],
            "closed libraries": ["life", "closes"], "no OpenGL": ["scene", "absent", 1]}
# A report would be a difference of the outputs. Of leaks there are those of drivers.
own = {"ASAN_OPTIONS": "detect_leaks=0", "LTTNG_GPU_GL_TIMES": "1"}


def check_programs():
    preload = address.preload(address.layer("gl"))
    for name, (program, *words) in commands.items():
        command = [programs / program, *words]
        with tempfile.TemporaryDirectory() as trace, recording(trace) as application:
            got = run(command, preload, own | application)
        tap.check(f"{name}: the same, and no fault", differences(run(command), got))


sys.exit(address.with_daemon(tap, "gl", check_programs))
