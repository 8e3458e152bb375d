#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What setting up says when it cannot: no such lane, no network, a damaged cache, a package that does not exist.
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


def run(*command, cache):
    return subprocess.run(command, capture_output=True, text=True, cwd=top, env=os.environ | {"LTTNG_GPU_CACHE": str(cache)})


with tempfile.TemporaryDirectory() as name:
    cache = Path(name)
    build_guest = "tests/vm/build-guest"
    got = run(build_guest, "nowhere", cache=cache)
    check("an unknown lane is refused with the lanes there are", got.returncode == 2 and "trixie" in got.stderr, got)

    # A network namespace of its own has no network.
    got = run("unshare", "--net", build_guest, "trixie", cache=cache)
    check("without network the error names a package and the suite", got.returncode == 1 and
          "could not get linux-image-amd64" in got.stderr and "Debian trixie" in got.stderr, got)
    left = list((cache / "guest").glob("trixie-*"))
    check("and nothing half-built stays in the cache", not left, got)

    # A cached guest whose files are not those that its sums were made of.
    key = subprocess.run("cat build-guest build-lttng guest-init initrd-init packages lanes/trixie | sha256sum | cut -c1-12",
                         shell=True, capture_output=True, text=True, cwd=top / "tests/vm").stdout.strip()
    guest = cache / "guest" / f"trixie-{key}"
    guest.mkdir(parents=True)
    (guest / "vmlinuz").write_text("damaged")
    (guest / "XXH128SUMS").write_text("00000000000000000000000000000000  vmlinuz\n")
    got = run("unshare", "--net", build_guest, "trixie", cache=cache)
    check("a damaged cache is noticed and built anew", "damaged, building it anew" in got.stderr and "getting Debian trixie" in got.stderr, got)

    scripts = cache / "scripts"
    shutil.copytree(top / "scripts", scripts)
    (scripts / "dependencies").write_text("bash lttng-gpu-no-such-package # with a comment\n")
    got = run(scripts / "install-dependencies", cache=cache)
    check("a package that cannot be had is named", got.returncode == 1 and
          "could not get package lttng-gpu-no-such-package" in got.stderr and "package bash" not in got.stderr, got)
    (scripts / "dependencies").write_text("bash\n")
    got = run(scripts / "install-dependencies", cache=cache)
    check("nothing is done when nothing is missing", got.returncode == 0 and not got.stderr, got)
sys.exit(tap.finish())
