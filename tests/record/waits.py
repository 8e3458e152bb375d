#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""waits.py LTTNG_GPU BUILD: whatever `lttng-gpu record` waits for, it says so after two seconds, and a signal ends the waiting. Each case
has a home and daemons of its own, and all run side by side: they do nothing but wait. Prints TAP."""
import concurrent.futures
import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import time

from recorder import Place, is_root, wait_until
from suite import busy_seconds, place, run, said, tap

never = "exec sleep 120"
# For a minute at most, so that nothing is left of a test that fails.
until_ended = "tries=0; while [ ! -e ended ] && [ $((tries += 1)) -lt 1200 ]; do sleep 0.05; done"


class Case:
    def __init__(self):
        self.place = Place([])
        for program in ("lttng-gpu", "ust-events"):
            os.link(place.bin / program, self.place.bin / program)  # with symbols it has 300 MB
        self.work = self.place.folder / "work"
        self.notes = self.place.folder / "run/lttng-gpu"
        self.problems, self.started = [], []

    def expect(self, good, words):
        if not good:
            self.problems.append(words)

    def hang(self, step, does=never, program="lttng"):
        """Until unhang(), `lttng --no-sessiond STEP` does that first. `step` "": each call of the program does."""
        real = shutil.which(program)
        fake = self.place.bin / program
        made = fake.with_suffix(".new")
        condition = f'[ "$2" != {step} ] || ' if step else ""
        made.write_text(f'#!/bin/sh\n{condition}{{ {does}; }}\nexec {real} "$@"\n')
        made.chmod(0o755)
        made.rename(fake)

    def unhang(self, program="lttng"):
        (self.place.bin / program).unlink()

    def start(self, *words, before=()):
        errors = self.place.folder / f"errors-{len(self.started)}"
        process = subprocess.Popen([*before, *self.place.command(self.place.bin / "lttng-gpu", "record", *words)], cwd=self.work, text=True,
                                   env=self.place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors.open("w"),
                                   process_group=0)
        self.place.pids.add(process.pid)
        self.started.append((process, errors))
        return process

    def errors_of(self, process):
        return next(errors for started, errors in self.started if started is process).read_text()

    def expect_words(self, process, words, times=1):
        is_there = wait_until(lambda: self.errors_of(process).count(words) >= times, busy_seconds)
        self.expect(is_there, f"not said: {words}\n{self.errors_of(process)}")

    def file(self, name):
        return wait_until(lambda: (self.work / name).exists() and (self.work / name).read_text().strip(), 60)

    def command(self):
        """The process that the shell of a recorded command is."""
        self.expect(self.file("ready"), "the command does not run")
        return int((self.work / "ready").read_text())

    def end_by(self, process, number, codes, seconds=busy_seconds):
        """Says nothing of one that has been killed by the signal itself: that is no code of record's."""
        os.kill(process.pid, number)
        self.expect_end(process, codes, seconds)

    def expect_end(self, process, codes, seconds=busy_seconds):
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.problems.append(f"a signal does not end it in {seconds} s\n{self.errors_of(process)}")
            return
        if process.returncode not in codes:
            self.problems.append(said(subprocess.CompletedProcess([], process.returncode, output, self.errors_of(process))))

    @contextlib.contextmanager
    def locked(self):
        lock = os.open(self.notes, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            os.close(lock)

    def recover(self):
        result = self.place.record("--recover")
        self.expect(result.returncode == 0, said(result))

    def close(self):
        for process, _ in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.place.close()


def list_at_begin(case):
    """`lttng list` does not answer when record begins"""
    case.hang("list")
    process = case.start("-o", "a", "--", "touch", "ran")
    case.expect_words(process, "waiting for `lttng --no-sessiond list`")
    case.end_by(process, signal.SIGTERM, [143])
    case.expect(not (case.work / "ran").exists(), "the command ran")


def list_at_end(case):
    """`lttng list` does not answer when record ends"""
    case.hang("--mi")
    process = case.start("-o", "a", "--no-report", "--", "true")
    case.expect_words(process, "waiting for `lttng --no-sessiond --mi xml list`")
    case.end_by(process, signal.SIGINT, [0])
    case.expect("or `lttng-gpu record --recover`" in case.errors_of(process), "what to do is not said")
    case.unhang()
    case.recover()


def for_the_command(case, process, number=signal.SIGTERM):
    """It reaches the command although record waits for something else."""
    os.kill(process.pid, number)
    # `lttng` is looked after ten times a second.
    case.expect(wait_until((case.work / "got").exists, 10), "the signal does not reach the command")


def snapshot(case):
    """a snapshot is not taken to its end while the command runs"""
    case.hang("snapshot")
    process = case.start("--snapshot", "-o", "a", "--no-report", "--", "sh", "-c",
                         f"trap 'echo >got; exit 3' TERM; echo $$ >ready; {until_ended}")
    case.command()
    os.kill(process.pid, signal.SIGUSR1)
    case.expect_words(process, "waiting for `lttng --no-sessiond snapshot record")
    for_the_command(case, process)
    case.expect_end(process, [125])


def search(case):
    """a search for late jobs does not end while the command runs"""
    case.hang("snapshot")
    process = case.start("--trigger", "5ms", "-o", "a", "--no-report", "--", "sh", "-c",
                         f"trap 'echo >got; exit 3' TERM; echo $$ >ready; {until_ended}")
    case.command()
    case.expect_words(process, "waiting for `lttng --no-sessiond snapshot record")
    for_the_command(case, process)
    # The last search, which comes when the command has ended, needs a signal of its own: the first one was the command's.
    case.expect_words(process, "waiting for `lttng --no-sessiond snapshot record", 2)
    case.end_by(process, signal.SIGTERM, [3])


def early_end(case):
    """a session that ends before the command is not destroyed, and the command ignores the signal"""
    case.hang("destroy")
    process = case.start("--events", "user", "-o", "a", "--no-report", "--", "sh", "-c",
                         f"trap 'echo >got' TERM; ust-events 10; echo $$ >ready; {until_ended}")
    command = case.command()
    for pid in case.place.daemons(("lttng-consumerd",)):
        os.kill(pid, signal.SIGKILL)
    case.expect_words(process, "waiting for `lttng --no-sessiond destroy ")
    os.kill(process.pid, signal.SIGUSR1)
    for_the_command(case, process)
    case.expect_words(process, "did not end in")
    case.expect_words(process, "SIGUSR1 is ignored: the recording has ended")
    case.unhang()
    (case.work / "ended").touch()
    case.expect_end(process, [125])
    with contextlib.suppress(ProcessLookupError):
        os.kill(command, signal.SIGKILL)
    case.recover()


def lock_at_end(case):
    """another recording has the lock when this one ends"""
    process = case.start("-o", "a", "--no-report", "--", "sh", "-c", f"echo $$ >ready; {until_ended}")
    case.command()
    with case.locked():
        (case.work / "ended").touch()
        case.expect_words(process, "waiting for another recording")
        case.end_by(process, signal.SIGINT, [125])
        case.expect("lttng-gpu record --recover" in case.errors_of(process), "what to do is not said")
    case.recover()


def lock_at_begin(case):
    """another recording has the lock when this one, or --recover, begins"""
    case.notes.mkdir(mode=0o700)
    case.place.own()
    with case.locked():
        waiting = [case.start("-o", "a", "--", "true"), case.start("--recover")]
        for process in waiting:
            case.expect_words(process, "waiting for another recording")
        for process in waiting:
            case.end_by(process, signal.SIGTERM, [143])
    case.notes.rmdir()


def recovery(case):
    """the session of a recording that was killed does not stop"""
    process = case.start("--events", "user", "-o", "a", "--", "sh", "-c", f"ust-events 10; echo $$ >ready; {until_ended}")
    command = case.command()
    for pid in (process.pid, command):
        os.kill(pid, signal.SIGKILL)
    process.wait()
    case.hang("stop")
    for number, words in enumerate((["-o", "b", "--", "touch", "ran"], ["--recover"])):
        process = case.start(*words)
        case.expect_words(process, "waiting for `lttng --no-sessiond stop ")
        case.end_by(process, (signal.SIGINT, signal.SIGTERM)[number], [(130, 143)[number]])
    case.expect(not (case.work / "ran").exists(), "the command ran")
    case.unhang()
    case.recover()


def writing(case):
    """LTTng writes what is in its buffers without end"""
    case.hang("stop",
              "(tries=0; while [ ! -e ended ] && [ $((tries += 1)) -lt 600 ]; do echo >>a/.growing; sleep 0.1; done) >/dev/null 2>&1 & "
              "exit 0")
    process = case.start("--events", "user", "-o", "a", "--no-report", "--", "ust-events", "10")
    case.expect_words(process, "waiting for LTTng to write")
    case.end_by(process, signal.SIGTERM, [125])
    (case.work / "ended").touch()
    case.expect("events may be missing" in case.errors_of(process), "what is missing is not said")


def module(case):
    """a kernel module stays in use"""
    if not is_root:
        return
    case.notes.mkdir(mode=0o700)
    (case.notes / "modules").write_text("lttng_gpu_made\n")
    case.place.own()
    case.hang("", 'echo "rmmod: as if" >&2; exit 1', "rmmod")
    made = ["unshare", "--mount", "sh", "-c",
            'mount -t tmpfs none /proc && echo "lttng_gpu_made 16384 0 - Live 0x0" >/proc/modules && exec "$@"', "sh"]
    process = case.start("--recover", before=made)
    case.expect_words(process, "waiting for the kernel module lttng_gpu_made to be unloaded")
    case.end_by(process, signal.SIGTERM, [143], 5)
    case.expect((case.notes / "modules").read_text() == "lttng_gpu_made\n", "it is not noted for the next recording")
    shutil.rmtree(case.notes)


def waits():
    cases = (list_at_begin, list_at_end, snapshot, search, early_end, lock_at_end, lock_at_begin, recovery, writing, module)
    made = [Case() for _ in cases]

    def run_case(test, case):
        begin = time.monotonic()
        try:
            test(case)
        except Exception as error:  # one case is no reason to leave the others' daemons running
            case.problems.append(f"{type(error).__name__}: {error}")
        return time.monotonic() - begin

    try:
        with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
            seconds = list(pool.map(run_case, cases, made))
        for test, case, took in zip(cases, made, seconds):
            skip = "only root can mount" if test is module and not is_root else ""
            tap.check(f"{test.__doc__}: it is said after 2 s, and a signal ends the waiting, and nothing is left",
                      [f"after {took:.1f} s: {problem}" for problem in case.problems] + case.place.leftovers(), skip)
    finally:
        for case in made:
            case.close()


run((waits,))
