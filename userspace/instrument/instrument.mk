# SPDX-License-Identifier: MIT
# lttng-gpu-instrument, which puts the device recorder into programs of OpenCL C; included by the Makefile at the top. It is
# built where libclang's headers are. INSTRUMENT=yes fails without them, INSTRUMENT=no leaves it out.

INSTRUMENT_OBJ := $(BUILD)/instrument
# Where Debian has libclang's headers, the newest ones (LLVM_FOLDER= chooses). The library is found when the program runs.
LLVM_FOLDER ?= $(patsubst %/include/clang-c/Index.h,%,$(lastword $(sort $(wildcard /usr/lib/llvm-*/include/clang-c/Index.h))))
INSTRUMENT ?= $(if $(LLVM_FOLDER),yes,no)
ifeq ($(INSTRUMENT)$(LLVM_FOLDER),yes)
$(error INSTRUMENT=yes needs the headers of libclang (Debian: libclang-dev), or LLVM_FOLDER=)
endif
ifeq ($(filter yes no,$(INSTRUMENT)),)
$(error INSTRUMENT is yes or no)
endif
instrument_program := $(if $(filter yes,$(INSTRUMENT)),$(BUILD)/lttng-gpu-instrument)
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
