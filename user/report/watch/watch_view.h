/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The live view of a watch on a terminal, as top(1) is one of processes. The caller polls the terminal, the clock
 * and signals; this draws, and knows what keys mean.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_VIEW_H
#define FORKTAX_REPORT_WATCH_WATCH_VIEW_H

#include <stdbool.h>

#include "model/watch/watch.h"

struct watch_view;

/*
 * Takes over a terminal: keys from `input`, which is then read without waiting for a line; the alternate screen of
 * `output`, without a cursor. Returns NULL and stores a reason (to be freed) if it is none that can move its cursor.
 */
struct watch_view *watch_view__open(int input, int output, char **reason);
/* Draws what has happened between the two samples; `before` is NULL at first. Both are copied, so they may be freed. */
void watch_view__show(struct watch_view *view, const struct watch_sample *before, const struct watch_sample *now);
/* Draws the same again: the terminal has another size. */
void watch_view__resized(struct watch_view *view);
/* Reads the keys that have come (poll the terminal for POLLIN before) and draws what they change. False: quit. */
bool watch_view__read_keys(struct watch_view *view);
/* A byte, or one of enum screen_key (format/full_screen.h). False: quit. */
bool watch_view__key(struct watch_view *view, int key);
/* Gives the terminal back as it was; NULL is fine. Signals that end forktax have to lead here, too. */
void watch_view__close(struct watch_view *view);

#endif
