# SPDX-License-Identifier: MIT
"""The recordings of which the truth is known: a trace, and a table of its jobs as `lttng-gpu jobs --format csv` has it."""
import csv
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests/end-to-end"))
from compare_with_truth import clock_offset, key


@dataclass
class Recording:
    name: str
    trace: Path
    jobs: Path
    stretch: int = 1  # simulated jobs are shorter than what a clock that tells microseconds can tell
    formats: tuple = ()  # all, when empty


# The name in the matrix, the simulator's scenario, the seed.
SIMULATED = {
    "sched-6.17": ("sched-6.17", 5),
    "sched-5.7": ("sched-5.7", 5),
    "sched-5.19-fences": ("sched-5.19-fences", 5),
    "amdgpu-6.17": ("amdgpu-6.17", 5),
    "amdgpu-6.1": ("amdgpu-6.1", 5),
    "i915-one-by-one": ("i915-5.10-one-by-one", 5),
    "i915-preemption": ("i915-5.10-preemption", 5),
    "xe-sched": ("xe-sched", 5),
    "two-devices": ("two-devices-5.19", 5),
    "parallel": ("parallel-6.17", 5),
    "fences-only": ("fences-64", 5),
    "virtio-fences": ("virtio-fences", 5),
}
# One load that several tracers recorded at once; each file only in its own format.
GOLDEN = {"ctf": "kernel", "trace": "trace.txt", "trace-cmd": "report.txt", "perf": "perf.txt", "dat": "v7.dat"}


def names():
    return [*SIMULATED, "gputest", *(f"golden-{name}" for name in GOLDEN), "i915-selftest"]


def make(build, folder, name, jobs):
    if name in SIMULATED:
        return simulated(build, folder, name, jobs)
    if name.startswith("golden-"):
        return golden(build, folder, name.removeprefix("golden-"))
    return gputest(build, folder) if name == "gputest" else i915_selftest(build, folder)


def simulated(build, folder, name, jobs):
    scenario, seed = SIMULATED[name]
    out = folder / "recordings" / name
    subprocess.run([build / "simulate", "--scenario", f"{scenario}/whole", "--jobs", str(jobs), "--seed", str(seed), "--out", out],
                   check=True)
    return Recording(name, out / "trace", out / "truth.csv", 50)


def shown_jobs(build, trace):
    run = subprocess.run([build / "lttng-gpu", "jobs", "--format", "csv", trace], capture_output=True, text=True)
    if run.returncode not in (0, 4):  # self-tests do what looks like missing events
        raise RuntimeError(f"{trace}: {run.returncode}: {run.stderr}")
    text = run.stdout
    return list(csv.DictReader(text.splitlines()))


def write_jobs(rows, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "began_ns", "began_until_ns"], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def golden(build, folder, capture_format):
    """All five files tell the same jobs (tests/golden/test_ftrace.py). LTTng's tells their devices, too, and with them which
    job was before which; nobody knows when jobs of async rings really began."""
    files = top / "tests/golden/linux-6.12-ftrace"
    trace = files / GOLDEN[capture_format]
    place = lambda row: (row["ring"], row["tid"])
    rows, known = (sorted(shown_jobs(build, path), key=place) for path in (trace, files / GOLDEN["ctf"]))
    if list(map(place, rows)) != list(map(place, known)):
        raise RuntimeError(f"{trace} does not tell the jobs that LTTng's trace tells")
    free = {}
    for row, of_lttng in sorted(zip(rows, known), key=lambda pair: int(pair[0]["completed_ns"])):
        row["device"] = of_lttng["device"]
        before = free.get((row["device"], row["ring"]), 0)
        row["started_ns"] = "" if row["ring"].startswith("async") else str(max(int(row["submitted_ns"]), before))
        free[row["device"], row["ring"]] = int(row["completed_ns"])
    out = folder / "recordings" / f"golden-{capture_format}"
    return Recording(f"golden-{capture_format}", trace, write_jobs(rows, out / "truth.csv"), 1, (capture_format,))


def recorded_in_guest(name, sources, script, kept, **environment):
    """What a guest recorded, from the cache while nothing changed of what it was recorded with."""
    cache = Path(os.environ.get("LTTNG_GPU_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lttng-gpu")
    listed = subprocess.run(["git", "-C", top, "ls-files", *sources], check=True, capture_output=True, text=True).stdout.split()
    contents = hashlib.sha256(b"".join((top / path).read_bytes() for path in listed)).hexdigest()[:12]
    folder = cache / "captures" / f"{name}-{contents}"
    if not folder.exists():
        work = cache / "captures" / f"{name}-work"
        print(f"recording {name} in a guest", file=sys.stderr, flush=True)
        subprocess.run([top / script, "trixie", work], check=True, stdout=sys.stderr, env=os.environ | environment)
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        for path in kept:
            (partial / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(work / path, partial / path)
        shutil.rmtree(work)
        partial.rename(folder)
    return folder


def gputest(build, folder):
    """The test GPU driver's log has clock readings before and after each moment of each job; exact times are those of the
    events, if they lie between. When a job really began only the log knows."""
    recorded = recorded_in_guest("gputest", ["tests/gputest/driver", "tests/gputest/client", "tests/vm/guest", "instrumentation"],
                                 "tests/vm/record-in-guest", ["out/trace", "out/gputest-jobs.csv"])
    trace = recorded / "out/trace"
    offset = clock_offset(trace)
    with open(recorded / "out/gputest-jobs.csv", newline="") as file:
        log = {key(row): row for row in csv.DictReader(file)}
    rows = shown_jobs(build, trace)
    for row in rows:
        logged = log.pop(key(row), None) if row["driver"] == "gputest" else None
        if logged is None:
            if row["driver"] == "gputest":
                raise RuntimeError(f"gputest: the driver knows no job {key(row)}")
            continue
        between = lambda moment, time: int(logged[f"{moment}_lo"]) <= time - offset <= int(logged[f"{moment}_hi"])
        wrong = [moment for moment in ("queued", "submitted", "completed") if not between(moment, int(row[f"{moment}_ns"]))]
        if wrong or (row["device"], row["ring"]) != (logged["device"], logged["ring"]):
            raise RuntimeError(f"gputest: {key(row)} is shown wrong in the undamaged recording: {wrong or row['ring']}")
        row["began_ns"], row["began_until_ns"] = (int(logged[f"started_{end}"]) + offset for end in ("lo", "hi"))
        if row["ring"].startswith("async"):  # runs jobs in parallel: no rule tells their starts
            row["started_ns"] = ""
    if log:
        raise RuntimeError(f"gputest: {len(log)} jobs of the driver's log are not shown")
    return Recording("gputest", trace, write_jobs(rows, folder / "recordings/gputest/truth.csv"))


def i915_selftest(build, folder):
    """Requests of i915's mock self-tests. Its events tell no ends, and nobody knows more of it than what is shown of it whole."""
    recorded = recorded_in_guest("i915-selftest",
                                 ["tests/i915-selftest", "tests/vm/i915-selftest-in-guest", "instrumentation/events/i915.h"],
                                 "tests/vm/i915-selftest-in-guest", ["low-level/out/trace"], VARIANTS="low-level")
    trace = recorded / "low-level/out/trace"
    return Recording("i915-selftest", trace, write_jobs(shown_jobs(build, trace), folder / "recordings/i915-selftest/truth.csv"),
                     1, ("ctf", "trace"))  # of twenty thousand jobs
