# SPDX-License-Identifier: MIT
# lttng-gpu-instrument, which puts the device recorder into programs of OpenCL C; included by the Makefile at the top. It is
# built where libclang's headers are.

INSTRUMENT_OBJ := $(BUILD)/instrument
# Where Debian has libclang's headers, the newest ones (LLVM_FOLDER= chooses). The library is found when the program runs.
LLVM_FOLDER ?= $(patsubst %/include/clang-c/Index.h,%,$(lastword $(sort $(wildcard /usr/lib/llvm-*/include/clang-c/Index.h))))
instrument_program := $(if $(LLVM_FOLDER),$(BUILD)/lttng-gpu-instrument)
instrument_objects := $(patsubst userspace/instrument/%.cpp,$(INSTRUMENT_OBJ)/%.o,$(wildcard userspace/instrument/*.cpp))
INSTRUMENT_CXXFLAGS := $(CXX_STANDARD) $(WARNINGS) -MMD -MP -I$(INSTRUMENT_OBJ) -isystem $(LLVM_FOLDER)/include

$(INSTRUMENT_OBJ)/recorder.inc: userspace/instrument/header/lttng_gpu_recorder.h
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)(echo 'R"recorder('; cat $<; echo ')recorder"') >$@

$(INSTRUMENT_OBJ)/%.o: userspace/instrument/%.cpp $(INSTRUMENT_OBJ)/recorder.inc $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(INSTRUMENT_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/lttng-gpu-instrument: $(instrument_objects)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ -ldl

-include $(instrument_objects:.o=.d)
