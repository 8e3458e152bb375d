# SPDX-License-Identifier: MIT
"""What a frame of a program costs with the OpenGL layer. Processes of one program, one for each way, are started together on one processor,
stopped, and let go in turn for a slice of SLICE_MS (50) each until all have drawn their frames: what the machine does meanwhile befalls all
alike. A second set that draws one frame only is what it takes to begin, and is subtracted. Of each: the processor's time, and the slices
that it took, by the clock."""
import os
import signal
import statistics
import subprocess
import sys
import time

slice_seconds = int(os.environ.get("SLICE_MS", "50")) / 1000


class Turn:
    """One process. It stops before it begins, so that its session can be told which process it is."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(["sh", "-c", 'kill -STOP $$; exec "$@"', "sh", *command], env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}))
        os.waitpid(self.process.pid, os.WUNTRACED)
        self.pid, self.wall, self.spent = self.process.pid, 0.0, None

    def go(self):
        begin = time.monotonic()
        os.kill(self.pid, signal.SIGCONT)
        end = begin + slice_seconds
        while time.monotonic() < end and not self.has_ended():
            time.sleep(0.002)
        if self.spent is None:
            os.kill(self.pid, signal.SIGSTOP)
        self.wall += time.monotonic() - begin

    def has_ended(self):
        pid, status, used = os.wait4(self.pid, os.WNOHANG)
        if pid and os.WIFSTOPPED(status):
            return False
        if pid:
            self.process.returncode = os.waitstatus_to_exitcode(status)
            if self.process.returncode:
                sys.exit(f"bench: {' '.join(self.process.args[4:])}: exit code {self.process.returncode}")
            self.spent = used.ru_utime + used.ru_stime
        return bool(pid)


def take_turns(commands, order, track):
    """`commands`: words and environment of each way. Processor's and clock's seconds of each."""
    turns = {way: Turn(*commands[way]) for way in order}
    track({way: turn.pid for way, turn in turns.items()})
    while waiting := [way for way in order if turns[way].spent is None]:
        for way in waiting:
            turns[way].go()
    return {way: (turn.spent, turn.wall) for way, turn in turns.items()}


def frame_ms(command_of, environments, order, frames, track):
    """Milliseconds of a frame in each way: of the processor, and of the clock. `command_of`: the words that draw so many frames."""
    def all_of(count):
        return take_turns({way: (command_of(count), environments[way]) for way in order}, order, track)
    begin, whole = all_of(1), all_of(1 + frames)
    return {way: tuple(1000 * (whole[way][kind] - begin[way][kind]) / frames for kind in (0, 1)) for way in order}


def ratio(rounds, way, kind):
    """The median over the rounds, and the least and the greatest."""
    ratios = [each[way][kind] / each["base"][kind] for each in rounds]
    return statistics.median(ratios), min(ratios), max(ratios)


def percent(found):
    return "{:+.1f} % ({:+.1f} to {:+.1f})".format(*(100 * (each - 1) for each in found))
