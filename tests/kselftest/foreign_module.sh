#!/bin/sh
# SPDX-License-Identifier: MIT
# Another module with tracepoints of the drivers' names and other prototypes (tests/foreign): it is left alone, and said, and the
# drivers' own events are recorded, whichever came first.
. ./tap.sh
export LTTNG_KMOD_PROBES=sched

events='drm_*,gpu_fence_*,virtio_gpu_*'
vpu=$(ls modules/lttng-probe-gpu-intel-vpu.ko rebuilt/probe/lttng-probe-gpu-intel-vpu.ko 2>/dev/null | head -n 1)
[ -z "$vpu" ] || events="$events,vpu_*"
load() { ./gputest-load --processes 2 --jobs "$1" --exec-us 50:500; }
fire() { echo 100 >/sys/module/amd_sched/parameters/fire; }
said() { dmesg | grep "lttng_probe_gpu_$1: amd_sched has tracepoints of the same names, too ($2, .*), and was not checked: its events are not recorded"; }
new_session() {
    lttng create --output="/tmp/trace-$1" $LTTNG_CREATE_OPTIONS "$1" && lttng enable-event --kernel --session="$1" "$events" && lttng start "$1"
}
# jobs_of NAME: those of the test driver, of which everything was recorded.
jobs_of() {
    LD_LIBRARY_PATH="$PWD/lib" ./lttng-gpu jobs --format csv "/tmp/trace-$1" >/tmp/jobs.csv
    grep -c '^.*gputest.*,complete' /tmp/jobs.csv
}
# has_jobs NAME NUMBER: ends the session, which has so many jobs.
has_jobs() {
    lttng destroy "$1"
    found=$(jobs_of "$1")
    echo "$found jobs of $2"
    head -n 3 /tmp/jobs.csv
    rm -rf "/tmp/trace-$1"
    [ "$found" = "$2" ]
}
load_probes() {
    modprobe -a lttng-probe-gpu-drm-sched lttng-probe-gpu-fence lttng-probe-gpu-virtio-gpu && { [ -z "$vpu" ] || grep -q ^lttng_probe_gpu_intel_vpu /proc/modules || insmod "$vpu"; }
}
unload() {
    for _ in $(seq $(seconds 50)); do
        modprobe -r -a lttng-probe-gpu-drm-sched lttng-probe-gpu-fence lttng-probe-gpu-virtio-gpu gputest 2>/dev/null &&
            { ! grep -q ^lttng_probe_gpu_intel_vpu /proc/modules || rmmod lttng_probe_gpu_intel_vpu; } && break
        sleep 0.2
    done
    modprobe -r gpu-sched
    ! grep ^gpu_sched /proc/modules
}

comes_and_goes_while_recording() {
    load_probes && modprobe gputest && new_session during && load 10 && modprobe amd-sched && fire && load 10 && rmmod amd_sched && load 10 &&
        modprobe amd-sched && fire && load 10 && has_jobs during 80
}
is_said() { said drm_sched 'drm_[a-z_]*' && said fence dma_fence_wait_start && { [ -z "$vpu" ] || said intel_vpu job; }; }
doctor_says_it() {
    LD_LIBRARY_PATH="$PWD/lib" ./lttng-gpu doctor >/tmp/doctor
    grep 'warning  probe  *lttng_probe_gpu_drm_sched does not record amd_sched' /tmp/doctor || { cat /tmp/doctor; return 1; }
}
# Every event has several handlers: two of LTTng's, one of ftrace.
several_handlers() {
    echo 1 >/sys/kernel/tracing/events/gpu_scheduler/enable && new_session one && new_session two && fire && load 10 && has_jobs one 20 &&
        load 10 && has_jobs two 40
    code=$?
    echo 0 >/sys/kernel/tracing/events/gpu_scheduler/enable
    [ $code = 0 ] && [ "$(grep -cE ': (drm_run_job|drm_sched_job_run): ' /sys/kernel/tracing/trace)" = 40 ]
}
came_first() {
    unload && rmmod amd_sched && modprobe amd-sched && load_probes && new_session first && modprobe gputest && fire && load 10 && rmmod amd_sched && load 10 && has_jobs first 40
}
nobody_is_named() { ! grep . /sys/module/lttng_probe_gpu_*/parameters/strangers; }
# LTTng warns of every name that two modules have (lttng_tracepoint_coming()), whatever is recorded.
no_other_splat() {
    warnings=$(dmesg | grep -c 'WARNING: .*lttng_tracepoint_')
    [ "$(dmesg | grep -cE "$splats")" = $((2 * warnings)) ] || { dmesg | grep -E "$splats" | grep -vE 'WARNING: .*lttng_tracepoint_|Call Trace:'; return 1; }
}

dmesg -C
lttng-sessiond --daemonize 2>/dev/null || true
ok "a foreign module comes, goes and comes again during a recording, which has all jobs of the driver" comes_and_goes_while_recording
ok "the kernel log names it, for each probe" is_said
ok "so does doctor" doctor_says_it
ok "beside it, two recordings and ftrace have the same events at once" several_handlers
ok "one that came before the driver and its probe is left alone; the driver is recorded, also when it has gone" came_first
ok "nobody is named when it has gone" nobody_is_named
ok "the kernel log has no splat but LTTng's warning of names that come twice" no_other_splat
unload >/dev/null 2>&1
dmesg -C
plan
