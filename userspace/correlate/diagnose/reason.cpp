// SPDX-License-Identifier: MIT
//
// See reason.hpp.
#include "reason.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::array<ReasonText, reason_count> texts{{
    {"preempted", "thread preempted", "the thread could run, but others did",
     "sched_switch, sched_wakeup"},
    {"blocked", "thread slept", "the thread slept", "sched_switch, sched_wakeup"},
    {"cpu_bound", "nothing submitted: CPU bound", "the process submitted nothing: its thread ran",
     "sched_switch, queued"},
    {"own_wait", "waited for own earlier work",
     "the process waited for its own earlier work before it prepared this job",
     "fence wait, queued, completed"},
    {"dependency", "waited for a fence", "waited for a fence", "dependency of the job, its signal"},
    {"back_pressure", "device queue full", "the device queue was full",
     "submitted, completed of the ring's jobs"},
    {"worker_late", "ready, driver had not submitted it",
     "ready, and the ring had room, but the driver had not submitted it",
     "queued, dependencies, submitted, completed of the ring's jobs"},
    {"handover", "normal submit delay", "from queued to submitted with nothing in the way",
     "queued, submitted"},
    {"ring_busy_own", "behind own jobs", "the ring executed earlier jobs of the same process",
     "started, completed of the ring's jobs"},
    {"ring_shared", "behind another process's jobs", "the ring executed jobs of another process",
     "started, completed of the ring's jobs"},
    {"ring_busy_unknown", "behind an unknown process's jobs",
     "the ring executed jobs of an unknown process", "started, completed of the ring's jobs"},
    {"execution", "executing", "executing", "started, completed"},
    {"long_execution", "executing unusually long", "executing, much longer than usual",
     "started, completed of jobs of the process on the ring"},
    {"hang", "hung", "hung", "the driver's fault event, or the end of the trace"},
    {"unknown", "unknown", "unknown", ""},
    {"unexplained", "unexplained", "nothing recorded explains it", ""},
}};

} // namespace

const ReasonText& text_of(Reason reason)
{
    return texts[static_cast<std::size_t>(reason)];
}

std::string_view text_of(Gap gap)
{
    switch (gap) {
    case Gap::None:
    case Gap::Count:
        return "";
    case Gap::NoSchedEvents:
        return "no sched events recorded";
    case Gap::NoThreadStates:
        return "no sched events of this thread";
    case Gap::NoThread:
        return "submitting thread unknown";
    case Gap::EventsLost:
        return "events lost";
    case Gap::TimesMissing:
        return "events of the job missing";
    case Gap::StartUnknown:
        return "on the device, start of execution unknown";
    case Gap::ClockError:
        return "shorter than the clock's error";
    case Gap::TooMuchAtOnce:
        return "too many jobs at once";
    case Gap::GiverUnknown:
        return "who gave the submitting thread its work";
    }
    return "";
}

std::string_view text_of(PlaceInFrame place)
{
    constexpr std::array<std::string_view, 5> texts{"", "outside_calls", "in_call", "last_call",
                                                    "after_call"};
    return texts[static_cast<std::size_t>(place)];
}

bool is_usual(Reason reason)
{
    return reason == Reason::Handover || reason == Reason::Execution ||
           reason == Reason::RingBusyOwn;
}

ThreadName::ThreadName(std::string_view name)
{
    std::copy_n(name.begin(), std::min(name.size(), text.size()), text.begin());
}

std::string_view ThreadName::view() const
{
    const auto end = std::find(text.begin(), text.end(), '\0');
    return {text.data(), static_cast<std::size_t>(end - text.begin())};
}

} // namespace lttng_gpu::diagnose
