# SPDX-License-Identifier: MIT
# lttng-gpu export and merge; included by the Makefile at the top after userspace/correlate/correlate.mk, whose library takes
# them in.

export_objects := $(patsubst userspace/export/%.cpp,$(BUILD)/export/%.o,$(wildcard userspace/export/*.cpp userspace/export/*/*.cpp))

# Parquet, where the headers of its library are there (Debian sid).
EXPORT_PARQUET ?= $(wildcard /usr/include/parquet/api/writer.h)

$(BUILD)/export/%.o: userspace/export/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(if $(EXPORT_PARQUET),-DLTTNG_GPU_PARQUET) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-correlate.a: $(export_objects)
CORRELATE_LIBS += -lsqlite3 $(if $(EXPORT_PARQUET),-lparquet -larrow)

-include $(export_objects:.o=.d)
