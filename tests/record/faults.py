#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""faults.py LTTNG_GPU BUILD [GROUP...]: `lttng-gpu record` when programs and daemons fail, and as root for another user. Whatever happens,
record ends, leaves nothing behind, says what is missing, and what was recorded can be read. ROUNDS=N repeats the kill matrix. Prints
TAP."""
import contextlib
import os
import random
import shutil
import signal
import statistics
import subprocess
import time
from pathlib import Path

from recorder import events, is_root, nobody, wait_until
from suite import busy_seconds, count, death_seconds, folders, in_time, place, problems_of_reading, run, said, tap, work

rounds = int(os.environ.get("ROUNDS", 1))
# A program that waits for room in a buffer that nobody reads goes on after that time, several times over.
most_blocking_seconds = 30
is_long = rounds > 1 or bool(os.environ.get("LONG"))


def with_memory_limit(megabytes):
    """Words before a command that then runs in a group of processes which is killed when it needs more. Empty: not possible here."""
    group = Path(f"/sys/fs/cgroup/memory/lttng-gpu-test-{os.getpid()}")
    unified = Path(f"/sys/fs/cgroup/lttng-gpu-test-{os.getpid()}")
    for folder, limit in ((group, "memory.limit_in_bytes"), (unified, "memory.max")):
        with contextlib.suppress(OSError):
            if folder.parent.is_dir():
                folder.mkdir(exist_ok=True)
                (folder / limit).write_text(str(megabytes << 20))
                os.chmod(folder / "cgroup.procs", 0o666)
                if place.run("sh", "-c", f"echo 0 >{folder}/cgroup.procs").returncode == 0:
                    return folder
                folder.rmdir()
    return None


ends = {"kill": 137, "segv": 139, "abort": 134, "exit": 9, "_exit": 9, "callback": 9, "fork": 0}


def check_end(words, run_once, code, least, trace, most=death_seconds):
    """run_once() returns a finished record, and when the program ended."""
    seen = 0

    def attempt():
        nonlocal seen
        place.clear()
        result, ended = run_once()
        seconds = time.time() - ended
        seen = count(trace)
        problems = [] if result.returncode == code and seen >= least else [f"{seen} events in the trace\n{said(result)}"]
        return seconds, problems + problems_of_reading(trace) + place.leftovers()

    seconds, problems = in_time(attempt, most)
    tap.check(f"{words}: record ends {seconds:.1f} s later, {seen} events", problems)
    place.clear()


def ended():
    return float((work / "ended").read_text())


def programs():
    """Programs that end in every way, while they write and while they do not."""
    group = with_memory_limit(200) if is_root else None
    for number in range(rounds):
        for end, code in ends.items():
            for load in ("idle", "busy"):
                for loss in ([], ["--no-loss"]) if end == "kill" or is_long else ([],):
                    script = f"ulimit -c 0; ends-writing {end} {load}; code=$?; date +%s.%N >ended; exit $code"
                    check_end(f"{end} {load} {' '.join(loss)}",
                              lambda: (place.record("--events", "user", *loss, "-o", "a", "--", "sh", "-c", script), ended()),
                              code, 3000 if end == "fork" and load == "idle" else 1000, work / "a")
        if not group:
            tap.check("a program that the kernel kills because memory is short", skip="there is no group of processes for it")
            continue
        for load in ("idle", "busy"):
            script = f"(echo 0 >{group}/cgroup.procs && exec ends-writing oom {load}); code=$?; date +%s.%N >ended; exit $code"
            check_end(f"killed because memory is short, {load}",
                      lambda: (place.record("--events", "user", "-o", "a", "--", "bash", "-c", script), ended()),
                      137, 1000, work / "a")
    if group:
        wait_until(lambda: not (group / "cgroup.procs").read_text(), 5)
        group.rmdir()


def per_process_buffers():
    """A session of one's own, with buffers of each process: LTTng reads what a process left that has ended, and the report reads it,
    too."""
    group = with_memory_limit(300) if is_root else None
    codes = {**{end: 128 - code if code > 128 else code for end, code in ends.items()}, **({"oom": -9} if group else {})}
    for load in ("idle", "busy"):
        # All at once, because reading takes longest; a long run has each alone. What many busy ones write takes half a minute to read.
        at_once = list(codes) if load == "idle" else ["kill", "callback"]
        for names in ([[end] for end in codes] if is_long else [at_once]):
            seen = []

            def attempt():
                with own_daemon():
                    steps = own_session("own", work / "own")
                    running = [(end, ends_writing(end, load, group)) for end in names]
                    wrong = [f"{end}: exit code {process.returncode}" for end, process in running if process.wait(60) != codes[end]]
                    begin = time.monotonic()
                    steps.append(place.lttng("destroy", "own"))
                    seconds = time.monotonic() - begin
                seen[:] = sorted(map(count, folders(work / "own")))
                # A child that lives on is a trace of its own.
                wrong += [] if len(seen) >= len(names) and min(seen) >= 1000 else [f"events of each process: {seen}"]
                wrong += [said(step) for step in steps if step.returncode or wrong] + problems_of_reading(work / "own") + place.leftovers()
                place.clear()
                return seconds, wrong

            _, wrong = in_time(attempt)
            tap.check(f"buffers of each process, which ends by {', '.join(names)} while {load}: {sum(seen)} events", wrong)
    if group:
        wait_until(lambda: not (group / "cgroup.procs").read_text(), 5)
        group.rmdir()


def ends_writing(end, load, group=None):
    """The program while it runs; its exit code is its own."""
    into = f"echo 0 >{group}/cgroup.procs && " if end == "oom" else ""
    return subprocess.Popen(place.command("bash", "-c", f"ulimit -c 0; {into}exec ends-writing {end} {load}"), cwd=work,
                            stdin=subprocess.DEVNULL,
                            env={**place.environment, "LTTNG_UST_REGISTER_TIMEOUT": "-1"})


def per_process_daemons():
    """One of LTTng's daemons is killed while a program writes to buffers of its own: the program ends by itself, and so does the session.
    LTTng writes metadata when the session stops, which nobody can do any more, so that the report may only say that there is none."""
    for name in ("lttng-sessiond", "lttng-consumerd"):
        def attempt():
            with own_daemon():
                steps = own_session("own", work / "own")
                program = ends_writing("none", "busy")
                wait_until(lambda: [path for path in (work / "own").rglob("c_*") if path.is_file() and path.suffix != ".idx"
                                    and path.stat().st_size])
                for pid in place.daemons((name,)):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                begin = time.monotonic()
                wrong = [] if program.wait(60) == 0 else [f"the program ends with {program.returncode}"]
                place.lttng("destroy", "own")
                seconds = time.monotonic() - begin
            wrong += [said(step) for step in steps if step.returncode] + problems_of_reading(work / "own", (0, 1, 3, 4)) + place.leftovers()
            place.clear()
            return seconds, wrong

        seconds, wrong = in_time(attempt)
        tap.check(f"buffers of each process, {name} is killed while a program writes: the end takes {seconds:.1f} s", wrong)


def own_session(name, trace):
    """With buffers of each process. Returns what lttng said."""
    return [place.lttng("create", name, f"--output={trace}"),
            place.lttng("enable-channel", "-u", "--buffers-pid", "--subbuf-size=256K", "-s", name, "c"),
            place.lttng("enable-event", "-u", "-s", name, "-c", "c", "lttng_gpu_*"),
            place.lttng("add-context", "-u", "-s", name, "-c", "c", "-t", "vpid", "-t", "vtid", "-t", "procname"),
            place.lttng("start", name)]


@contextlib.contextmanager
def own_daemon():
    # The daemon keeps what output it was given.
    subprocess.run(place.command("lttng-sessiond", "--no-kernel", "--background"), env=place.environment, check=True,
                   stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        for pid in place.daemons("lttng-sessiond"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not place.daemons(), 60)
        (place.folder / ".lttngrc").unlink(missing_ok=True)
        shutil.rmtree(place.folder / ".lttng", ignore_errors=True)


def killed_at_random():
    """Busy programs that are killed at any moment, with buffers of each process; record.py does it with those that record makes."""
    kills = int(os.environ.get("KILLS", 200 if os.environ.get("LONG") else 4))
    problems, events, durations = [], 0, []

    def attempt():
        nonlocal events
        name, trace = f"own-{number}", work / f"own-{number}"
        steps = own_session(name, trace)
        # On a busy machine it takes a while until they write. The index of a stream has a header before that.
        begun = f"until [ $(find {name} -name 'c_*' ! -name '*.idx' -size +0 | wc -l) -gt 0 ]; do sleep 0.1; done"
        script = f"for i in 1 2 3; do ust-events 100000000 & done; {begun}; sleep {random.uniform(0, 0.7):.3f}; kill -9 $(jobs -p); wait; date +%s.%N >ended"
        place.run("bash", "-c", script, environment={"LTTNG_UST_REGISTER_TIMEOUT": "-1"})
        steps.append(place.lttng("destroy", name))
        seconds = time.time() - ended()
        # To babeltrace2 each process is a trace of its own.
        seen = sum(map(count, folders(trace)))
        events += seen
        bad = problems_of_reading(trace) + [f"left: session {left}"
                                            for left in place.sessions()] + ([] if seen else ["no event, although a stream had a packet"])
        wrong = bad + [said(step) for step in steps if step.returncode]
        place.clear()
        return seconds, wrong

    with own_daemon():
        for number in range(kills):
            seconds, wrong = in_time(attempt)
            durations.append(seconds)
            problems += [f"run {number}: {problem}" for problem in wrong]
    tap.check(f"buffers of each process, 3 programs are killed at random, {kills} times ({events} events, some in each session); the end "
              f"takes "
              f"{statistics.median(durations or [0]):.1f} s in half of them, {max(durations, default=0):.1f} s at most",
              problems + place.leftovers())


def daemons():
    """One of LTTng's daemons is killed while programs write."""
    for number in range(rounds):
        for name, loss, load in [(name, loss, load) for name in ("lttng-sessiond", "lttng-consumerd") for loss in ([], ["--no-loss"])
                                 for load in ("idle", "busy")]:
            words = f"{name} is killed, {load} {' '.join(loss)}"

            def run_once():
                script = f"ends-writing none {load}; date +%s.%N >ended; echo the command goes on"
                running = place.start("--events", "user", *loss, "-o", "a", "--", "sh", "-c", script)
                wait_until(lambda: count(work / "a") or list(work.glob("a/ust/uid/*/*/gpu_0")))
                time.sleep(0.3)
                for pid in place.daemons((name,)):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                output, errors = running.communicate(timeout=120)
                result = subprocess.CompletedProcess([], running.returncode, output, errors)
                when = ended()
                wait_until(lambda: not place.daemons())
                is_said = f"LTTng's daemon {name}" in errors and "goes on" in output
                tap.check(f"{words}: it is said, and the command goes on", [] if is_said else [said(result)])
                return result, when

            check_end(words, run_once, 125, 1000, work / "a", death_seconds + most_blocking_seconds if loss else death_seconds)


def recovery():
    """record itself is killed, and what is in its buffers is stuck: the next one writes it to the trace."""
    script = "dies-writing 5000 0; dies-writing 300 1; dies-writing 200 1; echo $$ >done; exec sleep 60"
    for has_daemons in (True, False):
        running = place.start("--events", "user", "-o", "a", "--", "sh", "-c", script, environment={"LTTNG_UST_REGISTER_TIMEOUT": "-1"})
        wait_until(lambda: (work / "done").exists() and (work / "done").read_text().strip())
        running.kill()
        if not has_daemons:
            for pid in place.daemons():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            wait_until(lambda: not place.daemons())
        os.kill(int((work / "done").read_text()), signal.SIGKILL)
        running.communicate()
        result = place.record("--recover")
        seen = count(work / "a")
        tap.check(f"record is killed{'' if has_daemons else ', and so are its daemons'}: the next one writes what is stuck in its buffers "
                  f"({seen} events)",
                  ([] if seen == 5300 and "cleaning up" in result.stderr else [said(result)]) + place.leftovers())
        place.clear()


def busy_recovery():
    """record is killed, with or without its daemons, and the program writes on: it neither delays the next one nor is disturbed."""
    for has_daemons in (True, False):
        # So many that it does not end either when nobody records any more: that is a thousand times as fast.
        running = place.start("--events", "user", "-o", "a", "--", "sh", "-c", "ust-events 1000000000000 & echo $! >busy; wait",
                              environment={"LTTNG_UST_REGISTER_TIMEOUT": "-1"})
        wait_until(lambda: count(work / "a") or [path for path in work.glob("a/ust/uid/*/*/gpu_*") if path.stat().st_size])
        busy = int((work / "busy").read_text())
        running.kill()
        running.wait()
        if not has_daemons:
            for pid in place.daemons():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            wait_until(lambda: not place.daemons())
        begin = time.monotonic()
        result = place.record("--recover")
        seconds = time.monotonic() - begin
        is_busy = Path(f"/proc/{busy}/stat").exists() and Path(f"/proc/{busy}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        left = place.leftovers()
        with contextlib.suppress(ProcessLookupError):
            os.kill(busy, signal.SIGKILL)
        running.communicate()
        seen = count(work / "a")
        good = result.returncode == 0 and "cleaning up" in result.stderr and seconds < busy_seconds and is_busy and seen >= 1000
        tap.check(f"record is killed{'' if has_daemons else ', and so are its daemons'} while a program is busy: the next one ends "
                  f"{seconds:.1f} s later, "
                  f"and the program goes on ({seen} events)",
                  ([] if good else [f"busy: {is_busy}", said(result)]) + problems_of_reading(work / "a") + left)
        place.clear()


def surroundings():
    """Users without a home, standard streams that are closed."""
    nowhere = {"HOME": "/proc", "XDG_RUNTIME_DIR": "/nonexistent"}
    result = place.record("--events", "user", "-o", "a", "--", "sh", "-c", "ust-events 100; echo $LTTNG_HOME", environment=nowhere)
    seen = count(work / "a")
    folder = Path(result.stdout.strip() or "/nonexistent")
    left = [str(path) for path in folder.rglob("*") if path.is_file() and path.name != ".lttngrc"] if folder.is_dir() else []
    tap.check(f"a home that cannot be written to: the command runs and is recorded ({seen} events)",
              ([] if result.returncode == 0 and seen == 100 and
              "the home /proc cannot be written to" in result.stderr else [said(result)]) + [f"left: {path}" for path in left])
    with contextlib.suppress(OSError):
        if folder.name.startswith("lttng-gpu-home-"):
            shutil.rmtree(folder)
    place.clear()
    for stream in (0, 1, 2):
        result = place.record("--events", "user", "-o", "a", "--", "sh", "-c",
                              f"ust-events 10; ls -l /proc/self/fd >fds; echo word; echo words >&2",
                              preexec_fn=lambda: os.close(stream))
        fds = (work / "fds").read_text() if (work / "fds").exists() else ""
        problems = [] if count(work / "a") == 10 else [said(result)]
        if stream == 2 and result.stdout != "word\n":
            problems.append(f"standard output of the command has: {result.stdout}")
        if f" {stream} -> /dev/null" in fds:
            problems.append(f"the command finds it open:\n{fds}")
        tap.check(f"standard {('input', 'output', 'error')[stream]} is closed", problems + place.leftovers())
        place.clear()


def as_root(*words, environment=(), timeout=120):
    """record, with a session daemon that no other program of this machine sees."""
    alone = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /run; mount -t tmpfs none /dev/shm; "$@"; code=$?; '
             'ls -d /run/lttng-gpu /dev/shm/lttng-gpu* >&2 2>/dev/null && echo LEFT >&2; exit $code', "sh"]
    return subprocess.run([*alone, place.bin / "lttng-gpu", "record", *map(str, words)], cwd=work, capture_output=True, text=True,
                          timeout=timeout,
                          env={**place.environment, "HOME": str(place.folder / "root"), "XDG_RUNTIME_DIR": "/run/user/0",
                               **dict(environment)})


def users():
    """Root records for another user."""
    if not is_root:
        tap.check("the command as another user", skip="needs root")
        return
    (place.folder / "root").mkdir()
    show = "id -u; id -g; id -G; echo $HOME $USER ${XDG_RUNTIME_DIR-none} ${SUDO_UID-none}; ust-events 100; : >theirs"
    sudo = {"SUDO_UID": str(nobody), "SUDO_GID": "0", "SUDO_USER": "root", "SUDO_COMMAND": "x"}
    result = as_root("--events", "user", "-o", "new/a", "--report", "report.txt", "--", "sh", "-c", show, environment=sudo)
    lines = result.stdout.splitlines()
    of_root = [str(path) for path in [*(work / "new").rglob("*"), work / "new", work / "report.txt", work / "theirs"]
               if path.lstat().st_uid != nobody]
    good = result.returncode == 0 and lines[:3] == [str(nobody)] * 3 and lines[3].endswith(" nobody none none") and \
        count(work / "new/a") == 100 and "the command runs as nobody" in result.stderr and "LEFT" not in result.stderr
    tap.check("sudo record: the command runs as who called sudo, and the recording is theirs", ([] if good else [said(result)]) + of_root)
    result = as_root("--events", "user", "-o", "b", "--user", "root", "--", "id", "-u", environment=sudo)
    tap.check_that("--user root runs it as root", result.returncode == 0 and result.stdout == "0\n", said(result))
    result = as_root("--events", "user", "-o", "c", "--user", "nobody", "--", "sh", "-c", "id -u; ust-events 10")
    tap.check_that("--user NAME", result.stdout == f"{nobody}\n" and result.returncode == 0 and (work / "c").stat().st_uid == nobody,
                   said(result))
    result = as_root("--events", "user", "--user", "no-such-user", "--", "true")
    tap.check_that("a user who does not exist", result.returncode == 2 and "no user `no-such-user`" in result.stderr, said(result))
    result = place.record("--events", "user", "--user", "root", "--", "true")
    tap.check_that("only root can run it as another user", result.returncode == 2 and "only root" in result.stderr, said(result))
    (work / "there").mkdir()
    (work / "secret").write_text("")
    result = as_root("--events", "user", "-o", "there", "--", "sh", "-c", "ust-events 10; ln -s ../secret there/link 2>/dev/null",
                     environment=sudo)
    tap.check_that("a folder that was there stays whose it was",
                   (work / "there").stat().st_uid == 0 and (work / "secret").stat().st_uid == 0 and
                   (work / "there/ust").stat().st_uid == nobody, said(result))
    result = as_root("--events", "user", "-o", "d", "--dry-run", "--", "id", environment=sudo)
    tap.check_that("--dry-run shows the user", "runuser -u nobody -- env" in result.stdout, said(result))
    place.clear()


run((programs, per_process_buffers, per_process_daemons, killed_at_random, daemons, recovery, busy_recovery, surroundings, users))
