#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_odd_relays.py LTTNG_GPU: what answers at the address of a relay daemon is none, is silent, lies, or dies. Prints TAP."""
import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu = sys.argv[1]
tap = Tap()
# lttng-viewer-abi.h of babeltrace 2: the header of a command, and the answer to CONNECT.
connect_answer = struct.pack(">QIII", 1, 2, 14, 2)


def silent(client):
    while client.recv(4096):
        pass


def garbage(client):
    client.recv(4096)
    client.sendall(os.urandom(100_000))
    silent(client)


def dies(client):
    client.recv(4096)


def too_many_sessions(client):
    """Says that it has four thousand million sessions, and sends a few bytes of them."""
    client.recv(4096)
    client.sendall(connect_answer)
    client.recv(4096)
    client.sendall(struct.pack(">I", 0xFFFFFFFF) + os.urandom(400_000))


@contextlib.contextmanager
def relay(behaviour):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def serve():
            with contextlib.suppress(OSError):
                client, _ = server.accept()
                with client:
                    behaviour(client)

        threading.Thread(target=serve, daemon=True).start()
        yield f"net://127.0.0.1:{server.getsockname()[1]}/host/machine/session"


def reader(address):
    # Shells start programs in the background with SIGINT ignored.
    return subprocess.Popen([lttng_gpu, "report", address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


for behaviour, words in ((garbage, "sends garbage"), (dies, "dies"), (too_many_sessions, "says that it has too many sessions")):
    with relay(behaviour) as address:
        process = reader(address)
        try:
            out, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            out, errors = process.communicate()
        tap.check_that(f"one that {words}: an unreadable trace", process.returncode == 3 and errors.startswith("lttng-gpu: "),
                       (process.returncode, out, errors))

with socket.socket() as unused:
    unused.bind(("127.0.0.1", 0))
    process = reader(f"net://127.0.0.1:{unused.getsockname()[1]}/host/machine/session")
    out, errors = process.communicate(timeout=60)
    tap.check_that("none: an unreadable trace", process.returncode == 3 and errors, (process.returncode, out, errors))

with relay(silent) as address:
    process = reader(address)
    said = process.stderr.readline() if select.select([process.stderr], [], [], 60)[0] else ""
    tap.check_that("one that is silent: it is said what is waited for", said == "lttng-gpu: waiting for an answer of the relay daemon\n",
                   said)
    process.send_signal(signal.SIGINT)
    try:
        out, errors = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, errors = process.communicate()
    tap.check_that("one that is silent: one Ctrl-C ends the waiting", process.returncode == 3 and "does not answer" in errors,
                   (process.returncode, out, errors))
sys.exit(tap.finish())
