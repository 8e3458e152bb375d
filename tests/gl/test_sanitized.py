#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A build of the OpenGL layer with the address and undefined behaviour sanitizers, while it traces. Drivers and LTTng have
faults of their own and are not checked: they are not built so. Prints TAP."""
import os
import subprocess
import sys
import tempfile

import runs
from runs import build, differences, programs, recording, run

sys.path.insert(0, str(runs.Path(__file__).resolve().parents[1]))
from tap import Tap  # noqa: E402

tap = Tap()
# LTTng's own macros are not aligned as they say, and copy nothing from nowhere.
flags = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=alignment,nonnull-attribute"
folder = build / "sanitized"
libraries = [folder / f"liblttng-gpu-gl{name}.so" for name in ("", "-provider")]
commands = {"linked": ["scene-linked", "linked", 3], "dlsym": ["scene", "local", 3], "GetProcAddress": ["scene", "getproc", 3],
            "plugin": ["scene", "plugin", 3, programs / "plugin.so"], "threads": ["life", "threads"], "forks": ["life-linked", "forks"],
            "closed libraries": ["life", "closes"], "no OpenGL": ["scene", "absent", 1]}


def main():
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(["make", "--no-print-directory", f"BUILD={folder}", f"CXXFLAGS={flags}", *map(str, libraries)], env=environment,
                          capture_output=True, text=True)
    tap.check("the layer with sanitizers is built", [done.stderr[-1000:]] if done.returncode else [])
    problem = runs.lttng_session.why_not()
    if done.returncode or problem:
        tap.check("the layer with sanitizers traces", skip=problem)
        return
    asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    with runs.lttng_session.daemon():
        for name, (program, *words) in commands.items():
            command = [programs / program, *words]
            with tempfile.TemporaryDirectory() as trace, recording(trace) as application:
                got = run(command, f"{asan} {libraries[0]}", {"ASAN_OPTIONS": "detect_leaks=0", "LTTNG_GPU_GL_TIMES": "1", **application})
            tap.check(f"{name}: the same, and no fault", differences(run(command), got))


main()
sys.exit(tap.finish())
