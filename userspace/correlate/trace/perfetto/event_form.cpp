// SPDX-License-Identifier: MIT
//
// See event_form.hpp.
#include "event_form.hpp"

#include "perfetto.pb.h"

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;
using google::protobuf::FieldDescriptor;

FieldKind kind_of(int type)
{
    switch (type) {
    case FieldDescriptor::TYPE_STRING:
        return FieldKind::Text;
    case FieldDescriptor::TYPE_INT32:
    case FieldDescriptor::TYPE_INT64:
        return FieldKind::Signed;
    case FieldDescriptor::TYPE_UINT32:
    case FieldDescriptor::TYPE_UINT64:
    case FieldDescriptor::TYPE_BOOL:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_FIXED64:
        return FieldKind::Unsigned;
    default:
        return FieldKind::Other;
    }
}

/// In perfetto.proto, which calls no text a string.
bool is_text(FieldDescriptor::Type type)
{
    return type == FieldDescriptor::TYPE_BYTES;
}

} // namespace

EventForm form_of(const proto::EventDescriptor& description)
{
    EventForm form{description.name(), {}};
    for (const auto& field : description.field()) {
        form.fields.push_back(
            {field.name(), static_cast<std::uint32_t>(field.number()), kind_of(field.type())});
    }
    return form;
}

EventForms known_forms()
{
    EventForms forms;
    const auto* events = proto::FtraceEvent::descriptor()->oneof_decl(0);
    for (int index = 0; index < events->field_count(); ++index) {
        const auto* event = events->field(index);
        const auto* message = event->message_type();
        EventForm form{std::string{event->name()}, {}};
        for (int place = 0; place < message->field_count(); ++place) {
            const FieldDescriptor* field = message->field(place);
            form.fields.push_back(
                {std::string{field->name()}, static_cast<std::uint32_t>(field->number()),
                 is_text(field->type()) ? FieldKind::Text : kind_of(field->type())});
        }
        forms.emplace(event->number(), std::move(form));
    }
    forms.erase(proto::FtraceEvent::kGenericFieldNumber);
    return forms;
}

} // namespace lttng_gpu::trace::perfetto
