#!/bin/sh
# SPDX-License-Identifier: MIT
# Frames of an OpenGL program on virtio_gpu (virgl) that are late for known reasons: its CPU is taken, it is stopped, a second
# OpenGL program keeps the GPU busy. Recorded with the scheduler's events. What was recorded and when what was planted goes to
# planted-frames/, for tests/diagnose/judge_frames.py.
. ./tap.sh
export LTTNG_KMOD_PROBES=sched

# In the recording: the program, and beside it what makes it late until all was planted.
cat >planted-frames.sh <<'END'
stdbuf -oL taskset 2 kmscube --count=100000 <>/tmp/planted-silence >kmscube.log 2>&1 &
victim=$!
tries=0
until grep -q Rendered kmscube.log; do
    tries=$((tries + 1))
    [ $tries -lt $((300 * ${SLOWER:-1})) ] && kill -0 $victim || exit 1
    sleep 0.2
done
taskset 1 ./plant-frames $victim $INSTANCES planted-frames/truth.json ./gl-sharer
result=$?
kill $victim
exit $result
END
recorded() {
    INSTANCES=$(repeated 3 50) LD_LIBRARY_PATH=$PWD/lib ./lttng-gpu record -o /tmp/planted-frames --no-report --api gl \
        --events all,kernel:sched_switch,kernel:sched_waking -- sh ./planted-frames.sh && [ -s planted-frames/truth.json ] || return 1
    cp -r /tmp/planted-frames planted-frames/trace
}

modprobe virtio-gpu
rm -rf planted-frames
mkdir planted-frames
cp gl/*.so .
mkfifo /tmp/planted-silence
runtime=$(cat /proc/sys/kernel/sched_rt_runtime_us)
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
ok "late frames with known reasons are recorded" recorded
echo $runtime >/proc/sys/kernel/sched_rt_runtime_us
ok "the kernel log has no splat" no_splat
rm liblttng-gpu-gl*.so
plan
