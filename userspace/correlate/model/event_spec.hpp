// SPDX-License-Identifier: MIT
//
// What one trace system contributes to the normaliser: for each of its events
// the name, the fields it needs and the function that makes of a raw event what
// the job tracker is told. One .cpp file per trace system; a new driver adds one.
#pragma once

#include "../base/anomaly.hpp"
#include "../trace/enumeration_table.hpp"
#include "../trace/raw_event.hpp"
#include "api/device_clocks.hpp"
#include "i915_engines.hpp"
#include "job_tracker.hpp"
#include "shared_rings.hpp"
#include "thread_notes.hpp"
#include "waits.hpp"

#include <initializer_list>
#include <memory>

namespace lttng_gpu::model {

class ApiJobs;

/// What handlers may look at and change.
struct NormaliserState {
    NormaliserState(StringPool& pool, RingTable& ring_table, AnomalyCounters& counters,
                    JobTracker& tracker, JobSink& job_sink, DeviceClocks& device_clocks,
                    const trace::EnumerationTable& enumeration_table);
    ~NormaliserState();

    RingTable& rings;
    AnomalyCounters& anomalies;
    JobTracker& jobs;
    TextIds texts;
    ThreadTable threads;
    ThreadNotes notes;
    Waits waits;
    SharedRings shared_rings;
    I915Engines i915;

    Actor actor_of(const trace::RawEvent& event) { return threads.actor_of(event, texts); }
    /// See RingTable::tell_name().
    void tell_name(RingId ring, std::string_view name, NameTeller teller)
    {
        if (!rings.tell_name(ring, name, teller)) {
            anomalies.count(Anomaly::RingNamesDiffer);
        }
    }
    /// The name is not that of two rings of two devices.
    bool is_one_ring(RingId ring)
    {
        return rings.has_device(ring) || jobs.fifo(ring).is_known_single();
    }
    /// The ring of an open job has the other's name if one of both is a number.
    void tell_name_of_job(JobIndex job, RingId ring);
    /// Nothing when the thread is unknown.
    ThreadNote* note_of(const trace::RawEvent& event);
    ThreadNote* find_note(const trace::RawEvent& event);
    /// The virtio_gpu submission under way: of the thread where it is known, else
    /// of the CPU; a CPU only tells that emit and command follow each other.
    VirtioFence* find_virtio_fence(const trace::RawEvent& event);

    struct VirtioDevices {
        std::optional<std::int64_t> first;
        bool is_one = true;
    };

    /// Made by the first event of an API; traces without any pay nothing.
    ApiJobs& api();
    ApiJobs* find_api_jobs() { return x_api.get(); }

    StringPool& strings;
    /// Whose numbers the values of enumerations have; empty if the reader was given none.
    const trace::EnumerationTable& enumerations;

    /// See EventSource::clock_offsets(); nothing while unknown.
    PerTrace<std::optional<Duration>> clock_offsets;
    PerTrace<std::vector<VirtioFence>> virtio_of_cpu;
    PerTrace<VirtioDevices> virtio_devices;

private:
    JobSink& x_sink;
    DeviceClocks& x_clocks;
    std::unique_ptr<ApiJobs> x_api;
};

using EventHandler = void (*)(NormaliserState&, const trace::RawEvent&);

struct EventSpec {
    std::string_view name;
    std::span<const std::string_view> fields;
    EventHandler handler;
    bool only_without_contexts = false;
    bool needs_contexts = true; // the handler asks who it was
};

std::span<const EventSpec> drm_sched_events();
std::span<const EventSpec> amdgpu_events();
std::span<const EventSpec> i915_events();
std::span<const EventSpec> intel_events();
std::span<const EventSpec> xe_events();
std::span<const EventSpec> virtio_gpu_events();
std::span<const EventSpec> gpu_fence_events();
std::span<const EventSpec> sched_events();

/// The value of a wanted field by its position; nothing when absent.
inline std::optional<std::uint64_t> find_unsigned(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_unsigned();
}
inline std::optional<std::int64_t> find_signed(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_signed();
}
inline std::string_view find_text(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_text();
}

/// A name that old kernels recorded as a pointer comes as a number; the number
/// still tells rings apart.
class NameText {
public:
    explicit NameText(const trace::FieldValue& value) : x_text{value.as_text()}
    {
        if (const auto number = value.as_unsigned()) {
            write(*number);
        }
    }
    std::string_view text() const { return x_text; }
    NameText(const NameText&) = delete;
    NameText& operator=(const NameText&) = delete;

private:
    void write(std::uint64_t number);

    std::array<char, 19> x_digits; // 0x and 16 digits
    std::string_view x_text;
};

inline JobKey fence_key(TraceId trace, std::uint64_t context, std::uint64_t seqno,
                        bool is_cut = false)
{
    return {trace, KeyKind::Fence, is_cut, context, seqno};
}
/// The job is the one that another event told of by this fence.
inline void join(NormaliserState& state, JobIndex job, const JobKey& fence)
{
    const JobIndex known = state.jobs.find_open(fence);
    if (known == no_job || known == job) {
        state.jobs.add_key(job, fence);
        state.jobs.at(job).job.fence = {FenceContext{fence.timeline}, FenceSeqno{fence.seqno}};
    } else if (state.jobs.at(known).is_tentative) {
        state.jobs.drop(known);
        join(state, job, fence);
    } else {
        state.jobs.merge(known, job); // the one that was first stays
    }
}

/// What drm_sched's and amdgpu's events have in common up to v6.16: the number that the ring's
/// scheduler gave the job.
inline JobKey scheduler_number_key(TraceId trace, RingId ring, std::uint64_t number)
{
    return {trace, KeyKind::SchedulerId, false, ring.value(), number};
}

inline JobKey virtio_fence_key(TraceId trace, std::uint64_t number, bool is_cut = false)
{
    return {trace, KeyKind::VirtioFence, is_cut, 0, number};
}
inline FenceId fence_id(const JobKey& key)
{
    return {FenceContext{key.timeline}, FenceSeqno{key.seqno}};
}

} // namespace lttng_gpu::model
