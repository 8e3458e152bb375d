#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels and drivers of which the probes' layouts are not true are refused. driver_rebuilt.sh has a driver that was built again.
. ./tap.sh

load() { ./gputest-load --processes 2 --jobs 50 --exec-us 50:500; }
said() { dmesg | grep "$1"; }

# The same release of another build, as after an update that keeps the release: the probe's copy names another one.
other_kernel() {
    for probe in modules/lttng-probe-gpu-*.ko; do
        LC_ALL=C sed 's/SMP PREEMPT/SMP PREEMPX/' $probe >/tmp/other.ko
        ! cmp -s $probe /tmp/other.ko || { echo "$probe names no kernel build"; return 1; }
        modprobe "$(basename $probe .ko)" && modprobe -r "$(basename $probe .ko)" || return 1
        modprobe lttng-gpu-base || return 1
        if insmod /tmp/other.ko; then echo "$probe loaded"; return 1; fi
        said "$(basename $probe .ko | tr - _): built for the kernel .*PREEMPX.* but this one is .*: build it again, as root: lttng-gpu-rebuild" || return 1
    done
}
# A kernel whose build says the same and whose types are others, as with a pinned build stamp: the probe's copy knows another hash.
other_types() {
    for probe in lttng-probe-gpu-fence lttng-probe-gpu-drm-sched; do
        hash=$(modinfo -F kernel_types modules/$probe.ko)
        [ ${#hash} = 16 ] && LC_ALL=C sed "s/$hash/0123456789abcdef/g" modules/$probe.ko >/tmp/other.ko && modprobe lttng-gpu-base || return 1
        if insmod /tmp/other.ko; then echo "$probe loaded"; return 1; fi
        said "$(echo $probe | tr - _): not built for this kernel, although \"uname -v\" says so (the hash of its types is $hash and not 0123456789abcdef): build it again, with the headers of this kernel, as root: lttng-gpu-rebuild" || return 1
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
refuses() { said "lttng_probe_gpu_drm_sched: not built for the gpu_sched that is loaded ($1): its events are not recorded; build the probe again, as root: lttng-gpu-rebuild"; }
# A copy of the probe knows a field by another name.
other_layout() {
    modprobe -r lttng-probe-gpu-drm-sched && modprobe lttng-gpu-base || return 1
    LC_ALL=C sed 's/\x00s_fence\x00/\x00s_fencf\x00/' modules/lttng-probe-gpu-drm-sched.ko >/tmp/other.ko
    ! cmp -s modules/lttng-probe-gpu-drm-sched.ko /tmp/other.ko && insmod /tmp/other.ko && refuses 'it has no drm_sched_job.s_fencf' || return 1
    has_jobs
    [ $? = 1 ] && rmmod lttng_probe_gpu_drm_sched && modprobe lttng-probe-gpu-drm-sched
}
# It is no longer signed then, either.
driver_without_btf() {
    modprobe -r gputest gpu-sched || return 1
    objcopy -R .BTF modules/gpu-sched.ko /tmp/gpu-sched.ko && insmod /tmp/gpu-sched.ko && modprobe gputest && refuses 'it has no BTF' || return 1
    has_jobs
    [ $? = 1 ]
}
# The first modprobe takes gpu-sched with it.
own_driver_again() { modprobe -r gputest && ! grep ^gpu_sched /proc/modules && modprobe gputest && has_jobs; }

lttng-sessiond --daemonize 2>/dev/null || true
ok "probes refuse a kernel of another build, with a message" other_kernel
ok "and one of the same build stamp with other types, built-in drivers included" other_types
ok "jobs of the driver that the probe was built for are recorded" own_driver
ok "a driver in which a field is not where the probe expects it is not read, with a message" other_layout
ok "a driver that does not say where its fields are is not read, with a message" driver_without_btf
ok "the driver of the right build is read again" own_driver_again
ok "the kernel log has no splat" no_splat
plan
