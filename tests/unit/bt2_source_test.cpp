// SPDX-License-Identifier: MIT
//
// The babeltrace2 reader on small trace files: order over CPUs, wanted fields,
// contexts, losses, and what it says about traces it cannot read.
#include "gpu_trace.hpp"
#include "read_all.hpp"
#include "trace/bt2/source.hpp"

#include <doctest/doctest.h>
#include <fstream>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::trace;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<EventSource> open_source(const fs::path& path, std::vector<WantedEvent> wanted)
{
    const auto traces = find_traces({path});
    REQUIRE(traces);
    auto source = Bt2Source::open(*traces, std::move(wanted), nullptr);
    REQUIRE(source);
    return std::move(*source);
}

std::string discovery_error(const fs::path& path)
{
    const auto traces = find_traces({path});
    REQUIRE_FALSE(traces);
    CHECK(traces.error().kind == ErrorKind::UnreadableTrace);
    return traces.error().message;
}

} // namespace

TEST_CASE("source_when_two_cpus_then_events_come_in_order_with_wanted_fields")
{
    const TemporaryDirectory directory;
    write_two_jobs(directory.path() / "kernel");
    const auto source =
        open_source(directory.path(), {{"drm_sched_job_run", {"fence_seqno", "name", "absent"}},
                                       {"drm_sched_job_queue", {"dev"}},
                                       {"never_seen", {"x"}}});
    Collector collector;
    REQUIRE_FALSE(read_all(*source, collector));
    std::vector<std::int64_t> times;
    for (const Collector::Item& item : collector.items) {
        const RawEvent& event = std::get<Collector::Event>(item).raw;
        times.push_back(event.time.value());
        CHECK(event.context.pid.as_signed() == 100);
        CHECK(event.context.tid.as_signed() == 101);
        CHECK(event.context.procname.as_text() == "app");
        if (event.wanted == 0) {
            CHECK(event.cpu == Cpu{1});
            REQUIRE(event.fields.size() == 3);
            CHECK(event.fields[0].as_unsigned() == times.size() - 2);
            CHECK(event.fields[1].as_text() == "gfx_0.0.0");
            CHECK(event.fields[2].kind() == FieldValue::Kind::None);
        } else {
            CHECK(event.wanted == 1);
            CHECK(event.cpu == Cpu{0});
        }
    }
    CHECK(times == std::vector<std::int64_t>{1000, 1100, 2000, 2100});
    CHECK(source->totals().events == 7);
    CHECK(source->totals().first == Timestamp{1000});
    CHECK(source->totals().last == Timestamp{6000});
}

TEST_CASE("source_when_events_were_discarded_then_gives_the_loss_in_place")
{
    const TemporaryDirectory directory;
    write_ctf(directory.path(), {{{{queue_event(10, 1)}, 0}, {{queue_event(50, 2)}, 7}}});
    const auto source = open_source(directory.path(), {{"drm_sched_job_queue", {}}});
    Collector collector;
    REQUIRE_FALSE(read_all(*source, collector));
    REQUIRE(collector.items.size() == 3);
    CHECK(std::holds_alternative<Collector::Event>(collector.items[0]));
    const auto* loss = std::get_if<Loss>(&collector.items[1]);
    REQUIRE(loss != nullptr);
    CHECK(loss->count == 7);
    CHECK(loss->unit == LossUnit::Events);
    CHECK(loss->begin == Timestamp{10});
    CHECK(loss->end == Timestamp{50});
    CHECK(std::holds_alternative<Collector::Event>(collector.items[2]));
}

TEST_CASE("source_when_file_is_cut_then_says_so_in_one_line")
{
    const TemporaryDirectory directory;
    write_two_jobs(directory.path());
    const fs::path stream = directory.path() / "channel0_1";
    fs::resize_file(stream, fs::file_size(stream) - 5);
    const auto traces = find_traces({directory.path()});
    auto source = Bt2Source::open(*traces, {}, nullptr);
    Collector collector;
    const auto stopped = source ? read_all(**source, collector) : std::optional{source.error()};
    REQUIRE(stopped);
    const std::string& message = stopped->message;
    CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("discovery_when_session_has_several_traces_then_finds_each_once")
{
    const TemporaryDirectory directory;
    write_two_jobs(directory.path() / "kernel");
    write_two_jobs(directory.path() / "ust/uid/0/64-bit");
    const auto traces = find_traces({directory.path(), directory.path() / "kernel"});
    REQUIRE(traces);
    CHECK(traces->size() == 2);
}

TEST_CASE("discovery_when_there_is_no_trace_then_says_why")
{
    const TemporaryDirectory directory;
    CHECK(discovery_error(directory.path()).find("no CTF trace") != std::string::npos);
    CHECK(discovery_error(directory.path() / "gone").find("no such file or directory") !=
          std::string::npos);
    std::ofstream{directory.path() / "file"} << "x";
    CHECK(discovery_error(directory.path() / "file").find("not a directory") != std::string::npos);
    std::ofstream{directory.path() / "metadata"};
    CHECK(discovery_error(directory.path()).find("empty") != std::string::npos);
}

TEST_CASE("source_when_trace_is_ctf2_and_library_old_then_says_what_to_do")
{
    const TemporaryDirectory directory;
    std::ofstream{directory.path() / "metadata"} << "\x1e{\"type\":\"preamble\",\"version\":2}\n";
    const auto traces = find_traces({directory.path()});
    REQUIRE(traces);
    CHECK(traces->front().kind == MetadataKind::Ctf2);
    const auto source = Bt2Source::open(*traces, {}, nullptr);
    if (bt_version_get_minor() == 0) {
        REQUIRE_FALSE(source);
        CHECK(source.error().kind == ErrorKind::UnreadableTrace);
        CHECK(source.error().message.find("--trace-format=ctf-1.8") != std::string::npos);
    }
}

TEST_CASE("source_when_patterns_are_wanted_then_gives_names_and_every_leaf_in_order")
{
    const TemporaryDirectory directory;
    write_two_jobs(directory.path() / "kernel");
    const auto source = open_source(
        directory.path(), {{"drm_sched_job_queue", {"dev"}}, {"*", {"$name", "*", "fence_seqno"}}});
    Collector collector;
    REQUIRE_FALSE(read_all(*source, collector));
    std::vector<std::string> names;
    for (const Collector::Item& item : collector.items) {
        const RawEvent& event = std::get<Collector::Event>(item).raw;
        if (event.wanted == 0) {
            CHECK(event.fields.size() == 1);
            continue;
        }
        names.emplace_back(event.fields[0].as_text());
        if (names.back() == "drm_sched_job_done") { // pid, tid, procname, context, seqno
            REQUIRE(event.fields.size() == 7);
            CHECK(event.fields[1].as_signed() == 100);
            CHECK(event.fields[3].as_text() == "app");
            CHECK(event.fields[4].as_unsigned() == 9);
            CHECK(event.fields[6].as_unsigned() == event.fields[5].as_unsigned());
        }
    }
    CHECK(names == std::vector<std::string>{"drm_sched_job_run", "drm_sched_job_run",
                                            "drm_sched_job_done", "drm_sched_job_done",
                                            "timer_start"});
}
