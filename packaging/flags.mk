# SPDX-License-Identifier: MIT
# In CI everything is compiled with the flags of the Debian packages (debian/rules): what is tested is what is installed, and
# the packages, which tests build, too, come from the compiler's cache. Included by the Makefile at the top.

ifneq ($(and $(CI),$(shell command -v dpkg-buildflags)),)
# The folder is no argument of the compiler with these, so that its cache fits in every folder.
export LTTNG_GPU_DEB_OPTIONS := reproducible=-fixfilepath,-fixdebugpath
ifeq ($(origin CXXFLAGS),undefined)
package_flags = $(shell DEB_BUILD_MAINT_OPTIONS="hardening=+all $(LTTNG_GPU_DEB_OPTIONS)" DEB_CXXFLAGS_MAINT_APPEND=-DFMT_HEADER_ONLY dpkg-buildflags --get $(1))
CPPFLAGS := $(call package_flags,CPPFLAGS)
CXXFLAGS := $(call package_flags,CXXFLAGS)
LDFLAGS := $(call package_flags,LDFLAGS)
endif
endif
