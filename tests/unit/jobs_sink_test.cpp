// SPDX-License-Identifier: MIT
//
// Rows of jobs that did not simply complete, in each format.
#include "ctf_writer.hpp"
#include "report/jobs_sink.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::report;
using model::Job;

namespace {

std::vector<Job> odd_jobs(RingId ring)
{
    Job preempted;
    preempted.ring = ring;
    preempted.fence = {FenceContext{5}, FenceSeqno{6}};
    preempted.queued = Timestamp{100};
    preempted.runnable = Timestamp{150};
    preempted.submitted = Timestamp{200};
    preempted.started = Timestamp{200};
    preempted.completed = Timestamp{300};
    preempted.started_basis = model::Basis::Inferred;
    preempted.completed_basis = model::Basis::Observed;
    preempted.ending = model::Ending::Preempted;
    preempted.is_last = false;
    Job last = preempted;
    last.queued = Timestamp{300};
    last.submitted = Timestamp{400};
    last.started = {};
    last.started_basis = model::Basis::Unknown;
    last.completed = Timestamp{500};
    last.completed_basis = model::Basis::Inferred;
    last.observed = Timestamp{520};
    last.ending = model::Ending::Normal;
    last.fault = model::Fault::TimedOut;
    last.interval = 1;
    last.is_last = true;
    Job lost = preempted;
    lost.started = lost.completed = {};
    lost.started_basis = lost.completed_basis = model::Basis::Unknown;
    lost.ending = model::Ending::Lost;
    lost.is_last = true;
    return {preempted, last, lost};
}

std::string rows_of(Format format)
{
    const test::TemporaryDirectory directory;
    const std::string file = directory.path() / "rows";
    StringPool strings;
    model::RingTable rings{strings};
    const RingId ring = rings.intern(TraceId{}, "gpu", "gfx");
    Window window{{}};
    window.start(Timestamp{0});
    const auto place = OutputPlace::check(file, OutputKind::Text, {});
    REQUIRE(place);
    auto output = Output::open(*place);
    REQUIRE(output);
    const auto sink = make_jobs_sink(format, rings, window, *output);
    sink->begin();
    for (const Job& job : odd_jobs(ring)) {
        sink->on_job(job);
    }
    sink->end();
    REQUIRE(output->finish());
    std::ifstream stream{file};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

} // namespace

TEST_CASE("jobs_csv_when_preempted_or_lost_then_status_says_so")
{
    const std::string rows = rows_of(Format::Csv);
    CHECK(rows.find("gpu,gfx,,5,6,,,,100,200,200,inferred,300,observed,preempted,\n"
                    "gpu,gfx,,5,6,,,,300,400,,unknown,500,inferred,complete,\n"
                    "gpu,gfx,,5,6,,,,100,200,,unknown,,unknown,lost,\n") != std::string::npos);
}

TEST_CASE("jobs_json_when_more_is_known_then_says_it")
{
    const auto rows = nlohmann::json::parse(rows_of(Format::Json));
    CHECK(rows.at(0).at("runnable_ns") == 150);
    CHECK(rows.at(0).at("observed_ns").is_null());
    CHECK(rows.at(0).at("interval") == 0);
    CHECK(rows.at(0).at("fault").is_null());
    CHECK(rows.at(1).at("observed_ns") == 520);
    CHECK(rows.at(1).at("interval") == 1);
    CHECK(rows.at(1).at("fault") == "timed_out");
    CHECK(rows.at(2).at("status") == "lost");
}

TEST_CASE("jobs_text_when_preempted_or_lost_then_says_so")
{
    const std::string rows = rows_of(Format::Text);
    CHECK(rows.find(" preempted, start inferred\n") != std::string::npos);
    CHECK(rows.find(" complete, start unknown, end inferred, timed out, observed +20 ns\n") !=
          std::string::npos);
    CHECK(rows.find(" lost: an event is in a gap of the trace\n") != std::string::npos);
}
