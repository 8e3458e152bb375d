// SPDX-License-Identifier: MIT
//
// See gpu_drivers.hpp.
#include "gpu_drivers.hpp"

#include <sstream>

namespace lttng_gpu {

std::vector<std::string> gpu_job_events()
{
    std::vector<std::string> patterns;
    for (const GpuDriver& driver : gpu_drivers) {
        std::istringstream list{std::string{driver.job_events}};
        for (std::string pattern; std::getline(list, pattern, ',');) {
            patterns.push_back(pattern);
        }
    }
    return patterns;
}

} // namespace lttng_gpu
