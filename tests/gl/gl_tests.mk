# SPDX-License-Identifier: MIT
#
# Programs that find OpenGL in the ways that applications do, to be run with and without the layer; included by the
# Makefile at the top of the tree.

GL_TESTS := $(BUILD)/tests/gl
GL_PROGRAMS := tests/gl/programs
gl_test_compile = $(CC) $(WARNINGS) -Wno-pedantic $(CXXFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^)

$(GL_TESTS)/scene: $(GL_PROGRAMS)/main.c $(GL_PROGRAMS)/ways.c $(GL_PROGRAMS)/scene.c
$(GL_TESTS)/scene-linked: $(GL_PROGRAMS)/main.c $(GL_PROGRAMS)/linked.c $(GL_PROGRAMS)/scene.c
$(GL_TESTS)/life: $(GL_PROGRAMS)/life.c $(GL_PROGRAMS)/ways.c
$(GL_TESTS)/life-linked: $(GL_PROGRAMS)/life.c $(GL_PROGRAMS)/linked.c
$(GL_TESTS)/glx_scene $(GL_TESTS)/sdl_scene $(GL_TESTS)/timed: $(GL_TESTS)/%: $(GL_PROGRAMS)/%.c
$(GL_TESTS)/plugin.so: $(GL_PROGRAMS)/linked.c
$(GL_TESTS)/frames.so: $(GL_PROGRAMS)/frames.c

gl_test_programs := $(addprefix $(GL_TESTS)/,scene scene-linked life life-linked glx_scene sdl_scene timed plugin.so frames.so)
$(GL_TESTS)/scene $(GL_TESTS)/life: private gl_libraries := -ldl -pthread
$(GL_TESTS)/scene-linked $(GL_TESTS)/life-linked: private gl_libraries := -DLINKED -lEGL -lGLESv2 -ldl -pthread
$(GL_TESTS)/glx_scene: private gl_libraries := -lGL -lX11
$(GL_TESTS)/timed: private gl_libraries := -lEGL -lGL
$(GL_TESTS)/sdl_scene: private gl_libraries := -lSDL2
$(GL_TESTS)/frames.so: private gl_libraries := -fPIC -shared -ldl
$(GL_TESTS)/plugin.so: private gl_libraries := -fPIC -shared -lEGL -lGLESv2

$(gl_test_programs): $(GL_PROGRAMS)/scene.h tests/layers/programs/hardship.h $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(gl_test_compile) $(gl_libraries)

gl-test-programs: $(gl_test_programs)
.PHONY: gl-test-programs
