// SPDX-License-Identifier: MIT
//
// The named types of a TSDL text: aliases, and the structures, enumerations and
// variants with a tag name. Each block and each structure or variant opens a
// scope; a name is looked up from the innermost one outward (CTF 1.8.3, 7.3.1).
#pragma once

#include "field_draft.hpp"

#include <unordered_map>

namespace lttng_gpu::trace::ctf {

class TsdlTypes {
public:
    TsdlTypes() : m_scopes(1) {}

    void open_scope() { m_scopes.emplace_back(); }
    void close_scope() { m_scopes.pop_back(); }

    /// False if the innermost scope has the name already.
    bool add(std::string name, FieldDraftPtr type);
    /// "unsigned long", "struct packet_context"; null if there is none.
    FieldDraftPtr find(const std::string& name) const;

private:
    std::vector<std::unordered_map<std::string, FieldDraftPtr>> m_scopes;
};

/// Open while it lives.
class TsdlScope {
public:
    explicit TsdlScope(TsdlTypes& types) : m_types(types) { m_types.open_scope(); }
    ~TsdlScope() { m_types.close_scope(); }
    TsdlScope(const TsdlScope&) = delete;
    TsdlScope& operator=(const TsdlScope&) = delete;

private:
    TsdlTypes& m_types;
};

} // namespace lttng_gpu::trace::ctf
