// SPDX-License-Identifier: MIT
//
// See session_end.hpp.
#include "session_end.hpp"

#include "../correlate/base/loss_note.hpp"
#include "buffer_users.hpp"
#include "daemon_time.hpp"
#include "reader_wakeup.hpp"
#include "session_daemon.hpp"
#include "unfinished_events.hpp"
#include "unfinished_packets.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

// LTTng reads what is there in milliseconds; a slow disk shows in a trace that grows.
constexpr std::chrono::milliseconds most_without_growth{1000};
// Where nobody is left who could finish an event.
constexpr std::chrono::milliseconds most_without_growth_and_programs{300};
// Where no event is unfinished, LTTng is only late.
constexpr std::chrono::seconds most_when_late{30};
// Of buffers whose form is not known.
constexpr std::chrono::seconds most_when_nothing_is_known{3};
// Also of daemons that are never seen idle.
constexpr std::chrono::seconds most_on_busy_machine{60};
constexpr std::chrono::milliseconds pause{100};

std::uint64_t size_of(const fs::path& folder)
{
    std::error_code error;
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator{folder, error}) {
        const auto size = entry.is_regular_file(error) ? entry.file_size(error) : 0;
        bytes += error ? 0 : size;
    }
    return bytes;
}

/// Why LTTng will not read the rest of the buffers.
enum class Stuck {
    No,
    AtUnfinishedEvent, // LTTng reads nothing of that CPU any more
    WithoutReason,     // none that is known
    Interrupted,       // it may, but a signal has ended the waiting
};

/// Looks whether LTTng still reads the buffers.
class Progress {
public:
    Progress(const fs::path& trace, const SharedBuffers& buffers, DaemonTime daemons)
        : m_trace{trace}, m_buffers{buffers}, m_daemons{std::move(daemons)}
    {
    }

    /// Whether the trace has not grown for a while in which LTTng's daemons had nothing to do.
    /// `may_be_late`: LTTng has not said yet that it has read all it can.
    Stuck look(bool may_be_late)
    {
        const auto quiet = time_without_growth();
        if (m_buffers.path().empty() || quiet < most_without_growth_and_programs) {
            return Stuck::No;
        }
        // Of a program that is alive it is another one at the next look.
        const auto earlier = std::exchange(m_unfinished, find_unfinished_events(m_buffers.path()));
        if (!m_unfinished.found.empty()) {
            return m_unfinished == earlier && (quiet > most_without_growth || is_left_by_all()) &&
                           is_extracted()
                       ? Stuck::AtUnfinishedEvent
                       : Stuck::No;
        }
        if (quiet < most_without_growth) {
            return Stuck::No;
        }
        if (!may_be_late) {
            return is_extracted() ? Stuck::WithoutReason : Stuck::No;
        }
        const auto most = m_unfinished.is_known ? Clock::duration{most_when_late}
                                                : Clock::duration{most_when_nothing_is_known};
        return quiet > most && is_extracted() ? Stuck::WithoutReason : Stuck::No;
    }

    /// Something is unread, or unfinished.
    bool has_rest()
    {
        if (m_buffers.path().empty()) {
            return false;
        }
        const auto events = find_unfinished_events(m_buffers.path());
        if (events.is_known) {
            return events.has_unread || !events.found.empty();
        }
        extract();
        return has_extract();
    }

    /// What is in the buffers now.
    void extract()
    {
        if (!m_buffers.path().empty()) {
            m_unread.emplace(UnreadEvents::extract(m_buffers));
        }
    }

    /// What is in the buffers, when nobody waits any longer for LTTng to read it. While LTTng still
    /// reads it is nothing: the same packets would be in the trace twice.
    void give_up()
    {
        m_size = size_of(m_trace);
        std::this_thread::sleep_for(pause);
        if (!is_extracted()) {
            m_unread.reset();
        }
    }

    /// What was found last; empty: nothing was looked for.
    const std::optional<Expected<UnreadEvents>>& unread() const { return m_unread; }

private:
    bool has_extract() const { return m_unread && *m_unread && (*m_unread)->bytes() > 0; }

    bool is_left_by_all() const
    {
        std::vector<fs::path> buffers;
        std::ranges::transform(m_unfinished.found, std::back_inserter(buffers),
                               &UnfinishedEvent::buffer);
        return are_left_by_all(buffers, m_daemons.processes());
    }

    /// False: LTTng went on meanwhile.
    bool is_extracted()
    {
        extract();
        return size_of(m_trace) == m_size;
    }

    /// Without that in which they ran or waited for a processor; zero while they do.
    Clock::duration time_without_growth()
    {
        const std::uint64_t size = size_of(m_trace);
        if (size != m_size) {
            m_size = size;
            m_since = Clock::now();
            m_spent = m_daemons.spent();
        }
        const auto passed = Clock::now() - m_since;
        if (m_daemons.is_active() && passed < most_on_busy_machine) {
            return {};
        }
        return passed - std::min<Clock::duration>(m_daemons.spent() - m_spent, passed / 2);
    }

    const fs::path& m_trace;
    const SharedBuffers& m_buffers;
    DaemonTime m_daemons;
    std::uint64_t m_size = 0; // bytes
    Clock::time_point m_since = Clock::now();
    std::chrono::nanoseconds m_spent = m_daemons.spent();
    UnfinishedEvents m_unfinished; // at the last look
    std::optional<Expected<UnreadEvents>> m_unread;
};

/// `lttng stop` waits for unfinished events or not, depending on what came first. So it is looked
/// whether anything is unread, or unfinished.
Stuck look_after_stop(Tool& tool, Progress& progress)
{
    const auto is_awaited = tool.waiting_for("LTTng to write what is in its buffers");
    while (progress.has_rest()) {
        if (const Stuck stuck = progress.look(false); stuck != Stuck::No) {
            return stuck;
        }
        if (!is_awaited()) {
            progress.give_up();
            return Stuck::Interrupted;
        }
        std::this_thread::sleep_for(pause);
    }
    progress.extract(); // of the metadata, see end_session()
    return Stuck::No;
}

Expected<void> append_unread(const Progress& progress, const fs::path& trace)
{
    const auto& unread = progress.unread();
    if (!unread) {
        return {};
    }
    return *unread ? (*unread)->append_to(trace) : Expected<void>{Failure{unread->error()}};
}

std::string text_of(Stuck stuck)
{
    switch (stuck) {
    case Stuck::AtUnfinishedEvent:
        return "a program was killed while it wrote an event: later events of that CPU that were "
               "in the same part of its buffer, or found no room in it, are lost";
    case Stuck::Interrupted:
        return "a signal has ended the waiting for LTTng, which had not written all: events may be "
               "missing";
    default:
        return "LTTng has not read all of its buffers, and does nothing: what is in them is added "
               "to the trace; whether events are missing is not known";
    }
}

void tell_stuck(Tool& tool, const fs::path& trace, Stuck stuck)
{
    const bool is_event = stuck == Stuck::AtUnfinishedEvent;
    tool.narrator().note(text_of(stuck));
    if (stuck == Stuck::Interrupted) {
        return;
    }
    const auto loss = is_event ? NotedLoss::UnfinishedEvent : NotedLoss::EndedEarly;
    if (const auto noted = note_loss(trace, loss); !noted) {
        tool.narrator().note(noted.error().message + ", so no report will tell of that");
    }
}

void tell_unknown(Tool& tool, const std::optional<Expected<UnreadEvents>>& unread)
{
    if (!unread || (*unread && (*unread)->damaged() == 0)) {
        return;
    }
    tool.narrator().note(
        "whether all buffers were read is not known: " +
        (*unread ? fmt::format("{} of them are not as LTTng makes them", (*unread)->damaged())
                 : unread->error().message));
}

} // namespace

Expected<SessionEnd> end_session(Tool& tool, const SessionPlan& plan, const SharedBuffers& buffers,
                                 DiskSpace& disk, const Notes& notes, bool is_cause_told)
{
    Progress progress{plan.folder, buffers, DaemonTime::of_daemons(notes)};
    Stuck stuck = Stuck::No;
    ReaderWakeup readers{tool, plan};
    const auto stopped = stop_session(tool, plan.name, [&] {
        readers.look();
        stuck = progress.look(!is_cause_told);
        return stuck == Stuck::No;
    });
    if (!stopped && stuck == Stuck::No) {
        // Without daemons nobody reads the buffers any more.
        if (!is_daemon_running(tool).value_or(true)) {
            (void)look_after_stop(tool, progress);
            disk.release_for_rest();
            if (const auto appended = append_unread(progress, plan.folder); !appended) {
                tool.narrator().note(appended.error().message);
            }
        }
        return Failure{stopped.error()};
    }
    SessionEnd end;
    if (!is_cause_told) {
        end.shortage = disk.find_shortage_at_end();
        is_cause_told = !end.shortage.empty();
    }
    // Everything is written, or will never be: `lttng destroy` would wait for the latter.
    if (stuck == Stuck::No && !tool.narrator().is_dry_run()) {
        stuck = look_after_stop(tool, progress);
    }
    end.is_stuck = stuck != Stuck::No;
    end.is_interrupted = stuck == Stuck::Interrupted;
    if (end.is_stuck && !is_cause_told) {
        tell_stuck(tool, plan.folder, stuck);
    }
    if (const auto destroyed = destroy_session(tool, plan.name, true); !destroyed) {
        return Failure{destroyed.error()};
    }
    disk.release_for_rest();
    if (const auto removed = is_cause_told ? remove_unfinished_packets_in(plan.folder) : 0;
        removed != 0) {
        tool.narrator().note(fmt::format("{} of the trace were parts of packets and are removed: "
                                         "the events in them are lost",
                                         size_text(removed)));
    }
    const auto& unread = progress.unread();
    tell_unknown(tool, unread);
    if (!end.is_stuck) {
        const auto completed =
            unread && *unread ? (*unread)->complete_metadata_of(plan.folder) : Expected<void>{};
        return completed ? Expected<SessionEnd>{end} : Failure{completed.error()};
    }
    if (const auto appended = append_unread(progress, plan.folder); !appended) {
        return Failure{appended.error()};
    }
    return end;
}

} // namespace lttng_gpu::record
