#!/bin/sh
# SPDX-License-Identifier: MIT
# Probes that were built when one driver, radeon, had no BTF (tests/stripped): it costs its own events only, and is named.
. ./tap.sh

release=$(uname -r)
rest_loads() { modprobe lttng-probe-gpu && grep '^lttng_probe_gpu ' /proc/modules && grep '^lttng_probe_gpu_fence ' /proc/modules && ! grep radeon /proc/modules; }
is_named() { dmesg | tail -30 | grep 'lttng-probe-gpu: radeon: not built: radeon had no BTF, its events are not recorded'; }
doctor_names_it() { LD_LIBRARY_PATH="$PWD/lib" ./lttng-gpu doctor >/tmp/doctor; grep 'warning  probe  *radeon had no BTF when the probes were built: its events are not recorded' /tmp/doctor; }

# modprobe takes the others as they are; of radeon there is none.
modprobe -r lttng-probe-gpu 2>/dev/null
mount --bind stripped/lttng-probe-gpu.ko "/lib/modules/$release/lttng-probe-gpu.ko"
echo "install lttng-probe-gpu-radeon /bin/false" >/etc/modprobe.d/stripped.conf
ok "no probe of that driver was built, the others were" sh -c '[ ! -e stripped/lttng-probe-gpu-radeon.ko ] && [ -e stripped/lttng-probe-gpu-fence.ko ]'
ok "lttng-probe-gpu loads the rest" rest_loads
ok "the kernel log names the driver" is_named
ok "so does doctor" doctor_names_it
modprobe -r lttng-probe-gpu
umount "/lib/modules/$release/lttng-probe-gpu.ko"
rm /etc/modprobe.d/stripped.conf
ok "the kernel log has no splat" no_splat
plan
