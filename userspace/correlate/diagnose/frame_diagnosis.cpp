// SPDX-License-Identifier: MIT
//
// See frame_diagnosis.hpp.
#include "frame_diagnosis.hpp"

#include <algorithm>
#include <charconv>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_of_a_number = 1000; // of as many surfaces

/// Handles of surfaces are shown in hexadecimal, and have no fixed form.
std::optional<std::uint64_t> parse_number(std::string_view text)
{
    const int base = text.starts_with("0x") ? 16 : 10;
    text.remove_prefix(base == 16 ? 2 : 0);
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number, base);
    const bool is_number = result.ec == std::errc{} && result.ptr == end && !text.empty();
    return is_number ? std::optional{number} : std::nullopt;
}

std::int64_t excess(const FrameDiagnosis& diagnosis)
{
    const model::Frame& frame = diagnosis.frame;
    return frame.interval()->value() - frame.cadence.value_or(Duration{}).value();
}

bool is_worse(const FrameDiagnosis& left, const FrameDiagnosis& right)
{
    const auto difference = excess(left) - excess(right);
    return difference != 0 ? difference > 0 : left.begin < right.begin;
}

} // namespace

std::optional<WantedFrames> parse_frame_name(const std::string& text)
{
    WantedFrames wanted;
    wanted.is_any = true;
    if (text == "late") {
        wanted.is_late = true;
        return wanted;
    }
    const std::size_t colon = text.find(':');
    const auto number =
        parse_number(std::string_view{text}.substr(colon == std::string::npos ? 0 : colon + 1));
    if (!number) {
        return {};
    }
    wanted.number = *number;
    if (colon != std::string::npos) {
        wanted.surface = parse_number(std::string_view{text}.substr(0, colon));
        if (!wanted.surface) {
            return {};
        }
    }
    return wanted;
}

void FrameTotals::add(const FrameDiagnosis& diagnosis)
{
    const bool is_late = diagnosis.frame.lateness == model::Lateness::Late;
    ++x_frames;
    x_late += is_late ? 1 : 0;
    for (const Part& top : diagnosis.parts) {
        visit_leaves(top, [&](const Part& part, Duration length) {
            const auto same = std::ranges::find_if(x_totals, [&](const Total& total) {
                return total.reason == part.reason && total.gap == part.gap &&
                       total.place == top.place;
            });
            Total& total =
                same != x_totals.end()
                    ? *same
                    : x_totals.emplace_back(Total{part.reason, part.gap, top.place, {}, {}});
            total.all = total.all + length;
            total.late = total.late + (is_late ? length : Duration{});
        });
    }
}

Duration FrameTotals::mean_late(const Total& total) const
{
    return x_late == 0 ? Duration{}
                       : Duration{total.late.value() / static_cast<std::int64_t>(x_late)};
}

Duration FrameTotals::mean_other(const Total& total) const
{
    return x_late == x_frames ? Duration{}
                              : Duration{(total.all.value() - total.late.value()) /
                                         static_cast<std::int64_t>(x_frames - x_late)};
}

std::vector<FrameTotals::Total> FrameTotals::reasons() const
{
    std::vector<Total> sorted = x_totals;
    std::ranges::stable_sort(sorted, std::ranges::greater{}, [&](const Total& total) {
        return (x_late == 0 ? total.all.value()
                            : mean_late(total).value() - mean_other(total).value());
    });
    return sorted;
}

void FrameSelection::add(FrameDiagnosis&& diagnosis)
{
    const model::Frame& frame = diagnosis.frame;
    if (x_wanted.is_late ? frame.lateness != model::Lateness::Late
                         : frame.number != x_wanted.number ||
                               (x_wanted.surface && frame.surface != *x_wanted.surface)) {
        return;
    }
    const std::size_t most = x_wanted.is_late ? x_most : most_of_a_number;
    if (x_kept.size() == most) {
        ++x_left_out;
        if (most == 0 || !x_wanted.is_late || !is_worse(diagnosis, x_kept.front())) {
            return;
        }
        std::ranges::pop_heap(x_kept, is_worse);
        x_kept.pop_back();
    }
    x_kept.push_back(std::move(diagnosis));
    std::ranges::push_heap(x_kept, is_worse);
}

std::vector<FrameDiagnosis> FrameSelection::take()
{
    std::ranges::sort(x_kept, is_worse);
    return std::move(x_kept);
}

} // namespace lttng_gpu::diagnose
