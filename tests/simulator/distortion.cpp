// SPDX-License-Identifier: MIT
//
// See distortion.hpp.
#include "distortion.hpp"

#include <algorithm>

namespace lttng_gpu::simulator {
namespace {

void sort_by_time(std::vector<Event>& events)
{
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& left, const Event& right) { return left.time < right.time; });
}

/// The order of one CPU stays.
void shuffle_equal_times(std::vector<Event>& events, unsigned cpus, Random& random)
{
    for (std::size_t first = 0; first < events.size();) {
        std::size_t last = first + 1;
        while (last < events.size() && events[last].time == events[first].time) {
            ++last;
        }
        if (last - first > 1) {
            std::vector<std::uint64_t> ranks(cpus);
            for (std::uint64_t& rank : ranks) {
                rank = random.next();
            }
            std::stable_sort(events.begin() + static_cast<std::ptrdiff_t>(first),
                             events.begin() + static_cast<std::ptrdiff_t>(last),
                             [&](const Event& left, const Event& right) {
                                 return ranks[left.cpu] < ranks[right.cpu];
                             });
        }
        first = last;
    }
}

/// Takes out what a full buffer of one CPU dropped, and announces it.
void lose(Stream& stream, const Distortion& distortion, Random& random)
{
    std::vector<bool> is_gone(stream.events.size(), false);
    const Time last = stream.events.back().time;
    std::vector<Time> free_from(stream.cpus, 0); // gaps of one CPU do not overlap
    for (std::size_t first = 0; first < stream.events.size(); ++first) {
        const Event& victim = stream.events[first];
        if (!random.chance(distortion.loss) || victim.time <= free_from[victim.cpu]) {
            continue;
        }
        Stream::Loss loss{victim.time, victim.time, victim.cpu, distortion.unit, 0};
        const std::uint64_t wanted = 1 + random.index(12);
        for (std::size_t place = first; place < is_gone.size() && loss.count < wanted; ++place) {
            if (stream.events[place].cpu == victim.cpu &&
                stream.events[place].name != Name::ProcessState) {
                is_gone[place] = true;
                loss.end = stream.events[place].time;
                ++loss.count;
            }
        }
        // The tracer knows the packet only, in which other events survived.
        if (random.chance(0.5)) {
            loss.begin =
                std::max(free_from[victim.cpu] + 1, loss.begin - random.spread(10, 100'000));
        }
        loss.end = std::min(last, loss.end + random.spread(1, 50'000));
        free_from[victim.cpu] = loss.end;
        if (loss.count > 0) {
            stream.losses.push_back(loss);
        }
    }
    std::size_t place = 0;
    std::erase_if(stream.events, [&](const Event&) { return is_gone[place++]; });
}

/// The state dump is made anew when a session begins.
void begin_at(Stream& stream, Time begin)
{
    for (Event& event : stream.events) {
        if (event.name == Name::ProcessState) {
            event.time = std::max(event.time, begin);
        }
    }
    std::erase_if(stream.events, [&](const Event& event) { return event.time < begin; });
    sort_by_time(stream.events);
}

void begin_late(Stream& stream, Random& random)
{
    const Time first = stream.events.front().time;
    const Time span = stream.events.back().time - first;
    std::vector<Time> begins(stream.cpus);
    const std::uint32_t earliest = random.index(stream.cpus);
    for (std::uint32_t cpu = 0; cpu < stream.cpus; ++cpu) {
        begins[cpu] = cpu == earliest ? first : first + random.between(0, span / 3);
        if (begins[cpu] > first) {
            stream.losses.push_back({first, begins[cpu], cpu, trace::LossUnit::LateBegin, 0});
        }
    }
    std::erase_if(stream.events, [&](const Event& event) {
        return event.name != Name::ProcessState && event.time < begins[event.cpu];
    });
}

/// A fence is made once, and execlists do give and take a request twice.
bool may_come_twice(const Event& event)
{
    switch (event.name) {
    case Name::GpuFenceInit:
    case Name::DmaFenceInit:
    case Name::FenceInit:
    case Name::GemIn:
    case Name::GemOut:
    case Name::GemExecute:
    case Name::I915In:
    case Name::I915Out:
    case Name::I915Execute:
        return false;
    default:
        return event.phase != Phase::None && event.phase != Phase::WaitBegin &&
               event.phase != Phase::WaitEnd;
    }
}

void duplicate(Stream& stream, double probability, Random& random)
{
    const std::size_t count = stream.events.size();
    for (std::size_t place = 0; place < count; ++place) {
        if (may_come_twice(stream.events[place]) && random.chance(probability)) {
            Event copy = stream.events[place];
            copy.time += random.spread(1, 2000);
            copy.is_duplicate = true;
            stream.events.push_back(copy);
        }
    }
    sort_by_time(stream.events);
}

} // namespace

void retime(Stream& stream, const Distortion& distortion, Random& random)
{
    if (distortion.skew > 0) {
        std::vector<Time> offsets(stream.cpus);
        for (Time& offset : offsets) {
            offset = random.between(-distortion.skew, distortion.skew);
        }
        for (Event& event : stream.events) {
            event.time += offsets[event.cpu];
        }
        sort_by_time(stream.events);
    }
    if (distortion.grain > 1) {
        for (Event& event : stream.events) {
            event.time -= event.time % distortion.grain;
        }
        shuffle_equal_times(stream.events, stream.cpus, random);
    }
}

void damage(Stream& stream, const Distortion& distortion, Random& random)
{
    if (stream.events.empty()) {
        return;
    }
    const Time first = stream.events.front().time;
    const Time span = stream.events.back().time - first;
    if (distortion.duplicate > 0) {
        duplicate(stream, distortion.duplicate, random);
    }
    if (distortion.is_cut_at_begin) {
        begin_at(stream, first + random.between(0, span / 2));
    }
    if (distortion.is_cut_at_end) {
        const Time end = first + span - random.between(0, span / 2);
        std::erase_if(stream.events, [&](const Event& event) { return event.time > end; });
    }
    if (distortion.is_late && !stream.events.empty()) {
        begin_late(stream, random);
    }
    if (distortion.loss > 0 && !stream.events.empty()) {
        lose(stream, distortion, random);
    }
    std::stable_sort(stream.losses.begin(), stream.losses.end(),
                     [](const Stream::Loss& left, const Stream::Loss& right) {
                         return left.begin < right.begin;
                     });
}

} // namespace lttng_gpu::simulator
