# SPDX-License-Identifier: MIT
"""What `report` and `diagnose` advise to record, by what the trace was recorded with."""
import subprocess

LTTNG_ONLY = ("record --events", "enable-event", "--buffers", "modprobe")


def problems(lttng_gpu, trace, words):
    """`words` must be in the advice of both, and nothing that only LTTng has."""
    found = []
    for command in ("report", "diagnose"):
        run = subprocess.run([lttng_gpu, command, trace], capture_output=True, text=True)
        said = " ".join((run.stdout + run.stderr).split())
        found += [f"{command}: no {word}" for word in words if word not in said]
        found += [f"{command}: {word}" for word in LTTNG_ONLY if word in said]
    return found


def without_jobs(lttng_gpu, trace, words):
    """The same of a trace that has no jobs: `jobs` and `report` say how to record them."""
    found = []
    for command in ("jobs", "report"):
        run = subprocess.run([lttng_gpu, command, trace], capture_output=True, text=True)
        said = " ".join((run.stdout + run.stderr).split())
        found += [] if run.returncode == 1 else [f"{command}: exit code {run.returncode}: {said}"]
        found += [f"{command}: no {word} in {said}" for word in words if word not in said]
        found += [f"{command}: {word}" for word in (*LTTNG_ONLY, "not used by the program") if word in said]
    return found
