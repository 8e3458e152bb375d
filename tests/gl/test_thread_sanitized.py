#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the OpenGL layer with the thread sanitizer, while programs are recorded with times of the GPU. Prints TAP."""
import sys
import tempfile

import runs
from runs import differences, programs, recording, run

sys.path.insert(0, str(runs.Path(__file__).resolve().parents[1]))
from sanitizers import in_order, races, thread  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
commands = {"four threads, linked": ["life-linked", "threads"], "four threads, dlsym": ["life", "threads"],
            "linked": ["scene-linked", "linked", 3], "GetProcAddress": ["scene", "getproc", 3], "closed libraries": ["life", "closes"]}


def check_programs():
    preload = f"LD_PRELOAD={thread.preload(thread.layer('gl'))}"
    for name, (program, *words) in commands.items():
        command = [programs / program, *words]
        plain = run(command)
        with tempfile.TemporaryDirectory() as trace, recording(trace) as application:
            got = run(in_order(["env", preload, *command]), environment={**thread.options, **application, "LTTNG_GPU_GL_TIMES": "1"})
        tap.check(f"{name}: the same", differences(plain[:2], got[:2]))
        tap.check(f"{name}: no race", races(got[2], "gl"))


sys.exit(thread.with_daemon(tap, "gl", check_programs))
