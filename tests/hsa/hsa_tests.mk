# SPDX-License-Identifier: MIT
#
# A stand-in for libhsakmt, and programs that use HSA on it; included by the Makefile at the top of the tree.

HSA_TESTS := $(BUILD)/tests/hsa
hsa_test_flags := -std=gnu11 $(filter-out -Wnon-virtual-dtor -Woverloaded-virtual -Wpedantic,$(WARNINGS)) $(CXXFLAGS)
hsa_test_programs := $(patsubst tests/hsa/programs/%.c,$(HSA_TESTS)/%,$(wildcard tests/hsa/programs/*.c))

$(HSA_TESTS)/stand-in/libhsakmt.so.1: $(filter-out %/device.c,$(wildcard tests/hsa/stand-in/*.c)) tests/hsa/stand-in/stand_in.h tests/hsa/stand-in/stand_in.map $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(hsa_test_flags) -fPIC -fvisibility=hidden -shared -Wl,-z,defs -Wl,-soname,$(@F) -Wl,--version-script=tests/hsa/stand-in/stand_in.map $(LDFLAGS) -o $@ $(filter %.c,$^) -pthread

# Preloaded into rocminfo, which looks for the device's file itself.
$(HSA_TESTS)/stand-in/device.so: tests/hsa/stand-in/device.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(hsa_test_flags) -fPIC -shared $(LDFLAGS) -o $@ $<

$(HSA_TESTS)/%: tests/hsa/programs/%.c tests/hsa/programs/packets.h tests/layers/programs/hardship.h $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(hsa_test_flags) $(LDFLAGS) -o $@ $< -lhsa-runtime64 -pthread

# Code of a gfx900, by clang and lld.
$(HSA_TESTS)/two.co: tests/hsa/kernels/two.s
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)clang -target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -o $@ $<

hsa-test-programs: $(HSA_TESTS)/two.co $(HSA_TESTS)/stand-in/libhsakmt.so.1 $(HSA_TESTS)/stand-in/device.so $(hsa_test_programs)
.PHONY: hsa-test-programs
