#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""disks.py LTTNG_GPU BUILD [GROUP...]: `lttng-gpu record` on disks that are full, become full, cannot be written to, or are slow. Whatever
happens, record ends, leaves nothing behind, says what is missing, and what was recorded can be read. Prints TAP."""
import contextlib
import os
import subprocess
import time
from pathlib import Path

from recorder import is_root
from suite import busy_seconds, count, place, problems_of_reading, run, said, tap, work

# So long a program waits for room in a buffer with --no-loss, for each event.
blocking_seconds = 5
# A program that waits for room in a buffer that nobody reads goes on after that time, several times over.
most_blocking_seconds = 30


@contextlib.contextmanager
def small_disk(size, options=""):
    disk = work / "disk"
    disk.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=777{options}", "none", disk], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)
        place.clear()


def disks():
    if not is_root:
        tap.check("disks that are full", skip="needs root")
        return
    for size, words in (("600k", ["--events", "user"]), ("12m", ["--events", "user"]), ("12m", ["--events", "user", "--no-loss"])):
        with small_disk(size) as disk:
            result = place.record(*words, "--buffers", "8M", "-o", "disk/a", "--", "sh", "-c", "touch ran")
            tap.check(f"a disk of {size} with too little room for the buffers: refused, and the command does not run",
                      [] if result.returncode == 125 and
                      "smaller --buffers" in result.stderr and not (work / "ran").exists() and not list(disk.iterdir()) else [said(result)])
    with small_disk("1m", ",ro") as disk:
        result = place.record("--events", "user", "-o", "disk/a", "--", "true")
        tap.check_that("a disk that is read-only", result.returncode == 2 and "cannot create" in result.stderr, said(result))
    with small_disk("2m") as disk:
        result = place.record("--events", "user", "--snapshot", "--snapshot-at-exit", "--buffers", "4M", "-o", "disk/a", "--",
                              "ends-writing", "exit", "busy")
        tap.check("no room for a snapshot",
                  ([] if result.returncode == 125 and "is nearly full" in result.stderr else [said(result)]) + place.leftovers())
    for loss in ([], ["--no-loss"]):
        # It fills by what is recorded.
        with small_disk("24m") as disk:
            begin = time.monotonic()
            script = 'for i in 1 2 3 4 5 6 7 8; do ends-writing none busy; [ "$(df --output=avail disk | tail -1)" -gt 4000 ] || break; done; echo the command goes on'
            result = place.record("--events", "user", *loss, "--buffers", "1M", "-o", "disk/a", "--", "sh", "-c", script)
            seconds = time.monotonic() - begin
            seen = count(disk / "a")
            good = result.returncode == 125 and "is nearly full" in result.stderr and "goes on" in result.stdout and seen > 50_000
            tap.check(f"a disk that becomes full {' '.join(loss)}: {seen} events, {seconds:.1f} s", ([] if good else [said(result)]) +
                      problems_of_reading(disk / "a") + place.leftovers())
        # Somebody else fills it at once, while the program waits and while it writes. Who still does that takes the room, too, that record
        # has kept for the last packets: then the report says that there are gaps.
        for load in ("idle", "busy"):
            with small_disk("64m") as disk:
                script = f"WROTE=disk/wrote ends-writing none {load} & until [ -e disk/wrote ]; do sleep 0.1; done; cat /dev/zero >disk/zeros; wait; echo the command goes on"
                begin = time.monotonic()
                result = place.record("--events", "user", *loss, "--buffers", "256K", "-o", "disk/a", "--", "sh", "-c", script)
                seconds = time.monotonic() - begin
                seen = count(disk / "a")
                good = result.returncode == 125 and ("is nearly full" in result.stderr or "cannot become larger" in result.stderr) and \
                    "goes on" in result.stdout and (seen >= 1000 or seen
                                                    and "the trace has gaps" in result.stderr) and seconds < busy_seconds + most_blocking_seconds
                tap.check(f"a disk that others fill at once, {load} {' '.join(loss)}: {seen} events, {seconds:.1f} s",
                          ([] if good else [said(result)]) +
                          problems_of_reading(disk / "a") + place.leftovers())
        # It fills after the command has ended, while LTTng writes what is left: all is written, or record says that it may not be.
        with small_disk("64m") as disk:
            (disk / "fills").touch()
            script = "head -c 52M /dev/zero >disk/most; ends-writing none idle; " \
                "(while [ -d /proc/$$ ]; do :; done; while cat /dev/zero >>disk/zeros || [ -e disk/fills ]; do :; done) >/dev/null 2>&1 &"
            result = place.record("--events", "user", *loss, "--buffers", "256K", "-o", "disk/a", "--", "sh", "-c", script)
            (disk / "fills").unlink()
            seen = count(disk / "a")
            good = seen == 1000 and not result.returncode or \
                result.returncode == 125 and "what was recorded last may be missing" in result.stderr and "was killed" not in result.stderr
            tap.check(f"a disk that others fill at the end {' '.join(loss)}: {seen} events, exit code {result.returncode}",
                      ([] if good else [said(result)]) + place.leftovers())


@contextlib.contextmanager
def slow_disk(bytes_per_second):
    """A file system on a disk that writes no faster, and a group of processes for which that holds; empty: not possible here."""
    image, disk = place.folder / "image", work / "slow"
    group = Path(f"/sys/fs/cgroup/blkio/lttng-gpu-test-{os.getpid()}")
    disk.mkdir()
    with open(image, "wb") as file:
        file.truncate(256 << 20)
    made = subprocess.run(["mkfs.ext4", "-q", "-F", image], stdin=subprocess.DEVNULL).returncode == 0 and \
        subprocess.run(["mount", "-o", "loop,sync", image, disk]).returncode == 0
    device = subprocess.run(["losetup", "-nO", "MAJ:MIN", "-j", image], capture_output=True, text=True).stdout.strip() if made else ""
    try:
        disk.chmod(0o777)
        group.mkdir()
        (group / "blkio.throttle.write_bps_device").write_text(f"{device} {bytes_per_second}")
        yield disk, group
    except OSError:
        yield disk, None
    finally:
        if made:
            subprocess.run(["umount", "-l", disk], check=True)
        with contextlib.suppress(OSError):
            group.rmdir()
        image.unlink()
        place.clear()


def slow_disks():
    if not is_root:
        tap.check("a disk that is slow", skip="needs root")
        return
    # Of several threads LTTng loses events without waiting while one of them has no processor in the middle of an event
    # (docs/kernel-notes.md).
    for loss, load in (([], "busy"), (["--no-loss"], "one")):
        with slow_disk(1 << 20) as (disk, group):
            if not group:
                tap.check(f"a disk of 1 MiB/s {' '.join(loss)}", skip="no such disk can be made here")
                continue
            command = place.command(place.bin / "lttng-gpu", "record", "--events", "user", *loss, "--buffers", "64K", "-o", "slow/a", "--",
                                    "sh", "-c", f"LONGEST=longest ends-writing none {load}; date +%s.%N >ended")
            result = subprocess.run(["sh", "-c", f'echo 0 >{group}/cgroup.procs; exec "$@"', "sh", *command], cwd=work,
                                    env=place.environment,
                                    capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
            seconds = time.time() - float((work / "ended").read_text())
            longest = float((work / "longest").read_text())
            seen = count(disk / "a")
            lost = "were discarded" in result.stderr or "events lost" in result.stderr
            may_lose = not loss or longest >= blocking_seconds
            good = result.returncode == 0 and seen > 1000 and (lost or loss) and (may_lose or not lost) and seconds < busy_seconds
            waited = f", one of them after {longest:.1f} s," if loss else ""
            tap.check(f"a disk of 1 MiB/s {' '.join(loss)}: {seen} events{waited} and {'some' if lost else 'none'} lost; record ends "
                      f"{seconds:.1f} s after the program",
                      [] if good else [said(result)])


run((disks, slow_disks))
