#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the OpenGL layer with the thread sanitizer, while programs are recorded with times of the GPU. Prints TAP."""
import sys
import tempfile

import runs
from runs import differences, programs, recording, run

sys.path.insert(0, str(runs.Path(__file__).resolve().parents[1]))
import thread_sanitizer  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
commands = {"four threads, linked": ["life-linked", "threads"], "four threads, dlsym": ["life", "threads"], "linked": ["scene-linked", "linked", 3],
            "GetProcAddress": ["scene", "getproc", 3], "closed libraries": ["life", "closes"]}


def main():
    problem = runs.lttng_session.why_not()
    if problem:
        tap.check("the layer with the thread sanitizer traces", skip=problem)
        return
    problems = thread_sanitizer.build_layer("gl")
    tap.check("the layer with the thread sanitizer is built", problems)
    layer = thread_sanitizer.folder / "liblttng-gpu-gl.so"
    with runs.lttng_session.daemon():
        for name, (program, *words) in {} if problems else commands.items():
            command = [programs / program, *words]
            plain = run(command)
            with tempfile.TemporaryDirectory() as trace, recording(trace) as application:
                environment = {**thread_sanitizer.options, **application, "LTTNG_GPU_GL_TIMES": "1"}
                preload = f"LD_PRELOAD={thread_sanitizer.preloads()} {layer}"
                got = run(thread_sanitizer.as_it_wants(["env", preload, *command]), environment=environment)
            tap.check(f"{name}: the same", differences(plain[:2], got[:2]))
            tap.check(f"{name}: no race", thread_sanitizer.races(got[2], "gl"))


main()
sys.exit(tap.finish())
