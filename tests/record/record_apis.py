#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record_apis.py LTTNG_GPU BUILD: `lttng-gpu record` of programs that use Vulkan (lavapipe) and of a command whose programs use OpenGL,
Vulkan and HSA (the stand-in), with the layers from the build folder: what they use is found without the user's help. Prints TAP."""
import collections
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "gl")]
import lttng_session
import runs
from recorder import Place, events
from tap import Tap

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
libraries = [build / f"liblttng-gpu-{name}{part}.so" for name in ("opencl", "gl", "vulkan", "hsa") for part in ("", "-provider")]
place = Place([lttng_gpu, build / "tests/gl/scene", build / "tests/vulkan/work", build / "tests/hsa/packets",
               build / "liblttng-gpu-descriptors.so", *libraries])
for folder, source in (("share", build / "share"), ("stand-in", build / "tests/hsa/stand-in")):
    shutil.copytree(source, place.bin / folder)
place.own()
driver = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
# On the CPU only, and the stand-in for the kernel's part of HSA.
environment = {"LIBGL_ALWAYS_SOFTWARE": "1", "LP_NUM_THREADS": "1", "MESA_SHADER_CACHE_DISABLE": "true", "VK_ICD_FILENAMES": driver,
               "VK_DRIVER_FILES": driver,
               "LD_LIBRARY_PATH": str(place.bin / "stand-in")}
# work fences: 22 submissions of commands, and one of a fence alone.
submissions, of_commands = 23, 22


def said(result):
    return f"exit code {result.returncode}\n{result.stdout[-1500:]}\n{result.stderr[-3000:]}"


def recorded(folder, *words, display=None):
    """What the command said, its events by process and name, and those events."""
    result = place.record("-o", folder, "--no-loss", *words, environment=environment | ({"DISPLAY": display} if display else {}))
    lines = events(place.folder / "work" / folder)
    counts = collections.Counter()
    for line in lines:
        name, process = re.search(r"lttng_gpu_\w+:\w+", line), re.search(r'procname = "(.*?)"', line)
        if name and process:
            counts[process[1], name[0].removeprefix("lttng_gpu_")] += 1
    return result, counts


def read(command, folder):
    shown = subprocess.run([lttng_gpu, command, "--format", "json", place.folder / "work" / folder], capture_output=True, text=True)
    return json.loads(shown.stdout) if shown.stdout else []


def of_vulkan(jobs):
    return [job for job in jobs if job["driver"] == "vulkan"]


def vulkan():
    plain = place.run(place.bin / "work", "fences", environment=environment)
    result, counts = recorded("vulkan", "--api", "vulkan", "--", "work", "fences")
    tap.check_that("a program of Vulkan does the same when recorded",
                   result.returncode == plain.returncode == 0 and result.stdout == plain.stdout and "fences: 0 wrong" in plain.stdout,
                   said(plain) + said(result))
    tap.check_that("with --api vulkan each submission is recorded", counts["work", "vulkan:submit"] == submissions,
                   f"{counts}\n{said(result)}")
    tap.check_that("without times of the GPU", not counts["work", "vulkan:command_times"] and not of_vulkan(read("jobs", "vulkan")), counts)
    tap.check_that("and the report says that the layer was there", "No job is known" in result.stderr and
                   f"Vulkan: its layer was in a program, which submitted work {submissions} times" in result.stderr.replace("\n", " ")
                   and "--api-times" in result.stderr, said(result))
    result, counts = recorded("times", "--api", "vulkan", "--api-times", "--", "work", "fences")
    jobs = of_vulkan(read("jobs", "times"))
    timed = [job for job in jobs if job["status"] == "complete" and job["queued_ns"] <= job["submitted_ns"]
             and job["started_ns"] <= job["completed_ns"]]
    tap.check_that("with --api-times each submission of commands is a job with the GPU's times",
                   result.stdout == plain.stdout and counts["work", "vulkan:submit"] == submissions and
                   len(timed) == len(jobs) == of_commands and {job["api_call"] for job in jobs} == {"vkQueueSubmit"},
                   f"{counts}\n{len(timed)} of {len(jobs)}\n{said(result)}")
    result, counts = recorded("other", "--api", "opencl,gl,hsa", "--", "work", "fences")
    tap.check_that("without vulkan in --api nothing of it",
                   result.stdout == plain.stdout and not any(name.startswith("vulkan") for _, name in counts), f"{counts}\n{said(result)}")


def shown():
    """On a display, without any option."""
    command = ["vkcube", "--c", "5", "--width", "100", "--height", "100"]
    if not shutil.which(command[0]):
        tap.check("vkcube", [], skip="not installed")
        return
    with runs.display("-ac"):
        display = runs.base["DISPLAY"]
        plain = place.run(*command, environment=environment | {"DISPLAY": display})
        result, counts = recorded("cube", "--", *command, display=display)
    tap.check_that("vkcube shows its frames and ends the same when recorded",
                   (result.returncode, result.stdout) == (plain.returncode, plain.stdout) and
                   plain.returncode == 0, said(plain) + said(result))
    frames = read("frames", "cube")
    tap.check_that("each is a frame, without any option",
                   counts["vkcube", "vulkan:frame"] == len(frames) == 5 and len({frame["surface"] for frame in frames}) == 1,
                   f"{counts}\n{frames}\n{said(result)}")


def together():
    """What each program uses is found by itself."""
    script = f"{place.bin}/scene local 3 >/dev/null; {place.bin}/work fences; {place.bin}/packets one 20"
    plain = place.run("sh", "-c", script, environment=environment)
    result, counts = recorded("all", "--", "sh", "-c", script)
    tap.check_that("a command whose programs use three APIs does the same when recorded",
                   (result.returncode, result.stdout) == (plain.returncode, plain.stdout) and
                   plain.returncode == 0, said(plain) + said(result))
    wanted = {("scene", "gl:frame"): 3, ("work", "vulkan:submit"): submissions, ("packets", "hsa:packet"): 20}
    tap.check_that("and all of them are recorded, without any option", {name: counts[name] for name in wanted} == wanted,
                   f"{counts}\n{said(result)}")
    queues = {queue["driver"]: queue["jobs"] for queue in json_report("all").get("queues", [])}
    tap.check_that("the report has HSA's packets as jobs", queues.get("hsa") == 20, queues)
    result, counts = recorded("chosen", "--api", "hsa", "--", "sh", "-c", script)
    tap.check_that("with --api hsa only those", result.stdout == plain.stdout and counts["packets", "hsa:packet"] == 20 and
                   not any(name.startswith(("vulkan", "gl")) for _, name in counts), f"{counts}\n{said(result)}")


def json_report(folder):
    return read("report", folder) or {}


try:
    problem = lttng_session.why_not() or ("" if shutil.which("babeltrace2") else "no babeltrace2")
    if problem:
        tap.check("recording Vulkan and HSA", [], skip=problem)
    else:
        for group in (vulkan, shown, together):
            group()
        tap.check("nothing is left", place.leftovers())
finally:
    place.close()
sys.exit(tap.finish())
