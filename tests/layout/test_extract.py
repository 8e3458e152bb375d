#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_extract.py BTF_LAYOUT GUEST: the kernel image unpacked from a lane's vmlinuz has the same types as the vmlinux
that Debian ships with the headers. Prints TAP."""
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
btf_layout, guest = sys.argv[1], Path(sys.argv[2])
number = failures = 0


def check(words, good, detail=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {words}" + ("" if good else f"\n# {detail}"))


def extract(image, out):
    return subprocess.run([top / "scripts/extract-vmlinux", image, out], capture_output=True, text=True)


def layout(vmlinux, folder):
    header = Path(folder) / "layout.h"
    run = subprocess.run([btf_layout, "--kernel", vmlinux, "--release", "x", "-o", header, top / "modules/layout/gpu_fence.layout"],
                         capture_output=True, text=True)
    return header.read_text() if run.returncode == 0 else run.stderr


with tempfile.TemporaryDirectory() as folder:
    unpacked = Path(folder) / "vmlinux"
    run = extract(guest / "vmlinuz", unpacked)
    check("the kernel image unpacks", run.returncode == 0, run.stderr)
    shipped = next(guest.glob("root/usr/src/linux-headers-*/vmlinux"))
    check("it gives the same layout as the headers' vmlinux", layout(unpacked, folder) == layout(shipped, folder), layout(unpacked, folder))
    run = extract(top / "README.md", unpacked)
    check("what is no kernel image is refused", run.returncode == 1 and "is no x86 kernel image" in run.stderr, run.stderr)
    cut = Path(folder) / "vmlinuz"
    cut.write_bytes((guest / "vmlinuz").read_bytes()[:4096])
    run = extract(cut, unpacked)
    check("a kernel image that is cut off is refused", run.returncode == 1 and run.stderr, run.stderr)
print(f"1..{number}")
sys.exit(1 if failures else 0)
