#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_kernel_builds.py BTF_LAYOUT GUEST MODULES: where a lane's kernel has its types, and what is refused: no types, and those of
another build. MODULES has the test modules of the lane. Prints TAP."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

here = Path(__file__).resolve().parent
top = here.parents[1]
btf_layout, guest, modules = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
tap = Tap()
check = tap.check_that


def extract(image, out):
    return subprocess.run([top / "scripts/extract-vmlinux", image, out], capture_output=True, text=True)


def layout(vmlinux, folder, name="gpu_fence", *options):
    header, spec = Path(folder) / "layout.h", Path(folder) / name
    if not spec.exists():
        spec = top / f"modules/layout/{name}.layout"
    run = subprocess.run([btf_layout, "--kernel", vmlinux, *options, "--release", "x", "-o", header, spec], capture_output=True, text=True)
    return header.read_text() if run.returncode == 0 else run.stderr


def build(guest, folder, **environment):
    release = next(guest.glob("root/lib/modules/*")).name
    return subprocess.run([top / "scripts/build-modules", Path(folder) / "modules", release, guest / "root"], capture_output=True,
                          text=True, env={**os.environ, "BTF_LAYOUT": btf_layout, **environment})


with tempfile.TemporaryDirectory() as folder:
    unpacked, stripped, driver = Path(folder) / "vmlinux", Path(folder) / "stripped", Path(folder) / "gpu-sched.ko"
    run = extract(guest / "vmlinuz", unpacked)
    check("the kernel image unpacks", run.returncode == 0, run.stderr)
    shipped = next(guest.glob("root/usr/src/linux-headers-*/vmlinux"), None)
    if shipped:
        check("it gives the same layout as the headers' vmlinux", layout(unpacked, folder) == layout(shipped, folder),
              layout(unpacked, folder))
    else:
        check("the headers have no vmlinux, the image gives the layout", "GPU_TRACEPOINT_dma_fence_init 1" in layout(unpacked, folder))
    run = extract(top / "README.md", unpacked.with_suffix(".not"))
    check("a file that is not a kernel image is refused", run.returncode == 1 and "is no x86 kernel image" in run.stderr, run.stderr)
    cut = Path(folder) / "vmlinuz"
    cut.write_bytes((guest / "vmlinuz").read_bytes()[:4096])
    run = extract(cut, unpacked.with_suffix(".cut"))
    check("a kernel image that is cut off is refused", run.returncode == 1 and run.stderr, run.stderr)

    driver.write_bytes(next(guest.glob("root/lib/modules/*/updates/gpu-sched.ko")).read_bytes())
    good = layout(unpacked, folder, "drm", "--module", driver)
    check("a driver of this kernel is read", "#define GPU_OFFSET_drm_sched_fence_finished" in good, good)
    other = Path(folder) / "other.o"
    subprocess.run(["gcc", "-gbtf", "-c", "-o", other, here / "kernel.c"], check=True)
    bad = layout(other, folder, "drm", "--module", driver)
    check("a driver of another kernel build is refused", "its BTF was not made for the kernel of" in bad, bad)
    subprocess.run(["objcopy", "-R", ".BTF", driver], check=True)
    bad = layout(unpacked, folder, "drm", "--module", driver)
    check("a driver without BTF is refused by name", "gpu-sched.ko: no usable BTF" in bad, bad)
    subprocess.run(["objcopy", "-R", ".BTF", unpacked, stripped], check=True)
    bad = layout(stripped, folder)
    check("a kernel without BTF is refused by name", "stripped: no usable BTF" in bad, bad)

    # One driver without BTF costs its own probe.
    packed = next(guest.glob("root/lib/modules/*/kernel/drivers/gpu/drm/radeon/radeon.ko*"))
    radeon = Path(folder) / "drivers" / "radeon.ko"
    radeon.parent.mkdir()
    with open(radeon, "wb") as unpacked_driver:
        subprocess.run(["xz", "-dc", packed] if packed.suffix == ".xz" else ["cat", packed], stdout=unpacked_driver, check=True)
    run = build(guest, folder, LIST="1", MODULE_DIR=str(radeon.parent))
    check("all probes are built when every driver has BTF", run.returncode == 0 and "lttng-probe-gpu-radeon" in run.stdout.split(),
          run.stderr[-500:])
    every = set(run.stdout.split())
    subprocess.run(["objcopy", "-R", ".BTF", radeon], check=True)
    run = build(guest, folder, LIST="1", MODULE_DIR=str(radeon.parent))
    check("a driver without BTF costs its own probe, with a message", run.returncode == 0 and
          every - set(run.stdout.split()) == {"lttng-probe-gpu-radeon"} and
          "build-modules: radeon has no BTF that can be read: its probe is left out" in run.stderr, run.stderr[-500:])

    # Types of an out-of-tree module, on the base that it brings and, beyond that, of the kernel.
    (Path(folder) / "out_of_tree").write_text("module gputest\nfield gputest_fence.base.context as context : u64\n"
                                              "field gputest_job.base : struct drm_sched_job\n")
    (Path(folder) / "in_kernel").write_text("kernel\nfield dma_fence.context : u64\n")
    ours = layout(unpacked, folder, "out_of_tree", "--module", modules / "gputest.ko")
    kernels = re.search(r"GPU_OFFSET_dma_fence_context (\d+)", layout(unpacked, folder, "in_kernel"))[1]
    if b".BTF" in (modules / "gputest.ko").read_bytes():
        check("an out-of-tree driver is read", f"GPU_OFFSET_gputest_fence_context {kernels} " in ours and
              "GPU_OFFSET_gputest_job_base 0 " in ours, ours)
    else:
        check("an out-of-tree driver that was built without BTF is refused", "gputest.ko: no usable BTF" in ours, ours)

    for words, btf, said in [("stripped of its BTF", stripped, "stripped: no usable BTF"),
                             ("of another build", other, "was not made for the kernel of"),
                             ("that is not there", Path(folder) / "nowhere", "nowhere: no usable BTF")]:
        run = build(guest, folder, KERNEL_BTF=str(btf))
        check(f"build-modules refuses a kernel {words}", run.returncode and said in run.stderr and
              not list(Path(folder).glob("modules/*.ko")), run.stderr[-500:])
sys.exit(tap.finish())
