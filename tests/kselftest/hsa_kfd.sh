#!/bin/sh
# SPDX-License-Identifier: MIT
# The HSA runtime on the real KFD: amdgpu without any GPU gives /dev/kfd and one device, the CPU. The unmodified runtime starts,
# and loads the layer in a session with the kernel, which goes to hsa-kfd/trace for tests/end-to-end/hsa_kfd.py. Later kernels
# than 6.1 have no device here: open() of /dev/kfd fails.
. ./tap.sh
export LTTNG_KMOD_PROBES=sched LD_LIBRARY_PATH="$PWD/hsa:$PWD/lib"

is_tried() { [ -x hsa/hsa-agents ] && uname -r | grep -q '^6\.1\.'; }
has_kfd() { modprobe amdgpu && [ -c /dev/kfd ] && cat /sys/class/kfd/kfd/topology/nodes/0/name; }
agents() { timeout $(seconds 200) hsa/hsa-agents >hsa-bare.log 2>hsa-bare-words.log || { cat hsa-bare-words.log; return 1; } && grep '^agent: CPU' hsa-bare.log; }
recorded() {
    timeout --foreground $(seconds 400) ./lttng-gpu record -o /tmp/hsa-kfd --no-report --api hsa -- hsa/hsa-agents >hsa-recorded.log 2>hsa-words.log
    code=$?
    cat hsa-words.log hsa-recorded.log
    [ $code = 0 ] && cmp hsa-bare.log hsa-recorded.log && cp -r /tmp/hsa-kfd hsa-kfd/trace && cp hsa-bare.log hsa-kfd/output
}

if is_tried; then
    rm -rf hsa-kfd
    mkdir hsa-kfd
    cp hsa/liblttng-gpu-hsa*.so .
    ok "amdgpu has a KFD and a node without a GPU" has_kfd
    ok "the runtime starts on it" agents
    ok "it prints the same while it is recorded" recorded
    ok "the kernel log has no splat" no_splat
    rm -f liblttng-gpu-hsa*.so
    modprobe -r amdgpu
else
    skip "the HSA runtime on the KFD" "only Linux 6.1 has a KFD without a GPU"
fi
plan
