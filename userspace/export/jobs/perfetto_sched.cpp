// SPDX-License-Identifier: MIT
//
// See perfetto_sched.hpp. Numbers of fields:
// protos/perfetto/trace/ftrace/ftrace_event_bundle.proto, ftrace_event.proto and sched.proto in
// Perfetto's sources.
#include "perfetto_sched.hpp"

#include "proto_bytes.hpp"

#include <algorithm>

namespace lttng_gpu::exporting {
namespace {

namespace switch_field = model::switch_field;

namespace trace_field {
constexpr unsigned packet = 1;
}
namespace packet {
constexpr unsigned ftrace = 1;
}
namespace bundle {
constexpr unsigned cpu = 1, event = 2, lost_events = 3;
}
namespace ftrace {
constexpr unsigned timestamp = 1, pid = 2, sched_switch = 4;
}
namespace sched_switch {
constexpr unsigned prev_comm = 1, prev_pid = 2, prev_state = 4, next_comm = 5, next_pid = 6;
}

constexpr std::size_t most_packet = 256;
constexpr std::size_t most_name = 15; // TASK_COMM_LEN of linux/sched.h, without the end

/// Text traces have letters (fs/proc/array.c, task_state_array), "R+" for a thread that was
/// preempted (TASK_STATE_MAX).
std::optional<std::uint64_t> state_of(const trace::FieldValue& value)
{
    if (const auto number = value.as_unsigned()) {
        return number;
    }
    constexpr std::string_view letters = "SDTtXZPI";
    constexpr std::uint64_t preempted = 0x100;
    const std::string_view text = value.as_text();
    if (text.starts_with('R')) {
        return text.ends_with('+') ? preempted : 0;
    }
    const std::size_t place = text.empty() ? std::string_view::npos : letters.find(text.front());
    return place != std::string_view::npos ? std::optional{std::uint64_t{1} << place}
                                           : std::nullopt;
}

} // namespace

bool PerfettoSched::is_of_trace(TraceId trace)
{
    if (!m_trace) {
        m_trace = trace;
    }
    return *m_trace == trace;
}

std::string_view PerfettoSched::name_of(std::int64_t tid) const
{
    const auto known = m_names.find(tid);
    return known != m_names.end() ? std::string_view{known->second} : std::string_view{};
}

void PerfettoSched::note_name(std::int64_t tid, std::string_view name)
{
    if (m_names.size() >= most_threads && !m_names.contains(tid)) {
        m_names.clear(); // each tells its name again when it runs
    }
    m_names[tid] = name;
}

bool PerfettoSched::take_loss(std::uint32_t cpu)
{
    const bool has_loss = cpu < m_has_loss.size() && m_has_loss[cpu];
    if (has_loss) {
        m_has_loss[cpu] = false;
    }
    return has_loss;
}

void PerfettoSched::on_loss(const trace::Loss& loss)
{
    const std::size_t cpu = loss.cpu.value();
    if (cpu < most_cpus && m_trace == loss.trace) {
        m_has_loss.resize(std::max(m_has_loss.size(), cpu + 1));
        m_has_loss[cpu] = true;
    }
}

void PerfettoSched::on_switch(const trace::RawEvent& event)
{
    const auto next = event.fields[switch_field::NextTid].as_signed();
    auto prev = event.fields[switch_field::PrevTid].as_signed();
    if (!prev) {
        prev = event.context.tid.as_signed();
    }
    const auto state = state_of(event.fields[switch_field::PrevState]);
    if (!next || !prev || !is_of_trace(event.trace)) {
        return;
    }
    const std::string_view next_name =
        event.fields[switch_field::NextComm].as_text().substr(0, most_name);
    const std::string_view prev_name = name_of(*prev);
    ProtoBytes bytes{m_output.reserve(most_packet)};
    bytes.message(trace_field::packet, [&] {
        bytes.message(packet::ftrace, [&] {
            bytes.number(bundle::cpu, event.cpu.value());
            if (take_loss(event.cpu.value())) {
                bytes.number(bundle::lost_events, 1);
            }
            bytes.message(bundle::event, [&] {
                bytes.number(ftrace::timestamp, static_cast<std::uint64_t>(event.time.value()));
                bytes.number(ftrace::pid, static_cast<std::uint64_t>(*prev));
                bytes.message(ftrace::sched_switch, [&] {
                    if (!prev_name.empty()) {
                        bytes.text(sched_switch::prev_comm, prev_name);
                    }
                    bytes.number(sched_switch::prev_pid, static_cast<std::uint64_t>(*prev));
                    if (state) {
                        bytes.number(sched_switch::prev_state, *state);
                    }
                    bytes.text(sched_switch::next_comm, next_name);
                    bytes.number(sched_switch::next_pid, static_cast<std::uint64_t>(*next));
                });
            });
        });
    });
    m_output.commit(bytes.end());
    note_name(*next, next_name);
}

} // namespace lttng_gpu::exporting
