# SPDX-License-Identifier: MIT
"""The ways in which a program can run with the Vulkan layer, or without it, and how two runs are compared."""
import contextlib
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session
from bt2_events import Event, events_of, payload, plain

build = Path(os.environ.get("BUILD", "build")).absolute()
programs = build / "tests/vulkan"
library = build / "liblttng-gpu-vulkan.so"
PROVIDER = "lttng_gpu_vulkan:"
# Lavapipe only, so that every machine has the same device, unless TEST_ICD names another driver; the loaders have one or the other
# variable.
driver = os.environ.get("TEST_ICD", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")
base = {name: value for name, value in os.environ.items() if not name.startswith(("LTTNG_GPU_", "VK_")) and name != "LD_PRELOAD"}
base |= {"VK_ICD_FILENAMES": driver, "VK_DRIVER_FILES": driver, "LC_ALL": "C", "XDG_RUNTIME_DIR": "/tmp"}
# Found by its manifest in the build folder; what is installed is not to come instead.
found = {"XDG_DATA_DIRS": f"{build}/share:/usr/share"}
ways = {
    "absent": {"XDG_DATA_DIRS": "/usr/share"},
    "off": found,
    "layer": found | {"LTTNG_GPU_VULKAN": "1"},
    "uncalibrated": found | {"LTTNG_GPU_VULKAN": "1", "LTTNG_GPU_VULKAN_TIMES": "uncalibrated"},
    "draws": found | {"LTTNG_GPU_VULKAN": "1", "LTTNG_GPU_VULKAN_DRAWS": "1"},
    "times": found | {"LTTNG_GPU_VULKAN": "1", "LTTNG_GPU_VULKAN_TIMES": "1"},
}


def why_no_events():
    """Why traces cannot be read here, or nothing."""
    try:
        import bt2  # noqa: F401
    except ImportError:  # Debian's module is for Debian's Python, which need not be the first one
        if sys.executable == "/usr/bin/python3":
            return "python3-bt2 not installed"
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    return ""


class Run:
    def __init__(self, code, output, errors=""):
        self.code, self.output, self.errors = code, output, errors


def run(way, *command, timeout=300, environment=None):
    """way: a name of `ways`. A run that hangs has the code "hangs"."""
    variables = {**base, **ways[way], **(environment or {})}
    try:
        done = subprocess.run([str(word) for word in command], env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=timeout)
    except subprocess.TimeoutExpired as hang:
        return Run("hangs", (hang.stdout or b"").decode(errors="replace"), (hang.stderr or b"").decode(errors="replace"))
    return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def compare(expected, got):
    """Threads and children print in any order."""
    problems = [] if expected.code == got.code else [f"exit code {expected.code}, now {got.code}: {got.errors[-500:]}"]
    left, right = sorted(expected.output.splitlines()), sorted(got.output.splitlines())
    return problems + [f"{a!r}\nnow: {b!r}" for a, b in zip(left, right) if a != b][:6] + (
        [f"{len(left)} lines, now {len(right)}"] if len(left) != len(right) else [])


@contextlib.contextmanager
def tracing(folder):
    """A session of the layer's events; the environment for programs, which wait for the daemon and for room."""
    with lttng_session.session("lttng-gpu-vulkan", folder, channel=["--subbuf-size=1M", "--num-subbuf=8", "--blocking-timeout=inf"],
                               events=PROVIDER + "*", contexts=["vpid", "vtid"]):
        yield lttng_session.application_environment


def read_events(folder):
    """With the thread as vpid and vtid."""
    if not any(Path(folder).rglob("metadata")):
        return []  # no program was in the session
    return [Event(name, at, payload(event) | {name: plain(field) for name, field in event.common_context_field.items()})
            for event, name, at in events_of(folder, PROVIDER)]
