# SPDX-License-Identifier: MIT
# What the HSA layer is generated from; included by preload.mk.

HSA_HEADERS ?= /usr/include/hsa
hsa_registry := $(HSA_HEADERS)
hsa_registry_files := $(wildcard $(HSA_HEADERS)/*.h) $(PRELOAD_DIR)/generate/read_hsa.py
