// SPDX-License-Identifier: MIT
#include "event_segments.hpp"

#include "located_body.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {
namespace {

bool is_bytes(const Step& run)
{
    constexpr unsigned byte_alignment = 3;
    return run.bits <= byte_alignment && run.argument % 8 == 0;
}

/// False: it reads something else than little-endian integers and texts.
bool add_run(EventPlan& plan, const Step& run)
{
    Segment& segment = plan.segments.back();
    for (const Step* step = &run + 1; step != &run + 1 + run.index; ++step) {
        const bool is_integer = step->op == Op::ReadByteAligned &&
                                (step->byte_order == ByteOrder::Little || step->bits == 8);
        const bool is_text = step->op == Op::ReadText && step->bits == 8;
        if (step->target == Target::Kept) {
            continue; // who needs it makes a step that is not simple
        }
        if (step->target != Target::Slot || !(is_integer || is_text)) {
            return false;
        }
        const auto offset = static_cast<std::uint32_t>(segment.bytes + step->argument / 8);
        if (is_text) {
            plan.text_reads.push_back({offset, step->index, step->side});
            ++segment.text_count;
        } else {
            plan.integer_reads.push_back(
                {offset, step->index,
                 FieldValue::tag_of(step->is_signed ? FieldValue::Kind::Signed
                                                    : FieldValue::Kind::Unsigned,
                                    step->side),
                 UINT64_MAX >> (64U - step->bits),
                 step->is_signed ? std::uint64_t{1} << (step->bits - 1U) : 0});
            plan.is_any_signed = plan.is_any_signed || step->is_signed;
            ++segment.integer_count;
        }
    }
    segment.bytes += run.argument / 8;
    return segment.bytes <= INT32_MAX; // sums of offsets fit into 32 bits, too
}

/// False: the body takes steps.
bool make_segments(EventPlan& plan)
{
    const Step* step = plan.body.steps.data() + plan.body.main.first;
    const Step* const end = step + plan.body.main.count;
    plan.segments.emplace_back();
    while (step != end) {
        if (step->op == Op::Run && is_bytes(*step)) {
            if (!add_run(plan, *step)) {
                return false;
            }
            step += 1 + step->index;
        } else if (step->op == Op::String && step->bits == 8) {
            Segment& segment = plan.segments.back();
            segment.has_string = true;
            segment.is_string_wanted = step->target == Target::Slot;
            segment.string_slot = step->index;
            plan.segments.emplace_back();
            ++step;
        } else {
            return false;
        }
    }
    if (plan.segments.size() > 1 && plan.segments.back().bytes == 0) {
        plan.segments.pop_back();
    }
    for (std::uint32_t index = 0; index < plan.segments.size(); ++index) {
        const Segment& segment = plan.segments[index];
        if (segment.integer_count + segment.text_count > 0 || segment.is_string_wanted) {
            plan.wanted_segments = index + 1;
        }
    }
    return true;
}

/// The reads of all segments as seen from the beginning of the body.
void locate_reads(EventPlan& plan)
{
    if (plan.segments.size() > RecordForm::most_texts + 1) {
        return; // no FastEvent
    }
    const IntegerRead* integer = plan.integer_reads.data();
    const TextRead* text = plan.text_reads.data();
    std::uint64_t begin = 0;
    for (std::uint32_t index = 0; index < plan.segments.size(); ++index) {
        const Segment& segment = plan.segments[index];
        const std::uint32_t lane = index * TextSums::lane_bits;
        const auto offset = [begin](std::uint64_t in_segment) {
            return static_cast<std::uint32_t>(begin + in_segment);
        };
        for (std::uint32_t count = segment.integer_count; count > 0; --count, ++integer) {
            plan.located.integers.push_back(
                {offset(integer->offset), lane, integer->slot, integer->mask, integer->sign});
        }
        for (std::uint32_t count = segment.text_count; count > 0; --count, ++text) {
            plan.located.texts.push_back({offset(text->offset), lane, text->slot, text->length});
        }
        if (segment.is_string_wanted) {
            plan.located.strings.push_back({offset(segment.bytes), lane, segment.string_slot,
                                            index * RecordForm::length_bits});
        }
        begin += segment.bytes + 1; // and the zero of its text
    }
}

void find_dense_reads(EventPlan& plan)
{
    auto& reads = plan.integer_reads;
    if (!plan.is_simple || reads.empty() || reads.size() != plan.slot_count ||
        plan.wanted_segments != 1) {
        return;
    }
    std::sort(reads.begin(), reads.end(),
              [](const auto& left, const auto& right) { return left.slot < right.slot; });
    plan.is_dense = true;
}

} // namespace

void find_segments(EventPlan& plan)
{
    plan.is_simple = make_segments(plan);
    if (plan.is_simple) {
        locate_reads(plan);
        find_dense_reads(plan);
    }
}

} // namespace lttng_gpu::trace::ctf
