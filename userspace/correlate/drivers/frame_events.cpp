// SPDX-License-Identifier: MIT
//
// See frame_events.hpp.
#include "frame_events.hpp"

#include <utility>

namespace lttng_gpu::model {
namespace {

namespace frame {
enum : std::size_t {
    Function,
    Begin,
    Result,
    Number,
    Surface,
    Context,
    Draws,
    Dispatches,
    Uploads
};
} // namespace frame

template <std::size_t api> void on_frame_of(ApiEvents& state, const trace::RawEvent& event)
{
    static constexpr ApiTraits traits{apis[api], {}};
    on_frame(state, event, traits);
}

constexpr std::array<std::string_view, apis.size()> names{
#define LTTNG_GPU_API(name, title, loading, loader_variable) "lttng_gpu_" #name ":frame",
#include "../../apis.def"
#undef LTTNG_GPU_API
};

template <std::size_t... api>
constexpr std::array<EventSpec, apis.size()> specs(std::index_sequence<api...>)
{
    return {{{names[api], frame_fields, handler<on_frame_of<api>>}...}};
}

constexpr std::array<EventSpec, apis.size()> events =
    specs(std::make_index_sequence<apis.size()>{});

} // namespace

void on_frame(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits)
{
    const auto begin = find_moment(state, event, frame::Begin);
    const auto surface = find_unsigned(event, frame::Surface);
    if (!begin || !surface) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const auto number = [&event](std::size_t field) {
        return find_unsigned(event, field).value_or(0);
    };
    Frame ended;
    ended.actor = state.actor_of(event);
    ended.api = state.strings.intern(traits.api.title);
    ended.function = find_call_name(state, event, traits).text;
    ended.result = find_signed(event, frame::Result).value_or(0);
    ended.number = number(frame::Number);
    ended.surface = *surface;
    ended.context = number(frame::Context);
    ended.draws = number(frame::Draws);
    ended.dispatches = number(frame::Dispatches);
    ended.uploads = number(frame::Uploads);
    ended.call_begin = *begin;
    ended.end = event.time;
    state.api().on_frame(process_of(traits, state, event, ended.actor), ended);
}

EventFamily frames_family()
{
    return {"frames", events, {}, make_state<ApiEvents>};
}

} // namespace lttng_gpu::model
