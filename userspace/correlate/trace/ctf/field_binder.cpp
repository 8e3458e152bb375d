// SPDX-License-Identifier: MIT
#include "field_binder.hpp"

#include "bound_field.hpp"
#include "field_roles.hpp"
#include "shown_name.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr const char* scope_names[scope_count]{"packet header",       "packet context",
                                               "event header",        "event context",
                                               "event's own context", "event payload"};

bool is_signed(const FieldDraft& draft)
{
    if (const auto* integer = std::get_if<IntegerClass>(&draft.shape.kind)) {
        return integer->is_signed;
    }
    const auto* variable = std::get_if<VariableIntegerClass>(&draft.shape.kind);
    return variable != nullptr && variable->is_signed;
}

bool is_integer(const FieldDraft& draft)
{
    return std::holds_alternative<IntegerClass>(draft.shape.kind) ||
           std::holds_alternative<VariableIntegerClass>(draft.shape.kind);
}

bool is_byte(const FieldDraft& draft)
{
    const auto* integer = std::get_if<IntegerClass>(&draft.shape.kind);
    return integer != nullptr && integer->bits == 8 && !integer->is_signed;
}

class Binder {
public:
    Binder(SchemaDraft draft, std::size_t field_limit)
        : x_draft(std::move(draft)), x_search(x_draft.is_tsdl), x_fields_left(field_limit)
    {
    }

    Expected<Schema> bind();

private:
    struct Place {
        std::string_view name; // shown; empty for elements
        bool is_outermost = false;
    };

    bool failed() const { return x_error.has_value(); }
    void fail(std::string how)
    {
        if (!x_error) {
            x_error = Error{ErrorKind::UnreadableTrace, std::move(how)};
        }
    }

    void charge(std::size_t cost);
    void bind_stream(StreamDraft& draft);
    FieldClassPtr bind_scope(Scope scope, const FieldDraftPtr& draft);
    std::shared_ptr<FieldClass> bind_field(const FieldDraft& draft, BoundField& bound,
                                           const Place& place);
    void bind_members(const FieldDraft& draft, BoundField& bound, FieldClass& type);
    void add_member(const FieldDraft& draft, std::size_t at, std::shared_ptr<FieldClass> member,
                    FieldClass& type);
    std::string plain_name(const std::string& name) const;

    void set_role(const FieldDraft& draft, FieldClass& type, const Place& place);
    Role role_of(const FieldDraft& draft, const Place& place);
    void note_role(Role role, const FieldDraft& draft, const Place& place);
    Role clock_role(const FieldDraft& draft, const Place& place, Role role);
    void use_clock(std::optional<std::size_t> clock, const Place& place);

    void resolve(const FieldDraft& draft, FieldClass& type);
    void check_targets(const FieldDraft& draft, const std::vector<BoundField*>& targets);
    Register shared_register(const std::vector<BoundField*>& targets);
    Register canonical(Register number);
    void renumber();

    SchemaDraft x_draft;
    Schema x_schema;
    FieldSearch x_search;
    std::size_t x_fields_left;
    std::optional<Error> x_error;

    Scope x_scope = Scope::PacketHeader;
    std::array<BoundField, scope_count> x_bound;
    std::array<BoundField*, scope_count> x_roots{};
    std::vector<BoundField*> x_around;
    std::optional<std::size_t> x_clock; // of the stream at hand
    bool x_has_stream_class_id = false;
    bool x_has_event_class_id = false;

    // Fields of which one is there at a time share a register; found out late, so
    // registers are joined (each points to a smaller one) and renumbered at the end.
    std::vector<Register> x_joined;
    std::vector<Register*> x_uses;
};

Expected<Schema> Binder::bind()
{
    x_schema.packet_header = bind_scope(Scope::PacketHeader, x_draft.packet_header);
    for (StreamDraft& stream : x_draft.streams) {
        if (failed()) {
            break;
        }
        bind_stream(stream);
    }
    if (!x_has_stream_class_id && x_schema.streams.size() > 1) {
        fail(
            "expected a stream class id in the packet header, as there are several stream classes");
    }
    if (x_error) {
        return Failure{*x_error};
    }
    renumber();
    x_schema.uuid = x_draft.uuid;
    x_schema.identity = std::move(x_draft.identity);
    x_schema.clocks = std::move(x_draft.clocks);
    x_schema.environment = std::move(x_draft.environment);
    return std::move(x_schema);
}

void Binder::bind_stream(StreamDraft& draft)
{
    StreamClass stream;
    stream.id = draft.id;
    x_clock = draft.clock;
    x_has_event_class_id = false;
    stream.packet_context = bind_scope(Scope::PacketContext, draft.packet_context);
    stream.event_header = bind_scope(Scope::EventHeader, draft.event_header);
    stream.common_context = bind_scope(Scope::CommonContext, draft.common_context);
    if (!x_has_event_class_id && draft.events.size() > 1) {
        fail(fmt::format("expected an event class id in the event header of stream class {}, as "
                         "there are several event classes",
                         draft.id));
    }
    stream.events.reserve(draft.events.size());
    for (EventDraft& event_draft : draft.events) {
        if (failed()) {
            return;
        }
        EventClass event;
        event.id = event_draft.id;
        event.name = std::move(event_draft.name);
        event.specific_context = bind_scope(Scope::SpecificContext, event_draft.specific_context);
        event.payload = bind_scope(Scope::Payload, event_draft.payload);
        stream.events.push_back(std::move(event));
    }
    stream.clock = x_clock;
    x_schema.streams.push_back(std::move(stream));
}

void Binder::charge(std::size_t cost)
{
    if (cost > x_fields_left) {
        fail("expected fewer fields: named types inside named types make too many");
        x_fields_left = 0;
        return;
    }
    x_fields_left -= cost;
}

/// What was bound of this scope and of those after it belongs to another stream or event.
FieldClassPtr Binder::bind_scope(Scope scope, const FieldDraftPtr& draft)
{
    const auto at = static_cast<std::size_t>(scope);
    std::fill(x_roots.begin() + static_cast<std::ptrdiff_t>(at), x_roots.end(), nullptr);
    if (draft == nullptr || failed()) {
        return nullptr;
    }
    if (!std::holds_alternative<StructureClass>(draft->shape.kind)) {
        fail(fmt::format("expected the {} to be a structure", scope_names[at]));
        return nullptr;
    }
    charge(draft->cost);
    if (failed()) {
        return nullptr;
    }
    x_scope = scope;
    x_bound[at] = BoundField{};
    x_roots[at] = &x_bound[at];
    return bind_field(*draft, x_bound[at], {});
}

std::shared_ptr<FieldClass> Binder::bind_field(const FieldDraft& draft, BoundField& bound,
                                               const Place& place)
{
    auto type = std::make_shared<FieldClass>(draft.shape);
    bound.draft = &draft;
    bound.type = type.get();
    if (draft.reference != nullptr) {
        resolve(draft, *type);
    }
    set_role(draft, *type, place);
    if (!draft.members.empty()) {
        x_around.push_back(&bound);
        bind_members(draft, bound, *type);
        x_around.pop_back();
    }
    bound.is_open = false;
    return type;
}

void Binder::bind_members(const FieldDraft& draft, BoundField& bound, FieldClass& type)
{
    const bool is_structure = std::holds_alternative<StructureClass>(draft.shape.kind);
    bound.members.reserve(draft.members.size());
    for (std::size_t at = 0; at < draft.members.size() && !failed(); ++at) {
        const DraftMember& member = draft.members[at];
        const std::string name = is_structure ? plain_name(member.name) : std::string{};
        const Place place{name, is_structure && x_around.size() == 1};
        auto field = bind_field(*member.type, bound.members.emplace_back(), place);
        add_member(draft, at, std::move(field), type);
    }
}

void Binder::add_member(const FieldDraft& draft, std::size_t at, std::shared_ptr<FieldClass> member,
                        FieldClass& type)
{
    const DraftMember& source = draft.members[at];
    if (auto* structure = std::get_if<StructureClass>(&type.kind)) {
        structure->members.push_back({plain_name(source.name), std::move(member)});
    } else if (auto* variant = std::get_if<VariantClass>(&type.kind)) {
        // CTF 1.8: the ranges stand in the option already, from the tag's labels.
        variant->options[at].name = plain_name(source.name);
        variant->options[at].type = std::move(member);
    } else if (auto* array = std::get_if<ArrayClass>(&type.kind)) {
        array->element = std::move(member);
    } else if (auto* sequence = std::get_if<SequenceClass>(&type.kind)) {
        sequence->element = std::move(member);
    } else if (auto* optional = std::get_if<OptionalClass>(&type.kind)) {
        optional->type = std::move(member);
    }
}

std::string Binder::plain_name(const std::string& name) const
{
    return x_draft.is_tsdl && name.starts_with('_') ? name.substr(1) : name;
}

void Binder::set_role(const FieldDraft& draft, FieldClass& type, const Place& place)
{
    const Role role = role_of(draft, place);
    if (auto* integer = std::get_if<IntegerClass>(&type.kind)) {
        integer->role = role;
    } else if (auto* variable = std::get_if<VariableIntegerClass>(&type.kind)) {
        variable->role = role;
    } else if (auto* array = std::get_if<ArrayClass>(&type.kind)) {
        array->role = role;
    } else if (auto* blob = std::get_if<StaticBlobClass>(&type.kind)) {
        blob->role = role;
    }
}

Role Binder::role_of(const FieldDraft& draft, const Place& place)
{
    Role role = Role::None;
    if (x_draft.is_tsdl) {
        role = clock_role(draft, place, role_by_name(x_scope, place.is_outermost, place.name));
    } else {
        for (const Role candidate : draft.roles) {
            const Role meant = role_in_scope(x_scope, candidate);
            if (role != Role::None && meant != Role::None && meant != role) {
                fail(fmt::format("expected one role for the field \"{}\" of the {}",
                                 shown_name(place.name),
                                 scope_names[static_cast<std::size_t>(x_scope)]));
            }
            role = meant == Role::None ? role : meant;
        }
        const bool is_time =
            role == Role::Timestamp || role == Role::PacketBegin || role == Role::PacketEnd;
        if (is_time && !x_clock) {
            fail("expected a data stream class with timestamps to have a default clock class");
        }
    }
    if (role != Role::None) {
        note_role(role, draft, place);
    }
    return role;
}

/// Remembers which roles there are, and that their fields can be read as such.
void Binder::note_role(Role role, const FieldDraft& draft, const Place& place)
{
    x_has_stream_class_id = x_has_stream_class_id || role == Role::StreamClassId;
    x_has_event_class_id = x_has_event_class_id || role == Role::EventClassId;
    const auto expect = [&](bool is_so, const char* what) {
        if (!is_so) {
            fail(fmt::format("expected the field \"{}\" of the {} to be {}", shown_name(place.name),
                             scope_names[static_cast<std::size_t>(x_scope)], what));
        }
    };
    if (role == Role::TraceUuid) {
        const auto* array = std::get_if<ArrayClass>(&draft.shape.kind);
        const auto* blob = std::get_if<StaticBlobClass>(&draft.shape.kind);
        const bool is_array =
            array != nullptr && array->length == 16 && is_byte(*draft.members[0].type);
        expect(is_array || (blob != nullptr && blob->bytes == 16), "16 bytes");
        return;
    }
    expect(is_integer(draft) && !is_signed(draft), "an unsigned integer");
    if (role == Role::Magic) {
        const auto* integer = std::get_if<IntegerClass>(&draft.shape.kind);
        expect(integer != nullptr && integer->bits == 32, "32 bits long");
    }
}

/// CTF 1.8: a mapped integer shows the stream's clock, of which there is one.
Role Binder::clock_role(const FieldDraft& draft, const Place& place, Role role)
{
    const bool is_clocked =
        is_integer(draft) && (draft.clock || is_timestamp_by_name(x_scope, place.name));
    if (!is_clocked) {
        return role;
    }
    use_clock(draft.clock, place);
    const bool advances = x_scope == Scope::PacketContext || x_scope == Scope::EventHeader;
    return role == Role::None && advances ? Role::Timestamp : role;
}

void Binder::use_clock(std::optional<std::size_t> clock, const Place& place)
{
    if (x_scope == Scope::PacketHeader) {
        fail("expected no clock in the packet header, whose stream is not known yet");
        return;
    }
    if (!clock && x_draft.clocks.empty()) {
        // As babeltrace2 2.0 does (auto_map_field_to_trace_clock_class()).
        x_draft.clocks.push_back({.name = "default", .uid = {}, .is_origin_unix_epoch = false});
    }
    if (!clock && x_draft.clocks.size() > 1) {
        fail(fmt::format("expected the field \"{}\" of the {} to say which clock it maps to",
                         shown_name(place.name), scope_names[static_cast<std::size_t>(x_scope)]));
        return;
    }
    const std::size_t used = clock.value_or(0);
    if (x_clock && *x_clock != used) {
        fail(fmt::format("expected one clock in a stream class, found \"{}\" and \"{}\"",
                         shown_name(x_draft.clocks[*x_clock].name),
                         shown_name(x_draft.clocks[used].name)));
        return;
    }
    x_clock = used;
}

void Binder::resolve(const FieldDraft& draft, FieldClass& type)
{
    const FieldReference& reference = *draft.reference;
    const auto targets = x_search.find(reference, x_around, x_roots, x_scope);
    if (targets.empty()) {
        fail(fmt::format("{}: expected \"{}\" to name an integer field that is decoded before",
                         reference.place,
                         shown_name(fmt::format("{}", fmt::join(reference.path, ".")))));
        return;
    }
    check_targets(draft, targets);
    if (failed()) {
        return;
    }
    const Register number = shared_register(targets);
    const FieldDraft& target = *targets.front()->draft;
    Register* use = nullptr;
    if (auto* sequence = std::get_if<SequenceClass>(&type.kind)) {
        use = &sequence->length;
    } else if (auto* text = std::get_if<DynamicTextClass>(&type.kind)) {
        use = &text->bytes;
    } else if (auto* blob = std::get_if<DynamicBlobClass>(&type.kind)) {
        use = &blob->bytes;
    } else if (auto* optional = std::get_if<OptionalClass>(&type.kind)) {
        use = &optional->selector;
        optional->is_selector_signed = is_signed(target);
        if (target.is_boolean) {
            optional->ranges = {{1, ~std::uint64_t{0}}};
        }
    } else if (auto* variant = std::get_if<VariantClass>(&type.kind)) {
        use = &variant->tag;
        variant->is_tag_signed = is_signed(target);
        for (const DraftMember& option : draft.members) {
            auto ranges = option.ranges;
            if (x_draft.is_tsdl) { // an option without a label is never chosen
                const auto label = target.labels->find(option.name);
                ranges = label == target.labels->end() ? std::vector<ValueRange>{} : label->second;
                charge(ranges.size() / 4);
            }
            variant->options.push_back({{}, std::move(ranges), nullptr});
        }
    }
    *use = number;
    x_uses.push_back(use);
}

void Binder::check_targets(const FieldDraft& draft, const std::vector<BoundField*>& targets)
{
    const auto& kind = draft.shape.kind;
    const bool is_variant = std::holds_alternative<VariantClass>(kind);
    const bool is_optional = std::holds_alternative<OptionalClass>(kind);
    const FieldDraft& first = *targets.front()->draft;
    const char* expected = nullptr;
    for (const BoundField* target : targets) {
        if (!is_variant && !is_optional &&
            (is_signed(*target->draft) || target->draft->is_boolean)) {
            expected = "an unsigned integer";
        } else if (is_variant && x_draft.is_tsdl && target->draft->labels == nullptr) {
            expected = "an enumeration";
        } else if (is_variant && target->draft->is_boolean) {
            expected = "an integer";
        } else if (is_signed(first) != is_signed(*target->draft) ||
                   first.is_boolean != target->draft->is_boolean) {
            expected = "of one type in all options";
        }
    }
    if (is_optional && !first.is_boolean && std::get<OptionalClass>(kind).ranges.empty()) {
        expected = "a boolean, as there are no ranges";
    }
    if (expected != nullptr) {
        fail(fmt::format("{}: expected the field \"{}\" to be {}", draft.reference->place,
                         shown_name(fmt::format("{}", fmt::join(draft.reference->path, "."))),
                         expected));
    }
}

Register Binder::shared_register(const std::vector<BoundField*>& targets)
{
    std::optional<Register> number;
    for (BoundField* target : targets) {
        auto* integer = std::get_if<IntegerClass>(&target->type->kind);
        auto& keeps = integer != nullptr ? integer->keeps
                                         : std::get<VariableIntegerClass>(target->type->kind).keeps;
        if (!keeps) {
            if (!number) {
                number = static_cast<Register>(x_joined.size());
                x_joined.push_back(*number);
            }
            keeps = number;
            x_uses.push_back(&*keeps);
            continue;
        }
        const Register own = canonical(*keeps);
        const Register other = number ? canonical(*number) : own;
        x_joined[std::max(own, other)] = std::min(own, other);
        number = std::min(own, other);
    }
    return *number;
}

Register Binder::canonical(Register number)
{
    while (x_joined[number] != number) {
        x_joined[number] = x_joined[x_joined[number]];
        number = x_joined[number];
    }
    return number;
}

void Binder::renumber()
{
    std::vector<Register> final_number(x_joined.size());
    for (Register number = 0; number < x_joined.size(); ++number) {
        const Register own = canonical(number);
        final_number[number] = own == number ? x_schema.register_count++ : final_number[own];
    }
    for (Register* use : x_uses) {
        *use = final_number[*use];
    }
}

} // namespace

Expected<Schema> bind_fields(SchemaDraft draft, std::size_t field_limit)
{
    return Binder{std::move(draft), field_limit}.bind();
}

} // namespace lttng_gpu::trace::ctf
