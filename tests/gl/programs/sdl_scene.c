/* SPDX-License-Identifier: MIT */
/* sdl_scene FRAMES: SDL2, which opens the libraries itself, and asks for each function (SDL_GL_GetProcAddress). */
#include <SDL2/SDL.h>
#include <SDL2/SDL_opengl.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int frames = argc > 1 ? atoi(argv[1]) : 0;

	if (SDL_Init(SDL_INIT_VIDEO))
		return 2;
	SDL_Window *window = SDL_CreateWindow("scene", 0, 0, 64, 64, SDL_WINDOW_OPENGL);
	SDL_GLContext context = window ? SDL_GL_CreateContext(window) : NULL;

	if (!context)
		return 3;
	void (*clear_color)(float, float, float, float), (*clear)(unsigned), (*finish)(void), (*rectangle)(float, float, float, float);
	void (*read)(int, int, int, int, unsigned, unsigned, void *);

	*(void **)&clear_color = SDL_GL_GetProcAddress("glClearColor");
	*(void **)&clear = SDL_GL_GetProcAddress("glClear");
	*(void **)&finish = SDL_GL_GetProcAddress("glFinish");
	*(void **)&rectangle = SDL_GL_GetProcAddress("glRectf");
	*(void **)&read = SDL_GL_GetProcAddress("glReadPixels");
	for (int i = 0; i < frames; i++) {
		unsigned pixel = 0;

		clear_color(0, 0, (float)(i % 8) / 8, 1);
		clear(GL_COLOR_BUFFER_BIT);
		rectangle(-0.5f, -0.5f, 0.5f, 0.5f);
		finish();
		read(2, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
		printf("%d %08x\n", i, pixel);
		SDL_GL_SwapWindow(window);
	}
	SDL_GL_DeleteContext(context);
	SDL_DestroyWindow(window);
	SDL_Quit();
	return 0;
}
