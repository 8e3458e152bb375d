#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record.py LTTNG_GPU BUILD [GROUP...]: `lttng-gpu record` with user space events, and no OpenCL: exit codes, signals, the terminal,
what is restored when all goes well, when a step fails and when record is killed. Prints TAP."""
import contextlib
import fcntl
import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session
from recorder import Place, events, is_root, wait_until
from tap import Tap

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
# On an idle machine record ends within 5 s of a command's death; beside other tests it takes longer, but it never hangs.
busy_seconds = 5 if os.environ.get("LONG") else 30
place = Place([lttng_gpu, build / "ust-events", build / "dies-writing", build / "slow-answer.so"])


def said(result):
    return f"exit code {result.returncode}\n{result.stdout[-1500:]}\n{result.stderr[-3000:]}"


def check_run(words, result, good, code=0):
    """A finished record, what is asked of it, and nothing left behind."""
    problems = [] if result.returncode == code and good(result) else [said(result)]
    tap.check(words, problems + place.leftovers())


def exit_codes():
    check_run("a command that succeeds", place.record("-o", "a", "--", "true"), lambda result: "nothing was recorded" in result.stderr and not place.work())
    check_run("the exit code of the command is returned", place.record("-o", "b", "--", "sh", "-c", "exit 7"), lambda _: True, 7)
    check_run("a signal's, too", place.record("-o", "c", "--", "sh", "-c", "kill -KILL $$"), lambda _: True, 137)
    place.clear()
    check_run("a command that does not exist", place.record("--", "no-such-program", "x"),
              lambda result: "no-such-program: command not found" in result.stderr and not place.work(), 127)
    check_run("a command that is not executable", place.record("--", "/etc/passwd"),
              lambda result: "permission denied" in result.stderr and not place.work(), 126)
    (place.folder / "work" / "full").mkdir()
    (place.folder / "work" / "full" / "file").write_text("")
    for words, arguments, text in [
            ("no command", [], "-- COMMAND"), ("a folder that is not empty", ["-o", "full", "--", "true"], "not an empty folder"),
            ("an unknown option", ["--such", "--", "true"], "--such"), ("an invalid size", ["--buffers", "4X", "--", "true"], "4X"),
            ("a time without unit", ["--trigger", "5", "--", "true"], "`5`: invalid duration"),
            ("unknown events", ["--events", "gpu", "--", "true"], "kernel:PATTERN"),
            ("counters at too short an interval", ["--counter-interval", "10us", "--", "true"], "1 ms or more"),
            ("--counters with --snapshot", ["--counters", "--snapshot", "--", "true"], "exclude each other"),
            ("--no-loss with --snapshot", ["--no-loss", "--snapshot", "--", "true"], "exclude each other"),
            ("a report that cannot be written", ["--report", "/no/folder/file", "--", "true"], "cannot be written")]:
        check_run(f"refused: {words}", place.record(*arguments), lambda result: text in result.stderr, 2)
    (place.folder / "work" / "earlier").write_text("earlier report")
    place.own()
    check_run("a refused recording leaves an earlier report alone", place.record("-o", "full", "--report", "earlier", "--", "true"),
              lambda _: (place.folder / "work" / "earlier").read_text() == "earlier report", 2)
    (place.folder / "work" / "earlier").unlink()
    check_run("options of the command are not read", place.record("-o", "d", "--", "sh", "-c", 'echo "$@"', "sh", "--verbose", "--", "[a,b]"),
              lambda result: result.stdout == "--verbose -- [a,b]\n")
    no_lttng = place.folder / "no-lttng"
    no_lttng.mkdir()
    for program in ("true", "sh", "cat"):
        (no_lttng / program).symlink_to(f"/bin/{program}")
    check_run("LTTng is not installed", place.record("--", "true", environment={"PATH": str(no_lttng)}),
              lambda result: "apt-get install lttng-tools" in result.stderr, 125)
    check_run("the kernel alone, where it cannot be recorded", place.record("--events", "kernel", "--", "true"),
              lambda result: "the kernel cannot be recorded: " in result.stderr and len(place.work()) == 1, 125)
    place.clear()


def recorded_events():
    result = place.record("-o", "a", "--no-loss", "--", "ust-events", 1000)
    steps = [line for line in events(place.folder / "work/a") if "lttng_gpu_bench:step" in line]
    pid_ns = f"pid_ns = {os.stat('/proc/self/ns/pid').st_ino},"
    good = all("vpid =" in line and "vtid =" in line and pid_ns in line and 'procname = "ust-events"' in line for line in steps)
    check_run("every event of the command is recorded, with its process and thread", result,
              lambda _: len(steps) == 1000 and good and "user space only: " in result.stderr)
    result = place.record("-o", "b", "--buffers", "16K", "--", "ust-events", 2_000_000)
    few = len(events(place.folder / "work/b"))
    check_run("small buffers lose events", result, lambda _: 0 < few < 2_000_000)
    check_run("which is also reported without --report", place.record("-o", "b2", "--buffers", "16K", "--no-report", "--", "ust-events", 2_000_000),
              lambda result: "events were discarded" in result.stderr)
    result = place.record("-o", "c", "--buffers", "16K", "--no-loss", "--", "ust-events", 300_000)
    all_of_them = len(events(place.folder / "work/c"))
    check_run("--no-loss loses no event", result, lambda _: all_of_them == 300_000)
    result = place.record("-o", "d", "--events", "user:no_such:*,user", "--", "ust-events", 10)
    check_run("more events have a channel of their own", result,
              lambda _: list((place.folder / "work/d").rglob("gpu_*")))
    place.clear()
    result = place.record("--", "ust-events", 5)
    check_run("the default directory is named after date and time", result, lambda _: place.work("lttng-gpu-2*-*") and len(place.work()) == 1)
    place.clear()


def streams():
    check_run("the command uses the standard input and output of record",
              place.record("-o", "a", "--", "sh", "-c", "ust-events 5; tr a-z A-Z; echo word >&2", stdin=None, input="hello"),
              lambda result: result.stdout == "HELLO" and "word\n" in result.stderr and "no GPU jobs in the trace" in result.stderr)
    check_run("--no-report", place.record("-o", "b", "--no-report", "--", "true"), lambda result: "no GPU jobs" not in result.stderr)
    check_run("--report FILE gets the report", place.record("-o", "c", "--report", "r.json", "--format", "json", "--", "ust-events", 5),
              lambda result: '"lttng-gpu/report/1"' in (place.folder / "work/r.json").read_text() and "lttng-gpu/report/1" not in result.stderr)
    (place.folder / "work" / "r.csv").write_text("x" * 100_000)
    place.own()
    check_run("an earlier report is replaced", place.record("-o", "c2", "--report", "r.csv", "--format", "csv", "--", "ust-events", 5),
              lambda _: "xxx" not in (place.folder / "work/r.csv").read_text())
    check_run("a report in the new folder itself", place.record("-o", "c3", "--report", "c3/r.json", "--format", "json", "--", "ust-events", 5),
              lambda result: '"lttng-gpu/report/1"' in (place.folder / "work/c3/r.json").read_text())
    check_run("--report - is standard output", place.record("-o", "d", "--report", "-", "--format", "json", "--", "sh", "-c", "ust-events 5; echo first"),
              lambda result: result.stdout.startswith("first\n{"))
    library = place.bin / "liblttng-gpu-opencl.so"
    library.write_text("")
    shown = place.record("-o", "e", "--preload", "--", "env", environment={"OPENCL_LAYERS": "/other/layer.so", "LTTNG_UST_REGISTER_TIMEOUT": "77"})
    check_run("the command's environment has the layer, and keeps what it had", shown, lambda result: {
        f"OPENCL_LAYERS=/other/layer.so:{library}", "LTTNG_UST_REGISTER_TIMEOUT=77"} <= set(result.stdout.split("\n"))
        and re.search(f"^LD_PRELOAD={library}(:/.*liblttng-gpu-descriptors.so)?$", result.stdout, re.MULTILINE))
    shown = place.record("-o", "f", "--", "env")
    check_run("it waits for its registration", shown, lambda result: "LTTNG_UST_REGISTER_TIMEOUT=-1\n" in result.stdout)
    library.unlink()
    slow = place.record("-o", "g", "--no-report", "--", "sh", "-c", f"LD_PRELOAD={place.bin}/slow-answer.so exec ust-events 100")
    check_run("an application that answers the session daemon late is not dropped: no event of it is missing", slow,
              lambda _: sum("lttng_gpu_bench:step" in line for line in events(place.folder / "work/g")) == 100)
    place.clear()


def shown_commands():
    dry = place.record("--dry-run", "--snapshot", "--trigger", "5ms", "--", "echo", "a b")
    check_run("--dry-run changes nothing and prints what would be done", dry, lambda result: not place.work() and all(
        text in result.stdout for text in ("lttng-sessiond --background", "lttng --no-sessiond create", "echo 'a b'", "--no-sessiond destroy")))
    real = place.record("--verbose", "-o", "a", "--", "echo", "a b")
    dry = place.record("--dry-run", "-o", "b", "--", "echo", "a b")
    plain = [line.split("+ ", 1)[1] for line in real.stderr.splitlines() if line.startswith("+ ")]
    # What differs is the session's name, the folder, the daemon's process.
    kinds = [[" ".join(line.split()[:3]) for line in lines if not line.startswith(("#", "kill", "mkdir"))] for lines in (plain, dry.stdout.splitlines())]
    check_run("--verbose shows the commands that --dry-run prints", real, lambda _: kinds[0] == kinds[1] and len(plain) > 6)
    place.clear()


class Running:
    """A record whose command has come so far that it has written its process id to a file."""

    def __init__(self, options, script, first="", **how):
        place.clear()
        self.process = place.start("-o", "a", *options, "--", "sh", "-c", f"{first} echo $$ >ready; {script}", **how)
        self.is_ready = wait_until(lambda: (place.folder / "work/ready").exists() and (place.folder / "work/ready").read_text().strip())
        self.command = int((place.folder / "work/ready").read_text()) if self.is_ready else 0

    def end(self, timeout=60):
        output, errors = self.process.communicate(timeout=timeout)
        return subprocess.CompletedProcess([], self.process.returncode, output or "", errors or "")


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

        self.process = place.start("-o", "a", "--", "sh", "-c", script, stdin=slave, stdout=slave, stderr=slave, preexec_fn=become_foreground)
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
    check_run("the command reads from the terminal", job.end(), lambda result: "read: hello" in result.stdout and "all a terminal" in result.stdout)
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


@contextlib.contextmanager
def failing_lttng(step, does='echo "Error: as if" >&2; exit 1'):
    """A program before LTTng's own in $PATH that fails at one step, or does something else before it."""
    real = subprocess.run(["which", "lttng"], stdout=subprocess.PIPE, text=True).stdout.strip()
    fake = place.bin / "lttng"
    fake.write_text(f'#!/bin/sh\nLTTNG_REAL={real}\n[ "$2" != {step} ] || {{ {does}; }}\nexec {real} "$@"\n')
    fake.chmod(0o755)
    yield
    fake.unlink()


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
    tap.check_that("a dry run does not touch the name of the current session", (place.folder / ".lttngrc").stat().st_mtime == 1, said(result))
    # Files that record makes must not be known beforehand: whoever may write to the folder could have it write elsewhere.
    (place.folder / "victim").write_text("theirs")
    first_pid = os.getpid()
    links = [place.folder / f".lttngrc.{pid}" for pid in range(first_pid + 1, first_pid + 3000)]
    for link in links:
        link.symlink_to(place.folder / "victim")
    place.own()
    result = place.record("-o", "a", "--", "ust-events", 10)
    tap.check_that("links in the place of a file that record may make are not followed", (place.folder / "victim").read_text() == "theirs" and
                   all(link.is_symlink() for link in links) and sorted(place.folder.glob(".lttngrc*")) == sorted([place.folder / ".lttngrc", *links]), said(result))
    for link in links:
        link.unlink(missing_ok=True)
    tap.check_that("a daemon and a session of somebody else's are untouched", result.returncode == 0 and place.daemons("lttng-sessiond") == before and
                   place.sessions() == ["theirs"] and (place.folder / ".lttngrc").read_text() == settings and len(events(place.folder / "work/a")) == 10,
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
    tap.check("a session that cannot be destroyed stays noted until it can", [] if result.returncode == 125 and len(left) == 1 and kept == left and
              "cleaning up after" in third.stderr else [said(result), said(second), said(third), str((left, kept))] + place.leftovers())
    tap.check("and then everything is undone", place.leftovers())
    place.clear()
    running = Running([], "sleep 3")
    for pid in place.daemons():
        with contextlib.suppress(ProcessLookupError):  # one of them ends the others
            os.kill(pid, signal.SIGKILL)
    result = running.end()
    wait_until(lambda: not place.daemons())
    check_run("the session daemon dies meanwhile: reported, and not a success", result, lambda result: "No session daemon" in result.stderr, 125)
    place.clear()
    # LTTng 2.16's list does not say that there is no daemon.
    with failing_lttng("--mi", '"$LTTNG_REAL" "$@" >/dev/null 2>&1 || { echo "Error: Failed to list: Failed to list recording sessions" >&2; exit 1; }'):
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
    check_run("--recover reports when there is nothing to do", place.record("--recover"), lambda result: "nothing to clean up" in result.stderr)
    place.clear()


def died_writing():
    """Buffers in which a program that was killed holds room that it never gives back."""
    script = "dies-writing 5000 0; dies-writing 300 1; dies-writing 200 1; date +%s.%N >died-at"
    result = place.record("--events", "user", "-o", "died", "--", "sh", "-c", script, environment={"LTTNG_UST_REGISTER_TIMEOUT": "-1"})
    seconds = time.time() - float((place.folder / "work" / "died-at").read_text())
    check_run(f"a program is killed while it writes an event: record ends {seconds:.1f} s later and says so", result,
              lambda result: "was killed while it wrote" in result.stderr and seconds < busy_seconds)
    died = place.folder / "work" / "died"
    seen = len([line for line in events(died) if "lttng_gpu_dying:event" in line])
    tap.check_that("every event before the unfinished one is in the trace", seen == 5300, f"{seen} events")
    for trace in (died, next(died.rglob("metadata")).parent):
        read = subprocess.run([lttng_gpu, "report", "--format", "json", trace], capture_output=True, text=True)
        tap.check_that(f"a report of {'the recording' if trace == died else 'its trace alone'} does not say that nothing was lost",
                       read.returncode in (1, 4) and "gaps of unknown size" in read.stderr, f"{read.returncode}: {read.stderr}")
    place.clear()


def late_stop():
    """Nobody was killed, and `lttng stop` begins long after the command has ended: what is unread in the buffers meanwhile is no sign of anything."""
    with failing_lttng("stop", "sleep 4"):
        result = place.record("--events", "user", "--no-report", "-o", "late", "--", "ust-events", 1000)
    late = place.folder / "work" / "late"
    seen = len([line for line in events(late) if "lttng_gpu_bench:step" in line])
    check_run(f"`lttng stop` begins 4 s late: it is waited for, and nothing is said of killed programs or gaps ({seen} events)", result, lambda result:
              seen == 1000 and "waiting for `lttng" in result.stderr and not re.search("kill|gap|lost|missing|not read", result.stderr) and
              not (late / "lttng-gpu-losses").exists())
    place.clear()


def killed_at_random():
    """Busy programs that are killed at any moment; in a long run 200 times."""
    problems, stuck, longest = [], 0, 0
    for number in range(int(os.environ.get("KILLS", 200 if os.environ.get("LONG") else 4))):
        # On a busy machine it takes a while until LTTng knows the first of them.
        begun = f"until find killed-{number} -name '*_0' | grep -q .; do sleep 0.1; done"
        script = f"for i in 1 2 3; do ust-events 100000000 & done; {begun}; sleep {random.uniform(0, 0.7):.3f}; kill -9 $(jobs -p); wait; date +%s.%N >died-at"
        result = place.record("--events", "user,user:lttng_gpu_bench*", "-o", f"killed-{number}", "--", "bash", "-c", script)
        died = place.folder / "work" / "died-at"
        if not died.exists():
            problems.append(f"run {number}: the command did not run\n{said(result)}")
            continue
        seconds = time.time() - float(died.read_text())
        longest = max(longest, seconds)
        stuck += "was killed while it wrote" in result.stderr
        read = subprocess.run([lttng_gpu, "report", place.folder / "work" / f"killed-{number}"], capture_output=True, text=True, timeout=120)
        if seconds > busy_seconds or place.leftovers() or "nothing was recorded" in result.stderr or read.returncode not in (0, 1, 4):
            problems.append(f"run {number}: {seconds:.1f} s, {place.leftovers()}\n{said(result)}\n{said(read)}")
        place.clear()
    tap.check(f"programs are killed at random, {number + 1} times ({stuck} times while one wrote an event); record ends {longest:.1f} s later at most", problems)


def another_home():
    home = place.folder / "other-home"
    home.mkdir()
    place.own()
    other = {"LTTNG_HOME": str(home)}
    result = place.record("-o", "a", "--no-report", "--", "sh", "-c", "ls -A $XDG_RUNTIME_DIR $LTTNG_HOME", environment=other)
    check_run("notes are where the session daemon is", result,
              lambda result: f".lttng-gpu-{os.uname().nodename}" in result.stdout and "\nlttng-gpu\n" not in result.stdout)
    place.clear()
    notes = place.folder / "run/lttng-gpu"
    notes.mkdir(mode=0o700)
    place.own()
    lock = os.open(notes, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    waiting = place.start("-o", "a", "--", "true")
    time.sleep(1)
    os.kill(waiting.pid, signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        waiting.wait(5)
    code = waiting.poll()
    os.close(lock)
    waiting.wait(60)
    with contextlib.suppress(OSError):
        notes.rmdir()
    check_run("waiting for another recording can be interrupted", subprocess.CompletedProcess([], code, "", waiting.stderr.read()),
              lambda result: "interrupted" in result.stderr, 130)
    place.clear()


def report_first():
    """Another recording keeps what is left to undo waiting; the trace is complete, and so is its report."""
    running = Running(["--events", "user", "--report", "r.json", "--format", "json"], "while [ ! -e ended ]; do sleep 0.05; done", "ust-events 1000;")
    lock = os.open(place.folder / "run/lttng-gpu", os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    (place.folder / "work" / "ended").touch()
    report = place.folder / "work" / "r.json"
    is_there = wait_until(lambda: report.exists() and '"lttng-gpu/report/1"' in report.read_text() and report.read_text().endswith("}\n"), busy_seconds)
    is_running = running.process.poll() is None
    os.close(lock)
    check_run("the report comes when the trace is complete, before daemons have ended", running.end(),
              lambda result: is_there and is_running and "the trace is in a" in result.stderr)
    # A report that nobody reads is printed without end.
    pipe = place.folder / "report-pipe"
    os.mkfifo(pipe)
    place.own()
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    os.write(reader, b"x" * fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096))
    running = Running(["--events", "user", "--report", pipe], "while [ ! -e ended ]; do sleep 0.05; done", "ust-events 1000;")
    lock = os.open(place.folder / "run/lttng-gpu", os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    (place.folder / "work" / "ended").touch()
    children = Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children")

    def prints():
        for pid in children.read_text().split():
            with contextlib.suppress(OSError):  # LTTng's programs come and go
                if Path(f"/proc/{pid}/cmdline").read_text().split("\0")[0].endswith("lttng-gpu"):  # empty for one that has ended
                    return True
        return False

    has_begun = wait_until(prints)
    os.killpg(running.process.pid, signal.SIGINT)
    has_ended = wait_until(lambda: not prints())
    is_running = running.process.poll() is None
    os.close(lock)
    result = running.end()
    os.close(reader)
    pipe.unlink()
    check_run("Ctrl-C ends the report and nothing else", result, lambda result: has_begun and has_ended and is_running)
    place.clear()


def at_once():
    first = place.start("-o", "a", "--", "sh", "-c", "echo >ready; sleep 1")
    wait_until(lambda: (place.folder / "work/ready").exists())
    second = place.start("-o", "b", "--", "sh", "-c", "sleep 3; ust-events 100")
    codes = first.wait(60), second.wait(60)
    problems = [] if codes == (0, 0) and len(events(place.folder / "work/b")) == 100 else [f"exit codes {codes}", second.stderr.read()]
    tap.check("two at once share the daemon, and the last one stops it", problems + place.leftovers())
    place.clear()


def flight_recorder():
    beat = "i=0; while [ $i -lt {} ]; do ust-events 100; i=$((i+1)); sleep 0.05; done"
    running = Running(["--snapshot", "--max-snapshots", "2"], beat.format(60))
    names = []
    for number in (1, 2, 3):
        time.sleep(0.4)
        os.kill(running.process.pid, signal.SIGUSR1)
    result = running.end()
    names = sorted(path.name for path in (place.folder / "work/a").iterdir())
    counts = [len(events(place.folder / "work/a" / name)) for name in names]
    check_run("SIGUSR1 takes snapshots, at most --max-snapshots", result, lambda result: names == ["request-1", "request-2"] and
              0 < counts[0] < counts[1] and "no more snapshots" in result.stderr and result.stderr.count("no GPU jobs") == 2)
    result = place.record("--snapshot", "-o", "b", "--", "ust-events", 10)
    check_run("no snapshot, no trace", result, lambda result: "no snapshot was taken" in result.stderr and not (place.folder / "work/b").exists())
    running = Running(["--snapshot-at-exit", "--snapshot", "--max-snapshots", "1"], "sleep 0.5; ust-events 10; sleep 0.5")
    os.kill(running.process.pid, signal.SIGUSR1)
    full = running.end()
    check_run("also beyond --max-snapshots", full, lambda _: {path.name for path in (place.folder / "work/a").iterdir()} == {"request-1", "exit-2"})
    result = place.record("--snapshot-at-exit", "--snapshot", "-o", "b", "--", "ust-events", 10)
    check_run("--snapshot-at-exit takes a snapshot", result, lambda _: len(events(place.folder / "work/b/exit-1")) == 10)
    result = place.record("--snapshot-at-exit", "--snapshot", "-o", "c", "--buffers", "128K", "--", "ust-events", 200_000)
    last = events(place.folder / "work/c")
    result.stdout += f"{len(last)} events, the last is {last[-1:]}"
    check_run("a flight recorder keeps the last events", result, lambda _: 100 < len(last) < 20_000 and any("number = 99999," in line for line in last))
    place.clear()


def counters():
    """With a made folder in place of /sys/class, which only the record sees."""
    made = place.folder / "made"
    card, device = made / "with/drm/card0", made / "0000:03:00.0"
    (made / "without").mkdir(parents=True)
    (device / "hwmon/hwmon4").mkdir(parents=True)
    card.mkdir(parents=True)
    (card / "device").symlink_to(device)
    for name, value in (("gpu_busy_percent", 37), ("hwmon/hwmon4/power1_average", 12_000_000), ("hwmon/hwmon4/temp1_input", "none")):
        (device / name).write_text(f"{value}\n")
    place.own()

    def beside(folder):
        return ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /sys/class && exec "$@"', made / folder]

    if not is_root or subprocess.run([*map(str, beside("with")), "true"], stderr=subprocess.DEVNULL).returncode:
        tap.check("counters of a made device", skip="only root can mount")
        return
    result = place.record("-o", "a", "--counters", "--report", "r.json", "--format", "json", "--", "sh", "-c", f"echo 90 >{device}/gpu_busy_percent", before=beside("with"))
    report = place.folder / "work/r.json"
    rows = json.loads(report.read_text()).get("counters", []) if report.exists() else []
    shown = [(row["device"], row["counter"], row["unit"], row["source"], row["last"]) for row in rows]
    expected = [("0000:03:00.0", "gpu_busy_percent", "%", "sampled", 90), ("0000:03:00.0", "power1_average", "uW", "sampled", 12_000_000)]
    check_run("counters are sampled beside the sessions, also when the command has ended; the one without a value is no row", result,
              lambda result: shown == expected and "3 counters were read " in result.stderr and all(row["count"] >= 1 for row in rows))
    trace = place.folder / "work/a/counters"
    samples = [line for line in events(trace) if "lttng_gpu_counters:sample" in line] if trace.exists() else []
    tap.check_that("babeltrace2 reads the same samples", samples and len(samples) == sum(row["count"] for row in rows), f"{len(samples)} samples: {rows}")
    result = place.record("-o", "b", "--counter-interval", "1ms", "--", "sleep", "0.1", before=beside("with"))
    check_run("--counter-interval alone samples, too", result, lambda result: "every 1 ms" in result.stderr and "gpu_busy_percent in %: 90–90" in result.stderr)
    result = place.record("-o", "c", "--counters", "--", "ust-events", 5, before=beside("without"))
    check_run("no device has any: told, and no trace of them", result, lambda result: "no counters: " in result.stderr and not (place.folder / "work/c/counters").exists())
    result = place.record("-o", "d", "--", "true", before=beside("with"))
    check_run("nothing is sampled unless it is asked for", result, lambda result: "counters" not in result.stderr and not (place.folder / "work/d/counters").exists())
    place.clear()


def as_root():
    """With the daemon that the whole machine shares, which may run or not."""
    result = subprocess.run([lttng_gpu, "record", "-o", place.folder / "work/root", "--no-loss", "--", "sh", "-c", 'echo $$; exec "$0" 100',
                             build / "ust-events"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    # Others may record events, too: all programs of a user are traced.
    ours = [line for line in events(place.folder / "work/root") if f"vpid = {result.stdout.strip()}," in line]
    tap.check_that("root's user space is recorded, too", result.returncode == 0 and len(ours) == 100, f"{len(ours)} events\n{said(result)}")


try:
    problem = lttng_session.why_not()
    if problem:
        tap.check("recording", [], skip=problem)
    else:
        groups = (exit_codes, recorded_events, streams, shown_commands, signals, terminal, restoring, killed, died_writing, late_stop, killed_at_random, another_home, report_first, at_once, flight_recorder,
                  counters)
        for group in groups:
            if not sys.argv[3:] or group.__name__ in sys.argv[3:]:
                group()
        if is_root:
            as_root()
finally:
    place.close()
sys.exit(tap.finish())
