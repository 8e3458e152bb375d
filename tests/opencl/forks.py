# SPDX-License-Identifier: MIT
"""Children of a program with the layer, made and ended in every way: they end as without the layer, and the parent's trace
is the parent's."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

from ways import build, compare, programs, run, tracing

shapes = ["quick", "exit", "join", "exec", "again", "unshare", "spawn", "vfork", "system-call", "thread", "threads", "daemon"]
# The second one for children that close all descriptors: LTTng runs in them, too.
fork_libraries = f"liblttng-ust-fork.so.1 {build / 'liblttng-gpu-descriptors.so'}"


def storms(tap):
    for shape in shapes:
        command = [programs / "fork_storm", shape, 20]
        plain = run("absent", *command)
        tap.check_that(f"fork storm, {shape}: absent", plain.code == 0 and "works on" in plain.output, f"{plain.code}: {plain.output}")
        for way in ("layer", "preload"):
            tap.check(f"fork storm, {shape}: {way}", compare(plain, run(way, *command)))
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                got = run("layer", *command, environment=environment)
            tap.check(f"fork storm, {shape}: traced", compare(plain, got))
            tap.check(f"fork storm, {shape}: the trace", parents_trace(folder))
        if shape == "unshare":  # with liblttng-ust-fork the child has LTTng's threads, as always
            continue
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                got = run("layer", *command, environment={**environment, "LD_PRELOAD": fork_libraries})
            tap.check(f"fork storm, {shape}: traced, with liblttng-ust-fork", compare(plain, got))


def on_rusticl(tap):
    """Its threads are others than PoCL's: there a plain fork() and exit() killed a child that had LTTng loaded."""
    driver = os.environ.get("RUSTICL_ICD", "/etc/OpenCL/vendors/rusticl.icd")
    if not Path(driver).exists():
        tap.check("forks on rusticl", skip="mesa-opencl-icd is not installed; tests/opencl/with-rusticl has it")
        return
    environment = {"OCL_ICD_VENDORS": driver, "RUSTICL_ENABLE": "llvmpipe"}
    # Not a bare system call: Mesa's threads are not in the child, and its exit waits for them without end, with a layer or without.
    for shape in [shape for shape in shapes if shape != "system-call"]:
        command = [programs / "fork_storm", shape, 5]
        plain = run("absent", *command, environment=environment)
        tap.check_that(f"forks on rusticl, {shape}: absent", plain.code == 0 and "works on" in plain.output,
                       f"{plain.code}: {plain.output}{plain.errors}")
        tap.check(f"forks on rusticl, {shape}: layer", compare(plain, run("layer", *command, environment=environment)))


def parents_trace(folder):
    """What is wrong: every one of the parent's commands is there once, and nothing was lost."""
    read = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=120)
    commands = re.findall(r"lttng_gpu_opencl:\w+_enqueue: .*? command = (\d+)", read.stdout)
    problems = [read.stderr] if read.returncode or "discarded" in read.stderr else []
    return problems + ([] if sorted(map(int, commands)) == list(range(1, 111)) else [f"{len(commands)} commands of 110"])
