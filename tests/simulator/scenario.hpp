// SPDX-License-Identifier: MIT
//
// A machine, what is recorded of it, and what goes wrong with the recording.
#pragma once

#include "distortion.hpp"
#include "recording.hpp"
#include "workload.hpp"

#include <string>

namespace lttng_gpu::simulator {

struct Scenario {
    std::string name;
    Hardware hardware;
    Workload workload;
    Recording recording;
    Distortion distortion;
    std::uint32_t jobs_per_episode = 400;
    std::string kernel_release;
    bool is_broken = false; // its workload could not be read
};

const std::vector<Scenario>& scenarios();
const Scenario* find_scenario(std::string_view name);

} // namespace lttng_gpu::simulator
