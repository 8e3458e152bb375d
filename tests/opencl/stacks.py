# SPDX-License-Identifier: MIT
"""Threads with small stacks and commands with long wait lists: nothing whose size the program decides is on a stack."""
import re
import subprocess
import tempfile

from same_output import in_all_ways
from ways import programs, run, tracing

events = 35_000
# What threads of servers have, and the least that a thread can have, which is enough for PoCL.
stacks = (256 << 10, 16 << 10)


def small(tap):
    for stack in stacks:
        words = f"{events} events on a stack of {stack >> 10} KiB"
        command = [programs / "small_stack", stack, events]
        plain = run("absent", *command)
        tap.check_that(f"{words}: absent", plain.code == 0, f"exit code {plain.code}: {plain.output}{plain.errors}")
        in_all_ways(tap, words, command, plain)
    whole(tap)


def whole(tap):
    """The long lists are in the trace with every element: the user events are the program's first commands."""
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder) as environment:
            run("layer", programs / "small_stack", stacks[0], events, environment=environment)
        text = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=120).stdout
    expected = list(range(1, events + 1))
    lists = [line for line in text.splitlines() if f"_waits_for_length = {events}," in line]
    found = [[int(value) for value in re.findall(r"\[\d+\] = (\d+)", re.search(r"waits_for = \[(.*?\d) \]", line)[1])] for line in lists]
    tap.check("a long wait list is whole in the trace",
              [] if found == [expected] * 2 else [f"{len(found)} lists: {[row[:3] for row in found]}"])
