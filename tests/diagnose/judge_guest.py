#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge_guest.py LTTNG_GPU [--strict] [--matrix] FOLDER: what `lttng-gpu diagnose` says of jobs that were made late on purpose in a guest
(tests/kselftest/planted_causes.sh, planted_opencl.sh). FOLDER, or each folder in it, has the trace, truth.json of plant-causes (what was
planted when) and jobs.csv, the driver's own log (readings of the clock around each moment of a job). Prints TAP; with --matrix the
confusion matrix first.

From these the judge knows without the trace from when to when a cause held. A cause that did not hold for LEAST (the guest was
stalled, and what should have been in the way had gone) was not planted. It is **found** when parts with its reason, and
with the culprit that was planted, cover half of its time at least. A reason that was not planted and takes LEAST_FALSE or more
is **false**, unless another witness than the trace says that it happened, too (a guest under load is preempted, and its workers
are late): the kernel's own count of how long the thread ran and could have run (/proc/thread-self/schedstat), the driver's log.

--strict asks for 98 % of what was planted and for no false reason of clean jobs, which is for many instances; without it each
cause must be found in half of the few instances, and nothing but what a guest under load does by itself be told of clean jobs."""
import collections
import csv
import json
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

MS = 1_000_000
LEAST = 5 * MS
LEAST_FALSE = MS
FOUND = 0.5
JOBS_OF_RING = 4  # the module's credit_limit
USUAL = {"execution", "handover", "ring_busy_own", "unknown", "unexplained"}  # the last two are no reasons
BY_ITSELF = {"preempted", "blocked", "cpu_bound", "own_wait", "worker_late", "long_execution"}  # happens in a busy guest
BEFORE = {"preempted", "blocked", "cpu_bound", "own_wait", "helper_late"}
CAUSES = ["preempted", "blocked", "cpu_bound", "own_wait", "dependency", "back_pressure", "worker_late", "ring_shared",
          "long_execution", "hang", "helper_late"]
REASON_OF = {"helper_late": "preempted"}  # of the thread of the driver's library that submits


def read_log(path):
    numbers = lambda row: {name: int(value) if value.lstrip("-").isdigit() else value for name, value in row.items()}
    return {(row["context"], row["seqno"]): row for row in map(numbers, csv.DictReader(path.open()))}


def read_diagnoses(lttng_gpu, trace):
    run = subprocess.run([lttng_gpu, "diagnose", "--over", "1us", "--format", "json", trace], capture_output=True, text=True)
    result = json.loads(run.stdout)
    return {(job["context"], job["seqno"]): job for job in result["jobs"]}, result


def full_time(row, log, begin):
    """From when to when the device queue was full after that time and before the job was submitted."""
    others = [job for key, job in log.items() if (job["device"], job["ring"]) == (row["device"], row["ring"]) and job is not row and
              job["submitted_lo"] and job["submitted_lo"] < row["submitted_lo"] and job["completed_lo"] > begin]
    times = sorted({begin} |
                   {time for job in others for time in (job["submitted_hi"], job["completed_lo"]) if begin < time < row["submitted_lo"]})
    full = [(at, until) for at, until in zip(times, times[1:] + [row["submitted_lo"]])
            if sum(job["submitted_hi"] <= at < job["completed_lo"] for job in others) == JOBS_OF_RING]
    return (full[0][0], full[-1][1]) if full else (begin, begin)


def usual_execution(row, log):
    """What all but one in 32 of the last 255 of the process on this ring that had begun before took at most; nothing is too long after
    fewer than 8."""
    earlier = sorted((job["completed_lo"], job["completed_lo"] - job["started_lo"]) for job in log.values() if
                     (job["pid"], job["device"], job["ring"]) == (row["pid"], row["device"], row["ring"]) and
                     0 < job["completed_lo"] < row["completed_lo"])
    lengths = sorted(length for _, length in earlier[-255:])
    return lengths[-1 - len(lengths) // 32] if len(lengths) >= 8 else float("inf")


class Episode:
    """One late job: what held when, by the witnesses; times in the driver's clock."""

    def __init__(self, truth, log):
        self.truth, self.planted_names, self.log = truth, truth["planted"], log
        self.key = tuple(truth["late"])
        self.row = log[self.key]
        self.intervals = {}
        # Of its process nothing was on the device since then.
        self.idle_since = log[tuple(truth["warm"])]["completed_lo"] if "warm" in truth else truth["idle_ns"]
        queued = self.row["queued_lo"]
        at, self.had_room = queued, 0
        # By OpenCL it is a command of the same process, which was late for what came before it.
        self.is_own_giver = "giver" in truth and log[tuple(truth["giver"])]["pid"] == self.row["pid"]
        self.first_key = tuple(truth["giver"]) if self.is_own_giver else self.key
        first_queued = log[self.first_key]["queued_lo"]
        # In a guest under load a call takes milliseconds before it sleeps; the thread runs then.
        slept = max(0, truth.get("waited_ns", 0) - truth.get("ran_in_wait_ns", 0))
        for name in BEFORE:
            if name in truth and name in self.planted_names:
                begin, end = truth[name]
                # What it computes counts as due to the wait as long as that was, and only then as bound by the CPU. It
                # had run before, since its job had ended, when it did not sleep and no hog did.
                others = sum(truth[other][1] - truth[other][0] for other in ("preempted", "blocked") if other in truth
                             and truth[other][1] <= begin)
                due = begin + max(0, slept - (begin - self.idle_since - others))
                if name == "own_wait":
                    end = min(end, due)
                elif name == "cpu_bound":
                    begin = min(end, max(begin, due))
                elif name == "helper_late" and not self.is_own_giver:
                    # It has nothing to do until it is given the command. In a stalled guest its CPU is free again by then.
                    begin = min(end, max(begin, truth["queued_ns"]))
                self.intervals[name] = begin, min(end, first_queued)
        if "giver" in truth:
            self.intervals["dependency"] = at, log[tuple(truth["giver"])]["completed_lo"]
            at = max(at, self.intervals["dependency"][1])
        if "filler" in truth:
            self.intervals["back_pressure"] = full_time(self.row, log, at)
            self.had_room = max(0, self.intervals["back_pressure"][0] - at)  # before it was full
            at = max(at, self.intervals["back_pressure"][1])
        if "worker_late" in truth:
            begin, end = truth["worker_late"]
            self.intervals["worker_late"] = max(at, begin), end
            # What it does not hold up it is not the reason of: the worker can have been on its way already.
        self.ready_at = at
        if "ring_shared" in self.planted_names:
            self.intervals["ring_shared"] = self.row["submitted_lo"], self.row["started_lo"]
        if "long_execution" in self.planted_names:
            begin, end = self.row["started_lo"], self.row["completed_lo"]
            # In a guest that is stalled, executions can be usual that take as long as this one.
            usual = usual_execution(self.row, log)
            # The trace has no starts, so the diagnosis infers them: a little more than its limit of 4 times is neither usual nor long.
            self.intervals["long_execution"] = begin, end if end - begin > 4.4 * usual else begin
        if "hang" in self.planted_names:
            self.intervals["hang"] = self.row["started_lo"], None
        self.intervals = {name: span for name, span in self.intervals.items()
                          if name in self.planted_names and (span[1] is None or span[1] - span[0] >= LEAST)}

    def witnessed(self, reason):
        """How long that can have held, as somebody else than the trace tells."""
        truth, row = self.truth, self.row
        # The last reading was before the call that queued the job, which can be held up as well.
        call = max(0, row["queued_hi"] - truth["queued_ns"])
        if reason == "preempted":
            # A thread whose wait is over could run, though the kernel counts that from its arrival on a CPU's queue only.
            return truth["ready_ns"] + call + max(0, truth["returned_ns"] - self.idle_since)
        if reason == "blocked":
            # What it ran until it was asked is in there, so the time is that until then.
            asleep = truth.get("asked_ns", truth["queued_ns"]) - truth["idle_ns"] - truth["ran_ns"] - truth["ready_ns"]
            # The program waits for the driver's log between the two commands.
            between = call + truth["queued_ns"] - self.log[self.first_key]["queued_lo"] if self.is_own_giver else 0
            return max(0, min(asleep, truth["queued_ns"] - self.idle_since)) + max(0, between)
        if reason in ("cpu_bound", "own_wait"):
            # A thread of the driver's library that submits computes, too.
            return truth["ran_ns"] + truth.get("helper_ran_ns", 0) + call
        if reason == "worker_late":
            return row["submitted_hi"] - self.ready_at + self.had_room
        if reason == "unexplained" or reason == "ring_shared" and "filler" in truth:
            return row["started_hi"] - row["submitted_lo"]
        if reason == "long_execution":
            return row["completed_hi"] - row["started_lo"] if row["completed_hi"] - row["started_lo"] > row["exec_ns"] + MS else 0
        return 0


def with_roots(part):
    yield part
    for root in part.get("root", []):
        yield from with_roots(root)


def is_right_culprit(part, name, episode):
    truth = episode.truth
    if name == "preempted":
        return part.get("by_name") == "hog"
    if name == "helper_late":
        return part.get("by_name") == "worker-hog"
    if name == "ring_shared":
        return part["culprit"]["comm"] == "sharer"
    if name == "dependency":
        root = truth.get("root", truth["giver"])
        if episode.log[tuple(root)]["completed_lo"] < episode.row["queued_hi"] + LEAST:
            root = truth["giver"]  # the job behind it was all that was left
        return any([one["culprit"]["context"], one["culprit"]["seqno"]] == root for one in with_roots(part) if one.get("culprit"))
    return True


def covered(parts, reason, span, offset, test=lambda part: True):
    begin, end = (None if time is None else time + offset for time in span)
    total = 0
    for part in parts:
        if part["reason"] == reason and test(part):
            overlap = min(part["end_ns"], end if end is not None else part["end_ns"]) - max(part["begin_ns"], begin)
            total += max(0, min(overlap, part["time_ns"]))
    return total


def judge(episodes, diagnoses, offset, tap, matrix, is_strict):
    recalled, planted, wrong_culprit = (collections.Counter() for _ in range(3))
    told_of, kinds = collections.defaultdict(collections.Counter), collections.Counter()
    misses, falses, happened = [], [], collections.Counter()
    gone = collections.Counter()
    for episode in episodes:
        diagnosis = diagnoses.get(episode.key)
        kind = "alone" if len(episode.planted_names) == 1 else "two at once" if episode.planted_names else "clean"
        kinds[kind] += 1
        names = f"{'+'.join(episode.planted_names) or 'clean'} (episode {episode.truth['episode']}, {episode.key[0]}:{episode.key[1]})"
        if diagnosis is None:
            misses.append(f"{names}: no diagnosis")
            continue
        parts = diagnosis["parts"]
        before = diagnoses.get(episode.first_key, diagnosis)["parts"]
        for name in episode.planted_names:
            if name not in episode.intervals:
                gone[name] += 1
                continue
            span = episode.intervals[name]
            length = (span[1] if span[1] is not None else diagnosis["end_ns"] - offset) - span[0]
            planted[name, kind] += 1
            reason = REASON_OF.get(name, name)
            of = before if name in BEFORE else parts
            share = covered(of, reason, span, offset) / length
            right = covered(of, reason, span, offset, lambda part: is_right_culprit(part, name, episode)) / length
            if right >= FOUND:
                recalled[name, kind] += 1
            else:
                wrong_culprit[name] += share >= FOUND
                misses.append(f"{names}: {name} of {length / MS:.1f} ms, {share:.0%} told, {right:.0%} with the right culprit; told: " +
                              ", ".join(f"{part['reason']} {part['time_ns'] / MS:.2f}" + (" before" if part["before"] else "") +
                                        (f" ({part['gap']})" if part["gap"] else "") for part in parts))
        sums = collections.Counter()
        for part in parts:
            sums[part["reason"]] += part["time_ns"]
        row = "+".join(episode.planted_names) if kind != "two at once" else "two at once"
        for reason, time in sums.items():
            if time >= LEAST_FALSE:
                told_of[row or "clean"][reason] += 1
            if time < LEAST_FALSE or reason in USUAL or reason in {REASON_OF.get(name, name) for name in episode.planted_names}:
                continue
            if time <= 1.1 * episode.witnessed(reason) + LEAST_FALSE:
                happened[reason, kind] += 1
            else:
                falses.append((kind, reason, f"{names}: {reason} {time / MS:.2f} ms, witnessed {episode.witnessed(reason) / MS:.2f} ms"))
    if matrix:
        show(planted, recalled, gone, told_of, falses, happened, kinds)
    total, found = sum(planted.values()), sum(recalled.values())
    least = 0.98 if is_strict else 0.5
    for name in CAUSES:
        good, all_of = (sum(count[name, kind] for kind in ("alone", "two at once")) for count in (recalled, planted))
        words = ", ".join(f"{recalled[name, kind]} of {planted[name, kind]} {kind}" for kind in ("alone", "two at once"))
        tap.check(f"{name} is found: {words}", [miss for miss in misses if f": {name} of" in miss] if good < least * all_of else [],
                  skip="" if all_of else "it never held, the guest was stalled")
    tap.check(f"what was planted is found: {found} of {total}", misses if found < least * total else [])
    for kind in ("clean", "alone", "two at once"):
        wrong = [text for of, reason, text in falses if of == kind and (is_strict or reason not in BY_ITSELF)]
        tap.check(f"no false reason of jobs ({kind}): {len(wrong)} of {kinds[kind]}", wrong)
    return misses


def show(planted, recalled, gone, told_of, falses, happened, kinds):
    reasons = CAUSES + ["unexplained", "unknown", "ring_busy_own"]
    print("| planted | " + " | ".join(reasons) + " |\n|---|" + "---|" * len(reasons))
    for row in CAUSES + ["clean"]:
        number = planted[row, "alone"] if row != "clean" else kinds["clean"]
        print(f"| {row} ({number}) | " + " | ".join(str(told_of[row][reason] or "") for reason in reasons) + " |")
    print("\n| cause | alone | two at once | had gone |\n|---|---|---|---|")
    for name in CAUSES:
        print(f"| {name} | " + " | ".join(f"{recalled[name, kind]}/{planted[name, kind]}" for kind in ("alone", "two at once")) +
              f" | {gone[name]} |")
    print("\nfalse:", collections.Counter(kind for kind, _, _ in falses), "not planted, but witnessed:", dict(happened), "\n")


def judge_folder(lttng_gpu, folder, tap):
    log = read_log(folder / "jobs.csv")
    truths = [json.loads(line) for line in (folder / "truth.json").open()]
    diagnoses, result = read_diagnoses(lttng_gpu, folder / "trace")
    tap.check_that("the scheduler's events were recorded", result["has_sched_events"])
    both = [job["queued_ns"] - log[key]["queued_lo"] for key, job in diagnoses.items() if key in log and job["queued_ns"]]
    offset = int(statistics.median(both))
    tap.check("the parts of every job are its latency", [f"{key}: {job['latency_ns']}" for key, job in diagnoses.items() if
              sum(part["time_ns"] for part in job["parts"] if not part["before"]) != job["latency_ns"]])
    episodes = [Episode(truth, log) for truth in truths]
    misses = judge(episodes, diagnoses, offset, tap, "--matrix" in sys.argv, "--strict" in sys.argv)
    if "--matrix" in sys.argv:
        print("\n".join(misses))


def main():
    lttng_gpu, folder = sys.argv[1], Path(sys.argv[-1])
    tap = Tap()
    folders = [folder] if (folder / "truth.json").exists() else sorted(path.parent for path in folder.glob("*/truth.json"))
    tap.check_that("there is something to judge", folders)
    for one in folders:
        if len(folders) > 1:
            print(f"# {one.name}")
        judge_folder(lttng_gpu, one, tap)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
