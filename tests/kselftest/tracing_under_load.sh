#!/bin/sh
# SPDX-License-Identifier: MIT
# Sessions that start and stop, and drivers and probes that go away, while jobs run.
. ./tap.sh

load() { ./gputest-load --processes 3 --jobs "$1" --exec-us 50:500 --dependency-percent 30; }
# drm_sched gives the jobs of a killed client up to a second per file to finish (drm_sched_entity_flush()).
unload_when_free() {
    for _ in $(seq $(seconds 100)); do
        modprobe -r gputest 2>/dev/null && return 0
        sleep 0.2
    done
    modprobe -r gputest
}
new_session() {
    lttng destroy --all
    lttng create --output=/tmp/trace-$1 $LTTNG_CREATE_OPTIONS $1 &&
        lttng enable-event --kernel --session=$1 'drm_*,gpu_fence_*,virtio_gpu_*' && lttng start $1
}
start_and_stop() {
    load 1000 &
    for i in $(seq 8); do
        new_session run$i && lttng stop run$i && lttng destroy run$i || return 1
        rm -rf /tmp/trace-run$i
    done
    wait $!
}
pause_and_resume() {
    load 1000 &
    new_session pause || return 1
    for i in $(seq 20); do lttng stop pause && lttng start pause || return 1; done
    wait $! && lttng destroy pause
}
unload_driver() {
    new_session unload || return 1
    for i in $(seq 5); do load 50 && modprobe -r gputest && modprobe gputest || return 1; done
    lttng destroy unload
}
kill_clients() {
    new_session kill || return 1
    for i in $(seq 3); do
        load 3000 &
        sleep 0.3
        pkill -9 gputest; wait $!
    done
    unload_when_free && modprobe gputest && lttng destroy kill
}
refuse_unload_while_traced() {
    new_session held || return 1
    ! rmmod lttng-probe-gpu-drm-sched && lttng destroy held && modprobe -r lttng-probe-gpu && modprobe lttng-probe-gpu
}

modprobe lttng-probe-gpu
modprobe gputest
lttng-sessiond --daemonize 2>/dev/null || true
ok "sessions are created, started, stopped and destroyed 8 times under load" start_and_stop
ok "one session is stopped and started 20 times under load" pause_and_resume
ok "the driver is unloaded and loaded 5 times while it is traced" unload_driver
ok "clients are killed 3 times while they are traced, and the driver unloads" kill_clients
ok "a probe in use stays loaded, and unloads when its session is destroyed" refuse_unload_while_traced
ok "the kernel log has no splat" no_splat
plan
