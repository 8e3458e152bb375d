#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What setting up says when it cannot: no such lane, no network, a damaged or foreign cache, a package that does not exist, a guest
that ends before it is up.
Needs root, as building a guest does. Prints TAP."""
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
check = tap.check_that


# In place of QEMU: the console of boot N is the file N beside it; where that ends with "status", so has DIR/run,
# and with "stuck" the kernel waits for ever.
fake_qemu = """#!/bin/bash
folder=$(dirname "$0") dir=$(sed 's/.*local,path=\\([^,]*\\).*/\\1/' <<<"$*")
echo x >>"$folder/boots"
console=$folder/$(wc -l <"$folder/boots")
cat "$console"
case $(tail -n 1 "$console") in
status) echo 0 >"$dir/status" ;;
stuck) echo $$ >"$dir/qemu.pid"; exec sleep 60 ;;
esac
"""


def run(*command, cache, **environment):
    return subprocess.run(command, capture_output=True, text=True, cwd=top,
                          env=os.environ | {"LTTNG_GPU_CACHE": str(cache)} | environment)


def boot(cache, *consoles):
    """What run-guest says when the guest's boots print these."""
    programs, folder = cache / "programs", cache / "share"
    for path in programs, folder:
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
    for number, console in enumerate(consoles, 1):
        (programs / str(number)).write_text(console)
    (programs / "qemu-system-x86_64").write_text(fake_qemu)
    (programs / "qemu-system-x86_64").chmod(0o755)
    got = run("tests/vm/run-guest", "trixie", folder, cache=cache, BOOT_SECONDS="2", PATH=f"{programs}:{os.environ['PATH']}")
    return got, len((programs / "boots").read_text().split())


with tempfile.TemporaryDirectory() as name:
    cache = Path(name)
    build_guest = "tests/vm/build-guest"
    got = run(build_guest, "nowhere", cache=cache)
    check("an unknown lane is refused with a list of the lanes", got.returncode == 2 and "trixie" in got.stderr, got)

    # A network namespace of its own has no network.
    got = run("unshare", "--net", build_guest, "trixie", cache=cache)
    check("without network, the error names a package and the suite", got.returncode == 1 and
          "could not get linux-image-amd64" in got.stderr and "Debian trixie" in got.stderr, got)
    left = list((cache / "guest").glob("trixie-*"))
    check("and no incomplete guest stays in the cache", not left, got)

    # A cached guest whose files are not those that its sums were made of.
    key = subprocess.run("cat build-guest build-lttng guest-init initrd-init packages lanes/trixie | sha256sum | cut -c1-12",
                         shell=True, capture_output=True, text=True, cwd=top / "tests/vm").stdout.strip()
    guest = cache / "guest" / f"trixie-{key}"
    guest.mkdir(parents=True)
    (guest / "vmlinuz").write_text("damaged")
    (guest / "XXH128SUMS").write_text("00000000000000000000000000000000  vmlinuz\n")
    got = run("unshare", "--net", build_guest, "trixie", cache=cache)
    check("a damaged cache is detected and rebuilt", "damaged, rebuilding it" in got.stderr and "getting Debian trixie" in got.stderr, got)

    (cache / "guest").chmod(0o777)
    got = run("tests/vm/guest-of", "trixie", cache=cache)
    check("a cache that everybody may write to is refused", got.returncode == 1 and "everybody may write to it" in got.stderr, got)
    (cache / "guest").chmod(0o755)
    os.chown(cache / "guest", 1234, 1234)
    got = run("tests/vm/guest-of", "trixie", cache=cache)
    check("one of another user, too", got.returncode == 1 and "belongs to another user" in got.stderr, got)
    os.chown(cache / "guest", 0, 0)

    guest.mkdir(parents=True, exist_ok=True)
    (guest / "vmlinuz").write_text("whole")
    subprocess.run("xxh128sum vmlinuz >XXH128SUMS", shell=True, check=True, cwd=guest)
    panic, up = "Kernel panic - not syncing: Fatal exception in interrupt\n", "guest: up, Linux 6.12\n"
    got, boots = boot(cache, panic, up + "status\n")
    check("a guest that ends before it is up is booted again, with a message", got.returncode == 0 and boots == 2 and
          "booting again" in got.stdout and "up, Linux" in got.stdout, (got, boots))
    got, boots = boot(cache, panic, panic, panic)
    check("but not forever", got.returncode == 1 and boots == 3 and panic in got.stderr, (got, boots))
    got, boots = boot(cache, up + panic)
    check("one that ends later is not", got.returncode == 1 and boots == 1 and panic in got.stderr, (got, boots))
    got, boots = boot(cache, up + "Oops: int3: 0000 [#1]\n" + panic, up + "status\n")
    check("but one that the emulator ended is", got.returncode == 0 and boots == 2 and "breakpoint" in got.stdout, (got, boots))
    registers = "RSP: 0018:ff88d5a240403c90 EFLAGS: {}\n"
    got, boots = boot(cache, up + registers.format("38273352") + panic, up + "status\n")
    check("and one with flags that no processor has", got.returncode == 0 and boots == 2 and "flags" in got.stdout, (got, boots))
    got, boots = boot(cache, up + registers.format("00010246") + panic)
    check("but not one with those of every day", got.returncode == 1 and boots == 1, (got, boots))
    got, boots = boot(cache, "Linux\nstuck\n", up + "status\n")
    check("and one that is never up", got.returncode == 0 and boots == 2 and "not up after 2 s" in got.stdout, (got, boots))

    scripts = cache / "scripts"
    shutil.copytree(top / "scripts", scripts)
    (scripts / "dependencies").write_text("bash lttng-gpu-no-such-package # with a comment\n")
    (scripts / "dependencies-long").write_text("lttng-gpu-no-such-program\n")
    got = run(scripts / "install-dependencies", cache=cache, LONG="")
    check("an unavailable package is named", got.returncode == 1 and
          "could not get package lttng-gpu-no-such-package" in got.stderr and "package bash" not in got.stderr, got)
    # What has been said when apt-get begins; it fails, as without network.
    shutil.rmtree(cache / "programs", ignore_errors=True)
    (cache / "programs").mkdir()
    (cache / "programs/apt-get").write_text(f"#!/bin/sh\ncp {cache}/said {cache}/before-$1\nexit 100\n")
    (cache / "programs/apt-get").chmod(0o755)
    with (cache / "said").open("w") as said:
        code = subprocess.call([scripts / "install-dependencies"], stderr=said, stdout=subprocess.DEVNULL,
                               env=os.environ | {"PATH": f"{cache}/programs:{os.environ['PATH']}", "LONG": ""})
    before = [path.read_text() for path in cache.glob("before-*")]
    check("what will be installed is said before it is", code == 1 and before == ["installing with apt-get: lttng-gpu-no-such-package\n"],
          (code, before))
    (scripts / "dependencies").write_text("bash lttng-gpu-no-such-package/sh\n")
    got = run(scripts / "install-dependencies", cache=cache, LONG="")
    check("nothing is installed when nothing is missing, or its command is there", got.returncode == 0 and not got.stderr, got)
    got = run(scripts / "install-dependencies", cache=cache, LONG="1", PATH=f"{cache}/programs:{os.environ['PATH']}")
    check("the long form installs more", got.returncode == 1 and "installing with apt-get: lttng-gpu-no-such-program\n" in got.stderr, got)
sys.exit(tap.finish())
