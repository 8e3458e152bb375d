#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""test_viewers.py BUILD: `lttng-gpu export` to SQLite, Perfetto, Chrome, CSV and JSON, on the golden traces. The jobs are read
back from each file by another program (SQLite, a decoder that protoc makes, a JSON parser) and compared with `lttng-gpu jobs`.
test_trace_processor.py has Perfetto's own program read them. Prints TAP."""
import collections
import csv
import importlib
import io
import json
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
from tap import Tap

build = Path(sys.argv[1]).resolve()
lttng_gpu = build / "lttng-gpu"
golden = here.parent / "golden"
documents = here.parents[1] / "docs"
tap = Tap()
PHASES = {"host_queue": ("queued_ns", "submitted_ns"), "device_queue": ("submitted_ns", "started_ns"),
          "on_device": ("submitted_ns", "completed_ns"), "execution": ("started_ns", "completed_ns")}


def run(*arguments, **options):
    return subprocess.run([lttng_gpu, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=600, **options)


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(run("jobs", "--format", "csv", *arguments).stdout)))


def left_over(folder):
    return [f"left over: {path.name}" for path in folder.iterdir() if "partial" in path.name]


def export(kind, output, *arguments, code=0):
    result = run("export", "--to", kind, "-o", output, *arguments)
    problems = [] if result.returncode == code else [f"exit code {result.returncode}: {result.stderr}"]
    return problems + left_over(output.parent)


def phases_of(row):
    """The phases that a viewer shows of a job: {category: (begin, end)}."""
    shown = {}
    for category, (begin, end) in PHASES.items():
        if category == "on_device" and row["started_ns"] or category == "device_queue" and not row["started_ns"]:
            continue
        if row[begin] and not (category == "host_queue" and row["interval"] != "0"):
            shown[category] = int(row[begin]), int(row[end]) if row[end] else None
    return shown


def ring_of(row):
    return f'{row["device"] or "device unknown"} {row["ring"]} ({row["driver"]})'


def expected_phases(rows):
    return sorted((ring_of(row), category, row["context"], row["seqno"], *times, row["api_call"] or row["comm"] or "job")
                  for row in rows for category, times in phases_of(row).items())


def expected_depths(rows):
    """{(ring, queue): [(time, depth)]}, one step for each change."""
    steps = collections.defaultdict(lambda: collections.defaultdict(int))
    for row in rows:
        for category, (begin, end) in phases_of(row).items():
            if category in ("host_queue", "device_queue") and end is not None:
                key = ring_of(row), category.replace("_", " ") + " depth"
                steps[key][begin] += 1
                steps[key][end] -= 1
    depths = {}
    for key, changes in steps.items():
        depth, told = 0, []
        for time, change in sorted(changes.items()):
            if change:
                depth += change
                told.append((time, depth))
        depths[key] = told
    return {key: told for key, told in depths.items() if told}


def differences(expected, got):
    only = lambda left, right: list((collections.Counter(map(str, left)) - collections.Counter(map(str, right))).elements())
    return [f"missing: {line}" for line in only(expected, got)] + [f"not expected: {line}" for line in only(got, expected)]


def json_rows(*arguments):
    """All columns, as texts; None is an empty one."""
    rows = json.loads(run("jobs", "--format", "json", *arguments).stdout)
    return [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]


def sqlite(name, trace, rows, folder):
    file = folder / f"{name}.db"
    problems = export("sqlite", file, trace)
    base = sqlite3.connect(file)
    base.row_factory = sqlite3.Row
    got = [{column: "" if row[column] is None else str(row[column]) for column in rows[0]}
           for row in base.execute("SELECT * FROM job_rows ORDER BY id")]
    tap.check(f"{name}: SQLite has the same jobs", problems + differences(rows, got))
    report = json.loads(run("report", "--format", "json", "--read-once", trace).stdout)
    read = base.execute("SELECT count FROM accounting WHERE cause = 'events_read'").fetchone()[0]
    tap.check_that(f"{name}: the account is that of the report", read == report["accounting"]["events_read"], read)
    deepest = {(ring_of(row), row["phase"]): row["deepest"] for row in base.execute(
        "SELECT device, ring, driver, phase, max(depth) AS deepest FROM depths JOIN rings ON rings.id = ring_id GROUP BY ring_id, phase")}
    expected = {(key[0], key[1].replace(" depth", "").replace(" ", "_")): max(depth for _, depth in told)
                for key, told in expected_depths(rows).items()}
    tap.check(f"{name}: depths of queues", differences(expected.items(), [item for item in deepest.items() if item[0][1] != "execution"]))
    queries = re.findall(r"```sql\n(.*?)```", (documents / "viewers.md").read_text(), re.DOTALL)
    failed = [f"{len(queries)} queries"] if len(queries) < 10 else []
    for query in queries:
        try:
            failed += [] if base.execute(query).fetchall() else [f"no rows: {query}"]
        except sqlite3.Error as error:
            failed.append(f"{error}: {query}")
    tap.check(f"{name}: the documented queries give rows", failed)
    views = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    tap.check(f"{name}: every table and view is documented",
              [view for view in views if f"`{view}`" not in (documents / "viewers.md").read_text()])
    base.close()


class Timeline:
    """A file of Perfetto by what protoc makes of timeline.proto."""

    def __init__(self, data, messages):
        trace = messages.Trace()
        trace.ParseFromString(data)
        self.tracks, self.slices, self.instants, self.flows = {}, [], [], collections.defaultdict(list)
        self.counts, self.problems = collections.defaultdict(list), []
        names, open_slices, events = [{}, {}, {}], {}, []
        for packet in trace.packet:
            for table, told in zip(names,
                                   (packet.interned_data.event_categories, packet.interned_data.event_names,
                                    packet.interned_data.debug_annotation_names)):
                table.update((entry.iid, entry.name) for entry in told)
            if packet.HasField("track_descriptor"):
                self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
            if packet.HasField("track_event"):
                events.append(packet)
        events.sort(key=lambda packet: packet.timestamp)  # stable, like Perfetto's own
        self.switches = [(bundle.cpu, event) for bundle in (packet.ftrace_events for packet in trace.packet) for event in bundle.event]
        for packet in events:
            event, time = packet.track_event, packet.timestamp
            if event.track_uuid not in self.tracks:
                self.problems.append(f"no track {event.track_uuid}")
                continue
            if event.type == messages.TrackEvent.TYPE_COUNTER:
                self.counts[event.track_uuid].append((time, event.counter_value))
                continue
            if event.type == messages.TrackEvent.TYPE_SLICE_END:
                if not open_slices.get(event.track_uuid):
                    self.problems.append(f"an end without a beginning at {time}")
                    continue
                open_slices[event.track_uuid].pop()["end"] = time
                continue
            details = {entry.name or names[2][entry.name_iid]: entry.string_value if entry.HasField("string_value") else entry.uint_value
                       if entry.HasField("uint_value") else entry.int_value
                       for entry in event.debug_annotations}
            found = {"track": event.track_uuid, "begin": time, "end": None, "name": event.name or names[1][event.name_iid],
                     "category": names[0][event.category_iids[0]], **details}
            for flow in [*event.flow_ids, *event.terminating_flow_ids]:
                self.flows[flow].append((time, found["category"], flow in event.terminating_flow_ids))
            if event.type == messages.TrackEvent.TYPE_INSTANT:
                self.instants.append(found)
                continue
            stack = open_slices.setdefault(event.track_uuid, [])
            if stack and found["category"] in PHASES:
                self.problems.append(f"{found} begins inside {stack[-1]}")
            stack.append(found)
            self.slices.append(found)

    def ring_of(self, track):
        ring = self.tracks[self.tracks[track].parent_uuid]
        return f"{self.tracks[ring.parent_uuid].name} {ring.name}".removeprefix("GPU ").removeprefix("GPU, ")

    def phases(self):
        return sorted((self.ring_of(found["track"]), found["category"], str(found.get("context", "")), str(found.get("seqno", "")),
                       found["begin"], found["end"], found["name"])
                      for found in self.slices + self.instants if found["category"] in PHASES)

    def depths(self):
        return {(self.ring_of(track), self.tracks[track].name): told for track, told in self.counts.items()}


def flow_problems(flows, rows):
    """Each job's arrow passes all that is known of it, in order, and ends once."""
    problems = []
    for number, row in enumerate(rows, 1):
        expected = [category for category in PHASES if category in phases_of(row)]
        got = [category for _, category, _ in flows.get(number, []) if category in PHASES]
        if len(expected) > 1 and sorted(got) != sorted(expected):
            problems.append(f"job {number}: {got} instead of {expected}")
        if len(expected) > 1 and sum(is_end for _, _, is_end in flows.get(number, [])) != 1:
            problems.append(f"job {number}: {flows.get(number)}")
    return problems


def perfetto(name, trace, rows, folder, messages):
    file = folder / f"{name}.pftrace"
    problems = export("perfetto", file, trace)
    timeline = Timeline(file.read_bytes(), messages)
    tap.check(f"{name}: Perfetto's file has the same phases of jobs",
              problems + timeline.problems + differences(expected_phases(rows), timeline.phases()))
    tap.check(f"{name}: its counters are the depths of the queues", differences(expected_depths(rows).items(), timeline.depths().items()))
    tap.check(f"{name}: its flows follow each job", flow_problems(timeline.flows, rows))
    inferred = sum(row["started_basis"] == "inferred" for row in rows)
    tap.check_that(f"{name}: inferred starts are told",
                   inferred == sum(found.get("begin_basis") == "inferred" for found in timeline.slices), inferred)


def chrome(name, trace, rows, folder):
    file = folder / f"{name}.json"
    problems = export("chrome", file, trace)
    text = json.loads(file.read_text(), parse_float=lambda number: int(number.replace(".", "")))
    origin = int(text["otherData"]["origin_ns"])
    processes = {event["pid"]: event["args"]["name"] for event in text["traceEvents"] if event["ph"] == "M"
                 and event["name"] == "process_name"}
    ring = lambda event: processes[event["pid"]].removeprefix("GPU ").removeprefix("GPU, ")
    got, depths, flows = [], collections.defaultdict(list), collections.defaultdict(list)
    slices = {}
    for event in text["traceEvents"]:
        time = origin + event["ts"] if "ts" in event else None
        if event["ph"] in "XBi" and event["cat"] in PHASES:
            end = time + event["dur"] if event["ph"] == "X" else None
            got.append((ring(event), event["cat"], event["args"].get("context", ""), event["args"].get("seqno", ""), time, end,
                        event["name"]))
            slices[event["pid"], event["tid"], time] = event["cat"]
            if "bind_id" in event:  # its arrow, told with it
                flows[int(event["bind_id"], 16) % 2**32].append((time, event["cat"], "flow_out" not in event))
        elif event["ph"] == "C":
            depths[ring(event), event["name"]].append((time, event["args"]["jobs"]))
        elif event["ph"] in "stf":
            flows[event["id"]].append((time, slices.get((event["pid"], event["tid"], time), "nothing"), event["ph"] == "f"))
    tap.check(f"{name}: Chrome's file has the same phases of jobs", problems + differences(expected_phases(rows), got))
    tap.check(f"{name}: its counters", differences(expected_depths(rows).items(), depths.items()))
    tap.check(f"{name}: its flows", flow_problems(flows, rows))


def calls(name, trace, folder):
    """Calls of an API, by babeltrace2: each returned at the time of its event, and began at begin_ns on another clock."""
    lines = subprocess.run(["babeltrace2", "--clock-seconds", "--no-delta", trace], capture_output=True, text=True,
                           timeout=300).stdout.splitlines()
    told = [re.match(r'\[(\d+)\.(\d+)\] .*?lttng_gpu_opencl:(?:call|\w+_enqueue|object_re\w+): .*\bbegin_ns = (\d+)', line)
            for line in lines]
    names = [re.search(r'function = \( "(\w+)"', line)[1] for line, found in zip(lines, told) if found]
    expected = [(int(found[1] + found[2]), int(found[3])) for found in filter(None, told)]
    base = sqlite3.connect(folder / f"{name}.db")
    got = base.execute("SELECT end_ns, begin_ns, name FROM api_calls JOIN call_names ON call_names.id = call_name_id ORDER BY "
                       "end_ns").fetchall()
    shifts = {begin - told for (_, begin, _), (_, told) in zip(got, sorted(expected))}
    problems = [] if len(got) == len(expected) > 50 else [f"{len(got)} of {len(expected)}"]
    problems += differences(sorted(end for end, _ in expected),
                            [end for end, _, _ in got]) + differences(names, [call.split("(")[0] for _, _, call in got])
    tap.check(f"{name}: SQLite has each call", problems + ([] if len(shifts) == 1 else [f"beginnings differ by {shifts}"]))
    waits = base.execute("SELECT count(*) FROM waits WHERE end_ns > begin_ns").fetchone()[0]
    tap.check_that(f"{name}: and what threads waited for", waits > 10, waits)
    return got


def calls_in_timelines(name, rows, got, folder, messages):
    timeline = Timeline((folder / f"{name}.pftrace").read_bytes(), messages)
    shown = [(found["end"], found["begin"], found["name"]) for found in timeline.slices if found["category"] == "api_call"]
    threads = {timeline.tracks[found["track"]].thread.tid for found in timeline.slices if found["category"] == "api_call"}
    processes = {track.process.process_name for track in timeline.tracks.values() if track.HasField("process")}
    tap.check(f"{name}: Perfetto has each call, on its thread",
              differences(got, shown) + ([] if {str(tid) for tid in threads} == {row["tid"] for row in rows} else [threads]) +
              ([] if processes == {"opencl-rounds"} else [processes]))
    first = [sorted(points)[0][1] for points in timeline.flows.values()]
    tap.check_that(f"{name}: each arrow begins at a call", len(first) == len(rows) and set(first) == {"api_call"}, first)
    last = [sorted(points)[-1][1] for points in timeline.flows.values()]
    tap.check_that(f"{name}: and ends where the end was known", set(last) == {"wait"}, last)


def plain_rows(name, trace, folder):
    for kind in ("csv", "json"):
        file = folder / f"{name}-rows.{kind}"
        problems = export(kind, file, trace)
        expected = run("jobs", "--format", kind, trace).stdout
        tap.check(f"{name}: {kind} is what jobs writes", problems + ([] if file.read_text() == expected else ["it differs"]))


def window(trace, rows, folder):
    middle = sorted(int(row["submitted_ns"]) for row in rows if row["submitted_ns"])[len(rows) // 2]
    file = folder / "window.db"
    problems = export("sqlite", file, "--begin", middle, trace)
    count = sqlite3.connect(file).execute("SELECT count(*) FROM jobs").fetchone()[0]
    expected = len(rows_of("--begin", middle, trace))
    tap.check("--begin and --end are those of jobs", problems + ([] if 0 < count == expected < len(rows) else [f"{count} of {expected}"]))


def small_files():
    """Like a full disk: no file may grow beyond this."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def failures(trace, folder):
    for kind in ("sqlite", "perfetto", "chrome", "csv", "json"):
        place = folder / f"failed-{kind}"
        place.mkdir()
        file = place / "file"
        problems = []

        def expect(words, code, *arguments, text="", **options):
            result = run("export", "--to", kind, *arguments, **options)
            if result.returncode != code or text not in result.stderr:
                problems.append(f"{words}: exit code {result.returncode}, {result.stderr}")
            problems.extend(f"{words}: {problem}" for problem in left_over(place))

        expect("full disk", 2, trace, "-o", file, text=f"cannot write {file}", preexec_fn=small_files)
        problems += ["a file that is not complete has the name"] if file.exists() else []
        file.write_text("kept")
        expect("full disk, file exists", 2, trace, "-o", file, preexec_fn=small_files)
        problems += [] if file.read_text() == "kept" else ["the file that was there is gone"]
        expect("no such folder", 2, trace, "-o", place / "none/file", text="cannot write")
        expect("a directory", 2, trace, "-o", place, text="cannot write" if kind in ("csv", "json") else "directory")
        expect("no trace", 3, place, "-o", place / "other")
        problems += ["there is a file without a trace"] if (place / "other").exists() else []
        expect("overwritten", 0, trace, "-o", file)
        problems += ["it was not overwritten"] if file.read_bytes() == b"kept" else []
        tap.check(f"{kind}: failures leave nothing behind", problems)
    result = run("export", "--to", "sqlite", trace)
    tap.check_that("a database needs a file", result.returncode == 2 and "-o" in result.stderr, result.stderr)
    result = run("export", "--to", "ctf", "--begin", "+1", trace, "-o", folder / "ctf")
    tap.check_that("a CTF trace has all events", result.returncode == 2 and "--begin" in result.stderr, result.stderr)
    for kind in ("perfetto", "chrome"):
        piped = subprocess.run([lttng_gpu, "export", "--to", kind, trace], capture_output=True, timeout=600)
        export(kind, folder / "file", trace)
        tap.check_that(f"{kind}: without -o to standard output", piped.stdout == (folder / "file").read_bytes(), piped.stderr)


def main():
    with tempfile.TemporaryDirectory(prefix="lttng-gpu-viewers-") as name:
        folder = Path(name)
        subprocess.run(["protoc", f"--proto_path={here}", f"--python_out={folder}", here / "timeline.proto"], check=True)
        sys.path.insert(0, str(folder))
        messages = importlib.import_module("timeline_pb2")
        for case in ("linux-6.12", "linux-7.2"):
            trace = golden / case / "kernel"
            rows = json_rows(trace)
            sqlite(case, trace, rows, folder)
            perfetto(case, trace, rows, folder, messages)
            chrome(case, trace, rows, folder)
            plain_rows(case, trace, folder)
        window(trace, rows, folder)
        trace = here / "traces/opencl-rounds"
        opencl_rows = json_rows(trace)
        sqlite("opencl", trace, opencl_rows, folder)
        perfetto("opencl", trace, opencl_rows, folder, messages)
        chrome("opencl", trace, opencl_rows, folder)
        calls_in_timelines("opencl", opencl_rows, calls("opencl", trace, folder), folder, messages)
        failures(trace, folder)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
