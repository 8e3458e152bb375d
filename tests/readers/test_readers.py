#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_readers.py BUILD [TRACE...]: our decoder must give what babeltrace2 gives, in every pass of compare-readers, on
one thread and on two: on the traces that are kept here and in tests/golden, on kernel-like ones with either event
header, and on sessions recorded now. With traces as arguments only these are compared. Prints TAP.

A trace that Debian 12's babeltrace2 cannot read has a file reference.xz beside it: what compare-readers --dump
babeltrace2 gave where a newer one was installed (origin.md says how)."""
import difflib
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
from lttng_session import why_not
from tap import Tap
from ust_sessions import record_all

build = Path(sys.argv[1])
compare_readers = build / "compare-readers"
tap = Tap()


def run(*arguments):
    # Texts of traces are any bytes; those outside ASCII are escaped by compare-readers, those in messages may not be.
    return subprocess.run([compare_readers, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=300)


def compare(name, trace, expected="events"):
    """babeltrace2 and ours; what is expected shows that there was something to compare."""
    for threads in (1, 2):
        result = run("--threads", threads, trace)
        problems = [] if result.returncode == 0 else [result.stdout[-3000:] + result.stderr[-1000:]]
        if not problems and expected != "nothing":
            lines = result.stdout.splitlines()
            problems += [f"nothing to compare: {line}" for line in lines if ": 0 events" in line and "(nothing)" not in line]
            if expected == "losses":
                problems += [f"no loss: {line}" for line in lines if ", 0 losses" in line]
        tap.check(f"{name}: the same on {threads} thread{'s' * (threads > 1)}", problems)


def compare_with_reference(name, trace, reference):
    expected = lzma.decompress(reference.read_bytes()).decode().splitlines()
    for threads in (1, 2):
        result = run("--dump", "own", "--threads", threads, trace)
        problems = list(difflib.unified_diff(expected, result.stdout.splitlines(), "babeltrace2", "ours", lineterm="", n=0))
        if result.returncode:
            problems.append(result.stderr)
        tap.check(f"{name}: equal to the reference, on {threads} thread{'s' * (threads > 1)}", problems)


def notices_a_changed_byte(trace):
    """The comparison itself: a value that differs must be seen."""
    expected = run("--dump", "own", trace).stdout
    with tempfile.TemporaryDirectory() as copy:
        for path in trace.iterdir():
            if path.is_file():
                data = bytearray(path.read_bytes())
                at = data.find(b"gputest-load")
                if path.name == "gpu_0":
                    data[at] ^= 1
                (Path(copy) / path.name).write_bytes(data)
        changed = run("--dump", "own", copy).stdout
    tap.check_that("a changed byte is detected", expected and changed and expected != changed, "two different traces look the same")


if len(sys.argv) > 2:
    for trace in sys.argv[2:]:
        compare(trace, trace)
    sys.exit(tap.finish())

golden = sorted(here.parent.glob("golden/*/kernel")) + sorted(path.parent for path in here.glob("traces/*/trace"))
tap.check_that("there are golden traces", len(golden) > 2, str(golden))
for case in golden:
    reference = case / "reference.xz"
    if reference.exists():
        compare_with_reference(case.name, case / "trace", reference)
    elif (case / "metadata").exists() and (case / "metadata").read_bytes().lstrip(b"\x1e").startswith(b"{"):
        # Those of traces/ have a reference instead.
        tap.check(f"{case.relative_to(here.parent)}", skip="CTF 2, which the babeltrace2 of Debian 12 cannot read")
    else:
        compare(str(case.relative_to(here.parent)), case)
notices_a_changed_byte(here.parent / "golden/linux-6.12/kernel")

with tempfile.TemporaryDirectory() as directory:
    for form in ([], ["--large"]):
        name = f"kernel-like{', large event headers' * bool(form)}"
        trace = Path(directory) / name
        subprocess.run([build / "make-trace", *form, trace, "20000"], check=True, stdout=subprocess.DEVNULL)
        compare(name, trace)

if why_not():
    tap.check("sessions of user space", skip=why_not())
else:
    with tempfile.TemporaryDirectory() as directory:
        for name, trace, expected in record_all(build / "ust-shapes", directory):
            compare(name, trace, expected)
sys.exit(tap.finish())
