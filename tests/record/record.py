#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record.py LTTNG_GPU BUILD [GROUP...]: `lttng-gpu record` with user space events, and no OpenCL: exit codes, events, streams, reports,
snapshots, counters. Prints TAP."""
import contextlib
import fcntl
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from recorder import events, is_root, wait_until
from suite import Running, build, busy_seconds, check_run, late, lttng_gpu, place, run, said, tap, work


def exit_codes():
    check_run("a command that succeeds", place.record("-o", "a", "--", "true"),
              lambda result: "nothing was recorded" in result.stderr and not place.work())
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
    check_run("options of the command are not read",
              place.record("-o", "d", "--", "sh", "-c", 'echo "$@"', "sh", "--verbose", "--", "[a,b]"),
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
    check_run("which is also reported without --report",
              place.record("-o", "b2", "--buffers", "16K", "--no-report", "--", "ust-events", 2_000_000),
              lambda result: "events were discarded" in result.stderr)
    result = place.record("-o", "c", "--buffers", "16K", "--no-loss", "--", "ust-events", 300_000)
    all_of_them = len(events(place.folder / "work/c"))
    check_run("--no-loss loses no event", result, lambda _: all_of_them == 300_000)
    result = place.record("-o", "d", "--events", "user:no_such:*,user", "--", "ust-events", 10)
    check_run("more events have a channel of their own", result,
              lambda _: list((place.folder / "work/d").rglob("gpu_*")))
    place.clear()
    result = place.record("--", "ust-events", 5)
    check_run("the default directory is named after date and time", result,
              lambda _: place.work("lttng-gpu-2*-*") and len(place.work()) == 1)
    place.clear()


def streams():
    check_run("the command uses the standard input and output of record",
              place.record("-o", "a", "--", "sh", "-c", "ust-events 5; tr a-z A-Z; echo word >&2", stdin=None, input="hello"),
              lambda result: result.stdout == "HELLO" and "word\n" in result.stderr and "no GPU jobs in the trace" in result.stderr)
    check_run("--no-report", place.record("-o", "b", "--no-report", "--", "true"), lambda result: "no GPU jobs" not in result.stderr)
    check_run("--report FILE gets the report", place.record("-o", "c", "--report", "r.json", "--format", "json", "--", "ust-events", 5),
              lambda result: '"lttng-gpu/report/1"' in (place.folder / "work/r.json").read_text()
              and "lttng-gpu/report/1" not in result.stderr)
    (place.folder / "work" / "r.csv").write_text("x" * 100_000)
    place.own()
    check_run("an earlier report is replaced", place.record("-o", "c2", "--report", "r.csv", "--format", "csv", "--", "ust-events", 5),
              lambda _: "xxx" not in (place.folder / "work/r.csv").read_text())
    check_run("a report in the new folder itself",
              place.record("-o", "c3", "--report", "c3/r.json", "--format", "json", "--", "ust-events", 5),
              lambda result: '"lttng-gpu/report/1"' in (place.folder / "work/c3/r.json").read_text())
    check_run("--report - is standard output",
              place.record("-o", "d", "--report", "-", "--format", "json", "--", "sh", "-c", "ust-events 5; echo first"),
              lambda result: result.stdout.startswith("first\n{"))
    library = place.bin / "liblttng-gpu-opencl.so"
    library.write_text("")
    shown = place.record("-o", "e", "--preload", "--", "env",
                         environment={"OPENCL_LAYERS": "/other/layer.so", "LTTNG_UST_REGISTER_TIMEOUT": "77"})
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
        text in result.stdout
        for text in ("lttng-sessiond --background", "lttng --no-sessiond create", "echo 'a b'", "--no-sessiond destroy")))
    real = place.record("--verbose", "-o", "a", "--", "echo", "a b")
    dry = place.record("--dry-run", "-o", "b", "--", "echo", "a b")
    plain = [line.split("+ ", 1)[1] for line in real.stderr.splitlines() if line.startswith("+ ")]
    # What differs is the session's name, the folder, the daemon's process.
    kinds = [[" ".join(line.split()[:3]) for line in lines if not line.startswith(("#", "kill", "mkdir"))]
             for lines in (plain, dry.stdout.splitlines())]
    check_run("--verbose shows the commands that --dry-run prints", real, lambda _: kinds[0] == kinds[1] and len(plain) > 6)
    place.clear()


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
    running = Running(["--events", "user", "--report", "r.json", "--format", "json"], "while [ ! -e ended ]; do sleep 0.05; done",
                      "ust-events 1000;")
    lock = os.open(place.folder / "run/lttng-gpu", os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    (place.folder / "work" / "ended").touch()
    report = place.folder / "work" / "r.json"
    is_there = wait_until(lambda: report.exists() and '"lttng-gpu/report/1"' in report.read_text() and report.read_text().endswith("}\n"),
                          busy_seconds)
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
            with contextlib.suppress(OSError):  # LTTng's programs come and go, each in a session of its own, and are lttng-gpu until they run
                is_ours = os.getpgid(int(pid)) == running.process.pid
                if is_ours and Path(f"/proc/{pid}/cmdline").read_text().split("\0")[0].endswith("lttng-gpu"):  # empty for one that has ended
                    return True
        return False

    has_begun = wait_until(lambda: prints() and not time.sleep(0.2) and prints(), 60)
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
    """Each signal is sent when record has answered the one before: two that come while it takes a snapshot are one, as all signals are."""
    beat = "i=0; while [ ! -e ended ] && [ $i -lt 1000 ]; do ust-events 100; echo $i >beats; i=$((i+1)); sleep 0.05; done"
    running = Running(["--snapshot", "--max-snapshots", "2"], beat, stderr=open(place.folder / "errors", "w"))
    for words in ("snapshot request-1: ", "snapshot request-2: ", "no more snapshots"):
        (work / "beats").unlink(missing_ok=True)
        wait_until((work / "beats").exists)
        os.kill(running.process.pid, signal.SIGUSR1)
        wait_until(lambda: words in (place.folder / "errors").read_text())
    (work / "ended").touch()
    result = running.end()
    result.stderr = (place.folder / "errors").read_text()
    names = sorted(path.name for path in (work / "a").iterdir())
    counts = [len(events(work / "a" / name)) for name in names]
    check_run("SIGUSR1 takes snapshots, at most --max-snapshots", result, lambda result: names == ["request-1", "request-2"] and
              0 < counts[0] < counts[1] and "no more snapshots" in result.stderr and result.stderr.count("no GPU jobs") == 2)
    # Headings are the report's; the notes of the same words begin with the program's name.
    headed = re.findall(r"^(snapshot \S+: asked for by SIGUSR1|Nothing was submitted|\n(?=snapshot))", result.stderr, re.MULTILINE)
    check_run("one report has each snapshot under its heading", result, lambda _: headed == [
        "snapshot request-1: asked for by SIGUSR1", "Nothing was submitted", "\n",
        "snapshot request-2: asked for by SIGUSR1", "Nothing was submitted"])
    result = place.record("--snapshot", "-o", "b", "--", "ust-events", 10)
    check_run("no snapshot, no trace", result,
              lambda result: "no snapshot was taken" in result.stderr and not (place.folder / "work/b").exists())
    running = Running(["--snapshot-at-exit", "--snapshot", "--max-snapshots", "1"], "while [ ! -e ended ]; do sleep 0.05; done",
                      "ust-events 10;")
    with late(running):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1):
            os.kill(running.process.pid, number)
    full = running.end()
    check_run("SIGUSR1 just before the command ends, and --snapshot-at-exit beyond --max-snapshots", full,
              lambda _: {path.name for path in (work / "a").iterdir()} == {"request-1", "exit-2"})
    result = place.record("--snapshot-at-exit", "--snapshot", "-o", "b", "--", "ust-events", 10)
    check_run("--snapshot-at-exit takes a snapshot", result, lambda _: len(events(place.folder / "work/b/exit-1")) == 10)
    result = place.record("--snapshot-at-exit", "--snapshot", "-o", "c", "--buffers", "128K", "--", "ust-events", 200_000)
    last = events(place.folder / "work/c")
    result.stdout += f"{len(last)} events, the last is {last[-1:]}"
    check_run("a flight recorder keeps the last events", result,
              lambda _: 100 < len(last) < 20_000 and any("number = 99999," in line for line in last))
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
    result = place.record("-o", "a", "--counters", "--report", "r.json", "--format", "json", "--", "sh", "-c",
                          f"echo 90 >{device}/gpu_busy_percent", before=beside("with"))
    report = place.folder / "work/r.json"
    rows = json.loads(report.read_text()).get("counters", []) if report.exists() else []
    shown = [(row["device"], row["counter"], row["unit"], row["source"], row["last"]) for row in rows]
    expected = [("0000:03:00.0", "gpu_busy_percent", "%", "sampled", 90), ("0000:03:00.0", "power1_average", "uW", "sampled", 12_000_000)]
    check_run("counters are sampled beside the sessions, also when the command has ended; the one without a value is no row", result,
              lambda result: shown == expected and "3 counters were read " in result.stderr and all(row["count"] >= 1 for row in rows))
    trace = place.folder / "work/a/counters"
    samples = [line for line in events(trace) if "lttng_gpu_counters:sample" in line] if trace.exists() else []
    tap.check_that("babeltrace2 reads the same samples", samples and len(samples) == sum(row["count"] for row in rows),
                   f"{len(samples)} samples: {rows}")
    result = place.record("-o", "b", "--counter-interval", "1ms", "--", "sleep", "0.1", before=beside("with"))
    check_run("--counter-interval alone samples, too", result,
              lambda result: "every 1 ms" in result.stderr and "gpu_busy_percent in %: 90–90" in result.stderr)
    result = place.record("-o", "c", "--counters", "--", "ust-events", 5, before=beside("without"))
    check_run("no device has any: told, and no trace of them", result,
              lambda result: "no counters: " in result.stderr and not (place.folder / "work/c/counters").exists())
    result = place.record("-o", "d", "--", "true", before=beside("with"))
    check_run("nothing is sampled unless it is asked for", result,
              lambda result: "counters" not in result.stderr and not (place.folder / "work/d/counters").exists())
    place.clear()


def as_root():
    """With the daemon that the whole machine shares, which may run or not."""
    result = subprocess.run([lttng_gpu, "record", "-o", place.folder / "work/root", "--no-loss", "--", "sh", "-c", 'echo $$; exec "$0" 100',
                             build / "ust-events"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    # Others may record events, too: all programs of a user are traced.
    ours = [line for line in events(place.folder / "work/root") if f"vpid = {result.stdout.strip()}," in line]
    tap.check_that("root's user space is recorded, too", result.returncode == 0 and len(ours) == 100, f"{len(ours)} events\n{said(result)}")


run((exit_codes, recorded_events, streams, shown_commands, another_home, report_first, at_once, flight_recorder, counters,
     *([as_root] if is_root else [])))
