#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_dying_relays.py LTTNG_GPU UST_EVENTS: a relay daemon that dies, falls silent or lies while a session is read from it. What was read
until then is reported, with what is wrong. relay_proxy.py does that to what a real one says. Prints TAP."""
import json
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = map(str, Path(__file__).resolve().parents[:2])
import lttng_session
import relay_proxy
from live_sessions import free_ports, relay_daemon, wait_until, why_not
from relay_proxy import ATTACH, METADATA, NEW_STREAMS, NEXT_INDEX, PACKET, Proxy, index_with
from tap import Tap

lttng_gpu, ust_events = sys.argv[1:3]
tap = Tap()
written = 20_000  # in some twenty packets
huge = 1 << 60
damaged = 4  # exit codes
unreadable = 3
waiting = "lttng-gpu: waiting for an answer of the relay daemon\n"

# What happens, to which answer, and what is said. The first packet of a stream is read in the middle of the session; of the events of the
# later ones some are missing.
CASES = (
    ("closes its connection instead of an index", NEXT_INDEX, 6, relay_proxy.close, "has closed the connection"),
    ("closes it instead of a packet", PACKET, 6, relay_proxy.close, "has closed the connection"),
    ("closes it in the middle of an index", NEXT_INDEX, 6, relay_proxy.send_part_and_close, "has closed the connection"),
    ("closes it in the middle of a packet", PACKET, 6, relay_proxy.send_part_and_close, "has closed the connection"),
    ("resets it", PACKET, 6, relay_proxy.reset, "the relay daemon"),
    ("sends garbage instead of an index", NEXT_INDEX, 6, relay_proxy.garbage, "what cannot be"),
    ("sends garbage instead of a packet with its length", PACKET, 6, relay_proxy.garbage, "what cannot be"),
    ("sends garbage in a packet", PACKET, 6, relay_proxy.with_random_content, ""),
    ("claims a packet of four gigabytes, and sends it", PACKET, 6, relay_proxy.packet_of(0xFFFFFFFF), "a packet has 4294967295 bytes"),
    ("claims a packet of no bytes", PACKET, 6, relay_proxy.shorter(PACKET, 0), "a packet has 0 bytes"),
    ("has an index of a packet of 2^60 bits", NEXT_INDEX, 6, index_with(packet_size=huge, content_size=huge),
     "a packet of 1152921504606846976 bits"),
    ("has an index of a packet with more content than bits", NEXT_INDEX, 6, index_with(content_size=lambda index: index.packet_size + 8),
     "with a content of"),
    ("has an index of a packet that ends before it begins", NEXT_INDEX, 6, index_with(end=1), "ends before it begins"),
    ("has an index with another class", NEXT_INDEX, 6, index_with(stream=99), "changes its class"),
    ("has an index of a packet long past", NEXT_INDEX, 6, index_with(offset=0), ""),
    ("has an index with an offset behind all", NEXT_INDEX, 6, index_with(offset=huge), ""),
    ("has an index with a status that there is not", NEXT_INDEX, 6, index_with(status=77), "has the status 77"),
    ("has new streams, four thousand million", NEXT_INDEX, 6, None, "the session has 429496"),
)
# Before anything was read.
FIRST = (
    ("has metadata that is cut short", METADATA, 1, relay_proxy.shorter(METADATA, 0.5), "of its metadata, its packet at byte"),
    ("closes its connection in the metadata", METADATA, 1, relay_proxy.send_part_and_close, "has closed the connection"),
    ("has metadata of random bytes", METADATA, 1, relay_proxy.with_random_content, ""),
    # The first letters of a text are the number of its elements.
    ("has metadata by which a text is a list of a thousand million numbers", METADATA, 1, relay_proxy.with_fields(
        "integer { size = 64; align = 8; } _a; integer { size = 64; align = 8; } _b; integer { size = 32; align = 8; } _c; integer { size "
        "= 8; align = 8; } _text[_c];"),
     "babeltrace2 cannot go on with what the relay daemon has sent"),
    ("claims metadata of 2^60 bytes", METADATA, 1, relay_proxy.metadata_of(huge), "there are 1152921504606846976 bytes of metadata"),
    ("claims metadata of eight gigabytes, and sends it", METADATA, 1, relay_proxy.metadata_of(8 << 30),
     "there are 8589934592 bytes of metadata"),
    ("claims four thousand million streams, and sends them", ATTACH, 1, relay_proxy.streams_of(0xFFFFFFFF),
     "the session has 4294967295 streams"),
)


def begin_reader():
    # Shells start programs in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


class Reading:
    """A reader behind a proxy, while a program writes."""

    def __init__(self, live, session, case):
        self.words, command, which, wrong, self.said = case
        if wrong is None:  # an index says that there are new streams, of which then there are many
            self.proxy = Proxy(live, {NEXT_INDEX: (which, index_with(flags=2)), NEW_STREAMS: (1, relay_proxy.streams_of(0xFFFFFFFF))})
        else:
            self.proxy = Proxy(live, {command: (which, wrong)})
        self.errors = tempfile.TemporaryFile("w+")
        with self.proxy:
            self.process = subprocess.Popen([lttng_gpu, "report", "--format", "json",
                                             f"{self.proxy.address}/host/{socket.gethostname()}/{session}"],
                                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                            preexec_fn=begin_reader)
            self.is_attached = wait_until(lambda: self.proxy.has_attached or self.process.poll() is not None or self.proxy.has_gone_wrong)
            lttng_session.run_application(ust_events, written)
            self.has_gone_wrong = wait_until(lambda: self.proxy.has_gone_wrong, 30)
            self.finish()

    def finish(self):
        try:
            self.output, _ = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.output, _ = self.process.communicate()
            self.process.returncode = "hangs"
        self.errors.seek(0)
        self.text = self.errors.read()
        self.events = json.loads(self.output)["accounting"]["events_read"] if self.output else 0

    def check(self, code):
        is_read = 0 < self.events < written if code == damaged else not self.events
        good = self.has_gone_wrong and self.process.returncode == code and is_read and self.said in self.text and "lttng-gpu: " in self.text
        tap.check(f"one that {self.words}: {self.events} events", [] if good else
                  [f"went wrong: {self.has_gone_wrong}; exit code {self.process.returncode}, {self.events} events\n{self.text[-2000:]}"])


class SilentReading(Reading):
    """It is said after 2 s, and Ctrl-C ends it."""

    def finish(self):
        begin = time.monotonic()
        self.is_told = wait_until(lambda: self.said_so_far().count(waiting), 20)
        self.told_after = time.monotonic() - begin
        self.process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        super().finish()
        self.ended_after = time.monotonic() - begin

    def said_so_far(self):
        self.errors.seek(0)
        return self.errors.read()

    def check(self, code):
        super().check(code)
        tap.check_that(f"one that {self.words}: it is said after {self.told_after:.1f} s, and Ctrl-C ends it {self.ended_after:.1f} s "
                       f"later",
                       self.is_told and self.told_after < 10 and self.ended_after < 10, self.text)


def check_all(live, session):
    for case in CASES:
        Reading(live, session, case).check(damaged)
    for case in FIRST:
        Reading(live, session, case).check(unreadable)
    for words, command in (("an index", NEXT_INDEX), ("a packet", PACKET)):
        for how, wrong in (("falls silent instead of", relay_proxy.stay_silent),
                           ("falls silent in the middle of", relay_proxy.send_part_and_stay_silent)):
            SilentReading(live, session,
                          (f"{how} {words}", command, 6, wrong, "interrupted; the relay daemon does not answer")).check(damaged)
    SilentReading(live, session, ("falls silent instead of metadata", METADATA, 1, relay_proxy.stay_silent,
                                  "interrupted; the relay daemon does not answer")).check(unreadable)


reason = why_not()
if reason:
    tap.check("a session whose relay daemon goes wrong", skip=reason)
    sys.exit(tap.finish())

with tempfile.TemporaryDirectory() as folder, lttng_session.daemon():
    control, data, live = free_ports(3)
    with relay_daemon(folder, control, data, live):
        create = ["--live=100000", f"--ctrl-url=tcp://127.0.0.1:{control}", f"--data-url=tcp://127.0.0.1:{data}"]
        with lttng_session.session("dying", None, create=create, channel=["--blocking-timeout=inf", "--subbuf-size=64K", "--num-subbuf=4"],
                                   events="lttng_gpu_bench:*") as name:
            check_all(live, name)
sys.exit(tap.finish())
