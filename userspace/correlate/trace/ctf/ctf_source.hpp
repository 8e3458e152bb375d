// SPDX-License-Identifier: MIT
//
// The reader of LTTng's traces: all streams of all traces, merged by time (ahead, on
// another thread, if there are any). Equal times come in the order of traces, then of
// stream files.
#pragma once

#include "../../base/recycling_queue.hpp"
#include "../../base/workers.hpp"
#include "../event_source.hpp"
#include "../read_options.hpp"
#include "../trace_discovery.hpp"
#include "stream_merge.hpp"

#include <deque>
#include <map>
#include <memory>
#include <tuple>

namespace lttng_gpu::trace::ctf {

struct SourceOptions {
    Workers* workers = nullptr; // null: `threads` of its own
    unsigned threads = 1;
    std::optional<ReadBound> begin;
    std::optional<ReadBound> end;
    EnumerationTable* enumerations = nullptr; // see ReadOptions
    bool aligns_clocks = true;                // likewise
};

/// What of the events of one class never changes, and the slots of their values.
struct EventPlace {
    RawEvent event;
    FieldValue* slots = nullptr;
    bool has_contexts = false;
};

class CtfSource final : public EventSource {
public:
    static Expected<std::unique_ptr<CtfSource>> open(const std::vector<TraceDirectory>& traces,
                                                     const std::vector<WantedEvent>& wanted,
                                                     const SourceOptions& options);
    ~CtfSource() override;

    Expected<bool> read_some(EventConsumer& consumer) override;
    /// The same for a consumer whose class is known when this is compiled, so that
    /// its functions become part of the loop: no virtual call for each event. Include
    /// ctf_source_events.hpp for it.
    template <typename Consumer> Expected<bool> read_some_into(Consumer& consumer);
    const SourceTotals& totals() const override { return m_totals; }
    std::optional<double> progress() const override;
    std::vector<std::pair<TraceId, TraceFacts>> trace_facts() const override { return m_facts; }
    bool has_event(std::string_view name) const override;
    bool describes_all_events() const override { return true; }
    /// Packets count what was discarded; those of other tracers need not.
    bool announces_losses() const override { return m_counts_discarded; }
    /// Of kernel traces, whose streams all begin and end with the session.
    std::vector<CpuCoverage> coverage() const override;

private:
    explicit CtfSource(const SourceOptions& options);

    void align_clocks(Schema& schema);
    Expected<void> add_trace(const TraceDirectory& directory,
                             const std::vector<WantedEvent>& wanted);
    Expected<void> add_streams(const TraceDirectory& directory, const TracePlan& plan, TraceId id);
    void add_fault(const Error& fault);
    TraceId trace_id(const Schema& schema, const std::filesystem::path& directory);
    void set_range();
    void make_places();
    void find_late_begins();
    bool next_window();
    void fill_ahead();
    void account();
    template <typename Consumer> void hand_out(const Record& record, Consumer& consumer);
    static void fetch_body(const Record& record);
    template <typename Consumer>
    const Record* hand_out_dense(const Record* record, const Record* end, Consumer& consumer);
    template <typename Consumer, typename Read>
    const Record* hand_out_run(const Record* record, const Record* end, Consumer& consumer,
                               Read read);
    static void take_contexts(const EventPlan& plan, EventPlace& place);
    const RawEvent& stored_event(const Record& record);
    Expected<bool> conclude() const;

    /// Windows that may wait to be handed out.
    static constexpr std::size_t windows_ahead = 8;

    SourceOptions m_options;
    std::unique_ptr<Workers> m_own_workers;
    std::vector<std::unique_ptr<TracePlan>> m_plans;
    std::vector<TraceId> m_plan_traces; // of each of them
    std::vector<TraceId> m_kernel_traces;
    std::deque<MappedFile> m_files;
    std::unique_ptr<StreamMerge> m_merge;
    std::unique_ptr<Window> m_window = std::make_unique<Window>(); // being handed out
    std::size_t m_next_record = 0;
    std::vector<EventPlace> m_places; // one for each EventPlan
    std::vector<FieldValue> m_slots;  // of all places
    RawEvent m_stored_event;
    std::map<std::string, TraceId> m_traces; // by UUID, identity or path
    /// By UUID (LTTng's is that of the boot), frequency and whether the origin is that of Unix; as
    /// the first trace has it.
    std::map<std::tuple<std::string, std::uint64_t, bool>, ClockClass> m_clocks;
    std::vector<std::pair<TraceId, TraceFacts>> m_facts;
    std::mutex m_mutex;
    // under the mutex
    RecyclingQueue<Window> m_ready;
    bool m_is_filling = false;
    bool m_is_filled = false; // the last window is among those ready
    // the consumer's again
    SourceTotals m_totals;
    std::uint64_t m_bytes_read = 0;
    std::uint64_t m_bytes = 0;
    std::optional<Error> m_fault;
    std::uint64_t m_more_faults = 0;
    bool m_counts_discarded = true;  // the packets of all streams do
    std::vector<Loss> m_late_begins; // told before anything else
    bool m_is_started = false;
};

} // namespace lttng_gpu::trace::ctf
