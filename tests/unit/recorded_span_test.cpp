// SPDX-License-Identifier: MIT
//
// In which stretch of time every CPU was recorded, by announcement and by evidence.
#include "coverage/recorded_span.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::model;

namespace {

constexpr TimeSpan whole{Timestamp{0}, Timestamp{1'000'000}};

trace::CpuCoverage cpu(std::uint32_t number, std::int64_t first, std::int64_t last,
                       std::uint64_t events, std::int64_t pause)
{
    return {TraceId{},       Cpu{number},     events, Timestamp{first},
            Timestamp{last}, Duration{pause}, false,  false};
}

MissingEvents missing(std::int64_t begin, std::int64_t end)
{
    return {TraceId{}, Missing::Completion, 1, {Timestamp{begin}, Timestamp{end}}, {}, {}};
}

} // namespace

TEST_CASE("span_when_all_cpus_begin_and_end_together_then_is_the_whole")
{
    CaptureFindings findings;
    const auto recorded = find_recorded_span(
        {cpu(0, 0, 999'000, 1000, 5000), cpu(1, 900, 1'000'000, 1000, 5000)}, {}, findings, whole);
    CHECK(recorded.span == whole);
    CHECK(recorded.gaps.empty());
}

TEST_CASE("span_when_a_cpu_is_silent_at_an_end_then_it_was_idle")
{
    CaptureFindings findings; // however long, and however much others did meanwhile
    const auto recorded =
        find_recorded_span({cpu(0, 0, 999'000, 1000, 5000), cpu(1, 300'000, 1'000'000, 700, 5000),
                            cpu(2, 0, 500'000, 700, 5000)},
                           {}, findings, whole);
    CHECK(recorded.span == whole);
    CHECK(recorded.gaps.empty());
}

TEST_CASE("span_when_jobs_lack_events_in_the_silence_then_the_cpu_begins_late")
{
    CaptureFindings findings;
    findings.add(missing(100'000, 120'000));
    const auto recorded = find_recorded_span(
        {cpu(0, 0, 999'000, 1000, 5000), cpu(1, 300'000, 1'000'000, 5, 5000)}, {}, findings, whole);
    CHECK(recorded.span == TimeSpan{Timestamp{300'000}, Timestamp{1'000'000}});
    REQUIRE(recorded.gaps.size() == 1);
    CHECK(recorded.gaps[0].kind == CpuGap::Kind::BeginsLate);
    CHECK(recorded.gaps[0].cpu == Cpu{1});
    CHECK_FALSE(recorded.gaps[0].is_announced);
}

TEST_CASE("span_when_the_tracer_has_all_of_a_cpu_then_its_silence_is_no_gap")
{
    CaptureFindings findings;
    findings.add(missing(100'000, 120'000));
    findings.add(missing(800'000, 820'000));
    std::vector coverage{cpu(0, 0, 999'000, 1000, 5000), cpu(1, 300'000, 700'000, 700, 5000),
                         cpu(2, 0, 0, 0, 0)};
    CHECK(find_recorded_span(coverage, {}, findings, whole).gaps.size() == 3);
    for (trace::CpuCoverage& whole_cpu : coverage) {
        whole_cpu.is_whole = true;
    }
    CHECK(find_recorded_span(coverage, {}, findings, whole).gaps.empty());
}

TEST_CASE("span_when_several_cpus_begin_late_then_one_that_does_not_shows_it")
{
    CaptureFindings findings;
    findings.add(missing(100'000, 120'000));
    const auto recorded =
        find_recorded_span({cpu(0, 0, 999'000, 1000, 5000), cpu(1, 300'000, 1'000'000, 700, 5000),
                            cpu(2, 500'000, 1'000'000, 500, 5000)},
                           {}, findings, whole);
    CHECK(recorded.span == TimeSpan{Timestamp{500'000}, Timestamp{1'000'000}});
    CHECK(recorded.gaps.size() == 2);
}

TEST_CASE("span_when_cpus_end_early_then_ends_with_the_first")
{
    CaptureFindings findings;
    findings.add(missing(800'000, 820'000));
    const auto recorded = find_recorded_span(
        {cpu(0, 0, 1'000'000, 1000, 5000), cpu(1, 900, 700'000, 700, 5000)}, {}, findings, whole);
    CHECK(recorded.span == TimeSpan{Timestamp{0}, Timestamp{700'000}});
    REQUIRE(recorded.gaps.size() == 1);
    CHECK(recorded.gaps[0].kind == CpuGap::Kind::EndsEarly);
}

TEST_CASE("span_when_a_late_begin_was_announced_then_counts_as_such")
{
    CaptureFindings findings;
    const trace::Loss loss{Timestamp{0}, Timestamp{200'000},         TraceId{},
                           Cpu{1},       trace::LossUnit::LateBegin, {}};
    const auto recorded = find_recorded_span(
        {cpu(0, 0, 1'000'000, 1000, 5000), cpu(1, 200'000, 1'000'000, 700, 5000)}, {loss}, findings,
        whole);
    CHECK(recorded.span.begin == Timestamp{200'000});
    REQUIRE(recorded.gaps.size() == 1);
    CHECK(recorded.gaps[0].is_announced);
}

TEST_CASE("span_when_a_named_cpu_has_no_event_then_is_missing_only_if_events_of_jobs_are")
{
    const std::vector coverage{cpu(0, 0, 1'000'000, 1000, 5000), cpu(1, 0, 0, 0, 0)};
    CaptureFindings findings;
    CHECK(find_recorded_span(coverage, {}, findings, whole).gaps.empty());
    findings.add(missing(100'000, 120'000));
    const auto recorded = find_recorded_span(coverage, {}, findings, whole);
    REQUIRE(recorded.gaps.size() == 1);
    CHECK(recorded.gaps[0].kind == CpuGap::Kind::Missing);
    CHECK(recorded.span == whole); // nothing can be left out
}

TEST_CASE("span_when_no_time_has_all_cpus_then_nothing_is_left_out")
{
    CaptureFindings findings;
    findings.add(missing(100'000, 900'000));
    const auto recorded =
        find_recorded_span({cpu(0, 0, 400'000, 400, 5000), cpu(1, 600'000, 1'000'000, 400, 5000)},
                           {}, findings, whole);
    CHECK(recorded.span == whole);
    CHECK(recorded.gaps.size() == 2);
}
