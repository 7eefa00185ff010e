/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that has the terminal for itself, as top(1) does: its keys and its alternate screen. It
 * leaves nothing behind.
 */
#ifndef FORKTAX_FORMAT_FULL_SCREEN_H
#define FORKTAX_FORMAT_FULL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* Escaped text of at most the width of the screen. */
struct screen_line {
	char *text; /* owned */
	bool is_marked; /* in reverse video, across the screen */
};

struct screen_lines {
	struct screen_line *lines;
	size_t count;
};

void screen_lines__add(struct screen_lines *lines, char *text, bool is_marked); /* takes the text */
void screen_lines__free(struct screen_lines *lines); /* what it holds */

struct full_screen {
	int input, output;
	struct termios before;
};

/*
 * Takes the terminal: keys are read one by one, and not echoed. Ctrl-C is still a signal, Ctrl-Z is a key. Returns
 * 0, or -1 and a reason (to be freed). exit(3) gives the terminal back; signals that end the program must lead to
 * full_screen__leave().
 */
int full_screen__enter(struct full_screen *screen, int input, int output, char **reason);
void full_screen__leave(struct full_screen *screen);
/* 80x24 where the terminal does not know. */
void full_screen__size(const struct full_screen *screen, unsigned int *width, unsigned int *height);

/* What is written to draw the first `height` lines over what is there; to be freed. */
char *full_screen__frame(const struct screen_lines *lines, unsigned int width, unsigned int height, size_t *size);
/* Writes it at once: nothing is cleared before it is drawn again, so nothing flickers. */
void full_screen__draw(const struct full_screen *screen, const struct screen_lines *lines);

/* Keys that are more than a byte. */
enum screen_key {
	SCREEN_KEY_UP = 256,
	SCREEN_KEY_DOWN,
	SCREEN_KEY_LEFT,
	SCREEN_KEY_RIGHT,
	SCREEN_KEY_HOME,
	SCREEN_KEY_END,
	SCREEN_KEY_PAGE_UP,
	SCREEN_KEY_PAGE_DOWN,
	SCREEN_KEY_OTHER,
};

/* Stores the first key of these bytes (one at least). Returns how many it took. An escape alone is the key Esc. */
size_t screen_key__decode(const char *bytes, size_t size, int *key);

#endif
