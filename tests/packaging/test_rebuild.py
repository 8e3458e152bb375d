#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_rebuild.py: lttng-gpu-rebuild takes the way in which the probes were installed, and does all of it. The tools that it calls are
fakes that note how they were called; install-in-guest runs it with the true ones. Prints TAP."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

top = Path(__file__).resolve().parents[2]
tap = Tap()
dkms = ["dkms build --force -k here lttng-gpu/1.2", "dkms install --force -k here lttng-gpu/1.2"]
again = ["modprobe -r lttng-probe-gpu", "modprobe lttng-probe-gpu"]


class Machine:
    """Linux "here" runs, and has the probes in that folder of its modules."""

    def __init__(self, name, folder="dkms"):
        self.programs, self.notes = Path(name) / "programs", Path(name) / "notes"
        self.programs.mkdir()
        self.fake("uname", "echo here")
        self.fake("id", "echo ${FAKE_USER:-0}")
        self.fake("modinfo",
                  f'case "$*" in *version*) echo 1.2 ;; *vermagic*) echo here SMP ;; *) '
                  f'{f"echo /lib/modules/here/updates/{folder}/x.ko" if folder else "exit 1"} ;; esac')
        for tool in ("dkms", "modprobe", "make", "depmod"):
            self.fake(tool, f'echo "{tool} $*" >>{self.notes}; ! grep -qx "{tool} $*" {name}/fails 2>/dev/null')

    def fake(self, tool, script):
        (self.programs / tool).write_text(f"#!/bin/sh\n{script}\n")
        (self.programs / tool).chmod(0o755)

    def run(self, *command, **environment):
        self.notes.write_text("")
        got = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                             env=os.environ | {"PATH": f"{self.programs}:{os.environ['PATH']}", "SUDO_UID": str(os.getuid())} | environment)
        return got, self.notes.read_text().splitlines()


def check(words, got, done, wanted, code=0, said=""):
    tap.check_that(words, got.returncode == code and done == wanted and said in got.stderr, (got, done))


def check_signing(machine, tree, sbin, root):
    """Modules are signed with the key that is named, and what is to do is said where the kernel asks for signatures and there is no key."""
    headers = tree / "headers"
    (headers / "scripts").mkdir(parents=True)
    (headers / ".config").write_text('CONFIG_MODULE_SIG_HASH="sha512"\n')
    (headers / "scripts/sign-file").write_text(f'#!/bin/sh\necho "sign-file $1 $2 $3 ${{4##*/}}" >>{machine.notes}\n')
    (headers / "scripts/sign-file").chmod(0o755)
    key, cert = tree / "a.key", tree / "a.der"
    key.write_text("")
    cert.write_text("")
    install = dict(DESTDIR=str(root), sbindir="/opt/sbin", KERNELDIR=str(headers))
    command = tree / "scripts/install-modules", tree / "build/modules"
    check("make install signs the modules with the key that it is given",
          *machine.run(*command, **install, MODULE_SIGN_KEY=str(key), MODULE_SIGN_CERT=str(cert)),
          [f"sign-file sha512 {key} {cert} lttng-gpu-base.ko", f"sign-file sha512 {key} {cert} lttng-probe-gpu.ko"], 0,
          f"mokutil --import {cert}")
    tap.check_that("lttng-gpu-rebuild signs with it, too", f"key='{key}' cert='{cert}'" in (sbin / "lttng-gpu-rebuild").read_text())
    check("a key that cannot be read is an error",
          *machine.run(*command, **install, MODULE_SIGN_KEY=str(tree / "none"), MODULE_SIGN_CERT=str(cert)),
          [], 1, "cannot be read")
    (headers / "scripts/sign-file").unlink()
    machine.fake("cat", 'case "$1" in */sig_enforce) echo Y ;; *) exec /bin/cat "$@" ;; esac')
    check("without one it says what to do, when the kernel asks for signatures", *machine.run(*command, **install), [], 0,
          "mokutil --import /root/modules.der")
    machine.fake("cat", 'exec /bin/cat "$@"')
    machine.run(*command, DESTDIR=str(root), sbindir="/opt/sbin")


script = top / "scripts/lttng-gpu-rebuild"
with tempfile.TemporaryDirectory() as name:
    machine = Machine(name)
    check("the package's probes: built and installed by dkms, and loaded", *machine.run(script), dkms + again)
    check("those of another kernel are not loaded", *machine.run(script, "there"), [line.replace("-k here", "-k there") for line in dkms])
    check("only root does that", *machine.run(script, FAKE_USER="1000"), [], 1, "only root")
    for step, call in enumerate(dkms + again):
        (Path(name) / "fails").write_text(f"{call}\n")
        check(f"it ends where a step fails: {call}", *machine.run(script), (dkms + again)[:step + 1], 1,
              "end it, and then: modprobe -r" if step == 2 else "")
with tempfile.TemporaryDirectory() as name:
    check("nothing is installed", *Machine(name, "").run(script), [], 1, "no probes are installed for Linux here")
with tempfile.TemporaryDirectory() as name:
    # As after "make modules && make install".
    tree = Path(name) / "a tree"
    (tree / "build/modules").mkdir(parents=True)
    (tree / "scripts").mkdir()
    for file in ("lttng-gpu-rebuild", "install-modules"):
        shutil.copy(top / "scripts" / file, tree / "scripts")
    for file in ("lttng-gpu-base.ko", "lttng-probe-gpu.ko"):
        (tree / "build/modules" / file).write_text("")
    machine = Machine(name, "lttng-gpu")
    root, sbin = Path(name) / "root", Path(name) / "root/opt/sbin"
    got, _ = machine.run(tree / "scripts/install-modules", tree / "build/modules", DESTDIR=str(root), sbindir="/opt/sbin")
    tap.check_that("make install installs it with the probes", got.returncode == 0 and os.access(sbin / "lttng-gpu-rebuild", os.X_OK), got)
    check_signing(machine, tree, sbin, root)
    (tree / "scripts/build-modules").write_text("")
    made = f"make -C {tree} BUILD={tree}/build RELEASE=here modules"
    (tree / "scripts/install-modules").write_text(f'#!/bin/sh\necho "install-modules $* $sbindir" >>{machine.notes}\n')
    check("those of a source tree: built and installed from there, and loaded", *machine.run(sbin / "lttng-gpu-rebuild"),
          [made, f"install-modules {tree}/build/modules {sbin}", *again])
    for words, file, spoil, repair in (("the tree can be written by others", tree, lambda path: path.chmod(0o777),
                                        lambda path: path.chmod(0o755)),
                                       ("a file that is run", tree / "scripts/build-modules", lambda path: path.chmod(0o664),
                                        lambda path: path.chmod(0o644)),
                                       ("the folder above", tree.parent, lambda path: path.chmod(0o775), lambda path: path.chmod(0o700)),
                                       ("the built modules", tree / "build/modules", lambda path: path.chmod(0o757),
                                        lambda path: path.chmod(0o755)),
                                       ("a link to what others can write", tree / "linked", lambda path: path.symlink_to(shared),
                                        lambda path: path.unlink())):
        shared = Path(name) / "shared"
        shared.mkdir(exist_ok=True)
        shared.chmod(0o777)
        spoil(file)
        check(f"source that others can change is not run: {words}", *machine.run(sbin / "lttng-gpu-rebuild"), [], 1,
              "could run anything as root")
        repair(file)
    if os.getuid() == 0:
        for file in (tree, tree / "scripts/install-modules"):
            os.chown(file, 12345, 0)
            check(f"nor source of somebody else: {file.name}", *machine.run(sbin / "lttng-gpu-rebuild", SUDO_UID="54321"), [], 1,
                  f"{file} belongs to somebody else")
            got, done = machine.run(sbin / "lttng-gpu-rebuild", SUDO_UID="12345")
            tap.check_that(f"but that of who called for root: {file.name}", got.returncode == 0 and done[0] == made, (got, done))
            os.chown(file, 0, 0)
    shutil.rmtree(tree)
    check("a source tree that is gone", *machine.run(sbin / "lttng-gpu-rebuild"), [], 1, f"not there any more: {tree}")
# The kernel log and doctor name what is installed.
for file in ("modules/base/tap.h", "userspace/doctor/lttng_checks.cpp", "packaging/debian/lttng-gpu-dkms.install"):
    tap.check_that(f"{file} names it", script.name in (top / file).read_text())
sys.exit(tap.finish())
