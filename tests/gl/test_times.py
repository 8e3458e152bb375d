#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_times.py LTTNG_GPU: when the GPU did frames, dispatches and blits, asked by timer queries of the layer's. Programs, some
of which have timer queries of their own, must do the same; each command is timed or counted, within the moments that the host
knows. Mesa's timestamps on the CPU are of CLOCK_MONOTONIC, the trace's clock. Prints TAP."""
import csv
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import runs
from runs import differences, layer, programs, recording, run

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "vulkan")]
import ways  # noqa: E402
from tap import Tap  # noqa: E402

ways.PROVIDER = "lttng_gpu_gl:"
tap = Tap()
wanted = {"LTTNG_GPU_GL_TIMES": "1"}
without = {"MESA_EXTENSION_OVERRIDE": "-GL_EXT_disjoint_timer_query"}
# Name: command, further environment, commands of each kind of `times`.
cases = {
    "OpenGL ES": ([programs / "scene-linked", "linked", 6], {}, {"expected": 18}),
    "OpenGL ES, eglGetProcAddress": ([programs / "scene", "getproc", 6], {}, {"expected": 18}),
    "own queries": ([programs / "timed", "plain", 40], {}, {"expected": 80}),
    # While results would go into a buffer nobody asks: until there is no room for more.
    "own queries into a buffer": ([programs / "timed", "buffer", 80], {}, {"expected": 128, "backlog": 32}),
    "own queries, display lists": ([programs / "timed", "lists", 6], {}, {"expected": 12, "unseen": 6}),
    "four threads": ([programs / "life-linked", "threads"], {}, {"expected": 200}),
    "no timer queries": ([programs / "scene-linked", "linked", 3], without, {"unsupported": 9}),
}
windows = {
    "GLX, two windows": ([programs / "glx_scene", 8], {}, {"expected": 8}),
    "GLX, softpipe": ([programs / "glx_scene", 8], {"GALLIUM_DRIVER": "softpipe"}, {"expected": 8}),
}


def named(events, name):
    return [event for event in events if event.name == name]


def times_told(events):
    """(pid, command) -> (start, end, observed, validity)."""
    told = {}
    for event in named(events, "command_times"):
        for command, start, end in zip(event["command"], event["start"], event["end"], strict=True):
            told[event["vpid"], command] = (start, end, event["observed_ns"], event["validity"])
    return told


def check_events(name, events, expected):
    commands = {(event["vpid"], event["command"]): event for event in named(events, "command")}
    kinds = {}
    for event in commands.values():
        kinds[event["times"]] = kinds.get(event["times"], 0) + 1
    tap.check_that(f"{name}: each frame, dispatch and blit is a command", kinds == expected, kinds)
    told, missed = times_told(events), sum(event["count"] for event in named(events, "commands_untimed"))
    timed = {key for key, event in commands.items() if event["times"] == "expected"}
    tap.check_that(f"{name}: each of them is timed, or is counted", set(told) <= timed and len(timed) == len(told) + missed and
                   (len(told) > 0 or not timed), f"{len(timed)} expected, {len(told)} told, {missed} missed")
    tap.check(f"{name}: the GPU began after it was told to, and ended before that was seen",
              [f"{dict(commands[key])}: {times}" for key, times in told.items()
               if key in commands and not (commands[key]["queued_ns"] <= times[0] <= times[1] <= times[2] and times[3] == "valid")])
    readings = named(events, "device_clock")
    tap.check(f"{name}: the device's clock is read between two moments of the host's",
              [dict(event) for event in readings if not event["before_ns"] <= event["device_time"] <= event["after_ns"]] +
              ([] if bool(readings) == bool(timed) else [f"{len(readings)} readings"]))
    queues = {event["queue"]: event for event in named(events, "queue")}
    tap.check_that(f"{name}: queues are described", {event["queue"] for event in commands.values()} <= set(queues) and
                   all((event["device"] != 0) == bool(timed) for event in queues.values()), list(map(dict, queues.values())))
    return told


def check_jobs(name, lttng_gpu, folder, told):
    done = subprocess.run([lttng_gpu, "jobs", "--format", "csv", folder], capture_output=True, text=True)
    rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["driver"] == "gl" and row["started_basis"] == "observed"]
    tap.check_that(f"{name}: the correlator has a job of each",
                   done.returncode == 0 and {int(row["seqno"]) for row in rows} == {command for _, command in told},
                   f"{done.returncode}, {len(rows)} of {len(told)}: {done.stderr[-500:]}")
    lengths = {command: end - start for (_, command), (start, end, _, _) in told.items()}
    tap.check(f"{name}: its execution is the device's own measurement",
              [row for row in rows if int(row["completed_ns"]) - int(row["started_ns"]) != lengths[int(row["seqno"])]])


def check_groups(name, lttng_gpu, folder):
    """The scene makes its dispatches and blits inside of debug groups, its frames end outside of them."""
    done = subprocess.run([lttng_gpu, "jobs", "--format", "json", folder], capture_output=True, text=True)
    groups = {(job["api_call"], job["debug_group"]) for job in json.loads(done.stdout) if job["driver"] == "gl"}
    wanted_groups = {("glDispatchCompute", "scene"), ("glBlitFramebuffer", "scene"), ("eglSwapBuffers", None),
                     ("eglSwapBuffersWithDamageKHR", None)}
    tap.check_that(f"{name}: jobs have their debug group", groups and groups <= wanted_groups and len(groups) >= 3, groups)


def check_frames(name, lttng_gpu, folder, events, told):
    frames, commands = sorted(named(events, "frame"), key=lambda event: event.at), named(events, "command")
    if not frames or len({event["vtid"] for event in frames}) > 1:
        return
    done = subprocess.run([lttng_gpu, "frames", "--format", "json", folder], capture_output=True, text=True)
    rows = json.loads(done.stdout) if done.stdout else []
    # What came before the first frame of a surface is not known.
    wanted_of = [0 if row["begin_ns"] is None else sum(before.at < event.at <= frame.at for event in commands)
                 for row, before, frame in zip(rows[1:], frames, frames[1:])]
    tap.check_that(f"{name}: each command is of its frame",
                   len(rows) == len(frames) and [row["gpu_commands"] for row in rows] == [0, *wanted_of],
                   f"{len(rows)} of {len(frames)} frames, {[row['gpu_commands'] for row in rows]}, wanted {wanted_of}: "
                   f"{done.stderr[-500:]}")
    if len(told) == len(commands):
        tap.check(f"{name}: frames have the GPU's times", [row for row in rows if row["gpu_commands"] and not (
            row["gpu_ns"] and row["gpu_ns"] <= row["gpu_end_ns"] - row["gpu_begin_ns"])])


def try_case(name, lttng_gpu, command, environment, expected):
    plain = run(command, environment=environment)
    tap.check_that(f"{name}: it draws", plain[0] == 0, f"exit code {plain[0]}: {plain[2][-1000:]}")
    with tempfile.TemporaryDirectory() as folder:
        with recording(folder) as application:
            got = run(command, layer, {**environment, **application, **wanted})
        tap.check(f"{name}: the same when it is timed", differences(plain, got))
        events = ways.read_events(folder)
        told = check_events(name, events, expected)
        if told:
            check_jobs(name, lttng_gpu, folder, told)
        if command[0].name.startswith("scene") and told:
            check_groups(name, lttng_gpu, folder)
        check_frames(name, lttng_gpu, folder, events, told)


def check_throttled(lttng_gpu):
    """A program that sleeps before each frame has not queued it meanwhile."""
    frames = 40
    with tempfile.TemporaryDirectory() as folder:
        with recording(folder) as application:
            code, output, errors = run([programs / "timed", "throttled", frames], layer, {**application, **wanted})
        rounds = [tuple(map(int, line.split())) for line in output.splitlines() if line[:1].isdigit()]
        events = ways.read_events(folder)
        queued = [event["queued_ns"] for event in sorted(named(events, "command"), key=lambda event: event["command"])
                  if event["function"] == "eglSwapBuffers" and event["times"] == "expected"]
        # Before its loop the program clears another picture, with which its first frame begins.
        tap.check_that("throttled: each frame is queued in its first call", code == 0 and len(rounds) == len(queued) == frames and
                       all(begin <= time <= end for time, (_, begin, end) in list(zip(queued, rounds))[1:]),
                       f"{code}, {list(zip(queued, rounds))[:5]}: {errors[-500:]}")
        report = json.loads(subprocess.run([lttng_gpu, "report", "--format", "json", folder], capture_output=True, text=True).stdout)
        window = report["window"]["end_ns"] - report["window"]["begin_ns"]
        rings = [queue for queue in report["queues"] if queue["driver"] == "gl" and queue["jobs"] >= frames - 5]
        starved = max((queue["state_ns"]["host_only"] / window for queue in rings), default=1)
        tap.check_that("throttled: the device is not starved while the program sleeps", starved < 0.3, starved)
        done = subprocess.run([lttng_gpu, "frames", "--format", "json", folder], capture_output=True, text=True)
        known = [row["gpu_ns"] for row in json.loads(done.stdout) if row["gpu_ns"] is not None]
        tap.check_that("throttled: frames have the time of the GPU, without the sleep",
                       len(known) > frames / 2 and sorted(known)[len(known) // 2] < 7_000_000, known)
        text = subprocess.run([lttng_gpu, "frames", folder], capture_output=True, text=True).stdout
        tap.check_that("throttled: the text has it, too", " GPU " in text, text)
        print(f"# throttled: starved {100 * starved:.1f} %, GPU {sorted(known)[len(known) // 2] / 1e6 if known else 0:.3f} ms of a frame "
              f"in the middle")


def main():
    problem = runs.lttng_session.why_not() or ways.why_no_events()
    if problem:
        tap.check("times of OpenGL", skip=problem)
        return
    with runs.lttng_session.daemon():
        for name, case in cases.items():
            try_case(name, sys.argv[1], *case)
        check_throttled(sys.argv[1])
        with runs.display():
            for name, case in windows.items():
                try_case(name, sys.argv[1], *case)
        with tempfile.TemporaryDirectory() as folder:
            with recording(folder) as application:
                run(cases["OpenGL ES"][0], layer, application)
            names = {event.name for event in ways.read_events(folder)}
        tap.check_that("nobody asks if it is not wanted", "frame" in names and not names & {"command", "command_times", "device_clock"},
                       names)


main()
sys.exit(tap.finish())
