// SPDX-License-Identifier: MIT
#include "field_binder.hpp"

#include "bound_field.hpp"
#include "register_table.hpp"
#include "role_assigner.hpp"
#include "shown_name.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::trace::ctf {
namespace {

/// CTF 2: ranges may begin or end beyond what the selector's type can hold.
void fit(std::vector<ValueRange>& ranges, bool is_selector_signed)
{
    constexpr std::uint64_t largest_signed = ~std::uint64_t{0} >> 1U;
    for (ValueRange& range : ranges) {
        const bool is_empty = is_selector_signed ? static_cast<std::int64_t>(range.lower) >
                                                       static_cast<std::int64_t>(range.upper)
                                                 : range.lower > range.upper;
        if (is_empty) {
            (is_selector_signed ? range.upper : range.lower) =
                is_selector_signed ? largest_signed : 0;
        }
    }
}

class Binder {
public:
    Binder(SchemaDraft draft, std::size_t field_limit)
        : m_draft(std::move(draft)), m_roles(m_draft), m_search(m_draft.is_tsdl),
          m_fields_left(field_limit)
    {
    }

    Expected<Schema> bind();

private:
    bool failed() const { return m_error.has_value(); }
    void fail(std::string how)
    {
        if (!m_error) {
            m_error = Error{ErrorKind::UnreadableTrace, std::move(how)};
        }
    }

    void charge(std::size_t cost);
    void bind_stream(StreamDraft& draft);
    FieldClassPtr bind_scope(Scope scope, const FieldDraftPtr& draft);
    std::shared_ptr<FieldClass> bind_field(const FieldDraft& draft, BoundField& bound,
                                           const FieldPlace& place);
    void bind_members(const FieldDraft& draft, BoundField& bound, FieldClass& type);
    void add_member(const FieldDraft& draft, std::size_t at, std::shared_ptr<FieldClass> member,
                    FieldClass& type);
    std::string plain_name(const std::string& name) const;

    void resolve(const FieldDraft& draft, FieldClass& type);
    void check_targets(const FieldDraft& draft, const std::vector<BoundField*>& targets);

    SchemaDraft m_draft;
    Schema m_schema;
    RoleAssigner m_roles;
    FieldSearch m_search;
    RegisterTable m_registers;
    std::size_t m_fields_left;
    std::optional<Error> m_error;

    Scope m_scope = Scope::PacketHeader;
    std::array<BoundField, scope_count> m_bound;
    std::array<BoundField*, scope_count> m_roots{};
    std::vector<BoundField*> m_around;
};

Expected<Schema> Binder::bind()
{
    m_schema.packet_header = bind_scope(Scope::PacketHeader, m_draft.packet_header);
    for (StreamDraft& stream : m_draft.streams) {
        if (failed()) {
            break;
        }
        bind_stream(stream);
    }
    if (!m_roles.has_stream_class_id() && m_schema.streams.size() > 1) {
        fail(
            "expected a stream class id in the packet header, as there are several stream classes");
    }
    if (m_error) {
        return Failure{*m_error};
    }
    m_schema.register_count = m_registers.number();
    m_schema.uuid = m_draft.uuid;
    m_schema.identity = std::move(m_draft.identity);
    m_schema.clocks = std::move(m_draft.clocks);
    m_schema.environment = std::move(m_draft.environment);
    return std::move(m_schema);
}

void Binder::bind_stream(StreamDraft& draft)
{
    StreamClass stream;
    stream.id = draft.id;
    m_roles.begin_stream(draft.clock);
    stream.packet_context = bind_scope(Scope::PacketContext, draft.packet_context);
    stream.event_header = bind_scope(Scope::EventHeader, draft.event_header);
    stream.common_context = bind_scope(Scope::CommonContext, draft.common_context);
    if (!m_roles.has_event_class_id() && draft.events.size() > 1) {
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
        event.log_level = std::move(event_draft.log_level);
        event.model_uri = std::move(event_draft.model_uri);
        event.specific_context = bind_scope(Scope::SpecificContext, event_draft.specific_context);
        event.payload = bind_scope(Scope::Payload, event_draft.payload);
        stream.events.push_back(std::move(event));
    }
    stream.clock = m_roles.clock();
    m_schema.streams.push_back(std::move(stream));
}

void Binder::charge(std::size_t cost)
{
    if (cost > m_fields_left) {
        fail("expected fewer fields: named types inside named types make too many");
        m_fields_left = 0;
        return;
    }
    m_fields_left -= cost;
}

/// What was bound of this scope and of those after it belongs to another stream or event.
FieldClassPtr Binder::bind_scope(Scope scope, const FieldDraftPtr& draft)
{
    const auto at = static_cast<std::size_t>(scope);
    std::fill(m_roots.begin() + static_cast<std::ptrdiff_t>(at), m_roots.end(), nullptr);
    if (draft == nullptr || failed()) {
        return nullptr;
    }
    if (!std::holds_alternative<StructureClass>(draft->shape.kind)) {
        fail(fmt::format("expected the {} to be a structure", scope_name(scope)));
        return nullptr;
    }
    charge(draft->cost);
    if (failed()) {
        return nullptr;
    }
    m_scope = scope;
    m_bound[at] = BoundField{};
    m_roots[at] = &m_bound[at];
    return bind_field(*draft, m_bound[at], {scope, {}, false});
}

void set_labels(const FieldDraft& draft, FieldClass& type)
{
    if (auto* integer = std::get_if<IntegerClass>(&type.kind)) {
        integer->labels = draft.labels;
    } else if (auto* variable = std::get_if<VariableIntegerClass>(&type.kind)) {
        variable->labels = draft.labels;
    }
}

std::shared_ptr<FieldClass> Binder::bind_field(const FieldDraft& draft, BoundField& bound,
                                               const FieldPlace& place)
{
    auto type = std::make_shared<FieldClass>(draft.shape);
    set_labels(draft, *type);
    bound.draft = &draft;
    bound.type = type.get();
    if (draft.reference != nullptr) {
        resolve(draft, *type);
    }
    m_roles.assign(draft, *type, place);
    if (m_roles.problem()) {
        fail(*m_roles.problem());
    }
    if (!draft.members.empty()) {
        m_around.push_back(&bound);
        bind_members(draft, bound, *type);
        m_around.pop_back();
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
        const FieldPlace inside{m_scope, name, is_structure && m_around.size() == 1};
        auto field = bind_field(*member.type, bound.members.emplace_back(), inside);
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
    return m_draft.is_tsdl && name.starts_with('_') ? name.substr(1) : name;
}

void Binder::resolve(const FieldDraft& draft, FieldClass& type)
{
    const FieldReference& reference = *draft.reference;
    const auto targets = m_search.find(reference, m_around, m_roots, m_scope);
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
        if (is_boolean(target)) {
            optional->ranges = {{1, ~std::uint64_t{0}}};
        }
        fit(optional->ranges, optional->is_selector_signed);
    } else if (auto* variant = std::get_if<VariantClass>(&type.kind)) {
        use = &variant->tag;
        variant->is_tag_signed = is_signed(target);
        for (const DraftMember& option : draft.members) {
            auto ranges = option.ranges;
            if (m_draft.is_tsdl) { // an option without a label is never chosen
                const auto label = target.labels->find(option.name);
                ranges = label == target.labels->end() ? std::vector<ValueRange>{} : label->second;
                charge(ranges.size() / 4);
            } else {
                fit(ranges, variant->is_tag_signed);
            }
            variant->options.push_back({{}, std::move(ranges), nullptr});
        }
    }
    m_registers.connect(targets, *use);
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
            (is_signed(*target->draft) || is_boolean(*target->draft))) {
            expected = "an unsigned integer";
        } else if (is_variant && m_draft.is_tsdl && target->draft->labels == nullptr) {
            expected = "an enumeration";
        } else if (is_variant && is_boolean(*target->draft)) {
            expected = "an integer";
        } else if (is_signed(first) != is_signed(*target->draft) ||
                   is_boolean(first) != is_boolean(*target->draft)) {
            expected = "of one type in all options";
        }
    }
    if (is_optional && !is_boolean(first) && std::get<OptionalClass>(kind).ranges.empty()) {
        expected = "a boolean, as there are no ranges";
    }
    if (expected != nullptr) {
        fail(fmt::format("{}: expected the field \"{}\" to be {}", draft.reference->place,
                         shown_name(fmt::format("{}", fmt::join(draft.reference->path, "."))),
                         expected));
    }
}

} // namespace

Expected<Schema> bind_fields(SchemaDraft draft, std::size_t field_limit)
{
    return Binder{std::move(draft), field_limit}.bind();
}

} // namespace lttng_gpu::trace::ctf
