// SPDX-License-Identifier: MIT
//
// What the i915 events need to remember per engine: its ring, the requests given
// to the ports in the same moment, those numbered by the engine's own (global)
// seqno, and requests that were retired but whose end was not seen yet.
#pragma once

#include "../jobs/job_tracker.hpp"

#include <string>

namespace lttng_gpu::model {

struct I915Engine {
    /// In the order of the events, which go from the last port to the first:
    /// execlists_submit_ports() writes them backwards.
    struct InPort {
        JobRef job;
        std::uint64_t port = 0;
    };
    struct Numbered {
        JobRef job;
        std::uint32_t global = 0;
    };

    std::uint32_t device = 0;
    RingId ring;
    std::vector<InPort> just_given;
    /// A request was taken back, and since then none was given or completed: the
    /// next one taken back stood behind it and never ran.
    bool has_taken_back = false;
    BoundedDeque<Numbered> numbered; // in order of global
    /// Requests that ended with a later one of their context, though they had `in` themselves.
    struct AwaitedOut {
        JobRef job;
        TimeSpan when; // given to the engine, and ended
        std::uint64_t given_before = 0;
    };
    std::vector<AwaitedOut> awaited_outs;
    bool outs_each = false;  // each `in` is followed by an `out`, execlists_schedule_in() since 5.4
    std::uint64_t given = 0; // requests, so far
};

class I915Engines {
public:
    struct Name {
        TraceId trace;
        std::uint32_t device = 0;
        std::uint32_t engine_class = 0; // no_class: `instance` is the legacy number
        std::uint32_t instance = 0;
        bool is_gem_event = false; // which numbers mean what depends on the version
        bool is_numbered = false;  // before v4.12: what the number means changed on the way

        friend bool operator==(const Name&, const Name&) = default;
    };
    static constexpr std::uint32_t no_class = 0xffffffff;

    I915Engine& at(RingTable& rings, const Name& name);
    /// Only some events say what the DRM device of that minor number is called.
    void set_device_name(RingTable& rings, TraceId trace, std::uint32_t device,
                         std::string_view name);

    struct Retired {
        JobRef job;
        Timestamp time;
    };
    BoundedDeque<Retired> retired;

    /// Before v4.12.
    struct NumberedRequest {
        JobRef job;
        JobKey key;
    };
    std::vector<NumberedRequest> numbered; // open

private:
    struct Device {
        TraceId trace;
        std::uint32_t minor = 0;
        std::string name;
    };

    Device& device_of(TraceId trace, std::uint32_t minor);

    std::deque<I915Engine> m_engines;
    FlatTable<Name, std::uint32_t> m_names;
    std::vector<Device> m_devices;
    I915Engine m_unknown; // for one engine too many, which only a damaged trace has
};

} // namespace lttng_gpu::model
