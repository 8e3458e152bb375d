// SPDX-License-Identifier: MIT
//
// Any bytes as one stream file. The first byte chooses the metadata and who asks:
// somebody who wants every field, or a few by name, as the correlator does. All
// must be read to the end, in order of time, in batches whose number the size of
// the input bounds, and no text may lie outside of it.
#include "packet_metadata.hpp"
#include "trace/ctf/located_body.hpp"
#include "trace/ctf/metadata/read_metadata.hpp"
#include "trace/ctf/simple_body.hpp"
#include "trace/ctf/stream_decoder.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

using namespace lttng_gpu;
using namespace lttng_gpu::trace;

void check(bool is_good)
{
    if (!is_good) {
        std::abort();
    }
}

std::unique_ptr<ctf::TracePlan> make_plan(std::string_view metadata, bool is_all)
{
    const auto schema = ctf::read_metadata(metadata);
    if (!schema) {
        std::fprintf(stderr, "%s\n", schema.error().message.c_str());
        std::abort(); // a fault of this file
    }
    const std::vector<std::string> fields{"$name", "n", "s", "t", "w", "absent"};
    return ctf::make_trace_plan(
        *schema, is_all ? std::vector<WantedEvent>{{"*", {"$name", "*"}}}
                        : std::vector<WantedEvent>{
                              {"e", {"n", "s", "w"}}, {"f", {"n"}}, {"g", fields}, {"k", {"n"}}});
}

/// One for each choice of the first byte.
const ctf::TracePlan& plan_of(unsigned choice)
{
    static const auto plans = [] {
        std::vector<std::unique_ptr<ctf::TracePlan>> made;
        for (const bool is_all : {false, true}) {
            for (const std::string_view metadata : test::packet_metadata) {
                made.push_back(make_plan(metadata, is_all));
            }
        }
        return made;
    }();
    return *plans[choice % plans.size()];
}

/// What the merge does with a batch.
class Reader {
public:
    Reader(const ctf::TracePlan& trace, std::span<const std::uint8_t> input) : m_input{input}
    {
        for (const ctf::StreamPlan& stream : trace.streams) {
            m_slots.resize(std::max<std::size_t>(m_slots.size(), stream.max_slot_count));
        }
    }

    void read(const ctf::Batch& batch)
    {
        for (std::size_t index = 0; index < batch.records.size(); ++index) {
            const ctf::Record& record = batch.records[index];
            check(record.time >= m_last);
            m_last = record.time;
            if (record.plan == nullptr) {
                const Loss& loss = batch.losses.at(record.values.first);
                check(loss.begin.value() == record.time && loss.begin <= loss.end);
            } else if (record.form.is_stored()) {
                check(record.values.first + record.plan->slot_count + record.values.appended <=
                      batch.values.used());
                look({batch.values.at(record.values.first),
                      record.plan->slot_count + record.values.appended});
            } else {
                read_body(record);
            }
        }
    }

private:
    void read_body(const ctf::Record& record)
    {
        const ctf::EventPlan& plan = *record.plan;
        ctf::settle_slots(plan, m_slots.data());
        if (plan.is_dense) {
            ctf::read_dense<ctf::integer_at>(plan.integer_reads.data(), plan.slot_count,
                                             record.body, m_slots.data());
        } else {
            ctf::read_simple(plan, record.body, m_slots.data());
        }
        look({m_slots.data(), plan.slot_count});
        if (record.form.has_lengths()) {
            check_lengths(record);
        }
    }

    /// With the lengths of its texts a body has the same values.
    void check_lengths(const ctf::Record& record)
    {
        const ctf::EventPlan& plan = *record.plan;
        std::vector<FieldValue> values(plan.slot_count);
        ctf::settle_slots(plan, values.data());
        ctf::read_located(plan, record.body, record.form.lengths(), values.data());
        for (std::size_t slot = 0; slot < values.size(); ++slot) {
            const FieldValue& other = m_slots[slot];
            check(values[slot].kind() == other.kind() &&
                  values[slot].as_unsigned_or(0) == other.as_unsigned_or(0) &&
                  values[slot].as_text() == other.as_text());
        }
    }

    /// A text is of the input, or a name of the metadata.
    void look(std::span<const FieldValue> values)
    {
        for (const FieldValue& value : values) {
            const std::string_view text = value.as_text();
            const auto* begin = reinterpret_cast<const std::uint8_t*>(text.data());
            const bool is_inside =
                begin >= m_input.data() && begin <= m_input.data() + m_input.size();
            check(!is_inside ||
                  text.size() <= static_cast<std::size_t>(m_input.data() + m_input.size() - begin));
            for (const char character : text) {
                m_sum = m_sum + static_cast<unsigned char>(character);
            }
        }
    }

    std::span<const std::uint8_t> m_input;
    std::vector<FieldValue> m_slots;
    std::int64_t m_last = INT64_MIN;
    volatile unsigned m_sum = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) {
        return 0;
    }
    const ctf::TracePlan& trace = plan_of(data[0]);
    const std::span<const std::uint8_t> input{data + 1, size - 1};
    if (input.empty()) {
        return 0; // no stream is made of an empty file
    }
    const MappedFile file = MappedFile::borrow(input);
    ctf::StreamDecoder decoder{trace, TraceId{0}, {{&file, {}}}};
    Reader reader{trace, input};
    ctf::Batch batch;
    std::uint64_t bytes = 0;
    std::uint64_t events = 0;
    // An item takes a bit at least, and a batch ends early only once.
    for (std::size_t batches = 0; !batch.is_last; ++batches) {
        check(batches <= 8 * input.size() + 2);
        batch.clear();
        decoder.fill(batch);
        check(!batch.fault || batch.fault->message.find('\n') == std::string::npos);
        check(batch.losses.size() <= 2 * (input.size() + 1));
        bytes += batch.bytes;
        events += batch.events;
        reader.read(batch);
    }
    check(events <= 8 * input.size());
    check(bytes == input.size());
    return 0;
}
