// SPDX-License-Identifier: MIT
//
// See damage.hpp: events that are missing. Rates are of events; bursts lose as many of
// one CPU's events in a row.
#include "damage.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace lttng_gpu::captures {
namespace {

/// Begin and end of a partly recorded CPU, as parts of the recording.
constexpr double part = 0.3;

Time time_at(const Capture& capture, double share)
{
    const auto span = static_cast<double>(capture.last - capture.first);
    return capture.first + static_cast<Time>(span * share);
}

bool is_state_dump(const Event& event)
{
    return event.name.starts_with("lttng_statedump_");
}

template <typename IsLost> void lose(Capture& capture, IsLost is_lost)
{
    for (Event& event : capture.events) {
        event.is_kept = event.is_kept && (is_state_dump(event) || !is_lost(event));
    }
}

/// One on which a fair share of what tells of jobs was recorded.
std::uint32_t pick_cpu(const Capture& capture, Random& random)
{
    std::map<std::uint32_t, std::size_t> counts;
    std::size_t all = 0;
    for (const Event& event : capture.events) {
        if (event.phase != Phase::None) {
            ++counts[event.cpu];
            ++all;
        }
    }
    std::vector<std::uint32_t> cpus;
    for (const auto& [cpu, count] : counts) {
        if (count * 20 >= all) {
            cpus.push_back(cpu);
        }
    }
    return cpus.at(random.index(static_cast<std::uint32_t>(cpus.size())));
}

/// A gap for each run of events of one CPU that are missing.
void announce(Capture& capture)
{
    std::vector<std::vector<const Event*>> cpus(capture.cpus);
    for (const Event& event : capture.events) {
        if (!is_state_dump(event)) {
            cpus[event.cpu].push_back(&event);
        }
    }
    for (const auto& events : cpus) {
        for (std::size_t first = 0; first < events.size(); ++first) {
            std::size_t end = first;
            while (end < events.size() && !events[end]->is_kept) {
                ++end;
            }
            if (end == first) {
                continue;
            }
            Gap gap{events[first]->cpu, events[first]->time, events[end - 1]->time, end - first,
                    false};
            if (first == 0) {
                gap.begin = capture.first;
                gap.end = end < events.size() ? events[end]->time : capture.last;
                gap.is_overwritten = true;
            }
            capture.gaps.push_back(gap);
            first = end;
        }
    }
    std::stable_sort(capture.gaps.begin(), capture.gaps.end(),
                     [](const Gap& left, const Gap& right) { return left.begin < right.begin; });
}

void begin_late(Capture& capture, Random& random)
{
    const std::uint32_t cpu = pick_cpu(capture, random);
    const Time begin = time_at(capture, part);
    lose(capture, [&](const Event& event) { return event.cpu == cpu && event.time < begin; });
}

void end_early(Capture& capture, Random& random)
{
    const std::uint32_t cpu = pick_cpu(capture, random);
    const Time end = time_at(capture, 1 - part);
    lose(capture, [&](const Event& event) { return event.cpu == cpu && event.time > end; });
}

void miss_cpu(Capture& capture, Random& random)
{
    const std::uint32_t cpu = pick_cpu(capture, random);
    lose(capture, [&](const Event& event) { return event.cpu == cpu; });
}

/// A flight recorder holds as many events of each CPU, which is not as much time.
void overwrite(Capture& capture, Random& random)
{
    std::vector<Time> begins(capture.cpus);
    for (Time& begin : begins) {
        begin = time_at(capture, 0.1 + 0.01 * random.index(50));
    }
    lose(capture, [&](const Event& event) { return event.time < begins[event.cpu]; });
}

/// A reader fell behind, and nothing in the format tells of it.
void lose_middle(Capture& capture, Random& random)
{
    const std::uint32_t cpu = pick_cpu(capture, random);
    const Time begin = time_at(capture, part);
    const Time end = time_at(capture, 1 - part);
    lose(capture, [&](const Event& event) {
        return event.cpu == cpu && begin <= event.time && event.time < end;
    });
}

/// Buffers of one size, of CPUs of which some hardly do anything: nothing of these is overwritten.
void begin_ragged(Capture& capture, Random& random)
{
    std::vector<Time> begins(capture.cpus);
    for (Time& begin : begins) {
        begin = random.chance(0.25) ? capture.first : time_at(capture, 0.006 * random.index(100));
    }
    lose(capture, [&](const Event& event) { return event.time < begins[event.cpu]; });
}

void lose_single(Capture& capture, Random& random, double rate)
{
    lose(capture, [&](const Event&) { return random.chance(rate); });
}

void lose_bursts(Capture& capture, Random& random, double rate)
{
    constexpr std::uint32_t longest = 40;
    std::vector<std::uint32_t> left(capture.cpus, 0);
    lose(capture, [&](const Event& event) {
        if (left[event.cpu] == 0 && random.chance(rate * 2 / longest)) {
            left[event.cpu] = 1 + random.index(longest);
        }
        const bool is_lost = left[event.cpu] > 0;
        left[event.cpu] -= is_lost ? 1 : 0;
        return is_lost;
    });
}

using IsMissing = bool (*)(const Event&);

bool is_sched(const Event& event)
{
    return event.name.starts_with("drm_");
}
bool is_fence(const Event& event)
{
    return event.name.find("fence_") != std::string::npos && !event.name.starts_with("xe_");
}

struct MissingEvents {
    std::string_view name;
    IsMissing is_missing;
};

constexpr auto missing_events = std::to_array<MissingEvents>({
    {"no-sched", is_sched},
    {"no-fences", is_fence},
    {"no-amdgpu", [](const Event& event) { return event.name.starts_with("amdgpu_"); }},
    {"no-i915", [](const Event& event) { return event.name.starts_with("i915_"); }},
    {"no-queue", [](const Event& e) { return !is_fence(e) && e.phase == Phase::Queued; }},
    {"no-run", [](const Event& e) { return !is_fence(e) && e.phase == Phase::Submitted; }},
    {"no-done", [](const Event& e) { return !is_fence(e) && e.phase >= Phase::Preempted; }},
    {"no-switch", [](const Event& event) { return event.name == "sched_switch"; }},
});

void lose_threads(Capture& capture)
{
    capture.has_contexts = false;
    for (Event& event : capture.events) {
        event.is_kept = event.is_kept && event.name != "sched_switch" && !is_state_dump(event);
    }
}

/// Each also as an announced one.
void add_losses_of_tracers(std::vector<Damage>& all)
{
    std::vector<Damage> made{{"late", begin_late},
                             {"early-end", end_early},
                             {"overwritten", overwrite},
                             {"ragged", begin_ragged},
                             {"middle", lose_middle}};
    constexpr std::array<std::pair<const char*, double>, 4> rates{
        {{"0.1%", 0.001}, {"1%", 0.01}, {"5%", 0.05}, {"20%", 0.2}}};
    for (const auto& [words, rate] : rates) {
        const double share = rate;
        made.push_back({std::string{"lost-"} + words, [share](Capture& capture, Random& random) {
                            lose_single(capture, random, share);
                        }});
        made.push_back({std::string{"bursts-"} + words, [share](Capture& capture, Random& random) {
                            lose_bursts(capture, random, share);
                        }});
    }
    for (const Damage& damage : made) {
        all.push_back({damage.name, [damage](Capture& capture, Random& random) {
                           damage.apply(capture, random);
                           capture.are_losses_told = false;
                       }});
        all.push_back({damage.name + "-announced", [damage](Capture& capture, Random& random) {
                           damage.apply(capture, random);
                           announce(capture);
                       }});
    }
}

} // namespace

std::vector<Damage> losses()
{
    std::vector<Damage> all{{"none", [](Capture&, Random&) {}}};
    add_losses_of_tracers(all);
    all.push_back({"missing-cpu", [](Capture& capture, Random& random) {
                       miss_cpu(capture, random);
                       capture.are_losses_told = false;
                   }});
    for (const MissingEvents& missing : missing_events) {
        const IsMissing is_missing = missing.is_missing;
        all.push_back({std::string{missing.name},
                       [is_missing](Capture& capture, Random&) { lose(capture, is_missing); }});
    }
    all.push_back({"no-threads", [](Capture& capture, Random&) { lose_threads(capture); }});
    return all;
}

Damage find_damage(std::string_view name)
{
    for (const auto& list : {losses(), incidents()}) {
        for (const Damage& damage : list) {
            if (damage.name == name) {
                return damage;
            }
        }
    }
    throw std::runtime_error{"no damage '" + std::string{name} + "'"};
}

} // namespace lttng_gpu::captures
