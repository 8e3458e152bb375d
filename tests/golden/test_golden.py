#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_golden.py LTTNG_GPU: small sessions of real kernels (tests/golden/record made them, after they had agreed with
the test driver's own log) must give the same jobs and the same report as then. Prints TAP."""
import difflib
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu = Path(sys.argv[1]).absolute()
top = Path(__file__).resolve().parents[2]
tap = Tap()


def check(words, expected, got):
    tap.check(words, list(difflib.unified_diff(expected, got, "expected", "got", lineterm="", n=0)))


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C.UTF-8"}, cwd=top)


for case in sorted(path.parent for path in Path(__file__).resolve().parent.glob("*/jobs.csv")):
    jobs = run(lttng_gpu, "jobs", "--format", "csv", case)
    check(f"{case.name}: jobs", (case / "jobs.csv").read_text().splitlines(), jobs.stdout.splitlines())
    report = run(lttng_gpu, "report", "--format", "json", case)
    pretty = lambda text: json.dumps(json.loads(text), indent=1).splitlines()
    check(f"{case.name}: report", pretty((case / "report.json").read_text()), pretty(report.stdout))
    events = len(run("babeltrace2", case).stdout.splitlines())
    check(f"{case.name}: every event is read", [str(events)], [str(json.loads(report.stdout)["accounting"]["events_read"])])
    text = run(lttng_gpu, "report", case.relative_to(top))
    check(f"{case.name}: the first screen", (case / "screen.txt").read_text().splitlines(), text.stdout.splitlines())
    lines = text.stdout.splitlines()
    tap.check_that(f"{case.name}: the first screen is at most 40 lines of 100 columns", len(lines) <= 40 and max(map(len, lines)) <= 100,
                   text.stdout)
    check(f"{case.name}: exit codes", ["0", "0", "0"], [str(jobs.returncode), str(report.returncode), str(text.returncode)])
for document in ("README.md", "docs/reading-the-report.md"):
    shown = (Path(__file__).parents[2] / document).read_text()
    tap.check_that(f"{document} shows the first screen of linux-7.2", (Path(__file__).parent / "linux-7.2/screen.txt").read_text() in shown)
check("there are golden cases", [], [] if tap.number else ["none"])
sys.exit(tap.finish())
