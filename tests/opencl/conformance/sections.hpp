// SPDX-License-Identifier: MIT
//
// The parts of the conformance program, in the order in which they run.
#pragma once

#include "setup.hpp"

namespace conformance {

void platforms(const Device& device);
void contexts(const Device& device);
void queues(const Device& device);
void buffers(const Device& device);
void images(const Device& device);
void shared_memory(const Device& device);
void programs(const Device& device);
void kernels(const Device& device);
void events(const Device& device);
void profiling(const Device& device);
void callbacks(const Device& device);
void references(const Device& device);
void sharing(const Device& device);
void command_buffers(const Device& device);
void extensions(const Device& device);

} // namespace conformance
