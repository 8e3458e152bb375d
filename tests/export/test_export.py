#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_export.py BUILD: `lttng-gpu export` and `merge` on the golden traces, on sessions recorded now, on damaged input.
Every event of the input must be in the output with the same name, fields and time, as babeltrace2 prints both; what
the output has besides are the events lttng_gpu_device:*, whose times are compared with `lttng-gpu jobs`. Prints TAP."""
import csv
import io
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
sys.path.insert(0, str(here.parent / "readers"))
from lttng_session import application_environment, daemon, lttng, session, why_not
from tap import Tap
from ust_sessions import record_all

build = Path(sys.argv[1]).resolve()
lttng_gpu = build / "lttng-gpu"
golden = here.parent / "golden"
readers = here.parent / "readers/traces"
tap = Tap()


def run(*arguments, **options):
    return subprocess.run([lttng_gpu, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=300, **options)


def babeltrace(*traces):
    """(events, one line each in a stable order; what its warnings say was lost)"""
    # Times since the epoch, without the difference to the event before: that depends on the neighbours.
    result = subprocess.run(["babeltrace2", "--clock-seconds", "--no-delta", *map(str, traces)], capture_output=True, text=True,
                            errors="replace", timeout=300)
    losses = sorted(re.findall(r"discarded \d+ \w+ between \S+ and \S+", result.stderr))
    return sorted(result.stdout.splitlines()), losses


def is_added(line):
    return " lttng_gpu_device:" in line


def differences(expected, got):
    """The first few lines that only one of them has, as many times as it has them more often."""
    if expected == got:
        return []
    problems, left, right = [], 0, 0
    while left < len(expected) or right < len(got):
        if left < len(expected) and right < len(got) and expected[left] == got[right]:
            left, right = left + 1, right + 1
        elif right == len(got) or (left < len(expected) and expected[left] < got[right]):
            problems.append(f"missing: {expected[left]}")
            left += 1
        else:
            problems.append(f"not in the input: {got[right]}")
            right += 1
    return problems


def leftovers(directory):
    return [f"left over: {path.name}" for path in directory.iterdir() if ".partial-" in path.name]


def export(traces, output, codes=(0,)):
    result = run("export", "--to", "ctf", *traces, "-o", output)
    problems = [] if result.returncode in codes else [f"exit code {result.returncode}: {result.stderr}"]
    return problems + leftovers(output.parent)


def own_values(traces, count):
    """Every value of every event by our own decoder; that is the first pass of what compare-readers dumps."""
    dump = subprocess.run([build / "compare-readers", "--dump", "own", *map(str, traces)], capture_output=True, text=True, errors="replace",
                          timeout=300)
    lines = [line for line in dump.stdout.splitlines() if "lttng_gpu_device:" not in line]
    return sorted(lines[:count])


def compare_events(traces, output, expected, got):
    """By babeltrace2. Its 2.0 may show the text of another event for an empty one: where nothing but texts differs, our own
    decoder, which the reader tests compare with it, has the last word."""
    problems = differences(expected, got)
    if problems and sorted(re.sub(r'"[^"]*"', '""', line) for line in expected) == sorted(re.sub(r'"[^"]*"', '""', line) for line in got):
        problems = differences(own_values(traces, len(expected)), own_values([output], len(got)))
    return problems


def compare(name, traces, directory, lossy=False, any_losses=False):
    output = Path(directory) / f"{name}-out".replace("/", "-")
    problems = export(traces, output, (0, 4) if any_losses else (4,) if lossy else (0,))
    if not problems:
        expected, losses = babeltrace(*traces)
        got, losses_kept = babeltrace(output)
        problems += compare_events(traces, output, expected, [line for line in got if not is_added(line)])
        problems += differences(losses, losses_kept)
        if lossy and not losses:
            problems.append("no loss in the input")
        # What the decoder of our own makes of it, by the same comparison as for LTTng's traces.
        same = subprocess.run([build / "compare-readers", output], capture_output=True, text=True, errors="replace", timeout=300)
        problems += [] if same.returncode == 0 else [same.stdout[-2000:] + same.stderr]
    tap.check(f"{name}: every event, field, time and loss", problems)
    return output


def rows(*traces):
    result = run("jobs", "--read-once", "--format", "csv", *traces)
    return list(csv.DictReader(io.StringIO(result.stdout))), result.returncode


def golden_traces(directory):
    for name in ("linux-6.12", "linux-7.2"):
        trace = golden / name / "kernel"
        output = compare(name, [trace], directory)
        before, after = rows(trace), rows(output)
        tap.check_that(f"{name}: the same jobs from the output", before == after and before[0],
                       f"{len(before[0])} and {len(after[0])} rows")
        check_job_events(name, before[0], output)
    for name in ("ust-every-field", "ust-per-process"):
        compare(name, [readers / name / "trace"], directory, any_losses=True)


def check_job_events(name, jobs, output):
    """Each known time of each job is one event, at that time, and there is no other."""
    expected = sorted((int(job[f"{stage}_ns"]), "preempted" if (stage, job["status"]) == ("completed", "preempted") else stage,
                       job["device"], job["ring"], job["seqno"] or "0")
                      for job in jobs for stage in ("queued", "submitted", "started", "completed") if job[f"{stage}_ns"])
    got = []
    for line in babeltrace(output)[0]:
        match = re.match(r"\[(\d+)\.(\d+)\] .*lttng_gpu_device:job_(\w+): .*seqno = (\d+).*device = \"(.*?)\", ring = \"(.*?)\"", line)
        if match:
            got.append((int(match[1] + match[2]), match[3], match[5], match[6], match[4]))
    problems = differences([str(event) for event in sorted(expected)], [str(event) for event in sorted(got)])
    tap.check(f"{name}: an event for each known time of each job", problems if expected else ["no jobs"])


def one_trace(directory):
    """Kernel and user space of one host become one trace; several hosts do not."""
    both = Path(directory) / "both"
    shutil.copytree(golden / "linux-6.12/kernel", both / "kernel")
    shutil.copytree(readers / "ust-every-field/trace", both / "ust")
    metadata = both / "kernel/metadata"
    boots = [re.search(rb'clock \{.*?uuid = "(.*?)"', (both / part / "metadata").read_bytes(), re.DOTALL)[1] for part in ("kernel", "ust")]
    metadata.write_bytes(metadata.read_bytes().replace(b'hostname = "(none)"', b'hostname = "vm"    ').replace(*boots))
    output = compare("kernel and user space", [both], directory, any_losses=True)
    tap.check_that("kernel and user space of a host are one trace",
                   len(list(output.rglob("metadata"))) == 1 and (output / "metadata").exists())
    hosts = [golden / "linux-6.12/kernel", readers / "ust-every-field/trace", readers / "ust-per-process/trace"]
    output = compare("several hosts", hosts, directory, any_losses=True)
    tap.check_that("each host and process has its environment", len(list(output.rglob("metadata"))) == 3)
    boots = [golden / "linux-6.12/kernel", golden / "linux-7.2/kernel"]
    output = compare("two boots of hosts of one name", boots, directory, any_losses=True)
    tap.check_that("each boot has a trace", len(list(output.rglob("metadata"))) == 2)


def ctf2(directory):
    """What babeltrace2 2.1 said of CTF 2 traces is in the reference; 2.0 reads the export of them."""
    for case in sorted(readers.glob("ctf2-*")):
        output = Path(directory) / case.name
        problems = export([case / "trace"], output, (0, 4))
        if not problems:
            # The first pass, every event with all its fields; which events are in the later ones depends on the order of classes.
            expected = lzma.decompress((case / "reference.xz").read_bytes()).decode().splitlines()
            count = len(babeltrace(output)[0]) - len([line for line in babeltrace(output)[0] if is_added(line)])
            for reader in ("own", "babeltrace2"):
                got = subprocess.run([build / "compare-readers", "--dump", reader, output], capture_output=True, text=True,
                                     errors="replace",
                                     timeout=300).stdout.splitlines()
                got = [line for line in got if "lttng_gpu_device:" not in line]
                problems += differences(sorted(expected[:count]), sorted(got[:count]))
            problems += [] if count > 50 else [f"{count} events"]
        tap.check(f"{case.name}: every event and field of CTF 2", problems)


def again(directory):
    output = Path(directory) / "again"
    first = Path(directory) / "first"
    problems = export([golden / "linux-7.2/kernel"], first) + export([first], output)
    tap.check("an export of an export adds nothing", problems or differences(babeltrace(first)[0], babeltrace(output)[0]))


def sessions(directory):
    if why_not():
        tap.check("sessions of user space", skip=why_not())
        return
    for name, trace, expected in record_all(build / "ust-shapes", Path(directory) / "sessions"):
        if expected == "nothing":
            result = run("export", "--to", "ctf", trace, "-o", Path(directory) / "nothing")
            # 3 or 4: LTTng had not written all metadata of a program that came late.
            tap.check_that(f"{name}: ends with an error message", result.returncode in (1, 3, 4) and result.stderr,
                           f"{result.returncode}: {result.stderr}")
        else:
            # A process that ends leaves one discarded event of LTTng's own counting in some of them.
            compare(f"session {name}", [trace], directory, lossy=expected == "losses", any_losses=expected != "losses")


def refuses(name, code, words, *arguments, output=None):
    result = run(*arguments)
    problems = []
    if result.returncode != code or words not in result.stderr:
        problems.append(f"exit code {result.returncode}: {result.stderr}")
    if output is not None:
        problems += leftovers(output.parent)
        problems += [f"{output} is there"] if output.exists() and not any(output.iterdir() if output.is_dir() else [1]) else []
    tap.check(name, problems)


def bad_input(directory):
    trace = golden / "linux-7.2/kernel"
    taken = Path(directory) / "taken"
    taken.mkdir()
    (taken / "file").write_text("mine")
    refuses("a directory that is not empty is not touched", 2, "not empty", "export", "--to", "ctf", trace, "-o", taken)
    tap.check_that("its file is still there", (taken / "file").read_text() == "mine" and len(list(taken.iterdir())) == 1)
    cut = Path(directory) / "cut"
    shutil.copytree(trace, cut)
    (cut / "gpu_0").write_bytes((trace / "gpu_0").read_bytes()[:-100])
    refuses("an existing output is reported before the trace is read", 2, "not empty", "export", "--to", "ctf", cut, "-o", taken)
    refuses("by merge, too", 2, "not empty", "merge", cut, trace, "--align", "gpu_fence_signaled", "-o", taken)
    empty = Path(directory) / "empty"
    empty.mkdir()
    tap.check("an empty directory is used", export([trace], empty) or ([] if (empty / "metadata").exists() else ["nothing in it"]))
    refuses("without -o", 2, "-o", "export", "--to", "ctf", trace)
    refuses("an unknown format names the known ones", 2, "ctf", "export", "--to", "vcd", trace, "-o", taken / "x")
    refuses("no trace", 3, "no CTF trace", "export", "--to", "ctf", taken, "-o", taken / "x", output=taken / "x")
    refuses("a parent directory that does not exist", 2, "cannot write", "export", "--to", "ctf", trace, "-o", taken / "no" / "x")
    for name, file, change, codes in (
            ("a cut packet", "gpu_0", lambda data: data[:len(data) // 2 + 1], (3, 4)),
            ("a changed byte in a packet's header", "gpu_1", lambda data: b"\0" + data[1:], (3, 4)),
            ("metadata without its end", "metadata", lambda data: data[:len(data) // 2], (3, 4))):
        copy = Path(directory) / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(trace, copy)
        (copy / file).write_bytes(change((trace / file).read_bytes()))
        output = Path(directory) / "damaged-out"
        result = run("export", "--to", "ctf", copy, "-o", output)
        tap.check(f"{name}: exit code 3 or 4, one line, no output left",
                  [f"{result.returncode}: {result.stderr}"] * (result.returncode not in codes or result.stderr.count("\n") != 1)
                  + leftovers(output.parent) + ["output is there"] * output.exists())
    rows_csv = run("export", "--to", "csv", trace).stdout
    tap.check_that("csv is what jobs writes", rows_csv == run("jobs", "--format", "csv", trace).stdout and rows_csv.count("\n") > 10)


def interrupted(directory):
    """Ctrl-C in the middle leaves nothing and ends the process as the signal does."""
    trace = Path(directory) / "long"
    subprocess.run([build / "make-trace", trace, "400000"], check=True, stdout=subprocess.DEVNULL)
    output = Path(directory) / "interrupted"
    process = subprocess.Popen([lttng_gpu, "export", "--to", "ctf", trace, "-o", output], stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if any(".partial-" in path.name for path in Path(directory).iterdir()) or process.poll() is not None:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    tap.check("an interrupted export leaves nothing", [f"ended with {process.returncode}"] * (process.returncode != -signal.SIGINT)
              + leftovers(Path(directory)) + ["output is there"] * output.exists())


def interrupted_early(directory):
    """While the trace is read for the first time there are translated ones already."""
    trace = Path(directory) / "long"
    subprocess.run([build / "make-trace", trace, "400000"], check=True, stdout=subprocess.DEVNULL)
    scratch = Path(directory) / "scratch"
    scratch.mkdir()
    small = sorted(readers.glob("ctf2-*"))[0] / "trace"
    for name, command in (("export", ["export", "--to", "ctf"]), ("merge", ["merge", "--align", "gpu_fence_signaled"])):
        output = Path(directory) / name
        process = subprocess.Popen([lttng_gpu, *command, trace, small, "-o", output], stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": str(scratch)})
        while process.poll() is None and not list(scratch.iterdir()):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        tap.check(f"an interrupted {name} leaves no translated trace",
                  [f"ended with {process.returncode}"] * (process.returncode != -signal.SIGINT)
                  + [f"left over: {path}" for path in scratch.iterdir()] + leftovers(Path(directory)) +
                  ["output is there"] * output.exists())


def shifted(line, nanoseconds):
    match = re.match(r"\[(\d+)\.(\d+)\](.*)", line)
    moment = int(match[1] + match[2]) + nanoseconds
    return f"[{moment // 10**9}.{moment % 10**9:09}]{match[3]}"


def merges(directory):
    """Two runs, the second moved by the shift that was said; each event tells its run."""
    runs = [golden / "linux-7.2/kernel", golden / "linux-6.12/kernel"]
    output = Path(directory) / "merged"
    event = "gpu_fence_signaled"
    result = run("merge", *runs, "--align", event, "-o", output)
    tap.check_that("merge by an event", result.returncode == 0 and "commands not compared" in result.stderr,
                   f"{result.returncode}: {result.stderr}")
    first = [min(line for line in babeltrace(trace)[0] if f" {event}:" in line) for trace in runs]
    moments = [int(re.sub(r"\[(\d+)\.(\d+)\].*", r"\1\2", line)) for line in first]
    shift = moments[0] - moments[1]
    expected = []
    for number, trace in enumerate(runs, 1):
        lines = [re.sub(r"\{ cpu_id = (\d+) \}", rf"{{ cpu_id = \1, run = {number} }}", line) for line in babeltrace(trace)[0]]
        expected += [shifted(line, shift) for line in lines] if number == 2 else lines
    tap.check("merge: each event at its time, with its run", differences(sorted(expected), babeltrace(output)[0]))
    environments = [metadata.read_text(errors="replace") for metadata in output.rglob("metadata")]
    tap.check_that("merge: a trace for each boot", len(environments) == 2, f"{len(environments)}")
    shifted_runs = [text for text in environments if f'run2_shift_ns = "{shift}"' in text]
    tap.check_that("merge: the environment has the shift", len(shifted_runs) == 2, f"{environments}"[:3000])
    refuses("merge without an event in common", 2, "--align", "merge", *runs, "-o", output.parent / "no", output=output.parent / "no")
    refuses("merge by an event that does not exist", 2, "no event", "merge", *runs, "--align", "nothing", "-o", output.parent / "no",
            output=output.parent / "no")
    refuses("merge of one run", 2, "", "merge", runs[0], "-o", output.parent / "no", output=output.parent / "no")


def record_opencl(trace, *arguments):
    """A run of opencl-rounds under the layer, and of no other program; returns how many commands it says it had."""
    environment = {**os.environ, **application_environment, "OPENCL_LAYERS": str(build / "liblttng-gpu-opencl.so")}
    command = ["sh", "-c", 'read go; exec "$@"', "sh", build / "tests/opencl-rounds", *arguments]
    with session("export-opencl", trace, channel=["--subbuf-size=1M", "--num-subbuf=4", "--blocking-timeout=inf"],
                 events="no_such_provider:*", contexts=["vpid", "vtid", "procname"]) as name:
        with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            lttng("track", "--userspace", "--session", name, "--vpid", program.pid)
            lttng("enable-event", "--userspace", "--session", name, "--channel", "channel0", "lttng_gpu_opencl:*")
            output, _ = program.communicate("go\n", timeout=120)
        if program.returncode:
            raise subprocess.CalledProcessError(program.returncode, command)
    return int(output)


def why_no_opencl():
    for program in ("liblttng-gpu-opencl.so", "tests/opencl-rounds"):
        if not (build / program).exists():
            return f"{program} was not built"
    if subprocess.run([build / "tests/opencl-rounds", "1"], capture_output=True, timeout=120).returncode:
        return "no OpenCL device"
    return why_not()


def fields_of(line):
    return dict(re.findall(r"(\w+) = (?:\( )?(\"[^\"]*\"|-?\w+)", line))


def list_of(line, name):
    return re.findall(r"\[\d+\] = (\d+)", re.search(rf"\b{name} = \[(.*?) \]", line)[1])


def check_commands(trace, output, commands):
    """Four events for each command that reported valid times: inside the bounds that its call and its report set, as far
    apart as on the device's clock within twice the stated error, and the times that `lttng-gpu jobs` has."""
    metadata = (output / "metadata").read_text(errors="replace")
    offset = int(re.search(r"offset_s = (\d+);", metadata)[1]) * 10**9 + int(re.search(r"\toffset = (\d+);", metadata)[1])
    begins, reports, mapped = {}, {}, {}
    for line in babeltrace(output)[0]:
        name = re.search(r" lttng_gpu_(\w+:\w+): ", line)
        fields = fields_of(line)
        if name and name[1] in ("opencl:kernel_enqueue", "opencl:transfer_enqueue", "opencl:command_enqueue"):
            begins[fields["command"]] = int(fields["begin_ns"]) + offset
        elif name and name[1] == "opencl:command_times" and fields["validity"] == '"valid"':
            for command, start, end in zip(*(list_of(line, field) for field in ("command", "start", "end"))):
                reports[command] = {"start": start, "end": end, "observed_ns": fields["observed_ns"]}
        elif name and name[1].startswith("device:command_"):
            time_ns = int(re.sub(r"\[(\d+)\.(\d+)\].*", r"\1\2", line))
            mapped.setdefault(fields["command"], {})[name[1].removeprefix("device:command_")] = time_ns
            mapped[fields["command"]]["error"] = int(fields["error_ns"])
            mapped[fields["command"]]["kernel"] = fields["kernel"]
    problems = [f"{len(reports)} reports, {len(mapped)} commands mapped, {commands} made"] * (not len(reports) == len(mapped) == commands)
    for number, times in mapped.items():
        report = reports[number]
        if set(times) != {"queued", "submit", "start", "end", "error", "kernel"}:
            problems.append(f"command {number}: {times}")
            continue
        if not begins[number] <= times["queued"] <= times["submit"] <= times["start"] <= times["end"] <= int(report["observed_ns"]) + offset:
            problems.append(f"command {number} outside of its bounds: {begins[number]} {times} {report}")
        apart = (times["end"] - times["start"]) - (int(report["end"]) - int(report["start"]))
        if abs(apart) > 2 * times["error"]:
            problems.append(f"command {number}: execution {apart} ns off, error {times['error']}")
    tap.check("OpenCL: each command's device times inside their bounds", problems)
    jobs = {row["seqno"]: tuple(int(row[f"{stage}_ns"]) for stage in ("queued", "submitted", "started", "completed"))
            for row in rows(trace)[0] if row["driver"] == "opencl"}
    tap.check("OpenCL: the same times as lttng-gpu jobs",
              [f"command {number}: {jobs.get(number)} and {times}" for number, times in mapped.items()
              if jobs.get(number) != tuple(times[stage] for stage in ("queued", "submit", "start", "end"))])
    kernels = sorted({times["kernel"] for times in mapped.values()})
    tap.check_that("OpenCL: kernels by name", kernels == ['""', '"scale"', '"shift"'], str(kernels))


def opencl(directory):
    if why_no_opencl():
        tap.check("OpenCL traces", skip=why_no_opencl())
        return
    first, second, other = (directory / name for name in ("first", "second", "other"))
    with daemon():
        commands = record_opencl(first, "200")
        record_opencl(second, "200")
        record_opencl(other, "260", "other")
    output = compare("OpenCL", [first], directory, any_losses=True)
    check_commands(first, output, commands)
    again, _ = rows(output)
    tap.check_that("OpenCL: the same jobs from the output", again == rows(first)[0] and len(again) == commands, f"{len(again)} jobs")
    result = run("merge", first, second, "-o", directory / "alike")
    alike = f"{commands} of its {commands} commands matched with run 1's {commands}, 0 left unmatched"
    tap.check_that("merge of two runs: all commands matched", alike in result.stderr, f"{result.returncode}: {result.stderr}")
    enqueues = [line for line in babeltrace(directory / "alike")[0] if re.search(r"opencl:(kernel|transfer|command)_enqueue:", line)]
    starts = [next(line for line in enqueues if f"run = {number} " in line)[:22] for number in (1, 2)]
    tap.check_that("merge of two runs: the first commands coincide", starts[0] == starts[1] and len(enqueues) == 2 * commands,
                   f"{starts} {len(enqueues)}")
    result = run("merge", first, other, "-o", directory / "different")
    tap.check_that("merge of different runs: a warning with counts, exit code 4",
                   result.returncode == 4 and "warning: run 2" in result.stderr
                   and "kernel invert: 0 and 260 times" in result.stderr and "left unmatched" in result.stderr,
                   f"{result.returncode}: {result.stderr}")
    tap.check("merge of exports: device events of both runs", merge_of_exports(first, second, directory))


def merge_of_exports(first, second, directory):
    exports = [directory / "OpenCL-out", directory / "second-out"]
    problems = export([second], exports[1], (0, 4))
    result = run("merge", *exports, "-o", directory / "exports")
    lines = [line for line in babeltrace(directory / "exports")[0] if "lttng_gpu_device:command_end" in line]
    counts = [len([line for line in lines if f"run = {number} " in line]) for number in (1, 2)]
    return problems + [f"{counts}: {result.stderr}"] * (counts[0] != 800 or counts[1] != 800)


def main():
    with tempfile.TemporaryDirectory() as directory:
        for test in (golden_traces, one_trace, ctf2, again, bad_input, interrupted, interrupted_early, merges, opencl, sessions):
            folder = Path(directory) / test.__name__
            folder.mkdir()
            test(folder)
    return tap.finish()


sys.exit(main())
