# SPDX-License-Identifier: MIT
# lttng-gpu export and merge; included by the Makefile at the top after userspace/correlate/correlate.mk, whose library takes
# them in.

export_objects := $(patsubst userspace/export/%.cpp,$(BUILD)/export/%.o,$(wildcard userspace/export/*.cpp userspace/export/*/*.cpp))

# Parquet, where its library has headers (Debian sid: libparquet-dev). PARQUET=yes fails without them, PARQUET=no leaves it out.
PARQUET ?= $(if $(wildcard /usr/include/parquet/api/writer.h),yes,no)
ifeq ($(filter yes no,$(PARQUET)),)
$(error PARQUET is yes or no)
endif

$(BUILD)/export/%.o: userspace/export/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(if $(filter yes,$(PARQUET)),-DLTTNG_GPU_PARQUET) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-correlate.a: $(export_objects)
CORRELATE_LIBS += -lsqlite3 $(if $(filter yes,$(PARQUET)),-lparquet -larrow)

-include $(export_objects:.o=.d)
