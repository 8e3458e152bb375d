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

$(BUILD)/liblttng-gpu-device.so: $(device_objects) $(runtime_objects) $(PRELOAD_DIR)/device/layer.map
	@echo "  LD   $@"
	$(Q)$(CC) $(CXXFLAGS) $(PRELOAD_LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=$(PRELOAD_DIR)/device/layer.map -o $@ $(device_objects) $(runtime_objects)

$(eval $(call provider_library,device,lttng_gpu_devicetrace))

-include $(device_objects:.o=.d)
