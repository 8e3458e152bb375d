// SPDX-License-Identifier: MIT
//
// Which thread was inside which API call when. A job of the kernel's drivers that a
// thread queued meanwhile was made by that call. Threads of the driver that submit
// for others are in no call: their jobs are named only when the process had exactly
// one command under way, else they are counted. Numbers of threads and processes
// are those of one machine and pid namespace, whichever trace tells them.
#pragma once

#include "../../base/anomaly.hpp"
#include "../../base/string_pool.hpp"
#include "../job.hpp"

#include <deque>
#include <unordered_map>

namespace lttng_gpu::model {

class ApiCalls {
public:
    ApiCalls(const StringPool& strings, AnomalyCounters& anomalies)
        : x_strings{strings}, x_anomalies{anomalies}
    {
    }

    /// It returned. Of two that began together the one told as `is_enqueue` names more.
    void on_call(const Actor& actor, Timestamp begin, Timestamp end, StringId call,
                 bool is_enqueue);
    /// A command of the process was under way, from its call to its end. Without an end it
    /// may have been so ever since.
    void on_command(const Actor& actor, Timestamp begin, std::optional<Timestamp> end,
                    StringId call);
    /// Jobs that were queued before will not be asked for.
    void forget_before(Timestamp time);

    /// Names the call of a kernel driver's job, when there is no doubt.
    void name(Job& job);

private:
    struct Span {
        Timestamp begin;
        Timestamp end;
        StringId call;
        bool is_enqueue = false;

        bool is_at(Timestamp time) const { return begin <= time && time <= end; }
    };
    struct Spans {
        std::deque<Span> known;
        Timestamp dropped_until{INT64_MIN}; // there were more, some that ended then
    };
    struct Commands {
        Spans ended; // in no order
        std::optional<Timestamp> endless_since;
    };
    static constexpr std::size_t most_spans = 4096; // of a thread or process

    static void push(Spans& spans, const Span& span);
    /// Whether nothing of it can be asked for any more.
    static bool forget(Spans& spans, Timestamp time);
    bool is_in_doubt(const Spans& spans, Timestamp time);
    void name_by_command(Job& job, const Commands& commands);

    const StringPool& x_strings;
    AnomalyCounters& x_anomalies;
    std::unordered_map<std::int64_t, Spans> x_threads; // in order of return
    std::unordered_map<std::int64_t, Commands> x_processes;
};

} // namespace lttng_gpu::model
