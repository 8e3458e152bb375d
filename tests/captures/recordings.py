# SPDX-License-Identifier: MIT
"""The recordings of which the truth is known: a trace, and a table of its jobs as `lttng-gpu jobs --format csv` has it."""
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Recording:
    name: str
    trace: Path
    jobs: Path
    stretch: int = 1  # simulated jobs are shorter than what a clock that tells microseconds can tell


# The name in the matrix, the simulator's scenario, the seed: of those near it one with a host queue and idle times.
SIMULATED = [
    ("sched-6.17", "sched-6.17", 5),
    ("sched-5.7", "sched-5.7", 5),
    ("sched-5.19-fences", "sched-5.19-fences", 5),
    ("amdgpu-6.17", "amdgpu-6.17", 5),
    ("amdgpu-6.1", "amdgpu-6.1", 5),
    ("i915-one-by-one", "i915-5.10-one-by-one", 5),
    ("i915-preemption", "i915-5.10-preemption", 5),
    ("xe-sched", "xe-sched", 5),
    ("two-devices", "two-devices-5.19", 5),
    ("parallel", "parallel-6.17", 5),
    ("fences-only", "fences-64", 5),
]


def simulated(build, folder, name, jobs):
    scenario, seed = next((scenario, seed) for other, scenario, seed in SIMULATED if other == name)
    out = folder / "recordings" / name
    subprocess.run([build / "simulate", "--scenario", f"{scenario}/whole", "--jobs", str(jobs), "--seed", str(seed), "--out", out], check=True)
    return Recording(name, out / "trace", out / "truth.csv", 50)


def names():
    return [name for name, _, _ in SIMULATED]


def make(build, folder, name, jobs):
    return simulated(build, folder, name, jobs)
