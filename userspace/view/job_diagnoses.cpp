// SPDX-License-Identifier: MIT
//
// See job_diagnoses.hpp.
#include "job_diagnoses.hpp"

#include <nlohmann/json.hpp>

namespace lttng_gpu::view {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t jobs_of_piece = 512;
constexpr std::uint32_t no_ring = UINT32_MAX;

std::tuple<std::string, std::string, std::string> names_of(Known<RingId> ring,
                                                           const model::RingTable& rings)
{
    if (!ring) {
        return {};
    }
    const model::Ring& known = rings.at(*ring);
    return {std::string{rings.text(known.device)}, std::string{rings.text(known.shown)},
            std::string{rings.text(known.driver)}};
}

std::string_view basis_of(const diagnose::Part& part)
{
    if (part.reason == diagnose::Reason::Unknown || part.reason == diagnose::Reason::Unexplained) {
        return "unknown";
    }
    return part.is_inferred ? "inferred" : "observed";
}

std::string dump(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

JobDiagnoses::JobDiagnoses(const PageSink& sink, const model::RingTable& rings)
    : m_origin{sink.origin()}
{
    for (std::uint32_t number = 0; number < sink.rings().size(); ++number) {
        m_ring_numbers.try_emplace(names_of(sink.rings()[number]->ring, rings), number);
    }
    for (const NumberedJob& job : sink.told_of()) {
        const JobIdentity& identity = job.identity;
        const auto named = m_ring_numbers.find(names_of(identity.ring, rings));
        if (named != m_ring_numbers.end()) {
            m_wanted.try_emplace({named->second, identity.fence.context, identity.fence.seqno,
                                  identity.first, identity.interval},
                                 job.number);
        }
    }
}

std::uint32_t JobDiagnoses::ring_number(Known<RingId> ring, const model::RingTable& rings)
{
    const auto [place, is_new] =
        m_known_rings.try_emplace(ring ? ring->value() : UINT32_MAX, no_ring);
    if (is_new) {
        const auto named = m_ring_numbers.find(names_of(ring, rings));
        place->second = named == m_ring_numbers.end() ? no_ring : named->second;
    }
    return place->second;
}

void JobDiagnoses::add(const diagnose::Diagnosis& diagnosis, const model::RingTable& rings)
{
    const model::Job& job = diagnosis.job;
    const auto wanted = m_wanted.find({ring_number(job.ring, rings), job.fence.context,
                                       job.fence.seqno, first_time(job), job.interval});
    if (wanted == m_wanted.end()) {
        return;
    }
    Json json;
    json["latency"] = diagnosis.is_known() ? Json(diagnosis.latency().value()) : Json(nullptr);
    json["is_open"] = diagnosis.is_open;
    json["parts"] = parts_json(diagnosis.parts, rings);
    m_found.try_emplace(wanted->second, dump(json));
}

Json JobDiagnoses::parts_json(const std::vector<diagnose::Part>& parts,
                              const model::RingTable& rings)
{
    Json all = Json::array();
    for (const diagnose::Part& part : parts) {
        all.push_back(part_json(part, rings));
    }
    return all;
}

Json JobDiagnoses::part_json(const diagnose::Part& part, const model::RingTable& rings)
{
    Json json;
    json["reason"] = diagnose::text_of(part.reason).name;
    json["time"] = part.length.value();
    json["begin"] = (part.begin - m_origin).value();
    json["end"] = (part.end - m_origin).value();
    json["basis"] = basis_of(part);
    json["text"] = sentence(part, rings);
    if (part.is_before) {
        json["before"] = true;
    }
    const std::uint32_t ring = part.ring ? ring_number(part.ring, rings) : no_ring;
    if (ring != no_ring && part.fence.context && part.fence.seqno) {
        // More bits than the page's numbers have.
        json["job"] = {ring, std::to_string(part.fence.context->value()),
                       std::to_string(part.fence.seqno->value())};
    }
    if (!part.root.empty()) {
        json["root"] = parts_json(part.root, rings);
    }
    return json;
}

Json JobDiagnoses::write(Blobs& blobs) const
{
    Json chunks = Json::array();
    for (auto job = m_found.begin(); job != m_found.end();) {
        const std::uint64_t first = job->first;
        std::uint64_t last = first;
        std::string piece = "{";
        for (std::size_t count = 0; count < jobs_of_piece && job != m_found.end(); ++count, ++job) {
            last = job->first;
            piece += (count > 0 ? ",\"" : "\"") + std::to_string(last) + "\":" + job->second;
        }
        chunks.push_back({blobs.add(piece + '}'), first, last});
    }
    Json reasons = Json::object();
    for (std::size_t reason = 0; reason < diagnose::reason_count; ++reason) {
        const diagnose::ReasonText& text = diagnose::text_of(static_cast<diagnose::Reason>(reason));
        reasons[text.name] = {text.brief, text.events};
    }
    return {{"chunks", std::move(chunks)}, {"reasons", std::move(reasons)}};
}

} // namespace lttng_gpu::view
