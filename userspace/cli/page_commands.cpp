// SPDX-License-Identifier: MIT
//
// See page_commands.hpp.
#include "page_commands.hpp"

#include "../correlate/run/conclusion.hpp"
#include "../correlate/trace/open/recognise.hpp"
#include "../view/html_page.hpp"
#include "../view/page_server.hpp"
#include "browser.hpp"
#include "commands.hpp"
#include "end_signals.hpp"
#include "page_reader.hpp"

#include <algorithm>

namespace lttng_gpu::cli {
namespace {

int fail(std::ostream& errors, const Error& error)
{
    run::print_line(errors, error.message);
    return error.kind == ErrorKind::UnreadableTrace ? exit_unreadable_trace
           : error.kind == ErrorKind::DamagedTrace  ? exit_damaged_trace
                                                    : exit_bad_arguments;
}

std::optional<Error> why_not(const Options& options)
{
    if (auto error = view::why_no_page()) {
        return error;
    }
    if (std::ranges::any_of(options.traces, trace::is_live)) {
        return Error{ErrorKind::BadArguments,
                     "a session that is being recorded has no page yet: stop it first"};
    }
    return {};
}

int conclude(std::ostream& errors, const run::Outcome& outcome, const Options& options)
{
    const bool is_empty = run::print_if_empty(errors, outcome, options.traces);
    if (run::print_damage(errors, outcome)) {
        return exit_damaged_trace;
    }
    return is_empty ? exit_nothing_to_report : exit_fine;
}

} // namespace

int run_html_report(const Options& options, const report::OutputPlace& place, std::ostream& errors)
{
    if (const auto error = why_not(options)) {
        return fail(errors, *error);
    }
    auto output = report::Output::open(place);
    if (!output) {
        return fail(errors, output.error());
    }
    const auto read = PageReader{options}.read();
    if (!read) {
        return fail(errors, read.error());
    }
    if (read->page) {
        view::write_page(*read->page, *read->blobs, *output);
        if (const auto written = output->finish(); !written) {
            return fail(errors, written.error());
        }
    }
    return conclude(errors, read->outcome, options);
}

int run_view(const Options& options, std::ostream& output, std::ostream& errors)
{
    for (const auto& error : {view::why_no_server(), why_not(options)}) {
        if (error) {
            return fail(errors, *error);
        }
    }
    const Browser browser{options.opens_browser};
    const EndSignals ends;
    view::LivePage page;
    std::unique_ptr<view::PageServer> server;
    std::optional<Error> problem;
    const PageListener listener{page,
                                [&] {
                                    auto started = view::PageServer::start(page, options.port);
                                    if (!started) {
                                        problem = started.error();
                                        return;
                                    }
                                    server = std::move(*started);
                                    output << server->address() << std::endl;
                                    errors << "lttng-gpu: Ctrl-C ends it\n" << std::flush;
                                    browser.open(server->address());
                                },
                                [&] { return ends.have_come() || problem.has_value(); }};
    const auto read = PageReader{options, &listener}.read();
    if (problem || !read) {
        return fail(errors, problem ? *problem : read.error());
    }
    if (ends.have_come()) {
        return exit_fine;
    }
    const int code = conclude(errors, read->outcome, options);
    if (read->page) {
        ends.wait();
    }
    return code;
}

} // namespace lttng_gpu::cli
