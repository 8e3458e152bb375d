#!/bin/sh
# SPDX-License-Identifier: MIT
# Probes and sessions that come and go while fences live and die: kernel text is patched under load.
. ./tap.sh

storm() { modprobe fencestorm fences="$1" && rmmod fencestorm; }
new_session() {
    lttng destroy --all
    lttng create --output=/tmp/trace-$1 $LTTNG_CREATE_OPTIONS $1 &&
        lttng enable-channel --kernel --session=$1 --subbuf-size=4M --num-subbuf=4 fences &&
        lttng enable-event --kernel --session=$1 --channel=fences 'gpu_fence_*' && lttng start $1
}
sessions_come_and_go() {
    storm 20000 &
    for i in $(seq 10); do new_session go$i && lttng stop go$i && lttng destroy go$i && rm -rf /tmp/trace-go$i || return 1; done
    wait $!
}
probe_comes_and_goes() {
    lttng destroy --all
    storm 20000 &
    for i in $(seq 20); do
        modprobe lttng-probe-gpu-fence && new_session probe && lttng destroy probe && rm -rf /tmp/trace-probe &&
            rmmod lttng-probe-gpu-fence || return 1
    done
    wait $!
    modprobe lttng-probe-gpu-fence
}

modprobe lttng-probe-gpu-fence
lttng-sessiond --daemonize 2>/dev/null || true
ok "10 sessions start and stop during 20000 fences" sessions_come_and_go
ok "the probe is loaded and unloaded 20 times during 20000 fences" probe_comes_and_goes
ok "the kernel log has no splat" no_splat
plan
