#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_layer.py [PART...]: nothing breaks. Programs run with the OpenCL layer absent, loaded, preloaded and tracing, and
must do and print the same. LONG=1 runs the long forms (a million commands each, clpeak's other tests). TAP."""
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import descriptors
import endurance
import exhaustion
import forks
import interruptions
import same_output
import sessions
import stacks
from tap import Tap
from ways import layer, lttng_session


def main():
    tap = Tap()
    missing = [str(layer)] if not layer.exists() else [name for name in ("clinfo", "clpeak", "babeltrace2") if not shutil.which(name)]
    if missing:
        tap.check(f"{', '.join(missing)}: there", ["make check installs and builds it"])
        return tap.finish()
    why_not = lttng_session.why_not()
    tap.check("sessions can be recorded", [why_not] if why_not else [])
    if why_not:
        return tap.finish()
    is_long = bool(os.environ.get("LONG"))
    parts = {
        "conformance": same_output.conformance,
        "tools": lambda tap: same_output.tools(tap, is_long),
        "pocl": same_output.pocl_programs,
        "programs": same_output.own_programs,
        "forks": forks.storms,
        "rusticl": forks.on_rusticl,
        "descriptors": descriptors.closed,
        "stacks": stacks.small,
        "killed": interruptions.killed,
        "late": interruptions.late,
        "signals": interruptions.signals,
        "no-memory": lambda tap: exhaustion.without_memory(tap, is_long),
        "absence": sessions.without_lttng,
        "secure": sessions.privileged,
        "sessions": sessions.come_and_go,
        "unloaded": sessions.taken_apart,
        "memory": lambda tap: endurance.memory(tap, 1_000_000 if is_long else 100_000),
    }
    with lttng_session.daemon():
        for name, part in parts.items():
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                part(tap)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
