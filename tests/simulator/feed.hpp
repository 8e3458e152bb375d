// SPDX-License-Identifier: MIT
//
// Plays a stream to a consumer as a reader would: only wanted events, with the
// wanted fields in the order they were asked for.
#pragma once

#include "stream.hpp"
#include "trace/event_source.hpp"

#include <optional>

namespace lttng_gpu::simulator {

class Feed {
public:
    explicit Feed(const std::vector<trace::WantedEvent>& wanted);

    bool wants(Name name) const { return m_plans[static_cast<std::size_t>(name)].has_value(); }
    void play(const World& world, const Stream& stream, trace::EventConsumer& consumer) const;

private:
    struct Plan {
        std::size_t wanted = 0;
        std::vector<std::optional<Field>> fields; // none: no event of ours has it
    };

    void play(const World& world, const Stream& stream, const Event& event,
              trace::EventConsumer& consumer) const;

    std::array<std::optional<Plan>, names.size()> m_plans;
};

} // namespace lttng_gpu::simulator
