# SPDX-License-Identifier: MIT
"""Runs of programs that draw with OpenGL: without the layer, with it, and recorded."""
import contextlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session  # noqa: E402

build = Path(os.environ.get("BUILD", "build")).absolute()
programs = build / "tests/gl"
layer = build / "liblttng-gpu-gl.so"
# Drawn by the CPU, in the same way each time.
base = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "DISPLAY", "WAYLAND_DISPLAY")}
base |= {"LIBGL_ALWAYS_SOFTWARE": "1", "LP_NUM_THREADS": "0", "MESA_SHADER_CACHE_DISABLE": "true", "LC_ALL": "C", "SDL_VIDEODRIVER": "x11"}


@contextlib.contextmanager
def display(*more):
    """A display of our own, on a number that is free, for programs with windows. `more`: words for the server. It stays as it is when
    its last client goes: else the next one may be turned away meanwhile."""
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset", *more],
                              pass_fds=[writer],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as said:
            number = said.readline().strip()  # empty when it has ended
        if not number:
            raise OSError("Xvfb did not start")
        base["DISPLAY"] = f":{number}"
        yield
    finally:
        base.pop("DISPLAY", None)
        server.terminate()
        server.wait()


def run(command, preload=None, environment=None):
    """Exit code and both outputs."""
    variables = {**base, **(environment or {}), **({"LD_PRELOAD": str(preload)} if preload else {})}
    try:
        done = subprocess.run([str(word) for word in command], env=variables, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired as hang:
        return "hangs", str(hang.stdout), str(hang.stderr)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def wait_for(condition, limit=120):
    """Until it holds, or for so many seconds."""
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)


def differences(expected, got):
    return [f"{what}:\n{a[-1000:] if isinstance(a, str) else a}\nnow:\n{b[-1000:] if isinstance(b, str) else b}"
            for what, a, b in zip(("exit code", "output", "errors"), expected, got) if a != b]


@contextlib.contextmanager
def recording(folder):
    """A session of this user's programs; no event is lost."""
    with lttng_session.session("lttng-gpu-gl", folder, channel=("--blocking-timeout=inf",), events="lttng_gpu_gl:*",
                               contexts=("vpid", "vtid", "procname")):
        yield lttng_session.application_environment


def read_events(folder):
    """[(name, fields)], all fields as texts; of an enumeration its label."""
    text = subprocess.run(["babeltrace2", folder], capture_output=True, text=True, timeout=300).stdout
    events = []
    for line in text.splitlines():
        if found := re.search(r"lttng_gpu_gl:(\w+): (.*)", line):
            fields = dict(re.findall(r"(\w+) = (?:\( )?\"?([^,\"}]*)", found[2]))
            events.append((found[1], {name: value.strip() for name, value in fields.items()}))
    return events
