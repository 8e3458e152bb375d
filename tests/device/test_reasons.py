#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_reasons.py LTTNG_GPU BUILD: what `lttng-gpu record --device-trace` leaves alone runs as it does without, and is counted with its
reason. On PoCL, whose driver refuses in turn what a real one may refuse for a kernel that has the recorder. Prints TAP."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "tests/record")]
import lttng_session  # noqa: E402
from recorder import Place  # noqa: E402
from tap import Tap  # noqa: E402

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
FILES = [build / name
         for name in ("lttng-gpu-instrument", "liblttng-gpu-device.so", "liblttng-gpu-device-provider.so", "liblttng-gpu-opencl.so",
                                   "liblttng-gpu-opencl-provider.so", "liblttng-gpu-descriptors.so", "tests/odd-programs",
                      "tests/librefusing-driver.so")]
# How the program is made, and why it is left alone; none: it is recorded.
WAYS = {"source": None, "callback": None, "pointer": None, "wrong_size": None, "bad_source": "", "binary": "no_source", "il": "no_source",
        "built_in": "no_source", "linked": "linked", "odd": "unseen_argument", "command_buffer": "command_buffer"}
# What the driver refuses.
REFUSED = {"build": "build_failed", "kernel": "refused", "argument": "refused", "launch": "refused", "fits": "does_not_fit",
           "size": "does_not_fit",
           "memory": "no_buffer", "callback": "no_callback"}
SCRIPT = """try() { echo "== $1"; shift; env "$@"; echo "ends with $?"; }
for way in %s; do try $way odd-programs $way; done
[ "$1" = plain ] && exit
for what in %s; do try refused_$what REFUSING_DRIVER=$what odd-programs source; done
try no_libclang LTTNG_GPU_LLVM=/nowhere odd-programs source
mv %s/lttng-gpu-instrument away
try no_instrumenter odd-programs source
""" % (" ".join(WAYS), " ".join(REFUSED), "%s")


def parts(text):
    return dict(part.split("\n", 1) for part in text.split("== ")[1:])


def device(trace, *options):
    return subprocess.run([lttng_gpu, "device", *options, trace], capture_output=True, text=True, timeout=300)


def check_results(plain, recorded, errors):
    different = {name: (plain[name], recorded.get(name)) for name in WAYS if plain[name] != recorded.get(name)}
    tap.check_that("programs that are made in odd ways have the results that they have without", plain["source"].count("hash") == 2 and
                   plain["bad_source"].endswith("ends with 1\n") and not different, (different, errors))
    different = {name: recorded.get(name) for name in (*(f"refused_{what}" for what in REFUSED), "no_libclang", "no_instrumenter")
                 if recorded.get(name) != plain["source"]}
    tap.check_that("and so has one whose kernel the driver does not take with the recorder", not different, (different, plain["source"]))


def check_counts(told):
    expected = {"no_libclang": 1, "no_instrumenter": 1}
    for reason in [*WAYS.values(), *REFUSED.values()]:
        if reason:
            expected[reason] = expected.get(reason, 0) + 1
    counts = {left["reason"]: left["count"] for left in told["accounting"]["untraced"]}
    for reason in sorted(expected.keys() | counts.keys()):
        tap.check_that(f"{reason} is counted for each program or launch that is left alone so", counts.get(reason) == expected.get(reason),
                       (counts, expected))
    examples = {left["reason"]: left["example"] for left in told["accounting"]["untraced"]}
    named = [reason
             for reason in ("refused", "does_not_fit", "no_buffer", "no_callback", "no_source", "linked", "unseen_argument",
                            "command_buffer")
             if examples.get(reason) != "fill"]
    tap.check_that("with the kernel, or what the compiler says", not named and "error" in (examples.get("build_failed") or ""),
                   (named, examples))
    entries = [location["executions"] for kernel in told["kernels"] for location in kernel["locations"] if location["kind"] == "entry"]
    launches = [launch for launch in told["launches"] if launch["status"] == 0]
    ways = sum(reason is None for reason in WAYS.values())
    tap.check_that("all others are recorded",
                   sum(entries) == 128 * ways and len(launches) == ways and told["accounting"]["launches_unread"] == 1,
                   (entries, told["launches"], told["accounting"]))


def check_texts(trace, told):
    text = device(trace).stdout
    lines = dict(re.findall(r"^left alone, (\w+): (.*)$", text, re.MULTILINE))
    expected = {left["reason"]: f"{left['count']} time{'s' if left['count'] > 1 else ''}" for left in told["accounting"]["untraced"]}
    tap.check_that("the text says each",
                   lines.keys() == expected.keys() and all(lines[reason].startswith(words) for reason, words in expected.items()),
                   text)
    report = subprocess.run([lttng_gpu, "report", trace], capture_output=True, text=True, timeout=300).stdout
    tap.check_that("and the report, how often",
                   f"left alone {sum(left['count'] for left in told['accounting']['untraced'])} times" in report, report[-3000:])


why_not = lttng_session.why_not() or next((f"{path.name} is not built" for path in FILES if not path.exists()), "")
if why_not:
    tap.check("reasons", skip=why_not)
    sys.exit(tap.finish())
place = Place([lttng_gpu, *FILES])
try:
    (place.folder / "work/all").write_text(SCRIPT % place.bin)
    place.own()
    wrapped = {"OCL_ICD_VENDORS": str(place.bin / "librefusing-driver.so")}
    alone = place.run("sh", "all", "plain", environment=wrapped, timeout=1800)
    run = place.record("-o", "trace", "--events", "user", "--no-loss", "--no-report", "--device-trace", "--", "sh", "all",
                       environment=wrapped,
                       timeout=1800)
    trace = place.folder / "work/trace"
    output = device(trace, "--format", "json")
    if os.environ.get("SHOW"):
        print(alone.stdout, run.stdout, run.stderr, output.stdout, file=sys.stderr)
    check_results(parts(alone.stdout), parts(run.stdout), run.stderr)
    check_counts(json.loads(output.stdout))
    check_texts(trace, json.loads(output.stdout))
finally:
    place.close()
sys.exit(tap.finish())
