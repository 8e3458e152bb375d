#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_commands.py LTTNG_GPU BUILD [GROUP...]: root records a command of another user who wants to become root, or to harm others: it
renames the folder, plants links for every file that record writes, swaps a parent for a foreign tree, forges the buffers. Root's files and
foreign trees stay as they are, and the recording is whole, or it is told what is not. For root only. Prints TAP."""
import os
import resource
import shutil
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from recorder import events, is_root, nobody
from suite import lttng_gpu, place, run, said, tap, work

stranger = 12345  # a user of no name
# Only root can reach it.
ours = Path(tempfile.mkdtemp(prefix="lttng-gpu-hostile-test-"))
secret = ours / "secret"
words = "of root alone\n"
inode = 0  # a file that takes the secret's place is not root's own
forger = Path(__file__).with_name("forge_buffers.py")
sudo = {"SUDO_UID": str(nobody), "SUDO_GID": str(nobody)}


def reset():
    """The secret, a tree of root's that looks like a recording, and the user's folder without anything in it."""
    for path in ours.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    secret.write_text(words)
    secret.chmod(0o600)
    global inode
    inode = secret.stat().st_ino
    tree = ours / "tree/a/ust/uid" / str(nobody) / "64-bit"
    tree.mkdir(parents=True)
    (tree / "metadata").write_text("/* CTF 1.8 */\n")
    (ours / "empty").mkdir()
    shutil.rmtree(work)
    work.mkdir()
    shutil.copy(forger, place.bin)
    place.folder.chmod(0o755)
    place.own()


def as_root(script, environment=()):
    """A script of root's, with a session daemon that no other program of this machine sees."""
    alone = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /run; mount -t tmpfs -o mode=1777 none /dev/shm; eval "$1"; code=$?; '
             'ls -d /run/lttng-gpu /dev/shm/lttng-gpu* >&2 2>/dev/null && echo LEFT >&2; exit $code', "sh"]
    return subprocess.run([*alone, script], cwd=work, capture_output=True, text=True, timeout=120,
                          env={**place.environment, "HOME": "/root", **sudo, "RECORD": f"{lttng_gpu} record", "SECRET": str(secret),
                               "OURS": str(ours), "STRANGER": f"setpriv --reuid={stranger} --regid={stranger} --clear-groups --",
                               **dict(environment)})


def recorded(options, script, **how):
    path = work / "script"
    path.write_text(script)
    return as_root(f"$RECORD --events user {options} -- sh ./script", **how)


def harm():
    """What the attacks have changed of root's."""
    found = [] if secret.exists() and secret.read_text() == words and secret.stat().st_ino == inode else ["root's file is changed"]
    found += [f"{path} is given away" for path in ours.rglob("*") if path.lstat().st_uid != 0]
    tree = sorted(str(path.relative_to(ours)) for path in (ours / "tree").rglob("*") if path.is_file())
    found += [f"root's tree has {tree}"] if tree != [f"tree/a/ust/uid/{nobody}/64-bit/metadata"] else []
    found += ["something is in root's empty folder"] if list((ours / "empty").iterdir()) else []
    return found


def check(attack, result, good, *, code=0):
    problems = harm() + ([f"{good=}"] if not good else []) + ([] if result.returncode == code and good and "LEFT" not in result.stderr
                                                              else [said(result)])
    tap.check(attack, problems)


def is_whole(trace, number):
    return len(events(trace)) == number and all(path.lstat().st_uid == nobody for path in [trace, *trace.rglob("*")])


plant = f"""
mkdir -p a/ust/uid/{nobody}/64-bit/index a/counters
for file in lttng-gpu-losses counters/metadata counters/samples ust/uid/{nobody}/64-bit/metadata ust/uid/{nobody}/64-bit/metadata.new \\
    ust/uid/{nobody}/64-bit/gpu_0 ust/uid/{nobody}/64-bit/gpu_1; do ln -s $SECRET a/$file; done
"""


def folders():
    """The folder of the recording."""
    reset()
    result = recorded("-o a --counters", f"ust-events 100; mv a moved; {plant}")
    check("the folder is renamed, and links are planted where it was", result, is_whole(work / "moved", 100) and "moved" in result.stderr)
    reset()
    result = recorded("-o a/b", f"ust-events 100; cd ..; mv work moved; mkdir work; ln -s {ours}/tree/a work/a")
    moved = place.folder / "moved"
    check("a parent is swapped for a link to root's tree", result, is_whole(moved / "a/b", 100))
    shutil.rmtree(moved)
    reset()
    (ours / "tree/a").rename(ours / "tree/b")
    (ours / "tree/b").rename(ours / "tree/a")
    result = recorded("-o a", f"ust-events 100; cd ..; mv work moved; ln -s {ours}/tree work")
    check("the folder of work is swapped for root's tree", result, is_whole(moved / "a", 100))
    work.unlink()
    moved.rename(work)
    reset()
    (work / "a").mkdir(mode=0o750)
    place.own()
    result = recorded("-o a", f"{plant} mkdir a/more; ln -s $SECRET a/ust; ust-events 100")
    status = (work / "a").stat()
    check("links are planted in a folder that was there", result,
          is_whole(work / "a", 100) and (status.st_uid, status.st_mode & 0o7777) == (nobody, 0o750) and not (work / "a/more").exists())
    reset()
    # user::rwx user:nobody:rwx group::r-x mask::rwx other::r-x, inherited by what is made there; see acl(5).
    entries = [(1, 7, -1), (2, 7, nobody), (4, 5, -1), (0x10, 7, -1), (0x20, 5, -1)]
    os.setxattr(work, "system.posix_acl_default", struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries))
    result = recorded("-o a", "ln -s $SECRET a/link; mkdir a/more; ust-events 100; ln -s $SECRET a/ust/link; true")
    check("an access control list would let the user write there", result, is_whole(work / "a", 100) and not list(work.rglob("link")))
    reset()
    (work / "a").symlink_to(ours / "empty")
    result = recorded("-o a", "ust-events 100")
    check("a link leads to an empty folder of root's", result, "symbolic link" in result.stderr, code=2)
    reset()
    result = recorded("-o a",
                      "ust-events 100; rmdir a 2>/dev/null || mv a b; mkdir -p a; ln b/ust/uid/*/64-bit/metadata hard 2>/dev/null; true")
    check("hard links to what is recorded cannot be made", result, is_whole(work / "b", 100) and not (work / "hard").exists())


def files():
    """Beside the recording."""
    reset()
    (work / "report").symlink_to(secret)
    result = recorded("-o a --report report", "ust-events 100")
    check("the file for the report is a link to root's", result, "cannot be written by nobody" in result.stderr, code=2)
    reset()
    result = recorded("-o a --report a/report", "ust-events 100")
    check("the report in the recording is the user's", result,
          (work / "a/report").stat().st_uid == nobody and (work / "a/report").stat().st_size > 0)
    reset()
    (place.folder / ".lttngrc").symlink_to(secret)
    result = recorded("-o a", "ust-events 100", environment={"HOME": str(place.folder)})
    check("the home that sudo left has a link for LTTng's settings", result, is_whole(work / "a", 100))
    (place.folder / ".lttngrc").unlink()
    reset()
    script = f"echo $PPID >pid; ust-events 100; mv a moved; {plant} touch ready; sleep 60"
    (work / "script").write_text(script)
    result = as_root("$RECORD --events user -o a -- sh ./script & until [ -e ready ]; do sleep 0.1; done; kill -KILL $(cat pid); wait; "
                     "$RECORD --recover; pkill -KILL -x sleep -U nobody; true")
    check("record is killed, and another folder is where its own was", result, "not the folder of that recording" in result.stderr)
    reset()
    (work / "script").write_text("echo $PPID >pid; ust-events 100; touch ready; sleep 60")
    result = as_root("$RECORD --events user -o a -- sh ./script & until [ -e ready ]; do sleep 0.1; done; kill -KILL $(cat pid); wait; "
                     "$RECORD --recover")
    check("record is killed: the recording is recovered, and is the user's", result, is_whole(work / "a", 100))


def buffers():
    """What programs share with LTTng's daemons."""
    planting = (f"for f in /dev/shm/lttng-gpu-record-*; do mkdir -p $f/x/ust/uid/{nobody}/64-bit && "
              f"yes forged | head -c 100000 >$f/x/ust/uid/{nobody}/64-bit/metadata; done; true")
    reset()
    result = recorded("-o a", "ust-events 100; " + planting)
    check("metadata is planted in the folder of the buffers", result, is_whole(work / "a", 100))
    reset()
    (work / "script").write_text("ust-events 100; touch done; until [ -e forged ]; do sleep 0.1; done")
    result = as_root(f"$RECORD --events user -o a -- sh ./script & until [ -e done ]; do sleep 0.1; done; "
                     f"$STRANGER sh -c 'ust-events 10; {planting}'; touch forged; wait $!")
    check("another user's program records, and plants metadata", result, is_whole(work / "a", 110))
    for attack in ("huge", "many", "short", "sparse"):
        reset()
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        begin = time.monotonic()
        result = recorded("-o a --no-report", f"ust-events 100; exec /usr/bin/python3 {place.bin}/forge_buffers.py {attack} ust-events")
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        bounded = largest < max(before, 600_000) + 1 and time.monotonic() - begin < 20
        told = "forged" in result.stdout and ("are not as LTTng makes them" in result.stderr or attack == "short")
        check(f"a buffer is forged: {attack}", result, bounded and told)


if not is_root:
    tap.check("hostile commands", skip="needs root")
try:
    run((folders, files, buffers) if is_root else ())
finally:
    shutil.rmtree(ours, ignore_errors=True)
