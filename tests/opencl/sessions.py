# SPDX-License-Identifier: MIT
"""Sessions that begin and end while a program works, machines without LTTng, and programs with privileges."""
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from ways import base, compare, layer, lttng_session, programs, read_events, run, tracing, ways

lttng = lttng_session.lttng


def without_lttng(tap):
    """The library is there but no LTTng-UST: an empty file stands in its place, which no program can load."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ["liblttng-ust.so.1", "liblttng-ust-common.so.1"]:
            Path(folder, name).write_text("")
        plain = run("absent", programs / "threads", 5)
        for way in ["layer", "preload"]:
            got = run(way, programs / "threads", 5, environment={"LD_LIBRARY_PATH": folder})
            tap.check(f"without LTTng-UST: {way}", compare(plain, got))
            tap.check_that(f"without LTTng-UST: {way} says nothing", not got.errors, got.errors)
    # No daemon that it could reach.
    for way in ["layer", "preload"]:
        got = run(way, "setpriv", "--reuid=65534", "--clear-groups", programs / "threads", 5,
                  environment={"HOME": "/nowhere", "POCL_CACHE_DIR": "/tmp/lttng-gpu-test-cache"})
        tap.check(f"another user, no session daemon, no home: {way}", compare(plain, got))
    shutil.rmtree("/tmp/lttng-gpu-test-cache", ignore_errors=True)


def privileged(tap):
    """A program that runs with more rights than its user: nothing that the environment names is loaded by us."""
    if os.geteuid() != 0:
        tap.check("setuid programs", skip="only root can make one")
        return
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        program = shutil.copy(programs / "secure", folder)
        os.chmod(program, 0o4755)
        for way in ["absent", "layer", "preload"]:
            got = run(way, "setpriv", "--reuid=65534", "--clear-groups", program, environment={"POCL_CACHE_DIR": f"{folder}/cache"})
            tap.check_that(f"setuid program: {way}: works, and no LTTng in it", got.output == "secure, works, no LTTng\n",
                           f"exit code {got.code}: {got.output}{got.errors}")
        got = run("layer", programs / "secure")
        tap.check_that("without setuid LTTng is there", got.output == "not secure, works, LTTng\n", f"{got.output}{got.errors}")


class Steady:
    """The program that works until its input is closed."""

    def __init__(self, way):
        self.process = subprocess.Popen([programs / "steady"], env={**base, **ways[way], "LTTNG_UST_REGISTER_TIMEOUT": "-1"},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.first = self.process.stdout.readline()

    def finish(self):
        """What is wrong with its end."""
        try:
            output, errors = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return ["hangs"]
        text = self.first + output
        good = text == "ready\nevery result was right\n" and self.process.returncode == 0
        return [] if good else [f"exit code {self.process.returncode}: {text} {errors}"]


def lasts(seconds):
    # A session's life is a time by nature; nothing here waits for an event.
    time.sleep(seconds)


def come_and_go(tap):
    for way in ["layer", "preload"]:
        with tempfile.TemporaryDirectory() as folder:
            program = Steady(way)
            with tracing(folder):
                lasts(0.5)
            # The session is destroyed, the program works on.
            lasts(0.2)
            tap.check(f"a session that is created and destroyed in the middle: {way}", program.finish())
            events = read_events(folder)
            lacking = [name for name in ("call", "kernel_enqueue", "transfer_enqueue", "command_times", "device", "queue")
                       if not events.get(name)]
            tap.check(f"a session that starts in the middle has commands, their times and what they ran on: {way}", lacking)
    stopped(tap)
    many(tap)


def stopped(tap):
    """Stopped and started again: no event between."""
    with tempfile.TemporaryDirectory() as folder:
        program = Steady("layer")
        name = f"lttng-gpu-stopped-{os.getpid()}"
        lttng("create", name, "--output", folder)
        try:
            lttng("enable-event", "--userspace", "--session", name, "lttng_gpu_opencl:*")
            lttng("start", name)
            lasts(0.3)
            lttng("stop", name)
            first = read_events(folder).get("call", 0)
            lasts(0.3)
            second = read_events(folder).get("call", 0)
            lttng("start", name)
            lasts(0.3)
            lttng("stop", name)
            third = read_events(folder).get("call", 0)
        finally:
            lttng("destroy", name)
        tap.check("a session stopped and started again", program.finish())
        tap.check_that("it has events of both times and none between", 0 < first == second < third, f"{first}, {second}, {third} calls")


def many(tap):
    program = Steady("layer")
    empty = 0
    for _ in range(20):
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder):
                lasts(0.1)
            empty += read_events(folder).get("command_times", 0) == 0
    tap.check("twenty sessions one after the other", program.finish() + ([f"{empty} of them have no times"] if empty else []))
    program = Steady("layer")
    folders = [tempfile.TemporaryDirectory() for _ in range(3)]
    with tracing(folders[0].name):
        name = f"lttng-gpu-beside-{os.getpid()}"
        lttng("create", name, "--output", folders[1].name)
        lttng("enable-event", "--userspace", "--session", name, "lttng_gpu_opencl:call")
        lttng("start", name)
        lasts(0.2)
        lttng("destroy", name)
        lasts(0.2)
    problems = program.finish()
    problems += [f"session {number} has no calls" for number in (0, 1) if not read_events(folders[number].name).get("call")]
    tap.check("two sessions at once, one ends before the other", problems)
    for folder in folders:
        folder.cleanup()


def taken_apart(tap):
    """By a loader that ends before the program and unloads the driver: every command is told of, none is touched later."""
    plain = run("absent", programs / "unloads", "-")
    tap.check_that("a loader that unloads its driver: absent", (plain.code, plain.output) == (0, "unloaded 3 times\n"),
                   f"exit code {plain.code}: {plain.output}{plain.errors}")
    tap.check("a loader that unloads its driver: layer", compare(plain, run("absent", programs / "unloads", layer)))
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder) as environment:
            traced = run("absent", programs / "unloads", layer, environment=environment)
        tap.check("a loader that unloads its driver: traced", compare(plain, traced))
        text = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=120).stdout
    lines = [line for line in text.splitlines() if "lttng_gpu_opencl:" in line]
    enqueued = sum(":transfer_enqueue" in line for line in lines)
    timed = sum(int(re.search(r"_command_length = (\d+)", line)[1]) for line in lines if ":command_times" in line)
    untimed = sum(int(re.search(r"count = (\d+)", line)[1]) for line in lines if ":commands_untimed" in line)
    tap.check_that("and each command has its times or is counted", (enqueued, timed, untimed) == (30, 15, 15),
                   f"{enqueued} commands, {timed} with times, {untimed} counted")
