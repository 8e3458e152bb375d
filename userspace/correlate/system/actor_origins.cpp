// SPDX-License-Identifier: MIT
//
// See actor_origins.hpp.
#include "actor_origins.hpp"

namespace lttng_gpu::model {

std::uint64_t ActorOrigin::hash() const
{
    const auto number = [](const auto& known) {
        return known ? static_cast<std::uint64_t>(known->value()) : 0;
    };
    const std::uint64_t hash = mix_hash(mix_hash(trace.value(), pid_ns), number(own_pid));
    return mix_hash(hash, number(own_tid));
}

/// Where pid and tid were not recorded, the reader gives vpid and vtid in their place: they are
/// then equal, too.
ActorOrigin ActorOrigins::origin_of(const trace::RawEvent& event)
{
    const trace::ContextValues& context = event.context;
    ActorOrigin origin;
    origin.trace = event.trace;
    origin.pid_ns = static_cast<std::uint32_t>(context.pid_ns.as_unsigned_or(0));
    const bool is_initial = origin.pid_ns == initial_pid_namespace;
    const auto vpid = context.vpid.as_signed();
    const auto vtid = context.vtid.as_signed();
    if (!vtid) {
        origin.has_global_numbers = true;
        origin.has_own_numbers = is_initial;
        return origin;
    }
    origin.has_own_numbers =
        vtid == context.tid.as_signed() && (!vpid || vpid == context.pid.as_signed());
    origin.has_global_numbers = is_initial || !origin.has_own_numbers;
    if (!origin.has_own_numbers) {
        origin.own_tid = Tid{*vtid};
        origin.own_pid = vpid ? Known<Pid>{Pid{*vpid}} : Known<Pid>{};
    }
    return origin;
}

OriginId ActorOrigins::find_or_add(const ActorOrigin& origin)
{
    if (at(m_last) == origin) {
        return m_last;
    }
    const std::uint64_t hash = origin.hash();
    if (const OriginId* known = m_ids.find(hash, origin)) {
        return m_last = *known;
    }
    if (m_origins.size() >= most_origins) {
        return plain(origin.trace);
    }
    return m_last = m_ids.insert(hash, origin, add(origin));
}

OriginId ActorOrigins::add(const ActorOrigin& origin)
{
    m_origins.push_back(origin);
    return OriginId{static_cast<std::uint32_t>(m_origins.size() - 1)};
}

} // namespace lttng_gpu::model
