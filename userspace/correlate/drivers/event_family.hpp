// SPDX-License-Identifier: MIT
//
// How a driver's file registers itself. An event family is the events of one driver (or API, or
// kernel subsystem) and what it remembers between them. Its file defines one function,
//
//     EventFamily radeon_family()
//     {
//         return {"radeon", events, fences, make_state<Radeon>};
//     }
//
// and nothing else names it: the build collects these functions from the files of this folder into
// the list of families (event_families.inc, see correlate.mk), as the linker would drop objects of
// a library that nothing refers to.
//
// What a family registers and where its numbers come from. All is done once, when the normaliser
// makes the states; an event then costs one call through a table, as each wanted event has its
// handler and its state there.
//   events    names, fields and handlers. A handler is a function of the family's own state:
//             the cast to it is known at compile time.
//   fences    names of drivers in fence events, see fence_families.hpp.
//   state     a struct made from FamilyState. Its constructor asks the job tracker for
//     steps        JobTracker::add_step(), see job_steps.hpp: one bit of a word each, with what the
//                  tracker has to know of it, among that how far it is trusted;
//     key spaces   JobTracker::add_key_space(): the meaning of a job key's two numbers, a small
//                  number in the key;
//     a keeper     JobTracker::add_completion_policy(), for jobs whose end the driver has a say in.
//             State per trace is PerTrace<>, per thread PerThread<>, per job PerJob<>: tables of
//             the family, which traces without its events never fill, so a job has no field of a
//             driver.
#pragma once

#include "../base/anomaly.hpp"
#include "../base/queue_words.hpp"
#include "../calls/device_clocks.hpp"
#include "../jobs/job_tracker.hpp"
#include "../jobs/waits.hpp"
#include "../rings/shared_rings.hpp"
#include "../system/counters.hpp"
#include "../system/machines.hpp"
#include "../system/other_events.hpp"
#include "../system/thread_observer.hpp"
#include "../trace/enumeration_table.hpp"
#include "../trace/raw_event.hpp"
#include "fence_families.hpp"
#include "thread_notes.hpp"

#include <memory>

namespace lttng_gpu::model {

class ApiJobs;
class RowMerge;

/// What all families share.
struct EventContext {
    EventContext(StringPool& pool, RingTable& ring_table, AnomalyCounters& counters,
                 JobTracker& tracker, RowMerge& row_merge, DeviceClocks& device_clocks,
                 const trace::EnumerationTable& enumeration_table);
    ~EventContext();

    StringPool& strings;
    RingTable& rings;
    AnomalyCounters& anomalies;
    JobTracker& jobs;
    RowMerge& rows;
    DeviceClocks& clocks;
    const trace::EnumerationTable& enumerations;
    TextIds texts;
    ThreadTable threads;
    Machines machines;
    PerThread<ThreadNote> notes;
    Waits waits;
    SharedRings shared_rings;
    FenceFamilies fences;
    Counters counters;
    OtherEvents others;
    /// See TraceFacts; nothing while unknown.
    PerTrace<std::optional<Duration>> clock_offsets;
    std::vector<ThreadObserver*> thread_observers;

    /// Made by the first use.
    ApiJobs& api_jobs();
    ApiJobs* find_api_jobs() { return m_api_jobs.get(); }

private:
    std::unique_ptr<ApiJobs> m_api_jobs;
};

/// What handlers may look at and change; a family adds what is its own.
class FamilyState {
public:
    explicit FamilyState(EventContext& context)
        : rings{context.rings}, anomalies{context.anomalies}, jobs{context.jobs},
          texts{context.texts}, threads{context.threads}, notes{context.notes},
          waits{context.waits}, shared_rings{context.shared_rings}, others{context.others}
    {
    }
    FamilyState(const FamilyState&) = delete;
    FamilyState& operator=(const FamilyState&) = delete;
    virtual ~FamilyState() = default;

    RingTable& rings;
    AnomalyCounters& anomalies;
    JobTracker& jobs;
    TextIds& texts;
    ThreadTable& threads;
    PerThread<ThreadNote>& notes;
    Waits& waits;
    SharedRings& shared_rings;
    OtherEvents& others;

    Actor actor_of(const trace::RawEvent& event) { return threads.actor_of(event, texts); }
    /// See RingTable::tell_name().
    void tell_name(RingId ring, std::string_view name, NameSource source)
    {
        if (!rings.tell_name(ring, name, source)) {
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
    ThreadNote* note_of(const trace::RawEvent& event) { return note_of(notes, event); }
    ThreadNote* find_note(const trace::RawEvent& event) { return find_note(notes, event); }
    template <typename Note>
    Note* note_of(PerThread<Note>& of_threads, const trace::RawEvent& event)
    {
        const auto tid = threads.tid_of(event);
        return tid ? &of_threads.of({event.trace, *tid}) : nullptr;
    }
    template <typename Note>
    Note* find_note(PerThread<Note>& of_threads, const trace::RawEvent& event)
    {
        const auto tid = threads.tid_of(event);
        return tid ? of_threads.find({event.trace, *tid}) : nullptr;
    }
};

using EventHandler = void (*)(FamilyState&, const trace::RawEvent&);

struct EventSpec {
    std::string_view name;
    std::span<const std::string_view> fields;
    EventHandler handler;
    bool only_without_contexts = false;
    bool needs_contexts = true; // the handler asks who it was
};

struct EventFamily {
    std::string_view name; // of the driver
    std::span<const EventSpec> events;
    std::span<const FenceSpec> fences;
    std::unique_ptr<FamilyState> (*make)(EventContext&);
    /// A first reading, which learns the clocks of devices, needs the events of these only.
    bool tells_of_clocks = false;
    /// What host queue and device queue are, in a sentence for readers; see queue_words.hpp.
    std::string_view queue_words = {};
};

/// All of them, in order of their names.
std::vector<EventFamily> all_families();

template <typename State> std::unique_ptr<FamilyState> make_state(EventContext& context)
{
    return std::make_unique<State>(context);
}

template <typename State, typename Event> State* state_type_of(void (*)(State&, const Event&));

/// Makes of a function of a family's own state what its specs have.
template <auto function> void handler(FamilyState& state, const trace::RawEvent& event)
{
    using State = std::remove_pointer_t<decltype(state_type_of(function))>;
    function(static_cast<State&>(state), event);
}
template <auto function> void fence_handler(FamilyState& state, const FenceEvent& fence)
{
    using State = std::remove_pointer_t<decltype(state_type_of(function))>;
    function(static_cast<State&>(state), fence);
}

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
    explicit NameText(const trace::FieldValue& value) : m_text{value.as_text()}
    {
        if (const auto number = value.as_unsigned()) {
            write(*number);
        }
    }
    std::string_view text() const { return m_text; }
    NameText(const NameText&) = delete;
    NameText& operator=(const NameText&) = delete;

private:
    void write(std::uint64_t number);

    std::array<char, 19> m_digits; // 0x and 16 digits
    std::string_view m_text;
};

inline JobKey fence_key(TraceId trace, std::uint64_t context, std::uint64_t seqno,
                        bool is_cut = false)
{
    return {trace, KeySpace::Fence, is_cut, context, seqno};
}
inline FenceId fence_id(const JobKey& key)
{
    return {FenceContext{key.timeline}, FenceSeqno{key.seqno}};
}
/// What drm_sched's and its drivers' events have in common up to v6.16: the number that the ring's
/// scheduler gave the job.
inline JobKey scheduler_number_key(TraceId trace, RingId ring, std::uint64_t number)
{
    return {trace, KeySpace::SchedulerNumber, false, ring.value(), number};
}

/// The job is the one that another event told of by this fence.
void join(FamilyState& state, JobIndex job, const JobKey& fence);

/// Opens a tentative job of this fence, which is none where a step of `told_by` was seen; no_job if
/// the fence has a job already.
JobIndex open_fence_job(FamilyState& state, const FenceEvent& fence, StepSet told_by, RingId ring,
                        const Actor& actor);
/// The ring that has the name of the fence's timeline.
RingId timeline_ring(FamilyState& state, const FenceEvent& fence, std::string_view driver);
/// For drivers that have one fence per job and no queue of their own: made when the job is given to
/// the hardware.
void on_plain_fence(FamilyState& state, const FenceEvent& fence);

} // namespace lttng_gpu::model
