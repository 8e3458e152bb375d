# SPDX-License-Identifier: MIT
"""Compares what lttng-gpu says of a degraded capture with the truth that degrade-capture left beside it. No times are
taken from lttng-gpu but those that it shows of the undamaged recording, which tell what that format tells at all."""
import bisect
import csv
import json
from collections import Counter, defaultdict
from pathlib import Path

TIMES = ("queued", "submitted", "started", "completed")
TEXT_STEP = 1000  # ns; text has microseconds
LOW_HALF = 0xFFFFFFFF
NEAR = 100_000  # ns; events of one moment of a job's life are not further apart


def number(text):
    return int(text) if text else None


class Interval:
    """The time between going to the hardware and leaving it, as in truth.csv."""

    def __init__(self, row):
        self.job = int(row["job"])
        self.queued, self.submitted, self.started, self.completed, self.began, self.began_until = (
            number(row[f"{name}_ns"]) for name in ("queued", "submitted", "started", "completed", "began", "began_until"))
        self.previous = None

    def __repr__(self):
        return " ".join(f"{name} {getattr(self, name)}" for name in TIMES)


class Truth:
    """The jobs as they truly were, and the events that tell of them."""

    def __init__(self, folder):
        self.summary = json.loads((folder / "capture.json").read_text())
        self.skew = self.summary["skew_ns"]
        self.skew += TEXT_STEP if self.skew else 0  # a clock is corrected by times that are rounded
        self.jobs = defaultdict(list)
        self.original, self.ring, self.thread, self.by_key = {}, {}, {}, defaultdict(list)
        with open(folder / "truth.csv", newline="") as file:
            for row in csv.DictReader(file):
                job = int(row["job"])
                if job not in self.jobs:
                    self.by_key[int(row["context"]) & LOW_HALF, int(row["seqno"]) & LOW_HALF].append(job)
                    self.original[job] = int(row["original"])
                    self.ring[job] = row["device"], row["ring"]
                    self.thread[job] = row["tid"]
                self.jobs[job].append(Interval(row))
        self.told = defaultdict(lambda: defaultdict(list))  # job -> phase -> [(shown, true, is kept, event)]
        self.by_time = defaultdict(set)
        self.lost_events, self.lost_job_events, self.kept, damage = 0, 0, 0, []
        commands, has_virtio_fences = [], False
        with open(folder / "told.csv", newline="") as file:
            for row in csv.DictReader(file):
                is_kept = row["kept"] == "1"
                self.kept += is_kept
                if not is_kept:
                    damage.append(int(row["time"]))
                    self.lost_events += 1
                    self.lost_job_events += bool(row["phase"])
                if row["phase"]:
                    job, phase, time = int(row["job"]), row["phase"], int(row["time"])
                    self.told[job][phase].append((time, int(row["true_time"]), is_kept, row["event"]))
                    self.by_time[phase, time].add(job)
                    if row["event"] == "virtio_gpu_cmd_queue":
                        commands.append((job, (time, int(row["true_time"]), is_kept, row["event"])))
                    has_virtio_fences = has_virtio_fences or (is_kept and row["event"].endswith("_fence_init"))
        for job, command in commands if not has_virtio_fences else ():  # queued and submitted are one moment
            self.told[job]["queued"].append(command)
        for begin, end, _ in self.summary["gaps"]:
            damage += [begin, end]
        self.damage = sorted(damage)
        times = [time for told in self.told.values() for events in told.values() for time, _, _, _ in events]
        self.span = max(times) - min(times)
        self.lost_phases = sum(not any(is_kept for _, _, is_kept, _ in events) for told in self.told.values() for events in told.values())
        self.find_previous()

    def allow_stated_error(self, report):
        """Which of the clocks is right nobody knows; beyond that a corrected time may be off by the error that the report states."""
        if self.skew and report:
            self.skew += max((cpu["error_ns"] for cpu in report["recording"].get("clock_corrections", [])), default=0)

    def find_previous(self):
        by_ring = defaultdict(list)
        for job, intervals in self.jobs.items():
            by_ring[self.ring[job]] += [interval for interval in intervals if None not in (interval.started, interval.completed)]
        for intervals in by_ring.values():
            intervals.sort(key=lambda interval: interval.completed)
            for before, interval in zip(intervals, intervals[1:]):
                interval.previous = before

    def is_far(self, job):
        """Whether all damage lies outside the job's life."""
        times = [time for interval in self.jobs[job] for time in (interval.queued, interval.submitted, interval.completed) if time]
        place = bisect.bisect_left(self.damage, min(times))
        return place == len(self.damage) or self.damage[place] > max(times)

    def match(self, row, shown):
        """The job that a shown row is about: that with most of its times; `shown` are the rows of jobs so far."""
        if row["context"] and row["seqno"]:
            jobs = self.by_key.get((int(row["context"]) & LOW_HALF, int(row["seqno"]) & LOW_HALF), [])
        else:
            jobs = {job for phase in ("queued", "submitted", "completed") if row[f"{phase}_ns"]
                    for job in self.by_time.get((phase, int(row[f"{phase}_ns"])), ()) if self.ring[job][1] == row["ring"]
                    or not row["ring"]}
            if self.skew: # corrected clocks: a time may by chance be that of another job
                jobs = ({job for job in self.jobs if self.ring[job][1] == row["ring"] and row["tid"] in ("", self.thread[job])} or jobs)
        score = lambda job: (sum(self.is_told(job, phase, row) for phase in ("queued", "submitted", "completed") if row[f"{phase}_ns"]),
                             len(shown[job]) < len(self.jobs[job]), -self.distance(job, row) if self.skew else 0)
        return max(jobs, key=score, default=None)

    def match_in_order(self, rows):
        """Where clocks differ: rows without identity of one ring and thread, if there are as many as jobs. A thread queues one after the
        other."""
        shown, queued, jobs = defaultdict(list), lambda job: self.jobs[job][0].queued or 0, {}
        for row in rows:
            if row["tid"] and row["queued_ns"] and not (row["context"] and row["seqno"]):
                shown[row["ring"], row["tid"]].append(row)
        for (ring, thread), group in shown.items():
            expected = sorted((job for job in self.jobs if (self.ring[job][1], self.thread[job]) == (ring, thread)), key=queued)
            if len(expected) == len(group):
                jobs |= {id(row): job for row, job in zip(sorted(group, key=lambda row: int(row["queued_ns"])), expected)}
        return jobs

    def distance(self, job, row):
        """By how much the row's times are off those of the job, all together."""
        return sum(min((abs(int(row[f"{phase}_ns"]) - time) for shown, true, _, _ in self.told[job][phase] for time in (shown, true)),
                       default=0)
                   for phase in ("queued", "submitted", "completed") if row[f"{phase}_ns"])

    def is_told(self, job, phase, row):
        time = int(row[f"{phase}_ns"])
        phases = {"queued": ("queued", "preempted"), "submitted": ("submitted",),
                  "completed": ("preempted",) if row["status"] == "preempted" else ("completed",)}[phase]
        return any(abs(time - true) <= self.skew or time == shown
                   for name in phases for shown, true, _, _ in self.told[job][name])

    def interval_of(self, job, row):
        """The interval that a shown row is about. Its submission says most; the job's other intervals were queued before, too."""
        def is_near(name, interval, reach):
            shown, true = row[f"{name}_ns"], getattr(interval, name)
            return shown != "" and true is not None and abs(int(shown) - true) <= reach + self.skew
        return max(self.jobs[job], key=lambda interval: (4 * is_near("submitted", interval, 0) + 2 * is_near("completed", interval, NEAR) +
                                                         is_near("queued", interval, 0)))

    def ends(self, interval):
        """Times of the events that tell of its end; where some are left of them."""
        told = [(true, is_kept, event) for phase in ("completed", "preempted") for _, true, is_kept, event in self.told[interval.job][phase]
                if abs(true - interval.completed) <= NEAR]
        # i915 signals a fence later than the request left the port.
        exact = [(true, is_kept, event) for true, is_kept, event in told if event == "i915_request_out"]
        told = exact if any(is_kept for _, is_kept, _ in exact) else told
        return [true for true, is_kept, _ in told if is_kept] or [true for true, _, _ in told] or [interval.completed]

    def slack(self, interval, phase):
        """By how much that time may be off where only other events than that which gave it are left."""
        time = getattr(interval, phase)
        phases = ("completed", "preempted") if phase == "completed" else (phase,)
        told = [(true, is_kept) for name in phases for _, true, is_kept, _ in self.told[interval.job][name]]
        if time is None or any(true == time and is_kept for true, is_kept in told):
            return 0
        return max((abs(true - time) for true, is_kept in told if is_kept and abs(true - time) <= NEAR), default=0)

    def is_start(self, job, row):
        """By the FIFO rule from any events that tell of its submission and of the end before it, or when it really began."""
        interval, time = self.interval_of(job, row), int(row["started_ns"])
        if interval.began is not None and interval.began - self.skew <= time <= interval.began_until + self.skew:
            return True
        if interval.started is None:
            return interval.began is None  # then nobody knows
        submissions = [int(row["submitted_ns"])] if row["submitted_ns"] else []
        submissions += [] if submissions else [true for _, true, _, _ in self.told[job]["submitted"]]
        ends = self.ends(interval.previous) if interval.previous else [0]
        low, high = max(min(submissions), min(ends)), max(max(submissions), max(ends))
        return low - self.skew <= time <= high + self.skew


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def label(row):
    return row["device"] or "", row["ring"] or ""


class Matched:
    """Shown rows by job. `wrong` has the reasons, with keys."""

    def __init__(self, truth, rows, base=None):
        self.truth, self.rows, self.wrong = truth, defaultdict(list), []
        self.rings = defaultdict(set)  # shown -> true
        # Who tells most chooses first, in the order of the rows: of what has no identity the times decide.
        in_order = truth.match_in_order(rows) if truth.skew else {}
        for row in sorted(rows, key=lambda row: -sum(row[f"{name}_ns"] != "" for name in TIMES)):
            job = in_order.get(id(row)) if id(row) in in_order else truth.match(row, self.rows)
            words = f"{row['device']} {row['ring']} {row['context']}:{row['seqno']}"
            if job is None:
                self.wrong.append(("no such job", f"{words}: {row}"))
                continue
            if self.is_full(job) and truth.skew:
                self.make_room(job)
            if self.is_full(job):
                self.wrong.append(("shown twice", f"{words}: {row}"))
                continue
            self.rows[job].append(row)
            self.rings[label(row)].add(truth.ring[job])
            for phase in ("queued", "submitted", "completed"):
                if row[f"{phase}_ns"] and not truth.is_told(job, phase, row):
                    told = [true for name in (phase, "preempted") for _, true, _, _ in truth.told[job][name]]
                    self.wrong.append((phase, f"{words}: {phase} {row[f'{phase}_ns']} ({row['status']}"
                                                     f"{', ' + row['completed_basis'] if phase == 'completed' else ''}), truly {told}"))
            if row["started_ns"] and not truth.is_start(job, row):
                interval = truth.interval_of(job, row)
                self.wrong.append(("started", f"{words}: started {row['started_ns']}, truly {interval.started or interval.began}"))
            allowed = {truth.ring[job][1]} | ({shown["ring"] for shown in base.rows[truth.original[job]]} if base else set())
            if row["ring"] and base and row["ring"] not in allowed:
                self.wrong.append(("ring", f"{words}: of another ring, truly {truth.ring[job]}"))
        for rows in self.rows.values():  # as the job's intervals are
            rows.sort(key=lambda row: min(int(row[f"{name}_ns"]) for name in TIMES if row[f"{name}_ns"]))


    def is_full(self, job):
        return len(self.rows[job]) == len(self.truth.jobs[job])

    def make_room(self, job):
        """Where clocks differ, a row without identity may have been taken for the neighbour of its job."""
        row = self.rows[job][-1]
        other = self.truth.match(row, self.rows)
        if not self.is_full(other):
            self.rows[other].append(self.rows[job].pop())


def has_all_events(truth, job, base_rows):
    """Whether the events are left from which its times were taken in the undamaged recording."""
    def is_left(of, phases, time):
        return any(true == time and is_kept for phase in phases for _, true, is_kept, _ in truth.told[of][phase])
    intervals = truth.jobs[job]
    if len(intervals) > 1:
        whole = all(is_kept for told in truth.told[job].values() for _, _, is_kept, _ in told)
    else:
        whole = all(is_left(job, (phase,), getattr(intervals[0], phase)) for phase in ("queued", "submitted", "completed")
                    if base_rows[0][f"{phase}_ns"])
        # What was made without a number gets its identity when it is emitted.
        whole = whole and all(is_kept for _, _, is_kept, event in truth.told[job]["submitted"] if event.endswith("_fence_emit"))
    before = [interval.previous for interval, row in zip(intervals, base_rows) if row["started_ns"] and interval.previous]
    return whole and all(is_left(previous.job, ("completed", "preempted"), previous.completed) for previous in before)


def is_same(truth, job, rows, base_rows):
    """Whether it is shown as in the undamaged recording: what is known, and these times."""
    if len(rows) != len(base_rows):
        return False
    for row, base, interval in zip(rows, base_rows, truth.jobs[job]):
        # Where no rule gives starts, as on rings that run jobs in parallel, none has to be shown.
        has_starts = interval.started is not None
        if any(row[name] != base[name] for name in ("device", "ring", "completed_basis", "status")) or (
                has_starts and row["started_basis"] != base["started_basis"]):
            return False
        for name in TIMES if has_starts else ("queued", "submitted", "completed"):
            expected = getattr(interval, name) if base[f"{name}_ns"] else None
            shown = number(row[f"{name}_ns"])
            if (shown is None) != (expected is None) or (shown is not None and abs(shown - expected) > truth.skew):
                return False
    return True


def overlap(begin, end, window):
    return max(0, min(end, window[1]) - max(begin, window[0]))


def true_occupancy(truth, rings, window, half=None):
    """Mean depths and busy share over the window, each with how much it may be off; `half` of two captures only."""
    host = device = busy = host_slack = device_slack = 0
    runs, is_device_known = [], True
    for job, intervals in truth.jobs.items():
        if truth.ring[job] not in rings or (half is not None and (job >= len(truth.jobs) / 2) != half):
            continue
        for life in intervals:
            begin = life.queued if life.queued is not None else life.submitted
            end = life.completed if life.completed is not None else window[1]
            if end < window[0] or begin is None or begin > window[1]:
                continue
            slack = {phase: truth.slack(life, phase) for phase in ("queued", "submitted", "completed")}
            host_slack += slack["queued"] + slack["submitted"] + 2 * truth.skew
            device_slack += slack["submitted"] + slack["completed"] + 2 * truth.skew
            start = life.started if life.started is not None else life.began
            host += overlap(begin, end if life.submitted is None else life.submitted, window)
            if life.submitted is None and life.completed is None:  # nobody knows how it ended, nor when
                host_slack += overlap(begin, end, window)
            if life.submitted is None or start is None:
                is_device_known = is_device_known and life.submitted is None
                continue
            device += overlap(life.submitted, start, window)
            device_slack += overlap(start, max(start, life.began_until), window) if life.began_until != life.began else 0
            runs.append((start, end))
    free = window[0]
    for begin, end in sorted(runs):
        busy += overlap(max(begin, free), end, window)
        free = max(free, min(end, window[1]))
    span = window[1] - window[0]
    known = {"host queue": (host / span, host_slack / span)}
    if is_device_known:
        known |= {"device queue": (device / span, device_slack / span), "busy": (busy / span, device_slack / span)}
    return known


def stated_bounds(queue):
    def bounds(part, name):
        if f"{name}_bounds" in part:
            return part[f"{name}_bounds"]
        value = part.get(name)
        return (0, None) if value is None else (value, value)
    return {"host queue": bounds(queue["host_queue"], "depth_mean"), "device queue": bounds(queue["device_queue"], "depth_mean"),
            "busy": bounds(queue["execution"], "busy_ratio")}


def check_bounds(truth, report, rings):
    """How many values were compared, for how many no upper bound was stated, and those that lie outside."""
    window = report["window"]["begin_ns"], report["window"]["end_ns"]
    compared, unbounded, outside, seen = 0, 0, [], Counter()
    labels = Counter(label(queue) for queue in report["queues"])
    for queue in report["queues"] if window[1] > window[0] else []:
        true_rings = rings.get(label(queue))
        if not true_rings:
            continue
        # Of two inputs each may have a ring of that name, in their order.
        half = seen[label(queue)] if labels[label(queue)] == 2 and len(truth.summary["inputs"]) == 2 else None
        seen[label(queue)] += 1
        stated = stated_bounds(queue)
        for name, (value, slack) in true_occupancy(truth, true_rings, window, half).items():
            low, high = stated[name]
            slack += 1e-9 + value * 1e-6
            compared += 1
            unbounded += high is None
            if value < low - slack or (high is not None and value > high + slack):
                outside.append(f"{queue['device']} {queue['ring']}: {name} [{low}, {high}], truly {value:.6f}")
    return compared, unbounded, outside


def is_telling(report):
    """Whether the report says that anything is missing."""
    account = report["accounting"]
    return bool(account["events_lost"] or account["packets_lost"] or account["losses_of_unknown_size"] or account["jobs_lost"] or
                any(account.get("unannounced", {}).values()) or any(account["anomalies"].values())
                or any(account["jobs_incomplete"].values()))


def check_told(truth, damage, report, codes):
    """Nothing, or why the reader is misled about the damage."""
    if damage == "clocks-50us":
        return None if set(codes) <= {0, 4} else f"exit codes {codes}"
    if damage in ("first-half", "last-half"):  # nothing tells them from a shorter recording
        return None if set(codes) <= {0, 4} else f"exit codes {codes}"
    if damage.startswith("no-"): # what was not recorded is no loss, but the jobs have to be counted as incomplete
        account = report and report["accounting"]
        is_counted = account is None or not report["queues"] or not truth.lost_phases or any(account["jobs_incomplete"].values())
        is_empty = report is None and set(codes) == {3} and not truth.kept  # nothing is left of a text
        return None if (set(codes) <= {0, 1, 4} or is_empty) and is_counted else f"exit codes {codes}, and no job is counted as incomplete"
    if not truth.lost_job_events:
        may_tell = truth.lost_events or damage.endswith("-announced")
        return None if set(codes) == {0} or (may_tell and set(codes) <= {0, 4}) else f"exit codes {codes}, although nothing is missing"
    if not truth.lost_phases:  # what is missing is told by other events, too
        return None if set(codes) <= {0, 4} else f"exit codes {codes}"
    gaps = truth.summary["gaps"]
    if report is None or not report["queues"]:
        return None if set(codes) <= {1, 4} else f"exit codes {codes} and no jobs"
    if gaps and all(is_overwritten for _, _, is_overwritten in gaps) and set(codes) == {0}:
        # A flight recorder is no damage; the window has to be the time that all CPUs recorded.
        late = max(end for _, end, _ in gaps)
        return None if report["window"]["begin_ns"] >= late else f"the window begins at {report['window']['begin_ns']}, the last CPU at {late}"
    if set(codes) != {4}:
        return f"exit codes {codes}, although nothing is left of {truth.lost_phases} moments of jobs"
    return None if is_telling(report) else "says that nothing is lost"


class Verdict:
    """One cell of the matrix."""

    def __init__(self, damage, folder, jobs_text, report_text, codes, base=None):
        report = json.loads(report_text) if report_text.startswith("{") else None
        self.truth = truth = Truth(Path(folder))
        truth.allow_stated_error(report)
        rows = rows_of(jobs_text)
        self.matched = Matched(truth, rows, base)
        base = base or self.matched
        self.shown, self.wrong = len(rows), self.matched.wrong
        self.near, self.far, self.different = [0, 0], [0, 0], []
        for job in truth.jobs:
            base_rows = base.rows.get(truth.original[job])
            if not base_rows or len(base_rows) != len(truth.jobs[job]) or not has_all_events(truth, job, base_rows):
                continue
            tally = self.far if truth.is_far(job) else self.near
            same = is_same(truth, job, self.matched.rows[job], base_rows)
            tally[0] += same
            tally[1] += 1
            if not same:
                self.different.append(f"{'far' if tally is self.far else 'near'}: job {job} {truth.ring[job]}, "
                                      f"truly {truth.jobs[job]}, shown {self.matched.rows[job]}")
        self.compared, self.unbounded, self.outside = check_bounds(truth, report, self.matched.rings) if report else (0, 0, [])
        self.window = (report["window"]["end_ns"] - report["window"]["begin_ns"]) / self.truth.span if report else 0
        self.untold = check_told(truth, damage, report, codes)

    def is_applied(self, damage, is_incident):
        return damage in ("none", "no-threads") or is_incident or bool(self.truth.damage)

    def problems(self, least_near=0.99):
        """What the goals do not allow, in words."""
        found = [f"wrong: {count} x {kind}, e.g. {next(words for other, words in self.wrong if other == kind)}"
                 for kind, count in Counter(kind for kind, _ in self.wrong).items()]
        if self.far[0] < self.far[1]:
            found.append(f"same far: {self.far[0]} of {self.far[1]}, e.g. {next(w for w in self.different if w.startswith('far'))}")
        if self.near[0] < self.near[1] * least_near:
            found.append(f"same near: {self.near[0]} of {self.near[1]}, e.g. {next(w for w in self.different if w.startswith('near'))}")
        if self.outside:
            found.append(f"bounds: {len(self.outside)} of {self.compared} outside, e.g. {self.outside[0]}")
        return found + ([f"told: {self.untold}"] if self.untold else [])
