/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report that is drawn again and again in the same place of a terminal, as top(1) does.
 */
#ifndef FORKTAX_FORMAT_SCREEN_H
#define FORKTAX_FORMAT_SCREEN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct screen {
	int resized_fd; /* readable when the terminal has another size; -1: no such descriptor */
	sigset_t mask; /* as it was before */
};

/* Is the stream a terminal that can move its cursor? */
bool screen__is_one(FILE *stream);
/* Until screen__end() SIGWINCH can be polled for. */
void screen__begin(struct screen *screen);
bool screen__was_resized(struct screen *screen); /* since the last call */
void screen__end(struct screen *screen);

/*
 * Draws `title` and `text` from the top left corner on, line over line: nothing is erased that is drawn again, so
 * nothing flickers. What has no room is left out, and the last line says how many lines that is. The cursor is then
 * below the last line. Failed writes are noted in the stream.
 */
void screen__draw(const char *title, const char *text, size_t size, FILE *stream);

#endif
