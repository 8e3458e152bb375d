#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""test_tables.py BUILD: what exports have besides jobs. SQLite: the reasons of jobs are those of `diagnose`, frames those of `frames`,
values of counters those that were recorded; the documented way into pandas changes no time. Perfetto: frames, and which thread ran
on which CPU. Prints TAP."""
import collections
import importlib
import importlib.util
import json
import os
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from test_viewers import Timeline, build, differences, documents, export, golden, here, lttng_gpu, run

sys.path.insert(0, str(here.parent))
from tap import Tap

tap = Tap()
METADATA = """/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { size = 32; } magic; integer { size = 32; } stream_id; }; };
clock { name = "monotonic"; freq = 1000000000; };
stream { id = 0;
    event.header := struct { integer { size = 32; } id; integer { size = 64; map = clock.monotonic.value; } timestamp; };
    packet.context := struct { integer { size = 64; } content_size; integer { size = 64; } packet_size; };
};
event { name = "lttng_gpu_counters:sample"; id = 0; stream_id = 0;
    fields := struct { string device; string counter; string unit; integer { size = 64; signed = true; } value; };
};
"""


def database(file):
    base = sqlite3.connect(file)
    base.row_factory = sqlite3.Row
    return base


def command_json(*arguments):
    return json.loads(run(*arguments, "--format", "json").stdout)


def summed(parts, level, sums, key):
    """Time by job, level, reason and whether it was before the job was queued."""
    for part in parts:
        sums[*key, level, part["reason"], part.get("gap") or None, int(part["before"])] += part["time_ns"]
        summed(part.get("root", []), level + 1, sums, key)


def reasons_of_diagnose(trace):
    """{(context, seqno, queued, level, reason, gap, before): time}; over the whole trace, like an export."""
    told = command_json("diagnose", "--worst", 100_000, "--begin", "+0", "--end", "+100000", trace)
    sums = collections.Counter()
    for job in (job for job in told["jobs"] if job["latency_known"]):
        summed(job["parts"], 0, sums, (job["context"], job["seqno"], job["queued_ns"]))
    return sums, told


def reasons_of(base):
    return collections.Counter({tuple(row[:-1]): row[-1] for row in base.execute(
        "SELECT context, seqno, queued_ns, level, reason, gap, is_before, sum(time_ns) FROM reasons JOIN jobs ON jobs.id = job_id "
        "WHERE job_id NOT IN (SELECT job_id FROM reasons WHERE time_ns IS NULL) GROUP BY job_id, level, reason, gap, is_before")})


def check_reasons(name, trace, folder):
    file = folder / f"{name}.db"
    problems = export("sqlite", file, trace)
    base = database(file)
    expected, told = reasons_of_diagnose(trace)
    got = reasons_of(base)
    tap.check(f"{name}: SQLite has the reasons that diagnose tells", problems + differences(expected.items(), got.items()) + ([] if got else ["none"]))
    sums = base.execute("SELECT jobs.id, completed_ns - queued_ns AS latency, sum(time_ns) AS time FROM jobs LEFT JOIN reasons ON job_id = jobs.id AND level = 0 "
                        "AND NOT is_before WHERE submitted_ns IS NOT NULL GROUP BY jobs.id HAVING latency IS NOT NULL AND latency != coalesce(time, 0)").fetchall()
    tap.check(f"{name}: the causes of a job add up to its latency", [str(dict(row)) for row in sums])
    twice = base.execute("SELECT job_id, reason, count(*) AS rows FROM reasons GROUP BY job_id, parent_id, is_before, in_window, reason, gap, basis, culprit_ring_id, "
                         "culprit_thread_id, culprit_context, culprit_seqno, thread, by_thread, by_name HAVING count(*) > 1").fetchall()
    tap.check(f"{name}: a cause of a job is one row", [str(dict(row)) for row in twice])
    summary = {(reason["reason"], reason.get("gap") or None): reason["time_ns"] for reason in told["summary"]["reasons"] if reason["time_ns"]}
    shown = {(row["reason"], row["gap"]): row["time_ns"] for row in base.execute("SELECT * FROM reason_summary") if row["time_ns"]}
    tap.check(f"{name}: reason_summary has the sums of diagnose", differences(summary.items(), shown.items()))
    check_names(name, base)
    base.close()
    return file


def check_names(name, base):
    broken = [tuple(row) for row in base.execute("PRAGMA foreign_key_check")]
    other = base.execute("SELECT reasons.id FROM reasons JOIN jobs ON jobs.id = culprit_job_id WHERE jobs.context != culprit_context OR jobs.seqno != culprit_seqno").fetchall()
    named = base.execute("SELECT count(*) FROM reasons WHERE culprit_job_id IS NOT NULL AND culprit_ring_id IS NOT NULL AND culprit_thread_id IS NOT NULL").fetchone()[0]
    unnamed = base.execute("SELECT count(*) FROM reasons WHERE jobs = 0 AND culprit_job_id IS NOT NULL").fetchone()[0]
    tap.check(f"{name}: rows name jobs and rows that are there", [str(row) for row in broken] + [f"another job: {tuple(row)}" for row in other] +
              ([] if named else ["no job of another is named"]) + ([f"{unnamed} without a culprit name a job"] if unnamed else []))
    misplaced = base.execute("SELECT below.id FROM reasons AS below LEFT JOIN reasons AS above ON above.id = below.parent_id "
                             "WHERE (below.level = 0) != (below.parent_id IS NULL) OR above.level != below.level - 1 OR above.job_id != below.job_id").fetchall()
    tap.check(f"{name}: what is at the root of a row is below it", [str(tuple(row)) for row in misplaced])


def check_choice(folder):
    trace = golden / "linux-7.2/kernel"
    counts = {}
    for name, arguments in (("default", []), ("with", ["--reasons"]), ("without", ["--no-reasons"]), ("once", ["--read-once"])):
        problems = export("sqlite", folder / f"{name}.db", trace, *arguments)
        base = database(folder / f"{name}.db")
        counts[name] = (base.execute("SELECT count(*) FROM reasons").fetchone()[0] > 0, base.execute("SELECT value FROM meta WHERE name = 'has_reasons'").fetchone()[0])
        tap.check(f"reasons, {name}: exported", problems)
        base.close()
    tap.check_that("reasons are there unless they are not wanted or the trace is read once", counts == {
        "default": (True, 1), "with": (True, 1), "without": (False, 0), "once": (False, 0)}, counts)
    for words, arguments in (("--read-once", ["--to", "sqlite", "--reasons", "--read-once"]), ("only --to sqlite", ["--to", "perfetto", "--reasons"])):
        result = run("export", *arguments, trace, "-o", folder / "refused")
        tap.check_that(f"{' '.join(arguments)} is refused", result.returncode == 2 and words in result.stderr, result.stderr)
    middle = sorted(row["submitted_ns"] for row in json.loads(run("jobs", "--format", "json", trace).stdout) if row["submitted_ns"])[20]
    problems = export("sqlite", folder / "window.db", trace, "--begin", middle)
    base = database(folder / "window.db")
    jobs, with_reasons = (base.execute(f"SELECT count(DISTINCT {column}) FROM {table}").fetchone()[0] for column, table in (("id", "jobs"), ("job_id", "reasons")))
    tap.check_that("of a window, its jobs have reasons", not problems and jobs == with_reasons > 0, (problems, jobs, with_reasons))
    check_names("of a window", base)
    base.close()


def check_many(folder):
    """More jobs than are diagnosed by themselves."""
    subprocess.run([build / "make-trace", folder / "many", "2850000"], check=True, stdout=subprocess.DEVNULL)
    result = run("export", "--to", "sqlite", folder / "many", "-o", folder / "many.db")
    base = database(folder / "many.db")
    jobs, reasons = (base.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("jobs", "reasons"))
    tap.check_that("of very many jobs, reasons are told on request, and a note says so", result.returncode == 0 and jobs > 200_000 and reasons == 0 and
                   f"{jobs} jobs" in result.stderr and "--reasons" in result.stderr, (jobs, reasons, result.stderr))
    base.close()


def check_frames(trace, folder, messages):
    frames = command_json("frames", trace)
    problems = export("sqlite", folder / "frames.db", trace)
    base = database(folder / "frames.db")
    got = [{column: row[column] for column in frames[0]} for row in base.execute("SELECT * FROM frames ORDER BY id")]
    tap.check("SQLite has each frame with all its columns", problems + differences(frames, got) + ([] if len(frames) > 50 else [f"{len(frames)} frames"]))
    base.close()
    problems = export("perfetto", folder / "frames.pftrace", trace)
    timeline = Timeline((folder / "frames.pftrace").read_bytes(), messages)
    shown = [found for found in timeline.slices if found["category"] == "frame"]
    known = ("completed_ns", "gpu_ns", "interval_ns", "execution_wall_ns", "late_by", "jobs")
    expected = [(frame["begin_ns"] or frame["call_begin_ns"], frame["end_ns"], f"frame {frame['frame']}", frame["frame"], *(frame[name] for name in known), frame["begin_ns"] is None,
                 f"frames of surface {frame['surface']:#x}", frame["tid"]) for frame in frames]
    got = [(found["begin"], found["end"], found["name"], found["frame"], *(found.get(name) for name in known), found.get("begin_basis") == "unknown",
            timeline.tracks[found["track"]].name, timeline.tracks[timeline.tracks[found["track"]].parent_uuid].thread.tid) for found in shown]
    tap.check("Perfetto has a slice for each frame, on a track of its surface", problems + timeline.problems + differences(expected, got))
    problems = export("chrome", folder / "frames.json", trace)
    events = [event for event in json.loads((folder / "frames.json").read_text())["traceEvents"] if event.get("cat") == "frame"]
    tap.check("Chrome's file has them, too", problems + differences(
        [(f"frame {frame['frame']}", str(frame["frame"]), str(frame["surface"])) for frame in frames], [(event["name"], event["args"]["frame"], event["args"]["surface"]) for event in events]))
    check_switches(trace, timeline)


def check_switches(trace, timeline):
    lines = subprocess.run(["babeltrace2", "--clock-seconds", "--no-delta", trace], capture_output=True, text=True, timeout=300).stdout.splitlines()
    told = [re.match(r"\[(\d+)\.(\d+)\] .*sched_switch: \{ cpu_id = (\d+) \}.*prev_tid = (-?\d+).*prev_state = (-?\d+).*next_comm = \"(.*?)\", next_tid = (-?\d+)", line)
            for line in lines if " sched_switch: " in line]
    expected = [(int(found[1] + found[2]), int(found[3]), int(found[4]), int(found[5]), found[6], int(found[7])) for found in filter(None, told)]
    got = [(event.timestamp, cpu, event.sched_switch.prev_pid, event.sched_switch.prev_state, event.sched_switch.next_comm, event.sched_switch.next_pid) for cpu, event in timeline.switches]
    tap.check("Perfetto has which thread ran on which CPU", differences(expected, got) + ([] if len(expected) == len(told) > 100 else [f"{len(expected)} of {len(told)} switches"]))
    names = {event.sched_switch.prev_pid: event.sched_switch.prev_comm for _, event in timeline.switches if event.sched_switch.prev_comm}
    tap.check_that("with the names of threads", names.get(101) == "game" and names.get(201) == "compositor", names)


def check_text_switches(folder, messages):
    """Text has states as letters; what has no switches has none here."""
    (folder / "text.txt").write_text("".join(f"           a-{tid}   [001] d..2. {second}.000000: sched_switch: prev_comm=a prev_pid={tid} prev_prio=120 prev_state={state} ==> "
                                             f"next_comm=b next_pid=9 next_prio=120\n" for second, (tid, state) in enumerate(((4, "R+"), (5, "S"), (6, "D"), (7, "R"), (8, "X")), 1)))
    result = run("export", "--to", "perfetto", folder / "text.txt", "-o", folder / "text.pftrace")
    got = [(cpu, event.timestamp, event.sched_switch.prev_pid, event.sched_switch.prev_state) for cpu, event in Timeline((folder / "text.pftrace").read_bytes(), messages).switches]
    expected = [(1, second * 1_000_000_000, tid, state) for second, tid, state in ((1, 4, 256), (2, 5, 1), (3, 6, 2), (4, 7, 0), (5, 8, 16))]
    tap.check("letters of states are the kernel's numbers", differences(expected, got) + ([] if result.returncode == 1 else [result.stderr]))


def write_counters(folder, samples):
    """In the form of `record --counters`."""
    events = b"".join(struct.pack("<IQ", 0, time) + b"".join(text.encode() + b"\0" for text in texts) + struct.pack("<q", value) for time, texts, value in samples)
    folder.mkdir()
    (folder / "metadata").write_text(METADATA)
    (folder / "samples").write_bytes(struct.pack("<IIQQ", 0xC1FC1FC1, 0, *[8 * (24 + len(events))] * 2) + events)


def check_counters(folder):
    busy, power = ("0000:03:00.0", "gpu_busy_percent", "%"), ("0000:03:00.0", "power1_average", "uW")
    start = 1_700_000_000_000_000_001
    samples = [(start + number * 10_000_000, *sample) for number, sample in enumerate([(busy, 37), (power, -5), (busy, 40), (power, 2**40), (busy, 0)])]
    write_counters(folder / "counters", samples)
    result = run("export", "--to", "sqlite", folder / "counters", "-o", folder / "counters.db")
    base = database(folder / "counters.db")
    query = "SELECT at_ns, device, name, unit, value, is_sampled FROM counter_values JOIN counters ON counters.id = counter_id ORDER BY at_ns"
    got = [tuple(row) for row in base.execute(query)]
    tap.check("SQLite has each value of a counter", differences([(time, *texts, value, 1) for time, texts, value in samples], got) +
              ([] if result.returncode == 1 else [f"exit code {result.returncode}: {result.stderr}"]))
    base.close()
    run("export", "--to", "sqlite", "--begin", start + 15_000_000, "--end", start + 35_000_000, folder / "counters", "-o", folder / "part.db")
    base = database(folder / "part.db")
    tap.check("of a window, those in it", differences([(time, *texts, value, 1) for time, texts, value in samples[2:4]], [tuple(row) for row in base.execute(query)]))
    base.close()


def check_pandas(trace, folder):
    """The recipe says: pandas' own choice, floating point, changes times; whole numbers or nothing is what columns of times have."""
    recipe = re.search(r"```python\n(.*?)```", (documents / "viewers.md").read_text(), re.DOTALL)[1]
    place = folder / "recipe"
    place.mkdir()
    problems = export("sqlite", place / "jobs.db", trace)
    (place / "jobs.csv").write_text(run("jobs", "--format", "csv", trace).stdout)
    base = sqlite3.connect(place / "jobs.db")
    rows = base.execute("SELECT * FROM job_rows")
    names = [column[0] for column in rows.description]
    rows = rows.fetchall()
    times = {name: [row[place] for row in rows] for place, name in enumerate(names) if name.endswith("_ns")}
    kinds = {type(value) for column in times.values() for value in column}
    tap.check_that("times are whole numbers or unknown", not problems and kinds == {int, type(None)} and "queued_ns" in times, kinds)
    absolute = [value for name in ("queued_ns", "completed_ns") for value in times[name] if value is not None]
    tap.check_that("floating point changes them", any(int(float(value + 1_700_000_000_000_000_001)) != value + 1_700_000_000_000_000_001 for value in absolute))
    tap.check_that("the recipe makes nullable whole numbers of both files", "Int64" in recipe and "jobs.db" in recipe and "jobs.csv" in recipe, recipe)
    if importlib.util.find_spec("pandas"):
        check_recipe(recipe, place, names, rows)
    base.close()


def check_recipe(recipe, place, names, rows):
    before = os.getcwd()
    os.chdir(place)
    try:
        made = {}
        exec(recipe, made)
    finally:
        os.chdir(before)
    missing = lambda value: None if value is made["pandas"].NA else value
    for name in ("from_sqlite", "from_csv"):
        table = made[name]
        columns = [column for column in table if column.endswith("_ns")]
        got = [tuple(missing(value) for value in row) for row in zip(*(table[column].tolist() for column in columns))]
        expected = [tuple(row[names.index(column)] for column in columns) for row in rows]
        tap.check(f"pandas has the times of each job: {name}", differences(expected, got) + ([] if columns and all(str(table[column].dtype) == "Int64" for column in columns) else [columns]))


def main():
    with tempfile.TemporaryDirectory(prefix="lttng-gpu-tables-") as name:
        folder = Path(name)
        subprocess.run(["protoc", f"--proto_path={here}", f"--python_out={folder}", here / "timeline.proto"], check=True)
        sys.path.insert(0, str(folder))
        messages = importlib.import_module("timeline_pb2")
        subprocess.run([build / "page-frames-trace", folder / "drawn"], check=True)
        for case, trace in (("linux-6.12", golden / "linux-6.12/kernel"), ("linux-7.2", golden / "linux-7.2/kernel"), ("drawn", folder / "drawn")):
            check_reasons(case, trace, folder)
        check_choice(folder)
        check_many(folder)
        check_frames(folder / "drawn", folder, messages)
        check_text_switches(folder, messages)
        check_counters(folder)
        check_pandas(golden / "linux-7.2/kernel", folder)
    return tap.finish()


sys.exit(main())
