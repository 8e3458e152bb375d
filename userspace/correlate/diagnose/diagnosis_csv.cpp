// SPDX-License-Identifier: MIT
//
// See diagnosis_writer.hpp. Here: CSV, one row for each part of each job that is shown. Rows of
// level 0 of one job that are not `before` add up to its latency; deeper ones belong to the row
// of a lower level above them.
#include "diagnosis_writer.hpp"

#include "../report/text_format.hpp"

#include <fmt/format.h>

namespace lttng_gpu::diagnose {
namespace {

template <typename Number> std::string number(const Known<Number>& value)
{
    return value ? fmt::format("{}", value->value()) : "";
}

std::string ring_cells(const Known<RingId>& ring, const model::RingTable& rings)
{
    if (!ring) {
        return ",";
    }
    const model::Ring& known = rings.at(*ring);
    return fmt::format("{},{}", report::csv_cell(rings.text(known.device)),
                       report::csv_cell(rings.text(known.shown)));
}

std::string actor_cells(const FenceId& fence, const model::Actor& actor,
                        const model::RingTable& rings)
{
    return fmt::format("{},{},{},{},{}", number(fence.context), number(fence.seqno),
                       number(actor.pid), number(actor.tid),
                       report::csv_cell(rings.text(actor.comm)));
}

void write_part(const Diagnosis& diagnosis, const Part& part, unsigned level,
                const model::RingTable& rings, const TextSink& sink)
{
    const model::Job& job = diagnosis.job;
    sink(fmt::format("{},{},{},{},{},{},{},{},{}\n", ring_cells(job.ring, rings),
                     actor_cells(job.fence, job.actor, rings), number(job.queued),
                     number(job.completed), diagnosis.latency().value(), level,
                     part.is_before ? 1 : 0, part_csv_cells(part, rings), part.is_outside ? 0 : 1));
    for (const Part& root : part.root) {
        write_part(diagnosis, root, level + 1, rings, sink);
    }
}

} // namespace

std::string part_csv_cells(const Part& part, const model::RingTable& rings)
{
    const bool has_culprit = part.jobs > 0;
    return fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{}", text_of(part.reason).name,
        report::csv_cell(text_of(part.gap)), part.is_inferred ? "inferred" : "observed",
        part.begin.value(), part.end.value(), part.length.value(), part.jobs,
        ring_cells(has_culprit ? part.ring : Known<RingId>{}, rings),
        actor_cells(part.fence, part.actor, rings), number(part.thread), number(part.by),
        report::csv_cell(part.by_name.view()), report::csv_cell(text_of(part.reason).events));
}

void write_csv(const Result& result, const model::RingTable& rings, const TextSink& sink)
{
    if (result.has_frames) {
        write_frames_csv(result, rings, sink);
        return;
    }
    sink("device,ring,context,seqno,pid,tid,comm,queued_ns,completed_ns,latency_ns,level,before,"
         "reason,gap,basis,begin_ns,end_ns,time_ns,jobs,culprit_device,culprit_ring,"
         "culprit_context,culprit_seqno,culprit_pid,culprit_tid,culprit_comm,thread,by_thread,"
         "by_name,events,in_window\n");
    for (const Diagnosis& diagnosis : result.jobs) {
        for (const Part& part : diagnosis.parts) {
            write_part(diagnosis, part, 0, rings, sink);
        }
    }
}

} // namespace lttng_gpu::diagnose
