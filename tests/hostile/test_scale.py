#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_scale.py LTTNG_GPU: so many processes, rings, contexts or files that what is held of each decides. LONG=1: a million of each and
100 000 files, in 4 GiB of address space; else a twentieth in a twentieth, and what the program takes with an empty trace. TAP."""
import os
import shutil
import struct
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from limits import Run, gib
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
is_long = bool(os.environ.get("LONG"))
part = 1 if is_long else 20
# The short form looks for reasons, too, which the long one has too many jobs for.
numbers = {"processes": 1_000_000 // part, "rings": 1_000_000 if is_long else 25_000, "contexts": 1_000_000 // part}
# Libraries, and the stacks and arenas of threads, do not depend on the trace.
space = 4 * gib if is_long else 4 * gib // part + (100 << 20)
threads = [] if is_long else ["--threads", "1"]
# Of CPU, on a slow machine.
longest = 1200 if is_long else 120
tap = Tap()


def write_jobs(file, kind, many):
    """One job for each process, ring or context."""
    with file.open("w", buffering=1 << 20) as lines:
        lines.write("# tracer: nop\n#\n")
        for number in range(many):
            pid = number + 100 if kind == "processes" else 100
            context, seqno = (1, number + 1) if kind == "rings" else (number + 1, 1)
            ring = f"ring_{number}" if kind == "rings" else "gfx"
            begin = f"  app-{pid} ({pid:>7}) [000] d..2."
            job = f"dev=0000:01:00.0, fence={context}:{seqno}, ring={ring}, job count:0, hw job count:0, client_id:5\n"
            for later, event in ((0, "queue"), (3, "run")):
                time = 10 * number + later
                lines.write(f"{begin} {1 + time // 1_000_000}.{time % 1_000_000:06d}: drm_sched_job_{event}: {job}")
            time = 10 * number + 7
            lines.write(f"{begin} {1 + time // 1_000_000}.{time % 1_000_000:06d}: drm_sched_job_done: fence={context}:{seqno} signaled\n")


def read(command, trace, *options):
    """The run, and how many lines name a process, how many a ring, and how many there are."""
    counts = {b'"comm"': 0, b'"ring"': 0, b"jobs on": 0, b"\n": 0}

    def count(line):
        for word in counts:
            counts[word] += word in line
    run = Run([lttng_gpu, command, *threads, *options, trace], address_space=space, seconds=longest, output=count)
    return run, counts


def test_many(kind, folder):
    file = folder / "trace.txt"
    many = numbers[kind]
    write_jobs(file, kind, many)
    processes = many if kind != "contexts" else 1
    rings = many if kind == "rings" else 1
    run, counts = read("report", file)
    tap.check_that(f"{many} {kind}: text in {run.seconds:.0f} s", run.code == 0 and counts[b"jobs on"] == 1, f"{run}, {counts}")
    run, counts = read("report", file, "--format", "json")
    # The longest jobs name both, too.
    is_whole = processes <= counts[b'"comm"'] <= processes + 100 and rings <= counts[b'"ring"'] <= rings + 100
    tap.check_that(f"{many} {kind}: JSON in {run.seconds:.0f} s", run.code == 0 and is_whole, f"{run}, {counts}")
    run, counts = read("jobs", file, "--format", "csv")
    tap.check_that(f"{many} {kind}: jobs in {run.seconds:.0f} s", run.code == 0 and counts[b"\n"] == many + 1, f"{run}, {counts}")


metadata = """/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
clock { name = monotonic; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := time;
stream {
    id = 0;
    packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size; u64 events_discarded; u32 cpu_id; };
    event.header := struct { u32 id; time timestamp; };
};
"""
names = ("drm_sched_job_queue", "drm_sched_job_run", "drm_sched_job_done")


def test_files(folder):
    """Each has a packet with a job of its own."""
    files = 100_000 // part
    fields = "string _name; string _dev; string _driver; u64 _fence_context; u64 _fence_seqno;"
    events = "".join(f'event {{ name = "{name}"; id = {number}; stream_id = 0; fields := struct {{ {fields} }}; }};\n'
                     for number, name in enumerate(names))
    (folder / "metadata").write_text(metadata + events)
    head = struct.Struct("<IIQQQQQI")
    end = 10 * files
    for number in range(files):
        event = b"".join(struct.pack("<IQ", kind, 10 * number + 2 * kind) + b"gfx\0card\0amdgpu\0" + struct.pack("<QQ", 1, number + 1)
                         for kind in range(3))
        bits = 8 * (head.size + len(event))
        (folder / f"stream_{number}").write_bytes(head.pack(0xC1FC1FC1, 0, 0, end, bits, bits, 0, number % 4096) + event)
    for options in ([], ["--format", "json"]):
        run, counts = read("report", folder, *options)
        told = counts[b"jobs on"] == 1 if not options else counts[b'"ring"'] > 0
        tap.check_that(f"{files} stream files, {'JSON' if options else 'text'}, in {run.seconds:.0f} s", run.code == 0 and told,
                       f"{run}, {counts}")


with tempfile.TemporaryDirectory() as directory:
    wanted = sys.argv[2:] or ["processes", "rings", "contexts", "files"]
    for name in wanted:
        place = Path(directory) / name
        place.mkdir()
        if name == "files":
            test_files(place)
        else:
            test_many(name, place)
        shutil.rmtree(place)
sys.exit(tap.finish())
