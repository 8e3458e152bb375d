#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_layer.py [PART...]: nothing breaks, and what happens is recorded. Programs run on lavapipe with the Vulkan layer
absent, found but off, loaded, and in a session; they must do and print the same. TAP."""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ways import build, compare, driver, library, lttng_session, programs, read_events, run, tracing, why_no_events
from tap import Tap

MODES = ("fences", "timelines", "threads", "small-stacks", "devices", "many-devices", "forks", "in-call", "undestroyed")
CODES = {"in-call": 7, "undestroyed": 8}
VALIDATION = "VK_LAYER_KHRONOS_validation"


def named(events, *names):
    return [event for event in events if event.name in names]


def own_programs(tap):
    commands = {mode: [programs / "work", mode] for mode in MODES}
    expected = {mode: run("absent", *command) for mode, command in commands.items()}
    for mode, plain in expected.items():
        tap.check_that(f"{mode}: ends as it should without the layer", plain.code == CODES.get(mode, 0) and " 0 wrong" in plain.output,
                       f"exit code {plain.code}: {plain.output}{plain.errors}")
        for way in ("off", "layer"):
            tap.check(f"{mode}: {way}", compare(plain, run(way, *commands[mode])))
    for way in ("layer", "times"):
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                for mode, plain in expected.items():
                    tap.check(f"{mode}: {way}, traced", compare(plain, run(way, *commands[mode], environment=environment)))
            events = read_events(folder)
        tap.check_that(f"{way}: each of them is in the trace", len({event["vpid"] for event in named(events, "submit")}) == len(MODES),
                       {event["vpid"] for event in named(events, "submit")})
        check_times(tap, way, events)
    events, _ = record(programs / "work", "fences", way="uncalibrated")
    check_times(tap, "uncalibrated", events)


def check_times(tap, way, events):
    """Lavapipe's clock is the host's."""
    told = {}
    for event in named(events, "command_times"):
        for command, queued, start, end in zip(event["command"], event["queued"], event["start"], event["end"], strict=True):
            told[event["vpid"], command] = (queued, start, end, event["observed_ns"], event["validity"])
    timed = {(event["vpid"], event["submission"]): event for event in named(events, "submit") if event["timed"]}
    if way == "layer":
        tap.check_that("layer: there are no times if nobody asked for them", not told and not timed, len(told))
        return
    missed = sum(event["count"] for event in named(events, "commands_untimed"))
    readings = named(events, "device_clock")
    tap.check_that(f"{way}: the device's clock is read together with the host's, if that is wanted",
                   bool(readings) == (way == "times") and all(
        event["before_ns"] <= event["device_time"] <= event["after_ns"] for event in readings) and all(
        event["calibrated"] == (way == "times") for event in named(events, "device")), [dict(event) for event in readings[:3]])
    tap.check_that(f"{way}: each submission of work that returned is timed, or is counted", len(told) > 20 and set(told) <= set(timed) and
                   len(timed) == len(told) + missed, f"{len(told)} told, {len(timed)} submitted, {missed} missed")
    tap.check(f"{way}: the GPU began after the call did, and ended before that was seen",
              [f"{key}: {times}, call at {timed[key]['begin_ns']}" for key, times in told.items()
               if not timed[key]["begin_ns"] <= times[0] <= times[1] <= times[2] <= times[3] or times[4] != "valid"])
    # A thread that waits with a fence of its one submission does not go on before its end.
    problems, last = [], {}
    for event in events:
        thread = event["vpid"], event["vtid"]
        if event.name == "submit" and event["fence"] and event["timed"]:
            last[thread] = event
        elif event.name == "wait" and event["function"] == "vkWaitForFences" and event["result"] == 0 and thread in last:
            submit = last.pop(thread)
            times = told.get((submit["vpid"], submit["submission"]))
            if not times or times[2] > event.at:
                problems.append(f"{dict(submit)}: {times}, wait ended at {event.at}")
    tap.check(f"{way}: what a fence was waited for had ended when the wait did", problems)


def record(*words, way="layer"):
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder) as environment:
            got = run(way, *words, environment=environment)
        return read_events(folder), got


def lacks(events, name, **fields):
    found = named(events, name)
    return [] if any(all(event.get(key) == value for key, value in fields.items()) for event in found) else [
        f"no {name} {fields}; there are:", *map(dict, found[:5])]


def recorded_events(tap):
    events, _ = record(programs / "work", "fences")
    submits, queues = named(events, "submit"), {event["queue"] for event in named(events, "queue")}
    tap.check_that("fences: each submission is recorded, numbered from 1", [event["submission"] for event in submits] == list(range(1, 24)),
                   [event["submission"] for event in submits])
    tap.check_that("fences: with the queue that was got", {event["queue"] for event in submits} == queues and len(queues) == 1, queues)
    tap.check("fences: with its command buffers and its fence",
              lacks(submits, "submit", function="vkQueueSubmit", result=0, command_buffers=1, fence=submits[0]["fence"]) +
              lacks(submits, "submit", command_buffers=0, fence=submits[0]["fence"]) + lacks(submits, "submit", command_buffers=1, fence=0))
    tap.check("fences: waits have their limit and their result",
              lacks(events, "wait", function="vkWaitForFences", timeout=1000, result=2) +
              lacks(events, "wait", function="vkWaitForFences", timeout=2**64 - 1, result=0) +
              lacks(events, "wait", function="vkQueueWaitIdle", result=0) +
              lacks(events, "wait", function="vkDeviceWaitIdle", result=0))
    tap.check("fences: calls are recorded",
              [line for name in ("vkCreateInstance", "vkCreateDevice", "vkGetDeviceQueue", "vkCreateFence", "vkGetFenceStatus",
                                                                "vkResetFences", "vkDestroyFence", "vkDestroyDevice", "vkDestroyInstance")
                                             for line in lacks(events, "call", function=name, result=0)])
    tap.check("fences: the pipeline is recorded", lacks(events, "pipeline", function="vkCreateComputePipelines", count=1, result=0))
    last = named(events, "command_buffers")[-1:]
    tap.check_that("fences: command buffers are counted",
                   [(event["begins"], event["ends"], event["resets"]) for event in last] == [(2, 2, 1)], last)
    tap.check("fences: the device is described", lacks(events, "device", device=named(events, "queue")[0]["device"]))
    calls = named(events, "call", "submit", "wait", "pipeline")
    tap.check("fences: calls begin before they end, and one after the other",
              [dict(event) for before, event in zip(calls, calls[1:]) if not before.at <= event["begin_ns"] + 200 <= event.at + 200])
    begins = [event["function"] for event in named(events, "call_begin")]
    tap.check("fences: calls that block say that they begin", [name for name in set(begins) if begins.count(name) !=
                                                               sum(event["function"] == name for event in calls)])
    events, _ = record(programs / "work", "timelines")
    tap.check("timelines: submissions, waits and signals are recorded",
              lacks(events, "submit", function="vkQueueSubmit2", command_buffers=1, waits=1, signals=1) +
              lacks(events, "wait", function="vkWaitSemaphores") +
              lacks(events, "call", function="vkSignalSemaphore") + lacks(events, "call", function="vkGetSemaphoreCounterValue") +
              lacks(events, "call", function="vkCreateSemaphore", result=0) + lacks(events, "call", function="vkDestroySemaphore"))
    events, _ = record(programs / "work", "forks")
    tap.check_that("forks: a child of which LTTng was not told records nothing", len({event["vpid"] for event in events}) == 1,
                   {event["vpid"] for event in events})


def made_up_driver(tap):
    """What lavapipe cannot do."""
    def of_mode(mode, **environment):
        plain = run("absent", programs / "made_up", library, mode, environment=environment)
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as application:
                got = run("absent", programs / "made_up", library, mode, environment=environment | application)
            tap.check(f"{mode} {environment}: traced",
                      compare(plain, got) + ([] if plain.code == 0 else [f"exit code {plain.code}: {plain.errors}"]))
            return plain.output, read_events(folder)
    for value, wanted, is_wrapped in ((None, [(0, 0)] * 5, False), ("0", [(0, 0)] * 5, False),
                                      ("1", [(5, 2), (0, 0), (20000, 0), (1, 0), (0, 0)], True)):
        output, events = of_mode("draws", **({} if value is None else {"LTTNG_GPU_VULKAN_DRAWS": value}))
        tap.check_that(f"draws, LTTNG_GPU_VULKAN_DRAWS={value}: they are wrapped only if that is wanted",
                       output == f"draws: 20012 calls; draw calls are {'wrapped' if is_wrapped else 'the next layer' + chr(39) + 's'}\n",
                       output)
        counts = [(event["draws"], event["dispatches"]) for event in named(events, "frame")]
        tap.check_that(f"draws, LTTNG_GPU_VULKAN_DRAWS={value}: those of each frame are counted", counts == wanted, counts)
    output, events = of_mode("sparse")
    queue = named(events, "queue")[0]["queue"]
    tap.check("sparse: both calls are recorded, with sums over their batches, the fence and the queue",
              lacks(events, "submit", function="vkQueueBindSparse", result=0, queue=queue, submission=1, command_buffers=0, waits=3,
                    signals=3, fence=0xfe,
                    timed=0) + lacks(events, "submit", function="vkQueueBindSparse", result=0, submission=2, waits=0, signals=0, fence=0) +
              ([] if output.startswith("sparse: 2 calls") else [output]))
    output, events = of_mode("files")
    tap.check("files: fences and semaphores taken out of the driver and put into it are recorded",
              [line for name in ("vkGetFenceFdKHR", "vkImportFenceFdKHR", "vkGetSemaphoreFdKHR", "vkImportSemaphoreFdKHR")
               for line in lacks(events, "call", function=name, result=0)] + ([] if output.startswith("files: 4 calls") else [output]))


def names(tap):
    plain = run("absent", programs / "named")
    tap.check_that("named: ends as it should without the layer", plain.code == 0 and "named: 0 wrong" in plain.output,
                   f"{plain.code}: {plain.output}{plain.errors}")
    events, got = record(programs / "named")
    tap.check_that("named: traced", got.code == 0 and "named: 0 wrong" in got.output, f"{got.code}: {got.output}{got.errors}")
    kinds = {4: "QUEUE", 6: "COMMAND_BUFFER"}
    given = [line.split(" ", 2) for line in got.output.splitlines()[:3]]
    told = [(event["type"], event["object"], event["name"]) for event in named(events, "object_name")]
    tap.check_that("named: names have their object, its type and its device", told == [(kinds[int(kind)], int(handle), name)
                                                                                     for kind, handle, name in given] and len(told) == 3 and
                   {event["device"] for event in named(events, "object_name")} == {event["device"] for event in named(events, "device")},
                   (told, given))
    queue = int(given[0][1])
    tap.check_that("named: what is submitted stands between the labels of its queue",
                   [(event.name, event["queue"], event.get("name"))
                    for event in named(events, "label_begin", "label_end", "label_insert", "submit")] ==
                   [("label_begin", queue, "shadows"), ("submit", queue, None), ("label_insert", queue, "half of them"),
                    ("submit", queue, None),
                    ("label_end", queue, None)],
                   [(event.name, dict(event)) for event in named(events, "label_begin", "label_end", "label_insert")])


def tools(tap):
    if not shutil.which("vulkaninfo"):
        tap.check("vulkaninfo", skip="not installed")
        return
    plain = run("absent", "vulkaninfo")
    got = run("off", "vulkaninfo")

    def without_layers(text):
        """It lists the layers that are found, too."""
        return text.split("Device Properties and Extensions", 1)[-1]
    tap.check_that("vulkaninfo: off: the same of devices",
                   plain.code == got.code and without_layers(plain.output) == without_layers(got.output),
                   f"{plain.code}, {got.code}: {got.errors[-500:]}")
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder) as environment:
            got = run("layer", "vulkaninfo", environment=environment)
        events = read_events(folder)
    tap.check_that("vulkaninfo: traced: the same", plain.code == got.code and without_layers(plain.output) == without_layers(got.output),
                   f"{plain.code}, {got.code}: {got.errors[-500:]}")
    tap.check("vulkaninfo: traced: there is a trace", lacks(events, "call", function="vkCreateDevice"))


def recorder(tap):
    """What `record` sets, in a build folder."""
    shown = {words: run("absent", build / "lttng-gpu", "record", "--dry-run", "--events", "user", *words, "--", "true").output
             for words in ((), ("--api-times",))}
    tap.check_that("record: the command gets the layer",
                   all("LTTNG_GPU_VULKAN=1" in text and f"XDG_DATA_DIRS={build}/share:/usr/share" in text
                                                             for text in shown.values()), shown)
    tap.check_that("record: times of the GPU only with --api-times",
                   ["LTTNG_GPU_VULKAN_TIMES=1" in text for text in shown.values()] == [False, True], shown)


def frames(tap):
    if not shutil.which("vkcube") or not shutil.which("xvfb-run"):
        tap.check("vkcube", skip="vkcube or xvfb-run is not installed")
        return
    command = ["xvfb-run", "-a", "vkcube", "--c", "20"]
    plain = run("absent", *command)
    got = run("layer", *command)
    tap.check("vkcube: layer", compare(plain, got))
    for way in ("layer", "times"):
        events, got = record(*command, way=way)
        tap.check(f"vkcube: {way}, traced", compare(plain, got))
        seen = named(events, "frame")
        tap.check_that(f"vkcube: {way}, frames are numbered in their swapchain from 1",
                       {event["surface"] for event in seen} and all(
                           [event["frame"] for event in seen if event["surface"] == surface] ==
                           list(range(1, 1 + sum(event["surface"] == surface for event in seen)))
                           for surface in {event["surface"] for event in seen}) and
                       len(seen) >= 20, [(event["frame"], event["surface"]) for event in seen])
        devices = {event["device"] for event in named(events, "device")}
        tap.check_that(f"vkcube: {way}, frames have their device",
                       all(event["context"] in devices and event["function"] == "vkQueuePresentKHR" and
                                                                event["draws"] == 0 for event in seen), devices)
    events, got = record(*command, way="draws")
    tap.check("vkcube: draw calls counted, traced", compare(plain, got))
    # It makes a command buffer, with one draw call, for each image of its swapchain, and submits these again and again.
    draws = [event["draws"] for event in named(events, "frame")]
    tap.check_that("vkcube: its draw calls are counted in the frame after which they were made", draws[:1] > [0] and not any(draws[1:]),
                   draws)


def validation(tap):
    if not Path("/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json").exists():
        tap.check("validation", skip="vulkan-validationlayers is not installed")
        return
    checked = {"VK_INSTANCE_LAYERS": VALIDATION}
    modes = ("fences", "timelines", "devices")
    plain = {mode: run("absent", programs / "work", mode, environment=checked) for mode in modes}
    for way in ("layer", "times"):
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                for mode in modes:
                    got = run(way, programs / "work", mode, environment=checked | environment)
                    errors = [line for line in (got.output + got.errors).splitlines() if "VUID" in line
                              and line not in plain[mode].output + plain[mode].errors]
                    tap.check(f"validation: {mode}: {way}: no error that was not there", compare(plain[mode], got) + errors)


def main():
    no_events = why_no_events()
    tap = Tap()
    missing = [path for path in (library, programs / "work", driver) if not Path(path).exists()]
    if missing:
        tap.check(f"{', '.join(map(str, missing))}: there", ["make check installs and builds it"])
        return tap.finish()
    why_not = lttng_session.why_not()
    tap.check("sessions can be recorded", [why_not] if why_not else [])
    if why_not:
        return tap.finish()
    if no_events:
        tap.check("the events of the Vulkan layer", skip=no_events)
        return tap.finish()
    parts = {"programs": own_programs, "events": recorded_events, "record": recorder, "tools": tools, "names": names,
             "made-up": made_up_driver, "frames": frames, "validation": validation}
    with lttng_session.daemon():
        for name, part in parts.items():
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                part(tap)
    return tap.finish()


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(main())
