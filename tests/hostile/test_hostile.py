#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_hostile.py LTTNG_GPU: inputs that are made to harm, and machines that have too little. Each must end in a result or
in a message with the exit code of the manual. Prints TAP."""
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
golden = top / "tests/golden"
kernel = golden / "linux-7.2/kernel"
tap = Tap()


class Run:
    def __init__(self, *arguments, address_space=None):
        """`address_space`: KiB, as of ulimit -v."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if address_space:
                resource.setrlimit(resource.RLIMIT_AS, (address_space * 1024, address_space * 1024))
        try:
            run = subprocess.run([lttng_gpu, *arguments], capture_output=True, preexec_fn=limit, timeout=20)
        except subprocess.TimeoutExpired:
            self.code, self.out, self.errors = None, b"", b"still running after 20 s"
            return
        self.code, self.out, self.errors = run.returncode, run.stdout, run.stderr

    def __str__(self):
        return f"exit code {self.code}, {len(self.out)} bytes, {self.errors[:300]}"


def test_little_memory(folder):
    """Below 20 MB not even the libraries are loaded."""
    many = folder / "many"
    many.mkdir()
    shutil.copy(kernel / "metadata", many)
    for number in range(60):
        shutil.copy(kernel / "gpu_0", many / f"gpu_{number}")
    problems = []
    for trace, limits in ((kernel, range(22_000, 50_000, 2_000)), (many, range(40_000, 180_000, 20_000))):
        for limit in limits:
            run = Run("report", "--threads", "4", trace, address_space=limit)
            if run.code not in (0, 3, 4, 5) or (run.code and not run.errors.startswith(b"lttng-gpu: ")):
                problems.append(f"{trace.name}, {limit} KiB: {run}")
    tap.check("with too little memory for the threads or for their work there is a result or a message", problems)


with tempfile.TemporaryDirectory() as directory:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            folder = Path(directory) / name
            folder.mkdir()
            test(folder)
sys.exit(tap.finish())
