#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""endings.py LTTNG_GPU BUILD [GROUP...]: how recordings of user space events end: signals, the terminal, a step that fails, programs that
are killed, and record itself killed; and what is restored then. Prints TAP."""
import contextlib
import fcntl
import os
import pty
import random
import re
import signal
import statistics
import subprocess
import termios
import time

from recorder import events, wait_until
from suite import Running, check_run, failing_lttng, in_time, late, lttng_gpu, place, run, said, tap


def signals():
    loop = "while :; do sleep 0.1; done"
    for name, code in (("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131)):
        running = Running([], loop, f"ulimit -c 0; ust-events 5; trap 'echo got {name}; trap - {name}; kill -{name} $$' {name};")
        os.kill(running.process.pid, getattr(signal, f"SIG{name}"))
        check_run(f"SIG{name} is passed on, and the recording ends with the command", running.end(),
                  lambda result: f"got {name}" in result.stdout and "the trace is in a" in result.stderr, code)
    running = Running([], loop, "trap 'echo caught; exit 5' TERM;")
    os.kill(running.process.pid, signal.SIGTERM)
    check_run("a command that catches the signal decides on the exit code", running.end(), lambda result: "caught" in result.stdout, 5)
    running = Running([], loop, "trap '' TERM;", stdout=subprocess.DEVNULL, stderr=open(place.folder / "errors", "w"))
    os.kill(running.process.pid, signal.SIGTERM)
    time.sleep(6)
    os.kill(running.process.pid, signal.SIGTERM)
    begin = time.monotonic()
    result = running.end()
    took = time.monotonic() - begin
    result.stderr = (place.folder / "errors").read_text()
    check_run("SIGTERM ends the recording of a command that ignores it", result, lambda result: "still runs" in result.stderr, 143)
    tap.check_that("and another signal does not extend the wait", took < 9, f"{took:.1f} s after it")
    os.kill(running.command, signal.SIGKILL)
    running = Running([], "sleep 2; echo done", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    os.kill(running.process.pid, signal.SIGHUP)
    check_run("what was ignored before (nohup) stays ignored", running.end(), lambda result: "done" in result.stdout)
    result = place.record("-o", "b", "--", "grep", "-h", "SigIgn", "/proc/self/status", "/no/file",
                          preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    check_run("SIGCHLD that was ignored: record still waits for its children, and the command still ignores it", result,
              lambda result: int(result.stdout.split()[1], 16) & 1 << signal.SIGCHLD - 1, 2)
    with failing_lttng("destroy", "sleep 4"):
        running = Running(["--events", "user"], loop, "ust-events 5;")
        os.kill(running.process.pid, signal.SIGTERM)
        result = running.end()
    check_run("a signal that was for the command does not shorten the end of a slow session", result,
              lambda result: "did not end" not in result.stderr and len(events(place.folder / "work/a")) == 5, 143)
    with failing_lttng("destroy", "sleep 4"):
        running = Running(["--events", "user"], "while [ ! -e ended ]; do sleep 0.05; done", "ust-events 5;")
        with late(running):
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
                os.kill(running.process.pid, number)
        result = running.end()
    check_run("signals that came before record saw the command end do not shorten the end of the session either", result,
              lambda result: "did not end" not in result.stderr and len(events(place.folder / "work/a")) == 5)
    running = Running([], "sleep 1; echo done")
    os.kill(running.process.pid, signal.SIGUSR1)
    check_run("SIGUSR1 without --snapshot is ignored with a message", running.end(), lambda result: "only with --snapshot" in result.stderr)


class Terminal:
    """record as the foreground job of a terminal."""

    def __init__(self, script):
        place.clear()
        self.master, slave = pty.openpty()

        def become_foreground():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = place.start("-o", "a", "--", "sh", "-c", script, stdin=slave, stdout=slave, stderr=slave,
                                   preexec_fn=become_foreground)
        os.close(slave)
        self.text = ""
        os.set_blocking(self.master, False)

    def read_until(self, word, seconds=30):
        def has_come():
            try:
                self.text += os.read(self.master, 4096).decode(errors="replace")
            except BlockingIOError:
                pass
            except OSError:
                return True  # the last writer is gone
            return word in self.text
        wait_until(has_come, seconds)
        return word in self.text

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        self.read_until("\0nothing", 30)
        code = self.process.wait(timeout=60)
        os.close(self.master)
        return subprocess.CompletedProcess([], code, self.text, "")


def terminal():
    job = Terminal('read word </dev/tty; echo "read: $word"; test -t 0 -a -t 1 -a -t 2 && echo all a terminal')
    job.read_until("user space only")
    job.type("hello\n")
    check_run("the command reads from the terminal", job.end(),
              lambda result: "read: hello" in result.stdout and "all a terminal" in result.stdout)
    job = Terminal("ust-events 5; trap 'echo got it; exit 3' INT; echo begun; while :; do sleep 0.1; done")
    job.read_until("begun")
    job.type("\x03")
    check_run("Ctrl-C reaches the command once, and the report is printed", job.end(), lambda result: result.stdout.count("got it") == 1 and
              "the trace is in a" in result.stdout and "no GPU jobs" in result.stdout, 3)
    job = Terminal("trap 'echo not now' INT; echo begun; n=0; while [ $n -lt 20 ]; do sleep 0.1; n=$((n+1)); done; echo done")
    job.read_until("begun")
    job.type("\x03")
    job.read_until("not now")
    check_run("a command that continues after Ctrl-C is still recorded, and gets the signal once", job.end(),
              lambda result: "done" in result.stdout and result.stdout.count("not now") == 1)
    job = Terminal("echo begun; while :; do sleep 0.1; done")
    job.read_until("begun")
    job.type("\x03")
    check_run("a command that Ctrl-C ends", job.end(), lambda _: True, 130)


def restoring():
    (place.folder / "work").mkdir(exist_ok=True)
    place.lttng("list")
    # The daemon keeps what output it was given.
    daemon = subprocess.call(place.command("lttng-sessiond", "--no-kernel", "--background"), env=place.environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    before = place.daemons("lttng-sessiond")
    place.lttng("create", "theirs", f"--output={place.folder}/work/theirs")
    settings = (place.folder / ".lttngrc").read_text()
    os.utime(place.folder / ".lttngrc", (1, 1))
    result = place.record("--dry-run", "-o", "a", "--", "true")
    tap.check_that("a dry run does not touch the name of the current session", (place.folder / ".lttngrc").stat().st_mtime == 1,
                   said(result))
    # Files that record makes must not be known beforehand: whoever may write to the folder could have it write elsewhere.
    (place.folder / "victim").write_text("theirs")
    first_pid = os.getpid()
    links = [place.folder / f".lttngrc.{pid}" for pid in range(first_pid + 1, first_pid + 3000)]
    for link in links:
        link.symlink_to(place.folder / "victim")
    place.own()
    result = place.record("-o", "a", "--", "ust-events", 10)
    tap.check_that("links in the place of a file that record may make are not followed",
                   (place.folder / "victim").read_text() == "theirs" and
                   all(link.is_symlink() for link in links)
                   and sorted(place.folder.glob(".lttngrc*")) == sorted([place.folder / ".lttngrc", *links]), said(result))
    for link in links:
        link.unlink(missing_ok=True)
    tap.check_that("a daemon and a session of somebody else's are untouched",
                   result.returncode == 0 and place.daemons("lttng-sessiond") == before and
                   place.sessions() == ["theirs"] and (place.folder / ".lttngrc").read_text() == settings
                   and len(events(place.folder / "work/a")) == 10,
                   said(result) + str((daemon, before, place.daemons(), place.sessions())))
    with failing_lttng("create", f'"$LTTNG_REAL" --no-sessiond create "$3" --output={place.folder}/work/same-name >/dev/null'):
        result = place.record("-o", "b", "--", "touch", "ran")
        both = place.sessions()
    tap.check_that("a session whose name record wanted, too, is left alone, and the command does not run",
                   result.returncode == 125 and len(both) == 2 and "theirs" in both and not (place.folder / "work/ran").exists() and
                   not (place.folder / "work/b").exists(), f"{both}\n{said(result)}")
    for name in both:
        place.lttng("destroy", name)
    for pid in before:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not place.daemons())
    place.clear()

    for step, good in (("create", True), ("enable-channel", True), ("enable-event", True), ("add-context", True), ("start", True)):
        with failing_lttng(step):
            result = place.record("-o", "a", "--", "sh", "-c", "touch ran")
        check_run(f"`lttng {step}` fails: everything is undone, and the command does not run", result,
                  lambda result: good and "as if" in result.stderr and f"{step}" in result.stderr and not place.work(), 125)
    with failing_lttng("destroy"):
        result = place.record("-o", "a", "--", "true")
        left = place.sessions()
        second = place.record("--recover")
    kept = place.sessions()
    third = place.record("--recover")
    tap.check("a session that cannot be destroyed stays noted until it can",
              [] if result.returncode == 125 and len(left) == 1 and kept == left and
              "cleaning up after" in third.stderr else [said(result), said(second), said(third), str((left, kept))] + place.leftovers())
    tap.check("and then everything is undone", place.leftovers())
    place.clear()
    running = Running([], "sleep 3")
    for pid in place.daemons():
        with contextlib.suppress(ProcessLookupError):  # one of them ends the others
            os.kill(pid, signal.SIGKILL)
    result = running.end()
    wait_until(lambda: not place.daemons())
    check_run("the session daemon dies meanwhile: reported, and not a success", result, lambda result: "No session daemon" in result.stderr,
              125)
    place.clear()
    # LTTng 2.16's list does not say that there is no daemon.
    with failing_lttng("--mi",
                       '"$LTTNG_REAL" "$@" >/dev/null 2>&1 || { echo "Error: Failed to list: Failed to list recording sessions" >&2; exit '
                       '1; }'):
        running = Running(["--events", "user"], "while [ ! -e killed ]; do sleep 0.05; done", "ust-events 1000;")
        for pid in place.daemons():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        (place.folder / "work" / "killed").touch()
        result = running.end()
    wait_until(lambda: not place.daemons())
    seen = len([line for line in events(place.folder / "work" / "a") if "lttng_gpu_bench:step" in line])
    check_run(f"all daemons die meanwhile: what programs wrote is in the trace ({seen} events)", result, lambda _: seen == 1000, 125)
    place.clear()
    with failing_lttng("stop", "sleep 3"):
        running = Running(["--events", "user"], "while [ ! -e killed ]; do sleep 0.05; done", "ust-events 1000;",
                          stderr=open(place.folder / "errors", "w"))
        consumers, daemons = place.daemons("lttng-consumerd"), place.daemons("lttng-sessiond")
        for pid in consumers:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: "has died" in (place.folder / "errors").read_text())
        for pid in daemons:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        (place.folder / "work" / "killed").touch()
        result = running.end()
        result.stderr = (place.folder / "errors").read_text()
    wait_until(lambda: not place.daemons())
    check_run("the session daemon dies after its consumer daemon: both are named", result, lambda result: re.search(
        "lttng-consumerd .* has died: the recording ends here(.|\n)*lttng-sessiond .* has died, too", result.stderr), 125)
    place.clear()


def killed():
    running = Running([], "sleep 60")
    running.process.kill()
    running.process.wait()
    left = place.leftovers()
    os.kill(running.command, signal.SIGKILL)
    result = place.record("-o", "b", "--", "true")
    check_run("the next record cleans up after one that was killed", result, lambda result: left and "cleaning up after" in result.stderr)
    running = Running(["--trigger", "5ms"], "ust-events 1000; echo >done; sleep 60")
    wait_until(lambda: (place.folder / "work/done").exists())
    running.process.kill()
    running.process.wait()
    left = place.leftovers()
    os.kill(running.command, signal.SIGKILL)
    result = place.record("--recover")
    check_run("--recover does the same", result, lambda result: left and "cleaning up after" in result.stderr)
    check_run("--recover reports when there is nothing to do", place.record("--recover"),
              lambda result: "nothing to clean up" in result.stderr)
    place.clear()


def died_writing():
    """Buffers in which a program that was killed holds room that it never gives back."""
    script = "dies-writing 5000 0; dies-writing 300 1; dies-writing 200 1; date +%s.%N >died-at"

    def attempt():
        place.clear()
        result = place.record("--events", "user", "-o", "died", "--", "sh", "-c", script, environment={"LTTNG_UST_REGISTER_TIMEOUT": "-1"})
        seconds = time.time() - float((place.folder / "work" / "died-at").read_text())
        is_good = result.returncode == 0 and "was killed while it wrote" in result.stderr
        return seconds, ([] if is_good else [said(result)]) + place.leftovers()

    seconds, problems = in_time(attempt)
    tap.check(f"a program is killed while it writes an event: record ends {seconds:.1f} s later and says so", problems)
    died = place.folder / "work" / "died"
    seen = len([line for line in events(died) if "lttng_gpu_dying:event" in line])
    tap.check_that("every event before the unfinished one is in the trace", seen == 5300, f"{seen} events")
    for trace in (died, next(died.rglob("metadata")).parent):
        read = subprocess.run([lttng_gpu, "report", "--format", "json", trace], capture_output=True, text=True)
        tap.check_that(f"a report of {'the recording' if trace == died else 'its trace alone'} does not say that nothing was lost",
                       read.returncode in (1, 4) and "gaps of unknown size" in read.stderr, f"{read.returncode}: {read.stderr}")
    place.clear()


@contextlib.contextmanager
def busy_processor(number):
    loops = [subprocess.Popen(["taskset", "-c", str(number), "sh", "-c", "while :; do :; done"], start_new_session=True) for _ in range(4)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def slow_death():
    """A daemon that is killed is there until its threads have had a processor, which takes a while on a busy machine."""
    processor = min(os.sched_getaffinity(0))
    running = Running(["--events", "user", "--no-report"], "while [ ! -e ended ]; do sleep 0.05; done", "dies-writing 5 0;")
    # record asks for sessions before it stops the daemon.
    slows = "".join(f"taskset -apc {processor} {pid} >/dev/null; renice -n 19 $(ls /proc/{pid}/task) >/dev/null; echo 19 "
                    f">/proc/{pid}/autogroup; "
                    for pid in place.daemons(("lttng-sessiond",)))
    with busy_processor(processor), failing_lttng("--mi", f'"$LTTNG_REAL" "$@"; code=$?; {slows}exit $code'):
        (place.folder / "work" / "ended").touch()
        result = running.end()
        left = place.daemons()
    wait_until(lambda: not place.daemons())
    check_run("a session daemon that takes long to die: record waits for its end", result, lambda _: not left)
    place.clear()


def late_stop():
    """Nobody was killed, and `lttng stop` begins long after the command has ended: what is unread in the buffers meanwhile is no sign of
    anything."""
    with failing_lttng("stop", "sleep 4"):
        result = place.record("--events", "user", "--no-report", "-o", "late", "--", "ust-events", 1000)
    late = place.folder / "work" / "late"
    seen = len([line for line in events(late) if "lttng_gpu_bench:step" in line])
    check_run(f"`lttng stop` begins 4 s late: it is waited for, and nothing is said of killed programs or gaps ({seen} events)", result,
              lambda result:
              seen == 1000 and "waiting for `lttng" in result.stderr and not re.search("kill|gap|lost|missing|not read", result.stderr) and
              not (late / "lttng-gpu-losses").exists())
    place.clear()


def killed_at_random():
    """Busy programs that are killed at any moment; in a long run 200 times."""
    problems, stuck, durations = [], 0, []

    def attempt():
        nonlocal stuck
        # On a busy machine it takes a while until LTTng knows the first of them.
        begun = f"until find killed-{number} -name '*_0' | grep -q .; do sleep 0.1; done"
        script = f"for i in 1 2 3; do ust-events 100000000 & done; {begun}; sleep {random.uniform(0, 0.7):.3f}; kill -9 $(jobs -p); wait; date +%s.%N >died-at"
        result = place.record("--events", "user,user:lttng_gpu_bench*", "-o", f"killed-{number}", "--", "bash", "-c", script)
        died = place.folder / "work" / "died-at"
        if not died.exists():
            return 0, [f"the command did not run\n{said(result)}"]
        seconds = time.time() - float(died.read_text())
        stuck += "was killed while it wrote" in result.stderr
        read = subprocess.run([lttng_gpu, "report", place.folder / "work" / f"killed-{number}"], capture_output=True, text=True,
                              timeout=120)
        bad = place.leftovers() or "nothing was recorded" in result.stderr or read.returncode not in (0, 1, 4)
        wrong = [f"{place.leftovers()}\n{said(result)}\n{said(read)}"] if bad else []
        place.clear()
        return seconds, wrong

    for number in range(int(os.environ.get("KILLS", 200 if os.environ.get("LONG") else 4))):
        seconds, wrong = in_time(attempt)
        durations.append(seconds)
        problems += [f"run {number}: {problem}" for problem in wrong]
    tap.check(f"programs are killed at random, {number + 1} times ({stuck} times while one wrote an event); record ends "
              f"{statistics.median(durations or [0]):.1f} s later in half of them, {max(durations, default=0):.1f} s at most", problems)


run((signals, terminal, restoring, killed, died_writing, slow_death, late_stop, killed_at_random))
