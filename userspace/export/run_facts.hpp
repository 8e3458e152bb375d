// SPDX-License-Identifier: MIT
//
// What one run of a program did, as far as it is compared with other runs: the commands of APIs
// of each queue in order, and when the event was by which runs are aligned. Twelve
// bytes are kept of each command.
#pragma once

#include "../correlate/base/time.hpp"
#include "examination.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace lttng_gpu::exporting {

/// Numbers of command kinds ("kernel saxpy", "command 0x11f3"), the same in all runs.
class CommandKinds {
public:
    std::uint32_t number_of(const std::string& name);
    const std::string& name_of(std::uint32_t number) const { return m_names[number]; }
    std::size_t count() const { return m_names.size(); }

private:
    std::unordered_map<std::string, std::uint32_t> m_numbers;
    std::vector<std::string> m_names;
};

/// The commands of one queue; both vectors have one element for each.
struct QueueFacts {
    std::vector<std::uint32_t> kinds;
    std::vector<std::int64_t> execution_ns; // of the device's clock; negative: unknown
};

struct RunFacts {
    std::vector<QueueFacts> queues; // in order of their first commands
    std::optional<Timestamp> first_command;
    std::optional<Timestamp> last_command;
    std::optional<Timestamp> first_call;
    std::optional<Timestamp> first_named; // the event asked for by name
    std::uint64_t not_followed = 0;       // commands whose execution was not looked at

    std::size_t commands() const;
};

class RunObserver {
public:
    /// `align` may be empty. Kinds and observer must outlive the event_observer.
    RunObserver(CommandKinds& kinds, std::string align);

    EventObserver event_observer();
    const RunFacts& facts() const { return m_facts; }

private:
    enum class Event : std::uint8_t { Kernel, Transfer, CommandBuffer, Other, Times, Call };
    struct Place { // of a command
        std::size_t queue = 0;
        std::size_t index = 0;
    };
    /// API, trace, process, number
    using Key = std::tuple<std::size_t, std::uint32_t, std::uint64_t, std::uint64_t>;

    static Key key_of(const trace::RawEvent& event, std::uint64_t number);

    void on_event(const trace::RawEvent& event);
    void on_command(const trace::RawEvent& event, bool is_kernel);
    void on_times(const trace::RawEvent& event);

    trace::EnumerationTable m_enumerations;
    CommandKinds& m_kinds;
    std::string m_align;
    std::optional<std::size_t> m_align_index; // of the wanted events, or the one behind them
    RunFacts m_facts;
    std::map<Key, std::size_t> m_queues;
    std::map<Key, Place> m_open; // commands whose times have not come
};

} // namespace lttng_gpu::exporting
