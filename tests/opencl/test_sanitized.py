#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The OpenCL layer under valgrind's memcheck, and a build of it with the address and undefined behaviour sanitizers, both
while it traces. Drivers and LTTng have faults of their own, so a fault counts when it is in our library: an error in one
of its functions or in what these call directly, a leak of what it allocated. TAP."""
import shutil
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
from sanitizers import address, faults, leaks_found
from tap import Tap
from ways import conformance, first_difference, lttng_session, programs, run, tracing

OURS = "traced_cl|wrapped_cl"
# Kernels are compiled for the processor, and memcheck does not know all instructions of today's.
without_kernels = ["contexts", "queues", "buffers", "images", "shared_memory", "events", "callbacks", "references", "sharing"]


def memcheck(tap):
    # It is slow; the second way differs only in how functions are found.
    for way, sections in {"layer": without_kernels, "preload": ["queues", "callbacks"]}.items():
        plain = run("absent", conformance, *sections)
        command = ["valgrind", "--num-callers=30", "--leak-check=full", "--errors-for-leak-kinds=definite", conformance, *sections]
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                got = run(way, *command, timeout=280, environment=environment)
        tap.check_that(f"memcheck: {way}: ran to its end", "ERROR SUMMARY" in got.errors and got.code == 0,
                       f"{got.code}: {got.errors[-600:]}")
        tap.check(f"memcheck: {way}: no fault in the layer", faults(got.errors, "opencl", OURS))
        tap.check(f"memcheck: {way}: the same output", first_difference(plain.output, got.output))


def sanitizers(tap):
    problems = address.build_layer("opencl")
    tap.check("the layer with sanitizers is built", problems)
    if problems:
        return
    library = address.layer("opencl")
    ways = {"layer": {"OPENCL_LAYERS": str(library), "LD_PRELOAD": address.preload()}, "preload": {"LD_PRELOAD": address.preload(library)}}
    for way, variables in ways.items():
        for words, command in {"conformance": [conformance], "threads": [programs / "threads", 10]}.items():
            plain = run("absent", *command)
            with tempfile.TemporaryDirectory() as folder:
                with tracing(folder) as environment:
                    got = run({**variables, **address.options}, *command, timeout=280, environment=environment)
            tap.check_that(f"sanitizers: {way}, {words}: ran to its end", got.code in (plain.code, leaks_found),
                           f"{got.code}: {got.errors[-600:]}")
            tap.check(f"sanitizers: {way}, {words}: no fault in the layer", faults(got.errors, "opencl", OURS))
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
