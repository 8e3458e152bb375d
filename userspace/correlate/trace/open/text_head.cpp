// SPDX-License-Identifier: MIT
//
// See text_head.hpp.
#include "text_head.hpp"

#include "../ftrace/line_decoder.hpp"
#include "../ftrace/line_reader.hpp"
#include "../ftrace/text_line.hpp"

#include <set>

namespace lttng_gpu::trace {
namespace {

using ftrace::LineKind;

/// More than the longest log or page with a trace in it.
constexpr std::uint64_t most_searched = std::uint64_t{64} << 20;

bool is_header(std::string_view line)
{
    return line.starts_with("# tracer: ") || line.starts_with("cpus=") ||
           line.starts_with("version = ");
}

class TextExaminer {
public:
    void add(std::string_view raw)
    {
        const std::string_view text = m_decoder.decode(raw);
        const ftrace::TextLine line = ftrace::parse_line(text);
        const bool is_event = line.kind == LineKind::Event;
        m_is_trace = m_is_trace || is_header(text) || is_event || line.kind == LineKind::Lost ||
                     line.kind == LineKind::Entries;
        m_events += is_event ? 1 : 0;
        m_times += is_event && line.time ? 1 : 0;
        m_stamps += is_event && line.has_stamp ? 1 : 0;
        if (!line.file.empty()) {
            m_files.emplace(line.file);
        }
    }

    bool has_event() const { return m_events > 0; }

    TextHead result() const
    {
        if (m_files.size() > 1) {
            return {true, "events of " + std::to_string(m_files.size()) + " files (" +
                              *m_files.begin() + ", " + *std::next(m_files.begin()) +
                              "), whose CPUs and threads have the same numbers; print each by "
                              "itself: trace-cmd report -i FILE"};
        }
        if (m_events > 0 && m_times == 0) {
            return {true, std::string{ftrace::no_times_text(m_stamps > 0)}};
        }
        return {m_is_trace, {}};
    }

private:
    ftrace::LineDecoder m_decoder;
    bool m_is_trace = false;
    std::uint64_t m_events = 0;
    std::uint64_t m_times = 0;
    std::uint64_t m_stamps = 0;
    std::set<std::string, std::less<>> m_files;
};

Expected<TextHead> search(ftrace::File file)
{
    ftrace::LineReader lines{std::make_shared<ftrace::File>(std::move(file)), {0, most_searched}};
    TextExaminer examiner;
    while (!examiner.has_event()) {
        const auto line = lines.next();
        if (!line) {
            return Failure{line.error()};
        }
        if (!*line) {
            break;
        }
        examiner.add((*line)->text);
    }
    return examiner.result();
}

} // namespace

Expected<TextHead> examine_text(ftrace::File file, std::string_view head)
{
    TextExaminer examiner;
    for (std::string_view rest = head; !rest.empty();) {
        const std::size_t feed = rest.find('\n');
        // A trace cut inside its first lines is a damaged trace, not something else.
        if (feed != std::string_view::npos || !examiner.result().is_trace) {
            examiner.add(rest.substr(0, feed));
        }
        rest.remove_prefix(std::min(feed == std::string_view::npos ? feed : feed + 1, rest.size()));
    }
    const bool is_text = head.find('\0') == std::string_view::npos;
    if (examiner.result().is_trace || !is_text || head.size() >= file.size()) {
        return examiner.result();
    }
    return search(std::move(file));
}

} // namespace lttng_gpu::trace
