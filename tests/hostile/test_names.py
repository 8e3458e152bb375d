#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_names.py LTTNG_GPU: a thread may call itself anything, and damaged packets hold any bytes. In copies of recordings every
name in every event gets an escape and a byte that is no UTF-8; no output may have them. Prints TAP."""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve()
tap = Tap()
bad_bytes = b"\xff\x1b"
ctf_name = re.compile(rb"[A-Za-z_][A-Za-z0-9_:./ -]{2,60}(?=\x00)")
text_value = re.compile(rb"(?<==)[A-Za-z_][A-Za-z0-9_:.-]+")
text_comm = re.compile(rb"^( *)[A-Za-z<][A-Za-z0-9_.:/]*(?=[^\n]*-\d+ )", re.MULTILINE)
control = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


def spoiled_trace(trace, folder):
    shutil.copytree(trace, folder)
    streams = [path for path in folder.rglob("*") if path.is_file() and path.name != "metadata" and path.parent.name != "index"]
    for path in streams:
        path.write_bytes(ctf_name.sub(lambda name: bad_bytes + name[0][2:], path.read_bytes()))
    return any(bad_bytes in path.read_bytes() for path in streams)


def spoiled_text(text, file):
    spoiled = text_value.sub(lambda name: bad_bytes + name[0][2:], text.read_bytes())
    file.write_bytes(text_comm.sub(lambda name: name[1] + bad_bytes + b"xy", spoiled))
    return bad_bytes in file.read_bytes()


def problem(output):
    """What is wrong with it, with its place."""
    try:
        output.decode()
    except UnicodeDecodeError as error:
        return f"no UTF-8: {output[max(0, error.start - 60):error.start + 20]}"
    found = control.search(output)
    return f"control character: {output[max(0, found.start() - 60):found.start() + 20]}" if found else None


def problems_of(trace, folder):
    commands = [[command, "--format", form] for command in ("report", "jobs", "diagnose", "frames") for form in ("text", "csv", "json")]
    commands += [["report", "--reasons"], ["report", "--html", folder / "page.html"]]
    commands += [["export", "--to", form, "-o", folder / f"exported.{form}"] for form in ("csv", "json", "chrome")]
    problems = []
    for command in commands:
        run = subprocess.run([str(word) for word in (lttng_gpu, *command, trace)], capture_output=True, check=False)
        outputs = {"output": run.stdout,
                   "messages": run.stderr} | {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        for path in folder.iterdir():
            path.unlink()
        problems += [f"{command[:3]}: {name}: {problem(output)}" for name, output in outputs.items() if problem(output)]
        if run.returncode not in (0, 1, 2, 3, 4):
            problems.append(f"{command[:3]}: exit code {run.returncode}: {run.stderr[-300:]}")
    return problems


with tempfile.TemporaryDirectory() as folder:
    folder, out = Path(folder), Path(folder) / "out"
    out.mkdir()
    for trace in ("linux-6.12", "linux-7.2", "linux-7.2-venus"):
        is_spoiled = spoiled_trace(top / "tests/golden" / trace, folder / trace)
        tap.check(f"{trace}: no byte of a name is printed as it is",
                  problems_of(folder / trace, out) + ([] if is_spoiled else ["it has no names"]))
    texts = sorted((top / "tests/field").glob("*.txt"))
    spoiled = [text for text in texts if spoiled_text(text, folder / text.name)]
    tap.check("texts of others: no byte of a name is printed as it is",
              [f"{text.name}: {line}" for text in spoiled for line in problems_of(folder / text.name, out)] +
              ([] if len(spoiled) > 10 else [f"only {len(spoiled)} have names"]))
sys.exit(tap.finish())
