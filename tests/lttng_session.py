# SPDX-License-Identifier: MIT
"""LTTng sessions of user space, for the tests and benchmarks in Python. One session daemon serves a user, so it is
started when there is none and left running only if it was there before."""
import contextlib
import os
import select
import shutil
import signal
import subprocess

# The application waits for the daemon, and for room in the buffers where the channel says so.
application_environment = {"LTTNG_UST_REGISTER_TIMEOUT": "-1", "LTTNG_UST_ALLOW_BLOCKING": "1"}


def lttng(*words):
    subprocess.run(["lttng", "--no-sessiond", *map(str, words)], check=True, timeout=120,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


@contextlib.contextmanager
def daemon():
    if subprocess.run(["lttng", "--no-sessiond", "list"], capture_output=True).returncode == 0:
        yield
        return
    # --background returns when the daemon is ready; the daemon keeps what output it was given.
    pid_file = f"/tmp/lttng-gpu-sessiond-{os.getpid()}"
    # LTTng 2.16 does not start with an application's environment.
    environment = {name: value for name, value in os.environ.items() if name not in application_environment}
    # On a busy machine a program answers late, and after 5 s the daemon would drop it.
    environment.setdefault("LTTNG_APP_SOCKET_TIMEOUT", "60")
    subprocess.run(["lttng-sessiond", "--no-kernel", "--background", "--pidfile", pid_file], check=True, timeout=60,
                   env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        with open(pid_file) as file:
            stop(int(file.read()))


def stop(pid):
    """Returns when it is gone, or another daemon started now would find it."""
    process = os.pidfd_open(pid)
    signal.pidfd_send_signal(process, signal.SIGTERM)
    waiter = select.poll()
    waiter.register(process, select.POLLIN)
    waiter.poll(30_000)
    os.close(process)


def why_not():
    """Why no session can be recorded here, or nothing."""
    missing = [program for program in ("lttng", "lttng-sessiond") if not shutil.which(program)]
    if missing:
        return f"{' and '.join(missing)} not installed"
    try:
        with daemon():
            return ""
    except (OSError, subprocess.SubprocessError) as error:
        return f"no session daemon: {error}"


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
    subprocess.run([str(word) for word in command], check=True, timeout=900,
                   env={**os.environ, **application_environment})
