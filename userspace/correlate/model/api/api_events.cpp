// SPDX-License-Identifier: MIT
//
// See api_events.hpp.
#include "api_events.hpp"

namespace lttng_gpu::model {

#define LTTNG_GPU_API(name, title, loader_variable) std::span<const EventSpec> name##_events();
#include "../../../apis.def"
#undef LTTNG_GPU_API

std::vector<EventSpec> api_events()
{
    std::vector<EventSpec> all;
    for (const auto& events : {
#define LTTNG_GPU_API(name, title, loader_variable) name##_events(),
#include "../../../apis.def"
#undef LTTNG_GPU_API
         }) {
        all.insert(all.end(), events.begin(), events.end());
    }
    return all;
}

} // namespace lttng_gpu::model
