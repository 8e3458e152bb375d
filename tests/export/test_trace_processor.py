#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_trace_processor.py BUILD: what `lttng-gpu export --to perfetto` and `--to chrome` write, read by Perfetto's own trace processor and
asked by SQL: phases of jobs, depths of queues, arrows, processes, threads, calls and waits are those of `lttng-gpu jobs` and of the
database of `--to sqlite`. The processor is $TRACE_PROCESSOR, trace_processor_shell in PATH, or that of Debian's chromium-shell
(chromium_trace_processor.py). Prints TAP."""
import collections
import csv
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import chromium_trace_processor
from test_viewers import PHASES, differences, expected_depths, export, golden, here, json_rows, phases_of, ring_of

sys.path.insert(0, str(here.parent))
from tap import Tap

tap = Tap()
# Times of Chrome's file are counted from the window's beginning.
ARGUMENT = {"perfetto": "debug", "chrome": "args"}
PHASE_NAMES = ", ".join(f"'{phase}'" for phase in PHASES)
# Where slices are: Perfetto's file has tracks below tracks, Chrome's has threads of a process that each ring is.
PLACES = {
    "perfetto": "JOIN track ON track.id = slice.track_id JOIN track AS ring ON ring.id = track.parent_id JOIN track AS device ON device.id "
                "= ring.parent_id",
    "chrome": "JOIN thread_track ON thread_track.id = slice.track_id JOIN thread USING (utid) JOIN process USING (upid)",
}
RING = {"perfetto": "device.name || ' ' || ring.name", "chrome": "process.name"}
COUNTERS = {
    "perfetto": "SELECT device.name || ' ' || ring.name AS ring, track.name AS queue, counter.ts AS ts, CAST(value AS INT) AS depth FROM "
                "counter "
                "JOIN track ON track.id = counter.track_id JOIN track AS ring ON ring.id = track.parent_id JOIN track AS device ON "
                "device.id = ring.parent_id ORDER BY ts",
    "chrome": "SELECT process.name AS ring, process_counter_track.name AS queue, counter.ts AS ts, CAST(value AS INT) AS depth FROM "
              "counter "
              "JOIN process_counter_track ON process_counter_track.id = counter.track_id JOIN process USING (upid) ORDER BY ts",
}


def processor():
    program = os.environ.get("TRACE_PROCESSOR") or shutil.which("trace_processor_shell")
    if program:
        return [program]
    return [sys.executable, here / "chromium_trace_processor.py"] if chromium_trace_processor.library.exists() else None


class Asked:
    """A file in the trace processor."""

    def __init__(self, file, kind, origin):
        self.file, self.kind, self.origin = file, kind, origin

    def rows(self, query):
        written = self.file.with_suffix(".sql")
        written.write_text(query)
        result = subprocess.run([*processor(), "-q", written, self.file], capture_output=True, text=True, timeout=600)
        if result.returncode:
            raise RuntimeError(f"{query}: {result.stderr[-500:]}")
        return list(csv.DictReader(result.stdout.splitlines()))

    def argument(self, name, table="slice"):
        return f"coalesce(CAST(extract_arg({table}.arg_set_id, '{ARGUMENT[self.kind]}.{name}') AS TEXT), '')"

    def time(self, text):
        return int(text) + self.origin

    def phases(self):
        rows = self.rows(f"SELECT {RING[self.kind]} AS ring, category, {self.argument('context')} AS context, {self.argument('seqno')} AS "
                         f"seqno, slice.ts AS ts, dur, "
                         f"slice.name AS name, {self.argument('begin_basis')} AS begin_basis, {self.argument('end_basis')} AS end_basis "
                         f"FROM slice {PLACES[self.kind]} WHERE category IN ({PHASE_NAMES})")
        return [(row["ring"].removeprefix("GPU ").removeprefix("GPU, "), row["category"], as_unsigned(row["context"]),
                 as_unsigned(row["seqno"]), self.time(row["ts"]),
                 None if row["end_basis"] == "unknown" else self.time(row["ts"]) + int(row["dur"]), row["name"], row["begin_basis"])
                for row in rows]

    def depths(self):
        told = collections.defaultdict(list)
        for row in self.rows(COUNTERS[self.kind]):
            # Chrome's counters have several values with a name each; ours has one, "jobs".
            told[row["ring"].removeprefix("GPU ").removeprefix("GPU, "),
                 row["queue"].removesuffix(" jobs")].append((self.time(row["ts"]), int(row["depth"])))
        return told

    def arrows(self):
        """{number of the job: [(category it comes from, category it goes to)]}"""
        told = collections.defaultdict(list)
        for row in self.rows(f"SELECT one.category AS one, other.category AS other, {self.argument('job', 'one')} AS of_one, "
                             f"{self.argument('job', 'other')} AS of_other "
                             "FROM flow JOIN slice AS one ON one.id = slice_out JOIN slice AS other ON other.id = slice_in ORDER BY "
                             "one.ts, other.ts, flow.id"):
            told[row["of_one"] or row["of_other"]].append((row["one"], row["other"]))
            if "" not in (row["of_one"], row["of_other"]) and row["of_one"] != row["of_other"]:
                told["from one job to another"].append((row["of_one"], row["of_other"]))
        return told

    def spans(self, category):
        """Calls or waits, each on its thread. Those that take no time are where arrows begin and end. What began before the window is
        shown from its beginning on and tells when it began."""
        return [(int(row["pid"]), row["process"], int(row["tid"]), row["name"], int(row["begin"] or self.time(row["ts"])),
                 self.time(row["ts"]) + int(row["dur"])) for row in self.rows(
            f"SELECT pid, process.name AS process, tid, slice.name AS name, ts, dur, {self.argument('begin_ns')} AS begin FROM slice "
            "JOIN thread_track ON thread_track.id = slice.track_id "
            f"JOIN thread USING (utid) JOIN process USING (upid) WHERE category = '{category}' AND (dur > 0 OR begin != '')")]


def as_unsigned(text):
    """SQLite's integers are signed."""
    return str(int(text) % 2**64) if text else ""


def expected_phases(rows):
    return [(ring_of(row), category, row["context"], row["seqno"], *times, row["api_call"] or row["comm"] or "job",
             "inferred" if category == "execution" and row["started_basis"] == "inferred" else "") for row in rows
            for category, times in phases_of(row).items()]


def check_jobs(name, asked, rows):
    shown = [(*phase[:7], phase[7] if phase[1] == "execution" else "") for phase in asked.phases()]
    tap.check(f"{name}: it has the phases of jobs on their rings, and which begins are inferred", differences(expected_phases(rows), shown))
    tap.check(f"{name}: it has the depths of the queues", differences(expected_depths(rows).items(), dict(asked.depths()).items()))
    arrows, problems = asked.arrows(), []
    for number, row in enumerate(rows, 1):
        passed = [category for category in PHASES if category in phases_of(row)]
        between = [pair for pair in arrows[str(number)] if set(pair) <= set(PHASES)]
        problems += [f"job {number}: {between} instead of {passed}"] if between != list(zip(passed, passed[1:])) else []
    problems += [f"from one job to another: {arrows['from one job to another']}"] if arrows["from one job to another"] else []
    tap.check(f"{name}: it leads an arrow through the phases of each job", problems)
    tap.check(f"{name}: it drops nothing", dropped(asked))


def check_calls(name, asked, rows, database):
    base = sqlite3.connect(database)
    process, thread = "processes.pid, processes.comm", "threads.tid"
    join = "JOIN threads ON threads.id = thread_id JOIN processes ON processes.id = threads.process_id"
    try:
        calls = base.execute(f"SELECT {process}, {thread}, call_names.name, begin_ns, end_ns FROM api_calls JOIN call_names ON "
                             f"call_names.id = call_name_id {join}").fetchall()
        waits = base.execute(f"SELECT {thread}, begin_ns, end_ns FROM waits {join}").fetchall()
    finally:
        base.close()
    tap.check(f"{name}: it has each call on its thread, with the names of both", differences(calls, asked.spans("api_call")))
    # In Chrome's file the waits have a track of their own, which is a thread of the process there.
    shown = [(wait[2] if asked.kind == "perfetto" else waits[0][0], *wait[4:]) for wait in asked.spans("wait")]
    tap.check(f"{name}: it has each wait on its thread", differences(waits, shown))
    arrows = asked.arrows()
    problems = [f"job {number}: {pairs}" for number in range(1, len(rows) + 1) for pairs in [arrows[str(number)]] if not pairs
                or pairs[0][0] != "api_call" or pairs[-1][1] != "wait"]
    tap.check(f"{name}: its arrows lead from the call to who learned of the end", problems)


def check(case, trace, folder, has_calls):
    rows = json_rows(trace)
    database = folder / f"{case}.db"
    export("sqlite", database, trace)
    for kind, ending in (("perfetto", "pftrace"), ("chrome", "json")):
        file = folder / f"{case}.{ending}"
        problems = export(kind, file, trace)
        origin = 0
        if kind == "chrome":
            origin = int(chrome_origin(file))
        asked = Asked(file, kind, origin)
        try:
            tap.check(f"{case}, {kind}: exported", problems)
            check_jobs(f"{case}, {kind}", asked, rows)
            if has_calls:
                check_calls(f"{case}, {kind}", asked, rows, database)
        except RuntimeError as error:
            tap.check(f"{case}, {kind}: the trace processor reads it", [str(error)])


def window(trace, folder):
    """A part of a trace: what began before it is shown from its beginning on, and nothing is dropped for that."""
    rows = json_rows(trace)
    middle = sorted(int(row["submitted_ns"]) for row in rows if row["submitted_ns"])[len(rows) // 2]
    file = folder / "window.json"
    problems = export("chrome", file, trace, "--begin", middle)
    asked = Asked(file, "chrome", int(chrome_origin(file)))
    early = asked.rows(f"SELECT ts, {asked.argument('begin_ns')} AS begin FROM slice WHERE begin != ''")
    queued = [row["queued_ns"] for row in json_rows(trace, "--begin", middle) if row["queued_ns"] and int(row["queued_ns"]) < middle]
    tap.check("chrome: what began before the window is shown from its beginning on",
              problems + [f"{row}" for row in early if row["ts"] != "0"] +
              ([] if queued and sorted(row["begin"] for row in early) == sorted(queued) else [f"{early} instead of {queued}"]))
    tap.check("chrome: and is not dropped", dropped(asked))


def dropped(asked):
    return [f"{row['name']}: {row['value']}"
            for row in asked.rows("SELECT name, value FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0")]


def chrome_origin(file):
    return file.read_text().rsplit('"origin_ns":"', 1)[1].split('"')[0]


def main():
    if not processor():
        tap.check("Perfetto's trace processor",
                  skip=f"no trace_processor_shell, and no {chromium_trace_processor.library} (Debian: chromium-shell)")
        return tap.finish()
    with tempfile.TemporaryDirectory(prefix="lttng-gpu-trace-processor-") as name:
        for case, trace in (("linux-6.12", golden / "linux-6.12/kernel"), ("linux-7.2", golden / "linux-7.2/kernel"),
                            ("opencl", here / "traces/opencl-rounds")):
            check(case, trace, Path(name), case == "opencl")
        window(golden / "linux-7.2/kernel", Path(name))
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
