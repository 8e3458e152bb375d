# SPDX-License-Identifier: MIT
#
# The correlator's unit tests; included by the Makefile at the top of the tree
# after userspace/correlate/correlate.mk. Gives $(BUILD)/unit-tests, which needs
# neither root nor a GPU nor a running tracer.

UNIT_DIR := tests/unit
UNIT_OBJ := $(BUILD)/unit
# Tests are run once for each time that they are compiled: half the time of -O2 -g.
UNIT_CXXFLAGS ?= -Og -g1
# Half the time of linking.
UNIT_LDFLAGS ?= $(if $(shell command -v ld.gold),-fuse-ld=gold)

unit_sources := $(sort $(wildcard $(UNIT_DIR)/*.cpp))
unit_objects := $(unit_sources:$(UNIT_DIR)/%.cpp=$(UNIT_OBJ)/%.o)

$(UNIT_OBJ)/%.o: $(UNIT_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -I$(CORRELATE_DIR) -Iuserspace $(CORRELATE_CXXFLAGS) $(UNIT_CXXFLAGS) -c -o $@ $<

$(filter $(UNIT_OBJ)/perfetto_%,$(unit_objects)): | $(PERFETTO_CODE)

$(BUILD)/unit-tests: $(unit_objects) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(UNIT_LDFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

# The tests of one folder of userspace/ or userspace/correlate/ are those that include a header of it, or one of the tests'
# own headers that does.
ifdef DIR
unit_including = $(shell grep -lE '^#include "(\w+/)*($(1))' $(2))
unit_headers := $(foreach header,$(notdir $(call unit_including,$(DIR)/,$(UNIT_DIR)/*.hpp)),|$(header))
unit_empty :=
unit_tests := $(call unit_including,$(DIR)/$(subst $(unit_empty) ,,$(unit_headers)),$(UNIT_DIR)/*_test.cpp)
$(if $(filter unit,$(MAKECMDGOALS)),$(if $(unit_tests),,$(error no unit test includes a header of $(DIR)/)))
unit_program := $(BUILD)/unit-tests-$(subst /,-,$(DIR))
$(unit_program): $(filter-out %_test.o,$(unit_objects)) \
    $(unit_tests:$(UNIT_DIR)/%.cpp=$(UNIT_OBJ)/%.o) \
    $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(UNIT_LDFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)
else
unit_program := $(BUILD)/unit-tests
endif

unit: $(unit_program) ## the unit tests, or those of one folder (DIR=jobs, export, ...)
	@$(UNIT_DIR)/run-in-parts $<

.PHONY: unit

-include $(unit_objects:.o=.d)
