// SPDX-License-Identifier: MIT
//
// Counters of devices: i915 tells the frequency that it asks for (rps_set()), `record --counters`
// samples what sysfs and hwmon have. Jobs are not made of them.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

struct CounterEvents : FamilyState {
    explicit CounterEvents(EventContext& context) : FamilyState{context}, counters{context.counters}
    {
    }

    Counters& counters;
};

namespace sample {
enum : std::size_t { Device, Name, Unit, Value };
constexpr std::array<std::string_view, 4> names{"device", "counter", "unit", "value"};
} // namespace sample

void on_sample(CounterEvents& state, const trace::RawEvent& event)
{
    const auto value = find_signed(event, sample::Value);
    if (!value) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    state.counters.add({event.trace, state.texts.of(find_text(event, sample::Device)),
                        state.texts.of(find_text(event, sample::Name)),
                        state.texts.of(find_text(event, sample::Unit)), true},
                       event.time, *value);
}

/// The kernel's field is `freq`; its printed form, which ftrace's text has, `new_freq`.
constexpr std::array<std::string_view, 2> frequency_names{"freq", "new_freq"};

void on_frequency(CounterEvents& state, const trace::RawEvent& event)
{
    auto megahertz = find_unsigned(event, 0);
    if (!megahertz) {
        megahertz = find_unsigned(event, 1);
    }
    if (megahertz) {
        state.counters.add({event.trace,
                            {},
                            state.texts.of("intel_gpu_freq_change"),
                            state.texts.of("MHz"),
                            false},
                           event.time, static_cast<std::int64_t>(*megahertz));
    }
}

constexpr std::array<EventSpec, 2> events{{
    {"lttng_gpu_counters:sample", sample::names, handler<on_sample>, false, false},
    {"intel_gpu_freq_change", frequency_names, handler<on_frequency>, false, false},
}};

} // namespace

EventFamily counters_family()
{
    return {"counters", events, {}, make_state<CounterEvents>};
}

} // namespace lttng_gpu::model
