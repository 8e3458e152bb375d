# SPDX-License-Identifier: MIT
# lttng-gpu-instrument, which puts the device recorder into programs of OpenCL C; included by the Makefile at the top. It is
# built where libclang's headers are.

INSTRUMENT_OBJ := $(BUILD)/instrument
LLVM_CONFIG ?= $(firstword $(shell command -v llvm-config llvm-config-19 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config-15 llvm-config-14))
llvm_includes := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --includedir))
llvm_libraries := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --libdir))
llvm_version := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --version))
# OpenCL's declarations are among the compiler's own headers. Debian's folder has the whole version up to 15, then its first number.
clang_resources := $(firstword $(wildcard $(llvm_libraries)/clang/$(llvm_version) $(llvm_libraries)/clang/$(firstword $(subst ., ,$(llvm_version)))))
instrument_program := $(if $(wildcard $(llvm_includes)/clang-c/Index.h),$(BUILD)/lttng-gpu-instrument)
instrument_objects := $(patsubst userspace/instrument/%.cpp,$(INSTRUMENT_OBJ)/%.o,$(wildcard userspace/instrument/*.cpp))
INSTRUMENT_CXXFLAGS := $(CXX_STANDARD) $(WARNINGS) -MMD -MP -I$(INSTRUMENT_OBJ) -isystem $(llvm_includes) -DLTTNG_GPU_CLANG_RESOURCES='"$(clang_resources)"'

$(INSTRUMENT_OBJ)/recorder.inc: userspace/instrument/recorder.cl
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)(echo 'R"recorder('; cat $<; echo ')recorder"') >$@

$(INSTRUMENT_OBJ)/%.o: userspace/instrument/%.cpp $(INSTRUMENT_OBJ)/recorder.inc $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(INSTRUMENT_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/lttng-gpu-instrument: $(instrument_objects)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ -L$(llvm_libraries) -lclang

-include $(instrument_objects:.o=.d)
