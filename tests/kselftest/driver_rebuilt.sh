#!/bin/sh
# SPDX-License-Identifier: MIT
# A driver that its developer builds again and loads, under the same name and version (tests/rebuilt): read as long as what
# the probe knows of it holds, else refused, until the probe is built again.
. ./tap.sh
export LTTNG_KMOD_PROBES=sched

release=$(uname -r)
said() { dmesg | grep -c "lttng_probe_gpu_intel_vpu: not built for the intel_vpu that is loaded (ivpu_job.vdev is at byte 8 and not at 0)"; }
doctor() { LD_LIBRARY_PATH="$PWD/lib" ./lttng-gpu doctor >/tmp/doctor; grep "$1" /tmp/doctor; }
# fired NAME: records one job into /tmp/NAME.
fired() {
    rm -rf "/tmp/$1"
    lttng create --output="/tmp/$1" $LTTNG_CREATE_OPTIONS "$1" && lttng enable-event --kernel --session="$1" vpu_job && lttng start "$1" &&
        echo 4711 >/sys/module/intel_vpu/parameters/fire && lttng destroy "$1"
}
# The fields of that job as the driver set them: event, ctx_id, engine_id, job_id, cmdq_id, of the fence what it may be, dev_name.
as_it_is='submit\0\x03\0\0\0\x07\0\0\0\x67\x12\0\0\x05\0\0\0.{16}rebuilt-vpu\0'
is_read() { fired "$1" && LC_ALL=C grep -caP "(?s)$as_it_is" "/tmp/$1"/kernel/channel0_*; }
# An event begins with that text wherever the fields are.
is_not_read() { fired "$1" && ! LC_ALL=C grep -a submit "/tmp/$1"/kernel/channel0_*; }
load() { insmod "rebuilt/$1/intel_vpu.ko"; }

driver_is_read() { load read && insmod rebuilt/probe/lttng-probe-gpu-intel-vpu.ko && is_read read; }
appended_is_read() { rmmod intel_vpu && load appended && is_read appended && [ "$(said)" = 0 ] && ! doctor 'lttng_probe_gpu_intel_vpu does not read'; }
moved_is_refused() { rmmod intel_vpu && load moved && [ "$(said)" = 1 ] && is_not_read moved; }
doctor_says_it() {
    doctor 'missing  probe  *lttng_probe_gpu_intel_vpu does not read the driver that is loaded (ivpu_job.vdev is at byte 8 and not at 0).*as root: lttng-gpu-rebuild$' && dmesg | grep -q 'build the probe again, as root: lttng-gpu-rebuild'
}
record_says_it() {
    LD_LIBRARY_PATH="$PWD/lib" ./lttng-gpu record --events kernel --no-report -o /tmp/recorded -- true 2>/tmp/record
    cat /tmp/record
    grep -q 'lttng_probe_gpu_intel_vpu does not read the driver that is loaded .*: its jobs are not recorded' /tmp/record
}
refused_at_load() { rmmod lttng_probe_gpu_intel_vpu && insmod rebuilt/probe/lttng-probe-gpu-intel-vpu.ko && [ "$(said)" = 2 ] && is_not_read again; }
# What "make modules" and "make install" do, of this one probe; the driver that is loaded is the one that it is built for.
# The guest's own compiler takes minutes under emulation: the short form takes the probe that the host has built (tests/rebuilt/build).
rebuild() {
    if [ ! "${LONG:-}" ]; then
        replace_probe rebuilt/again
        return
    fi
    [ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd # bash wants it
    LD_LIBRARY_PATH="$PWD/rebuilt/lib" BTF_LAYOUT=$PWD/rebuilt/tree/btf-layout PROBES=intel_vpu KERNELDIR=/usr/src/linux-headers-$release \
        rebuilt/tree/scripts/build-modules /tmp/build && replace_probe /tmp/build
}
replace_probe() { rmmod lttng_probe_gpu_intel_vpu && insmod "$1/lttng-probe-gpu-intel-vpu.ko" && [ "$(said)" = 2 ] && is_read rebuilt; }
doctor_is_content() { ! doctor 'lttng_probe_gpu_intel_vpu does not read'; }
# LTTng frees what a destroyed session held a moment later.
unloads() {
    for _ in $(seq $(seconds 50)); do
        rmmod lttng_probe_gpu_intel_vpu && break
        sleep 0.2
    done
    # Probes that an earlier test has left need the base.
    rmmod intel_vpu && { rmmod lttng_gpu_base || grep '^lttng_gpu_base .* lttng_probe' /proc/modules; }
}
returns() { rmmod intel_vpu && load read && is_not_read returned; }

if [ ! -d rebuilt/read ]; then
    skip "a driver that was built again" "drivers that are built out of tree get no BTF here"
    plan
    exit
fi
lttng-sessiond --daemonize 2>/dev/null || true
modprobe lttng-tracer
insmod rebuilt/probe/lttng-gpu-base.ko
ok "the driver is read that the probe was built for" driver_is_read
ok "a build that changes nothing of what is read is read, too" appended_is_read
ok "one in which fields have moved is refused, with a message" moved_is_refused
ok "doctor says so, and what to do" doctor_says_it
ok "record says so, too, and records the rest" record_says_it
ok "it is refused, too, when it was there before the probe" refused_at_load
ok "the probe reads it when it was built again" rebuild
ok "doctor has nothing to say then" doctor_is_content
ok "and the first driver is foreign now" returns
ok "probe and driver are unloaded" unloads
ok "the kernel log has no splat" no_splat
plan
