#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_hostile.py LTTNG_GPU: inputs that are made to harm, and machines that have too little. Each must end in a result or
in a message with the exit code of the manual, in 4 GiB of address space and 20 s of CPU time. Prints TAP."""
import json
import os
import shutil
import struct
import sys
import tempfile
import zlib
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from limits import Run
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
golden = top / "tests/golden"
kernel = golden / "linux-7.2/kernel"
tap = Tap()


def limited(*arguments, address_space=4 << 20, environment=None):
    """`address_space`: KiB, as of ulimit -v."""
    return Run([lttng_gpu, *arguments], address_space=address_space << 10, environment=environment)


def test_little_memory(folder):
    """Below 20 MB not even the libraries are loaded."""
    many = folder / "many"
    many.mkdir()
    shutil.copy(kernel / "metadata", many)
    for number in range(60):
        shutil.copy(kernel / "gpu_0", many / f"gpu_{number}")
    problems = []
    for trace, limits in ((kernel, range(22_000, 50_000, 2_000)), (many, range(40_000, 180_000, 20_000))):
        for limit in limits:
            run = limited("report", "--threads", "4", trace, address_space=limit)
            if run.code not in (0, 3, 4, 5) or (run.code and not run.errors.startswith(b"lttng-gpu: ")):
                problems.append(f"{trace.name}, {limit} KiB: {run}")
    tap.check("with too little memory for the threads or for their work there is a result or a message", problems)


def section(number, content):
    """Of a trace.dat file of version 7, packed with zlib."""
    packed = zlib.compress(content, 9)
    return struct.pack("<HHIQII", number, 1, 0, 8 + len(packed), len(packed), len(content)) + packed


def test_section_named_often(folder):
    """Each option has the 15 MiB of a small section unpacked again: 80 h, had the file a million of them."""
    head = b"\x17\x08\x44tracing7\0" + bytes([0, 8]) + struct.pack("<I", 4096) + b"zlib\0" + b"1\0"
    begin = len(head) + 8
    texts = section(20, struct.pack("<I", 15 << 20) + bytes(15 << 20))
    options = struct.pack("<HIQ", 20, 8, begin) * 200_000 + struct.pack("<HIQ", 0, 8, 0)
    file = folder / "trace.dat"
    file.write_bytes(head + struct.pack("<Q", begin + len(texts)) + texts + section(0, options))
    run = limited("report", file)
    tap.check_that("a trace.dat file that names one section 200 000 times ends with a message",
                   run.code == 3 and b"twice" in run.errors and file.stat().st_size < 64_000, run)


def test_names_of_files(folder):
    """Escape sequences change titles, colours, or the clipboard."""
    name = "\x1b]0;title\x07\x1b[31mred"
    trace = folder / name
    shutil.copytree(kernel, trace)
    (trace / "gpu_0").write_bytes((kernel / "gpu_0").read_bytes()[:6000])
    file = folder / (name + ".dat")
    file.write_bytes(b"\x17\x08\x44tracing7\0")
    (folder / "empty").mkdir()
    (folder / "empty" / name).mkdir()
    commands = [["report", trace], ["jobs", trace], ["report", file], ["report", folder / "empty" / name],
                ["report", folder / (name + "x")],
                ["export", "--to", "ctf", trace, "-o", folder / "out"], ["export", "--to", "ctf", kernel, "-o", trace],
                ["merge", trace, trace, "-o", folder / "merged"], ["report", kernel, "-o", folder / name / name / name], [name]]
    runs = [(command, limited(*command)) for command in commands]
    tap.check("no control character of a file's name is printed",
              [f"{command}: {run}" for command, run in runs
               if not run.errors or any(byte < 32 and byte != 10 for byte in run.errors + run.out)])


def test_links(folder):
    """A trace that was sent must not show what is in other files of its reader. The folder itself may be a link."""
    secret = folder / "secret"
    secret.write_bytes(b"root:secret\n" * 1000)
    trace, described, whole = folder / "trace", folder / "described", folder / "whole"
    for copy in (trace, described):
        shutil.copytree(kernel, copy)
    (trace / "gpu_1").unlink()
    (trace / "gpu_1").symlink_to(secret)
    (described / "metadata").unlink()
    (described / "metadata").symlink_to(secret)
    whole.symlink_to(kernel)
    problems = [] if limited("report", whole).code == 0 else ["the folder that was named is a link, and was refused"]
    for code, command in ((4, ["report", trace]), (4, ["jobs", trace]), (3, ["report", "--reader", "babeltrace2", trace]),
                          (4, ["export", "--to", "ctf", trace, "-o", folder / "out"]), (3, ["report", described]),
                          (3, ["report", "--reader", "babeltrace2", described])):
        run = limited(*command)
        if run.code != code or b"symbolic link" not in run.errors or b"root" in run.out + run.errors.replace(bytes(folder), b""):
            problems.append(f"{command}: {run}")
    tap.check("links inside a trace are not followed, and named", problems)


def test_pipes(folder):
    """What is no file cannot be read, and must not be missing without a word: else half a trace is exported as if it were all."""
    trace, described, linked = folder / "trace", folder / "described", folder / "linked"
    for copy in (trace, described, linked):
        shutil.copytree(kernel, copy)
    for pipe in (trace / "gpu_1", described / "metadata", folder / "pipe"):
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
    (linked / "gpu_1").unlink()
    (linked / "gpu_1").symlink_to(folder / "pipe")
    problems = []
    for code, words, command in (
            (4, b"gpu_1: not a regular file", ["report", trace]), (4, b"gpu_1: not a regular file", ["jobs", trace]),
            (3, b"gpu_1: not a regular file", ["report", "--reader", "babeltrace2", trace]),
            (4, b"gpu_1: not a regular file", ["export", "--to", "ctf", trace, "-o", folder / "out"]),
            (3, b"metadata: not a regular file", ["report", described]), (3, b"metadata: not a regular file", ["report", folder]),
            (4, b"gpu_1: a symbolic link", ["report", linked])):
        run = limited(*command)
        if run.code != code or words not in run.errors:
            problems.append(f"{command}: {run}")
    tap.check("pipes inside a trace are not read, and named", problems)


def test_nothing_to_export(folder):
    trace = folder / "trace"
    trace.mkdir()
    shutil.copy(kernel / "metadata", trace)
    run = limited("export", "--to", "ctf", trace, "-o", folder / "out")
    tap.check_that("of a trace without streams nothing is exported, and the exit code says so",
                   run.code == 1 and b"nothing to export" in run.errors and not (folder / "out").exists(), run)


def test_very_many_streams(folder):
    """More files than a process may map. They are hard links, of which some file systems allow 65 000 to a file."""
    trace = folder / "trace"
    trace.mkdir()
    shutil.copy(kernel / "metadata", trace)
    for half in range(2):
        first = trace / f"{half}_0"
        first.write_bytes((kernel / "gpu_1").read_bytes()[:256])
        for number in range(1, 35_000):
            os.link(first, trace / f"{half}_{number}")
    run = limited("report", "--threads", "4", trace)
    tap.check_that("70 000 cut streams are read, and the damage is told", run.code in (3, 4) and b"the file ends inside it" in run.errors,
                   run)


def test_very_many_rings(folder):
    """A report holds some kilobytes a ring and writes it out ring by ring: as a whole, JSON of these takes twice the memory allowed."""
    trace = folder / "trace.txt"
    with trace.open("w") as lines:
        lines.write("# tracer: nop\n#\n")
        for ring in range(20_000):
            thread, begin, fence = f"app-{ring + 100} [000] d..2.", 10 * ring, f"fence={ring + 1}:1"
            for later, event in ((0, "queue"), (3, "run")):
                lines.write(f"  {thread} 1.{begin + later:06d}: drm_sched_job_{event}: dev=0000:01:00.0, {fence}, ring=ring_{ring}, "
                            "job count:0, hw job count:0, client_id:5\n")
            lines.write(f"  {thread} 1.{begin + 7:06d}: drm_sched_job_done: {fence} signaled\n")
    run = limited("report", "--threads", "1", "--format", "json", trace, address_space=260_000)
    tap.check_that("a report of 20 000 rings as JSON takes less than 260 MB",
                   run.code == 0 and len(json.loads(run.out)["queues"]) == 20_000, run)


def test_doctor_without_libkmod(folder):
    """What reads modules is itself something that may be missing."""
    (folder / "libkmod.so.2").write_bytes(b"")
    run = limited("doctor", environment={"LD_LIBRARY_PATH": str(folder)})
    tap.check_that("without libkmod doctor says so and goes on", run.code in (0, 1) and b"libkmod" in run.out and b"libkmod2" in run.out
                   and b"GPU" in run.out, f"{run}\n{run.out.decode()}")


with tempfile.TemporaryDirectory() as directory:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            folder = Path(directory) / name
            folder.mkdir()
            test(folder)
sys.exit(tap.finish())
