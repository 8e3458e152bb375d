#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""any_driver.py LTTNG_GPU FOLDER: the traces that tests/kselftest/any_driver.sh left in FOLDER, one for each driver, are
reported under the driver's name with all jobs complete. Prints TAP."""
import json
import subprocess
import sys
from pathlib import Path

traces = sorted(Path(sys.argv[2]).iterdir())
failures = 0
for number, trace in enumerate(traces, 1):
    run = subprocess.run([sys.argv[1], "report", "--format", "json", trace], capture_output=True, text=True)
    report = json.loads(run.stdout) if run.stdout else {"queues": [], "accounting": {"jobs_complete": 0}}
    queues = report["queues"]
    good = (run.returncode == 0 and queues and {queue["driver"] for queue in queues} == {trace.name} and
            {queue["device"] for queue in queues} == {f"{trace.name}.0", f"{trace.name}.1"} and
            report["accounting"]["jobs_complete"] == 60)
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {trace.name}: {report['accounting']['jobs_complete']} jobs on {len(queues)} rings")
    if not good:
        print("#", run.stderr.replace("\n", "\n# "), [(queue["device"], queue["driver"]) for queue in queues])
print(f"1..{len(traces)}" if len(traces) == 7 else "# there should be the traces of 7 drivers")
sys.exit(1 if failures else 0)
