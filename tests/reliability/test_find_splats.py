#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""find_splats.py sees each kind of complaint, and none in the logs of healthy kernels. What a debug kernel really prints
when something is done wrong on purpose: debug_kernel.py with tests/splat. Prints TAP."""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from find_splats import splats
from tap import Tap

# The first lines of reports, in the words of the kernels' sources.
complaints = """
WARNING: CPU: 1 PID: 214 at lib/refcount.c:28 refcount_warn_saturate+0xba/0x110
WARNING: possible circular locking dependency detected
WARNING: possible recursive locking detected
WARNING: possible irq lock inversion dependency detected
WARNING: inconsistent lock state
WARNING: suspicious RCU usage
WARNING: bad unlock balance detected!
WARNING: held lock freed!
[ BUG: Invalid wait context ]
BUG: KASAN: slab-use-after-free in fence_free+0x1c/0x30 [fencestorm]
BUG: sleeping function called from invalid context at kernel/locking/mutex.c:283
BUG: scheduling while atomic: modprobe/214/0x00000002
BUG: using smp_processor_id() in preemptible [00000000] code: modprobe/214
BUG: kernel NULL pointer dereference, address: 0000000000000008
BUG: unable to handle page fault for address: ffffffffc0a01000
BUG: MAX_LOCKDEP_ENTRIES too low!
BUG kmalloc-64 (Tainted: G    B      OE     ): Poison overwritten
kernel BUG at mm/slub.c:448!
Oops: int3: 0000 [#1] PREEMPT SMP KASAN
general protection fault, probably for non-canonical address 0xdffffc0000000001: 0000 [#1]
list_del corruption, ffff888004a3f000->next is NULL
refcount_t: underflow; use-after-free.
ODEBUG: free active (active state 0) object: 00000000c0ffee00 object type: timer_list
UBSAN: array-index-out-of-bounds in drivers/gpu/drm/drm_file.c:120:9
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
rcu: INFO: rcu_preempt self-detected stall on CPU
rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 1-... }
INFO: task modprobe:214 blocked for more than 120 seconds.
watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [modprobe:214]
watchdog: Watchdog detected hard LOCKUP on cpu 1
Voluntary context switch within RCU read-side critical section!
Kernel panic - not syncing: Fatal exception in interrupt
turning off the locking correctness validator.
""".strip().splitlines()
# Of starting kernels, with what the debugging options themselves announce, and of our modules.
harmless = """
Linux version 6.12.117-kasan (root@host) (gcc (Debian 14.2.0-19) 14.2.0) #1 SMP PREEMPT_DYNAMIC
Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar
... MAX_LOCKDEP_SUBCLASSES:  8
rcu: \tRCU lockdep checking is enabled.
rcu: \tRCU debug extended QS entry/exit.
kasan: KernelAddressSanitizer initialized (generic)
rcu: RCU calculated value of scheduler-enlistment delay is 25 jiffies.
x86/mm: Checked W+X mappings: passed, no W+X pages found.
lttng_tracer: loading out-of-tree module taints kernel.
LTTng: Loaded modules v2.13.18
debug: unmapping init memory
smpboot: CPU 1 is now offline
PM: suspend exit
Kernel command line: console=ttyS0 rcupdate.rcu_cpu_stall_timeout=180 sysctl.kernel.hung_task_timeout_secs=400
rcu: \tRCU callback double-/use-after-free debug is enabled.
\tRCU CPU stall warnings timeout set to 180 (rcu_cpu_stall_timeout).
random: crng init done
""".strip().splitlines()
stamped = lambda lines: [f"[   12.{100000 + number}] {line}" for number, line in enumerate(lines)]
tap = Tap()
tap.check("every first line of a report is seen", [line for line in complaints if len(splats(stamped(harmless + [line]))) != 1])
tap.check("also with the thread that printed it", [line for line in complaints if not splats([f"[   12.345678][  T214] {line}"])])
tap.check("nothing is seen in what healthy kernels print", splats(stamped(harmless)))
tap.check("what programs print on the console is not the kernel's", splats(["guest: BUG: not one", "WARNING: neither"]))

report = ["WARNING: CPU: 0 PID: 1 at a.c:1", "Modules linked in: splat", "Call Trace:", " <TASK>", "---[ end trace 0000000000000000 ]---"]
tap.check("a report is one, with all its lines, and the next one is another",
          [] if [len(found) for found in splats(stamped(harmless + report + harmless + report))] == [5, 5]
          else splats(stamped(report + report)))

killed = ["ends-writing invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0", "Call Trace:", " <TASK>",
          "Memory cgroup out of memory: Killed process 318 (ends-writing) total-vm:328228kB"]
tap.check("a process that is killed because memory is short is none", splats(stamped(harmless + killed)))
tap.check("but one after it is",
          [] if len(splats(stamped(killed + report))) == len(splats(stamped(killed + ["Call Trace:"]))) == 1 else ["not seen"])

with tempfile.TemporaryDirectory() as name:
    def exit_code(*lines):
        path = Path(name) / "log"
        path.write_text("".join(line + "\n" for line in lines))
        run = subprocess.run([Path(__file__).parent / "find_splats.py", path], capture_output=True, text=True)
        return run.returncode, bool(run.stdout or run.stderr)

    tap.check("the exit code tells: 0 nothing, 1 a splat, 2 no kernel's log",
              [] if [exit_code(*stamped(harmless)), exit_code(*stamped(complaints)), exit_code("guest: up"), exit_code()] ==
              [(0, False), (1, True), (2, True), (2, True)] else ["other codes"])
sys.exit(tap.finish())
