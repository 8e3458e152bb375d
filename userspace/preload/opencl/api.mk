# SPDX-License-Identifier: MIT
# What the OpenCL layer is generated from; included by preload.mk.

OPENCL_HEADERS ?= /usr/include/CL
opencl_registry := $(OPENCL_HEADERS)
opencl_registry_files := $(wildcard $(OPENCL_HEADERS)/*.h)
