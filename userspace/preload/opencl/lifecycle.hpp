// SPDX-License-Identifier: MIT
//
// The program's end and fork().
#pragma once

namespace lttng_gpu::opencl {

/// Called when the first object is noted. Makes sure that what is open at exit is still reported:
/// handlers run in the opposite order of registering, so this one, registered after the driver has
/// made an object, runs before the driver's. The first of the layer's handlers asks the drivers,
/// the last one counts what is left.
void start_tracking();

/// The loader ends and takes the drivers with it. What is open is reported, and nothing of theirs
/// is kept or touched again.
void end_with_loader();

} // namespace lttng_gpu::opencl
