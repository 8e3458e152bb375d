# SPDX-License-Identifier: MIT
"""LTTng sessions of user space, for the tests and benchmarks in Python. One session daemon serves a user, so it is
started when there is none and left running only if it was there before."""
import contextlib
import os
import shutil
import subprocess

# The application waits for the daemon, and for room in the buffers where the channel says so.
application_environment = {"LTTNG_UST_REGISTER_TIMEOUT": "-1", "LTTNG_UST_ALLOW_BLOCKING": "1"}


def lttng(*words):
    subprocess.run(["lttng", "--no-sessiond", *map(str, words)], check=True, timeout=120,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def why_not():
    """Why no session can be recorded here, or nothing."""
    missing = [program for program in ("lttng", "lttng-sessiond") if not shutil.which(program)]
    return f"{' and '.join(missing)} not installed" if missing else ""


@contextlib.contextmanager
def daemon():
    if subprocess.run(["lttng", "--no-sessiond", "list"], capture_output=True).returncode == 0:
        yield
        return
    # --background returns when the daemon is ready; the daemon keeps what output it was given.
    pid_file = f"/tmp/lttng-gpu-sessiond-{os.getpid()}"
    subprocess.run(["lttng-sessiond", "--no-kernel", "--background", "--pidfile", pid_file], check=True, timeout=60,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        with contextlib.suppress(OSError, ValueError), open(pid_file) as file:
            os.kill(int(file.read()), 15)


@contextlib.contextmanager
def session(name, output, create=(), channel=(), events="*", contexts=()):
    """A started session of this process's own, destroyed at the end. channel: options of enable-channel."""
    name = f"{name}-{os.getpid()}"
    lttng("create", name, *(create or ["--output", output]))
    try:
        # Per process or per user is said when the channel is made.
        lttng("enable-channel", "--userspace", "--session", name, *channel, "channel0")
        lttng("enable-event", "--userspace", "--session", name, "--channel", "channel0", events)
        for context in contexts:
            lttng("add-context", "--userspace", "--session", name, "--channel", "channel0", "--type", context)
        lttng("start", name)
        yield name
    finally:
        lttng("destroy", name)


def run_application(*command):
    subprocess.run([str(word) for word in command], check=True, env={**os.environ, **application_environment})
