// SPDX-License-Identifier: MIT
//
// See detect_ftrace.hpp.
#include "detect_ftrace.hpp"

#include "../ftrace/file.hpp"
#include "../ftrace/text_line.hpp"
#include "foreign_form.hpp"
#include "text_head.hpp"

#include "../perfetto/detect.hpp"

#include <algorithm>
#include <span>

namespace lttng_gpu::trace::ftrace {
namespace {

/// Of a text trace the header and some events lie in here.
constexpr std::size_t head_size = std::size_t{16} << 10;
constexpr std::string_view magic{"\x17\x08\x44tracing", 10};

Expected<std::string> read_head(File& file)
{
    std::string head(head_size, '\0');
    const auto got = file.read_at(0, std::as_writable_bytes(std::span{head}));
    std::size_t size = got.value_or(0);
    // What the kernel makes while it is read has no places.
    for (std::size_t more = file.size() == 0 ? 1 : 0; got && more > 0 && size < head.size();) {
        const auto read = file.read(std::as_writable_bytes(std::span{head}.subspan(size)));
        if (!read) {
            return Failure{read.error()};
        }
        more = *read;
        size += more;
    }
    head.resize(size);
    return got ? Expected<std::string>{std::move(head)} : Failure{got.error()};
}

bool is_header(std::string_view line)
{
    return line.starts_with("# tracer: ") || line.starts_with("cpus=") ||
           line.starts_with("version = ");
}

/// Whether a line of it is what only a trace has.
bool is_text(std::string_view head)
{
    while (!head.empty()) {
        const std::size_t feed = std::min(head.find('\n'), head.size());
        const std::string_view line = head.substr(0, feed);
        const LineKind kind = parse_line(line).kind;
        if (is_header(line) || kind == LineKind::Event || kind == LineKind::Lost) {
            return true;
        }
        head.remove_prefix(std::min(feed + 1, head.size()));
    }
    return false;
}

} // namespace

Expected<std::string> read_head(const std::filesystem::path& path)
{
    auto file = File::open(path);
    return file ? read_head(*file) : Failure{file.error()};
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
    auto file = File::open(path);
    if (!file) {
        return Failure{file.error()};
    }
    const auto head = read_head(*file);
    if (!head) {
        return Failure{head.error()};
    }
    if (head->starts_with(magic)) {
        return FtraceKind::TraceDat;
    }
    if (perfetto::is_trace(*head)) {
        return FtraceKind::Perfetto;
    }
    const std::string_view foreign = foreign_form(*head);
    const auto text = foreign.empty() ? examine_text(std::move(*file), *head) : TextHead{};
    if (!text) {
        return Failure{text.error()};
    }
    const std::string_view reason = foreign.empty() ? text->refusal : foreign;
    if (!reason.empty()) {
        return Failure{{ErrorKind::UnreadableTrace, path.string() + ": " + std::string{reason}}};
    }
    return text->is_trace ? FtraceKind::Text : FtraceKind::None;
}

} // namespace lttng_gpu::trace::ftrace
