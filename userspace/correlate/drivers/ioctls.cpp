// SPDX-License-Identifier: MIT
//
// LTTng's events of the system call ioctl: those of DRM's devices, in which threads of drivers
// hand over jobs. They are recorded on request only (record --events all,syscall:ioctl).
#include "../calls/api_jobs.hpp"
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

constexpr std::array<std::string_view, 1> entry_fields{"cmd"};
constexpr std::array<std::string_view, 0> exit_fields{};

class Ioctls final : public FamilyState {
public:
    explicit Ioctls(EventContext& context) : FamilyState{context}, m_context{context} {}

    /// Null: there was no event of an API yet.
    ApiJobs* api() { return m_context.find_api_jobs(); }

    PerThread<std::optional<Timestamp>> begins; // of those under way

private:
    EventContext& m_context;
};

/// DRM_IOCTL_BASE in drm.h; the second byte of a command says whose it is (_IOC_TYPESHIFT).
bool is_of_drm(std::uint64_t command)
{
    return ((command >> 8) & 0xff) == 'd';
}

void on_entry(Ioctls& state, const trace::RawEvent& event)
{
    const auto command = find_unsigned(event, 0);
    const bool is_wanted = command && is_of_drm(*command) && state.api() != nullptr;
    if (is_wanted) {
        if (auto* const begin = state.note_of(state.begins, event)) {
            *begin = event.time;
        }
    } else if (auto* const begin = state.find_note(state.begins, event)) {
        begin->reset();
    }
}

void on_exit(Ioctls& state, const trace::RawEvent& event)
{
    auto* const begin = state.find_note(state.begins, event);
    ApiJobs* const api = state.api();
    if (begin != nullptr && *begin && api != nullptr) {
        api->on_ioctl(state.actor_of(event), **begin, event.time);
        begin->reset();
    }
}

constexpr std::array<EventSpec, 2> events{{
    {"syscall_entry_ioctl", entry_fields, handler<on_entry>},
    {"syscall_exit_ioctl", exit_fields, handler<on_exit>},
}};

} // namespace

EventFamily ioctls_family()
{
    return {"ioctls", events, {}, make_state<Ioctls>};
}

} // namespace lttng_gpu::model
