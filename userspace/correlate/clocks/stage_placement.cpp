// SPDX-License-Identifier: MIT
//
// See stage_placement.hpp.
#include "stage_placement.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

enum Stage : std::size_t { Queued, Start = 2, End, Count };

struct Range {
    Wide low;
    Wide high;

    bool is_empty() const { return high < low; }
    Wide middle() const { return low + (high - low) / 2; }
};

Wide first_of(const MappedTime& mapped)
{
    return Wide{mapped.time.value()} - mapped.error.value();
}

Wide last_of(const MappedTime& mapped)
{
    return Wide{mapped.time.value()} + mapped.error.value();
}

/// The offsets with which the stages from `first` to the last stay inside their errors.
Range offsets(const StageTimes& stages, std::size_t first)
{
    Range range{first_of(stages.mapped[first]) - stages.device[first],
                last_of(stages.mapped[first]) - stages.device[first]};
    for (std::size_t stage = first + 1; stage < Count; ++stage) {
        range.low = std::max(range.low, first_of(stages.mapped[stage]) - stages.device[stage]);
        range.high = std::min(range.high, last_of(stages.mapped[stage]) - stages.device[stage]);
    }
    return range;
}

/// And inside of the call, as seen from the stage `first`.
Range inside_of_call(const StageTimes& stages, std::size_t first)
{
    Range range = offsets(stages, first);
    if (stages.not_before) {
        range.low = std::max(range.low, Wide{stages.not_before->value()} - stages.device[first]);
    }
    if (stages.not_after) {
        range.high = std::min(range.high, Wide{stages.not_after->value()} - stages.device[End]);
    }
    return range;
}

using WideTimes = std::array<Wide, Count>;

WideTimes moved(const StageTimes& stages, Wide offset)
{
    WideTimes times{};
    for (std::size_t stage = 0; stage < Count; ++stage) {
        times[stage] = stages.device[stage] + offset;
    }
    return times;
}

/// No one offset fits all. The execution keeps its own if there is one; what has none is where it
/// is mapped, in order and inside of the call.
WideTimes moved_apart(const StageTimes& stages)
{
    const Range execution = inside_of_call(stages, Start);
    WideTimes times = moved(stages, execution.middle());
    const Wide begin = stages.not_before ? Wide{stages.not_before->value()} : Wide{INT64_MIN};
    const Wide end = stages.not_after ? Wide{stages.not_after->value()} : Wide{INT64_MAX};
    const Wide latest = execution.is_empty() ? end : times[Start];
    Wide earliest = begin;
    for (std::size_t stage = 0; stage < (execution.is_empty() ? Count : Start); ++stage) {
        times[stage] =
            std::max(earliest, std::min(Wide{stages.mapped[stage].time.value()}, latest));
        earliest = times[stage];
    }
    return times;
}

} // namespace

std::optional<PlacedStages> place_stages(const StageTimes& stages, std::optional<Duration> offset)
{
    const Range range = inside_of_call(stages, Queued);
    const bool is_kept = offset && range.low <= offset->value() && offset->value() <= range.high;
    const WideTimes times = range.is_empty()
                                ? moved_apart(stages)
                                : moved(stages, is_kept ? Wide{offset->value()} : range.middle());
    PlacedStages placed;
    for (std::size_t stage = 0; stage < Count; ++stage) {
        const Wide time = times[stage];
        const Wide error =
            std::max(time - first_of(stages.mapped[stage]), last_of(stages.mapped[stage]) - time);
        if (time < INT64_MIN || time > INT64_MAX || error > INT64_MAX) {
            return {};
        }
        placed.times[stage] = Timestamp{static_cast<std::int64_t>(time)};
        placed.errors[stage] = Duration{static_cast<std::int64_t>(error)};
    }
    const Wide end_offset = times[End] - stages.device[End];
    if (end_offset < INT64_MIN || end_offset > INT64_MAX) {
        return {};
    }
    placed.offset = Duration{static_cast<std::int64_t>(end_offset)};
    return placed;
}

} // namespace lttng_gpu::model
