// SPDX-License-Identifier: MIT
//
// The kernels with a point in each pass, and each point is noted: what happened, without the
// recorder.
#include "kernels.hpp"

#include "opencl_c.hpp"

struct lttng_gpu_recorder {};
static void lttng_gpu_point(lttng_gpu_recorder*, uint location)
{
    ++lockstep::notes[lockstep::group * lockstep::items + lockstep::item][location];
}
static void lttng_gpu_begin(lttng_gpu_recorder* recorder, uint*, uint*, uint location)
{
    lttng_gpu_point(recorder, location);
}
static void lttng_gpu_end(lttng_gpu_recorder*) {}

namespace {
#include "noted.inc"
} // namespace

std::vector<std::map<uint, ulong>> lockstep::notes;
const std::vector<lockstep::Kernel> lockstep::noted = {
    {"counted", counted}, {"paths", paths}, {"nested", nested}, {"meeting", meeting}};
