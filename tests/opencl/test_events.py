#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The events of docs/opencl-events.md, recorded by LTTng from a program on PoCL and read by babeltrace2:
test_events.py BUILD. Prints TAP; skipped where LTTng, PoCL or babeltrace2's Python module is missing."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from bt2_events import Event, events_of, payload  # noqa: E402
from lttng_session import application_environment, daemon, lttng, session, why_not  # noqa: E402
from tap import Tap  # noqa: E402

build = Path(sys.argv[1]).resolve()
tap = Tap()
work = Path(tempfile.mkdtemp(prefix="lttng-gpu-opencl-events-"))
program = work / "program"
layer = {**os.environ, **application_environment, "OPENCL_LAYERS": str(build / "liblttng-gpu-opencl.so")}
CHANNEL = ["--subbuf-size", "1M", "--num-subbuf", "8", "--blocking-timeout", "inf"]

PROVIDER = "lttng_gpu_opencl:"
COMMANDS = ("kernel_enqueue", "transfer_enqueue", "command_enqueue", "command_buffer_enqueue")
# Each of these is the event of a call.
CALLS = ("call", "wait", *COMMANDS, "object_retain", "object_release")


def read(folder, pid):
    """The process's events, without the layer's prefix, in order; one command_times for each of its commands."""
    events = []
    types = {}
    for event, name, at in events_of(folder, PROVIDER):
        if int(event.common_context_field["vpid"]) == pid if event.common_context_field else int(event["vpid"]) == pid:
            fields = payload(event)
            if name in COMMANDS:
                types[int(event.payload_field["type"])] = fields["type"]
            if name != "command_times":
                events.append(Event(name, at, fields))
                continue
            lists = {name: values for name, values in fields.items() if isinstance(values, list)}
            for command in zip(*lists.values(), strict=True):
                events.append(Event(name, at, {**fields, **dict(zip(lists, command))}))
                events[-1]["type"] = types.get(events[-1]["type"])
    return events


def told(output):
    return {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)$", output, re.MULTILINE)}


def record(name, *arguments, environment=None):
    """Runs the program in a session of its own; returns its events and what it said."""
    folder = work / name
    with session(f"opencl-{name}", folder, channel=CHANNEL, events=PROVIDER + "*", contexts=["vpid"]):
        process = subprocess.Popen([program, *arguments], env={**layer, **(environment or {})}, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        output, errors = process.communicate(timeout=300)
    if process.returncode:
        raise RuntimeError(f"program {arguments} ended with {process.returncode}: {errors}")
    return read(folder, process.pid), told(output)


def named(events, name):
    return [event for event in events if event.name == name]


def is_part(fields, event):
    return all(event.get(name) == value for name, value in fields.items())


def lacks(events, kind, fields):
    """Nothing if such an event is there, else what there is instead."""
    if any(is_part(fields, event) for event in named(events, kind)):
        return []
    return [f"no {kind} {fields}; there are:", *map(dict, named(events, kind)[:6])]


def expect(words, events, *wanted):
    tap.check(words, [line for kind, fields in wanted for line in lacks(events, kind, fields)])


def enqueued(events):
    return {event["command"]: event for event in events if event.name in COMMANDS}


def check_calls(events, said):
    calls = [event for event in events if event.name in CALLS]
    tap.check("calls are recorded with their begin, which is before their event",
              [dict(event) for event in calls if not event.at - 100_000_000_000 < event["begin_ns"] <= event.at])
    previous = 0
    problems = []
    for event in calls:
        if event["begin_ns"] < previous:
            problems.append(dict(event))
        previous = event.at
    tap.check("and after the event of the call before, as the program has one thread", problems)
    begins = [event["function"] for event in named(events, "call_begin")]
    blocking = {"clFinish", "clFlush", "clWaitForEvents", "clBuildProgram", "clCompileProgram", "clLinkProgram", "clReleaseCommandQueue"}
    returned = [event["function"] for event in calls]
    tap.check("each call that may block has an entry event",
              [name for name in blocking if not returned.count(name) or begins.count(name) != returned.count(name)] +
              [event["type"] for event in enqueued(events).values() if event["blocking"] and f"clEnqueue{function(event)}" not in begins])
    expect("errors are recorded", events, ("call", {"function": "clEnqueueWriteBuffer", "result": -said["bad_enqueue"]}),
           ("call", {"function": "clBuildProgram", "result": -said["bad_build"]}))


def function(event):
    """MAP_BUFFER -> MapBuffer; SVM stays."""
    return "".join(word if word == "SVM" else word.title() for word in event["type"].split("_"))


def check_commands(events, said):
    commands = enqueued(events)
    numbers = list(commands)
    tap.check_that("commands have numbers of their own that ascend from 1", 0 not in numbers and numbers == sorted(set(numbers)), numbers)
    expect("kernels are recorded with name and sizes", events,
           ("kernel_enqueue",
            {"queue": said["queue"], "event": said["kernel_event"], "type": "NDRANGE_KERNEL", "blocking": 0, "waits_for": [],
                               "kernel": said["kernel"], "name": "add", "global_offset": [8, 0], "global_size": [16, 4],
             "local_size": [4, 2]}),
           ("kernel_enqueue", {"queue": said["profiled_queue"], "event": 0, "global_offset": [], "global_size": [64], "local_size": []}))
    buffer, sub = said["buffer"], said["sub_buffer"]
    expect("transfers are recorded with source, destination and bytes", events,
           *[("transfer_enqueue", {"type": kind, "source": source, "destination": destination, "bytes": size, "blocking": blocking})
             for kind, source, destination, size, blocking in (
                 ("FILL_BUFFER", 0, sub, 256, 0), ("COPY_BUFFER", buffer, sub, 100, 0), ("READ_BUFFER_RECT", buffer, 0, 32, 1),
                 ("MAP_BUFFER", buffer, 0, 512, 1), ("UNMAP_MEM_OBJECT", 0, buffer, 0, 0), ("WRITE_IMAGE", 0, said["image"], 128, 1))])
    expect("other commands are recorded", events, ("command_enqueue", {"type": "BARRIER", "queue": said["queue"]}),
           ("command_enqueue", {"type": "MIGRATE_MEM_OBJECTS"}))
    if "svm" in said:
        expect("commands on shared virtual memory are recorded", events,
               ("transfer_enqueue", {"type": "SVM_MAP", "bytes": 4096, "blocking": 1}),
               ("transfer_enqueue", {"type": "SVM_UNMAP"}),
               ("svm_alloc", {"address": said["svm"], "context": said["context"], "bytes": 4096}),
               ("svm_free", {"address": said["svm"]}))
    if "command_buffer" in said:
        run = {"type": "COMMAND_BUFFER_KHR", "queue": said["queue"], "buffer": said["command_buffer"], "commands": 2}
        runs = [event for event in named(events, "command_buffer_enqueue") if is_part(run, event)]
        timed = {event["command"] for event in named(events, "command_times") if event["validity"] == "valid"}
        tap.check_that("each run of a command buffer is a command with its number of commands and its times",
                       len(runs) == 2 and all(event["command"] in timed for event in runs), named(events, "command_buffer_enqueue"))
        expect("its life is recorded", events,
               *[(f"object_{verb}", {"object": said["command_buffer"], "kind": "command_buffer"}) for verb in ("retain", "release")])
    calls = {(event["begin_ns"]): event for event in named(events, "call")}
    tap.check("the event of a command is also the event of its call",
              [dict(event) for event in commands.values() if event["begin_ns"] in calls] +
              [dict(event) for event in commands.values() if event["function"] != "clEnqueueWaitForEvents" and
               event["function"].removesuffix("WithWaitList").lower() != f"clEnqueue{function(event)}".lower()])


def check_times(events, said):
    commands = enqueued(events)
    times = named(events, "command_times")
    tap.check_that("every command's times come once", sorted(event["command"] for event in times) == sorted(commands),
                   f"{len(commands)} commands, times of {sorted(event['command'] for event in times)}")
    good = [event for event in times if event["validity"] == "valid"]
    tap.check("they come after the command, for its queue and type",
              [dict(event) for event in times if event["command"] not in commands or commands[event["command"]].at > event.at or
               any(event[name] != commands[event["command"]][name] for name in ("queue", "type"))])
    tap.check("valid times are in order",
              [dict(event) for event in good if not event["queued"] <= event["submit"] <= event["start"] <= event["end"]])
    # PoCL's device runs on CLOCK_MONOTONIC_RAW, which no bound of ours touches: what both clocks must agree on is order.
    tap.check("the time at which the end was known is between the start of the call and the event",
              [dict(event) for event in times if not commands[event["command"]]["begin_ns"] < event["observed_ns"] <= event.at])
    failed = [event for event in times if event["queue"] == said["failing_queue"]]
    tap.check_that("a command that failed has its error and no times",
                   any(event["status"] < 0 and event["validity"] == "unavailable" and not event["end"] for event in failed),
                   list(map(dict, failed)))


def check_dependencies(events, said):
    user = next((event for event in named(events, "user_event_create") if event["event"] == said["user_event"]), {"command": -1})
    on_queue = [event for event in enqueued(events).values() if event["queue"] == said["unordered_queue"]]
    expected = [("WRITE_BUFFER", [user["command"]]), ("READ_BUFFER", [user["command"], on_queue[0]["command"]]),
                ("MARKER", [on_queue[1]["command"]])]
    tap.check_that("wait lists name the commands, user events too", [(event["type"], event["waits_for"]) for event in on_queue] == expected,
                   [(event["type"], event["waits_for"]) for event in on_queue])
    expect("a user event's status is recorded", events, ("user_event_status", {"command": user["command"], "status": 0}),
           ("user_event_status", {"status": -77}))


def check_objects(events, said):
    expect("devices and contexts are recorded", events,
           ("device",
            {"device": said["device"], "platform": said["platform"], "parent": 0, "platform_name": "Portable Computing Language",
             "timer_resolution": 1}),
           ("context_create", {"context": said["context"], "devices": [said["device"]]}))
    expect("queues are recorded as the application made them, and who profiles them", events,
           ("queue", {"queue": said["queue"], "context": said["context"], "device": said["device"], "properties": 0, "profiling": "layer"}),
           ("queue", {"queue": said["profiled_queue"], "properties": 2, "profiling": "application"}),
           ("queue", {"queue": said["unordered_queue"], "properties": 1, "profiling": "layer"}))
    expect("programs are recorded with origin and size", events,
           ("program_create", {"program": said["program"], "context": said["context"], "origin": "source", "bytes": said["source_bytes"]}),
           ("program_create", {"program": said["binary_program"], "origin": "binary", "bytes": said["binary_bytes"]}),
           ("program_build", {"program": said["program"], "result": 0}),
           ("program_build", {"program": said["bad_program"], "result": -said["bad_build"]}),
           *[("program_create", {"program": said[name], "origin": "linked"}) for name in ("linked_program",) if name in said])
    expect("kernels are recorded by name, however they were made", events,
           ("kernel_create", {"kernel": said["kernel"], "program": said["program"], "name": "add"}),
           ("kernel_create", {"kernel": said["kernel_of_two"], "program": said["binary_program"]}),
           *[("kernel_create", {"kernel": said[name], "name": "add"}) for name in ("clone",) if name in said])
    expect("memory is recorded with its kind and size", events,
           ("memory_create",
            {"memory": said["buffer"], "context": said["context"], "parent": 0, "type": "BUFFER", "flags": 1, "bytes": 4096, "width": 0}),
           ("memory_create", {"memory": said["sub_buffer"], "parent": said["buffer"], "bytes": 256}),
           ("memory_create", {"memory": said["image"], "type": "IMAGE2D", "width": 32, "height": 16}),
           ("sampler_create", {"sampler": said["sampler"], "context": said["context"]}))
    expect("retaining and releasing is recorded", events,
           ("object_retain", {"object": said["first_event"], "kind": "event", "result": 0, "function": "clRetainEvent"}),
           *[("object_release", {"object": said[name], "kind": kind, "result": 0}) for name, kind in (
               ("first_event", "event"), ("queue", "queue"), ("buffer", "memory"), ("kernel", "kernel"), ("program", "program"),
               ("context", "context"),
               ("sampler", "sampler"))])
    functions = {"queue": "CommandQueue", "memory": "MemObject", "command_buffer": "CommandBufferKHR"}
    changes = [(verb, event) for verb in ("Retain", "Release") for event in named(events, f"object_{verb.lower()}")]
    tap.check("and is the only event of the right call",
              [dict(event) for verb, event in changes
               if event["function"] != f"cl{verb}{functions.get(event['kind'], event['kind'].title())}"] +
              [dict(event) for event in named(events, "call") if event["function"].startswith(("clRetain", "clRelease"))])


def check_everything():
    events, said = record("all", "all")
    defined = set(re.findall(r"gpu_event\((\w+),\n", (top / "instrumentation/events/lttng_gpu_opencl.h").read_text()))
    # PoCL has no clGetDeviceAndHostTimer; of the untimed ones see below.
    tap.check("every event of the provider appears",
              sorted(defined - {event.name for event in events} - {"device_clock", "commands_untimed"}))
    documented = set(re.findall(r"^\| `(\w+)`(?:, `(\w+)`)?", (top / "docs/opencl-events.md").read_text(), re.MULTILINE))
    documented = {name for pair in documented for name in pair if name}
    tap.check("the provider's events are those of docs/opencl-events.md", sorted(defined ^ documented))
    for check in (check_calls, check_commands, check_times, check_dependencies, check_objects):
        check(events, said)


def check_late():
    """The program makes its queue, then the session begins."""
    others = subprocess.run(["lttng", "--no-sessiond", "--mi", "xml", "list"], capture_output=True, text=True).stdout
    if "<enabled>true</enabled>" in others:
        tap.check("a session that starts late", skip="another session of this machine may want times before")
        return
    folder = work / "late"
    with subprocess.Popen([program, "late"], env={**layer, "LTTNG_UST_REGISTER_TIMEOUT": "-1"}, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        said = {}
        for line in process.stdout:
            if line == "ready\n":
                break
            said.update(told(line))
        with session("opencl-late", folder, channel=CHANNEL, events=PROVIDER + "*", contexts=["vpid"]):
            process.stdin.write("\n")
            process.stdin.flush()
            process.wait(timeout=120)
    events = read(folder, process.pid)
    expect("a session that starts late knows queue, device and kernel", events, ("queue", {"queue": said["queue"], "profiling": "off"}),
           ("device", {"device": said["device"]}), ("kernel_enqueue", {"queue": said["queue"], "name": "nothing"}))
    if "command_buffer" in said:
        expect("and how many commands a command buffer has", events,
               ("command_buffer_enqueue", {"buffer": said["command_buffer"], "commands": 2}))
    untimed = [(event["queue"], event["reason"]) for event in named(events, "commands_untimed") for _ in range(event["count"])]
    tap.check_that("the commands of an older queue are counted as untimed, and none has times",
                   untimed == [(said["queue"], "no_profiling")] * (6 if "command_buffer" in said else 5)
                   and not named(events, "command_times"), untimed)


def wait_until_asleep(pid):
    """Nothing else tells from outside that a thread waits inside of a function."""
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "S":
        if time.monotonic() > deadline:
            raise RuntimeError("the program that should hang does not")
        time.sleep(0.01)


def check_hang():
    folder = work / "hang"
    with session("opencl-hang", folder, channel=CHANNEL, events=PROVIDER + "*", contexts=["vpid"]) as name:
        with subprocess.Popen([program, "hang"], env=layer, stdout=subprocess.PIPE, text=True) as process:
            try:
                while process.stdout.readline() != "hangs\n":
                    pass
                wait_until_asleep(process.pid)
                lttng("stop", name)
                events = read(folder, process.pid)
            finally:
                process.kill()
    functions = [event["function"] for event in named(events, "call")]
    tap.check("a call that hangs has an entry event", lacks(events, "call_begin", {"function": "clFinish"}) +
              [line for line in functions if line == "clFinish"])


def check_exit():
    events, said = record("exit", "exit")
    times = [event["validity"] for event in named(events, "command_times") if event["queue"] == said["queue"]]
    tap.check_that("commands that were complete at the end and never waited for have their times", times == ["valid"] * 10, times)
    expect("what was not complete is counted", events, ("commands_untimed", {"queue": said["other_queue"], "count": 1, "reason": "exit"}))


def check_loop():
    events, said = record("loop", "loop", "3000")
    numbers = sorted(event["command"] for event in named(events, "command_times"))
    tap.check_that("3000 commands without a wait have 3000 times", numbers == sorted(enqueued(events)) and len(numbers) == 3000,
                   len(numbers))


def check_fork():
    events, _ = record("fork", "fork")
    tap.check("a child that forks before the first object does not record in the parent's name",
              [event["function"] for event in named(events, "call") if event["function"] == "clCreateContext"] +
              ([] if named(events, "call") else ["no calls of the parent"]))


def check_once():
    """Both ways into the program at once."""
    library = layer["OPENCL_LAYERS"]
    copy = work / "copy"
    copy.mkdir()
    for file in build.glob("liblttng-gpu-opencl*.so"):
        shutil.copy(file, copy)
    counts = {}
    for name, environment in (("layer", {}), ("preload", {"OPENCL_LAYERS": "", "LD_PRELOAD": library}), ("both", {"LD_PRELOAD": library}),
                              ("two-files", {"LD_PRELOAD": str(copy / Path(library).name)})):
        events, _ = record(name, "loop", "10", environment=environment)
        counts[name] = [event["function"] for event in events if event.name in CALLS]
    tap.check_that("as a layer, preloaded, and both at once, each call is recorded once",
                   len(counts["layer"]) > 20 and all(calls == counts["layer"] for calls in counts.values()),
                   {name: len(calls) for name, calls in counts.items()})


def check_no_clock():
    """rusticl's profiling returns 0, 1, 2, 3."""
    driver = os.environ.get("RUSTICL_ICD", "/etc/OpenCL/vendors/rusticl.icd")
    if not Path(driver).exists():
        tap.check("invalid times", skip="mesa-opencl-icd not installed")
        return
    events, _ = record("no-clock", "loop", "4", environment={"OCL_ICD_VENDORS": driver, "RUSTICL_ENABLE": "llvmpipe"})
    times = [tuple(event[name] for name in ("queued", "submit", "start", "end", "validity")) for event in named(events, "command_times")]
    tap.check_that("invalid times are recorded unchanged and marked as invalid", times == [(0, 1, 2, 3, "implausible")] * 4, times)


def check_secure():
    """A setuid program gets no layer, whoever asks for it."""
    if os.geteuid() or os.statvfs(work).f_flag & os.ST_NOSUID:
        tap.check("setuid programs", skip="needs root, and a file system with setuid")
        return
    folder = work / "secure"
    library = work / "copy-for-all/liblttng-gpu-opencl.so"
    library.parent.mkdir()
    for file in build.glob("liblttng-gpu-opencl*.so"):
        shutil.copy(file, library.parent)
    work.chmod(0o755)
    secure = work / "secure-program"
    shutil.copy(program, secure)
    counts = []
    for mode in (0o4755, 0o755):
        secure.chmod(mode)
        with session("opencl-secure", folder / oct(mode), channel=CHANNEL, events=PROVIDER + "*", contexts=["vpid"]):
            process = subprocess.Popen([secure, "platforms"], user=65534 if mode == 0o4755 else 0, stdout=subprocess.DEVNULL,
                                       env={**layer, "OPENCL_LAYERS": str(library), "HOME": str(work),
                                            "POCL_CACHE_DIR": str(work / oct(mode))})
            code = process.wait(timeout=120)
        trace = folder / oct(mode)
        counts.append((code, bool(list(trace.rglob("metadata"))) and len(read(trace, process.pid)) > 0))
    tap.check_that("a setuid program runs and is not recorded, one that is not is", counts == [(0, False), (0, True)], counts)


def why_skip():
    try:
        import bt2  # noqa: F401
    except ImportError:  # Debian's module is for Debian's Python, which need not be the first one
        if sys.executable == "/usr/bin/python3":
            return "python3-bt2 not installed"
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    compiled = subprocess.run(["gcc", "-O1", "-o", program, top / "tests/opencl/events/program.c", "-lOpenCL"], capture_output=True,
                              text=True)
    if compiled.returncode:
        return f"no OpenCL to build with: {compiled.stderr.splitlines()[:1]}"
    if subprocess.run([program, "loop", "1"], capture_output=True).returncode:
        return "no OpenCL device"
    return why_not()


reason = why_skip()
if reason:
    tap.check("events of the OpenCL layer", skip=reason)
else:
    with daemon():
        for check in (check_everything, check_late, check_hang, check_exit, check_loop, check_fork, check_once, check_no_clock,
                      check_secure):
            try:
                check()
            except (RuntimeError, subprocess.SubprocessError, OSError, KeyError, IndexError) as error:
                tap.check(f"{check.__name__} ran", [f"{type(error).__name__}: {error}"])
shutil.rmtree(work)
sys.exit(tap.finish())
