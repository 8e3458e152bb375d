# SPDX-License-Identifier: MIT
"""Memory that does not grow with the number of commands."""
import statistics
import tempfile

from ways import programs, run, tracing

# What the layer may ask for in the second half of a traced run: tables for more commands at once than ever before; a leak of
# 40 B in every twentieth command is more. A layer that is not traced asks for nothing at all.
allowed_layer_bytes = 96 << 10
# What the process may grow by per command in its second half, at the rate of the median step: a leak of LTTng's or of a driver's
# objects is larger. PoCL's threads take memory at once, each when it first runs, on a busy machine also late.
allowed_bytes_per_command = 64


def check(tap, words, got, count, layer_bytes):
    samples = [line.split() for line in got.output.splitlines()]
    if got.code != 0 or len(samples) != 10 or not all(word.isdigit() for sample in samples for word in sample):
        tap.check(words, [f"exit code {got.code}, {got.output[-200:]} {got.errors[-500:]}"])
        return
    resident, asked_for = ([int(sample[i]) for sample in samples] for i in range(2))
    steps = [later - earlier for earlier, later in zip(resident[4:], resident[5:])]
    per_command = statistics.median(steps) * 1024 / (count / 10)
    tap.check_that(f"{words}: resident memory grows by {per_command:.0f} B per command", per_command <= allowed_bytes_per_command,
                   f"sampled, in KiB: {resident}")
    grown = asked_for[9] - asked_for[4]
    is_counted = (asked_for[9] > 0) == (layer_bytes > 0)
    tap.check_that(f"{words}: the layer asks for {grown} bytes in the second half", is_counted and grown <= layer_bytes,
                   f"sampled: {asked_for}")


def memory(tap, count):
    for what in ["none", "released", "held", "free-order", "never-waiting"]:
        command = [programs / "many_commands", what, count]
        title = f"{count} commands, {what}"
        check(tap, f"{title}: absent", run("absent", *command, timeout=600), count, 0)
        check(tap, f"{title}: layer", run("layer", *command, timeout=600), count, 0)
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                check(tap, f"{title}: traced", run("layer", *command, timeout=600, environment=environment), count, allowed_layer_bytes)
