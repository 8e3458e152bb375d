# SPDX-License-Identifier: MIT
"""Memory that does not grow with the number of commands."""
import tempfile

from ways import programs, run, tracing

# What a process may grow by in its second half. Without the layer it is nothing; PoCL's own threads take their memory in the
# first half, the later the busier the machine is.
allowed_kib = 1024


def check(tap, words, got):
    sampled = [int(word) for word in got.output.split() if word.isdigit()]
    if got.code != 0 or len(sampled) != 10:
        tap.check(words, [f"exit code {got.code}, {got.output[-200:]} {got.errors[-500:]}"])
        return
    grown = sampled[-1] - sampled[4]
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
