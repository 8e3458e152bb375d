// SPDX-License-Identifier: MIT
//
// See page_data.hpp.
#include "page_data.hpp"

#include "../correlate/report/report_sink.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lttng_gpu::view {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array phase_names{"host_queue", "device_queue", "execution", "whole"};

class Writer {
public:
    Writer(const PageSink& sink, const PageContents& contents) : m_sink{sink}, m_contents{contents}
    {
    }

    PageData write();

private:
    std::string text(StringId id) const { return std::string{m_contents.rings.text(id)}; }
    std::int64_t since(Timestamp time) const { return (time - m_sink.origin()).value(); }
    template <typename Number> static Json number_or_null(Known<Number> number)
    {
        return number ? Json(number->value()) : Json();
    }

    Json processes() const;
    Json actors() const;
    Json rings(std::vector<std::uint32_t>& first) const;
    Json longest() const;
    Json gaps() const;
    Json unseen() const;
    Json frames() const;
    void add_account(Json& index) const;
    void add_relations(Json& index) const;
    std::int64_t likely_length() const;
    static Json chunks(const std::vector<RelationChunk>& all);

    const PageSink& m_sink;
    const PageContents& m_contents;
};

Json Writer::processes() const
{
    Json all = Json::array();
    const auto& processes = m_sink.names().processes();
    for (std::size_t place = 0; place < processes.size(); ++place) {
        const ProcessEntry& process = processes[place];
        all.push_back({number_or_null(process.pid), text(process.comm), process.jobs,
                       m_sink.classes()[place], number_or_null(process.tid)});
    }
    return all;
}

Json Writer::actors() const
{
    Json all = Json::array();
    for (const ActorEntry& actor : m_sink.names().actors()) {
        all.push_back({actor.process, number_or_null(actor.tid), text(actor.comm)});
    }
    return all;
}

Json levels_json(const RingPart& ring)
{
    Json all = Json::array();
    for (const DepthLevel& level : ring.levels) {
        all.push_back({{"shift", level.shift}, {"bins", level.bins}, {"tiles", level.tiles}});
    }
    return all;
}

Json latencies_json(const RingPart& ring)
{
    Json all = Json::object();
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        Json counts = Json::array();
        const auto& histogram = ring.latencies.at(phase).counts();
        for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
            if (histogram.at(bin) > 0) {
                counts.push_back({bin, histogram.at(bin)});
            }
        }
        all[phase_names.at(phase)] = std::move(counts);
    }
    return all;
}

Json Writer::rings(std::vector<std::uint32_t>& first) const
{
    Json all = Json::array();
    for (const auto& part : m_sink.rings()) {
        Json ring;
        const model::Ring* const known = part->ring ? &m_contents.rings.at(*part->ring) : nullptr;
        ring["device"] = known ? text(known->device) : "";
        ring["name"] = known ? text(known->shown) : "";
        ring["driver"] = known ? text(known->driver) : "";
        ring["jobs"] = part->chunks.jobs();
        Json chunks = Json::array();
        for (const Chunk& chunk : part->chunks.all()) {
            chunks.push_back({chunk.number, chunk.blob, chunk.jobs, chunk.first, chunk.last,
                              std::min(chunk.end, likely_length())});
        }
        ring["chunks"] = std::move(chunks);
        ring["waited_ns"] = part->waits.sum();
        ring["waits_unknown"] = part->waits.unknown();
        ring["longest_wait"] = part->waits.longest() > 0
                                   ? Json{part->waits.longest_job(), part->waits.longest()}
                                   : Json();
        ring["levels"] = levels_json(*part);
        ring["latencies"] = latencies_json(*part);
        if (!part->levels.empty()) {
            for (const std::int64_t tile : part->levels.back().tiles) {
                if (tile >= 0) {
                    first.push_back(static_cast<std::uint32_t>(tile));
                }
            }
        }
        all.push_back(std::move(ring));
    }
    return all;
}

Json Writer::longest() const
{
    Json all = Json::object();
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        Json jobs = Json::array();
        for (const LongestJobs::Entry& entry : m_sink.longest().at(phase).sorted()) {
            jobs.push_back({entry.job, entry.length});
        }
        all[phase_names.at(phase)] = std::move(jobs);
    }
    return all;
}

/// What was not recorded, and why: begin, end, words.
Json Writer::gaps() const
{
    Json all = Json::array();
    for (const trace::Loss& loss : m_contents.outcome->losses) {
        const bool is_packets = loss.unit == trace::LossUnit::Packets;
        const std::string count = loss.count ? std::to_string(*loss.count) : "unknown number of";
        all.push_back({since(loss.begin), since(loss.end),
                       count + (is_packets ? " packets" : " events") + " lost, CPU " +
                           std::to_string(loss.cpu.value())});
    }
    for (const model::CpuGap& gap : m_contents.report->recording.gaps) {
        all.push_back({since(gap.span.begin), since(gap.span.end),
                       "CPU " + std::to_string(gap.cpu.value()) + " was not recorded"});
    }
    return all;
}

Json Writer::unseen() const
{
    Json all = Json::array();
    for (const model::UnseenJobs& jobs : m_sink.unseen()) {
        const std::size_t ring = m_sink.number_of(jobs.ring);
        all.push_back({ring < m_sink.rings().size() ? Json(ring) : Json(), since(jobs.begin),
                       since(jobs.end), jobs.count});
    }
    return all;
}

/// Surfaces: process, API, handle, frames.
Json Writer::frames() const
{
    const FrameRows& frames = m_sink.frames();
    Json surfaces = Json::array();
    for (const FrameRows::Surface& surface : frames.surfaces()) {
        surfaces.push_back(
            {surface.process, text(surface.api), std::to_string(surface.handle), surface.frames});
    }
    return {{"surfaces", std::move(surfaces)},
            {"chunks", chunks(frames.chunks())},
            {"left_out", frames.left_out()}};
}

Json Writer::chunks(const std::vector<RelationChunk>& all)
{
    Json result = Json::array();
    for (const RelationChunk& chunk : all) {
        result.push_back({chunk.blob, chunk.count, chunk.first, chunk.last, chunk.end});
    }
    return result;
}

/// While jobs are being read: the whole length, if the rest is like what was read.
std::int64_t Writer::likely_length() const
{
    const std::int64_t length = m_sink.length();
    if (m_contents.stage != Stage::Jobs || !m_contents.read_until) {
        return length;
    }
    const auto read = static_cast<double>(since(*m_contents.read_until));
    const double ratio = m_contents.ratio.value_or(1.0);
    return ratio > 0 ? std::max(length, static_cast<std::int64_t>(read / ratio)) : length;
}

/// What was read, and what is not there.
void Writer::add_account(Json& index) const
{
    constexpr std::array stages{"jobs", "reasons", "all"};
    index["stage"] = stages.at(static_cast<std::size_t>(m_contents.stage));
    if (m_contents.stage == Stage::Jobs) {
        index["ratio"] = m_contents.ratio ? Json(*m_contents.ratio) : Json();
        index["read_until"] = m_sink.length();
        index["window"] = {0, likely_length()};
        index["loss"] = "";
        index["gaps"] = Json::array();
        index["gaps_left_out"] = 0;
        index["report"] = Json();
    } else {
        index["window"] = {since(m_contents.report->begin), since(m_contents.report->end)};
        index["loss"] = report::loss_text(m_contents.report->trace);
        index["gaps"] = gaps();
        index["gaps_left_out"] = m_contents.outcome->losses_left_out;
        index["report"] = m_contents.report_piece;
    }
    index["unseen"] = unseen();
    index["unseen_left_out"] = m_sink.unseen_left_out();
}

/// What is made of all jobs, or of another reading: in Stage::Jobs nothing.
void Writer::add_relations(Json& index) const
{
    const Relations& relations = m_sink.relations();
    index["dependencies"] = {{"chunks", chunks(relations.dependencies())},
                             {"left_out", relations.dependencies_left_out()}};
    index["waits"] = {{"chunks", chunks(relations.waits())},
                      {"left_out", relations.waits_left_out()}};
    index["frames"] = frames();
    index["calls"] = {{"chunks", chunks(m_sink.all_calls().chunks())},
                      {"left_out", m_sink.all_calls().left_out()}};
    const ThreadSpans* const states = m_contents.states;
    index["states"] = {
        {"chunks", states != nullptr ? chunks(states->spans().all()) : Json::array()},
        {"left_out", states != nullptr ? states->spans().left_out() : 0}};
    index["other_threads"] = states != nullptr ? Json(states->others()) : Json::array();
}

PageData Writer::write()
{
    PageData data;
    Json index;
    index["schema"] = "lttng-gpu/page/1";
    index["version"] = LTTNG_GPU_VERSION;
    index["traces"] = Json::array();
    for (const auto& trace : m_contents.traces) {
        index["traces"].push_back(trace.string());
    }
    index["origin_ns"] = std::to_string(m_sink.origin().value());
    index["length"] = likely_length();
    add_account(index);
    index["jobs_of_chunk"] = jobs_of_chunk;
    index["bins_of_tile"] = RingDepths::bins_of_tile;
    index["processes"] = processes();
    index["actors"] = actors();
    Json contexts = Json::array();
    for (const std::uint64_t context : m_sink.names().contexts()) {
        contexts.push_back(std::to_string(context)); // more bits than the page's numbers have
    }
    index["contexts"] = std::move(contexts);
    Json texts = Json::array();
    for (const StringId id : m_sink.names().texts()) {
        texts.push_back(text(id));
    }
    index["api_calls"] = std::move(texts);
    index["rings"] = rings(data.first);
    add_relations(index);
    index["longest"] = longest();
    index["device_trace"] = m_contents.device_trace != nullptr ? *m_contents.device_trace : Json();
    index["diagnoses"] =
        m_contents.diagnoses != nullptr ? m_contents.diagnoses->write(m_sink.blobs()) : Json();
    std::string json = index.dump(-1, ' ', false, Json::error_handler_t::replace);
    data.index = m_sink.blobs().form() == Blobs::Form::Deflated ? deflated(json) : std::move(json);
    return data;
}

} // namespace

std::uint32_t add_report(Blobs& blobs, const report::Report& report)
{
    return blobs.add(report_json(report));
}

PageData make_page_data(const PageSink& sink, const PageContents& contents)
{
    return Writer{sink, contents}.write();
}

} // namespace lttng_gpu::view
