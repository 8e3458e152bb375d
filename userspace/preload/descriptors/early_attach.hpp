// SPDX-License-Identifier: MIT
//
// LTTng comes into a program when it begins to use an API. That is too late where the program has
// forbidden itself what LTTng does then (seccomp), has another root folder or another user: it
// would be killed, or would not be recorded. Where record asks for it (LTTNG_GPU_ATTACH_EARLY=1),
// LTTng comes in right before, if the program has an API's loader or names one. Children without
// exec() must have it: browsers forbid those that never use an API more than LTTng can do without.
#pragma once

namespace lttng_gpu {

/// Once. errno stays.
void attach_early();

} // namespace lttng_gpu
