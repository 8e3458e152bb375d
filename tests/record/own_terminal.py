#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""own_terminal.py LTTNG_GPU: a command that record runs as another user than itself has a terminal of its own. It cannot type on root's,
and reading, writing, Ctrl-C, Ctrl-Z, fg, bg, the window's size, pipes and files are as without record. As root; tests/in-own-place gives it
a session daemon of its own. Prints TAP."""
import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lttng_session
from tap import Tap

lttng_gpu = os.path.abspath(sys.argv[1])
tap = Tap()
python = "/usr/bin/python3"  # that of any user
folder = Path(tempfile.mkdtemp(prefix="lttng-gpu-terminal-"))
folder.chmod(0o1777)
# What a user's command can do on the terminal that it has, by any name.
ATTACK = f"""
import fcntl, os, termios
for name in (0, 1, 2, "/dev/tty"):
    try:
        descriptor = os.open(name, os.O_RDWR) if isinstance(name, str) else name
        for letter in "id>{folder}/typed\\n":
            fcntl.ioctl(descriptor, termios.TIOCSTI, letter.encode())
    except OSError:
        pass
    try:
        fcntl.ioctl(descriptor, 0x541C, b"\\3" + bytes(20))  # TIOCLINUX: paste
    except OSError:
        pass
print("tried on", open("/proc/self/stat").read().rpartition(")")[2].split()[4])
"""


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def state_of(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return "gone"


class Job:
    """record as the foreground job of a terminal, of which this process is the shell; run() is for one test each, in a child that leads a
    session."""

    def __init__(self, *words, user="nobody", is_foreground=True, **streams):
        for old in folder.glob("a*"):
            shutil.rmtree(old)
        self.terminal = os.open("/dev/tty", os.O_RDWR)
        self.before = termios.tcgetattr(self.terminal)
        given = {"stdin": self.terminal, "stdout": self.terminal, "stderr": self.terminal, **streams}
        self.process = subprocess.Popen([lttng_gpu, "record", "--events", "user", "--no-report", "-o", folder / "a", "--user", user, "--",
                                         *words],
                                        process_group=0, cwd=folder, env=os.environ | {"HOME": str(folder)}, **given)
        if is_foreground:
            self.foreground()

    def foreground(self):
        os.tcsetpgrp(self.terminal, self.process.pid)

    def go_on(self, is_foreground=True):
        if is_foreground:
            self.foreground()
        os.killpg(self.process.pid, signal.SIGCONT)

    def is_stopped(self, seconds=20):
        return wait_until(lambda: state_of(self.process.pid) == "T", seconds)

    def end(self, seconds=60):
        code = self.process.wait(timeout=seconds)
        os.tcsetpgrp(self.terminal, os.getpgrp())
        return code

    def has_modes(self):
        return termios.tcgetattr(self.terminal) == self.before


class Screen:
    """The other side of the terminal: what a person sees and types."""

    def __init__(self, test):
        self.text = ""
        self.pid, self.leader = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            try:
                test()
                print("TEST-PASSED", flush=True)
            except BaseException as error:  # pylint: disable=broad-except
                print(f"TEST-FAILED {error!r}", flush=True)
            os._exit(0)

    def read_until(self, pattern, seconds=40):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text) and time.monotonic() < end:
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.leader, 65536).decode(errors="replace")
                except OSError:
                    break
        return re.search(pattern, self.text)

    def type(self, text):
        os.write(self.leader, text.encode())

    def end(self):
        self.read_until("TEST-(PASSED|FAILED)", 90)
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.leader)
        return [] if "TEST-PASSED" in self.text else [self.text[-3000:]]


def check(words, test, person=lambda screen: [], also=lambda screen: []):
    """`person`: what is typed meanwhile. Both give problems."""
    screen = Screen(test)
    problems = person(screen) or []
    problems += screen.end()
    tap.check(words, problems + (also(screen) or []))


def wanted(screen, pattern):
    return [] if screen.read_until(pattern) else [f"no {pattern!r} in {screen.text[-2000:]!r}"]


def attack():
    own = open("/proc/self/stat").read().rpartition(")")[2].split()[4]
    job = Job(python, "-c", ATTACK)
    assert job.end() == 0
    # What it typed would be read by the shell now.
    time.sleep(0.3)
    assert not select.select([job.terminal], [], [], 0)[0], "it typed on root's terminal"
    assert job.has_modes(), "modes"
    print("root's is", own)


def other_terminal(screen):
    tried, own = re.search(r"tried on (-?\d+)", screen.text), re.search(r"root's is (\d+)", screen.text)
    return [] if tried and own and tried[1] != own[1] else ["it was on root's terminal"]


def reads():
    job = Job("sh", "-c",
              'read word </dev/tty; echo "read: $word"; test -t 0 -a -t 1 -a -t 2 && echo all a terminal; tty; test -w "$(tty)" && echo '
              'its own; read -r second; echo "and: $second"')
    assert job.end() == 0 and job.has_modes()


def type_words(screen):
    screen.type("hello\r")
    problems = wanted(screen, r"read: hello\r\n.*all a terminal\r\n(?s:.*)its own")
    screen.type("you\r")
    return problems + wanted(screen, "and: you\r\n")


def interrupted():
    job = Job("sh", "-c", "trap 'echo got it; exit 3' INT; echo begun; while :; do sleep 0.1; done")
    assert job.end() == 3 and job.has_modes()


def type_interrupt(screen):
    problems = wanted(screen, "begun")
    screen.type("\x03")
    return problems


def killed():
    assert Job("sh", "-c", "echo begun; sleep 60").end() == 130


def stopped():
    job = Job("sh", "-c", "echo begun $$; read word; echo read $word; stty size; read word; echo again $word")
    assert job.is_stopped(), "not stopped"
    assert job.has_modes(), "the shell has no terminal of its modes"
    os.tcsetpgrp(job.terminal, os.getpgrp())
    print("SHELL", flush=True)
    fcntl.ioctl(job.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 77, 0, 0))
    job.go_on()
    assert job.end() == 0 and job.has_modes()


def type_stop(screen):
    problems = wanted(screen, r"begun (\d+)")
    command = int(re.search(r"begun (\d+)", screen.text)[1]) if not problems else 0
    time.sleep(0.2)
    screen.type("\x1a")
    problems += wanted(screen, "SHELL")
    problems += [] if wait_until(lambda: state_of(command) != "T") else ["the command does not go on"]
    screen.type("one\r")
    problems += wanted(screen, r"read one\r\n33 77\r\n")
    screen.type("two\r")
    return problems + wanted(screen, "again two")


def background():
    """Reading from the background stops the job, as the kernel does it; in the foreground it goes on and gets what is typed."""
    job = Job("sh", "-c", "echo in the background; read word; echo read $word", is_foreground=False)
    assert job.is_stopped(), "not stopped"
    print("SHELL", flush=True)
    job.go_on()
    assert job.end() == 0 and job.has_modes()


def type_later(screen):
    problems = wanted(screen, r"in the background\r\n(?s:.*)SHELL")
    screen.type("later\r")
    return problems + wanted(screen, "read later")


def resized():
    assert Job("sh", "-c",
               "trap 'stty size' WINCH; echo begun; word=; while [ -z \"$word\" ]; do read word; done; echo end $word").end() == 0


def resize(screen):
    problems = wanted(screen, "begun")
    time.sleep(0.3)
    fcntl.ioctl(screen.leader, termios.TIOCSWINSZ, struct.pack("HHHH", 21, 42, 0, 0))
    time.sleep(0.3)
    screen.type("now\r")
    return problems + wanted(screen, r"21 42\r\n") + wanted(screen, "end now")


def pipes():
    """What is no terminal is the command's as it is."""
    job = Job("sh", "-c", "cat; echo to stderr >&2; exit 7", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    text = "line\nother\n" * 20000
    assert job.process.communicate(text.encode(), timeout=60)[0] == text.encode(), "output"
    assert job.end() == 7 and job.has_modes()


def pipeline():
    """Another program of the pipeline has the terminal; the command takes it when it reads from it."""
    job = Job("sh", "-c", 'echo begun >&2; read word </dev/tty; echo "word: $word"', stdout=subprocess.PIPE)
    assert job.process.stdout.read() == b"word: typed\n"
    assert job.end() == 0 and job.has_modes()


def type_for_pipeline(screen):
    problems = wanted(screen, "begun")
    screen.type("typed\r")
    return problems


def interrupted_pipeline():
    """Keys of a terminal that is not the command's: record passes the signal on."""
    job = Job("sh", "-c", "trap 'echo got it; exit 4' INT; echo begun >&2; while :; do sleep 0.1; done", stdout=subprocess.PIPE)
    assert job.process.stdout.read() == b"got it\n"
    assert job.end() == 4 and job.has_modes()


def stopped_pipeline():
    job = Job("sh", "-c", "echo begun >&2; sleep 1; echo done", stdout=subprocess.PIPE)
    assert job.is_stopped()
    time.sleep(1.5)
    job.go_on()
    assert job.process.stdout.read() == b"done\n"
    assert job.end() == 0


def type_stop_only(screen):
    problems = wanted(screen, "begun")
    time.sleep(0.2)
    screen.type("\x1a")
    return problems


def much():
    assert Job("sh", "-c", "seq 200000; echo END; exit 5").end() == 5


def all_lines(screen):
    lines = re.findall(r"(?m)^(\d+)\r$", screen.text)
    return [] if lines[-1:] == ["200000"] and len(lines) >= 200000 and "END" in screen.text else [f"{len(lines)} lines, the last "
                                                                                                  f"{lines[-1:]}"]


def not_found():
    assert Job("/nothing/here").end() == 127
    assert Job("/etc/passwd").end() == 126


def same_user():
    """Root's own command has root's terminal."""
    own = open("/proc/self/stat").read().rpartition(")")[2].split()[4]
    job = Job(python, "-c", "print('on', open('/proc/self/stat').read().rpartition(')')[2].split()[4])", user="root")
    assert job.end() == 0
    print("root's is", own)


def main():
    if os.geteuid() != 0:
        tap.check("another user's command", [], skip="needs root")
        return
    why_not = lttng_session.why_not()
    if why_not:
        tap.check("sessions can be recorded", [why_not])
        return
    with lttng_session.daemon():
        check("the command cannot type on root's terminal", attack, also=other_terminal)
        check("it reads from its terminal, which is its own", reads, type_words)
        check("Ctrl-C reaches it", interrupted, type_interrupt)
        check("Ctrl-C ends it", killed, type_interrupt)
        check("Ctrl-Z stops the job, whose terminal is the shell's then; fg goes on", stopped, type_stop)
        check("a job in the background stops when it reads; fg goes on", background, type_later)
        check("the window's size follows", resized, resize)
        check("pipes are the command's as they are", pipes)
        check("in a pipeline it takes the terminal when it reads from it", pipeline, type_for_pipeline)
        check("in a pipeline Ctrl-C reaches it", interrupted_pipeline, type_interrupt)
        check("in a pipeline Ctrl-Z stops it", stopped_pipeline, type_stop_only)
        check("all of much output is shown", much, also=all_lines)
        check("what is no program has its exit code", not_found)
        check("root's own command has root's terminal", same_user,
              also=lambda screen: [] if len(set(re.findall(r"(?:on|is) (\d+)\r", screen.text))) == 1 else ["another one"])


main()
shutil.rmtree(folder, ignore_errors=True)
sys.exit(tap.finish())
