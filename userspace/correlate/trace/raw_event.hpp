// SPDX-License-Identifier: MIT
//
// What a reader hands out: one event of the trace with the values of the
// fields that were asked for, or one gap in the trace. Texts are views that
// stay valid only until the reader is asked for the next item.
#pragma once

#include "../base/ids.hpp"
#include "../base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace lttng_gpu::trace {

/// none when the event has no such field.
using FieldValue = std::variant<std::monostate, std::uint64_t, std::int64_t, std::string_view>;

/// The context fields of LTTng: pid/vpid, tid/vtid and procname, when recorded.
struct ContextValues {
    std::optional<Pid> pid;
    std::optional<Tid> tid;
    std::optional<std::string_view> procname;
};

struct RawEvent {
    Timestamp time;
    TraceId trace;
    Cpu cpu;
    std::size_t wanted = 0;             // index into the list of wanted events
    std::span<const FieldValue> fields; // in the order they were asked for
    ContextValues context;
};

enum class LossUnit { Events, Packets };

/// The tracer dropped something on one CPU between begin and end.
struct Loss {
    Timestamp begin;
    Timestamp end;
    TraceId trace;
    Cpu cpu;
    LossUnit unit = LossUnit::Events;
    std::optional<std::uint64_t> count; // empty: the trace does not say how many
};

using TraceItem = std::variant<RawEvent, Loss>;

} // namespace lttng_gpu::trace
