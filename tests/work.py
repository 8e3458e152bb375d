# SPDX-License-Identifier: MIT
"""Suites of tests side by side: which run at once, what each took, and one count of what passed and failed."""
import concurrent.futures
import functools
import os
import re
import subprocess
import threading
import time
from pathlib import Path

top = Path(__file__).resolve().parent.parent
guest_memory = 4 << 30  # what a guest and its QEMU have at most, in bytes


def at_once():
    """How many jobs: those on the host wait most of their time, so one more than there are processors, where memory allows."""
    available = re.search(r"^MemAvailable: *(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
    return max(1, min(os.cpu_count() + 1, int(available[1]) * 1024 // guest_memory))


class Jobs:
    """Functions that are run some at a time, guests first, and then the one with the most seconds. One may add more. Of guests there
    are no more than processors: one that waits for a processor spins, and misses limits of time."""

    def __init__(self):
        self.waiting, self.added = [], 0

    def add(self, seconds, function, *arguments, guest=False):
        self.waiting.append((not guest, -seconds, self.added, function, arguments))
        self.added += 1

    def take(self, guests):
        """The next one that may run beside so many guests, or none."""
        job = min((job for job in self.waiting if job[0] or guests < os.cpu_count()), default=None)
        if job:
            self.waiting.remove(job)
        return job

    def run(self):
        workers = at_once()
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            running = {}
            while self.waiting or running:
                while len(running) < workers and (job := self.take(sum(running.values()))):
                    is_on_host, _, _, function, arguments = job
                    running[pool.submit(function, *arguments)] = not is_on_host
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for job in done:
                    del running[job]
                    job.result()


class Results:
    """What suites print is kept in `logs`, one file each; the terminal gets each suite's count, with its failures."""

    """A suite that fails beside others is run a second time at the end, alone, and that run counts: a machine that is too busy,
    and no fault of ours, makes LTTng's daemons and emulated guests miss their own limits of time. Both are shown, and a suite that
    passes only then is called flaky; with LONG=1 it fails. More failures than a few are no accident and count at once."""
    most_second_runs = 6

    def __init__(self, logs, has_second_runs=True):
        self.logs = logs
        self.passed = self.failed = 0
        self.has_second_runs = has_second_runs
        self.doubtful = []  # (name, passes, failures, what to show, function that runs it again and settles the result)
        self.second_runs = []  # names, with what they came to
        self.counted = set()  # suites that passed beside one that is run again with them
        self.times = []  # (seconds, seconds of processor time, name)
        self.lock = threading.Lock()
        logs.mkdir(parents=True, exist_ok=True)

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def run(self, name, command, shown=None, **options):
        """Runs a command into NAME.log; shown: its progress goes to the terminal too, under that name. Returns (exit code, output)."""
        log, begin = self.logs / f"{name}.log", time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", cwd=top, **options)
        with open(log, "w") as file, process.stdout:
            for line in process.stdout:
                file.write(line)
                if shown:
                    self.say(f"    {shown}: {line.rstrip()}")
        # Popen.wait() does not tell the processor time.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        with self.lock:
            self.times.append((time.monotonic() - begin, usage.ru_utime + usage.ru_stime, name))
        return process.returncode, log.read_text()

    def count(self, suite, passes, failures, shown=""):
        with self.lock:
            self.passed += passes
            self.failed += failures
            print(f"{suite}: {passes} passed, {failures} failed", flush=True)
            if failures:
                print(shown, flush=True)

    def settle(self, suite, passes, bad, again):
        """Counts what a suite came to, or puts that off to a second run: again() settles, too."""
        if bad and self.has_second_runs:
            with self.lock:
                self.doubtful.append((suite, passes, bad, again))
                print(f"{suite}: {passes} passed, {len(bad)} failed; it is run again at the end\n" + "\n".join(bad), flush=True)
        else:
            self.count(suite, passes, len(bad), "\n".join(bad))

    def run_doubtful_again(self):
        """One at a time. To be called when all else has ended."""
        self.has_second_runs = False
        doubtful, self.doubtful = self.doubtful, []
        for suite, passes, bad, again in doubtful:
            if len(doubtful) > self.most_second_runs:
                self.count(suite, passes, len(bad), "\n".join(bad))
                continue
            failed = self.failed
            self.say(f"{suite}: second run")
            again()
            again_failed = self.failed - failed
            self.second_runs.append(f"{'failed twice' if again_failed else 'flaky'}: {suite}: {len(bad)} failed in the first run, "
                                    f"{again_failed} in the second")

    def tell_second_runs(self):
        for line in self.second_runs:
            self.say(line)

    @staticmethod
    def judge_tap(suite, text, exit_code=0):
        """(passes, what failed) of a TAP run. One without its plan line ended early, which is one more failure."""
        passes = len(re.findall(r"^ok ", text, re.MULTILINE))
        bad = re.findall(r"^not ok .*(?:\n# .*)*", text, re.MULTILINE)
        plan = re.search(r"^1\.\.(\d+)$", text, re.MULTILINE)
        if not plan or int(plan[1]) != passes + len(bad) or (exit_code and not bad):
            bad.append(f"{suite} ended early (exit code {exit_code}):\n" + "\n".join(text.splitlines()[-15:]))
        return passes, bad

    def count_tap(self, suite, text, exit_code=0):
        passes, bad = self.judge_tap(suite, text, exit_code)
        self.count(suite, passes, len(bad), "\n".join(bad))

    def tap(self, suite, command, **options):
        code, text = self.run(suite, command, **options)
        return self.judge_tap(suite, text, code)

    def tap_suite(self, suite, command, **options):
        self.settle(suite, *self.tap(suite, command, **options), functools.partial(self.tap_suite, suite, command, **options))

    def settle_all(self, outcomes, again):
        """Of {suite: (passes, bad)}, where a suite may fail for what an earlier one did: those that pass are counted, the others
        are settled together."""
        failed = [suite for suite in outcomes if outcomes[suite][1]]
        for suite in outcomes:
            if suite not in failed and suite not in self.counted:
                self.counted.add(suite)
                self.count(suite, outcomes[suite][0], 0)
        if failed:
            self.settle(", ".join(failed), sum(outcomes[suite][0] for suite in failed),
                        [line for suite in failed for line in outcomes[suite][1]], again)

    def tell_times(self, most=20):
        """The longest suites; all of them are in the file `times`. What is no processor time was spent waiting, for others
        too when the processors were busy."""
        lines = [f"{seconds:6.0f} s, {processor:6.0f} s of processor time: {name}"
                 for seconds, processor, name in sorted(self.times, reverse=True)]
        (self.logs / "times").write_text("\n".join(lines) + "\n")
        self.say("\n".join(lines[:most]))
