#!/bin/sh
# SPDX-License-Identifier: MIT
# Jobs on the test GPU driver that are late for known reasons, recorded with the scheduler's events; and jobs that hang
# when the recording ends. What was recorded and what was planted go to planted-causes/, for
# tests/diagnose/judge_guest.py. Environment: SEED, ALONE, PAIRS, CLEAN (how often each).
. ./tap.sh
export LD_LIBRARY_PATH="$PWD/lib"
export LTTNG_KMOD_PROBES=sched

recorded() {
    ./lttng-gpu record -o /tmp/planted --no-report --no-loss --events all,kernel:sched_switch,kernel:sched_waking -- \
        ./plant-causes --seed "${SEED:-$(repeated 1 3)}" --alone "${ALONE:-$(repeated 2 50)}" --pairs "${PAIRS:-$(repeated 1 4)}" \
        --clean "${CLEAN:-$(repeated 10 200)}" --hangs 1 --truth planted-causes/truth.json && [ -s planted-causes/truth.json ] || return 1
    cp /sys/kernel/debug/gputest/jobs planted-causes/jobs.csv && cp -r /tmp/planted planted-causes/trace
}

modprobe -r gputest
modprobe gputest credit_limit=4 devices=$(repeated 4 16)
rm -rf planted-causes
mkdir planted-causes
# A real-time process takes the CPU for 70 ms. The scheduler's workers stay on one CPU, so that it can be taken from them.
runtime=$(cat /proc/sys/kernel/sched_rt_runtime_us) workers=$(cat /sys/devices/virtual/workqueue/cpumask)
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
echo 1 >/sys/devices/virtual/workqueue/cpumask
ok "late jobs with known reasons are recorded" recorded
echo $runtime >/proc/sys/kernel/sched_rt_runtime_us
echo $workers >/sys/devices/virtual/workqueue/cpumask
ok "the driver goes, with the jobs that hang" modprobe -r gputest
ok "the kernel log has no splat" no_splat
plan
