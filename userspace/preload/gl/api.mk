# SPDX-License-Identifier: MIT
# What the OpenGL layer is generated from; included by preload.mk. The registries come with python3-glad.

GL_REGISTRY ?= /usr/lib/python3/dist-packages/glad/files
gl_registry := $(GL_REGISTRY)
gl_registry_files := $(patsubst %,$(GL_REGISTRY)/%.xml,gl egl glx)
