// SPDX-License-Identifier: MIT
//
// See examination.hpp.
#include "examination.hpp"

#include "../correlate/trace/open/open_traces.hpp"

namespace lttng_gpu::exporting {
namespace {

class Examiner final : public trace::EventConsumer {
public:
    explicit Examiner(const EventObserver& event_observer) : m_event_observer{event_observer} {}

    void on_event(const trace::RawEvent& event) override { m_event_observer.on_event(event); }
    void on_loss(const trace::Loss& loss) override { account.count(loss); }

    report::TraceAccount account;

private:
    const EventObserver& m_event_observer;
};

} // namespace

Expected<run::Outcome> examine(const std::vector<std::filesystem::path>& paths,
                               const EventObserver& event_observer, const CommandContext& context,
                               double share)
{
    trace::ReadOptions read;
    read.may_mix_boots = true; // what is written has a trace for each
    read.enumerations = event_observer.enumerations;
    const auto source = trace::open_traces(paths, event_observer.wanted, read);
    if (!source) {
        return Failure{source.error()};
    }
    Examiner examiner{event_observer};
    for (;;) {
        const auto has_more = (*source)->read_some(examiner);
        if (!has_more) {
            return Failure{has_more.error()};
        }
        if (!*has_more) {
            break;
        }
        if (context.interruption.is_requested()) {
            return interrupted();
        }
        if (const auto ratio = (*source)->progress()) {
            context.progress.update(*ratio * share, (*source)->totals().events);
        }
    }
    run::Outcome outcome;
    outcome.account = examiner.account;
    outcome.account.events_read = (*source)->totals().events;
    outcome.first = (*source)->totals().first;
    outcome.last = (*source)->totals().last;
    return outcome;
}

} // namespace lttng_gpu::exporting
