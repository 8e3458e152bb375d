#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands of OpenCL on the test GPU driver that are late for known reasons, recorded with the scheduler's events: the program
# submits itself, and a thread of the driver's library does. What was recorded and planted goes to planted-opencl/WAY, for
# tests/diagnose/judge_guest.py. Environment: SEED, ALONE, PAIRS, CLEAN (how often each), WAYS (of the two).
. ./tap.sh
export LTTNG_KMOD_PROBES=sched

recorded() {
    way=$1 place=planted-opencl/$1
    mkdir $place
    # What the driver's library logs tells the program which job a command became.
    env GPUTEST_CL_SUBMIT=$way GPUTEST_CL_LOG=$PWD/$place/commands.csv OCL_ICD_VENDORS=$PWD/icd LD_LIBRARY_PATH=$PWD/lib \
        ./lttng-gpu record -o /tmp/planted-$way --no-report --no-loss --events all,kernel:sched_switch,kernel:sched_waking -- \
        ./plant-causes-cl --seed "${SEED:-$(repeated 1 5)}" --alone "${ALONE:-$(repeated 2 50)}" --pairs "${PAIRS:-$(repeated 0 4)}" \
        --clean "${CLEAN:-$(repeated 5 200)}" --hangs $hangs --truth $place/truth.json && [ -s $place/truth.json ] || return 1
    cp /sys/kernel/debug/gputest/jobs $place/jobs.csv && cp -r /tmp/planted-$way $place/trace
}

rm -rf planted-opencl icd
mkdir planted-opencl icd
echo "$PWD/libgputest-opencl.so" >icd/gputest.icd
runtime=$(cat /proc/sys/kernel/sched_rt_runtime_us) workers=$(cat /sys/devices/virtual/workqueue/cpumask)
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
echo 1 >/sys/devices/virtual/workqueue/cpumask
for way in ${WAYS:-direct thread}; do
    modprobe -r gputest
    modprobe gputest credit_limit=4 devices=$(repeated 3 16)
    hangs=$([ $way = direct ] && echo 1 || echo 0)
    ok "late commands of OpenCL with known reasons are recorded, submitted in the way '$way'" recorded $way
done
echo $runtime >/proc/sys/kernel/sched_rt_runtime_us
echo $workers >/sys/devices/virtual/workqueue/cpumask
ok "the driver goes, with the jobs that hang" modprobe -r gputest
ok "the kernel log has no splat" no_splat
plan
