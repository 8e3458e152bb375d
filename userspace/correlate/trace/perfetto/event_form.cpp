// SPDX-License-Identifier: MIT
//
// See event_form.hpp.
#include "event_form.hpp"

#include "perfetto.pb.h"

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;
using google::protobuf::DescriptorProto;
using google::protobuf::FieldDescriptorProto;

FieldKind kind_of(FieldDescriptorProto::Type type)
{
    switch (type) {
    case FieldDescriptorProto::TYPE_STRING:
        return FieldKind::Text;
    case FieldDescriptorProto::TYPE_INT32:
    case FieldDescriptorProto::TYPE_INT64:
        return FieldKind::Signed;
    case FieldDescriptorProto::TYPE_UINT32:
    case FieldDescriptorProto::TYPE_UINT64:
    case FieldDescriptorProto::TYPE_BOOL:
    case FieldDescriptorProto::TYPE_FIXED32:
    case FieldDescriptorProto::TYPE_FIXED64:
        return FieldKind::Unsigned;
    default:
        return FieldKind::Other;
    }
}

} // namespace

EventForm form_of(const DescriptorProto& description)
{
    EventForm form{description.name(), {}};
    for (const FieldDescriptorProto& field : description.field()) {
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
        DescriptorProto description;
        event->message_type()->CopyTo(&description);
        EventForm form = form_of(description);
        form.name = event->name();
        forms.emplace(event->number(), std::move(form));
    }
    forms.erase(proto::FtraceEvent::kGenericFieldNumber);
    return forms;
}

} // namespace lttng_gpu::trace::perfetto
