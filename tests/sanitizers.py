# SPDX-License-Identifier: MIT
"""What the tests of layers with sanitizers share: a build of the layer, in programs and with drivers that are not built so, and
which of the reports are of faults in the layer. Drivers and LTTng have faults of their own."""
import os
import re
import subprocess
from pathlib import Path

import lttng_session

build = Path(os.environ.get("BUILD", "build")).absolute()


class Sanitizer:
    def __init__(self, name, folder, flags, library, options):
        """name: of the test's words. folder: of all layers that are built so. options: variables that programs get."""
        self.name, self.folder, self.flags, self.options = name, build / folder, f"-O1 -g -fno-omit-frame-pointer {flags}", options
        self.library = library

    def layer(self, api, part=""):
        return self.folder / f"liblttng-gpu-{api}{part}.so"

    def build_layer(self, api):
        """Problems, of which there should be none. What is right in our own build may be warned of in this one."""
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        done = subprocess.run(["make", "--no-print-directory", f"BUILD={self.folder}", f"CXXFLAGS={self.flags}",
                               *(str(self.layer(api, part)) for part in ("", "-provider"))], env=environment, capture_output=True,
                              text=True)
        return [done.stderr[-1000:]] if done.returncode else []

    def preload(self, *libraries):
        """LD_PRELOAD: the sanitizer must come first."""
        own = subprocess.run(["gcc", f"-print-file-name={self.library}"], capture_output=True, text=True).stdout.strip()
        return " ".join(map(str, (own, *libraries)))

    def with_daemon(self, tap, api, check_programs):
        """Checks that the layer is built, and then what check_programs() checks while there is a session daemon."""
        why_not = lttng_session.why_not()
        tap.check("sessions can be recorded", [why_not] if why_not else [])
        problems = [] if why_not else self.build_layer(api)
        if not why_not:
            tap.check(f"the layer with {self.name} is built", problems)
        if not why_not and not problems:
            with lttng_session.daemon():
                check_programs()
        return tap.finish()


leaks_found = 23  # the exit code
# LTTng's own macros and headers are not aligned as they say, and copy nothing from nowhere.
address = Sanitizer("sanitizers", "sanitized", "-fsanitize=address,undefined -fno-sanitize=alignment,nonnull-attribute", "libasan.so",
                    {"ASAN_OPTIONS": f"detect_leaks=1:exitcode={leaks_found}"})
# It cannot see what drivers and LTTng do among themselves, and leaves it out.
thread = Sanitizer("the thread sanitizer", "sanitized-thread", "-fsanitize=thread", "libtsan.so",
                   {"TSAN_OPTIONS": "exitcode=0 ignore_noninstrumented_modules=1 report_thread_leaks=0"})


def in_order(command):
    """The thread sanitizer cannot place its memory beside addresses that are too random."""
    return ["setarch", "--addr-no-randomize", *map(str, command)]


def paragraphs(text, marker):
    """Reports begin with `marker` and end at an empty line; the number of the process is taken off each line."""
    lines = "\n".join(re.sub(r"^==\d+== ?", "", line) for line in text.splitlines())
    return [part for part in re.split(r"\n\s*\n", lines) if re.search(marker, part)]


def innermost(report, frames):
    """The functions in which it happened, without the allocator's and the sanitizer's own."""
    found = [line for line in report.splitlines() if re.match(r"\s+(#\d+|at|by) ", line)]
    found = [line for line in found if not re.search(r"interceptor|libsanitizer|libasan|vgpreload|rtld-malloc|operator new", line)]
    return "\n".join(found[:frames])


def faults(text, api, ours):
    """Of valgrind and of the address sanitizer: errors in functions of ours or in what these call directly, and leaks of what they
    allocated; what is undefined in all that is built so. ours: a pattern of more such functions."""
    known = re.compile(rf"lttng_gpu::|liblttng-gpu-{api}|userspace/preload|preload/{api}/generated" + (f"|{ours}" if ours else ""))
    errors = paragraphs(text,
                        r"^(Invalid|Conditional jump|Use of uninit|Syscall param|Jump to|Mismatched|Source and dest)|ERROR: "
                        r"AddressSanitizer")
    leaks = paragraphs(text, r"(?m)are definitely lost|^Direct leak")
    undefined = {line for line in text.splitlines() if "runtime error:" in line and "/usr/include/" not in line}
    return ([report[:1500] for report in errors if known.search(innermost(report, 3))] +
            [report[:1500] for report in leaks if known.search(innermost(report, 1))] + sorted(undefined))


def races(text, api):
    """Of all reports in a program's errors, those of which our library is part: one of the two accesses is in our code."""
    reports = [report for report in text.split("==================") if "WARNING: ThreadSanitizer" in report]
    return [report[:2500] for report in reports if re.search(rf"\(liblttng-gpu-{api}(-provider)?\.so", accesses(report))]


def accesses(report):
    """The innermost functions of ours or of others, of each access: what created the threads is no part of it."""
    kept = []
    for part in re.split(r"\n\s*\n", report):
        if re.match(r"\s*(WARNING: .*\n)?\s*(Previous )?(Atomic )?(atomic )?(Read|Write|read|write)", part.lstrip("\n")):
            kept += [line for line in part.splitlines() if re.match(r"\s+#[0-2] ", line)]
    return "\n".join(kept)
