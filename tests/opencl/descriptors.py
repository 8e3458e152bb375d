# SPDX-License-Identifier: MIT
"""Programs that close descriptors that are not theirs: LTTng's stay open, and the program is recorded to its end."""
import re
import subprocess
import tempfile

from ways import base, build, compare, programs, run, tracing
from ways import ways as all_ways

guard = build / "liblttng-gpu-descriptors.so"
# In the process itself; in a child, where nothing is recorded and everything may be closed; in one that becomes another program,
# which is recorded again.
ways = ["none", "close", "fclose", "closefrom", "close_range", "close_range-unshare", "dup2", "dup3"]
children = [f"child-{way}" for way in ("close", "closefrom", "close_range")]
programs_of_children = [f"exec-{way}" for way in ("close", "close_range")]


def closed(tap):
    for way in ways + children + programs_of_children:
        once(tap, way)
    for way in ways:
        outlives(tap, way)
    once(tap, "close_range", 200)
    once(tap, "child-close", 200)


def once(tap, way, times=1):
    words = f"descriptors, {way}{f' {times} times' if times > 1 else ''}"
    command = [programs / "closes", way, times]
    commands = 5 * (101 + times) + (times * 5 * 102 if way in programs_of_children else 0)
    plain = run("absent", *command)
    tap.check_that(f"{words}: absent", plain.code == 0 and plain.output.endswith(" commands\n"),
                   f"{plain.code}: {plain.output}{plain.errors}")
    for layer in ("layer", "preload"):
        with tempfile.TemporaryDirectory() as folder:
            # Small buffers: LTTng tells its daemon of each full one by a descriptor.
            with tracing(folder, buffers=("4K", 512)) as environment:
                preloaded = all_ways[layer].get("LD_PRELOAD")
                environment["LD_PRELOAD"] = " ".join(filter(None, [preloaded, str(guard)]))
                got = run(layer, *command, environment=environment)
            tap.check(f"{words}: {layer}, traced", compare(plain, got))
            tap.check(f"{words}: {layer}, each command has its times", untold(folder, commands))


def outlives(tap, way):
    """LTTng is told of the session's end through its descriptors."""
    command = [programs / "closes", way, 1, "wait"]
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder) as environment:
            process = subprocess.Popen([str(word) for word in command], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env={**base, **all_ways["layer"], **environment, "LD_PRELOAD": str(guard)})
            while process.stdout.readline() not in ("closed\n", ""):
                pass
        try:
            output, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
        tap.check_that(f"descriptors, {way}: outlives the session", process.returncode == 0 and output.endswith(" commands\n"),
                       f"{process.returncode}: {output}{errors}")


def untold(folder, commands):
    """What is wrong with the trace."""
    text = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=120).stdout
    timed = [int(count) for count in re.findall(r":command_times: .*?_command_length = (\d+)", text)]
    return [] if sum(timed) == commands else [f"{sum(timed)} of {commands} commands have times"]
