// SPDX-License-Identifier: MIT
//
// The normaliser: raw events with the field names of the kernel's events in,
// normalised events out. Field values are given by name and put into the order
// the normaliser asked for.
#include "model/normaliser.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>

using namespace lttng_gpu;
using namespace lttng_gpu::model;

namespace {

/// A field value that a test may write as a number or a text.
struct Value : trace::FieldValue {
    Value() = default;
    Value(std::uint64_t number) : FieldValue{number} {}
    Value(std::int64_t number) : FieldValue{number} {}
    Value(const char* text) : FieldValue{std::string_view{text}} {}
};
using Fields = std::map<std::string, Value>;

class Feeder {
public:
    Feeder& at(std::int64_t time, std::uint32_t cpu = 0)
    {
        x_time = Timestamp{time};
        x_cpu = Cpu{cpu};
        return *this;
    }
    Feeder& in(std::int64_t pid, std::int64_t tid, std::string_view procname)
    {
        x_context = {trace::FieldValue{pid}, trace::FieldValue{tid}, trace::FieldValue{procname}};
        return *this;
    }
    Feeder& with(const trace::ContextValues& context)
    {
        x_context = context;
        return *this;
    }
    GpuEvents operator()(const std::string& name, const Fields& fields)
    {
        const auto wanted = x_normaliser.wanted();
        const auto spec = std::find_if(wanted.begin(), wanted.end(),
                                       [&](const auto& event) { return event.name == name; });
        REQUIRE(spec != wanted.end());
        std::vector<trace::FieldValue> values;
        for (const std::string& field : spec->fields) {
            const auto found = fields.find(field);
            values.push_back(found == fields.end() ? Value{} : found->second);
        }
        GpuEvents out;
        x_normaliser.on_event({x_time, TraceId{}, x_cpu,
                               static_cast<std::size_t>(spec - wanted.begin()), values, x_context},
                              out);
        return out;
    }

    StringPool strings;
    RingTable rings{strings};
    AnomalyCounters anomalies;
    Normaliser& normaliser() { return x_normaliser; }

private:
    Normaliser x_normaliser{strings, rings, anomalies};
    Timestamp x_time;
    Cpu x_cpu;
    trace::ContextValues x_context;
};

Value u(std::uint64_t value)
{
    return value;
}

Fields job_fields()
{
    return {{"name", "gfx_0.0.0"},  {"dev", "0000:04:00.0"}, {"fence_context", u(0x5'0000'0001)},
            {"fence_seqno", u(77)}, {"client_id", u(3)},     {"job_count", u(1)},
            {"hw_job_count", u(0)}};
}

Fields command_fields(std::uint64_t fence_id)
{
    return {{"dev", std::int64_t{0}},  {"vq", u(0)},      {"name", "control"}, {"flags", u(1)},
            {"fence_id", u(fence_id)}, {"seqno", u(100)}, {"ctx_id", u(2)}};
}

Fields fence_fields(std::uint64_t context, std::uint64_t seqno)
{
    return {{"driver", "virtio_gpu"},
            {"timeline", "controlq"},
            {"context", u(context)},
            {"seqno", u(seqno)}};
}

} // namespace

TEST_CASE("drm_sched_when_new_generation_then_gives_queue_submit_complete")
{
    Feeder feed;
    const auto queued = feed.at(10).in(5, 6, "glxgears")("drm_sched_job_queue", job_fields());
    REQUIRE(queued.size() == 1);
    const auto& queue = std::get<JobQueued>(queued[0].what);
    CHECK(queue.job == JobKey{TraceId{}, KeyKind::Fence, 0x5'0000'0001, 77});
    CHECK(feed.rings.text(feed.rings.at(queue.ring).device) == "0000:04:00.0");
    CHECK(feed.rings.text(feed.rings.at(queue.ring).name) == "gfx_0.0.0");
    CHECK(queue.actor.pid == Pid{5});
    CHECK(queue.actor.tid == Tid{6});
    CHECK(feed.strings.at(queue.actor.comm) == "glxgears");

    Fields run = job_fields();
    run["driver"] = "amdgpu";
    const auto submitted = feed.at(20)("drm_sched_job_run", run);
    CHECK(std::get<JobSubmitted>(submitted[0].what).ring == queue.ring);
    CHECK(feed.rings.text(feed.rings.at(queue.ring).driver) == "amdgpu");

    const auto done = feed.at(30)("drm_sched_job_done", job_fields());
    CHECK(std::get<JobCompleted>(done[0].what).job == queue.job);
    CHECK(done[0].time == Timestamp{30});
}

TEST_CASE("drm_sched_when_old_generation_with_context_then_joins_by_context")
{
    Feeder feed;
    Fields fields = job_fields();
    fields["fence"] = u(0xffff888000001000);
    const auto queued = feed("drm_sched_job", fields);
    const auto submitted = feed("drm_run_job", fields);
    const auto done = feed("drm_sched_process_job", fields);
    const JobKey key{TraceId{}, KeyKind::Fence, 0x5'0000'0001, 77};
    CHECK(std::get<JobQueued>(queued[0].what).job == key);
    CHECK(std::get<JobSubmitted>(submitted[0].what).job == key);
    CHECK(std::get<JobCompleted>(done[0].what).job == key);
}

TEST_CASE("drm_sched_when_old_generation_without_context_then_joins_by_pointer")
{
    Feeder feed;
    const Fields fields{{"fence", u(0xffff888000001000)}, {"name", "gfx"}, {"id", u(4)}};
    const auto queued = feed("drm_sched_job", fields);
    const auto done = feed("drm_sched_process_job", fields);
    const auto& queue = std::get<JobQueued>(queued[0].what);
    CHECK(queue.job.kind == KeyKind::Pointer);
    CHECK(queue.job == std::get<JobCompleted>(done[0].what).job);
    CHECK_FALSE(queue.fence.context);
    CHECK(feed.rings.text(feed.rings.at(queue.ring).device).empty());
}

TEST_CASE("drm_sched_when_identity_is_missing_then_is_counted_and_gives_nothing")
{
    Feeder feed;
    CHECK(feed("drm_sched_job_queue", {{"name", "gfx"}}).empty());
    CHECK(feed.anomalies.at(Anomaly::EventWithoutIdentity) == 1);
}

TEST_CASE("drm_sched_when_dependency_events_then_name_job_and_other_fence")
{
    Feeder feed;
    const Fields fields{
        {"fence_context", u(1)}, {"fence_seqno", u(2)}, {"ctx", u(3)}, {"seqno", u(4)}};
    const auto added = feed("drm_sched_job_add_dep", fields);
    const auto blocked = feed("drm_sched_job_wait_dep", fields);
    CHECK(std::get<JobDependency>(added[0].what).waits_for.context == FenceContext{3});
    CHECK_FALSE(std::get<JobDependency>(added[0].what).is_blocking);
    CHECK(std::get<JobDependency>(blocked[0].what).is_blocking);
}

TEST_CASE("virtio_when_no_fence_events_then_queued_is_submitted_and_context_unknown")
{
    Feeder feed;
    const auto events =
        feed.at(10).in(5, 6, "glxgears")("virtio_gpu_cmd_queue", command_fields(41));
    REQUIRE(events.size() == 2);
    const auto& queue = std::get<JobQueued>(events[0].what);
    CHECK(events[0].time == Timestamp{10});
    CHECK_FALSE(queue.fence.context);
    CHECK(queue.fence.seqno == FenceSeqno{41});
    CHECK(feed.rings.text(feed.rings.at(queue.ring).device) == "virtio0");
    CHECK(feed.rings.text(feed.rings.at(queue.ring).driver) == "virtio_gpu");
    const auto response = feed.at(20)("virtio_gpu_cmd_response", command_fields(41));
    CHECK(std::get<JobCompleted>(response[0].what).job == queue.job);
}

TEST_CASE("virtio_when_command_asks_for_no_fence_then_is_no_job")
{
    Feeder feed;
    Fields fields = command_fields(0);
    fields["flags"] = u(2);
    CHECK(feed("virtio_gpu_cmd_queue", fields).empty());
    CHECK(feed("virtio_gpu_cmd_response", fields).empty());
}

TEST_CASE("virtio_when_kernel_has_no_virtqueue_seqno_then_joins_by_fence_id")
{
    Feeder feed;
    Fields fields = command_fields(41);
    fields.erase("seqno");
    const auto events = feed("virtio_gpu_cmd_queue", fields);
    const auto response = feed("virtio_gpu_cmd_response", fields);
    CHECK(std::get<JobQueued>(events[0].what).job.kind == KeyKind::Command);
    CHECK(std::get<JobCompleted>(response[0].what).job == std::get<JobQueued>(events[0].what).job);
}

TEST_CASE("virtio_when_fence_was_created_by_same_thread_then_queued_is_its_init")
{
    Feeder feed;
    feed.at(10, 0).in(5, 6, "a")("gpu_fence_init", fence_fields(9, 0));
    feed.at(11, 0).in(5, 7, "b")("gpu_fence_init", fence_fields(9, 0)); // another thread
    CHECK(feed.normaliser().horizon(Timestamp{12}) == Timestamp{10});
    feed.at(20, 1).in(5, 6, "a")("gpu_fence_emit", fence_fields(9, 41));
    const auto events = feed.at(21, 1)("virtio_gpu_cmd_queue", command_fields(41));
    CHECK(events[0].time == Timestamp{10});
    CHECK(events[1].time == Timestamp{21});
    CHECK(std::get<JobQueued>(events[0].what).fence.context == FenceContext{9});
    CHECK(feed.normaliser().horizon(Timestamp{22}) == Timestamp{11});
    CHECK(feed.normaliser().horizon(Timestamp{3'000'000'000}) == Timestamp{3'000'000'000});
}

TEST_CASE("virtio_when_thread_is_unknown_then_cpu_gives_context_but_not_init")
{
    Feeder feed;
    feed.at(10, 2)("gpu_fence_init", fence_fields(9, 0));
    feed.at(20, 2)("gpu_fence_emit", fence_fields(9, 41));
    const auto events = feed.at(21, 2)("virtio_gpu_cmd_queue", command_fields(41));
    CHECK(events[0].time == Timestamp{21});
    CHECK(std::get<JobQueued>(events[0].what).fence.context == FenceContext{9});
}

TEST_CASE("virtio_when_emitted_fence_is_another_then_command_does_not_take_it")
{
    Feeder feed;
    feed.in(5, 6, "a").at(10)("gpu_fence_init", fence_fields(9, 0));
    feed.at(11)("gpu_fence_emit", fence_fields(9, 40));
    const auto events = feed.at(12)("virtio_gpu_cmd_queue", command_fields(41));
    CHECK_FALSE(std::get<JobQueued>(events[0].what).fence.context);
}

TEST_CASE("fence_when_signaled_then_tells_whether_numbers_are_cut")
{
    Feeder feed;
    const auto ours = feed("gpu_fence_signaled", fence_fields(9, 41));
    const auto upstream = feed("dma_fence_signaled", fence_fields(9, 41));
    CHECK_FALSE(std::get<FenceSignaled>(ours[0].what).is_32_bit);
    CHECK(std::get<FenceSignaled>(upstream[0].what).is_32_bit);
}

TEST_CASE("actor_when_no_contexts_then_comes_from_scheduler_events_of_the_cpu")
{
    Feeder feed;
    feed("lttng_statedump_process_state",
         {{"tid", std::int64_t{6}}, {"pid", std::int64_t{5}}, {"name", "main"}});
    feed.at(1, 3)("sched_switch", {{"next_tid", std::int64_t{6}}, {"next_comm", "render"}});
    feed.at(1, 4)("sched_switch", {{"next_tid", std::int64_t{9}}, {"next_comm", "other"}});
    const auto events = feed.at(2, 3)("drm_sched_job_queue", job_fields());
    const Actor actor = std::get<JobQueued>(events[0].what).actor;
    CHECK(actor.tid == Tid{6});
    CHECK(actor.pid == Pid{5});
    CHECK(feed.strings.at(actor.comm) == "render");
}

TEST_CASE("actor_when_contexts_and_scheduler_differ_then_contexts_win")
{
    Feeder feed;
    feed.at(1, 3)("sched_switch", {{"next_tid", std::int64_t{6}}, {"next_comm", "render"}});
    const auto events = feed.at(2, 3).in(50, 60, "real")("drm_sched_job_queue", job_fields());
    const Actor actor = std::get<JobQueued>(events[0].what).actor;
    CHECK(actor.pid == Pid{50});
    CHECK(actor.tid == Tid{60});
    CHECK(feed.strings.at(actor.comm) == "real");
}

TEST_CASE("actor_when_only_pid_context_is_recorded_then_it_beats_the_thread_table")
{
    Feeder feed;
    feed("lttng_statedump_process_state",
         {{"tid", std::int64_t{6}}, {"pid", std::int64_t{5}}, {"name", "main"}});
    feed.at(1, 3)("sched_switch", {{"next_tid", std::int64_t{6}}, {"next_comm", "render"}});
    const auto events = feed.at(2, 3).with({trace::FieldValue{std::int64_t{50}}, {}, {}})("drm_sched_job_queue", job_fields());
    const Actor actor = std::get<JobQueued>(events[0].what).actor;
    CHECK(actor.pid == Pid{50});
    CHECK(actor.tid == Tid{6});
    CHECK(feed.strings.at(actor.comm) == "render");
}

TEST_CASE("actor_when_events_were_lost_then_thread_is_unknown_until_a_switch_after_the_gap")
{
    Feeder feed;
    const Fields switched{{"next_tid", std::int64_t{6}}, {"next_comm", "render"}};
    const auto tid_at = [&](std::int64_t time, std::uint32_t cpu) {
        const auto events = feed.at(time, cpu)("drm_sched_job_queue", job_fields());
        return std::get<JobQueued>(events[0].what).actor.tid;
    };
    feed.at(1, 3)("sched_switch", switched);
    feed.at(1, 4)("sched_switch", switched);
    GpuEvents out;
    feed.normaliser().on_loss(
        {Timestamp{2}, Timestamp{9}, TraceId{}, Cpu{3}, trace::LossUnit::Events, 4}, out);
    CHECK(std::get<EventsLost>(out[0].what).end == Timestamp{9});
    CHECK_FALSE(tid_at(4, 3));
    CHECK(tid_at(4, 4) == Tid{6}); // another CPU lost nothing
    feed.at(5, 3)("sched_switch", switched);
    CHECK_FALSE(tid_at(6, 3));
    feed.at(10, 3)("sched_switch", switched);
    CHECK(tid_at(11, 3) == Tid{6});
}

TEST_CASE("process_when_forked_then_child_belongs_to_it")
{
    Feeder feed;
    feed(
        "sched_process_fork",
        {{"child_tid", std::int64_t{8}}, {"child_pid", std::int64_t{5}}, {"child_comm", "worker"}});
    feed.at(1, 0)("sched_switch", {{"next_tid", std::int64_t{8}}, {"next_comm", "worker"}});
    const auto events = feed.at(2, 0)("drm_sched_job_queue", job_fields());
    CHECK(std::get<JobQueued>(events[0].what).actor.pid == Pid{5});
}
