#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_several_devices.py LTTNG_GPU BUILD: programs for two of PoCL's devices, built for both at once, for each with options of its own,
and for each version of OpenCL C, with `lttng-gpu record --device-trace`: results stay the same, and what is told of each launch is what its
device ran. Prints TAP."""
import json
import re
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "tests/record")]
import lttng_session  # noqa: E402
from recorder import Place  # noqa: E402
from tap import Tap  # noqa: E402

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
FILES = [build / name
         for name in ("lttng-gpu-instrument", "liblttng-gpu-device.so", "liblttng-gpu-device-provider.so", "liblttng-gpu-opencl.so",
                                   "liblttng-gpu-opencl-provider.so", "liblttng-gpu-descriptors.so", "tests/several-devices",
                      "tests/libkeeping-driver.so",
                                   "tests/placed-points")]
# How it is built, and with which options for each device.
WAYS = {
    "both at once, with OpenCL C 1.2": ("together", "-DPASSES=2 -cl-std=CL1.2"),
    "both at once, with OpenCL C 2.0": ("together", "-DPASSES=2 -cl-std=CL2.0"),
    "both at once, with OpenCL C 3.0": ("together", "-DPASSES=2 -cl-std=CL3.0 -DMORE"),
    "both at once, with what the driver takes without an option": ("together", "-DPASSES=2"),
    "a program for each": ("apart", "-DPASSES=1 -cl-std=CL1.2", "-DPASSES=3 -DMORE -cl-std=CL3.0"),
    "one program, once for each": ("each", "-DPASSES=1 -cl-std=CL3.0", "-DPASSES=3 -DMORE -cl-std=CL1.2"),
    "one program, once for each, and once more for the first": ("again", "-DPASSES=1 -cl-std=CL3.0", "-DPASSES=3 -DMORE -cl-std=CL1.2",
                                                                "-DPASSES=4 -DMORE -cl-std=CL2.0"),
    "one of them, and a part of it": ("part", "-DPASSES=2"),
}
FOUND = re.compile(r"^device (\d): passes (\d+) taken (\d+) version (\d+) hash \d+$", re.MULTILINE)


def recorded(place, name, words, environment):
    run = place.record("-o", name, "--events", "user", "--no-loss", "--no-report", "--device-trace", "--", *words, environment=environment,
                       timeout=600)
    told = subprocess.run([lttng_gpu, "device", "--format", "json", place.folder / "work" / name], capture_output=True, text=True,
                          timeout=300)
    return run.stdout, json.loads(told.stdout) if told.stdout else {}, run.stderr + told.stderr


def of_launch(told, launch):
    """Executions by kind, and the lines of the branches that it ran."""
    named = {(kernel["program"], place["location"]): place for kernel in told["kernels"] for place in kernel["locations"]}
    counts, lines = {}, set()
    for place in launch["locations"]:
        location = named[launch["program"], place["location"]]
        counts[location["kind"]] = counts.get(location["kind"], 0) + place["executions"]
        lines |= {location["line"]} if location["kind"] == "branch" else set()
    return counts, lines


def check_way(place, number, name, words):
    environment = {"POCL_DEVICES": "basic pthread"}
    if words[0] in ("each", "again"):
        environment["OCL_ICD_VENDORS"] = str(place.bin / "libkeeping-driver.so")
    expected = place.run("several-devices", *words, environment=environment, timeout=600).stdout
    output, told, errors = recorded(place, f"way-{number}", ["several-devices", *words], environment)
    found = [tuple(map(int, numbers)) for numbers in FOUND.findall(expected)]
    tap.check_that(f"{name}: results are the same as without", len(found) == 2 and output == expected, (expected, output, errors))
    launches = sorted(told.get("launches", []), key=lambda launch: launch["called_ns"])
    handles = [launch["device_handle"] for launch in launches]
    tap.check_that(f"{name}: each launch is recorded, and has its device",
                   len(launches) == 4 and handles[:2] == handles[2:] and len({*handles, None}) == 3 and
                   not told["accounting"]["untraced"], (told, errors))
    options = [words[1]] * 2 if words[0] in ("together", "part") else [words[-1] if words[0] == "again" else words[1], words[2]]
    problems = []
    for launch, device in zip(launches, [0, 1, 0, 1]):
        _, passes, taken, version = found[device]
        counts, lines = of_launch(told, launch)
        wanted = {line for line, is_there in ((10, "-DMORE" in options[device]), (14, version >= 200), (19, version >= 300)) if is_there}
        if (counts.get("entry"), counts.get("loop"), counts.get("branch", 0), lines) != (256, passes, taken, wanted):
            problems.append(f"device {device}: {counts} and lines {lines}, not {passes} passes, {taken} branches and lines {wanted}")
    tap.check(f"{name}: locations and executions are those of the device", problems if launches else [errors])


def check_cuda(place):
    alone = place.run("placed-points", "5", "2", timeout=600).stdout
    output, told, errors = recorded(place, "cuda", ["placed-points", "5", "2"], {})
    handles = [launch["device_handle"] for launch in sorted(told.get("launches", []), key=lambda launch: launch["called_ns"])]
    tap.check_that("points placed by hand in CUDA C++, on a stand-in with two devices: each launch has its device",
                   output == alone and handles == [1, 1, 2, 2],
                   (alone, output, handles, errors))


why_not = lttng_session.why_not() or next((f"{path.name} is not built" for path in FILES if not path.exists()), "")
if why_not:
    tap.check("several devices", skip=why_not)
    sys.exit(tap.finish())
place = Place([lttng_gpu, *FILES])
try:
    for count, (title, way) in enumerate(WAYS.items()):
        check_way(place, count, title, way)
    check_cuda(place)
finally:
    place.close()
sys.exit(tap.finish())
