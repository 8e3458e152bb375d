#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_live.py LTTNG_GPU UST_EVENTS: a session that a relay daemon hands on while it is being recorded. Prints TAP."""
import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = map(str, Path(__file__).resolve().parents[:2])
import lttng_session
from live_sessions import free_ports, is_attached, relay_daemon, wait_until, why_not
from tap import Tap

lttng_gpu, ust_events = sys.argv[1:3]
tap = Tap()


def follow(address, *options):
    return subprocess.Popen([lttng_gpu, "report", "--format", "json", *options, address], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def result_of(reader):
    output, errors = reader.communicate(timeout=60)
    events = json.loads(output)["accounting"]["events_read"] if output else None
    return reader.returncode, events, errors


def interrupt_reading(address):
    """Nothing tells from outside what a reader has read: it gets longer and longer until it has read all."""
    for seconds in (0.5, 2, 8, 32):
        reader = follow(address)
        is_seen = wait_until(lambda: is_attached(reader))
        lttng_session.run_application(ust_events, 5000)
        time.sleep(seconds)
        reader.send_signal(signal.SIGINT)
        code, events, errors = result_of(reader)
        if events == 5000:
            break
    return is_seen, code, events, errors


reason = why_not()
if reason:
    tap.check("a session that is being recorded is read", skip=reason)
    sys.exit(tap.finish())

with tempfile.TemporaryDirectory() as folder, lttng_session.daemon():
    control, data, live = free_ports(3)
    with relay_daemon(folder, control, data, live):
        create = ["--live=100000", f"--ctrl-url=tcp://127.0.0.1:{control}", f"--data-url=tcp://127.0.0.1:{data}"]
        base = f"net://127.0.0.1:{live}/host/{socket.gethostname()}"
        channel = ["--blocking-timeout=inf", "--subbuf-size=64K", "--num-subbuf=4"]
        with lttng_session.session("live", None, create=create, channel=channel, events="lttng_gpu_bench:*") as name:
            is_seen, code, events, errors = interrupt_reading(f"{base}/{name}")
            tap.check_that("a reader attaches to a session that is being recorded", is_seen)
            tap.check_that("Ctrl-C ends reading, and what was read is reported", (code, events) == (1, 5000), (code, events, errors))
            # One at a time may attach, and gets what comes from then on.
            reader = follow(f"{base}/{name}")
            wait_until(lambda: is_attached(reader))
            lttng_session.run_application(ust_events, 1000)
        code, events, errors = result_of(reader)
        tap.check_that("the end of the session ends reading", (code, events) == (1, 1000), (code, events, errors))
        code, events, errors = result_of(follow(f"{base}/no-such-session"))
        tap.check_that("a session that does not exist is an unreadable trace", code == 3 and "no-such-session" in errors, (code, errors))
sys.exit(tap.finish())
