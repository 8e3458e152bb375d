# SPDX-License-Identifier: MIT
#
# The correlator under the compiler's sanitizers, built apart from the rest in $(BUILD)/asan and $(BUILD)/tsan; included
# by the Makefile at the top of the tree after tests/unit/unit.mk.

ASAN_FLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
# The tests themselves are not what is looked at, and take minutes to compile with all of it.
ASAN_TEST_FLAGS := -O0 -fsanitize=address
TSAN_FLAGS := -O1 -g -fsanitize=thread
# What runs on several threads.
TSAN_TESTS := ctf_source_test ctf_layout_test command_test progress_test test_main ctf_writer
TSAN_EVENTS := 300000
# With two, the caller's thread decodes while the other merges; a lock that is missing there shows with these first.
TSAN_THREADS := 2 4
# ThreadSanitizer wants addresses where it expects them (setarch -R).
WITHOUT_RANDOM_ADDRESSES := setarch $(shell uname -m) -R

$(BUILD)/asan/unit-tests: FORCE
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan CXXFLAGS="$(ASAN_FLAGS)" UNIT_CXXFLAGS="$(ASAN_TEST_FLAGS)" $@

$(BUILD)/tsan/unit-tests $(BUILD)/tsan/lttng-gpu: FORCE
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan CXXFLAGS="$(TSAN_FLAGS)" \
	    unit_sources="$(TSAN_TESTS:%=$(UNIT_DIR)/%.cpp)" $@

check-asan: $(BUILD)/asan/unit-tests
	UBSAN_OPTIONS=print_stacktrace=1 $<

check-tsan: $(BUILD)/tsan/unit-tests $(BUILD)/tsan/lttng-gpu $(BUILD)/make-trace
	$(WITHOUT_RANDOM_ADDRESSES) $<
	rm -rf $(BUILD)/tsan/trace
	$(BUILD)/make-trace $(BUILD)/tsan/trace $(TSAN_EVENTS)
	$(WITHOUT_RANDOM_ADDRESSES) $(BUILD)/tsan/lttng-gpu report --threads 1 $(BUILD)/tsan/trace >$(BUILD)/tsan/report.txt
	$(foreach threads,$(TSAN_THREADS),$(WITHOUT_RANDOM_ADDRESSES) $(BUILD)/tsan/lttng-gpu report --threads $(threads) $(BUILD)/tsan/trace \
	    >$(BUILD)/tsan/report-$(threads).txt && cmp $(BUILD)/tsan/report.txt $(BUILD)/tsan/report-$(threads).txt && ) true

check-sanitizers: ## the unit tests under ASan and UBSan, and what runs on threads under TSan
	@$(MAKE) --no-print-directory check-asan
	@$(MAKE) --no-print-directory check-tsan

FORCE:
.PHONY: FORCE check-asan check-tsan check-sanitizers
