# SPDX-License-Identifier: MIT
"""Each allocation of the layer fails once, and then all from it on: the program runs as without the layer, and each command has
its times or is counted."""
import re
import subprocess
import tempfile

from ways import compare, programs, run, tracing


def without_memory(tap, is_long):
    program = programs / "no_memory"
    plain = run("absent", program)
    tap.check_that("no memory: absent", plain.code == 0, f"exit code {plain.code}: {plain.output}{plain.errors}")
    for way in ("layer", "preload"):
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                whole = run(way, program, environment=environment)
        found = re.match(r"(\d+) allocations, (\d+) commands", whole.errors)
        tap.check(f"no memory: {way}, traced", compare(plain, whole) + ([] if found else [whole.errors]))
        if not found:
            continue
        allocations, commands = map(int, found.groups())
        tap.check_that(f"no memory: {way}, the layer allocates {allocations} times", allocations > 10, whole.errors)
        problems, lost = refused(way, program, plain, commands, ranges(allocations, way == "layer", is_long))
        tap.check(f"no memory: {way}, each of its allocations fails: the program's results", problems)
        tap.check_that(f"no memory: {way}, what is lost is counted", lost > 0, "nothing was")


def ranges(allocations, is_often, is_long):
    """What is refused: from which allocation to which."""
    numbers = range(1, allocations + 1)
    every, each = (1, 1) if is_long else (3, 5) if is_often else (9, 9)
    return [(first, 10**9) for first in numbers[::every]] + [(number, number) for number in numbers[::each]]


def refused(way, program, plain, commands, allocations):
    """What is wrong with the runs, and how many commands' times are said to be lost for want of memory."""
    problems, runs = [], []
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder, contexts=["vpid"]) as environment:
            for first, last in allocations:
                got = run(way, program, first, last, environment=environment)
                problems += [f"{first} to {last}: {problem}" for problem in compare(plain, got)]
                found = re.search(r"process (\d+)", got.errors)
                runs.append((first, last, found[1] if found else "none"))
        text = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=120).stdout
    lost = 0
    told = {}
    for process, count in re.findall(r":command_times: .*?vpid = (\d+) .*?_command_length = (\d+)", text):
        told[process] = told.get(process, 0) + int(count)
    for process, count, reason in re.findall(r":commands_untimed: .*?vpid = (\d+) .*?count = (\d+), reason = \( \"(\w+)\"", text):
        told[process] = told.get(process, 0) + int(count)
        lost += int(count) if reason == "no_memory" else 0
    # A command buffer that could not be noted is a call, its run no command.
    problems += [f"{first} to {last}: {told.get(process)} of {commands} commands have times or are counted"
                 for first, last, process in runs if told.get(process) not in (commands, commands + 1)]
    return problems, lost
