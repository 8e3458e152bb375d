#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""find_splats.py LOG...: prints what a kernel complained of in these logs (dmesg or serial console), with the lines that
follow, and exits with 1 when there is anything. A log that is not there, is empty or has no line of a kernel is an error (2):
nothing was looked at then."""
import re
import sys
from pathlib import Path

# The first line of each report, as the kernel's sources print it: BUG() and WARN(), lib/dump_stack.c, mm/kasan/report.c,
# kernel/locking/lockdep.c, lib/list_debug.c, lib/refcount.c, lib/debugobjects.c, kernel/rcu, kernel/hung_task.c,
# kernel/watchdog.c, kernel/sched/core.c, arch/x86/kernel/{dumpstack,traps}.c.
SPLATS = re.compile(r"""WARNING:\s | \bBUG:\s | \bUBSAN:\s | kernel\ BUG\ at | \bOops\b | general\ protection\ fault | Kernel\ panic
    | possible\ (recursive|circular|irq)\ lock | inconsistent\ lock\ state | suspicious\ RCU\ usage | Invalid\ wait\ context
    | bad\ unlock\ balance | held\ lock\ freed | (list_add|list_del)\ corruption | refcount_t:\  | ODEBUG:\  | \bslab.*corrupt | Poison\ overwritten
    | scheduling\ while\ atomic | sleeping\ function\ called | using\ \w+\(\)\ in\ preemptible | [Vv]oluntary\ context\ switch\ within\ RCU
    | rcu.*\b(detected|self-detected)\b.*\ stalls?\b | blocked\ for\ more\ than | soft\ lockup | hard\ LOCKUP | \bDEADLOCK\b
    | MAX_LOCK\w*\ too\ low | MAX_STACK_TRACE_ENTRIES\ too\ low | turning\ off\ the\ locking\ correctness\ validator
    | Call\ Trace:""", re.VERBOSE)
# A memory group that is full shows the stack, too, where the kernel kills a process of it; nothing is wrong then.
OOM_KILL = re.compile(r"\binvoked oom-killer: ")
STAMP = re.compile(r"^(<\d>)?\[ *\d+\.\d+\](\[ *[TC]\d+\])? ?")
# A report has a trace of the stack after its first line; what comes this many lines later is another report.
REPORT_LINES = 60
SHOWN_LINES = 30


def is_of_kernel(line):
    return bool(STAMP.match(line))


def splats(lines):
    """The reports in a log: lists of lines, of which the first is the one that gave it away."""
    found, left, oom_traces = [], 0, 0
    for line in lines:
        text = STAMP.sub("", line.rstrip())
        oom_traces += bool(OOM_KILL.search(text) and is_of_kernel(line))
        if oom_traces and left <= 0 and text.startswith("Call Trace:"):
            oom_traces -= 1
            continue
        is_first = SPLATS.search(text) and is_of_kernel(line)
        if is_first and left <= 0:
            found.append([])
            left = REPORT_LINES
        if left > 0 and found:
            found[-1].append(line.rstrip())
            left -= 1
            # Reports end with this, or with the register dump of WARN.
            if "---[ end trace" in text:
                left = 0
    return found


def main(paths):
    result = 0
    for path in paths:
        lines = Path(path).read_text(errors="replace").splitlines() if Path(path).is_file() else []
        if not any(map(is_of_kernel, lines)):
            print(f"find_splats: {path}: no line of a kernel in it", file=sys.stderr)
            return 2
        for report in splats(lines):
            result = 1
            print(f"{path}:")
            print("\n".join("  " + line for line in report[:SHOWN_LINES]))
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else "usage: find_splats.py LOG...")
