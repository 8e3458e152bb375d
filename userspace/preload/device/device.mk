# SPDX-License-Identifier: MIT
# The device-trace layer and its LTTng provider; included by preload.mk. It is no API of its own: its functions are OpenCL's, and
# those that it wraps are few.

device_objects := $(patsubst $(PRELOAD_DIR)/%.cpp,$(PRELOAD_OBJ)/%.o,$(wildcard $(PRELOAD_DIR)/device/*.cpp))
device_libraries := $(BUILD)/liblttng-gpu-device.so $(BUILD)/liblttng-gpu-device-provider.so
preload_libraries += $(device_libraries)

$(PRELOAD_OBJ)/device/%.o: $(PRELOAD_DIR)/device/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(PRELOAD_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(PRELOAD_OBJ)/device/ust_provider.o: $(PRELOAD_DIR)/device/ust_provider.c instrumentation/events/lttng_gpu_devicetrace.h $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(CPPFLAGS) -std=gnu11 $(filter-out -Wpedantic -Wshadow,$(PRELOAD_FLAGS)) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-device.so: $(device_objects) $(runtime_objects) $(PRELOAD_DIR)/device/layer.map
	@echo "  LD   $@"
	$(Q)$(CC) $(CXXFLAGS) $(PRELOAD_LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=$(PRELOAD_DIR)/device/layer.map -o $@ $(device_objects) $(runtime_objects)

$(BUILD)/liblttng-gpu-device-provider.so: $(PRELOAD_OBJ)/device/ust_provider.o $(PRELOAD_DIR)/device/ust_provider.map
	@echo "  LD   $@"
	$(Q)$(CC) $(CXXFLAGS) $(PRELOAD_LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=$(PRELOAD_DIR)/device/ust_provider.map -o $@ $< -llttng-ust -llttng-ust-common

-include $(device_objects:.o=.d) $(PRELOAD_OBJ)/device/ust_provider.d
