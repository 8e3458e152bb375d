// SPDX-License-Identifier: MIT
//
// What an event says of its command.
#pragma once

#include "setup.hpp"

namespace conformance {

// Waits, logs what the event knows (its times only by their order), and releases it.
void finish(cl_event event, const char* words);
// The four times: which there are, and whether they are in order.
void times(cl_event event, const char* words);

} // namespace conformance
