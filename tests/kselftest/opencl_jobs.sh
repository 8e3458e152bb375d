#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenCL calls and the kernel's jobs in one recording: a program on the test GPU driver's own OpenCL driver
# (tests/gputest/opencl), which submits in each of the ways of real drivers. What was recorded goes to
# opencl-jobs/WAY, and which command became which job to opencl-jobs/WAY.csv, for tests/end-to-end/opencl_kernel_jobs.py.
# The ways that say too little of themselves are recorded again with ioctls, and with the device's times (WAY-ioctls, WAY-times), and of
# a program that never waits with both (WAY-never-both); with LONG=1 each way of a driver's thread with any and all of that (WAY-long...),
# and of a program that never waits (WAY-never...). With WAYS=few only the ways direct and thread-times are.
. ./tap.sh

environment() { # environment LOG WAY COMMAND...
    log=$1 way=$2
    shift 2
    env GPUTEST_CL_SUBMIT=$way GPUTEST_CL_LOG=$PWD/opencl-jobs/$log.csv OCL_ICD_VENDORS=$PWD/icd LD_LIBRARY_PATH=$PWD/lib "$@"
}

in_containers() {
    cat >containers.sh <<'END'
GPUTEST_CL_LOG=${GPUTEST_CL_LOG%.csv}-outside.csv ./gputest-cl 2 40 &
GPUTEST_CL_LOG=${GPUTEST_CL_LOG%.csv}-inside.csv unshare --pid --fork --mount-proc ./gputest-cl 2 40
inside=$?
wait $! && exit $inside
END
    environment containers direct ./lttng-gpu record -o /tmp/opencl-containers --no-loss --no-report -- sh ./containers.sh &&
        cp -r /tmp/opencl-containers opencl-jobs/containers
}

recorded() { # recorded LOG WAY KERNELS OPTION...
    log=$1 way=$2 kernels=$3
    shift 3
    environment $log $way ./lttng-gpu record -o /tmp/opencl-$log --no-loss --no-report "$@" -- ./gputest-cl 2 $kernels $waiting &&
        cp -r /tmp/opencl-$log opencl-jobs/$log
}

# The next test looks at what it finds.
unloaded() {
    pkill -x lttng-sessiond
    for _ in $(seq $(seconds 300)); do
        left=$(cut -d' ' -f1 /proc/modules | grep ^lttng) || return 0
        pgrep -x lttng-sessiond >/dev/null || rmmod $left 2>/dev/null
        sleep 0.2
    done
    echo "$left"
    return 1
}

waiting=
modprobe gputest
rm -rf opencl-jobs icd
mkdir opencl-jobs icd
echo "$PWD/libgputest-opencl.so" >icd/gputest.icd
# The first recording loads and starts all that it needs itself; the others find it there, which is much faster under emulation.
ok "OpenCL commands that are submitted in the way 'direct' are recorded" recorded direct direct 160
export LTTNG_KMOD_PROBES=sched
# On a slow kernel a program answers late, and is dropped by a daemon that does not wait for it.
LTTNG_APP_SOCKET_TIMEOUT=-1 lttng-sessiond --background && modprobe lttng-probe-gpu
with_times() { # with_times WAY...
    export GPUTEST_CL_TIMES=1
    for way; do
        ok "OpenCL commands in the way '$way' are recorded with the device's times" recorded $way-times $way 160
    done
    unset GPUTEST_CL_TIMES
}
other_ways() {
    for way in flush thread merge split; do
        ok "OpenCL commands that are submitted in the way '$way' are recorded" recorded $way $way 160
    done
    # They are in few jobs, of which the first are in doubt until it is known that they are merged.
    ok "and merged ones with the ioctls of the driver's thread" recorded merge-ioctls merge 400 --events all,syscall:ioctl
    with_times merge split
    export GPUTEST_CL_TIMES=1
    waiting="0 never-waits"
    ok "and of a program that never waits in the way 'split' with both" recorded split-never-both split 160 --events all,syscall:ioctl
    waiting=
    unset GPUTEST_CL_TIMES
}
with_times thread
[ "${WAYS:-}" = few ] || other_ways
all_evidence() {
    for submits in thread merge split; do
        for mode in long never; do
            [ $mode = long ] && waiting= || waiting="0 never-waits"
            ok "$submits-$mode" recorded $submits-$mode $submits 160
            ok "$submits-$mode with ioctls" recorded $submits-$mode-ioctls $submits 160 --events all,syscall:ioctl
            export GPUTEST_CL_TIMES=1
            ok "$submits-$mode with the device's times" recorded $submits-$mode-times $submits 160
            [ -d opencl-jobs/$submits-$mode-both ] || ok "$submits-$mode with both" recorded $submits-$mode-both $submits 160 --events all,syscall:ioctl
            unset GPUTEST_CL_TIMES
        done
    done
    waiting=
}
[ -z "${LONG:-}" ] || all_evidence
ok "OpenCL programs in and beside a pid namespace are recorded" in_containers
ok "and nothing stays loaded" unloaded
ok "the kernel log has no splat" no_splat
plan
