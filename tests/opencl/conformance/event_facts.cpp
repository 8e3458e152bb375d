// SPDX-License-Identifier: MIT
#include "event_facts.hpp"

namespace conformance {

void times(cl_event event, const char* words)
{
    const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                       CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
                                       CL_PROFILING_COMMAND_COMPLETE};
    cl_ulong values[5] = {};
    int errors[5], known = 0;
    bool is_ordered = true;
    called("clGetEventProfilingInfo");
    for (int i = 0; i < 5; ++i) {
        size_t size = 0;
        errors[i] = clGetEventProfilingInfo(event, names[i], sizeof *values, &values[i], &size);
        known += errors[i] == CL_SUCCESS;
        is_ordered = is_ordered && (i == 0 || values[i - 1] <= values[i]);
    }
    if (known == 0)
        line("%s: no times: %d %d %d %d %d", words, errors[0], errors[1], errors[2], errors[3],
             errors[4]);
    else
        line("%s: %d times, %s, %s", words, known, is_ordered ? "ordered" : "disordered",
             values[0] ? "above 0" : "from 0");
}

void finish(cl_event event, const char* words)
{
    if (!event) {
        line("%s: no event", words);
        return;
    }
    called("clWaitForEvents");
    const cl_int waited = clWaitForEvents(1, &event);
    cl_command_type type = 0;
    cl_int command_status = 777;
    called("clGetEventInfo");
    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof command_status, &command_status,
                   nullptr);
    line("%s: waited %d, type %x, status %d", words, waited, type, command_status);
    REFERENCES_LEFT(words, clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT);
    times(event, words);
    called("clReleaseEvent");
    const cl_int released = clReleaseEvent(event);
    if (released != CL_SUCCESS)
        line("%s: released %d", words, released);
}

} // namespace conformance
