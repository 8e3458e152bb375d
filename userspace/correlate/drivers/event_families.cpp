// SPDX-License-Identifier: MIT
//
// The list of event families, see event_family.hpp. The build makes event_families.inc: one line
// FAMILY(<name>) for each definition that it found.
#include "event_family.hpp"
#include "firmware_rings.hpp"

namespace lttng_gpu::model {

#define FAMILY(name) EventFamily name();
#include "event_families.inc"
#undef FAMILY

std::vector<EventFamily> all_families()
{
#define FAMILY(name) name(),
    return {
#include "event_families.inc"
    };
#undef FAMILY
}

std::string_view queue_words(std::string_view driver)
{
    for (const EventFamily& family : all_families()) {
        if (family.name == driver) {
            return family.queue_words;
        }
    }
    if (std::ranges::find(firmware_drivers, driver) != firmware_drivers.end()) {
        return firmware_words;
    }
    return driver.empty() ? std::string_view{} : drm_scheduler_words;
}

} // namespace lttng_gpu::model
