#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""progress_bar.py LTTNG_GPU TRACE: the progress bar on a pseudo terminal. The output is a named pipe, which holds the
program up before it reads until this test opens the other end, so that reading "takes" more than a second. Prints TAP."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu, trace = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
columns = 60


def read_all(master):
    text = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # EIO: the last writer is gone
            return text
        if not piece:
            return text
        text += piece


def errors_of(command, terminal, term="xterm", held=True):
    """What the command writes to its standard error, a terminal or not, and the rest of its life."""
    with tempfile.TemporaryDirectory() as folder:
        master, slave = pty.openpty() if terminal else os.pipe()
        if terminal:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        output = Path(folder) / "output"
        if held:
            os.mkfifo(output)
        process = subprocess.Popen([lttng_gpu, *command, "-o", output, trace], stderr=slave, env={**os.environ, "TERM": term})
        os.close(slave)
        early = b""
        if held:
            # Nothing may come while nothing is read; this also lets more than a second pass.
            if select.select([master], [], [], 1.2)[0]:
                early = os.read(master, 4096)
            result = output.read_bytes()
        text = early + read_all(master)
        code = process.wait()
        if not held:
            result = output.read_bytes()
        os.close(master)
        return text, result, code


def check(words, got, good):
    text, result, code = got
    tap.check_that(words, good(text) and result and code == 0, f"exit code {code}, {len(result)} bytes, standard error {text!r}")


def is_bar(text):
    """Drawn at least once, each time over an erased line, within the terminal, and erased before anything is said."""
    lines = text.split(b"\r\x1b[K")
    return len(lines) >= 3 and not lines[0] and (not lines[-1] or lines[-1].startswith(b"lttng-gpu: ")) and all(
        line.startswith(b"reading") and len(line) < columns for line in lines[1:-1])


check("reading for more than a second shows a bar and erases it", errors_of(["report"], True), is_bar)
check("the same for rows that go to a file", errors_of(["jobs", "--format", "csv"], True), is_bar)
check("reading for less than a second shows nothing", errors_of(["report"], True, held=False), lambda text: not text)
check("a terminal that cannot erase shows nothing", errors_of(["report"], True, term="dumb"), lambda text: not text)
check("no terminal, no bar", errors_of(["report"], False), lambda text: not text)
sys.exit(tap.finish())
