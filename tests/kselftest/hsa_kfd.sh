#!/bin/sh
# SPDX-License-Identifier: MIT
# The HSA runtime on the real KFD: amdgpu without any GPU gives /dev/kfd and one device, the CPU. The unmodified runtime starts,
# loads the layer, and is recorded beside the kernel. Later kernels than 6.1 have no device here: open() of /dev/kfd fails.
. ./tap.sh
export LTTNG_KMOD_PROBES=sched LD_LIBRARY_PATH="$PWD/hsa:$PWD/lib"

is_tried() { [ -x hsa/hsa-agents ] && uname -r | grep -q '^6\.1\.'; }
has_kfd() { modprobe amdgpu && [ -c /dev/kfd ] && cat /sys/class/kfd/kfd/topology/nodes/0/name; }
agents() { timeout 200 hsa/hsa-agents >hsa-bare.log 2>hsa-bare-words.log || { cat hsa-bare-words.log; return 1; } && grep '^agent: CPU' hsa-bare.log; }
recorded() {
    timeout --foreground 400 ./lttng-gpu record -o /tmp/hsa-kfd --no-report --api hsa -- hsa/hsa-agents >hsa-recorded.log 2>hsa-words.log
    code=$?
    cat hsa-words.log hsa-recorded.log
    [ $code = 0 ] && cmp hsa-bare.log hsa-recorded.log
}
# The first hsa_init() brings the layer, so it is not among the calls.
has_calls() {
    ./lttng-gpu export --to chrome /tmp/hsa-kfd -o /tmp/hsa-kfd.json
    for call in hsa_iterate_agents hsa_agent_get_info hsa_shut_down; do
        grep -o -m1 "\"cat\":\"api_call\".*\"name\":\"$call[\"(]" /tmp/hsa-kfd.json | head -1 || return 1
        grep -q "\"cat\":\"api_call\".*\"name\":\"$call[\"(]" /tmp/hsa-kfd.json || return 1
    done
}
has_kernel() { ls -s /tmp/hsa-kfd/kernel && [ -s /tmp/hsa-kfd/kernel/metadata ]; }

if is_tried; then
    cp hsa/liblttng-gpu-hsa*.so .
    ok "amdgpu has a KFD and a node without a GPU" has_kfd
    ok "the runtime starts on it" agents
    ok "it prints the same while it is recorded" recorded
    ok "its calls are in the trace" has_calls
    ok "the kernel is in the same session" has_kernel
    ok "the kernel log has no splat" no_splat
    rm -f liblttng-gpu-hsa*.so
    modprobe -r amdgpu
else
    skip "the HSA runtime on the KFD" "only Linux 6.1 has a KFD without a GPU"
fi
plan
