// SPDX-License-Identifier: MIT
#include "tsdl_named_types.hpp"

namespace lttng_gpu::trace::ctf {

bool TsdlTypes::add(std::string name, FieldDraftPtr type)
{
    return m_scopes.back().emplace(std::move(name), std::move(type)).second;
}

FieldDraftPtr TsdlTypes::find(const std::string& name) const
{
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        const auto found = scope->find(name);
        if (found != scope->end()) {
            return found->second;
        }
    }
    return nullptr;
}

} // namespace lttng_gpu::trace::ctf
