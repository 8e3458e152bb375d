#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_outputs.py LTTNG_GPU BUILD: no command overwrites what was recorded, whatever the output is called; a run that fails or is
interrupted leaves what was there; pipes, descriptors and devices are written as they are. Prints TAP."""
import hashlib
import os
import pty
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

lttng_gpu = os.path.abspath(sys.argv[1])
build = Path(sys.argv[2]).absolute()
golden = Path(__file__).resolve().parents[1] / "golden"
tap = Tap()
has_page = not subprocess.run([lttng_gpu, "report", "--html", "/dev/null", golden / "linux-7.2"], capture_output=True, text=True).returncode
has_parquet = "built without libparquet" not in subprocess.run([lttng_gpu, "export", "--help"], capture_output=True, text=True).stdout
# Of each command with an output: its words, and the option that names it.
commands = [(["report"], "-o"), (["report", "--format", "json"], "-o"), (["jobs"], "-o"), (["diagnose"], "-o"), (["frames"], "-o"),
            (["device"], "-o"),
            *([(["report"], "--html")] if has_page else []),
            *((["export", "--to", kind], "-o")
              for kind in ("csv", "json", "sqlite", "perfetto", "chrome", *(["parquet"] if has_parquet else [])))]
of_folders = [(["export", "--to", "ctf"], "-o"), (["merge"], "-o")]


def run(*words, **options):
    return subprocess.run([lttng_gpu, *map(str, words)],
                          **{"capture_output": True, "text": True, "errors": "replace", "timeout": 120, **options})


class Place:
    """A folder with recordings of every form; what is in it is watched."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="lttng-gpu-outputs-")
        self.path = Path(self.directory.name)
        self.fill()

    def fill(self):
        """As in the beginning."""
        for old in self.path.iterdir():
            shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
        shutil.copytree(golden / "linux-7.2", self.path / "ctf")
        shutil.copytree(golden / "linux-6.12", self.path / "other")
        for name, source in (("v7.dat", "linux-6.12-ftrace/v7.dat"), ("v6.dat", "linux-6.12-ftrace/v6.dat"),
                             ("text.txt", "linux-6.12-ftrace/trace.txt"),
                             ("dense.perfetto", "linux-7.2-perfetto/dense.perfetto-trace"),
                             ("packed.perfetto", "linux-7.2-perfetto/packed.perfetto-trace")):
            shutil.copy(golden / source, self.path / name)
        for file in self.path.rglob("*"):
            if file.is_file():
                file.chmod(0o644)
        self.before = self.state()

    def state(self):
        return {str(file.relative_to(self.path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in self.path.rglob("*")
                if file.is_file()}

    def changes(self):
        now = self.state()
        return [name for name in sorted(self.before | now) if self.before.get(name) != now.get(name)]


def refused(words, place, *arguments, text="", **options):
    """The problems, if it is not refused or anything changes."""
    result = run(*arguments, **options)
    problems = [f"{words}: changed {name}" for name in place.changes()]
    if result.returncode != 2 or not result.stderr.startswith("lttng-gpu: ") or "cannot write" not in result.stderr or text not in result.stderr:
        problems.append(f"{words}: exit code {result.returncode}, {result.stderr}")
    if problems:
        place.fill()
    return problems


def forms(place, file):
    """Names of one file, each made when it is asked for."""
    links = place.path / "links"
    for words, output, make in (("the same name", file, None), ("./", f"./{os.path.relpath(file, place.path)}", None),
                                ("..", f"{file.parent}/../{file.parent.name}/{file.name}", None),
                                ("symbolic link", links / "soft", lambda link: link.symlink_to(file)),
                                ("hard link", links / "hard", lambda link: os.link(file, link)),
                                ("folder's link", links / "folder" / file.name, lambda _: (links / "folder").symlink_to(file.parent))):
        if links.exists():
            shutil.rmtree(links)
        links.mkdir()
        if make:
            make(output)
        place.before = place.state()
        yield words, output


def inputs_are_kept():
    for command, option in commands:
        place = Place()
        problems = []
        for name in ("v7.dat", "dense.perfetto", "text.txt"):
            for words, output in forms(place, place.path / name):
                problems += refused(f"{name}, {words}", place, *command, place.path / name, option, output, text="it is an input",
                                    cwd=place.path)
        name = place.path / "v7.dat"
        problems += refused("second input", place, *command, place.path / "v6.dat", name, option, name, text="it is an input")
        with open(name) as stream:
            problems += refused("by /dev/stdin", place, *command, "/dev/stdin", option, name, text="it is an input", stdin=stream)
        tap.check(f"{' '.join(command)} {option}: a file that is read is not written", problems)


def traces_are_kept():
    for command, option in commands:
        place = Place()
        trace = place.path / "ctf"
        problems = []
        for name in ("kernel/metadata", "kernel/gpu_0"):
            for words, output in forms(place, trace / name):
                problems += refused(f"{name}, {words}", place, *command, trace, option, output, cwd=place.path)
        (place.path / "link").symlink_to(trace / "kernel")
        for output in (trace / "new-file", trace / "kernel/new-file", trace / "kernel/new/file", place.path / "link/new-file", trace):
            problems += refused(f"in an input: {output}", place, *command, trace, option, output, text="input of this command")
        problems += refused("in the folder that is read", place, *command, ".", option, "new-file", text="input of this command", cwd=trace)
        problems += refused("in the trace that is read", place, *command, trace / "kernel", option, trace / "kernel/gpu_1")
        tap.check(f"{' '.join(command)} {option}: a trace that is read is not written to", problems)
    for command, option in of_folders:
        place = Place()
        inputs = [place.path / "ctf", *([place.path / "other"] if command == ["merge"] else [])]
        (place.path / "link").symlink_to(place.path / "ctf")
        problems = []
        for output in (place.path / "ctf", place.path / "ctf/new", place.path / "ctf/kernel", place.path / "ctf/kernel/new",
                       place.path / "link/new", place.path, "."):
            problems += refused(f"{output}", place, *command, *inputs, option, output, text="input", cwd=place.path)
        tap.check(f"{' '.join(command)} {option}: no folder of, in or around the input is written", problems)


def other_recordings_are_kept():
    for command, option in commands:
        place = Place()
        problems = []
        for name, kind in (("v7.dat", "trace-cmd"), ("dense.perfetto", "Perfetto"), ("packed.perfetto", "Perfetto"), ("text.txt", "ftrace"),
                           ("other/kernel/metadata", "trace"),
                           ("other/kernel/gpu_0", "trace"), ("other/kernel/new-file", "trace")):
            problems += refused(name, place, *command, place.path / "ctf", option, place.path / name, text=kind)
        tap.check(f"{' '.join(command)} {option}: another recording is not overwritten", problems)
    place = Place()
    problems = [problem for name in ("v7.dat", "other/kernel/gpu_0") for problem in
                refused(name, place, "doctor", "-o", place.path / name) +
                refused(name, place, "record", "--report", place.path / name, "--", "true")]
    tap.check("doctor -o, record --report: a recording is not overwritten", problems)
    plugin = ["babeltrace2", f"--plugin-path={build}", "--component=sink.gpu.report"]
    for name in ("ctf/kernel/metadata", "ctf/kernel/gpu_0", "ctf/kernel/new-file", "v7.dat"):
        result = subprocess.run([*plugin, f'--params=output="{place.path / name}"', place.path / "ctf"], capture_output=True, text=True,
                                timeout=120)
        tap.check(f"the plugin's output: {name} is not written",
                  place.changes() + ([] if result.returncode and "cannot write" in result.stderr else [result.stderr]))


def pages():
    place = Place()
    file = place.path / "page"
    problems = []
    for text in ("int main() {}\n", "\0", "<!-- no page -->", '{"html": 1}'):
        file.write_text(text)
        place.before = place.state()
        problems += refused(repr(text), place, "report", place.path / "ctf", "--html", file, text="not an HTML page")
        file = place.path / "page"
    for text in ("", "<!DOCTYPE html>\n<title>old</title>", "\n<HTML lang=en>"):
        file.write_text(text)
        result = run("report", place.path / "ctf", "--html", file)
        problems += [] if result.returncode == 0 and file.stat().st_size > 10000 else [f"{text!r} is not replaced: {result.stderr}"]
    tap.check("--html replaces HTML and nothing else", problems, skip="" if has_page else "built without the page") if has_page else None


def outputs_are_whole():
    """Earlier outputs: of a run that fails, that is killed, and that ends well."""
    for command, option in commands:
        place = Place()
        earlier = "<html>earlier" if option == "--html" else "earlier"
        file = place.path / "file"
        file.write_text(earlier)
        file.chmod(0o640)
        place.before = place.state()
        problems = []

        def kept(words, result):
            problems.extend([f"{words}: {result.stderr}"] * (result.returncode == 0) +
                            [f"{words}: changed {name}" for name in place.changes()])

        kept("unreadable", run(*command, place.path / "nothing", option, file))
        (place.path / "empty").mkdir()
        kept("no trace", run(*command, place.path / "empty", option, file))

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        if command != ["device"] and command != ["frames"]:
            kept("full disk", run(*command, place.path / "ctf", option, file, preexec_fn=small_files))
        result = run(*command, place.path / "ctf", option, file)
        is_new = file.read_bytes() != earlier.encode()
        if result.returncode not in (0, 1) or not is_new or file.stat().st_mode & 0o777 != 0o640:
            problems.append(f"well: {result.returncode}, new: {is_new}, mode {file.stat().st_mode:o}: {result.stderr}")
        result = run(*command, place.path / "ctf", option, file)
        problems += [] if result.returncode in (0, 1) else [f"over its own output: {result.stderr}"]
        link, target = place.path / "to", place.path / "linked"
        target.write_text(earlier)
        link.symlink_to("linked")
        run(*command, place.path / "ctf", option, link)
        problems += [] if link.is_symlink() and target.read_bytes() == file.read_bytes() else ["a link is replaced, or its file not written"]
        problems += [f"left over: {name}" for name in place.state() if "partial" in name]
        tap.check(f"{' '.join(command)} {option}: a file is whole, or what was there stays", problems)


def killed():
    """A reader of a pipe that nobody writes waits as long as the test wants."""
    place = Place()
    many = [place.path / "ctf"] * 1
    file = place.path / "file"
    problems = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        for command in (["jobs"], ["report", "--format", "json"], ["export", "--to", "csv"], ["export", "--to", "perfetto"]):
            run(*command, *many, "-o", file)
            whole = file.read_bytes()
            file.write_text("earlier")
            # Stopped by the tracer at no chosen point: where it is when the signal comes does not matter.
            process = subprocess.Popen([lttng_gpu, *command, *many, "-o", file], stderr=subprocess.DEVNULL)
            time.sleep(0.002)
            process.send_signal(number)
            code = process.wait()
            # The signal may come when all is written.
            if code not in (0, -number) or file.read_bytes() not in (b"earlier", whole):
                problems.append(f"{command}, {number}: ended with {code}, {file.read_bytes()[:40]!r}")
            if number != signal.SIGKILL:
                problems += [f"{command}, {number}: left over {name}" for name in place.state() if "partial" in name]
    tap.check("a run that is interrupted leaves what was there, or has written all", problems)


def streams():
    place = Place()
    plain = run("jobs", place.path / "ctf").stdout
    problems = []
    for output in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        got = run("jobs", place.path / "ctf", "-o", output).stdout
        problems += [] if got == plain else [f"{output}, a pipe"]
        file = place.path / "into"
        with open(file, "w") as stream:
            stream.write("before\n")
            stream.flush()
            run("jobs", place.path / "ctf", "-o", output, capture_output=False, stdout=stream, stderr=subprocess.PIPE)
        problems += [] if file.read_text() == "before\n" + plain else [f"{output}, a file"]
        file.unlink()
    fifo = place.path / "fifo"
    os.mkfifo(fifo)
    reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE, text=True)
    run("jobs", place.path / "ctf", "-o", fifo)
    problems += [] if reader.communicate(timeout=60)[0] == plain and fifo.is_fifo() else ["a named pipe"]
    problems += [] if run("jobs", place.path / "ctf", "-o",
                          "/dev/null").returncode == 0 and Path("/dev/null").is_char_device() else ["/dev/null"]
    problems += place.changes()
    tap.check("descriptors, pipes and devices are written as they are", problems)
    problems = []
    for name in ("v7.dat", "ctf/kernel/gpu_0"):
        with open(place.path / name, "a") as stream:
            problems += refused(f">> {name}", place, "jobs", place.path / name.split("/")[0], text="standard output: it is an input",
                                capture_output=False, stdout=stream,
                                stderr=subprocess.PIPE)
    tap.check("standard output that is an input is not written", problems)


def on_terminal(*words):
    """Exit code and what the terminal shows."""
    leader, terminal = pty.openpty()
    process = subprocess.Popen([lttng_gpu, *map(str, words)], stdout=terminal, stderr=subprocess.PIPE)
    os.close(terminal)
    shown = b""
    while select.select([leader], [], [], 60)[0]:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    errors = process.stderr.read().decode()
    os.close(leader)
    return process.wait(), shown, errors


def terminals():
    problems = []
    for kind in ("perfetto", "sqlite", *(["parquet"] if has_parquet else [])):
        code, shown, errors = on_terminal("export", "--to", kind, golden / "linux-7.2")
        problems += [] if code == 2 and shown == b"" and "-o" in errors else [f"{kind}: {code}, {len(shown)} bytes, {errors}"]
    for words in (["export", "--to", "chrome"], ["export", "--to", "csv"], ["jobs"]):
        code, shown, errors = on_terminal(*words, golden / "linux-7.2")
        problems += [] if code == 0 and shown else [f"{words}: {code}, {errors}"]
    tap.check("binary forms keep away from terminals, texts do not", problems)


for test in (inputs_are_kept, traces_are_kept, other_recordings_are_kept, pages, outputs_are_whole, killed, streams, terminals):
    test()
sys.exit(tap.finish())
