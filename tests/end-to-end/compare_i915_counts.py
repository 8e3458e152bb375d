#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_i915_counts.py DIR: compares what our i915 probe recorded of i915's mock self-tests with what ftrace did.

DIR is what tests/vm/i915-selftest-in-guest leaves: one run on an i915 with low-level tracepoints, where submit and
execute are the driver's own events, and one on an i915 without, where the probe recreates them and ftrace has kprobes
on the same functions. Prints TAP.

All self-tests but one run in modprobe and do the same requests each time, so these are compared one by one between
the two runs. mock_breadcrumbs_smoketest has threads of its own (igt/0, ...), which make requests until a time is over;
of these the rules are checked that hold for any number.
"""
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from compare_with_truth import Tap

KEY = ("ctx", "seqno")
LIFE = ("i915_request_add", "i915_request_submit", "i915_request_execute", "i915_request_retire")
# Those of igt_request_rewind, which takes a request back and submits it a second time.
REWOUND = LIFE[:2] + LIFE[2:3] * 2 + LIFE[3:]
LISTED = 18  # selftests/i915_mock_selftests.h of Linux 6.12


def number(text):
    return int(text, 0)


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.dmesg = (folder / "dmesg.log").read_text()
        self.log = (folder / "selftests.log").read_text()
        self.recreated = False
        self.ftrace = self.read_ftrace()
        self.lttng = self.read_lttng()

    def read_ftrace(self):
        """(event, fields) in order of time; the kprobes are named as the events that they stand for."""
        line = re.compile(r"^ *(.+)-\d+ +\[\d+\] \S+ +([\d.]+): (\w+): (.*)")
        probed = {"submit": "i915_request_submit", "execute": "i915_request_execute"}
        events = []
        with open(self.folder / "ftrace.txt", errors="replace") as file:
            for match in map(line.match, file):
                if not match:
                    continue
                task, _, name, text = match.groups()
                fields = dict(re.findall(r"([\w?]+)=([\w:.-]+)", text))
                if name in probed:
                    name = probed[name]
                    fields["ctx"] = fields.pop("context")
                    self.recreated = True
                fields["task"] = task
                events.append((name, fields))
        return events

    def read_lttng(self):
        if not (self.folder / "trace").is_dir():
            return None
        run = subprocess.run(["babeltrace2", "--fields=loglevel", "--names=all", self.folder / "trace"],
                             capture_output=True, text=True, errors="replace")
        self.babeltrace_says = run.stderr.splitlines() + ([] if run.returncode == 0 else [f"exit code {run.returncode}"])
        line = re.compile(r"(?:name = |\) )?\b(i915_\w+|\w+): (?:loglevel.*?, )?")
        events = []
        for text in run.stdout.splitlines():
            name = re.search(r"\b(i915_\w+)\b", text)
            events.append((name[1], dict(re.findall(r"\b(\w+) = \"?([-\w.]+)", text))))
        return events

    def requests(self, events):
        """The events of each request's life, in order of time."""
        lives = defaultdict(list)
        for name, fields in events:
            if name in LIFE:
                lives[number(fields["ctx"]), number(fields["seqno"])].append(name)
        return lives
