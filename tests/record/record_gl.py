#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record_gl.py LTTNG_GPU BUILD: `lttng-gpu record` of a program that draws with EGL on llvmpipe, with the layers from the
build folder: frames are recorded without any set-up, and --api chooses. Prints TAP."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session
from recorder import Place, events
from tap import Tap

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
libraries = [build / f"liblttng-gpu-{name}.so" for name in ("opencl", "opencl-provider", "gl", "gl-provider", "descriptors")]
place = Place([lttng_gpu, build / "tests/gl/scene", build / "tests/layers/restricted.so", *libraries])
software = {"LIBGL_ALWAYS_SOFTWARE": "1", "LP_NUM_THREADS": "0", "MESA_SHADER_CACHE_DISABLE": "true"}
program = ("scene", "local", 4)


def said(result):
    return f"exit code {result.returncode}\n{result.stdout[-1500:]}\n{result.stderr[-3000:]}"


def recorded(*options):
    """What the program said, and its events by provider."""
    folder = "-".join(["out", *options])
    result = place.record("-o", folder, "--no-loss", *options, "--", *program, environment=software)
    counts = {}
    for line in events(place.folder / "work" / folder):
        name = re.search(r"lttng_gpu_\w+:\w+", line)
        if name and 'procname = "scene"' in line:
            counts[name[0]] = counts.get(name[0], 0) + 1
    return result, counts


def drawn():
    plain = place.run(place.bin / "scene", *program[1:], environment=software)
    result, counts = recorded()
    tap.check_that("a program that opens its libraries itself draws the same when recorded",
                   result.returncode == plain.returncode == 0 and result.stdout == plain.stdout and plain.stdout.count("\n") == 6,
                   said(plain) + said(result))
    tap.check_that("its frames are recorded without any set-up", counts.get("lttng_gpu_gl:frame") == 4, f"{counts}\n{said(result)}")
    result, counts = recorded("--api", "gl")
    tap.check_that("with --api gl, too", counts.get("lttng_gpu_gl:frame") == 4, f"{counts}\n{said(result)}")
    tap.check_that("without times of the GPU", not counts.get("lttng_gpu_gl:command"), counts)
    result, counts = recorded("--api", "gl", "--api-times")
    tap.check_that("with --api-times each frame, dispatch and blit is a command, and has times",
                   result.stdout == plain.stdout and counts.get("lttng_gpu_gl:command") == 12 and
                   counts.get("lttng_gpu_gl:command_times", 0) > 0, f"{counts}\n{said(result)}")
    result, counts = recorded("--api", "opencl")
    tap.check_that("with --api opencl nothing of it", result.returncode == 0 and not counts, f"{counts}\n{said(result)}")


def chosen():
    shown = place.record("--dry-run", "--api", "gl", "-o", "shown", "--", "true")
    text = shown.stdout
    tap.check_that("--api gl loads that layer alone and enables its events alone",
                   "liblttng-gpu-gl.so" in text and "lttng_gpu_gl:" in text and "OPENCL_LAYERS" not in text
                   and "lttng_gpu_opencl" not in text, said(shown))
    both = place.record("--dry-run", "-o", "shown", "--", "true")
    tap.check_that("all layers are the default", "liblttng-gpu-gl.so" in both.stdout and "OPENCL_LAYERS" in both.stdout, said(both))
    for words in (("--api", "gl,metal"), ("--api", ""), ("--api", "gl", "--events", "kernel")):
        wrong = place.record(*words, "--", "true")
        tap.check_that(f"{' '.join(words)} is refused with a reason", wrong.returncode == 2 and "--api" in wrong.stderr, said(wrong))


def harmless():
    """The layer is loaded into every program of the command."""
    python = shutil.which("/usr/bin/python3") or sys.executable
    script = f"echo one; {python} -c 'import ctypes; print(ctypes.CDLL(None).printf is not None, hasattr(ctypes.CDLL(None), \"glFinish\"))'; env true; exit 3"
    result = place.record("-o", "shell", "--no-report", "--api", "gl", "--", "sh", "-c", script)
    tap.check_that("a shell and its programs are as they are without it", (result.returncode, result.stdout) == (3, "one\nTrue False\n"),
                   said(result))


def sandboxed():
    """One that forbids itself sockets before it uses OpenGL would be killed by LTTng's."""
    plain = place.run(place.bin / "scene", *program[1:], environment=software)
    for way in ("prctl", "syscall"):
        script = f'RESTRICTED={way} LD_PRELOAD="$LD_PRELOAD:{place.bin}/restricted.so" exec "$0" "$@"'
        folder = f"sandboxed-{way}"
        result = place.record("-o", folder, "--no-loss", "--api", "gl", "--", "sh", "-c", script, *program, environment=software)
        frames = sum("lttng_gpu_gl:frame" in line for line in events(place.folder / "work" / folder))
        tap.check_that(f"a program that forbids itself sockets by {way} draws the same, and its frames are recorded",
                       (result.returncode, result.stdout, frames) == (0, plain.stdout, 4), f"{frames} frames\n{said(result)}")


def sanitized():
    """gcc's AddressSanitizer wants its library to be the first; also in a script, beside programs without it."""
    source = place.folder / "work/sanitized.c"
    source.write_text('#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char *text = malloc(9); snprintf(text, 9, "fine"); '
                      'puts(text); free(text); return 5; }\n')
    built = subprocess.run(["gcc", "-fsanitize=address", "-o", source.with_suffix(""), source], capture_output=True, text=True)
    if built.returncode:
        tap.check("a program with gcc's AddressSanitizer", [], skip="gcc has none here")
        return
    place.own()
    for words in (["./sanitized"], ["sh", "-c", "true; ./sanitized"]):
        result = place.record("-o", "asan" + words[0].strip("./"), "--no-report", "--", *words)
        tap.check_that(f"a program with gcc's AddressSanitizer runs: {words[0]}", (result.returncode, result.stdout) == (5, "fine\n"),
                       said(result))


try:
    problem = lttng_session.why_not() or ("" if shutil.which("babeltrace2") else "no babeltrace2")
    if problem:
        tap.check("recording OpenGL", [], skip=problem)
    else:
        for group in (drawn, chosen, harmless, sandboxed, sanitized):
            group()
        tap.check("nothing is left", place.leftovers())
finally:
    place.close()
sys.exit(tap.finish())
