// SPDX-License-Identifier: MIT
//
// See print_formats.hpp. Taken from TP_printk() of the headers named at each group, read in
// drm-kmod's imports of Linux 4.16 to 6.11 and in Linux itself for what is newer or older;
// the plugin formats from libtraceevent 1.7's plugins.
#include "print_formats.hpp"

#include <array>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr auto formats = std::to_array<PrintFormat>({
    // drivers/gpu/drm/scheduler/gpu_scheduler_trace.h, v6.17
    {"drm_sched_job_queue drm_sched_job_run",
     "dev={dev:s}, fence={fence_context}:{fence_seqno}, ring={name:s}, job count:{job_count}, "
     "hw job count:{hw_job_count}{?, client_id:{client_id}?}"},
    {"drm_sched_job_done", "fence={fence_context}:{fence_seqno} signaled"},
    {"drm_sched_job_add_dep", "fence={fence_context}:{fence_seqno} depends on fence={ctx}:{seqno}"},
    {"drm_sched_job_unschedulable",
     "fence={fence_context}:{fence_seqno} depends on unsignalled fence={ctx}:{seqno}"},
    // the same, v4.17 to v6.16 (include/drm/ before v4.19); amd_sched_job before v4.17
    {"drm_sched_job drm_run_job amd_sched_job",
     "{?dev={dev:s}, ?}entity={entity:x}, id={id}, fence={fence:x}, ring={name:s}, "
     "job count:{job_count}, hw job count:{hw_job_count}"},
    // the form that was proposed for the v6.17 series and ran on developers' machines
    {"drm_sched_job drm_run_job",
     "{?dev={dev:s}, ?}id={id}, fence=(context:{fence_context}, seqno:{fence_seqno}), "
     "ring={name:s}, job count:{job_count}, hw job count:{hw_job_count}"},
    {"drm_sched_process_job amd_sched_process_job", "fence={fence:x} signaled"},
    {"drm_sched_process_job", "fence=(context:{fence_context}, seqno:{fence_seqno}) signaled"},
    {"drm_sched_job_wait_dep",
     "job ring={name:s}, id={id}, depends fence={fence:x}, context={ctx}, seq={seqno}"},

    // include/trace/events/dma_fence.h; fence.h before v4.10
    {"dma_fence_* fence_*",
     "driver={driver:s} timeline={timeline:s} context={context} seqno={seqno}"},

    // drivers/gpu/drm/i915/i915_trace.h, v4.12 to v6.17: `ring` became engine=class:instance in
    // v4.19, hw_id came with v4.16 and went with v5.5, global went with v5.2, blocking with v5.3,
    // completed? came with v4.18, tail with v5.16
    {"i915_request_* i915_gem_request_*",
     "dev={dev}, {?engine={class}:{instance}, ?}{?hw_id={hw_id}, ?}{?ring={ring}, ?}ctx={ctx}, "
     "seqno={seqno}{?, prio={prio}?}{?, global={global|global_seqno}?}{?, port={port}?}"
     "{?, completed?={completed}?}{?, blocking={blocking}?}{?, flags={flags:x}?}"
     "{?, tail={tail}?}"},
    // before v4.12: dispatch had flags, waits had blocking
    {"i915_gem_request_* i915_gem_ring_dispatch",
     "dev={dev}, ring={ring}, seqno={seqno}{?, flags={flags:x}?}{?, blocking={blocking}?}"},
    {"intel_engine_notify", "dev={dev}, {?engine={class}:{instance}, ?}{?ring={ring}, "
                            "?}seqno={seqno}, waiters={waiters}"},

    // drivers/gpu/drm/amd/amdgpu/amdgpu_trace.h, v4.12 to v6.17: ring_name was a pointer before
    // v5.5, sched_job went and fence=context:seqno came with v6.17
    {"amdgpu_cs_ioctl amdgpu_sched_run_job",
     "{?sched_job={sched_job_id}, ?}timeline={timeline:s}, {?context={context}, "
     "?}{?seqno={seqno}, ?}{?fence={context}:{seqno}, ?}ring_name={ring|ring_name:s}, "
     "num_ibs={num_ibs}"},
    {"amdgpu_ib_pipe_sync", "job ring={ring|name:s}, id={id}, need pipe sync to "
                            "fence={fence:x}, context={ctx}, seq={seqno}"},
    {"amdgpu_ib_pipe_sync", "job ring={ring|name:s} need pipe sync to fence={ctx}:{seqno}"},
    {"amdgpu_iv",
     "{?ih:{ih} ?}client_id:{client_id} src_id:{src_id} ring:{ring_id} {?vmid:{vmid} ?}"
     "{?vm_id:{vmid} ?}timestamp: {timestamp} {?pasid:{pasid} ?}{?pas_id:{pasid} ?}src_data:{*}"},
    {"amdgpu_cs", "bo_list={bo_list:x}, ring={ring}, dw={dw}, fences={fences}"},
    // the kernel's labels are swapped
    {"amdgpu_cs_bo_status", "total_bo_size={total_bo}, total_bo_count={total_size}"},
    {"amdgpu_bo_move amdgpu_ttm_bo_move",
     "bo={bo:x}, from={old_placement}, to={new_placement}, size={bo_size}"},
    {"amdgpu_vm_grab_id",
     "{?pasid={pasid}, ?}{?vm={vm:x}, ?}ring={ring:s}, id={vmid}, hub={vm_hub}, "
     "pd_addr={pd_addr:x} needs_flush={needs_flush}"},
    {"amdgpu_vm_flush", "ring={ring:s}, id={vmid}, hub={vm_hub}, pd_addr={pd_addr:x}"},

    // drivers/gpu/drm/virtio/virtgpu_trace.h: num_free and seqno came together, later
    {"virtio_gpu_cmd_queue virtio_gpu_cmd_response",
     "vdev={dev} vq={vq} name={name:s} type={type:x} flags={flags:x} fence_id={fence_id} "
     "ctx_id={ctx_id}{? num_free={num_free}?}{? seqno={seqno}?}"},

    // drivers/gpu/drm/xe/xe_trace.h: lrc_seqno, dev and gt came one after the other
    {"xe_sched_job_*",
     "{?dev={dev:s}, ?}fence={fence:x}, seqno={seqno}, {?lrc_seqno={lrc_seqno}, ?}{?gt={gt_id}, "
     "?}guc_id={guc_id}, batch_addr={batch_addr:x}, guc_state={guc_state:x}, flags={flags:x}, "
     "error={error}"},
    {"xe_hw_fence_*", "{?dev={dev:s}, ?}ctx={ctx:x}, fence={fence:x}, seqno={seqno}"},
    {"xe_exec_queue_*",
     "{?dev={dev:s}, ?}{class}:{logical_mask:x}, gt={gt_id}, {?width={width}, ?}guc_id={guc_id}, "
     "guc_state={guc_state:x}, flags={flags:x}"},

    // drivers/gpu/drm/v3d/v3d_trace.h, since v4.18
    {"v3d_submit_cl", "dev={dev}, RCL{is_render=1}, seqno={seqno}, {ctnqba:x}..{ctnqea:x}"},
    {"v3d_submit_cl", "dev={dev}, BCL{is_render=0}, seqno={seqno}, {ctnqba:x}..{ctnqea:x}"},
    {"v3d_submit_csd v3d_submit_tfu v3d_*_irq", "dev={dev}, seqno={seqno}"},
    {"v3d_submit_cl_ioctl", "dev={dev}, RCL {ct1qba:x}..{ct1qea:x}"},
    {"v3d_submit_csd_ioctl", "dev={dev}, CFG5 {cfg5:x}, CFG6 {cfg6:x}"},
    {"v3d_submit_tfu_ioctl", "dev={dev}, IIA {iia:x}"},

    // drivers/gpu/drm/msm/msm_gpu_trace.h, since v4.21
    {"msm_gpu_submit", "id={id} pid={pid} ring={ringid} bos={bos} cmds={cmds}"},
    {"msm_gpu_submit_flush", "id={id} pid={pid} ring={ringid}:{seqno} ticks={ticks}"},
    {"msm_gpu_submit_retired",
     "id={id} pid={pid} ring={ringid}:{seqno} elapsed={elapsed} ns mhz={clock} "
     "start={start_ticks} end={end_ticks}"},

    // drivers/gpu/drm/lima/lima_trace.h
    {"lima_task_submit lima_task_run",
     "task={task_id:x}, context={context} seqno={seqno} pipe={pipe:s}"},

    // drivers/accel/ivpu/ivpu_trace.h, v6.14
    {"job", "{event:s} context:{ctx_id} engine:{engine_id} job:{job_id}"},

    // include/trace/events/amdxdna.h, v6.14: op came later
    {"mbox_set_tail mbox_set_head", "{name:s}.{chann_id} id {msg_id:x} opcode {opcode:x}"},
    {"xdna_job", "fence=(context:{fence_context}, seqno:{fence_seqno}), {name:s} seq#:{seq} "
                 "{str:s}, op={op}"},
    {"xdna_job", "fence=(context:{fence_context}, seqno:{fence_seqno}), {name:s} seq#:{seq} "
                 "{str:s}"},

    // include/trace/events/sched.h; then as libtraceevent's plugin prints it
    {"sched_switch", "prev_comm={prev_comm:s} prev_pid={prev_tid|prev_pid} prev_prio={prev_prio} "
                     "prev_state={prev_state:s} ==> next_comm={next_comm:s} "
                     "next_pid={next_tid|next_pid} next_prio={next_prio}"},
    {"sched_switch", "{prev_comm:s}:{prev_tid|prev_pid} [{prev_prio}] {prev_state:s} ==> "
                     "{next_comm:s}:{next_tid|next_pid} [{next_prio}]"},
    {"sched_wakeup sched_wakeup_new sched_waking",
     "comm={comm:s} pid={tid|pid} prio={prio} {?success={success} ?}target_cpu={target_cpu}"},
    {"sched_wakeup sched_wakeup_new sched_waking",
     "{comm:s}:{tid|pid} [{prio}] {?success={success} ?}CPU:{target_cpu}"},
    {"sched_process_fork", "comm={parent_comm:s} pid={parent_tid} child_comm={child_comm:s} "
                           "child_pid={child_tid}"},
    {"sched_process_exit sched_process_free", "comm={comm:s} pid={tid|pid} prio={prio}"},
    {"sched_process_exec", "filename={filename:s} pid={tid|pid} old_pid={old_tid|old_pid}"},
});

constexpr auto renamed = std::to_array<OldName>({
    {"dma_fence_*", "fence_*"},                         // v4.10, f54d1867005c
    {"i915_request_*", "i915_gem_request_*"},           // v4.17, e61e0f51ba79
    {"drm_sched_job", "amd_sched_job"},                 // v4.17, 1b1f42d8fde4
    {"drm_sched_process_job", "amd_sched_process_job"}, // the same
    {"amdgpu_bo_move", "amdgpu_ttm_bo_move"},           // v4.17
});

constexpr auto other_fields = std::to_array<OtherField>({
    // LTTng calls the kernel's thread ids tid; its child_pid and parent_pid are processes
    {"sched_switch", "prev_tid", "prev_pid"},
    {"sched_switch", "next_tid", "next_pid"},
    {"sched_wakeup sched_wakeup_new sched_waking", "tid", "pid"},
    {"sched_process_fork", "parent_tid", "parent_pid"},
    {"sched_process_fork", "child_tid", "child_pid"},
    {"sched_process_fork", "parent_pid", ""},
    {"sched_process_fork", "child_pid", ""},
    {"sched_process_exit sched_process_free sched_process_exec", "tid", "pid"},
    {"sched_process_exec", "old_tid", "old_pid"},
    {"amdgpu_cs_ioctl amdgpu_sched_run_job", "ring", "ring_name"}, // a pointer before v5.5
    {"amdgpu_cs_ioctl amdgpu_sched_run_job", "ring_name", "ring"},
    {"amdgpu_ib_pipe_sync", "ring", "name"},
    {"i915_request_in i915_request_out", "global", "global_seqno"},
});

bool matches(std::string_view event, std::string_view name)
{
    if (const std::size_t star = name.find('*'); star != std::string_view::npos) {
        return event.size() >= name.size() - 1 && event.starts_with(name.substr(0, star)) &&
               event.ends_with(name.substr(star + 1));
    }
    return event == name;
}

} // namespace

std::span<const PrintFormat> print_formats()
{
    return formats;
}

std::span<const OldName> old_event_names()
{
    return renamed;
}

std::span<const OtherField> other_field_names()
{
    return other_fields;
}

bool is_among(std::string_view event, std::string_view events)
{
    while (!events.empty()) {
        const std::size_t end = std::min(events.find(' '), events.size());
        if (matches(event, events.substr(0, end))) {
            return true;
        }
        events.remove_prefix(std::min(end + 1, events.size()));
    }
    return false;
}

bool is_format_of(const PrintFormat& format, std::string_view event)
{
    return is_among(event, format.events);
}

} // namespace lttng_gpu::trace::ftrace
