# SPDX-License-Identifier: MIT
"""Layers built with the thread sanitizer, in programs and with drivers that are not. A race counts when one of its two accesses
is in our code: what drivers and LTTng do among themselves the sanitizer cannot see, and leaves out."""
import os
import re
import subprocess
from pathlib import Path

build = Path(os.environ.get("BUILD", "build")).absolute()
folder = build / "sanitized-thread"
flags = "-O1 -g -fno-omit-frame-pointer -fsanitize=thread"
options = {"TSAN_OPTIONS": "exitcode=0 ignore_noninstrumented_modules=1 report_thread_leaks=0"}


def build_layer(api):
    """Problems, of which there should be none."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    libraries = [folder / f"liblttng-gpu-{api}{part}.so" for part in ("", "-provider")]
    done = subprocess.run(["make", "--no-print-directory", f"BUILD={folder}", f"CXXFLAGS={flags}", *map(str, libraries)], env=environment,
                          capture_output=True, text=True)
    return [done.stderr[-1000:]] if done.returncode else []


def preloads():
    """The sanitizer must come first."""
    return subprocess.run(["gcc", "-print-file-name=libtsan.so"], capture_output=True, text=True).stdout.strip()


def as_it_wants(command):
    """It cannot place its memory beside addresses that are too random."""
    return ["setarch", "--addr-no-randomize", *command]


def races(text, api):
    """Of all reports in a program's errors, those of which our library is part."""
    reports = [report for report in text.split("==================") if "WARNING: ThreadSanitizer" in report]
    return [report[:2500] for report in reports if re.search(rf"\(liblttng-gpu-{api}(-provider)?\.so", accesses(report))]


def accesses(report):
    """The innermost functions of ours or of others, of each access: what created the threads is no part of it."""
    kept = []
    for part in re.split(r"\n\s*\n", report):
        if re.match(r"\s*(WARNING: .*\n)?\s*(Previous )?(Atomic )?(atomic )?(Read|Write|read|write)", part.lstrip("\n")):
            kept += [line for line in part.splitlines() if re.match(r"\s+#[0-2] ", line)]
    return "\n".join(kept)
