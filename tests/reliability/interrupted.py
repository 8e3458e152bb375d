#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""interrupted.py LTTNG_GPU LANE DIR [KIND...]: `lttng-gpu record` in the lane's guest while the machine is suspended, while a
CPU comes and goes, and until its power is cut; what was recorded is compared with the test driver's own log of every job.
KINDs: nothing, suspend, hotplug, hotplug_and_suspend, cpu_leaves, cpu_comes, and of power cuts poweroff, poweroff_idle,
poweroff_per_process, poweroff_per_process_idle (the load has ended before; in a session with buffers of each process) and killed, the same
four (default: all but hotplug_and_suspend and the last three). DIR keeps everything. Environment: TIMES (of suspends and hotplugs in one
recording), GUEST_SECONDS (what a guest may take, default 900), SLOWER (how many times slower its kernel is than a stock one), SHARE_READY=1
(DIR/share was filled by make-share). Prints TAP."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "tests/end-to-end"), str(Path(__file__).resolve().parent)]
import compare_with_truth
from compare_with_truth import differing, key, outside, read_jobs
from find_splats import is_of_kernel, splats
from tap import Tap

tap = Tap()
times = int(os.environ.get("TIMES", "3"))
# What the disk has lost after a power cut is the file system's journal (every 5 s) and buffers that were not full. On a busy host a guest
# writes fewer events in a second, and a buffer of 1 MiB takes the longer to become full.
most_lost = 10_000_000_000  # ns, and as long as two packets took
files = ("lib", "lane", "modules", "lttng-gpu", "gputest-load", "ust-events", "common", "interrupted")


def disk_of(folder):
    """What the guest left on its second disk; a file system that was in use is repaired as at the next boot."""
    image, out = folder / "disk.img", folder / "out"
    fsck = subprocess.run(["e2fsck", "-fy", image], capture_output=True, text=True)
    out.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump / {out}", image], capture_output=True, check=True)
    return out, [] if fsck.returncode < 4 else [fsck.stdout]


def run_guest(kind, lane, share, folder):
    """Returns (exit code, console)."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cp", "-al", share, folder], check=True)
    for name in ("common", "interrupted"):
        shutil.copy(Path(__file__).parent / "guest" / name, folder)
    image = folder / "disk.img"
    subprocess.run(["mkfs.ext4", "-q", "-F", image, "512M"], check=True)
    (folder / "run").write_text(f"mkdir /tmp/work && cp -r {' '.join(files)} /tmp/work && cd /tmp/work && "
                                f"TIMES={times} SLOWER={os.environ.get('SLOWER', 1)} exec sh ./interrupted {kind}\n")
    limit = os.environ.get("GUEST_SECONDS", "900")
    guest = subprocess.Popen([top / "tests/vm/run-guest", lane, folder, limit], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             env=os.environ | {"GUEST_QEMU": f"-drive file={image},format=raw,if=virtio"})
    with guest.stdout:
        for line in guest.stdout:
            print(f"# {kind}: {line}", end="", flush=True)
            if line.startswith("end QEMU now"):
                os.kill(int((folder / "qemu.pid").read_text()), signal.SIGKILL)
    return guest.wait(), (folder / "console.log").read_text(errors="replace")


def clock_offset(trace):
    """Nanoseconds from the kernel's monotonic clock to the trace's times; babeltrace2 of Debian 12 does not read CTF 2."""
    ctf2 = re.search(rb'"type":"clock-class".*?"offset-from-origin":\{"seconds":(\d+),"cycles":(\d+)\}',
                     (trace / "kernel/metadata").read_bytes())
    return int(ctf2[1]) * 1_000_000_000 + int(ctf2[2]) if ctf2 else compare_with_truth.clock_offset(trace)


def clocks_of(out):
    """(name, monotonic in ns, time since boot in ns), in order."""
    rows = [line.split() for line in (out / "clocks").read_text().splitlines()]
    return [(name, int(monotonic), int(float(boot) * 1e9)) for name, monotonic, boot in rows]


def check_machine(kind, out, clocks):
    """That what was to happen has happened: without it nothing was tested."""
    log = (out / "dmesg.log").read_text(errors="replace")
    if "suspend" in kind:
        # Of two files that are read one after the other, by a guest whose host may be busy.
        asleep = [after[2] - before[2] - (after[1] - before[1]) for before, after in zip(clocks, clocks[1:]) if after[0] == "after_suspend"]
        tap.check(f"{kind}: the machine slept {times} times, for a second or more",
                  [] if len(asleep) == times and min(asleep) > 1e9 else [asleep])
        said = re.search(r"the machine was suspended for (\d+\.\d) s of the recording", (out / "record.log").read_text())
        tap.check(f"{kind}: record says for how long",
                  [] if said and abs(float(said[1]) - sum(asleep) / 1e9) < 0.5 * times else [(said, asleep)])
    if "hotplug" in kind or kind in ("cpu_leaves", "cpu_comes"):
        # A suspend takes CPUs offline, too.
        count = log.count("CPU 1 is now offline") - (times if "suspend" in kind else 0)
        wanted = times if "hotplug" in kind else 1
        tap.check(f"{kind}: a CPU went offline, {wanted} times", [] if count == wanted else [f"{count} times"])
    lines = log.splitlines()
    tap.check(f"{kind}: the kernel log has no splat",
              ["it is empty"] if not any(map(is_of_kernel, lines)) else ["\n".join(s) for s in splats(lines)])


def check_whole(kind, lttng_gpu, out):
    """A recording that ended as it should."""
    clocks = clocks_of(out)
    check_machine(kind, out, clocks)
    ended = re.findall(r"^record ended with (\d+)$", (out / "record.log").read_text(), re.MULTILINE)
    tap.check(f"{kind}: record ends, with its command's exit code",
              [] if ended == [str(128 + signal.SIGTERM)] else [(out / "record.log").read_text()])
    trace = out / "trace"
    run, rows = read_jobs(lttng_gpu, trace)
    tap.check(f"{kind}: the trace is read without a complaint", [] if run.returncode == 0 else [f"{run.returncode}: {run.stderr}"])
    truth = list(csv.DictReader((out / "gputest-jobs.csv").read_text().splitlines()))
    jobs, offset = {key(row): row for row in rows}, clock_offset(trace)
    missing = [f"no job {key(row)}" for row in truth if key(row) not in jobs]
    tap.check(f"{kind}: every job of the driver's log is there, and no other",
              (["it has less than 1000 jobs"] if len(truth) < 1000 else []) +
              missing + [f"{key(row)}" for row in rows if key(row) not in {key(row) for row in truth}])
    tap.check(f"{kind}: device, ring, process and thread are right", differing(truth, jobs, ["device", "ring", "pid", "tid", "comm"]))
    for moment in ("queued", "submitted", "completed"):
        tap.check(f"{kind}: {moment} is between the driver's clock readings", outside(truth, jobs, moment, offset))
    check_window(kind, lttng_gpu, trace, clocks, truth, offset)


def does_daemon_die(kind, out):
    """A CPU that LTTng 2.16 has not seen online ends its session daemon (docs/kernel-notes.md)."""
    return kind == "cpu_comes" and re.search(r" 2\.16\.", (out / "lttng-version").read_text())


def check_dead_daemon(kind, lttng_gpu, out):
    """It is said, with the reason, and what was recorded until then is read as what it is: the beginning."""
    clocks = clocks_of(out)
    check_machine(kind, out, clocks)
    said = (out / "record.log").read_text()
    tap.check(f"{kind}: record says that the daemon died, and that a CPU came",
              [] if re.search(r"LTTng's daemon lttng-\S+ \(process \d+\) has died; CPU 1 has come online .*: the recording ends here", said)
              and
              re.search(r"^record ended with 125$", said, re.MULTILINE) else [said])
    trace = out / "trace"
    run, rows = read_jobs(lttng_gpu, trace)
    report = subprocess.run([lttng_gpu, "report", trace], capture_output=True, text=True)
    tap.check(f"{kind}: no report says that nothing was lost",
              [] if run.returncode == report.returncode == 4 and "gaps" in report.stdout + report.stderr else
              [run.returncode, run.stderr, report.returncode, report.stdout[:300], report.stderr])
    truth = list(csv.DictReader((out / "gputest-jobs.csv").read_text().splitlines()))
    jobs, offset = {key(row): row for row in rows if row["status"] == "complete"}, clock_offset(trace)
    known = [row for row in truth if key(row) in jobs]
    print(f"# {kind}: {len(known)} of {len(truth)} jobs are complete in the trace")
    tap.check(f"{kind}: what is there is right", ([f"{len(known)} jobs"] if len(known) < 100 else []) +
              [f"{key(row)}" for row in rows if key(row) not in set(map(key, truth))] +
              differing(known, jobs, ["device", "ring", "pid", "tid", "comm"]) +
              [problem for moment in ("queued", "submitted", "completed") for problem in outside(known, jobs, moment, offset)])


def check_window(kind, lttng_gpu, trace, clocks, truth, offset):
    """The report's window is the time in which jobs ran, and has none of the time asleep."""
    report = json.loads(subprocess.run([lttng_gpu, "report", "--format", "json", trace], capture_output=True, text=True).stdout)
    begin, end = report["window"]["begin_ns"] - offset, report["window"]["end_ns"] - offset
    first, last = int(truth[0]["queued_lo"]), max(int(row["completed_hi"] or 0) for row in truth)
    problems = [] if clocks[0][1] <= begin <= first + 1_000_000_000 else [f"begins at {begin}, the recording at {clocks[0][1]}, its first "
                                                                          f"job at {first}"]
    problems += [] if last - 1_000_000_000 <= end <= clocks[-1][1] else [f"ends at {end}, the last job at {last}, the recording at "
                                                                         f"{clocks[-1][1]}"]
    tap.check(f"{kind}: the report's window is the time of the recording", problems)
    accounting = report["accounting"]
    tap.check(f"{kind}: nothing was lost",
              [] if accounting["events_lost"] == 0 and not any(accounting["unannounced"].values()) else [accounting])


def longest_packet(trace, window):
    """The mean time in which a packet of 1 MiB became full, of the stream in which that took longest."""
    counts = [stream.stat().st_size >> 20 for stream in (trace / "kernel").glob("gpu_*")]
    return (window["end_ns"] - window["begin_ns"]) / max(1, min(counts, default=1))


def check_cut(kind, lttng_gpu, out, console):
    """A recording whose machine lost its power."""
    trace, is_idle, is_per_process = out / "trace", kind.endswith("_idle"), "_per_process" in kind
    cut, load_end = (int((re.findall(rf"^guest: {what} at (\d+)$", console, re.MULTILINE) or [0])[0])
                     for what in ("power ends", "load ends"))
    tap.check(f"{kind}: the recording was cut {'after' if is_idle else 'while'} jobs ran",
              [] if cut and bool(load_end) == is_idle else ["the guest does not say when"])
    run = subprocess.run([lttng_gpu, "report", "--format", "json", trace], capture_output=True, text=True, timeout=120)
    tap.check(f"{kind}: what is on the disk is read, and the report says that something is missing",
              [] if run.returncode == 4 and run.stderr.strip() else [f"{run.returncode}: {run.stderr}"])
    if not run.stdout:
        return
    report, offset = json.loads(run.stdout), clock_offset(trace)
    _, rows = read_jobs(lttng_gpu, trace)
    end = report["window"]["end_ns"] - offset
    last_job = max((int(row["completed_ns"]) for row in rows if row["completed_ns"]), default=offset) - offset
    print(f"# {kind}: {len(rows)} jobs, {report['accounting']['jobs_complete']} complete; the window ends {(cut - end) / 1e9:.2f} s before "
          f"the power" +
          (f", the last job {(load_end - last_job) / 1e9:.2f} s before the load did" if is_idle else ""))
    print(f"# {kind}: {run.stderr.strip()}")
    # After 20 s without load all that LTTng has written is on the disk.
    lost, most = (load_end - last_job, 0) if is_idle else (cut - end, most_lost)
    packets = longest_packet(trace, report["window"])
    tap.check(f"{kind}: no more than {most / 1e9:.0f} s and the time of two packets are lost, and nothing is later than the power cut",
              [] if lost <= most + 2 * packets and end <= cut
              else [f"the window ends at {end}, the last job at {last_job}, the load at {load_end}, the power at {cut}; "
                                                                    f"a packet: {packets / 1e9:.2f} s"])
    moments = [[int(row[f"{moment}_ns"]) for moment in ("queued", "submitted", "completed") if row[f"{moment}_ns"]] for row in rows]
    tap.check(f"{kind}: the jobs' times are in order, and before the power cut",
              [f"{key(row)}: {at}" for row, at in zip(rows, moments) if at != sorted(at) or at[-1] - offset > cut])
    # A program that ran when the power ended has buffers of its own, of which the metadata may be lost.
    folders = {path.parent for path in (trace / "ust").rglob("metadata")} if is_per_process else [trace / "ust"]
    reports = [subprocess.run([lttng_gpu, "report", "--format", "json", folder], capture_output=True, text=True, timeout=120)
               for folder in folders]
    events = sum(json.loads(one.stdout)["accounting"]["events_read"] for one in reports if one.stdout)
    tap.check(f"{kind}: what programs wrote before is read ({events} events{f' of {len(reports)} programs' if is_per_process else ''})",
              [] if events >= 1000 else [one.stderr for one in reports])
    tap.check(f"{kind}: a thousand jobs are complete", [] if report["accounting"]["jobs_complete"] >= 1000 else [report["accounting"]])


def main():
    lttng_gpu, lane, folder, *kinds = sys.argv[1:]
    lttng_gpu, folder = Path(lttng_gpu).absolute(), Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    share = folder / "share"
    if not os.environ.get("SHARE_READY"):
        subprocess.run([top / "tests/vm/make-share", lane, share], check=True, env=os.environ | {"TEST_MODULES": "gputest"})
    for kind in kinds or ("nothing", "suspend", "hotplug", "cpu_leaves", "cpu_comes", "poweroff", "killed", "poweroff_idle",
                          "poweroff_per_process", "poweroff_per_process_idle"):
        code, console = run_guest(kind, lane, share, folder / kind)
        out, problems = disk_of(folder / kind)
        tap.check(f"{kind}: the guest does not hang, and its disk is sound",
                  problems + ([] if code == 0 else [f"it ended with {code}:\n{console[-3000:]}"]))
        if code:
            continue
        if kind.startswith(("poweroff", "killed")):
            check_cut(kind, lttng_gpu, out, console)
        elif does_daemon_die(kind, out):
            check_dead_daemon(kind, lttng_gpu, out)
        else:
            check_whole(kind, lttng_gpu, out)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
