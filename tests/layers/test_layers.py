#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_layers.py [API|PART...]: what programs and machines do to the layers of OpenGL, Vulkan and HSA (tests/opencl does the same to
OpenCL's): 64 threads, small stacks, signal handlers that call the API, children of every kind, drivers that end before the layer, devices
and contexts that are lost, and each of the layer's allocations that fails. A program does and prints the same without the layer, with it,
and recorded. LONG=1: more children. Prints TAP."""
import collections
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session
from tap import Tap

tap = Tap()
build = Path(os.environ.get("BUILD", "build")).absolute()
tools = build / "tests/layers"
is_long = bool(os.environ.get("LONG"))
MODES = ("many-threads", "small-stacks", "signals")
# Not a bare system call: Mesa's threads are not in the child, and its exit waits for them without end, with a layer or without.
SHAPES = ("quick", "exit", "join", "exec", "again", "unshare", "spawn", "vfork", "thread", "threads", "daemon")
VULKAN_DRIVER = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
NO_MEMORY = -1  # VK_ERROR_OUT_OF_HOST_MEMORY
# Of a driver that ends by itself (drivers/ending.h): where its loader finds it, and with which of its functions it registers its exit
# handler.
ENDING = {
    "gl": ({"__EGL_VENDOR_LIBRARY_FILENAMES": str(tools / "ending_gl.json")}, ("eglCreateContext", "eglMakeCurrent", "glClear")),
    "vulkan": ({"VK_ICD_FILENAMES": str(tools / "ending_vulkan.json"), "VK_DRIVER_FILES": str(tools / "ending_vulkan.json")},
               ("vkCreateInstance", "vkCreateDevice", "vkQueueSubmit")),
    "hsa": ({"HSA_TOOLS_LIB": str(tools / "ending_hsa.so")}, ("hsa_queue_create", "hsa_signal_create", "hsa_signal_store_screlease")),
}
# Of a driver that loses its device or context (drivers/lost_*.c): the program's mode, with which call, and what queries are then.
LOST = {
    "gl": ({"__EGL_VENDOR_LIBRARY_FILENAMES": str(tools / "lost_gl.json")},
           (("frames", "eglSwapBuffers 7", "zero"), ("frames", "eglSwapBuffers 7", "never"), ("finishes", "glFinish 9", "zero"),
            ("finishes", "glFinish 9", "never"))),
    "vulkan": ({"VK_ICD_FILENAMES": str(tools / "lost_vulkan.json"), "VK_DRIVER_FILES": str(tools / "lost_vulkan.json")},
               (("fences", "vkQueueSubmit 8", "lost"), ("fences", "vkQueueSubmit 8", "never"), ("fences", "vkWaitForFences 4", "lost"),
                ("fences", "vkQueueWaitIdle 1", "lost"), ("leaves", "vkWaitForFences 4", "lost"), ("timelines", "vkQueueSubmit2 5", "lost"),
                ("timelines", "vkWaitSemaphores 4", "lost"), ("fences", "vkGetQueryPoolResults 3", "lost"),
                ("fences", "vkGetQueryPoolResults 3", "never"))),
}
# How many times the layer has read at least when the program ends, and how many commands there are.
UNASKED = {"gl": (0, 3), "vulkan": (8, 9), "hsa": (5, 6)}


class Api:
    """How a program of an API runs, with and without the layer; `no_memory`: the one whose layer's allocations fail."""

    def __init__(self, program, no_memory, environment, layer, events_of_each, is_all_told, restricted=("many-threads",)):
        self.restricted = restricted  # what it does in a sandbox
        self.program, self.no_memory, self.environment, self.layer = build / "tests" / program, no_memory, environment, layer
        self.events_of_each, self.is_all_told = events_of_each, is_all_told  # of one process's events


apis = {
    "gl": Api("gl/life", (build / "tests/gl/scene", "local", 3),
              {"LIBGL_ALWAYS_SOFTWARE": "1", "LP_NUM_THREADS": "0", "MESA_SHADER_CACHE_DISABLE": "true", "EGL_PLATFORM": "surfaceless"},
              {"LD_PRELOAD": str(build / "liblttng-gpu-gl.so"), "LTTNG_GPU_GL_TIMES": "1"}, ("frame", "call"),
              lambda events: events["frame"] == 3 and events["times"] + events["untimed"] == 9),
    "vulkan": Api("vulkan/work", (build / "tests/vulkan/work", "devices"),
                  {"VK_ICD_FILENAMES": VULKAN_DRIVER, "VK_DRIVER_FILES": VULKAN_DRIVER, "XDG_DATA_DIRS": "/usr/share",
                   "XDG_RUNTIME_DIR": "/tmp"},
                  {"XDG_DATA_DIRS": f"{build}/share:/usr/share", "LTTNG_GPU_VULKAN": "1", "LTTNG_GPU_VULKAN_TIMES": "1"}, ("submit",),
                  lambda events: events["timed"] == events["times"] + events["untimed"]),
    "hsa": Api("hsa/packets", (build / "tests/hsa/packets", "kernels"),
               {"LD_LIBRARY_PATH": str(build / "tests/hsa/stand-in"), "PACKETS_CODE": str(build / "tests/hsa/two.co")},
               {"HSA_TOOLS_LIB": str(build / "liblttng-gpu-hsa.so")}, ("packet",),
               lambda events: events["packet"] + events["missed"] == 2 and events["expected"] == events["times"] + events["untimed"]),
    # Of it only what has no place in tests/opencl.
    "opencl": Api("opencl/threads", (), {"POCL_CACHE_DIR": str(build / "tests/opencl/cache")},
                  {"OPENCL_LAYERS": str(build / "liblttng-gpu-opencl.so")},
                  ("kernel_enqueue",), None, ()),
}


class Run:
    def __init__(self, code, output, errors):
        self.code, self.lines, self.errors = code, sorted(output.splitlines()), errors


def run(api, command, way="absent", preload=(), **more):
    """way: absent, layer or recorded. A run that hangs has the code "hangs"."""
    hidden = ("LD_PRELOAD", "HSA_TOOLS_LIB", "DISPLAY", "WAYLAND_DISPLAY")
    variables = {name: value for name, value in os.environ.items() if name not in hidden and not name.startswith(("LTTNG_GPU_", "VK_"))}
    variables |= {"LC_ALL": "C"} | api.environment | (api.layer if way != "absent" else {})
    variables |= lttng_session.application_environment if way == "recorded" else {}
    preloaded = [*map(str, preload), *filter(None, [variables.get("LD_PRELOAD")])]
    variables |= {"LD_PRELOAD": " ".join(preloaded)} if preloaded else {}
    try:
        done = subprocess.run([str(word) for word in command], env=variables | more, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120)
    except subprocess.TimeoutExpired as hang:
        return Run("hangs", (hang.stdout or b"").decode(errors="replace"), (hang.stderr or b"").decode(errors="replace"))
    return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def differences(expected, got):
    """Threads and children print in any order."""
    if (expected.code, expected.lines) == (got.code, got.lines):
        return []
    return [f"exit code {expected.code}, now {got.code}", *expected.lines[-5:], "now:", *got.lines[-5:], got.errors[-500:]]


@contextlib.contextmanager
def recording(name):
    """The folder of a session's trace, read when it has ended."""
    with tempfile.TemporaryDirectory() as folder:
        with lttng_session.session(f"layers-{name}", folder, channel=("--subbuf-size=1M", "--num-subbuf=8", "--blocking-timeout=inf"),
                                   events=f"lttng_gpu_{name}:*", contexts=("vpid",)):
            yield folder


def read_events(folder):
    """{pid: {event: number}}; nothing was lost. Of commands that are told together each is counted: those that are to have times (timed,
    expected), have them (times), or have none (untimed), and packets that nobody saw (missed)."""
    read = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=300)
    events = {}
    for event, process, fields in re.findall(r" lttng_gpu_\w+:(\w+): .*?vpid = (\d+)(.*)", read.stdout):
        counts = events.setdefault(int(process), collections.Counter())
        counts[event] += 1
        for of, name, words in (("command_times", "times", r"_command_length = (\d+)"), ("commands_untimed", "untimed", r" count = (\d+)"),
                                 ("doorbell", "missed", r" missed = (\d+)"), ("submit", "timed", r" timed = (\d+)")):
            counts[name] += int(re.search(words, fields)[1]) if event == of else 0
        counts["expected"] += event in ("packet", "command") and "\"expected\"" in fields
    return events, [read.stderr] if read.returncode or "discarded" in read.stderr else []


def hard_programs(name, api):
    plain = {mode: run(api, (api.program, mode)) for mode in MODES}
    for mode, expected in plain.items():
        tap.check_that(f"{name}, {mode}: works without the layer", expected.code == 0 and expected.lines and
                       (mode != "signals" or any(line.startswith("handled") for line in expected.lines)), vars(expected))
        tap.check(f"{name}, {mode}: the same with the layer", differences(expected, run(api, (api.program, mode), "layer")))
    with recording(name) as folder:
        got = {mode: run(api, (api.program, mode), "recorded") for mode in MODES}
        subprocess.run(["lttng", "--no-sessiond", "stop", f"layers-{name}-{os.getpid()}"], capture_output=True)
        events, problems = read_events(folder)
    for mode, expected in plain.items():
        tap.check(f"{name}, {mode}: the same when recorded", differences(expected, got[mode]))
    seen = [process for process, counts in events.items() if all(event in counts for event in api.events_of_each)]
    tap.check(f"{name}: each of these programs is in the trace", problems + ([] if len(seen) == len(MODES) else [events]))


def children(name, api):
    shapes = SHAPES if is_long else [shape for shape in SHAPES if shape not in ("again", "thread", "vfork")]
    storm = {"preload": [tools / "child_storm.so"], "FORK_COUNT": "20" if is_long else "8"}
    for shape in shapes:
        expected = run(api, (api.program, "fork-storm"), FORK_SHAPE=shape, **storm)
        tap.check_that(f"{name}, children, {shape}: works without the layer", expected.code == 0 and expected.lines, vars(expected))
        tap.check(f"{name}, children, {shape}: the same with the layer",
                  differences(expected, run(api, (api.program, "fork-storm"), "layer", FORK_SHAPE=shape, **storm)))
        with recording(name) as folder:
            got = run(api, (api.program, "fork-storm"), "recorded", FORK_SHAPE=shape, **storm)
            subprocess.run(["lttng", "--no-sessiond", "stop", f"layers-{name}-{os.getpid()}"], capture_output=True)
            events, problems = read_events(folder)
        tap.check(f"{name}, children, {shape}: the same when recorded, and the trace is the parent's",
                  differences(expected, got) + problems + ([] if len(events) == 1 else [events]))


def without_memory(name, api):
    """Vulkan has an error for it: the program gets that, or nothing is different."""
    expected = run(api, api.no_memory)
    refusal = {"preload": [tools / "refusal.so"]}
    with recording(name) as folder:
        log = Path(folder) / "log"
        whole = run(api, api.no_memory, "recorded", REFUSED_LOG=str(log), **refusal)
        count = int(log.read_text())
    tap.check(f"{name}, memory: the same when recorded", differences(expected, whole))
    tap.check_that(f"{name}, memory: the layer's {count} allocations are counted", count >= 3, count)
    problems, refused = [], 0
    with recording(name) as folder:
        for number in range(1, count + 1):
            for last in (number, 10**9):
                got = run(api, api.no_memory, "recorded", REFUSED=f"{number} {last}", **refusal)
                is_told = name == "vulkan" and got.code == 3 and any(line.endswith(f": {NO_MEMORY}") for line in got.lines)
                refused += is_told
                problems += [] if is_told else [f"{number} to {last}: {line}" for line in differences(expected, got)]
        subprocess.run(["lttng", "--no-sessiond", "stop", f"layers-{name}-{os.getpid()}"], capture_output=True)
        events, lost = read_events(folder)
    tap.check(f"{name}, memory: what is not recorded of it is counted",
              lost + ([] if len(events) > count else [f"{len(events)} processes"]) +
              [f"{process}: {dict(counts)}" for process, counts in events.items() if not api.is_all_told(counts)])
    tap.check(f"{name}, memory: each of them fails, and all from it on: the program does the same" +
              (", or gets Vulkan's error" if name == "vulkan" else ""),
              problems + (["no error was given"] if name == "vulkan" and not refused else []))


def drivers_end(name, api):
    """The layer asks nothing of a driver that has ended (exit code 99), and each command is told of once."""
    driver, kinds = ENDING[name]
    least, all_commands = UNASKED[name]
    tool = {"HSA_TOOLS_LIB": f"{driver['HSA_TOOLS_LIB']} {api.layer['HSA_TOOLS_LIB']}"} if name == "hsa" else {}
    for kind in kinds:
        variables = {**driver, "ENDING_DRIVER": kind}
        expected = run(api, (api.program, "unasked"), **variables)
        tap.check_that(f"{name}, a driver that ends, first {kind}: works without the layer",
                       "unasked" in expected.lines and expected.code != 99 and
                       "the driver ends" in expected.lines, vars(expected))
        tap.check(f"{name}, a driver that ends, first {kind}: the same with the layer",
                  differences(expected, run(api, (api.program, "unasked"), "layer", **{**variables, **tool})))
        with recording(name) as folder:
            got = run(api, (api.program, "unasked"), "recorded", **{**variables, **tool})
            subprocess.run(["lttng", "--no-sessiond", "stop", f"layers-{name}-{os.getpid()}"], capture_output=True)
            events, problems = read_events(folder)
        told = sum(events.values(), collections.Counter())
        if told["times"] < least or told["times"] + told["untimed"] != all_commands:
            problems.append(f"{told['times']} commands with times and {told['untimed']} counted, of {all_commands}")
        tap.check(f"{name}, a driver that ends, first {kind}: the same when recorded, and each command is told of",
                  differences(expected, got) + problems)


def is_lost_told(name, lines, counts, has_times):
    """Each submission is told, and so is each frame; those that are to have times have them or are counted."""
    if name == "vulkan":
        return (counts["submit"] == sum(line.startswith("submit:") for line in lines)
                and counts["timed"] == counts["times"] + counts["untimed"] and
                bool(counts["timed"]) == has_times)
    frames, blits = (sum(line.startswith(words) for line in lines) for words in ("swap ", ("drawn ", "finish ")))
    return (counts["frame"] == frames and counts["command"] == (frames + blits if has_times else 0) and
            counts["expected"] == counts["times"] + counts["untimed"] and bool(counts["expected"]) == has_times)


def devices_are_lost(name, api):
    """The program gets the driver's errors and no others."""
    driver, cases = LOST.get(name, ({}, ()))
    variable = f"LTTNG_GPU_{name.upper()}_TIMES"
    for mode, call, queries in cases:
        command, what = (tools / f"lost_{name}", mode), f"{name}, lost with {call}, queries {queries}, {mode}"
        variables = {**driver, "LOST_DRIVER": call, "LOST_QUERIES": queries}
        expected = run(api, command, **variables)
        signs = ("swap 6: 0 0x300e", "finish 8: 0x507 0") if name == "gl" else ("wait: -4", "queue: -4")
        tap.check_that(f"{what}: works without the layer",
                       expected.code in (5, 6, 7) and ("vkGetQuery" in call or set(signs) & set(expected.lines)),
                       vars(expected))
        tap.check(f"{what}: the same with the layer", differences(expected, run(api, command, "layer", **variables)))
        for times in ("0", "1", *(["uncalibrated"] if name == "vulkan" and is_long else [])):
            with recording(name) as folder:
                got = run(api, command, "recorded", **{**variables, variable: times})
                subprocess.run(["lttng", "--no-sessiond", "stop", f"layers-{name}-{os.getpid()}"], capture_output=True)
                events, problems = read_events(folder)
            told = sum(events.values(), collections.Counter())
            problems += [] if is_lost_told(name, expected.lines, told, times != "0") else [f"{dict(told)}"]
            tap.check(f"{what}: the same when recorded with times {times}, and all is told of", differences(expected, got) + problems)


def restricted(name, api):
    """A program that forbids itself what LTTng needs before it uses the API: LTTng stays away, or was there before where record asks for
    that."""
    guard, wish = build / "liblttng-gpu-descriptors.so", {"LTTNG_GPU_ATTACH_EARLY": "1"}
    # PoCL's cache is not another user's; Mesa's layer that chooses a device, and its cache, have sockets.
    for way in ("prctl", "syscall", *(["setresuid"] if os.geteuid() == 0 and name != "opencl" else [])):
        what, more = f"{name}, restricted by {way}", {"preload": [tools / "restricted.so"], "RESTRICTED": way, "NODEVICE_SELECT": "1",
                                                      "MESA_SHADER_CACHE_DISABLE": "true"}
        expected = run(api, (api.program, *api.restricted), **more)
        tap.check_that(f"{what}: works without the layer", expected.code == 0 and expected.lines, vars(expected))
        tap.check(f"{what}: the same with the layer", differences(expected, run(api, (api.program, *api.restricted), "layer", **more)))
        for words, early in (("without the wish", {}), ("with record's wish", {**wish, "preload": [guard, tools / "restricted.so"]})):
            with recording(name) as folder:
                got = run(api, (api.program, *api.restricted), "recorded", **{**more, **early})
                subprocess.run(["lttng", "--no-sessiond", "stop", f"layers-{name}-{os.getpid()}"], capture_output=True)
                events, problems = read_events(folder) if list(Path(folder).rglob("metadata")) else ({}, [])
            is_seen = any(all(event in counts for event in api.events_of_each) for counts in events.values())
            problems += [] if is_seen or not early else ["it is not recorded"]
            tap.check(f"{what}, {words}: the same{', and recorded' if early else ''}", differences(expected, got) + problems)
    # One that has no API is left alone: its filter may forbid what LTTng does later, too.
    environment = os.environ | wish | {"LD_PRELOAD": f"{guard} {tools / 'restricted.so'}", "RESTRICTED": "prctl"}
    maps = subprocess.run(["cat", "/proc/self/maps"], env=environment, capture_output=True, text=True)
    tap.check_that(f"{name}: LTTng is in no program without an API", maps.returncode == 0 and "provider" not in maps.stdout, maps)


def main():
    parts = {"hard": hard_programs, "children": children, "ends": drivers_end, "lost": devices_are_lost, "memory": without_memory,
             "restricted": restricted}
    wanted = [name for name in apis if name in sys.argv[1:]] or list(apis)
    chosen = [part for name, part in parts.items() if name in sys.argv[1:]] or list(parts.values())
    missing = [str(path)
               for path in (tools / "refusal.so", tools / "child_storm.so", tools / "lost_gl", tools / "lost_vulkan",
                            *(apis[name].program for name in wanted)) if not path.exists()]
    missing += [] if shutil.which("babeltrace2") else ["babeltrace2"]
    if missing:
        tap.check(f"{', '.join(missing)}: there", ["make check installs and builds it"])
        return tap.finish()
    why_not = lttng_session.why_not()
    tap.check("sessions can be recorded", [why_not] if why_not else [])
    if not why_not:
        with lttng_session.daemon():
            for name in wanted:
                for part in chosen:
                    if name != "opencl" or part is restricted:
                        part(name, apis[name])
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
