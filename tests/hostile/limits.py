# SPDX-License-Identifier: MIT
"""lttng-gpu with as much memory and time as a machine that serves others gives it."""
import os
import resource
import subprocess

gib = 1 << 30


class Run:
    """Runs a command. `address_space`: bytes, as of ulimit -v. `seconds`: of CPU time, which does not depend on what else the
    machine does. `output`: takes each line of the standard output, which is not kept then."""
    def __init__(self, command, address_space=4 * gib, seconds=20, environment=None, output=None):
        limits = ["prlimit", "--core=0", f"--as={address_space}", f"--cpu={seconds}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with subprocess.Popen([*limits, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE if output is None else subprocess.DEVNULL,
                              env={**os.environ, **(environment or {})}) as process:
            if output is None:
                self.out, self.errors = process.communicate()
            else:
                self.out, self.errors = b"", b""
                for line in process.stdout:
                    output(line)
        self.code = process.returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def __str__(self):
        return f"exit code {self.code}, {len(self.out)} bytes, {self.seconds:.1f} s, {self.errors[:300]}"
