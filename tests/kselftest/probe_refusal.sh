#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels and drivers of another build than the probes' layouts are refused.
. ./tap.sh

load() { ./gputest-load --processes 2 --jobs 50 --exec-us 50:500; }
said() { dmesg | grep "$1"; }

# The same release of another build, as after an update that keeps the release: the probe's copy names another one.
other_kernel() {
    for probe in modules/lttng-probe-gpu-*.ko; do
        LC_ALL=C sed 's/SMP PREEMPT/SMP PREEMPX/' $probe >/tmp/other.ko
        ! cmp -s $probe /tmp/other.ko || { echo "$probe names no kernel build"; return 1; }
        modprobe "$(basename $probe .ko)" && modprobe -r "$(basename $probe .ko)" || return 1
        if insmod /tmp/other.ko; then echo "$probe loaded"; return 1; fi
        said "$(basename $probe .ko | tr - _): built for the kernel .*PREEMPX.* but this one is .*: rebuild it" || return 1
    done
}

# Whether the trace of a session has the scheduler's events: a ring's name tells.
has_jobs() {
    lttng destroy --all
    lttng create --output=/tmp/trace-jobs $LTTNG_CREATE_OPTIONS jobs && lttng enable-event --kernel --session=jobs 'drm_*' &&
        lttng start jobs && load && lttng destroy jobs || return 2
    grep -rql gfx_0.0.0 /tmp/trace-jobs/kernel/channel0_*
    found=$?
    rm -rf /tmp/trace-jobs
    return $found
}
own_driver() { modprobe lttng-probe-gpu-drm-sched && modprobe gputest && has_jobs; }
# Without "intree" the kernel takes gpu-sched for an out-of-tree module, such as amdgpu-dkms brings. strip takes the
# signature off, which would no longer be valid.
foreign_driver() {
    modprobe -r gputest gpu-sched || return 1
    LC_ALL=C sed 's/intree=Y/extree=Y/' modules/gpu-sched.ko >/tmp/gpu-sched.ko
    strip --strip-debug /tmp/gpu-sched.ko && insmod /tmp/gpu-sched.ko && modprobe gputest || return 1
    said "lttng_probe_gpu_drm_sched: built for gpu_sched .*kernel's own.*, but the one loaded is .*out of tree" || return 1
    has_jobs
    [ $? = 1 ]
}
# The first modprobe takes gpu-sched with it.
own_driver_again() { modprobe -r gputest && ! grep ^gpu_sched /proc/modules && modprobe gputest && has_jobs; }

lttng-sessiond --daemonize 2>/dev/null || true
ok "probes refuse a kernel of another build, with a message" other_kernel
ok "jobs of the driver that the probe was built for are recorded" own_driver
ok "a driver of another build is not read, with a message" foreign_driver
ok "the driver of the right build is read again" own_driver_again
ok "the kernel log has no splat" no_splat
plan
