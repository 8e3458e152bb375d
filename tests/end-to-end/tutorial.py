#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tutorial.py LTTNG_GPU: docs/tutorial.md must work as it is written. Each command of a line "$ ..." is run on the golden traces, and
its output must be what the document shows, line by line; a line "[...]" stands for lines that are left out. Commands of lines "# ..." need
root or show the user's machine: only their options are looked up in --help, and make's targets in the Makefile. Prints TAP."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from tap import Tap

LEFT_OUT = "[...]"
# Does what the program sqlite3 does with its output in a pipe, where that program is not installed.
SQLITE3 = """#!/usr/bin/env python3
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print("|".join("" if value is None else str(value) for value in row))
"""


def commands_in(text):
    """Prompt, command and shown output of each command, in the document's order."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        lines = iter(block.splitlines())
        for line in lines:
            if line.startswith(("$ ", "# ")):
                command = line[2:]
                while command.endswith("\\"):
                    command += "\n" + next(lines)
                found.append((line[0], command, []))
            else:
                found[-1][2].append(line)
    # Between commands a block may have empty lines.
    return [(prompt, command, "\n".join(shown).rstrip().splitlines()) for prompt, command, shown in found]


def differences(shown, printed):
    """The first piece between marks of lines left out begins the output, the last one ends it, those between come in order."""
    if LEFT_OUT not in shown:
        return [] if shown == printed else ["shown:", *shown, "printed:", *printed]
    pieces = [piece.strip("\n").splitlines() for piece in re.split(rf"^{re.escape(LEFT_OUT)}$", "\n".join(shown), flags=re.MULTILINE)]
    begin = 0
    for number, piece in enumerate(pieces):
        if number == 0:
            places = [0]
        elif number == len(pieces) - 1:
            places = [len(printed) - len(piece)]
        else:
            places = range(begin, len(printed) - len(piece) + 1)
        place = next((place for place in places if place >= begin and printed[place:place + len(piece)] == piece), None)
        if place is None:
            return ["not printed, or not there:", *piece, "printed:", *printed]
        begin = place + len(piece)
    return []


def unknown_words(command):
    """Options and targets of a command that is not run here which do not exist."""
    # The command that is recorded comes after "--", and a shell's comment after "#".
    words = shlex.split(command.split(" -- ")[0], comments=True)
    if words[0] == "make":
        makefile = (top / "Makefile").read_text()
        return [word for word in words[1:] if not re.search(rf"^{re.escape(word)}:", makefile, re.MULTILINE)]
    if words[0] != "lttng-gpu":
        return [f"{words[0]}: such a command is not checked"]
    made = subprocess.run([lttng_gpu, words[1], "--help"], capture_output=True, text=True, timeout=300)
    if made.returncode:
        return [made.stderr]
    there = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", made.stdout)
    return [word for word in words[2:] if word.startswith("-") and word.split("=")[0] not in there]


def run(command, folder):
    environment = os.environ | {"LC_ALL": "C.UTF-8", "COLUMNS": "100", "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder / "tree", env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=600)


lttng_gpu = Path(sys.argv[1]).resolve()
document = (top / "docs/tutorial.md").read_text()
tap = Tap()
commands = commands_in(document)
with tempfile.TemporaryDirectory() as name:
    # What the commands write does not go into the source tree.
    folder = Path(name)
    (folder / "bin").mkdir()
    (folder / "tree").mkdir()
    (folder / "tree/tests").symlink_to(top / "tests")
    (folder / "bin/lttng-gpu").symlink_to(lttng_gpu)
    if not shutil.which("sqlite3"):
        (folder / "bin/sqlite3").write_text(SQLITE3)
        (folder / "bin/sqlite3").chmod(0o755)
    for prompt, command, shown in commands:
        words = " ".join(command.replace("\\\n", " ").replace("#", "").split())
        if prompt == "#":
            tap.check(f"options are there: {words}", unknown_words(command))
            continue
        made = run(command, folder)
        tap.check(f"as shown: {words}",
                  differences(shown, made.stdout.splitlines()) + ([f"exit code {made.returncode}"] if made.returncode else []))
        for file in re.findall(r"(?:-o|--html) (\S+)", command):
            written = folder / "tree" / file
            tap.check_that(f"{file} is written", written.exists() and written.stat().st_size)
names = {shlex.split(command)[1] for _, command, _ in commands if command.startswith("lttng-gpu ")}
wanted = {"report", "jobs", "diagnose", "export", "doctor", "record", "frames", "view"}
tap.check("the tutorial uses each of the commands that it is about", sorted(wanted - names))
tap.check("no block of commands is without the mark", re.findall(r"^```(?!console$|$).*", document, re.MULTILINE))
sys.exit(tap.finish())
