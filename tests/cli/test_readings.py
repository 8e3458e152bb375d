#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_readings.py LTTNG_GPU: a large trace takes minutes to read, so commands read it twice, what they read of a whole trace once, and
the page of a trace that lacks something three times. Each reading opens its streams once; inotify counts. Prints TAP."""
import ctypes
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
libc = ctypes.CDLL(None, use_errno=True)
IN_OPEN = 0x20
event_head = struct.Struct("iIII")  # watch, mask, cookie, length of the name behind it
tap = Tap()


def events_of(data):
    place = 0
    while place < len(data):
        watch, _, _, length = event_head.unpack_from(data, place)
        place += event_head.size + length
        yield watch


def opened(stream, *command):
    """How often the command opens the file."""
    notify = libc.inotify_init1(os.O_NONBLOCK)
    try:
        # Equal events that follow each other become one. With the folder watched, too, none does.
        folder, file = (libc.inotify_add_watch(notify, os.fsencode(path), IN_OPEN) for path in (stream.parent, stream))
        if min(notify, folder, file) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        subprocess.run([str(word) for word in (lttng_gpu, *command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        data = b""
        while True:
            try:
                data += os.read(notify, 65536)
            except BlockingIOError:
                return sum(watch == file for watch in events_of(data))
    finally:
        os.close(notify)


with tempfile.TemporaryDirectory() as folder:
    out = Path(folder)
    for name in ("linux-6.12", "linux-7.2"):
        trace = out / name
        shutil.copytree(top / "tests/golden" / name, trace)
        stream = next(trace.rglob("gpu_0"))
        # The report and the page also look whether kernels were recorded inside; no event of these traces says so.
        for most, command in ((2, ["report", "--read-once"]), (3, ["report"]), (3, ["report", "--reasons", "--format", "json"]),
                              (2, ["diagnose"]),
                              (2, ["jobs"]), (2, ["frames"]), (4, ["report", "--html", out / f"{name}.html"])):
            count = opened(stream, *command, trace)
            tap.check_that(f"{name}: {' '.join(map(str, command[:2]))} opens each stream {most} times at most", 1 <= count <= most, count)
    whole = out / "whole"
    subprocess.run([lttng_gpu.parent / "make-trace", whole, "20000"], check=True, stdout=subprocess.DEVNULL)
    stream = next(path for path in whole.rglob("*") if path.is_file() and path.name != "metadata")
    for most, command in ((2, ["report"]), (2, ["report", "--reasons", "--format", "json"]), (1, ["diagnose"])):
        count = opened(stream, *command, whole)
        tap.check_that(f"whole trace: {' '.join(map(str, command[:2]))} opens each stream {most} times at most", 1 <= count <= most, count)
sys.exit(tap.finish())
