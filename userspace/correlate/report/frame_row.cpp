// SPDX-License-Identifier: MIT
//
// See frame_row.hpp.
#include "frame_row.hpp"

namespace lttng_gpu::report {
namespace {

struct PartTexts {
    std::string_view text;
    std::string_view title;
};

constexpr std::array<PartTexts, model::frame_parts> part_texts{{
    {"cpu", "before submit"},
    {"call", "in call"},
    {"host_queue", "host queue"},
    {"device_queue", "device queue"},
    {"execution", "execution"},
    {"after", "after the jobs"},
    {"unknown", "unknown"},
}};

} // namespace

std::string_view frame_part_text(model::FramePart part)
{
    return part_texts[static_cast<std::size_t>(part)].text;
}

std::string_view frame_part_title(model::FramePart part)
{
    return part_texts[static_cast<std::size_t>(part)].title;
}

std::string_view late_by_text(const model::Frame& frame)
{
    const bool is_known =
        frame.lateness == model::Lateness::Late && frame.late_by != model::FramePart::Unknown;
    return is_known ? frame_part_text(frame.late_by) : std::string_view{};
}

} // namespace lttng_gpu::report
