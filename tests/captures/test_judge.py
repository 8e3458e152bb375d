#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_judge.py: the judge of captures finds what is wrong. What lttng-gpu says of a whole recording passes; doctored, it
does not. And each damage takes away what it says. Prints TAP."""
import csv
import io
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import recordings
from judge import Verdict
from matrix import make_and_read
from tap import Tap

build = Path(os.environ.get("BUILD", "build")).absolute()


def doctored(text, change):
    """The rows after `change`, which may alter the list in place."""
    rows = list(csv.DictReader(text.splitlines()))
    change(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def later(name):
    def change(rows):
        row = next(row for row in rows[50:] if row[name])
        row[name] = str(int(row[name]) + 1)
    return change


def other_ring(rows):
    rows[50]["ring"] = next(row["ring"] for row in rows if row["ring"] != rows[50]["ring"])


DOCTORED = {
    "no such job": lambda rows: rows.append(dict(rows[50], context="9999")),
    "shown twice": lambda rows: rows.append(dict(rows[50])),
    "queued": later("queued_ns"),
    "submitted": later("submitted_ns"),
    "started": later("started_ns"),
    "completed": later("completed_ns"),
    "ring": other_ring,
}


def check_rows(tap, folder, jobs, report, codes):
    base = Verdict("none", folder, jobs, report, codes).matched
    for kind, change in DOCTORED.items():
        verdict = Verdict("none", folder, doctored(jobs, change), report, codes, base)
        kinds = {found for found, _ in verdict.wrong}
        tap.check(f"the judge finds: {kind}", [] if kind in kinds else [f"it found {sorted(kinds)}"])
    missing = Verdict("none", folder, doctored(jobs, lambda rows: rows.pop(50)), report, codes, base)
    tap.check_that("the judge finds: a job that is not shown", missing.far[0] == missing.far[1] - 1, str(missing.far))
    unknown = Verdict("none", folder, doctored(jobs, lambda rows: rows[50].update(started_ns="", started_basis="unknown")), report, codes,
                      base)
    tap.check_that("the judge finds: a start that is not shown", unknown.far[0] == unknown.far[1] - 1, str(unknown.far))


def check_report(tap, folder, jobs, report, codes):
    for part, name in (("host_queue", "depth_mean"), ("device_queue", "depth_mean"), ("execution", "busy_ratio")):
        made = json.loads(report)
        made["queues"][0][part][name] *= 0.99
        made["queues"][0][part].pop(f"{name}_bounds", None)
        verdict = Verdict("none", folder, jobs, json.dumps(made), codes)
        tap.check_that(f"the judge finds: {part} {name} is one percent too small", len(verdict.outside) == 1, str(verdict.outside))
        value = json.loads(report)["queues"][0][part][name]
        made["queues"][0][part][f"{name}_bounds"] = [value * 0.9, None]
        verdict = Verdict("none", folder, jobs, json.dumps(made), codes)
        tap.check_that(f"and takes {part} {name}_bounds for what is stated", not verdict.outside, str(verdict.outside))
    tap.check_that("the judge finds: an exit code that reports damage where there is none",
                   bool(Verdict("none", folder, jobs, report, (0, 4)).untold))


def check_damages(tap, recording, temporary):
    """What is left over of the recording, by damage."""
    whole = None
    for damage, least, most in (("none", 0, 0), ("late", 0.01, 0.3), ("missing-cpu", 0.05, 0.9), ("lost-1%", 0.003, 0.03),
                                ("bursts-20%", 0.1, 0.4), ("no-done", 0.2, 0.5), ("overwritten", 0.1, 0.6)):
        folder = temporary / damage
        output = make_and_read(recording, damage, "ctf", 1, folder)
        verdict = Verdict(damage, folder, *output)
        told = list(csv.DictReader((folder / "told.csv").read_text().splitlines()))
        share = sum(row["kept"] == "0" for row in told) / json.loads((folder / "capture.json").read_text())["events"]
        read = json.loads(output[1])["accounting"]["events_read"]
        whole = whole or read
        problems = [] if least <= share <= most else [f"{share:.3f} of the events are missing"]
        problems += [] if read == whole - sum(row["kept"] == "0" for row in told) else [f"{read} of {whole} events were read"]
        tap.check(f"{damage} removes as much as it says, and the reader finds the rest", problems)
        if damage == "lost-1%":
            jobs, report, _ = output
            tap.check_that("the judge finds: nothing says that events are missing",
                           bool(Verdict(damage, folder, jobs, report, (0, 0)).untold))
            tap.check_that("jobs with all their events are compared", verdict.near[1] + verdict.far[1] > 100, str(verdict.near))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="lttng-gpu-judge-") as name:
        temporary = Path(name)
        recording = recordings.make(build, temporary, "sched-6.17", 300)
        for capture_format in ("ctf", "trace"):
            folder = temporary / capture_format
            jobs, report, codes = make_and_read(recording, "none", capture_format, 1, folder)
            verdict = Verdict("none", folder, jobs, report, codes)
            tap.check(f"the output for an undamaged recording passes ({capture_format})", verdict.problems())
            if capture_format == "ctf":
                check_rows(tap, folder, jobs, report, codes)
                check_report(tap, folder, jobs, report, codes)
        check_damages(tap, recording, temporary)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
