# SPDX-License-Identifier: MIT
"""Suites of tests side by side: which run at once, what each took, and one count of what passed and failed."""
import concurrent.futures
import heapq
import os
import re
import subprocess
import threading
import time
from pathlib import Path

top = Path(__file__).resolve().parent.parent
guest_memory = 4 << 30  # what a guest and its QEMU have at most, in bytes


def at_once():
    """How many jobs: a guest sleeps a third of its time, so one more than there are processors, where memory allows."""
    available = re.search(r"^MemAvailable: *(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
    return max(1, min(os.cpu_count() + 1, int(available[1]) * 1024 // guest_memory))


class Jobs:
    """Functions that are run some at a time, the one with the most seconds first. One may add more."""

    def __init__(self):
        self.waiting, self.added = [], 0

    def add(self, seconds, function, *arguments):
        heapq.heappush(self.waiting, (-seconds, self.added, function, arguments))
        self.added += 1

    def run(self):
        workers = at_once()
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            running = set()
            while self.waiting or running:
                while self.waiting and len(running) < workers:
                    _, _, function, arguments = heapq.heappop(self.waiting)
                    running.add(pool.submit(function, *arguments))
                done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for job in done:
                    job.result()


class Results:
    """What suites print is kept in `logs`, one file each; the terminal gets each suite's count, with its failures."""

    def __init__(self, logs):
        self.logs = logs
        self.passed = self.failed = 0
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

    def count_tap(self, suite, text, exit_code=0):
        """A TAP run without its plan line ended early, which is one more failure."""
        passes = len(re.findall(r"^ok ", text, re.MULTILINE))
        bad = re.findall(r"^not ok .*(?:\n# .*)*", text, re.MULTILINE)
        plan = re.search(r"^1\.\.(\d+)$", text, re.MULTILINE)
        if not plan or int(plan[1]) != passes + len(bad) or (exit_code and not bad):
            bad.append(f"{suite} ended early (exit code {exit_code}):\n" + "\n".join(text.splitlines()[-15:]))
        self.count(suite, passes, len(bad), "\n".join(bad))

    def tap_suite(self, suite, command, **options):
        code, text = self.run(suite, command, **options)
        self.count_tap(suite, text, code)

    def tell_times(self, most=20):
        """The longest suites; all of them are in the file `times`. What is no processor time was spent waiting, for others
        too when the processors were busy."""
        lines = [f"{seconds:6.0f} s, {processor:6.0f} s of processor time: {name}" for seconds, processor, name in sorted(self.times, reverse=True)]
        (self.logs / "times").write_text("\n".join(lines) + "\n")
        self.say("\n".join(lines[:most]))
