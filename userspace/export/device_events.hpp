// SPDX-License-Identifier: MIT
//
// The device's side of the trace as events at their own times: four for each API
// command, whose times the driver reported later and on another clock
// (lttng_gpu_device:command_queued, _submit, _start, _end), and four for each job of a
// kernel driver (lttng_gpu_device:job_queued, _submitted, _started, _completed; what was
// taken off the ring has _preempted, and goes on in its next interval). A time
// that is not known has no event; one that was inferred says so in `basis`. Among them is what
// was recorded inside of kernels (kernel_events.hpp).
//
// Reads the traces for itself, some way ahead of the copying. Rows come in order of
// their first times, so an event is final when a later row starts after it: memory grows
// with the commands in flight, not with the trace.
#pragma once

#include "../correlate/base/interruption.hpp"
#include "../correlate/run/reading.hpp"
#include "../correlate/trace/event_source.hpp"
#include "device_stream.hpp"
#include "extra_events.hpp"
#include "kernel_events.hpp"

#include <filesystem>
#include <queue>

namespace lttng_gpu::exporting {

class DeviceEvents final : public ExtraEvents, public model::JobSink {
public:
    /// Learns the clocks of the devices first, which is a reading of its own. Reading
    /// fails when the command is to end.
    static Expected<std::unique_ptr<DeviceEvents>>
    open(const std::vector<std::filesystem::path>& paths, const Interruption& interruption);

    Expected<std::optional<Timestamp>> next_time() override;
    Expected<std::vector<trace::Bt2MessageRef>> take(bt_self_message_iterator* iterator,
                                                     bt_self_component* component,
                                                     OutputTrace& output) override;
    Expected<std::vector<trace::Bt2MessageRef>> finish(bt_self_message_iterator* iterator) override;

    /// A row of the pass.
    void on_job(const model::Job& job) override;

    /// Commands that were reported too late to be sorted among the others; they
    /// are in streams of their own.
    std::uint64_t late_events() const { return m_stream ? m_stream->late_events() : 0; }
    std::uint64_t left_out() const { return m_stream ? m_stream->left_out() : 0; }

private:
    struct Pending {
        DeviceEvent event;
        std::uint64_t serial = 0;

        friend bool operator>(const Pending& left, const Pending& right)
        {
            return left.event.time != right.event.time ? left.event.time > right.event.time
                                                       : left.serial > right.serial;
        }
    };

    explicit DeviceEvents(const Interruption& interruption) : m_interruption{interruption} {}

    Expected<void> start(const std::vector<std::filesystem::path>& paths);
    void add(const model::Job& job, std::size_t stage, const std::optional<Timestamp>& time,
             model::Basis basis);
    /// Whether nothing earlier than the first one can come any more.
    bool is_first_safe() const;
    Expected<void> read_on();
    /// The first of jobs and commands; reads as far as it must.
    Expected<std::optional<Timestamp>> next_step();

    const Interruption& m_interruption;
    run::Reading m_reading;
    std::optional<model::RingNames> m_names;
    report::Window m_window{{}};
    std::priority_queue<Pending, std::vector<Pending>, std::greater<>> m_pending;
    std::optional<Timestamp> m_row_begin; // of the latest row
    std::uint64_t m_serial = 0;
    bool m_is_over = false;
    std::unique_ptr<KernelEvents> m_kernels; // null: nothing was recorded inside of kernels
    bool m_is_kernel_next = false;
    std::unique_ptr<DeviceStream> m_stream;
};

} // namespace lttng_gpu::exporting
