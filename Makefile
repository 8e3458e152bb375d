# SPDX-License-Identifier: MIT
# Targets of the whole project; how each is built stands in the .mk file of its folder.

VERSION := 0.1.0
BUILD ?= build
prefix ?= /usr/local
libdir ?= $(prefix)/lib
# Where zsh looks: Debian's packages have a folder of their own.
zshdir ?= $(prefix)/share/zsh/$(if $(filter /usr,$(prefix)),vendor-completions,site-functions)

CXX ?= g++
include packaging/flags.mk
CXXFLAGS ?= -O2 -g
CXX_STANDARD := -std=c++20
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow $(if $(CI),-Werror)
LTTNG_GPU_VERSION := $(VERSION)
# make V=1 shows whole commands.
Q := $(if $(V),,@)
# Set-up and builds of demo and check use every core.
PARALLEL := -j$(shell nproc)
# Tests build all there is, also packages: what was compiled before comes from the cache ($LTTNG_GPU_CACHE). ccache's folder
# has the compilers' names.
THROUGH_CACHE = PATH="/usr/lib/ccache:$$PATH" CCACHE_DIR="$${LTTNG_GPU_CACHE:-$${XDG_CACHE_HOME:-$$HOME/.cache}/lttng-gpu}/ccache" \
    CCACHE_MAXSIZE=2G CCACHE_NOHASHDIR=1
# The shell of `su` finds nothing in sbin, where set-up has its tools and guests have ours.
export PATH := $(PATH):/usr/local/sbin:/usr/sbin:/sbin
# What was compiled before comes from ccache where it is installed (folder of the compilers' names; CCACHE_DISABLE=1 turns it off).
export PATH := $(if $(wildcard /usr/lib/ccache),/usr/lib/ccache:)$(PATH)
export CCACHE_NOHASHDIR ?= 1
export BUILD LTTNG_GPU_VERSION

all: $(BUILD)/lttng-gpu $(BUILD)/babeltrace2-plugin-gpu.so $(BUILD)/btf-layout preload shell-help ## the report tool, its babeltrace2 plugin, the layout generator and the OpenCL layer

include modules/layout/layout.mk
include userspace/correlate/correlate.mk
include userspace/doctor/doctor.mk
include userspace/babeltrace2-plugin/plugin.mk
include userspace/view/view.mk
include userspace/export/export.mk
include userspace/record/record.mk
include userspace/cli/cli.mk
include userspace/instrument/instrument.mk
include userspace/preload/preload.mk
include tests/unit/unit.mk
include tests/unit/sanitizers.mk
include tests/readers/readers.mk
include tests/record/record_tests.mk
include tests/simulator/simulator.mk
include tests/diagnose/diagnose.mk
include tests/page/page_tests.mk
include tests/captures/captures.mk
include tests/export/export_test.mk
include tests/end-to-end/end_to_end.mk
include tests/gputest/client/client.mk
include tests/gputest/opencl/opencl.mk
include tests/firing/plan/fire.mk
include bench/bench.mk
include bench/device/device.mk
include tests/opencl/opencl_tests.mk
include tests/device/device_tests.mk
include tests/hsa/hsa_tests.mk
include tests/vulkan/vulkan_tests.mk
include tests/gl/gl_tests.mk
include tests/layers/layers_tests.mk
include packaging/packaging.mk
include tests/fuzz/fuzz.mk
include tests/reliability/kernel.mk
include tests/hostile/hostile_tests.mk

# What objects are compiled with: they depend on this file, which is written when that has changed. -Werror changes no object.
COMPILED_WITH := $(strip $(filter-out -Werror,$(CC) $(CXX) $(CPPFLAGS) $(CXXFLAGS) $(CORRELATE_CXXFLAGS) $(PRELOAD_CXXFLAGS) \
    $(UNIT_CXXFLAGS) $(FUZZ_CXX) $(FUZZ_CXXFLAGS)))
ifneq ($(strip $(file <$(BUILD)/flags)),$(COMPILED_WITH))
$(shell mkdir -p $(BUILD))$(file >$(BUILD)/flags,$(COMPILED_WITH))
endif

# What shells and man show of the command line.
shell-help: $(completions) $(command_pages)

programs: shell-help $(BUILD)/lttng-gpu $(BUILD)/ust-events $(plugin) $(preload_libraries) $(BUILD)/compare-readers $(BUILD)/btf-layout $(BUILD)/gputest-load \
    $(BUILD)/gputest-cl $(BUILD)/libgputest-opencl.so $(BUILD)/fire-plan $(BUILD)/plant-causes $(BUILD)/plant-causes-cl \
    $(BUILD)/plant-frames $(BUILD)/gl-sharer $(BUILD)/cl-and-gl $(BUILD)/gl-rounds $(BUILD)/tests/gl/frames.so

modules: $(BUILD)/btf-layout ## the probe modules of the running kernel (KERNELDIR=, LTTNG_MODULES=, KERNEL_BTF=, RELEASE=)
	scripts/build-modules $(BUILD)/modules $(RELEASE)

demo: ## everything from nothing: install what is needed, build, boot a guest, record, report (LANE=bookworm|trixie|sid)
	@scripts/install-dependencies
	@$(MAKE) -j$$(($$(nproc) + 1)) --no-print-directory demo-guest $(BUILD)/lttng-gpu $(BUILD)/btf-layout $(BUILD)/gputest-load \
	    $(BUILD)/plant-frames $(BUILD)/gl-sharer $(BUILD)/liblttng-gpu-gl.so $(BUILD)/liblttng-gpu-gl-provider.so
	@tests/vm/demo $(LANE)

# Much of it is waiting for packages, so it goes beside the compiling.
demo-guest:
	@tests/vm/guest-of $(or $(LANE),trixie) >/dev/null

check: ## all tests, with all their set-up (LANES="bookworm trixie sid")
	@scripts/install-dependencies
	@$(THROUGH_CACHE) $(MAKE) $(PARALLEL) --no-print-directory programs $(preload_libraries) $(BUILD)/cl-commands $(BUILD)/dies-writing $(BUILD)/ends-writing $(BUILD)/slow-answer.so $(BUILD)/unit-tests $(BUILD)/ust-shapes $(BUILD)/make-trace \
	    $(BUILD)/simulator-tests $(BUILD)/simulate $(BUILD)/page-frames-trace $(BUILD)/diagnose-tests $(BUILD)/degrade-capture \
	    $(BUILD)/damage-trace fuzz-programs $(BUILD)/tests/opencl-rounds opencl-test-programs device-test-programs gl-test-programs hsa-test-programs vulkan-test-programs layers-test-programs
	@$(THROUGH_CACHE) tests/run

check-long: ## make check with the long form of what repeats something, the sanitizers and clang-tidy; before each release
	@LONG=1 $(MAKE) --no-print-directory check
	@$(THROUGH_CACHE) $(MAKE) $(PARALLEL) --no-print-directory check-sanitizers
	@$(MAKE) --no-print-directory tidy

check-programs: ## real programs of OpenGL and Vulkan do the same with the layers: installs them (scripts/dependencies-long), docs/programs-tried.md
	@LONG=1 scripts/install-dependencies
	@$(THROUGH_CACHE) $(MAKE) $(PARALLEL) --no-print-directory $(preload_libraries) gl-test-programs vulkan-test-programs
	@LONG=1 tests/in-own-place tests/gl/test_same_pixels.py
	@LONG=1 tests/in-own-place tests/vulkan/test_same_pixels.py

check-releases: ## the layers of Vulkan and HSA with loaders, drivers and runtimes of newer Debians, in roots of these in the cache (part of check-long)
	@scripts/install-dependencies
	@$(THROUGH_CACHE) $(MAKE) $(PARALLEL) --no-print-directory programs $(preload_libraries) hsa-test-programs
	@tests/vulkan/in-release trixie
	@tests/vulkan/in-release sid
	@tests/hsa/run-in-root trixie $(BUILD) layer
	@tests/hsa/run-in-root trixie $(BUILD) jobs

check-kernel: ## what runs in the guest of one lane, TAP in build/tests/LANE (LANE=bookworm|trixie|sid)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs
	@tests/run $(or $(LANE),trixie)

# What the compiler is called with, for editors and clang-tidy; nothing is built.
$(BUILD)/compile_commands.json: FORCE
	@mkdir -p $(@D)
	@$(MAKE) --no-print-directory --always-make --dry-run V=1 CI= programs $(BUILD)/unit-tests $(BUILD)/simulator-tests $(BUILD)/simulate \
	    $(BUILD)/degrade-capture $(BUILD)/damage-trace | scripts/compile-commands >$@

compile-commands: $(BUILD)/compile_commands.json ## how each file is compiled, for editors: build/compile_commands.json

# Generated headers must be there.
tidy: $(BUILD)/compile_commands.json ## clang-tidy with the checks of .clang-tidy (FILES=REGEX)
	@scripts/install-dependencies clang-tidy
	@$(MAKE) $(PARALLEL) --no-print-directory programs
	@run-clang-tidy -quiet -p $(BUILD) '$(or $(FILES),/(userspace|modules/layout)/)' 2>/dev/null

bench: bench-correlate ## the speed of the readers and reports

install: all install-vulkan-manifest ## into $(DESTDIR)$(prefix); the modules, if they were built, too
	install -D -t $(DESTDIR)$(prefix)/bin $(BUILD)/lttng-gpu
	install -D -m 644 -t $(DESTDIR)$(libdir)/babeltrace2/plugins $(plugin)
	install -D -m 644 -t $(DESTDIR)$(libdir)/lttng-gpu $(preload_libraries)
	$(if $(instrument_program),install -D -t $(DESTDIR)$(libdir)/lttng-gpu $(instrument_program))
	install -D -m 644 -t $(DESTDIR)$(prefix)/include userspace/instrument/header/lttng_gpu_device.h userspace/instrument/header/lttng_gpu_recorder.h
	install -D -m 644 -t $(DESTDIR)$(prefix)/share/man/man1 docs/man/lttng-gpu.1 $(BUILD)/man/*.1
	install -D -m 644 $(BUILD)/completion/lttng-gpu.bash $(DESTDIR)$(prefix)/share/bash-completion/completions/lttng-gpu
	install -D -m 644 -t $(DESTDIR)$(zshdir) $(BUILD)/completion/_lttng-gpu
	install -D -m 644 -t $(DESTDIR)$(prefix)/share/lttng-gpu/tracecompass userspace/export/tracecompass/*.xml
	sbindir=$(prefix)/sbin scripts/install-modules $(BUILD)/modules

clean: ## remove what was built; the guests stay in their cache
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.DELETE_ON_ERROR:
.PHONY: all shell-help programs modules demo demo-guest check check-long check-programs check-releases check-kernel compile-commands tidy bench install clean help
