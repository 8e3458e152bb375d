#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bad_input.py LTTNG_GPU TRACE: damages copies of a real session in many ways. lttng-gpu must never crash or hang, and
must answer with the exit code of its manual and a clear line. Prints TAP."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu, trace = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()


def call(*arguments):
    """What the command says must be UTF-8, whatever bytes the trace holds."""
    try:
        run = subprocess.run([lttng_gpu, *arguments], capture_output=True, timeout=30)
        return subprocess.CompletedProcess(run.args, run.returncode, run.stdout.decode(), run.stderr.decode())
    except subprocess.TimeoutExpired as hang:
        return subprocess.CompletedProcess(hang.cmd, "hang", "", "")
    except UnicodeDecodeError as error:
        return subprocess.CompletedProcess(arguments, str(error), "", "")


def check(words, run, codes):
    """The exit code is one of codes; anything but 0 comes with at least one line, and none is a crash."""
    lines = run.stderr.strip().splitlines()
    good = run.returncode in codes and (run.returncode == 0 or lines) and all(len(line) < 500 for line in lines)
    if run.returncode in (1, 2, 3):
        good = good and not run.stdout
    tap.check(words, [] if good else [f"  expected {codes}, got {lines[:5]}"])
    print(f"#   exit code {run.returncode}: {lines[0] if lines else ''}")


def damaged(folder, change):
    """A copy of the session in which change(kernel trace folder) was made."""
    copy = Path(folder) / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(trace, copy)
    change(next(copy.rglob("metadata")).parent)
    return copy


def streams(kernel):
    return sorted((path for path in kernel.iterdir() if path.is_file() and path.name != "metadata"), key=lambda path: path.stat().st_size)


def cut(path, size):
    with open(path, "r+b") as file:
        file.truncate(size)


def overwrite(path, offset, data):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


def drop_index(kernel):
    shutil.rmtree(kernel / "index", ignore_errors=True)


with tempfile.TemporaryDirectory() as folder:
    check("report of the whole session", call("report", trace), [0])
    check("no such trace", call("report", f"{folder}/nothing"), [3])
    empty = Path(folder) / "empty"
    empty.mkdir()
    check("an empty folder", call("report", empty), [3])
    check("a file instead of a folder", call("jobs", lttng_gpu), [3])
    check("no trace named", call("report"), [2])
    check("an unknown option", call("report", "--no-such-option", trace), [2])
    check("an unknown format", call("jobs", "--format", "xml", trace), [2])
    check("invalid time", call("report", "--begin", "yesterday", trace), [2])
    check("an unknown command", call("analyse", trace), [2])
    check("a window after the end: nothing to report", call("report", "--begin", "+100000", trace), [1])
    check("an unwritable output file", call("report", "-o", f"{folder}/no/such/file", trace), [2, 3])

    def cut_stream(kernel):
        cut(streams(kernel)[-1], streams(kernel)[-1].stat().st_size - 1000)

    check("a truncated stream", call("report", damaged(folder, cut_stream)), [3, 4])
    check("a truncated stream without index", call("report", damaged(folder, lambda k: (cut_stream(k), drop_index(k)))), [3, 4])
    check("an empty stream file among others", call("report", damaged(folder, lambda k: cut(streams(k)[0], 0))), [0, 3, 4])
    check("a stream whose first packet's magic is wrong",
          call("report", damaged(folder, lambda k: overwrite(streams(k)[-1], 0, b"\0\0\0\0"))), [3, 4])
    check("a stream with an overwritten middle",
          call("report", damaged(folder, lambda k: overwrite(streams(k)[-1], streams(k)[-1].stat().st_size // 2, b"\xff" * 256))),
          [0, 3, 4])
    # Names become garbage, which must not reach the output as it is.
    def spoil_names(kernel):
        for stream in streams(kernel):
            stream.write_bytes(stream.read_bytes().replace(b"gputest-1", b"gpu\xff\xfe\n\x01-1"))

    for form in ("text", "csv", "json"):
        for command in ("report", "jobs"):
            check(f"names that are not valid UTF-8, {command} as {form}", call(command, "--format", form, damaged(folder, spoil_names)),
                  [0])
    check("no streams at all: nothing to report", call("report", damaged(folder, lambda k: [path.unlink() for path in streams(k)])), [1, 3])
    check("metadata that is other text", call("report", damaged(folder, lambda k: (k / "metadata").write_text("hello"))), [3])
    check("empty metadata", call("report", damaged(folder, lambda k: cut(k / "metadata", 0))), [3])
    check("CTF 2 metadata", call("report", damaged(folder, lambda k: (k / "metadata").write_text('\x1e{"type":"preamble","version":2}'))),
          [0, 1, 3])
    size = next(trace.rglob("metadata")).stat().st_size
    # The last packet is padded: a cut in its padding takes nothing away.
    for tenth in range(1, 10):
        check(f"metadata cut at {tenth}0 %", call("report", damaged(folder, lambda k: cut(k / "metadata", size * tenth // 10))), [0, 3, 4])
    for place in range(0, 40, 4):
        check(f"metadata with 4 bytes overwritten at {place}",
              call("report", damaged(folder, lambda k: overwrite(k / "metadata", place, b"\xff\x00\xff\xff"))), [0, 3, 4])
sys.exit(tap.finish())
