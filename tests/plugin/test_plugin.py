#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_plugin.py LTTNG_GPU PLUGIN_DIR: the babeltrace2 plugin in graphs made by babeltrace2's command line and by its
Python bindings. The sink must write what lttng-gpu report writes, the filter add what lttng-gpu jobs prints. TAP."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu, plugins = sys.argv[1], sys.argv[2]
os.environ["BABELTRACE_PLUGIN_PATH"] = plugins
try:
    import bt2
except ImportError:  # Debian's module is for Debian's Python, which need not be the first one
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

tests = Path(__file__).resolve().parents[1]
golden = sorted(path.parent for path in tests.glob("golden/*/jobs.csv"))
lossy = tests / "readers/traces/ust-every-field/trace"
tap = Tap()
# A promise, as the columns are: new ones come last.
MEMBERS = ("device ring driver context seqno pid tid comm queued_ns submitted_ns started_ns started_basis completed_ns completed_basis "
           "status "
           "interval runnable_ns observed_ns fault api_call clock_error_ns api_call_basis api_calls debug_group").split()


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace")


def graph(trace, component, params=""):
    return run("babeltrace2", trace, "-c", component, *([f"--params={params}"] if params else []))


def is_equal(words, got, expected):
    tap.check_that(words, got == expected, f"got {str(got)[:600]}\nexpected {str(expected)[:600]}")


def reports():
    for trace in [*golden, lossy]:
        name = trace.relative_to(tests)
        for style in ["text", "json", "csv"]:
            own, sink = run(lttng_gpu, "report", "--read-once", "--format", style,
                            trace), graph(trace, "sink.gpu.report", f'format="{style}"')
            is_equal(f"{name}: report as {style}, and its notes", (sink.stdout, sink.stderr, sink.returncode), (own.stdout, own.stderr, 0))
    trace = golden[0]
    begin = json.loads(run(lttng_gpu, "report", "--format", "json", trace).stdout)["window"]["begin_ns"]
    for option, params in [(["--begin", "+0.1", "--end", "+0.4"], 'begin="+0.1",end="+0.4"'),
                           (["--begin", str(begin + 10**8)], f"begin={begin + 10**8}"),
                           (["--end", str(begin + 10**8)], f'end="{begin + 10**8}"')]:
        own, sink = run(lttng_gpu, "report", "--read-once", *option, trace), graph(trace, "sink.gpu.report", params)
        is_equal(f"report with {params}", (sink.stdout, sink.stderr), (own.stdout, own.stderr))
    for said in run(lttng_gpu, "report", "--begin", "+1000", trace), graph(trace, "sink.gpu.report", 'begin="+1000"'):
        tap.check_that("a window outside the trace is reported", not said.stdout and re.search(
            f"no part of the window is inside the trace .{begin} (to [0-9]+ ns|ns and later).$", said.stderr), said.stderr)
    with tempfile.TemporaryDirectory() as folder:
        sink = graph(trace, "sink.gpu.report", f'output="{folder}/report"')
        is_equal("report into a file", (sink.stdout, Path(folder, "report").read_text()),
                 ("", run(lttng_gpu, "report", "--read-once", trace).stdout))


def bad_input():
    for component, params, words in [
            ("sink.gpu.report", 'format="xml"', 'parameter `format` must be "text", "json" or "csv"'),
            ("sink.gpu.report", "format=1", "parameter `format` must be"),
            ("sink.gpu.report", 'begin="soon"', "parameter `begin` must be nanoseconds or"),
            ("sink.gpu.report", "begin=+2", 'in quotes, "+seconds"'),
            ("sink.gpu.report", "begin=5,end=5", "parameter `begin` must be before `end`"),
            ("sink.gpu.report", "colour=1", "unknown parameter `colour`"),
            ("sink.gpu.report", 'output="/nowhere/report"', "cannot write /nowhere/report"),
            ("filter.gpu.jobs", "colour=1", "unknown parameter `colour`")]:
        tried = graph(golden[0], component, params)
        text = re.sub(r"\s+", " ", tried.stderr)
        tap.check_that(f"{component} with {params} says what is wrong", tried.returncode != 0 and words in text and not tried.stdout,
                       text[-900:])


def help_texts():
    for name, words in [("plugin gpu", "Where GPU jobs spend their time"), ("sink.gpu.report", "begin=NS"), ("filter.gpu.jobs", "gpu_job")]:
        shown = run("babeltrace2", "help", *name.split(" ")[-1:])
        tap.check_that(f"babeltrace2 help {name}", shown.returncode == 0 and words in shown.stdout, shown.stdout + shown.stderr)


def plain(field):
    """The value of a field; none for an option without one."""
    if isinstance(field, bt2._OptionFieldConst):
        return plain(field.field) if field.has_field else None
    return str(field) if isinstance(field, bt2._StringFieldConst) else int(field)


class Recorder(bt2._UserSinkComponent):
    """Takes all messages twice, from the beginning each time. What it saw is a list for each time."""

    def __init__(self, config, params, seen):
        self._port = self._add_input_port("in")
        self._seen = seen

    def _user_graph_is_configured(self):
        self._iterator = self._create_message_iterator(self._port)

    def _user_consume(self):
        for _ in range(2):
            self._seen.append([self.shown(message) for message in self._iterator])
            if len(self._seen) < 2:
                self._iterator.seek_beginning()
        raise bt2.Stop

    def shown(self, message):
        time = message.default_clock_snapshot.ns_from_origin if isinstance(message, bt2._EventMessageConst) else None
        event = message.event if time is not None else None
        is_job = event is not None and event.name == "gpu_job"
        return type(message).__name__, time, event and event.name, is_job and {name: plain(field)
                                                                               for name, field in event.payload_field.items()}


def record(trace, with_filter):
    made, seen = bt2.Graph(), []
    ctf = made.add_component(bt2.find_plugin("ctf").source_component_classes["fs"], "ctf", {"inputs": [str(trace / "kernel")]})
    muxer = made.add_component(bt2.find_plugin("utils").filter_component_classes["muxer"], "muxer")
    for number, port in enumerate(ctf.output_ports.values()):
        made.connect_ports(port, list(muxer.input_ports.values())[number])
    last = muxer
    if with_filter:
        last = made.add_component(bt2.find_plugin("gpu").filter_component_classes["jobs"], "jobs")
        made.connect_ports(muxer.output_ports["out"], last.input_ports["in"])
    made.connect_ports(last.output_ports["out"], made.add_component(Recorder, "recorder", obj=seen).input_ports["in"])
    made.run()
    return seen


def jobs():
    for trace in golden:
        before, after = record(trace, False)[0], record(trace, True)
        rows = [message[3] for message in after[0] if message[3]]
        expected = json.loads(run(lttng_gpu, "jobs", "--read-once", "--format", "json", trace).stdout)
        is_equal(f"{trace.name}: an event for each of {len(expected)} jobs, with the values of lttng-gpu jobs", rows, expected)
        tap.check_that(f"{trace.name}: the event's members keep their order", all(list(row) == MEMBERS for row in rows), rows[:1])
        times = [message[1] for message in after[0] if message[1] is not None]
        tap.check_that(f"{trace.name}: events stay in order of time", times == sorted(times))
        others = [message for message in after[0] if not message[3]]
        added = [message for message in others if message not in before or others.count(message) > before.count(message)]
        tap.check_that(f"{trace.name}: all messages are passed on, one stream is added", len(others) == len(before) + 2 and
                       {message[0] for message in added} == {"_StreamBeginningMessageConst", "_StreamEndMessageConst"}, added)
        tap.check_that(f"{trace.name}: no job is final before it has ended", all(
            message[1] >= (message[3]["completed_ns"] or 0) for message in after[0] if message[3]))
        is_equal(f"{trace.name}: all the same after seeking to the beginning", after[1], after[0])
        pretty = graph(trace, "filter.gpu.jobs")
        is_equal(f"{trace.name}: sink.text.pretty shows them", (pretty.returncode, len(re.findall("gpu_job: { device", pretty.stdout))),
                 (0, len(expected)))
    shown = graph(lossy, "filter.gpu.jobs")
    tap.check_that("a trace without jobs passes, and its gaps are reported", shown.returncode == 0 and "gpu_job:" not in shown.stdout and
                   "the trace has gaps (2 events lost)" in shown.stderr, shown.stderr)
    with tempfile.TemporaryDirectory() as folder:
        run("babeltrace2", golden[0], "-c", "filter.gpu.jobs", "-c", "filter.utils.muxer", "-c", "sink.ctf.fs",
            f'--params=path="{folder}/copy"')
        own, copy = (json.loads(run(lttng_gpu, "report", "--format", "json", trace).stdout) for trace in (golden[0], f"{folder}/copy"))
        is_equal("written by sink.ctf.fs, the trace gives the same report", copy["queues"], own["queues"])


help_texts()
reports()
bad_input()
jobs()
sys.exit(tap.finish())
