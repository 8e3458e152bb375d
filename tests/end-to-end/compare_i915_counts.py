#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_i915_counts.py DIR: compares what our i915 probe recorded of i915's mock self-tests with what ftrace did.

DIR is what tests/vm/i915-selftest-in-guest leaves: one run on an i915 with low-level tracepoints, where submit and
execute are the driver's own events, and one on an i915 without, where the probe recreates them and ftrace has kprobes
on the same functions. Prints TAP.

All self-tests but one run in modprobe and make the same requests each time, so these are compared one by one between
the two runs. mock_breadcrumbs_smoketest has threads of its own (igt/0, ...) that make requests until a time is over: of
them the rules are checked that hold for any number.
"""
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

ADD, SUBMIT, EXECUTE, RETIRE = LIFE = [f"i915_request_{moment}" for moment in ("add", "submit", "execute", "retire")]
# The lives that a request can have. switch_to_kernel_context() commits a request without i915_request_add(), and
# igt_request_rewind takes one request back and submits it to its engine a second time.
USUAL, PARKING, REWOUND = (ADD, SUBMIT, EXECUTE, RETIRE), (SUBMIT, EXECUTE, RETIRE), (ADD, SUBMIT, EXECUTE, EXECUTE, RETIRE)
# Of one request, in any event that has it; what else an event has depends on its kind.
FIELDS = ("dev", "class", "instance", "tail", "flags")
here = Path(__file__).resolve().parent
splats = re.compile("|".join(re.findall(r'^splats="?\'?(?:\$splats\|)?(.*)["\']$', (here / "../kselftest/tap.sh").read_text(),
                                        re.MULTILINE)))


def differences(first, second, words=("only in the first", "only in the second")):
    first, second = Counter(first), Counter(second)
    return [f"{count} x {word}: {item}" for word, more, less in ((words[0], first, second), (words[1], second, first))
            for item, count in (more - less).items()]


class Run:
    def __init__(self, folder):
        self.name, self.folder = folder.name, folder
        self.out = folder / "out"
        self.dmesg, self.log, self.stats = (self.read(name) for name in ("dmesg.log", "selftests.log", "ftrace-stats"))
        self.ftrace, self.tasks, self.probed = [], {}, set()
        self.read_ftrace()
        self.read_lttng()

    def read(self, name):
        return (self.out / name).read_text(errors="replace")

    def read_ftrace(self):
        """(event, fields) in the order of time. The kprobes get the name of the event that they stand for."""
        kprobes = {"submit": SUBMIT, "execute": EXECUTE}
        for task, name, text in re.findall(r"^ *(.+)-\d+ +\[\d+\] \S+ +[\d.]+: (\w+): (.*)$", self.read("ftrace.txt"), re.MULTILINE):
            fields = dict(re.findall(r"(\w+)=(\S+?)(?:,|$| )", text))
            if name in kprobes:
                name, fields["ctx"] = kprobes[name], fields.pop("context")
                self.probed.add(name)
            if "engine" in fields:
                fields["class"], fields["instance"] = fields.pop("engine").split(":")
            fields = {key: int(value, 0) for key, value in fields.items() if key in FIELDS + ("ctx", "seqno")}
            self.ftrace.append((name, fields))
            if name == ADD:
                self.tasks[fields["ctx"], fields["seqno"]] = task

    def read_lttng(self):
        run = subprocess.run(["babeltrace2", self.out / "trace"], capture_output=True, text=True, errors="replace")
        self.lttng_lost = run.stderr.splitlines() + ([f"babeltrace2 exits with {run.returncode}"] if run.returncode else [])
        said = re.findall(r"(?:Discarded events|Lost packets): (\d+)", self.read("lttng.log"))
        self.lttng_lost += [f"lttng: {number} events or packets lost" for number in said if number != "0"]
        self.lttng_lost += [] if said else ["lttng does not say how much was lost"]
        self.lttng, self.recreated = [], Counter()
        for name, text in re.findall(r"^\[.*?\] .*?(\w+): \{ cpu_id = \d+ \}, \{ (.*) \}$", run.stdout, re.MULTILINE):
            fields = dict(re.findall(r"(\w+) = (\S+?)(?:,|$| )", text))
            self.recreated[name] += fields.get("recreated") == "1"
            self.lttng.append((name, {key: int(value, 0) for key, value in fields.items() if key in FIELDS + ("ctx", "seqno")}))

    def records(self, events, other):
        """What both tracers say of the requests: a kprobe knows context and seqno only, and 32 bits of that."""
        common = {}
        for name, fields in events + other:
            common.setdefault(name, set(fields))
            common[name] &= set(fields)
        return [(name,) + tuple(f"{key}={fields[key] & 0xffffffff if key == 'seqno' else fields[key]}" for key in sorted(common[name]))
                for name, fields in events if name.startswith("i915_request_")]

    def lives(self, events):
        lives = defaultdict(list)
        for name, fields in events:
            if name in LIFE:
                lives[fields["ctx"], fields["seqno"]].append(name)
        return {key: tuple(life) for key, life in lives.items()}

    def check(self, tap):
        ran = re.findall(r"i915: Running (\w+)$", self.log, re.MULTILINE)
        subtests = re.findall(r"i915: Running (\w+/\w+)$", self.log, re.MULTILINE)
        seconds = re.search(r"duration_s (\S+)", self.stats)[1]
        print(f"# {self.name}: {len(subtests)} subtests in {len(ran)} groups ({', '.join(ran)}), {seconds} s in the guest")
        print(f"# {self.name}: {re.search(r'Completed .* fence .*', self.log)[0]}")
        tap.check(f"{self.name}: all mock self-tests ran and passed",
                  ([] if ran[:1] == ["sanitycheck"] and ran[-1:] == ["memory_region"] else [f"ran {ran}"]) +
                  ([] if len(subtests) > 50 else [f"{len(subtests)} subtests"]) +
                  re.findall(r".*(?:failed with error|\*ERROR\*).*", self.log))
        tap.check(f"{self.name}: the kernel log has no splat", [line for line in self.dmesg.splitlines() if splats.search(line)])

        entries = sum(map(int, re.findall(r" entries: (\d+)", self.stats)))
        missed = [line for line in self.read("kprobe-profile").splitlines() if line.split()[2] != "0"]
        tap.check(f"{self.name}: ftrace lost nothing", missed + re.findall(r".*(?:overrun|dropped events): [1-9].*", self.stats) +
                  re.findall(r".*-dropped [1-9].*", self.read("ftrace-counts")) +
                  ([] if entries == len(self.ftrace) else [f"{len(self.ftrace)} lines of {entries} events"]))
        tap.check(f"{self.name}: LTTng lost nothing", self.lttng_lost)
        counts = Counter(name for name, _ in self.ftrace)
        print(f"# {self.name}: {dict(sorted(counts.items()))}")
        tap.check(f"{self.name}: there are 500 requests or more, from modprobe and from the smoke test",
                  ([] if counts[SUBMIT] >= 500 else [str(counts)]) +
                  [f"no request of {task}" for task in ("modprobe", "igt")
                   if not any(name.startswith(task) for name in self.tasks.values())])

        tap.check(f"{self.name}: LTTng has the requests' events that ftrace has, with the same fields",
                  differences(self.records(self.ftrace, self.lttng), self.records(self.lttng, self.ftrace), ("only ftrace", "only LTTng")))
        others = {name: int(count) for name, count in re.findall(r"^(\w+) (\d+)$", self.read("ftrace-counts"), re.MULTILINE)}
        ours = Counter(name for name, _ in self.lttng)
        compared = {name for name in others if name.startswith(("i915_", "intel_")) and (others[name] or ours[name])}
        print(f"# {self.name}: {({name: others[name] for name in sorted(compared)})}")
        tap.check(f"{self.name}: LTTng has as many of each other event",
                  [f"{name}: ftrace {others[name]}, LTTng {ours[name]}" for name in sorted(compared) if others[name] != ours[name]])
        recreated = {SUBMIT, EXECUTE} if self.probed else set()
        tap.check(f"{self.name}: {'only submit and execute are' if recreated else 'no event is'} recreated",
                  [f"{name}: {self.recreated[name]} of {ours[name]}" for name in sorted(ours)
                   if self.recreated[name] != (ours[name] if name in recreated else 0)])

        lives = self.lives(self.lttng)
        tap.check(f"{self.name}: each request is added, submitted, executed and retired, once and in this order",
                  [f"{key} {self.tasks.get(key)}: {life}" for key, life in sorted(lives.items())
                   if life != (PARKING if key not in self.tasks else USUAL) and life != REWOUND])
        tap.check(f"{self.name}: one request was executed twice, after it was taken back",
                  [] if Counter(lives.values())[REWOUND] == 1 else [str(Counter(lives.values()))])
        tap.check(f"{self.name}: the smoke test's requests all have the usual life",
                  [f"{key}: {lives.get(key)}" for key, task in self.tasks.items() if task.startswith("igt") and lives.get(key) != USUAL])

    def deterministic(self):
        """Seqno and life of the requests that modprobe added, in that order; contexts are numbered as they come."""
        lives, contexts = self.lives(self.lttng), {}
        return [(contexts.setdefault(key[0], len(contexts)), key[1], lives[key]) for key, task in self.tasks.items() if task == "modprobe"]


def main():
    tap = Tap()
    low_level, plain = (Run(Path(sys.argv[1]) / name) for name in ("low-level", "plain"))
    tap.check("one run has low-level tracepoints, the other has kprobes in their place",
              [] if not low_level.probed and plain.probed == {SUBMIT, EXECUTE} else [f"kprobes: {low_level.probed}, {plain.probed}"])
    for run in (low_level, plain):
        run.check(tap)
    first, second = low_level.deterministic(), plain.deterministic()
    print(f"# {len(first)} requests were added by modprobe")
    tap.check("both runs have the same requests of modprobe, with the same events in the same order",
              [] if first and first == second else differences(first, second, ("only low-level", "only plain"))
              or ["none, or in another order"])
    kinds = [set(run.lives(run.lttng).values()) for run in (low_level, plain)]
    tap.check("both runs have the same kinds of request histories", [] if kinds[0] == kinds[1] else [str(kinds)])
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
