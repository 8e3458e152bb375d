# SPDX-License-Identifier: MIT
"""Runs `lttng-gpu record` for the tests, where nobody else is disturbed: as an ordinary user with a home, a session daemon
and a folder of run-time files of its own. As root that user is "nobody"; else it is whoever runs the test."""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

nobody = 65534
is_root = os.geteuid() == 0


class Place:
    """A home with the program in it, and what is needed to run it there."""

    def __init__(self, programs):
        self.folder = Path(tempfile.mkdtemp(prefix="lttng-gpu-record-test-"))
        self.pids = set()  # of what ran here
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for program in programs:
            shutil.copy2(program, self.bin)
        (self.folder / "run").mkdir(mode=0o700)
        (self.folder / "work").mkdir()
        self.environment = {
            "PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "LANG": "C.UTF-8", "TERM": "xterm"}
        self.own()

    def own(self):
        """Gives what the test made there to the user."""
        if is_root:
            subprocess.run(["chown", "-R", f"{nobody}:{nobody}", self.folder], check=True)

    def close(self):
        for pid in self.daemons():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not self.daemons(), 30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, *words):
        """The words, to be run as the user."""
        as_user = [shutil.which("setpriv"), f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups", "--"] if is_root else []
        return [*as_user, *map(str, words)]

    def run(self, *words, timeout=120, environment=(), before=(), **options):
        """Runs to its end. `before` are words that are still run as who runs the test."""
        given = options.pop("input", None)
        options = {"stdin": subprocess.DEVNULL, **options} if given is None else {**options, "stdin": subprocess.PIPE}
        process = subprocess.Popen([*map(str, before), *self.command(*words)], cwd=self.folder / "work",
                                   env={**self.environment, **dict(environment)},
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.pids.add(process.pid)
        try:
            output, errors = process.communicate(given, timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(words, process.returncode, output, errors)

    def record(self, *words, **options):
        return self.run(self.bin / "lttng-gpu", "record", *words, **options)

    def start(self, *words, environment=(), **options):
        """record, while it runs. A process group of its own, as a shell with job control would give it."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "process_group": 0, **options}
        if "preexec_fn" in options:
            options.pop("process_group")
        process = subprocess.Popen(self.command(self.bin / "lttng-gpu", "record", *words), cwd=self.folder / "work", text=True,
                                   env={**self.environment, **dict(environment)}, **options)
        self.pids.add(process.pid)
        return process

    def lttng(self, *words):
        return self.run("lttng", "--no-sessiond", *words)

    def sessions(self):
        """Names of the sessions of the user's daemon; none when there is no daemon."""
        return re.findall("<session><name>(.*?)</name>", self.lttng("--mi", "xml", "list").stdout)

    def daemons(self, names=("lttng-sessiond", "lttng-consumerd", "lttng-runas")):
        """LTTng's daemons of this place."""
        found = []
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with contextlib.suppress(OSError):
                    if (process / "comm").read_text().startswith(names) and self.is_here(process):
                        found.append(int(process.name))
        return found

    def is_here(self, process):
        return f"HOME={self.folder}".encode() in (process / "environ").read_bytes().split(b"\0")

    def leftovers(self):
        """What a recording should have cleaned up."""
        left = [f"session {name}" for name in self.sessions()] + [f"daemon {pid}" for pid in self.daemons()]
        left += [str(path) for path in (self.folder / "run").rglob("*")]
        if (self.folder / ".lttngrc").exists():
            left.append(".lttngrc")
        # LTTng's own files of applications that wait for a daemon stay, as after every traced program. Another run of this test may be
        # under way.
        user = nobody if is_root else os.getuid()
        for folder in (Path("/dev/shm"), Path("/tmp")):
            for path in folder.iterdir():
                with contextlib.suppress(OSError):
                    of_recording = re.match(r"lttng-gpu-record-(\d+)-", path.name)
                    if of_recording and int(of_recording[1]) not in self.pids:
                        continue  # of another test
                    if is_root and path.stat().st_uid == user and not path.name.startswith(("lttng-ust-wait-", "lttng-gpu-record-test-")):
                        left.append(str(path))
        return left

    def work(self, pattern="*"):
        return sorted((self.folder / "work").glob(pattern))

    def clear(self):
        for path in self.work():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def events(trace):
    """The trace's events as babeltrace2 prints them."""
    shown = subprocess.run(["babeltrace2", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return shown.stdout.splitlines()
