#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_jobs.py LTTNG_GPU SIMULATE FOLDER: the whole program on simulated sessions. Of a whole stream `lttng-gpu jobs`
must give the true rows; of a lossy one, no cell that is not true. Prints TAP."""
import csv
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

WHOLE = ["sched-6.17", "sched-6.1-probe", "sched-6.17-switches", "two-devices-6.17", "xe-sched", "amdgpu-6.17", "i915-5.10-one-by-one"]
LOSSY = ["sched-6.17", "two-devices-6.17"]
# What a driver's events do not tell is not compared.
UNTOLD = {"i915": ["driver"], "xe": ["driver"]}


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def key(row):
    return row["context"], row["seqno"], row["status"] == "preempted" and row["completed_ns"]


def run(simulate, lttng_gpu, scenario, folder):
    subprocess.run([simulate, "--scenario", scenario, "--jobs", "6000", "--seed", "7", "--out", folder], check=True)
    made = subprocess.run([lttng_gpu, "jobs", "--format", "csv", folder / "trace"], capture_output=True, text=True)
    return rows_of((folder / "truth.csv").read_text()), rows_of(made.stdout), made


def differences(truth, rows, untold, may_be_unknown):
    problems = []
    by_key = {key(row): row for row in truth}
    for row in rows:
        true_row = by_key.get(key(row))
        if true_row is None:
            problems.append(f"no such job: {row}")
            continue
        for column, value in row.items():
            is_unknown = may_be_unknown and (value in ("", "unknown") or column in ("status", "completed_basis"))
            if column not in untold and not is_unknown and value != true_row[column]:
                problems.append(f"{key(row)} {column}: {value!r}, truly {true_row[column]!r}")
    return problems


def main():
    lttng_gpu, simulate, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    tap = Tap()
    for name in WHOLE:
        truth, rows, made = run(simulate, lttng_gpu, f"{name}/whole", folder / name)
        problems = differences(truth, rows, UNTOLD.get(name.split("-")[0], []), False)
        if made.returncode != 0 or len(rows) != len(truth):
            problems.insert(0, f"exit code {made.returncode}, {len(rows)} rows of {len(truth)}: {made.stderr[:300]}")
        tap.check(f"{name}: the rows are the true ones", problems)
    for name in LOSSY:
        truth, rows, made = run(simulate, lttng_gpu, f"{name}/events-lost", folder / f"{name}-lossy")
        problems = differences(truth, rows, [], True)
        if made.returncode != 4 or len(rows) < len(truth) * 0.9:
            problems.insert(0, f"exit code {made.returncode}, {len(rows)} rows of {len(truth)}: {made.stderr[:300]}")
        tap.check(f"{name} with events lost: no cell is wrong", problems)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
