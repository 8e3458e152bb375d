// SPDX-License-Identifier: MIT
//
// See job_fields.hpp.
#include "job_fields.hpp"

#include "../correlate/report/job_words.hpp"
#include "../correlate/trace/bt2/mip.hpp"

#include <array>

namespace lttng_gpu::plugin {
namespace {

enum class Content { Text, Unsigned, Signed };

struct Member {
    const char* name;
    Content content;
    bool is_optional;
};

/// In the order in which set_job_fields() gives the values.
constexpr std::array members{
    Member{"device", Content::Text, true},
    Member{"ring", Content::Text, true},
    Member{"driver", Content::Text, true},
    Member{"context", Content::Unsigned, true},
    Member{"seqno", Content::Unsigned, true},
    Member{"pid", Content::Signed, true},
    Member{"tid", Content::Signed, true},
    Member{"comm", Content::Text, true},
    Member{"queued_ns", Content::Signed, true},
    Member{"submitted_ns", Content::Signed, true},
    Member{"started_ns", Content::Signed, true},
    Member{"started_basis", Content::Text, false},
    Member{"completed_ns", Content::Signed, true},
    Member{"completed_basis", Content::Text, false},
    Member{"status", Content::Text, false},
    Member{"interval", Content::Unsigned, false},
    Member{"runnable_ns", Content::Signed, true},
    Member{"observed_ns", Content::Signed, true},
    Member{"fault", Content::Text, true},
    Member{"api_call", Content::Text, true},
    Member{"clock_error_ns", Content::Signed, true},
};

bt_field_class* make_content_class(bt_trace_class* trace_class, Content content)
{
    switch (content) {
    case Content::Text:
        return bt_field_class_string_create(trace_class);
    case Content::Unsigned:
        return bt_field_class_integer_unsigned_create(trace_class);
    case Content::Signed:
        break;
    }
    return bt_field_class_integer_signed_create(trace_class);
}

bt_field_class* make_member_class(bt_trace_class* trace_class, const Member& member)
{
    bt_field_class* content = make_content_class(trace_class, member.content);
    if (content == nullptr || !member.is_optional) {
        return content;
    }
    bt_field_class* option = trace::make_option_class(trace_class, content);
    bt_field_class_put_ref(content);
    return option;
}

/// Gives the members their values, one after the other.
class Writer {
public:
    explicit Writer(bt_field* payload) : x_payload{payload} {}

    /// An empty text in an optional member is none.
    void text(std::string_view value)
    {
        bt_field* field = next(!value.empty());
        if (field != nullptr) {
            bt_field_string_clear(field);
            x_is_good = bt_field_string_append_with_length(field, value.data(), value.size()) ==
                            BT_FIELD_STRING_APPEND_STATUS_OK &&
                        x_is_good;
        }
    }
    template <typename Number> void number(const Known<Number>& value)
    {
        if (bt_field* field = next(value.has_value())) {
            set(field, value->value());
        }
    }
    void number(std::uint64_t value) { set(next(true), value); }

    bool is_good() const { return x_is_good; }

private:
    static void set(bt_field* field, std::uint64_t value)
    {
        bt_field_integer_unsigned_set_value(field, value);
    }
    static void set(bt_field* field, std::int64_t value)
    {
        bt_field_integer_signed_set_value(field, value);
    }

    /// Where the value goes; null when it is known to be none.
    bt_field* next(bool has_value)
    {
        const std::size_t index = x_next++;
        bt_field* field = bt_field_structure_borrow_member_field_by_index(x_payload, index);
        if (!members[index].is_optional) {
            return field;
        }
        bt_field_option_set_has_field(field, has_value ? BT_TRUE : BT_FALSE);
        return has_value ? bt_field_option_borrow_field(field) : nullptr;
    }

    bt_field* x_payload;
    std::size_t x_next = 0;
    bool x_is_good = true;
};

} // namespace

bt_field_class* make_job_class(bt_trace_class* trace_class)
{
    bt_field_class* payload = bt_field_class_structure_create(trace_class);
    for (const Member& member : members) {
        bt_field_class* field =
            payload == nullptr ? nullptr : make_member_class(trace_class, member);
        if (field == nullptr ||
            bt_field_class_structure_append_member(payload, member.name, field) !=
                BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
            bt_field_class_put_ref(field); // null is fine for both
            bt_field_class_put_ref(payload);
            return nullptr;
        }
        bt_field_class_put_ref(field);
    }
    return payload;
}

bool set_job_fields(bt_field* payload, const model::Job& job, model::RingNames& names)
{
    const model::RingTable& rings = names.rings();
    const model::Ring unknown{};
    const model::Ring& ring = job.ring ? rings.at(*job.ring) : unknown;
    Writer writer{payload};
    writer.text(rings.text(ring.device));
    writer.text(job.ring ? names.of(*job.ring) : std::string_view{});
    writer.text(rings.text(ring.driver));
    writer.number(job.fence.context);
    writer.number(job.fence.seqno);
    writer.number(job.actor.pid);
    writer.number(job.actor.tid);
    writer.text(rings.text(job.actor.comm));
    writer.number(job.queued);
    writer.number(job.submitted);
    writer.number(job.started);
    writer.text(report::basis_text(job.started_basis));
    writer.number(job.completed);
    writer.text(report::basis_text(job.completed_basis));
    writer.text(report::status_text(job));
    writer.number(job.interval);
    writer.number(job.runnable);
    writer.number(job.observed);
    writer.text(report::fault_text(job.fault));
    writer.text(rings.text(job.api_call));
    writer.number(job.clock_error);
    return writer.is_good();
}

} // namespace lttng_gpu::plugin
