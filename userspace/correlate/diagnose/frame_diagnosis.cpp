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
    ++m_frames;
    m_late += is_late ? 1 : 0;
    for (const Part& top : diagnosis.parts) {
        visit_leaves(top, [&](const Part& part, Duration length) {
            const auto same = std::ranges::find_if(m_totals, [&](const Total& total) {
                return total.reason == part.reason && total.gap == part.gap &&
                       total.place == top.place;
            });
            Total& total =
                same != m_totals.end()
                    ? *same
                    : m_totals.emplace_back(Total{part.reason, part.gap, top.place, {}, {}});
            total.all = total.all + length;
            total.late = total.late + (is_late ? length : Duration{});
        });
    }
}

Duration FrameTotals::mean_late(const Total& total) const
{
    return m_late == 0 ? Duration{}
                       : Duration{total.late.value() / static_cast<std::int64_t>(m_late)};
}

Duration FrameTotals::mean_other(const Total& total) const
{
    return m_late == m_frames ? Duration{}
                              : Duration{(total.all.value() - total.late.value()) /
                                         static_cast<std::int64_t>(m_frames - m_late)};
}

std::vector<FrameTotals::Total> FrameTotals::reasons() const
{
    std::vector<Total> sorted = m_totals;
    std::ranges::stable_sort(sorted, std::ranges::greater{}, [&](const Total& total) {
        return (m_late == 0 ? total.all.value()
                            : mean_late(total).value() - mean_other(total).value());
    });
    return sorted;
}

void FrameSelection::add(FrameDiagnosis&& diagnosis)
{
    const model::Frame& frame = diagnosis.frame;
    if (m_wanted.is_late ? frame.lateness != model::Lateness::Late
                         : frame.number != m_wanted.number ||
                               (m_wanted.surface && frame.surface != *m_wanted.surface)) {
        return;
    }
    const std::size_t most = m_wanted.is_late ? m_most : most_of_a_number;
    if (m_kept.size() == most) {
        ++m_left_out;
        if (most == 0 || !m_wanted.is_late || !is_worse(diagnosis, m_kept.front())) {
            return;
        }
        std::ranges::pop_heap(m_kept, is_worse);
        m_kept.pop_back();
    }
    m_kept.push_back(std::move(diagnosis));
    std::ranges::push_heap(m_kept, is_worse);
}

std::vector<FrameDiagnosis> FrameSelection::take()
{
    std::ranges::sort(m_kept, is_worse);
    return std::move(m_kept);
}

} // namespace lttng_gpu::diagnose
