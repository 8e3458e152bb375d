// SPDX-License-Identifier: MIT
//
// An OpenCL layer that does nothing: it gives the loader the driver's own functions back. What
// calls cost more with it than without is the price of any layer.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

extern "C" cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void* value,
                                             size_t* size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name != CL_LAYER_API_VERSION || (value && size < sizeof version))
        return CL_INVALID_VALUE;
    if (value)
        *static_cast<cl_layer_api_version*>(value) = version;
    if (size_ret)
        *size_ret = sizeof version;
    return CL_SUCCESS;
}

extern "C" cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                          cl_uint* entries_ret, const cl_icd_dispatch** layer)
{
    *entries_ret = entries;
    *layer = target;
    return CL_SUCCESS;
}
