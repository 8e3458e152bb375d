#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hsa_kfd.py DIR: DIR/trace is what tests/kselftest/hsa_kfd.sh recorded of a program on the real KFD, DIR/output what it printed. The
runtime called the layer's OnLoad, which brought the provider into the session, and each call after it is there, beside the kernel's part.
TAP."""
import re
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
wanted = ["hsa_agent_get_info", "hsa_agent_get_info", "hsa_iterate_agents", "hsa_shut_down"]
text = subprocess.run(["babeltrace2", folder / "trace/ust"], capture_output=True, text=True, timeout=300).stdout
calls = re.findall(r'lttng_gpu_hsa:call: .*function = \( "(\w+)"', text)
tap.check_that("each call of the program is recorded", calls == wanted, text[-3000:])
both = subprocess.run(["babeltrace2", folder / "trace"], capture_output=True, text=True, timeout=300)
tap.check_that("with the kernel's part it is one readable trace", both.returncode == 0 and (folder / "trace/kernel/metadata").exists(),
               both.stderr)
sys.exit(tap.finish())
