#!/bin/sh
# SPDX-License-Identifier: MIT
# Our fence probe and LTTng's own, one after the other over the same OpenGL program: theirs crashes kernels since
# "dma-buf: detach fence ops on signal" (541c8f2468b9), see docs/kernel-notes.md. A kernel that went on would hang sooner or
# later, so it panics: this is the last test of its guest, and kselftest-in-guest reads the end of it from the console.
. ./tap.sh

trace_kmscube() { # trace_kmscube EVENTS: 30 frames, or what came of them after 30 s
    lttng destroy --all
    lttng create --output=/tmp/trace $LTTNG_CREATE_OPTIONS fences && lttng enable-event --kernel "$1" && lttng start || return 1
    kmscube --count=30 <>/tmp/silence >/tmp/kmscube.log 2>&1 &
    for _ in $(seq $(seconds 300)); do
        kill -0 $! 2>/dev/null || break
        sleep 0.1
    done
    grep Rendered /tmp/kmscube.log && lttng destroy
}
ours_is_well() { trace_kmscube 'gpu_fence_*' && grep -rqlE 'virtio_gpu' /tmp/trace/kernel/channel0_* && no_splat; }

modprobe lttng-probe-gpu-fence
modprobe virtio-gpu
mkfifo /tmp/silence
lttng-sessiond --daemonize 2>/dev/null || true
ok "our probe records the fences of kmscube, and the kernel log has no splat" ours_is_well
if ! modinfo lttng-probe-dma-fence >/dev/null 2>&1; then
    skip "LTTng's own probe crashes the kernel" "this LTTng has none"
else
    echo 1 >/proc/sys/kernel/panic_on_oops
    trace_kmscube 'dma_fence_*' >/tmp/theirs.log
    skip "LTTng's own probe crashes the kernel" "it does not: LTTng or the kernel has changed, docs/kernel-notes.md should say so"
fi
plan
