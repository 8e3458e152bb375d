# SPDX-License-Identifier: MIT
"""A capture as a user of an AMD GPU makes it, with its truth: three rings, several processes, frames of several jobs of different length,
as the text of ftrace (Linux up to 6.16)."""
import random
from dataclasses import dataclass, field

CPUS = 4
FRAME = 16_667  # µs
ROOM = 2  # jobs that a ring takes at once
WORKERS = {"gfx": ("gfx", 310), "sdma0": ("sdma0", 311), "comp_1.0.0": ("comp_1.0.0", 312)}


@dataclass
class Process:
    pid: int
    name: str
    frame: list  # of (ring, begin after that of the frame, length), in the order of begins
    every: int = 1
    contexts: dict = field(default_factory=dict)
    seqnos: dict = field(default_factory=dict)


@dataclass
class Job:
    ring: str
    process: Process
    context: int
    seqno: int
    number: int
    queued: int
    length: int
    fence: int = 0
    submitted: int = 0
    started: int = 0
    completed: int = 0


@dataclass
class Event:
    time: int
    cpu: int
    thread: tuple
    text: str


def processes():
    return [Process(1000, "game", [("sdma0", 200, 300), ("gfx", 900, 700), ("comp_1.0.0", 1000, 1500), ("gfx", 1400, 7000)]),
            Process(2000, "compositor", [("gfx", 9500, 900)]),
            Process(3000, "player", [("sdma0", 3000, 500), ("comp_1.0.0", 3600, 1200)], every=2)]


class AmdCapture:
    """`longer`: {(process, its number of the job on the ring): length} of jobs that really take longer."""

    def __init__(self, seed=1, frames=600, longer=None, begin=50_000_000):
        self.random = random.Random(seed)
        self.begin = begin
        self.jobs = []
        self.events = []
        self.make_jobs(frames, longer or {})
        self.run_rings()
        self.tell()

    def make_jobs(self, frames, longer):
        counts = {}
        for frame in range(frames):
            for process in self.all_processes() if frame == 0 else self.made:
                if frame % process.every:
                    continue
                for ring, after, length in process.frame:
                    key = process.name, ring
                    counts[key] = counts.get(key, 0) + 1
                    context = process.contexts.setdefault(ring, 400 + process.pid // 100 + len(process.contexts))
                    process.seqnos[ring] = process.seqnos.get(ring, 0) + 1
                    queued = self.begin + frame * FRAME + after + self.random.randrange(150)
                    length = longer.get((process.name, ring, counts[key]), round(length * self.random.uniform(0.8, 1.25)))
                    self.jobs.append(Job(ring, process, context, process.seqnos[ring], 0, queued, length))
        self.jobs.sort(key=lambda job: job.queued)

    def all_processes(self):
        self.made = processes()
        return self.made

    def run_rings(self):
        for ring in WORKERS:
            jobs = [job for job in self.jobs if job.ring == ring]
            submitted = completed = 0
            for place, job in enumerate(jobs):
                job.number = place + 1
                room = jobs[place - ROOM].completed + 20 if place >= ROOM else 0
                job.submitted = max(job.queued + self.random.randrange(15, 40), submitted + 4, room)
                job.started = max(job.submitted, completed)
                job.completed = job.started + job.length
                submitted, completed = job.submitted, job.completed

    def tell(self):
        free = [0xffff888100000000 + place * 0x140 for place in range(64)]  # the kernel's slabs give addresses again
        busy = []
        for job in self.jobs:
            for ended in [other for other in busy if other.completed + 100 < job.queued]:
                busy.remove(ended)
                free.append(ended.fence)
            job.fence = free.pop(0)
            busy.append(job)
        for job in self.jobs:
            # A thread stays on its CPU for a while.
            submitter = (job.process.pid * 7 + job.queued // 900_000) % CPUS
            worker = (WORKERS[job.ring][1] + job.queued // 1_300_000) % CPUS
            interrupt = (WORKERS[job.ring][1] + 1) % CPUS
            own = f"sched_job={job.number}, timeline={job.ring}, context={job.context}, seqno={job.seqno}, ring_name={job.ring}, num_ibs=2"
            common = f"entity={0xffff888200000000 + job.context * 64:016x}, id={job.number}, fence={job.fence:016x}, ring={job.ring}, job count:0, hw job count:0"
            thread = job.process.name, job.process.pid + 1, job.process.pid
            kernel = *WORKERS[job.ring], WORKERS[job.ring][1]
            idle = "<idle>", 0, 0
            self.events += [Event(job.queued - 2, submitter, thread, f"amdgpu_cs_ioctl: {own}"),
                            Event(job.queued, submitter, thread, f"drm_sched_job: {common}"),
                            Event(job.submitted, worker, kernel, f"drm_run_job: {common}"),
                            Event(job.submitted + 2, worker, kernel, f"amdgpu_sched_run_job: {own}"),
                            Event(job.completed, interrupt, idle, f"drm_sched_process_job: fence={job.fence:016x} signaled"),
                            Event(job.completed + 1, interrupt, idle,
                                  f"dma_fence_signaled: driver=drm_sched timeline={job.ring} context={job.context} seqno={job.seqno}")]
        self.events.sort(key=lambda event: event.time)

    def text(self, begins=(), says_where=False):
        """`begins`: of each CPU's buffer. `says_where`: the file tells it, as that of a buffer which was overwritten does."""
        kept = [event for event in self.events if not begins or event.time >= begins[event.cpu]]
        lines = ["# tracer: nop", "#", f"# entries-in-buffer/entries-written: {len(kept)}/{len(self.events)}   #P:{CPUS}", "#"]
        seen = set()
        for name, cpu, thread, text in ((event.time, event.cpu, event.thread, event.text) for event in kept):
            if says_where and seen and cpu not in seen:
                lines.append(f"##### CPU {cpu} buffer started ####")
            seen.add(cpu)
            lines.append(f"{thread[0]:>16}-{thread[1]:<7} ({thread[2]:7}) [{cpu:03}] ..... {name // 1_000_000:5}.{name % 1_000_000:06}: "
                         f"{text}")
        return "\n".join(lines) + "\n"
