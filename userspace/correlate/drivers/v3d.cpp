// SPDX-License-Identifier: MIT
//
// Trace system v3d: its own events of the jobs that drm_sched runs for it, read where drm_sched's
// are not recorded. A queue gives the hardware one job at a time (credit limit 1,
// v3d_sched_init()), so a job starts when it is submitted, v3d_submit_cl and _csd and _tfu, and its
// interrupt names it by the number that the queue counts. The ioctl names no job: a render job has
// the same addresses; of other queues the ioctls are known to be all there when the queue's first
// job ever, number 1, was seen. What is done to caches and page tables (v3d_cache_clean_*,
// v3d_mmu_flush_*), and jobs of the CPU (v3d_cpu_job_*), is nothing of the GPU.
#include "event_family.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Device, Seqno, IsRender, Begin, End, IoctlBegin, IoctlEnd };
constexpr std::array<std::string_view, 7> names{"dev",    "seqno",  "is_render", "ctnqba",
                                                "ctnqea", "ct1qba", "ct1qea"};
} // namespace field

enum class Queue : std::uint8_t { Bin, Render, Tfu, Csd };
/// What drm_sched calls them.
constexpr std::array<std::string_view, 4> queue_names{"v3d_bin", "v3d_render", "v3d_tfu",
                                                      "v3d_csd"};

/// An ioctl whose jobs were not all seen yet.
struct Asked {
    JobRef job;
    JobRef bin; // that of a control list may have a binning job, too
    Known<Tid> tid;
    std::uint64_t begin = 0; // of its control list
    std::uint64_t end = 0;
};

struct QueueState {
    std::vector<Asked> asked; // the oldest first
    JobRef running;
    bool are_all_seen = false; // ioctls, since the first job ever
    bool has_untold = false;   // jobs that no ioctl of the queue asks for
};

struct V3d : FamilyState {
    explicit V3d(EventContext& context)
        : FamilyState{context}, ioctl{jobs.add_step({Stage::Queued})}, submit{jobs.add_step(
                                                                           {Stage::Submitted})},
          irq{jobs.add_step({Stage::Completed})}, number{jobs.add_key_space({})}
    {
    }

    struct Device {
        TraceId trace;
        std::uint64_t minor = 0;
        std::array<QueueState, 4> queues;
    };

    Step ioctl;
    Step submit;
    Step irq;
    KeySpace number; // ring, and the number in its queue
    std::vector<Device> devices;
};

constexpr std::size_t most_asked = 1024;
constexpr std::size_t most_devices = 64;

QueueState* find_queue(V3d& state, const trace::RawEvent& event, Queue queue)
{
    const std::uint64_t minor = find_unsigned(event, field::Device).value_or(0);
    auto found = std::ranges::find_if(state.devices, [&](const V3d::Device& device) {
        return device.trace == event.trace && device.minor == minor;
    });
    if (found == state.devices.end()) {
        if (state.devices.size() == most_devices) {
            return nullptr; // only a damaged trace has so many
        }
        state.devices.push_back({event.trace, minor, {}});
        found = std::prev(state.devices.end());
    }
    return &found->queues[static_cast<std::size_t>(queue)];
}

RingId ring_of(V3d& state, const trace::RawEvent& event, Queue queue)
{
    const std::string device =
        fmt::format("card{}", find_unsigned(event, field::Device).value_or(0));
    const RingId ring =
        state.rings.intern(event.trace, device, queue_names[static_cast<std::size_t>(queue)]);
    state.rings.set_driver(ring, "v3d");
    return ring;
}

/// drm_sched tells of the same jobs.
bool is_told_by_scheduler(V3d& state, const trace::RawEvent& event)
{
    return state.jobs.has_seen(event.trace, state.jobs.steps().scheduler_jobs());
}

/// Queued, and known by nothing else.
JobRef queue_job(V3d& state, const trace::RawEvent& event, Queue queue, StepSet told_by)
{
    const JobIndex job = state.jobs.open_tentative(event.time, event.trace, told_by);
    TrackedJob& tracked = state.jobs.at(job);
    tracked.job.ring = ring_of(state, event, queue);
    tracked.job.actor = state.actor_of(event);
    tracked.job.queued = event.time;
    return state.jobs.jobs().ref(job);
}

void drop(V3d& state, JobRef ref)
{
    const JobIndex job = state.jobs.jobs().get(ref);
    if (job != no_job && state.jobs.at(job).state == JobState::Open &&
        state.jobs.at(job).is_tentative) {
        state.jobs.drop(job);
    }
}

template <Queue queue> void on_ioctl(V3d& state, const trace::RawEvent& event)
{
    QueueState* own = find_queue(state, event, queue);
    if (own == nullptr || is_told_by_scheduler(state, event)) {
        return;
    }
    if (own->asked.size() == most_asked) {
        drop(state, own->asked.front().job);
        drop(state, own->asked.front().bin);
        own->asked.erase(own->asked.begin());
        own->are_all_seen = false;
    }
    Asked asked;
    asked.job = queue_job(state, event, queue, state.jobs.steps().scheduler_jobs());
    if (queue == Queue::Render) {
        asked.bin = queue_job(state, event, Queue::Bin,
                              state.jobs.steps().scheduler_jobs() | set_of(state.submit));
    }
    asked.tid = state.actor_of(event).tid;
    asked.begin = find_unsigned(event, field::IoctlBegin).value_or(0);
    asked.end = find_unsigned(event, field::IoctlEnd).value_or(0);
    own->asked.push_back(asked);
}

/// The job of the ioctl that asked for the same addresses; it has no binning job from now on.
JobRef take_render(V3d& state, const trace::RawEvent& event, QueueState& own)
{
    const auto begin = find_unsigned(event, field::Begin);
    const auto end = find_unsigned(event, field::End);
    const auto found = std::ranges::find_if(own.asked, [&](const Asked& other) {
        return begin && end && other.begin == *begin && other.end == *end;
    });
    if (found == own.asked.end()) {
        return {};
    }
    const Asked asked = *found;
    own.asked.erase(found);
    drop(state, asked.bin);
    return asked.job;
}

/// An ioctl may be without a binning job, so only the only one is sure.
JobRef take_bin(V3d& state, std::vector<Asked>& asked, bool is_sure)
{
    Asked* only = nullptr;
    std::size_t count = 0;
    for (Asked& other : asked) {
        const JobIndex bin = state.jobs.jobs().get(other.bin);
        if (bin != no_job && state.jobs.at(bin).is_tentative) {
            only = &other;
            ++count;
        }
    }
    return is_sure && count == 1 ? only->bin : JobRef{};
}

/// Of ioctls of several threads nobody knows which job is whose, but each that succeeds has one.
JobRef take_oldest(V3d& state, QueueState& own, bool is_sure)
{
    if (own.asked.empty()) {
        return {};
    }
    const Asked oldest = own.asked.front();
    const bool are_of_one = std::ranges::all_of(
        own.asked, [&](const Asked& other) { return other.tid && other.tid == oldest.tid; });
    own.asked.erase(own.asked.begin());
    if (is_sure && are_of_one) {
        return oldest.job;
    }
    drop(state, oldest.job);
    return {};
}

/// The job that an ioctl queued, where it can be told which that is.
JobIndex take_queued(V3d& state, const trace::RawEvent& event, Queue queue)
{
    QueueState& own = *find_queue(state, event, queue);
    const bool is_sure = own.are_all_seen && !own.has_untold && !state.jobs.has_gaps(event.trace);
    const JobRef taken =
        queue == Queue::Render ? take_render(state, event, own)
        : queue == Queue::Bin
            ? take_bin(state, find_queue(state, event, Queue::Render)->asked, is_sure)
            : take_oldest(state, own, is_sure);
    const JobIndex job = state.jobs.jobs().get(taken);
    return job != no_job && state.jobs.at(job).is_tentative ? job : no_job;
}

void submit(V3d& state, const trace::RawEvent& event, Queue queue)
{
    const auto seqno = find_unsigned(event, field::Seqno);
    QueueState* own = find_queue(state, event, queue);
    if (!seqno || own == nullptr) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    if (is_told_by_scheduler(state, event)) {
        return;
    }
    state.jobs.note_seen(event.trace, state.submit);
    own->are_all_seen = own->are_all_seen || *seqno == 1;
    if (const JobIndex before = state.jobs.jobs().get(own->running);
        before != no_job && state.jobs.at(before).state == JobState::Open) {
        state.jobs.at(before).job.completed_by = event.time; // the hardware has one job at a time
        state.jobs.give_up(before, Anomaly::CompletionNeverSeen);
    }
    const RingId ring = ring_of(state, event, queue);
    const JobKey key{event.trace, state.number, false, ring.value(), *seqno};
    if (const JobIndex queued = take_queued(state, event, queue); queued != no_job) {
        state.jobs.adopt(queued, true);
        state.jobs.at(queued).steps |= set_of(state.ioctl);
        state.jobs.add_key(queued, key);
    }
    const JobIndex job =
        state.jobs.submitted(event.time, state.submit, {key, {{}, FenceSeqno{*seqno}}, ring});
    if (job == no_job || state.jobs.at(job).state != JobState::Open) {
        return;
    }
    TrackedJob& tracked = state.jobs.at(job);
    tracked.job.started = event.time;
    tracked.job.started_basis = Basis::Observed;
    own->running = state.jobs.jobs().ref(job);
}

void on_submit_list(V3d& state, const trace::RawEvent& event)
{
    const bool is_render = find_unsigned(event, field::IsRender).value_or(0) != 0;
    submit(state, event, is_render ? Queue::Render : Queue::Bin);
}

template <Queue queue> void on_submit(V3d& state, const trace::RawEvent& event)
{
    submit(state, event, queue);
}

template <Queue queue> void on_irq(V3d& state, const trace::RawEvent& event)
{
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    if (is_told_by_scheduler(state, event)) {
        return;
    }
    const RingId ring = ring_of(state, event, queue);
    state.jobs.completed(
        event.time, state.irq,
        {{event.trace, state.number, false, ring.value(), *seqno}, {{}, FenceSeqno{*seqno}}, ring});
}

/// An indirect job of CSD is asked for by this ioctl, v3d_submit_cpu_ioctl() (v6.8).
void on_cpu_ioctl(V3d& state, const trace::RawEvent& event)
{
    if (QueueState* csd = find_queue(state, event, Queue::Csd)) {
        csd->has_untold = true;
    }
}

/// Known to tell of no job.
void on_upkeep(V3d&, const trace::RawEvent&) {}

constexpr std::array<EventSpec, 19> events{{
    {"v3d_submit_cl_ioctl", field::names, handler<on_ioctl<Queue::Render>>},
    {"v3d_submit_tfu_ioctl", field::names, handler<on_ioctl<Queue::Tfu>>},
    {"v3d_submit_csd_ioctl", field::names, handler<on_ioctl<Queue::Csd>>},
    {"v3d_submit_cl", field::names, handler<on_submit_list>, false, false},
    {"v3d_submit_tfu", field::names, handler<on_submit<Queue::Tfu>>, false, false},
    {"v3d_submit_csd", field::names, handler<on_submit<Queue::Csd>>, false, false},
    {"v3d_bcl_irq", field::names, handler<on_irq<Queue::Bin>>, false, false},
    {"v3d_rcl_irq", field::names, handler<on_irq<Queue::Render>>, false, false},
    {"v3d_tfu_irq", field::names, handler<on_irq<Queue::Tfu>>, false, false},
    {"v3d_csd_irq", field::names, handler<on_irq<Queue::Csd>>, false, false},
    {"v3d_cache_clean_begin", field::names, handler<on_upkeep>, false, false},
    {"v3d_cache_clean_end", field::names, handler<on_upkeep>, false, false},
    {"v3d_mmu_flush_begin", field::names, handler<on_upkeep>, false, false},
    {"v3d_mmu_flush_end", field::names, handler<on_upkeep>, false, false},
    {"v3d_reset_begin", field::names, handler<on_upkeep>, false, false},
    {"v3d_reset_end", field::names, handler<on_upkeep>, false, false},
    {"v3d_submit_cpu_ioctl", field::names, handler<on_cpu_ioctl>, false, false},
    {"v3d_cpu_job_begin", field::names, handler<on_upkeep>, false, false},
    {"v3d_cpu_job_end", field::names, handler<on_upkeep>, false, false},
}};

} // namespace

EventFamily v3d_family()
{
    return {"v3d", events, {}, make_state<V3d>};
}

} // namespace lttng_gpu::model
