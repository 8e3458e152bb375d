# SPDX-License-Identifier: MIT
"""Memory that does not grow with the number of commands."""
import statistics
import tempfile

from ways import programs, run, tracing

# What a process may grow by in its second half at the rate of the median step. A leak grows with every command, so in every
# step; PoCL's own threads take their memory at once, each when it first runs, on a busy machine also late.
allowed_kib = 512


def check(tap, words, got):
    sampled = [int(word) for word in got.output.split() if word.isdigit()]
    if got.code != 0 or len(sampled) != 10:
        tap.check(words, [f"exit code {got.code}, {got.output[-200:]} {got.errors[-500:]}"])
        return
    steps = [later - earlier for earlier, later in zip(sampled[4:], sampled[5:])]
    grown = statistics.median(steps) * len(steps)
    tap.check_that(f"{words}: resident memory grows by {grown} KiB", grown <= allowed_kib, f"sampled: {sampled}")


def memory(tap, count):
    for what in ["none", "released", "held", "free-order", "never-waiting"]:
        command = [programs / "many_commands", what, count]
        title = f"{count} commands, {what}"
        check(tap, f"{title}: absent", run("absent", *command, timeout=600))
        check(tap, f"{title}: layer", run("layer", *command, timeout=600))
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                check(tap, f"{title}: traced", run("layer", *command, timeout=600, environment=environment))
