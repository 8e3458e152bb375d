// SPDX-License-Identifier: MIT
//
// See event_fields.hpp.
#include "event_fields.hpp"

#include "perfetto.pb.h"

#include <algorithm>

namespace lttng_gpu::trace::perfetto {
namespace {

using Generic = lttng_gpu::perfetto::GenericFtraceEvent;

/// The texts of a form that is used again keep their memory.
void read_generic_field(Bytes bytes, WireField& value, FieldForm& form)
{
    form.name.clear();
    form.kind = FieldKind::Other;
    WireReader parts{bytes};
    while (parts.next()) {
        switch (parts.number()) {
        case Generic::Field::kNameFieldNumber:
            form.name = as_text(parts.bytes());
            continue;
        case Generic::Field::kStrValueFieldNumber:
            form.kind = FieldKind::Text;
            break;
        case Generic::Field::kIntValueFieldNumber:
            form.kind = FieldKind::Signed;
            break;
        case Generic::Field::kUintValueFieldNumber:
            form.kind = FieldKind::Unsigned;
            break;
        default:
            continue;
        }
        value = parts.field();
    }
    value.number = form.number;
}

} // namespace

std::string_view as_text(Bytes bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void read_fields(Bytes body, std::vector<WireField>& fields)
{
    fields.clear();
    WireReader reader{body};
    while (reader.next()) {
        fields.push_back(reader.field());
    }
}

std::string_view read_generic(Bytes body, std::vector<WireField>& fields,
                              std::vector<FieldForm>& forms)
{
    std::string_view name;
    fields.clear();
    WireReader reader{body};
    while (reader.next()) {
        if (reader.number() == Generic::kEventNameFieldNumber) {
            name = as_text(reader.bytes());
        } else if (reader.number() == Generic::kFieldFieldNumber) {
            if (forms.size() == fields.size()) {
                forms.emplace_back();
            }
            FieldForm& form = forms[fields.size()];
            form.number = static_cast<std::uint32_t>(fields.size() + 1);
            read_generic_field(reader.bytes(), fields.emplace_back(), form);
        }
    }
    forms.resize(fields.size());
    return name;
}

/// Mostly all fields are there, in order.
const WireField* find_field(const std::vector<WireField>& fields, std::uint32_t number)
{
    if (number > 0 && number <= fields.size() && fields[number - 1].number == number) {
        return &fields[number - 1];
    }
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const WireField& field) { return field.number == number; });
    return found == fields.end() ? nullptr : &*found;
}

FieldValue value_of(const WireField& field, FieldKind kind)
{
    if (field.has_bytes != (kind == FieldKind::Text)) {
        return {};
    }
    switch (kind) {
    case FieldKind::Text:
        return FieldValue{as_text(field.bytes)};
    case FieldKind::Signed:
        return FieldValue{static_cast<std::int64_t>(field.value)};
    case FieldKind::Unsigned:
        return FieldValue{field.value};
    case FieldKind::Other:
        break;
    }
    return {};
}

} // namespace lttng_gpu::trace::perfetto
