// SPDX-License-Identifier: MIT
//
// Field classes of a schema as declarations of TSDL (CTF 1.8.3, section 4).
#pragma once

#include "../correlate/trace/ctf/metadata/field_draft.hpp"

namespace lttng_gpu::exporting {

/// Ends the recursion when TSDL cannot express something; caught by print_tsdl().
struct Untranslatable {
    std::string what;
};

class TsdlFieldPrinter {
public:
    /// Of the stream class that follows: what timestamps are mapped to.
    void set_clock(std::string name) { m_clock = std::move(name); }

    /// "packet.header := struct { ... } align(8);"; scopes come in the order of decoding.
    std::string scope(trace::ctf::Scope scope, const trace::ctf::FieldClass& type);

private:
    /// A type and what comes after the name: "[16]" of an array.
    struct Declaration {
        std::string type;
        std::string suffix = {};
    };
    /// A field whose value others depend on.
    struct Kept {
        std::string name;
        std::string around; // the way to its structure
        std::shared_ptr<const trace::ctf::Labels> labels;
        bool is_one = true; // not one of several, in the options of a variant
    };

    Declaration declare(const trace::ctf::FieldClass& type);
    Declaration declare(const trace::ctf::IntegerClass& type);
    Declaration declare(const trace::ctf::VariableIntegerClass& type);
    Declaration declare(const trace::ctf::RealClass& type);
    Declaration declare(const trace::ctf::StringClass& type);
    Declaration declare(const trace::ctf::StructureClass& type);
    Declaration declare(const trace::ctf::ArrayClass& type);
    Declaration declare(const trace::ctf::SequenceClass& type);
    Declaration declare(const trace::ctf::StaticTextClass& type);
    Declaration declare(const trace::ctf::DynamicTextClass& type);
    Declaration declare(const trace::ctf::StaticBlobClass& type);
    Declaration declare(const trace::ctf::DynamicBlobClass& type);
    Declaration declare(const trace::ctf::VariantClass& type);
    Declaration declare(const trace::ctf::OptionalClass& type);

    Declaration inside(const std::string& step, const trace::ctf::FieldClass& type);
    Declaration array(const trace::ctf::FieldClass& element, std::uint32_t alignment,
                      const std::string& length);
    std::string name_of(const trace::ctf::Member& member) const;
    void keep(const trace::ctf::FieldClass& type, const std::string& name);
    const Kept& kept(trace::ctf::Register number) const;
    std::string place(trace::ctf::Register number) const;

    std::string m_clock;
    std::map<trace::ctf::Register, Kept> m_kept;
    bool m_has_prefixes = false; // of names in this scope
    std::string m_way;           // "stream.event.header.v": to what is printed
    std::string m_around;        // the way to the structure around it
};

/// A quoted text of TSDL.
std::string tsdl_text(std::string_view text);

} // namespace lttng_gpu::exporting
