#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_browser.py LTTNG_GPU: `view` opens the browser without showing the page's secret to other users, as the user who called sudo, and
leaves nothing behind. xdg-open is a fake that notes how it was called. Prints TAP."""
import os
import pwd
import re
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
trace = Path(__file__).resolve().parents[1] / "golden/linux-7.2"
tap = Tap()
fake = '#!/bin/sh\n{ id -u; echo "$1"; stat -c %a:%u "$1" "$(dirname "$1")"; cat "$1"; } >"$FAKE_NOTES.new"\nmv "$FAKE_NOTES.new" "$FAKE_NOTES"\nexec sleep 30\n'


def view(folder, **environment):
    """What xdg-open was given, the page's address, and how long the end took."""
    notes = folder / "notes"
    notes.unlink(missing_ok=True)
    process = subprocess.Popen([lttng_gpu, "view", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "FAKE_NOTES": str(notes)} | environment)
    address = process.stdout.readline().strip()
    end = time.monotonic() + 20
    while not notes.exists() and address and time.monotonic() < end:
        time.sleep(0.02)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    return (notes.read_text() if notes.exists() else errors).splitlines(), address, time.monotonic() - begin


def check(words, folder, user, where, **environment):
    notes, address, took = view(folder, **environment)
    secret = address.rstrip("/").rpartition("/")[2]
    problems = [] if len(secret) >= 32 else [f"no secret in {address}"]
    if len(notes) < 5:
        problems.append(notes)
    else:
        as_user, argument, file, parent, *page = notes
        problems += ["the secret is an argument"] * (secret in argument)
        problems += [] if as_user == str(user) and file == f"600:{user}" and parent == f"700:{user}" else [notes[:4]]
        problems += [] if re.match(where, argument) else [f"it is in {argument}"]
        problems += [] if f"url={address}" in "".join(page) else ["it does not lead to the page", *page]
        problems += ["the file stays"] * Path(argument).exists()
        problems += ["its folder stays"] * (where == "/tmp/lttng-gpu-" and Path(argument).parent.exists())
    problems += [f"the end waited for the browser: {took:.1f} s"] * (took > 10)
    tap.check(words, problems)


help_text = subprocess.run([lttng_gpu, "view", "--no-browser", trace / "nothing"], capture_output=True, text=True).stderr
if "built without" in help_text:
    tap.check("view", [], skip="built without the page or its server")
    sys.exit(tap.finish())
with tempfile.TemporaryDirectory(prefix="lttng-gpu-browser-") as name:
    folder = Path(name)
    folder.chmod(0o777)
    (folder / "xdg-open").write_text(fake)
    (folder / "xdg-open").chmod(0o755)
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    me = os.getuid()
    nobody = pwd.getpwnam("nobody").pw_uid
    check("the secret is in a file of the user's", folder, me, re.escape(str(runtime)), XDG_RUNTIME_DIR=str(runtime), SUDO_UID="")
    runtime.chmod(0o755)
    check("a folder that others can look into is not taken", folder, me, "/tmp/lttng-gpu-", XDG_RUNTIME_DIR=str(runtime), SUDO_UID="")
    check("without a folder of the session", folder, me, "/tmp/lttng-gpu-", XDG_RUNTIME_DIR="", SUDO_UID="")
    if me == 0:
        check("under sudo it is the caller's browser", folder, nobody, "/tmp/lttng-gpu-", SUDO_UID=str(nobody))
sys.exit(tap.finish())
