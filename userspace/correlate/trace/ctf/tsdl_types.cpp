// SPDX-License-Identifier: MIT
#include "tsdl_types.hpp"

namespace lttng_gpu::trace::ctf {

bool TsdlTypes::add(std::string name, FieldDraftPtr type)
{
    return x_scopes.back().emplace(std::move(name), std::move(type)).second;
}

FieldDraftPtr TsdlTypes::find(const std::string& name) const
{
    for (auto scope = x_scopes.rbegin(); scope != x_scopes.rend(); ++scope) {
        const auto found = scope->find(name);
        if (found != scope->end()) {
            return found->second;
        }
    }
    return nullptr;
}

} // namespace lttng_gpu::trace::ctf
