# SPDX-License-Identifier: MIT
"""Signal handlers that call OpenCL, and ways to end in the middle of it: nothing hangs, and what was recorded is in the trace."""
import re
import subprocess
import tempfile

from same_output import in_all_ways
from ways import compare, programs, run, tracing


# Exit in a handler in the middle of a call, and what ends a program in a callback, on a thread of the driver's.
ends = [("signals exit", 21), ("ends callback", 11), ("ends abort", -6), ("ends fault", -11), ("ends fault-exit", 18)]


def killed(tap):
    for words, code in ends:
        command = [programs / words.split()[0], *words.split()[1:]]
        plain = run("absent", *command, timeout=30)
        tap.check_that(f"{words}: absent", plain.code in (code, "hangs"), f"{plain.code}: {plain.output}")
        for way in ("layer", "preload"):
            with tempfile.TemporaryDirectory() as folder:
                with tracing(folder) as environment:
                    got = run(way, *command, timeout=30, environment=environment)
                text = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=120).stdout
            tap.check(f"{words}: {way}, traced", compare(plain, got))
            enqueued = len(re.findall(r":\w+_enqueue: ", text))
            tap.check_that(f"{words}: {way}, what it did before is in the trace", enqueued >= 6, f"{enqueued} commands")


def late(tap):
    """Drivers whose exit handler, registered with their first context, queue or command, runs before the layer's or after it:
    the layer asks nothing of a driver that has ended, and what the program did is in the trace."""
    for kind in ("context", "queue", "command"):
        driver = {"ENDING_DRIVER": kind, "OCL_ICD_VENDORS": str(programs / "libending-driver.so")}
        plain = run("absent", programs / "late_end", environment=driver)
        tap.check_that(f"a driver that ends, first {kind}: absent", plain.code == 23 and "called back at exit" in plain.output,
                       f"{plain.code}: {plain.output}{plain.errors}")
        for way in ("layer", "preload"):
            tap.check(f"a driver that ends, first {kind}: {way}, not traced",
                      compare(plain, run(way, programs / "late_end", environment=driver)))
            with tempfile.TemporaryDirectory() as folder:
                with tracing(folder) as environment:
                    got = run(way, programs / "late_end", environment={**driver, **environment})
                text = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=120).stdout
            problems = compare(plain, got)
            timed = sum(map(int, re.findall(r":command_times: .*?_command_length = (\d+)", text)))
            untimed = sum(map(int, re.findall(r":commands_untimed: .*?count = (\d+)", text)))
            # 15 before clFinish(), 10 of which no one knows whether they are complete, 2 that never are. Each is told once.
            if timed < 15 or timed + untimed != 27:
                problems.append(f"{timed} commands with times and {untimed} counted, of 27")
            tap.check(f"a driver that ends, first {kind}: {way}, traced", problems)


def signals(tap):
    for what in ("storm", "first"):
        command = [programs / "signals", what]
        plain = run("absent", *command)
        tap.check_that(f"signals, {what}: absent", plain.output == "handled, 0 wrong\n", f"{plain.code}: {plain.output}")
        in_all_ways(tap, f"signals, {what}", command, plain, timeout=60)
