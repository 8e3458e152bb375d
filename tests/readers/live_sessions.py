# SPDX-License-Identifier: MIT
"""Relay daemons and their readers, for the tests of sessions that are read while they are recorded."""
import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import lttng_session


def why_not():
    """Why no session can be read while it is recorded; empty: it can."""
    return lttng_session.why_not() or ("" if shutil.which("lttng-relayd") else "lttng-relayd is not installed")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_until(is_so, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.05)
    return False


def answers(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def relay_daemon(folder, control, data, live):
    relayd = subprocess.Popen(["lttng-relayd", f"--control-port=tcp://127.0.0.1:{control}", f"--data-port=tcp://127.0.0.1:{data}",
                               f"--live-port=tcp://127.0.0.1:{live}", f"--output={folder}"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        if not wait_until(lambda: answers(live)):
            raise OSError("the relay daemon does not answer")
        yield
    finally:
        relayd.terminate()
        relayd.wait(30)


def is_attached(reader):
    """A reader whose babeltrace2 is connected sees what is recorded from then on: it has sockets to the relay daemon, and two in
    between."""
    sockets = 0
    for descriptor in Path(f"/proc/{reader.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            sockets += os.readlink(descriptor).startswith("socket:")
    return sockets >= 3
