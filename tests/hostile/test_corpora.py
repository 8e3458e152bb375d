#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_corpora.py LTTNG_GPU [FOUND]: what the fuzzers begin with, and what they found (FOUND: the folder that `make fuzz` keeps it in), as
files that somebody opens: the whole program, in 4 GiB of address space and 20 s of CPU time each, ends with a result or a message. TAP."""
import concurrent.futures
import os
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from limits import Run
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
found = Path(sys.argv[2]) if len(sys.argv) > 2 else None
seeds = top / "tests/fuzz/corpus"
kernel = top / "tests/golden/linux-7.2/kernel"
tap = Tap()


def as_metadata(folder, content):
    (folder / "metadata").write_bytes(content)
    (folder / "gpu_0").write_bytes((kernel / "gpu_0").read_bytes()[:4096])
    return folder


def as_stream(folder, content):
    (folder / "metadata").write_bytes((kernel / "metadata").read_bytes())
    (folder / "gpu_0").write_bytes(content)
    return folder


def as_file(name):
    def write(folder, content):
        (folder / name).write_bytes(content)
        return folder / name
    return write


forms = {"tsdl": as_metadata, "ctf2": as_metadata, "packet": as_stream, "ftrace_text": as_file("trace.txt"),
         "trace_dat": as_file("trace.dat"),
         "perfetto": as_file("trace.pftrace")}
no_files = {"device_records"}  # parts of events: nobody opens one


def read(target, file):
    """What is wrong with how it ended."""
    with tempfile.TemporaryDirectory() as directory:
        trace = forms[target](Path(directory), file.read_bytes())
        run = Run([lttng_gpu, "report", "--threads", "1", trace])
    said = run.code == 0 or any(line.startswith(b"lttng-gpu: ") for line in run.errors.splitlines())
    return [] if run.code in (0, 1, 3, 4) and said else [f"{file}: {run}"]


for target in sorted({folder.name for folder in seeds.iterdir()} - no_files):
    files = sorted((seeds / target).iterdir())
    if found:
        files += sorted((found / target / "inputs").glob("*"))
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        problems = [problem for some in pool.map(lambda file, target=target: read(target, file), files) for problem in some]
    tap.check(f"{target}: {len(files)} inputs end with a result or a message", problems)
sys.exit(tap.finish())
