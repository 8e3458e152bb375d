#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""debug_kernel.py KERNEL... [TEST...]: for each kernel, builds one that looks for its own errors (kasan or rt: build-debug-kernel), or
takes Debian's own with PREEMPT_RT (stock-rt: build-stock-rt), shows that what it complains of is seen ("watching"), runs the
kernel tests of tests/kselftest on it (default: all), "firing": the tracepoints of every driver that it has, fired as tests/firing says,
and "interrupted": recordings while the machine sleeps or a CPU comes or goes.
Any complaint of the kernel is a failure. What fails does not keep the rest from running. Everything is kept in $BUILD/tests/debug-KERNEL.
Environment: LANE (of stock-rt, default trixie), DEBUG_KERNEL (with one kernel: a folder that build-debug-kernel or build-stock-rt has
printed, or one of that form; nothing is built then), SHARE_READY=1 (the modules in $BUILD/tests/debug-KERNEL/share have not changed).
Prints TAP, and at the end a line for each kernel and test."""
import collections
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(Path(__file__).resolve().parent)]
from find_splats import is_of_kernel, splats
from suites import kernel_tests, reader_of
from tap import Tap

build = Path(os.environ.get("BUILD", "build")).absolute()
# What splat.ko does wrong, in an order in which no complaint switches a later one off (lockdep ends with its first one), and
# how a kernel calls it.
done_wrong = {
    "rcu_usage": "suspicious RCU usage",
    "sleep_in_atomic": "sleeping function called from invalid context",
    "warn": "WARNING: CPU.*splat",
    "list_corruption": "list_del corruption",
    "both_orders": "possible circular locking dependency",
    "schedule_in_atomic": "scheduling while atomic",
}
# What Debian's kernel sees of it.
done_wrong_on_stock = ["warn", "schedule_in_atomic"]
# Errors of Linux itself, each seen without any module of ours: what its report says first, and what is known of it. They are shown as
# skipped.
errors_of_linux = {
    "KASAN: slab-use-after-free in drm_atomic_helper_wait_for_vblanks":
        "Linux 6.12 looks at the state of a page flip that the next one has freed (drm_atomic_helper.c, after "
        "drm_atomic_helper_commit_hw_done())",
}
done_wrong_with_memory = {"use_after_free": "KASAN: slab-use-after-free", "out_of_bounds": "KASAN: slab-out-of-bounds"}
# How many times longer than on a stock kernel the tests wait for something.
slower = {"kasan": "5", "rt": "2", "stock-rt": "1"}
interruptions = ["suspend", "hotplug", "cpu_leaves", "cpu_comes"]  # of interrupted.py
# Nothing may look late on a busy host: what stalls does so for minutes.
command_line = "kasan_multi_shot sysctl.kernel.watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=180 sysctl.kernel.hung_task_timeout_secs=400"
# Added to what each guest's script does first: the log begins where our modules do, and at the end of it lockdep must not have given up.
watch = """
dmesg >boot-dmesg.log
dmesg --clear
trap 'dmesg >end-dmesg.log; [ ! -e /proc/lockdep_stats ] || cat /proc/lockdep_stats >lockdep-stats.log' EXIT
"""


def error_of_linux(report):
    """What is known of a report, whose first line names an error of Linux itself; "" for any other, and where LTTng or we are in it."""
    known = [words for begin, words in errors_of_linux.items() if begin in report[0]]
    return known[0] if known and not any(re.search(r"\[(lttng|gpu|fencestorm|splat|i915calls)", line) for line in report) else ""


def only_errors_of_linux(detail):
    """Whether the lines that a test's guest shows of its log (tests/kselftest/tap.sh) are those of such reports only."""
    lines = [line for line in detail.splitlines() if "Call Trace:" not in line]
    return bool(lines) and all(error_of_linux([line]) for line in lines) and len(detail.splitlines()) <= 2 * len(lines)


class Results(Tap):
    """Counts what each test has on each kernel, too."""

    def __init__(self):
        super().__init__()
        self.of_tests, self.seconds = {}, {}

    def check(self, kernel, test, words, problems=(), skip=""):
        super().check(f"{kernel} {test}: {words}", problems, skip)
        counts = self.of_tests.setdefault((kernel, test), collections.Counter())
        counts["failed" if problems else "skipped" if skip else "passed"] += 1

    def run(self, kernel, part, function, *arguments):
        """What fails in an unforeseen way is one failure, and what comes after it is run."""
        begin = time.monotonic()
        try:
            return function(*arguments)
        except Exception:
            self.check(kernel, part, "it runs to its end", [traceback.format_exc()])
        finally:
            self.seconds[kernel, part] = time.monotonic() - begin

    def finish(self):
        for (kernel, test), counts in sorted(self.of_tests.items()):
            print(f"# {kernel:8} {test:20} " + ", ".join(f"{counts[word]:3} {word}" for word in ("passed", "failed", "skipped")))
        for (kernel, part), seconds in sorted(self.seconds.items()):
            print(f"# {kernel:8} {part:20} took {seconds:.0f} s")
        return super().finish()


tap = Results()


def drivers():
    """Those that recipes of fired tracepoints need; the kernel need not have them."""
    recipes = "".join(path.read_text() for path in (top / "tests/firing").glob("*.fire"))
    return sorted(set(re.findall(r"^module (\S+)", recipes, re.MULTILINE)))


class DebugGuest:
    """Guests of a lane, with another kernel; root and compiler are the lane's."""

    def __init__(self, kernel, folder):
        self.kernel, self.folder = kernel, folder
        self.lane = os.environ.get("LANE") or "trixie" if kernel == "stock-rt" else "trixie"
        builder = ["build-stock-rt", self.lane] if kernel == "stock-rt" else ["build-debug-kernel", kernel]
        built = os.environ.get("DEBUG_KERNEL") or subprocess.run(["nice", "-n", "19", Path(__file__).parent / builder[0], *builder[1:]],
                                                                 stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        self.environment = os.environ | {f"GUEST_{self.lane}": built, "GUEST_CMDLINE": command_line, "BOOT_SECONDS": "1800",
                                         "GUEST_SECONDS": "7200", "SLOWER": slower[kernel],
                                         "TEST_MODULES": "gputest fencestorm splat firing i915calls",
                                         "SHARE_MODULES": " ".join(drivers())}
        folder.mkdir(parents=True, exist_ok=True)
        self.share = folder / "share"
        if not os.environ.get("SHARE_READY"):
            self.run(["tests/vm/make-share", self.lane, self.share], folder / "share.log", check=True)
            with open(self.share / "prepare", "a") as file:
                file.write(watch)
        self.environment["SHARE_READY"] = "1"  # for scripts that would fill a copy of it again

    def run(self, command, log, **options):
        """What it prints goes to a file; returns the exit code."""
        with open(log, "w") as file:
            return subprocess.run([str(word) for word in command], cwd=top, env=self.environment, stdout=file, stderr=subprocess.STDOUT,
                                  **options).returncode

    def copy_of_share(self, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "-al", self.share, folder], check=True)
        return folder


def lines_of(path):
    return path.read_text(errors="replace").splitlines() if path.exists() else []


def check_watching(guest):
    """A kernel that does wrong on purpose is seen, each thing by its name; one that does not is not."""
    folder = guest.copy_of_share("watching")
    wrong = done_wrong | (done_wrong_with_memory if guest.kernel == "kasan" else {})
    if guest.kernel == "stock-rt":
        wrong = {kind: done_wrong[kind] for kind in done_wrong_on_stock}
    (folder / "run").write_text(f""". ./prepare
dmesg >splat-nothing.log
modprobe lttng-probe-gpu
dmesg >>splat-nothing.log
for kind in {' '.join(wrong)}; do
    dmesg --clear
    modprobe splat kind=$kind
    dmesg >splat-$kind.log
done
""")
    code = guest.run(["tests/vm/run-guest", guest.lane, folder], folder / "guest.log")
    tap.check(guest.kernel, "watching", "the kernel boots",
              [] if (folder / "splat-nothing.log").exists() else [f"{code}: {lines_of(folder / 'guest.log')[-20:]}"])
    boot = lines_of(folder / "boot-dmesg.log")
    tap.check(guest.kernel, "watching", "booting has no splat",
              (["no log"] if not any(map(is_of_kernel, boot)) else []) + ["\n".join(s[:30]) for s in splats(boot)])
    said = "KernelAddressSanitizer initialized" if guest.kernel == "kasan" else "PREEMPT_RT"
    tap.check(guest.kernel, "watching", "it is the kernel that it should be",
              [] if any(said in line for line in boot) else [f"it does not say '{said}'"])
    quiet = splats(lines_of(folder / "splat-nothing.log"))
    tap.check(guest.kernel, "watching", "nothing wrong, nothing seen", ["\n".join(s[:30]) for s in quiet])
    for kind, words in wrong.items():
        found = splats(lines_of(folder / f"splat-{kind}.log"))
        tap.check(guest.kernel, "watching", f"{kind} is seen",
                  [] if any(re.search(words, "\n".join(s)) for s in found) else lines_of(folder / f"splat-{kind}.log")[:20] or ["no log"])


def check_logs(guest, name, folder):
    """No splat, in logs that are there, and a lockdep that looked until the end."""
    logs = [folder / "console.log", folder / "end-dmesg.log"]
    reports = [(path, report) for path in logs for report in splats(lines_of(path))]
    of_linux = sorted({error_of_linux(report) for _, report in reports} - {""})
    for words in of_linux:
        tap.check(guest.kernel, f"log of {name}", "an error of Linux itself", skip=words)
    found = [f"{path.name}: " + "\n".join(report[:40]) for path, report in reports if not error_of_linux(report)]
    found += [f"{path.name} has no line of a kernel" for path in logs[1:] if not any(map(is_of_kernel, lines_of(path)))]
    tap.check(guest.kernel, f"log of {name}", "the kernel complains of nothing", found)
    if guest.kernel == "stock-rt":
        return
    if of_linux and not found:
        tap.check(guest.kernel, f"log of {name}", "lockdep was at work until the end", skip="an error of Linux itself has ended it")
        return
    locks = [line.split()[-1] for line in lines_of(folder / "lockdep-stats.log") if line.strip().startswith("debug_locks:")]
    tap.check(guest.kernel, f"log of {name}", "lockdep was at work until the end", [] if locks == ["1"] else [f"debug_locks: {locks}"])


def check_tap(guest, test, text, end):
    """Each result of a test is one of ours, and a test that did not run to its end has failed; end: what is said of that. Returns
    whether it passed."""
    passed = True
    lines = re.findall(r"^((?:not )?ok) \d+ - (.*)((?:\n# .*)*)", text, re.MULTILINE)
    for result, words, detail in lines:
        skip = re.search(r" # SKIP (.*)", words)
        if result != "ok" and words.endswith("no splat") and only_errors_of_linux(detail.strip()):
            tap.check(guest.kernel, test, words, skip="an error of Linux itself, see the log")
            continue
        passed &= result == "ok"
        tap.check(guest.kernel, test, words.split(" # SKIP")[0], [] if result == "ok" else [detail.strip()], skip[1] if skip else "")
    is_whole = bool(re.search(rf"^1\.\.{len(lines)}$", text, re.MULTILINE))
    if not is_whole:
        tap.check(guest.kernel, test, "it runs to its end", [f"{len(lines)} results", *end])
    return is_whole and passed


def command_that_reads(test, folder):
    """Nothing where the test has recorded nothing. The recording is the last word."""
    suite = reader_of(test)
    command = suite.words(build=build, folder=folder) if suite else []
    return command if command and Path(command[-1]).exists() else []


def read_recording(guest, test, folder):
    """What the test has recorded is right."""
    done = subprocess.run(command_that_reads(test, folder), cwd=top, capture_output=True, text=True)
    check_tap(guest, f"read {test}", done.stdout, [f"it ended with {done.returncode}: {done.stderr[-2000:]}"])


def run_tests(guest, group, tests):
    folder = guest.copy_of_share(group)
    code = guest.run(["tests/vm/kselftest-in-guest", guest.lane, folder, *tests], folder / "guest.log")
    for test in tests:
        text = (folder / f"{test}.tap").read_text() if (folder / f"{test}.tap").exists() else ""
        passed = check_tap(guest, test, text, [f"the guest ended with {code}", *lines_of(folder / "guest.log")[-5:]])
        if passed and command_that_reads(test, folder):
            tap.run(guest.kernel, f"read {test}", read_recording, guest, test, folder)
    check_logs(guest, group, folder)


def fire(guest):
    """The real tracepoints of the drivers, with objects of random contents."""
    folder = guest.copy_of_share("firing")
    code = guest.run(["tests/vm/fire-in-guest", guest.lane, folder], folder / "guest.log")
    check_tap(guest, "firing", (folder / "guest.log").read_text(), [f"the guest ended with {code}"])
    check_logs(guest, "firing", folder)


def interrupt(guest):
    """Suspend and CPU hotplug in the middle of a recording; interrupted.py looks for splats, too."""
    folder = guest.folder / "interrupted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    share = guest.copy_of_share("interrupted/share")
    # Each of the guests copies the modules to its own disk; these are most of them, and none is loaded.
    for driver in {"amdgpu", "i915", "radeon", "xe"} & set(drivers()):
        (share / f"modules/{driver}.ko").unlink(missing_ok=True)
    code = guest.run(["tests/reliability/interrupted.py", build / "lttng-gpu", guest.lane, folder, *interruptions], folder / "guest.log")
    check_tap(guest, "interrupted", (folder / "guest.log").read_text(), [f"it ended with {code}"])


def test_kernel(kernel, wanted):
    guest = tap.run(kernel, "building", DebugGuest, kernel, build / "tests" / f"debug-{kernel}")
    if not guest:
        return
    if not wanted or "watching" in wanted:
        tap.run(kernel, "watching", check_watching, guest)
    for group, tests in kernel_tests().items():
        chosen = [test.name for test in tests if not wanted or test.name in wanted]
        if "i915_recreated" in chosen and not (guest.share / "modules/i915.ko").exists():
            tap.check(kernel, "i915_recreated", "i915 comes and goes", skip="this kernel was built without i915")
            chosen.remove("i915_recreated")
        if chosen:
            tap.run(kernel, group, run_tests, guest, group, chosen)
    for name, test in ("firing", fire), ("interrupted", interrupt):
        if not wanted or name in wanted:
            tap.run(kernel, name, test, guest)


def main():
    kernels = [word for word in sys.argv[1:] if word in slower]
    for kernel in kernels:
        test_kernel(kernel, [word for word in sys.argv[1:] if word not in slower])
    return tap.finish() if kernels else f"usage: debug_kernel.py {'|'.join(slower)}... [TEST...]"


if __name__ == "__main__":
    sys.exit(main())
