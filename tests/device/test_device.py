#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_device.py LTTNG_GPU BUILD: kernels on PoCL recorded inside by `lttng-gpu record --device-trace`: results stay the same, every
event is there, full buffers count what they lose, and several queues record at once. Prints TAP."""
import json
import re
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "tests/record"), str(top / "tests/device")]
import lttng_session  # noqa: E402
from exported import differences, exported  # noqa: E402
from recorder import Place  # noqa: E402
from tap import Tap  # noqa: E402

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
FILES = [build / name
         for name in ("lttng-gpu-instrument", "liblttng-gpu-device.so", "liblttng-gpu-device-provider.so", "liblttng-gpu-opencl.so",
                                   "liblttng-gpu-opencl-provider.so", "liblttng-gpu-descriptors.so", "tests/run-kernel",
                      "tests/placed-points")]
KERNELS = {"counted": top / "tests/device/kernels/counted.cl", "barriers": top / "tests/device/kernels/barriers.cl",
           "forms": top / "tests/device/golden/control_flow.cl", "endless": top / "tests/device/kernels/endless.cl",
           "placed": top / "tests/device/kernels/placed.cl", "spins": top / "tests/device/kernels/spins.cl",
           "rows": top / "tests/device/kernels/rows.cl", "rows_together": top / "tests/device/kernels/rows_together.cl"}


def plain(place, kernel, *arguments):
    return place.run("run-kernel", place.folder / f"work/{kernel}.cl", kernel, *arguments, timeout=600).stdout


def recorded(place, name, kernel, arguments, *options, environment=()):
    """The program's output, what `device` says of the trace, its exit code and record's errors."""
    run = place.record("-o", name, "--events", "user", "--no-loss", "--no-report", "--device-trace", *options, "--", "run-kernel",
                       f"{kernel}.cl", kernel, *arguments, environment=environment, timeout=600)
    told = subprocess.run([lttng_gpu, "device", "--format", "json", place.folder / "work" / name], capture_output=True, text=True,
                          timeout=300)
    return run.stdout, json.loads(told.stdout) if told.stdout else {}, told.returncode, run.stderr + told.stderr


def executions(told, kind):
    return sum(location["executions"] for found in told["kernels"][:1] for location in found["locations"] if location["kind"] == kind)


def check_same_results(place):
    for kernel, n in (("forms", 256), ("barriers", 256)):
        expected = plain(place, kernel, n)
        output, told, code, errors = recorded(place, f"same-{kernel}", kernel, [n], "--device-points", "all")
        tap.check_that(f"{kernel}: what the program sees is the same as without", expected and output == expected,
                       (expected, output, errors))
        tap.check_that(f"{kernel}: it was recorded inside",
                       code == 0 and executions(told, "entry") == n and not told["accounting"]["parts_lost"],
                       (code, told, errors))
    tap.check_that("barriers are points", executions(told, "barrier") == 256 * (1 + 6), told)


def check_every_event(place):
    n = 1024
    expected = plain(place, "counted", n)
    output, told, code, errors = recorded(place, "counted", "counted", [n], "--device-points", "all")
    runs = int(re.search(r"sum (\d+)", expected)[1])
    tap.check_that("a loop's events are as many as the results say", output == expected and code == 0 and
                   executions(told, "loop") == executions(told, "function") == runs, (expected, output, code, told, errors))
    alone, merged, _, _ = recorded(place, "merged", "counted", [n], "--device-points", "loops")
    tap.check_that("and equal events that follow one another are one record", alone == expected and executions(merged, "loop") == runs and
                   merged["kernels"][0]["records"] < runs / 2, (merged, runs))
    named = {(location["function"], location["kind"], location["line"]) for location in told["kernels"][0]["locations"]}
    tap.check_that("locations are lines of the source", {("counted", "loop", 11), ("step", "function", 3)} <= named, named)
    launch = told["launches"][0]
    tap.check_that("a launch has its sizes and its command", launch["local_size"] == [64, 1, 1] and launch["groups"] == [n // 64, 1, 1] and
                   launch["command"] is not None and launch["status"] == 0, launch)


def check_what_is_told(place):
    """Of the recording of check_every_event()."""
    trace = place.folder / "work/counted"
    told = json.loads(subprocess.run([lttng_gpu, "device", "--format", "json", trace], capture_output=True, text=True, timeout=300).stdout)
    events, code, errors = exported(lttng_gpu, trace, place.folder / "work/counted-exported")
    tap.check("the export has each record, and the sums of the report", differences(told, events) if code == 0 else [errors])
    report = json.loads(subprocess.run([lttng_gpu, "report", "--format", "json", trace], capture_output=True, text=True,
                                       timeout=300).stdout)
    rows = [(row["name"], row["launches"], row["executions"], row["most_expensive"]["kind"]) for row in report["device_trace"]["kernels"]]
    kernel = told["kernels"][0]
    most = max(kernel["locations"], key=lambda place: place["executions"])
    tap.check_that("the report of the session has the kernel",
                   rows == [("counted", 1, sum(place["executions"] for place in kernel["locations"]), most["kind"])],
                   (rows, kernel))


def chunks_used(place, name):
    """Of the launches of a recording: how many there were, and how many the recorder took."""
    text = subprocess.run(["babeltrace2", place.folder / "work" / name], capture_output=True, text=True, timeout=300).stdout
    return [(int(there), int(used))
            for used, there in re.findall(r"devicetrace:launch_end: .*?\bchunks = (\d+), chunks_there = (\d+)", text)]


def check_memory_that_is_used(place):
    """Of the recordings of check_every_event(): of 1024 work-items each event, and runs of them."""
    small, large = chunks_used(place, "merged"), chunks_used(place, "counted")
    tap.check_that("what a launch uses of its buffer follows what it records",
                   len(small) == len(large) == 1 and small[0][0] == large[0][0] == (16 << 20) // 256 - 1 and
                   0 < small[0][1] < large[0][1] < large[0][0] / 10, (small, large))


def check_full_buffer(place):
    expected = plain(place, "endless", 256)
    output, told, code, errors = recorded(place, "full", "endless", [256], "--device-buffer", "64K")
    launch = told["launches"][0]
    total = launch["records"] + launch["records_lost"]
    (there, used), = chunks_used(place, "full")
    tap.check_that("a full buffer is full", there == used == (64 << 10) // 256 - 1 and not told["accounting"]["parts_damaged"],
                   (there, used, told["accounting"]))
    tap.check_that("a full buffer: results are the same, and what is lost is counted", output == expected and launch["records_lost"] > 0 and
                   launch["records"] <= 1023 * 30 and total > 256 * 2000, (expected, output, code, launch, errors))


def check_queues(place):
    expected = plain(place, "counted", 512, 3, 8)
    output, told, code, errors = recorded(place, "queues", "counted", [512, 3, 8], "--device-buffer", "1M")
    untraced = sum(left["count"] for left in told["accounting"]["untraced"] if left["reason"] == "no_buffer")
    tap.check_that("three queues: results are the same, and each launch is recorded or told as not", output == expected and code == 0 and
                   len(told["launches"]) + untraced == 24 and told["launches"],
                   (expected, output, code, len(told["launches"]), untraced, errors))
    counts = {(launch["records"], launch["records_lost"]) for launch in told["launches"]}
    tap.check_that("and all launches of one kernel have the same events", executions(told, "entry") == 512 * len(told["launches"]), counts)


def check_devices(place):
    expected = plain(place, "counted", 512, 2, 3)
    output, told, code, errors = recorded(place, "devices", "counted", [512, 2, 3], environment={"POCL_DEVICES": "basic pthread"})
    tap.check_that("two devices with one program: results are the same, and both record", output == expected and code == 0 and
                   len(told["launches"]) == 6 and executions(told, "entry") == 512 * 6
                   and len({launch["queue"] for launch in told["launches"]}) == 2,
                   (expected, output, code, told, errors))


def check_placed(place):
    expected = plain(place, "placed", 256)
    output, told, code, errors = recorded(place, "placed", "placed", [256], "--device-points", "placed")
    runs = int(re.search(r"sum (\d+)", expected)[1])
    counts = {location["function"]: location["executions"] for location in told["kernels"][0]["locations"] if location["kind"] == "point"}
    tap.check_that("points placed by hand in OpenCL C", output == expected and code == 0 and counts == {"pass": runs, "done": 256},
                   (expected, output, code, counts, errors))


def check_placed_cuda(place):
    alone = place.run("placed-points", "5", timeout=600).stdout
    run = place.record("-o", "cuda", "--events", "user", "--no-loss", "--no-report", "--device-trace=pl*", "--", "placed-points", "5",
                       timeout=600)
    told = json.loads(subprocess.run([lttng_gpu, "device", "--format", "json", place.folder / "work/cuda"], capture_output=True, text=True,
                                     timeout=300).stdout or "{}")
    sum_ = int(alone.split()[1])
    counts = {location["function"]: location["executions"] for kernel in told.get("kernels", []) for location in kernel["locations"]}
    tap.check_that("points placed by hand in CUDA C++, on a stand-in: two launches with all their events",
                   run.stdout == alone and sum_ > 0 and
                   counts.get("pass") == 2 * sum_ and counts.get("begin") == 2 * 320 and counts.get("done") == 2 * 317 and
                   0 < counts.get("odd") < counts.get("pass"), (alone, run.stdout, counts, run.stderr))
    launches = told.get("launches", [])
    tap.check_that("their sizes are known, and nothing was lost", len(launches) == 2 and launches[0]["local_size"] == [64, 1, 1] and
                   launches[0]["groups"] == [5, 1, 1] and not launches[0]["records_lost"] and not launches[0]["parts_lost"], launches)
    run = place.record("-o", "other-cuda", "--events", "user", "--no-loss", "--no-report", "--device-trace=other", "--", "placed-points",
                       "5", timeout=600)
    tap.check_that("and a kernel that was not chosen records nothing", run.stdout == alone, (run.stdout, run.stderr))


def check_kernel_that_does_not_end(place):
    # The first launch ends and is read; the second one spins until the program is killed.
    # It is killed 3 s after that began, in which a thread has read the first one.
    run = place.record("-o", "killed", "--events", "user", "--no-loss", "--no-report", "--device-trace", "--", "sh", "-c",
                       "run-kernel spins.cl spins 64 1 2 >told & program=$!; until grep -q 'launch 1' told; do sleep 0.1; done; sleep 3; "
                       "kill -KILL $program && echo killed; wait $program; exit 0", environment={"RUN_KERNEL_TELLS": "1"}, timeout=300)
    told = json.loads(subprocess.run([lttng_gpu, "device", "--format", "json", place.folder / "work/killed"], capture_output=True,
                                     text=True,
                                     timeout=120).stdout or "{}")
    launches = told.get("launches", [])
    tap.check_that("a program is killed in a kernel that does not end: the recording ends, and the launch before it was read",
                   "killed" in run.stdout and len(launches) == 2 and told["accounting"]["launches_unread"] == 1 and
                   executions(told, "entry") == 64 and launches[0]["status"] == 0, (run.stdout, run.stderr, told))
    tap.check_that("and the launch that did not end is told, without records", launches and launches[-1]["status"] is None and
                   not launches[-1]["records"], launches)


def check_tutorial(place):
    apart, together = plain(place, "rows", 2048), place.run("run-kernel", place.folder / "work/rows_together.cl", "rows", 2048).stdout
    tap.check_that("the tutorial's two kernels have the same results", apart and apart.split("hash")[1] == together.split("hash")[1],
                   (apart, together))


def check_left_alone(place):
    output, told, code, errors = recorded(place, "other", "counted", [64], "--device-trace=no_such_kernel")
    tap.check_that("a kernel that was not chosen runs as it is",
                   output == plain(place, "counted", 64) and code == 1 and not told["kernels"],
                   (output, code, told, errors))


why_not = lttng_session.why_not() or next((f"{path.name} is not built" for path in FILES if not path.exists()), "")
if why_not:
    tap.check("kernels recorded inside", skip=why_not)
    sys.exit(tap.finish())
place = Place([lttng_gpu, *FILES])
try:
    for name, source in KERNELS.items():
        (place.folder / f"work/{name}.cl").write_text(source.read_text())
    place.own()
    check_same_results(place)
    check_every_event(place)
    check_what_is_told(place)
    check_memory_that_is_used(place)
    check_full_buffer(place)
    check_queues(place)
    check_devices(place)
    check_placed(place)
    check_placed_cuda(place)
    check_kernel_that_does_not_end(place)
    check_tutorial(place)
    check_left_alone(place)
finally:
    place.close()
sys.exit(tap.finish())
