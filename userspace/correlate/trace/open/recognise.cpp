// SPDX-License-Identifier: MIT
//
// See recognise.hpp. Magic numbers: CTF 1.8.3, sections 5 and 7.1; lttng-tools 2.13,
// src/common/index/ctf-index.h; Linux 6.12, tools/perf/util/header.c.
#include "recognise.hpp"

#include "detect_ftrace.hpp"

#include "../perfetto/detect.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace lttng_gpu::trace {
namespace {

bool has_magic(std::string_view head, std::uint32_t magic)
{
    std::uint32_t found = 0;
    if (head.size() < sizeof found) {
        return false;
    }
    std::memcpy(&found, head.data(), sizeof found);
    return found == magic || found == __builtin_bswap32(magic);
}

bool is_metadata(std::string_view head)
{
    constexpr std::uint32_t packet = 0x75d11d57;
    const bool is_json = head.starts_with("\x1e") || head.starts_with("{");
    return has_magic(head, packet) || head.starts_with("/* CTF 1.8") ||
           (is_json && head.find("\"preamble\"") != std::string_view::npos);
}

const char* kind_of(std::string_view head)
{
    constexpr std::uint32_t stream = 0xc1fc1fc1;
    constexpr std::uint32_t index = 0xc1f1dcc1;
    if (is_metadata(head)) {
        return "the metadata of a CTF trace";
    }
    if (has_magic(head, stream)) {
        return "a stream of a CTF trace";
    }
    if (has_magic(head, index)) {
        return "an index of a CTF trace";
    }
    if (head.starts_with("PERFILE2")) {
        return "a recording of perf";
    }
    switch (ftrace::kind_of(head)) {
    case ftrace::FtraceKind::TraceDat:
        return "a recording of trace-cmd";
    case ftrace::FtraceKind::Perfetto:
        return perfetto::is_recording(head) ? "a recording of Perfetto" : nullptr;
    case ftrace::FtraceKind::Text:
        return "a text trace of ftrace";
    case ftrace::FtraceKind::None:
        break;
    }
    return nullptr;
}

Recorder recorder_of(const std::filesystem::path& input)
{
    std::error_code error;
    if (is_live(input) || !std::filesystem::is_regular_file(input, error)) {
        return Recorder::Lttng;
    }
    // What the kernel makes while it is read (trace_pipe) is not read for this.
    const bool is_kept = std::filesystem::file_size(input, error) > 0 && !error;
    const auto head = is_kept ? ftrace::read_head(input) : Expected<std::string>{std::string{}};
    switch (head ? ftrace::kind_of(*head) : ftrace::FtraceKind::None) {
    case ftrace::FtraceKind::TraceDat:
        return Recorder::TraceCmd;
    case ftrace::FtraceKind::Perfetto:
        return Recorder::Perfetto;
    default:
        return Recorder::Text; // what has other words before its events is text, too
    }
}

} // namespace

Recorder recorder_of(const std::vector<std::filesystem::path>& inputs)
{
    for (const std::filesystem::path& input : inputs) {
        if (const Recorder recorder = recorder_of(input); recorder != Recorder::Lttng) {
            return recorder;
        }
    }
    return Recorder::Lttng;
}

bool is_live(const std::filesystem::path& input)
{
    const std::string& text = input.native();
    return text.starts_with("net://") || text.starts_with("net4://") || text.starts_with("net6://");
}

const char* recording_kind(const std::filesystem::path& file)
{
    const auto head = ftrace::read_head(file);
    return head ? kind_of(*head) : nullptr;
}

bool is_trace_folder(const std::filesystem::path& folder)
{
    const auto head = ftrace::read_head(folder / "metadata");
    return head && is_metadata(*head);
}

} // namespace lttng_gpu::trace
