// SPDX-License-Identifier: MIT
//
// See detect_ftrace.hpp.
#include "detect_ftrace.hpp"

#include "../ftrace/file.hpp"
#include "../ftrace/text_line.hpp"

#include "../perfetto/detect.hpp"

#include <array>
#include <span>

namespace lttng_gpu::trace::ftrace {
namespace {

/// Of a text trace the header and some events lie in here.
constexpr std::size_t head_size = std::size_t{16} << 10;
constexpr std::string_view magic{"\x17\x08\x44tracing", 10};

bool is_header(std::string_view line)
{
    return line.starts_with("# tracer: ") || line.starts_with("cpus=") ||
           line.starts_with("version = ");
}

/// Text when a line is what only a trace has.
bool is_text(std::string_view head)
{
    for (std::size_t feed = head.find('\n'); feed != std::string_view::npos;
         feed = head.find('\n')) {
        const std::string_view line = head.substr(0, feed);
        const LineKind kind = parse_line(line).kind;
        if (is_header(line) || kind == LineKind::Event || kind == LineKind::Lost) {
            return true;
        }
        head.remove_prefix(feed + 1);
    }
    // A trace cut inside its first lines is a damaged trace, not something else.
    return !head.empty() && (is_header(head) || parse_line(head).kind == LineKind::Event);
}

} // namespace

Expected<std::string> read_head(const std::filesystem::path& path)
{
    auto file = File::open(path);
    if (!file) {
        return Failure{file.error()};
    }
    std::string head(head_size, '\0');
    std::size_t size = 0;
    while (size < head.size()) {
        const auto got =
            file->read(std::as_writable_bytes(std::span{head}.subspan(size, head.size() - size)));
        if (!got) {
            return Failure{got.error()};
        }
        if (*got == 0) {
            break;
        }
        size += *got;
    }
    head.resize(size);
    return head;
}

FtraceKind kind_of(std::string_view head)
{
    if (head.starts_with(magic)) {
        return FtraceKind::TraceDat;
    }
    if (perfetto::is_trace(head)) {
        return FtraceKind::Perfetto;
    }
    return is_text(head) ? FtraceKind::Text : FtraceKind::None;
}

Expected<FtraceKind> detect(const std::filesystem::path& path)
{
    const auto head = read_head(path);
    return head ? Expected<FtraceKind>{kind_of(*head)} : Failure{head.error()};
}

} // namespace lttng_gpu::trace::ftrace
