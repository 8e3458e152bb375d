// SPDX-License-Identifier: MIT
//
// See capture.hpp: which job each event tells of. Jobs are found by the context and the
// number of their finished fence; where a kernel's events have pointers only, the queue
// event is found by its time and the pointer leads on.
#include "capture.hpp"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace lttng_gpu::captures {
namespace {

const std::map<std::string_view, Phase>& phases()
{
    static const std::map<std::string_view, Phase> all{
        {"drm_sched_job_queue", Phase::Queued},
        {"drm_sched_job", Phase::Queued},
        {"amdgpu_cs_ioctl", Phase::Queued},
        {"i915_request_queue", Phase::Queued},
        {"i915_request_add", Phase::Queued},
        {"xe_sched_job_exec", Phase::Queued},
        {"drm_sched_job_run", Phase::Submitted},
        {"drm_run_job", Phase::Submitted},
        {"amdgpu_sched_run_job", Phase::Submitted},
        {"i915_request_execute", Phase::Submitted},
        {"i915_request_in", Phase::Submitted},
        {"i915_request_guc_submit", Phase::Submitted},
        {"xe_sched_job_run", Phase::Submitted},
        {"virtio_gpu_cmd_queue", Phase::Submitted},
        {"drm_sched_job_done", Phase::Completed},
        {"drm_sched_process_job", Phase::Completed},
        {"i915_request_out", Phase::Completed},
        {"xe_hw_fence_signal", Phase::Completed},
        {"virtio_gpu_cmd_response", Phase::Completed},
    };
    return all;
}

using Key = std::pair<std::uint64_t, std::uint64_t>;

/// dma_fence_* and i915 have the lower halves only.
Key short_key(std::uint64_t context, std::uint64_t seqno)
{
    return {context & UINT32_MAX, seqno & UINT32_MAX};
}

class Story {
public:
    explicit Story(Capture& capture) : m_capture{capture}
    {
        for (std::size_t job = 0; job < capture.jobs.size(); ++job) {
            const Job& made = capture.jobs[job];
            m_by_key[short_key(made.context, made.seqno)] = job;
            if (made.ring == "control") {
                m_by_virtio_fence[made.seqno] = job;
            }
            for (const Interval& interval : made.intervals) {
                m_by_queued[interval.queued].insert(job);
            }
        }
    }

    void tell(Event& event)
    {
        if (event.name.find("fence_") != std::string::npos && !event.name.starts_with("xe_")) {
            tell_fence(event);
            return;
        }
        const auto phase = phases().find(event.name);
        if (phase == phases().end()) {
            return;
        }
        event.job = find_job(event, phase->second);
        if (event.job == nobody) {
            return;
        }
        event.phase = phase->second;
        const std::uint64_t pointer = number_of(event, "fence");
        if (pointer != 0 && !event.name.starts_with("amdgpu_")) {
            m_by_pointer[pointer] = event.job;
        }
        if (event.phase == Phase::Submitted) {
            m_last_submitted[event.cpu] = event.job;
        }
        if (event.name == "i915_request_out" && number_of(event, "completed") == 0) {
            event.phase = Phase::Preempted;
        }
    }

private:
    void tell_fence(Event& event)
    {
        const std::uint64_t context = number_of(event, "context");
        const std::uint64_t seqno = number_of(event, "seqno");
        const bool is_init = event.name.ends_with("_init");
        const bool is_signaled = event.name.ends_with("_signaled");
        event.job = find_key(context, seqno);
        if (is_init && event.job == nobody) {
            m_last_made[place_of(event)] = &event;
        }
        if (event.job != nobody) {
            event.phase = is_init ? Phase::Queued : is_signaled ? Phase::Completed : Phase::None;
            if (event.name.ends_with("_emit")) {
                event.phase = Phase::Submitted;
                tell_made_fence(event);
            }
            return;
        }
        const Value* driver = find_field(event, "driver");
        const auto* name = driver == nullptr ? nullptr : std::get_if<std::string>(driver);
        const bool is_sched = name != nullptr && name->ends_with("_sched");
        if (is_sched && is_signaled) { // the scheduled fence
            event.job = find_key(context + 1, seqno);
            event.phase = event.job == nobody ? Phase::None : Phase::Submitted;
        } else if (!is_sched) {
            tell_hardware_fence(event, {context, seqno}, is_init);
        }
    }

    /// The thread, which may go to another CPU; where it is unknown the CPU.
    static std::pair<bool, Time> place_of(const Event& event)
    {
        return event.tid != unknown ? std::pair{true, event.tid}
                                    : std::pair{false, Time{event.cpu}};
    }

    /// virtio_gpu makes a fence without a number, and gives it one when it emits it.
    void tell_made_fence(const Event& emitted)
    {
        const auto made = m_last_made.find(place_of(emitted));
        if (made != m_last_made.end() && made->second != nullptr &&
            number_of(*made->second, "context") == number_of(emitted, "context")) {
            made->second->job = emitted.job;
            made->second->phase = Phase::Queued;
            made->second = nullptr;
        }
    }

    /// The driver makes it while it gives the job to the hardware. It tells nothing that the
    /// judge asks for, but has to move with its job.
    void tell_hardware_fence(Event& event, Key key, bool is_init)
    {
        const auto last = m_last_submitted.find(event.cpu);
        if (is_init && last != m_last_submitted.end()) {
            m_by_hardware_fence[key] = last->second;
        }
        const auto found = m_by_hardware_fence.find(key);
        event.job = found == m_by_hardware_fence.end() ? nobody : found->second;
        event.is_hardware_fence = event.job != nobody;
    }

    std::size_t find_key(std::uint64_t context, std::uint64_t seqno) const
    {
        const auto found = m_by_key.find(short_key(context, seqno));
        return found == m_by_key.end() ? nobody : found->second;
    }

    std::size_t find_job(const Event& event, Phase phase) const
    {
        if (event.name.starts_with("virtio_gpu_")) {
            const auto found = m_by_virtio_fence.find(number_of(event, "fence_id"));
            return found == m_by_virtio_fence.end() ? nobody : found->second;
        }
        if (find_field(event, "fence_context") != nullptr) {
            return find_key(number_of(event, "fence_context"), number_of(event, "fence_seqno"));
        }
        if (event.name.starts_with("amdgpu_")) {
            return find_key(number_of(event, "context"), number_of(event, "seqno"));
        }
        if (event.name.starts_with("i915_")) {
            return find_key(number_of(event, "ctx"), number_of(event, "seqno"));
        }
        if (phase == Phase::Queued) {
            return find_queued(event);
        }
        const auto found = m_by_pointer.find(number_of(event, "fence"));
        return found == m_by_pointer.end() ? nobody : found->second;
    }

    /// Several may have been queued at once, on different rings.
    std::size_t find_queued(const Event& event) const
    {
        const auto found = m_by_queued.find(event.time);
        const Value* ring = find_field(event, "name");
        if (found == m_by_queued.end() || ring == nullptr) {
            return nobody;
        }
        std::size_t only = nobody;
        for (const std::size_t job : found->second) {
            if (*ring == Value{m_capture.jobs[job].ring}) {
                only = only == nobody ? job : nobody;
            }
        }
        return only;
    }

    Capture& m_capture;
    std::map<Key, std::size_t> m_by_key;
    std::unordered_map<std::uint64_t, std::size_t> m_by_virtio_fence;
    std::unordered_map<Time, std::set<std::size_t>> m_by_queued;
    std::unordered_map<std::uint64_t, std::size_t> m_by_pointer;
    std::unordered_map<std::uint32_t, std::size_t> m_last_submitted; // by CPU
    std::map<Key, std::size_t> m_by_hardware_fence;
    std::map<std::pair<bool, Time>, Event*> m_last_made; // fences of unknown jobs, by place
};

} // namespace

void tell_jobs(Capture& capture)
{
    Story story{capture};
    for (Event& event : capture.events) {
        story.tell(event);
    }
}

} // namespace lttng_gpu::captures
