// SPDX-License-Identifier: MIT
//
// See machine_name.hpp. What `export` writes has a clock for each of its stream classes, called
// monotonic, monotonic_2 and so on. Two clocks of different boots say nothing.
#include "machine_name.hpp"

namespace lttng_gpu::trace::ctf {
namespace {

bool is_boot_clock(std::string_view name)
{
    if (!name.starts_with(boot_clock)) {
        return false;
    }
    name.remove_prefix(boot_clock.size());
    return name.empty() || (name.size() > 1 && name.front() == '_' &&
                            name.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

} // namespace

MachineName machine_of(const Schema& schema)
{
    MachineName machine{{}, std::string{text_of(schema.environment, "hostname")}};
    bool is_one = true;
    for (const ClockClass& clock : schema.clocks) {
        if (is_boot_clock(clock.name)) {
            is_one = is_one && (machine.boot_id.empty() || machine.boot_id == clock.uid);
            machine.boot_id = clock.uid;
        }
    }
    if (!is_one) {
        machine.boot_id.clear();
    }
    return machine;
}

} // namespace lttng_gpu::trace::ctf
