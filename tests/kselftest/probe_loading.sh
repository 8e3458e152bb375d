#!/bin/sh
# SPDX-License-Identifier: MIT
# Loading, listing and unloading the probe modules.
. ./tap.sh

# All that were built, but for those that are loaded on request only.
probes=$(ls modules | sed -n 's/^\(lttng-probe-gpu-.*\)\.ko$/\1/p' | grep -v -- '-registers$')

all_loaded() {
    [ "$(grep -c '^lttng_probe_gpu' /proc/modules)" = $(($(echo "$probes" | wc -l) + 1)) ] && ! grep _registers /proc/modules
}
none_loaded() { ! grep '^lttng_probe_gpu' /proc/modules; }
times=$(repeated 10 100)
load_and_unload() {
    for _ in $(seq $times); do
        modprobe lttng-probe-gpu && all_loaded && modprobe -r lttng-probe-gpu && none_loaded || return 1
    done
}
has_events() { lttng list --kernel >/tmp/list; for event; do grep -qw "$event" /tmp/list || { echo "no $event"; return 1; }; done; }
has_scheduler_events() {
    if [ -e /sys/kernel/tracing/events/gpu_scheduler/drm_sched_job_queue ]; then
        has_events drm_sched_job_queue drm_sched_job_run drm_sched_job_done drm_sched_job_add_dep drm_sched_job_unschedulable
    else
        has_events drm_sched_job drm_run_job drm_sched_process_job drm_sched_job_wait_dep
    fi
}
# has_events_of PROBE EVENT...: if that probe was built for this kernel.
has_events_of() { [ ! -e "modules/lttng-probe-gpu-$1.ko" ] || { shift; has_events "$@"; }; }
# A kernel with PREEMPT_RT: there the probe has only the events that it recreates.
has_no_i915_tracepoints() { uname -v | grep -q PREEMPT_RT; }
has_driver_events() { # those of one submission, of every driver that this kernel has
    has_events_of amdgpu amdgpu_cs_ioctl amdgpu_sched_run_job &&
        has_events_of i915 i915_request_submit i915_request_execute i915_request_in i915_request_out i915_request_guc_submit &&
        { has_no_i915_tracepoints || has_events_of i915 i915_request_add i915_request_retire; } &&
        has_events_of xe xe_sched_job_exec xe_sched_job_run &&
        has_events_of radeon radeon_cs radeon_fence_emit &&
        has_events_of intel-vpu vpu_job &&
        has_events_of amdxdna amdxdna_job
}
registers_on_request() {
    for probe in $(ls modules | sed -n 's/^\(lttng-probe-gpu-.*-registers\)\.ko$/\1/p'); do
        modprobe $probe && lttng list --kernel | grep -E '_(rreg|wreg|rw)([^a-z_]|$)' && modprobe -r $probe || return 1
    done
}
beside_upstream() {
    modinfo lttng-probe-dma-fence >/dev/null 2>&1 || { echo "LTTng has no dma_fence probe here"; return 0; }
    modprobe lttng-probe-dma-fence && has_events dma_fence_signaled gpu_fence_signaled
}
left_out_is_said() { for probe in $probes; do modinfo -F left_out $probe; done; }

# Makes modprobe fail for these probes, as for one that was built for another kernel.
break_probes() { for probe; do echo "install $probe /bin/false"; done >/etc/modprobe.d/broken.conf; }
last_word() { dmesg | grep "lttng-probe-gpu: $1:" | tail -1; }
says_what_is_missing() {
    break_probes lttng-probe-gpu-drm-sched
    modprobe lttng-probe-gpu && modprobe -r lttng-probe-gpu || return 1
    last_word gpu_scheduler | grep 'not built for this kernel, or not loadable' && last_word dma_fence | grep '7 events'
}
refuses_without_any() {
    break_probes $probes
    ! modprobe lttng-probe-gpu
}

modprobe gpu-sched
# A session daemon keeps the tracer itself loaded, so that only the probes come and go.
lttng-sessiond --daemonize
ok "lttng-probe-gpu and the probes that it loads are loaded and unloaded $times times" load_and_unload
modprobe lttng-probe-gpu
ok "the scheduler events of this kernel's generation are listed" has_scheduler_events
ok "the virtio_gpu events are listed" has_events virtio_gpu_cmd_queue virtio_gpu_cmd_response
ok "the fence events are listed" has_events gpu_fence_init gpu_fence_emit gpu_fence_enable_signal \
    gpu_fence_signaled gpu_fence_wait_start gpu_fence_wait_end gpu_fence_destroy
ok "the events of the drivers are listed" has_driver_events
ok "probes of register accesses load on request" registers_on_request
ok "the fence probe loads beside LTTng's own" beside_upstream
ok "modinfo names the events that this kernel does not have" left_out_is_said
modprobe -r lttng-probe-gpu
ok "lttng-probe-gpu says which probe could not be loaded" says_what_is_missing
ok "lttng-probe-gpu refuses to load when no probe can be loaded" refuses_without_any
rm /etc/modprobe.d/broken.conf
ok "the kernel log has no splat" no_splat
plan
