#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge_frames.py LTTNG_GPU [--strict] [--matrix] FOLDER: what `lttng-gpu diagnose --frame late` says of frames of kmscube that were made
late on purpose in a guest (tests/kselftest/planted_frames.sh). FOLDER has the trace and truth.json of plant-frames: what held
from when to when. Prints TAP.

A cause is **found** when parts of the late frames in which it held, with its reason and culprit, cover half of its time. It counts as
planted if a frame was late for it: the program was not late for other reasons, or asleep. GPU sharing is judged by the program's jobs that
the ring got after the other program's: the frame after the late job's is late then.
A part is **false** when it names the hog for longer than the program could have run while that
had the CPU, as the kernel counted (/proc/PID/schedstat), by LEAST_FALSE. A kernel without CONFIG_SCHED_INFO counts nothing: then the time
in which the hog ran is taken.

--strict asks for 98 % found, otherwise for half: few instances in a guest that may be stalled."""
import collections
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

MS = 1_000_000
LEAST = 20 * MS  # of a frame's time in which the cause held
LEAST_FALSE = 5 * MS
FOUND = 0.5


def leaves(part):
    """Parts that have the reason of a time: what a wait comes down to, and the part itself."""
    yield part
    for root in part.get("root", []):
        yield from leaves(root)


def is_of(cause, part):
    if part["reason"] != cause:
        return False
    if cause == "preempted":
        return part.get("by_name") == "hog"
    if cause == "ring_shared":
        return (part.get("culprit") or {}).get("comm") == "gl-sharer"
    return True


def overlap(part, begin, end):
    return max(0, min(part["end_ns"], end) - max(part["begin_ns"], begin))


def of_frames(frames, cause, begin, end):
    """How long late frames lasted in that time, how much of it is told of the cause, and time by reason."""
    held = sum(max(0, min(frame["call_end_ns"], end) - max(frame["begin_ns"], begin)) for frame in frames)
    sums, covered = collections.Counter(), 0
    for part in (part for frame in frames for top in frame["parts"] for part in leaves(top)):
        length = min(overlap(part, begin, end), part["time_ns"])
        sums[part["reason"]] += length
        covered += length if is_of(cause, part) else 0
    return held, covered, sums


def of_jobs(jobs, sharers, begin, end):
    """The same of the program's jobs: its frames are late after the one whose job had to wait, or not at all. A job waits for those of the
    other program that were given to the ring before it; before it was given itself, it waits for its own thread."""
    held, covered = 0, 0
    for job in (job for job in jobs if job["submitted_ns"] and job["end_ns"] > begin and job["submitted_ns"] < end):
        before = [(max(begin, job["submitted_ns"]), min(job["end_ns"], other["end_ns"], end)) for other in sharers
                  if other["submitted_ns"] and other["submitted_ns"] < job["submitted_ns"]]
        shared = max((until - since for since, until in before), default=0)
        held = max(held, shared)
        covered = max(covered, sum(min(overlap(part, begin, end), part["time_ns"]) for part in job["parts"] if is_of("ring_shared", part)))
    return held, covered


def print_matrix(told, planted, found, gone):
    """Which reasons were told where a cause was planted."""
    reasons = sorted({reason for counts in told.values() for reason in counts})
    print("| planted | " + " | ".join(reasons) + " | found | had gone |\n|---|" + "---|" * (len(reasons) + 2))
    for cause in planted:
        print(f"| {cause} ({planted[cause]}) | " + " | ".join(str(told[cause][reason] or "") for reason in reasons) +
              f" | {found[cause]}/{planted[cause]} | {gone[cause]} |")


def wrong_culprits(frames, truths, hogs):
    """Parts of frames that name the hog for longer than it held the program up."""
    falses = []
    # The hog's own start takes the CPU, too, before anything was counted.
    first = min(truth["from"] for truth in truths)
    for frame in frames:
        for part in (part for top in frame["parts"] for part in leaves(top) if is_of("preempted", part) and part["end_ns"] > first):
            ready = sum(truth["ready_ns"] for truth in hogs if overlap(part, truth["from"], truth["until"]))
            if part["time_ns"] > 1.1 * ready + LEAST_FALSE:
                falses.append(f"frame {frame['frame']}: preempted {part['time_ns'] / MS:.1f} ms, could have run {ready / MS:.1f} ms")
    return falses


def main():
    lttng_gpu, folder = sys.argv[1], Path(sys.argv[-1])
    is_strict = "--strict" in sys.argv
    truths = [json.loads(line) for line in (folder / "truth.json").open()]
    run = subprocess.run([lttng_gpu, "diagnose", "--frame", "late", "--worst", "100000", "--format", "json", folder / "trace"],
                         capture_output=True, text=True)
    result = json.loads(run.stdout)
    frames = result["frames"]
    run_jobs = subprocess.run([lttng_gpu, "diagnose", "--over", "1us", "--format", "json", folder / "trace"], capture_output=True,
                              text=True)
    all_jobs = json.loads(run_jobs.stdout)["jobs"]
    jobs, sharers = ([job for job in all_jobs if (job["comm"] or "").startswith(name)] for name in ("kmscube", "gl-sharer"))
    tap = Tap()
    tap.check_that("late frames are diagnosed, with the scheduler's events", frames and result["has_sched_events"], run.stderr)
    tap.check("the parts of every frame are its latency", [f"frame {frame['frame']}: {frame['latency_ns']}" for frame in frames if
              sum(part["time_ns"] for part in frame["parts"]) != frame["latency_ns"]])
    if not any(truth["ran_ns"] or truth["ready_ns"] for truth in truths):
        print("# this kernel does not count how long a thread is ready: the hog's own times are taken")
        for truth in truths:
            truth["ready_ns"] = truth["end"] - truth["begin"] if truth["planted"] == "preempted" else 0
    planted, found, gone, misses = collections.Counter(), collections.Counter(), collections.Counter(), []
    told = collections.defaultdict(collections.Counter)
    for truth in truths:
        cause, begin, end = truth["planted"], truth["begin"], truth["end"]
        if cause == "ring_shared":
            held, covered = of_jobs(jobs, sharers, begin, end)
            sums = collections.Counter()
        else:
            # The hog or the stop holds the program up only as far as it is not asleep or ready anyway: the kernel has counted that.
            held, covered, sums = of_frames(frames, cause, truth["from"], truth["until"])
            asleep = truth["until"] - truth["from"] - truth["ran_ns"] - truth["ready_ns"]
            held = min(held, truth["ready_ns"] if cause == "preempted" else min(asleep, end - begin))
        if held < LEAST:
            gone[cause] += 1
            continue
        planted[cause] += 1
        for reason, time in sums.items():
            told[cause][reason] += time >= LEAST_FALSE
        if covered >= FOUND * held:
            found[cause] += 1
        else:
            misses.append(f"{cause} of {held / MS:.1f} ms at {begin}: {covered / MS:.1f} ms told; " +
                          ", ".join(f"{reason} {time / MS:.1f}" for reason, time in sums.most_common(5)))
    hogs = [truth for truth in truths if truth["planted"] == "preempted"]
    falses = wrong_culprits(frames, truths, hogs)
    if "--matrix" in sys.argv:
        print_matrix(told, planted, found, gone)
    least = 0.98 if is_strict else 0.5
    for cause in ("preempted", "blocked", "ring_shared"):
        bad = [miss for miss in misses if miss.startswith(cause)] if found[cause] < least * planted[cause] else []
        tap.check(f"{cause} is found: {found[cause]} of {planted[cause]} ({gone[cause]} made no frame late)", bad,
                  skip="" if planted[cause] else "no frame was late for it")
    tap.check("no planted culprit is named where it was not", falses)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
