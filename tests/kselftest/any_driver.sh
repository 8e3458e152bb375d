#!/bin/sh
# SPDX-License-Identifier: MIT
# Jobs of drivers that have no probe of their own, but use the scheduler: the test driver bears their names. What was
# recorded goes to any-driver/NAME for tests/end-to-end/any_driver.py.
. ./tap.sh

jobs_of() {
    modprobe gputest driver_name=$1 && lttng create --output=/tmp/trace-$1 $LTTNG_CREATE_OPTIONS $1 &&
        lttng enable-event --kernel --session=$1 'drm_*' && lttng add-context --kernel --session=$1 --type=pid --type=procname &&
        lttng start $1 && ./gputest-load --processes 2 --jobs 30 --exec-us 50:500 && lttng destroy $1 || return 1
    cp -r /tmp/trace-$1 any-driver/$1 && rm -rf /tmp/trace-$1
    modprobe -r gputest
}

modprobe lttng-probe-gpu-drm-sched
lttng-sessiond --daemonize 2>/dev/null || true
rm -rf any-driver
mkdir any-driver
for driver in v3d msm panfrost panthor lima etnaviv nouveau; do
    ok "jobs of $driver are recorded" jobs_of $driver
done
ok "the kernel log has no splat" no_splat
plan
