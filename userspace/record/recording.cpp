// SPDX-License-Identifier: MIT
//
// See recording.hpp.
#include "recording.hpp"

#include "../correlate/base/loss_note.hpp"
#include "folder.hpp"
#include "kernel_side.hpp"
#include "program_width.hpp"
#include "reader_wakeup.hpp"
#include "recovery.hpp"
#include "session_daemon.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::record {
namespace {

using Clock = std::chrono::steady_clock;

// After SIGTERM or SIGHUP the recording ends even if the command does not.
constexpr std::chrono::seconds grace_period{10};
constexpr std::chrono::hours very_long{24};
constexpr const char* other_recording = "another recording that begins or ends";
constexpr std::chrono::milliseconds most_between_looks{1000};

} // namespace

Recording::Recording(const RecordOptions& options, const std::optional<User>& user,
                     const Folder& folder, Tool& tool)
    : m_options{options}, m_user{user}, m_where{folder}, m_folder{folder.place()}, m_tool{tool},
      m_notes{Notes::default_folder()}, m_pid{static_cast<int>(getpid())},
      m_session{fmt::format("lttng-gpu-record-{}", m_pid)},
      m_flight_recorder{
          std::make_unique<FlightRecorder>(tool, m_session, m_folder, options.most_snapshots)}
{
}

Recording::~Recording()
{
    end();
    listen_to(nullptr);
}

Expected<void> Recording::begin(Signals& signals)
{
    m_signals = &signals;
    listen_to(m_signals);
    Descriptor lock;
    if (!m_tool.narrator().is_dry_run()) {
        const auto is_awaited = m_tool.waiting_for(other_recording);
        auto locked = m_notes.lock([&] { return is_awaited() && !m_tool.is_interrupted(); });
        if (!locked) {
            return Failure{locked.error()};
        }
        lock = std::move(*locked);
        if (recover(m_tool, m_notes) != 0 && m_tool.is_interrupted()) {
            m_notes.remove_if_empty();
            return failed("interrupted while it cleaned up after another recording");
        }
        const std::vector<std::string> sessions{m_session, m_session + "-watch",
                                                reader_session_of(m_session)};
        if (auto noted = m_notes.add(m_pid, sessions, m_where); !noted) {
            return noted;
        }
    }
    m_is_begun = true;
    const auto has_kernel = prepare_kernel();
    if (!has_kernel) {
        return Failure{has_kernel.error()};
    }
    return begin_sessions(*has_kernel);
}

/// Before the command runs there is no process to pass a signal to. One that was passed on is no
/// reason to hurry afterwards. Neither is Ctrl-C while the report is printed, which it ends.
bool Recording::is_ended(Signals& signals)
{
    // One that has ended since the last look may have been ended by the signal.
    const bool was_printing = std::exchange(m_was_printing, m_is_printing && m_is_printing());
    while (const auto caught = signals.wait({})) {
        const bool is_from_keyboard = caught->number == SIGINT || caught->number == SIGQUIT;
        if (caught->number != SIGCHLD && caught->number != SIGUSR1 &&
            !(is_from_keyboard && was_printing)) {
            m_ended_by = caught->number;
            m_is_in_hurry = true;
        }
    }
    return m_is_in_hurry;
}

/// Starts the daemon, too, because only it can tell whether the kernel can be traced.
Expected<bool> Recording::prepare_kernel()
{
    const bool is_wanted = m_options.events.has_kernel;
    std::string why_not = is_wanted ? why_no_kernel_events() : "";
    const bool has_tracer = is_wanted && why_not.empty() && geteuid() == 0;
    if (const auto started = start_daemon_if_none(m_tool, m_notes, has_tracer,
                                                  lttng_probes_with(m_options.events.more_kernel));
        !started) {
        return Failure{started.error()};
    }
    if (is_wanted && why_not.empty()) {
        why_not = load_probes(m_tool, m_notes);
    }
    if (!is_wanted || why_not.empty()) {
        return is_wanted;
    }
    if (!m_options.events.has_user) {
        return failed("the kernel cannot be recorded: " + why_not);
    }
    m_tool.narrator().comment("user space only: " + why_not);
    return false;
}

Expected<void> Recording::begin_one(const SessionPlan& plan)
{
    auto started = start_session(m_tool, plan);
    if (started) {
        m_sessions.push_back(plan);
    }
    return started;
}

Expected<void> Recording::begin_sessions(bool has_kernel)
{
    if (m_tool.narrator().is_dry_run()) {
        m_tool.narrator().command("mkdir -p " + shell_text({m_folder.string()}));
    }
    const Memory memory = memory_of_machine();
    SessionPlan plan = plan_recording(m_options, m_session, m_folder, has_kernel, memory);
    // A flight recorder writes only its snapshots.
    if (!m_options.is_flight_recorder && !m_tool.narrator().is_dry_run()) {
        auto reserved =
            DiskSpace::reserve(m_folder, plan.buffer_bytes(memory.cpus), plan.packet_bytes());
        if (!reserved) {
            return Failure{reserved.error()};
        }
        m_disk = std::move(*reserved);
    }
    if (m_options.events.has_user && !m_options.is_flight_recorder &&
        !m_tool.narrator().is_dry_run()) {
        m_buffers = SharedBuffers::make(m_session);
        plan.shared_buffers = m_buffers.path();
    }
    if (auto begun = begin_one(plan); !begun) {
        return begun;
    }
    if (m_options.trigger) {
        if (auto begun = begin_watch(has_kernel, memory); !begun) {
            return begun;
        }
    }
    if (!m_tool.narrator().is_dry_run()) {
        m_daemons = DaemonWatch::begin(m_notes);
    }
    return {};
}

Expected<void> Recording::begin_watch(bool has_kernel, const Memory& memory)
{
    const auto folder = m_notes.watch_folder(m_pid);
    std::error_code error;
    if (m_tool.narrator().is_dry_run()) {
        m_tool.narrator().command("mkdir -p " + shell_text({folder.string()}));
    } else if (!std::filesystem::create_directory(folder, error)) {
        return failed(fmt::format("cannot create {}: {}", folder.string(), error.message()));
    }
    const std::string name = m_session + "-watch";
    auto begun = begin_one(plan_watch(m_options, name, folder, has_kernel, memory));
    if (begun) {
        m_watch = std::make_unique<Watch>(m_tool, name, folder, *m_options.trigger);
    }
    return begun;
}

/// A note about each API that has none.
std::vector<ApiLayer> Recording::layers_for_command()
{
    auto layers = find_layers();
    std::erase_if(layers,
                  [this](const ApiLayer& layer) { return !is_chosen(m_options, layer.api->name); });
    for (const Api& api : apis) {
        if (is_chosen(m_options, api.name) &&
            std::ranges::find(layers, &api, &ApiLayer::api) == layers.end()) {
            m_tool.narrator().comment(fmt::format("{} is not recorded: {} is neither next to "
                                                  "lttng-gpu nor in the lib folder of its prefix",
                                                  api.title, api.layer()));
        }
    }
    std::erase_if(layers, [this](const ApiLayer& layer) {
        const bool is_readable = !m_user || m_user->may_read(layer.library);
        if (!is_readable) {
            m_tool.narrator().comment(fmt::format("{} is not recorded: {} may not read {}",
                                                  layer.api->title, m_user->name,
                                                  layer.library.string()));
        }
        return !is_readable;
    });
    const std::string program = find_program_of_other_width(m_options.command.front());
    if (!layers.empty() && !program.empty()) {
        m_tool.narrator().comment(
            fmt::format("{0} is a {1}-bit program: the API layers here are not, so that it runs "
                        "without them, and its API calls are not recorded. ld.so says \"wrong ELF "
                        "class\" of each that is preloaded",
                        program, other_width()));
    }
    return layers;
}

std::vector<Setting> Recording::settings()
{
    if (!m_options.events.has_user) {
        return {};
    }
    const auto layers = layers_for_command();
    auto all = layer_settings(layers, m_options.has_preload);
    if (m_options.has_api_times) {
        for (Setting& setting : times_settings(layers)) {
            all.push_back(std::move(setting));
        }
    }
    if (!m_options.device.kernels.empty() && !add_device_settings(all, m_options.device)) {
        m_tool.narrator().note("liblttng-gpu-device.so and lttng-gpu-instrument are not installed: "
                               "nothing is recorded inside of kernels");
    }
    for (Setting& setting : tracing_settings(m_options.is_without_loss)) {
        all.push_back(std::move(setting));
    }
    return all;
}

void Recording::show_command(const std::vector<Setting>& settings)
{
    std::string text;
    for (const auto& [name, value] : settings) {
        text += name + "=" + shell_text({value}) + " ";
    }
    const std::string become = m_user ? "runuser -u " + shell_text({m_user->name}) + " -- " : "";
    const char* const env = m_user && !text.empty() ? "env " : "";
    m_tool.narrator().command(become + env + text + shell_text(m_options.command));
}

int Recording::run_command(Signals& signals)
{
    const auto environment = settings();
    show_command(environment);
    if (m_watch) {
        m_tool.narrator().command(
            fmt::format("lttng --no-sessiond snapshot record --session={}-watch   # again and "
                        "again, for --trigger",
                        m_session));
    }
    if (m_tool.narrator().is_dry_run()) {
        return 0;
    }
    // Ctrl-C during the start means that the command should not run.
    if (is_ended(signals)) {
        return 128 + m_ended_by;
    }
    int code = 0;
    auto command = Command::start(m_options.command, environment, signals.earlier(), m_user, code);
    if (!command) {
        m_tool.narrator().note(command.error().message);
        return code;
    }
    begin_counters(); // after fork(), which takes no threads along
    listen_for(*command, signals);
    code = attend(*command, signals);
    listen_to(&signals);
    end_counters();
    if (is_watching()) {
        look_for_late_jobs();
    }
    if (m_options.has_snapshot_at_exit && m_fault.empty()) {
        m_flight_recorder->take_at_exit();
    }
    return code;
}

/// They are beside the sessions and cannot fail the recording.
void Recording::begin_counters()
{
    if (!m_options.counter_interval) {
        return;
    }
    std::vector<GpuCounter> counters = find_gpu_counters();
    if (counters.empty()) {
        m_tool.narrator().note("no counters: no driver of a GPU here has any in /sys/class/drm");
        return;
    }
    auto stream = CounterStream::create(m_folder / "counters");
    if (!stream) {
        m_tool.narrator().note(stream.error().message);
        return;
    }
    m_counters = std::make_unique<CounterSampler>(
        std::move(counters), std::move(*stream),
        std::chrono::nanoseconds{m_options.counter_interval->value()});
}

void Recording::end_counters()
{
    if (m_counters) {
        const std::chrono::nanoseconds interval{m_options.counter_interval->value()};
        m_tool.narrator().note(cost_text(m_counters->stop(), interval));
        m_counters.reset();
    }
}

int Recording::attend(Command& command, Signals& signals)
{
    while (true) {
        if (const auto code = command.poll()) {
            answer_late(signals);
            return *code;
        }
        if (is_grace_period_over()) {
            m_tool.narrator().note(fmt::format("the command (pid {}) still runs, but is no longer "
                                               "recorded",
                                               command.pid()));
            return 128 + m_ended_by;
        }
        // A snapshot that was asked for while something else was waited for.
        auto most = m_is_requested ? std::chrono::milliseconds{0} : time_to_next_look();
        if (m_grace_period_end) {
            most = std::min(most, std::chrono::ceil<std::chrono::milliseconds>(*m_grace_period_end -
                                                                               Clock::now()));
        }
        if (const auto caught = signals.wait(most)) {
            answer(*caught, command);
        }
        m_is_wait_ended = false;
        answer_request();
        end_if_broken();
        if (is_watching() && m_watch->time_to_next().count() == 0) {
            look_for_late_jobs();
        }
    }
}

/// For late jobs.
bool Recording::is_watching() const
{
    return m_watch && m_fault.empty() && !m_flight_recorder->is_done();
}

std::chrono::milliseconds Recording::time_to_next_look() const
{
    if (!m_fault.empty()) {
        return very_long;
    }
    const auto most = std::min(most_between_looks, m_disk.time_to_next());
    return is_watching() ? std::min(most, m_watch->time_to_next()) : most;
}

/// What was recorded until then stays readable, and the command goes on.
void Recording::end_if_broken()
{
    if (!m_fault.empty()) {
        return;
    }
    m_fault = m_daemons.find_death();
    if (m_fault.empty()) {
        m_fault = m_disk.find_shortage();
    }
    if (!m_fault.empty()) {
        m_tool.narrator().note(m_fault + ": the recording ends here; the command goes on");
        m_is_incomplete = true;
        end_sessions();
        if (const std::string later = m_daemons.find_later_death(); !later.empty()) {
            m_tool.narrator().note(later);
        }
    }
}

bool Recording::is_grace_period_over() const
{
    return m_grace_period_end && Clock::now() >= *m_grace_period_end;
}

/// By SIGUSR1, for a snapshot.
void Recording::answer_request()
{
    if (!std::exchange(m_is_requested, false)) {
        return;
    }
    if (!m_fault.empty()) {
        m_tool.narrator().note("SIGUSR1 is ignored: the recording has ended");
    } else if (m_options.is_flight_recorder) {
        m_flight_recorder->take_on_request();
    } else {
        m_tool.narrator().note("SIGUSR1 is ignored: it takes a snapshot only with --snapshot");
    }
}

void Recording::answer(const ReceivedSignal& caught, Command& command)
{
    switch (caught.number) {
    case SIGCHLD:
        return;
    case SIGUSR1:
        m_is_requested = true; // it may have come while something else is waited for
        return;
    case SIGTERM:
    case SIGHUP:
        m_is_wait_ended = true;
        if (!m_grace_period_end) { // more of them gain no time
            m_ended_by = caught.number;
            m_grace_period_end = Clock::now() + grace_period;
        }
        break;
    default: // SIGINT, SIGQUIT: the command may have its own use for them, so it decides
        break;
    }
    if (!caught.is_from_terminal) {
        command.send(caught.number);
    } else {
        command.pass_on(caught.number);
    }
}

/// What came before it was seen that the command had ended, on a busy machine: a snapshot that was
/// asked for is still taken, and a signal to the command is no wish to hurry.
void Recording::answer_late(Signals& signals)
{
    while (const auto caught = signals.wait({})) {
        m_is_requested = m_is_requested || caught->number == SIGUSR1;
    }
    listen_to(&signals);
    answer_request();
}

void Recording::look_for_late_jobs()
{
    const auto late = m_watch->look();
    if (!late.empty()) {
        m_flight_recorder->take_for(late, *m_options.trigger);
    }
}

void Recording::report_watch_statistics()
{
    const WatchStatistics& account = m_watch->account();
    m_tool.narrator().note(
        fmt::format("searched {} times for late jobs ({} ms each)", account.looks,
                    account.total.count() /
                        static_cast<std::int64_t>(std::max<std::uint64_t>(account.looks, 1))));
    if (account.failures != 0) {
        m_tool.narrator().note(
            fmt::format("{} of {} searches for late jobs failed; the last error: {}",
                        account.failures, account.looks, account.failure));
    }
    if (account.gaps != 0) {
        m_tool.narrator().note(fmt::format("late jobs may have been missed: {} times events came "
                                           "faster than they were searched (the longest search "
                                           "took {} ms)",
                                           account.gaps, account.longest.count()));
    }
}

/// Signals end what waits long.
void Recording::listen_to(Signals* signals)
{
    m_tool.set_interruption(nullptr);
    if (signals != nullptr) {
        m_tool.set_interruption([this, signals] { return is_ended(*signals); });
    }
}

/// While the command runs signals are for it, also when something is waited for; only those that
/// end the recording end that, too.
void Recording::listen_for(Command& command, Signals& signals)
{
    m_tool.set_interruption([this, &command, &signals] {
        while (const auto caught = signals.wait({})) {
            answer(*caught, command);
        }
        return m_is_wait_ended || is_grace_period_over();
    });
}

/// A flight recorder has nothing to write at its end.
Expected<SessionEnd> Recording::end_one(const SessionPlan& session)
{
    if (!session.is_flight_recorder) {
        return end_session(m_tool, session, m_buffers, m_disk, m_notes, !m_fault.empty());
    }
    const auto destroyed = destroy_session(m_tool, session.name);
    return destroyed ? Expected<SessionEnd>{SessionEnd{}} : Failure{destroyed.error()};
}

/// Those that could not be ended stay in the list.
void Recording::end_sessions()
{
    m_disk.release_for_stop();
    std::vector<SessionPlan> left;
    for (auto session = m_sessions.rbegin(); session != m_sessions.rend(); ++session) {
        const auto ended = end_one(*session);
        if (!ended) {
            m_tool.narrator().note(ended.error().message);
            m_is_incomplete = true;
            left.push_back(std::move(*session));
            continue;
        }
        m_is_stuck = m_is_stuck || ended->is_stuck;
        m_is_incomplete = m_is_incomplete || ended->is_interrupted;
        tell_fault_at_end(ended->shortage);
    }
    m_sessions = std::move(left);
    // While the files of a destroyed session exist, the session daemon answers nobody.
    m_buffers = {};
}

/// Since the last look, or while LTTng wrote what was left.
void Recording::tell_fault_at_end(const std::string& fault)
{
    if (!fault.empty() && m_fault.empty()) {
        m_fault = fault;
        m_tool.narrator().note(m_fault + ": what was recorded last may be missing");
        m_is_incomplete = true;
    }
}

/// So that no report of this recording says that nothing was lost.
void Recording::note_early_end()
{
    if (!m_is_incomplete || m_options.is_flight_recorder || !has_trace(m_folder)) {
        return;
    }
    m_disk.release_for_rest();
    if (const auto noted = note_loss(m_folder, NotedLoss::EndedEarly); !noted) {
        m_tool.narrator().note(noted.error().message + ", so no report will tell of that");
    }
}

void Recording::finish_trace()
{
    if (!m_is_begun || std::exchange(m_is_trace_finished, true)) {
        return;
    }
    listen_to(m_signals);
    if (m_watch) {
        report_watch_statistics();
    }
    if (m_fault.empty()) {
        tell_fault_at_end(m_daemons.find_death());
        tell_fault_at_end(m_disk.find_shortage_at_end());
        end_sessions();
        // One that is killed on a busy machine is there for a while.
        if (!m_sessions.empty()) {
            tell_fault_at_end(m_daemons.find_death());
        }
    }
    if (!m_tool.narrator().is_dry_run()) {
        note_early_end();
    }
}

bool Recording::end(const std::function<bool()>& is_printing)
{
    m_is_printing = is_printing;
    m_was_printing = static_cast<bool>(is_printing);
    finish_trace();
    if (!std::exchange(m_is_begun, false)) {
        return true;
    }
    if (m_tool.narrator().is_dry_run()) {
        m_tool.narrator().comment("then rmmod of the modules that modprobe has loaded");
        (void)stop_daemon_if_ours(m_tool, m_notes);
        return true;
    }
    const auto lock = m_notes.lock(m_tool.waiting_for(other_recording));
    if (!lock) {
        m_tool.narrator().note(lock.error().message +
                               ": what this one has started is still there, until the next "
                               "recording or: lttng-gpu record --recover");
        return false;
    }
    std::vector<std::string> names;
    std::ranges::transform(m_sessions, std::back_inserter(names), &SessionPlan::name);
    if (names.empty() || !may_exist(m_tool, names)) {
        m_notes.remove(m_pid);
    } else {
        m_tool.narrator().note("the session still exists; try again: lttng-gpu record --recover");
    }
    m_sessions.clear();
    undo_shared(m_tool, m_notes, m_is_stuck);
    m_notes.remove_if_empty();
    return !m_is_incomplete && m_flight_recorder->failures() == 0;
}

} // namespace lttng_gpu::record
