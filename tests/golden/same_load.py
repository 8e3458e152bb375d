# SPDX-License-Identifier: MIT
"""One load that several tracers recorded at the same time: its jobs, as lttng-gpu reads them from each recording."""
import csv
import io
import subprocess
import sys

PHASES = ("queued_ns", "submitted_ns", "completed_ns")


def jobs(path):
    """Exit code and rows, by thread and ring, for tracers that saw events of two CPUs in another order."""
    run = subprocess.run([sys.argv[1], "jobs", "--format", "csv", path], capture_output=True, text=True)
    rows = csv.DictReader(io.StringIO(run.stdout))
    return run.returncode, sorted(rows, key=lambda row: (row["ring"], row["tid"]))


def identity(row, *columns):
    """What is the same in all recordings of a job: these columns, and which times are known."""
    return *(row[column] for column in columns), tuple(bool(row[phase]) for phase in PHASES)


def times(rows):
    return [int(row[phase]) for row in rows for phase in PHASES if row[phase]]


def differences(expected, got):
    return [f"{a} | {b}" for a, b in zip(expected, got) if a != b] + ([] if len(expected) == len(got) else ["another number of jobs"])
