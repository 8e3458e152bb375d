#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hsa_kfd.py DIR: DIR/trace is what tests/kselftest/hsa_kfd.sh recorded of a program on the real KFD, DIR/output what it printed. The runtime
called the layer's OnLoad, which brought the provider into the session, beside the kernel's part. Whether calls are in it is not asked: see
docs/hsa.md. TAP."""
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

folder = Path(sys.argv[1])
tap = Tap()
tap.check_that("the program found the CPU", "agent: CPU" in (folder / "output").read_text())
metadata = b"".join(path.read_bytes() for path in (folder / "trace/ust").rglob("metadata"))
tap.check_that("the layer was loaded: its events are known in the session", b"lttng_gpu_hsa:call" in metadata, len(metadata))
both = subprocess.run(["babeltrace2", folder / "trace"], capture_output=True, text=True, timeout=300)
tap.check_that("with the kernel's part it is one readable trace", both.returncode == 0 and (folder / "trace/kernel/metadata").exists(), both.stderr)
sys.exit(tap.finish())
