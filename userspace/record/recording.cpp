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
    : x_options{options}, x_user{user}, x_where{folder}, x_folder{folder.place()}, x_tool{tool},
      x_notes{Notes::default_folder()}, x_pid{static_cast<int>(getpid())},
      x_session{fmt::format("lttng-gpu-record-{}", x_pid)},
      x_flight_recorder{
          std::make_unique<FlightRecorder>(tool, x_session, x_folder, options.most_snapshots)}
{
}

Recording::~Recording()
{
    end();
    listen_to(nullptr);
}

Expected<void> Recording::begin(Signals& signals)
{
    x_signals = &signals;
    listen_to(x_signals);
    Descriptor lock;
    if (!x_tool.narrator().is_dry_run()) {
        const auto is_awaited = x_tool.waiting_for(other_recording);
        auto locked = x_notes.lock([&] { return is_awaited() && !x_tool.is_interrupted(); });
        if (!locked) {
            return Failure{locked.error()};
        }
        lock = std::move(*locked);
        if (recover(x_tool, x_notes) != 0 && x_tool.is_interrupted()) {
            x_notes.remove_if_empty();
            return failed("interrupted while it cleaned up after another recording");
        }
        const std::vector<std::string> sessions{x_session, x_session + "-watch",
                                                reader_session_of(x_session)};
        if (auto noted = x_notes.add(x_pid, sessions, x_where); !noted) {
            return noted;
        }
    }
    x_is_begun = true;
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
    const bool was_printing = std::exchange(x_was_printing, x_is_printing && x_is_printing());
    while (const auto caught = signals.wait({})) {
        const bool is_from_keyboard = caught->number == SIGINT || caught->number == SIGQUIT;
        if (caught->number != SIGCHLD && caught->number != SIGUSR1 &&
            !(is_from_keyboard && was_printing)) {
            x_ended_by = caught->number;
            x_is_in_hurry = true;
        }
    }
    return x_is_in_hurry;
}

/// Starts the daemon, too, because only it can tell whether the kernel can be traced.
Expected<bool> Recording::prepare_kernel()
{
    const bool is_wanted = x_options.events.has_kernel;
    std::string why_not = is_wanted ? why_no_kernel_events() : "";
    const bool has_tracer = is_wanted && why_not.empty() && geteuid() == 0;
    if (const auto started = start_daemon_if_none(x_tool, x_notes, has_tracer,
                                                  lttng_probes_with(x_options.events.more_kernel));
        !started) {
        return Failure{started.error()};
    }
    if (is_wanted && why_not.empty()) {
        why_not = load_probes(x_tool, x_notes);
    }
    if (!is_wanted || why_not.empty()) {
        return is_wanted;
    }
    if (!x_options.events.has_user) {
        return failed("the kernel cannot be recorded: " + why_not);
    }
    x_tool.narrator().comment("user space only: " + why_not);
    return false;
}

Expected<void> Recording::begin_one(const SessionPlan& plan)
{
    auto started = start_session(x_tool, plan);
    if (started) {
        x_sessions.push_back(plan);
    }
    return started;
}

Expected<void> Recording::begin_sessions(bool has_kernel)
{
    if (x_tool.narrator().is_dry_run()) {
        x_tool.narrator().command("mkdir -p " + shell_text({x_folder.string()}));
    }
    const Memory memory = memory_of_machine();
    SessionPlan plan = plan_recording(x_options, x_session, x_folder, has_kernel, memory);
    // A flight recorder writes only its snapshots.
    if (!x_options.is_flight_recorder && !x_tool.narrator().is_dry_run()) {
        auto reserved =
            DiskSpace::reserve(x_folder, plan.buffer_bytes(memory.cpus), plan.packet_bytes());
        if (!reserved) {
            return Failure{reserved.error()};
        }
        x_disk = std::move(*reserved);
    }
    if (x_options.events.has_user && !x_options.is_flight_recorder &&
        !x_tool.narrator().is_dry_run()) {
        x_buffers = SharedBuffers::make(x_session);
        plan.shared_buffers = x_buffers.path();
    }
    if (auto begun = begin_one(plan); !begun) {
        return begun;
    }
    if (x_options.trigger) {
        if (auto begun = begin_watch(has_kernel, memory); !begun) {
            return begun;
        }
    }
    if (!x_tool.narrator().is_dry_run()) {
        x_daemons = DaemonWatch::begin(x_notes);
    }
    return {};
}

Expected<void> Recording::begin_watch(bool has_kernel, const Memory& memory)
{
    const auto folder = x_notes.watch_folder(x_pid);
    std::error_code error;
    if (x_tool.narrator().is_dry_run()) {
        x_tool.narrator().command("mkdir -p " + shell_text({folder.string()}));
    } else if (!std::filesystem::create_directory(folder, error)) {
        return failed(fmt::format("cannot create {}: {}", folder.string(), error.message()));
    }
    const std::string name = x_session + "-watch";
    auto begun = begin_one(plan_watch(x_options, name, folder, has_kernel, memory));
    if (begun) {
        x_watch = std::make_unique<Watch>(x_tool, name, folder, *x_options.trigger);
    }
    return begun;
}

/// A note about each API that has none.
std::vector<ApiLayer> Recording::layers_for_command()
{
    auto layers = find_layers();
    std::erase_if(layers,
                  [this](const ApiLayer& layer) { return !is_chosen(x_options, layer.api->name); });
    for (const Api& api : apis) {
        if (is_chosen(x_options, api.name) &&
            std::ranges::find(layers, &api, &ApiLayer::api) == layers.end()) {
            x_tool.narrator().comment(fmt::format("{} is not recorded: {} is neither next to "
                                                  "lttng-gpu nor in the lib folder of its prefix",
                                                  api.title, api.layer()));
        }
    }
    std::erase_if(layers, [this](const ApiLayer& layer) {
        const bool is_readable = !x_user || x_user->may_read(layer.library);
        if (!is_readable) {
            x_tool.narrator().comment(fmt::format("{} is not recorded: {} may not read {}",
                                                  layer.api->title, x_user->name,
                                                  layer.library.string()));
        }
        return !is_readable;
    });
    const std::string program = find_program_of_other_width(x_options.command.front());
    if (!layers.empty() && !program.empty()) {
        x_tool.narrator().comment(
            fmt::format("{0} is a {1}-bit program: the API layers here are not, so that it runs "
                        "without them, and its API calls are not recorded. ld.so says \"wrong ELF "
                        "class\" of each that is preloaded",
                        program, other_width()));
    }
    return layers;
}

std::vector<Setting> Recording::settings()
{
    if (!x_options.events.has_user) {
        return {};
    }
    const auto layers = layers_for_command();
    auto all = layer_settings(layers, x_options.has_preload);
    if (x_options.has_api_times) {
        for (Setting& setting : times_settings(layers)) {
            all.push_back(std::move(setting));
        }
    }
    if (!x_options.device.kernels.empty() && !add_device_settings(all, x_options.device)) {
        x_tool.narrator().note("liblttng-gpu-device.so and lttng-gpu-instrument are not installed: "
                               "nothing is recorded inside of kernels");
    }
    for (Setting& setting : tracing_settings(x_options.is_without_loss)) {
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
    const std::string become = x_user ? "runuser -u " + shell_text({x_user->name}) + " -- " : "";
    const char* const env = x_user && !text.empty() ? "env " : "";
    x_tool.narrator().command(become + env + text + shell_text(x_options.command));
}

int Recording::run_command(Signals& signals)
{
    const auto environment = settings();
    show_command(environment);
    if (x_watch) {
        x_tool.narrator().command(
            fmt::format("lttng --no-sessiond snapshot record --session={}-watch   # again and "
                        "again, for --trigger",
                        x_session));
    }
    if (x_tool.narrator().is_dry_run()) {
        return 0;
    }
    // Ctrl-C during the start means that the command should not run.
    if (is_ended(signals)) {
        return 128 + x_ended_by;
    }
    int code = 0;
    auto command = Command::start(x_options.command, environment, signals.earlier(), x_user, code);
    if (!command) {
        x_tool.narrator().note(command.error().message);
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
    if (x_options.has_snapshot_at_exit && x_fault.empty()) {
        x_flight_recorder->take_at_exit();
    }
    return code;
}

/// They are beside the sessions and cannot fail the recording.
void Recording::begin_counters()
{
    if (!x_options.counter_interval) {
        return;
    }
    std::vector<GpuCounter> counters = find_gpu_counters();
    if (counters.empty()) {
        x_tool.narrator().note("no counters: no driver of a GPU here has any in /sys/class/drm");
        return;
    }
    auto stream = CounterStream::create(x_folder / "counters");
    if (!stream) {
        x_tool.narrator().note(stream.error().message);
        return;
    }
    x_counters = std::make_unique<CounterSampler>(
        std::move(counters), std::move(*stream),
        std::chrono::nanoseconds{x_options.counter_interval->value()});
}

void Recording::end_counters()
{
    if (x_counters) {
        const std::chrono::nanoseconds interval{x_options.counter_interval->value()};
        x_tool.narrator().note(cost_text(x_counters->stop(), interval));
        x_counters.reset();
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
            x_tool.narrator().note(fmt::format("the command (pid {}) still runs, but is no longer "
                                               "recorded",
                                               command.pid()));
            return 128 + x_ended_by;
        }
        // A snapshot that was asked for while something else was waited for.
        auto most = x_is_requested ? std::chrono::milliseconds{0} : time_to_next_look();
        if (x_grace_period_end) {
            most = std::min(most, std::chrono::ceil<std::chrono::milliseconds>(*x_grace_period_end -
                                                                               Clock::now()));
        }
        if (const auto caught = signals.wait(most)) {
            answer(*caught, command);
        }
        x_is_wait_ended = false;
        answer_request();
        end_if_broken();
        if (is_watching() && x_watch->time_to_next().count() == 0) {
            look_for_late_jobs();
        }
    }
}

/// For late jobs.
bool Recording::is_watching() const
{
    return x_watch && x_fault.empty() && !x_flight_recorder->is_done();
}

std::chrono::milliseconds Recording::time_to_next_look() const
{
    if (!x_fault.empty()) {
        return very_long;
    }
    const auto most = std::min(most_between_looks, x_disk.time_to_next());
    return is_watching() ? std::min(most, x_watch->time_to_next()) : most;
}

/// What was recorded until then stays readable, and the command goes on.
void Recording::end_if_broken()
{
    if (!x_fault.empty()) {
        return;
    }
    x_fault = x_daemons.find_death();
    if (x_fault.empty()) {
        x_fault = x_disk.find_shortage();
    }
    if (!x_fault.empty()) {
        x_tool.narrator().note(x_fault + ": the recording ends here; the command goes on");
        x_is_incomplete = true;
        end_sessions();
        if (const std::string later = x_daemons.find_later_death(); !later.empty()) {
            x_tool.narrator().note(later);
        }
    }
}

bool Recording::is_grace_period_over() const
{
    return x_grace_period_end && Clock::now() >= *x_grace_period_end;
}

/// By SIGUSR1, for a snapshot.
void Recording::answer_request()
{
    if (!std::exchange(x_is_requested, false)) {
        return;
    }
    if (!x_fault.empty()) {
        x_tool.narrator().note("SIGUSR1 is ignored: the recording has ended");
    } else if (x_options.is_flight_recorder) {
        x_flight_recorder->take_on_request();
    } else {
        x_tool.narrator().note("SIGUSR1 is ignored: it takes a snapshot only with --snapshot");
    }
}

void Recording::answer(const ReceivedSignal& caught, Command& command)
{
    switch (caught.number) {
    case SIGCHLD:
        return;
    case SIGUSR1:
        x_is_requested = true; // it may have come while something else is waited for
        return;
    case SIGTERM:
    case SIGHUP:
        x_is_wait_ended = true;
        if (!x_grace_period_end) { // more of them gain no time
            x_ended_by = caught.number;
            x_grace_period_end = Clock::now() + grace_period;
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
        x_is_requested = x_is_requested || caught->number == SIGUSR1;
    }
    listen_to(&signals);
    answer_request();
}

void Recording::look_for_late_jobs()
{
    const auto late = x_watch->look();
    if (!late.empty()) {
        x_flight_recorder->take_for(late, *x_options.trigger);
    }
}

void Recording::report_watch_statistics()
{
    const WatchStatistics& account = x_watch->account();
    x_tool.narrator().note(
        fmt::format("searched {} times for late jobs ({} ms each)", account.looks,
                    account.total.count() /
                        static_cast<std::int64_t>(std::max<std::uint64_t>(account.looks, 1))));
    if (account.failures != 0) {
        x_tool.narrator().note(
            fmt::format("{} of {} searches for late jobs failed; the last error: {}",
                        account.failures, account.looks, account.failure));
    }
    if (account.gaps != 0) {
        x_tool.narrator().note(fmt::format("late jobs may have been missed: {} times events came "
                                           "faster than they were searched (the longest search "
                                           "took {} ms)",
                                           account.gaps, account.longest.count()));
    }
}

/// Signals end what waits long.
void Recording::listen_to(Signals* signals)
{
    x_tool.set_interruption(nullptr);
    if (signals != nullptr) {
        x_tool.set_interruption([this, signals] { return is_ended(*signals); });
    }
}

/// While the command runs signals are for it, also when something is waited for; only those that
/// end the recording end that, too.
void Recording::listen_for(Command& command, Signals& signals)
{
    x_tool.set_interruption([this, &command, &signals] {
        while (const auto caught = signals.wait({})) {
            answer(*caught, command);
        }
        return x_is_wait_ended || is_grace_period_over();
    });
}

/// A flight recorder has nothing to write at its end.
Expected<SessionEnd> Recording::end_one(const SessionPlan& session)
{
    if (!session.is_flight_recorder) {
        return end_session(x_tool, session, x_buffers, x_disk, x_notes, !x_fault.empty());
    }
    const auto destroyed = destroy_session(x_tool, session.name);
    return destroyed ? Expected<SessionEnd>{SessionEnd{}} : Failure{destroyed.error()};
}

/// Those that could not be ended stay in the list.
void Recording::end_sessions()
{
    x_disk.release_for_stop();
    std::vector<SessionPlan> left;
    for (auto session = x_sessions.rbegin(); session != x_sessions.rend(); ++session) {
        const auto ended = end_one(*session);
        if (!ended) {
            x_tool.narrator().note(ended.error().message);
            x_is_incomplete = true;
            left.push_back(std::move(*session));
            continue;
        }
        x_is_stuck = x_is_stuck || ended->is_stuck;
        x_is_incomplete = x_is_incomplete || ended->is_interrupted;
        tell_fault_at_end(ended->shortage);
    }
    x_sessions = std::move(left);
    // While the files of a destroyed session exist, the session daemon answers nobody.
    x_buffers = {};
}

/// Since the last look, or while LTTng wrote what was left.
void Recording::tell_fault_at_end(const std::string& fault)
{
    if (!fault.empty() && x_fault.empty()) {
        x_fault = fault;
        x_tool.narrator().note(x_fault + ": what was recorded last may be missing");
        x_is_incomplete = true;
    }
}

/// So that no report of this recording says that nothing was lost.
void Recording::note_early_end()
{
    if (!x_is_incomplete || x_options.is_flight_recorder || !has_trace(x_folder)) {
        return;
    }
    x_disk.release_for_rest();
    if (const auto noted = note_loss(x_folder, NotedLoss::EndedEarly); !noted) {
        x_tool.narrator().note(noted.error().message + ", so no report will tell of that");
    }
}

void Recording::finish_trace()
{
    if (!x_is_begun || std::exchange(x_is_trace_finished, true)) {
        return;
    }
    listen_to(x_signals);
    if (x_watch) {
        report_watch_statistics();
    }
    if (x_fault.empty()) {
        tell_fault_at_end(x_daemons.find_death());
        tell_fault_at_end(x_disk.find_shortage_at_end());
        end_sessions();
        // One that is killed on a busy machine is there for a while.
        if (!x_sessions.empty()) {
            tell_fault_at_end(x_daemons.find_death());
        }
    }
    if (!x_tool.narrator().is_dry_run()) {
        note_early_end();
    }
}

bool Recording::end(const std::function<bool()>& is_printing)
{
    x_is_printing = is_printing;
    x_was_printing = static_cast<bool>(is_printing);
    finish_trace();
    if (!std::exchange(x_is_begun, false)) {
        return true;
    }
    if (x_tool.narrator().is_dry_run()) {
        x_tool.narrator().comment("then rmmod of the modules that modprobe has loaded");
        (void)stop_daemon_if_ours(x_tool, x_notes);
        return true;
    }
    const auto lock = x_notes.lock(x_tool.waiting_for(other_recording));
    if (!lock) {
        x_tool.narrator().note(lock.error().message +
                               ": what this one has started is still there, until the next "
                               "recording or: lttng-gpu record --recover");
        return false;
    }
    std::vector<std::string> names;
    std::ranges::transform(x_sessions, std::back_inserter(names), &SessionPlan::name);
    if (names.empty() || !may_exist(x_tool, names)) {
        x_notes.remove(x_pid);
    } else {
        x_tool.narrator().note("the session still exists; try again: lttng-gpu record --recover");
    }
    x_sessions.clear();
    undo_shared(x_tool, x_notes, x_is_stuck);
    x_notes.remove_if_empty();
    return !x_is_incomplete && x_flight_recorder->failures() == 0;
}

} // namespace lttng_gpu::record
