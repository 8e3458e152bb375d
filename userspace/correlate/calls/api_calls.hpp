// SPDX-License-Identifier: MIT
//
// Which thread was inside which API call when. A job of the kernel's drivers that a
// thread queued meanwhile was made by that call. Threads of the driver that submit
// for others are in no call: their jobs are of the one command that the process had
// under way, or of the one call that was not over (open_calls.hpp). If estimates are wanted, the
// others are matched with the calls that submit, in order (submit_queue.hpp), or with commands by
// when both were executed (execution_match.hpp). What stays in doubt is counted.
// Whether it is the same thread or process, and not one of its number elsewhere, caller_match.hpp
// says.
#pragma once

#include "../base/anomaly.hpp"
#include "../base/string_pool.hpp"
#include "../jobs/job.hpp"
#include "call_account.hpp"
#include "caller_match.hpp"
#include "execution_match.hpp"
#include "helper_threads.hpp"
#include "open_calls.hpp"
#include "submit_queue.hpp"
#include "thread_of_space.hpp"

#include <deque>
#include <unordered_map>

namespace lttng_gpu::model {

/// Behind the name of an estimated call.
inline constexpr std::string_view estimated_mark = " (estimated)";

class ApiCalls {
public:
    /// `estimates`: what events do not decide is named by what is likely.
    ApiCalls(StringPool& strings, AnomalyCounters& anomalies, const CallerMatcher& matcher,
             bool estimates)
        : m_strings{strings}, m_anomalies{anomalies}, m_matcher{matcher}, m_estimates{estimates}
    {
        m_account.has_estimates = estimates;
    }

    /// It returned. Of two that began together the one told as `is_enqueue` names more.
    void on_call(const Actor& actor, Timestamp begin, Timestamp end, StringId call, bool is_enqueue,
                 const SubmitDetail& detail = {});
    /// A command of the process was under way, from its call to its end. Without an end it
    /// may have been so ever since.
    void on_command(const Actor& actor, Timestamp begin, std::optional<Timestamp> end,
                    StringId call);
    /// The device's times of a command of the process; of one without only the call counts.
    void on_execution(const Actor& actor, const TimedCommand& command, bool has_times);
    /// An ioctl of DRM's has returned.
    void on_ioctl(const Actor& actor, Timestamp begin, Timestamp end);
    /// A thread began to wait for something.
    void on_sleep(const Actor& actor, Timestamp time);
    /// A thread woke up another one, by that one's number in the initial namespace.
    void on_wakeup(const Actor& waker, Timestamp time, Tid woken);
    /// Events of the trace are missing.
    void on_loss(TraceId trace);
    /// Jobs from then on wait for it to be known whose calls theirs are. Nothing: none does, or so
    /// many calls have been told that they would be forgotten meanwhile.
    std::optional<Timestamp> undecided_since();
    /// Jobs that were queued before will not be asked for.
    void forget_before(Timestamp time);

    /// Names the call of a kernel driver's job, when there is no doubt, and tells which it is. What
    /// has no call is counted by cause; each job once.
    std::optional<CallPlace> name(Job& job, std::uint64_t serial);
    /// Who made the call that name() told last.
    const Caller& caller() const { return m_caller; }
    /// name() will be called with these in this order.
    void announce(const Job& job, std::uint64_t serial);
    /// All calls that began before have returned and were told.
    void set_known_until(Timestamp time) { m_known_until = time; }
    /// All calls and jobs have been told.
    void finish();
    const CallAccount& account() const { return m_account; }

private:
    struct Span {
        Timestamp begin;
        Timestamp end;
        StringId call;
        bool is_enqueue = false;
        SubmitDetail detail{};

        bool is_at(Timestamp time) const { return begin <= time && time <= end; }
    };
    struct Spans {
        std::deque<Span> known;
        Timestamp dropped_until{INT64_MIN}; // there were more, some that ended then
    };
    struct Thread {
        Caller caller;
        Spans calls; // in order of return
        /// Its calls overlap: it is several threads, of namespaces that no event tells of.
        bool is_several = false;
    };
    struct Process {
        Caller caller;
        Spans ended; // commands, in no order
        std::optional<Timestamp> endless_since;
        OpenCalls open{};
        SubmitQueue submits{}; // filled if estimates are wanted, as the next one
        ExecutionMatch executions{};
        Submitting submitting = Submitting::Unknown; // the last of these that it was seen to do
        bool is_met = false; // has its jobs of before its first call was told
    };
    /// Those of one number.
    using Threads = std::vector<Thread>;
    using Processes = std::vector<Process>;
    static constexpr std::size_t most_spans = 4096; // of a thread or process
    /// Of a process of which no call has returned yet: it may be the first call's.
    struct EarlyJob {
        Job job;
        std::uint64_t serial = 0;
    };
    static constexpr std::size_t most_early = 1024;
    static constexpr std::size_t most_callers = 65536;

    template <typename Who>
    static Who& find_or_add(std::vector<Who>& of_number, const Caller& caller);
    void push(Spans& spans, const Span& span);
    /// Whether nothing of it can be asked for any more.
    static bool forget(Spans& spans, Timestamp time);
    static const Span* find(const Spans& spans, Timestamp time);
    static bool is_in_doubt(const Spans& spans, Timestamp time);
    static bool was_busy(const Process& process, Timestamp time);
    /// The best match of a thread that was in a call then; the same thread: the job is named, or
    /// that is in doubt.
    std::optional<CallerMatch> name_by_thread(Job& job, std::optional<CallPlace>& place);
    void note_submit(const Actor& actor, const Span& span);
    void note_open(Process& process, const SubmitCall& call, Submitting submitting);
    void announce_early_jobs(Process& process);
    static void announce_to(Process& process, const Job& job, std::uint64_t serial);
    Submitting submitting_by(const Span& span);
    bool is_helper(const Actor& actor, const Process& process) const;
    Process* find_process(const Actor& actor, Timestamp time,
                          std::optional<CallerMatch>& next_best);
    /// Nothing: it is named, here and below.
    std::optional<NoCall> find_call(Job& job, std::uint64_t serial,
                                    std::optional<CallPlace>& place);
    std::optional<NoCall> name_by_process(Job& job, std::uint64_t serial, Process& process,
                                          std::optional<CallPlace>& place);
    /// Whether all calls but one were over.
    bool name_by_only_call(Job& job, Process& process, std::optional<CallPlace>& place,
                           bool& is_doubtful) const;
    /// The name tells it, so that no output can show it as proven.
    void set_estimate(Job& job, StringId call, std::uint16_t merged);
    bool estimate(Job& job, std::uint64_t serial, Process& process, std::optional<CallPlace>& place,
                  bool& is_doubtful);
    /// Which command was executed when the job was.
    bool name_by_execution(Job& job, std::uint64_t serial, Process& process,
                           std::optional<CallPlace>& place);
    /// Whether the process had one command under way.
    bool name_by_command(Job& job, const Process& process) const;
    static NoCall cause_by_command(const Job& job, const Process& process);
    void count(const Job& job, std::optional<NoCall> cause);
    void note_caller(const Caller& caller);
    bool may_make_calls(const Actor& actor) const;

    StringPool& m_strings;
    AnomalyCounters& m_anomalies;
    CallerMatcher m_matcher;
    std::unordered_map<std::int64_t, Threads> m_threads;
    std::unordered_map<std::int64_t, Processes> m_processes;
    std::unordered_map<std::int64_t, std::vector<Caller>> m_callers; // processes that made calls
    bool m_has_unknown_callers = false;                              // there are others
    CallAccount m_account;
    Caller m_caller; // see caller()
    std::deque<EarlyJob> m_early;
    Timestamp m_forgotten{INT64_MIN};     // what ended before may be forgotten
    bool m_is_crowded = false;            // a thread has many calls that may not
    std::size_t m_sweep_at = 0;           // so many of both
    std::vector<Submitting> m_submitting; // by the name of the call
    Timestamp m_known_until{INT64_MIN};
    Timestamp m_announced_until{INT64_MIN};
    bool m_estimates;
};

} // namespace lttng_gpu::model
