#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kernel_faults.py LTTNG_GPU BUILD LANE DIR [GROUP...]: `lttng-gpu record` as root of kernel and user-space events in the lane's guest,
while programs and daemons die and quotas are used up (guest/faults does it; its GROUPs, default: all). Whatever happens, record ends,
leaves nothing behind, says what is missing, and what was recorded is compared with the test driver's own log of every job. DIR keeps
everything. Environment: KILLS (recordings with random ones, default 20), EACH (random ones in a recording, default 10), ENDS and LOADS
(fewer ways to end, idle or busy only; an END may be END-LOAD, and be there more than once), SHARE_READY=1 (DIR/share was filled by
make-share). Prints TAP."""
import contextlib
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "tests/end-to-end"), str(Path(__file__).resolve().parent)]
from compare_with_truth import differing, key, read_jobs
from find_splats import is_of_kernel, splats
import interrupted
from interrupted import clock_offset, disk_of

lttng_gpu, build, lane, folder, *groups = sys.argv[1:]
lttng_gpu, build, folder = Path(lttng_gpu).absolute(), Path(build).absolute(), Path(folder).absolute()
tap = interrupted.tap
# The guest is emulated, and its host may be busy: what hangs does so for ever.
most_seconds = 120
files = (*interrupted.files[:-1], "prepare", "ends-writing", "faults")
codes = {"kill": 137, "segv": 139, "abort": 134, "exit": 9, "_exit": 9, "callback": 9, "fork": 0, "oom": 137, "memory": 137, "victim": 137}
daemon_names = {"sessiond": "lttng-sessiond", "kernel_consumerd": "lttng-consumerd", "user_consumerd": "lttng-consumerd"}


class Case:
    """What the guest left of one."""

    def __init__(self, path):
        self.path, self.name = path, path.name
        lines = self.text("facts").splitlines()
        self.facts = dict(line.split(" ", 1) for line in lines if " " in line)
        self.left = [line for line in lines if line.startswith("left")]
        self.code = int(self.facts.get("code", -1))
        self.seconds = float(self.facts.get("seconds", -1))
        self.said = self.text("record.log")

    def text(self, name):
        path = self.path / name
        return path.read_text(errors="replace") if path.exists() else ""

    def truth(self, name="jobs.csv"):
        return list(csv.DictReader(self.text(name).splitlines()))

    def report(self, trace="trace"):
        return subprocess.run([lttng_gpu, "report", "--format", "json", self.path / trace], capture_output=True, text=True, timeout=600)

    def user_events(self, trace="trace"):
        """How many there are, as babeltrace2 reads them; of metadata that it does not read, none. CTF 2, which LTTng 2.16 writes, is for
        later versions of it: the report counts then."""
        if any(b'"preamble"' in path.read_bytes()[:200] for path in (self.path / trace / "ust").rglob("metadata")):
            return json.loads(self.report(f"{trace}/ust").stdout)["accounting"]["events_read"]
        folders = ", ".join(f'"{path.parent}"' for path in (self.path / trace).rglob("metadata") if "ust" in path.parts)
        counted = subprocess.run(["babeltrace2", "run", "--component=from:source.ctf.fs", f"--params=inputs=[{folders}]",
                                  "--component=mux:filter.utils.muxer", "--component=to:sink.utils.counter", "--connect=from:mux",
                                  "--connect=mux:to"],
                                 capture_output=True, text=True)
        found = re.findall(r"(\d+) Event messages", counted.stdout)
        return int(found[-1]) if found else 0

    def events_of_programs(self, trace="trace"):
        """(events of user space, how many programs wrote them), as the report counts them: babeltrace2 may take each program for a trace,
        and reads none if a daemon died before the metadata of one was written."""
        events = 0
        for folder in {path.parent for path in (self.path / trace / "ust").rglob("metadata")}:
            run = subprocess.run([lttng_gpu, "report", "--format", "json", folder], capture_output=True, text=True, timeout=600)
            with contextlib.suppress(ValueError, KeyError):
                events += json.loads(run.stdout)["accounting"]["events_read"]
        folders = [path for path in (self.path / trace / "ust").glob("pid/*")
                   if any(stream.stat().st_size for stream in path.rglob("u_*") if stream.is_file())]
        return events, len(folders)

    def steps(self):
        """(seconds, what record did), from the end of the command on."""
        ended = float(self.facts.get("ended", 0))
        lines = [match.groups() for match in re.finditer(r"^(\d+\.\d+) \+ (.*)$", self.said, re.MULTILINE)]
        moments = [(float(at), words) for at, words in lines if ended and float(at) >= ended]
        ends = [at for at, _ in moments[1:]] + [ended + self.seconds]
        first = [(moments[0][0] - ended, "until the first step")] if moments else []
        return first + [(end - at, words) for (at, words), end in zip(moments, ends)]

    def seconds_to_report(self):
        """From the end of the command until the whole report is written; None: there is none."""
        return float(self.facts["reported"]) - float(self.facts["ended"]) if "reported" in self.facts and "ended" in self.facts else None

    def everything(self):
        return [f"{self.facts}", *self.left, self.said[-3000:], self.text("lttng.log")[-1500:], self.text("recover.log")[-1500:]]


def end_of(case, trace):
    """Of the recording, by the driver's clock."""
    return json.loads(case.report(trace).stdout)["window"]["end_ns"] - clock_offset(case.path / trace)


def missing_jobs(case, truth, trace="trace"):
    """Jobs that the driver has and the trace does not, or not so."""
    run, rows = read_jobs(lttng_gpu, case.path / trace)
    jobs = {key(row): row for row in rows}
    missing = [f"no job {key(row)}" for row in truth if key(row) not in jobs]
    # What the scheduler had not given to the driver when the program was killed never began, and what the driver had goes on after that.
    end = end_of(case, trace) if truth else 0
    ran = [row for row in truth if 0 < int(row["completed_hi"]) < end]
    missing += [f"{key(row)} is {jobs[key(row)]['status']}" for row in ran if key(row) in jobs and jobs[key(row)]["status"] != "complete"]
    problems = [f"jobs: {run.returncode}: {run.stderr}"] if run.returncode not in (0, 1, 4) else []
    problems += missing
    known = {key(job) for job in case.truth()}
    problems += [f"{key(row)} is no job of the driver's" for row in rows if key(row) not in known]
    return problems + differing(truth, jobs, ["device", "ring", "pid", "tid", "comm"]), len(rows)


def check_end(case, code, words=""):
    """record ended as it should, and left nothing."""
    problems = [] if case.code == code else [f"exit code {case.code}, not {code}"]
    problems += [] if 0 <= case.seconds < most_seconds else [f"record ended {case.seconds} s after the command"]
    problems += [] if re.search(words, case.said + case.text("recover.log")) else [f"'{words}' is not said"]
    reported = case.seconds_to_report()
    tap.check(f"{case.name}: {f'the report is there {reported:.1f} s later, ' if reported else ''}record ends {case.seconds:.1f} s later, "
              f"with the "
              "right words and code, and leaves nothing", problems + case.left and problems + case.everything())


def show_steps(cases):
    """Where the time goes. Of steps of one kind (modules that are unloaded), the sum."""
    for case in cases:
        sums = {}
        for seconds, words in case.steps():
            name = re.sub(r" lttng-gpu-record-\d+| \d+", "", re.sub(r"^(rmmod) .*", r"\1", words.replace("lttng --no-sessiond", "lttng")))
            count, sum_of = sums.get(name, (0, 0.0))
            sums[name] = count + 1, sum_of + seconds
        if sums:
            print(f"# {case.name}: " +
                  ", ".join(f"{name}{f' ({count})' if count > 1 else ''} {seconds:.2f} s" for name, (count, seconds) in sums.items()))


def check_programs(cases):
    for case in cases:
        end = case.name.split("-")[0]
        if end not in codes:
            continue
        check_end(case, codes[end])
        problems, jobs = missing_jobs(case, case.truth())
        tap.check(f"{case.name}: all {jobs} jobs of the driver's log are there, and no other",
                  problems + (["less than 40"] if jobs < 40 else []))
        report, events = case.report(), case.user_events()
        # The victim's killer is killed after it; no other program of LTTng's or ours is.
        wanted = {"memory": 1, "victim": 1}.get(end, 0)
        tap.check(f"{case.name}: events of user space that were written before are there ({events})",
                  ([] if events >= 1000 else case.everything()) +
                  ([] if int(case.facts.get("kills", 0)) == wanted
                   else [f"the kernel killed it {case.facts.get('kills')} times for memory of the machine"]) +
                  ([] if report.returncode in (0, 1, 4) else [f"report: {report.returncode}: {report.stderr}"]))


def check_daemons(cases):
    for case in cases:
        daemon = case.name.rsplit("-", 1)[0]
        if daemon not in daemon_names:
            continue
        check_end(case, 125, f"LTTng's daemon {daemon_names[daemon]}(.|\n)*goes on|goes on(.|\n)*LTTng's daemon {daemon_names[daemon]}")
        report = case.report()
        _, jobs = missing_jobs(case, [])
        tap.check(f"{case.name}: what was written is read ({jobs} jobs of {len(case.truth())}), and the report says that it is not all",
                  [] if report.returncode in (1, 4) and (jobs or report.stderr.strip())
                  else [f"report: {report.returncode}: {report.stderr}", *case.everything()])


def check_recovery(cases):
    for case in cases:
        killed = case.name.split("-")[0]
        if killed not in ("record", "record_and_daemons"):
            continue
        check_end(case, 0, "cleaning up")
        report = case.report()
        _, jobs = missing_jobs(case, [])
        tap.check(f"{case.name}: what was recorded is read ({jobs} jobs of {len(case.truth())})",
                  [] if report.returncode in (0, 1, 4) else [f"report: {report.returncode}: {report.stderr}", *case.everything()])


def check_per_process(cases):
    for case in cases:
        kind, end, *_ = [*case.name.split("-"), ""]
        if kind not in ("per_process", "beside_per_process"):
            continue
        check_end(case, 0)
        for trace in ("trace", "recorded") if kind == "beside_per_process" else ("trace",):
            problems, jobs = missing_jobs(case, case.truth(), trace)
            events = case.user_events(trace)
            tap.check(f"{case.name}, {trace}: all {jobs} jobs are there, and {events} events of user space",
                      problems + (case.everything() if events < 1000 or jobs < 40 or case.facts.get("recorded") != str(codes[end]) else []))


def check_per_process_daemons(cases):
    """A session with buffers of each process, and record beside it."""
    for case in cases:
        kind = case.name.rsplit("-", 1)[0]
        daemon = kind.removeprefix("per_process_")
        if kind == daemon or daemon not in daemon_names:
            continue
        # A session daemon that is killed may be there longer than its consumer daemons.
        died = f"LTTng's daemon ({daemon_names[daemon]}|lttng-consumerd) .*has died"
        check_end(case, 125, f"{died}(.|\n)*goes on|goes on(.|\n)*{died}")
        tap.check(f"{case.name}: `lttng destroy` ends, too",
                  [] if case.facts.get("destroyed") not in ("124", "137", None) else case.everything())
        for trace in ("trace", "recorded"):
            report = case.report(trace)
            _, jobs = missing_jobs(case, [], trace)
            # In a session made with `lttng` only LTTng's own error tells of the programs' daemon, where every job is there.
            codes_of_part = (0, 1, 4) if trace == "trace" and daemon == "user_consumerd" and jobs == len(case.truth()) else (1, 4)
            tap.check(f"{case.name}, {trace}: what was written is read ({jobs} jobs of {len(case.truth())}, "
                      f"{case.events_of_programs(trace)[0]} events), "
                      "and the report says that it is not all",
                      [] if report.returncode in codes_of_part and (jobs or report.stderr.strip()) else
                      [f"report: {report.returncode}: {report.stderr}", *case.everything()])


def check_random(cases):
    """One test for all, because each is one of many."""
    for words, cases in (("record", [case for case in cases if not case.number % 2]),
                         ("buffers of each process", [case for case in cases if case.number % 2])):
        problems, jobs, events, programs, stuck = [], 0, 0, 0, 0
        for case in cases:
            of_jobs, found = missing_jobs(case, case.truth())
            report = case.report()
            jobs, stuck = jobs + found, stuck + ("was killed while it wrote" in case.said)
            written, writers = case.events_of_programs()
            events, programs = events + written, programs + writers
            bad = case.left + ([] if case.code == 0 else [f"exit code {case.code}"]) + ([] if 0 <= case.seconds < most_seconds
                                                                                        else [f"{case.seconds} s"])
            bad += ([] if report.returncode in (0, 1, 4) else [f"report: {report.returncode}: {report.stderr}"]) + of_jobs
            problems += [f"{case.name}: " + "\n".join(map(str, bad[:10] + case.everything()))] if bad else []
        longest = max((case.seconds for case in cases), default=0)
        tap.check(f"{words}: programs are killed at random in {len(cases)} recordings, {os.environ.get('EACH', 10)} in each (in {stuck} "
                  f"while one "
                  f"wrote an event); the end takes {longest:.1f} s at most, {jobs} jobs are all there, and {events} events of {programs} "
                  f"programs",
                  problems or ([] if events and jobs else ["nothing was recorded"]))


def check_quota(cases):
    for case in cases:
        if not case.name.startswith(("quota", "project_quota")):
            continue
        report = case.report()
        # ext4 says of a project's folder that the file system is as large as its quota, and is full.
        is_project = case.name.startswith("project_")
        if case.name.endswith("quota_at_start"):
            refused = r"has room for [\d.]+ MiB" if is_project else "Disk quota exceeded"
            good = case.code == 125 and re.search(refused,
                                                  case.said) and "smaller --buffers" in case.said and not (case.path / "ran").exists()
            tap.check(f"{case.name}: refused, and the command does not run", [] if good and not case.left else case.everything())
            continue
        full = r"cannot become larger \((Disk quota exceeded|No space left on device)\)|is nearly full" if is_project else r"cannot become larger \(Disk quota exceeded\)"
        full = f"({full})"
        check_end(case, 125, full if "quota_at_end" in case.name else rf"{full}(.|\n)*goes on|goes on(.|\n)*{full}")
        events = case.user_events()
        tap.check(f"{case.name}: what was recorded before is read ({events} events)", ([] if events >= 100 else case.everything()) +
                  ([] if report.returncode in (0, 1, 4) else [f"report: {report.returncode}: {report.stderr}"]))


def check_slow(cases):
    for case in cases:
        if not case.name.startswith("slow"):
            continue
        check_end(case, 0)
        report, is_without_loss = json.loads(case.report().stdout), case.name.endswith("--no-loss")
        ust, events = json.loads(case.report("trace/ust").stdout)["accounting"], case.user_events()
        problems, jobs = missing_jobs(case, case.truth())
        if report["accounting"]["events_lost"] > ust["events_lost"]:
            problems = []  # of the kernel, which waits for nobody
        tap.check(f"{case.name}: {events} events of user space are there, {ust['events_lost']} are counted as lost, and {jobs} jobs",
                  problems +
                  ([] if events >= 1000 and bool(ust["events_lost"]) != is_without_loss else case.everything()))


def run_guest(share):
    """Returns (exit code, console)."""
    run = folder / "guest"
    shutil.rmtree(run, ignore_errors=True)
    subprocess.run(["cp", "-al", share, run], check=True)
    for name in ("common", "faults"):
        shutil.copy(Path(__file__).parent / "guest" / name, run)
    # SHARE_READY keeps a share, but the program may be another one.
    (run / "lttng-gpu").unlink(missing_ok=True)
    subprocess.run(["strip", "-o", run / "lttng-gpu", lttng_gpu], check=True)
    for name in ("ends-writing", "ust-events"):
        (run / name).unlink(missing_ok=True)
        shutil.copy(build / name, run)
    image = run / "disk.img"
    subprocess.run(["mkfs.ext4", "-q", "-F", "-O", "quota,project", "-E", "quotatype=usrquota:prjquota", image, "6G"], check=True)
    slow = run / "slow.img"
    subprocess.run(["mkfs.ext4", "-q", "-F", slow, "256M"], check=True)
    words = groups or ["programs", "daemons", "recovery", "memory", "per_process", "per_process_daemons", "random", "quota",
                       "project_quota", "slow"]
    settings = " ".join(f"{name}='{os.environ.get(name, default)}'"
                        for name, default in (("KILLS", "20"), ("EACH", "10"), ("ENDS", ""), ("LOADS", "")))
    (run / "run").write_text(f"mkdir /tmp/work && cp -r {' '.join(files)} /tmp/work && cd /tmp/work && export TIMES={interrupted.times} "
                             f"{settings} && exec sh ./faults {' '.join(words)}\n")
    with open(folder / "guest.log", "w") as log:
        code = subprocess.run([top / "tests/vm/run-guest", lane, run, os.environ.get("GUEST_SECONDS", "5400")], stdout=log,
                              stderr=subprocess.STDOUT,
                              env=os.environ | {"GUEST_QEMU": f"-drive file={image},format=raw,if=virtio "
                                                            f"-drive file={slow},format=raw,if=virtio,throttling.bps-write=1048576"}).returncode
    return code, (run / "console.log").read_text(errors="replace")


def main():
    folder.mkdir(parents=True, exist_ok=True)
    share = folder / "share"
    if not os.environ.get("SHARE_READY"):
        subprocess.run([top / "tests/vm/make-share", lane, share], check=True,
                       env=os.environ | {"TEST_MODULES": "gputest", "SHARE_MODULES": "quota_v2"})
    code, console = run_guest(share)
    out, problems = disk_of(folder / "guest")
    tap.check("the guest does not hang, and its disk is sound",
              problems + ([] if code == 0 else [f"it ended with {code}:\n{console[-3000:]}"]))
    lines = (out / "dmesg.log").read_text(errors="replace").splitlines() if (out / "dmesg.log").exists() else []
    found = ["\n".join(report) for report in splats(lines)]
    tap.check("the kernel log has no splat", ["it is empty"] if not any(map(is_of_kernel, lines)) else found)
    cases = [Case(path) for path in sorted(out.iterdir()) if (path / "facts").exists()]
    at_random = [case for case in cases if case.name.startswith("random-")]
    for case in at_random:
        case.number = int(case.name.split("-")[1])
    show_steps(cases)
    cases = [case for case in cases if case not in at_random]
    for check in (check_programs, check_daemons, check_recovery, check_per_process, check_per_process_daemons, check_quota, check_slow):
        check(cases)
    for case in cases:
        if case.name == "hotplug_and_suspend":
            tap.check(f"{case.name}: the machine goes on, and nothing is left", case.left)
            interrupted.check_whole(case.name, lttng_gpu, case.path)
    if at_random:
        check_random(at_random)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
