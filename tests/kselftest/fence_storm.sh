#!/bin/sh
# SPDX-License-Identifier: MIT
# Fences in every kind of life, traced: nothing is lost without being counted, and nothing breaks.
. ./tap.sh

fences=$(repeated 20000 500000) disturbed=$(repeated 10000 30000) cycles=$(repeated 5 10)
counters=/sys/module/fencestorm/parameters
storm() { modprobe fencestorm fences="$1" && rmmod fencestorm; }
new_session() {
    lttng destroy --all
    lttng create --output=/tmp/trace-$1 $LTTNG_CREATE_OPTIONS $1 &&
        lttng enable-channel --kernel --session=$1 --subbuf-size=4M --num-subbuf="${2:-8}" fences &&
        lttng enable-event --kernel --session=$1 --channel=fences 'gpu_fence_*' && lttng start $1
}
# Under PREEMPT_RT drivers' interrupts are threads.
uname -v | grep -q PREEMPT_RT && in_hard_irq=0 || in_hard_irq=$((fences / 10 + 1))
# tests/end-to-end/count_storm.py compares what has fired with what was recorded; the guest has no babeltrace2.
every_life() {
    mkdir -p storm
    new_session storm && modprobe fencestorm fences=$fences || return 1
    lttng stop storm
    for counter in init emit enable_signal signaled wait_start wait_end destroy in_hard_irq in_nmi; do
        echo "$counter $(cat $counters/$counter)"
    done | tee storm/counts
    rmmod fencestorm
    lttng destroy storm && cp -r /tmp/trace-storm storm/trace && rm -rf /tmp/trace-storm
    awk -v fences=$fences -v in_hard_irq=$in_hard_irq '{ n[$1] = $2; if ($1 !~ /^in_/) sum += $2 }
        END { print sum, "events"; exit !(sum >= 10 * fences && n["in_hard_irq"] >= in_hard_irq && n["in_nmi"] > fences / 10 && n["destroy"] == fences) }' storm/counts
}
cpu_comes_and_goes() {
    new_session hotplug || return 1
    storm $disturbed &
    for i in $(seq $cycles); do
        echo 0 >/sys/devices/system/cpu/cpu1/online && echo 1 >/sys/devices/system/cpu/cpu1/online || return 1
    done
    wait $! && lttng destroy hotplug && rm -rf /tmp/trace-hotplug
}
# Everything but 150 MiB is taken, so that allocations wait for reclaim while fences are traced.
little_memory() {
    new_session pressure 2 || return 1
    available=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
    mount -t tmpfs -o size=100% tmpfs /mnt
    head -c $(((available - 150 * 1024) * 1024)) /dev/zero >/mnt/ballast
    grep MemAvailable /proc/meminfo
    storm $disturbed
    error=$?
    umount /mnt
    lttng destroy pressure && rm -rf /tmp/trace-pressure && return $error
}

modprobe lttng-probe-gpu-fence
lttng-sessiond --daemonize 2>/dev/null || true
ok "$fences fences: signalled before, while and after their events, from threads, hard interrupts and NMI context" every_life
ok "a CPU goes offline and online $cycles times during $disturbed fences" cpu_comes_and_goes
ok "$disturbed fences with little memory" little_memory
ok "the kernel log has no splat" no_splat
plan
