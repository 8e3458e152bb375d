#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The OpenCL layer under valgrind's memcheck, and a build of it with the address and undefined behaviour sanitizers, both
while it traces. Drivers and LTTng have faults of their own, so a fault counts when it is in our library: an error in one
of its functions or in what these call directly, a leak of what it allocated. TAP."""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
from tap import Tap
from ways import build, conformance, first_difference, layer, lttng_session, programs, run, tracing

ours = re.compile(r"lttng_gpu::|liblttng-gpu-opencl|traced_cl|wrapped_cl|userspace/preload|preload/opencl/generated")
# Kernels are compiled for the processor, and memcheck does not know all instructions of today's.
without_kernels = ["contexts", "queues", "buffers", "images", "shared_memory", "events", "callbacks", "references", "sharing"]


def paragraphs(text, marker):
    """Reports begin with `marker` and end at an empty line; the number of the process is taken off each line."""
    lines = "\n".join(re.sub(r"^==\d+== ?", "", line) for line in text.splitlines())
    return [part for part in re.split(r"\n\s*\n", lines) if re.search(marker, part)]


def innermost(report, frames):
    """The functions in which it happened, without the allocator's and the sanitizer's own."""
    found = [line for line in report.splitlines() if re.match(r"\s+(#\d+|at|by) ", line)]
    found = [line for line in found if not re.search(r"interceptor|libsanitizer|vgpreload|rtld-malloc|operator new", line)]
    return "\n".join(found[:frames])


def faults(text):
    errors = paragraphs(text, r"^(Invalid|Conditional jump|Use of uninit|Syscall param|Jump to|Mismatched|Source and dest)|ERROR: AddressSanitizer")
    leaks = paragraphs(text, r"(?m)are definitely lost|^Direct leak")
    undefined = [line for line in text.splitlines() if "runtime error:" in line and "/usr/include/" not in line]
    return ([report[:1500] for report in errors if ours.search(innermost(report, 3))] +
            [report[:1500] for report in leaks if ours.search(innermost(report, 1))] + sorted(set(undefined)))


def memcheck(tap):
    # It is slow; the second way differs only in how functions are found.
    for way, sections in {"layer": without_kernels, "preload": ["queues", "callbacks"]}.items():
        plain = run("absent", conformance, *sections)
        command = ["valgrind", "--num-callers=30", "--leak-check=full", "--errors-for-leak-kinds=definite", conformance, *sections]
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                got = run(way, *command, timeout=280, environment=environment)
        tap.check_that(f"memcheck: {way}: ran to its end", "ERROR SUMMARY" in got.errors and got.code == 0, f"{got.code}: {got.errors[-600:]}")
        tap.check(f"memcheck: {way}: no fault in the layer", faults(got.errors))
        tap.check(f"memcheck: {way}: the same output", first_difference(plain.output, got.output))


def sanitizers(tap):
    sanitized = build / "sanitized"
    # LTTng's own macros and headers are not aligned as they say, and copy nothing from nowhere.
    flags = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=alignment,nonnull-attribute"
    done = subprocess.run(["make", "--no-print-directory", f"BUILD={sanitized}", "preload",
                           f"CXXFLAGS={flags}"], capture_output=True, text=True)
    tap.check("the layer with sanitizers is built", [done.stderr[-1000:]] if done.returncode else [])
    if done.returncode:
        return
    library = sanitized / layer.name
    asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    ways = {"layer": {"OPENCL_LAYERS": str(library), "LD_PRELOAD": asan}, "preload": {"LD_PRELOAD": f"{asan} {library}"}}
    options = {"ASAN_OPTIONS": "detect_leaks=1:exitcode=23"}
    # Of its reports, which are read: of the driver's leaks too.
    leaks_found = 23
    for way, variables in ways.items():
        for words, command in {"conformance": [conformance], "threads": [programs / "threads", 10]}.items():
            plain = run("absent", *command)
            with tempfile.TemporaryDirectory() as folder:
                with tracing(folder) as environment:
                    got = run({**variables, **options}, *command, timeout=280, environment=environment)
            tap.check_that(f"sanitizers: {way}, {words}: ran to its end", got.code in (plain.code, leaks_found), f"{got.code}: {got.errors[-600:]}")
            tap.check(f"sanitizers: {way}, {words}: no fault in the layer", faults(got.errors))
            tap.check(f"sanitizers: {way}, {words}: the same output", first_difference(plain.output, got.output))


def main():
    tap = Tap()
    why_not = lttng_session.why_not() or ("" if shutil.which("valgrind") else "valgrind is not installed")
    tap.check("sessions can be recorded, valgrind is there", [why_not] if why_not else [])
    if not why_not:
        with lttng_session.daemon():
            for name, part in {"memcheck": memcheck, "sanitizers": sanitizers}.items():
                if len(sys.argv) == 1 or name in sys.argv[1:]:
                    part(tap)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
