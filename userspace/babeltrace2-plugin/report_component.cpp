// SPDX-License-Identifier: MIT
//
// See report_component.hpp.
#include "report_component.hpp"

#include "../correlate/report/report_builder.hpp"
#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "../correlate/run/pipeline.hpp"
#include "../correlate/trace/bt2/border.hpp"
#include "../correlate/trace/bt2/message_reader.hpp"
#include "../correlate/trace/bt2/ports.hpp"
#include "../correlate/trace/bt2/upstream.hpp"
#include "parameters.hpp"

#include <filesystem>
#include <iostream>
#include <set>
#include <unistd.h>

namespace lttng_gpu::plugin {
namespace {

using trace::Arrival;
using trace::at_border;
using Consumed = bt_component_class_sink_consume_method_status;

class ReportComponent {
public:
    explicit ReportComponent(ReportParameters parameters)
        : m_parameters{std::move(parameters)}, m_window{m_parameters.window},
          m_builder{m_pipeline.rings(), m_window}
    {
        m_pipeline.start(m_reader.totals(), m_window, m_builder);
    }

    Expected<void> configure(bt_self_component_sink* sink)
    {
        auto upstream = trace::open_upstream(sink);
        if (!upstream) {
            return Failure{upstream.error()};
        }
        m_upstream = std::move(*upstream);
        const auto place =
            report::OutputPlace::check(m_parameters.output, report::OutputKind::Text, {});
        if (!place) {
            return Failure{place.error()};
        }
        auto output = report::Output::open(*place);
        if (!output) {
            return Failure{output.error()};
        }
        m_output.emplace(std::move(*output));
        return {};
    }

    Expected<Consumed> consume()
    {
        const Arrival arrival =
            trace::read_batch(m_upstream.get(), [this](trace::Bt2MessageRef message) {
                note_trace(message.get());
                m_reader.read(message.get(), m_pipeline);
            });
        switch (arrival) {
        case Arrival::Messages:
            return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
        case Arrival::NotYet:
            return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN;
        case Arrival::End:
            break;
        case Arrival::Error:
            m_pipeline.stop({ErrorKind::DamagedTrace, "babeltrace2 could not continue reading"});
            break;
        }
        if (const auto concluded = conclude(); !concluded) {
            return Failure{concluded.error()};
        }
        if (arrival == Arrival::Error) {
            return Failure{{ErrorKind::DamagedTrace, "upstream failed"}};
        }
        return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
    }

private:
    report::TextOptions text_options() const
    {
        constexpr auto colour = report::ColourChoice::Automatic;
        report::TextOptions options;
        options.screen = m_parameters.output.empty() ? report::screen_of(STDOUT_FILENO, colour)
                                                     : report::screen_of_file(colour);
        return options;
    }

    /// A stream of src.ctf.fs is called by the path of its first file.
    void note_trace(const bt_message* message)
    {
        if (bt_message_get_type(message) != BT_MESSAGE_TYPE_STREAM_BEGINNING) {
            return;
        }
        const char* name =
            bt_stream_get_name(bt_message_stream_beginning_borrow_stream_const(message));
        if (name != nullptr && *name == '/') {
            m_traces.insert(std::filesystem::path{name}.parent_path());
        }
    }

    Expected<void> conclude()
    {
        run::Outcome outcome = m_pipeline.finish();
        outcome.account.losses_of_unknown_size +=
            run::noted_losses({m_traces.begin(), m_traces.end()});
        if (!outcome.stopped || outcome.account.events_read > 0) {
            report::Report report = m_builder.finish(outcome.account);
            report.recording = run::recording_note(outcome, nullptr);
            write_report(report, outcome, m_parameters.format, text_options(), {}, *m_output);
            print_if_empty(std::cerr, outcome, {});
            print_damage(std::cerr, outcome);
        }
        // Which traces are read shows only when they are.
        const std::vector<std::filesystem::path> traces{m_traces.begin(), m_traces.end()};
        if (const auto place =
                report::OutputPlace::check(m_parameters.output, report::OutputKind::Text, traces);
            !place) {
            return Failure{place.error()};
        }
        return m_output->finish();
    }

    ReportParameters m_parameters;
    report::Window m_window;
    run::Pipeline m_pipeline;
    report::ReportBuilder m_builder;
    trace::Bt2MessageReader m_reader{run::Pipeline::wanted(), &m_pipeline.enumerations()};
    std::optional<report::Output> m_output;
    trace::Bt2MessageIteratorRef m_upstream;
    std::set<std::filesystem::path> m_traces; // folders
};

bt_self_component* component_of(bt_self_component_sink* sink)
{
    return bt_self_component_sink_as_self_component(sink);
}

ReportComponent* data_of(bt_self_component_sink* sink)
{
    return static_cast<ReportComponent*>(bt_self_component_get_data(component_of(sink)));
}

} // namespace

bt_component_class_initialize_method_status initialize_report(bt_self_component_sink* sink,
                                                              bt_self_component_sink_configuration*,
                                                              const bt_value* params,
                                                              void*) noexcept
{
    using Status = bt_component_class_initialize_method_status;
    return at_border(component_of(sink), BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR,
                     [&]() -> Expected<Status> {
                         auto parameters = read_report_parameters(params);
                         if (!parameters) {
                             return Failure{parameters.error()};
                         }
                         auto component = std::make_unique<ReportComponent>(std::move(*parameters));
                         if (const auto added = trace::add_port(sink); !added) {
                             return Failure{added.error()};
                         }
                         bt_self_component_set_data(component_of(sink), component.release());
                         return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
                     });
}

bt_component_class_sink_graph_is_configured_method_status
configure_report(bt_self_component_sink* sink) noexcept
{
    using Status = bt_component_class_sink_graph_is_configured_method_status;
    return at_border(component_of(sink),
                     BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR,
                     [&]() -> Expected<Status> {
                         return data_of(sink)->configure(sink).map([] {
                             return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
                         });
                     });
}

bt_component_class_sink_consume_method_status consume_report(bt_self_component_sink* sink) noexcept
{
    return at_border(component_of(sink), BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR,
                     [&] { return data_of(sink)->consume(); });
}

void finalize_report(bt_self_component_sink* sink) noexcept
{
    delete data_of(sink);
}

} // namespace lttng_gpu::plugin
