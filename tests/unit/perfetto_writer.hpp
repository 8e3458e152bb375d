// SPDX-License-Identifier: MIT
//
// Makes Perfetto traces for tests from protobuf's text form.
#pragma once

#include "ftrace_files.hpp"

#include "perfetto.pb.h"

#include <doctest/doctest.h>
#include <google/protobuf/text_format.h>

namespace lttng_gpu::test {

inline perfetto::Trace parse_trace(const std::string& text)
{
    perfetto::Trace trace;
    REQUIRE_MESSAGE(google::protobuf::TextFormat::ParseFromString(text, &trace), text);
    return trace;
}

inline std::string perfetto_bytes(const std::string& text)
{
    return parse_trace(text).SerializeAsString();
}

/// One packet with a bundle of events.
inline std::string bundle(int cpu, const std::string& events, const std::string& more = {})
{
    return "packet { trusted_packet_sequence_id: 2 " + more +
           " ftrace_events { cpu: " + std::to_string(cpu) + " " + events + " } }\n";
}

/// An event of which only the number is looked at.
inline std::string done(std::uint64_t time, std::uint64_t seqno, std::uint32_t tid = 7)
{
    return "event { timestamp: " + std::to_string(time) + " pid: " + std::to_string(tid) +
           " drm_sched_job_done { fence_context: 5 fence_seqno: " + std::to_string(seqno) + " } } ";
}

inline const std::vector<trace::WantedEvent>& wanted_done()
{
    static const std::vector<trace::WantedEvent> wanted{
        {"drm_sched_job_done", {"fence_seqno"}},
        {"sched_switch", {"next_tid", "next_comm"}},
    };
    return wanted;
}

inline std::unique_ptr<ReadFile> read_perfetto(const std::string& text)
{
    return read_ftrace(perfetto_bytes(text), wanted_done());
}

/// The events, each as `time cpu tid pid comm: fields`, one a line.
inline std::string lines_of(const ReadFile& read)
{
    std::string lines;
    for (const trace::RawEvent& event : read.events()) {
        lines += to_text(event) + '\n';
    }
    return lines;
}

/// The gaps, each as `unit begin end cpu count`, one a line.
inline std::string losses_of(const ReadFile& read)
{
    std::string lines;
    for (const trace::Loss& loss : read.losses()) {
        const char* unit = loss.unit == trace::LossUnit::Events    ? "events"
                           : loss.unit == trace::LossUnit::Packets ? "packets"
                                                                   : "late";
        lines += std::string{unit} + ' ' + std::to_string(loss.begin.value()) + ' ' +
                 std::to_string(loss.end.value()) + ' ' + std::to_string(loss.cpu.value()) + ' ' +
                 (loss.count ? std::to_string(*loss.count) : "?") + '\n';
    }
    return lines;
}

} // namespace lttng_gpu::test
