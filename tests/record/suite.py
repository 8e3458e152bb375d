# SPDX-License-Identifier: MIT
"""What the suites of `lttng-gpu record` share. Each is called as SUITE LTTNG_GPU BUILD [GROUP...], and prints TAP."""
import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session
from recorder import Place, wait_until
from tap import Tap

build = Path(sys.argv[2]).resolve()
tap = Tap()
# record ends within that time of a program's death (in_time).
death_seconds = 5
# What else is waited for; on a machine with other work it takes longer.
busy_seconds = 5 if os.environ.get("LONG") else 30
place = Place([Path(sys.argv[1]).resolve(), build / "ust-events", build / "dies-writing", build / "ends-writing", build / "slow-answer.so"])
lttng_gpu = place.bin / "lttng-gpu"
work = place.folder / "work"


def said(result):
    return f"exit code {result.returncode}\n{result.stdout[-1500:]}\n{result.stderr[-3000:]}"


def check_run(words, result, good, code=0):
    """A finished record, what is asked of it, and nothing left behind."""
    problems = [] if result.returncode == code and good(result) else [said(result)]
    tap.check(words, problems + place.leftovers())


def in_time(attempt, most=death_seconds, attempts=3):
    """Other work on the machine can delay a run, so one that takes longer is done again, and one of three must keep to the time. attempt()
    returns the seconds and what is wrong besides, of which there may be nothing in any. Returns the last seconds, and what is wrong."""
    taken, wrong = [], []
    while not wrong and len(taken) < attempts and (not taken or taken[-1] > most):
        seconds, wrong = attempt()
        taken.append(seconds)
    late = [f"each of {len(taken)} runs takes longer than {most} s: "
            f"{', '.join(f'{seconds:.1f}' for seconds in taken)} s"] if min(taken) > most else []
    return taken[-1], wrong + late


class Running:
    """A record whose command has come so far that it has written its process id to a file."""

    def __init__(self, options, script, first="", **how):
        place.clear()
        self.process = place.start("-o", "a", *options, "--", "sh", "-c", f"{first} echo $$ >ready; {script}", **how)
        self.is_ready = wait_until(lambda: (place.folder / "work/ready").exists() and (place.folder / "work/ready").read_text().strip(), 60)
        self.command = int((place.folder / "work/ready").read_text()) if self.is_ready else 0

    def end(self, timeout=60):
        output, errors = self.process.communicate(timeout=timeout)
        return subprocess.CompletedProcess([], self.process.returncode, output or "", errors or "")


@contextlib.contextmanager
def late(running):
    """record sees what happens meanwhile, and then that its command has ended (it waits for the file \"ended\"), when all has happened, as
    on a machine that is busy."""
    os.kill(running.process.pid, signal.SIGSTOP)
    yield
    (work / "ended").touch()
    wait_until(lambda: Path(f"/proc/{running.command}/stat").read_text().rpartition(")")[2].split()[0] == "Z")
    os.kill(running.process.pid, signal.SIGCONT)


@contextlib.contextmanager
def failing_lttng(step, does='echo "Error: as if" >&2; exit 1'):
    """A program before LTTng's own in $PATH that fails at one step, or does something else before it."""
    real = subprocess.run(["which", "lttng"], stdout=subprocess.PIPE, text=True).stdout.strip()
    fake = place.bin / "lttng"
    fake.write_text(f'#!/bin/sh\nLTTNG_REAL={real}\n[ "$2" != {step} ] || {{ {does}; }}\nexec {real} "$@"\n')
    fake.chmod(0o755)
    yield
    fake.unlink()


def count(trace):
    """The number of events, as babeltrace2 reads them."""
    counted = subprocess.run(["babeltrace2", "run", "--component=from:source.ctf.fs",
                              f"--params=inputs=[{', '.join(map(quoted, folders(trace)))}]",
                              "--component=mux:filter.utils.muxer", "--component=to:sink.utils.counter", "--connect=from:mux",
                              "--connect=mux:to"],
                             capture_output=True, text=True)
    found = re.findall(r"(\d+) Event messages", counted.stdout)
    return int(found[-1]) if found else 0


def quoted(path):
    return f'"{path}"'


def folders(trace):
    return [metadata.parent for metadata in Path(trace).rglob("metadata")]


def problems_of_reading(trace, codes=(0, 1, 4)):
    """A report of a trace that ended badly is one, or says why there is none; it is no crash and no internal error."""
    read = subprocess.run([lttng_gpu, "report", trace], capture_output=True, text=True, timeout=120)
    return [] if read.returncode in codes else [f"report: {said(read)}"]


def run(groups):
    """Those that were asked for, or all; ends the program."""
    try:
        problem = lttng_session.why_not()
        if problem:
            tap.check("recording", [], skip=problem)
        else:
            for group in groups:
                if not sys.argv[3:] or group.__name__ in sys.argv[3:]:
                    group()
    finally:
        place.close()
    sys.exit(tap.finish())
