// SPDX-License-Identifier: MIT
//
// See thread_reading.hpp.
#include "thread_reading.hpp"

namespace lttng_gpu::run {
namespace {

class Events final : public trace::EventConsumer {
public:
    explicit Events(model::ThreadObserver& observer) : m_observer{observer} {}

    static std::vector<trace::WantedEvent> wanted()
    {
        const std::vector<std::string> changed{model::switch_field::names.begin(),
                                               model::switch_field::names.end()};
        const std::vector<std::string> woken{model::wakeup_field::names.begin(),
                                             model::wakeup_field::names.end()};
        return {{"sched_switch", changed},
                {"sched_waking", woken},
                {"sched_wakeup", woken},
                {"sched_wakeup_new", woken}};
    }

    void on_event(const trace::RawEvent& event) override
    {
        if (event.wanted == 0) {
            m_observer.on_switch(event);
        } else {
            m_observer.on_wakeup(event);
        }
    }
    void on_loss(const trace::Loss& loss) override { m_observer.on_loss(loss); }

private:
    model::ThreadObserver& m_observer;
};

} // namespace

void read_threads(const std::vector<std::filesystem::path>& traces, trace::ReadOptions options,
                  const CaptureSurvey* survey, model::ThreadObserver& observer,
                  const std::function<bool(const trace::EventSource&)>& may_go_on)
{
    trace::EnumerationTable enumerations;
    options.enumerations = &enumerations;
    auto source = trace::open_traces(traces, Events::wanted(), options);
    // What is known before reading need not be read.
    if (!source || ((*source)->describes_all_events() && !(*source)->has_event("sched_switch"))) {
        return;
    }
    auto amended = survey != nullptr ? trace::amend(std::move(*source), survey->amendments)
                                     : std::move(*source);
    Events events{observer};
    while (may_go_on(*amended) && amended->read_some(events).value_or(false)) {
    }
}

} // namespace lttng_gpu::run
