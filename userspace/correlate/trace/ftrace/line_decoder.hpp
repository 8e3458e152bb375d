// SPDX-License-Identifier: MIT
//
// Gives the lines of a text as the tracer wrote them: without a byte order mark, and out of the
// pages in which they come to us. systrace puts the text into a script element, bug trackers and
// mail archives write &lt; for <.
#pragma once

#include <string>
#include <string_view>

namespace lttng_gpu::trace::ftrace {

class LineDecoder {
public:
    /// Good until the next call, or as long as `line`.
    std::string_view decode(std::string_view line);

    /// The line is one of the page around the trace, unless it reads as an event.
    bool is_around() const { return m_is_page && !m_is_in_trace; }
    bool is_page() const { return m_is_page; }

private:
    std::string_view decode_page(std::string_view line);
    std::string_view without_markup(std::string_view line);
    bool is_escaped(std::string_view line);

    std::string m_text;
    bool m_is_begun = false;
    bool m_is_page = false;
    bool m_is_escaped = false;
    bool m_is_in_script = false; // of the trace
    bool m_is_in_trace = false;  // the tracer's header was there
};

} // namespace lttng_gpu::trace::ftrace
