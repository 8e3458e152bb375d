# SPDX-License-Identifier: MIT
"""The ways in which a program can run with the OpenCL layer, or without it, and how two runs are compared."""
import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session

build = Path(os.environ.get("BUILD", "build")).absolute()
programs = build / "tests/opencl"
layer = Path(os.environ.get("OPENCL_LAYER", build / "liblttng-gpu-opencl.so")).absolute()
conformance = programs / "conformance/conformance"
# Kernels are compiled once for all runs.
base = {name: value for name, value in os.environ.items() if name not in ("OPENCL_LAYERS", "LD_PRELOAD")}
base |= {"POCL_CACHE_DIR": str(programs / "cache"), "LC_ALL": "C"}
(programs / "cache").mkdir(parents=True, exist_ok=True)
# A driver that exports everything itself, in the place of the loader.
without_loader = {"LD_LIBRARY_PATH": str(programs / "whole-driver"), "WHOLE_DRIVER": "libpocl.so.2"}
ways = {
    "absent": {},
    "layer": {"OPENCL_LAYERS": str(layer)},
    "preload": {"LD_PRELOAD": str(layer)},
    "no loader, absent": without_loader,
    "no loader, preload": {**without_loader, "LD_PRELOAD": str(layer)},
}


class Run:
    def __init__(self, code, output, errors=""):
        self.code, self.output, self.errors = code, output, errors


def run(way, *command, timeout=120, cwd=None, environment=None):
    """way: a name of `ways`, or variables of the environment. A run that hangs has the code "hangs"."""
    variables = {**base, **(ways[way] if isinstance(way, str) else way), **(environment or {})}
    try:
        done = subprocess.run([str(word) for word in command], env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=timeout, cwd=cwd)
    except subprocess.TimeoutExpired as hang:
        return Run("hangs", (hang.stdout or b"").decode(errors="replace"), (hang.stderr or b"").decode(errors="replace"))
    return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def first_difference(expected, got, limit=6):
    """The lines that differ, side by side, and how many more there are."""
    if expected == got:
        return []
    left, right = expected.splitlines(), got.splitlines()
    differing = [f"line {number + 1}: {a!r}\nnow:    {b!r}" for number, (a, b) in enumerate(zip(left, right)) if a != b]
    if len(left) != len(right):
        differing.append(f"{len(left)} lines, now {len(right)}; the last now: {right[-1:]}")
    return differing[:limit] + ([f"and {len(differing) - limit} more"] if len(differing) > limit else [])


def compare(expected, got):
    problems = [] if expected.code == got.code else [f"exit code {expected.code}, now {got.code}: {got.errors[-500:]}"]
    return problems + first_difference(expected.output, got.output)


def masked(text):
    """Without what may differ between two runs of a program that prints measurements."""
    return re.sub(r"0x[0-9a-f]+|\binf\b|[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "#", text)


@contextlib.contextmanager
def tracing(folder, buffers=("1M", 8), contexts=()):
    """A session of the layer's events; the environment for programs, which wait for the daemon."""
    events = "lttng_gpu_opencl:*"
    channel = [f"--subbuf-size={buffers[0]}", f"--num-subbuf={buffers[1]}"]
    with lttng_session.daemon(), lttng_session.session("lttng-gpu-opencl", folder, channel=channel, events=events, contexts=contexts):
        yield {"LTTNG_UST_REGISTER_TIMEOUT": "-1"}


def read_events(folder):
    """The names of the events of a trace, with their numbers."""
    text = subprocess.run(["babeltrace2", "--names=none", "--fields=", str(folder)], capture_output=True, text=True, timeout=120).stdout
    counts = {}
    for name in re.findall(r"lttng_gpu_opencl:(\w+)", text):
        counts[name] = counts.get(name, 0) + 1
    return counts
